package experiments

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"hornbeam/bench"
	"hornbeam/bench/result"
	"hornbeam/bench/task"
	"hornbeam/engine"
)

// Experiment is a comparison that can be made again: which tools, on which tasks, under which limits, to see what.
type Experiment struct {
	Name  string `yaml:"-"`
	Title string `yaml:"title"`
	// Claim is what the experiment tries, and whose claim that is.
	Claim string `yaml:"claim"`
	// Paper is the name of the paper that the claim is of, in bench/papers.yml; empty for a claim of nobody's.
	Paper string `yaml:"paper"`
	// Rules decide from the runs whether the claim holds.
	Rules []Rule `yaml:"rules"`
	Lists []List `yaml:"lists"`
	// Families are generated tasks.
	Families []Family `yaml:"families"`
	// Tools are what [bench.Request.Tools] takes; the others are compared with the first.
	Tools  []string `yaml:"tools"`
	Wall   string   `yaml:"wall"`
	CPU    string   `yaml:"cpu"`
	Memory string   `yaml:"memory"`
	Cores  int      `yaml:"cores"`
	Repeat int      `yaml:"repeat"`
	// Tables stand in the README before the scores.
	Tables []Table `yaml:"tables"`
}

// List is a list of tasks and the choice among them.
type List struct {
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

// files are the experiments that come with the program.
//
//go:embed *.yml
var files embed.FS

// Names are the names of the experiments that come with the program.
func Names() []string {
	// The folder is part of the program.
	entries, _ := files.ReadDir(".")
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yml"))
	}
	return names
}

// Load reads the experiment of that name, or that in a file, whose name ends in .yml.
func Load(name string) (*Experiment, error) {
	text, err := files.ReadFile(name + ".yml")
	if strings.HasSuffix(name, ".yml") {
		text, err = os.ReadFile(name)
		name = strings.TrimSuffix(filepath.Base(name), ".yml")
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: there is no experiment %s; there are %s", bench.ErrRequest, name, strings.Join(Names(), ", "))
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
	if _, err := e.limits(); err != nil {
		return nil, fmt.Errorf("read the experiment %s: %w", name, err)
	}
	for _, t := range e.Tables {
		if err := t.check(e.Tools); err != nil {
			return nil, fmt.Errorf("read the experiment %s: the table %q: %w", name, t.Title, err)
		}
	}
	for _, r := range e.Rules {
		if err := r.check(e.Tools); err != nil {
			return nil, fmt.Errorf("read the experiment %s: the rule %q: %w", name, r.Says, err)
		}
	}
	return e, nil
}

// limits are the experiment's limits on a run.
func (e *Experiment) limits() (result.Limits, error) {
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
			return nil, nil, fmt.Errorf("%w: the experiment %s needs the tasks %s, which are in none of the folders %s", bench.ErrRequest, e.Name, l.Path, strings.Join(folders, ", "))
		}
		more, err := l.tasks(filepath.Join(folders[i], filepath.FromSlash(l.Path)))
		if err != nil {
			return nil, nil, fmt.Errorf("the experiment %s: %w", e.Name, err)
		}
		tasks = append(tasks, more...)
	}
	instances, _, err := e.instances()
	if err != nil {
		return nil, nil, err
	}
	for _, i := range instances {
		one, err := i.write(filepath.Join(generated, i.family.Name))
		if err != nil {
			return nil, nil, fmt.Errorf("the experiment %s: %w", e.Name, err)
		}
		tasks = append(tasks, one)
	}
	return tasks, absent, nil
}

func (l *List) tasks(path string) ([]task.Task, error) {
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

// Options say where an experiment finds its tasks and leaves its results.
type Options struct {
	// Results is the folder for what comes out; bench/experiments/NAME unless it is given.
	Results string
	// Tasks are the folders in which lists are looked for.
	Tasks []string
	// Sample and Seed choose at most so many of the tasks; 0 is all.
	Sample int
	Seed   int64
}

// Prepare has the request make the experiment's runs: it sets the tools, the limits, the tasks and the results file. absent
// are the optional lists that are in none of the folders. An experiment without tasks is [bench.ErrNothing].
func (e *Experiment) Prepare(r *bench.Request, o Options) (absent []string, err error) {
	if o.Results == "" {
		o.Results = filepath.Join("bench", "experiments", e.Name)
	}
	if r.Config.Limits, err = e.limits(); err != nil {
		return nil, err
	}
	r.Tools, r.Config.Repeat, r.Config.Experiment, r.Config.Counters = e.Tools, e.Repeat, e.Name, e.counters()
	r.Config.Results = filepath.Join(o.Results, "results.jsonl")
	tasks, absent, err := e.Tasks(o.Tasks, filepath.Join(o.Results, "generated"))
	if err != nil {
		return absent, err
	}
	_, instances, err := e.instances()
	if err != nil {
		return absent, err
	}
	if slices.ContainsFunc(e.Families, func(f Family) bool { return f.Largest > 0 }) {
		r.Config.Search = newSearch(instances)
	}
	for _, l := range e.Lists {
		r.Lists = append(r.Lists, l.Path)
	}
	if r.Chosen, err = (task.Filter{Sample: o.Sample, Seed: o.Seed}).Apply(tasks); err != nil {
		return absent, err
	}
	if len(r.Chosen) == 0 {
		return absent, fmt.Errorf("%w: the experiment %s has no tasks here", bench.ErrNothing, e.Name)
	}
	return absent, nil
}
