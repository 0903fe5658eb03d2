package houdini

import (
	"context"
	"errors"
	"slices"
	"strconv"
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

// inferAll returns what survives of the pool that is made from the clauses.
func inferAll(ctx context.Context, sys *chc.System, s engine.Settings) (map[*chc.Predicate][]*term.Term, Stats, error) {
	o, err := newOptions(s)
	if err != nil {
		return nil, Stats{}, err
	}
	return InferFrom(ctx, sys, s, makeCandidates(sys, &o))
}

// candidatesUpTo makes so many candidates of a predicate at the most, with the other options at their defaults.
func candidatesUpTo(sys *chc.System, most int) map[*chc.Predicate][]*term.Term {
	o, err := newOptions(engine.Settings{Options: map[string]string{"houdini.candidates": strconv.Itoa(most)}})
	if err != nil {
		panic(err)
	}
	return makeCandidates(sys, &o)
}

// draw draws a system; divisions by constants only where the solver need not decide every question.
func draw(t *rapid.T, division bool) *chc.System {
	shape := hornoracle.DefaultShape()
	shape.DivMod = division
	shape.Number = rapid.SampledFrom([]*term.Sort{term.Int, term.Int, term.Real}).Draw(t, "sort")
	if shape.Number == term.Real {
		shape.DivMod = false
	}
	return hornoracle.Draw(t, shape)
}

// asModel interprets predicates by conjunctions over their canonical parameters.
func asModel(sys *chc.System, formulas map[*chc.Predicate][]*term.Term) *witness.Model {
	m := witness.NewModel()
	for _, p := range sys.Predicates {
		m.Interpretations[p] = witness.Interpretation{Params: witness.CanonicalParams(sys.Pool, p), Body: sys.Pool.And(formulas[p]...)}
	}
	return m
}

// TestSurvivorsAreInductive: whatever the settings, and however often the solver has no answer, the survivors make a
// model of the clauses without the queries, and hold of every fact that an exhaustive search derives.
func TestSurvivorsAreInductive(t *testing.T) {
	facts, kept, checked := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sys := hornoracle.WithoutQueries(draw(t, true))
		options := map[string]string{"houdini.candidates": rapid.SampledFrom([]string{"5", "20", "60"}).Draw(t, "candidates")}
		switch rapid.IntRange(0, 3).Draw(t, "limit") {
		case 0:
			options["houdini.queries"] = rapid.SampledFrom([]string{"1", "2", "4", "8"}).Draw(t, "queries")
		case 1:
			options["houdini.open"] = rapid.SampledFrom([]string{"0", "1", "3"}).Draw(t, "open")
		}
		every, checks := rapid.IntRange(0, 4).Draw(t, "fault"), 0
		open := faultyOpener(func([]*term.Term) bool {
			checks++
			return every > 0 && checks%every == 0
		})
		survivors, stats, err := inferAll(context.Background(), sys, engine.Settings{Open: open, Options: options})
		require.NoError(t, err)
		require.Equal(t, stats.Candidates, stats.Survivors+stats.Refuted+stats.Undecided)
		err = witness.CheckModel(context.Background(), z3.Open, sys, asModel(sys, survivors), smt.Limit{})
		if !errors.Is(err, witness.ErrUndecided) {
			require.NoError(t, err)
			checked++
		}
		for _, f := range hornoracle.Solve(sys, hornoracle.DefaultOptions()).Facts {
			evaluator := f.Evaluator(sys.Pool)
			for _, s := range survivors[f.Pred] {
				require.False(t, evaluator.False(s), "%v of %v", s, f.Args)
				kept++
			}
			facts++
		}
	})
	require.Positive(t, facts)
	require.Positive(t, kept)
	require.Positive(t, checked)
}

// TestSurvivorsAreMaximal: no subset of a small pool that has a candidate more is inductive, by trying them all: every
// inductive subset is part of the survivors.
func TestSurvivorsAreMaximal(t *testing.T) {
	const most = 5
	larger := 0
	rapid.Check(t, func(t *rapid.T) {
		sys := hornoracle.WithoutQueries(draw(t, false))
		type member struct {
			pred    *chc.Predicate
			formula *term.Term
		}
		var all []member
		for _, p := range sys.Predicates {
			for _, f := range candidatesUpTo(sys, 30)[p] {
				all = append(all, member{p, f})
			}
		}
		all = rapid.Permutation(all).Draw(t, "pool")
		all = all[:min(len(all), most)]
		pool := map[*chc.Predicate][]*term.Term{}
		for _, m := range all {
			pool[m.pred] = append(pool[m.pred], m.formula)
		}
		survivors, stats := infer(t, sys, patient, pool)
		require.Zero(t, stats.Undecided)
		oracle := newInduction(t, sys)
		defer oracle.Close()
		for subset := range 1 << len(all) {
			chosen, more := map[*chc.Predicate][]*term.Term{}, false
			for i, m := range all {
				if subset&(1<<i) != 0 {
					chosen[m.pred] = append(chosen[m.pred], m.formula)
					more = more || !slices.Contains(survivors[m.pred], m.formula)
				}
			}
			if more {
				require.False(t, oracle.inductive(t, chosen), "%v is inductive, and not part of %v", chosen, survivors)
				larger++
			}
		}
	})
	require.Positive(t, larger)
}

