package witness_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt/z3"
)

// lists has lists of integers, Peano numbers and their usual functions.
type lists struct {
	p          *term.Pool
	list, nat  *term.Sort
	none, cons *term.Constructor
	zero, succ *term.Constructor
	length     witness.Definition
	value      witness.Definition
	// notNegative and injective are lemmas about value, countable is one about length.
	notNegative, injective, countable witness.Lemma
}

func newLists() *lists {
	p := term.NewPool()
	sorts, err := p.Datatypes(
		term.DatatypeDecl{Name: "List", Constructors: []term.ConstructorDecl{
			{Name: "nil"},
			{Name: "cons", Selectors: []term.SelectorDecl{{Name: "first", Sort: term.Of(term.Int)}, {Name: "rest", Sort: term.Declared(0)}}},
		}},
		term.DatatypeDecl{Name: "Nat", Constructors: []term.ConstructorDecl{
			{Name: "Z"}, {Name: "S", Selectors: []term.SelectorDecl{{Name: "p", Sort: term.Declared(1)}}},
		}},
	)
	if err != nil {
		panic(err)
	}
	l := &lists{p: p, list: sorts[0], nat: sorts[1]}
	l.none, l.cons = l.list.Data.Constructors[0], l.list.Data.Constructors[1]
	l.zero, l.succ = l.nat.Data.Constructors[0], l.nat.Data.Constructors[1]
	l.length = l.counting("length", l.none, l.cons.Selectors[1])
	l.value = l.counting("value", l.zero, l.succ.Selectors[0])
	x, y := p.Var("x", l.nat), p.Var("y", l.nat)
	l.notNegative = witness.Lemma{Vars: []*term.Term{x}, Body: p.Ge(l.val(x), p.Int(0))}
	l.injective = witness.Lemma{Vars: []*term.Term{x, y}, Body: p.Implies(p.Eq(l.val(x), l.val(y)), p.Eq(x, y))}
	xs := p.Var("xs", l.list)
	l.countable = witness.Lemma{Vars: []*term.Term{xs}, Body: p.Ge(l.len(xs), p.Int(0))}
	return l
}

// counting defines the number of steps by which the selector leads to the constructor without fields.
func (l *lists) counting(name string, end *term.Constructor, next *term.Selector) witness.Definition {
	s := end.Data.Sort
	f := l.p.DeclareFunc(name, []*term.Sort{s}, term.Int)
	x := l.p.Var("x", s)
	return witness.Definition{Func: f, Params: []*term.Term{x},
		Body: l.p.Ite(l.p.Is(end, x), l.p.Int(0), l.p.Add(l.p.Int(1), l.p.Apply(f, l.p.Field(next, x))))}
}

func (l *lists) len(t *term.Term) *term.Term { return l.p.Apply(l.length.Func, t) }
func (l *lists) val(t *term.Term) *term.Term { return l.p.Apply(l.value.Func, t) }

// number is the Peano number n.
func (l *lists) number(n int) *term.Term {
	t := l.p.Construct(l.zero)
	for range n {
		t = l.p.Construct(l.succ, t)
	}
	return t
}

// ofLength is a list of n numbers.
func (l *lists) ofLength(n int) *term.Term {
	t := l.p.Construct(l.none)
	for i := range n {
		t = l.p.Construct(l.cons, l.p.Int(int64(i)), t)
	}
	return t
}

// appending is append as clauses, with a query that a longer result than its parts would violate: no list is what
// something longer than nil appended to it gives.
func (l *lists) appending() (*chc.System, *chc.Predicate) {
	p := l.p
	pred := &chc.Predicate{Name: "append", Sorts: []*term.Sort{l.list, l.list, l.list}}
	at := func(ts ...*term.Term) chc.App { return chc.App{Pred: pred, Args: ts} }
	h, x, y, z := p.Var("h", term.Int), p.Var("x", l.list), p.Var("y", l.list), p.Var("z", l.list)
	base, step := at(p.Construct(l.none), y, y), at(p.Construct(l.cons, h, x), y, p.Construct(l.cons, h, z))
	return &chc.System{Pool: p, Predicates: []*chc.Predicate{pred}, Datatypes: []*term.Sort{l.list, l.nat}, Clauses: []*chc.Clause{
		{ID: 0, Constraint: p.True(), Head: &base},
		{ID: 1, Body: []chc.App{at(x, y, z)}, Constraint: p.True(), Head: &step},
		{ID: 2, Body: []chc.App{at(x, y, x)}, Constraint: p.Not(p.Is(l.none, y))},
	}}, pred
}

