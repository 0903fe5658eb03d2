package main

import (
	"bufio"
	"cmp"
	"os"
	"runtime/pprof"
	"sync"

	"hornbeam/engine"
)

// traceFile is an event sink that writes one JSON object a line; docs/trace.md describes them.
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

// Enabled is true: who opened the file wants every event.
func (t *traceFile) Enabled() bool { return true }

// Emit writes an event.
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

// startProfile profiles the process until stop is called, which says whether the profile could be written.
func startProfile(path string) (stop func() error, err error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	written := &output{w: f}
	if err := pprof.StartCPUProfile(written); err != nil {
		f.Close()
		return nil, err
	}
	return func() error {
		pprof.StopCPUProfile()
		return cmp.Or(written.failure(), f.Close())
	}, nil
}
