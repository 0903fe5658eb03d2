package reduce_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/reduce"
	"hornbeam/chc/term"
	"hornbeam/internal/smt/z3"
)

func conjunction(t require.TestingT, p *term.Pool, parts []*term.Term, o reduce.Options) []*term.Term {
	o.Open = z3.Open
	out, err := reduce.Conjunction(context.Background(), p, parts, o)
	require.NoError(t, err)
	return out
}

// Bounds that follow from types, from each other, or from an equality are not said.
func TestBoundsThatFollow(t *testing.T) {
	p := term.NewPool()
	count, tail, head := p.Var("count", term.Int), p.Var("tail", term.Int), p.Var("head", term.Int)
	atMost := func(v *term.Term, n int64) *term.Term { return p.Le(v, p.Int(n)) }
	var known []*term.Term
	for _, v := range []*term.Term{count, tail, head} {
		known = append(known, p.Ge(v, p.Int(0)), atMost(v, 1<<32-1))
	}
	ring := p.Eq(head, p.Mod(p.Add(count, tail), p.Int(8)))
	parts := []*term.Term{
		atMost(count, 1<<32+7), atMost(count, 8), p.Ge(count, p.Int(0)),
		p.Or(ring, p.And(p.Eq(head, p.Int(0)), p.Eq(count, p.Int(0)), p.Eq(tail, p.Int(0)))),
	}
	require.ElementsMatch(t, []*term.Term{atMost(count, 8), ring}, conjunction(t, p, parts, reduce.Options{Known: known}))
}

// Bounds that meet are an equality, and a bound that is excluded goes on to the next number.
func TestBoundsThatMeet(t *testing.T) {
	p := term.NewPool()
	x, y, b := p.Var("x", term.Int), p.Var("y", term.Int), p.Var("b", term.Bool)
	require.ElementsMatch(t, []*term.Term{p.Or(b, p.Eq(x, y))}, conjunction(t, p, []*term.Term{p.Or(b, p.Le(x, y)), p.Or(b, p.Ge(x, y))}, reduce.Options{}))
	within := []*term.Term{p.Or(b, p.And(p.Le(x, y), p.Le(x, p.Int(7)), p.Ge(x, y)))}
	require.ElementsMatch(t, []*term.Term{p.Or(b, p.And(p.Eq(x, y), p.Le(x, p.Int(7))))}, conjunction(t, p, within, reduce.Options{}))
	require.ElementsMatch(t, []*term.Term{p.Eq(x, y)}, conjunction(t, p, []*term.Term{p.Le(x, y), p.Ge(x, y)}, reduce.Options{}))
	require.ElementsMatch(t, []*term.Term{p.Ge(x, p.Int(3))}, conjunction(t, p, []*term.Term{p.Gt(x, p.Int(0)), p.Ne(x, p.Int(1)), p.Ne(x, p.Int(2))}, reduce.Options{}))
	require.ElementsMatch(t, []*term.Term{p.Or(b, p.Eq(x, p.Int(0)))}, conjunction(t, p, []*term.Term{p.Or(b, p.Le(x, p.Int(0)))}, reduce.Options{Known: []*term.Term{p.Ge(x, p.Int(0))}}))
}

// A disjunction of cases is said case by case.
func TestCases(t *testing.T) {
	p := term.NewPool()
	before, after := p.Var("before", term.Int), p.Var("after", term.Int)
	full := p.Gt(before, p.Int(7))
	same, more := p.Eq(after, before), p.Eq(after, p.Add(before, p.Int(1)))
	parts := []*term.Term{p.Or(p.And(full, same), p.And(p.Not(full), more))}
	o := reduce.Options{Case: func(a *term.Term) bool { return !term.HasAny(a, map[*term.Term]bool{after: true}) }}
	require.ElementsMatch(t, []*term.Term{p.Or(p.Not(full), same), p.Or(full, more)}, conjunction(t, p, parts, o))
}

// What is returned is as true as what was given, wherever what is known holds, and is not longer.
func TestTheSameEverywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := term.NewPool()
		vars := []*term.Term{p.Var("x", term.Int), p.Var("y", term.Int), p.Var("z", term.Int)}
		atom := func() *term.Term {
			v, w := rapid.SampledFrom(vars).Draw(t, "v"), rapid.SampledFrom(vars).Draw(t, "w")
			c := p.Int(rapid.Int64Range(-2, 3).Draw(t, "c"))
			return rapid.SampledFrom([]*term.Term{
				p.Le(v, c), p.Ge(v, c), p.Eq(v, c), p.Ne(v, c), p.Le(v, p.Add(w, c)), p.Eq(v, p.Add(w, c)), p.Eq(p.Mod(p.Add(v, w), p.Int(3)), c),
			}).Draw(t, "atom")
		}
		var formula func(depth int) *term.Term
		formula = func(depth int) *term.Term {
			if depth == 0 {
				return atom()
			}
			var args []*term.Term
			for range rapid.IntRange(1, 3).Draw(t, "args") {
				args = append(args, formula(rapid.IntRange(0, depth-1).Draw(t, "depth")))
			}
			switch rapid.IntRange(0, 2).Draw(t, "op") {
			case 0:
				return p.And(args...)
			case 1:
				return p.Or(args...)
			}
			return p.Not(p.And(args...))
		}
		var parts, known []*term.Term
		for range rapid.IntRange(1, 4).Draw(t, "parts") {
			parts = append(parts, formula(2))
		}
		for _, v := range vars {
			known = append(known, p.Ge(v, p.Int(-1)), p.Le(v, p.Int(2)))
		}
		out := conjunction(t, p, parts, reduce.Options{Known: known, Case: func(a *term.Term) bool { return !term.HasAny(a, map[*term.Term]bool{vars[0]: true}) }})
		before, after := p.And(parts...), p.And(out...)
		for x := int64(-1); x <= 2; x++ {
			for y := int64(-1); y <= 2; y++ {
				for z := int64(-1); z <= 2; z++ {
					e := term.NewEvaluator(p, term.MapAssignment{
						vars[0]: term.NumValue(term.NewInt(x), term.Int), vars[1]: term.NumValue(term.NewInt(y), term.Int), vars[2]: term.NumValue(term.NewInt(z), term.Int),
					})
					require.Equal(t, e.True(before), e.True(after), "%d %d %d: %s and %s", x, y, z, before, after)
				}
			}
		}
	})
}
