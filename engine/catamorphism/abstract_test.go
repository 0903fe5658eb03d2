package catamorphism

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// formulas draws formulas over datatypes.
type formulas struct {
	*rapid.T
	pool  *term.Pool
	sorts []*term.Sort
	vars  map[*term.Sort][]*term.Term
}

func newFormulas(t *rapid.T, p *term.Pool, sorts map[string]*term.Sort) *formulas {
	f := &formulas{T: t, pool: p, vars: map[*term.Sort][]*term.Term{}}
	for _, name := range []string{"Nat", "List", "Colour", "Pair", "Pairs", "Tree", "Forest", "Bin", "Maybe"} {
		f.sorts = append(f.sorts, sorts[name])
	}
	f.sorts = append(f.sorts, term.Int, term.Bool)
	for _, s := range append(f.sorts, sorts["Rose"]) {
		for _, n := range []string{"x", "y"} {
			f.vars[s] = append(f.vars[s], p.Var(n+s.String(), s))
		}
	}
	return f
}

func (f *formulas) oneIn(n int) bool { return rapid.IntRange(1, n).Draw(f.T, "chance") == 1 }

func (f *formulas) term(s *term.Sort, depth int) *term.Term {
	p := f.pool
	if depth > 0 && f.oneIn(6) {
		return p.Ite(f.formula(depth-1), f.term(s, depth-1), f.term(s, depth-1))
	}
	// A field of that sort of some datatype.
	if depth > 0 && f.oneIn(3) {
		var sels []*term.Selector
		for _, d := range f.sorts {
			if d.Data == nil {
				continue
			}
			for _, c := range d.Data.Constructors {
				for _, sel := range c.Selectors {
					if sel.Sort == s {
						sels = append(sels, sel)
					}
				}
			}
		}
		if len(sels) > 0 {
			sel := rapid.SampledFrom(sels).Draw(f.T, "selector")
			return p.Field(sel, f.term(sel.Ctor.Data.Sort, depth-1))
		}
	}
	switch {
	case s == term.Int && f.oneIn(2):
		return p.Add(f.vars[s][0], p.Int(int64(rapid.IntRange(-1, 2).Draw(f.T, "number"))))
	case s.Data != nil && depth > 0 && f.oneIn(2):
		c := rapid.SampledFrom(s.Data.Constructors).Draw(f.T, "constructor")
		args := make([]*term.Term, len(c.Selectors))
		for i, sel := range c.Selectors {
			args[i] = f.term(sel.Sort, depth-1)
		}
		return p.Construct(c, args...)
	}
	return rapid.SampledFrom(f.vars[s]).Draw(f.T, "variable")
}

func (f *formulas) formula(depth int) *term.Term {
	p := f.pool
	if depth > 0 {
		switch rapid.IntRange(0, 5).Draw(f.T, "connective") {
		case 0:
			return p.And(f.formula(depth-1), f.formula(depth-1))
		case 1:
			return p.Or(f.formula(depth-1), f.formula(depth-1))
		case 2:
			return p.Not(f.formula(depth - 1))
		case 3:
			return p.Iff(f.formula(depth-1), f.formula(depth-1))
		}
	}
	s := rapid.SampledFrom(f.sorts).Draw(f.T, "sort")
	switch {
	case s == term.Bool:
		return f.term(s, depth)
	case s == term.Int:
		return p.Le(f.term(s, depth), f.term(s, depth))
	case f.oneIn(2):
		return p.Is(rapid.SampledFrom(s.Data.Constructors).Draw(f.T, "tested"), f.term(s, depth))
	}
	return p.Eq(f.term(s, depth), f.term(s, depth))
}

