package inline

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/internal/smt/z3"
)

// draws makes random formulas over three integers with ranges, one without, and an array that is filled at some of them.
type draws struct {
	pool *term.Pool
	pr   *program
	vars []*term.Term
	base *term.Term
}

func newDraws(t *rapid.T) *draws {
	p := term.NewPool()
	d := &draws{pool: p, pr: &program{pool: p, ranges: map[*term.Term]term.Interval{}, joins: map[*term.Term]join{}}}
	for i := range 4 {
		d.vars = append(d.vars, p.Var(fmt.Sprintf("x%d", i), term.Int))
		if i < 3 {
			low := rapid.Int64Range(-2, 2).Draw(t, "low")
			high := low + rapid.Int64Range(0, 2).Draw(t, "width")
			d.pr.ranges[d.vars[i]] = term.Between(term.NewInt(low), term.NewInt(high))
		}
	}
	d.base = p.Var("a", p.Array(term.Int, term.Int))
	return d
}

func (d *draws) sum(t *rapid.T) *term.Term {
	s := d.pool.Int(rapid.Int64Range(-3, 3).Draw(t, "constant"))
	for range rapid.IntRange(0, 2).Draw(t, "summands") {
		v := d.pool.Mul(d.pool.Int(rapid.Int64Range(-2, 2).Draw(t, "factor")), rapid.SampledFrom(d.vars).Draw(t, "variable"))
		s = d.pool.Add(s, v)
	}
	return s
}

func (d *draws) array(t *rapid.T) *term.Term {
	a := d.base
	for range rapid.IntRange(0, 3).Draw(t, "stores") {
		a = d.pool.Store(a, d.sum(t), d.sum(t))
	}
	return a
}

func (d *draws) formula(t *rapid.T, depth int) *term.Term {
	p := d.pool
	if depth > 0 {
		parts := []*term.Term{d.formula(t, depth-1), d.formula(t, depth-1)}
		switch rapid.IntRange(0, 3).Draw(t, "junction") {
		case 0:
			return p.And(parts...)
		case 1:
			return p.Or(parts...)
		case 2:
			return p.Not(parts[0])
		}
	}
	x, y := d.sum(t), d.sum(t)
	if rapid.Bool().Draw(t, "read") {
		x = p.Select(d.array(t), x)
	}
	switch rapid.IntRange(0, 2).Draw(t, "atom") {
	case 0:
		return p.Eq(x, y)
	case 1:
		return p.Le(x, y)
	}
	return p.Eq(d.array(t), p.Store(d.base, x, y))
}

// values are some of the variables, within the ranges, and of the array.
func (d *draws) values(t *rapid.T) map[*term.Term]*term.Term {
	out := map[*term.Term]*term.Term{}
	for _, v := range d.vars {
		low, high := int64(-4), int64(4)
		if s, ok := d.pr.ranges[v]; ok {
			low, _ = s.Low.Int64()
			high, _ = s.High.Int64()
		}
		out[v] = d.pool.Int(rapid.Int64Range(low, high).Draw(t, v.Name()))
	}
	a := d.pool.ConstArray(d.base.Sort(), d.pool.Int(0))
	for i := range int64(9) {
		a = d.pool.Store(a, d.pool.Int(i-4), d.pool.Int(rapid.Int64Range(-2, 2).Draw(t, "element")))
	}
	out[d.base] = a
	return out
}

// What ranges make of a formula says the same as before within them, and no range that is computed leaves out a value that the
// formula allows.
func TestRangesAreSound(t *testing.T) {
	decided, computed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		d := newDraws(t)
		p, free := d.pool, d.vars[3]
		// What computes the one without a range, in two ways, of the others.
		sums := []*term.Term{p.Substitute(d.sum(t), map[*term.Term]*term.Term{free: p.Int(1)}), p.Substitute(d.sum(t), map[*term.Term]*term.Term{free: p.Int(0)})}
		f := p.Or(p.And(p.Eq(free, sums[0]), d.formula(t, 1)), p.And(p.Eq(free, sums[1]), d.formula(t, 1)))
		if rapid.Bool().Draw(t, "anything else") {
			f = d.formula(t, 2)
		}
		narrow, spans := d.pr.narrow(f), d.pr.impliedRanges(f)
		if narrow != f {
			decided++
		}
		for range 8 {
			at := d.values(t)
			if s := p.Substitute(rapid.SampledFrom(sums).Draw(t, "way"), at); rapid.Bool().Draw(t, "as it is computed") {
				at[free] = s
			}
			whole := d.pool.Substitute(f, at)
			require.Equal(t, whole, d.pool.Substitute(narrow, at), "%s became %s", f, narrow)
			for x, s := range spans {
				if whole.IsTrue() {
					computed++
					value := at[x].Num()
					require.True(t, s.Has(value), "%s is %s in %s", x, value, f)
				}
			}
		}
	})
	require.NotZero(t, decided)
	require.NotZero(t, computed)
}

