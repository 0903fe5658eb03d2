package itp

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// Over arrays whose indices are of a finite sort Z3 finds models where there are none. Sides that contradict each other
// there have an interpolant, or the solver is said to have no model; never are they said to be satisfiable together.
func TestModelsOverFiniteIndicesAreNotBelieved(t *testing.T) {
	p := term.NewPool()
	data, err := p.Datatypes(term.DatatypeDecl{Name: "Colour",
		Constructors: []term.ConstructorDecl{{Name: "red"}, {Name: "green"}, {Name: "blue"}}})
	require.NoError(t, err)
	colour := func(i int) *term.Term { return p.Construct(data[0].Data.Constructors[i]) }
	sort := p.Array(data[0], term.Bool)
	d := p.Var("d", sort)
	a, b := p.Var("a", term.Bool), p.Var("b", term.Bool)
	all := func(v bool) *term.Term { return p.ConstArray(sort, p.Bool(v)) }
	changed := p.Eq(d, p.Store(p.Store(all(true), colour(0), a), colour(1), b))
	for name, other := range map[string]*term.Term{
		"none":         p.Eq(d, all(false)),
		"none but one": p.Eq(d, p.Store(all(false), colour(0), p.True())),
		"at blue":      p.Not(p.Select(d, colour(2))),
	} {
		t.Run(name, func(t *testing.T) {
			o := newOracle(t, p)
			it := newInterpolator(t, p, Options{})
			for _, sides := range [][2]*term.Term{{changed, other}, {other, changed}} {
				i, err := it.Binary(context.Background(), sides[0], sides[1], []*term.Term{d})
				if err != nil {
					require.ErrorIs(t, err, ErrModel)
					continue
				}
				requireInterpolant(t, o, sides[0], sides[1], i, []*term.Term{d})
			}
		})
	}
}

// liar opens solvers that find models, which are none, where there are none.
func liar(p *term.Pool, c smt.Config) (smt.Context, error) {
	inner, err := z3.Open(p, c)
	return lying{inner}, err
}

type lying struct{ smt.Context }

func (l lying) NewSolver(params smt.Params) (smt.Solver, error) {
	inner, err := l.Context.NewSolver(params)
	return &lyingSolver{Solver: inner}, err
}

type lyingSolver struct{ smt.Solver }

func (l *lyingSolver) Check(ctx context.Context, assumptions ...*term.Term) (smt.Status, error) {
	_, err := l.Solver.Check(ctx, assumptions...)
	return smt.Sat, err
}

func (l *lyingSolver) Model() (*smt.Model, error) { return smt.NewModel(0), nil }

// The same of a solver that finds models everywhere, whatever the sides: it is found out wherever it has none.
func TestWrongModelsAreFoundOut(t *testing.T) {
	p := term.NewPool()
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	it, err := New(p, liar, Options{})
	require.NoError(t, err)
	defer it.Close()
	ctx := context.Background()
	_, err = it.Binary(ctx, p.Lt(x, p.Int(0)), p.Gt(x, p.Int(0)), []*term.Term{x})
	require.ErrorIs(t, err, ErrModel)
	_, err = it.Binary(ctx, p.False(), p.Gt(x, p.Int(0)), []*term.Term{x})
	require.ErrorIs(t, err, ErrModel)
	_, err = it.Binary(ctx, p.Ge(x, p.Int(0)), p.Le(x, p.Int(0)), []*term.Term{x})
	require.ErrorIs(t, err, ErrNotDisjoint, "the model is one of both sides")
	_, err = it.Eliminate(ctx, p.And(p.Lt(x, y), p.Lt(y, p.Int(0))), []*term.Term{x})
	require.ErrorIs(t, err, ErrModel)
}
