package passes_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/inline"
	"hornbeam/chc/witness"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

func inlining(t testingContext, o inline.Options, e transform.Environment) func(*chc.System) (*chc.System, transform.Translator) {
	return func(sys *chc.System) (*chc.System, transform.Translator) {
		next, back, err := inline.With(o).Run(t.Context(), e, sys)
		require.NoError(t, err)
		return next, back
	}
}

// Whatever the bounds, the sort and the shape of the clauses, models and refutations come back; without a solver they
// do, too, with quantifiers where it comes to that.
func TestInlineCarriesWitnessesBack(t *testing.T) {
	eager := inline.DefaultOptions()
	eager.Slack, eager.Growth = 8, 10
	single := inline.DefaultOptions()
	single.SingleOnly = true
	chains := hornoracle.DefaultShape()
	chains.Predicates, chains.Body, chains.Clauses = 7, 1, 10
	trees := hornoracle.DefaultShape()
	trees.Body, trees.Arity, trees.Predicates = 3, 2, 5
	reals := hornoracle.DefaultShape()
	reals.Number = term.Real
	for name, c := range map[string]struct {
		opts  inline.Options
		shape hornoracle.Shape
		env   transform.Environment
	}{
		"chains": {inline.DefaultOptions(), chains, env},
		"trees":  {eager, trees, env},
		"reals":  {eager, reals, env},
		"single": {single, chains, env},
		"alone":  {eager, trees, transform.Environment{}},
	} {
		t.Run(name, func(t *testing.T) {
			var n tally
			n.untilBoth(t, func(t *rapid.T) {
				n.carriesBack(t, inlining(t, c.opts, c.env), c.shape)
			})
			t.Logf("%+v", n)
			require.Positive(t, n.sat)
			require.Positive(t, n.unsat)
		})
	}
}

// loop returns P -> A1 -> ... -> An -> P with an entry and an exit, x counting the rounds: one cut point.
func loop(n int, bad func(b *builder, x *term.Term) *term.Term) *builder {
	b := newBuilder()
	x := b.Var("x", term.Int)
	p := b.predicate("P", term.Int)
	last := p
	b.rule(atom(p, x), b.Eq(x, b.Int(0)))
	for i := range n {
		a := b.predicate(fmt.Sprintf("A%d", i), term.Int)
		guard := b.True()
		if i == n/2 {
			guard = b.Lt(x, b.Int(5))
		}
		b.rule(atom(a, x), guard, atom(last, x))
		last = a
	}
	b.rule(atom(p, b.Add(x, b.Int(1))), b.True(), atom(last, x))
	end := b.predicate("end", term.Int)
	b.rule(atom(end, x), b.True(), atom(p, x))
	b.query(bad(b, x), atom(end, x))
	return b
}

func TestInlineKeepsCutPoints(t *testing.T) {
	b := loop(40, func(b *builder, x *term.Term) *term.Term { return b.Gt(x, b.Int(5)) })
	next, back := inlining(t, inline.DefaultOptions(), env)(b.sys)
	require.Len(t, next.Predicates, 1)
	require.Len(t, next.Clauses, 3)
	// The loop's invariant, and what it says of the removed predicates.
	x := b.Var("y", term.Int)
	m := witness.NewModel()
	m.Interpretations[next.Predicates[0]] = witness.Interpretation{Params: []*term.Term{x}, Body: b.Le(x, b.Int(5))}
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, next, m, smt.Limit{}))
	old, err := back.Model(t.Context(), m)
	require.NoError(t, err)
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, b.sys, old, smt.Limit{}))
	require.Less(t, old.Size(), 10*len(b.sys.Predicates), "interpretations stay small")
	for _, in := range old.Interpretations {
		require.False(t, in.Body.HasQuantifier())
	}
}