// TestAbstractionFollows holds the abstraction to its promise: where a formula is true of some values, what it becomes is
// true of their components, which are computed here by the recursive functions of models and not by the encoding.
func TestAbstractionFollows(t *testing.T) {
	sys, r, q, sorts, done := zooSpace(t)
	defer done()
	p := sys.Pool
	tried := 0
	rapid.Check(t, func(t *rapid.T) {
		var wanted []*component
		for range rapid.IntRange(0, 5).Draw(t, "folds") {
			wanted = append(wanted, rapid.SampledFrom(r.order).Draw(t, "fold"))
		}
		e, err := r.encoding(context.Background(), wanted)
		require.NoError(t, err)
		compute := functions(sys, e)
		f := newFormulas(t, p, sorts)
		formula := p.And(f.formula(3), f.formula(1))
		values := term.MapAssignment{}
		for _, x := range term.Vars(formula) {
			values[x] = term.TermValue(drawValue(t, p, x.Sort(), 3))
		}
		v, ok := term.NewEvaluator(p, values).Eval(formula)
		if !ok {
			return
		}
		if !v.Bool() {
			formula = p.Not(formula)
		}
		tried++
		a := newAbstraction(e)
		for _, x := range term.Vars(formula) {
			a.value(x)
		}
		claims := []*term.Term{a.conjunction([]*term.Term{formula})}
		for _, x := range term.Vars(formula) {
			value := values[x].Term(p)
			if x.Sort().Data == nil {
				claims = append(claims, p.Eq(x, value))
				continue
			}
			for i, c := range e.components(x.Sort().Data) {
				claims = append(claims, p.Eq(a.of(x)[i], compute(t, c, value).Term(p)))
			}
		}
		status, err := q.check(context.Background(), claims...)
		require.NoError(t, err)
		require.Equal(t, smt.Sat, status, "%s under %v: %s", formula, values, claims)
	})
	require.Positive(t, tried)
}

// TestConstructorsAreTold checks that what components can say is said: without that no clause could be decided.
func TestConstructorsAreTold(t *testing.T) {
	sys, r, q, sorts, done := zooSpace(t)
	defer done()
	p := sys.Pool
	var sizes []*component
	for _, f := range r.library {
		if f.cost == costSize {
			sizes = append(sizes, f.component)
		}
	}
	e, err := r.encoding(context.Background(), sizes)
	require.NoError(t, err)
	list, nat, pair, colour := sorts["List"], sorts["Nat"], sorts["Pair"], sorts["Colour"]
	x, y, n, c, d := p.Var("x", list), p.Var("y", list), p.Var("n", nat), p.Var("c", colour), p.Var("d", colour)
	u, v := p.Var("u", pair), p.Var("v", pair)
	nilOf, cons := list.Data.Constructors[0], list.Data.Constructors[1]
	s := nat.Data.Constructors[1]
	empty := p.Construct(nilOf)
	longer := func(t *term.Term) *term.Term { return p.Construct(cons, p.Int(1), t) }
	contradictions := []*term.Term{
		p.Eq(longer(longer(x)), longer(empty)),
		p.And(p.Eq(x, longer(y)), p.Eq(y, longer(x))),
		p.And(p.Not(p.Is(cons, x)), p.Ne(x, empty)),
		p.And(p.Is(cons, x), p.Eq(x, empty)),
		p.And(p.Ne(x, empty), p.Eq(p.Construct(cons, p.Int(2), x), longer(empty))),
		p.And(p.Is(s, n), p.Eq(p.Field(s.Selectors[0], n), p.Construct(s, n))),
		p.And(p.Ne(c, d), p.Eq(c, d)),
		p.And(p.Ne(c, p.Construct(colour.Data.Constructors[0])), p.Ne(c, p.Construct(colour.Data.Constructors[1])), p.Ne(c, p.Construct(colour.Data.Constructors[2]))),
		p.And(p.Eq(u, v), p.Lt(p.Field(pair.Data.Constructors[0].Selectors[0], u), p.Field(pair.Data.Constructors[0].Selectors[0], v))),
		p.And(p.Eq(u, v), p.Eq(p.Field(pair.Data.Constructors[0].Selectors[3], u), p.Construct(s, p.Field(pair.Data.Constructors[0].Selectors[3], v)))),
	}
	for _, f := range []*term.Term{
		p.And(p.Ne(x, longer(empty)), p.Is(cons, x)), p.And(p.Ne(x, longer(empty)), p.Eq(x, longer(longer(y)))), p.Ne(x, y),
		p.And(p.Ne(x, y), p.Eq(x, longer(empty)), p.Is(cons, y), p.Ne(y, longer(x))),
	} {
		status, err := q.check(context.Background(), newAbstraction(e).conjunction([]*term.Term{f}))
		require.NoError(t, err)
		require.Equal(t, smt.Sat, status, "%s", f)
	}
	for _, f := range contradictions {
		status, err := q.check(context.Background(), newAbstraction(e).conjunction([]*term.Term{f}))
		require.NoError(t, err)
		require.Equal(t, smt.Unsat, status, "%s", f)
	}
}

