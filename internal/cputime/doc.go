// Package cputime measures the processor time of a thread or of the process, which on a busy machine is less than the time that passes.
package cputime
