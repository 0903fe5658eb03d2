//go:build unix

package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"hornbeam/bench/result"
	"hornbeam/bench/tool"
)

// spec is what a supervisor is asked for, as one JSON value on its input. The input stays open as long as the run is wanted.
type spec struct {
	Argv    []string      `json:"argv"`
	Limits  result.Limits `json:"limits"`
	Reading tool.Reading  `json:"reading"`
	// Grace is how long a tool has, in seconds, between SIGTERM and SIGKILL when its time is up.
	Grace float64 `json:"grace"`
	// Stdout and Stderr are the files for the outputs, empty to keep nothing; OutputLimit is the most bytes of each.
	Stdout      string `json:"stdout"`
	Stderr      string `json:"stderr"`
	OutputLimit int64  `json:"output_limit"`
	// Cores are the numbers of the cores to run on; none is all.
	Cores []int `json:"cores,omitempty"`
	// Cgroup is the folder of the control group below which one for the run is made, empty for none.
	Cgroup string `json:"cgroup,omitempty"`
}

// outcome is what a supervisor says of a run, as one JSON value on its output.
type outcome struct {
	Verdict result.Verdict `json:"verdict"`
	// Ended is the limit that ended the run: timeout, cpu-timeout, memory-out, or empty.
	Ended result.Status `json:"ended"`
	// Failed says why the tool could not be started.
	Failed string `json:"failed,omitempty"`
	// Broken says why the run could not be made or measured, for a reason that is not the tool's.
	Broken string `json:"broken,omitempty"`
	// Exit is the exit code, Signal the signal that ended the first process, or 0.
	Exit     int             `json:"exit"`
	Signal   int             `json:"signal"`
	Wall     float64         `json:"wall"`
	CPU      float64         `json:"cpu"`
	Memory   int64           `json:"memory"`
	Measured result.Measured `json:"measured"`
	// Said is the start of what the tool printed, standard error first.
	Said   string `json:"said"`
	Stdout bool   `json:"stdout"`
	Stderr bool   `json:"stderr"`
	Cut    bool   `json:"cut"`
}

// usage is what a process tree takes: CPU in seconds so far, memory in bytes now.
type usage struct {
	cpu    float64
	memory int64
	// outOfMemory says that the kernel ended the tree at its limit.
	outOfMemory bool
}

// meter counts a process tree and ends it.
type meter interface {
	// prepare sets what the tool's first process is started with.
	prepare(*syscall.SysProcAttr)
	// look returns what the tree takes at this moment. peak is the highest memory that was seen before.
	look(peak int64) usage
	// kill ends every process of the tree at once; reap takes the ends of those that are no more.
	kill(reap func())
	// finish returns what the tree, that is no more, took in all, and frees what the meter holds.
	finish() usage
	measured() result.Measured
}

var (
	// errAbandoned ends a run that nobody waits for any longer.
	errAbandoned = errors.New("the run was given up")
	// errLeft is for processes that cannot be ended: what is run beside them is not measured well.
	errLeft = errors.New("processes of the tool are left that cannot be ended")
)