func TestInlineRefutationPassesThroughEveryPredicate(t *testing.T) {
	b := loop(40, func(b *builder, x *term.Term) *term.Term { return b.Ge(x, b.Int(5)) })
	next, back := inlining(t, inline.DefaultOptions(), env)(b.sys)
	r := hornoracle.Solve(next, hornoracle.Options{Ints: []int64{0}, Facts: 100, Tries: 1000}).Refutation()
	require.NotNil(t, r)
	old, err := back.Refutation(t.Context(), r)
	require.NoError(t, err)
	require.NoError(t, witness.CheckRefutation(context.Background(), b.sys, old))
	require.Len(t, old.Steps, 1+5*41+2) // the entry, five rounds of 41 clauses, end and the query
}

// A chain of many predicates is inlined to nothing, and both witnesses come back.
func TestInlineLongChain(t *testing.T) {
	const n = 1500
	for _, sat := range []bool{true, false} {
		b := newBuilder()
		vs := b.ints("xy")
		x, y := vs[0], vs[1]
		last := b.predicate("p", term.Int, term.Int)
		b.rule(atom(last, x, y), b.And(b.Eq(x, b.Int(0)), b.Ge(y, b.Int(0))))
		for i := range n {
			p := b.predicate(fmt.Sprintf("p%d", i), term.Int, term.Int)
			b.rule(atom(p, b.Add(x, b.Int(1)), b.Add(x, y)), b.True(), atom(last, x, y))
			last = p
		}
		bad := b.Ne(x, b.Int(n))
		if !sat {
			bad = b.Eq(y, b.Int(n*(n-1)/2+7))
		}
		b.query(bad, atom(last, x, y))
		next, back := inlining(t, inline.DefaultOptions(), env)(b.sys)
		require.Empty(t, next.Predicates)
		if sat {
			require.Empty(t, next.Clauses)
			m, err := back.Model(t.Context(), witness.NewModel())
			require.NoError(t, err)
			require.NoError(t, witness.CheckModel(t.Context(), z3.Open, b.sys, m, smt.Limit{}))
			require.Less(t, m.Size(), 40*n)
			continue
		}
		require.Len(t, next.Clauses, 1)
		r := hornoracle.Solve(next, hornoracle.Options{Ints: []int64{7}, Facts: 1, Tries: 10}).Refutation()
		require.NotNil(t, r)
		old, err := back.Refutation(t.Context(), r)
		require.NoError(t, err)
		require.NoError(t, witness.CheckRefutation(context.Background(), b.sys, old))
		require.Len(t, old.Steps, n+2)
	}
}

// Layers that are completely connected have exponentially many paths; inlining must not write them down.
func TestInlineDoesNotExplode(t *testing.T) {
	const layers, width = 12, 4
	b := newBuilder()
	vs := b.ints("xy")
	x, y := vs[0], vs[1]
	var above []*chc.Predicate
	for i := range layers {
		var layer []*chc.Predicate
		for j := range width {
			p := b.predicate(fmt.Sprintf("p%d_%d", i, j), term.Int)
			layer = append(layer, p)
			for k, q := range above {
				b.rule(atom(p, y), b.Eq(y, b.Add(x, b.Int(int64(j*width+k)))), atom(q, x))
			}
			if i == 0 {
				b.rule(atom(p, x), b.Eq(x, b.Int(int64(j))))
			}
		}
		above = layer
	}
	for _, q := range above {
		b.query(b.Lt(x, b.Int(0)), atom(q, x))
	}
	next, back := inlining(t, inline.DefaultOptions(), env)(b.sys)
	require.LessOrEqual(t, len(next.Clauses), len(b.sys.Clauses))
	if next == b.sys {
		return
	}
	m := witness.NewModel()
	for _, p := range next.Predicates {
		v := witness.CanonicalParams(b.Pool, p)
		m.Interpretations[p] = witness.Interpretation{Params: v, Body: b.Ge(v[0], b.Int(0))}
	}
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, next, m, smt.Limit{}))
	old, err := back.Model(t.Context(), m)
	require.NoError(t, err)
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, b.sys, old, smt.Limit{}))
}

