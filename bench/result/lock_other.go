//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package result

import "os"

// lock does nothing where the system has no such locks.
func lock(*os.File) error { return nil }
