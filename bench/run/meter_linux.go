package run

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"hornbeam/bench/result"
)

const (
	prSetChildSubreaper = 36
	// ticksPerSecond is the unit of /proc's times, which is the same on every Linux that Go runs on.
	ticksPerSecond = 100
)

// newMeter returns the meter that the spec asks for, and makes this process the one that orphans go to.
func newMeter(s *spec) (meter, error) {
	if err := adoptOrphans(); err != nil {
		return nil, err
	}
	if s.Cgroup != "" {
		return newCgroupMeter(s)
	}
	return newProcMeter(), nil
}

// anyChild is what wait4 waits for: every child, as orphans become ours.
func anyChild(int) int { return -1 }

// startedChild makes the tool what the kernel ends first when the machine runs out of memory.
func startedChild(pid int) {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte("1000"), 0)
}

// bind binds this thread, and what it starts, to the cores.
func bind(cores []int) error {
	if len(cores) == 0 {
		return nil
	}
	mask := make([]uint64, slices.Max(cores)/64+1)
	for _, c := range cores {
		mask[c/64] |= 1 << (c % 64)
	}
	_, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, uintptr(len(mask)*8), uintptr(unsafe.Pointer(&mask[0])))
	if errno != 0 {
		return errno
	}
	return nil
}

// allowedCores are the numbers of the cores that this process may run on.
func allowedCores() []int {
	var mask [128]uint64
	n, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(mask), uintptr(unsafe.Pointer(&mask[0])))
	if errno != 0 {
		return nil
	}
	var cores []int
	for i := range int(n) * 8 {
		if mask[i/64]>>(i%64)&1 == 1 {
			cores = append(cores, i)
		}
	}
	return cores
}

// procMeter counts by /proc while the tree lives, and by this process's usage of children when it is no more.
type procMeter struct {
	self   int
	page   int64
	before float64
}

func newProcMeter() *procMeter {
	m := &procMeter{self: os.Getpid(), page: int64(os.Getpagesize())}
	m.before, _ = ended()
	return m
}

// ended returns the CPU time and the largest memory of one process among the children that ended and were waited for, with
// theirs.
func ended() (cpu float64, memory int64) {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &r) != nil {
		return 0, 0
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9, r.Maxrss << 10
}

// prepare has the tool's first process die with its supervisor.
func (m *procMeter) prepare(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// byLooking is how trees are measured without control groups.
const byLooking = result.Proc

func (m *procMeter) measured() result.Measured { return byLooking }

func (m *procMeter) look(peak int64) usage {
	cpu, _ := ended()
	u := usage{cpu: cpu - m.before}
	pids := descendants(m.self)
	for _, pid := range pids {
		u.cpu += cpuOf(pid)
		u.memory += m.residentOf(pid)
	}
	// Pages that several processes share count several times; it takes longer to count them once, and is needed only where
	// it would matter.
	if len(pids) > 1 && u.memory > peak {
		u.memory = 0
		for _, pid := range pids {
			u.memory += m.proportionalOf(pid)
		}
	}
	return u
}

func (m *procMeter) finish() usage {
	cpu, memory := ended()
	// Between fork and exec the tool's first process has this process's memory, and the kernel remembers it.
	var own syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &own) == nil && memory <= own.Maxrss<<10 {
		memory = 0
	}
	return usage{cpu: cpu - m.before, memory: memory}
}

// kill stops all processes before it ends them, so that none has time to start others. Each is stopped as soon as it is
// seen, before its children are looked for: a process that lives for a millisecond is not there any longer when others have
// been looked at. Those whose parents ended are this process's children, and are stopped first, again and again, as they are
// the ones that multiply without end.
func (m *procMeter) kill(reap func()) {
	stopped := map[int]bool{}
	stop := func(pid int) (is bool) {
		if stopped[pid] {
			return false
		}
		stopped[pid] = true
		return syscall.Kill(pid, syscall.SIGSTOP) == nil
	}
	for range 50 {
		children := childrenOf(m.self)
		for range 20 {
			more := false
			for _, pid := range children(m.self) {
				more = stop(pid) || more
			}
			if !more {
				break
			}
			reap()
			children = childrenOf(m.self)
		}
		more := false
		walk(m.self, func(pid int) { more = stop(pid) || more })
		if !more {
			break
		}
	}
	for _, pid := range descendants(m.self) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	reap()
}

// descendants are the processes below one, parents before children.
func descendants(root int) (all []int) {
	walk(root, func(pid int) { all = append(all, pid) })
	return all
}

// childrenOf is how the children of a process are found now.
func childrenOf(self int) func(pid int) []int {
	if _, err := os.Stat(fmt.Sprintf("/proc/%d/task/%d/children", self, self)); err != nil {
		return childrenByScan()
	}
	return childrenByTask
}

// walk visits the processes below one, each as soon as it is seen, parents before children.
func walk(root int, visit func(pid int)) {
	children := childrenOf(root)
	seen := map[int]bool{root: true}
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		for _, pid := range children(queue[0]) {
			if !seen[pid] {
				seen[pid] = true
				visit(pid)
				queue = append(queue, pid)
			}
		}
	}
}

// childrenByTask reads the children that each thread of a process started.
func childrenByTask(pid int) []int {
	folder := fmt.Sprintf("/proc/%d/task", pid)
	tasks, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	var all []int
	for _, t := range tasks {
		text, err := os.ReadFile(filepath.Join(folder, t.Name(), "children"))
		if err != nil {
			continue
		}
		for _, word := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}

// childrenByScan reads the parent of every process of the system, for kernels that do not list children.
func childrenByScan() func(int) []int {
	of := map[int][]int{}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if fields := statOf(pid); len(fields) > 1 {
			parent, _ := strconv.Atoi(fields[1])
			of[parent] = append(of[parent], pid)
		}
	}
	return func(pid int) []int { return of[pid] }
}

// statOf are the fields of a process's stat behind its name: its state, its parent and so on.
func statOf(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
}

// cpuOf is the time of a process and of those of its children that it waited for, in seconds.
func cpuOf(pid int) float64 {
	fields := statOf(pid)
	if len(fields) < 15 {
		return 0
	}
	var ticks int64
	for _, f := range fields[11:15] {
		n, _ := strconv.ParseInt(f, 10, 64)
		ticks += n
	}
	return float64(ticks) / ticksPerSecond
}

func (m *procMeter) residentOf(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * m.page
}

// proportionalOf is a process's memory with each shared page divided among those that share it; where the system does not
// say, it is all that is resident.
func (m *procMeter) proportionalOf(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return m.residentOf(pid)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
			kib, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kib << 10
		}
	}
	return 0
}