// A predicate that a body has twice, with a definition whose local variable no equation gives: the interpretation has to
// be found between what is derived and what both occurrences together allow.
func TestInlineTwoOccurrencesOfAPredicateWithLocals(t *testing.T) {
	b := newBuilder()
	vs := b.ints("xyzk")
	x, y, z, k := vs[0], vs[1], vs[2], vs[3]
	inv := b.predicate("inv", term.Int)
	p := b.predicate("p", term.Int)
	b.rule(atom(inv, x), b.And(b.Ge(x, b.Int(3)), b.Le(x, b.Int(20))))
	b.rule(atom(inv, b.Add(x, b.Int(1))), b.Lt(x, b.Int(20)), atom(inv, x))
	// p(x): x is between two and three times some k of inv, and x mod 5 is 1.
	b.rule(atom(p, x), b.And(b.Le(b.Scale(term.NewInt(2), k), x), b.Le(x, b.Scale(term.NewInt(3), k)), b.Eq(b.Mod(x, b.Int(5)), b.Int(1))), atom(inv, k))
	b.query(b.And(b.Eq(z, b.Add(x, y)), b.Or(b.Lt(z, b.Int(12)), b.Not(b.Eq(b.Mod(z, b.Int(5)), b.Int(2))))), atom(p, x), atom(p, y))
	// Each occurrence has a k of its own, and the clause another: 11 with k = 4, 16 with k = 6, 31 with k = 12.
	b.rule(atom(inv, b.Sub(k, b.Int(20))), b.And(b.Eq(k, b.Int(30)), b.Eq(x, b.Int(11)), b.Eq(y, b.Int(16)), b.Eq(z, b.Int(31))),
		atom(p, x), atom(p, y), atom(p, z))
	b.query(b.And(b.Eq(k, b.Int(1)), b.Lt(b.Add(x, b.Add(y, z)), b.Int(18))), atom(p, x), atom(p, y), atom(p, z))
	next, back := inlining(t, inline.DefaultOptions(), env)(b.sys)
	require.Len(t, next.Predicates, 1)
	m := witness.NewModel()
	v := witness.CanonicalParams(b.Pool, next.Predicates[0])
	m.Interpretations[next.Predicates[0]] = witness.Interpretation{Params: v, Body: b.And(b.Ge(v[0], b.Int(3)), b.Le(v[0], b.Int(20)))}
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, next, m, smt.Limit{}))
	old, err := back.Model(t.Context(), m)
	require.NoError(t, err)
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, b.sys, old, smt.Limit{}))
	require.False(t, old.Interpretations[p].Body.HasQuantifier())
}

// The interpretation of a predicate with one use that leaves nothing open is what the use allows, not what a large
// definition derives.
func TestInlineTakesTheSmallerInterpretation(t *testing.T) {
	b := newBuilder()
	x := b.Var("x", term.Int)
	p := b.predicate("p", term.Int)
	var values []*term.Term
	for i := range int64(60) {
		values = append(values, b.Eq(x, b.Int(i*i)))
	}
	b.rule(atom(p, x), b.Or(values...))
	b.query(b.Lt(x, b.Int(0)), atom(p, x))
	_, back := inlining(t, inline.DefaultOptions(), env)(b.sys)
	m, err := back.Model(t.Context(), witness.NewModel())
	require.NoError(t, err)
	v := m.Interpretations[p].Params[0]
	require.Equal(t, b.Ge(v, b.Int(0)), m.Interpretations[p].Body)
}

