package task

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"hornbeam/bench/result"
)

// definition is a task definition in format version 1 or 2; what isn't named here is not needed and let pass.
type definition struct {
	FormatVersion yamlText `yaml:"format_version"`
	InputFiles    texts    `yaml:"input_files"`
	Properties    []struct {
		PropertyFile string `yaml:"property_file"`
		Expected     *bool  `yaml:"expected_verdict"`
	} `yaml:"properties"`
	Options struct {
		Language  string `yaml:"language"`
		DataModel string `yaml:"data_model"`
	} `yaml:"options"`
}

// yamlText is a scalar as it was written, be it a string or a number.
type yamlText string

func (t *yamlText) UnmarshalYAML(b []byte) error {
	*t = yamlText(strings.Trim(strings.TrimSpace(string(b)), `'"`))
	return nil
}

// texts is one string or a list of them.
type texts []string

func (t *texts) UnmarshalYAML(b []byte) error {
	var one string
	if err := yaml.Unmarshal(b, &one); err == nil {
		*t = texts{one}
		return nil
	}
	return yaml.Unmarshal(b, (*[]string)(t))
}

// loadDefinition makes a task of each property of a definition; base is the folder that names are relative to.
func loadDefinition(path, base, list string) ([]Task, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var d definition
	if err := yaml.Unmarshal(text, &d); err != nil {
		return nil, malformed(path, err)
	}
	if v := string(d.FormatVersion); v != "1.0" && v != "2" && !strings.HasPrefix(v, "2.") {
		return nil, fmt.Errorf("%s:1:1: no task definition that is known here: format_version is %q, and should be 2.0", path, v)
	}
	if len(d.InputFiles) == 0 {
		return nil, fmt.Errorf("%s:1:1: the task definition has no input_files", path)
	}
	name, err := filepath.Rel(base, path)
	if err != nil {
		return nil, err
	}
	t := Task{List: list, Track: list, Name: filepath.ToSlash(name), DataModel: d.Options.DataModel}
	t.Family = familyOf(strings.TrimLeft(t.Name, "./"))
	for _, pattern := range d.InputFiles {
		files, err := expand(filepath.Join(filepath.Dir(path), filepath.FromSlash(pattern)))
		if err != nil {
			return nil, fmt.Errorf("%s: input_files: %w", path, err)
		}
		t.Inputs = append(t.Inputs, files...)
	}
	if len(d.Properties) == 0 {
		return []Task{t}, nil
	}
	var tasks []Task
	for _, p := range d.Properties {
		t := t
		if p.PropertyFile == "" {
			return nil, fmt.Errorf("%s:1:1: a property without property_file", path)
		}
		t.PropertyFile = filepath.Join(filepath.Dir(path), filepath.FromSlash(p.PropertyFile))
		t.Property = strings.TrimSuffix(filepath.Base(t.PropertyFile), filepath.Ext(t.PropertyFile))
		if p.Expected != nil {
			t.Expected = expectedOf(*p.Expected, t.Ext())
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
}

// malformed says where a definition is none.
func malformed(path string, err error) error {
	var e yaml.Error
	if errors.As(err, &e) && e.GetToken() != nil {
		at := e.GetToken().Position
		return fmt.Errorf("%s:%d:%d: no task definition: %s", path, at.Line, at.Column, e.GetMessage())
	}
	return fmt.Errorf("%s:1:1: no task definition: %w", path, err)
}

// expectedOf puts true and false into the words for clauses or for programs.
func expectedOf(holds bool, ext string) result.Verdict {
	switch {
	case ext == "smt2" && holds:
		return result.Sat
	case ext == "smt2":
		return result.Unsat
	case holds:
		return result.Safe
	}
	return result.Unsafe
}

// loadSet reads a list of patterns, each relative to the folder of the list. A pattern that matches nothing is an error.
func loadSet(path, list string) ([]Task, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	folder := filepath.Dir(path)
	var tasks []Task
	seen := map[string]bool{}
	lines := bufio.NewScanner(f)
	for number := 1; lines.Scan(); number++ {
		pattern := strings.TrimSpace(lines.Text())
		if pattern == "" || strings.HasPrefix(pattern, "#") {
			continue
		}
		if !filepath.IsAbs(pattern) {
			pattern = filepath.Join(folder, filepath.FromSlash(pattern))
		}
		files, err := expand(pattern)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		for _, file := range files {
			if seen[file] {
				continue
			}
			seen[file] = true
			more, err := member(file, folder, list)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, number, err)
			}
			tasks = append(tasks, more...)
		}
	}
	return tasks, lines.Err()
}

// member makes the tasks of one file that a set names.
func member(file, folder, list string) ([]Task, error) {
	if ext := filepath.Ext(file); ext == ".yml" || ext == ".yaml" {
		return loadDefinition(file, folder, list)
	}
	name, err := filepath.Rel(folder, file)
	if err != nil {
		return nil, err
	}
	t, err := plain(file, filepath.ToSlash(name), list)
	return []Task{t}, err
}

// expand returns the files of a pattern, sorted. ** stands for any number of folders. A path without any of *?[ is itself,
// and has to be there.
func expand(pattern string) ([]string, error) {
	if !strings.ContainsAny(pattern, "*?[") {
		if _, err := os.Stat(pattern); err != nil {
			return nil, err
		}
		return []string{pattern}, nil
	}
	files, err := filepath.Glob(pattern)
	if before, after, ok := strings.Cut(pattern, "**"+string(filepath.Separator)); ok && err == nil {
		files, err = expandDeep(before, after)
	}
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s matches no file", pattern)
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// expandDeep matches the rest of a pattern in all folders below those that the first part matches.
func expandDeep(first, rest string) ([]string, error) {
	roots, err := filepath.Glob(filepath.Clean(first))
	if err != nil {
		return nil, err
	}
	var files []string
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.IsDir() {
				return err
			}
			more, err := expand(filepath.Join(path, rest))
			if err == nil && (strings.ContainsAny(rest, "*?[") || len(more) > 0) {
				files = append(files, more...)
			}
			if errors.Is(err, filepath.ErrBadPattern) {
				return err
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}
