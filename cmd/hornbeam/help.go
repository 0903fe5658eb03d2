package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"hornbeam/chc/transform/passes"
	"hornbeam/cmd/hornbeam/internal/doctor"
	"hornbeam/cmd/hornbeam/internal/settings"
	"hornbeam/cmd/hornbeam/internal/usage"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/c/svcomp"
	"hornbeam/internal/smt/z3"
)

// versionLine is what --version prints: the version, and of what the program is made.
func versionLine() string {
	parts := []string{runtime.Version(), "Z3 " + z3.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		set := map[string]string{}
		for _, s := range info.Settings {
			set[s.Key] = s.Value
		}
		if commit := set["vcs.revision"]; commit != "" {
			commit = "commit " + commit[:min(12, len(commit))]
			if set["vcs.modified"] == "true" {
				commit += " with changes"
			}
			parts = slices.Insert(parts, 0, commit)
		}
	}
	return fmt.Sprintf("hornbeam %s (%s)", version, strings.Join(parts, ", "))
}

// written are the topics of help that are made from tables; options is what hornbeam options prints.
func written(s streams) map[string]func() error {
	return map[string]func() error{
		"options": func() error { return s.allOptions("") },
		"passes":  s.passes,
		"engines": func() error {
			entries := [][2]string{{portfolio.Auto, portfolio.AutoDoc}}
			for _, e := range portfolio.Engines() {
				entries = append(entries, [2]string{e.Name, e.Doc})
			}
			return usage.Entries(s.out, s.style(), "Engines (--engine NAMES)", entries)
		},
		"presets": func() error {
			var entries [][2]string
			for _, p := range settings.Presets {
				entries = append(entries, [2]string{p.Name, p.Doc})
			}
			return usage.Entries(s.out, s.style(), "Presets (--preset NAME)", entries)
		},
	}
}

// about says what the topics of help are about.
var about = map[string]string{
	"configuration": "hornbeam.toml, the file of a project's settings",
	"engines":       "who decides: --engine NAMES",
	"exit-codes":    "what the numbers say that the program ends with",
	"files":         "what is read, by the ends of files' names",
	"options":       "all flags and settings; of one command: help options verify",
	"output":        "what is printed, and where",
	"passes":        "what happens to clauses before they are decided",
	"presets":       "flags for a purpose: --preset NAME",
	"topics":        "this list",
}

// allOptions writes the options of a command, or of all and the engines.
func (s streams) allOptions(command string) error {
	if command != "" {
		return usage.Options(s.out, s.style(), "Flags of hornbeam "+command, optionsOf(command))
	}
	for _, name := range optionCommands {
		if err := usage.Options(s.out, s.style(), "Flags of hornbeam "+name, optionsOf(name)); err != nil {
			return err
		}
		fmt.Fprintln(s.out)
	}
	return usage.Options(s.out, s.style(), "Engines' settings (--option NAME=VALUE, may be repeated)", portfolio.Settings())
}

// passes writes the passes, and which of them run by default.
func (s streams) passes() error {
	var entries [][2]string
	for _, p := range describePasses() {
		entries = append(entries, [2]string{p.Name, p.mark + ": " + p.Doc})
	}
	return usage.Entries(s.out, s.style(), "Passes (--passes NAMES), and whether they are run by default", entries)
}