// adding is addition as clauses, with commutativity as its query.
func (l *lists) adding() (*chc.System, *chc.Predicate) {
	p := l.p
	pred := &chc.Predicate{Name: "plus", Sorts: []*term.Sort{l.nat, l.nat, l.nat}}
	at := func(ts ...*term.Term) chc.App { return chc.App{Pred: pred, Args: ts} }
	x, y, z, w := p.Var("x", l.nat), p.Var("y", l.nat), p.Var("z", l.nat), p.Var("w", l.nat)
	s := func(t *term.Term) *term.Term { return p.Construct(l.succ, t) }
	base, step := at(p.Construct(l.zero), y, y), at(s(x), y, s(z))
	return &chc.System{Pool: p, Predicates: []*chc.Predicate{pred}, Datatypes: []*term.Sort{l.list, l.nat}, Clauses: []*chc.Clause{
		{ID: 0, Constraint: p.True(), Head: &base},
		{ID: 1, Body: []chc.App{at(x, y, z)}, Constraint: p.True(), Head: &step},
		{ID: 2, Body: []chc.App{at(x, y, z), at(y, x, w)}, Constraint: p.Ne(z, w)},
	}}, pred
}

func (l *lists) appendModel(pred *chc.Predicate, extra int64) *witness.Model {
	params := []*term.Term{l.p.Var("a", l.list), l.p.Var("b", l.list), l.p.Var("c", l.list)}
	m := model(pred, params, l.p.Eq(l.len(params[2]), l.p.Add(l.len(params[0]), l.len(params[1]), l.p.Int(extra))))
	m.Definitions = []witness.Definition{l.length}
	m.Lemmas = []witness.Lemma{l.countable}
	return m
}

func (l *lists) addModel(pred *chc.Predicate, extra int64) *witness.Model {
	params := []*term.Term{l.p.Var("a", l.nat), l.p.Var("b", l.nat), l.p.Var("c", l.nat)}
	m := model(pred, params, l.p.Eq(l.val(params[2]), l.p.Add(l.val(params[0]), l.val(params[1]), l.p.Int(extra))))
	m.Definitions = []witness.Definition{l.value}
	m.Lemmas = []witness.Lemma{l.injective, l.notNegative}
	return m
}

// The lengths of lists and the values of Peano numbers are invariants; the injectivity that commutativity needs has a
// proof that needs the other lemma, which stands behind it.
func TestModelsWithDefinitionsAreAccepted(t *testing.T) {
	l := newLists()
	sys, pred := l.appending()
	require.NoError(t, check(sys, l.appendModel(pred, 0)))
	sys, pred = l.adding()
	require.NoError(t, check(sys, l.addModel(pred, 0)))
}

// Without the lemmas a query is open: the solver's assignments for the functions are no counterexamples.
func TestWithoutLemmasQueriesStayOpen(t *testing.T) {
	l := newLists()
	sys, pred := l.appending()
	m := l.appendModel(pred, 0)
	m.Lemmas = nil
	require.ErrorIs(t, check(sys, m), witness.ErrUndecided)
	sys, pred = l.adding()
	m = l.addModel(pred, 0)
	m.Lemmas = m.Lemmas[1:]
	require.ErrorIs(t, check(sys, m), witness.ErrUndecided)
}

// A wrong model has a counterexample whose values, by the functions' definitions, are one.
func TestWrongModelsWithDefinitionsAreRefuted(t *testing.T) {
	l := newLists()
	for _, c := range []struct {
		sys func() (*chc.System, *chc.Predicate)
		m   func(*chc.Predicate, int64) *witness.Model
	}{{l.appending, l.appendModel}, {l.adding, l.addModel}} {
		sys, pred := c.sys()
		m := c.m(pred, 1)
		err := check(sys, m)
		require.ErrorIs(t, err, witness.ErrInvalid)
		var bad *witness.ClauseError
		require.ErrorAs(t, err, &bad)
		values := term.MapAssignment{}
		for _, b := range bad.Values {
			values[b.Var] = b.Value
		}
		e := term.NewEvaluator(l.p, witness.Compute(l.p, m.Definitions, values))
		require.True(t, e.False(m.Interpretations[pred].Apply(l.p, bad.Clause.Head.Args)), "%v", err)
	}
}

