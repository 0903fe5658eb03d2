//go:build unix && !linux

package run

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"

	"hornbeam/bench/result"
)

// psEvery is how often the process table is looked at, which costs more than reading /proc does.
const psEvery = 200 * time.Millisecond

// newMeter returns the meter that there is: the process table as ps prints it.
func newMeter(s *spec) (meter, error) {
	if s.Cgroup != "" {
		return nil, errors.ErrUnsupported
	}
	return &psMeter{self: os.Getpid(), seen: map[int]bool{}}, nil
}

func delegate(string) (string, error) { return "", errors.ErrUnsupported }

// anyChild is what wait4 waits for: the tool only, as ps is a child too.
func anyChild(pid int) int { return pid }

func startedChild(int) {}

func bind(cores []int) error {
	if len(cores) == 0 {
		return nil
	}
	return errors.ErrUnsupported
}

func allowedCores() []int { return nil }

// psMeter counts the processes below this one, and those that were below it at an earlier look.
type psMeter struct {
	self int
	seen map[int]bool
	last usage
	at   time.Time
}

func (m *psMeter) prepare(*syscall.SysProcAttr) {}

// byLooking is how trees are measured.
const byLooking = result.Ps

func (m *psMeter) measured() result.Measured { return byLooking }

func (m *psMeter) look(int64) usage {
	if time.Since(m.at) >= psEvery {
		m.refresh()
	}
	return m.last
}

func (m *psMeter) refresh() {
	cmd := exec.Command("ps", "-A", "-o", "pid=,ppid=,rss=,time=")
	out, err := cmd.Output()
	m.at = time.Now()
	if err != nil {
		return
	}
	m.last = usage{}
	alive := map[int]bool{}
	for _, p := range below(readTable(string(out)), m.self, m.seen) {
		if p.pid != cmd.Process.Pid {
			alive[p.pid] = true
			m.last.memory += p.memory
			m.last.cpu += p.cpu
		}
	}
	m.seen = alive
}

func (m *psMeter) kill(func()) {
	m.refresh()
	for pid := range m.seen {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// finish counts the tool with the children that it waited for. What the looks at the table took cannot be told apart, and
// is left in: ps takes milliseconds.
func (m *psMeter) finish() usage {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &r) != nil {
		return usage{}
	}
	return usage{cpu: float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9}
}
