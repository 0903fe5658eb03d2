package smtlib

import (
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// draft is a clause whose body is being taken apart.
type draft struct {
	atoms       []*term.Term
	constraints []*term.Term
	// splits are disjunctions over predicates, still to be split into cases.
	splits [][][]signed
	head   *chc.App
}

// clause adds the clauses of `the negations of ds imply head`; head is an atom or nil. No predicate occurs unnegated
// in ds.
func (x *extractor) clause(ds []signed, head *term.Term) {
	d := &draft{}
	if head != nil {
		app := x.app(head)
		d.head = &app
	}
	mark := len(x.freed)
	for _, s := range ds {
		x.goal(d, s.not())
	}
	x.split(d)
	x.release(mark)
}

func (x *extractor) app(atom *term.Term) chc.App {
	return chc.App{Pred: x.r.predicates[atom.Func()], Args: atom.Args()}
}

// goal adds to the body what must hold for s to be true, leaving disjunctions over predicates for later.
func (x *extractor) goal(d *draft, s signed) {
	x.enter()
	defer func() { x.depth-- }()
	switch {
	case x.polarity(s) == 0:
		d.constraints = append(d.constraints, x.constraint(s))
	case isAtom(s.t):
		if s.neg {
			x.notHorn(s.t, "is negated in a body")
		}
		d.atoms = append(d.atoms, s.t)
	case s.t.IsQuantifier():
		if (s.t.Op() == term.Exists) == s.neg {
			x.notHorn(s.t, "is under a universal quantifier in a body")
		}
		x.goal(d, signed{x.free(s.t), s.neg})
	default:
		conj, parts, ok := children(s)
		switch {
		case ok && conj:
			for _, p := range x.byPlace(parts) {
				x.goal(d, p)
			}
		case ok:
			// The disjuncts without predicates are one case.
			var free []*term.Term
			var cases [][]signed
			for _, p := range x.byPlace(parts) {
				if x.polarity(p) == 0 {
					free = append(free, x.literal(p))
				} else {
					cases = append(cases, []signed{p})
				}
			}
			if free != nil {
				cases = append(cases, []signed{{t: x.pool.Or(free...)}})
			}
			d.splits = append(d.splits, cases)
		default:
			b := x.branches(s, false)
			d.splits = append(d.splits, [][]signed{b[0][:], b[1][:]})
		}
	}
}

// split adds the clauses for every combination of the cases of d's disjunctions.
func (x *extractor) split(d *draft) {
	if len(d.splits) == 0 {
		x.emit(d)
		return
	}
	total := 1
	for _, cases := range d.splits {
		if total *= x.countCases(cases); total > maxCases {
			break
		}
	}
	// A single flat disjunction gains nothing from a predicate of its own.
	if total > maxCases && (len(d.splits) > 1 || total > len(d.splits[0])) {
		x.summarise(d)
	}
	if len(d.splits) == 0 {
		x.emit(d)
		return
	}
	cases, rest := d.splits[0], d.splits[1:]
	for _, c := range cases {
		e := &draft{atoms: slices.Clone(d.atoms), constraints: slices.Clone(d.constraints), splits: slices.Clone(rest), head: d.head}
		mark := len(x.freed)
		for _, s := range c {
			x.goal(e, s)
		}
		x.split(e)
		x.release(mark)
	}
}

// countCases is the number of conjunctions that a disjunction over predicates splits into, at most maxCases+1.
func (x *extractor) countCases(cases [][]signed) int {
	total := 0
	for _, c := range cases {
		n := 1
		for _, s := range c {
			n = min(n*x.countFormula(s), maxCases+1)
		}
		total = min(total+n, maxCases+1)
	}
	return total
}

func (x *extractor) countFormula(s signed) int {
	if x.polarity(s) == 0 || isAtom(s.t) {
		return 1
	}
	if n, ok := x.cases[s]; ok {
		return n
	}
	x.enter()
	n := 1
	if s.t.IsQuantifier() {
		n = x.countFormula(signed{s.t.Arg(0), s.neg})
	} else if conj, parts, ok := children(s); ok && conj {
		for _, p := range parts {
			n = min(n*x.countFormula(p), maxCases+1)
		}
	} else if ok {
		var cases [][]signed
		for _, p := range parts {
			cases = append(cases, []signed{p})
		}
		n = x.countCases(cases)
	} else {
		b := x.branches(s, false)
		n = x.countCases([][]signed{b[0][:], b[1][:]})
	}
	x.depth--
	x.cases[s] = n
	return n
}

// summarise replaces each disjunction of d by a new predicate over its variables, one clause a case.
func (x *extractor) summarise(d *draft) {
	for _, cases := range d.splits {
		var ts []*term.Term
		for _, c := range cases {
			for _, s := range c {
				ts = append(ts, s.t)
			}
		}
		vars := term.Vars(ts...)
		p := &chc.Predicate{Name: fmt.Sprintf("case!%d", len(x.auxiliary))}
		for _, v := range vars {
			p.Sorts = append(p.Sorts, v.Sort())
			p.ArgNames = append(p.ArgNames, v.Name())
		}
		x.auxiliary = append(x.auxiliary, p)
		f := x.pool.DeclareFunc("\x00"+p.Name, p.Sorts, term.Bool)
		x.r.predicates[f] = p
		head := chc.App{Pred: p, Args: vars}
		for _, c := range cases {
			e := &draft{head: &head}
			mark := len(x.freed)
			for _, s := range c {
				x.goal(e, s)
			}
			x.split(e)
			x.release(mark)
		}
		d.atoms = append(d.atoms, x.pool.Apply(f, vars...))
	}
	d.splits = nil
}

// constraint is the term of s, without predicates, whose outer existential quantifiers become variables of the clause.
func (x *extractor) constraint(s signed) *term.Term {
	if !s.t.HasQuantifier() {
		return x.literal(s)
	}
	x.enter()
	defer func() { x.depth-- }()
	switch t := s.t; t.Op() {
	case term.Exists, term.Forall:
		if (t.Op() == term.Exists) == !s.neg {
			return x.constraint(signed{x.free(t), s.neg})
		}
	case term.Not:
		return x.constraint(signed{t.Arg(0), !s.neg})
	case term.And, term.Or:
		parts := make([]*term.Term, len(t.Args()))
		for i, a := range t.Args() {
			parts[i] = x.constraint(signed{a, s.neg})
		}
		if (t.Op() == term.And) != s.neg {
			return x.pool.And(parts...)
		}
		return x.pool.Or(parts...)
	case term.Ite:
		if t.Sort() == term.Bool {
			return x.pool.Ite(t.Arg(0), x.constraint(signed{t.Arg(1), s.neg}), x.constraint(signed{t.Arg(2), s.neg}))
		}
	}
	return x.literal(s)
}

// emit adds the clause of a draft without disjunctions.
func (x *extractor) emit(d *draft) {
	sys := x.r.script.System
	if len(sys.Clauses)-x.first >= maxClauses {
		x.r.unsupported(x.off, "a formula of more than %d clauses", maxClauses)
	}
	c := &chc.Clause{ID: len(sys.Clauses), Head: d.head, Name: x.r.clauseName, Pos: x.r.position(x.off),
		Constraint: x.pool.And(d.constraints...)}
	for _, a := range d.atoms {
		c.Body = append(c.Body, x.app(a))
	}
	sys.Clauses = append(sys.Clauses, c)
}
