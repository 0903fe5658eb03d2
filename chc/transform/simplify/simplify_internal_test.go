package simplify

import (
	"context"
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// drawFormula draws a constraint over a few Bool and Int (or Real) variables.
func drawFormula(t *rapid.T, sort *term.Sort) (*term.Pool, *term.Term) {
	shape := hornoracle.DefaultShape()
	shape.Number = sort
	shape.Loose = 1
	sys := hornoracle.Draw(t, shape)
	var fs []*term.Term
	for _, c := range sys.Clauses {
		fs = append(fs, c.Constraint)
	}
	if rapid.Bool().Draw(t, "disjunction") {
		return sys.Pool, sys.Pool.Or(fs...)
	}
	return sys.Pool, sys.Pool.And(fs[:2]...)
}

// drawValues draws a value for every variable of the formulas.
func drawValues(t *rapid.T, fs ...*term.Term) term.MapAssignment {
	vals := term.MapAssignment{}
	for _, v := range term.Vars(fs...) {
		if v.IsBool() {
			vals[v] = term.BoolValue(rapid.Bool().Draw(t, v.Name()))
		} else {
			vals[v] = term.NumValue(term.NewInt(rapid.Int64Range(-2, 4).Draw(t, v.Name())), v.Sort())
		}
	}
	return vals
}

// What only rewrites a constraint must be equal to it under every assignment.
func TestRewritingKeepsTheMeaning(t *testing.T) {
	rewrites := map[string]func(*term.Pool, []*term.Term) []*term.Term{
		"flatten": func(_ *term.Pool, c []*term.Term) []*term.Term { return c },
		"tightenBounds": func(p *term.Pool, c []*term.Term) []*term.Term {
			c, ok := tightenBounds(p, c)
			if !ok {
				return []*term.Term{p.False()}
			}
			return c
		},
		"joinItes":       joinItes,
		"propagateUnits": propagateUnits,
		"absorb":         absorb,
		"factor": func(p *term.Pool, c []*term.Term) []*term.Term {
			half := len(c) / 2
			common := p.And(c[:half]...)
			return []*term.Term{factor(p, []*term.Term{p.And(c...), common})}
		},
	}
	for name, rewrite := range rewrites {
		for _, sort := range []*term.Sort{term.Int, term.Real} {
			t.Run(fmt.Sprint(name, sort), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					p, f := drawFormula(t, sort)
					conj := Conjuncts(p, f)
					g := p.And(rewrite(p, conj)...)
					if name == "factor" {
						f = p.And(conj[:len(conj)/2]...)
					}
					vals := drawValues(t, f, g)
					want, _ := term.NewEvaluator(p, vals).Eval(f)
					got, ok := term.NewEvaluator(p, vals).Eval(g)
					require.True(t, ok)
					require.Equal(t, want.Bool(), got.Bool(), "%s\n%s", f, g)
				})
			})
		}
	}
}

// Simplification projects: an assignment of the constraint, with values of fresh variables, satisfies the simplified
// one; an assignment of the simplified one satisfies the constraint with the eliminated variables' definitions.
func TestSimplifyProjects(t *testing.T) {
	forward, backward := 0, 0
	for _, sort := range []*term.Sort{term.Int, term.Real} {
		rapid.Check(t, func(t *rapid.T) {
			p, f := drawFormula(t, sort)
			scope := map[*term.Term]bool{}
			for i, v := range term.Vars(f) {
				if i%2 == 0 {
					scope[v] = true
				}
			}
			d := &Draft{pool: p, Constraint: f, scope: scope}
			d.simplify()
			g := d.Constraint

			vals := drawValues(t, f, g)
			if term.NewEvaluator(p, vals).True(f) {
				forward++
				var fixed []*term.Term
				for _, v := range term.Vars(f) {
					if !scope[v] {
						fixed = append(fixed, p.Eq(v, vals[v].Term(p)))
					}
				}
				require.True(t, satisfiable(t, p, p.And(append(fixed, g)...)), "lost: %s\n%s", f, g)
			}
			if term.NewEvaluator(p, vals).True(g) {
				backward++
				all := maps.Clone(vals)
				for i := len(d.Define) - 1; i >= 0; i-- {
					def := d.Define[i]
					for _, v := range term.Vars(def.Value) {
						if _, ok := all[v]; !ok {
							all[v] = term.DefaultValue(p, v.Sort())
						}
					}
					val, ok := term.NewEvaluator(p, all).Eval(def.Value)
					require.True(t, ok)
					all[def.Variable] = val
				}
				if len(d.Define) == 0 || !term.NewEvaluator(p, all).True(f) {
					// Variables without a definition have a value, too, if not this one.
					var fixed []*term.Term
					for _, v := range term.Vars(f) {
						if !scope[v] {
							fixed = append(fixed, p.Eq(v, all[v].Term(p)))
						}
					}
					require.True(t, satisfiable(t, p, p.And(append(fixed, f)...)), "gained: %s\n%s", f, g)
				}
			}
		})
	}
	require.Positive(t, forward)
	require.Positive(t, backward)
}

