package portfolio

import (
	"runtime"
	"syscall"
)

// backgroundNice is how much a background engine gives way: beside another thread that wants the same core it gets about
// a tenth of it.
const backgroundNice = 10

// enterBackground makes the calling goroutine, and the solver calls that it makes, yield to other threads of the machine
// until the goroutine ends. The thread that it ran on ends with it, since a thread may not raise its priority again.
func enterBackground() {
	runtime.LockOSThread()
	// Without the right to do so it works on as it is.
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, syscall.Gettid(), backgroundNice)
}
