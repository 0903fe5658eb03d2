package witness_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// summing has the sum of an array's elements from 0 to before n, and what is known of it.
type summing struct {
	p                            *term.Pool
	n, i, j, v, a                *term.Term
	sum                          witness.Definition
	stored, notNegative, element witness.Lemma
	constant                     witness.Lemma
}

func newSumming() *summing {
	p := term.NewPool()
	array := p.Array(term.Int, term.Int)
	s := &summing{p: p, n: p.Var("n", term.Int), i: p.Var("i", term.Int), j: p.Var("j", term.Int), v: p.Var("v", term.Int), a: p.Var("a", array)}
	f := p.DeclareFunc("sum", []*term.Sort{term.Int, array}, term.Int)
	s.sum = witness.Definition{Func: f, Params: []*term.Term{s.n, s.a}}
	before := p.Sub(s.n, p.Int(1))
	s.sum.Body = p.Ite(p.Le(s.n, p.Int(0)), p.Int(0), p.Add(s.of(before, s.a), s.positive(p.Select(s.a, before))))
	within := func(i *term.Term) *term.Term { return p.And(p.Le(p.Int(0), i), p.Lt(i, s.n)) }
	old := s.positive(p.Select(s.a, s.i))
	s.stored = witness.Lemma{Vars: []*term.Term{s.n, s.a, s.i, s.v}, Body: p.Eq(s.of(s.n, p.Store(s.a, s.i, s.v)),
		p.Add(s.of(s.n, s.a), p.Ite(within(s.i), p.Sub(s.positive(s.v), old), p.Int(0))))}
	s.notNegative = witness.Lemma{Vars: []*term.Term{s.n, s.a}, Body: p.Le(p.Int(0), s.of(s.n, s.a))}
	s.element = witness.Lemma{Vars: []*term.Term{s.n, s.a, s.i}, Body: p.Implies(within(s.i), p.Le(old, s.of(s.n, s.a)))}
	s.constant = witness.Lemma{Vars: []*term.Term{s.n}, Body: p.Eq(s.of(s.n, p.ConstArray(array, p.Int(0))), p.Int(0))}
	return s
}

func (s *summing) of(n, a *term.Term) *term.Term { return s.p.Apply(s.sum.Func, n, a) }
func (s *summing) positive(t *term.Term) *term.Term {
	return s.p.Ite(s.p.Ge(t, s.p.Int(0)), t, s.p.Int(0))
}

// token is a system in which accounts below 1000 pay each other, and each account has at most the supply.
func (s *summing) token(most int64) (*chc.System, *witness.Model) {
	p := s.p
	pred := &chc.Predicate{Name: "token", Sorts: []*term.Sort{s.a.Sort(), term.Int}}
	to, supply := p.Var("to", term.Int), p.Var("supply", term.Int)
	account := func(x *term.Term) *term.Term { return p.And(p.Le(p.Int(0), x), p.Lt(x, p.Int(1000))) }
	from := p.Sub(p.Select(s.a, s.i), s.v)
	paid := p.Store(s.a, s.i, from)
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{pred}, Clauses: []*chc.Clause{
		{ID: 0, Head: &chc.App{Pred: pred, Args: []*term.Term{p.Store(p.ConstArray(s.a.Sort(), p.Int(0)), p.Int(7), supply), supply}},
			Constraint: p.Ge(supply, p.Int(0))},
		{ID: 1, Body: []chc.App{{Pred: pred, Args: []*term.Term{s.a, supply}}}, Constraint: p.And(account(s.i), account(to), p.Ge(s.v, p.Int(0)),
			p.Ge(from, p.Int(0)), p.Ge(p.Select(paid, to), p.Int(0))),
			Head: &chc.App{Pred: pred, Args: []*term.Term{p.Store(paid, to, p.Add(p.Select(paid, to), s.v)), supply}}},
		{ID: 2, Body: []chc.App{{Pred: pred, Args: []*term.Term{s.a, supply}}}, Constraint: p.And(account(s.i), p.Gt(p.Select(s.a, s.i), supply))},
	}}
	m := witness.NewModel()
	m.Interpretations[pred] = witness.Interpretation{Params: []*term.Term{s.a, supply}, Body: p.Eq(s.of(p.Int(most), s.a), supply)}
	m.Definitions = []witness.Definition{s.sum}
	m.Lemmas = []witness.Lemma{s.element, s.constant, s.stored, s.notNegative}
	return sys, m
}