func TestDefinitionsThatDefineNothingAreRefused(t *testing.T) {
	l := newLists()
	p := l.p
	f := p.DeclareFunc("f", []*term.Sort{l.list}, term.Int)
	g := p.DeclareFunc("g", []*term.Sort{l.list, term.Int}, term.Int)
	b := p.DeclareFunc("b", []*term.Sort{l.list}, term.Bool)
	x, n, other := p.Var("x", l.list), p.Var("n", term.Int), p.Var("o", term.Int)
	rest := p.Field(l.cons.Selectors[1], x)
	isNil := p.Is(l.none, x)
	one := func(fn *term.Func, body *term.Term) []witness.Definition {
		return []witness.Definition{{Func: fn, Params: []*term.Term{x}, Body: body}}
	}
	ok := one(f, p.Ite(isNil, p.Int(0), p.Apply(f, rest)))
	for name, c := range map[string]struct {
		ds     []witness.Definition
		detail string
	}{
		"on the argument itself": {one(f, p.Add(p.Apply(f, x), p.Int(1))), "not on a field"},
		"without a test":         {one(f, p.Add(p.Apply(f, rest), p.Int(1))), "not on a field"},
		"under the wrong test":   {one(f, p.Ite(isNil, p.Apply(f, rest), p.Int(0))), "not on a field"},
		"on something larger":    {one(f, p.Ite(isNil, p.Int(0), p.Apply(f, p.Construct(l.cons, p.Int(0), rest)))), "not on a field"},
		"on a second field":      {one(f, p.Ite(isNil, p.Int(0), p.Apply(f, p.Field(l.cons.Selectors[1], rest)))), "not on a field"},
		"in the test":            {one(f, p.Ite(p.Eq(p.Apply(f, rest), p.Int(0)), p.Int(0), p.Int(1))), "not on a field"},
		"conjunct without test":  {one(b, p.And(isNil, p.Apply(b, rest))), "not on a field"},
		"disjunct without test":  {one(b, p.Or(p.Not(isNil), p.Apply(b, rest))), "not on a field"},
		"of an unknown function": {one(f, p.Apply(g, x, p.Int(0))), "g is not defined"},
		"of a later function": {append(one(f, p.Apply(g, x, p.Int(0))),
			witness.Definition{Func: g, Params: []*term.Term{x, n}, Body: n}), "g is defined later"},
		"in turns": {append(one(f, p.Apply(g, x, p.Int(0))),
			witness.Definition{Func: g, Params: []*term.Term{x, n}, Body: p.Apply(f, x)}), "not on a field"},
		"twice":              {append(ok, ok...), "f is defined twice"},
		"of another sort":    {one(f, isNil), "its body has sort Bool and not Int"},
		"of a free variable": {one(f, other), "variable o is not among its own"},
		"with a quantifier":  {one(b, p.Forall([]*term.Term{n}, p.Implies(isNil, p.Eq(n, p.Int(0))))), "has a quantifier"},
		"without parameter":  {[]witness.Definition{{Func: f, Body: p.Int(0)}}, "0 parameters for 1 arguments"},
		"of its parameters":  {[]witness.Definition{{Func: g, Params: []*term.Term{x, x}, Body: p.Int(0)}}, "variable x occurs twice"},
		"of parameter sorts": {[]witness.Definition{{Func: f, Params: []*term.Term{n}, Body: p.Int(0)}}, "parameter n has sort Int"},
		"without function":   {[]witness.Definition{{Params: []*term.Term{x}, Body: p.Int(0)}}, "definition 0 has no function"},
		"without body":       {[]witness.Definition{{Func: f, Params: []*term.Term{x}}}, "no body"},
	} {
		t.Run(name, func(t *testing.T) {
			sys, pred := l.appending()
			m := witness.NewModel()
			m.Interpretations[pred] = witness.True(p, pred)
			m.Definitions = c.ds
			err := check(sys, m)
			require.ErrorIs(t, err, witness.ErrInvalid)
			require.ErrorContains(t, err, c.detail)
		})
	}
}

