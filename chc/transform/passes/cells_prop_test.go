package passes_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform/expand"
	"hornbeam/engine"
	"hornbeam/internal/hornoracle"
)

// arrayClauses draws systems over integers and arrays. Most integers are bounded to the oracle's values, and arrays
// begin as constants or with a few stores, so that refutations are found by trying.
type arrayClauses struct {
	*rapid.T
	pool  *term.Pool
	array *term.Sort
	// arrays are accessed in steps from a base.
	step, base int64
	// constant says that they are accessed at constants only, and own that it is at the first argument of predicates mostly.
	constant, own bool
}

func (d *arrayClauses) oneIn(n int) bool { return rapid.IntRange(1, n).Draw(d.T, "one in") == n }

func (d *arrayClauses) integer() *term.Term {
	p := d.pool
	x := p.Var(rapid.SampledFrom([]string{"x", "y", "z"}).Draw(d.T, "variable"), term.Int)
	switch rapid.IntRange(0, 5).Draw(d.T, "integer") {
	case 0:
		return p.Int(int64(rapid.IntRange(0, 2).Draw(d.T, "number")))
	case 1:
		return p.Add(x, p.Int(1))
	case 2:
		return p.Select(d.arrayTerm(1), d.place(x))
	}
	return x
}

func (d *arrayClauses) arrayTerm(depth int) *term.Term {
	p := d.pool
	a := p.Var(rapid.SampledFrom([]string{"a", "b"}).Draw(d.T, "array"), d.array)
	if depth == 0 {
		return a
	}
	switch rapid.IntRange(0, 7).Draw(d.T, "array term") {
	case 0, 1:
		return p.Store(d.arrayTerm(depth-1), d.place(d.index()), d.index())
	case 2:
		return p.ConstArray(d.array, p.Int(int64(rapid.IntRange(0, 1).Draw(d.T, "number"))))
	case 3:
		return p.Ite(p.Le(d.index(), p.Int(1)), d.arrayTerm(depth-1), a)
	}
	return a
}

func (d *arrayClauses) index() *term.Term {
	p := d.pool
	if d.oneIn(3) {
		return p.Int(int64(rapid.IntRange(0, 2).Draw(d.T, "number")))
	}
	return p.Var(rapid.SampledFrom([]string{"x", "y", "z"}).Draw(d.T, "variable"), term.Int)
}

// place is where the element of a number is.
func (d *arrayClauses) place(index *term.Term) *term.Term {
	if d.own && !d.oneIn(6) {
		index = d.pool.Var("own", term.Int)
	}
	if d.constant {
		index = d.pool.Int(int64(rapid.IntRange(0, 1).Draw(d.T, "number")))
	}
	return d.pool.Add(d.pool.Scale(term.NewInt(d.step), index), d.pool.Int(d.base))
}

func (d *arrayClauses) literal() *term.Term {
	p := d.pool
	switch rapid.IntRange(0, 7).Draw(d.T, "literal") {
	case 0:
		return p.Eq(d.arrayTerm(1), d.arrayTerm(1))
	case 1:
		return p.Ne(d.arrayTerm(1), d.arrayTerm(1))
	case 2, 3:
		return p.Eq(p.Select(d.arrayTerm(1), d.place(d.index())), d.integer())
	case 4:
		return p.Not(p.Eq(p.Select(d.arrayTerm(1), d.place(d.index())), d.integer()))
	case 5:
		return p.Le(d.integer(), d.integer())
	case 6:
		return p.Lt(d.index(), d.index())
	}
	return p.Eq(d.integer(), d.integer())
}

func (d *arrayClauses) app(pred *chc.Predicate) chc.App {
	a := chc.App{Pred: pred, Args: make([]*term.Term, len(pred.Sorts))}
	for i, s := range pred.Sorts {
		switch {
		case d.own && i == 0:
			a.Args[i] = d.pool.Var("own", term.Int)
		case s == term.Int:
			a.Args[i] = d.integer()
		case d.oneIn(3):
			a.Args[i] = d.arrayTerm(2)
		default:
			a.Args[i] = d.arrayTerm(0)
		}
	}
	return a
}

