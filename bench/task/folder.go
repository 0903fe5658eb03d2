package task

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"hornbeam/bench/result"
)

// verdictsFile lists the tasks of a folder.
const verdictsFile = "verdicts.tsv"

// loadVerdicts reads a folder with verdicts.tsv; the folder's name is the list's and the track's.
func loadVerdicts(folder, name string) ([]Task, error) {
	path := filepath.Join(folder, verdictsFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	columns := map[string]int{"file": 0, "expected": 1, "family": 2}
	var tasks []Task
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimRight(line, "\r\n")
		fields := strings.Split(line, "\t")
		heading := strings.TrimSpace(strings.TrimPrefix(fields[0], "#"))
		switch {
		case strings.TrimSpace(line) == "":
			continue
		case len(fields) > 1 && (heading == "file" || heading == "path"):
			clear(columns)
			columns["file"] = 0
			for i, f := range fields[1:] {
				columns[f] = i + 1
			}
			if _, ok := columns["expected"]; !ok {
				return nil, fmt.Errorf("%s:%d: no column is called expected", path, number)
			}
			continue
		case strings.HasPrefix(line, "#"):
			continue
		}
		column := func(name string) string {
			if i, ok := columns[name]; ok && i < len(fields) {
				return fields[i]
			}
			return ""
		}
		word := column("expected")
		expected, ok := result.ParseVerdict(word)
		if !ok && word != "" {
			return nil, fmt.Errorf("%s:%d: %q is no verdict", path, number, word)
		}
		file := column("file")
		if !fs.ValidPath(file) {
			return nil, fmt.Errorf("%s:%d: %q is no path within the folder", path, number, file)
		}
		t := Task{List: name, Track: name, Name: file, Inputs: []string{filepath.Join(folder, filepath.FromSlash(file))},
			Property: column("property"), DataModel: column("data_model"), Expected: expected}
		t.Family = firstOf(column("family"), column("source"), familyOf(file))
		tasks = append(tasks, t)
	}
	return tasks, nil
}

// familyOf is a guess from the name: its first folder, or what stands before a double underscore.
func familyOf(name string) string {
	if first, _, ok := strings.Cut(name, "/"); ok {
		return first
	}
	if first, _, ok := strings.Cut(name, "__"); ok {
		return first
	}
	return ""
}

func firstOf(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

// inputKinds are the endings of files that are tasks where no list says which.
var inputKinds = map[string]bool{".smt2": true, ".bpl": true, ".c": true, ".i": true}

// loadPlain makes a task of every input file in the folder itself.
func loadPlain(folder, name string, entries []os.DirEntry) ([]Task, error) {
	var tasks []Task
	for _, e := range entries {
		if e.IsDir() || !inputKinds[filepath.Ext(e.Name())] {
			continue
		}
		t, err := plain(filepath.Join(folder, e.Name()), e.Name(), name)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
}

var (
	verdictComment = regexp.MustCompile(`(?m)^(?:;|//)\s*verdict:\s*([a-z]+)\s*$`)
	modelComment   = regexp.MustCompile(`(?m)^//\s*model:\s*(ILP32|LP64)\s*$`)
	statusInfo     = regexp.MustCompile(`(?m)^\s*\(set-info\s+:status\s+([a-z]+)\s*\)`)
)

// plain is the task of a single file, with the verdict and the data model that the file itself says.
func plain(path, name, list string) (Task, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Task{}, err
	}
	t := Task{List: list, Track: list, Name: name, Family: familyOf(name), Inputs: []string{path}}
	if m := modelComment.FindSubmatch(text); m != nil {
		t.DataModel = string(m[1])
	}
	for _, said := range []*regexp.Regexp{verdictComment, statusInfo} {
		if m := said.FindSubmatch(text); m != nil {
			v, ok := result.ParseVerdict(string(bytes.TrimSpace(m[1])))
			if !ok {
				return Task{}, fmt.Errorf("%s: %q is no verdict", path, m[1])
			}
			if v != result.Unknown {
				t.Expected = v
			}
			break
		}
	}
	return t, nil
}
