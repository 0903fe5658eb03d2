package intblast

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// vectors draws formulas over bit-vectors of one width, passing through others. With linear set, only what int-blast
// translates at any width: no products, bitwise operations or shifts of two variables.
type vectors struct {
	t      *rapid.T
	p      *term.Pool
	width  int
	linear bool
	// anyDivisor allows division by variables.
	anyDivisor bool
}

func (v *vectors) intn(n int) int { return rapid.IntRange(0, n-1).Draw(v.t, "n") }

func (v *vectors) variable(w int) *term.Term {
	return v.p.Var([]string{"x", "y", "z"}[v.intn(3)], v.p.BitVec(w))
}

// number draws a value of w bits: corners and their neighbours most of the time.
func (v *vectors) number(w int) term.Num {
	n := big.NewInt(int64(rapid.IntRange(-3, 3).Draw(v.t, "near")))
	switch v.intn(4) {
	case 0:
		n.Add(n, new(big.Int).Lsh(big.NewInt(1), uint(v.intn(w))))
	case 1:
		n.Add(n, new(big.Int).Lsh(big.NewInt(1), uint(w-1)))
	case 2:
		n.SetUint64(rapid.Uint64().Draw(v.t, "bits"))
	}
	_, r := term.EuclidDiv(term.NumFromBig(n), term.Pow2(w))
	return r
}

func (v *vectors) constant(w int) *term.Term { return v.p.BVNum(v.number(w), w) }

func (v *vectors) term(w, depth int) *term.Term {
	p := v.p
	if depth == 0 || v.intn(8) == 0 {
		if v.intn(4) == 0 {
			return v.constant(w)
		}
		return v.variable(w)
	}
	sub := func() *term.Term { return v.term(w, depth-1) }
	second := func() *term.Term {
		if v.linear {
			return v.constant(w)
		}
		return sub()
	}
	switch v.intn(14) {
	case 0, 1, 2:
		if v.intn(2) == 0 {
			return p.BV([]term.Op{term.BVNeg, term.BVNot}[v.intn(2)], sub())
		}
		return p.BV([]term.Op{term.BVAdd, term.BVSub}[v.intn(2)], sub(), sub())
	case 3:
		return p.BV(term.BVMul, sub(), second())
	case 4:
		return p.BV([]term.Op{term.BVAnd, term.BVOr, term.BVXor, term.BVNand, term.BVNor, term.BVXnor}[v.intn(6)], sub(), second())
	case 5, 6:
		divisor := v.constant(w)
		if v.anyDivisor && v.intn(2) == 0 {
			divisor = sub()
		}
		return p.BV([]term.Op{term.BVUdiv, term.BVUrem, term.BVSdiv, term.BVSrem, term.BVSmod}[v.intn(5)], sub(), divisor)
	case 7:
		return p.BV([]term.Op{term.BVShl, term.BVLshr, term.BVAshr}[v.intn(3)], sub(), second())
	case 8:
		return p.Ite(v.formula(depth-1), sub(), sub())
	case 9:
		n := v.intn(w + 1)
		if v.intn(2) == 0 {
			return p.RotateLeft(n, sub())
		}
		return p.RotateRight(n, sub())
	case 10:
		return p.NatToBV(w, p.Add(p.BVToNat(v.term(w, depth-1)), p.Int(int64(v.intn(5)-2))))
	}
	if w == 1 {
		other := 1 + v.intn(3)
		return p.BV(term.BVComp, v.term(other, depth-1), v.term(other, depth-1))
	}
	low := 1 + v.intn(w-1)
	switch v.intn(5) {
	case 0:
		return p.BV(term.BVConcat, v.term(w-low, depth-1), v.term(low, depth-1))
	case 1:
		return p.ZeroExtend(w-low, v.term(low, depth-1))
	case 2:
		return p.SignExtend(w-low, v.term(low, depth-1))
	case 3:
		if w%2 == 0 {
			return p.Repeat(2, v.term(w/2, depth-1))
		}
		return sub()
	}
	return p.Extract(low+w-1, low, v.term(w+low, depth-1))
}

