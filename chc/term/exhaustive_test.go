package term

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tests here try all small cases of the rules that random terms seldom meet.

// evalInt evaluates t where x and y have the given values.
func evalAt(p *Pool, t *Term, x, y *Term, i, j Num) Value {
	v, ok := NewEvaluator(p, MapAssignment{x: NumValue(i, x.sort), y: NumValue(j, y.sort)}).Eval(t)
	if !ok {
		panic("undetermined: " + t.String())
	}
	return v
}

func TestDivisionOfAllSmallSums(t *testing.T) {
	p := NewPool()
	x, y := p.Var("x", Int), p.Var("y", Int)
	points := [][2]int64{{1, -1}, {-5, 3}, {7, 2}}
	for k := int64(-6); k <= 6; k++ {
		if k == 0 {
			continue
		}
		n := p.Int(k)
		for a := int64(-7); a <= 7; a++ {
			for b := int64(-3); b <= 3; b++ {
				for c := int64(-4); c <= 4; c++ {
					sum := p.Add(p.Scale(NewInt(a), x), p.Scale(NewInt(b), y), p.Int(c))
					div, mod, divides := p.IntDiv(sum, n), p.Mod(sum, n), p.Divides(NewInt(k), sum)
					require.Same(t, divides, p.Eq(mod, p.Int(0)))
					for _, at := range points {
						i, j := NewInt(at[0]), NewInt(at[1])
						q, r := new(big.Int).DivMod(big.NewInt(a*at[0]+b*at[1]+c), big.NewInt(k), new(big.Int))
						if !evalAt(p, div, x, y, i, j).Num().Equal(NumFromBig(q)) || !evalAt(p, mod, x, y, i, j).Num().Equal(NumFromBig(r)) ||
							evalAt(p, divides, x, y, i, j).Bool() != (r.Sign() == 0) {
							require.Fail(t, "wrong value", "%v by %v at %v: %v, %v, %v", sum, n, at, div, mod, divides)
						}
					}
				}
			}
		}
	}
}

// div and mod of div and mod, plus a constant, in every combination; and their comparisons with every constant.
func TestNestedDivisionsAndTheirBounds(t *testing.T) {
	p := NewPool()
	x, y := p.Var("x", Int), p.Var("y", Int)
	ops := [2]func(a, b *Term) *Term{p.IntDiv, p.Mod}
	ref := func(op int, a, b int64) int64 {
		q, r := EuclidDiv(NewInt(a), NewInt(b))
		out, _ := [2]Num{q, r}[op].Int64()
		return out
	}
	for _, inner := range []int64{2, 3, 4, 6} {
		for _, outer := range []int64{2, 3, -4, 6} {
			for o := range 4 {
				for c := int64(-2); c <= 2; c++ {
					u := ops[o/2](p.Add(ops[o%2](x, p.Int(inner)), p.Int(c)), p.Int(outer))
					for i := int64(-13); i <= 13; i++ {
						want := ref(o/2, ref(o%2, i, inner)+c, outer)
						require.Equal(t, fmt.Sprint(want), evalAt(p, u, x, y, NewInt(i), Num{}).Num().String(), "%v at %d", u, i)
					}
					for bound := int64(-4); bound <= 6; bound++ {
						le, eq := p.Le(u, p.Int(bound)), p.Eq(u, p.Int(bound))
						for i := int64(-13); i <= 13; i++ {
							want := ref(o/2, ref(o%2, i, inner)+c, outer)
							require.Equal(t, want <= bound, evalAt(p, le, x, y, NewInt(i), Num{}).Bool(), "%v <= %d at %d", u, bound, i)
							require.Equal(t, want == bound, evalAt(p, eq, x, y, NewInt(i), Num{}).Bool(), "%v = %d at %d", u, bound, i)
						}
					}
				}
			}
		}
	}
}

