package passes_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform/masks"
)

// What becomes a vector is masked, compared and copied only, and in its range.
func TestMasksOf(t *testing.T) {
	const start = "(declare-fun p (Int Int) Bool)(declare-fun q (Int) Bool)(assert (p 0 0))"
	const masked = "(= (bv2nat (bvand ((_ int2bv 8) x) #x04)) 4)"
	for name, test := range map[string]struct {
		rule string
		// width is that of the first argument of p, 0 if it stays an integer.
		width int
	}{
		"set and asked":              {"(=> (p x y) (p (bv2nat (bvor ((_ int2bv 8) x) #x04)) y)); (=> (and (p x y) " + masked + ") false)", 8},
		"no mask":                    {"(=> (and (p x y) (< x 10)) (p 255 y))", 0},
		"a bound":                    {"(=> (and (p x y) (<= x 3) (= z 7) " + masked + ") (p z y))", 8},
		"a sum":                      {"(=> (and (p x y) (< x 255) " + masked + ") (p (+ x 1) y))", 0},
		"a sum in a comparison":      {"(=> (and (p x y) (< (+ x y) 255) " + masked + ") (p x x))", 0},
		"an index":                   {"(=> (and (p x y) (= (select a x) 3) " + masked + ") (p x y))", 0},
		"under a quantifier":         {"(=> (and (p x y) (exists ((z Int)) (= (* 2 z) x)) " + masked + ") (p x y))", 0},
		"copied":                     {"(=> (p x y) (q x)); (=> (and (q x) (= x z) " + masked + ") (p z x))", 8},
		"a copy in a sum":            {"(=> (p x y) (q x)); (=> (and (p x y) " + masked + ") (p 1 y)); (=> (and (q x) (= (+ x y) 3)) (q y))", 0},
		"a constant beyond":          {"(=> (and (p x y) " + masked + ") (p 256 y))", 0},
		"a negative constant":        {"(=> (and (p x y) " + masked + ") (p (- 1) y))", 0},
		"any number":                 {"(=> (and (p x y) " + masked + ") (p z y))", 0},
		"any number in the range":    {"(=> (and (p x y) (<= 0 z 255) " + masked + ") (p z y))", 8},
		"nearly in the range":        {"(=> (and (p x y) (<= 0 z 256) " + masked + ") (p z y))", 0},
		"a vector that is longer":    {"(=> (and (p x y) " + masked + ") (p (bv2nat (bvor ((_ int2bv 16) y) #x0100)) y))", 0},
		"a vector that is shorter":   {"(=> (and (p x y) " + masked + ") (p (bv2nat #b101) y))", 8},
		"two masks":                  {"(=> (and (p x y) (= ((_ int2bv 16) x) #x0001) " + masked + ") (p 4 y))", 16},
		"by its premises":            {"(=> (and (q x) " + masked + ") (p x y)); (=> (and (p x y) (= y 3)) (q x))", 8},
		"not by its premises":        {"(=> (and (q x) " + masked + ") (p x y)); (=> (and (p x y) (= y 3)) (q x)); (q 1000)", 0},
		"a local mask":               {"(=> (and (p x y) (= (bvand ((_ int2bv 8) z) ((_ int2bv 8) x)) #x01)) (p 3 y))", 8},
		"a difference":               {"(=> (and (p x y) (not (= x z)) (<= 0 z 255) " + masked + ") (p z y))", 8},
		"a difference with anything": {"(=> (and (p x y) (not (= x z)) " + masked + ") (p x y))", 0},
	} {
		sys := readRules(t, start, test.rule)
		next, _, err := masks.Pass().Run(t.Context(), env, sys)
		require.NoError(t, err, name)
		want := term.Int
		if test.width > 0 {
			want = sys.Pool.BitVec(test.width)
			again, _, err := masks.Pass().Run(t.Context(), env, next)
			require.NoError(t, err, name)
			require.Same(t, next, again, name)
		}
		require.Same(t, want, next.Predicates[0].Sorts[0], name)
	}
}

// readRules reads clauses over the integers x, y and z and the array a, separated by semicolons.
func readRules(t testing.TB, start, rules string) *chc.System {
	src := start
	for _, rule := range strings.Split(rules, ";") {
		src += fmt.Sprintf("(assert (forall ((x Int) (y Int) (z Int) (a (Array Int Int))) %s))", rule)
	}
	return readSystem(t, src)
}

