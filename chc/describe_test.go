package chc

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
)

func TestDescribe(t *testing.T) {
	p := term.NewPool()
	x, y, a := p.Var("x", term.Int), p.Var("y", term.Int), p.Var("a", p.Array(term.Int, term.Int))
	inv := &Predicate{Name: "in v", Sorts: []*term.Sort{term.Int, term.Int}}
	dead := &Predicate{ID: 1, Name: "dead"}
	head := App{inv, []*term.Term{x, p.Add(y, p.Int(1))}}
	s := &System{Pool: p, Predicates: []*Predicate{inv, dead}, Clauses: []*Clause{
		{ID: 0, Constraint: p.Eq(p.Select(a, x), p.Mod(y, p.Int(3))), Head: &head},
		{ID: 1, Body: []App{{inv, []*term.Term{x, y}}, {inv, []*term.Term{y, x}}}, Constraint: p.Le(p.Mul(x, y), p.Int(3)), Head: &head},
		{ID: 2, Body: []App{{inv, []*term.Term{x, x}}, {Pred: dead}}, Constraint: p.True()},
	}}
	d := Describe(s)
	require.Equal(t, []string{"NIA", "div/mod", "arrays"}, d.Theories)
	require.Equal(t, []int{1, 1, 1}, []int{d.Facts, d.Rules, d.Queries})
	require.Equal(t, []*Predicate{dead}, d.Unreachable)
	require.Empty(t, d.Irrelevant)
	var b bytes.Buffer
	require.NoError(t, d.Write(&b))
	require.Regexp(t, `^predicates   2 \(1 recursive in 1 component; at most 2 arguments\)
clauses      3 \(1 fact, 1 rule, 1 query; at most 3 variables\)
shape        non-linear \(at most 2 atoms in a body\)
theories     NIA, div/mod, arrays
terms        \d+
cut points   1: \|in v\|
unreachable  1: dead
$`, b.String())
}

// What SMT-LIB cannot say as it stands is renamed: names that hide each other or an operator, or differ in bars only.
func TestWriteRenames(t *testing.T) {
	p := term.NewPool()
	x, xr, sel := p.Var("x", term.Int), p.Var("x", term.Real), p.Var("select", term.Bool)
	one := &Predicate{Name: "p|", Sorts: []*term.Sort{term.Int, term.Real, term.Bool}}
	two := &Predicate{ID: 1, Name: "p_", Sorts: []*term.Sort{term.Int}}
	three := &Predicate{ID: 2, Name: "|p"}
	four := &Predicate{ID: 3, Name: `\p`}
	s := &System{Pool: p, Predicates: []*Predicate{one, two, three, four}, Clauses: []*Clause{
		{Body: []App{{one, []*term.Term{x, xr, sel}}, {two, []*term.Term{p.Var("p_", term.Int)}}}, Constraint: p.True(), Name: "here"},
		{ID: 1, Body: []App{{Pred: three}}, Constraint: p.True(), Head: &App{Pred: four}},
	}}
	var b bytes.Buffer
	require.NoError(t, Write(&b, s))
	require.Equal(t, `(set-logic HORN)
(declare-fun |p_| (Int Real Bool) Bool)
(declare-fun p_!1 (Int) Bool)
(declare-fun |_p| () Bool)
(declare-fun |\p| () Bool)
(assert (! (forall ((x Int) (x!1 Real) (select!1 Bool) (p_!2 Int))
  (=> (and (|p_| x x!1 select!1) (p_!1 p_!2)) false)) :named here))
(assert (=> |_p| |\p|))
(check-sat)
`, b.String())
}
