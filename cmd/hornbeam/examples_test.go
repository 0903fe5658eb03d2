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

var verdictComment = regexp.MustCompile(`(?m)^; verdict: (sat|unsat)$`)

// TestExamples solves every example, compares the verdict with the one in its comment, and has the printed witness read
// and checked again; counters and trace events that are not documented fail it too.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../examples/*.smt2")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 30)
	statistics := documented(t, "../../docs/statistics.md")
	events := documented(t, "../../docs/trace.md")
	for i, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".smt2"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.True(t, strings.HasPrefix(string(text), "; "), "an example begins with what it models")
			want := verdictComment.FindSubmatch(text)
			require.NotNil(t, want, "an example says its verdict")
			trace := filepath.Join(t.TempDir(), "trace.jsonl")
			r := call(t, "", "solve", "--model", "--proof", "--stats", "--trace", trace, file)
			require.Equal(t, exitOK, r.code, r.err)
			require.Equal(t, string(want[1]), r.verdict(), r.err)
			for _, line := range strings.Split(strings.TrimSpace(r.err), "\n") {
				require.True(t, statistics[strings.Fields(line)[1]], "docs/statistics.md lacks %s", line)
			}
			requireTrace(t, trace, events)
			printed := tempFile(t, "witness", r.out)
			checked := call(t, "", "check", file, printed)
			require.Equal(t, "confirmed\n", checked.out, checked.err)
			// A few with other solvers, where these are installed.
			if i%6 == 0 && r.verdict() == "sat" {
				for _, solver := range []string{"z3", "cvc5"} {
					if _, err := exec.LookPath(solver); err != nil {
						t.Logf("%s is not installed: the model is not checked by it", solver)
						continue
					}
					checked := call(t, "", "check", file, printed, "--solver", solver)
					require.Equal(t, "confirmed\n", checked.out, checked.err)
				}
			}
		})
	}
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

func TestTheTraceHasEveryKindOfEvent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.jsonl")
	require.Equal(t, "sat", call(t, "", "solve", "../../examples/mccarthy91.smt2", "--trace", path).verdict())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, kind := range []string{"level", "obligation", "lemma", "reach", "check"} {
		require.Contains(t, string(text), `"event":"`+kind+`"`)
	}
}

// One engine makes one run. In the portfolio several race, and any of their witnesses may be first.
func TestTheSameInputGivesTheSameRun(t *testing.T) {
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
