package intblast

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// operations returns every operator on the variables x and y of w bits, and on x and constants, as formulas that say that
// its result is r, of the result's sort.
func operations(p *term.Pool, w int) []*term.Term {
	x, y := p.Var("x", p.BitVec(w)), p.Var("y", p.BitVec(w))
	var out []*term.Term
	add := func(t *term.Term) {
		if t.IsBool() {
			out = append(out, t)
		} else {
			out = append(out, p.Eq(t, p.Var("r", t.Sort())))
		}
	}
	seconds := []*term.Term{y}
	for _, n := range []int64{0, 1, 1<<w - 1, 1 << (w - 1), 3} {
		if n < 1<<w && !slices.Contains(seconds, p.BVNum(term.NewInt(n), w)) {
			seconds = append(seconds, p.BVNum(term.NewInt(n), w))
		}
	}
	for op := term.BVAnd; op <= term.BVConcat; op++ {
		for _, s := range seconds {
			divides := term.BVUdiv <= op && op <= term.BVSmod
			if !divides || s != y {
				add(p.BV(op, x, s))
			}
			if !divides {
				add(p.BV(op, s, x))
			}
		}
	}
	add(p.BV(term.BVNot, x))
	add(p.BV(term.BVNeg, x))
	for hi := range w {
		for lo := range hi + 1 {
			add(p.Extract(hi, lo, x))
		}
		add(p.RotateLeft(hi, x))
		add(p.RotateRight(hi, x))
		add(p.ZeroExtend(hi, x))
		add(p.SignExtend(hi, x))
		add(p.Repeat(hi+1, x))
	}
	// Operators on what has few bits, whose masks say which.
	zero := p.BVNum(term.Num{}, w)
	for _, op := range []term.Op{term.BVAnd, term.BVOr, term.BVXor, term.BVMul} {
		add(p.BV(op, p.BV(term.BVConcat, x, zero), p.ZeroExtend(w, y)))
		add(p.BV(op, p.BV(term.BVConcat, zero, x), p.BV(term.BVConcat, x, y)))
		add(p.BV(op, p.BV(term.BVShl, p.ZeroExtend(w, y), p.BVNum(term.NewInt(int64(w)), 2*w)), p.BV(term.BVConcat, x, zero)))
		add(p.Extract(w, 1, p.BV(op, p.BV(term.BVConcat, x, zero), p.BV(term.BVConcat, y, x))))
		add(p.BV(op, p.Extract(w, 1, p.BV(term.BVConcat, x, p.BVNum(term.NewInt(1), w))), y))
		add(p.BV(op, p.Ite(p.BV(term.BVUle, x, y), p.BVNum(term.NewInt(2), w), zero), y))
		add(p.BV(op, p.BV(term.BVLshr, x, p.BVNum(term.NewInt(1), w)), p.BV(term.BVShl, y, p.BVNum(term.NewInt(1), w))))
	}
	n := p.BVToNat(x)
	out = append(out, p.Le(n, p.Int(1)), p.Eq(p.NatToBV(w, p.Add(n, n, p.Int(-3))), y))
	return out
}

// everyAssignment calls visit with all values of the vectors among vars.
func everyAssignment(p *term.Pool, vars []*term.Term, visit func(term.MapAssignment)) {
	vals := term.MapAssignment{}
	var rec func(int)
	rec = func(i int) {
		if i == len(vars) {
			visit(vals)
			return
		}
		w := vars[i].Sort().Width
		for n := range int64(1) << w {
			vals[vars[i]] = term.TermValue(p.BVNum(term.NewInt(n), w))
			rec(i + 1)
		}
	}
	rec(0)
}

// read returns the number that a vector's value is, as a value of its blasted sort.
func read(val term.Value, w int, signed bool) term.Value {
	n := val.Num()
	switch {
	case w == 1:
		return term.BoolValue(n.IsOne())
	case signed && n.Cmp(term.Pow2(w-1)) >= 0:
		n = n.Sub(term.Pow2(w))
	}
	return term.NumValue(n, term.Int)
}

