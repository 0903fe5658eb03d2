package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"hornbeam/bench/families"
	"hornbeam/bench/result"
	"hornbeam/bench/task"
	"hornbeam/engine"
)

// Experiment is a comparison that can be made again: which tools, on which tasks, under which limits, to see what.
type Experiment struct {
	Name  string `yaml:"-"`
	Title string `yaml:"title"`
	// Claim is what the experiment tries, and whose claim that is.
	Claim string           `yaml:"claim"`
	Lists []ExperimentList `yaml:"lists"`
	// Families are generated tasks.
	Families []ExperimentFamily `yaml:"families"`
	// Tools are what [Request.Tools] takes; the others are compared with the first.
	Tools  []string `yaml:"tools"`
	Wall   string   `yaml:"wall"`
	CPU    string   `yaml:"cpu"`
	Memory string   `yaml:"memory"`
	Cores  int      `yaml:"cores"`
	Repeat int      `yaml:"repeat"`
}

// ExperimentList is a list of tasks and the choice among them.
type ExperimentList struct {
	// Path is relative to one of the folders that tasks are looked for in.
	Path string `yaml:"path"`
	// Optional lists are left out, and named, where they are in none of the folders.
	Optional bool     `yaml:"optional"`
	Names    []string `yaml:"names"`
	Tracks   []string `yaml:"tracks"`
	Families []string `yaml:"families"`
	Verdicts []string `yaml:"verdicts"`
	Sample   int      `yaml:"sample"`
	Seed     int64    `yaml:"seed"`
}

// ExperimentFamily is a family of bench/families at some depths, or one of C programs at some sizes, each once safe and once
// with a bug.
type ExperimentFamily struct {
	Name   string `yaml:"name"`
	Depths []int  `yaml:"depths"`
	Sizes  []int  `yaml:"sizes"`
}

// Experiments are the names of those that come with the program.
func Experiments() []string {
	// The folder is part of the program.
	entries, _ := experiments.ReadDir("experiments")
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yml"))
	}
	return names
}

// LoadExperiment reads the experiment of that name, or that in a file, whose name ends in .yml.
func LoadExperiment(name string) (*Experiment, error) {
	text, err := experiments.ReadFile(path.Join("experiments", name+".yml"))
	if strings.HasSuffix(name, ".yml") {
		text, err = os.ReadFile(name)
		name = strings.TrimSuffix(filepath.Base(name), ".yml")
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: there is no experiment %s; there are %s", ErrRequest, name, strings.Join(Experiments(), ", "))
	case err != nil:
		return nil, fmt.Errorf("read an experiment: %w", err)
	}
	e := &Experiment{Name: name}
	if err := yaml.UnmarshalWithOptions(text, e, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("read the experiment %s: %w", name, err)
	}
	if len(e.Tools) == 0 || len(e.Lists)+len(e.Families) == 0 {
		return nil, fmt.Errorf("read the experiment %s: it needs tools, and lists or families", name)
	}
	if _, err := e.Limits(); err != nil {
		return nil, fmt.Errorf("read the experiment %s: %w", name, err)
	}
	return e, nil
}

// Limits are the experiment's limits on a run.
func (e *Experiment) Limits() (result.Limits, error) {
	l := result.Limits{Cores: e.Cores}
	for _, d := range []struct {
		text string
		to   *float64
	}{{e.Wall, &l.Wall}, {e.CPU, &l.CPU}} {
		if d.text == "" {
			continue
		}
		value, err := engine.ParseDuration(d.text)
		if err != nil {
			return l, fmt.Errorf("the limit %q: %w", d.text, err)
		}
		*d.to = value.Seconds()
	}
	if e.Memory == "" {
		return l, nil
	}
	var err error
	if l.Memory, err = engine.ParseSize(e.Memory); err != nil {
		return l, fmt.Errorf("the limit %q: %w", e.Memory, err)
	}
	return l, nil
}

// Tasks reads the experiment's tasks. Lists are looked for in the folders, in their order; generated tasks are written below
// generated. absent are the optional lists that are in none of the folders.
func (e *Experiment) Tasks(folders []string, generated string) (tasks []task.Task, absent []string, err error) {
	for _, l := range e.Lists {
		i := slices.IndexFunc(folders, func(folder string) bool {
			_, err := os.Stat(filepath.Join(folder, filepath.FromSlash(l.Path)))
			return err == nil
		})
		switch {
		case i < 0 && l.Optional:
			absent = append(absent, l.Path)
			continue
		case i < 0:
			return nil, nil, fmt.Errorf("%w: the experiment %s needs the tasks %s, which are in none of the folders %s", ErrRequest, e.Name, l.Path, strings.Join(folders, ", "))
		}
		more, err := l.tasks(filepath.Join(folders[i], filepath.FromSlash(l.Path)))
		if err != nil {
			return nil, nil, fmt.Errorf("the experiment %s: %w", e.Name, err)
		}
		tasks = append(tasks, more...)
	}
	for _, f := range e.Families {
		more, err := f.tasks(filepath.Join(generated, f.Name))
		if err != nil {
			return nil, nil, fmt.Errorf("the experiment %s: %w", e.Name, err)
		}
		tasks = append(tasks, more...)
	}
	return tasks, absent, nil
}

func (l *ExperimentList) tasks(path string) ([]task.Task, error) {
	all, err := task.Load(path)
	if err != nil {
		return nil, err
	}
	f := task.Filter{Names: l.Names, Tracks: l.Tracks, Families: l.Families, Sample: l.Sample, Seed: l.Seed}
	for _, word := range l.Verdicts {
		v, ok := result.ParseVerdict(word)
		if !ok {
			return nil, fmt.Errorf("%q is no verdict", word)
		}
		f.Verdicts = append(f.Verdicts, v)
	}
	return f.Apply(all)
}

// tasks writes the family's instances into the folder.
func (f *ExperimentFamily) tasks(folder string) ([]task.Task, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("write generated tasks: %w", err)
	}
	if len(f.Sizes) > 0 {
		program, err := families.ProgramNamed(f.Name)
		if err != nil {
			return nil, err
		}
		return WritePrograms(program, f.Sizes, folder)
	}
	family, err := families.Named(f.Name)
	if err != nil {
		return nil, err
	}
	var tasks []task.Task
	for _, depth := range f.Depths {
		for _, bug := range []bool{false, true} {
			p := family.Sized(depth, bug)
			name := fmt.Sprintf("%s-%04d", f.Name, depth)
			if bug {
				name += "-bug"
			}
			var text strings.Builder
			fmt.Fprintf(&text, "; verdict: %s\n", p.Verdict())
			if err := family.Write(&text, p); err != nil {
				return nil, fmt.Errorf("write generated tasks: %w", err)
			}
			file := filepath.Join(folder, name+".smt2")
			if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
				return nil, fmt.Errorf("write generated tasks: %w", err)
			}
			one, err := task.Load(file)
			if err != nil {
				return nil, err
			}
			one[0].Family = f.Name
			tasks = append(tasks, one...)
		}
	}
	return tasks, nil
}
