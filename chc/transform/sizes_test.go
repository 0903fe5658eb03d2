package transform_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

const trees = `(declare-datatypes ((Tree 0) (Forest 0) (Colour 0)) (((node (colour Colour) (children Forest)))
		((nil) (cons (head Tree) (tail Forest))) ((red) (green))))
	(declare-rel p (Forest)) (declare-rel q (Tree Colour)) (declare-var f Forest) (declare-var g Forest) (declare-var t Tree) (declare-var k Colour) `

// The new arguments are tied to the terms of the clause; what is not recursive has no size.
func TestSizesOfClauses(t *testing.T) {
	for name, c := range map[string]struct{ rule, want string }{
		"constructors": {"(rule (q (node red (cons (node green nil) nil)) red))", "true => (q (node red (cons (node green nil) nil)) 5 red)"},
		"variables": {"(rule (=> (p f) (p (cons (node k f) f))))", "(p f f.size!0 f.tag!1) & (or (and (= f.size!0 1) (= f.tag!1 0)) (and (>= f.size!0 4) (= f.tag!1 1)))" +
			" => (p (cons (node k f) f) (+ (* 2 f.size!0) 2) 1)"},
	} {
		t.Run(name, func(t *testing.T) {
			sys := read(t, trees+c.rule)
			next, _ := run(t, transform.Sizes(), sys)
			require.Equal(t, c.want, readableClause(next))
		})
	}
	sys := read(t, `(declare-datatypes ((T 0)) (((A) (B (C Int))))) (declare-rel p (T)) (rule (p A))`)
	next, back, err := transform.Sizes().Run(t.Context(), env, sys)
	require.NoError(t, err)
	require.Same(t, sys, next)
	require.Nil(t, back)
}

// In every clause the sizes and tags that values have satisfy what is said of them: no derivation is lost.
func TestSizesAreConsistent(t *testing.T) {
	for _, constraint := range []string{
		"(= f (cons t g))", "(and ((_ is cons) f) (= g (tail f)) (= t (head f)))", "(and (not (= f nil)) (= (tail f) g))",
		"(and (= (colour t) red) (= (children t) f))", "(or (= f nil) (= g (tail f)))", "(= f (ite (= g nil) (cons t nil) (tail g)))",
	} {
		sys := read(t, trees+"(rule (=> (and (p f) (q t k) "+constraint+") (p g)))")
		next, _ := run(t, transform.Sizes(), sys)
		p := sys.Pool
		tree, forest := sys.Datatypes[0], sys.Datatypes[1]
		red, green := p.Construct(sys.Datatypes[2].Data.Constructors[0]), p.Construct(sys.Datatypes[2].Data.Constructors[1])
		node, none, cons := tree.Data.Constructors[0], p.Construct(forest.Data.Constructors[0]), forest.Data.Constructors[1]
		leaf := p.Construct(node, red, none)
		one := p.Construct(cons, leaf, none)
		two := p.Construct(cons, p.Construct(node, green, one), one)
		size := map[*term.Term]int64{none: 1, leaf: 2, one: 4, p.Construct(node, red, two): 11, p.Construct(node, green, one): 5, two: 10}
		s := newSolver(t, p)
		holds := 0
		for _, f := range []*term.Term{none, one, two} {
			for _, g := range []*term.Term{none, one, two} {
				for _, x := range []*term.Term{leaf, p.Construct(node, red, two), p.Construct(node, green, one)} {
					values := map[*term.Term]*term.Term{p.Var("f", forest): f, p.Var("g", forest): g, p.Var("t", tree): x}
					c := next.Clauses[0]
					if s(p.Substitute(sys.Clauses[0].Constraint, values)) != smt.Sat {
						continue
					}
					holds++
					eqs := []*term.Term{p.Substitute(c.Constraint, values)}
					for _, a := range append(c.Body[:2:2], *c.Head) {
						for i, u := range a.Args {
							if n, ok := size[p.Substitute(u, values)]; ok {
								eqs = append(eqs, p.Eq(a.Args[i+1], p.Int(n)))
								if u.Sort() == forest {
									eqs = append(eqs, p.Eq(a.Args[i+2], p.Int(int64(p.Substitute(u, values).Ctor().Index))))
								}
							}
						}
					}
					require.Equal(t, smt.Sat, s(eqs...), "%s: %s", constraint, values)
				}
			}
		}
		require.Positive(t, holds, constraint)
	}
}

// newSolver returns a function that decides conjunctions.
func newSolver(t *testing.T, p *term.Pool) func(...*term.Term) smt.Status {
	c, err := z3.Open(p, smt.Config{})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return func(ts ...*term.Term) smt.Status {
		s, err := c.NewSolver(smt.Params{})
		require.NoError(t, err)
		defer s.Close()
		require.NoError(t, s.Assert(ts...))
		status, err := s.Check(t.Context())
		require.NoError(t, err)
		return status
	}
}

// An invariant over sizes and tags comes back as one over the terms.
func TestSizesModels(t *testing.T) {
	sys := read(t, trees+`(rule (p nil)) (rule (=> (p f) (p (cons (node red f) (cons (node red nil) f)))))
		(rule (=> (and (p f) (= f (cons t nil))) false)) (rule (=> (q t k) false))`)
	next, back := run(t, transform.Sizes(), sys)
	p := sys.Pool
	m := model(next, func(r *chc.Predicate, x []*term.Term) *term.Term {
		if r.Name == "q" {
			return p.False()
		}
		return p.Or(p.Eq(x[2], p.Int(0)), p.And(p.Eq(x[2], p.Int(1)), p.Is(r.Sorts[0].Data.Constructors[1], p.Field(r.Sorts[0].Data.Constructors[1].Selectors[1], x[0])), p.Ge(x[1], p.Int(7))))
	})
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, next, m, smt.Limit{}))
	old, err := back.Model(t.Context(), m)
	require.NoError(t, err)
	require.Len(t, old.Definitions, 2) // of trees and forests, which apply each other
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, sys, old, smt.Limit{}))
}

func TestSizesCarryWitnessesBack(t *testing.T) {
	var n tally
	n.untilBoth(t, func(t *rapid.T) { n.carriesRecursiveBack(t, transform.Sizes()) })
	t.Logf("%+v", n)
	require.Positive(t, n.sat)
	require.Positive(t, n.unsat)
}

// A size is defined after the sizes that it is the sum of.
func TestSizesAreDefinedInOrder(t *testing.T) {
	sys := read(t, `(declare-datatypes ((L 0) (N 0)) (((nil) (cons (head N) (tail L))) ((Z) (S (pre N))))) (declare-rel p (L)) (declare-var l L)
		(rule (p nil)) (rule (=> (p l) (p (cons Z l)))) (rule (=> (p l) (p (tail l)))) (rule (=> (and (p l) (= l (cons Z l))) false))`)
	next, back := run(t, transform.Sizes(), sys)
	m := model(next, func(_ *chc.Predicate, x []*term.Term) *term.Term { return sys.Pool.Ge(x[1], sys.Pool.Int(1)) })
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, next, m, smt.Limit{}))
	old, err := back.Model(t.Context(), m)
	require.NoError(t, err)
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, sys, old, smt.Limit{}))
}
