package run

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// orphans are what supervisors leave that a tool has killed: processes of the tool, which then become this process's children.
type orphans struct {
	mu sync.Mutex
	// known are this process's children that are no orphans: those from before, and the supervisors.
	known map[int]bool
}

func newOrphans() (*orphans, error) {
	if err := adoptOrphans(); err != nil {
		return nil, err
	}
	o := &orphans{known: map[int]bool{}}
	for _, pid := range childrenOf(os.Getpid())(os.Getpid()) {
		o.known[pid] = true
	}
	return o, nil
}

// adoptOrphans makes this process the parent of those below it whose parents end.
func adoptOrphans() error {
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0); errno != 0 {
		return fmt.Errorf("become the parent of orphans: %w", errno)
	}
	return nil
}

// start starts a supervisor.
func (o *orphans) start(cmd *exec.Cmd) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := cmd.Start(); err != nil {
		return err
	}
	o.known[cmd.Process.Pid] = true
	return nil
}

// ended forgets a supervisor that is no more: its number may be another's soon.
func (o *orphans) ended(cmd *exec.Cmd) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.known, cmd.Process.Pid)
}

// end ends all orphans and what is below them. The error is errLeft where that cannot be done.
func (o *orphans) end() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	self := os.Getpid()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		var found []int
		for _, pid := range childrenOf(self)(self) {
			if !o.known[pid] {
				found = append(found, pid)
				_ = syscall.Kill(pid, syscall.SIGSTOP)
			}
		}
		if len(found) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return errLeft
		}
		for _, pid := range found {
			walk(pid, func(pid int) { _ = syscall.Kill(pid, syscall.SIGSTOP) })
			for _, below := range descendants(pid) {
				_ = syscall.Kill(below, syscall.SIGKILL)
			}
			_ = syscall.Kill(pid, syscall.SIGKILL)
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		}
	}
}
