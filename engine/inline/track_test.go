package inline

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// tracked runs stratified inlining under a variable abstraction, with the hunter at hand before and after.
func tracked(t require.TestingT, sys *chc.System, options map[string]string, limit limit, before func(*hunter)) (engine.Answer, *hunter) {
	ctx, open, cancel := limit(context.Background())
	defer cancel()
	o, err := newOptions(engine.Settings{Options: options})
	require.NoError(t, err)
	h, err := newHunter(sys, sys, engine.Settings{Open: open, Stats: engine.NewStats()}, o)
	require.NoError(t, err)
	defer h.close()
	if before != nil {
		before(h)
	}
	answer, err := h.stratified(ctx)
	if err != nil {
		var gaveUp *engine.Incomplete
		if ctx.Err() == nil {
			require.ErrorAs(t, err, &gaveUp)
		}
		return engine.Answer{}, h
	}
	switch answer.Verdict {
	case engine.Sat:
		require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, answer.Model, smt.Limit{}))
	case engine.Unsat:
		require.NoError(t, witness.CheckRefutation(context.Background(), sys, answer.Refutation))
	}
	return answer, h
}

// again is the path as it was before a refinement.
func (p *path) again() *path {
	q := *p
	q.solver, q.checks, q.narrowed = nil, 0, false
	q.candidates = slices.Sorted(maps.Keys(p.constants))
	return &q
}

// heldToTheorems is a refiner that requires Theorem 1 and Lemma 1 of each algorithm on each path, by both ways of checking
// a path, and returns what its own has found.
func heldToTheorems(t require.TestingT, name string, core bool, seen map[int]int) refiner {
	return func(ctx context.Context, p *path) ([]int, error) {
		var own []int
		all := p.again()
		defer all.close()
		for _, other := range []string{"hierarchical", "program", "linear"} {
			q := p.again()
			n := len(q.candidates)
			result, err := refiners(core)[other](ctx, q)
			if err != nil {
				return nil, err
			}
			if other == "linear" {
				require.Equal(t, n, q.checks)
			} else {
				require.LessOrEqual(t, q.checks, mostChecks(len(q.candidates)), other)
				require.LessOrEqual(t, q.checks, mostChecks(n), other)
			}
			enough, err := q.stacked(ctx, q.candidates)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			require.NoError(t, err)
			require.Equal(t, smt.Unsat, enough, "what is left of a path for its candidates")
			q.close()
			for _, check := range []pathCheck{all.correct, all.correctAnew} {
				requireMinimal(t, result, func(groups []int) bool {
					correct, err := check(context.WithoutCancel(ctx), groups)
					require.NoError(t, err)
					return correct
				})
			}
			seen[min(len(result), 2)]++
			if other == name {
				own = result
			}
		}
		return own, nil
	}
}

// Under every abstraction the verdicts are those of the clauses, whatever the refinement, and each refinement keeps to
// Lemma 1 and Theorem 1 on the paths of random systems.
func TestRefinementsOfRandomSystems(t *testing.T) {
	decided, seen := map[engine.Verdict]int{}, map[int]int{}
	rapid.Check(t, func(t *rapid.T) {
		sys := drawProgram(t)
		if rapid.IntRange(0, 3).Draw(t, "any system") == 0 {
			shape := hornoracle.DefaultShape()
			shape.Loose, shape.Arity, shape.DivMod = 0, 4, false
			sys = hornoracle.Draw(t, shape)
		}
		options := map[string]string{"inline.bound": "3"}
		plain, _ := tracked(t, sys, options, wholeChecks(200), nil)
		options["inline.track"] = rapid.SampledFrom([]string{"none", "none", "query", "at0.0,at1.1,p0.0"}).Draw(t, "track")
		options["inline.refine"] = rapid.SampledFrom([]string{"hierarchical", "program", "linear"}).Draw(t, "refine")
		core := rapid.Bool().Draw(t, "core")
		got, _ := tracked(t, sys, options, wholeChecks(1000), func(h *hunter) { h.refiner = heldToTheorems(t, options["inline.refine"], core, seen) })
		decided[got.Verdict]++
		if plain.Verdict != engine.Unknown && got.Verdict != engine.Unknown {
			require.Equal(t, plain.Verdict, got.Verdict)
		}
		if plain.Reason == "no bug up to recursion bound 3" {
			require.NotEqual(t, engine.Unsat, got.Verdict)
		}
	})
	require.Positive(t, decided[engine.Sat])
	require.Positive(t, decided[engine.Unsat])
	require.Positive(t, seen[1])
	require.Positive(t, seen[2])
}

// The same on programs whose counterexamples need several variables at once.
func TestRefinementsOfPrograms(t *testing.T) {
	for _, core := range []bool{false, true} {
		seen := map[int]int{}
		for src, want := range map[string]engine.Verdict{
			protocol(6, 5, false): engine.Sat, protocol(6, 6, true): engine.Unsat, callTree(3, 2, goalOf(2)+1): engine.Sat,
		} {
			answer, _ := tracked(t, read(t, src), map[string]string{"inline.track": "none"}, atMost(patience), func(h *hunter) {
				h.refiner = heldToTheorems(t, "hierarchical", core, seen)
			})
			require.Equal(t, want, answer.Verdict, answer.Reason)
		}
		require.Positive(t, seen[1])
		require.Positive(t, seen[2])
	}
}

