package main

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
	"hornbeam/engine/portfolio"
)

// Every option of verify and hunt is accepted for the languages that its row names and refused, by its name, for the others
// and without the options that it needs.
func TestEachOptionHasAnEffectOrIsRefused(t *testing.T) {
	t.Parallel()
	inputs := map[engine.Languages]string{
		engine.Boogie:  tempFile(t, "p.bpl", "procedure q() {} procedure main() { var x: int; x := 1; call q(); assert x == 1; }"),
		engine.C:       tempFile(t, "p.c", "extern void reach_error(void); int q(void) { return 1; } int main(void) { here: if (!q()) reach_error(); return 0; }"),
		engine.Clauses: tempFile(t, "p.smt2", safe),
	}
	for command, table := range map[string][]engine.Option{"verify": verifyOptions(), "hunt": huntOptions()} {
		for _, o := range table {
			if command == "hunt" && o.Name == "bound" {
				continue // it makes a hunt of it: nothing to be refused
			}
			for language, file := range inputs {
				if command == "verify" && language == engine.Clauses {
					continue
				}
				name := command + " --" + o.Name + " " + language.String()
				flags := sampleFlags(t, o, language)
				applies := o.Languages == 0 || o.Languages&language != 0
				if applies && len(o.Needs) > 0 {
					r := call(t, "", append([]string{command, file}, flags...)...)
					require.Equal(t, exitUsage, r.code, name)
					require.Contains(t, r.err, "--"+o.Name+" has no effect without", name)
					flags = append(flags, neededFlags(t, o, table)...)
				}
				r := call(t, "", append([]string{command, file}, flags...)...)
				if !applies {
					require.Equal(t, exitUsage, r.code, name)
					require.Empty(t, r.out, name)
					require.Contains(t, r.err, "--"+o.Name+" is for ", name)
					continue
				}
				require.NotEqual(t, exitUsage, r.code, "%s: %s", name, r.err)
				if o.Name == "json" {
					require.NoError(t, validJSON([]byte(r.out)), name)
					continue
				}
				require.Contains(t, []string{"safe", "unsafe", "sat", "unknown", "true"}, r.verdict(), "%s: %s", name, r.err)
			}
		}
	}
}

// sampleFlags gives an option a value that it may have.
func sampleFlags(t *testing.T, o engine.Option, l engine.Languages) []string {
	t.Helper()
	value := map[string]string{
		"lang": map[engine.Languages]string{engine.Boogie: "boogie", engine.C: "c", engine.Clauses: "smtlib"}[l],
		"main": "main", "error": "q", "error-label": "here", "property": "unreach-call", "engine": "inline", "track": "none", "passes": "none",
		"trace": "text", "blocks": "basic", "solver": "libz3", "config": "none",
		"D": "N=1", "U": "N", "I": t.TempDir(), "std": "c99",
	}[o.Name]
	switch {
	case o.Kind == "bool" && o.Default == "true":
		return []string{"--no-" + o.Name}
	case o.Kind == "bool":
		return []string{"--" + o.Name}
	case value != "":
	case o.Name == "include" || o.Name == "stubs":
		value = tempFile(t, "more.c", "extern int more;\n")
	case o.Name == "compile-commands":
		value = tempFile(t, "compile_commands.json", "[]")
	case o.Name == "strategies":
		value = tempFile(t, "strategies.yml", string(portfolio.DefaultStrategies()))
	case o.Kind == "int":
		value = "7"
	case o.Kind == "duration":
		value = "20s"
	case o.Kind == "size":
		value = "4G"
	case len(o.Choices) > 0:
		value = o.Choices[1]
	default:
		value = filepath.Join(t.TempDir(), o.Name+".out")
	}
	return []string{"--" + o.Name, value}
}

// neededFlags gives one of the options that an option needs, among those of the command, a value.
func neededFlags(t *testing.T, o engine.Option, table []engine.Option) []string {
	t.Helper()
	for _, needed := range o.Needs {
		for _, other := range table {
			if other.Name == needed {
				return sampleFlags(t, other, engine.C)
			}
		}
	}
	require.Fail(t, "no option of the command is one that --"+o.Name+" needs")
	return nil
}

// Settings of engines have ranges; a value outside is refused.
func TestSettingsOutOfRangeAreRefused(t *testing.T) {
	t.Parallel()
	file := tempFile(t, "p.smt2", safe)
	for _, o := range portfolio.Settings() {
		if o.Kind != "int" {
			continue
		}
		r := call(t, "", "solve", file, "--option", fmt.Sprintf("%s=%d", o.Name, o.Min-1))
		require.Equal(t, exitUsage, r.code, o.Name)
		r.oneErrorLine(t)
		require.Contains(t, r.err, o.Name)
	}
}

func TestFlagsForEnginesThatDoNotReadThemAreRefused(t *testing.T) {
	t.Parallel()
	file := tempFile(t, "endless.smt2", endless)
	for _, o := range engineFlagOptions() {
		r := call(t, "", "solve", file, "--engine", "spacer", "--timeout", "1", "--"+o.Name, o.Default)
		require.Equal(t, exitUsage, r.code, o.Name)
		require.Contains(t, r.err, "--"+o.Name+" is for the engines ")
		r = call(t, safe, "solve", "-", "--engine", "inline", "--"+o.Name, o.Default)
		require.Equal(t, result{exitOK, "sat\n", ""}, r, o.Name)
		require.Equal(t, "sat", call(t, safe, "solve", "-", "--"+o.Name, o.Default).verdict(), "the portfolio has a hunter")
	}
}
