package term

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawQuantified draws a formula over Boolean variables with quantifiers that shadow each other.
func drawQuantified(t *rapid.T, p *Pool, vars []*Term, depth int) *Term {
	if depth == 0 {
		return rapid.SampledFrom(vars).Draw(t, "var")
	}
	sub := func() *Term { return drawQuantified(t, p, vars, depth-1) }
	bound := func() []*Term { return rapid.SliceOfN(rapid.SampledFrom(vars), 1, 2).Draw(t, "bound") }
	switch rapid.IntRange(0, 6).Draw(t, "op") {
	case 0:
		return p.Not(sub())
	case 1:
		return p.And(sub(), sub(), sub())
	case 2:
		return p.Or(sub(), sub())
	case 3:
		return p.Eq(sub(), sub())
	case 4:
		return p.Ite(sub(), sub(), sub())
	case 5:
		return p.Forall(bound(), sub())
	}
	return p.Exists(bound(), sub())
}

// holds is the meaning of a formula over Boolean variables.
func holds(f *Term, a map[*Term]bool) bool {
	switch f.Op() {
	case True, False:
		return f.IsTrue()
	case Var:
		return a[f]
	case Not:
		return !holds(f.Arg(0), a)
	case And, Or:
		for _, x := range f.Args() {
			if holds(x, a) != f.IsAnd() {
				return !f.IsAnd()
			}
		}
		return f.IsAnd()
	case Eq:
		return holds(f.Arg(0), a) == holds(f.Arg(1), a)
	case Ite:
		if holds(f.Arg(0), a) {
			return holds(f.Arg(1), a)
		}
		return holds(f.Arg(2), a)
	}
	return holdsAll(f, f.Bound(), a)
}

func holdsAll(f *Term, bound []*Term, a map[*Term]bool) bool {
	if len(bound) == 0 {
		return holds(f.Arg(0), a)
	}
	inner := map[*Term]bool{}
	for k, v := range a {
		inner[k] = v
	}
	inner[bound[0]] = false
	x := holdsAll(f, bound[1:], inner)
	inner[bound[0]] = true
	y := holdsAll(f, bound[1:], inner)
	return x && y || f.Op() == Exists && (x || y)
}

func TestSubstitutionUnderQuantifiers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := NewPool()
		vars := benchVars(p, 4, Bool)
		f := drawQuantified(t, p, vars, 4)
		a, updated, m, partial := map[*Term]bool{}, map[*Term]bool{}, map[*Term]*Term{}, MapAssignment{}
		for _, v := range vars {
			a[v] = rapid.Bool().Draw(t, "value")
		}
		for _, v := range vars {
			updated[v] = a[v]
			if rapid.Bool().Draw(t, "replace") {
				m[v] = drawQuantified(t, p, vars, 1)
				updated[v] = holds(m[v], a)
			}
			if rapid.Bool().Draw(t, "assign") {
				partial[v] = BoolValue(a[v])
			}
		}
		g := p.Substitute(f, m)
		require.Equal(t, holds(f, updated), holds(g, a), "%v with %v: %v", f, m, g)
		flipped := map[*Term]bool{}
		for _, v := range vars {
			flipped[v] = a[v] == Contains(g, v)
		}
		require.Equal(t, holds(g, a), holds(g, flipped), "%v depends on what is not free in it", g)
		if v, ok := NewEvaluator(p, partial).Eval(f); ok {
			for k, x := range partial {
				updated[k] = x.Bool()
			}
			require.Equal(t, holds(f, updated), v.Bool())
		}
		w := &world{p: p, allVars: vars}
		require.Same(t, f, w.read(Format(f)), "%s", Format(f))
	})
}

func TestQuantifierForms(t *testing.T) {
	p := NewPool()
	x, y, z := p.Var("x", Int), p.Var("y", Int), p.Var("z", Int)
	f := p.Le(x, y)
	require.Same(t, f, p.Forall([]*Term{z}, f))
	require.Same(t, p.True(), p.Exists([]*Term{z}, p.True()))
	require.Equal(t, []*Term{x}, p.Forall([]*Term{z, x, x}, f).Bound())
	require.Equal(t, []*Term{y, x}, p.Exists([]*Term{y}, p.Exists([]*Term{x}, f)).Bound())
	require.Equal(t, Forall, p.Forall([]*Term{y}, p.Exists([]*Term{x}, f)).Op())
	require.Equal(t, []*Term{y}, Vars(p.Forall([]*Term{x}, f)))
	require.True(t, p.Forall([]*Term{x, y}, f).IsGround())

	// y is captured, so the bound variable gets another name.
	g := p.Substitute(p.Exists([]*Term{y}, p.Lt(x, y)), map[*Term]*Term{x: y})
	require.Equal(t, []*Term{y}, Vars(g))
	require.NotSame(t, y, g.Bound()[0])
	require.Same(t, p.Lt(y, g.Bound()[0]), g.Arg(0))
	// Keys that contain a bound variable stand for something else below the quantifier.
	h := p.Exists([]*Term{y}, p.Lt(p.Mul(y, x), z))
	require.Same(t, h, p.Substitute(h, map[*Term]*Term{p.Mul(y, x): z}))
	k := p.Exists([]*Term{y}, p.Lt(p.Mul(z, x), y))
	require.Same(t, p.Exists([]*Term{y}, p.Lt(x, y)), p.Substitute(k, map[*Term]*Term{p.Mul(z, x): x}))
}

// A subterm that is shared outside a quantifier and occurs, with a variable that the quantifier binds, inside too, has
// two meanings; a let name from outside may stand for it only where nothing of it is bound.
func TestLetsStopAtBinders(t *testing.T) {
	p := NewPool()
	x, y, z := p.Var("x", Int), p.Var("y", Int), p.Var("z", Int)
	shared := p.Mul(p.Add(x, p.Int(1)), p.Add(y, p.Int(2)))
	outside := p.Or(p.Gt(shared, z), p.Lt(shared, p.Int(0)))
	w := &world{p: p, allVars: []*Term{x, y, z}}
	bound := p.And(outside, p.Forall([]*Term{x}, p.Le(shared, z)))
	require.Equal(t, "(let ((?0 (* (+ x 1) (+ y 2)))) (and (or (< z ?0) (<= ?0 (- 1))) (forall ((x Int)) (>= z (* (+ x 1) (+ y 2))))))",
		Format(bound))
	free := p.And(outside, p.Forall([]*Term{z}, p.Le(shared, z)))
	require.Equal(t, "(let ((?0 (* (+ x 1) (+ y 2)))) (and (or (< z ?0) (<= ?0 (- 1))) (forall ((z Int)) (>= z ?0))))", Format(free))
	for _, f := range []*Term{bound, free, p.Exists([]*Term{x}, p.And(bound, free))} {
		require.Same(t, f, w.read(Format(f)))
	}
}
