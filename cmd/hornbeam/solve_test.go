package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAPlainVerdictIsAllThereIs(t *testing.T) {
	require.Equal(t, result{0, "sat\n", ""}, call(t, safe, "solve", "-"))
	require.Equal(t, result{0, "unsat\n", ""}, call(t, buggy, "solve", "-"))
	require.Equal(t, result{0, "unsat\n", ""}, call(t, buggy, "solve", "-", "--model"), "a refutation is no model")
	require.Equal(t, result{0, "sat\n", ""}, call(t, safe, "solve", "-", "--proof"))
	require.Equal(t, result{0, "sat\n", ""}, call(t, safe, "solve", "-", "--no-check"))
	require.Equal(t, result{0, "sat\n", ""}, call(t, safe, "solve", "-", "--engine", "gpdr", "--seed", "7"))
}

func TestModelsDefineEveryDeclaredPredicateAndNothingElse(t *testing.T) {
	// The disjunctions of the third clause have more cases than are written out: the reader makes predicates for them.
	var body, vars strings.Builder
	for _, x := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		body.WriteString("(or (and (p " + x + ") (< " + x + " 9)) (and (q " + x + " true) (>= y 0)))")
		vars.WriteString("(" + x + " Int)")
	}
	text := `(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int Bool) Bool)
(declare-fun |r s| (Int) Bool)
(declare-fun alone () Bool)
(assert (forall ((x Int)) (=> (= x 0) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))))
(assert (forall ((y Int) ` + vars.String() + `) (=> (and ` + body.String() + `) (|r s| a))))
(assert (forall ((x Int)) (=> (and (|r s| x) (or (< x 0) (> x 5))) false)))
`
	file := tempFile(t, "cases.smt2", text)
	for _, simplify := range []string{"0", "2"} {
		r := call(t, "", "solve", file, "--model", "--simplify", simplify)
		require.Equal(t, exitOK, r.code)
		require.Empty(t, r.err)
		rest, ok := strings.CutPrefix(r.out, "sat\n(\n")
		require.True(t, ok, r.out)
		rest, ok = strings.CutSuffix(rest, ")\n")
		require.True(t, ok, r.out)
		lines := strings.Split(strings.TrimSuffix(rest, "\n"), "\n")
		require.Len(t, lines, 4, r.out)
		for i, start := range []string{"(define-fun p ((", "(define-fun q ((", "(define-fun |r s| ((", "(define-fun alone () Bool "} {
			require.True(t, strings.HasPrefix(lines[i], start), lines[i])
		}
		require.Equal(t, "confirmed\n", call(t, r.out, "check", file, "-").out)
	}
	r := call(t, "", "solve", file, "--json")
	var report struct {
		Witness struct{ Predicates []struct{ Name string } }
	}
	require.NoError(t, json.Unmarshal([]byte(strings.SplitN(r.out, "\n", 2)[1]), &report))
	var names []string
	for _, p := range report.Witness.Predicates {
		names = append(names, p.Name)
	}
	require.Equal(t, []string{"p", "q", "r s", "alone"}, names)
}

func TestANameCannotPassForAVerdict(t *testing.T) {
	text := "(declare-fun |\nunsat\n| (Int) Bool)(assert (|\nunsat\n| 5))(assert (forall ((x Int)) (=> (|\nunsat\n| x) (> x 0))))"
	r := call(t, text, "solve", "-", "--model")
	require.Equal(t, "sat\n", r.out)
	r.oneErrorLine(t)
	require.Contains(t, call(t, text, "solve", "-", "--json").out, `"name":"\nunsat\n"`)
	dir := filepath.Join(t.TempDir(), "a\nsat\n")
	require.NoError(t, os.Mkdir(dir, 0o700))
	file := filepath.Join(dir, "b")
	require.NoError(t, os.WriteFile(file, []byte(safe), 0o600))
	var out, messages bytes.Buffer
	require.Zero(t, run(context.Background(), []string{"hornbeam", "solve", "--log", "debug", file, file}, nil, &out, &messages))
	result{0, "sat\n", messages.String()}.noStrayVerdict(t)
	require.Equal(t, "sat\nsat\n", out.String())
}

func TestEveryStreamAtOnceHasNoStrayVerdict(t *testing.T) {
	for _, text := range []string{safe, buggy, "(push 1)"} {
		trace := filepath.Join(t.TempDir(), "trace.jsonl")
		r := call(t, text, "solve", "-", "--stats", "--log", "debug", "--progress", "on", "--model", "--proof", "--trace", trace)
		require.Contains(t, []string{"sat", "unsat", "unknown"}, r.verdict())
		require.Contains(t, r.err, "; time.read")
		for line := range strings.Lines(r.err) {
			require.True(t, strings.HasPrefix(line, "; "), line)
		}
	}
}

