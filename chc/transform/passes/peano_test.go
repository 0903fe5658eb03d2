package passes_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/peano"
	"hornbeam/chc/witness"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

const numbers = `(declare-datatypes ((N 0) (L 0)) (((S (pre N)) (Z)) ((nil) (cons (head N) (tail L)))))
	(declare-var k N) (declare-var m N) (declare-var n N) (declare-var l L) (declare-var j L)
	(declare-rel p (N N)) (declare-rel q (L N)) `

// Constructors become arithmetic, and the numbers of a clause are not negative.
func TestPeanoClauses(t *testing.T) {
	for name, c := range map[string]struct{ rule, want string }{
		"successor":       {"(rule (=> (p k n) (p (S k) (S (S n)))))", "(p k n) & (>= k 0) & (>= n 0) => (p (+ k 1) (+ n 2))"},
		"zero":            {"(rule (=> (p Z n) (p n (S Z))))", "(p 0 n) & (>= n 0) => (p n 1)"},
		"tests":           {"(rule (=> (and (p k n) ((_ is S) k) (not (= n Z))) (p n k)))", "(p k n) & (>= k 0) & (>= k 1) & (>= n 0) & (not (= n 0)) => (p n k)"},
		"known selector":  {"(rule (=> (and (p k n) ((_ is S) k)) (p (pre k) n)))", "(p k n) & (>= k 0) & (>= k 1) & (>= n 0) => (p (+ k (- 1)) n)"},
		"wrong selector":  {"(rule (=> (p k n) (p (pre k) n)))", "(p k n) & (>= k 0) & (>= n 0) & (>= pre!0 0) => (p (ite (<= k 0) pre!0 (+ k (- 1))) n)"},
		"equation":        {"(rule (=> (and (p k n) (= k (S n))) (p n n)))", "(p k n) & (= k (+ n 1)) & (>= k 0) & (>= n 0) => (p n n)"},
		"case":            {"(rule (=> (p k n) (p (ite (= k n) Z (S k)) n)))", "(p k n) & (>= k 0) & (>= n 0) => (p (ite (= k n) 0 (+ k 1)) n)"},
		"inside of lists": {"(rule (=> (q (cons k l) n) (q l n)))", "(q (cons~int k l) n) & (>= k 0) & (>= n 0) => (q l n)"},
		"read from lists": {"(rule (=> (and (q l n) ((_ is cons) l)) (p (head l) n)))",
			"(q l n) & ((_ is cons~int) l) & (>= n 0) & (or (not ((_ is cons~int) l)) (>= (head~int l) 0)) => (p (head~int l) n)"},
	} {
		t.Run(name, func(t *testing.T) {
			sys := read(t, numbers+c.rule)
			next, _ := run(t, peano.Pass(), sys)
			require.Equal(t, c.want, readableClause(next))
			require.Equal(t, name == "wrong selector", next.Approximation == chc.Over)
		})
	}
}

// Where a number is an array's element or index, or bound by a quantifier, all numbers of its sort stay.
func TestPeanoNumbersThatStay(t *testing.T) {
	for _, src := range []string{
		"(declare-rel r ((Array N Int))) (rule (p Z Z))",
		"(declare-rel r ((Array Int L))) (rule (p Z Z))",
		"(rule (=> (forall ((i N)) (= i k)) (p k k)))",
		"(rule (=> (forall ((i L)) (= i l)) (q l k)))",
	} {
		sys := read(t, numbers+src)
		next, back, err := peano.Pass().Run(t.Context(), env, sys)
		require.NoError(t, err)
		require.Same(t, sys, next, src)
		require.Nil(t, back)
	}
	for _, kind := range []string{"((A) (B (C T) (D T)))", "((A) (E) (B (C T)))", "((A) (B (C Int)))"} {
		sys := read(t, "(declare-datatypes ((T 0)) ("+kind+")) (declare-rel p (T)) (declare-var k T) (rule (p k))")
		next, _, err := peano.Pass().Run(t.Context(), env, sys)
		require.NoError(t, err)
		require.Same(t, sys, next, kind)
	}
}

// model interprets the predicates of a system by formulas over their parameters.
func model(sys *chc.System, body func(p *chc.Predicate, params []*term.Term) *term.Term) *witness.Model {
	m := witness.NewModel()
	for _, p := range sys.Predicates {
		params := witness.CanonicalParams(sys.Pool, p)
		m.Interpretations[p] = witness.Interpretation{Params: params, Body: body(p, params)}
	}
	return m
}

