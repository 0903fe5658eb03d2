package peano

import (
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// lifter rewrites formulas over integers, and over datatypes with integers inside, into formulas over the Peano
// numbers that they stand for. A number becomes the value of a Peano number; a list of integers, say, is no term over
// lists of Peano numbers, but its fields and tests are, and so are the functions by recursion over it.
type lifter struct {
	*translator
	// old are what new parameters stand for.
	old map[*term.Term]*term.Term
	// value is the function that gives a Peano number its value, where it was needed.
	value map[*term.Sort]*term.Func
	// funcs are the functions that took the place of those over datatypes with integers.
	funcs map[*term.Func]*term.Func
	taken map[*term.Func]bool
	done  map[*term.Term]*term.Term
}

func newLifter(t *translator) *lifter {
	return &lifter{
		translator: t, old: map[*term.Term]*term.Term{}, value: map[*term.Sort]*term.Func{},
		funcs: map[*term.Func]*term.Func{}, taken: map[*term.Func]bool{}, done: map[*term.Term]*term.Term{},
	}
}

// interpretation lifts that of p's successor.
func (l *lifter) interpretation(p *chc.Predicate, in witness.Interpretation) (witness.Interpretation, error) {
	params := make([]*term.Term, p.Arity())
	old := map[*term.Term]*term.Term{}
	for i, s := range p.Sorts {
		params[i] = in.Params[i]
		if l.changes(s) {
			params[i] = l.pool.Fresh("a", s)
			old[in.Params[i]] = params[i]
		}
	}
	body, err := l.body(in.Body, old)
	return witness.Interpretation{Params: params, Body: body}, err
}

// body lifts a formula or a term of a sort that stays, in which old are what the changed variables stand for.
func (l *lifter) body(t *term.Term, old map[*term.Term]*term.Term) (*term.Term, error) {
	l.old = old
	l.done = map[*term.Term]*term.Term{}
	return l.plain(t)
}

// definitions lifts the model's functions and lemmas. Those over datatypes with integers get new functions; the others
// stay.
func (l *lifter) definitions(m, out *witness.Model) error {
	for _, d := range m.Definitions {
		l.taken[d.Func] = true
	}
	for _, d := range m.Definitions {
		domain := make([]*term.Sort, len(d.Func.Domain))
		for i, s := range d.Func.Domain {
			domain[i] = l.oldSort(s)
		}
		rng := l.oldSort(d.Func.Range)
		if rng == d.Func.Range && slices.Equal(domain, d.Func.Domain) {
			continue
		}
		l.funcs[d.Func] = l.newFunction(d.Func.Name, domain, rng)
	}
	for _, d := range m.Definitions {
		params, old := l.variablesFor(d.Params)
		l.old, l.done = old, map[*term.Term]*term.Term{}
		lift := l.plain
		if l.from[d.Func.Range] != nil {
			lift = l.data
		}
		body, err := lift(d.Body)
		if err != nil {
			return fmt.Errorf("the function %s: %w", term.QuoteSymbol(d.Func.Name), err)
		}
		fn := d.Func
		if g := l.funcs[fn]; g != nil {
			fn = g
		}
		out.Definitions = append(out.Definitions, witness.Definition{Func: fn, Params: params, Body: body})
	}
	for _, lemma := range m.Lemmas {
		vars, old := l.variablesFor(lemma.Vars)
		body, err := l.body(lemma.Body, old)
		if err != nil {
			return fmt.Errorf("a lemma: %w", err)
		}
		out.Lemmas = append(out.Lemmas, witness.Lemma{Vars: vars, Body: body})
	}
	return nil
}

// oldSort is the sort in whose place s is. Integers stay: it is not their sort that says which of them are Peano numbers.
func (l *lifter) oldSort(s *term.Sort) *term.Sort {
	if t := l.from[s]; t != nil {
		return t
	}
	return s
}

// variablesFor returns variables in the place of vs.
func (l *lifter) variablesFor(vs []*term.Term) (vars []*term.Term, old map[*term.Term]*term.Term) {
	vars = slices.Clone(vs)
	old = map[*term.Term]*term.Term{}
	for i, v := range vs {
		if s := l.from[v.Sort()]; s != nil {
			vars[i] = l.pool.Var(v.Name(), s)
			for slices.Contains(vs, vars[i]) || slices.Contains(vars[:i], vars[i]) {
				vars[i] = l.pool.Fresh(v.Name(), s)
			}
			old[v] = vars[i]
		}
	}
	return vars, old
}

// newFunction declares a function that is none of the clauses and none that there is.
func (l *lifter) newFunction(name string, domain []*term.Sort, rng *term.Sort) *term.Func {
	f := witness.NewFunction(l.translator.old, name, domain, rng)
	for l.taken[f] {
		name += "'"
		f = witness.NewFunction(l.translator.old, name, domain, rng)
	}
	l.taken[f] = true
	return f
}

// valueOf returns the integer that the Peano number t stands for.
func (l *lifter) valueOf(t *term.Term) *term.Term {
	s := t.Sort()
	f := l.value[s]
	if f == nil {
		f = l.newFunction("value", []*term.Sort{s}, term.Int)
		l.value[s] = f
	}
	return l.pool.Apply(f, t)
}

// finish adds the functions that give Peano numbers their values, and what is to be known of them, before the others.
func (l *lifter) finish(out *witness.Model) {
	var ds []witness.Definition
	var ls []witness.Lemma
	p := l.pool
	for _, s := range l.order {
		n, f := l.numbers[s], l.value[s]
		if f == nil {
			continue
		}
		x, y := p.Var("x", s), p.Var("y", s)
		value := func(t *term.Term) *term.Term { return p.Apply(f, t) }
		ds = append(ds, witness.Definition{Func: f, Params: []*term.Term{x},
			Body: p.Ite(p.Is(n.zero, x), p.Int(0), p.Add(value(p.Field(n.pred, x)), p.Int(1)))})
		ls = append(ls,
			witness.Lemma{Vars: []*term.Term{x}, Body: p.Ge(value(x), p.Int(0))},
			witness.Lemma{Vars: []*term.Term{x, y}, Body: p.Implies(p.Eq(value(x), value(y)), p.Eq(x, y))})
	}
	out.Definitions = append(ds, out.Definitions...)
	out.Lemmas = append(ls, out.Lemmas...)
}

// plain lifts a term whose sort stays.
func (l *lifter) plain(t *term.Term) (*term.Term, error) {
	if u, ok := l.done[t]; ok {
		return u, nil
	}
	u, err := l.plainStep(t)
	if err == nil {
		l.done[t] = u
	}
	return u, err
}

func (l *lifter) plainStep(t *term.Term) (*term.Term, error) {
	p := l.pool
	switch t.Op() {
	case term.Var:
		if x := l.old[t]; x != nil {
			return l.valueOf(x), nil
		}
		return t, nil
	case term.Field:
		if s := l.from[t.Sel().Ctor.Data.Sort]; s != nil {
			x, err := l.field(t)
			if err == nil && l.numbers[x.Sort()] != nil {
				x = l.valueOf(x)
			}
			return x, err
		}
	case term.Is:
		if s := l.from[t.Ctor().Data.Sort]; s != nil {
			x, err := l.data(t.Arg(0))
			if err != nil {
				return nil, err
			}
			return p.Is(s.Data.Constructors[t.Ctor().Index], x), nil
		}
	case term.Eq:
		if l.from[t.Arg(0).Sort()] != nil {
			return l.equation(t.Arg(0), t.Arg(1))
		}
	case term.Apply:
		return l.apply(t)
	case term.Forall, term.Exists:
		return l.quantifier(t)
	}
	args := make([]*term.Term, len(t.Args()))
	for i, a := range t.Args() {
		var err error
		if args[i], err = l.plain(a); err != nil {
			return nil, err
		}
	}
	return p.Rebuild(t, args), nil
}

// field lifts a field of a datatype with integers, as a term of the old field's sort.
func (l *lifter) field(t *term.Term) (*term.Term, error) {
	c := t.Sel().Ctor
	x, err := l.data(t.Arg(0))
	if err != nil {
		return nil, err
	}
	return l.pool.Field(l.from[c.Data.Sort].Data.Constructors[c.Index].Selectors[t.Sel().Index], x), nil
}

func (l *lifter) apply(t *term.Term) (*term.Term, error) {
	fn := t.Func()
	if g := l.funcs[fn]; g != nil {
		fn = g
	}
	args := make([]*term.Term, len(t.Args()))
	for i, a := range t.Args() {
		lift := l.plain
		if l.from[a.Sort()] != nil {
			lift = l.data
		}
		var err error
		if args[i], err = lift(a); err != nil {
			return nil, err
		}
		if args[i].Sort() != fn.Domain[i] {
			return nil, fmt.Errorf("%s is not defined", term.QuoteSymbol(fn.Name))
		}
	}
	return l.pool.Apply(fn, args...), nil
}

func (l *lifter) quantifier(t *term.Term) (*term.Term, error) {
	rename := map[*term.Term]*term.Term{}
	bound := make([]*term.Term, len(t.Bound()))
	for i, v := range t.Bound() {
		if l.from[v.Sort()] != nil {
			return nil, fmt.Errorf("it quantifies over %s, which the clauses do not have", v.Sort())
		}
		bound[i] = l.pool.Fresh(v.Name(), v.Sort())
		rename[v] = bound[i]
	}
	body, err := l.plain(l.pool.Substitute(t.Arg(0), rename))
	if err != nil {
		return nil, err
	}
	if t.Op() == term.Forall {
		return l.pool.Forall(bound, body), nil
	}
	return l.pool.Exists(bound, body), nil
}

// data lifts a term of a datatype with integers to one of the datatype with Peano numbers.
func (l *lifter) data(t *term.Term) (*term.Term, error) {
	p := l.pool
	switch t.Op() {
	case term.Var:
		if x := l.old[t]; x != nil {
			return x, nil
		}
	case term.Field:
		if l.from[t.Arg(0).Sort()] != nil {
			return l.field(t)
		}
	case term.Apply:
		return l.apply(t)
	case term.Ite:
		return l.cases(t, l.data)
	case term.Construct:
		c := l.from[t.Sort()].Data.Constructors[t.Ctor().Index]
		args := make([]*term.Term, len(t.Args()))
		for i, f := range c.Selectors {
			lift := l.plain
			switch {
			case l.to[f.Sort] != nil:
				lift = l.data
			case l.numbers[f.Sort] != nil:
				lift = func(u *term.Term) (*term.Term, error) { return l.number(u, f.Sort) }
			}
			var err error
			if args[i], err = lift(t.Arg(i)); err != nil {
				return nil, err
			}
		}
		return p.Construct(c, args...), nil
	}
	return nil, fmt.Errorf("%s stands for nothing in the clauses", t)
}

func (l *lifter) cases(t *term.Term, lift func(*term.Term) (*term.Term, error)) (*term.Term, error) {
	c, err := l.plain(t.Arg(0))
	if err != nil {
		return nil, err
	}
	a, err := lift(t.Arg(1))
	if err != nil {
		return nil, err
	}
	b, err := lift(t.Arg(2))
	if err != nil {
		return nil, err
	}
	return l.pool.Ite(c, a, b), nil
}

// number lifts an integer to a Peano number of sort s.
func (l *lifter) number(t *term.Term, s *term.Sort) (*term.Term, error) {
	p := l.pool
	switch t.Op() {
	case term.Ite:
		return l.cases(t, func(u *term.Term) (*term.Term, error) { return l.number(u, s) })
	case term.Var:
		if x := l.old[t]; x != nil && x.Sort() == s {
			return x, nil
		}
	case term.Field:
		if l.from[t.Arg(0).Sort()] != nil {
			if x, err := l.field(t); err != nil || x.Sort() == s {
				return x, err
			}
		}
	case term.Numeral, term.Add:
		sum := p.Linear(t)
		k, ok := sum.Const.Int64()
		if !ok || k < 0 || k > maxPeano || len(sum.Monomials) > 1 || t.Op() == term.Add && k == 0 {
			break
		}
		x := p.Construct(l.numbers[s].zero)
		if len(sum.Monomials) == 1 {
			if !sum.Monomials[0].Coef.IsOne() {
				break
			}
			var err error
			if x, err = l.number(sum.Monomials[0].Term, s); err != nil {
				return nil, err
			}
		}
		for range k {
			x = p.Construct(l.numbers[s].succ, x)
		}
		return x, nil
	}
	return nil, fmt.Errorf("%s is the value of no Peano number of the clauses", t)
}

// equation lifts an equation of datatypes with integers: by fields where one side is put together from integers that are
// no Peano numbers.
func (l *lifter) equation(a, b *term.Term) (*term.Term, error) {
	p := l.pool
	x, errA := l.data(a)
	y, errB := l.data(b)
	if errA == nil && errB == nil {
		return p.Eq(x, y), nil
	}
	for _, o := range [2][2]*term.Term{{a, b}, {b, a}} {
		if o[0].IsIte() {
			return l.cases(o[0], func(u *term.Term) (*term.Term, error) { return l.equation(u, o[1]) })
		}
	}
	if a.Op() != term.Construct {
		a, b, errA = b, a, errB
	}
	if a.Op() != term.Construct {
		return nil, errA
	}
	c := a.Ctor()
	test, err := l.plain(p.Is(c, b))
	if err != nil {
		return nil, err
	}
	parts := []*term.Term{test}
	for i, f := range c.Selectors {
		eq, err := l.plain(p.Eq(a.Arg(i), p.Field(f, b)))
		if err != nil {
			return nil, err
		}
		parts = append(parts, eq)
	}
	return p.And(parts...), nil
}