func TestAllSmallComparisons(t *testing.T) {
	p := NewPool()
	coefs := map[*Sort][]Num{}
	for i := int64(-3); i <= 3; i++ {
		coefs[Int] = append(coefs[Int], NewInt(i))
		coefs[Real] = append(coefs[Real], NewInt(i), NewRat(2*i+1, 2))
	}
	points := [][2]Num{{Num{}, Num{}}, {NewInt(1), NewInt(-1)}, {NewInt(-2), NewInt(3)}, {NewInt(1), NewInt(2)}, {NewInt(-1), NewInt(-1)}}
	for _, s := range []*Sort{Int, Real} {
		x, y := p.Var("x", s), p.Var("y", s)
		for _, a := range coefs[s] {
			for _, b := range coefs[s] {
				for c := int64(-3); c <= 3; c++ {
					l, r := p.Scale(a, x), p.Add(p.Scale(b, y), p.Numeral(NewInt(c), s))
					le, lt, eq := p.Le(l, r), p.Lt(l, r), p.Eq(l, r)
					require.Same(t, p.Not(le), p.Gt(l, r))
					require.Same(t, p.Not(lt), p.Ge(l, r))
					for _, at := range points {
						d := a.Mul(at[0]).Cmp(b.Mul(at[1]).Add(NewInt(c)))
						require.Equal(t, d <= 0, evalAt(p, le, x, y, at[0], at[1]).Bool(), "%v at %v", le, at)
						require.Equal(t, d < 0, evalAt(p, lt, x, y, at[0], at[1]).Bool(), "%v at %v", lt, at)
						require.Equal(t, d == 0, evalAt(p, eq, x, y, at[0], at[1]).Bool(), "%v at %v", eq, at)
					}
				}
			}
		}
	}
}

func TestConversionsAndAbs(t *testing.T) {
	p := NewPool()
	x, r := p.Var("x", Int), p.Var("r", Real)
	for i := int64(-6); i <= 6; i++ {
		n := NewInt(i)
		require.True(t, p.Abs(p.IntNum(n)).Num().Equal(n.Abs()))
		require.True(t, p.Abs(p.Real(n)).Num().Equal(n.Abs()))
		for j := int64(-6); j <= 6; j++ {
			half := NewRat(j, 2)
			sum := p.Add(p.ToReal(x), p.Scale(NewRat(3, 2), r), p.Real(half)) // x + 3/2*r + j/2, with r = i/3
			want := n.Add(NewRat(3*i, 6)).Add(half)
			at := func(u *Term) Value { return evalAt(p, u, x, r, n, NewRat(i, 3)) }
			require.True(t, want.Floor().Equal(at(p.ToInt(sum)).Num()))
			require.Equal(t, want.IsInt(), at(p.IsInt(sum)).Bool())
			require.True(t, want.Abs().Equal(at(p.Abs(sum)).Num()))
			for k := int64(-3); k <= 3; k++ {
				require.Equal(t, want.Floor().Cmp(NewInt(k)) <= 0, at(p.Le(p.ToInt(sum), p.Int(k))).Bool())
				require.Equal(t, n.Mul(NewInt(j)).Add(n).Abs().Cmp(NewInt(k)) <= 0,
					at(p.Le(p.Abs(p.Add(p.Scale(NewInt(j), x), x)), p.Int(k))).Bool())
				require.Equal(t, n.Abs().Equal(NewInt(k)), at(p.Eq(p.Abs(x), p.Int(k))).Bool())
			}
		}
	}
}

// Every bit-vector operator at small widths: of two numerals, of a variable and a numeral, of a variable and itself.
func TestAllSmallBitVectors(t *testing.T) {
	p := NewPool()
	for w := 1; w <= 3; w++ {
		x, y := p.Var("x", p.BitVec(w)), p.Var("y", p.BitVec(w))
		num := func(i int) Num { return NewInt(int64(i)) }
		lit := func(i int) *Term { return p.BVNum(num(i), w) }
		for o := BVAnd; o <= BVSgt; o++ {
			ref := func(i, j int) string {
				a, b := big.NewInt(int64(i)), big.NewInt(int64(j))
				switch {
				case o == BVComp && i == j:
					return "#b1"
				case o == BVComp:
					return "#b0"
				case o >= BVUle:
					return fmt.Sprint(refCompare(o, a, b, w))
				}
				return NumValue(NumFromBig(refBV2(o, a, b, w)), p.BitVec(w)).String()
			}
			for i := range 1 << w {
				require.Equal(t, ref(i, i), evalAt(p, p.BV(o, x, x), x, y, num(i), Num{}).String(), "%v x x at %d", o, i)
				for j := range 1 << w {
					require.Equal(t, ref(i, j), p.BV(o, lit(i), lit(j)).String(), "%v %d %d", o, i, j)
					for _, u := range []*Term{p.BV(o, x, y), p.BV(o, x, lit(j)), p.BV(o, lit(i), y)} {
						require.Equal(t, ref(i, j), evalAt(p, u, x, y, num(i), num(j)).String(), "%v at %d, %d", u, i, j)
					}
				}
			}
		}
	}
}

