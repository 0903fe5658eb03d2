package witness

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

// drawInt draws an integer term over variables of three bits, with conversions to bit-vectors and back.
func drawInt(t *rapid.T, p *term.Pool, vars []*term.Term, depth int) *term.Term {
	if depth == 0 {
		if rapid.Bool().Draw(t, "numeral") {
			return p.Int(rapid.Int64Range(-3, 12).Draw(t, "value"))
		}
		return rapid.SampledFrom(vars).Draw(t, "variable")
	}
	sub := func() *term.Term { return drawInt(t, p, vars, depth-1) }
	bits := func() *term.Term { return p.NatToBV(3, sub()) }
	switch rapid.IntRange(0, 6).Draw(t, "operator") {
	case 0:
		return p.Add(sub(), sub())
	case 1:
		return p.Mul(sub(), sub())
	case 2:
		return p.Ite(p.Le(sub(), sub()), sub(), sub())
	case 3:
		return p.IntDiv(sub(), p.Int(rapid.Int64Range(1, 4).Draw(t, "divisor")))
	case 4:
		return p.Mod(sub(), p.Int(rapid.Int64Range(1, 4).Draw(t, "divisor")))
	case 5:
		return p.BVToNat(p.NatToBV(rapid.IntRange(2, 5).Draw(t, "width"), sub()))
	}
	op := rapid.SampledFrom([]term.Op{term.BVAnd, term.BVXor, term.BVShl, term.BVLshr, term.BVAdd}).Draw(t, "bits")
	return p.BVToNat(p.BV(op, bits(), bits()))
}

// satisfiable tries all values of variables of few bits; of integers those from -4 to 12.
func satisfiable(p *term.Pool, formulas []*term.Term) bool {
	all := p.And(formulas...)
	vars := term.Vars(all)
	values := map[*term.Term]*term.Term{}
	var try func(int) bool
	try = func(i int) bool {
		if i == len(vars) {
			return p.Substitute(all, values).IsTrue()
		}
		from, to := int64(-4), int64(12)
		if vars[i].Sort().IsBitVec() {
			from, to = 0, int64(1)<<vars[i].Sort().Width-1
		}
		for n := from; n <= to; n++ {
			values[vars[i]] = p.Int(n)
			if vars[i].Sort().IsBitVec() {
				values[vars[i]] = p.BVNum(term.NewInt(n), vars[i].Sort().Width)
			}
			if try(i + 1) {
				return true
			}
		}
		return false
	}
	return try(0)
}

// What is written over bit-vectors has a solution where the conjunction has one, and nowhere else.
func TestAsBitsKeepsSolutions(t *testing.T) {
	written := 0
	rapid.Check(t, func(t *rapid.T) {
		p := term.NewPool()
		x, y := p.Var("x", term.Int), p.Var("y", term.Int)
		vars := []*term.Term{x, y}
		var conjunction []*term.Term
		for _, v := range vars {
			conjunction = append(conjunction, p.Le(p.Int(rapid.Int64Range(0, 1).Draw(t, "from")), v), p.Le(v, p.Int(rapid.Int64Range(0, 9).Draw(t, "to"))))
		}
		for range rapid.IntRange(1, 2).Draw(t, "atoms") {
			a, b := drawInt(t, p, vars, 2), drawInt(t, p, vars, 1)
			f := p.Le(a, b)
			if rapid.Bool().Draw(t, "equal") {
				f = p.Eq(a, b)
			}
			if rapid.Bool().Draw(t, "negated") {
				f = p.Not(f)
			}
			conjunction = append(conjunction, f)
		}
		out, ok := asBits(p, conjunction)
		if !ok {
			return
		}
		written++
		require.Equal(t, satisfiable(p, conjunction), satisfiable(p, out), "%v\n%v", conjunction, out)
	})
	require.Positive(t, written)
}

// Solc's shifts of integers come out without integers.
func TestAsBitsWritesShiftsWithoutIntegers(t *testing.T) {
	p := term.NewPool()
	a, e, f := p.Var("a", term.Int), p.Var("e", term.Int), p.Var("f", term.Int)
	bits := func(t *term.Term) *term.Term {
		return p.Ite(p.Le(p.Int(0), t), p.NatToBV(16, t), p.BV(term.BVNeg, p.NatToBV(16, p.Neg(t))))
	}
	out, ok := asBits(p, []*term.Term{
		p.Le(p.Int(0), a), p.Le(a, p.Int(65535)), p.Le(e, p.Int(65535)),
		p.Eq(e, p.BVToNat(p.BV(term.BVShl, bits(a), bits(p.Int(4))))),
		p.Eq(f, p.BVToNat(p.BV(term.BVLshr, bits(e), bits(p.Int(4))))),
		p.Ne(f, p.BVToNat(p.BV(term.BVAnd, bits(a), bits(p.Int(4095))))),
	})
	require.True(t, ok)
	for _, g := range out {
		require.False(t, term.ConvertsBits(g), "%s", g)
	}
}