// What is said of the parameters alone is enough where the rest, here a product of locals that no elimination ends with, does not matter:
// both in what the definition derives, and in what the use forbids.
func TestInlineLeavesLocalsOut(t *testing.T) {
	for name, definition := range map[string]func(b *builder, x, y, u *term.Term) *term.Term{
		"derived":   func(b *builder, x, y, _ *term.Term) *term.Term { return b.Ge(x, y) },
		"forbidden": func(b *builder, x, y, u *term.Term) *term.Term { return b.And(b.Ge(u, b.Int(0)), b.Eq(x, b.Add(y, u))) },
	} {
		b := newBuilder()
		vs := b.ints("xyuvw")
		x, y, u, v, w := vs[0], vs[1], vs[2], vs[3], vs[4]
		p := b.predicate("p", term.Int, term.Int)
		cube := func(t *term.Term) *term.Term { return b.Mul(t, b.Mul(t, t)) }
		local := b.Eq(b.Add(cube(u), cube(v), cube(w), b.Mul(x, u)), b.Add(b.Int(33), b.Mul(y, v)))
		b.rule(atom(p, x, y), b.And(definition(b, x, y, u), local))
		b.query(b.And(b.Lt(x, y), local), atom(p, x, y))
		shown := 0
		counting := transform.Environment{Open: func(p *term.Pool, c smt.Config) (smt.Context, error) {
			opened, err := z3.Open(p, c)
			return modelCounter{opened, &shown}, err
		}}
		_, back := inlining(t, inline.DefaultOptions(), counting)(b.sys)
		m, err := back.Model(t.Context(), witness.NewModel())
		require.NoError(t, err)
		body := m.Interpretations[p].Body
		require.False(t, term.Multiplies(body), "%s: %v", name, body)
		require.Zero(t, shown, "%s: eliminations and interpolations begin with models", name)
	}
}

// modelCounter counts the models that are asked for.
type modelCounter struct {
	smt.Context
	shown *int
}

func (c modelCounter) NewSolver(p smt.Params) (smt.Solver, error) {
	s, err := c.Context.NewSolver(p)
	return modelCounting{s, c.shown}, err
}

type modelCounting struct {
	smt.Solver
	shown *int
}

func (s modelCounting) Model() (*smt.Model, error) {
	*s.shown++
	return s.Solver.Model()
}

// Premises come back in the order of the clauses that they were spliced out of, also when a body that is resolved away
// has several atoms, stands in the middle of another and is used twice.
func TestInlineRefutationKeepsPremisesApart(t *testing.T) {
	b := newBuilder()
	vs := b.ints("xyzuv")
	x, y, z, u, v := vs[0], vs[1], vs[2], vs[3], vs[4]
	var grow []*chc.Predicate
	for i, name := range []string{"a", "c", "d"} {
		p := b.predicate(name, term.Int)
		b.rule(atom(p, x), b.Eq(x, b.Int(int64(10*i))))
		b.rule(atom(p, b.Add(x, b.Int(1))), b.Lt(x, b.Int(int64(10*i+2))), atom(p, x))
		grow = append(grow, p)
	}
	mid := b.predicate("mid", term.Int, term.Int)
	b.rule(atom(mid, b.Sub(y, x), b.Add(x, z)), b.Lt(x, z), atom(grow[1], y), atom(grow[0], x), atom(grow[2], z))
	b.query(b.And(b.Eq(b.Add(u, v), b.Int(43)), b.Lt(x, z), b.Gt(y, u)),
		atom(grow[2], z), atom(mid, x, u), atom(grow[0], y), atom(mid, z, v), atom(grow[1], x))
	b.query(b.And(b.Eq(x, b.Int(11)), b.Eq(u, b.Int(21)), b.Eq(z, b.Int(9)), b.Eq(v, b.Int(23)), b.Eq(y, b.Int(2))),
		atom(mid, x, u), atom(grow[0], y), atom(mid, z, v))
	o := inline.DefaultOptions()
	o.Slack = 5
	next, back := inlining(t, o, env)(b.sys)
	require.Len(t, next.Predicates, 3)
	r := hornoracle.Solve(next, hornoracle.Options{Ints: []int64{0, 10, 20}, Facts: 100, Tries: 1_000_000}).Refutation()
	require.NotNil(t, r)
	old, err := back.Refutation(t.Context(), r)
	require.NoError(t, err)
	require.NoError(t, witness.CheckRefutation(context.Background(), b.sys, old))
}