func satisfiable(t *rapid.T, p *term.Pool, f *term.Term) bool {
	opened, err := z3.Open(p, smt.Config{})
	require.NoError(t, err)
	defer opened.Close()
	s, err := opened.NewSolver(smt.Params{})
	require.NoError(t, err)
	require.NoError(t, s.Assert(f))
	st, err := s.Check(t.Context())
	require.NoError(t, err)
	require.NotEqual(t, smt.Unknown, st)
	return st == smt.Sat
}

// A guess is only ever made of satisfiable formulas, and mostly of them.
func TestGuessModel(t *testing.T) {
	guessed, missed := 0, 0
	for _, sort := range []*term.Sort{term.Int, term.Real} {
		rapid.Check(t, func(t *rapid.T) {
			p, f := drawFormula(t, sort)
			sat := satisfiable(t, p, f)
			if guessModel(p, f) {
				guessed++
				require.True(t, sat, "%s", f)
			} else if sat {
				missed++
			}
		})
	}
	t.Logf("guessed %d, missed %d", guessed, missed)
	require.Greater(t, guessed, missed)
}

// Lifting leaves no if-then-else in arithmetic as long as the formula is small.
func TestLiftIteKeepsTheMeaning(t *testing.T) {
	lifted := 0
	rapid.Check(t, func(t *rapid.T) {
		p, f := drawFormula(t, term.Int)
		d := &Draft{pool: p, Constraint: f}
		if !d.liftIte() {
			return
		}
		lifted++
		vals := drawValues(t, f)
		want, _ := term.NewEvaluator(p, vals).Eval(f)
		got, _ := term.NewEvaluator(p, vals).Eval(d.Constraint)
		require.Equal(t, want.Bool(), got.Bool(), "%s\n%s", f, d.Constraint)
	})
	require.Positive(t, lifted)
}

// ending is a context that ends after it was asked a few times.
type ending struct {
	context.Context
	asks int
}

func (c *ending) Err() error {
	if c.asks--; c.asks < 0 {
		return context.Canceled
	}
	return nil
}

// The pass ends with its context in the middle of a clause, and what is left of the clause means the same.
func TestNormaliseEndsWithItsContext(t *testing.T) {
	p := term.NewPool()
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	pred := &chc.Predicate{Name: "p", Sorts: []*term.Sort{term.Int, term.Int}}
	choice := func(i int64) *term.Term { return p.Ite(p.Lt(x, p.Int(i)), p.Mul(p.Int(2), y), p.Mul(p.Int(3), y)) }
	constraint := p.And(p.Lt(choice(1), p.Int(7)), p.Lt(choice(5), p.Int(11)))
	c := &chc.Clause{Body: []chc.App{{Pred: pred, Args: []*term.Term{x, y}}}, Constraint: constraint}
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{pred}, Clauses: []*chc.Clause{c}}
	_, _, err := normaliseSystem(&ending{t.Context(), 2}, transform.Environment{}, sys)
	require.ErrorIs(t, err, context.Canceled)

	whole, _ := normaliseClause(t.Context(), p, c)
	require.Nil(t, firstIte(whole.Constraint))
	d := NewDraft(p, c)
	d.ctx = &ending{t.Context(), 1}
	require.True(t, d.liftIte(), "one atom was lifted")
	require.NotNil(t, firstIte(d.Constraint), "the other one was not")
}
