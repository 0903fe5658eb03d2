package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"hornbeam/chc/transform"
	"hornbeam/chc/transform/passes"
	"hornbeam/cmd/hornbeam/internal/settings"
	"hornbeam/cmd/hornbeam/internal/usage"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
)

// solveOptions is the table of solve's options: it makes the flags, their help and the documentation.
func solveOptions() []engine.Option {
	var engines, names []string
	for _, e := range portfolio.Engines() {
		engines = append(engines, e.Name)
	}
	for _, p := range passes.All() {
		names = append(names, p.Name)
	}
	return append([]engine.Option{
		{Name: "engine", Kind: "string", Default: portfolio.DefaultEngine, Doc: "who decides: " + portfolio.Auto + ", or one or several, side by side and separated by commas, of " + strings.Join(engines, ", ") + "; auto with --passes runs its first strategy only"},
		{Name: "strategies", Kind: "string", Default: "", Doc: "a file of strategies for --engine " + portfolio.Auto + ": which engines work on which clauses, with which passes, and when they start; hornbeam strategies prints those that it replaces"},
		solverOption("whom engines and passes ask; witnesses are checked by libz3 in any case"),
		{Name: "timeout", Kind: "duration", Default: "0s", Doc: "wall time for everything, reading and checking included; 0 is no limit"},
		{Name: "memory", Kind: "size", Default: "0", Doc: "resident memory of the process at which it gives up, such as 4G; 0 is no limit"},
		{Name: "seed", Kind: "int", Default: "0", Doc: "seed of the solver's random choices"},
		{Name: "deterministic", Kind: "bool", Default: "true", Doc: "the same input, options and seed have the same answer, by the same engine, with the same witness and counters, however busy the machine is: strategies work one at a time, by turns of solvers' work, and budgets count work; only --timeout and --memory depend on the machine. With --no-deterministic strategies work side by side, which is faster where cores are idle; so they do with another --solver"},
		{Name: "model", Kind: "bool", Default: "false", Doc: "print the model after sat, as SMT-LIB definitions"},
		{Name: "proof", Kind: "bool", Default: "false", Doc: "print the refutation after unsat, as ground steps"},
		{Name: "proof-format", Kind: "string", Default: proofHornbeam, Choices: []string{proofHornbeam, proofZ3, proofAlethe}, Needs: []string{"proof"}, Doc: "the form of the refutation: Hornbeam's ground steps, which check reads; z3's nested hyper-res steps; or a proof in Alethe for clauses over Bool, Int and Real, which Carcara checks"},
		{Name: "simplify", Kind: "duration", Default: "2s", Needs: []string{"model", "json"}, Doc: "the most time that goes into making a model smaller that is to be printed; 0 prints it as it was found"},
		{Name: "check", Kind: "bool", Default: "true", Doc: "check the witness on the clauses as they were read; off with --no-check"},
		{Name: "passes", Kind: "string", Default: "default", Doc: "preprocessing passes: a comma-separated list of " + strings.Join(names, ", ") + "; -NAME removes one of the default passes, none removes all, help lists them"},
		{Name: "blocks", Kind: "string", Default: passes.AutoBlocks, Check: passes.CheckBlocks, Doc: "which predicates are kept when others are resolved away: all (single); heads of loops, and predicates with several definitions (basic); heads of loops (loops); these and any without which a clause would have more than N atoms (a number N); or those without which the clauses would grow much (auto)"},
		{Name: "stats", Kind: "bool", Default: "false", Doc: "print counters and times to standard error"},
		{Name: "json", Kind: "bool", Default: "false", Doc: "print one object of JSON instead of everything else, with verdict, reason, witness and statistics, for bad input too; see docs/json.md"},
		{Name: "progress", Kind: "string", Default: "auto", Choices: []string{"auto", "on", "off"}, Doc: "live status lines on standard error, which strategies run, how deep they are and what they have learnt; auto only on a terminal, on prints a line a second where there is none"},
		{Name: "preset", Kind: "string", Default: settings.NoPreset, Choices: settings.PresetNames(), Doc: "flags for a purpose; hornbeam help presets says what they set"},
		{Name: "config", Kind: "string", Default: "auto", Doc: "the file of settings; auto is the nearest hornbeam.toml in the current folder or above it, none reads none; see hornbeam help configuration"},
		{Name: "log", Kind: "string", Default: "warn", Choices: []string{"debug", "info", "warn", "error"}, Doc: "the least level of messages on standard error"},
		{Name: "cpuprofile", Kind: "string", Default: "", Doc: "write a CPU profile of Hornbeam itself to this file, for go tool pprof"},
		{Name: "trace", Kind: "string", Default: "", Doc: "write one JSON line an event to this file; see docs/trace.md"},
	}, engineFlagOptions()...)
}