func TestJSONIsOneLineAfterTheVerdict(t *testing.T) {
	for _, c := range []struct{ text, verdict, kind string }{{safe, "sat", "model"}, {buggy, "unsat", "refutation"}, {"(push 1)", "unknown", ""}} {
		r := call(t, c.text, "solve", "--json", "--model", "--proof", "-")
		lines := strings.Split(r.out, "\n")
		require.Len(t, lines, 3)
		require.Equal(t, []string{c.verdict, ""}, []string{lines[0], lines[2]})
		require.NotContains(t, lines[1], `\u003`)
		var report map[string]any
		require.NoError(t, json.Unmarshal([]byte(lines[1]), &report))
		require.Equal(t, c.verdict, report["verdict"])
		require.Equal(t, "-", report["file"])
		require.Contains(t, report["statistics"], "time.total")
		if c.kind == "" {
			require.Contains(t, report["reason"], "unsupported")
			require.NotContains(t, report, "witness")
			continue
		}
		require.NotContains(t, report, "reason")
		require.Equal(t, "spacer", report["engine"])
		require.Equal(t, c.kind, report["witness"].(map[string]any)["kind"])
	}
}

func TestTheTimeLimitCoversReading(t *testing.T) {
	never, writer := io.Pipe()
	defer writer.Close()
	var out, messages bytes.Buffer
	code := run(context.Background(), []string{"hornbeam", "solve", "-", "--timeout", "0.1", "--stats"}, never, &out, &messages)
	require.Zero(t, code)
	require.Equal(t, "unknown\n", out.String())
	require.True(t, strings.HasPrefix(messages.String(), "; timeout"), messages.String())
	require.Contains(t, messages.String(), "; time.total")
}

func TestLimitsEndInUnknownWithTheReason(t *testing.T) {
	for _, c := range []struct {
		text   string
		flags  []string
		reason string
	}{
		{endless, []string{"--timeout", "0.3"}, "; timeout"},
		{endless, []string{"--timeout", "300ms", "--engine", "gpdr"}, "; timeout"},
		{pigeons(), []string{"--timeout=1"}, "; timeout"},
		{endless, []string{"--memory", "1M"}, "; memory limit"},
		{pigeons(), []string{"--memory", "1M", "--passes=none"}, "; memory limit"},
	} {
		r := call(t, c.text, append([]string{"solve", "-"}, c.flags...)...)
		require.Equal(t, exitOK, r.code)
		require.Equal(t, "unknown\n", r.out)
		r.oneErrorLine(t)
		require.True(t, strings.HasPrefix(r.err, c.reason), r.err)
	}
	for _, args := range [][]string{{"show", "-"}, {"check", "-", tempFile(t, "m", "()")}} {
		never, writer := io.Pipe()
		var out, messages bytes.Buffer
		code := run(context.Background(), append([]string{"hornbeam"}, append(args, "--timeout", "0.1")...), never, &out, &messages)
		require.Equal(t, exitUndecided, code)
		require.Contains(t, messages.String(), "; timeout")
		writer.Close()
	}
}

func TestWhatCannotBePrintedIsAnError(t *testing.T) {
	for _, flags := range [][]string{nil, {"--json"}, {"--model"}} {
		var messages bytes.Buffer
		code := run(context.Background(), append([]string{"hornbeam", "solve", "-"}, flags...), strings.NewReader(safe), full{}, &messages)
		require.Equal(t, exitUsage, code)
		require.Contains(t, messages.String(), "full")
	}
}

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestCheckTellsGoodWitnessesFromBadOnes(t *testing.T) {
	file, bug := tempFile(t, "safe.smt2", safe), tempFile(t, "bug.smt2", buggy)
	models := map[string]int{
		"sat\n((define-fun p ((x Int)) Bool (<= x 5)) (define-fun |far away| ((x Int) (b Bool)) Bool true))": exitOK,
		"(define-fun |far away| ((x Int) (b Bool)) Bool false)(define-fun p ((x Int)) Bool (<= 0 x 5))":      exitOK,
		"(model (define-fun p ((x Int)) Bool (<= x 4)) (define-fun |far away| ((x Int) (b Bool)) Bool b))":   exitRefused,
		"((define-fun p ((x Int)) Bool true) (define-fun |far away| ((x Int) (b Bool)) Bool b))":             exitRefused,
		"((define-fun p ((x Int)) Bool (<= x 5)))":                                                           exitBadInput,
		"((define-fun p ((x Bool)) Bool x) (define-fun |far away| ((x Int) (b Bool)) Bool b))":               exitBadInput,
	}
	words := map[int]string{exitOK: "confirmed\n", exitRefused: "refused\n", exitBadInput: ""}
	for text, code := range models {
		r := call(t, text, "check", file, "-")
		require.Equal(t, code, r.code, "%s: %s", text, r.err)
		require.Equal(t, words[code], r.out)
		r.oneErrorLine(t)
	}
	good := call(t, "", "solve", bug, "--proof").out
	require.Equal(t, "confirmed\n", call(t, good, "check", bug, "-").out)
	for _, change := range [][2]string{{"(x 2)", "(x 3)"}, {"(clause 1)", "(clause 0)"}, {"(premises 0)", "(premises)"}} {
		bad := strings.Replace(good, change[0], change[1], 1)
		require.NotEqual(t, good, bad)
		r := call(t, bad, "check", bug, "-")
		require.Equal(t, exitRefused, r.code, "%s: %s", bad, r.err)
		require.Equal(t, "refused\n", r.out)
	}
}