// An invariant over integers comes back as one over the values of Peano numbers, with the lemmas that it takes.
func TestPeanoModels(t *testing.T) {
	sys := read(t, numbers+`(declare-rel plus (N N N)) (rule (plus Z n n)) (rule (=> (plus k m n) (plus (S k) m (S n))))
		(declare-var i N) (rule (=> (and (plus k m n) (plus m k i) (not (= i n))) false))`)
	next, back := run(t, peano.Pass(), sys)
	m := model(next, func(p *chc.Predicate, x []*term.Term) *term.Term {
		if p.Name != "plus" {
			return sys.Pool.False()
		}
		return sys.Pool.Eq(x[2], sys.Pool.Add(x[0], x[1]))
	})
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, next, m, smt.Limit{}))
	old, err := back.Model(t.Context(), m)
	require.NoError(t, err)
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, sys, old, smt.Limit{}))
	require.Len(t, old.Definitions, 1)
	require.Len(t, old.Lemmas, 2)
}

// Tests, fields, equations and functions over lists of integers come back as those over lists of Peano numbers.
func TestPeanoModelsOfLists(t *testing.T) {
	// All elements of the list are the number, which is not zero; so the list's sum is positive.
	sys := read(t, numbers+`(rule (q (cons (S k) nil) (S k))) (rule (=> (q l k) (q (cons k l) k)))
		(rule (=> (and (q l Z)) false)) (rule (=> (and (q (cons k nil) n) (not (= k n))) false))
		(rule (=> (and (q (cons k (cons m nil)) n) (not (= k n))) false))
		(rule (=> (q nil k) false))`)
	next, back := run(t, peano.Pass(), sys)
	p := sys.Pool
	list := next.Predicates[1].Sorts[0]
	none, cons := list.Data.Constructors[0], list.Data.Constructors[1]
	sum := witness.NewFunction(next, "sum", []*term.Sort{list}, term.Int)
	l := p.Var("l", list)
	body := func(x []*term.Term) *term.Term {
		head, tail := p.Field(cons.Selectors[0], x[0]), p.Field(cons.Selectors[1], x[0])
		return p.And(p.Is(cons, x[0]), p.Eq(head, x[1]), p.Ge(x[1], p.Int(1)), p.Ge(p.Apply(sum, x[0]), p.Int(1)),
			p.Or(p.Eq(x[0], p.Construct(cons, x[1], p.Construct(none))), p.Ge(p.Apply(sum, tail), x[1])),
			p.Ne(x[0], p.Construct(cons, p.Sub(x[1], p.Int(1)), tail)))
	}
	m := model(next, func(q *chc.Predicate, x []*term.Term) *term.Term {
		if q.Name == "q" {
			return body(x)
		}
		return p.False()
	})
	m.Definitions = []witness.Definition{{Func: sum, Params: []*term.Term{l}, Body: p.Ite(p.Is(none, l), p.Int(0),
		p.Add(p.Field(cons.Selectors[0], l), p.Apply(sum, p.Field(cons.Selectors[1], l))))}}
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, next, m, smt.Limit{}))
	old, err := back.Model(t.Context(), m)
	require.NoError(t, err)
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, sys, old, smt.Limit{}))
	require.Len(t, old.Definitions, 2)

	// What stands for no list of Peano numbers is refused.
	m.Interpretations[next.Predicates[1]] = witness.Interpretation{
		Params: m.Interpretations[next.Predicates[1]].Params,
		Body: p.Eq(p.Apply(sum, p.Construct(cons, p.Scale(term.NewInt(2), p.Apply(sum, m.Interpretations[next.Predicates[1]].Params[0])),
			p.Construct(none))), p.Int(0)),
	}
	_, err = back.Model(t.Context(), m)
	require.ErrorContains(t, err, "translating the interpretation of q back to Peano numbers")
}