// A source may use the very names that interpretations have for their parameters.
func TestInlineKeepsParametersApartFromClauseVariables(t *testing.T) {
	b := newBuilder()
	p, q := b.predicate("p", term.Int, term.Int), b.predicate("q", term.Int)
	ps := witness.CanonicalParams(b.Pool, p)
	x, y := ps[0], ps[1]
	b.rule(atom(q, x), b.And(b.Ge(x, b.Int(1)), b.Le(x, b.Int(9))))
	b.rule(atom(q, x), b.Le(x, b.Int(9)), atom(q, b.Sub(x, b.Int(1))))
	b.rule(atom(p, y, b.Add(y, x)), b.Lt(x, y), atom(q, x), atom(q, y)) // the parameters the other way round
	b.query(b.Gt(x, b.Add(y, b.Int(1))), atom(p, y, x), atom(q, b.Sub(x, b.Scale(term.NewInt(2), y))))
	next, back := inlining(t, inline.DefaultOptions(), env)(b.sys)
	require.Len(t, next.Predicates, 1)
	v := witness.CanonicalParams(b.Pool, next.Predicates[0])
	m := witness.NewModel()
	m.Interpretations[next.Predicates[0]] = witness.Interpretation{Params: v, Body: b.And(b.Ge(v[0], b.Int(1)), b.Le(v[0], b.Int(9)))}
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, next, m, smt.Limit{}))
	old, err := back.Model(t.Context(), m)
	require.NoError(t, err)
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, b.sys, old, smt.Limit{}))
}

// An atom that has a variable twice says that two arguments are equal.
func TestInlineRepeatedVariables(t *testing.T) {
	for _, inUse := range []bool{false, true} {
		b := newBuilder()
		vs := b.ints("xy")
		x, y := vs[0], vs[1]
		p := b.predicate("p", term.Int, term.Int)
		if inUse {
			b.rule(atom(p, x, y), b.Or(b.Lt(x, y), b.Ge(x, b.Int(3))))
			b.query(b.Lt(x, b.Int(3)), atom(p, x, x))
		} else {
			b.rule(atom(p, x, x), b.Ge(x, b.Int(3)))
			b.query(b.Or(b.Ne(x, y), b.Lt(x, b.Int(3))), atom(p, x, y))
		}
		next, back := inlining(t, inline.DefaultOptions(), env)(b.sys)
		require.Empty(t, next.Predicates)
		require.NoError(t, witness.CheckModel(t.Context(), z3.Open, next, witness.NewModel(), smt.Limit{}))
		m, err := back.Model(t.Context(), witness.NewModel())
		require.NoError(t, err)
		require.NoError(t, witness.CheckModel(t.Context(), z3.Open, b.sys, m, smt.Limit{}))
	}
}

// Large interpretations lose what nothing needs, and no more than that.
func TestInlineShrinksInterpretations(t *testing.T) {
	const n = 40
	b := newBuilder()
	var sorts []*term.Sort
	var xs []*term.Term
	var facts, bounds []*term.Term
	for i := range int64(n) {
		sorts = append(sorts, term.Int)
		xs = append(xs, b.Var(fmt.Sprintf("x%d", i), term.Int))
		facts = append(facts, b.Ge(xs[i], b.Int(i)), b.Le(xs[i], b.Int(3*i)))
		bounds = append(bounds, b.Le(xs[i], b.Int(i*i+5)))
	}
	p, q := b.predicate("p", sorts...), b.predicate("q", term.Int)
	// Of what p's definition derives, the first use needs two conjuncts and the second three.
	b.rule(atom(p, xs...), b.And(facts...))
	b.query(b.Lt(b.Add(xs[3], xs[7]), b.Int(10)), atom(p, xs...))
	b.rule(atom(q, b.Add(xs[20], b.Add(xs[21], xs[22]))), b.And(bounds...), atom(p, xs...))
	b.rule(atom(q, xs[0]), b.Le(xs[0], b.Int(180)), atom(q, b.Add(xs[0], b.Int(1))))
	b.query(b.Gt(xs[0], b.Int(189)), atom(q, xs[0]))
	next, back := inlining(t, inline.DefaultOptions(), env)(b.sys)
	require.Len(t, next.Predicates, 1)
	m := witness.NewModel()
	v := witness.CanonicalParams(b.Pool, next.Predicates[0])
	m.Interpretations[next.Predicates[0]] = witness.Interpretation{Params: v, Body: b.Le(v[0], b.Int(189))}
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, next, m, smt.Limit{}))
	old, err := back.Model(t.Context(), m)
	require.NoError(t, err)
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, b.sys, old, smt.Limit{}))
	require.Len(t, term.Conjuncts(old.Interpretations[p].Body), 5)
}

