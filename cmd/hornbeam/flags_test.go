package main

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
)

// Every option of verify and hunt is accepted for the languages that its row names and refused, by its name, for the others
// and without the options that it needs.
func TestEachOptionHasAnEffectOrIsRefused(t *testing.T) {
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
		"trace": "text",
	}[o.Name]
	switch {
	case o.Kind == "bool" && o.Default == "true":
		return []string{"--no-" + o.Name}
	case o.Kind == "bool":
		return []string{"--" + o.Name}
	case value != "":
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

// Settings of engines have ranges; a value outside is refused, and so is a setting that no chosen engine reads.
func TestSettingsOutOfRangeAreRefused(t *testing.T) {
	file := tempFile(t, "p.smt2", safe)
	for _, o := range engineOptions() {
		if o.Kind != "int" {
			continue
		}
		r := call(t, "", "solve", file, "--option", fmt.Sprintf("%s=%d", o.Name, o.Min-1))
		require.Equal(t, exitUsage, r.code, o.Name)
		r.oneErrorLine(t)
		require.Contains(t, r.err, o.Name)
	}
	r := call(t, "", "solve", file, "--engine", "spacer", "--option", "inline.start=2")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "--engine spacer does not read it")
}

// What the name of a file says of its language decides which command reads it; --lang says it where the name does not.
func TestLanguagesOfInputs(t *testing.T) {
	c := "extern void reach_error(void); int main(void) { return 0; }"
	clauses, program, other := tempFile(t, "p.smt2", safe), tempFile(t, "p.bpl", "procedure main() {}"), tempFile(t, "p.x", c)
	for _, wrong := range []struct {
		args []string
		says string
	}{
		{[]string{"verify", clauses}, "hornbeam solve and hornbeam hunt do"},
		{[]string{"solve", program}, "hornbeam verify and hornbeam hunt do"},
		{[]string{"verify", other}, "give --lang c, boogie or smtlib"},
		{[]string{"hunt", other}, "give --lang c, boogie or smtlib"},
		{[]string{"show", other}, "give --lang c, boogie or smtlib"},
		{[]string{"verify", tempFile(t, "p.cpp", c)}, "is C++ by its name"},
		{[]string{"verify", program, "--lang", "fortran"}, "choose one of"},
		{[]string{"verify", "-", "--bits", "allbv"}, "standard input is taken for a Boogie program"},
		{[]string{"verify", program, "--32"}, "--32 is for C programs, and " + program + " holds a Boogie program"},
	} {
		r := call(t, c, wrong.args...)
		require.Equal(t, exitUsage, r.code, wrong.args)
		require.Empty(t, r.out, wrong.args)
		r.oneErrorLine(t)
		require.Contains(t, r.err, wrong.says, wrong.args)
	}
	for _, args := range [][]string{{"verify", "--lang", "c", other}, {"verify", "--lang", "c", "-"}, {"verify", tempFile(t, "p.hcc", c)}, {"verify", tempFile(t, "p.h", c)}, {"hunt", "--lang", "c", "-"}} {
		require.Equal(t, "safe", call(t, c, args...).verdict(), args)
	}
	require.Equal(t, "sat", call(t, safe, "hunt", "--lang", "smtlib", "-").verdict())
}

// A call of a function that --error or the property names is an error, whatever the function does; a name that the program does
// not have is refused.
func TestErrorFunctionsOfC(t *testing.T) {
	program := tempFile(t, "p.c", `extern int nd(void);
void fail(int x) { if (x) return; }
int main(void) { int n = nd(); if (n > 5 && n < 7) fail(n); return 0; }`)
	require.Equal(t, "safe", call(t, "", "verify", program).verdict())
	property := tempFile(t, "p.prp", "CHECK( init(main()), LTL(G ! call(fail())) )")
	for _, flags := range [][]string{{"--error", "fail"}, {"--error", "nd,fail", "--explore", "0s"}, {"--error", "fail", "--bits", "allbv", "--explore", "0s"}, {"--property", property}} {
		r := call(t, "", append([]string{"verify", program, "--json"}, flags...)...)
		require.Equal(t, "unsafe", r.verdict(), flags)
	}
	r := call(t, "", "verify", program, "--error", "nothing")
	require.Equal(t, result{exitUsage, "", "hornbeam: --error nothing: " + program + " has no function of that name\n"}, r)
	boogie := tempFile(t, "p.bpl", "procedure main() {}")
	r = call(t, "", "verify", boogie, "--error", "nothing")
	require.Equal(t, result{exitUsage, "", "hornbeam: --error nothing: " + boogie + " has no procedure of that name\n"}, r)
}
