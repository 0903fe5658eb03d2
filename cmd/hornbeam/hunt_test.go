package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// three has a query that fails, one that holds and one that needs a hundred million steps to fail.
const three = `(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (= x 100000000)) false)))
(assert (forall ((x Int)) (=> (and (p x) (= x 2)) false)))
(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))
`

func TestHuntShowsTheFailingQueryAndTheWayThere(t *testing.T) {
	file := tempFile(t, "bug.smt2", buggy)
	r := call(t, "", "hunt", file)
	require.Equal(t, result{exitBug, `unsat
query FILE:5:1 fails
  with x = 6 such that (= x 6)
- #4 p(x = 6) at FILE:4:1
  #3 p(x = 4) at FILE:4:1
  #2 p(x = 2) at FILE:4:1
  #1 p(x = 0) at FILE:3:1
`, ""}, result{r.code, strings.ReplaceAll(r.out, file, "FILE"), r.err})
	require.Equal(t, result{exitBug, "unsat\n", ""}, call(t, "", "hunt", file, "--trace", "none"))
	require.Equal(t, "unsat", call(t, buggy, "hunt", "-", "--engine", "bmc").verdict())
	require.Contains(t, call(t, buggy, "hunt", "-").out, "p(x = 6) at <stdin>:4:1\n")

	r = call(t, "", "hunt", file, "--trace", "json")
	require.Equal(t, exitBug, r.code)
	var trace struct {
		Kind  string
		Steps []struct {
			Predicate string
			Line      int
			Calls     []int
		}
	}
	require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(r.out, "unsat\n")), &trace))
	require.Equal(t, "trace", trace.Kind)
	require.Len(t, trace.Steps, 5)
	require.Equal(t, 5, trace.Steps[0].Line)
	require.Equal(t, []int{1}, trace.Steps[0].Calls)
}

func TestHuntFoldsLongTraces(t *testing.T) {
	const file = "../../examples/deep-counterexample.smt2"
	r := call(t, "", "hunt", file)
	require.Equal(t, exitBug, r.code)
	require.Contains(t, r.out, "\n  … 54 steps, #58 to #5\n")
	require.True(t, strings.HasSuffix(r.out, "\n(… stands for what is left out; --full shows it)\n"), r.out)
	r = call(t, "", "hunt", file, "--full")
	require.NotContains(t, r.out, "…")
	require.Contains(t, r.out, "\n  #30 loop(i = 29, s = 58) at "+file+":6:1\n")
}

func TestHuntProves(t *testing.T) {
	require.Equal(t, result{exitOK, "sat\n", ""}, call(t, safe, "hunt", "-"))
	require.Equal(t, result{exitOK, "sat\n", ""}, call(t, safe, "hunt", "-", "--proof"))
	file := tempFile(t, "safe.smt2", safe)
	model := call(t, "", "hunt", file, "--model").out
	require.Contains(t, model, "define-fun p")
	require.Equal(t, "confirmed\n", call(t, model, "check", file, "-").out)
	require.Equal(t, result{exitOK, "sat\n", ""}, call(t, "", "hunt", "-"), "an empty file has no bug")
	require.Equal(t, result{exitOK, "sat\n", ""}, call(t, "", "hunt", "-", "--all"))
}

func TestTheRefutationThatHuntPrintsIsChecked(t *testing.T) {
	file := tempFile(t, "bug.smt2", buggy)
	proof := call(t, "", "hunt", file, "--proof")
	require.Equal(t, exitBug, proof.code)
	require.Equal(t, "confirmed\n", call(t, proof.out, "check", file, "-").out)
}

// The bug of this example needs a recursion bound of 61: it is found with that one, and up to any smaller one there is
// none. Whoever hunts says so.
func TestTheBoundIsTold(t *testing.T) {
	const file = "../../examples/deep-counterexample.smt2"
	for _, engine := range []string{"inline", "bmc"} {
		for _, bound := range []string{"1", "60"} {
			r := call(t, "", "hunt", file, "--engine", engine, "--bound", bound)
			require.Equal(t, result{exitInconclusive, "unknown\n", "; no bug up to recursion bound " + bound + "; --bound 0 goes on\n"}, r)
			require.Equal(t, "; no bug up to recursion bound "+bound+"\n", call(t, "", "solve", file, "--engine", engine, "--bound", bound).err)
		}
		for _, bound := range []string{"61", "0"} {
			require.Equal(t, exitBug, call(t, "", "hunt", file, "--engine", engine, "--bound", bound).code, bound)
		}
	}
	require.Equal(t, result{exitInconclusive, "unknown\n", "; no bug up to recursion bound 500; --bound 0 goes on\n"}, call(t, endless, "hunt", "-"), "the default")
	require.Equal(t, exitInconclusive, call(t, "", "hunt", file, "--option", "inline.bound=5").code)
	r := call(t, "", "hunt", file, "--bound", "5", "--json")
	var report struct {
		Verdict, Reason string
		Bound           *int
	}
	require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(r.out, "unknown\n")), &report))
	require.Equal(t, "unknown", report.Verdict)
	require.Equal(t, "no bug up to recursion bound 5", report.Reason)
	require.Equal(t, 5, *report.Bound)
}