// A refutation's numbers become Peano numbers; those inside of lists that nothing looks at may have been negative.
func TestPeanoRefutations(t *testing.T) {
	sys := read(t, numbers+`(rule (q l Z)) (rule (=> (q l n) (q (cons n l) (S n)))) (rule (=> (and (q l (S n)) (q j (S n)) (not (= l j))) false))`)
	next, back := run(t, peano.Pass(), sys)
	p := sys.Pool
	list := next.Predicates[1].Sorts[0]
	none, cons := list.Data.Constructors[0], list.Data.Constructors[1]
	of := func(ns ...int64) *term.Term {
		u := p.Construct(none)
		for _, n := range ns {
			u = p.Construct(cons, p.Int(n), u)
		}
		return u
	}
	vars := func(c int, values ...*term.Term) map[*term.Term]term.Value {
		out := map[*term.Term]term.Value{}
		for i, name := range []string{"l", "n", "j"} {
			sort := list
			if name == "n" {
				sort = term.Int
			}
			if i < len(values) {
				out[p.Var(name, sort)] = term.TermValue(values[i])
			}
		}
		require.Len(t, next.Clauses[c].Vars(), len(out))
		return out
	}
	steps := func(a, b *term.Term) *witness.Refutation {
		return &witness.Refutation{Steps: []witness.Step{
			{Clause: next.Clauses[0], Values: vars(0, a)},
			{Clause: next.Clauses[1], Values: vars(1, a, p.Int(0)), Premises: []int{0}},
			{Clause: next.Clauses[0], Values: vars(0, b)},
			{Clause: next.Clauses[1], Values: vars(1, b, p.Int(0)), Premises: []int{2}},
			{Clause: next.Clauses[2], Values: vars(2, p.Construct(cons, p.Int(0), a), p.Int(0), p.Construct(cons, p.Int(0), b)), Premises: []int{1, 3}},
		}}
	}
	for _, lists := range [][2]*term.Term{
		{of(3), of(4)}, {of(-1), of(-2)}, {of(-1), of()}, {of(-1), of(1)}, {of(-1), of(2)}, {of(7, -1), of(7, -8)}, {of(-5, 3), of(3, -5)},
	} {
		ref := steps(lists[0], lists[1])
		require.NoError(t, witness.CheckRefutation(context.Background(), next, ref))
		old, err := back.Refutation(t.Context(), ref)
		require.NoError(t, err)
		require.NoError(t, witness.CheckRefutation(context.Background(), sys, old))
	}
	_, err := back.Refutation(t.Context(), steps(of(1_000_000), of(1)))
	require.ErrorContains(t, err, "1000000 is too large for a Peano number")
}

// A formula over integers and what it comes back as agree on all values.
func TestPeanoFormulasMeanTheSame(t *testing.T) {
	sys := read(t, numbers+"(rule (q l n)) (rule (=> (q l n) false))")
	next, back := run(t, peano.Pass(), sys)
	p := sys.Pool
	number, list, ints := sys.Predicates[1].Sorts[1], sys.Predicates[1].Sorts[0], next.Predicates[1].Sorts[0]
	of := func(n int) *term.Term {
		u := p.Construct(number.Data.Constructors[1])
		for range n {
			u = p.Construct(number.Data.Constructors[0], u)
		}
		return u
	}
	build := func(s *term.Sort, a, b *term.Term) *term.Term {
		cs := s.Data.Constructors
		return p.Construct(cs[1], a, p.Construct(cs[1], b, p.Construct(cs[0])))
	}
	params := witness.CanonicalParams(p, next.Predicates[1])
	x, k := params[0], params[1]
	none := func(s *term.Sort) *term.Term { return p.Construct(s.Data.Constructors[0]) }
	for _, body := range []*term.Term{
		p.Eq(x, build(ints, p.Add(k, p.Int(2)), p.Int(1))), p.Eq(x, build(ints, p.Scale(term.NewInt(2), k), k)),
		p.Eq(x, p.Ite(p.Ge(k, p.Int(1)), build(ints, p.Int(2), k), none(ints))), p.Eq(x, build(ints, p.Sub(k, p.Int(1)), k)),
	} {
		m := model(next, func(q *chc.Predicate, _ []*term.Term) *term.Term { return p.False() })
		m.Interpretations[next.Predicates[1]] = witness.Interpretation{Params: params, Body: body}
		old, err := back.Model(t.Context(), m)
		require.NoError(t, err)
		lifted := old.Interpretations[sys.Predicates[1]]
		for n := range 3 {
			for i := range 17 {
				was, is := none(list), none(ints)
				if i < 16 {
					was, is = build(list, of(i/4), of(i%4)), build(ints, p.Int(int64(i/4)), p.Int(int64(i%4)))
				}
				want := term.NewEvaluator(p, term.MapAssignment{x: term.TermValue(is), k: term.TermValue(p.Int(int64(n)))}).True(body)
				e := term.NewEvaluator(p, witness.Compute(p, old.Definitions, term.MapAssignment{
					lifted.Params[0]: term.TermValue(was), lifted.Params[1]: term.TermValue(of(n)),
				}))
				require.Equal(t, want, e.True(lifted.Body), "%s at %s and %d", body, was, n)
				require.Equal(t, !want, e.False(lifted.Body), "%s at %s and %d", body, was, n)
			}
		}
	}
}

