package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// flagsFirst moves the flags of a command or of its subcommand before its files, so that they may be given in any order. A flag at the end that
// lacks its value is a usage error.
func flagsFirst(app *cli.App, args []string) ([]string, error) {
	if len(args) < 3 {
		return args, nil
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
	if command == nil || command.SkipFlagParsing {
		return args, nil
	}
	takesValue := map[string]bool{}
	for _, f := range command.Flags {
		if d, ok := f.(cli.DocGenerationFlag); ok && d.TakesValue() {
			for _, n := range f.Names() {
				takesValue[n] = true
			}
		}
	}
	flags, files := args[:words:words], []string{"--"}
	rest := args[words:]
	for len(rest) > 0 {
		a := rest[0]
		rest = rest[1:]
		name := strings.TrimLeft(a, "-")
		switch {
		case a == "--":
			files = append(files, rest...)
			rest = nil
		case a == "-" || name == a:
			files = append(files, a)
		case name == "help" || name == "h":
			return append(args[:words:words], "--help"), nil
		case takesValue[name] && len(rest) == 0:
			return nil, usageError("the flag %s needs a value", a)
		case takesValue[name]:
			flags = append(flags, a, rest[0])
			rest = rest[1:]
		default:
			flags = append(flags, a)
		}
	}
	return append(flags, files...), nil
}
