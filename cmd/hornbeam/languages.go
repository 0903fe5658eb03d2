package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"hornbeam/engine"
)

// langOption is the option that says which language the inputs are in.
func langOption() engine.Option {
	return engine.Option{Name: "lang", Kind: "string", Default: "auto", Choices: []string{"auto", "smtlib", "boogie", "c", "svlib"},
		Doc: "the language of the input; auto goes by the name of the file: .smt2 for Horn clauses, .sl for invariants in SyGuS, .bpl for Boogie, .c, .i, .h and .hcc for C, .svlib for SV-LIB, .yml for SV-COMP's definition of a task"}
}

// extensions are the languages that files are in by the ends of their names.
var extensions = map[string]engine.Languages{
	".smt2": engine.Clauses, ".smt": engine.Clauses, ".chc": engine.Clauses, ".sl": engine.Clauses, ".bpl": engine.Boogie,
	".c": engine.C, ".i": engine.C, ".h": engine.C, ".hcc": engine.C, ".yml": engine.C, ".svlib": engine.SVLIB,
}

// foreign are the ends of the names of files in languages that are known and not read.
var foreign = map[string]string{
	".cpp": "C++", ".cc": "C++", ".cxx": "C++", ".c++": "C++", ".C": "C++", ".hpp": "C++", ".hh": "C++", ".ii": "C++",
	".rs": "Rust", ".java": "Java", ".sol": "Solidity", ".dfy": "Dafny", ".go": "Go", ".py": "Python", ".ll": "LLVM", ".bc": "LLVM",
	".pl": "Prolog",
}

// reader is how a command finds the language of its inputs.
type reader struct {
	// command is its name, reads the languages that it takes.
	command string
	reads   engine.Languages
	// input is the language of standard input, other that of files whose names do not say; zero refuses these.
	input, other engine.Languages
}

// languageOf returns the language of a file, going by what --lang says or by its name. The error is a usage error that names
// the command or the flag that is meant.
func (r reader) languageOf(file, lang string) (engine.Languages, error) {
	language := map[string]engine.Languages{"smtlib": engine.Clauses, "boogie": engine.Boogie, "c": engine.C, "svlib": engine.SVLIB}[lang]
	if language == 0 {
		language = extensions[filepath.Ext(file)]
	}
	switch name := foreign[filepath.Ext(file)]; {
	case language != 0:
	case name != "":
		return 0, usageError("%s is %s by its name, which is not read; --lang c, boogie or smtlib says that it is something else", file, name)
	case file == "-":
		language = r.input
	case r.other != 0:
		language = r.other
	default:
		return 0, usageError("the name of %s does not say what language it is in: give --lang c, boogie or smtlib", file)
	}
	if language&r.reads == 0 {
		other := "solve"
		if language&engine.Programs != 0 {
			other = "verify"
		}
		return 0, usageError("%s holds %s, which hornbeam %s does not read; hornbeam %s and hornbeam hunt do", file, contents(language), r.command, other)
	}
	return language, nil
}

// languages returns the languages of files, and refuses flags that have no effect on any of these, or without another flag.
func (r reader) languages(c *cli.Context, table []engine.Option, lang string, files []string) (map[string]engine.Languages, error) {
	of := map[string]engine.Languages{}
	var all engine.Languages
	for _, f := range files {
		l, err := r.languageOf(f, lang)
		if err != nil {
			return nil, err
		}
		of[f] = l
		all |= l
	}
	for _, o := range table {
		if !given(c, o.Name) {
			continue
		}
		if o.Languages != 0 && o.Languages&all == 0 {
			return nil, usageError("--%s is for %s, and %s", o.Name, o.Languages, describeInputs(files, all))
		}
		if len(o.Needs) > 0 && !slices.ContainsFunc(o.Needs, func(n string) bool { return switchedOn(c, table, n) }) {
			return nil, usageError("--%s has no effect without %s", o.Name, flagList(o.Needs))
		}
	}
	return of, nil
}

// describeInputs says what the command was given: what one file holds, or in which languages several are.
func describeInputs(files []string, all engine.Languages) string {
	switch {
	case len(files) > 1:
		return fmt.Sprintf("the files are %s", all)
	case files[0] == "-":
		return fmt.Sprintf("standard input is taken for %s (see --lang)", contents(all))
	}
	return fmt.Sprintf("%s holds %s", files[0], contents(all))
}

// contents is what a file in one language holds.
func contents(l engine.Languages) string {
	if l == engine.Clauses {
		return l.String()
	}
	if l == engine.SVLIB {
		return "an SV-LIB program"
	}
	return "a " + strings.TrimSuffix(l.String(), "s")
}

// given reports whether a flag, or the one that switches it off, is on the command line.
func given(c *cli.Context, name string) bool { return c.IsSet(name) || c.IsSet("no-"+name) }

// switchedOn reports whether an option has a value other than its default.
func switchedOn(c *cli.Context, table []engine.Option, name string) bool {
	i := slices.IndexFunc(table, func(o engine.Option) bool { return o.Name == name })
	if i < 0 {
		return false
	}
	if table[i].Kind == "bool" {
		return c.Bool(name) != (table[i].Default == "true")
	}
	return c.String(name) != table[i].Default
}

// flagList joins names of flags: "--a, --b or --c".
func flagList(names []string) string {
	flags := make([]string, len(names))
	for i, n := range names {
		flags[i] = "--" + n
	}
	if len(flags) == 1 {
		return flags[0]
	}
	last := len(flags) - 1
	return strings.Join(flags[:last], ", ") + " or " + flags[last]
}
