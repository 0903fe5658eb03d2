package smtlib

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// The predicates about overflow hold exactly when the mathematical result is no number of the width, for all vectors of
// one to four bits.
func TestOverflowPredicates(t *testing.T) {
	for w := 1; w <= 4; w++ {
		size := int64(1) << w
		signed := func(n int64) int64 {
			if n >= size/2 {
				return n - size
			}
			return n
		}
		fits := func(n int64) bool { return -size/2 <= n && n < size/2 }
		p := term.NewPool()
		text := ""
		names := []string{"bvuaddo", "bvsaddo", "bvusubo", "bvssubo", "bvumulo", "bvsmulo", "bvsdivo", "bvumul_noovfl", "bvsmul_noovfl", "bvsmul_noudfl", "bvnego"}
		for _, name := range names {
			second := " y"
			if name == "bvnego" {
				second = ""
			}
			text += fmt.Sprintf("(define-fun is_%s ((x (_ BitVec %d)) (y (_ BitVec %d))) Bool (%s x%s))", name, w, w, name, second)
		}
		s, err := Read("f", []byte(text), p)
		require.NoError(t, err)
		for _, name := range names {
			f := s.symbols.at(s.symbols.intern([]byte("is_" + name))).fn
			for a := range size {
				for b := range size {
					x, y := signed(a), signed(b)
					want := map[string]bool{
						"bvuaddo": a+b >= size, "bvsaddo": !fits(x + y), "bvusubo": a < b, "bvssubo": !fits(x - y),
						"bvumulo": a*b >= size, "bvsmulo": !fits(x * y), "bvsdivo": y == -1 && !fits(-x), "bvumul_noovfl": a*b < size,
						"bvsmul_noovfl": x*y < size/2, "bvsmul_noudfl": x*y >= -size/2, "bvnego": !fits(-x),
					}[name]
					at := map[*term.Term]*term.Term{}
					for i, n := range []int64{a, b} {
						at[f.params[i]] = p.BVNum(term.NewInt(n), w)
					}
					require.Equal(t, p.Bool(want).String(), p.Substitute(f.body, at).String(), "%s %d %d in %d bits", name, a, b, w)
				}
			}
		}
	}
}

// script writes random bit-vector terms as text.
type script struct{ *rapid.T }

func (s script) pick(names ...string) string { return rapid.SampledFrom(names).Draw(s.T, "name") }

func (s script) term(w, depth int) string {
	if depth == 0 {
		if rapid.Bool().Draw(s.T, "constant") {
			n := new(big.Int).SetBit(new(big.Int), rapid.IntRange(0, w-1).Draw(s.T, "bit"), 1)
			n.Sub(n, big.NewInt(int64(rapid.IntRange(0, 1).Draw(s.T, "less"))))
			return fmt.Sprintf("(_ bv%d %d)", n, w)
		}
		return fmt.Sprintf("%s%d", s.pick("x", "y"), w)
	}
	sub := func() string { return s.term(w, depth-1) }
	switch rapid.IntRange(0, 9).Draw(s.T, "kind") {
	case 0:
		return fmt.Sprintf("(%s %s)", s.pick("bvnot", "bvneg"), sub())
	case 1:
		return fmt.Sprintf("((_ %s %d) %s)", s.pick("rotate_left", "rotate_right"), rapid.IntRange(0, 2*w).Draw(s.T, "by"), sub())
	case 2:
		return fmt.Sprintf("(ite (%s %s %s) %s %s)", s.pick("bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge", "=", "distinct"), sub(), sub(), sub(), sub())
	case 3:
		low := rapid.IntRange(0, 3).Draw(s.T, "low")
		return fmt.Sprintf("((_ extract %d %d) %s)", low+w-1, low, s.term(w+low, depth-1))
	case 4:
		if w > 1 {
			low := rapid.IntRange(1, w-1).Draw(s.T, "low")
			if rapid.Bool().Draw(s.T, "concat") {
				return fmt.Sprintf("(concat %s %s)", s.term(w-low, depth-1), s.term(low, depth-1))
			}
			return fmt.Sprintf("((_ %s %d) %s)", s.pick("zero_extend", "sign_extend"), w-low, s.term(low, depth-1))
		}
		return fmt.Sprintf("(bvcomp %s %s)", s.term(3, depth-1), s.term(3, depth-1))
	case 5:
		if w%2 == 0 {
			return fmt.Sprintf("((_ repeat 2) %s)", s.term(w/2, depth-1))
		}
		return fmt.Sprintf("((_ int2bv %d) (bv2nat %s))", w, s.term(w+1, depth-1))
	}
	return fmt.Sprintf("(%s %s %s)", s.pick("bvand", "bvor", "bvxor", "bvnand", "bvnor", "bvxnor", "bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv",
		"bvsrem", "bvsmod", "bvshl", "bvlshr", "bvashr"), sub(), sub())
}

// Random terms of random widths have the value that the evaluator says, folded as constants and asked of Z3.
func TestBitVectorsMeanWhatTheyMeanToZ3(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SampledFrom([]int{1, 2, 3, 4, 5, 6, 7, 8, 32, 64}).Draw(t, "width")
		p := term.NewPool()
		params := ""
		for i := 1; i <= w+12; i++ {
			params += fmt.Sprintf("(x%d (_ BitVec %d)) (y%d (_ BitVec %d))", i, i, i, i)
		}
		text := fmt.Sprintf("(define-fun got (%s) (_ BitVec %d) %s)", params, w, script{t}.term(w, 2))
		s, err := Read("f", []byte(text), p)
		require.NoError(t, err, text)
		f := s.symbols.at(s.symbols.intern([]byte("got"))).fn.body
		vals, at := term.MapAssignment{}, map[*term.Term]*term.Term{}
		var fixed []*term.Term
		for _, v := range term.Vars(f) {
			c := p.BVNum(term.NumFromBig(new(big.Int).SetUint64(rapid.Uint64().Draw(t, "value"))), v.Sort().Width)
			vals[v] = term.TermValue(c)
			at[v] = c
			fixed = append(fixed, p.Eq(v, c))
		}
		val, ok := term.NewEvaluator(p, vals).Eval(f)
		require.True(t, ok)
		require.Same(t, val.Term(p), p.Substitute(f, at), "%s at %v", f, vals)
		opened, err := z3.Open(p, smt.Config{})
		require.NoError(t, err)
		defer opened.Close()
		solver, err := opened.NewSolver(smt.Params{})
		require.NoError(t, err)
		require.NoError(t, solver.Assert(append(fixed, p.Ne(f, val.Term(p)))...))
		st, err := solver.Check(t.Context())
		require.NoError(t, err)
		require.Equal(t, smt.Unsat, st, "%s is not %s at %v", f, val, vals)
	})
}