// command is a command with the flags of a table, whose values its action gets.
func command(name, sentence, arguments string, table []engine.Option, action func(*cli.Context, engine.Values) error) *cli.Command {
	return &cli.Command{
		Name: name, Usage: sentence, ArgsUsage: arguments, Flags: usage.Flags(table), Category: usage.Inspect, OnUsageError: onUsageError,
		Action: func(c *cli.Context) error {
			v, err := valuesOf(c, table)
			if err != nil {
				return err
			}
			return action(c, v)
		},
	}
}

// decidingCommand is a command that decides files, with engines' settings beside the flags of its table.
func decidingCommand(s streams, sentence, more string, table []engine.Option, r reader, action func(*cli.Context, *job) error) *cli.Command {
	c := command(r.command, sentence, "FILE... (- is standard input)", table, func(c *cli.Context, v engine.Values) error {
		j, err := newJob(c, s, v, table, r)
		if j == nil || err != nil {
			return err
		}
		return action(c, j)
	})
	c.Category, c.Description = usage.Decide, more
	c.Flags = append(c.Flags, &cli.StringSliceFlag{Name: "option", Usage: "an engine's setting as NAME=VALUE; see hornbeam options"})
	return c
}

// valuesOf reads the flags of a table back, validated. What is not on the command line is as the settings say.
func valuesOf(c *cli.Context, table []engine.Option) (engine.Values, error) {
	file, err := settingsOf(c, table)
	if err != nil {
		return engine.Values{}, err
	}
	preset := ""
	if c.IsSet("preset") {
		preset = c.String("preset")
	}
	set, configured := map[string]string{}, file.For(c.Command.Name, preset)
	for _, o := range table {
		if value, ok := configured[o.Name]; ok && !given(c, o.Name) {
			set[o.Name] = value
			continue
		}
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

// settingTables are the options of the commands that a file of settings is for.
func settingTables() map[string][]engine.Option {
	return map[string][]engine.Option{"solve": solveOptions(), "hunt": huntOptions(), "verify": verifyOptions(), "lsp": lspOptions()}
}

// settingsOf reads the file of settings that a command with the table is to go by, nil for none.
func settingsOf(c *cli.Context, table []engine.Option) (*settings.File, error) {
	if !slices.ContainsFunc(table, func(o engine.Option) bool { return o.Name == "config" }) {
		return nil, nil
	}
	path := c.String("config")
	switch path {
	case "none":
		return nil, nil
	case "auto":
		folder, err := os.Getwd()
		if err != nil {
			return nil, fmt.Errorf("look for %s: %w", settings.Name, err)
		}
		if path = settings.Find(folder); path == "" {
			return nil, nil
		}
	}
	f, err := settings.Read(path, settingTables(), portfolio.Settings())
	if err != nil {
		return nil, &coded{exitUsage, err}
	}
	return f, nil
}

// readEngineOptions reads the NAME=VALUE words of --option.
func readEngineOptions(words []string) (map[string]string, error) {
	set := map[string]string{}
	for _, w := range words {
		name, value, ok := strings.Cut(w, "=")
		o, known := portfolio.Setting(name)
		if !ok || !known {
			var names []string
			for _, o := range portfolio.Settings() {
				names = append(names, o.Name)
			}
			return nil, usageError("--option %s: give NAME=VALUE with a name that hornbeam options lists%s", w, didYouMean(names, name))
		}
		if err := o.Validate(value); err != nil {
			return nil, &coded{exitUsage, err}
		}
		set[name] = value
	}
	return set, nil
}

func optionsCommand(s streams) *cli.Command {
	c := command("options", "list every option, the passes and the engines with their settings, as Markdown", "", nil, func(c *cli.Context, _ engine.Values) error {
		if c.Args().Present() {
			return usageError("options takes no arguments")
		}
		writeOptions(s.out)
		return nil
	})
	c.Category = usage.Learn
	return c
}

// writeOptions prints the tables of options, engines and passes; docs/options.md is this text.
func writeOptions(w io.Writer) {
	table := func(title string, options []engine.Option) {
		fmt.Fprintf(w, "\n## %s\n\n| name | kind | default | what it does |\n|---|---|---|---|\n", title)
		for _, o := range options {
			value, choices := "", ""
			if o.Default != "" {
				value = "`" + o.Default + "`"
			}
			if len(o.Choices) > 0 {
				choices = " (" + strings.Join(o.Choices, ", ") + ")"
			}
			fmt.Fprintf(w, "| `%s` | %s | %s | %s%s |\n", o.Name, o.Kind, value, strings.ReplaceAll(o.Doc, "|", "\\|"), choices)
		}
	}
	fmt.Fprint(w, "# Options\n\nEvery flag, engine setting and pass; `hornbeam COMMAND --help` has those of one command:\n\n    hornbeam solve --engine spacer,inline --option spacer.halfspaces=false --timeout 30 FILE.smt2\n\nThis is what `hornbeam options` prints. A duration is a number of seconds, or has units as in `1m30s`; a size is a\n"+
		"number of bytes, or ends in `k`, `M` or `G`. A bool that is on is switched off by `--no-NAME` or `--NAME=false`.\n")
	for _, name := range optionCommands {
		table("Flags of `hornbeam "+name+"`", optionsOf(name))
	}
	table("Engine settings (`--option NAME=VALUE`, may be repeated)", portfolio.Settings())
	fmt.Fprint(w, "\n## Engines\n\n| name | what it does |\n|---|---|\n")
	fmt.Fprintf(w, "| `%s` | %s |\n", portfolio.Auto, portfolio.AutoDoc)
	for _, e := range portfolio.Engines() {
		fmt.Fprintf(w, "| `%s` | %s |\n", e.Name, e.Doc)
	}
	fmt.Fprint(w, "\n## Preprocessing passes\n\nIn the order in which they run, whatever the order of `--passes`.\n\n"+
		"| name | default | what it does |\n|---|---|---|\n")
	for _, p := range describePasses() {
		fmt.Fprintf(w, "| `%s` | %s | %s |\n", p.Name, p.mark, p.Doc)
	}
}

// optionCommands are the commands whose options are documented.
var optionCommands = []string{"solve", "hunt", "verify", "annotate", "check", "show", "lsp"}

// optionsOf is the table of one of optionCommands, nil for another word.
func optionsOf(command string) []engine.Option {
	switch command {
	case "solve":
		return solveOptions()
	case "hunt":
		return huntOptions()
	case "verify":
		return verifyOptions()
	case "annotate":
		return annotateOptions()
	case "check":
		return checkOptions()
	case "show":
		return showOptions()
	case "lsp":
		return lspOptions()
	}
	return nil
}

// describedPass is a pass with the word that says whether it is run by default.
type describedPass struct {
	transform.Pass
	mark string
}

func describePasses() []describedPass {
	byDefault := map[string]bool{}
	for _, p := range passes.Default() {
		byDefault[p.Name] = true
	}
	var ps []describedPass
	for _, p := range passes.All() {
		mark := "off"
		if byDefault[p.Name] {
			mark = "on"
		}
		ps = append(ps, describedPass{p, mark})
	}
	return ps
}

func strategiesCommand(s streams) *cli.Command {
	c := command("strategies", "print the strategies of the portfolio, in the form that --strategies reads", "", nil, func(c *cli.Context, _ engine.Values) error {
		if c.Args().Present() {
			return usageError("strategies takes no arguments")
		}
		_, err := s.out.Write(portfolio.DefaultStrategies())
		return err
	})
	c.Category = usage.Learn
	return c
}

// readStrategies reads the file of --strategies, nil for none and for a command without that flag.
func readStrategies(v engine.Values) (*portfolio.Table, error) {
	file := ""
	if v.Has("strategies") {
		file = v.Text("strategies")
	}
	switch {
	case file == "":
		return nil, nil
	case v.Text("engine") != portfolio.Auto:
		return nil, usageError("--strategies %s is for --engine %s; --engine %s chooses no strategies", file, portfolio.Auto, v.Text("engine"))
	case v.Text("passes") != "default":
		return nil, usageError("--strategies %s says which passes run; --passes does so, too: give one of them", file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, usageError("--strategies: %w", err)
	}
	t, err := portfolio.ParseTable(file, text)
	if err != nil {
		return nil, &coded{exitUsage, err}
	}
	return t, nil
}
