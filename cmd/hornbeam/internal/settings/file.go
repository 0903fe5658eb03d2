package settings

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"hornbeam/cmd/hornbeam/internal/usage"
	"hornbeam/engine"
)

// Name is the name of the file of a project.
const Name = "hornbeam.toml"

// File is a file of settings.
type File struct {
	path string
	// all are the values for every command, own those of one, engines those of the engines' settings.
	all, engines map[string]string
	own          map[string]map[string]string
}

// Find returns the path of the nearest file of a project in a folder or above it, "" where there is none.
func Find(folder string) string {
	for {
		path := filepath.Join(folder, Name)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path
		}
		above := filepath.Dir(folder)
		if above == folder {
			return ""
		}
		folder = above
	}
}

// Read reads a file for commands with these tables of options, and engines with the given settings. The error has the file's name,
// and where it is known the line and column.
func Read(path string, commands map[string][]engine.Option, settings []engine.Option) (*File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	var document map[string]any
	if _, err := toml.Decode(string(text), &document); err != nil {
		var at toml.ParseError
		if errors.As(err, &at) {
			return nil, fmt.Errorf("%s:%d:%d: %s", path, at.Position.Line, at.Position.Col, at.Message)
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f := &File{path: path, all: map[string]string{}, own: map[string]map[string]string{}}
	for _, name := range slices.Sorted(maps.Keys(document)) {
		value := document[name]
		table, isTable := value.(map[string]any)
		switch options, isCommand := commands[name]; {
		case isTable && isCommand:
			f.own[name], err = f.values(table, "["+name+"] ", options)
		case isTable && name == "option":
			f.engines, err = f.values(table, "[option] ", settings)
		case isTable:
			err = fmt.Errorf("%s: there is no section [%s]: it may have %s and option", path, name, strings.Join(slices.Sorted(maps.Keys(commands)), ", "))
		default:
			f.all[name], err = f.value(value, name, everyOption(commands))
		}
		if err != nil {
			return nil, err
		}
	}
	return f, nil
}

// everyOption is the options of all commands, in the order of these.
func everyOption(commands map[string][]engine.Option) []engine.Option {
	var all []engine.Option
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		all = append(all, commands[name]...)
	}
	return all
}

// values reads the values of a section.
func (f *File) values(section map[string]any, where string, options []engine.Option) (map[string]string, error) {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(section)) {
		var err error
		if out[name], err = f.value(section[name], where+name, options); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// value reads a value, which one of the options of its name must allow.
func (f *File) value(value any, where string, options []engine.Option) (string, error) {
	name := where[strings.LastIndexByte(where, ' ')+1:]
	text, err := textOf(value)
	if err != nil {
		return "", fmt.Errorf("%s: %s: %w", f.path, where, err)
	}
	known := false
	for _, o := range options {
		if o.Name != name || name == "config" {
			continue
		}
		known = true
		if err = o.Validate(text); err == nil {
			return text, nil
		}
	}
	if !known {
		var names []string
		for _, o := range options {
			names = append(names, o.Name)
		}
		meant := usage.Nearest(names, name)
		if meant != "" {
			meant = "; did you mean " + meant + "?"
		}
		return "", fmt.Errorf("%s: there is no option %s%s", f.path, where, meant)
	}
	return "", fmt.Errorf("%s: %w", f.path, err)
}

// textOf is a value as it would stand on the command line.
func textOf(value any) (string, error) {
	switch v := value.(type) {
	case string, bool, int64, float64:
		return fmt.Sprint(v), nil
	case []any:
		var words []string
		for _, e := range v {
			word, ok := e.(string)
			if !ok {
				return "", errors.New("a list has words only")
			}
			words = append(words, word)
		}
		return strings.Join(words, ","), nil
	}
	return "", errors.New("give a word, a number, true, false or a list of words")
}

// For returns the values for a command: those of the preset that the file names, over them those of the file for every command, those
// for this one, and those of the preset of the given name, "" for none. A nil file has no values.
func (f *File) For(command, name string) map[string]string {
	own := map[string]string{}
	if f != nil {
		maps.Copy(own, f.all)
		maps.Copy(own, f.own[command])
	}
	out := map[string]string{}
	if name == "" {
		maps.Copy(out, preset(own["preset"]))
	}
	maps.Copy(out, own)
	maps.Copy(out, preset(name))
	return out
}

// Engines are the engines' settings.
func (f *File) Engines() map[string]string {
	if f == nil {
		return nil
	}
	return f.engines
}