func (d *arrayClauses) system() *chc.System {
	p := d.pool
	sys := &chc.System{Pool: p}
	for i := range rapid.IntRange(1, 3).Draw(d.T, "predicates") {
		pred := &chc.Predicate{ID: i, Name: fmt.Sprintf("p%d", i)}
		if d.own {
			pred.Sorts = []*term.Sort{term.Int}
		}
		for range rapid.IntRange(1, 3).Draw(d.T, "arity") {
			pred.Sorts = append(pred.Sorts, rapid.SampledFrom([]*term.Sort{term.Int, d.array}).Draw(d.T, "sort"))
		}
		sys.Predicates = append(sys.Predicates, pred)
	}
	for i := range rapid.IntRange(2, 6).Draw(d.T, "clauses") {
		c := &chc.Clause{ID: i}
		if i > 0 {
			for range rapid.IntRange(0, 2).Draw(d.T, "body") {
				c.Body = append(c.Body, d.app(rapid.SampledFrom(sys.Predicates).Draw(d.T, "predicate")))
			}
		}
		if i == 0 || !d.oneIn(3) {
			h := d.app(rapid.SampledFrom(sys.Predicates).Draw(d.T, "predicate"))
			c.Head = &h
		}
		var parts []*term.Term
		for range rapid.IntRange(0, 3).Draw(d.T, "conjuncts") {
			l := d.literal()
			if d.oneIn(4) {
				l = p.Or(l, d.literal())
			}
			parts = append(parts, l)
		}
		c.Constraint = p.And(parts...)
		for _, v := range c.Vars() {
			if v.Sort() == term.Int && !d.oneIn(5) {
				parts = append(parts, p.Le(p.Int(0), v), p.Le(v, p.Int(2)))
			}
		}
		c.Constraint = p.And(parts...)
		sys.Clauses = append(sys.Clauses, c)
	}
	return sys
}

// Whatever the abstraction answers holds of the arrays: models pass the check on the clauses as they were, refutations
// too, and where there is a model no refutation is found by trying.
func TestCellsAnswerRightly(t *testing.T) {
	verdicts := map[engine.Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		pool := term.NewPool()
		d := &arrayClauses{T: t, pool: pool, array: pool.Array(term.Int, term.Int), step: 1}
		if d.oneIn(2) {
			d.step, d.base = int64(rapid.IntRange(1, 4).Draw(t, "step")), int64(rapid.IntRange(-3, 9).Draw(t, "base"))
		}
		sys := d.system()
		pass := rapid.SampledFrom([]string{"cells", "cells-apart", "cell-pairs", "cell-companions", "default,cells", "default,cells-apart", "default,cell-companions"}).Draw(t, "pass")
		a := decide(t, sys, pass)
		verdicts[a.Verdict]++
		requireRight(t, sys, a)
	})
	require.Positive(t, verdicts[engine.Sat])
	require.Positive(t, verdicts[engine.Unsat])
}

// requireRight requires that an answer is no fault, and that no derivation of a query is found where it says that there is none.
func requireRight(t require.TestingT, sys *chc.System, a engine.Answer) {
	require.False(t, a.Internal, a.Reason)
	if a.Verdict == engine.Sat {
		o := hornoracle.DefaultOptions()
		o.Tries = 3000
		require.Nil(t, hornoracle.Solve(sys, o).Refutation())
	}
}

// The elements at constant indices are all that clauses know of arrays, so that nothing is lost either way.
func TestElementsCarryWitnessesBack(t *testing.T) {
	var n tally
	n.untilBoth(t, func(t *rapid.T) {
		pool := term.NewPool()
		d := &arrayClauses{T: t, pool: pool, array: pool.Array(term.Int, term.Int), step: 1, constant: !rapid.Bool().Draw(t, "variable indices")}
		n.carriesOne(t, runner(t, expand.Constant()), d.system())
	})
	require.Positive(t, n.sat)
	require.Positive(t, n.unsat)
}

// The elements at an index that clauses hand on are all that they know of arrays.
func TestCarriedElementsCarryWitnessesBack(t *testing.T) {
	var n tally
	n.untilBoth(t, func(t *rapid.T) {
		pool := term.NewPool()
		d := &arrayClauses{T: t, pool: pool, array: pool.Array(term.Int, term.Int), step: 1, own: true}
		n.carriesOne(t, runner(t, expand.Carried()), d.system())
	})
	require.Positive(t, n.sat)
	require.Positive(t, n.unsat)
}

