package task

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hornbeam/bench/result"
)

// Task is one question: input files, the property to be shown, and the verdict if it is known.
type Task struct {
	// List names the list that the task is from.
	List string
	// Name is the task's path relative to its list, with slashes; for a task definition, the definition's.
	Name string
	// Inputs are the input files, as paths that can be opened from here; at least one.
	Inputs []string
	// Property names what is to be shown of a program (unreach-call), PropertyFile is the file that says so, if any. Clauses
	// have neither.
	Property, PropertyFile string
	// DataModel is ILP32, LP64, or empty where it doesn't matter.
	DataModel     string
	Track, Family string
	Expected      result.Verdict
}

// ErrNoTasks is what [Load] returns for a list without tasks.
var ErrNoTasks = errors.New("no tasks")

// Load reads the list of tasks at path, in the list's order; see the package's comment for what may stand there. A list
// that names a file which is not there is an error.
func Load(path string) ([]Task, error) {
	tasks, err := load(path)
	if err != nil {
		return nil, fmt.Errorf("read the tasks of %s: %w", path, err)
	}
	if len(tasks) == 0 {
		return nil, fmt.Errorf("read the tasks of %s: %w", path, ErrNoTasks)
	}
	for _, t := range tasks {
		for _, input := range t.Inputs {
			if _, err := os.Stat(input); err != nil {
				return nil, fmt.Errorf("read the tasks of %s: %s: %w", path, t.Name, err)
			}
		}
	}
	return tasks, nil
}

// LoadAll reads several lists, one behind the other. A task that stands in several of them stays once, where its list's
// name is the same too.
func LoadAll(paths ...string) ([]Task, error) {
	var all []Task
	seen := map[result.Subject]string{}
	for _, path := range paths {
		tasks, err := Load(path)
		if err != nil {
			return nil, err
		}
		for _, t := range tasks {
			file, err := filepath.Abs(t.Inputs[0])
			if err != nil {
				return nil, fmt.Errorf("read the tasks of %s: %w", path, err)
			}
			subject := result.Subject{List: t.List, Task: t.Name, Property: t.Property}
			switch before, ok := seen[subject]; {
			case !ok:
				seen[subject] = file
				all = append(all, t)
			case before != file:
				return nil, fmt.Errorf("two lists are called %s, and both have %s: %s and %s", t.List, t.Name, before, file)
			}
		}
	}
	return all, nil
}

func load(path string) ([]Task, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	name, err := nameOf(path)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return loadFile(path, name)
	case exists(filepath.Join(path, verdictsFile)):
		return loadVerdicts(path, name)
	}
	tracks, err := loadTracks(path)
	if err != nil || len(tracks) > 0 {
		return tracks, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	return loadPlain(path, name, entries)
}

// loadTracks reads the folders with verdicts below path, at any depth, in the order of their paths.
func loadTracks(path string) ([]Task, error) {
	var tracks []Task
	err := filepath.WalkDir(path, func(folder string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() || !exists(filepath.Join(folder, verdictsFile)) {
			return err
		}
		tasks, err := loadVerdicts(folder, e.Name())
		if err != nil {
			return err
		}
		tracks = append(tracks, tasks...)
		// A task below a list is named by it.
		return fs.SkipDir
	})
	return tracks, err
}

func loadFile(path, list string) ([]Task, error) {
	switch filepath.Ext(path) {
	case ".set":
		return loadSet(path, strings.TrimSuffix(list, ".set"))
	case ".yml", ".yaml":
		return loadDefinition(path, filepath.Dir(path), strings.TrimSuffix(list, filepath.Ext(list)))
	}
	folder, err := nameOf(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	t, err := plain(path, filepath.Base(path), folder)
	return []Task{t}, err
}

// nameOf is the last element of a path, also of "." and "..".
func nameOf(path string) (string, error) {
	full, err := filepath.Abs(path)
	return filepath.Base(full), err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// Ext is the kind of the task's first input: its ending without the dot, as in smt2, bpl, c.
func (t *Task) Ext() string { return strings.TrimPrefix(filepath.Ext(t.Inputs[0]), ".") }

// Digest is the start of the SHA-256 of the input files' contents.
func (t *Task) Digest() (string, error) {
	h := sha256.New()
	for _, input := range t.Inputs {
		f, err := os.Open(input)
		if err != nil {
			return "", fmt.Errorf("read a task: %w", err)
		}
		_, err = io.Copy(h, f)
		f.Close()
		if err != nil {
			return "", fmt.Errorf("read a task: %w", err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// Filter says which tasks to keep. An empty field keeps all.
type Filter struct {
	// Names are parts of tasks' names, or patterns for whole ones if they have one of *?[.
	Names []string
	// Tracks, Families and Properties are names in full.
	Tracks, Families, Properties []string
	// Verdicts are expected verdicts; None stands for tasks of which none is known. sat and safe are the same here.
	Verdicts []result.Verdict
	// Sample, where it is positive, is the most tasks to keep, chosen by Seed among those that pass all else.
	Sample int
	Seed   int64
}

// Apply returns the tasks that pass, in their order.
func (f Filter) Apply(tasks []Task) ([]Task, error) {
	for _, n := range f.Names {
		if _, err := filepath.Match(n, ""); err != nil {
			return nil, fmt.Errorf("the pattern %q for names: %w", n, err)
		}
	}
	kept := slices.DeleteFunc(slices.Clone(tasks), func(t Task) bool { return !f.passes(&t) })
	if f.Sample <= 0 || f.Sample >= len(kept) {
		return kept, nil
	}
	// Whoever has the smallest digests is in: adding tasks to a list leaves most of a sample as it was.
	type ranked struct {
		index  int
		digest [sha256.Size]byte
	}
	order := make([]ranked, len(kept))
	for i, t := range kept {
		order[i] = ranked{i, sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s\x00%s", f.Seed, t.List, t.Name, t.Property))}
	}
	slices.SortFunc(order, func(a, b ranked) int {
		return cmp.Or(slices.Compare(a.digest[:], b.digest[:]), cmp.Compare(a.index, b.index))
	})
	order = order[:f.Sample]
	slices.SortFunc(order, func(a, b ranked) int { return cmp.Compare(a.index, b.index) })
	sample := make([]Task, len(order))
	for i, r := range order {
		sample[i] = kept[r.index]
	}
	return sample, nil
}

func (f Filter) passes(t *Task) bool {
	in := func(choices []string, value string) bool { return len(choices) == 0 || slices.Contains(choices, value) }
	return in(f.Tracks, t.Track) && in(f.Families, t.Family) && in(f.Properties, t.Property) &&
		(len(f.Names) == 0 || slices.ContainsFunc(f.Names, func(n string) bool { return matches(n, t.Name) })) &&
		(len(f.Verdicts) == 0 || slices.ContainsFunc(f.Verdicts, t.Expected.Agrees))
}

// matches says whether the name has the part in it, or is of the pattern; a pattern without a slash is one for the last
// element.
func matches(pattern, name string) bool {
	if !strings.ContainsAny(pattern, "*?[") {
		return strings.Contains(name, pattern)
	}
	if !strings.Contains(pattern, "/") {
		name = name[strings.LastIndexByte(name, '/')+1:]
	}
	// The pattern was checked before.
	ok, _ := filepath.Match(pattern, name)
	return ok
}