// A sum is a model's function, whose lemmas are proved by induction on where it ends.
func TestSumsAreAccepted(t *testing.T) {
	s := newSumming()
	sys, m := s.token(1000)
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, sys, m, smt.Limit{}))
	// Lemmas that are false stop the check.
	for _, body := range []*term.Term{
		s.p.Lt(s.p.Int(0), s.of(s.n, s.a)),
		s.p.Le(s.of(s.n, s.a), s.p.Select(s.a, s.p.Int(0))),
		s.p.Or(s.p.Le(s.n, s.p.Int(0)), s.p.Lt(s.p.Int(0), s.of(s.n, s.a))),
		s.p.Or(s.p.Gt(s.n, s.p.Int(0)), s.p.Lt(s.p.Int(0), s.of(s.n, s.a))),
		s.p.Eq(s.of(s.n, s.p.Store(s.a, s.i, s.v)), s.p.Add(s.of(s.n, s.a), s.p.Sub(s.v, s.p.Select(s.a, s.i)))),
	} {
		wrong := m.Clone()
		wrong.Lemmas = append(wrong.Lemmas, witness.Lemma{Vars: []*term.Term{s.n, s.a, s.i, s.v}, Body: body})
		require.Error(t, witness.CheckModel(t.Context(), z3.Open, sys, wrong, smt.Limit{}), "%s", body)
	}
	// A sum that leaves accounts out is none of the supply.
	sys, m = s.token(500)
	require.Error(t, witness.CheckModel(t.Context(), z3.Open, sys, m, smt.Limit{}))
}

// A recursion on an integer has to come to an end.
func TestIntegerRecursionIsBounded(t *testing.T) {
	s := newSumming()
	p := s.p
	at := func(n *term.Term) *term.Term { return p.Add(s.of(n, s.a), p.Int(1)) }
	before := p.Sub(s.n, p.Int(1))
	zero := p.Int(0)
	check := func(body *term.Term) error {
		sys, m := s.token(1000)
		m.Lemmas = nil
		m.Definitions[0].Body = body
		for pred := range m.Interpretations {
			m.Interpretations[pred] = witness.True(p, pred)
		}
		sys.Clauses = sys.Clauses[:2]
		return witness.CheckModel(t.Context(), z3.Open, sys, m, smt.Limit{})
	}
	for _, body := range []*term.Term{
		p.Ite(p.Le(s.n, p.Int(-5)), zero, at(before)),
		p.Ite(p.Ge(s.n, p.Int(3)), at(p.Sub(s.n, p.Int(4))), zero),
		p.Ite(p.Eq(s.n, p.Int(3)), at(before), zero),
	} {
		require.NoError(t, check(body), "%s", body)
	}
	for _, body := range []*term.Term{
		at(before),
		p.Ite(p.Le(s.n, zero), at(before), zero),
		p.Ite(p.Ge(s.n, zero), zero, at(before)),
		p.Ite(p.Le(s.n, zero), zero, at(s.n)),
		p.Ite(p.Le(s.n, zero), zero, at(p.Add(s.n, p.Int(1)))),
		p.Ite(p.Le(s.n, zero), zero, at(p.Select(s.a, s.n))),
		p.Ite(p.Le(p.Select(s.a, zero), zero), zero, at(before)),
		p.Ite(p.Eq(s.n, zero), zero, at(before)),
		p.Ite(p.Le(s.n, zero), zero, at(p.Sub(p.Sub(zero, s.n), p.Int(1)))),
	} {
		require.ErrorIs(t, check(body), witness.ErrInvalid, "%s", body)
	}
}
