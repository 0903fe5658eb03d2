package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersionIsOneLine(t *testing.T) {
	for _, flag := range []string{"--version", "-v"} {
		r := call(t, "", flag)
		require.Equal(t, result{0, "hornbeam " + version + "\n", ""}, r)
	}
}

func TestHelpGoesToStandardOutput(t *testing.T) {
	for _, args := range [][]string{{}, {"--help"}, {"-h"}, {"solve", "--help"}, {"solve", "x.smt2", "--help"}, {"check", "-h"}, {"show", "--help"}, {"options", "--help"}} {
		r := call(t, "", args...)
		require.Zero(t, r.code, args)
		require.Empty(t, r.err, args)
		require.Contains(t, r.out, "USAGE:", args)
	}
	for _, o := range solveOptions() {
		require.Contains(t, call(t, "", "solve", "--help").out, "--"+o.Name)
	}
}

func TestWrongUsageIsOneLineAndExitCode1(t *testing.T) {
	file := tempFile(t, "safe.smt2", safe)
	for _, args := range [][]string{
		{"frobnicate"}, {"--frobnicate"}, {"solve"}, {"solve", "--frobnicate", file}, {"solve", file, "--frobnicate"},
		{"solve", file, "--timeout"}, {"solve", "--timeout", file}, {"solve", file, "--timeout", "soon"}, {"solve", file, "--timeout=-1"},
		{"solve", file, "--engine", "steam"}, {"solve", file, "--memory", "lots"}, {"solve", file, "--seed", "x"},
		{"solve", file, "--log", "loud"}, {"solve", file, "--progress", "some"}, {"solve", file, "--model=perhaps"},
		{"solve", file, "--passes", "magic"}, {"solve", file, "--option", "magic=1"}, {"solve", file, "--option", "spacer.inductive=7"},
		{"solve", file, "--trace", filepath.Join(t.TempDir(), "missing", "trace.jsonl")},
		{"solve", file, "--cpuprofile", filepath.Join(t.TempDir(), "missing", "profile")},
		{"check"}, {"check", file}, {"check", file, file, file}, {"check", "-", "-"}, {"check", file, file, "--solver", "no-such-solver"},
		{"show"}, {"show", file, file}, {"show", file, "--passes", "magic"}, {"show", file, "--format", "png"}, {"options", "all"},
	} {
		r := call(t, "", args...)
		require.Equal(t, exitUsage, r.code, "%v: %s%s", args, r.out, r.err)
		require.Empty(t, r.out, args)
		r.oneErrorLine(t)
	}
}

// fullDevice is a writer on which there is room for a number of bytes.
type fullDevice struct{ room int }

func (d *fullDevice) Write(b []byte) (int, error) {
	if n := d.room; len(b) > n {
		d.room = 0
		return n, syscall.ENOSPC
	}
	d.room -= len(b)
	return len(b), nil
}

func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	horn, bad := tempFile(t, "safe.smt2", safe), tempFile(t, "buggy.smt2", buggy)
	boogie := tempFile(t, "bug.bpl", "procedure main() { assert false; }")
	model := tempFile(t, "model", call(t, "", "solve", "--model", horn).out)
	lists := tempFile(t, "list.txt", "")
	for _, args := range [][]string{
		{"--version"}, {"--help"}, {}, {"solve", "--help"}, {"options"}, {"solve", "--passes", "help", horn}, {"show", "--passes", "help"},
		{"solve", horn}, {"solve", "--model", horn}, {"solve", "--json", horn}, {"solve", horn, bad}, {"solve", "--proof", bad},
		{"hunt", bad}, {"hunt", "--all", bad}, {"hunt", "--all", "--json", bad}, {"hunt", "--json", bad}, {"hunt", boogie},
		{"verify", boogie}, {"verify", "--trace", "json", boogie}, {"verify", "--json", boogie}, {"corral", boogie, "/noTraceOnDisk"},
		{"check", horn, model}, {"show", horn}, {"show", "--format", "svg", horn}, {"bench", "--help"}, {"bench", "families"}, {"bench", "run", "--help", lists},
	} {
		var whole, messages bytes.Buffer
		run(context.Background(), append([]string{"hornbeam"}, args...), strings.NewReader(""), &whole, &messages)
		require.NotEmpty(t, whole.String(), args)
		for _, room := range []int{0, 1, whole.Len() / 2} {
			messages.Reset()
			code := run(context.Background(), append([]string{"hornbeam"}, args...), strings.NewReader(""), &fullDevice{room}, &messages)
			require.Equal(t, exitUsage, code, "%v with room for %d bytes", args, room)
			require.Equal(t, 1, strings.Count(messages.String(), "no space left on device"), "%v: %s", args, &messages)
			require.NotContains(t, messages.String(), "print the answer")
		}
	}
}

func TestFlagsMayStandBeforeAndAfterFiles(t *testing.T) {
	file := tempFile(t, "safe.smt2", safe)
	want := call(t, "", "solve", "--model", "--timeout", "60", file)
	require.Equal(t, "sat", want.verdict())
	require.Contains(t, want.out, "define-fun")
	for _, args := range [][]string{
		{file, "--model", "--timeout", "60"}, {"--timeout=60s", file, "--model"}, {"--model", "--", file}, {"-model", file, "--timeout", "1m"},
		{"--model", "--no-check", file}, {"--check=false", "--model=true", file},
	} {
		require.Equal(t, want, call(t, "", append([]string{"solve"}, args...)...), args)
	}
}