// TestImagesHold evaluates what is known of components on random values, for folds of the whole library.
func TestImagesHold(t *testing.T) {
	sys, r, _, _, done := zooSpace(t)
	defer done()
	p := sys.Pool
	rapid.Check(t, func(t *rapid.T) {
		wanted := []*component{rapid.SampledFrom(r.order).Draw(t, "fold"), rapid.SampledFrom(r.order).Draw(t, "fold")}
		e, err := r.encoding(context.Background(), wanted)
		require.NoError(t, err)
		compute := functions(sys, e)
		for _, c := range e.chosen {
			v := drawValue(t, p, c.data.Sort, 5)
			own := term.MapAssignment{}
			for _, k := range e.components(c.data) {
				own[e.self(k)] = compute(t, k, v)
			}
			for _, f := range e.images[c.data] {
				require.True(t, term.NewEvaluator(p, own).True(f), "%s of %s: %v", f, v, own)
			}
		}
	})
}

// TestImagesAreStrong names facts that proofs need.
func TestImagesAreStrong(t *testing.T) {
	sys, r, q, sorts, done := zooSpace(t)
	defer done()
	p := sys.Pool
	at := map[string]*component{}
	for _, c := range r.order {
		if c.data == sorts["List"].Data {
			at[c.name] = c
		}
	}
	e, err := r.encoding(context.Background(), []*component{at["size"], at["sum-head"]})
	require.NoError(t, err)
	size, sum := e.self(at["size"]), e.self(at["sum-head"])
	for _, f := range []*term.Term{p.Ge(size, p.Int(0)), p.Implies(p.Eq(size, p.Int(0)), p.Eq(sum, p.Int(0)))} {
		status, err := q.check(context.Background(), append([]*term.Term{p.Not(f)}, e.images[sorts["List"].Data]...)...)
		require.NoError(t, err)
		require.Equal(t, smt.Unsat, status, "%s", f)
	}
}

// TestFoldsComputeWhatTheyAreCalled compares folds with values worked out by hand.
func TestFoldsComputeWhatTheyAreCalled(t *testing.T) {
	sys, r, _, sorts, done := zooSpace(t)
	defer done()
	p := sys.Pool
	e, err := r.encoding(context.Background(), r.order)
	require.NoError(t, err)
	compute := functions(sys, e)
	construct := func(sort string, i int, args ...*term.Term) *term.Term {
		return p.Construct(sorts[sort].Data.Constructors[i], args...)
	}
	list := func(ns ...int64) *term.Term {
		l := construct("List", 0)
		for i := len(ns) - 1; i >= 0; i-- {
			l = construct("List", 1, p.Int(ns[i]), l)
		}
		return l
	}
	tree := func(a *term.Term, n int64, b *term.Term) *term.Term { return construct("Tree", 1, a, p.Int(n), b) }
	leaf := construct("Tree", 0)
	bin := construct("Bin", 0)
	for _, test := range []struct {
		fold  string
		value *term.Term
		want  int64
	}{
		{"size", list(4, 5, 6), 3}, {"size", list(), 0}, {"sum-head", list(4, 5, 6), 15}, {"first-head", list(4, 5), 4}, {"first-head", list(), 0},
		{"size", tree(tree(leaf, 1, leaf), 2, leaf), 2}, {"sum-value", tree(tree(leaf, 1, leaf), 2, leaf), 3},
		{"spine-0", tree(tree(leaf, 1, leaf), 2, leaf), 2}, {"spine-1", tree(tree(leaf, 1, leaf), 2, leaf), 1},
		{"size", construct("Bin", 1, construct("Bin", 2, bin)), 2},
	} {
		found := false
		for _, c := range r.order {
			if c.name == test.fold && c.data == test.value.Sort().Data {
				found = true
				require.Equal(t, test.want, compute(t, c, test.value).Num().BigInt().Int64(), "%s of %s", test.fold, test.value)
			}
		}
		require.True(t, found, test.fold)
	}
}
