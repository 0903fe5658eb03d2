package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"hornbeam/bench/families"
)

// limits are those of one run.
type limits struct {
	time time.Duration
	// memory is in MiB. The program watches its resident memory itself; the address space has a hard limit above that.
	memory int
}

// addressSpace is how much more address space than memory a run gets, in MiB: what is reserved and not used.
const addressSpace = 4096

// outcome is what a run came to.
type outcome struct {
	Verdict string
	// Reason says why the verdict is unknown.
	Reason string `json:",omitempty"`
	// Seconds are of wall time, the whole process.
	Seconds float64
	// Expected is the verdict that the instance is known to have.
	Expected   string
	Statistics map[string]float64 `json:",omitempty"`
}

func (o outcome) solved() bool { return o.Verdict == o.Expected }

// wrong says that the verdict is the opposite of the known one.
func (o outcome) wrong() bool { return !o.solved() && (o.Verdict == "sat" || o.Verdict == "unsat") }

// runner runs instances, so many at a time, and keeps the outcomes in a file.
type runner struct {
	hornbeam, dir string
	// version is the program's hash.
	version string
	limits  limits
	slots   chan struct{}

	mu    sync.Mutex
	known map[string]outcome
	file  *os.File
}

// kept is a line of the file of runs.
type kept struct {
	Key     string
	Outcome outcome
}

func newRunner(hornbeam, dir, runs string, l limits, jobs int) (*runner, error) {
	program, err := os.ReadFile(hornbeam)
	if err != nil {
		return nil, fmt.Errorf("read the program: %w", err)
	}
	r := &runner{hornbeam: hornbeam, dir: dir, version: hash(program), limits: l, slots: make(chan struct{}, jobs), known: map[string]outcome{}}
	text, err := os.ReadFile(runs)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the runs that were made: %w", err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var k kept
		// The last line of an interrupted measurement may be half a line.
		if json.Unmarshal(lines.Bytes(), &k) == nil {
			r.known[k.Key] = k.Outcome
		}
	}
	if r.file, err = os.OpenFile(runs, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644); err != nil {
		return nil, fmt.Errorf("open the file of runs: %w", err)
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		_, err = r.file.WriteString("\n")
	}
	return r, err
}

func (r *runner) close() { r.file.Close() }

func hash(text ...[]byte) string {
	h := sha256.New()
	for _, t := range text {
		h.Write(t)
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// run runs the program on an instance, or returns what is known of that run. A limit that is reached is no error.
func (r *runner) run(ctx context.Context, f families.Family, p families.Parameters, options ...string) (outcome, error) {
	var text bytes.Buffer
	if err := f.Write(&text, p); err != nil {
		return outcome{}, err
	}
	args := append([]string{"solve", "--json", "--passes", "none", "--timeout", r.limits.time.String(), "--memory", fmt.Sprintf("%dM", r.limits.memory)}, options...)
	key := hash([]byte(r.version), text.Bytes(), []byte(strings.Join(args, " ")))
	r.mu.Lock()
	o, ok := r.known[key]
	r.mu.Unlock()
	if ok {
		return o, nil
	}
	select {
	case r.slots <- struct{}{}:
	case <-ctx.Done():
		return outcome{}, ctx.Err()
	}
	defer func() { <-r.slots }()
	file := filepath.Join(r.dir, key+".smt2")
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		return outcome{}, fmt.Errorf("write an instance: %w", err)
	}
	defer os.Remove(file)
	o, err := r.start(ctx, append(args, file))
	if err != nil {
		return outcome{}, fmt.Errorf("run %s at depth %d: %w", f.Name, p.Depth, err)
	}
	o.Expected = p.Verdict()
	return o, r.keep(key, o)
}

// start runs the program once, with a hard limit of its address space, and ends it when it is overdue.
func (r *runner) start(ctx context.Context, args []string) (outcome, error) {
	late, cancel := context.WithTimeout(ctx, r.limits.time+2*time.Second)
	defer cancel()
	limited := fmt.Sprintf("ulimit -v %d; exec \"$0\" \"$@\"", (r.limits.memory+addressSpace)*1024)
	cmd := exec.CommandContext(late, "sh", append([]string{"-c", limited, r.hornbeam}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	begin := time.Now()
	err := cmd.Run()
	o := outcome{Verdict: "unknown", Seconds: time.Since(begin).Seconds()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return outcome{}, ctx.Err()
	case late.Err() != nil:
		o.Reason = "overdue"
		return o, nil
	case err != nil && !errors.As(err, &exit):
		return outcome{}, err
	}
	verdict, rest, _ := strings.Cut(out.String(), "\n")
	var report struct {
		Reason     string
		Statistics map[string]float64
	}
	if json.Unmarshal([]byte(rest), &report) != nil {
		// It crashed, most likely since it got no more memory.
		o.Reason, _, _ = strings.Cut(messages.String(), "\n")
		return o, nil
	}
	o.Verdict, o.Reason, o.Statistics = verdict, report.Reason, report.Statistics
	return o, nil
}

// keep appends a run to the file.
func (r *runner) keep(key string, o outcome) error {
	line, err := json.Marshal(kept{key, o})
	if err != nil {
		return fmt.Errorf("keep a run: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known[key] = o
	if _, err := r.file.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("keep a run: %w", err)
	}
	return nil
}
