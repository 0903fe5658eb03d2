package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/c/translate"
)

// engineFlags are the flags that stand for settings of engines, in the order in which they are listed: each is named
// after its setting.
var engineFlags = []string{"inline.bound", "inline.track", "inline.refine"}

// flagOf is the name of the flag for an engine's setting.
func flagOf(option string) string { return option[strings.LastIndexByte(option, '.')+1:] }

// engineFlagOptions is the table of the flags that stand for engines' settings.
func engineFlagOptions() []engine.Option {
	var table []engine.Option
	all := portfolio.Settings()
	for _, name := range engineFlags {
		i := slices.IndexFunc(all, func(o engine.Option) bool { return o.Name == name })
		if i < 0 {
			continue
		}
		o := all[i]
		o.Name = flagOf(name)
		o.Doc = fmt.Sprintf("%s; the same as --option %s=…, for the engines %s", o.Doc, name, strings.Join(readers(name), ", "))
		if name == "inline.track" {
			o.Doc += ". For a C program mem, ptr and reg say what is kept of its state: everything, what no pointer leads to, or of that the numbers only; what is left out has any value, so that a proof holds, and what is found is run before it is believed"
		}
		table = append(table, o)
	}
	return table
}

// readers are the names of the engines that have a setting.
func readers(option string) []string {
	var names []string
	for _, e := range portfolio.Engines() {
		if slices.ContainsFunc(e.Options, func(o engine.Option) bool { return o.Name == option }) {
			names = append(names, e.Name)
		}
	}
	return names
}

// withEngineFlags adds the flags that stand for engines' settings, where they are given, to the settings of --option. A
// flag that none of the engines reads, or that says the same as an --option, is a usage error.
func (j *job) withEngineFlags(c *cli.Context, engines []string, set map[string]string) (map[string]string, error) {
	v, out := j.values, maps.Clone(set)
	for _, name := range engineFlags {
		flag := flagOf(name)
		if !given(c, flag) {
			continue
		}
		if name == "inline.track" && slices.Contains(translate.Tracks, v.Text(flag)) && j.allHold(engine.C) {
			continue // it is the translation's
		}
		who := readers(name)
		if !slices.ContainsFunc(engines, func(e string) bool { return e == portfolio.Auto || slices.Contains(who, e) }) {
			return nil, usageError("--%s is for the engines %s; --engine %s does not read it", flag, strings.Join(who, ", "),
				strings.Join(engines, ","))
		}
		if _, twice := set[name]; twice {
			return nil, usageError("--%s and --option %s say the same; give one of them", flag, name)
		}
		out[name] = v.Text(flag)
	}
	return out, nil
}

// checkReaders refuses settings that none of the engines reads.
func checkReaders(engines []string, set map[string]string) error {
	if slices.Contains(engines, portfolio.Auto) {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		who := readers(name)
		if !slices.ContainsFunc(engines, func(e string) bool { return slices.Contains(who, e) }) {
			return usageError("--option %s is for the engines %s; --engine %s does not read it", name, strings.Join(who, ", "), strings.Join(engines, ","))
		}
	}
	return nil
}

// enginesOf reads an --engine list: auto alone, or names of different engines.
func enginesOf(list string) ([]string, error) {
	names := strings.Split(list, ",")
	var known []string
	for _, e := range portfolio.Engines() {
		known = append(known, e.Name)
	}
	for i, n := range names {
		switch {
		case n == portfolio.Auto && len(names) > 1:
			return nil, usageError("--engine %s: %s chooses engines itself and stands alone", list, n)
		case n != portfolio.Auto && !slices.Contains(known, n):
			return nil, usageError("--engine %s: no engine is called %q; choose %s, or one or several of %s", list, n, portfolio.Auto, strings.Join(known, ", "))
		case slices.Contains(names[:i], n):
			return nil, usageError("--engine %s: %s is named twice", list, n)
		}
	}
	return names, nil
}