// protocol is a chain of procedures that acquire and release a lock in turn, while irrelevant variables are counted,
// copied and compared. A release works only with the permission that the acquisition gave, so that two variables matter.
// In the end the lock has to be free; with a bug one release is forgotten.
func protocol(steps, irrelevant int, bug bool) string {
	var b strings.Builder
	vars := func(prefix string) string {
		var s strings.Builder
		for i := range irrelevant {
			fmt.Fprintf(&s, " %s%d", prefix, i)
		}
		return s.String()
	}
	bound := "((l Int) (p Int) (l1 Int) (p1 Int)" + strings.ReplaceAll(vars("("), "(", "(y")
	bound = strings.ReplaceAll(bound+")", " (y", " Int) (y")
	bound = strings.Replace(bound, "(p1 Int) Int)", "(p1 Int)", 1)
	bound = strings.TrimSuffix(bound, ")") + " Int))"
	for i := range steps + 1 {
		fmt.Fprintf(&b, "(declare-fun at%d (Int Int%s) Bool)\n", i, strings.Repeat(" Int", irrelevant))
	}
	fmt.Fprintf(&b, "(assert (forall %s (=> (and (= l 0) (= p 0)) (at0 l p%s))))\n", bound, vars("y"))
	for i := range steps {
		change := "(and (= l 0) (= l1 1) (= p1 1))"
		if i%2 == 1 {
			change = "(and (= l1 (ite (= p 1) 0 l)) (= p1 0))"
		}
		if bug && i == steps-1 {
			change = "(and (= l1 l) (= p1 p))"
		}
		for way := range 2 {
			next := strings.Fields(vars("y"))
			next[(i+way)%irrelevant] = fmt.Sprintf("(+ y%d %d)", i%irrelevant, way+1)
			guard := []string{"<=", ">"}[way]
			fmt.Fprintf(&b, "(assert (forall %s (=> (and (at%d l p%s) %s (%s y0 y%d)) (at%d l1 p1 %s))))\n",
				bound, i, vars("y"), change, guard, irrelevant-1, i+1, strings.Join(next, " "))
		}
	}
	fmt.Fprintf(&b, "(assert (forall %s (=> (and (at%d l p%s) (not (= l 0))) false)))\n", bound, steps, vars("y"))
	return b.String()
}

// With one or two variables of 64 that matter, the hierarchical refinement makes several times fewer checks than the
// linear one, no more than the relevant variables are tracked, and the tree grows with these alone.
func TestIrrelevantVariables(t *testing.T) {
	const steps = 6
	size := func(h *hunter) int {
		n := 0
		for _, f := range h.asserted {
			n += f.Size()
		}
		return n
	}
	for _, bug := range []bool{false, true} {
		want := engine.Sat
		if bug {
			want = engine.Unsat
		}
		sizes := map[int]int{}
		for _, irrelevant := range []int{8, 64} {
			sys := read(t, protocol(steps, irrelevant, bug))
			checks := map[string]int64{}
			for _, options := range []map[string]string{
				{"inline.refine": "hierarchical"}, {"inline.refine": "hierarchical", "inline.refine-core": "false"},
				{"inline.refine": "program"}, {"inline.refine": "linear"},
			} {
				name := options["inline.refine"] + options["inline.refine-core"]
				answer, h := tracked(t, sys, with(options, "inline.track", "none"), atMost(patience), nil)
				require.Equal(t, want, answer.Verdict, "%s %s", name, answer.Reason)
				require.LessOrEqual(t, h.tracking.count(), 2)
				stats := h.settings.Stats
				require.Equal(t, int64(irrelevant+2), stats.Get("inline.groups"))
				require.Equal(t, int64(h.tracking.count()), stats.Get("inline.tracked"))
				require.Zero(t, stats.Get("inline.repairs"), "the values of what was solved are in the model of a path")
				checks[name] = stats.Get("inline.refine.checks")
				if name == "hierarchical" {
					sizes[irrelevant] = size(h)
				}
				if answer.Model != nil {
					requireTrackedOnly(t, h, answer.Model)
				}
			}
			if !bug {
				require.Positive(t, checks["hierarchical"])
			}
			if irrelevant == 64 {
				require.GreaterOrEqual(t, checks["linear"], 4*checks["hierarchicalfalse"], "%v", checks)
				require.GreaterOrEqual(t, checks["linear"], 4*checks["program"], "%v", checks)
				require.GreaterOrEqual(t, checks["linear"], 20*checks["hierarchical"], "%v", checks)
			}
		}
		require.Equal(t, sizes[8], sizes[64])
	}
}