func (v *vectors) formula(depth int) *term.Term {
	p := v.p
	if depth > 0 && v.intn(3) == 0 {
		f, g := v.formula(depth-1), v.formula(depth-1)
		return []*term.Term{p.And(f, g), p.Or(f, g), p.Not(f), p.Iff(f, g), p.Ite(p.Var("b", term.Bool), f, g)}[v.intn(5)]
	}
	x, y := v.term(v.width, depth), v.term(v.width, depth)
	switch v.intn(5) {
	case 0, 1:
		return p.Eq(x, y)
	case 2:
		return p.Le(p.BVToNat(x), p.Add(p.Var("n", term.Int), p.Int(2)))
	}
	return p.BV([]term.Op{term.BVUle, term.BVUlt, term.BVSle, term.BVSlt}[v.intn(4)], x, y)
}

// assignment draws values of the variables.
func (v *vectors) assignment(vars []*term.Term) term.MapAssignment {
	vals := term.MapAssignment{}
	for _, x := range vars {
		switch {
		case x.IsBool():
			vals[x] = term.BoolValue(v.intn(2) == 1)
		case x.Sort().IsBitVec():
			vals[x] = term.TermValue(v.constant(x.Sort().Width))
		default:
			vals[x] = term.NumValue(term.NewInt(int64(v.intn(7)-3)), x.Sort())
		}
	}
	return vals
}

// drawVectors draws a source of formulas: of any kind at small widths, of the linear kind at large ones.
func drawVectors(t *rapid.T) *vectors {
	width := rapid.SampledFrom([]int{1, 2, 3, 3, 4, 8, 32, 64}).Draw(t, "width")
	return &vectors{t: t, p: term.NewPool(), width: width, linear: width > 2, anyDivisor: rapid.IntRange(0, 3).Draw(t, "any divisor") == 0}
}

// The translated constraint holds for the numbers that bit-vectors stand for exactly when the constraint does.
func TestIntBlastIsExact(t *testing.T) {
	translated, held := map[int]int{}, 0
	rapid.Check(t, func(t *rapid.T) {
		v := drawVectors(t)
		var parts []*term.Term
		for range rapid.IntRange(1, 3).Draw(t, "conjuncts") {
			parts = append(parts, v.formula(2))
		}
		f := v.p.And(parts...)
		c := &chc.Clause{Constraint: f}
		sys := &chc.System{Pool: v.p, Clauses: []*chc.Clause{c}}
		opts := Options{Bitwise: rapid.IntRange(2, 8).Draw(t, "bitwise"), Cases: rapid.IntRange(0, 5).Draw(t, "cases")}
		readings := countVotes(sys)
		if rapid.Bool().Draw(t, "read otherwise") {
			for i := range readings.votes {
				readings.votes[i] = 2*v.intn(2) - 1
			}
		}
		b := newClauseBlast(&intBlast{opts: opts, pool: v.p, old: sys, readings: readings}, c)
		next := b.translate(nil)
		if next == nil {
			require.NotEmpty(t, b.obstacle)
			return
		}
		translated[v.width]++
		term.Walk(next.Constraint, func(u *term.Term) bool {
			require.False(t, u.Sort().IsBitVec(), "%v", next.Constraint)
			return true
		})
		for range 20 {
			old := v.assignment(c.Vars())
			vals := term.MapAssignment{}
			for x, val := range old {
				y := b.new[x]
				switch {
				case !x.Sort().IsBitVec():
					vals[x] = val
				case y == nil:
				case y.IsBool():
					vals[y] = term.BoolValue(val.Num().IsOne())
				default:
					// The number in the variable's range.
					n := val.Num()
					if w := x.Sort().Width; b.readings.signed(place{clause: c, variable: x}, w) && n.Cmp(term.Pow2(w-1)) >= 0 {
						n = n.Sub(term.Pow2(w))
					}
					vals[y] = term.NumValue(n, term.Int)
				}
				if y != nil {
					code := b.codes[x]
					require.Equal(t, val.String(), code.Value([]term.Value{vals[y]}).String())
				}
			}
			want := term.NewEvaluator(v.p, old).True(f)
			require.Equal(t, want, term.NewEvaluator(v.p, vals).True(next.Constraint), "%v\n%v\n%v", f, next.Constraint, old)
			if want {
				held++
			}
		}
	})
	require.Positive(t, held)
	for _, w := range []int{1, 2, 3, 4, 8, 32, 64} {
		require.Positive(t, translated[w], "width %d", w)
	}
}

// numbers draws formulas over Int variables, as interpretations have them.
type numbers struct {
	*vectors
	vars []*term.Term
}