// maskClauses draws clauses over integers that mostly are numbers of two bits.
type maskClauses struct {
	*rapid.T
	*term.Pool
	vars []*term.Term
}

func (d *maskClauses) pick(n int) int { return rapid.IntRange(0, n-1).Draw(d.T, "pick") }

func (d *maskClauses) variable() *term.Term { return d.vars[d.pick(len(d.vars))] }

// vector draws a vector of two bits.
func (d *maskClauses) vector() *term.Term {
	x := d.NatToBV(2, d.variable())
	switch d.pick(5) {
	case 0:
		return x
	case 1:
		return d.BV(term.BVNot, x)
	case 2:
		return d.BV(term.BVOr, x, d.NatToBV(2, d.variable()))
	}
	return d.BV([]term.Op{term.BVAnd, term.BVOr, term.BVXor}[d.pick(3)], x, d.BVNum(term.NewInt(int64(d.pick(4))), 2))
}

// number draws an integer.
func (d *maskClauses) number() *term.Term {
	switch d.pick(8) {
	case 0:
		return d.Int(int64(d.pick(5)))
	case 1:
		return d.Ite(d.literal(), d.variable(), d.BVToNat(d.vector()))
	case 2, 3, 4:
		return d.BVToNat(d.vector())
	}
	return d.variable()
}

func (d *maskClauses) literal() *term.Term {
	if d.pick(4) == 0 {
		return d.Not(d.atom())
	}
	return d.atom()
}

func (d *maskClauses) atom() *term.Term {
	bound := d.Int(int64(d.pick(6) - 1))
	switch d.pick(6) {
	case 0:
		return d.Eq(d.vector(), d.vector())
	case 1:
		return d.Eq(d.variable(), bound)
	case 2:
		return d.Le(d.number(), bound)
	case 3:
		return d.Le(bound, d.number())
	case 4:
		return d.Lt(d.BVToNat(d.vector()), d.variable())
	}
	return d.Eq(d.variable(), d.number())
}

func (d *maskClauses) system() *chc.System {
	sys := &chc.System{Pool: d.Pool}
	for i := range 2 {
		sys.Predicates = append(sys.Predicates, &chc.Predicate{ID: i, Name: fmt.Sprintf("p%d", i), Sorts: []*term.Sort{term.Int, term.Int}[:i+1]})
	}
	app := func(of func() *term.Term) chc.App {
		p := sys.Predicates[d.pick(2)]
		a := chc.App{Pred: p}
		for range p.Sorts {
			a.Args = append(a.Args, of())
		}
		return a
	}
	for i := range 3 + d.pick(4) {
		c := &chc.Clause{ID: i}
		d.vars = nil
		for j := range 3 {
			d.vars = append(d.vars, d.Var(fmt.Sprintf("x%d", j), term.Int))
		}
		if i > 0 {
			for range 1 + d.pick(2) {
				c.Body = append(c.Body, app(d.variable))
			}
		}
		if i == 0 || d.pick(4) > 0 {
			h := app(d.number)
			c.Head = &h
		}
		parts := []*term.Term{d.Or(d.literal(), d.literal()), d.literal()}[:d.pick(3)]
		c.Constraint = d.And(parts...)
		for _, x := range c.Vars() {
			// The variables of premises need no bounds.
			if premise := slices.ContainsFunc(c.Body, func(a chc.App) bool { return slices.Contains(a.Args, x) }); d.pick(8) > 0 && !premise {
				parts = append(parts, d.Le(d.Int(0), x), d.Le(x, d.Int(3)))
			}
		}
		c.Constraint = d.And(parts...)
		sys.Clauses = append(sys.Clauses, c)
	}
	return sys
}

// Nothing is lost either way where integers become vectors.
func TestMasksCarryWitnessesBack(t *testing.T) {
	var n tally
	n.untilBoth(t, func(t *rapid.T) {
		d := &maskClauses{T: t, Pool: term.NewPool()}
		n.carriesOne(t, runner(t, masks.Pass()), d.system())
	})
	require.Positive(t, n.sat)
	require.Positive(t, n.unsat)
}
