package run

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"hornbeam/bench/result"
)

// patience is how long a supervisor has to end its tree and itself once its input has ended.
const patience = 20 * time.Second

// one makes one run and its record. cores are those it is bound to.
func (b *batch) one(ctx context.Context, j *job, cores []int) (*result.Run, error) {
	r := j.record
	argv, err := j.tool.Arguments(j.task, b.Limits)
	if err != nil {
		return nil, err
	}
	s := spec{Argv: argv, Limits: b.Limits, Reading: j.tool.Verdict, Grace: b.Grace.Seconds(), OutputLimit: b.OutputLimit, Cores: cores, Cgroup: b.cgroup}
	folder, out, err := b.outputs(&r)
	if err != nil {
		return nil, err
	}
	if b.OutputLimit > 0 {
		s.Stdout, s.Stderr = filepath.Join(folder, filepath.FromSlash(out+".out")), filepath.Join(folder, filepath.FromSlash(out+".err"))
	}
	r.Started = time.Now().UTC()
	o, err := b.supervised(ctx, &s)
	if err != nil {
		return nil, err
	}
	fill(&r, o, j)
	r.Cut = o.Cut
	if o.Stdout {
		r.Stdout = out + ".out"
		r.Counters = counters(s.Stdout, b.Counters)
	}
	if o.Stderr {
		r.Stderr = out + ".err"
	}
	return &r, nil
}

// outputs returns the folder of the results, and the run's files of output relative to it without their endings. The name
// says for a reader what it is of, and has a digest of all that the run is of.
func (b *batch) outputs(r *result.Run) (folder, name string, err error) {
	folder, err = filepath.Abs(filepath.Dir(b.Results))
	if err != nil {
		return "", "", fmt.Errorf("the folder of the results: %w", err)
	}
	digest := sha256.Sum256([]byte(r.Key()))
	base := strings.TrimSuffix(path.Base(r.Task), path.Ext(r.Task))
	stem := strings.TrimSuffix(filepath.Base(b.Results), filepath.Ext(b.Results))
	return folder, path.Join(stem+"-outputs", fileName(r.Tool, 40), fileName(base, 80)+"-"+hex.EncodeToString(digest[:6])), nil
}

// fileName makes a file's name of a text.
func fileName(s string, most int) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, s)
	return strings.TrimLeft(name[:min(len(name), most)], ".")
}

// supervised has a supervisor make the run. When ctx is done, it is given up, and nothing of it is left.
func (b *batch) supervised(ctx context.Context, s *spec) (*outcome, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("start a supervisor: %w", err)
	}
	cmd := exec.Command(b.Supervisor[0], b.Supervisor[1:]...)
	// A signal from the terminal is for the benchmark, which then ends its supervisors one by one.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start a supervisor: %w", err)
	}
	start := time.Now()
	if err := b.orphans.start(cmd); err != nil {
		return nil, fmt.Errorf("start a supervisor: %w", err)
	}
	defer b.orphans.ended(cmd)
	ended := make(chan error, 1)
	if _, err := in.Write(append(text, '\n')); err != nil && !errors.Is(err, syscall.EPIPE) {
		in.Close()
		_ = cmd.Wait()
		return nil, fmt.Errorf("tell a supervisor what to run: %w", err)
	}
	go func() { ended <- cmd.Wait() }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		in.Close()
		select {
		case <-ended:
		case <-time.After(patience):
			_ = cmd.Process.Kill()
			<-ended
			_ = b.orphans.end()
		}
		return nil, context.Cause(ctx)
	}
	in.Close()
	if err != nil {
		return b.died(cmd.ProcessState, firstLine(said.String()), time.Since(start))
	}
	var o outcome
	if err := json.Unmarshal(out.Bytes(), &o); err != nil {
		return nil, fmt.Errorf("the supervisor of a run says no outcome: %w", err)
	}
	if o.Broken != "" {
		return nil, errors.New(o.Broken)
	}
	return &o, nil
}

// runGroup is the folder of the control group of the run that the supervisor of that number makes.
func runGroup(folder string, supervisor int) string {
	return filepath.Join(folder, fmt.Sprintf("run-%d", supervisor))
}

// runFolder is the start of the name of the folder in which the supervisor of that number makes its run.
func runFolder(supervisor int) string { return fmt.Sprintf("hornbeam-bench-%d-", supervisor) }

// crashed is the exit code of a Go program that panics, or that the system denies a thread or memory.
const crashed = 2

// died is the outcome of a run whose supervisor has ended. Killing it, or taking all processes or memory that it needs
// itself, is what a tool does, and an error of this run; any other end is none of the tool's.
func (b *batch) died(state *os.ProcessState, said string, after time.Duration) (*outcome, error) {
	status, _ := state.Sys().(syscall.WaitStatus)
	if !status.Signaled() && status.ExitStatus() != crashed {
		return nil, fmt.Errorf("the supervisor of a run failed: %v: %s", state, said)
	}
	if err := b.orphans.end(); err != nil {
		return nil, err
	}
	// A folder of an older supervisor with the same number is of no use to anybody either.
	folders, _ := filepath.Glob(filepath.Join(os.TempDir(), runFolder(state.Pid())+"*"))
	for _, folder := range folders {
		_ = os.RemoveAll(folder)
	}
	measured := byLooking
	if b.cgroup != "" {
		measured = result.Cgroup2
		_ = os.Remove(runGroup(b.cgroup, state.Pid()))
	}
	failed := strings.TrimSuffix(fmt.Sprintf("its supervisor was ended while it ran: %v: %s", state, said), ": ")
	return &outcome{Failed: failed, Exit: -1, Wall: after.Seconds(), Measured: measured}, nil
}

// fill puts an outcome into the record.
func fill(r *result.Run, o *outcome, j *job) {
	r.Verdict, r.Exit = o.Verdict, o.Exit
	r.Wall, r.CPU, r.Memory, r.Measured = o.Wall, o.CPU, o.Memory, o.Measured
	if v, ok := j.tool.ExitCodes[o.Exit]; ok && r.Verdict == result.None && o.Ended == "" && o.Signal == 0 && o.Failed == "" {
		r.Verdict = v
	}
	switch {
	case o.Failed != "":
		r.Status, r.Detail = result.Error, o.Failed
	case o.Ended != "":
		r.Status = o.Ended
	case o.Signal != 0:
		r.Status, r.Detail = result.Crash, fmt.Sprintf("signal %d (%s)", o.Signal, syscall.Signal(o.Signal))
	case r.Verdict == result.None:
		r.Status, r.Detail = result.Error, fmt.Sprintf("no verdict, exit code %d", o.Exit)
	default:
		r.Status = result.OK
	}
	if (r.Status == result.Crash || r.Status == result.Error) && o.Said != "" {
		r.Detail += ": " + o.Said
	}
}
