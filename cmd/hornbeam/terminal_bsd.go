//go:build darwin || freebsd || netbsd || openbsd

package main

import "syscall"

// getTermios is the request that only a terminal answers.
const getTermios = syscall.TIOCGETA
