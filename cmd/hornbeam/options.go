package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"hornbeam/chc/transform"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
)

// solveOptions is the table of solve's options: it makes the flags, their help and the documentation.
func solveOptions() []engine.Option {
	var engines, passes []string
	for _, e := range portfolio.Engines() {
		engines = append(engines, e.Name)
	}
	for _, p := range transform.Passes() {
		passes = append(passes, p.Name)
	}
	return []engine.Option{
		{Name: "engine", Kind: "string", Default: portfolio.DefaultEngine, Choices: engines, Doc: "the engine that decides"},
		{Name: "timeout", Kind: "duration", Default: "0s", Doc: "wall time for everything, reading and checking included; 0 is no limit"},
		{Name: "memory", Kind: "size", Default: "0", Doc: "resident memory of the process at which it gives up, such as 4G; 0 is no limit"},
		{Name: "seed", Kind: "int", Default: "0", Doc: "seed of the solver's random choices"},
		{Name: "model", Kind: "bool", Default: "false", Doc: "print the model after sat, as SMT-LIB definitions"},
		{Name: "proof", Kind: "bool", Default: "false", Doc: "print the refutation after unsat, as ground steps"},
		{Name: "check", Kind: "bool", Default: "true", Doc: "check the witness on the clauses as they were read; off with --no-check"},
		{Name: "passes", Kind: "string", Default: "default", Doc: "preprocessing passes: a comma-separated list of " + strings.Join(passes, ", ") + "; -NAME removes one of the default passes, none removes all"},
		{Name: "stats", Kind: "bool", Default: "false", Doc: "print counters and times to standard error"},
		{Name: "json", Kind: "bool", Default: "false", Doc: "print one JSON object with verdict, reason, witness and statistics after the verdict"},
		{Name: "progress", Kind: "string", Default: "auto", Choices: []string{"auto", "on", "off"}, Doc: "a live status line on standard error; auto only on a terminal"},
		{Name: "log", Kind: "string", Default: "warn", Choices: []string{"debug", "info", "warn", "error"}, Doc: "the least level of messages on standard error"},
		{Name: "cpuprofile", Kind: "string", Default: "", Doc: "write a CPU profile of Hornbeam itself to this file, for go tool pprof"},
		{Name: "trace", Kind: "string", Default: "", Doc: "write one JSON line an event to this file"},
	}
}

// engineOptions is the table of all engines' own settings, given as --option NAME=VALUE.
func engineOptions() []engine.Option {
	var all []engine.Option
	seen := map[string]bool{}
	for _, e := range portfolio.Engines() {
		for _, o := range e.Options {
			if !seen[o.Name] {
				seen[o.Name] = true
				all = append(all, o)
			}
		}
	}
	return all
}

// flagsOf turns a table of options into flags.
func flagsOf(table []engine.Option) []cli.Flag {
	var flags []cli.Flag
	for _, o := range table {
		if o.Kind == "bool" {
			flags = append(flags, &cli.BoolFlag{Name: o.Name, Value: o.Default == "true", Usage: o.Doc})
			if o.Default == "true" {
				flags = append(flags, &cli.BoolFlag{Name: "no-" + o.Name, Usage: "the opposite of --" + o.Name})
			}
			continue
		}
		usage := o.Doc
		if len(o.Choices) > 0 {
			usage += " (" + strings.Join(o.Choices, ", ") + ")"
		}
		flags = append(flags, &cli.StringFlag{Name: o.Name, Value: o.Default, Usage: usage})
	}
	return flags
}

// valuesOf reads the flags of a table back, validated.
func valuesOf(c *cli.Context, table []engine.Option) (engine.Values, error) {
	set := map[string]string{}
	for _, o := range table {
		if o.Kind == "bool" {
			set[o.Name] = fmt.Sprint(c.Bool(o.Name) && !c.Bool("no-"+o.Name))
			continue
		}
		set[o.Name] = c.String(o.Name)
	}
	v, err := engine.NewValues(table, set)
	if err != nil {
		return v, &coded{exitUsage, err}
	}
	return v, nil
}

// readEngineOptions reads the NAME=VALUE words of --option.
func readEngineOptions(words []string) (map[string]string, error) {
	table := map[string]engine.Option{}
	for _, o := range engineOptions() {
		table[o.Name] = o
	}
	set := map[string]string{}
	for _, w := range words {
		name, value, ok := strings.Cut(w, "=")
		o, known := table[name]
		if !ok || !known {
			return nil, usageError("--option %s: give NAME=VALUE with a name that hornbeam options lists", w)
		}
		if err := o.Validate(value); err != nil {
			return nil, &coded{exitUsage, err}
		}
		set[name] = value
	}
	return set, nil
}

func optionsCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:  "options",
		Usage: "list every option of solve, the passes and the engines with their settings, as Markdown",
		Action: func(*cli.Context) error {
			table := func(title string, options []engine.Option) {
				fmt.Fprintf(s.out, "## %s\n\n| name | kind | default | what it does |\n|---|---|---|---|\n", title)
				for _, o := range options {
					fmt.Fprintf(s.out, "| `%s` | %s | `%s` | %s |\n", o.Name, o.Kind, o.Default, o.Doc)
				}
				fmt.Fprintln(s.out)
			}
			fmt.Fprint(s.out, "# Options\n\n")
			table("Flags of `hornbeam solve`", solveOptions())
			table("Engine settings (`--option NAME=VALUE`)", engineOptions())
			fmt.Fprint(s.out, "## Engines\n\n| name | what it does |\n|---|---|\n")
			for _, e := range portfolio.Engines() {
				fmt.Fprintf(s.out, "| `%s` | %s |\n", e.Name, e.Doc)
			}
			fmt.Fprint(s.out, "\n## Preprocessing passes\n\n| name | what it does |\n|---|---|\n")
			for _, p := range transform.Passes() {
				fmt.Fprintf(s.out, "| `%s` | %s |\n", p.Name, p.Doc)
			}
			return nil
		},
	}
}