// What the clauses say of a function may not be changed by defining it.
func TestFunctionsOfTheClausesAreNotDefined(t *testing.T) {
	l := newLists()
	sys, pred := l.appending()
	x := l.p.Var("x", l.list)
	sys.Clauses[1].Constraint = l.p.Ge(l.len(x), l.p.Int(0))
	err := check(sys, l.appendModel(pred, 0))
	require.ErrorIs(t, err, witness.ErrInvalid)
	require.ErrorContains(t, err, "length is defined, but it is a function of the clauses")
	require.NotEqual(t, l.length.Func, witness.NewFunction(sys, "length", []*term.Sort{l.list}, term.Int))
	require.Equal(t, "append_2", witness.NewFunction(sys, "append", nil, term.Int).Name)
}

// Recursion under a test in a conjunction or disjunction, on a field of a field, in turns, and with further parameters.
func TestStructuralRecursionIsAccepted(t *testing.T) {
	l := newLists()
	p := l.p
	x, n := p.Var("x", l.list), p.Var("n", term.Int)
	first, next := l.cons.Selectors[0], l.cons.Selectors[1]
	rest := p.Field(next, x)
	fn := func(name string, rng *term.Sort, more ...*term.Sort) *term.Func {
		return p.DeclareFunc(name, append([]*term.Sort{l.list}, more...), rng)
	}
	sorted, below := fn("sorted", term.Bool), fn("below", term.Bool, term.Int)
	even, odd, half := fn("even", term.Bool), fn("odd", term.Bool), fn("half", term.Int)
	params := []*term.Term{x}
	m := witness.NewModel()
	m.Definitions = []witness.Definition{
		l.length,
		{Func: sorted, Params: params, Body: p.Or(p.Is(l.none, x), p.Is(l.none, rest),
			p.And(p.Le(p.Field(first, x), p.Field(first, rest)), p.Apply(sorted, rest)))},
		{Func: below, Params: []*term.Term{x, n}, Body: p.Or(p.Is(l.none, x),
			p.And(p.Lt(p.Field(first, x), n), p.Apply(below, rest, p.Add(n, p.Int(1)))))},
		{Func: even, Params: params, Body: p.Or(p.Is(l.none, x), p.Apply(odd, rest))},
		{Func: odd, Params: params, Body: p.And(p.Is(l.cons, x), p.Apply(even, rest))},
		{Func: half, Params: params, Body: p.Ite(p.And(p.Is(l.cons, x), p.Is(l.cons, rest)),
			p.Add(p.Int(1), p.Apply(half, p.Field(next, rest))), p.Int(0))},
	}
	evenList := p.Apply(even, x)
	m.Lemmas = []witness.Lemma{
		// Proved together: each needs the other one for the rest.
		{Vars: params, Body: p.Implies(evenList, p.Eq(p.Mod(l.len(x), p.Int(2)), p.Int(0)))},
		{Vars: params, Body: p.Implies(p.Apply(odd, x), p.Eq(p.Mod(l.len(x), p.Int(2)), p.Int(1)))},
		l.countable,
		// Over lists that are not inductive, and over integers.
		{Vars: []*term.Term{n, x}, Body: p.Implies(p.And(p.Apply(below, x, n), p.Is(l.cons, x)), p.Lt(p.Field(first, x), n))},
	}
	sys, pred := l.appending()
	m.Interpretations[pred] = l.appendModel(pred, 0).Interpretations[pred]
	require.NoError(t, check(sys, m))

	values := map[*term.Term]bool{}
	for n, want := range []struct{ even, sorted bool }{{true, true}, {false, true}, {true, false}, {false, false}} {
		a := term.MapAssignment{x: term.TermValue(l.ofLength(n))}
		e := term.NewEvaluator(p, witness.Compute(p, m.Definitions, a))
		require.Equal(t, want.even, e.True(evenList))
		require.Equal(t, !want.even, e.True(p.Apply(odd, x)))
		require.Equal(t, want.sorted, e.True(p.Apply(sorted, x)))
		require.True(t, e.True(p.Eq(p.Apply(half, x), p.Int(int64(n/2)))))
		require.True(t, e.True(p.Apply(below, x, p.Int(5))))
		require.True(t, n == 0 || e.False(p.Apply(below, x, p.Int(0))))
		values[a[x].Term(p)] = true
	}
	require.Len(t, values, 4)
}

