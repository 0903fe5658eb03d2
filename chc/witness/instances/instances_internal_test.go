package instances

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// quantifiedFormulas draws formulas over arrays whose quantifiers range over the indices 0 and 1.
type quantifiedFormulas struct {
	*rapid.T
	pool *term.Pool
}

func (d *quantifiedFormulas) index(bound []*term.Term) *term.Term {
	p := d.pool
	choices := append([]*term.Term{p.Var("x", term.Int), p.Var("y", term.Int), p.Int(0), p.Int(1)}, bound...)
	i := rapid.SampledFrom(append(choices, bound...)).Draw(d.T, "index")
	return p.Add(i, p.Int(int64(rapid.SampledFrom([]int{0, 0, 0, 1, -1}).Draw(d.T, "offset"))))
}

func (d *quantifiedFormulas) element(bound []*term.Term) *term.Term {
	p := d.pool
	s := p.Array(term.Int, term.Int)
	a := p.Var(rapid.SampledFrom([]string{"a", "b"}).Draw(d.T, "array"), s)
	if rapid.IntRange(0, 3).Draw(d.T, "store") == 0 {
		a = p.Store(a, d.index(bound), p.Int(2))
	}
	return p.Select(a, d.index(bound))
}

func (d *quantifiedFormulas) formula(depth int, bound []*term.Term) *term.Term {
	p := d.pool
	kind := rapid.IntRange(0, 9).Draw(d.T, "kind")
	if depth == 0 {
		kind = kind % 3
	}
	sub := func() *term.Term { return d.formula(depth-1, bound) }
	switch kind {
	case 0:
		return p.Le(d.element(bound), p.Int(int64(rapid.IntRange(0, 2).Draw(d.T, "number"))))
	case 1:
		return p.Eq(d.element(bound), d.element(bound))
	case 2:
		return p.Lt(d.index(bound), d.index(bound))
	case 3:
		return p.Not(sub())
	case 4:
		return p.And(sub(), sub())
	case 5:
		return p.Or(sub(), sub())
	case 6:
		return rapid.SampledFrom([]*term.Term{p.Iff(sub(), sub()), p.Ite(sub(), sub(), sub())}).Draw(d.T, "choice")
	}
	// The name may be that of a free variable or of an enclosing quantifier's.
	k := p.Var(rapid.SampledFrom([]string{"k", "l", "x"}).Draw(d.T, "bound"), term.Int)
	body := d.formula(depth-1, append(append([]*term.Term{}, bound...), k))
	inside := p.And(p.Le(p.Int(0), k), p.Le(k, p.Int(1)))
	if kind == 7 {
		return p.Exists([]*term.Term{k}, p.And(inside, body))
	}
	return p.Forall([]*term.Term{k}, p.Implies(inside, body))
}

// expanded replaces the quantifiers by what they say of 0 and 1.
func (d *quantifiedFormulas) expanded(t *term.Term) *term.Term {
	p := d.pool
	if !t.HasQuantifier() {
		return t
	}
	var args []*term.Term
	if !t.IsQuantifier() {
		for _, a := range t.Args() {
			args = append(args, d.expanded(a))
		}
		return p.Rebuild(t, args)
	}
	x, rest := t.Bound()[0], t.Bound()[1:]
	for _, v := range []int64{0, 1} {
		body := p.Substitute(t.Arg(0), map[*term.Term]*term.Term{x: p.Int(v)})
		if t.Op() == term.Forall {
			args = append(args, d.expanded(p.Forall(rest, body)))
		} else {
			args = append(args, d.expanded(p.Exists(rest, body)))
		}
	}
	if t.Op() == term.Forall {
		return p.And(args...)
	}
	return p.Or(args...)
}

// some draws formulas, and what they mean without quantifiers.
func (d *quantifiedFormulas) some() (fs, exact []*term.Term) {
	for range rapid.IntRange(1, 3).Draw(d.T, "formulas") {
		f := d.formula(3, nil)
		fs = append(fs, f)
		exact = append(exact, d.expanded(f))
	}
	return fs, exact
}

func (d *quantifiedFormulas) status(f *term.Term) smt.Status { return statusOf(d.T, d.pool, f) }

// tester is what tests and properties have.
type tester interface {
	require.TestingT
	Context() context.Context
}

