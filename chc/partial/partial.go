// Package partial is about the operations whose value SMT-LIB leaves open: a quotient or remainder by zero (but for
// bit-vectors), and a selector applied to a value of another constructor. Each is a function, the same wherever it
// occurs, that the structure chooses. So clauses are unsatisfiable only when they are for every choice.
package partial

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
)

// Condition returns the formula under which the outermost operation of t has a value that SMT-LIB determines; it is true
// for the operations that are total.
func Condition(p *term.Pool, t *term.Term) *term.Term {
	switch t.Op() {
	case term.IntDiv, term.Mod, term.RealDiv:
		return p.Ne(t.Arg(1), p.Numeral(term.NewInt(0), t.Sort()))
	case term.Field:
		return p.Is(t.Sel().Ctor, t.Arg(0))
	}
	return p.True()
}

// Restrict strengthens formulas so that only what SMT-LIB determines makes them true. The zero value is not usable; take
// NewRestriction.
type Restriction struct {
	pool *term.Pool
	memo map[polarity]*term.Term
	open map[*term.Term]bool
}

type polarity struct {
	term *term.Term
	// what is the question: is the formula determined and true, or determined and false, or is the term determined?
	what byte
}

const (
	isTrue byte = iota
	isFalse
	hasValue
)

// NewRestriction returns a Restriction for the pool's terms.
func NewRestriction(p *term.Pool) *Restriction {
	return &Restriction{pool: p, memo: map[polarity]*term.Term{}, open: map[*term.Term]bool{}}
}

// True returns a formula that is true where f is true whatever the open operations yield, by Kleene's three-valued
// logic; its own open operations are all guarded. Quantified formulas with open operations count as not determined.
func (r *Restriction) True(f *term.Term) *term.Term { return r.ask(f, isTrue) }

// Value returns a formula that is true where t has a value that SMT-LIB determines.
func (r *Restriction) Value(t *term.Term) *term.Term { return r.ask(t, hasValue) }

// isOpen reports whether open operations occur in t.
func (r *Restriction) isOpen(t *term.Term) bool {
	known, ok := r.open[t]
	if !ok {
		known = !Condition(r.pool, t).IsTrue()
		for _, a := range t.Args() {
			known = r.isOpen(a) || known
		}
		r.open[t] = known
	}
	return known
}

func (r *Restriction) ask(t *term.Term, what byte) *term.Term {
	if !r.isOpen(t) {
		switch what {
		case isTrue:
			return t
		case isFalse:
			return r.pool.Not(t)
		}
		return r.pool.True()
	}
	key := polarity{t, what}
	known, ok := r.memo[key]
	if !ok {
		known = r.answer(t, what)
		r.memo[key] = known
	}
	return known
}

func (r *Restriction) answer(t *term.Term, what byte) *term.Term {
	p := r.pool
	if t.IsQuantifier() {
		return p.False()
	}
	if what == hasValue && t.IsBool() {
		return p.Or(r.ask(t, isTrue), r.ask(t, isFalse))
	}
	switch {
	case t.Op() == term.Not:
		return r.ask(t.Arg(0), isTrue+isFalse-what)
	case t.Op() == term.And || t.Op() == term.Or:
		parts := make([]*term.Term, len(t.Args()))
		for i, a := range t.Args() {
			parts[i] = r.ask(a, what)
		}
		if (t.Op() == term.And) == (what == isTrue) {
			return p.And(parts...)
		}
		return p.Or(parts...)
	case t.Op() == term.Ite:
		return p.Or(
			p.And(r.ask(t.Arg(0), isTrue), r.ask(t.Arg(1), what)),
			p.And(r.ask(t.Arg(0), isFalse), r.ask(t.Arg(2), what)))
	}
	// The operations that are left have a value when all their arguments have.
	parts := []*term.Term{Condition(p, t)}
	for _, a := range t.Args() {
		parts = append(parts, r.ask(a, hasValue))
	}
	switch what {
	case isTrue:
		parts = append(parts, t)
	case isFalse:
		parts = append(parts, p.Not(t))
	}
	return p.And(parts...)
}

// Clause returns the formula under which a step of the clause is determined: its constraint is true, and all its
// arguments have values.
func (r *Restriction) Clause(c *chc.Clause) *term.Term {
	parts := []*term.Term{r.True(c.Constraint)}
	add := func(a chc.App) {
		for _, t := range a.Args {
			parts = append(parts, r.Value(t))
		}
	}
	for _, a := range c.Body {
		add(a)
	}
	if c.Head != nil {
		add(*c.Head)
	}
	return r.pool.And(parts...)
}
