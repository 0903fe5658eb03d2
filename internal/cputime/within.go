package cputime

import (
	"runtime"
	"time"
)

// look is for how long at least the processor time is not looked at again.
const look = time.Millisecond

// Within calls f, and exceeded if the thread spends more processor time in it than a limit. Where the system does not tell, it is the time
// that passes.
func Within(limit time.Duration, exceeded func(), f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	spent := of()
	begin := spent()
	done, ended := make(chan struct{}), make(chan struct{})
	// Most calls end before anybody has to look.
	first := time.AfterFunc(limit, func() {
		defer close(ended)
		for {
			left := limit - (spent() - begin)
			if left <= 0 {
				break
			}
			select {
			case <-done:
				return
			case <-time.After(max(left, look)):
			}
		}
		exceeded()
	})
	f()
	close(done)
	if !first.Stop() {
		<-ended
	}
}