// topics are the names of the topics of help, without those of the commands.
func topics(s streams) []string {
	names := append(usage.Topics(), "topics")
	for name := range written(s) {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func helpCommand(s streams) *cli.Command {
	return &cli.Command{
		Name: "help", Category: usage.Learn, Usage: "explain a command or a topic", ArgsUsage: "[TOPIC]", OnUsageError: onUsageError,
		Description: "The topics are the commands and " + strings.Join(topics(s), ", ") + ".",
		Action: func(c *cli.Context) error {
			if !c.Args().Present() {
				return usage.Program(s.out, s.style(), c.App)
			}
			words := c.Args().Slice()
			topic := strings.Join(words, "-")
			if topic == "topics" {
				var entries [][2]string
				for _, name := range topics(s) {
					entries = append(entries, [2]string{name, about[name]})
				}
				return usage.Entries(s.out, s.style(), "hornbeam help TOPIC explains a command, or one of", entries)
			}
			if len(words) == 2 && words[0] == "options" {
				if optionsOf(words[1]) == nil {
					return usageError("there are no options of %q%s", words[1], didYouMean(optionCommands, words[1]))
				}
				return s.allOptions(words[1])
			}
			if write := written(s)[topic]; write != nil {
				return write()
			}
			if command := c.App.Command(words[0]); command != nil && !command.Hidden {
				asked, err := readArgs(c.App, slices.Concat([]string{c.App.Name}, words, []string{"--help"}))
				if err != nil {
					return err
				}
				return usage.Command(s.out, s.style(), asked.name, asked.page)
			}
			if found, err := usage.Topic(s.out, s.style(), topic); found || err != nil {
				return err
			}
			names := topics(s)
			for _, command := range c.App.Commands {
				if !command.Hidden {
					names = append(names, command.Name)
				}
			}
			return usageError("there is no help on %q%s (see hornbeam help topics)", topic, didYouMean(names, topic))
		},
	}
}

func doctorCommand(s streams) *cli.Command {
	return &cli.Command{
		Name: "doctor", Category: usage.Learn, Usage: "say which programs Hornbeam works with are there, and what for", OnUsageError: onUsageError,
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usageError("doctor takes no arguments")
			}
			library := "found: the library, which everything needs"
			if header := z3.HeaderVersion(); header != z3.Version() {
				library += "; Hornbeam was compiled for " + header
			}
			entries := [][2]string{{"Z3 " + z3.Version(), library}}
			for _, f := range doctor.Look(c.Context) {
				what := "missing: " + f.For
				if f.Path != "" {
					what = "found " + f.Path + strings.TrimSuffix(" ("+f.Version+")", " ()") + ": " + f.For
				}
				entries = append(entries, [2]string{f.Names[0], what})
			}
			return usage.Entries(s.out, s.style(), versionLine(), entries)
		},
	}
}

func completionCommand(s streams) *cli.Command {
	return &cli.Command{
		Name: "completion", Category: usage.Learn, Usage: "print what makes a shell complete commands and flags", ArgsUsage: strings.Join(usage.Shells, "|"), OnUsageError: onUsageError,
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 || !slices.Contains(usage.Shells, c.Args().First()) {
				return usageError("completion needs the name of a shell: %s", strings.Join(usage.Shells, ", "))
			}
			return usage.Completion(s.out, c.Args().First())
		},
	}
}

func manualCommand(s streams) *cli.Command {
	return &cli.Command{
		Name: "manual", Category: usage.Learn, Usage: "print the manual page, as man reads it", OnUsageError: onUsageError,
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usageError("manual takes no arguments")
			}
			return usage.Manual(s.out, c.App)
		},
	}
}

// completeCommand is what the scripts of completion call: it prints what may stand in place of the last word.
func completeCommand(s streams) *cli.Command {
	return &cli.Command{
		Name: "complete", Hidden: true, SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			for _, found := range usage.Complete(c.App, completed(s, c.App), c.Args().Slice()) {
				if _, err := fmt.Fprintf(s.out, "%s\t%s\n", found[0], found[1]); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// completed are the words that shells complete beside commands, flags and the choices of these.
func completed(s streams, app *cli.App) usage.Words {
	engines := []string{portfolio.Auto}
	for _, e := range portfolio.Engines() {
		engines = append(engines, e.Name)
	}
	var names, options []string
	for _, p := range passes.All() {
		names = append(names, p.Name)
	}
	for _, o := range portfolio.Settings() {
		options = append(options, o.Name+"=")
	}
	subjects := topics(s)
	for _, c := range app.Commands {
		if !c.Hidden {
			subjects = append(subjects, c.Name)
		}
	}
	slices.Sort(subjects)
	return usage.Words{
		Values:    map[string][]string{"engine": engines, "passes": names, "option": options, "property": append(svcomp.Names(), "all")},
		Arguments: map[string][]string{"help": slices.Compact(subjects), "completion": usage.Shells},
	}
}
