package qe

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// cubes draws formulas over x, y (kept) and u, v, b (to be eliminated) of sort s.
type cubes struct {
	*term.Pool
	s          *term.Sort
	x, y, u, v *term.Term
	b          *term.Term
}

func (c *cubes) sum(t *rapid.T) *term.Term {
	coef := func() term.Num { return term.NewInt(rapid.Int64Range(-3, 3).Draw(t, "coefficient")) }
	out := c.Numeral(term.NewInt(rapid.Int64Range(-4, 4).Draw(t, "constant")), c.s)
	for _, v := range []*term.Term{c.x, c.y, c.u, c.v} {
		out = c.Add(out, c.Scale(coef(), v))
	}
	if rapid.IntRange(0, 5).Draw(t, "ite") == 0 {
		out = c.Add(out, c.Ite(c.b, c.u, c.y))
	}
	return out
}

func (c *cubes) literal(t *rapid.T) *term.Term {
	s, zero := c.sum(t), c.Numeral(term.NewInt(0), c.s)
	kinds := []*term.Term{c.Le(s, zero), c.Le(s, zero), c.Lt(s, zero), c.Eq(s, zero), c.Ne(s, zero), c.b, c.Not(c.b), c.Iff(c.b, c.Le(s, zero))}
	if c.s == term.Int {
		d := c.Divides(term.NewInt(rapid.Int64Range(2, 4).Draw(t, "divisor")), s)
		kinds = append(kinds, d, c.Not(d))
	}
	return rapid.SampledFrom(kinds).Draw(t, "literal")
}

func (c *cubes) formula(t *rapid.T) *term.Term {
	var parts []*term.Term
	for range rapid.IntRange(1, 5).Draw(t, "conjuncts") {
		l := c.literal(t)
		if rapid.IntRange(0, 3).Draw(t, "or") == 0 {
			l = c.Or(l, c.And(c.literal(t), c.literal(t)))
		}
		parts = append(parts, l)
	}
	return c.And(parts...)
}

// At every point of a grid the projection holds exactly when there are values for the eliminated variables.
func TestProjectorIsExact(t *testing.T) {
	for _, sort := range []*term.Sort{term.Int, term.Real} {
		t.Run(sort.String(), func(t *testing.T) {
			done := 0
			rapid.Check(t, func(t *rapid.T) {
				p := term.NewPool()
				c := &cubes{Pool: p, s: sort, x: p.Var("x", sort), y: p.Var("y", sort), u: p.Var("u", sort), v: p.Var("v", sort), b: p.Var("b", term.Bool)}
				f := c.formula(t)
				g, ok := NewProjector(p, []*term.Term{c.x, c.y}, DefaultWork, DefaultNodes).Exists(f)
				if !ok {
					return
				}
				done++
				for _, v := range term.Vars(g) {
					require.Contains(t, []*term.Term{c.x, c.y}, v)
				}
				ctx, err := z3.Open(p, smt.Config{})
				require.NoError(t, err)
				defer ctx.Close()
				s, err := ctx.NewSolver(smt.Params{})
				require.NoError(t, err)
				require.NoError(t, s.Assert(f))
				for x := int64(-2); x <= 2; x++ {
					for y := int64(-2); y <= 2; y++ {
						vx, vy := term.NumValue(term.NewInt(x), sort), term.NumValue(term.NewInt(y), sort)
						status, err := s.Check(t.Context(), p.Eq(c.x, vx.Term(p)), p.Eq(c.y, vy.Term(p)))
						require.NoError(t, err)
						got, known := term.NewEvaluator(p, term.MapAssignment{c.x: vx, c.y: vy}).Eval(g)
						require.True(t, known)
						require.Equal(t, status == smt.Sat, got.Bool(), "%s at %d, %d: %s", f, x, y, g)
					}
				}
			})
			t.Logf("%d projected", done)
			require.Positive(t, done)
		})
	}
}
