package narrow

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// program is the clauses in the form in which they are run.
type program struct {
	source  *chc.System
	clauses [][]*clause // by the head's predicate
	queries []*clause
	// results says which arguments of a predicate are computed from the others.
	results [][]bool
	// functional predicates have one derivation for each input.
	functional []bool
	// ranges are intervals of integer arguments; those of a predicate without derivations are nil.
	ranges  [][]term.Interval
	numbers []*term.Term
}

// clause has its terms as patterns over its variables, those equations solved that can be without knowing more.
type clause struct {
	source *chc.Clause
	vars   []*term.Term
	place  map[*term.Term]int
	head   []*pattern
	body   []atom
	// equations are between patterns; formulas are the rest of the constraint.
	equations [][2]*pattern
	formulas  []formula
	// solved has terms over vars for the variables of the source that are not among these.
	solved map[*term.Term]*term.Term
}

type atom struct {
	pred *chc.Predicate
	args []*pattern
}

// formula is one conjunct of a constraint. An equation of numbers is linear, too; another one may define variables.
type formula struct {
	term    *term.Term
	vars    []int
	linear  *term.Linear
	defines []definition
}

// definition is a variable and the term that it equals.
type definition struct {
	variable int
	as       *term.Term
}

func compile(ctx context.Context, sys *chc.System, o options) *program {
	pr := &program{source: sys, clauses: make([][]*clause, len(sys.Predicates))}
	for _, c := range sys.Clauses {
		k := pr.compile(c)
		switch {
		case k == nil:
		case c.Head == nil:
			pr.queries = append(pr.queries, k)
		default:
			pr.clauses[c.Head.Pred.ID] = append(pr.clauses[c.Head.Pred.ID], k)
		}
	}
	// What ends is tried before what goes on.
	for _, cs := range pr.clauses {
		slices.SortStableFunc(cs, func(a, b *clause) int { return len(a.body) - len(b.body) })
	}
	pr.findRanges()
	pr.findResults(ctx, o)
	pr.findNumbers()
	return pr
}

// findNumbers collects the integers that unknown ones are tried with.
func (pr *program) findNumbers() {
	add := func(t *term.Term) {
		if len(pr.numbers) < mostNumbers && !slices.Contains(pr.numbers, t) {
			pr.numbers = append(pr.numbers, t)
		}
	}
	for _, n := range smallNumbers {
		add(pr.source.Pool.Int(n))
	}
	pr.source.EachTerm(func(t *term.Term) {
		if t.IsNumeral() && t.Sort() == term.Int {
			for _, d := range []int64{0, 1, -1} {
				add(pr.source.Pool.Numeral(t.Num().Add(term.NewInt(d)), term.Int))
			}
		}
	})
}

// compile returns nil for a clause whose constraint is false.
func (pr *program) compile(c *chc.Clause) *clause {
	p := pr.source.Pool
	k := &clause{source: c, place: map[*term.Term]int{}, solved: map[*term.Term]*term.Term{}}
	work := *c
	if work.Constraint = k.solve(p, &work); work.Constraint.IsFalse() {
		return nil
	}
	b := &compiler{pool: p, clause: k}
	if c.Head != nil {
		k.head = b.patterns(work.Head.Args)
	}
	for _, a := range work.Body {
		k.body = append(k.body, atom{a.Pred, b.patterns(a.Args)})
	}
	for _, f := range term.Conjuncts(work.Constraint) {
		if f.Op() == term.Eq && f.Arg(0).Sort().Data != nil {
			k.equations = append(k.equations, [2]*pattern{b.pattern(f.Arg(0)), b.pattern(f.Arg(1))})
		} else if !f.IsTrue() {
			b.formula(f)
		}
	}
	// Variables that occur nowhere are free.
	for _, x := range c.Vars() {
		if k.solved[x] == nil {
			b.variable(x)
		}
	}
	for _, t := range k.solved {
		for _, x := range term.Vars(t) {
			b.variable(x)
		}
	}
	return k
}