var boundReached = regexp.MustCompile(`no bug up to (?:recursion )?bound (\d+)`)

// reached is the last bound that a text says was reached.
func reached(t *testing.T, text string) int {
	t.Helper()
	all := boundReached.FindAllStringSubmatch(text, -1)
	require.NotEmpty(t, all, text)
	n, err := strconv.Atoi(all[len(all)-1][1])
	require.NoError(t, err)
	return n
}

func TestALimitKeepsTheBoundThatWasReached(t *testing.T) {
	file := tempFile(t, "endless.smt2", endless)
	for _, flags := range [][]string{{"--timeout", "1"}, {"--timeout", "1.5", "--engine", "bmc"}} {
		r := call(t, "", append([]string{"hunt", file, "--bound", "0"}, flags...)...)
		require.Equal(t, exitInconclusive, r.code)
		require.Equal(t, "unknown\n", r.out)
		require.Contains(t, r.err, "; timeout")
		require.Positive(t, reached(t, r.err))
		r.oneErrorLine(t)
	}
	r := call(t, "", "hunt", file, "--bound", "0", "--memory", "1k")
	require.Equal(t, exitInconclusive, r.code)
	require.Contains(t, r.err, "; memory limit")
}

func TestASignalKeepsTheBoundThatWasReached(t *testing.T) {
	for _, flags := range [][]string{nil, {"--all"}} {
		for _, signal := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
			p := start(t, append([]string{"hunt", "--bound", "0", "--progress", "on", tempFile(t, "endless.smt2", endless)}, flags...)...)
			seen := 0
			for seen < 2 {
				line, err := p.stderr.ReadString('\n')
				require.NoError(t, err)
				require.Contains(t, line, "checks/s")
				seen = reached(t, line)
			}
			require.NoError(t, p.Process.Signal(signal))
			r := p.finish(t)
			r.noStrayVerdict(t)
			require.Equal(t, exitInconclusive, r.code, r.err)
			require.Equal(t, "unknown", r.verdict())
			require.Contains(t, r.out+r.err, "interrupted")
			require.GreaterOrEqual(t, reached(t, r.err+r.out), seen)
		}
	}
}

func TestHuntNamesBadInputWithItsPlace(t *testing.T) {
	file := tempFile(t, "bad.smt2", "(set-logic HORN)\n(assert (p))")
	for _, flags := range [][]string{nil, {"--all"}, {"--json"}} {
		r := call(t, "", append([]string{"hunt", file}, flags...)...)
		require.Equal(t, exitBadInput, r.code)
		require.Empty(t, r.out)
		r.oneErrorLine(t)
		require.True(t, strings.HasPrefix(r.err, file+":2:10: "), r.err)
	}
	r := call(t, "(set-logic HORN)\n(push 1)\n", "hunt", "-")
	require.Equal(t, exitInconclusive, r.code)
	require.Equal(t, "unknown\n", r.out)
	require.Contains(t, r.err, "unsupported")
	require.Equal(t, exitBadInput, call(t, "", "hunt", filepath.Join(t.TempDir(), "missing.smt2")).code)
}

func TestHuntRefusesWrongUsage(t *testing.T) {
	file := tempFile(t, "safe.smt2", safe)
	for _, args := range [][]string{
		{}, {file, "--frobnicate"}, {file, "--bound"}, {file, "--bound", "many"}, {file, "--bound", "-1"}, {file, "--trace", "html"},
		{file, "--engine", "spacer"}, {file, "--engine", "inline,bmc"}, {file, "--all", "--model"}, {file, "--all", "--proof"},
		{file, "--bound", "3", "--option", "inline.bound=4"}, {file, "--option", "inline.bound=-4"}, {file, "--passes", "magic"},
		{file, "--events", filepath.Join(t.TempDir(), "missing", "events.jsonl")},
	} {
		r := call(t, "", append([]string{"hunt"}, args...)...)
		require.Equal(t, exitUsage, r.code, "%v: %s%s", args, r.out, r.err)
		require.Empty(t, r.out, args)
		r.oneErrorLine(t)
	}
	require.Contains(t, call(t, "", "hunt", "--help").out, "--bound")
	require.Contains(t, call(t, "", "hunt", "--passes", "help").out, "slice")
}

