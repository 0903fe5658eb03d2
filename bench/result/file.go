package result

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"sync"
)

// File is a results file that is open for appending. It may be written by several goroutines.
type File struct {
	mu sync.Mutex
	f  *os.File
}

// ErrInUse is what [Append] returns for a file that is open for appending already, in this process or another one.
var ErrInUse = errors.New("another benchmark is writing to it")

// Append opens the results file for appending, and makes it, with its folder, where there is none. Until it is closed, or
// its process is no more, nobody else can open it so: the error is [ErrInUse]. (Where the file system knows no locks, this
// is not watched.) The rest of a line that a kill tore is cut off first, so that the next line begins at a line's start.
func Append(path string) (*File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("make the folder of the results: %w", err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open the results: %w", err)
	}
	err = lock(f)
	if err == nil {
		err = cutTorn(f)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("open the results %s: %w", path, err)
	}
	return &File{f: f}, nil
}

// cutTorn truncates the file to the end of its last whole line.
func cutTorn(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	block := make([]byte, 4096)
	for end := info.Size(); end > 0; {
		start := max(0, end-int64(len(block)))
		part := block[:end-start]
		if _, err := f.ReadAt(part, start); err != nil {
			return err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			if whole := start + int64(i) + 1; whole < info.Size() {
				return f.Truncate(whole)
			}
			return nil
		}
		end = start
	}
	return f.Truncate(0)
}

// Write appends the run as one line with one write call, and has it on the disk when it returns.
func (f *File) Write(r *Run) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.write(r); err != nil {
		return err
	}
	if err := f.f.Sync(); err != nil {
		return fmt.Errorf("write a result: %w", err)
	}
	return nil
}

// write appends the run as one line, and leaves it to the system when it goes to the disk.
func (f *File) write(r *Run) error {
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("write a result: %w", err)
	}
	if _, err := f.f.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write a result: %w", err)
	}
	return nil
}

// Close closes the file.
func (f *File) Close() error { return f.f.Close() }

// Read yields the runs of the results file in its order. A last line without its end is left out; any other line that is
// no run ends the sequence with an error that names file and line.
func Read(path string) iter.Seq2[*Run, error] {
	return func(yield func(*Run, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(nil, fmt.Errorf("read results: %w", err))
			return
		}
		defer f.Close()
		for r, err := range Decode(f) {
			if err != nil {
				err = fmt.Errorf("%s:%w", path, err)
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// Decode is [Read] of a stream; its errors begin with the line's number.
func Decode(in io.Reader) iter.Seq2[*Run, error] {
	return func(yield func(*Run, error) bool) {
		lines := bufio.NewReaderSize(in, 1<<16)
		for number := 1; ; number++ {
			line, err := lines.ReadBytes('\n')
			switch {
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				yield(nil, fmt.Errorf("%d: read results: %w", number, err))
				return
			case len(bytes.TrimSpace(line)) == 0:
				continue
			}
			r := new(Run)
			if err := json.Unmarshal(line, r); err != nil {
				yield(nil, fmt.Errorf("%d: no result: %w", number, err))
				return
			}
			if r.Task == "" || r.Tool == "" || r.Status == "" {
				yield(nil, fmt.Errorf("%d: no result: a run needs a task, a tool and a status", number))
				return
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// ReadAll reads all runs of the files, one file behind the other.
func ReadAll(paths ...string) ([]*Run, error) {
	var runs []*Run
	for _, path := range paths {
		for r, err := range Read(path) {
			if err != nil {
				return nil, err
			}
			runs = append(runs, r)
		}
	}
	return runs, nil
}
