// Package z3test measures Z3 for tests.
package z3test

// #cgo LDFLAGS: -lz3
// #include <z3.h>
import "C"

// Memory is how many bytes Z3 has allocated, in all contexts of the process.
func Memory() uint64 { return uint64(C.Z3_get_estimated_alloc_size()) }