func TestEveryQueryIsAccountedFor(t *testing.T) {
	file := tempFile(t, "three.smt2", three)
	for _, bound := range []string{"20", "0"} {
		r := call(t, "", "hunt", file, "--all", "--bound", bound, "--timeout", "4")
		require.Equal(t, exitBug, r.code, r.err)
		require.Equal(t, "unsat", r.verdict())
		require.Contains(t, r.out, "\nquery "+file+":6:1 fails\n  with x = 2 such that (= x 2)\n- #3 p(x = 2) at ")
		require.Contains(t, r.out, "\n3 queries: 1 failing, 1 proved, 1 open\n")
		require.Contains(t, r.out, "\n  "+file+":6:1  fails\n")
		require.Contains(t, r.out, "\n  "+file+":7:1  holds at every recursion bound\n")
		_, open, _ := strings.Cut(r.out, "\n  "+file+":5:1  open: ")
		require.GreaterOrEqual(t, reached(t, open), 15)
	}

	r := call(t, "", "hunt", file, "--all", "--bound", "9", "--json")
	require.Equal(t, exitBug, r.code)
	var report struct {
		Verdict string
		Queries []struct {
			Line            int
			Verdict, Reason string
			Bound           *int
			Trace, Witness  *struct{ Kind string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(r.out, "unsat\n")), &report))
	require.Len(t, report.Queries, 3)
	open, fails, holds := report.Queries[0], report.Queries[1], report.Queries[2]
	require.Equal(t, []int{5, 6, 7}, []int{open.Line, fails.Line, holds.Line})
	require.Equal(t, []string{"unsat", "unknown", "unsat", "sat"}, []string{report.Verdict, open.Verdict, fails.Verdict, holds.Verdict})
	require.Equal(t, "no bug up to recursion bound 9", open.Reason)
	require.Equal(t, 9, *open.Bound)
	require.Equal(t, []string{"trace", "refutation", "model"}, []string{fails.Trace.Kind, fails.Witness.Kind, holds.Witness.Kind})
	require.Nil(t, open.Witness)
	require.Nil(t, holds.Trace)
}

// A query that the solver is lost in takes its share of the time, and no more.
func TestAQueryThatTakesForEverLeavesTimeForTheOthers(t *testing.T) {
	_, hard, _ := strings.Cut(pigeons(), "\n")
	r := call(t, three+hard, "hunt", "--all", "-", "--timeout", "8", "--bound", "3", "--trace", "none")
	require.Equal(t, exitBug, r.code)
	require.Contains(t, r.out, "\n  <stdin>:6:1  fails\n")
	require.Contains(t, r.out, "\n  <stdin>:8:1  open: timeout")
}

func TestAllQueriesHoldOrAreOpen(t *testing.T) {
	r := call(t, "", "hunt", "--all", "../../examples/several-queries.smt2")
	require.Equal(t, exitOK, r.code, r.err)
	require.True(t, strings.HasPrefix(r.out, "sat\n3 queries: 0 failing, 3 proved, 0 open\n"), r.out)
	r = call(t, endless, "hunt", "--all", "-", "--bound", "3")
	require.Equal(t, result{exitInconclusive, "unknown\n1 query: 0 failing, 0 proved, 1 open\n  <stdin>:5:1  open: no bug up to recursion bound 3\n",
		"; 1 of 1 query left open\n"}, r)
	r = call(t, three, "hunt", "--all", "-", "--bound", "3", "--trace", "none")
	require.True(t, strings.HasPrefix(r.out, "unsat\nquery <stdin>:6:1 fails\n3 queries: "), r.out)
}

// What becomes of each query of the examples for hunting.
func TestExamplesForHunting(t *testing.T) {
	outcomes := map[string][]string{
		"hunt-call-tree": {"unsat"}, "hunt-nested-loops": {"unsat", "sat"}, "hunt-safe-helpers": {"sat", "sat", "sat"},
		"hunt-three-queries": {"unsat", "sat", "unsat"},
	}
	files, err := filepath.Glob("../../examples/hunt-*.smt2")
	require.NoError(t, err)
	require.Len(t, files, len(outcomes))
	for name, want := range outcomes {
		r := call(t, "", "hunt", "--all", "--json", "../../examples/"+name+".smt2")
		var report struct {
			Queries []struct{ Verdict string }
		}
		_, line, _ := strings.Cut(r.out, "\n")
		require.NoError(t, json.Unmarshal([]byte(line), &report))
		var got []string
		for _, q := range report.Queries {
			got = append(got, q.Verdict)
		}
		require.Equal(t, want, got, name)
	}
}

