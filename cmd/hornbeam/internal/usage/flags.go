package usage

import (
	"strings"

	"github.com/urfave/cli/v2"

	"hornbeam/engine"
)

// Flags turns a table of options into flags. A switch that is on has a second flag, no-NAME, that switches it off.
func Flags(table []engine.Option) []cli.Flag {
	var flags []cli.Flag
	for _, o := range table {
		if o.Kind == "bool" {
			flags = append(flags, optionSwitch{&cli.BoolFlag{Name: o.Name, Value: o.Default == "true", Usage: o.Doc}, o})
			if o.Default == "true" {
				off := engine.Option{Name: "no-" + o.Name, Kind: "bool", Doc: "the opposite of --" + o.Name}
				flags = append(flags, optionSwitch{&cli.BoolFlag{Name: off.Name, Usage: off.Doc}, off})
			}
			continue
		}
		flags = append(flags, OptionFlag{&cli.StringFlag{Name: o.Name, Value: o.Default, Usage: o.Doc}, o})
	}
	return flags
}

// optionSwitch is the flag of an option that is on or off.
type optionSwitch struct {
	*cli.BoolFlag
	option engine.Option
}

// OptionFlag is the flag of an option with a value.
type OptionFlag struct {
	*cli.StringFlag
	option engine.Option
}

// row is a flag as it is shown: its name, the word for its value, if it has one, and its sentence.
type row struct {
	name, value, doc string
	// standard is the default, "" where it says nothing.
	standard string
	choices  []string
}

// rowOf returns the row of a flag, false for one that is not shown.
func rowOf(f cli.Flag) (row, bool) {
	switch f := f.(type) {
	case optionSwitch:
		return row{name: f.option.Name, doc: f.option.Doc}, true
	case OptionFlag:
		o := f.option
		r := row{name: o.Name, value: valueOf(o), doc: o.Doc, choices: o.Choices}
		if o.Default != "0" && o.Default != "0s" {
			r.standard = o.Default
		}
		return r, true
	}
	d, ok := f.(cli.DocGenerationFlag)
	if v, hides := f.(cli.VisibleFlag); !ok || hides && !v.IsVisible() {
		return row{}, false
	}
	r := row{name: f.Names()[0], doc: d.GetUsage()}
	if d.TakesValue() {
		r.value, r.standard = valueOf(engine.Option{Name: r.name}), strings.Trim(d.GetValue(), `"`)
	}
	return r, true
}

// valueOf is the word for an option's value.
func valueOf(o engine.Option) string {
	if v := values[o.Name]; v != "" {
		return v
	}
	if o.Name == "trace" && len(o.Choices) == 0 {
		return "FILE"
	}
	switch o.Kind {
	case "int", "number":
		return "N"
	case "duration":
		return "TIME"
	case "size":
		return "SIZE"
	}
	return "WORD"
}

// values are the words for the values of options whose kind does not give one.
var values = map[string]string{
	"annotate": "FILE", "config": "FILE", "cpuprofile": "FILE", "events": "FILE", "harness": "FILE", "out": "FILE", "results": "FILE",
	"sarif": "FILE", "strategies": "FILE", "trace-file": "FILE", "witness": "FILE", "engine": "NAMES", "error": "NAMES", "main": "NAME",
	"option": "NAME=VALUE", "passes": "NAMES", "preset": "NAME", "procedure": "NAME", "property": "NAME", "error-label": "NAME",
	"solver": "COMMAND", "tool": "NAME", "tools": "FILE", "track": "NAMES", "family": "NAME", "name": "NAME", "cgroup": "FOLDER",
	"shard": "I/N", "hornbeam": "FILE", "tasks": "FOLDER",
}