func TestProgressIsForTerminalsOnly(t *testing.T) {
	var out, messages bytes.Buffer
	run(context.Background(), []string{"hornbeam", "solve", "-", "--timeout", "0.5"}, strings.NewReader(endless), &out, &messages)
	require.Equal(t, 1, strings.Count(messages.String(), "\n"))
	require.NotContains(t, messages.String(), "\x1b")
	messages.Reset()
	run(context.Background(), []string{"hornbeam", "solve", "-", "--timeout", "1.5", "--progress", "on"}, strings.NewReader(endless), &out, &messages)
	require.Contains(t, messages.String(), "checks/s")
	require.NotContains(t, messages.String(), "\x1b")
}

func TestTheStatusLineGivesWayToEveryOtherLine(t *testing.T) {
	var screen bytes.Buffer
	c := &console{w: &screen, terminal: true}
	c.status("level 1")
	c.status("level 2")
	c.comment("a message\nin two")
	c.clear()
	c.status("level 3")
	c.clear()
	const erase = "\r\x1b[K"
	require.Equal(t, "; level 1"+erase+"; level 2"+erase+"; a message in two\n; level 3"+erase, screen.String())
	require.False(t, newConsole(&screen).terminal)
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer null.Close()
	require.False(t, newConsole(null).terminal, "a character device that is no terminal")
}

// hang is how long a test waits for what should take a moment before it gives up.
const hang = 2 * time.Minute

// The smaller of --timeout and the limit that a script sets itself counts, and the reason says which.
func TestScriptsSetTimeLimits(t *testing.T) {
	file := tempFile(t, "endless.smt2", "(set-option :timeout 300)\n"+endless)
	for _, args := range [][]string{{"solve", file, "--engine", "bmc"}, {"hunt", file, "--bound", "0"}, {"hunt", file, "--bound", "0", "--timeout", "100"}} {
		r := call(t, "", args...)
		require.Equal(t, "unknown\n", r.out)
		require.Contains(t, r.err, "; the time limit of 300ms that "+file+" sets is up", args)
		require.NotContains(t, r.err, "; timeout")
	}
	r := call(t, "", "hunt", "--all", "--bound", "0", file, "--trace", "none")
	require.Contains(t, r.out, "open: the time limit of 300ms that "+file+" sets is up")
	long := tempFile(t, "endless.smt2", "(set-option :timeout 300000)\n"+endless)
	r = call(t, "", "hunt", "--bound", "0", "--timeout", "1", long)
	require.Contains(t, r.err, "; timeout")
	require.NotContains(t, r.err, "sets is up")
}

// Instances of one datatype have constructors of equal names; models and refutations tell them apart by their sorts.
func TestDatatypesWithParameters(t *testing.T) {
	for last, verdict := range map[string]string{"(s (s z))": "sat", "(s z)": "unsat"} {
		file := tempFile(t, "lists.smt2", `(declare-datatypes ((N 0) (List 1)) (((z) (s (p N))) (par (T) ((nil) (cons (hd T) (tl (List T)))))))
(declare-fun P ((List N) (List (List N))) Bool)
(assert (P (cons z (as nil (List N))) (as nil (List (List N)))))
(assert (forall ((x (List N)) (y (List (List N)))) (=> (and (P x y) (match y ((nil true) (_ false)))) (P (cons (s (hd x)) (tl x)) (cons x y)))))
(assert (forall ((x (List N)) (y (List (List N)))) (=> (and (P x y) ((_ is cons) y) (= (hd x) `+last+`)) false)))
`)
		r := call(t, "", "solve", "--model", "--proof", file)
		require.True(t, strings.HasPrefix(r.out, verdict+"\n"), r.out+r.err)
		checked := call(t, "", "check", file, tempFile(t, "witness", r.out))
		require.Equal(t, exitOK, checked.code, checked.out+checked.err+r.out)
	}
}
