// Package benchexec holds no code: its folder has what BenchExec and CHC-COMP need to run Hornbeam, and its tests check it.
package benchexec