// lazyStatus is what instances that are made where they are violated say of formulas.
func lazyStatus(t tester, p *term.Pool, fs []*term.Term) smt.Status {
	solvers, err := z3.Open(p, smt.Config{})
	require.NoError(t, err)
	defer solvers.Close()
	s, err := solvers.NewSolver(smt.Params{})
	require.NoError(t, err)
	status, _, err := Refute(t.Context(), p, s, fs)
	require.NoError(t, err)
	return status
}

// statusOf asks Z3 about one formula.
func statusOf(t tester, p *term.Pool, f *term.Term) smt.Status {
	c, err := z3.Open(p, smt.Config{})
	require.NoError(t, err)
	defer c.Close()
	s, err := c.NewSolver(smt.Params{})
	require.NoError(t, err)
	require.NoError(t, s.Assert(f))
	status, err := s.Check(t.Context())
	require.NoError(t, err)
	return status
}

// A formula that has a model keeps one when its quantifiers are instantiated, whatever their polarity and nesting.
func TestInstantiationOnlyWeakens(t *testing.T) {
	refuted := 0
	rapid.Check(t, func(t *rapid.T) {
		d := &quantifiedFormulas{T: t, pool: term.NewPool()}
		fs, exact := d.some()
		in := &instantiator{pool: d.pool, rounds: rapid.IntRange(1, 3).Draw(t, "rounds"),
			near: rapid.Bool().Draw(t, "near"), limit: rapid.IntRange(1, 20).Draw(t, "limit")}
		weak := weakened(t, in, fs)
		require.False(t, weak.HasQuantifier())
		if d.status(weak) == smt.Unsat {
			refuted++
			require.NotEqual(t, smt.Sat, d.status(d.pool.And(exact...)), "%s", weak)
		}
	})
	require.Positive(t, refuted, "no formula was refuted")
}

// Instances that are made where solutions violate them refute what those made at once refute, and nothing that has a model.
func TestLazyInstancesRefute(t *testing.T) {
	refuted, satisfied := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		d := &quantifiedFormulas{T: t, pool: term.NewPool()}
		fs, exact := d.some()
		status := lazyStatus(t, d.pool, fs)
		once := weakened(t, &instantiator{pool: d.pool, rounds: 1, limit: 20}, fs)
		if d.status(once) == smt.Unsat {
			require.Equal(t, smt.Unsat, status, "instances made at once refute %s", d.pool.And(fs...))
		}
		switch status {
		case smt.Unsat:
			refuted++
			require.NotEqual(t, smt.Sat, d.status(d.pool.And(exact...)))
		case smt.Sat:
			satisfied++
		}
	})
	require.Positive(t, refuted)
	require.Positive(t, satisfied)
}

// Formulas that have a model, one for each rule by which quantifiers come to the top.
func TestInstantiationKeepsModels(t *testing.T) {
	p := term.NewPool()
	a := p.Var("a", p.Array(term.Int, term.Int))
	x, k, l := p.Var("x", term.Int), p.Var("k", term.Int), p.Var("l", term.Int)
	q, r := p.Var("q", term.Bool), p.Var("r", term.Bool)
	zeros := p.Forall([]*term.Term{k}, p.Eq(p.Select(a, k), p.Int(0)))
	some := p.Exists([]*term.Term{k}, p.Eq(p.Select(a, k), p.Int(0)))
	empty := p.Eq(a, p.ConstArray(a.Sort(), p.Int(0)))
	one := p.Eq(p.Select(a, x), p.Int(1))
	for name, fs := range map[string][]*term.Term{
		"negated conjunction":      {empty, p.Not(p.And(zeros, q))},
		"negated disjunction":      {one, p.Not(p.Or(zeros, q))},
		"conjunction":              {empty, p.And(zeros, q)},
		"disjunction":              {one, p.Or(zeros, q)},
		"equivalence, both hold":   {empty, p.Iff(zeros, q), q},
		"equivalence, neither":     {one, p.Iff(zeros, q), p.Not(q)},
		"negated equivalence":      {one, p.Not(p.Iff(zeros, q)), q},
		"condition that holds":     {empty, r, p.Ite(zeros, q, p.Not(r))},
		"condition that fails":     {one, r, p.Ite(zeros, p.Not(r), q)},
		"negated condition":        {one, p.Not(p.Ite(zeros, q, p.Not(q))), q},
		"then":                     {q, one, p.Ite(q, p.Not(zeros), zeros)},
		"both polarities":          {one, p.Or(p.Not(q), zeros), p.Or(q, p.Not(zeros))},
		"existential":              {one, some},
		"negated existential":      {p.Eq(a, p.ConstArray(a.Sort(), p.Int(1))), p.Not(some)},
		"existential in universal": {empty, p.Forall([]*term.Term{k}, p.Exists([]*term.Term{l}, p.And(p.Lt(k, l), p.Eq(p.Select(a, l), p.Int(0)))))},
		"universal in universal":   {empty, p.Forall([]*term.Term{k}, p.Or(p.Lt(k, x), p.Forall([]*term.Term{l}, p.Or(p.Lt(l, k), p.Eq(p.Select(a, l), p.Int(0))))))},
		"two witnesses":            {p.Eq(p.Select(a, p.Int(0)), p.Int(0)), p.Eq(p.Select(a, p.Int(1)), p.Int(1)), some, p.Exists([]*term.Term{k}, p.Eq(p.Select(a, k), p.Int(1)))},
	} {
		for rounds := 1; rounds <= 3; rounds++ {
			in := &instantiator{pool: p, rounds: rounds, near: true, limit: 50}
			require.NotEqual(t, smt.Unsat, statusOf(t, p, weakened(t, in, fs)), "%s, %d rounds", name, rounds)
		}
	}
}

