package affine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// TestPassed: tuples are told apart by whether a counter has passed an index, from where it begins, up to where it goes. Of several
// indices of a turn that is the one that is passed last; the others come at the end.
func TestPassed(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		want   func(p *term.Pool, x []*term.Term) []*term.Term
	}{
		"up": {`
(assert (forall ((n Int) (k Int) (v Int)) (p n 0 k v)))
(assert (forall ((n Int) (i Int) (k Int) (v Int)) (=> (and (p n i k v) (< i n)) (p n (+ i 1) k (ite (= i k) 7 v)))))`,
			func(p *term.Pool, x []*term.Term) []*term.Term {
				return []*term.Term{p.Gt(x[1], x[2]), p.Gt(p.Int(0), x[2]), p.Lt(x[2], x[0]), p.Eq(x[1], x[2]), p.Lt(p.Int(0), x[0])}
			}},
		"down": {`
(assert (forall ((n Int) (k Int) (v Int)) (p n 9 k v)))
(assert (forall ((n Int) (i Int) (k Int) (v Int)) (=> (and (p n i k v) (>= i n)) (p n (- i 1) k (ite (= i k) 7 v)))))`,
			func(p *term.Pool, x []*term.Term) []*term.Term {
				return []*term.Term{p.Lt(x[1], x[2]), p.Lt(p.Int(9), x[2]), p.Ge(x[2], x[0]), p.Eq(x[1], x[2]), p.Ge(p.Int(9), x[0])}
			}},
		"two elements a turn": {`
(assert (forall ((n Int) (i Int) (k Int) (v Int)) (=> (and (p n i k v)) (p n (+ i 1) k (ite (= (* 2 i) k) 7 (ite (= (+ (* 2 i) 1) k) 8 v))))))`,
			func(p *term.Pool, x []*term.Term) []*term.Term {
				two := p.Scale(term.NewInt(2), x[1])
				next := p.Add(two, p.Int(1))
				return []*term.Term{p.Gt(two, x[2]), p.Eq(two, x[2]), p.Eq(next, x[2]), p.Gt(next, x[2])}
			}},
		"a number that stays": {`
(assert (forall ((n Int) (i Int) (k Int) (v Int)) (=> (p n i k v) (p n i k (ite (= n k) 7 v)))))`,
			func(p *term.Pool, x []*term.Term) []*term.Term { return []*term.Term{p.Eq(x[0], x[2])} }},
		"what is known from the beginning on": {`
(assert (forall ((n Int) (i Int) (k Int) (v Int)) (=> (or (= v 5) (not (= k 3))) (p n i k v))))`,
			func(p *term.Pool, x []*term.Term) []*term.Term {
				return []*term.Term{p.Le(x[2], p.Int(3)), p.Lt(x[2], p.Int(3))}
			}},
		"what a query asks for": {`
(assert (forall ((n Int) (i Int) (k Int)) (=> (p n i k 4) false)))`,
			func(p *term.Pool, x []*term.Term) []*term.Term { return []*term.Term{p.Eq(x[3], p.Int(4))} }},
		"of what clauses lead to": {`
(declare-fun q (Int Int) Bool)
(assert (forall ((n Int) (i Int) (k Int) (v Int)) (=> (and (p n i k v) (> n 0)) (q (+ v 1) i))))
(assert (forall ((i Int)) (=> (q 4 i) false)))`,
			func(p *term.Pool, x []*term.Term) []*term.Term { return []*term.Term{p.Eq(x[3], p.Int(3))} }},
	} {
		t.Run(name, func(t *testing.T) {
			sys := read(t, "(declare-fun p (Int Int Int Int) Bool)"+c.source)
			var want []*term.Term
			for _, g := range c.want(sys.Pool, witness.CanonicalParams(sys.Pool, sys.Predicates[0])) {
				atom, _ := g.Atom()
				want = append(want, atom)
			}
			require.Equal(t, want, guards(sys, 16)[0])
			require.Equal(t, want[:1], guards(sys, 1)[0])
		})
	}
}