// Supervise makes one run: it reads what to run from in, and writes its outcome to out. The run is given up when in ends
// or ctx is done. It is to be called in a process of its own, where no other child processes are.
func Supervise(ctx context.Context, in io.Reader, out io.Writer) error {
	var s spec
	d := json.NewDecoder(in)
	if err := d.Decode(&s); err != nil {
		return fmt.Errorf("read what to run: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, in)
		cancel()
	}()
	o, err := supervise(ctx, &s)
	switch {
	case errors.Is(err, errAbandoned):
		return err
	case err != nil:
		o = &outcome{Broken: err.Error()}
	}
	return json.NewEncoder(out).Encode(o)
}

// attempt is one run under way.
type attempt struct {
	*spec
	meter meter
	judge *judge
	pid   int
	start time.Time
	// peak is the most memory that was seen.
	peak int64
	cpu  float64
	// ended is the limit that was exceeded, and killAt when the tree is killed that has not ended by itself.
	ended    result.Status
	killAt   time.Time
	finished *syscall.WaitStatus
}

func supervise(ctx context.Context, s *spec) (*outcome, error) {
	// The tool's first process is to die with the thread that starts it, which is therefore to live.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	j, err := newJudge(s.Reading)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", runFolder(os.Getpid())+"*")
	if err != nil {
		return nil, fmt.Errorf("make a folder to run in: %w", err)
	}
	defer os.RemoveAll(folder)
	if err := bind(s.Cores); err != nil {
		return nil, fmt.Errorf("bind the run to cores %v: %w", s.Cores, err)
	}
	// Nobody looks at a core dump.
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	m, err := newMeter(s)
	if err != nil {
		return nil, err
	}
	a := &attempt{spec: s, meter: m, judge: j}
	return a.run(ctx, folder)
}

func (a *attempt) run(ctx context.Context, folder string) (*outcome, error) {
	children := make(chan os.Signal, 1)
	signal.Notify(children, syscall.SIGCHLD)
	defer signal.Stop(children)
	stdout := newKeeper("stdout", a.Stdout, a.OutputLimit, a.judge)
	stderr := newKeeper("stderr", a.Stderr, a.OutputLimit, a.judge)
	copies, err := a.begin(folder, stdout, stderr)
	if err != nil {
		a.meter.finish()
		return &outcome{Failed: err.Error(), Exit: -1, Measured: a.meter.measured()}, nil
	}
	for a.finished == nil {
		a.reap()
		if a.finished != nil {
			break
		}
		if ctx.Err() != nil {
			_ = a.sweep()
			a.meter.finish()
			return nil, errAbandoned
		}
		select {
		case <-children:
		case <-ctx.Done():
		case <-time.After(a.step()):
		}
	}
	wall := time.Since(a.start)
	left := a.sweep()
	if err := errors.Join(left, copies.wait()); err != nil {
		a.meter.finish()
		return nil, err
	}
	total := a.meter.finish()
	o := &outcome{Verdict: a.judge.said(), Ended: a.ended, Exit: a.finished.ExitStatus(), Wall: wall.Seconds(),
		CPU: max(a.cpu, total.cpu), Memory: max(a.peak, total.memory), Measured: a.meter.measured()}
	if a.finished.Signaled() {
		o.Signal = int(a.finished.Signal())
	}
	if o.Ended == "" {
		o.Ended = a.over(o, total.outOfMemory)
	}
	var errs [2]error
	var cuts [2]bool
	o.Stdout, cuts[0], errs[0] = stdout.finish()
	o.Stderr, cuts[1], errs[1] = stderr.finish()
	// A last line without an end is seen by the keepers' finish only.
	o.Verdict = a.judge.said()
	o.Cut = cuts[0] || cuts[1]
	o.Said = stderr.firstLine()
	if o.Said == "" {
		o.Said = stdout.firstLine()
	}
	return o, errors.Join(errs[:]...)
}

// over is the limit that a run went over between the last look at it and its end.
func (a *attempt) over(o *outcome, outOfMemory bool) result.Status {
	switch {
	case outOfMemory || a.Limits.Memory > 0 && o.Memory > a.Limits.Memory:
		return result.MemoryOut
	case a.Limits.Wall > 0 && o.Wall > a.Limits.Wall:
		return result.Timeout
	case a.Limits.CPU > 0 && o.CPU > a.Limits.CPU:
		return result.CPUTimeout
	}
	return ""
}

// copies are the goroutines that read the outputs.
type copies struct {
	done  sync.WaitGroup
	pipes [2]*os.File
	errs  [2]error
}

// wait waits until the outputs have ended. They end with the processes that hold them; if some process got away, they are
// closed.
func (c *copies) wait() error {
	late := time.AfterFunc(2*time.Second, func() {
		for _, p := range c.pipes {
			p.Close()
		}
	})
	c.done.Wait()
	late.Stop()
	for _, p := range c.pipes {
		p.Close()
	}
	return errors.Join(c.errs[:]...)
}

// begin starts the tool in its folder.
func (a *attempt) begin(folder string, stdout, stderr *keeper) (*copies, error) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	c := &copies{}
	var ends [2]*os.File
	for i := range ends {
		if c.pipes[i], ends[i], err = os.Pipe(); err != nil {
			return nil, err
		}
		defer ends[i].Close()
	}
	attr := &syscall.ProcAttr{Dir: folder, Env: environment(folder),
		Files: []uintptr{null.Fd(), ends[0].Fd(), ends[1].Fd()}, Sys: &syscall.SysProcAttr{Setsid: true}}
	a.meter.prepare(attr.Sys)
	a.start = time.Now()
	a.pid, _, err = syscall.StartProcess(a.Argv[0], a.Argv, attr)
	if err != nil {
		for _, p := range c.pipes {
			p.Close()
		}
		return nil, fmt.Errorf("start %s: %w", a.Argv[0], err)
	}
	startedChild(a.pid)
	for i, k := range []*keeper{stdout, stderr} {
		c.done.Go(func() { c.errs[i] = k.copy(c.pipes[i]) })
	}
	return c, nil
}

