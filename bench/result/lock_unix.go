//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package result

import (
	"errors"
	"os"
	"syscall"
)

// lock makes the file this process's alone as long as it is open here. A file system without locks is let pass.
func lock(f *os.File) error {
	for {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrInUse
		default:
			return nil
		}
	}
}