// solve eliminates variables by equations and testers of the constraint, from all terms of the clause; it returns what is
// left of the constraint.
func (k *clause) solve(p *term.Pool, c *chc.Clause) *term.Term {
	constraint := c.Constraint
	for {
		var x, t *term.Term
		for _, f := range term.Conjuncts(constraint) {
			if x, t = defined(p, f); x != nil {
				break
			}
		}
		if x == nil {
			return constraint
		}
		one := map[*term.Term]*term.Term{x: t}
		for y, u := range k.solved {
			k.solved[y] = p.Substitute(u, one)
		}
		k.solved[x] = t
		constraint = p.Substitute(constraint, one)
		mapped := c.MapAtoms(func(a chc.App) chc.App {
			return a.Map(a.Pred, func(u *term.Term) *term.Term { return p.Substitute(u, one) })
		})
		c.Body, c.Head = mapped.Body, mapped.Head
	}
}

// defined reads a conjunct as the definition of a variable by a pattern.
func defined(p *term.Pool, f *term.Term) (x, t *term.Term) {
	switch f.Op() {
	case term.Var:
		return f, p.True()
	case term.Not:
		if f.Arg(0).IsVar() {
			return f.Arg(0), p.False()
		}
	case term.Is:
		if x := f.Arg(0); x.IsVar() {
			args := make([]*term.Term, len(f.Ctor().Selectors))
			for i, s := range f.Ctor().Selectors {
				args[i] = p.Fresh("field", s.Sort)
			}
			return x, p.Construct(f.Ctor(), args...)
		}
	case term.Eq:
		for i := range 2 {
			x, t := f.Arg(i), f.Arg(1-i)
			if x.IsVar() && (t.IsVar() || t.IsValue() || t.Op() == term.Construct) && !slices.Contains(term.Vars(t), x) {
				return x, t
			}
		}
	}
	return nil, nil
}

// compiler makes patterns of the terms of one clause.
type compiler struct {
	pool *term.Pool
	*clause
}

func (b *compiler) variable(x *term.Term) int {
	i, ok := b.place[x]
	if !ok {
		i = len(b.vars)
		b.place[x] = i
		b.vars = append(b.vars, x)
	}
	return i
}

func (b *compiler) patterns(ts []*term.Term) []*pattern {
	out := make([]*pattern, len(ts))
	for i, t := range ts {
		out[i] = b.pattern(t)
	}
	return out
}

// pattern gives what has to be computed a variable of its own, with an equation.
func (b *compiler) pattern(t *term.Term) *pattern {
	switch {
	case t.IsVar():
		return &pattern{sort: t.Sort(), variable: b.variable(t)}
	case t.Op() == term.Construct:
		return &pattern{sort: t.Sort(), ctor: t.Ctor(), args: b.patterns(t.Args())}
	case t.IsValue():
		return &pattern{sort: t.Sort(), lit: t}
	}
	x := b.pool.Fresh("computed", t.Sort())
	b.formula(b.pool.Eq(x, t))
	return &pattern{sort: t.Sort(), variable: b.variable(x)}
}

// invert adds the definitions of variables that are terms of a sum of bit-vectors: they equal what the sum does, less its other
// terms.
func (b *compiler) invert(sum, equals *term.Term, f *formula) {
	if sum.Op() != term.BVAdd {
		return
	}
	for i, x := range sum.Args() {
		as := b.pool.BV(term.BVSub, equals, sum.Arg(1-i))
		if x.IsVar() && !slices.Contains(term.Vars(as), x) {
			f.defines = append(f.defines, definition{b.variable(x), as})
		}
		b.invert(x, as, f)
	}
}

func (b *compiler) formula(t *term.Term) {
	f := formula{term: t}
	for _, x := range term.Vars(t) {
		f.vars = append(f.vars, b.variable(x))
	}
	if c, ok := b.pool.AsConstraint(t); ok && c.Rel == term.EQ {
		f.linear = &c.Linear
	} else if t.Op() == term.Eq {
		for i, x := range t.Args() {
			if x.IsVar() {
				f.defines = append(f.defines, definition{b.variable(x), t.Arg(1 - i)})
			}
			b.invert(x, t.Arg(1-i), &f)
		}
	}
	b.formulas = append(b.formulas, f)
}