// Indexed operators and concatenation: what they simplify when nested is what they compute on numerals.
func TestAllSmallIndexedBitVectors(t *testing.T) {
	p := NewPool()
	x, y := p.Var("x", p.BitVec(3)), p.Var("y", p.BitVec(2))
	type unary struct {
		name  string
		apply func(*Term) *Term
		bits  func([]uint) []uint // least significant first
	}
	repeat := func(b uint, n int) []uint {
		out := make([]uint, n)
		for i := range out {
			out[i] = b
		}
		return out
	}
	ops := func(w int) []unary {
		var out []unary
		for n := range 3 {
			rot := func(b []uint, n int) []uint { return append(append([]uint{}, b[n%w:]...), b[:n%w]...) }
			out = append(out,
				unary{fmt.Sprint("zero_extend ", n), func(t *Term) *Term { return p.ZeroExtend(n, t) }, func(b []uint) []uint { return append(b, repeat(0, n)...) }},
				unary{fmt.Sprint("sign_extend ", n), func(t *Term) *Term { return p.SignExtend(n, t) }, func(b []uint) []uint { return append(b, repeat(b[w-1], n)...) }},
				unary{fmt.Sprint("rotate_right ", n), func(t *Term) *Term { return p.RotateRight(n, t) }, func(b []uint) []uint { return rot(b, n) }},
				unary{fmt.Sprint("rotate_left ", n), func(t *Term) *Term { return p.RotateLeft(n, t) }, func(b []uint) []uint { return rot(b, 3*w-n) }},
				unary{fmt.Sprint("repeat ", n+1), func(t *Term) *Term { return p.Repeat(n+1, t) }, func(b []uint) []uint {
					var out []uint
					for range n + 1 {
						out = append(out, b...)
					}
					return out
				}})
		}
		for hi := range w {
			for lo := range hi + 1 {
				out = append(out, unary{fmt.Sprint("extract ", hi, lo), func(t *Term) *Term { return p.Extract(hi, lo, t) }, func(b []uint) []uint { return b[lo : hi+1] }})
			}
		}
		return append(out,
			unary{"bvnot", func(t *Term) *Term { return p.BV(BVNot, t) }, func(b []uint) []uint { return bitsOf(new(big.Int).Sub(ofBits(repeat(1, w)), ofBits(b)), w) }},
			unary{"bvneg", func(t *Term) *Term { return p.BV(BVNeg, t) }, func(b []uint) []uint { return bitsOf(negBV(ofBits(b), w), w) }},
			unary{"concat y", func(t *Term) *Term { return p.BV(BVConcat, t, y) }, func(b []uint) []uint { return append([]uint{0, 1}, b...) }},
			unary{"concat before", func(t *Term) *Term { return p.BV(BVConcat, y, t) }, func(b []uint) []uint { return append(b, 0, 1) }},
			unary{"nat", func(t *Term) *Term { return p.NatToBV(w, p.BVToNat(t)) }, func(b []uint) []uint { return b }})
	}
	two := NewInt(2) // y's value
	for i := range 8 {
		n := NewInt(int64(i))
		for _, f := range ops(3) {
			fx, fc := f.apply(x), f.apply(p.BVNum(n, 3))
			fb := f.bits(bitsOf(big.NewInt(int64(i)), 3))
			want := NumValue(NumFromBig(ofBits(fb)), p.BitVec(len(fb)))
			require.True(t, want.Equal(evalAt(p, fx, x, y, n, two)), "%s of %d", f.name, i)
			require.True(t, want.Equal(evalAt(p, fc, x, y, n, two)), "%s of %d", f.name, i)
			for _, g := range ops(len(fb)) {
				gb := g.bits(append([]uint{}, fb...))
				want := NumValue(NumFromBig(ofBits(gb)), p.BitVec(len(gb)))
				require.True(t, want.Equal(evalAt(p, g.apply(fx), x, y, n, two)), "%s of %s of %d", g.name, f.name, i)
			}
		}
	}
}

