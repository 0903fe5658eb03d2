package spacer

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/engine"
)

// relation is the example of the paper's III-C2: equal arrays, composed, never differ in sign anywhere.
const relation = `
(declare-fun same ((Array Int Int) (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (same a a)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int))) (=> (and (same a b) (same b c)) (same a c))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int)) (=> (and (same a b) (< (select a i) 0) (> (select b i) 0)) false)))`

// TestPrivilegedEqualities: cells at one index after the other would be excluded without them.
func TestPrivilegedEqualities(t *testing.T) {
	for _, how := range []string{"lemmas", "both"} {
		answer, stats := decide(t, Engine(), read(t, relation), map[string]string{"spacer.array-equalities": how}, amply)
		require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
		require.Positive(t, stats.Get("arrays.disequalities"))
		require.LessOrEqual(t, stats.Get("lemmas"), int64(5))
	}
}

// TestEqualitiesInObligations: the model's word on each pair of arrays is added once lemmas have been many.
func TestEqualitiesInObligations(t *testing.T) {
	pr := newTestProver(t, relation)
	p := pr.preds[0]
	a, b := p.Params[0], p.Params[1]
	cube := []*term.Term{pr.pool.Le(pr.pool.Select(a, pr.pool.Int(0)), pr.pool.Select(b, pr.pool.Int(0)))}
	zero := pr.pool.ConstArray(a.Sort(), pr.pool.Int(0))
	for other, want := range map[*term.Term]*term.Term{
		zero: pr.pool.Eq(a, b),
		pr.pool.Store(zero, pr.pool.Int(3), pr.pool.Int(1)): pr.pool.Not(pr.pool.Eq(a, b)),
	} {
		m := term.MapAssignment{a: term.TermValue(zero), b: term.TermValue(other)}
		p.conflicts = 0
		require.Equal(t, cube, pr.privilegeEqualities(p, cube, m))
		p.conflicts = 1000
		require.Equal(t, append(cube[:1:1], want), pr.privilegeEqualities(p, cube, m))
	}
}

const lists = `(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))`

// TestGuards: a literal with a selector comes with the tester that gives it a value, the innermost one first.
func TestGuards(t *testing.T) {
	pr := newTestProver(t, lists+`(declare-fun p (List) Bool) (assert (p nil))
		(assert (forall ((l List)) (=> (and (p l) ((_ is cons) l) (= (head l) 0)) false)))`)
	require.True(t, pr.vocabulary.Variants)
	require.False(t, pr.vocabulary.Arrays)
	l := pr.preds[0].Params[0]
	cons := l.Sort().Data.Constructors[1]
	tail := pr.pool.Field(cons.Selectors[1], l)
	low := pr.pool.Lt(pr.pool.Field(cons.Selectors[0], tail), pr.pool.Int(3))
	require.Equal(t, []*term.Term{low, pr.pool.Is(cons, l), pr.pool.Is(cons, tail)}, pr.guarded([]*term.Term{low}))
	require.Equal(t, []*term.Term{pr.pool.Is(cons, l)}, pr.guarded([]*term.Term{pr.pool.Is(cons, l)}))
}

// TestContradiction: the literals that contradict each other, and no others.
func TestContradiction(t *testing.T) {
	pr := newTestProver(t, relation)
	a, b := pr.preds[0].Params[0], pr.preds[0].Params[1]
	i, j := pr.pool.Int(0), pr.pool.Int(1)
	equal := pr.pool.Eq(a, b)
	differ := pr.pool.Lt(pr.pool.Select(a, i), pr.pool.Select(b, i))
	idle := pr.pool.Lt(pr.pool.Select(a, j), pr.pool.Int(7))
	core, ok, err := pr.contradiction(context.Background(), []*term.Term{idle, equal, differ})
	require.NoError(t, err)
	require.True(t, ok)
	require.ElementsMatch(t, []*term.Term{equal, differ}, core)
	_, ok, err = pr.contradiction(context.Background(), []*term.Term{idle, differ})
	require.NoError(t, err)
	require.False(t, ok)
}

// TestTheories decides small safe and unsafe systems of each theory, each with a checked witness.
func TestTheories(t *testing.T) {
	for name, c := range map[string]struct {
		src  string
		want engine.Verdict
	}{
		"a cell that only grows": {`(declare-fun p ((Array Int Int) Int) Bool)
			(assert (forall ((a (Array Int Int))) (=> (= (select a 5) 0) (p a 5))))
			(assert (forall ((a (Array Int Int)) (i Int)) (=> (p a i) (p (store a i (+ (select a i) 1)) i))))
			(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (< (select a i) 0)) false)))`, engine.Sat},
		"a cell that grows too far": {`(declare-fun p ((Array Int Int) Int) Bool)
			(assert (forall ((a (Array Int Int))) (=> (= (select a 5) 0) (p a 5))))
			(assert (forall ((a (Array Int Int)) (i Int)) (=> (p a i) (p (store a i (+ (select a i) 1)) i))))
			(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (> (select a i) 3)) false)))`, engine.Unsat},
		"a list of noughts": {lists + `(declare-fun p (List) Bool) (assert (p nil))
			(assert (forall ((l List)) (=> (p l) (p (cons 0 l)))))
			(assert (forall ((l List)) (=> (and (p l) ((_ is cons) l) (= (head l) 1)) false)))`, engine.Sat},
		"a list with a one": {lists + `(declare-fun p (List) Bool) (assert (p nil))
			(assert (forall ((l List) (x Int)) (=> (and (p l) (< 0 x 3)) (p (cons x l)))))
			(assert (forall ((l List)) (=> (and (p l) ((_ is cons) l) ((_ is cons) (tail l)) (= (head (tail l)) 2)) false)))`, engine.Unsat},
		"a counter of bits that stays below": {`(declare-fun p ((_ BitVec 8)) Bool) (assert (p #x00))
			(assert (forall ((x (_ BitVec 8))) (=> (and (p x) (bvult x #x10)) (p (bvadd x #x02)))))
			(assert (forall ((x (_ BitVec 8))) (=> (and (p x) (bvugt x #x11)) false)))`, engine.Sat},
		"a counter of bits that overflows": {`(declare-fun p ((_ BitVec 4)) Bool) (assert (p #x1))
			(assert (forall ((x (_ BitVec 4))) (=> (p x) (p (bvadd x #x3)))))
			(assert (forall ((x (_ BitVec 4))) (=> (and (p x) (= x #x0)) false)))`, engine.Unsat},
	} {
		t.Run(name, func(t *testing.T) {
			for _, options := range append(variants, map[string]string{"spacer.array-equalities": "both", "spacer.weak-arrays": "true"},
				map[string]string{"spacer.array-projection": "false", "spacer.array-equalities": "off"}) {
				answer, _ := decide(t, Engine(), read(t, c.src), options, amply)
				require.Equal(t, c.want, answer.Verdict, "%s %v", answer.Reason, options)
			}
		})
	}
}
