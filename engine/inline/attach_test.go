package inline

import (
	"context"
	"strings"
	"testing"

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

// searchTree runs the hunter on a tree that grow has made, and holds its answer to its witness.
func searchTree(t require.TestingT, sys *chc.System, settings map[string]string, limit limit, grow func(*program) *tree) engine.Answer {
	ctx, open, cancel := limit(context.Background())
	defer cancel()
	o, err := newOptions(engine.Settings{Options: settings})
	require.NoError(t, err)
	h, err := newHunter(sys, sys, engine.Settings{Open: open, Stats: engine.NewStats()}, o)
	require.NoError(t, err)
	defer h.close()
	h.tree = grow(newProgram(sys))
	answer, err := h.stratified(ctx)
	if err != nil {
		var gaveUp *engine.Incomplete
		if ctx.Err() == nil {
			require.ErrorAs(t, err, &gaveUp)
		}
		return engine.Answer{}
	}
	switch answer.Verdict {
	case engine.Sat:
		require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, answer.Model, smt.Limit{}))
	case engine.Unsat:
		require.NoError(t, witness.CheckRefutation(context.Background(), sys, answer.Refutation))
	}
	return answer
}

func substituting(pr *program) *tree { return withRoot(&tree{program: pr}) }

func equational(pr *program) *tree { return withRoot(&tree{program: pr, equations: true}) }

// A tree of equations has the counterexamples of a tree of substitutions.
func TestEquationsAgreeWithSubstitution(t *testing.T) {
	decided := map[engine.Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		shape := hornoracle.DefaultShape()
		shape.Loose = 0
		sys := hornoracle.Draw(t, shape)
		settings := map[string]string{"inline.bound": "3"}
		want := searchTree(t, sys, settings, checks(200), substituting)
		got := searchTree(t, sys, settings, checks(200), equational)
		if want.Reason == "no bug up to recursion bound 3" {
			require.NotEqual(t, engine.Unsat, got.Verdict)
		}
		if want.Verdict != engine.Unknown && got.Verdict != engine.Unknown {
			require.Equal(t, want.Verdict, got.Verdict)
			decided[got.Verdict]++
		}
	})
	require.Positive(t, decided[engine.Sat])
	require.Positive(t, decided[engine.Unsat])
}

// A callee that is attached by equations has a literal and parameters of its own, and the site's literal implies both.
func TestAttachedByEquations(t *testing.T) {
	sys := read(t, `(declare-fun f (Int Int) Bool)
		(assert (f 0 0))
		(assert (forall ((x Int) (y Int)) (=> (and (f x y) (> y 3)) (f (+ x 1) y))))
		(assert (forall ((y Int)) (=> (f 5 y) false)))`)
	for _, equations := range []bool{false, true} {
		tr := withRoot(&tree{program: newProgram(sys), equations: equations})
		s := tr.root.sites[0]
		tr.inline(s)
		if !equations {
			require.Same(t, s.edge, s.child.act)
			require.Same(t, s.args[0], s.child.inst.args[0])
			require.Empty(t, tr.passed(s))
			continue
		}
		require.NotSame(t, s.edge, s.child.act)
		p := sys.Pool
		require.Equal(t, []*term.Term{p.Eq(p.Int(5), s.child.inst.args[0]), p.Eq(s.args[1], s.child.inst.args[1])}, tr.passed(s))
		for _, e := range append(tr.passed(s), s.child.act) {
			require.Contains(t, tr.asserted, p.Implies(s.edge, e))
		}
	}
}

// Refutations and models come out of a tree of equations as they do from others.
func TestWitnessesOfEquations(t *testing.T) {
	for src, want := range map[string]engine.Verdict{
		callTree(4, 3, goalOf(3)):               engine.Unsat,
		callTree(4, 3, goalOf(3)+1):             engine.Sat,
		strings.ReplaceAll(fibonacci, "R", "8"): engine.Unsat,
	} {
		require.Equal(t, want, searchTree(t, read(t, src), nil, atMost(patience), equational).Verdict)
	}
}