// A formula that stands for several queries has each of them told apart.
func TestQueriesAtOnePlaceAreNumbered(t *testing.T) {
	text := "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (p 0))\n" +
		"(assert (forall ((x Int)) (and (=> (and (p x) (= x 0)) false) (=> (and (p x) (= x 1)) false))))\n"
	r := call(t, text, "hunt", "--all", "-")
	require.Contains(t, r.out, "\n  <stdin>:4:1 case 1 of 2  fails\n  <stdin>:4:1 case 2 of 2  holds at every recursion bound\n")
}

func TestTheWorstOfSeveralFilesDecides(t *testing.T) {
	bug, good, bad, open := tempFile(t, "bug.smt2", buggy), tempFile(t, "safe.smt2", safe), tempFile(t, "bad.smt2", "("), tempFile(t, "endless.smt2", endless)
	for _, c := range []struct {
		files []string
		code  int
		out   string
	}{
		{[]string{good, open, bug}, exitBug, "sat\nunknown\nunsat\n"}, {[]string{bug, open}, exitBug, "unsat\nunknown\n"},
		{[]string{open, good}, exitInconclusive, "unknown\nsat\n"}, {[]string{good, good}, exitOK, "sat\nsat\n"},
		{[]string{bug, bad, open}, exitBadInput, "unsat\nunknown\n"},
	} {
		var out, messages bytes.Buffer
		args := append([]string{"hornbeam", "hunt", "--trace", "none", "--bound", "3"}, c.files...)
		if slices.Contains(c.files, bug) {
			args[5] = "4"
		}
		require.Equal(t, c.code, run(context.Background(), args, strings.NewReader(""), &out, &messages), messages.String())
		require.Equal(t, c.out, out.String())
	}
}

func TestHuntReportsAFullDisk(t *testing.T) {
	for _, flags := range [][]string{nil, {"--json"}, {"--all"}, {"--all", "--json"}} {
		var messages bytes.Buffer
		code := run(context.Background(), append([]string{"hornbeam", "hunt", "-"}, flags...), strings.NewReader(buggy), full{}, &messages)
		require.Equal(t, exitUsage, code, flags)
		require.Contains(t, messages.String(), "full")
	}
}

func TestHuntWritesItsEventsAndStatistics(t *testing.T) {
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

func TestEnginesMayBeAList(t *testing.T) {
	file := tempFile(t, "safe.smt2", safe)
	for _, list := range []string{"spacer", "spacer,inline", "inline,houdini,gpdr", "auto"} {
		require.Equal(t, "sat", call(t, "", "solve", file, "--engine", list).verdict(), list)
	}
	for list, message := range map[string]string{
		"steam": `no engine is called "steam"`, "spacer,steam": `no engine is called "steam"`, "spacer,": `no engine is called ""`, "": `no engine is called ""`,
		"auto,spacer": "stands alone", "spacer,auto": "stands alone", "inline,spacer,inline": "inline is named twice", "spacer, inline": `no engine is called " inline"`,
	} {
		r := call(t, "", "solve", file, "--engine", list)
		require.Equal(t, exitUsage, r.code, list)
		require.Empty(t, r.out)
		require.Contains(t, r.err, message)
		r.oneErrorLine(t)
	}
}

func TestFlagsForEnginesThatDoNotReadThemAreRefused(t *testing.T) {
	file := tempFile(t, "endless.smt2", endless)
	for _, args := range [][]string{{"--engine", "spacer", "--bound", "3", "--timeout", "1"}, {"--engine", "spacer,houdini", "--bound", "3", "--timeout", "1"}} {
		r := call(t, "", append([]string{"solve", file}, args...)...)
		require.Equal(t, exitUsage, r.code)
		require.Contains(t, r.err, "--bound is for the engines inline, bmc; --engine "+args[1]+" does not read it")
	}
	for _, o := range engineFlagOptions() {
		r := call(t, "", "solve", file, "--engine", "spacer", "--timeout", "1", "--"+o.Name, o.Default)
		require.Equal(t, exitUsage, r.code, o.Name)
		require.Contains(t, r.err, "--"+o.Name+" is for the engines ")
		r = call(t, safe, "solve", "-", "--engine", "inline", "--"+o.Name, o.Default)
		require.Equal(t, result{exitOK, "sat\n", ""}, r, o.Name)
		require.Equal(t, "sat", call(t, safe, "solve", "-", "--"+o.Name, o.Default).verdict(), "the portfolio has a hunter")
	}
	require.Equal(t, exitUsage, call(t, "", "solve", file, "--engine", "inline", "--bound", "-3").code)
	require.Equal(t, exitUsage, call(t, "", "solve", file, "--engine", "inline", "--bound", "3", "--option", "inline.bound=3").code)
	require.Contains(t, call(t, "", "solve", file, "--engine", "inline", "--bound", "3").err, "no bug up to recursion bound 3")
}