// All arrays from Bool to a bit and from two bits to a bit: one term for each function, however it was made.
func TestSmallArraysHaveOneForm(t *testing.T) {
	p := NewPool()
	data, err := p.Datatypes(
		DatatypeDecl{Name: "Unit", Constructors: []ConstructorDecl{{Name: "unit"}}},
		DatatypeDecl{Name: "Colour", Constructors: []ConstructorDecl{{Name: "red"}, {Name: "green"}, {Name: "blue"}}},
		DatatypeDecl{Name: "Option", Constructors: []ConstructorDecl{{Name: "none"}, {Name: "some", Selectors: []SelectorDecl{{"value", Declared(1)}}}}},
		DatatypeDecl{Name: "Pair", Constructors: []ConstructorDecl{{Name: "pair", Selectors: []SelectorDecl{{"first", Of(Bool)}, {"second", Of(p.BitVec(1))}}}}},
	)
	require.NoError(t, err)
	for _, idx := range append(data, Bool, p.BitVec(2), p.Array(Bool, Bool), p.Array(Int, data[0])) {
		s := p.Array(idx, p.BitVec(1))
		size := p.finiteSize(idx)
		indices := p.finiteValues(idx)
		require.Len(t, indices, size)
		require.True(t, slices.IsSortedFunc(indices, CompareValues))
		bit := func(b int) *Term { return p.BVNum(NewInt(int64(b)), 1) }
		byTable := map[string]*Term{}
		steps := 1
		for range size {
			steps *= 3 // at each index: no store, store of 0, store of 1
		}
		for def := range 2 {
			for code := range steps {
				for _, reverse := range []bool{false, true} {
					a := p.ConstArray(s, bit(def))
					table := make([]int, size)
					for k := range size {
						table[k] = def
					}
					for k := range size {
						i := k
						if reverse {
							i = size - 1 - k
						}
						c := code
						for range i {
							c /= 3
						}
						if c %= 3; c > 0 {
							a = p.Store(a, indices[i], bit(c-1))
							table[i] = c - 1
						}
					}
					require.True(t, a.IsValue())
					for i, b := range table {
						require.Same(t, bit(b), p.Select(a, indices[i]))
					}
					name := fmt.Sprint(table)
					if byTable[name] == nil {
						byTable[name] = a
					}
					require.Same(t, byTable[name], a, "%v", table)
				}
			}
		}
		require.Len(t, byTable, 1<<size)
	}
}

// The sizes of sorts, 0 when they are infinite or large.
func TestFiniteSize(t *testing.T) {
	p := NewPool()
	data, err := p.Datatypes(
		DatatypeDecl{Name: "Nat", Constructors: []ConstructorDecl{{Name: "zero"}, {Name: "succ", Selectors: []SelectorDecl{{"pred", Declared(0)}}}}},
		DatatypeDecl{Name: "Byte", Constructors: []ConstructorDecl{{Name: "byte", Selectors: []SelectorDecl{{"high", Of(p.BitVec(4))}, {"low", Of(p.BitVec(4))}}}}},
		DatatypeDecl{Name: "Word", Constructors: []ConstructorDecl{{Name: "word", Selectors: []SelectorDecl{{"left", Declared(1)}, {"right", Declared(1)}}}}},
		DatatypeDecl{Name: "Box", Constructors: []ConstructorDecl{{Name: "box", Selectors: []SelectorDecl{{"content", Of(Int)}}}}},
		DatatypeDecl{Name: "Unit", Constructors: []ConstructorDecl{{Name: "unit"}}},
	)
	require.NoError(t, err)
	for s, want := range map[*Sort]int{
		Bool: 2, Int: 0, Real: 0, p.BitVec(3): 8, p.BitVec(64): 0, p.Uninterpreted("U"): 0, data[0]: 0, data[1]: 256, data[2]: 0, data[3]: 0,
		p.Array(Bool, p.BitVec(3)): 64, p.Array(Int, Bool): 0, p.Array(p.BitVec(4), Bool): 0, p.Array(Int, data[4]): 1, p.Array(p.BitVec(2), p.Array(Bool, Bool)): 256,
	} {
		require.Equal(t, want, p.finiteSize(s), "%v", s)
	}
}
