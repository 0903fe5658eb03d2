package experiments

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"hornbeam/bench/families"
	"hornbeam/bench/task"
)

// Family is a family of bench/families at some sizes, each once safe and once with a bug.
type Family struct {
	Name  string `yaml:"name"`
	Sizes []int  `yaml:"sizes"`
	// Largest, in place of sizes, has the largest size that a tool decides searched for, up to this one.
	Largest int `yaml:"largest"`
	// Relevant and Irrelevant are numbers of variables, each of which is tried at each size; the family's usual one where none
	// is given.
	Relevant   []int `yaml:"relevant"`
	Irrelevant []int `yaml:"irrelevant"`
	// Width is the same for what an instance's width is: the calls in a body, or the fields of a struct.
	Width []int `yaml:"width"`
	// Side is safe or bug where only one is wanted.
	Side string `yaml:"side"`
}

// instance is a generated task.
type instance struct {
	family families.Family
	families.Parameters
	// series names the instances that differ from it in the size only.
	series string
	file   string
	// searched instances are run only where the outcomes of the others in the series do not tell theirs.
	searched bool
}

// instances are the generated tasks, in the order in which they are run.
func (f *Family) instances() ([]instance, error) {
	family, err := families.Named(f.Name)
	if err != nil {
		return nil, err
	}
	sizes := f.Sizes
	if f.Largest > 0 {
		sizes = searched(f.Largest)
	}
	var all []instance
	for _, size := range sizes {
		for _, width := range orUsual(f.Width, family.Usual.Width) {
			for _, relevant := range orUsual(f.Relevant, family.Usual.Relevant) {
				for _, irrelevant := range orUsual(f.Irrelevant, family.Usual.Irrelevant) {
					for _, bug := range []bool{false, true} {
						p := family.Sized(size, bug)
						p.Width, p.Relevant, p.Irrelevant = width, relevant, irrelevant
						i := f.instance(family, p)
						if f.Side == "" || f.Side == i.side() {
							all = append(all, i)
						}
					}
				}
			}
		}
	}
	return all, nil
}

// instance has the names of an instance with these parameters; those that the family is not tried at several of are not in them.
func (f *Family) instance(family families.Family, p families.Parameters) instance {
	i := instance{family: family, Parameters: p, searched: f.Largest > 0}
	variables, end := "", ""
	if f.Width != nil {
		variables = fmt.Sprintf("-%02d", p.Width)
	}
	if f.Relevant != nil || f.Irrelevant != nil {
		variables += fmt.Sprintf("-%02d-%03d", p.Relevant, p.Irrelevant)
	}
	if p.Bug {
		end = "-bug"
	}
	i.series = f.Name + variables + end
	i.file = fmt.Sprintf("%s-%04d%s%s.%s", f.Name, p.Size, variables, end, family.Language)
	return i
}

func orUsual(given []int, usual int) []int {
	if given == nil {
		return []int{usual}
	}
	return given
}

// side is safe or bug.
func (i *instance) side() string {
	if i.Bug {
		return "bug"
	}
	return "safe"
}

// instances are those of all families, by the names of their files.
func (e *Experiment) instances() (all []instance, byFile map[string]instance, err error) {
	byFile = map[string]instance{}
	for _, f := range e.Families {
		some, err := f.instances()
		if err != nil {
			return nil, nil, fmt.Errorf("the experiment %s: %w", e.Name, err)
		}
		for _, i := range some {
			byFile[i.file] = i
		}
		all = append(all, some...)
	}
	return all, byFile, nil
}

// write writes the instance's file into the folder, and loads it as a task.
func (i *instance) write(folder string) (task.Task, error) {
	path := filepath.Join(folder, i.file)
	err := os.MkdirAll(folder, 0o755)
	if err != nil {
		return task.Task{}, fmt.Errorf("write generated tasks: %w", err)
	}
	f, err := os.Create(path)
	if err != nil {
		return task.Task{}, fmt.Errorf("write generated tasks: %w", err)
	}
	err = i.family.Write(f, i.Parameters)
	if err := cmp.Or(err, f.Close()); err != nil {
		return task.Task{}, fmt.Errorf("write generated tasks: %w", err)
	}
	tasks, err := task.Load(path)
	if err != nil {
		return task.Task{}, err
	}
	tasks[0].Family = i.family.Name
	return tasks[0], nil
}

// WriteFamily writes the instances of a family at these sizes into a folder.
func WriteFamily(name string, sizes []int, folder string) error {
	all, err := (&Family{Name: name, Sizes: sizes}).instances()
	if err != nil {
		return err
	}
	for _, i := range all {
		if _, err := i.write(folder); err != nil {
			return err
		}
	}
	return nil
}
