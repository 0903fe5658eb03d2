package portfolio

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/smt/z3"
)

// What is wrong in a table of strategies is said with its place or the strategy's name.
func TestTablesAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "give a turn",
		"turn: 1s\nspeed: 3": `2:1`,
		"turn: 1s\nstrategies: [{name: a, engines: [{engine: nobody}]}]":                                                     "no engine is called \"nobody\"",
		"turn: 1s\nstrategies: [{name: a, when: [not sunny], engines: [{engine: spacer}]}]":                                  "no condition is called \"not sunny\"",
		"turn: 1s\nstrategies: [{name: a, alone: {for: 1s, when: [sunny]}, engines: [{engine: spacer}]}]":                    "no condition is called \"sunny\"",
		"turn: 1s\nstrategies: [{name: a, share: {of: 1, when: [rainy]}, engines: [{engine: spacer}]}]":                      "no condition is called \"rainy\"",
		"turn: 1s\nstrategies: [{name: a, passes: magic, engines: [{engine: spacer}]}]":                                      "magic",
		"turn: 1s\nstrategies: [{name: a, passes: default, changes: cells, engines: [{engine: spacer}]}]":                    "none of its passes",
		"turn: 1s\nstrategies: [{name: a, passes: 'default,cells', changes: 'cells,residues', engines: [{engine: spacer}]}]": `"residues", which is to change`,
		"turn: 1s\nstrategies: [{name: a}]":                                                                     "at least one engine",
		"turn: 1s\nstrategies: [{name: a, share: {of: -1}, engines: [{engine: spacer}]}]":                       "a share is more than 0",
		"turn: 1s\nstrategies: [{name: a, engines: [{engine: spacer, options: {houdini.limit: 1s}}]}]":          `engine spacer has no setting "houdini.limit"`,
		"turn: 1s\nstrategies: [{name: a, engines: [{engine: houdini, options: {houdini.candidates: many}}]}]":  "bad value \"many\"",
		"turn: 1s\nstrategies: [{name: a, engines: [{engine: spacer, when: [finite, not arrays, unbounded]}]}]": "no condition is called \"unbounded\"",
	} {
		_, err := ParseTable("mine.yml", []byte(text))
		require.ErrorContains(t, err, want, text)
		require.ErrorContains(t, err, "mine.yml", text)
	}
}

// The strategies of a table that fit the clauses run beside its first one, each from its own start on.
func TestTheStrategiesThatFit(t *testing.T) {
	table, err := ParseTable("mine.yml", []byte(`
turn: 1s
strategies:
  - {name: first, when: [arrays], alone: {for: 4s, when: [not arrays]}, engines: [{engine: inline}]}
  - {name: late, when: [linear], start: 3s, share: {of: 0.5, when: [linear]}, engines: [{engine: spacer}]}
  - {name: early, when: [not arrays], start: 2s, share: {of: 2, when: [arrays]}, turn: 7s, first-turn: 6s, passes: none, engines: [{engine: spacer, after: 5s, options: {spacer.inductive: false}}]}
  - {name: never, when: [recursive], engines: [{engine: spacer}]}
  - {name: ahead, start: 1s, ahead: {for: 5s, when: [linear]}, engines: [{engine: inline}]}
  - {name: behind, start: 1s, ahead: {for: 6s, when: [arrays]}, engines: [{engine: inline}]}
`))
	require.NoError(t, err)
	p := &chc.Predicate{Name: "p", Sorts: []*term.Sort{term.Int}}
	c, err := choose(Request{System: &chc.System{Pool: term.NewPool(), Predicates: []*chc.Predicate{p}}, Strategies: table})
	require.NoError(t, err)
	require.Equal(t, "first", c.main.name)
	require.Equal(t, "4s", c.main.alone.String())
	require.Len(t, c.others, 4)
	require.Equal(t, "1s", c.slice.String())
	require.Equal(t, "5s 0s 1s", c.main.start.String()+" "+c.others[2].start.String()+" "+c.others[3].start.String())
	require.Equal(t, "3s 2s", c.others[0].start.String()+" "+c.others[1].start.String())
	require.Equal(t, []float64{0.5, 0}, []float64{c.others[0].share, c.others[1].share})
	require.Equal(t, "7s 6s 5s", c.others[1].slice.String()+" "+c.others[1].first.String()+" "+c.others[1].members[0].after.String())
	require.Equal(t, map[string]string{"spacer.inductive": "false"}, c.others[1].members[0].options)
}

// A procedure with a loop of 2^29 turns, called in a loop, is refuted by repeated steps: the strategies for such loops leave the calls
// as they are.
func TestCallsOfLongLoopsAreRefuted(t *testing.T) {
	script, err := smtlib.Read("calls.smt2", []byte(`
(declare-fun r (Int Int) Bool)
(declare-fun p (Int Int Int) Bool)
(assert (forall ((x Int)) (=> (>= x 0) (r x 0))))
(assert (forall ((n Int)) (p n 0 7)))
(assert (forall ((n Int) (i Int) (s Int)) (=> (and (p n i s) (< i n)) (p n (+ i 1) (+ s 3)))))
(assert (forall ((n Int) (i Int) (s Int) (j Int)) (=> (and (r n j) (p n i s) (>= i n) (< j 3)) (r n (+ j 1)))))
(assert (forall ((n Int) (i Int) (s Int) (j Int)) (=> (and (r n j) (p n i s) (>= i n) (= s 2147483662)) false)))`), term.NewPool())
	require.NoError(t, err)
	found := 0
	for _, e := range defaultTable().Strategies {
		if !strings.HasPrefix(e.Name, "accelerate") {
			continue
		}
		found++
		e.When, e.Start = nil, 0
		table := &Table{Turn: defaultTable().Turn, Strategies: []Entry{e}}
		a := Solve(t.Context(), Request{System: script.System, Open: z3.Open, Strategies: table, Check: true, Repeats: true})
		require.Equal(t, engine.Unsat, a.Verdict, "%s: %s", e.Name, a.Reason)
	}
	require.Equal(t, 2, found)
}

// Engines with a recursion bound count the turns of a loop in each call by themselves: three calls with three turns each need the
// bound 4.
func TestBoundsCountTheTurnsOfEachCall(t *testing.T) {
	script, err := smtlib.Read("calls.smt2", []byte(`
(declare-fun r (Int Int) Bool)
(declare-fun p (Int Int) Bool)
(assert (r 0 0))
(assert (forall ((n Int)) (p n n)))
(assert (forall ((n Int) (i Int)) (=> (and (p n i) (< i (+ n 3))) (p n (+ i 1)))))
(assert (forall ((j Int) (s Int) (i Int)) (=> (and (r j s) (p s i) (= i (+ s 3)) (< j 3)) (r (+ j 1) i))))
(assert (forall ((s Int)) (=> (and (r 3 s) (= s 9)) false)))`), term.NewPool())
	require.NoError(t, err)
	for _, name := range []string{"inline", "bmc"} {
		options := map[string]string{"inline.bound": "4"}
		a := Solve(t.Context(), Request{System: script.System, Engine: name, Options: options, Open: z3.Open, Check: true})
		require.Equal(t, engine.Unsat, a.Verdict, "%s: %s", name, a.Reason)
	}
}