// An array that is made for several ways is that of each way when its variables have the values that the way says they have,
// whatever indices are the same.
func TestJoinedArraysAreTheWays(t *testing.T) {
	joined, layers := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		d := newDraws(t)
		p := d.pool
		before := d.array(t)
		i, j := d.sum(t), d.sum(t)
		ways := []*term.Term{before, p.Store(before, i, d.sum(t)), p.Store(p.Store(before, i, d.sum(t)), j, d.sum(t))}
		ways = rapid.Permutation(ways).Draw(t, "ways")[:rapid.IntRange(2, 3).Draw(t, "number of ways")]
		x := p.Var("x", d.base.Sort())
		disjuncts := make([]*term.Term, len(ways))
		for k, w := range ways {
			disjuncts[k] = p.And(p.Eq(x, w), p.Eq(d.vars[0], p.Int(int64(k))))
		}
		out := d.pr.joined(x, disjuncts, map[*term.Term]*term.Term{x: x})
		if out == nil {
			return
		}
		at := d.values(t)
		for _, w := range ways {
			chosen := d.pr.splitStores(p.Eq(out, w))
			if chosen == p.Eq(out, w) {
				return // nothing is known of it but that they are equal
			}
			joined++
			layers = max(layers, len(d.pr.joins[out].over))
			now := map[*term.Term]*term.Term{}
			for _, c := range term.Conjuncts(chosen) {
				require.True(t, c.IsTrue() || c.Op() == term.Eq, c)
				for _, v := range term.Vars(c) {
					if at[v] == nil && c.Op() == term.Eq {
						// Its own variable is alone on one side, or the whole can be solved for it.
						now[v] = solved(p, p.Substitute(c, at), v)
					}
				}
			}
			require.Equal(t, p.Substitute(w, at), p.Substitute(p.Substitute(out, now), at), "%s is not %s when %s", out, w, chosen)
		}
	})
	require.NotZero(t, joined)
	require.GreaterOrEqual(t, layers, 2, "exchanges at two unknown indices are joined")
}

// solved is the value of v in an equation of v and numbers.
func solved(p *term.Pool, e, v *term.Term) *term.Term {
	l := p.Linear(e.Arg(0)).Sub(p.Linear(e.Arg(1)))
	return p.FromLinear(l.Without(v).Scale(l.Coef(v).Inv().Neg()), term.Int)
}

// partition is a program that puts the numbers of an array that are less than the last one before the others, by exchanges
// whose indices are not known, and says that they are fewer than all; with slip they may be as many.
func partition(n int, slip string) string {
	const arrays = "(Array Int Int)"
	return fmt.Sprintf(`(set-logic HORN)
(declare-fun fill (%[1]s Int) Bool)
(declare-fun part (%[1]s Int Int Int) Bool)
(assert (forall ((a %[1]s)) (fill a 0)))
(assert (forall ((a %[1]s) (i Int) (x Int)) (=> (and (fill a i) (< i %[2]d)) (fill (store a i x) (+ i 1)))))
(assert (forall ((a %[1]s) (i Int)) (=> (and (fill a i) (>= i %[2]d)) (part a (select a %[3]d) 0 0))))
(assert (forall ((a %[1]s) (pivot Int) (low Int) (i Int) (b %[1]s) (m Int)) (=> (and (part a pivot low i) (< i %[2]d)
  (or (and (not (%[4]s (select a i) pivot)) (= b a) (= m low))
      (and (%[4]s (select a i) pivot) (= b (store (store a i (select a low)) low (select a i))) (= m (+ low 1)))))
  (part b pivot m (+ i 1)))))
(assert (forall ((a %[1]s) (pivot Int) (low Int) (i Int)) (=> (and (part a pivot low i) (>= i %[2]d) (>= low %[2]d)) false)))
(check-sat)`, arrays, n, n-1, slip)
}

// Ranges of indices and exchanges as chains of stores make the last element known, whatever was exchanged: the solver has
// nothing to find. The same program with a fault has its refutation.
func TestRangesSeeThroughExchanges(t *testing.T) {
	forward := map[string]string{"inline.direction": "forward", "inline.start": "100", "inline.constants": "true", "inline.prove": "false"}
	sys := reversed(read(t, partition(5, "<")))
	o, err := newOptions(engine.Settings{Options: forward})
	require.NoError(t, err)
	h, err := newHunter(sys, sys, engine.Settings{Open: z3.Open, Stats: engine.NewStats()}, o)
	require.NoError(t, err)
	defer h.close()
	answer, err := h.static(t.Context())
	require.NoError(t, err)
	require.Equal(t, "no bug at any recursion bound", answer.Reason)
	require.Empty(t, h.open)
	last := 0
	for _, f := range h.asserted {
		term.Walk(f, func(u *term.Term) bool {
			if u.Op() == term.Eq && u.Arg(0).Sort().IsArray() {
				require.Fail(t, "arrays are compared", "%s", f)
			}
			if u.Op() == term.Select {
				last++
			}
			return true
		})
	}
	require.NotZero(t, last, "indices that are not known are read at")
	for _, e := range []engine.Engine{Engine(), BMC()} {
		answer, _ := solve(t, e, read(t, partition(4, "<=")), forward, 60*time.Second)
		require.Equal(t, engine.Unsat, answer.Verdict, answer.Reason)
	}
}
