// Package events keeps on file what engines report while they run, and where the program itself spends its time.
package events

import (
	"bufio"
	"cmp"
	"os"
	"runtime/pprof"
	"sync"

	"hornbeam/engine"
)

// File is an event sink that writes one JSON object a line; docs/trace.md describes them. It is safe for several goroutines.
type File struct {
	mu   sync.Mutex
	file *os.File
	out  *bufio.Writer
}

// Create makes the file anew, for events.
func Create(path string) (*File, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &File{file: f, out: bufio.NewWriter(f)}, nil
}

// Enabled is true: who opened the file wants every event.
func (t *File) Enabled() bool { return true }

// Emit writes an event.
func (t *File) Emit(e engine.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	line, err := e.MarshalJSON()
	if err != nil {
		return
	}
	// A failed write shows when the file is closed.
	_, _ = t.out.Write(append(line, '\n'))
}

// Close writes what is left. Its error is the first of writing, too.
func (t *File) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.out.Flush(); err != nil {
		t.file.Close()
		return err
	}
	return t.file.Close()
}

// Profile profiles the process into a new file until stop is called, which says whether the profile could be written.
func Profile(path string) (stop func() error, err error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	w := &profileWriter{file: f}
	if err := pprof.StartCPUProfile(w); err != nil {
		f.Close()
		return nil, err
	}
	return func() error {
		pprof.StopCPUProfile()
		return cmp.Or(w.err, f.Close())
	}, nil
}

// profileWriter remembers the first write that failed, of which pprof says nothing.
type profileWriter struct {
	file *os.File
	err  error
}

func (w *profileWriter) Write(b []byte) (int, error) {
	n, err := w.file.Write(b)
	w.err = cmp.Or(w.err, err)
	return n, err
}