func (s *numbers) sum(depth int) *term.Term {
	p := s.p
	c := func() term.Num {
		if s.intn(6) == 0 {
			return term.Pow2(s.intn(s.width + 2)).Add(term.NewInt(int64(s.intn(3) - 1)))
		}
		return term.NewInt(int64(s.intn(9) - 4))
	}
	x := s.vars[s.intn(len(s.vars))]
	if depth == 0 {
		return p.Add(p.Scale(c(), x), p.IntNum(c()))
	}
	k := p.IntNum(c().Abs().Add(term.NewInt(1)))
	a := s.sum(depth - 1)
	switch s.intn(9) {
	case 0:
		return p.Mod(a, k)
	case 1:
		return p.IntDiv(a, k)
	case 2:
		return p.Abs(a)
	case 3:
		return p.Ite(s.atom(depth-1), a, s.sum(depth-1))
	case 4:
		return p.Mul(a, s.sum(depth-1))
	}
	return p.Add(a, p.Scale(c(), s.sum(depth-1)))
}

func (s *numbers) atom(depth int) *term.Term {
	p := s.p
	a, b := s.sum(depth), s.sum(0)
	switch s.intn(7) {
	case 0:
		return p.Eq(a, b)
	case 1:
		return p.Divides(term.NewInt(int64(2+s.intn(7))), a)
	case 2:
		return p.Le(s.vars[0], s.vars[len(s.vars)-1])
	case 3:
		return p.Eq(s.vars[0], s.vars[len(s.vars)-1])
	case 4:
		return p.Var("b", term.Bool)
	case 5:
		return p.Le(s.vars[0], p.IntNum(s.number(s.width)))
	}
	return p.Le(a, b)
}

// An interpretation comes back as the formula over bit-vectors that holds exactly where it holds for their numbers, and
// unless it speaks of other integers too it is one over bit-vectors only.
func TestIntBlastInterpretations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := &vectors{t: t, p: term.NewPool(), width: rapid.SampledFrom([]int{2, 3, 8, 32, 64}).Draw(t, "width")}
		p := v.p
		pred := &chc.Predicate{Name: "p", Sorts: []*term.Sort{p.BitVec(v.width), p.BitVec(v.width), p.BitVec(1 + v.intn(8)), term.Bool}}
		b := &intBlast{pool: p, readings: &readings{index: map[place]int{}}}
		params := []*term.Term{p.Var("i", term.Int), p.Var("j", term.Int), p.Var("k", blastedSort(pred.Sorts[2])), p.Var("b", term.Bool)}
		for i := range 3 {
			at := b.readings.at(place{pred: pred, argument: i}, p.Var("v", pred.Sorts[i]))
			b.readings.votes[at] = 2*v.intn(2) - 1
		}
		s := &numbers{vectors: v, vars: params[:2:2]}
		if params[2].Sort() == term.Int {
			s.vars = append(s.vars, params[2])
		}
		free := rapid.IntRange(0, 3).Draw(t, "free") == 0
		if free {
			pred.Sorts = append(pred.Sorts, term.Int)
			params = append(params, p.Var("n", term.Int))
			s.vars = append(s.vars, params[4])
		}
		body := p.And(p.Or(s.atom(2), s.atom(1)), p.Not(s.atom(2)))
		if rapid.Bool().Draw(t, "one") {
			body = p.And(body, p.Iff(s.atom(1), p.Var("b", term.Bool)))
		}
		in, err := b.interpret(pred, witness.Interpretation{Params: params, Body: body})
		require.NoError(t, err)
		if !free {
			term.Walk(in.Body, func(u *term.Term) bool {
				require.NotEqual(t, term.Int, u.Sort(), "%v", in.Body)
				return true
			})
		}
		for range 20 {
			new, old := v.assignment(in.Params), term.MapAssignment{}
			for i, y := range params {
				val := new[in.Params[i]]
				switch w := pred.Sorts[i].Width; {
				case !pred.Sorts[i].IsBitVec():
					old[y] = val
				case w == 1:
					old[y] = term.BoolValue(val.Num().IsOne())
				case b.readings.signed(place{pred: pred, argument: i}, w) && val.Num().Cmp(term.Pow2(w-1)) >= 0:
					old[y] = term.NumValue(val.Num().Sub(term.Pow2(w)), term.Int)
				default:
					old[y] = term.NumValue(val.Num(), term.Int)
				}
			}
			want, got := term.NewEvaluator(p, old).True(body), term.NewEvaluator(p, new).True(in.Body)
			require.Equal(t, want, got, "%v\n%v\n%v", body, in.Body, old)
		}
	})
}