func TestLemmasAreProved(t *testing.T) {
	l := newLists()
	p := l.p
	x, y, n := p.Var("x", l.nat), p.Var("y", l.nat), p.Var("n", term.Int)
	value := l.val(x)
	for name, c := range map[string]struct {
		lemma  witness.Lemma
		err    error
		detail string
	}{
		"false at the base":      {witness.Lemma{Vars: []*term.Term{x}, Body: p.Ge(value, p.Int(1))}, witness.ErrInvalid, "the case of Z"},
		"not inductive":          {witness.Lemma{Vars: []*term.Term{x}, Body: p.Le(value, p.Int(0))}, witness.ErrInvalid, "the case of S"},
		"false for two":          {witness.Lemma{Vars: []*term.Term{x, y}, Body: p.Eq(value, l.val(y))}, witness.ErrInvalid, "the case of Z"},
		"false without function": {witness.Lemma{Vars: []*term.Term{n}, Body: p.Ge(n, p.Int(0))}, witness.ErrInvalid, "counterexample n = "},
		"over free variables":    {witness.Lemma{Vars: []*term.Term{x}, Body: p.Ge(value, n)}, witness.ErrInvalid, "n is not among its own"},
		"no formula":             {witness.Lemma{Vars: []*term.Term{x}, Body: value}, witness.ErrInvalid, "its body has sort Int"},
		"without variables":      {witness.Lemma{Body: p.True()}, witness.ErrInvalid, "no variables"},
		"of other functions":     {witness.Lemma{Vars: []*term.Term{p.Var("l", l.list)}, Body: p.Ge(l.len(p.Var("l", l.list)), p.Int(0))}, witness.ErrInvalid, "length is not defined"},
		"true but not inductive": {witness.Lemma{Vars: []*term.Term{x}, Body: p.Ne(value, p.Int(-7))}, witness.ErrUndecided, "the case of S is not proved"},
	} {
		t.Run(name, func(t *testing.T) {
			sys, pred := l.adding()
			m := l.addModel(pred, 0)
			m.Lemmas = []witness.Lemma{c.lemma}
			err := check(sys, m)
			require.ErrorIs(t, err, c.err)
			require.ErrorContains(t, err, c.detail)
		})
	}
}

// linear draws a comparison of a small combination of the terms with a constant.
func linear(t *rapid.T, p *term.Pool, terms ...*term.Term) *term.Term {
	sum := p.Int(rapid.Int64Range(-2, 2).Draw(t, "constant"))
	for _, x := range terms {
		sum = p.Add(sum, p.Scale(term.NewInt(rapid.Int64Range(-2, 2).Draw(t, "coefficient")), x))
	}
	if rapid.Bool().Draw(t, "equal") {
		return p.Eq(sum, p.Int(0))
	}
	return p.Ge(sum, p.Int(0))
}

// A lemma that is proved holds for all small values, and one that is refuted does not hold for some.
func TestLemmasAgreeWithTrial(t *testing.T) {
	proved, refuted := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		l := newLists()
		p := l.p
		x, y := p.Var("x", l.nat), p.Var("y", l.list)
		draw := func() *term.Term { return linear(t, p, l.val(x), l.len(y)) }
		body := p.Or(draw(), draw())
		sys, pred := l.adding()
		m := l.addModel(pred, 0)
		m.Definitions = append(m.Definitions, l.length)
		m.Lemmas = append(m.Lemmas, l.countable, witness.Lemma{Vars: []*term.Term{x, y}, Body: body})
		holds := true
		for n := range 5 {
			for k := range 5 {
				a := term.MapAssignment{x: term.TermValue(l.number(n)), y: term.TermValue(l.ofLength(k))}
				holds = holds && term.NewEvaluator(p, witness.Compute(p, m.Definitions, a)).True(body)
			}
		}
		switch err := check(sys, m); {
		case err == nil:
			proved++
			require.True(t, holds, "%s", body)
		case !holds:
			refuted++
		}
	})
	require.Positive(t, proved)
	require.Positive(t, refuted)
}