// What one occurrence needs is not what another needs: x at most 60 for the first, y at least 6 for the second.
func TestInlineEachOccurrenceCounts(t *testing.T) {
	b := newBuilder()
	vs := b.ints("xyk")
	x, y, k := vs[0], vs[1], vs[2]
	inv, p := b.predicate("inv", term.Int), b.predicate("p", term.Int)
	b.rule(atom(inv, x), b.And(b.Ge(x, b.Int(3)), b.Le(x, b.Int(20))))
	b.rule(atom(inv, x), b.Lt(x, b.Int(20)), atom(inv, x), atom(inv, b.Add(x, b.Int(1))))
	b.rule(atom(p, x), b.And(b.Le(b.Scale(term.NewInt(2), k), x), b.Le(x, b.Scale(term.NewInt(3), k)), b.Not(b.Divides(term.NewInt(7), x))), atom(inv, k))
	b.query(b.Gt(b.Sub(x, y), b.Int(54)), atom(p, x), atom(p, y))
	next, back := inlining(t, inline.DefaultOptions(), env)(b.sys)
	require.Len(t, next.Predicates, 1)
	v := witness.CanonicalParams(b.Pool, next.Predicates[0])
	m := witness.NewModel()
	m.Interpretations[next.Predicates[0]] = witness.Interpretation{Params: v, Body: b.And(b.Ge(v[0], b.Int(3)), b.Le(v[0], b.Int(20)))}
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, next, m, smt.Limit{}))
	old, err := back.Model(t.Context(), m)
	require.NoError(t, err)
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, b.sys, old, smt.Limit{}))
	w := old.Interpretations[p]
	require.True(t, w.Apply(b.Pool, []*term.Term{b.Int(14)}).IsTrue(), "that 7 does not divide x is not needed")
	require.True(t, w.Apply(b.Pool, []*term.Term{b.Int(5)}).IsFalse())
	require.True(t, w.Apply(b.Pool, []*term.Term{b.Int(61)}).IsFalse())
}

// lapsing is a context that ends after it has been asked a number of times.
type lapsing struct {
	context.Context
	left *int
}

func (c lapsing) Err() error {
	if *c.left--; *c.left < 0 {
		return context.Canceled
	}
	return nil
}

// The elimination of one predicate with many definitions looks at the context between them.
func TestInlineEndsWithItsContext(t *testing.T) {
	var src strings.Builder
	src.WriteString("(declare-rel p (Int))\n(declare-rel q (Int))\n")
	for i := range 8 {
		fmt.Fprintf(&src, "(rule (=> (= x %d) (p x)))\n", i)
	}
	src.WriteString("(rule (=> (p x) (q x)))\n(rule (=> (and (q x) (> x 100)) (q (+ x 1))))\n(query (and (q x) (< x 0)))")
	sys := read(t, src.String())
	_, _, err := inline.Pass().Run(t.Context(), env, sys)
	require.NoError(t, err)
	left := 4
	_, _, err = inline.Pass().Run(lapsing{t.Context(), &left}, env, sys)
	require.ErrorIs(t, err, context.Canceled)
}