// induction decides whether formulas are inductive, straight from the definition.
type induction struct {
	smt.Context
	solver smt.Solver
	sys    *chc.System
}

func newInduction(t require.TestingT, sys *chc.System) induction {
	c, err := z3.Open(sys.Pool, smt.Config{})
	require.NoError(t, err)
	s, err := c.NewSolver(smt.Params{})
	require.NoError(t, err)
	return induction{c, s, sys}
}

func (o induction) inductive(t require.TestingT, formulas map[*chc.Predicate][]*term.Term) bool {
	m := asModel(o.sys, formulas)
	apply := func(a chc.App) *term.Term { return m.Interpretations[a.Pred].Apply(o.sys.Pool, a.Args) }
	for _, c := range o.sys.Clauses {
		require.NoError(t, o.solver.Push())
		require.NoError(t, o.solver.Assert(c.Constraint, o.sys.Pool.Not(apply(*c.Head))))
		for _, a := range c.Body {
			require.NoError(t, o.solver.Assert(apply(a)))
		}
		status, err := o.solver.Check(context.Background())
		require.NoError(t, err)
		require.NotEqual(t, smt.Unknown, status)
		require.NoError(t, o.solver.Pop())
		if status == smt.Sat {
			return false
		}
	}
	return true
}

// TestCandidatesAreFormulasOverParameters: of each predicate's own, Boolean, each once, no more than were asked for; and
// the same for the same system.
func TestCandidatesAreFormulasOverParameters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := hornoracle.DrawOver(t, hornoracle.DefaultMixture(rapid.SampledFrom([]hornoracle.Theory{
			hornoracle.Ints | hornoracle.IntArrays, hornoracle.Finite, hornoracle.Ints | hornoracle.Recursive, hornoracle.All,
		}).Draw(t, "theory")))
		limit := rapid.IntRange(1, 200).Draw(t, "limit")
		pools := candidatesUpTo(sys, limit)
		for _, p := range sys.Predicates {
			require.LessOrEqual(t, len(pools[p]), limit)
			seen := map[*term.Term]bool{}
			for _, f := range pools[p] {
				require.True(t, f.IsBool())
				require.False(t, seen[f], "%v twice", f)
				seen[f] = true
				require.Subset(t, witness.CanonicalParams(sys.Pool, p), term.Vars(f))
			}
		}
		require.Equal(t, pools, candidatesUpTo(sys, limit))
	})
}

// TestTheoriesAreInductive: the same on arrays, bit-vectors and datatypes, as the engine would answer.
func TestTheoriesAreInductive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := hornoracle.DrawOver(t, hornoracle.DefaultMixture(rapid.SampledFrom([]hornoracle.Theory{
			hornoracle.Ints | hornoracle.IntArrays, hornoracle.Finite, hornoracle.Ints | hornoracle.Recursive, hornoracle.All,
		}).Draw(t, "theory")))
		sys = hornoracle.WithoutQueries(sys)
		survivors, _, err := inferAll(context.Background(), sys, engine.Settings{Open: z3.Open, Options: map[string]string{"houdini.candidates": "40"}})
		require.NoError(t, err)
		err = witness.CheckModel(context.Background(), z3.Open, sys, asModel(sys, survivors), smt.Limit{})
		require.NotErrorIs(t, err, witness.ErrInvalid)
	})
}

// TestWithoutWeaker: leaving weaker members out does not change a conjunction.
func TestWithoutWeaker(t *testing.T) {
	dropped := 0
	rapid.Check(t, func(t *rapid.T) {
		p := term.NewPool()
		sort := rapid.SampledFrom([]*term.Sort{term.Int, term.Real}).Draw(t, "sort")
		x, y := p.Var("x", sort), p.Var("y", sort)
		number := func(n int64) *term.Term { return p.Numeral(term.NewInt(n), sort) }
		var formulas []*term.Term
		for range rapid.IntRange(1, 6).Draw(t, "formulas") {
			sum := rapid.SampledFrom([]*term.Term{x, p.Neg(x), p.Sub(x, y), p.Sub(y, x)}).Draw(t, "sum")
			c := number(rapid.Int64Range(-2, 2).Draw(t, "constant"))
			formulas = append(formulas, rapid.SampledFrom([]*term.Term{
				p.Le(sum, c), p.Lt(sum, c), p.Eq(sum, c), p.Ne(sum, c), p.Or(p.Le(x, c), p.Le(y, c)),
			}).Draw(t, "formula"))
		}
		kept := withoutWeaker(p, formulas)
		dropped += len(formulas) - len(kept)
		for i := range int64(13) {
			for j := range int64(13) {
				half := func(n int64) term.Value {
					if sort == term.Real {
						return term.NumValue(term.NewRat(n-6, 2), sort)
					}
					return term.NumValue(term.NewInt(n-6), sort)
				}
				e := term.NewEvaluator(p, term.MapAssignment{x: half(i), y: half(j)})
				require.Equal(t, e.True(p.And(formulas...)), e.True(p.And(kept...)), "%v and %v", formulas, kept)
			}
		}
	})
	require.Positive(t, dropped)
}
