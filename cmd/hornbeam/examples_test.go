package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// eachExample calls a function with the files of a pattern, as a parallel subtest each, and with what a line of the file says the
// verdict is.
func eachExample(t *testing.T, pattern string, least int, verdict *regexp.Regexp, test func(t *testing.T, file, text, want string)) {
	t.Helper()
	files, err := filepath.Glob("../../examples/" + pattern)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), least)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			want := verdict.FindSubmatch(text)
			require.NotNil(t, want, "an example says its verdict")
			test(t, file, string(text), string(want[1]))
		})
	}
}

// TestExamples solves every example, compares the verdict with the one in its comment, and has the printed witness read
// and checked again; counters and trace events that are not documented fail it too.
func TestExamples(t *testing.T) {
	t.Parallel()
	statistics := documented(t, "../../docs/statistics.md")
	events := documented(t, "../../docs/trace.md")
	eachExample(t, "*.smt2", 30, regexp.MustCompile(`(?m)^; verdict: (sat|unsat)$`), func(t *testing.T, file, text, want string) {
		require.True(t, strings.HasPrefix(text, "; "), "an example begins with what it models")
		trace := filepath.Join(t.TempDir(), "trace.jsonl")
		r := call(t, "", "solve", "--model", "--proof", "--stats", "--trace", trace, file)
		require.Equal(t, exitOK, r.code, r.err)
		require.Equal(t, want, r.verdict(), r.err)
		for line := range strings.Lines(r.err) {
			require.True(t, statistics[strings.Fields(line)[1]], "docs/statistics.md lacks %s", line)
		}
		requireTrace(t, trace, events)
		printed := tempFile(t, "witness", r.out)
		checked := call(t, "", "check", file, printed)
		require.Equal(t, "confirmed\n", checked.out, checked.err)
		// A few with other solvers, where these are installed.
		if !strings.HasPrefix(filepath.Base(file), "b") || r.verdict() != "sat" {
			return
		}
		for _, solver := range []string{"z3", "cvc5"} {
			if _, err := exec.LookPath(solver); err != nil {
				t.Logf("%s is not installed: the model is not checked by it", solver)
				continue
			}
			checked := call(t, "", "check", file, printed, "--solver", solver)
			require.Equal(t, "confirmed\n", checked.out, checked.err)
		}
	})
}

// TestExamplePrograms verifies every example program and compares the verdict with the one in its comment. A bug has been
// replayed when it is printed. What is safe is verified by the contracts and invariants that are written into it, too.
func TestExamplePrograms(t *testing.T) {
	t.Parallel()
	statistics := documented(t, "../../docs/statistics.md")
	eachExample(t, "*.bpl", 20, regexp.MustCompile(`(?m)^// verdict: (safe|unsafe)$`), func(t *testing.T, file, _, want string) {
		out := filepath.Join(t.TempDir(), filepath.Base(file))
		r := call(t, "", "verify", "--stats", "--annotate", out, file)
		require.Equal(t, want, r.verdict(), r.err)
		for line := range strings.Lines(r.err) {
			if !strings.HasPrefix(line, "; assumed: ") {
				require.True(t, statistics[strings.Fields(line)[1]], "docs/statistics.md lacks %s", line)
			}
		}
		if want == "unsafe" {
			require.Equal(t, exitBug, r.code)
			require.Contains(t, r.out, "error: ")
			return
		}
		require.Equal(t, exitOK, r.code)
		require.Equal(t, "safe\n"+out+": every procedure is verified by its contract\n", r.out)
		r = call(t, "", "verify", out, "--modular", "--strict")
		require.Equal(t, exitOK, r.code, "%s%s", r.out, r.err)
		require.Equal(t, "safe", r.verdict())
		// It is the same program still.
		require.Equal(t, "safe\n", call(t, "", "verify", out).out)
	})
}

// slow are examples whose proofs take many seconds, or are not found.
var slow = map[string]bool{"lists-safe.c": true, "strings-safe.c": true, "bit-identities-safe.c": true}

// TestCExamples compares the verdicts of the examples in C with those that their comments say.
func TestCExamples(t *testing.T) {
	t.Parallel()
	model := regexp.MustCompile(`(?m)^// model: ILP32$`)
	eachExample(t, "c/*.c", 60, regexp.MustCompile(`(?m)^// verdict: (safe|unsafe)$`), func(t *testing.T, file, text, want string) {
		timeout := "60s"
		if slow[filepath.Base(file)] {
			timeout = "100ms" // for anything but a wrong verdict
		}
		flag := "--64"
		if model.MatchString(text) {
			flag = "--32"
		}
		r := call(t, "", "verify", flag, "--trace", "none", "--timeout", timeout, file)
		if slow[filepath.Base(file)] {
			require.Contains(t, []string{want, "unknown"}, r.verdict(), r.err)
			return
		}
		require.Equal(t, want, r.verdict(), r.err)
	})
}

// documented are the words in backquotes of a document.
func documented(t *testing.T, path string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	words := map[string]bool{}
	for _, m := range regexp.MustCompile("`([^`\n]+)`").FindAllSubmatch(text, -1) {
		words[string(m[1])] = true
	}
	return words
}

// requireTrace checks that a trace has one object a line, in the order of time, with documented events and fields.
func requireTrace(t *testing.T, path string, events map[string]bool) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		var e map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &e), line)
		require.GreaterOrEqual(t, e["at"], 0.0)
		require.True(t, events[e["event"].(string)], "docs/trace.md lacks the event of %s", line)
		for name := range e {
			require.True(t, events[name], "docs/trace.md lacks the field %s of %s", name, line)
		}
	}
}

// One engine makes one run. In the portfolio several race, and any of their witnesses may be first.
func TestTheSameInputGivesTheSameRun(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"mccarthy91", "ackermann-value", "water-tank", "mutex-peterson"} {
		path := "../../examples/" + file + ".smt2"
		first := call(t, "", "solve", "--engine", "spacer", "--model", "--proof", "--simplify", "0", path)
		require.Equal(t, first, call(t, "", "solve", "--engine", "spacer", "--model", "--proof", "--simplify", "0", path))
	}
	for _, file := range []string{"ackermann-value", "hunt-nested-loops", "array-copy-bug"} {
		path := "../../examples/" + file + ".smt2"
		first := call(t, "", "hunt", "--all", path)
		require.Equal(t, exitBug, first.code)
		require.Equal(t, first, call(t, "", "hunt", "--all", path))
	}
}

func TestHuntWritesItsEventsAndStatistics(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "events.jsonl")
	r := call(t, buggy, "hunt", "-", "--events", path, "--stats")
	require.Equal(t, exitBug, r.code)
	statistics := documented(t, "../../docs/statistics.md")
	for _, line := range strings.Split(strings.TrimSpace(r.err), "\n") {
		require.True(t, statistics[strings.Fields(line)[1]], "docs/statistics.md lacks %s", line)
	}
	require.Contains(t, r.err, "; inline.explored ")
	requireTrace(t, path, documented(t, "../../docs/trace.md"))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), `"event":"query"`)
}