// A model that is accepted has no counterexample among small numbers, whatever it says.
func TestModelsWithDefinitionsAgreeWithTrial(t *testing.T) {
	accepted, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		l := newLists()
		p := l.p
		sys, pred := l.adding()
		m := l.addModel(pred, 0)
		i := m.Interpretations[pred]
		a, b, c := l.val(i.Params[0]), l.val(i.Params[1]), l.val(i.Params[2])
		parts := []*term.Term{i.Body}
		for range rapid.IntRange(0, 2).Draw(t, "parts") {
			parts = append(parts, rapid.SampledFrom([]*term.Term{p.Ge(c, a), p.Ge(c, b), linear(t, p, a, b, c)}).Draw(t, "part"))
		}
		if rapid.Bool().Draw(t, "weaker") {
			parts[0] = p.Or(parts[0], linear(t, p, a, b, c))
		}
		i.Body = p.And(parts...)
		m.Interpretations[pred] = i
		holds := true
		for _, cl := range sys.Clauses {
			vars := cl.Vars()
			for n := range 1 << (2 * len(vars)) {
				values := term.MapAssignment{}
				for k, x := range vars {
					values[x] = term.TermValue(l.number(n >> (2 * k) & 3))
				}
				e := term.NewEvaluator(p, witness.Compute(p, m.Definitions, values))
				body := e.True(cl.Constraint)
				for _, at := range cl.Body {
					body = body && e.True(i.Apply(p, at.Args))
				}
				if body && (cl.Head == nil || !e.True(i.Apply(p, cl.Head.Args))) {
					holds = false
				}
			}
		}
		switch err := check(sys, m); {
		case err == nil:
			accepted++
			require.True(t, holds, "%s", i.Body)
		case !holds:
			refused++
		}
	})
	require.Positive(t, accepted)
	require.Positive(t, refused)
}

// Every instance of the definitions and of lemmas that hold is true for all values.
func TestInstancesHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLists()
		p := l.p
		x, y, z := p.Var("x", l.nat), p.Var("y", l.nat), p.Var("z", l.list)
		ds := []witness.Definition{l.value, l.length}
		facts := witness.NewFacts(p, ds, []witness.Lemma{l.notNegative, l.injective, l.countable})
		var ts []*term.Term
		nat := func() *term.Term {
			u := rapid.SampledFrom([]*term.Term{x, y, l.number(0)}).Draw(t, "number")
			if rapid.Bool().Draw(t, "predecessor") {
				u = p.Ite(p.Is(l.succ, u), p.Field(l.succ.Selectors[0], u), u)
			}
			for range rapid.IntRange(0, 2).Draw(t, "successors") {
				u = p.Construct(l.succ, u)
			}
			return u
		}
		for range rapid.IntRange(1, 3).Draw(t, "terms") {
			ts = append(ts, linear(t, p, l.val(nat()), l.val(nat()), l.len(p.Construct(l.cons, l.val(nat()), z))))
		}
		a := term.MapAssignment{
			x: term.TermValue(l.number(rapid.IntRange(0, 4).Draw(t, "x"))),
			y: term.TermValue(l.number(rapid.IntRange(0, 4).Draw(t, "y"))),
			z: term.TermValue(l.ofLength(rapid.IntRange(0, 4).Draw(t, "z"))),
		}
		e := term.NewEvaluator(p, witness.Compute(p, ds, a))
		for level := range 4 {
			for _, i := range facts.Instances(level, ts...) {
				require.False(t, e.False(i), "%s", i)
			}
		}
	})
}

// A number that is too large to descend into step by step is computed all the same.
func TestComputeIsNotLimitedByTheStack(t *testing.T) {
	l := newLists()
	x := l.p.Var("x", l.nat)
	a := term.MapAssignment{x: term.TermValue(l.number(200_000))}
	v, ok := term.NewEvaluator(l.p, witness.Compute(l.p, []witness.Definition{l.value}, a)).Eval(l.val(x))
	require.True(t, ok)
	require.Equal(t, "200000", v.String())
}

