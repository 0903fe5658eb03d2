// Package cputime measures the processor time of a thread, which on a busy machine is less than the time that passes.
package cputime
