package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"hornbeam/engine"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/project"
	"hornbeam/verify"
)

// unitOptions are the options about programs of several C files.
func unitOptions() []engine.Option {
	return []engine.Option{
		{Name: "separate", Kind: "bool", Default: "false", Languages: engine.C, Doc: "take each C file for a program of its own; otherwise several of them are one program, as for gcc and cbmc"},
		{Name: "stubs", Kind: "string", Default: "", Languages: engine.C, Doc: "C files, separated by commas, that are linked to each program: models of functions that it does not define"},
		{Name: "compile-commands", Kind: "string", Default: "", Languages: engine.C, Doc: "the compile_commands.json that says with which folders and macros C files are read; without files on the command line, all that it has are the program"},
	}
}

// repeated are the flags that may be given several times, whose values are lines of one.
var repeated = []string{"I", "D", "U", "include"}

// compilerFlag splits a flag that is written as for compilers, -Ifolder and -DNAME.
func compilerFlag(a string) (flag, value string, ok bool) {
	if len(a) > 2 && a[0] == '-' && strings.IndexByte("IDU", a[1]) >= 0 {
		return a[:2], strings.TrimPrefix(a[2:], "="), true
	}
	return "", "", false
}

func isCompilerFlag(a string) bool { _, _, ok := compilerFlag(a); return ok }

// joinRepeated makes one flag of those that are given several times.
func joinRepeated(flags []string, takesValue map[string]bool) []string {
	values := map[string]string{}
	var out []string
	for i := 0; i < len(flags); i++ {
		name, value, inline := strings.Cut(strings.TrimLeft(flags[i], "-"), "=")
		switch {
		case !strings.HasPrefix(flags[i], "-") || !slices.Contains(repeated, name) || !takesValue[name]:
			out = append(out, flags[i])
			if strings.HasPrefix(flags[i], "-") && !inline && takesValue[name] && i+1 < len(flags) {
				i++
				out = append(out, flags[i])
			}
			continue
		case !inline && i+1 < len(flags):
			i++
			value = flags[i]
		}
		if old, given := values[name]; given {
			value = old + "\n" + value
		}
		values[name] = value
	}
	for _, name := range repeated {
		if value, given := values[name]; given {
			out = append(out, "--"+name, value)
		}
	}
	return out
}

// database is the compilation database that the flags name; nil if they name none.
func database(v engine.Values) (*project.Database, error) {
	if !v.Has("compile-commands") || v.Text("compile-commands") == "" {
		return nil, nil
	}
	return project.Read(v.Text("compile-commands"))
}

// filesToDecide returns the files that a command is to work on, those of the compilation database if it is given none.
func filesToDecide(c *cli.Context, d *project.Database) ([]string, error) {
	if d == nil || c.Args().Present() {
		return filesOf(c)
	}
	var files []string
	for _, f := range d.Files {
		files = append(files, f.Path)
	}
	if len(files) == 0 {
		return nil, usageError("%s has no C files", c.String("compile-commands"))
	}
	return files, nil
}

// link makes one program of the C files, unless they are to be decided one by one.
func (j *job) link(d *project.Database) error {
	j.database = d
	if !j.values.Has("separate") {
		return nil
	}
	if stubs := j.values.Text("stubs"); stubs != "" {
		j.stubs = strings.Split(stubs, ",")
	}
	if j.values.Bool("separate") {
		return nil
	}
	var first string
	var others []string
	var files []string
	for _, f := range j.files {
		switch {
		case !j.holds(f, engine.C) || strings.HasSuffix(f, ".yml"):
			files = append(files, f)
		case first == "":
			first = f
			files = append(files, f)
		default:
			others = append(others, f)
		}
	}
	if len(others) == 0 {
		return nil
	}
	if j.values.Has("harness") && j.values.Text("harness") != "" {
		return usageError("--harness %s is about a program of one file, and there are %d; with --separate each is a program of its own", j.values.Text("harness"), len(others)+1)
	}
	j.files, j.linked = files, map[string][]string{first: others}
	return nil
}

// units are the files of a C program that is more than the text of its first file; nil if it is no more.
func (p *programJob) units(name string, src []byte, o *verify.Options) ([]c.Unit, error) {
	others := slices.Concat(p.linked[p.file], p.stubs)
	if p.request.Language != engine.C || len(others) == 0 && p.database == nil {
		return nil, nil
	}
	add := func(units []c.Unit, name string, text []byte) []c.Unit {
		u := c.Unit{Name: name, Text: text}
		if p.database != nil {
			if f, ok := p.database.Find(name); ok {
				u.Options = f.Options
				o.ILP32 = o.ILP32 || f.ILP32 && !o.LP64
			}
		}
		return append(units, u)
	}
	units := add(nil, name, src)
	for _, file := range others {
		if i := slices.IndexFunc(units, func(u c.Unit) bool { return u.Name == file }); i >= 0 {
			return nil, usageError("%s is given twice, and the files are one program; with --separate each is a program of its own", file)
		}
		name, src, err := readFile(file, p.in)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		units = add(units, name, src)
	}
	return units, nil
}

// describeUnits says of which files a program is that has several.
func (p *programJob) describeUnits() {
	if others := p.linked[p.file]; len(others) > 0 {
		p.log.Info("linked", "file", p.file, "with", strings.Join(others, " "))
	}
	if p.database != nil && len(p.database.Others) > 0 {
		p.log.Info("left out what is not C", "files", cmp.Or(strings.Join(p.database.Others, " "), "-"))
	}
}

// beneath is where a file of a program goes in a folder: where it is in the working directory, and by its whole path from the
// root if it is in none of its folders.
func beneath(folder, file string) string {
	if absolute, err := filepath.Abs(file); err == nil {
		file = absolute
		if here, err := os.Getwd(); err == nil {
			if relative, err := filepath.Rel(here, absolute); err == nil && filepath.IsLocal(relative) {
				file = relative
			}
		}
	}
	return filepath.Join(folder, strings.TrimPrefix(file, filepath.VolumeName(file)))
}

// makeRoom makes the folder that a file is written to, unless that is the file that it was read from.
func makeRoom(to, from string) error {
	if a, err := os.Stat(to); err == nil {
		if b, err := os.Stat(from); err == nil && os.SameFile(a, b) {
			return errors.New("it is the program's own file: give another folder")
		}
	}
	return os.MkdirAll(filepath.Dir(to), 0o777)
}

// writableFolder tells what keeps files from being written into a folder, which need not be there yet.
func writableFolder(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.Mkdir(path, 0o777); err != nil {
			return err
		}
		return os.Remove(path)
	case err != nil:
		return err
	case !info.IsDir():
		return errors.New("a program of several files is written into a folder, and this is a file")
	}
	return nil
}