// A recursion over one of two arguments is as deep as that one: where the stack does not hold it, there is no value.
func TestComputeEndsWithinTheStack(t *testing.T) {
	l := newLists()
	x, y := l.p.Var("x", l.nat), l.p.Var("y", l.nat)
	f := l.p.DeclareFunc("add", []*term.Sort{l.nat, l.nat}, l.nat)
	add := witness.Definition{Func: f, Params: []*term.Term{x, y}, Body: l.p.Ite(l.p.Is(l.zero, x), y,
		l.p.Construct(l.succ, l.p.Apply(f, l.p.Field(l.succ.Selectors[0], x), y)))}
	for n, known := range map[int]bool{3: true, 2_000: true, 2_000_000: false} {
		a := term.MapAssignment{x: term.TermValue(l.number(n)), y: term.TermValue(l.number(1))}
		v, ok := term.NewEvaluator(l.p, witness.Compute(l.p, []witness.Definition{add}, a)).Eval(l.p.Apply(f, x, y))
		require.Equal(t, known, ok, n)
		if ok {
			require.Equal(t, l.number(n+1), v.Term(l.p))
		}
	}
}

// A function that is called like something of the clauses is printed under another name.
func TestPrintedFunctionsHaveNamesOfTheirOwn(t *testing.T) {
	l := newLists()
	sys, pred := l.appending()
	for name, want := range map[string]string{"append": "append_2", "rest": "rest_2", "a|b": "a_b_2", "select": "select_2", "size": "size"} {
		d := l.counting(name, l.none, l.cons.Selectors[1])
		a, b := l.p.Var("a", l.list), l.p.Var("b", l.list)
		m := model(pred, []*term.Term{a, b, l.p.Var("c", l.list)}, l.p.Eq(l.p.Apply(d.Func, a), l.p.Apply(d.Func, b)))
		m.Definitions = []witness.Definition{d}
		m.Lemmas = []witness.Lemma{{Vars: []*term.Term{a}, Body: l.p.Ge(l.p.Apply(d.Func, a), l.p.Int(0))}}
		var out bytes.Buffer
		require.NoError(t, witness.PrintModel(&out, sys, m))
		require.Contains(t, out.String(), "(define-fun-rec "+want+" ((x List)) Int")
		require.Contains(t, out.String(), "(= ("+want+" A) ("+want+" B))")
		require.Contains(t, out.String(), "(>= ("+want+" a) 0)")
	}
}

// Simplify drops the definitions that no interpretation needs, and what only they are needed for; a model without them
// is simplified as ever.
func TestSimplifyDropsUselessDefinitions(t *testing.T) {
	l := newLists()
	sys, pred := l.appending()
	m := l.appendModel(pred, 0)
	m.Definitions = append(m.Definitions, l.value)
	m.Lemmas = append(m.Lemmas, l.notNegative)
	small, err := witness.Simplify(context.Background(), z3.Open, sys, m, time.Second)
	require.NoError(t, err)
	require.Equal(t, m.Interpretations, small.Interpretations)
	require.Equal(t, []witness.Definition{l.length}, small.Definitions)
	require.Equal(t, []witness.Lemma{l.countable}, small.Lemmas)
	require.NoError(t, check(sys, small))

	sys.Clauses = sys.Clauses[:2]
	m.Interpretations[pred] = witness.True(l.p, pred)
	small, err = witness.Simplify(context.Background(), z3.Open, sys, m, time.Second)
	require.NoError(t, err)
	require.Empty(t, small.Definitions)
	require.Empty(t, small.Lemmas)
}

// Where a selector's value is open, so is what a function yields on it: an assignment of the solver's own is no
// counterexample, though nothing contradicts it.
func TestDefinitionsOfOpenSelectorsAreNoCounterexample(t *testing.T) {
	l := newLists()
	p := l.p
	pred := &chc.Predicate{Name: "any", Sorts: []*term.Sort{l.list}}
	head := chc.App{Pred: pred, Args: []*term.Term{p.Construct(l.none)}}
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{pred}, Datatypes: []*term.Sort{l.list},
		Clauses: []*chc.Clause{{Constraint: p.True(), Head: &head}}}
	a := p.Var("a", l.list)
	m := model(pred, []*term.Term{a}, p.Ge(l.len(p.Field(l.cons.Selectors[1], a)), p.Int(0)))
	m.Definitions = []witness.Definition{l.length}
	require.ErrorIs(t, check(sys, m), witness.ErrUndecided)
	m.Lemmas = []witness.Lemma{l.countable}
	require.NoError(t, check(sys, m))
}