// Arrays that a quantifier is about are those that it names, as variables or fields of them, or says its variable is equal to.
func TestInstantiationAtNamedAndEqualTerms(t *testing.T) {
	p := term.NewPool()
	array := p.Array(term.Int, term.Int)
	sorts, err := p.Datatypes(term.DatatypeDecl{Name: "mapping", Constructors: []term.ConstructorDecl{
		{Name: "mapping", Selectors: []term.SelectorDecl{{Name: "elements", Sort: term.Of(array)}}}}})
	require.NoError(t, err)
	m := p.Var("m", sorts[0])
	elements := p.Field(sorts[0].Data.Constructors[0].Selectors[0], m)
	zeros := p.ConstArray(array, p.Int(0))
	k, l, flattened := p.Var("k", term.Int), p.Var("l", term.Int), p.Var("m.elements!7", array)
	for name, fs := range map[string][]*term.Term{
		"a field":       {p.Eq(p.Select(elements, p.Int(3)), p.Int(5)), p.Forall([]*term.Term{flattened}, p.Not(p.Eq(p.Select(flattened, p.Int(3)), p.Int(5))))},
		"equal":         {p.Forall([]*term.Term{flattened}, p.Not(p.Eq(flattened, zeros)))},
		"equal or more": {p.Forall([]*term.Term{flattened, k}, p.Or(p.Not(p.Eq(flattened, zeros)), p.Eq(p.Select(flattened, k), p.Int(1))))},
		"under another": {p.Forall([]*term.Term{k}, p.Or(p.Lt(p.Select(elements, k), p.Int(0)), p.Exists([]*term.Term{l}, p.Lt(p.Select(elements, k), p.Select(elements, l))))),
			p.Forall([]*term.Term{k}, p.Le(p.Select(elements, k), p.Int(0))), p.Le(p.Int(0), p.Select(elements, p.Int(3)))},
	} {
		in := &instantiator{pool: p, rounds: 2, limit: 20}
		require.Equal(t, smt.Unsat, statusOf(t, p, weakened(t, in, fs)), name)
		require.Equal(t, smt.Unsat, lazyStatus(t, p, fs), name)
	}
}

func weakened(t require.TestingT, in *instantiator, fs []*term.Term) *term.Term {
	f, err := in.weaken(context.Background(), fs)
	require.NoError(t, err)
	return f
}

// Of a quantifier with many variables few combinations of terms are tried: here 2^40 of them make three instances.
func TestManyVariables(t *testing.T) {
	p := term.NewPool()
	var bound, parts []*term.Term
	for range 40 {
		x := p.Fresh("x", term.Int)
		bound, parts = append(bound, x), append(parts, p.Le(p.Int(0), x))
	}
	y, z := p.Var("y", term.Int), p.Var("z", term.Int)
	in := &instantiator{pool: p, rounds: 1, limit: 20}
	f := weakened(t, in, []*term.Term{p.Forall(bound, p.Or(parts...)), p.Lt(y, z), p.Lt(z, p.Int(0))})
	require.Equal(t, smt.Unsat, statusOf(t, p, f))
	require.Greater(t, in.steps, maxSteps)
}