// An array stays where something else than the element at the index that is handed on matters.
func TestCarriedElementsOf(t *testing.T) {
	const start = `(declare-fun p (Int (Array Int Int) Int) Bool)(declare-fun q (Int (Array Int Int) (Array Int Int)) Bool)
		(assert (forall ((i Int) (a (Array Int Int)) (x Int)) (=> (>= (select a i) x) (p i a x))))`
	for name, test := range map[string]struct {
		rule    string
		changed bool
	}{
		"handed on":            {"(assert (forall ((i Int) (a (Array Int Int))) (=> (p i a 0) (p i (store a i 1) (select a i)))))", true},
		"an argument changes":  {"(assert (forall ((i Int) (a (Array Int Int))) (=> (p i a 0) (p (+ i 1) (store a i 1) 0))))", false},
		"a store elsewhere":    {"(assert (forall ((i Int) (j Int) (a (Array Int Int))) (=> (p i a 0) (p i (store a j (+ (select a j) 1)) 0))))", true},
		"a read elsewhere":     {"(assert (forall ((i Int) (j Int) (a (Array Int Int))) (=> (p i a 0) (p i a (select a j)))))", false},
		"moved from elsewhere": {"(assert (forall ((i Int) (j Int) (k Int) (a (Array Int Int))) (=> (p i a 0) (p i (store a j (select a k)) 0))))", false},
		"two arrays":           {"(assert (forall ((i Int) (a (Array Int Int)) (b (Array Int Int))) (=> (and (p i a 0) (p i b 1) (= a b)) (q i a b))))", true},
		"two arrays after a store elsewhere": {`(assert (forall ((i Int) (j Int) (a (Array Int Int))) (=> (p i a 0) (p i (store a j 1) 0))))
			(assert (forall ((i Int) (a (Array Int Int)) (b (Array Int Int))) (=> (and (p i a 0) (p i b 1) (= a b)) (q i a b))))`, false},
		"arrays that differ": {"(assert (forall ((i Int) (a (Array Int Int)) (b (Array Int Int))) (=> (and (p i a 0) (not (= a b))) (q i b b))))", false},
	} {
		sys := readSystem(t, start+test.rule)
		next, _, err := expand.Carried().Run(t.Context(), env, sys)
		require.NoError(t, err)
		require.Equal(t, test.changed, !next.Predicates[0].Sorts[1].IsArray(), name)
	}
}

// An array stays where something else than the elements at constants matters.
func TestElementsOf(t *testing.T) {
	const arrays = `(declare-fun p ((Array Int Int) Int) Bool)(declare-fun q ((Array Int Int) (Array Int Int)) Bool)
		(assert (forall ((a (Array Int Int)) (x Int)) (=> (p (store a 100 x) x) (p a (select a 200)))))`
	for name, test := range map[string]struct {
		rule string
		// p, q are how many arguments the predicates have then.
		p, q int
	}{
		"constants":              {"(assert (forall ((a (Array Int Int))) (=> (p a 0) (q a (store a 300 0)))))", 4, 6},
		"another array":          {"(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (p a (select b 5)) (q b b))))", 3, 2},
		"an equation":            {"(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (p a 0) (= a b)) (q b b))))", 3, 4},
		"a variable index":       {"(assert (forall ((a (Array Int Int)) (x Int)) (=> (p a (select a x)) (q a a))))", 2, 2},
		"arrays that differ":     {"(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (p a 0) (not (= a b))) (q b b))))", 2, 2},
		"stores into a constant": {"(assert (p (store (store ((as const (Array Int Int)) 0) 300 1) 100 7) 0))", 4, 0},
		"a constant array":       {"(assert (p ((as const (Array Int Int)) 0) 0))", 3, 0},
		"the array in a formula": {"(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (p a 0) (= (= a b) (= (select a 100) 0))) (q b b))))", 2, 2},
	} {
		sys := readSystem(t, arrays+test.rule)
		next, _, err := expand.Constant().Run(t.Context(), env, sys)
		require.NoError(t, err)
		require.Equal(t, test.p, next.Predicates[0].Arity(), name)
		require.Equal(t, test.q, next.Predicates[1].Arity(), name)
	}
}
