package run

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/bench/result"
	"hornbeam/bench/tool"
)

func TestTheOwnControlGroupIsFound(t *testing.T) {
	mounts := "24 1 0:22 / /proc rw - proc proc rw\n" +
		"30 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n"
	hybrid := "41 24 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n" +
		"42 24 0:32 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
	container := "50 24 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n"
	for _, test := range []struct{ groups, mounts, want string }{
		{"0::/user.slice/run-1.scope\n", mounts, "/sys/fs/cgroup/user.slice/run-1.scope"},
		{"4:memory:/x\n0::/\n", hybrid, "/sys/fs/cgroup/unified"},
		{"0::/docker/abc/in\n", container, "/sys/fs/cgroup/in"},
	} {
		got, err := cgroupFolder(test.groups, test.mounts)
		require.NoError(t, err)
		require.Equal(t, test.want, got)
	}
	for _, test := range []struct{ groups, mounts string }{{"4:memory:/x\n", mounts}, {"0::/a\n", "24 1 0:22 / /proc rw - proc proc rw\n"}, {"0::/other\n", container}} {
		_, err := cgroupFolder(test.groups, test.mounts)
		require.Error(t, err)
	}
}

func TestAControlGroupsFilesAreReadAndWritten(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"cpu.stat": "usage_usec 1500000\nuser_usec 1000000\n", "memory.current": "4096\n", "memory.peak": "8192\n",
		"memory.events": "low 0\noom 3\noom_kill 0\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	m := &cgroupMeter{path: folder}
	require.Equal(t, usage{cpu: 1.5, memory: 4096}, m.look(0))
	require.Equal(t, int64(8192), m.number("memory.peak", ""))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "memory.events"), []byte("oom_kill 1\n"), 0o644))
	require.True(t, m.look(0).outOfMemory)
	require.Equal(t, []setting{{"memory.max", "1000", false}, {"memory.swap.max", "0", true}, {"memory.oom.group", "1", true}, {"cpuset.cpus", "2,5", true}},
		m.settings(&spec{Limits: result.Limits{Memory: 1000}, Cores: []int{2, 5}}))
	require.Empty(t, m.settings(&spec{}))
}

func TestAFolderThatIsNoDelegatedControlGroupIsRefused(t *testing.T) {
	_, err := delegate(t.TempDir())
	require.ErrorContains(t, err, "no control group of version 2")
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "cgroup.controllers"), []byte("cpu pids\n"), 0o644))
	_, err = delegate(folder)
	require.ErrorContains(t, err, "no memory controller")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "cgroup.controllers"), []byte("cpu memory\n"), 0o644))
	got, err := delegate(folder)
	require.NoError(t, err)
	require.Equal(t, folder, got)

	// Runs that cannot have groups are made without, and that is said.
	c := config(t)
	c.Cgroup = t.TempDir()
	var notes []string
	c.Note = func(text string) { notes = append(notes, text) }
	r := once(t, c, acting("x", "say=sat"))
	require.Equal(t, result.Proc, r.Measured)
	require.Len(t, notes, 1)
	require.Contains(t, notes[0], "measured by looking at their processes")
}

// testGroup makes a control group of version 2 below this process's own, or says why there is none.
func testGroup(t *testing.T) string {
	own, err := ownCgroup()
	if err != nil {
		t.Skipf("control groups are not tried: %v", err)
	}
	group := filepath.Join(own, fmt.Sprintf("hornbeam-test-%d", os.Getpid()))
	if err := os.Mkdir(group, 0o755); err != nil {
		t.Skipf("control groups are not tried: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, os.Remove(group)) })
	return group
}

// inGroup makes one run in a control group below the given one.
func inGroup(t *testing.T, group string, c Config, with *tool.Tool) *result.Run {
	_, tasks := tasksIn(t, 1)
	adopted, err := newOrphans()
	require.NoError(t, err)
	b := &batch{Config: c, cgroup: group, orphans: adopted}
	r, err := b.one(t.Context(), &job{task: &tasks[0], tool: with, record: result.Run{Task: "t", Tool: "x"}}, nil)
	require.NoError(t, err)
	require.Equal(t, result.Cgroup2, r.Measured)
	left, err := filepath.Glob(filepath.Join(group, "run-*"))
	require.NoError(t, err)
	require.Empty(t, left, "the run's group is removed")
	return r
}

// TestAControlGroupCountsAndEndsItsTree needs a hierarchy of version 2 in which groups may be made; a memory controller is
// not needed for what it tries.
func TestAControlGroupCountsAndEndsItsTree(t *testing.T) {
	group := testGroup(t)
	pids := filepath.Join(t.TempDir(), "pids")
	c := config(t)
	c.Limits.CPU = 1
	both := "await+3:" + pids + ",burn+60000"
	x := acting("x", "note-pid="+pids, "fork=note-pid+"+pids+","+both, "fork-away=stubborn,note-pid+"+pids+","+both, "sleep=60000")
	r := inGroup(t, group, c, x)
	require.Equal(t, result.CPUTimeout, r.Status)
	require.GreaterOrEqual(t, r.CPU, 1.0)
	requireGone(t, pids, 3)

	// A supervisor that is killed leaves neither processes nor its group.
	require.NoError(t, os.Remove(pids))
	c = config(t)
	r = inGroup(t, group, c, acting("x", "fork-away=note-pid+"+pids+",stubborn,sleep+60000", "await=1:"+pids, "kill-parent=9", "sleep=60000"))
	require.Equal(t, result.Error, r.Status)
	requireGone(t, pids, 1)
}

// TestAControlGroupLimitsMemory needs a memory controller that is handed down to the groups below this process's own.
func TestAControlGroupLimitsMemory(t *testing.T) {
	group := testGroup(t)
	if _, err := delegate(group); err != nil {
		t.Skipf("the limit on a control group's memory is not tried: %v", err)
	}
	c := config(t)
	r := inGroup(t, group, c, acting("x", "fork=fill+60,sleep+3000", "fill=60", "sleep=2000", "say=sat"))
	require.Equal(t, result.OK, r.Status)
	require.GreaterOrEqual(t, r.Memory, int64(120<<20), "both at once")

	// Neither process has too much by itself, and one is in a session of its own.
	c = config(t)
	c.Limits.Memory = 150 << 20
	pids := filepath.Join(t.TempDir(), "pids")
	r = inGroup(t, group, c, acting("x", "note-pid="+pids, "fork-away=note-pid+"+pids+",fill+100,sleep+60000", "fill=100", "sleep=60000"))
	require.Equal(t, result.MemoryOut, r.Status)
	require.InDelta(t, c.Limits.Memory, r.Memory, 1<<20, "the kernel lets nothing beyond")
	requireGone(t, pids, 1)

	c = config(t)
	c.Limits.Memory = 100 << 20
	require.Equal(t, result.MemoryOut, inGroup(t, group, c, acting("x", "fill-forever")).Status)
}
