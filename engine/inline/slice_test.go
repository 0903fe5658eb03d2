package inline

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// satisfiable asks whether formulas have a model with values of some variables.
func satisfiable(t require.TestingT, p *term.Pool, formulas []*term.Term, values map[*term.Term]*term.Term) bool {
	c, err := z3.Open(p, smt.Config{})
	require.NoError(t, err)
	defer c.Close()
	solver, err := c.NewSolver(smt.Params{})
	require.NoError(t, err)
	s := p.NewSubstitution(values)
	for _, f := range formulas {
		require.NoError(t, solver.Assert(s.Apply(f)))
	}
	status, err := solver.Check(context.Background())
	require.NoError(t, err)
	require.NotEqual(t, smt.Unknown, status)
	return status == smt.Sat
}

// What is sliced away says nothing of the variables that stay: under any values of theirs, what is left has a model if and
// only if the whole has one.
func TestSlicingIsExact(t *testing.T) {
	smaller := 0
	rapid.Check(t, func(t *rapid.T) {
		shape := hornoracle.DefaultShape()
		shape.Loose, shape.Clauses, shape.Arity = 1, 2, 4
		shape.Number = rapid.SampledFrom([]*term.Sort{term.Int, term.Real}).Draw(t, "sort")
		shape.DivMod = shape.Number == term.Int
		sys := hornoracle.Draw(t, shape)
		for _, c := range sys.Clauses {
			parts := term.Conjuncts(c.Constraint)
			free := map[*term.Term]bool{}
			values := map[*term.Term]*term.Term{}
			for _, v := range term.Vars(c.Constraint) {
				switch {
				case rapid.Bool().Draw(t, "free"):
					free[v] = true
				case v.IsBool():
					values[v] = sys.Pool.Bool(rapid.Bool().Draw(t, "value"))
				default:
					values[v] = sys.Pool.Numeral(term.NewInt(rapid.Int64Range(-3, 3).Draw(t, "value")), v.Sort())
				}
			}
			left := (&slicer{pool: sys.Pool}).slice(append([]*term.Term{}, parts...), free)
			if len(left) < len(parts) || sys.Pool.And(left...) != c.Constraint {
				smaller++
			}
			require.Equal(t, satisfiable(t, sys.Pool, parts, values), satisfiable(t, sys.Pool, left, values), "%v of %v", left, parts)
		}
	})
	require.Positive(t, smaller)
}

// What a summary says of an untracked argument is not lost: the argument stays what the caller passes.
func TestSlicingKeepsWhatSummariesSpeakOf(t *testing.T) {
	for _, summarised := range []bool{false, true} {
		sys := read(t, `(declare-fun p (Int Int) Bool)
			(assert (p 0 0))
			(assert (forall ((x Int) (y Int)) (=> (and (p (+ x 1) y) (p x (+ y 1))) (p x y))))
			(assert (forall ((x Int)) (=> (p x (+ x 1)) false)))`)
		pr := newProgram(sys)
		pr.abstract(sys, "none")
		if summarised {
			pr.preds[0].summary = pr.pool.Le(pr.preds[0].Params[0], pr.preds[0].Params[1])
		}
		kept := pr.slice(pr.goal, pr.goal.Rules[0], func(int) bool { return false })
		require.Equal(t, summarised, len(kept) > 0)
	}
}

// What an untracked variable alone decides is left out, however it is hidden; what cannot be made true by it stays.
func TestSlicedFormulas(t *testing.T) {
	for _, c := range []struct{ formula, left string }{
		{"(= y (+ x 1))", "true"},
		{"(= (* 2 y) x)", "(= (* 2 y) x)"},
		{"(< (* 2 y) x)", "true"},
		{"(not (= (* 2 y) x))", "true"},
		{"(and (= y (+ z 1)) (> z x))", "true"},
		{"(and (= y x) (= y (+ z 1)))", "true"},
		{"(and (= y x) (> y 3))", "(and (= y x) (> y 3))"},
		{"(and (> x 3) (or (and (= y 1) (> x 5)) (and (= y 2) (< x 4))))", "(and (> x 3) (or (> x 5) (< x 4)))"},
		{"(or (> x 3) (and (> y x) b))", "true"},
		{"(or (> x 3) (not (or (> y x) (> x 7))))", "(or (> x 3) (not (> x 7)))"},
		{"(ite (> x 0) (and (= y 1) (> x 5)) (< y 2))", "(ite (> x 0) (> x 5) true)"},
		{"(ite (> y 0) (> x 1) (> x 2))", "(ite (> y 0) (> x 1) (> x 2))"},
		{"(or (> x 9) (and (= y x) (> y 3)))", "(or (> x 9) (and (= y x) (> y 3)))"},
		{"(not (and (<= x 9) (or (distinct y x) (<= y 3))))", "(not (and (<= x 9) (or (distinct y x) (<= y 3))))"},
		{"(= b (> x 0))", "true"},
		{"(= a (store a x y))", "(= a (store a x y))"},
		{"(= a (store d x y))", "true"},
		{"(not (= a (store d x y)))", "(not (= a (store d x y)))"},
	} {
		p := term.NewPool()
		parse := func(formula string) *term.Term {
			script, err := smtlib.Read("test.smt2", []byte(`(declare-fun p (Int Int Int Bool (Array Int Int) (Array Int Int)) Bool)
				(assert (forall ((x Int) (y Int) (z Int) (b Bool) (a (Array Int Int)) (d (Array Int Int))) (=> (and (p x y z b a d) `+formula+`) false)))`), p)
			require.NoError(t, err)
			clause := script.System.Clauses[0]
			names := map[*term.Term]*term.Term{}
			for i, v := range clause.Body[0].Args {
				names[v] = p.Var([]string{"x", "y", "z", "b", "a", "d"}[i], v.Sort())
			}
			return p.Substitute(clause.Constraint, names)
		}
		free := map[*term.Term]bool{}
		for _, v := range term.Vars(parse(c.formula)) {
			free[v] = v.Name() != "x" && v.Name() != "d"
		}
		left := (&slicer{pool: p}).slice(append([]*term.Term{}, term.Conjuncts(parse(c.formula))...), free)
		require.Same(t, parse(c.left), p.And(left...), c.formula)
	}
}
