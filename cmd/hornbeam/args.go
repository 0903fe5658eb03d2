package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"hornbeam/cmd/hornbeam/internal/usage"
	"hornbeam/engine"
)

// invocation is what the command line asks for.
type invocation struct {
	// args begin with the program's name, and have the flags of a command before its files.
	args []string
	// page is the command whose page of help is asked for, nil for none, and name the words that call it.
	page *cli.Command
	name string
}

// readArgs finds the command that arguments call, and moves its flags before its files, so that they may be given in any order. Without
// a command a file's name says which is called. A flag at the end that lacks its value is a usage error.
func readArgs(app *cli.App, args []string) (invocation, error) {
	if len(args) < 2 {
		return invocation{args: args}, nil
	}
	if isHelp(args[1]) {
		return invocation{args: args[:1]}, nil
	}
	args, err := withCommand(app, args)
	if err != nil {
		return invocation{}, err
	}
	var command *cli.Command
	words := 1
	for commands := app.Commands; words < len(args); words++ {
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(args[words]) })
		if i < 0 {
			break
		}
		command, commands = commands[i], commands[i].Subcommands
	}
	if command == nil || command.Hidden && command.SkipFlagParsing {
		return invocation{args: args}, nil
	}
	name := strings.Join(append([]string{app.Name}, args[1:words]...), " ")
	if command.SkipFlagParsing {
		// The arguments are another tool's.
		if words < len(args) && isHelp(args[words]) {
			return invocation{name: name, page: command}, nil
		}
		return invocation{args: args}, nil
	}
	takesValue := valuesTaken(command)
	flags, files := args[:words:words], []string{"--"}
	rest := args[words:]
	for len(rest) > 0 {
		a := rest[0]
		rest = rest[1:]
		flag := strings.TrimLeft(a, "-")
		switch {
		case a == "--":
			files = append(files, rest...)
			rest = nil
		case a == "-" || flag == a:
			files = append(files, a)
		case isHelp(a):
			return invocation{page: command, name: name}, nil
		case takesValue["I"] && isCompilerFlag(a):
			name, value, _ := compilerFlag(a)
			flags = append(flags, name, value)
		case takesValue[flag] && len(rest) == 0:
			return invocation{}, usageError("the flag %s needs a value", a)
		case takesValue[flag]:
			flags = append(flags, a, rest[0])
			rest = rest[1:]
		default:
			flags = append(flags, a)
		}
	}
	return invocation{args: append(slices.Concat(args[:words:words], joinRepeated(flags[words:], takesValue)), files...)}, nil
}

// isHelp reports whether an argument asks for a page of help.
func isHelp(a string) bool { return slices.Contains([]string{"--help", "-help", "-h", "--h"}, a) }

// valuesTaken are the names of the flags of commands that take a value.
func valuesTaken(commands ...*cli.Command) map[string]bool {
	takes := map[string]bool{}
	for _, c := range commands {
		for _, f := range c.Flags {
			if d, ok := f.(cli.DocGenerationFlag); ok && d.TakesValue() {
				for _, n := range f.Names() {
					takes[n] = true
				}
			}
		}
	}
	return takes
}

// withCommand puts the command into arguments that have only files and flags: what decides a file of the first one's kind. The error
// says what the first word may stand for.
func withCommand(app *cli.App, args []string) ([]string, error) {
	first := args[1]
	if app.Command(first) != nil || first == "--version" || first == "-v" {
		return args, nil
	}
	takesValue := valuesTaken(app.Command("solve"), app.Command("verify"))
	for i := 1; i < len(args); i++ {
		a := args[i]
		switch flag := strings.TrimLeft(a, "-"); {
		case a == "--":
		case a != "-" && flag != a:
			if takesValue[flag] {
				i++
			}
		default:
			command, err := commandFor(app, a)
			if err != nil {
				return nil, err
			}
			return slices.Insert(slices.Clone(args), 1, command), nil
		}
	}
	if strings.HasPrefix(first, "-") {
		return nil, usageError("%s stands before a command or a file (see hornbeam --help)", first)
	}
	return args, nil
}

// commandFor is the command that decides a file.
func commandFor(app *cli.App, file string) (string, error) {
	extension := filepath.Ext(file)
	if language := extensions[extension]; language != 0 {
		if language&engine.Programs != 0 {
			return "verify", nil
		}
		return "solve", nil
	}
	if foreign[extension] != "" {
		return "verify", nil // which says what is wrong
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return "", usageError("%s is a folder: give files, or a list of tasks to hornbeam bench run", file)
	} else if err == nil || file == "-" {
		return "", usageError("the name of %s does not say what it holds: call hornbeam solve or hornbeam verify, with --lang", file)
	}
	var names []string
	for _, c := range app.Commands {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return "", usageError("no command or file is called %q%s (see hornbeam --help)", file, didYouMean(names, file))
}

// didYouMean asks whether the nearest of some names is meant, if one is near.
func didYouMean(names []string, word string) string {
	if nearest := usage.Nearest(names, word); nearest != "" {
		return "; did you mean " + nearest + "?"
	}
	return ""
}

// onUsageError says what is wrong with a command's flags.
func onUsageError(c *cli.Context, err error, _ bool) error {
	unknown, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !ok {
		return &coded{exitUsage, err}
	}
	var names []string
	for _, f := range c.Command.Flags {
		for _, n := range f.Names() {
			names = append(names, "--"+n)
		}
	}
	return usageError("%s has no flag --%s%s", c.Command.HelpName, unknown, didYouMean(names, "--"+unknown))
}
