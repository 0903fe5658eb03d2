package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/pprof"
	"sync"

	"hornbeam/chc"
	"hornbeam/chc/witness"
	"hornbeam/engine"
)

// newLog returns a logger that writes comment lines: a line never is a bare verdict word.
func newLog(w io.Writer, level string) *slog.Logger {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		l = slog.LevelWarn
	}
	return slog.New(slog.NewTextHandler(commentWriter{w}, &slog.HandlerOptions{Level: l}))
}

// commentWriter puts "; " before every line that the log handler writes, one a call.
type commentWriter struct{ w io.Writer }

func (c commentWriter) Write(b []byte) (int, error) {
	if _, err := c.w.Write(append([]byte("; "), b...)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// printStats writes the counters as comment lines, "; name value".
func printStats(w io.Writer, stats *engine.Stats) {
	for _, r := range stats.Rows() {
		if r.IsTime {
			fmt.Fprintf(w, "; %-28s %.3f s\n", r.Name, r.Time.Seconds())
			continue
		}
		fmt.Fprintf(w, "; %-28s %d\n", r.Name, r.Count)
	}
}

// report is the JSON object of --json.
type report struct {
	Verdict string `json:"verdict"`
	Engine  string `json:"engine,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Witness any    `json:"witness,omitempty"`
	// Statistics are counts, and seconds for the names that begin with "time.".
	Statistics map[string]any `json:"statistics"`
}

func writeJSON(w io.Writer, sys *chc.System, a engine.Answer, stats *engine.Stats) error {
	r := report{Verdict: a.Verdict.String(), Engine: a.Engine, Reason: a.Reason, Statistics: map[string]any{}}
	for _, row := range stats.Rows() {
		if row.IsTime {
			r.Statistics[row.Name] = row.Time.Seconds()
			continue
		}
		r.Statistics[row.Name] = row.Count
	}
	var err error
	switch a.Verdict {
	case engine.Sat:
		r.Witness, err = witness.ModelJSON(sys, a.Model)
	case engine.Unsat:
		r.Witness, err = witness.RefutationJSON(sys, a.Refutation)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(r)
}

// traceFile is an event sink that writes one JSON object a line, with the fields "at" (seconds since the engine's
// start), "event" and those of the event.
type traceFile struct {
	mu   sync.Mutex
	file *os.File
	out  *bufio.Writer
}

func openTrace(path string) (*traceFile, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &traceFile{file: f, out: bufio.NewWriter(f)}, nil
}

func (t *traceFile) Enabled() bool { return true }

func (t *traceFile) Emit(e engine.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	line, err := e.MarshalJSON()
	if err != nil {
		return
	}
	// A failed write shows when the file is closed.
	_, _ = t.out.Write(append(line, '\n'))
}

func (t *traceFile) close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.out.Flush(); err != nil {
		t.file.Close()
		return err
	}
	return t.file.Close()
}

// startProfile profiles the process until stop is called.
func startProfile(path string) (stop func(), err error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		f.Close()
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		f.Close()
	}, nil
}