func TestBadInputIsNamedWithItsPlace(t *testing.T) {
	for text, place := range map[string]string{
		"p":                               ":1:1: ",
		"(assert":                         ":1:",
		"(set-logic HORN)\n(assert (p))":  ":2:10: ",
		"(assert |\nsat\n|)":              ":1:9: ",
		"\x00":                            ":1:1: ",
		"(set-logic HORN)\n(frobnicate)":  ":2:2: ",
		"(declare-fun p (Int) Bool)\n(p)": ":2:2: ",
	} {
		file := tempFile(t, "bad.smt2", text)
		r := call(t, "", "solve", "--json", "--model", file)
		require.Equal(t, exitBadInput, r.code, text)
		require.Empty(t, r.out, text)
		r.oneErrorLine(t)
		require.True(t, strings.HasPrefix(r.err, file+place), "%s: %s", text, r.err)
		r = call(t, text, "solve", "-")
		require.Equal(t, exitBadInput, r.code, text)
		require.True(t, strings.HasPrefix(r.err, "<stdin>"+place), r.err)
		for _, other := range [][]string{{"show", file}, {"check", file, file}} {
			r := call(t, "", other...)
			require.Equal(t, exitBadInput, r.code, "%v", other)
			require.True(t, strings.HasPrefix(r.err, file+place), r.err)
		}
	}
}

func TestFilesThatCannotBeReadAreBadInput(t *testing.T) {
	for _, file := range []string{filepath.Join(t.TempDir(), "missing.smt2"), t.TempDir(), ""} {
		r := call(t, "", "solve", file)
		require.Equal(t, exitBadInput, r.code, file)
		require.Empty(t, r.out, file)
		r.oneErrorLine(t)
		require.Contains(t, r.err, file)
	}
}

func TestUnsupportedInputIsUnknownWithItsPlace(t *testing.T) {
	for _, text := range []string{
		"(set-logic HORN)\n(push 1)\n(check-sat)", "(set-logic HORN)\n(declare-fun p (String) Bool)\n",
		"(set-logic HORN)\n(define-fun-rec f ((x Int)) Int (f x))",
	} {
		file := tempFile(t, "new.smt2", text)
		r := call(t, "", "solve", file)
		require.Equal(t, exitOK, r.code)
		require.Equal(t, "unknown\n", r.out)
		r.oneErrorLine(t)
		require.True(t, strings.HasPrefix(r.err, "; "+file+":2:"), r.err)
		require.Contains(t, r.err, "unsupported")
	}
}

func TestAnEmptyFileIsSatisfiable(t *testing.T) {
	require.Equal(t, result{0, "sat\n(\n)\n", ""}, call(t, "", "solve", "--model", tempFile(t, "empty.smt2", "")))
}

func TestSeveralFilesHaveAVerdictEachAndTheWorstExitCode(t *testing.T) {
	a := tempFile(t, "safe.smt2", safe)
	bad := tempFile(t, "bad.smt2", "(")
	var out, messages bytes.Buffer
	code := run(context.Background(), []string{"hornbeam", "solve", a, bad, "-", "--json"}, strings.NewReader(buggy), &out, &messages)
	require.Equal(t, exitBadInput, code)
	lines := strings.Split(out.String(), "\n")
	require.Len(t, lines, 5)
	require.Equal(t, []string{"sat", "unsat", ""}, []string{lines[0], lines[2], lines[4]})
	require.Contains(t, lines[1], "safe")
	require.Equal(t, 4, strings.Count(messages.String(), "\n"), messages.String())
}

func TestPassesAreListed(t *testing.T) {
	for _, args := range [][]string{{"solve", "--passes", "help"}, {"solve", "--passes=list"}, {"show", "--passes", "help"}} {
		r := call(t, "", args...)
		require.Zero(t, r.code)
		for _, p := range describePasses() {
			require.Contains(t, r.out, p.Name)
			require.Contains(t, r.out, p.Doc)
		}
	}
}

func TestPassesAreSelected(t *testing.T) {
	for _, list := range []string{"default", "none", "all", "-inline", "normalise,slice"} {
		require.Equal(t, "sat", call(t, safe, "solve", "-", "--passes", list).verdict(), list)
		require.Equal(t, "unsat", call(t, buggy, "solve", "-", "--passes", list).verdict(), list)
	}
}

func TestShowPrintsEveryFormat(t *testing.T) {
	file := tempFile(t, "safe.smt2", safe)
	r := call(t, "", "show", file)
	require.Zero(t, r.code)
	for _, part := range []string{"before preprocessing", "after preprocessing", "passes", "inline"} {
		require.Contains(t, r.out, part)
	}
	require.Contains(t, call(t, "", "show", "--format", "dot", file).out, "digraph")
	require.Contains(t, call(t, "", "show", file, "--format=svg", "--before").out, "<svg")
	for _, flags := range [][]string{{"--before"}, nil} {
		text := call(t, "", append([]string{"show", "--format", "smt2", file}, flags...)...).out
		require.Equal(t, "sat", call(t, text, "solve", "-").verdict(), "what show prints has the same verdict")
	}
}

func TestOptionsAreTheDocumentation(t *testing.T) {
	want, err := os.ReadFile("../../docs/options.md")
	require.NoError(t, err)
	require.Equal(t, string(want), call(t, "", "options").out, "make docs brings docs/options.md up to date")
}