// environment is this process's, with the run's folder as the one for temporary files.
func environment(folder string) []string {
	all := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "TMPDIR=") || strings.HasPrefix(v, "PWD=") })
	return append(all, "TMPDIR="+folder, "PWD="+folder)
}

// reap takes the ends of processes that are no more.
func (a *attempt) reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(anyChild(a.pid), &status, syscall.WNOHANG, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil || pid <= 0 {
			return
		}
		if pid == a.pid && (status.Exited() || status.Signaled()) {
			a.finished = &status
		}
	}
}

// step looks at the tree, ends it where it has gone over a limit, and returns how long to wait before the next look.
func (a *attempt) step() time.Duration {
	elapsed := time.Since(a.start)
	u := a.meter.look(a.peak)
	a.peak, a.cpu = max(a.peak, u.memory), max(a.cpu, u.cpu)
	switch {
	case a.ended != "":
		if !time.Now().Before(a.killAt) {
			a.meter.kill(a.reap)
		}
		return 5 * time.Millisecond
	case a.Limits.Memory > 0 && u.memory > a.Limits.Memory || u.outOfMemory:
		a.end(result.MemoryOut)
		a.meter.kill(a.reap)
		return time.Millisecond
	case a.Limits.Wall > 0 && elapsed.Seconds() >= a.Limits.Wall:
		a.end(result.Timeout)
		return time.Millisecond
	case a.Limits.CPU > 0 && a.cpu >= a.Limits.CPU:
		a.end(result.CPUTimeout)
		return time.Millisecond
	}
	wait := 50 * time.Millisecond
	switch {
	case elapsed < 50*time.Millisecond:
		wait = 2 * time.Millisecond
	case elapsed < time.Second, a.Limits.Memory > 0 && u.memory > a.Limits.Memory/2:
		wait = 10 * time.Millisecond
	}
	if a.Limits.Wall > 0 {
		wait = min(wait, time.Duration(a.Limits.Wall*float64(time.Second))-elapsed)
	}
	return max(wait, time.Millisecond)
}

// end notes that the run is over at a limit, and asks the tool to end itself.
func (a *attempt) end(why result.Status) {
	a.ended = why
	a.judge.close()
	a.killAt = time.Now().Add(time.Duration(a.Grace * float64(time.Second)))
	// The tool's first process leads its session and group.
	_ = syscall.Kill(-a.pid, syscall.SIGTERM)
}

// sweep ends what is left of the tree, and waits for it.
func (a *attempt) sweep() error {
	deadline := time.Now().Add(10 * time.Second)
	for {
		u := a.meter.look(a.peak)
		a.cpu = max(a.cpu, u.cpu)
		a.meter.kill(a.reap)
		a.reap()
		if _, err := syscall.Wait4(anyChild(a.pid), nil, syscall.WNOHANG, nil); errors.Is(err, syscall.ECHILD) {
			return nil
		}
		if time.Now().After(deadline) {
			return errLeft
		}
		time.Sleep(time.Millisecond)
	}
}