// What stands for a negative number is none that a clause computes either.
func TestPeanoRefutationsWithComputedNumbers(t *testing.T) {
	sys := read(t, numbers+`(rule (q l Z)) (rule (=> (and (q l n) (not (= l (cons (S n) nil))) (not (= l nil)) (not (= l (cons n nil)))) false))`)
	next, back := run(t, peano.Pass(), sys)
	p := sys.Pool
	list := next.Predicates[1].Sorts[0]
	l := term.TermValue(p.Construct(list.Data.Constructors[1], p.Int(-1), p.Construct(list.Data.Constructors[0])))
	zero := term.TermValue(p.Int(0))
	ref := &witness.Refutation{Steps: []witness.Step{
		{Clause: next.Clauses[0], Values: map[*term.Term]term.Value{p.Var("l", list): l}},
		{Clause: next.Clauses[1], Values: map[*term.Term]term.Value{p.Var("l", list): l, p.Var("n", term.Int): zero}, Premises: []int{0}},
	}}
	require.NoError(t, witness.CheckRefutation(context.Background(), next, ref))
	old, err := back.Refutation(t.Context(), ref)
	require.NoError(t, err)
	require.NoError(t, witness.CheckRefutation(context.Background(), sys, old))
}

// Random systems over numbers, lists of them, and structures with them.
func TestPeanoCarriesWitnessesBack(t *testing.T) {
	var n tally
	n.untilBoth(t, func(t *rapid.T) { n.carriesRecursiveBack(t, peano.Pass()) })
	t.Logf("%+v", n)
	require.Positive(t, n.sat)
	require.Positive(t, n.unsat)
}

// carriesRecursiveBack is carriesBack for a pass over recursive datatypes.
func (n *tally) carriesRecursiveBack(t *rapid.T, pass transform.Pass) {
	mixture := hornoracle.DefaultMixture(hornoracle.Ints | hornoracle.Recursive | hornoracle.Records)
	mixture.Predicates, mixture.Arity, mixture.Clauses = 2, 2, 5
	mixture.Partial = rapid.Bool().Draw(t, "partial")
	sys := hornoracle.DrawOver(t, mixture)
	for _, p := range sys.Predicates {
		for _, s := range p.Sorts {
			if s.IsDatatype() && !slices.Contains(sys.Datatypes, s) {
				sys.Datatypes = append(sys.Datatypes, s)
			}
		}
	}
	before := text(sys)
	next, back, err := pass.Run(t.Context(), env, sys)
	require.NoError(t, err)
	require.Equal(t, before, text(sys), "the pass changed its input")
	requireWellFormed(t, next)
	if next == sys {
		require.Nil(t, back)
		return
	}
	n.changed++
	r := hornoracle.Solve(next, hornoracle.DefaultOptions())
	if ref := r.Refutation(); ref != nil {
		require.NoError(t, witness.CheckRefutation(context.Background(), next, ref), "the oracle")
		old, err := back.Refutation(t.Context(), ref)
		require.NoError(t, err)
		err = witness.CheckRefutation(context.Background(), sys, old)
		if next.Approximation == chc.Over && errors.Is(err, witness.ErrUndecided) {
			return
		}
		require.NoError(t, err, "%s\n%s", before, text(next))
		n.unsat++
		return
	}
	m := r.Model()
	if !r.Exhausted || witness.CheckModel(t.Context(), z3.Open, next, m, smt.Limit{Time: time.Second}) != nil {
		return // values beyond those tried matter
	}
	old, err := back.Model(t.Context(), m)
	require.NoError(t, err, "%s\n%s", before, text(next))
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, sys, old, smt.Limit{}), "%s\n%s", before, text(next))
	n.sat++
}
