package run

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"hornbeam/bench/result"
)

// cgroupMeter has the kernel count and limit, in a control group of the run's own.
type cgroupMeter struct {
	folder *os.File
	path   string
	// parent does what a group has no controller for.
	parent *procMeter
}

// newCgroupMeter makes a group for the run below the spec's.
func newCgroupMeter(s *spec) (*cgroupMeter, error) {
	m := &cgroupMeter{path: runGroup(s.Cgroup, os.Getpid()), parent: newProcMeter()}
	if err := os.Mkdir(m.path, 0o755); err != nil {
		return nil, fmt.Errorf("make a control group: %w", err)
	}
	for _, setting := range m.settings(s) {
		if err := os.WriteFile(filepath.Join(m.path, setting.file), []byte(setting.value), 0o644); err != nil && !setting.optional {
			_ = os.Remove(m.path)
			return nil, fmt.Errorf("set a control group's limits: %w", err)
		}
	}
	var err error
	if m.folder, err = os.Open(m.path); err != nil {
		_ = os.Remove(m.path)
		return nil, fmt.Errorf("open a control group: %w", err)
	}
	return m, nil
}

// setting is a file of a control group with the value that is written to it.
type setting struct {
	file, value string
	// optional settings are for controllers that not every system has.
	optional bool
}

func (m *cgroupMeter) settings(s *spec) []setting {
	var all []setting
	if s.Limits.Memory > 0 {
		all = append(all, setting{"memory.max", strconv.FormatInt(s.Limits.Memory, 10), false},
			setting{"memory.swap.max", "0", true}, setting{"memory.oom.group", "1", true})
	}
	if len(s.Cores) > 0 {
		var words []string
		for _, c := range s.Cores {
			words = append(words, strconv.Itoa(c))
		}
		// Affinity binds to cores too; the group keeps the tool from changing it.
		all = append(all, setting{"cpuset.cpus", strings.Join(words, ","), true})
	}
	return all
}

func (m *cgroupMeter) prepare(attr *syscall.SysProcAttr) {
	m.parent.prepare(attr)
	attr.UseCgroupFD, attr.CgroupFD = true, int(m.folder.Fd())
}

func (m *cgroupMeter) measured() result.Measured { return result.Cgroup2 }

func (m *cgroupMeter) look(int64) usage {
	u := usage{cpu: float64(m.number("cpu.stat", "usage_usec")) / 1e6, memory: m.number("memory.current", "")}
	u.outOfMemory = m.number("memory.events", "oom_kill") > 0
	return u
}

func (m *cgroupMeter) kill(reap func()) {
	if err := os.WriteFile(filepath.Join(m.path, "cgroup.kill"), []byte("1"), 0o644); err != nil {
		// Kernels before 5.14 have no such file.
		m.parent.kill(reap)
	}
}

func (m *cgroupMeter) finish() usage {
	u := m.look(0)
	u.memory = m.number("memory.peak", "")
	m.folder.Close()
	// A group can be removed a little after its last process is gone.
	for range 50 {
		if err := os.Remove(m.path); err == nil || errors.Is(err, os.ErrNotExist) {
			break
		}
		time.Sleep(2 * time.Millisecond)
	}
	return u
}

// number reads a number from one of the group's files: the whole file, or the line of the given key. What is not there is 0.
func (m *cgroupMeter) number(file, key string) int64 {
	text, err := os.ReadFile(filepath.Join(m.path, file))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if key == "" && len(fields) == 1 || len(fields) == 2 && fields[0] == key {
			n, _ := strconv.ParseInt(fields[len(fields)-1], 10, 64)
			return n
		}
	}
	return 0
}

// delegate returns a control group of version 2 below which runs may have groups of their own with limits, and says why
// there is none. It is the given folder, or, where that is "auto", the group that this process is in: if no other process is
// in it, this process moves to a group below it, as a group with controlled ones below it holds no processes.
func delegate(folder string) (string, error) {
	auto := folder == "auto"
	if auto {
		own, err := ownCgroup()
		if err != nil {
			return "", err
		}
		folder = own
	}
	controllers, err := os.ReadFile(filepath.Join(folder, "cgroup.controllers"))
	if err != nil {
		return "", fmt.Errorf("no control group of version 2: %w", err)
	}
	if !slices.Contains(strings.Fields(string(controllers)), "memory") {
		return "", fmt.Errorf("the control group %s has no memory controller", folder)
	}
	inner := filepath.Join(folder, "hornbeam-bench")
	if auto {
		if err := os.Mkdir(inner, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
			return "", fmt.Errorf("make a control group: %w", err)
		}
		if err := os.WriteFile(filepath.Join(inner, "cgroup.procs"), []byte(strconv.Itoa(os.Getpid())), 0o644); err != nil {
			_ = os.Remove(inner)
			return "", fmt.Errorf("move to a control group: %w", err)
		}
	}
	control := filepath.Join(folder, "cgroup.subtree_control")
	if err := os.WriteFile(control, []byte("+memory"), 0o644); err != nil {
		if auto {
			// Other processes are in the group: go back to them.
			_ = os.WriteFile(filepath.Join(folder, "cgroup.procs"), []byte(strconv.Itoa(os.Getpid())), 0o644)
			_ = os.Remove(inner)
		}
		return "", fmt.Errorf("control memory below the group %s: %w", folder, err)
	}
	// CPU time is counted without a controller; the others are not there everywhere.
	for _, more := range []string{"+cpu", "+cpuset", "+pids"} {
		_ = os.WriteFile(control, []byte(more), 0o644)
	}
	return folder, nil
}

// ownCgroup is the folder of the group of version 2 that this process is in.
func ownCgroup() (string, error) {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", fmt.Errorf("no control groups: %w", err)
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", fmt.Errorf("no control groups: %w", err)
	}
	return cgroupFolder(string(groups), string(mounts))
}

// cgroupFolder finds the folder in what /proc/self/cgroup and /proc/self/mountinfo say.
func cgroupFolder(groups, mounts string) (string, error) {
	own, found := "", false
	for line := range strings.Lines(groups) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "0::"); ok {
			own, found = rest, true
		}
	}
	if !found {
		return "", errors.New("no control group of version 2")
	}
	for line := range strings.Lines(mounts) {
		place, kind, ok := strings.Cut(line, " - ")
		fields := strings.Fields(place)
		if !ok || len(fields) < 5 || !strings.HasPrefix(kind, "cgroup2 ") {
			continue
		}
		// The mount shows the hierarchy from its root on.
		within, err := filepath.Rel(fields[3], own)
		if err != nil || strings.HasPrefix(within, "..") {
			continue
		}
		return filepath.Join(fields[4], within), nil
	}
	return "", errors.New("no control groups of version 2 are mounted")
}
