package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/urfave/cli/v2"

	"hornbeam/cmd/hornbeam/internal/settings"
	"hornbeam/cmd/hornbeam/internal/usage"
)

// A page of help fits on a terminal of 80 columns, and says something of each of its flags.
func TestPagesFitOnATerminal(t *testing.T) {
	t.Parallel()
	app := streams{out: &output{}}.app()
	var names []string
	var collect func(prefix string, commands []*cli.Command)
	collect = func(prefix string, commands []*cli.Command) {
		for _, c := range commands {
			if !c.Hidden {
				names = append(names, prefix+c.Name)
				collect(prefix+c.Name+" ", c.Subcommands)
			}
		}
	}
	collect("", app.Commands)
	pages := [][]string{nil}
	for _, name := range names {
		pages = append(pages, append(strings.Fields(name), "--help"))
	}
	for _, topic := range topics(streams{}) {
		pages = append(pages, []string{"help", topic})
		require.NotEmpty(t, about[topic], topic)
	}
	for _, name := range optionCommands {
		pages = append(pages, []string{"help", "options", name})
	}
	for _, args := range pages {
		r := call(t, "", args...)
		require.Equal(t, exitOK, r.code, "%v: %s", args, r.err)
		require.NotEmpty(t, r.out, args)
		for line := range strings.Lines(r.out) {
			line = strings.TrimSuffix(line, "\n")
			require.LessOrEqual(t, utf8.RuneCountInString(line), 80, "%v: %s", args, line)
			require.Equal(t, strings.TrimRight(line, " "), line, "%v", args)
		}
	}
}

// The groups of flags and the presets name flags that there are.
func TestGroupsAndPresetsNameFlags(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"option": true}
	for _, table := range settingTables() {
		for _, o := range table {
			known[o.Name] = true
		}
	}
	for _, g := range usage.Groups {
		for _, name := range g.Names {
			require.True(t, known[name] || name == "sarif", name)
		}
	}
	for _, p := range settings.Presets {
		for name, value := range p.Values {
			require.True(t, known[name], "%s: %s", p.Name, name)
			require.NotEqual(t, "check", name)
			for _, table := range settingTables() {
				for _, o := range table {
					if o.Name == name {
						require.NoError(t, o.Validate(value))
					}
				}
			}
		}
	}
}
