package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/urfave/cli/v2"

	"hornbeam/cmd/hornbeam/internal/settings"
	"hornbeam/cmd/hornbeam/internal/usage"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/lsp"
	"hornbeam/lsp/inspect"
	"hornbeam/verify"
)

// lspOptions is the table of lsp's options. Those of programs are verify's.
func lspOptions() []engine.Option {
	return append(new(inspect.Settings).Table(),
		engine.Option{Name: "stdio", Kind: "bool", Default: "false", Doc: "talk on standard input and output, which is done in any case; editors give this flag"},
		engine.Option{Name: "config", Kind: "string", Default: "auto", Doc: "the file of settings; auto is the nearest hornbeam.toml in the folder of each file or above it, none reads none; see hornbeam help configuration"},
		engine.Option{Name: "log", Kind: "string", Default: "warn", Choices: []string{"debug", "info", "warn", "error"}, Doc: "the least level of messages on standard error"},
	)
}

func lspCommand(s streams) *cli.Command {
	table := lspOptions()
	return &cli.Command{
		Name: "lsp", Usage: "serve an editor: diagnostics, verdicts on save, invariants in the lines", Flags: usage.Flags(table),
		Category: usage.Inspect, OnUsageError: onUsageError,
		Description: "It speaks the Language Server Protocol on standard input and output, for Boogie, C and Horn clauses in SMT-LIB. docs/editors.md sets editors up.",
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usageError("lsp takes no arguments: it is told of files by the editor")
			}
			flags := map[string]string{}
			for _, o := range table {
				switch {
				case !given(c, o.Name):
				case o.Kind == "bool":
					flags[o.Name] = fmt.Sprint(c.Bool(o.Name) && !c.Bool("no-"+o.Name))
				default:
					flags[o.Name] = c.String(o.Name)
				}
			}
			if _, err := engine.NewValues(table, flags); err != nil {
				return &coded{exitUsage, err}
			}
			err := lsp.Serve(c.Context, lsp.Options{
				In: s.in, Out: s.out, Version: version, Log: newLog(s.err, c.String("log")),
				Configure: func(folder string) (set, engines map[string]string, err error) {
					set, engines, err = configured(folder, c.String("config"))
					maps.Copy(set, flags)
					return set, engines, err
				},
			})
			switch {
			case errors.Is(err, lsp.ErrAbandoned):
				return &coded{exitUsage, err}
			case err != nil:
				return &coded{code: exitUsage}
			}
			return nil
		},
	}
}

// configured are the settings of an editor's files in a folder: the section lsp of the file of settings over what verify has of
// programs' options there.
func configured(folder, config string) (set, engines map[string]string, err error) {
	set, engines = map[string]string{}, map[string]string{}
	path := config
	switch config {
	case "none":
		return set, engines, nil
	case "auto":
		if path = settings.Find(folder); path == "" {
			return set, engines, nil
		}
	}
	file, err := settings.Read(path, settingTables(), portfolio.Settings())
	if err != nil {
		return set, engines, err
	}
	programs := file.For("verify", "")
	for _, o := range new(verify.Options).Table() {
		if value, ok := programs[o.Name]; ok {
			set[o.Name] = value
		}
	}
	own := lspOptions()
	for name, value := range file.For("lsp", "") {
		if slices.ContainsFunc(own, func(o engine.Option) bool { return o.Name == name }) {
			set[name] = value
		}
	}
	maps.Copy(engines, file.Engines())
	return set, engines, nil
}
