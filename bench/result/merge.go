package result

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
)

// Merge writes the runs of several results files to a new one at out, in their order; of runs with the same key the last
// stays, in the first's place. Outputs stay where they are, and are named relative to the new file's folder. repeated counts the runs left out.
// out must not exist, nor be one of the files.
func Merge(out string, files ...string) (kept, repeated int, err error) {
	if _, err := os.Lstat(out); err == nil {
		return 0, 0, fmt.Errorf("merge results: %s exists already", out)
	}
	place := map[string]int{}
	var runs []*Run
	for _, file := range files {
		from, err := relativeFolder(out, file)
		if err != nil {
			return 0, 0, fmt.Errorf("merge results: %w", err)
		}
		for r, err := range Read(file) {
			if err != nil {
				return 0, 0, fmt.Errorf("merge results: %w", err)
			}
			for _, output := range []*string{&r.Stdout, &r.Stderr} {
				if *output != "" {
					*output = path.Join(from, *output)
				}
			}
			if i, ok := place[r.Key()]; ok {
				runs[i] = r
				repeated++
				continue
			}
			place[r.Key()] = len(runs)
			runs = append(runs, r)
		}
	}
	// The new file appears whole or not at all.
	partial := out + ".partial"
	if err := writeAll(partial, runs); err != nil {
		os.Remove(partial)
		return 0, 0, err
	}
	if err := os.Rename(partial, out); err != nil {
		return 0, 0, fmt.Errorf("merge results: %w", err)
	}
	for _, file := range files {
		sessions, err := ReadSessions(file)
		if err != nil {
			return 0, 0, fmt.Errorf("merge results: %w", err)
		}
		for _, s := range sessions {
			if err := AppendSession(out, s); err != nil {
				return 0, 0, fmt.Errorf("merge results: %w", err)
			}
		}
	}
	return len(runs), repeated, nil
}

// relativeFolder is the folder of a file as seen from the folder of another, with slashes.
func relativeFolder(from, to string) (string, error) {
	a, err := filepath.Abs(filepath.Dir(from))
	if err != nil {
		return "", err
	}
	b, err := filepath.Abs(filepath.Dir(to))
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(a, b)
	return filepath.ToSlash(rel), err
}

func writeAll(path string, runs []*Run) error {
	if err := os.RemoveAll(path); err != nil {
		return fmt.Errorf("merge results: %w", err)
	}
	f, err := Append(path)
	if err != nil {
		return fmt.Errorf("merge results: %w", err)
	}
	defer f.Close()
	for _, r := range runs {
		if err := f.write(r); err != nil {
			return fmt.Errorf("merge results: %w", err)
		}
	}
	if err := f.f.Sync(); err != nil {
		return fmt.Errorf("merge results: %w", err)
	}
	return f.Close()
}