// Every operator, on all values of up to three bits, read as signed and as unsigned, with ways to wrap around as cases and
// as div and mod.
func TestIntBlastOperators(t *testing.T) {
	for w := 1; w <= 3; w++ {
		p := term.NewPool()
		for _, f := range operations(p, w) {
			for variant := range 4 {
				c := &chc.Clause{Constraint: f}
				sys := &chc.System{Pool: p, Clauses: []*chc.Clause{c}}
				readings := countVotes(sys)
				for _, x := range c.Vars() {
					readings.at(place{clause: c, variable: x}, x)
				}
				for i := range readings.votes {
					readings.votes[i] = 2*(variant%2) - 1
				}
				opts := Options{Bitwise: 8, Cases: 5 * (variant / 2)}
				b := newClauseBlast(&intBlast{opts: opts, pool: p, old: sys, readings: readings}, c)
				next := b.translate(nil)
				require.NotNil(t, next, "%v: %s", f, b.obstacle)
				tried := 0
				everyAssignment(p, c.Vars(), func(old term.MapAssignment) {
					want := term.NewEvaluator(p, old).True(f)
					if tried++; !want && tried%5 != 0 {
						return // most results are wrong: a few of them are enough
					}
					vals := term.MapAssignment{}
					for x, val := range old {
						if y := b.new[x]; y != nil {
							vals[y] = read(val, x.Sort().Width, variant%2 == 1)
						}
					}
					if got := term.NewEvaluator(p, vals).True(next.Constraint); want != got {
						require.Equal(t, want, got, "%v\n%v\n%v", f, next.Constraint, old)
					}
				})
			}
		}
	}
}

// atoms returns atoms of every kind over two Int variables, with constants around the ends of three bits.
func atoms(p *term.Pool, i, j *term.Term) []*term.Term {
	var out []*term.Term
	bounds := []int64{-9, -4, -1, 0, 3, 4, 7}
	for _, a := range []int64{1, 2} {
		for _, b := range []int64{-3, -1, 0, 1} {
			sum := p.Add(p.Scale(term.NewInt(a), i), p.Scale(term.NewInt(b), j))
			for _, c := range bounds {
				out = append(out, p.Le(sum, p.Int(c)), p.Eq(sum, p.Int(c)))
			}
			for _, k := range []int64{2, 3, 4, 7, 20} {
				out = append(out, p.Divides(term.NewInt(k), p.Add(sum, p.Int(k/2))))
			}
		}
	}
	for _, sum := range []*term.Term{i, p.Neg(i), p.Sub(i, j), p.Add(i, p.Scale(term.NewInt(3), j), p.Int(-1))} {
		for _, k := range []int64{2, 3, 4, 50} {
			for _, t := range []*term.Term{p.IntDiv(sum, p.Int(k)), p.Mod(sum, p.Int(k)), p.Add(p.Abs(sum), p.Int(k-4)), p.Ite(p.Le(i, j), sum, p.Int(k))} {
				for _, c := range []int64{-1, 0, 2} {
					out = append(out, p.Eq(t, p.Int(c)), p.Le(p.Add(t, j), p.Int(c)))
				}
			}
		}
	}
	return append(out, p.Le(p.Mul(i, j), p.Int(5)), p.Eq(p.Mul(i, i), j))
}

// Every kind of atom comes back as the formula over vectors of three bits that holds for the same numbers.
func TestIntBlastAtoms(t *testing.T) {
	p := term.NewPool()
	i, j := p.Var("i", term.Int), p.Var("j", term.Int)
	s := p.BitVec(3)
	pred := &chc.Predicate{Name: "p", Sorts: []*term.Sort{s, s}}
	for variant := range 4 {
		signed := [2]bool{variant%2 == 1, variant/2 == 1}
		r := &readings{index: map[place]int{}}
		for k := range signed {
			r.at(place{pred: pred, argument: k}, p.Var("v", s))
			r.votes[k] = map[bool]int{true: 1, false: -1}[signed[k]]
		}
		b := &intBlast{pool: p, readings: r}
		for _, f := range atoms(p, i, j) {
			in, err := b.interpret(pred, witness.Interpretation{Params: []*term.Term{i, j}, Body: f})
			require.NoError(t, err)
			term.Walk(in.Body, func(u *term.Term) bool {
				require.NotEqual(t, term.Int, u.Sort(), "%v", in.Body)
				return true
			})
			everyAssignment(p, in.Params, func(new term.MapAssignment) {
				old := term.MapAssignment{i: read(new[in.Params[0]], 3, signed[0]), j: read(new[in.Params[1]], 3, signed[1])}
				if want, got := term.NewEvaluator(p, old).True(f), term.NewEvaluator(p, new).True(in.Body); want != got {
					require.Equal(t, want, got, "%v\n%v\n%v", f, in.Body, fmt.Sprint(old))
				}
			})
		}
	}
}