// requireTrackedOnly requires that a model says nothing of untracked arguments.
func requireTrackedOnly(t require.TestingT, h *hunter, m *witness.Model) {
	for _, p := range h.preds {
		if p.Source == nil {
			continue
		}
		i := m.Interpretations[p.Source]
		for k, v := range i.Params {
			require.True(t, h.tracks(p, k) || !term.Contains(i.Body, v), "%s of %s", i.Body, p.Name)
		}
	}
}

// A tree that is told later what is tracked is told all of it: it has the counterexamples of one that knew from the start.
func TestTrackedLater(t *testing.T) {
	sys := read(t, callTree(3, 2, goalOf(2)+1))
	for _, equations := range []bool{false, true} {
		for _, start := range []string{"none", "query", "f3.0"} {
			pr := newProgram(sys)
			pr.abstract(sys, start)
			tr := withRoot(&tree{program: pr, equations: equations})
			for len(tr.open) > 0 {
				tr.inline(slices.Clone(tr.open)...)
			}
			for k := range pr.tracking.on {
				if !pr.tracking.on[k] {
					require.True(t, satisfiable(t, sys.Pool, tr.asserted, nil), "%d is not tracked", k)
					tr.track([]int{k})
				}
			}
			require.False(t, satisfiable(t, sys.Pool, tr.asserted, nil))
		}
	}
}

// Where the solver leaves a path open, or the refinement finds nothing, all that is passed on it is tracked, and the
// verdict is right all the same or honestly missing.
func TestTrackingWithFailingSolvers(t *testing.T) {
	for want, src := range map[engine.Verdict]string{engine.Sat: protocol(4, 3, false), engine.Unsat: protocol(4, 3, true)} {
		for _, nothing := range []refiner{
			func(context.Context, *path) ([]int, error) { return nil, nil },
			func(ctx context.Context, p *path) ([]int, error) {
				p.narrow(nil)
				return hierarchical(ctx, p.candidates, p.correct)
			},
		} {
			answer, h := tracked(t, read(t, src), map[string]string{"inline.track": "none"}, atMost(patience), func(h *hunter) { h.refiner = nothing })
			require.Equal(t, want, answer.Verdict)
			require.Positive(t, h.settings.Stats.Get("inline.refinements"))
		}
		for period := 1; period < 5; period++ {
			b := &bench{}
			b.before = func(solver, check int, _ []*term.Term) bool { return solver > 1 && check%period == 0 }
			answer, _ := b.run(t, Engine(), read(t, src), map[string]string{"inline.track": "none"})
			require.Contains(t, []engine.Verdict{want, engine.Unknown}, answer.Verdict)
		}
	}
}

// A run under an abstraction that is stopped at any of its checks says so and leaves nothing behind, and an undisturbed
// one is always the same.
func TestTrackingIsCancelledAndRepeated(t *testing.T) {
	before := runtime.NumGoroutine()
	options := map[string]string{"inline.track": "none"}
	for stop := 1; ; stop++ {
		ctx, cancel := context.WithCancel(context.Background())
		b := &bench{}
		b.before = func(_, check int, _ []*term.Term) bool {
			if check == stop {
				cancel()
			}
			return false
		}
		answer, err := Engine().Solve(ctx, read(t, protocol(4, 3, true)), engine.Settings{Open: b.open, Options: options})
		cancel()
		require.NoError(t, err)
		require.Equal(t, b.opened, b.closed)
		if answer.Verdict != engine.Unknown {
			require.Less(t, b.checks, stop)
			break
		}
		require.Equal(t, context.Canceled.Error(), answer.Reason)
	}
	for range 20000 {
		if runtime.NumGoroutine() <= before {
			break
		}
		time.Sleep(time.Millisecond)
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
	var runs [2]collector
	for i := range runs {
		_, err := Engine().Solve(t.Context(), read(t, protocol(6, 5, false)), engine.Settings{Open: z3.Open, Events: &runs[i], Options: options})
		require.NoError(t, err)
	}
	require.Equal(t, runs[0].lines, runs[1].lines)
	require.Contains(t, strings.Join(runs[0].lines, "\n"), "refine steps=")
}

// What is inlined under an abstraction is held to the clauses before there is much of it: every call of this tree is on
// some counterexample while too little is tracked. The results of the levels are variables of their own.
func TestAbstractionInlinesLittle(t *testing.T) {
	const levels, fan = 8, 3
	for choice, refine := range map[string]string{"mixed": "linear", "core": "program", "trace": "hierarchical"} {
		sys := read(t, callTree(levels, fan, goalOf(fan)+1))
		for i, p := range sys.Predicates {
			p.ArgNames = []string{"x", fmt.Sprintf("y%d", i)}
		}
		answer, h := tracked(t, sys, map[string]string{"inline.track": "none", "inline.choice": choice, "inline.refine": refine}, atMost(patience), nil)
		require.Equal(t, engine.Sat, answer.Verdict, "%s %s", choice, answer.Reason)
		require.LessOrEqual(t, h.nodes, 4*fan*levels, choice)
	}
}
