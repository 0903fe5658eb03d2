package rule

import (
	"fmt"
	"iter"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// System is a system of clauses in normal form.
type System struct {
	// Source is the system that it was made of.
	Source *chc.System
	Pool   *term.Pool
	// Predicates are those of Source, by their ID, and Goal.
	Predicates []*Predicate
	// Goal is the predicate without arguments that every query derives.
	Goal *Predicate
	// Rules are in the order of the clauses.
	Rules []*Rule
}

// Predicate is an unknown relation over its parameters.
type Predicate struct {
	// ID is the index in System.Predicates.
	ID   int
	Name string
	// Source is nil for the goal.
	Source *chc.Predicate
	// Params are the canonical parameters: one variable an argument.
	Params []*term.Term
	// Rules are those with the predicate as head, Uses its occurrences in bodies, both in the order of System.Rules.
	Rules []*Rule
	Uses  []Use
	// Slots are the atoms that occur in the bodies of Rules, each once, in the order of their first occurrence.
	Slots []*Atom
	// copies are the copies so far.
	copies []*Atom
}

// Use is an occurrence of a predicate: in the body of a rule, at an index of Rule.Body.
type Use struct {
	Rule     *Rule
	Position int
}

// Atom is a predicate over one of its copies. Two occurrences of a predicate in bodies are the same Atom when each is
// the occurrence of the same number in its body.
type Atom struct {
	Pred *Predicate
	// Occurrence is the number of atoms of the predicate that come before in the body.
	Occurrence int
	// Args are the variables of the copy.
	Args []*term.Term
}

// Rule is a clause in normal form.
type Rule struct {
	// ID is the index in System.Rules.
	ID     int
	Clause *chc.Clause
	Head   *Predicate
	// Body has the atom of each atom of the clause's body, and Slots their indices in Head.Slots.
	Body  []*Atom
	Slots []int
	// Trans is Constraint together with all Equations.
	Trans *term.Term
	// Constraint is the clause's constraint over the rule's variables.
	Constraint *term.Term
	// HeadEquations and BodyEquations, the latter for each atom of the body, equate parameters of the head and copies with
	// arguments. An argument that is a variable, at its first place in the clause, has none: it became the parameter or the
	// copy's variable. No right-hand side, nor Constraint, mentions the left-hand side of an equation.
	HeadEquations []Equation
	BodyEquations [][]Equation
	// Locals are the variables that are neither parameters nor in a copy, in the order of chc.Clause.Vars.
	Locals []*term.Term
	// Values has, for each variable of the clause, the variable of the rule that it became.
	Values map[*term.Term]*term.Term
	// Tag is a Boolean variable of the rule's, which occurs in none of its formulas.
	Tag *term.Term
}

// Equation says that a parameter, or a variable of a copy, is an argument.
type Equation struct{ Var, Arg *term.Term }

// IsFact reports whether the body has no atom.
func (r *Rule) IsFact() bool { return len(r.Body) == 0 }

// Equations returns the equations of the head and of the body's atoms.
func (r *Rule) Equations() iter.Seq[Equation] {
	return func(yield func(Equation) bool) {
		for _, e := range r.HeadEquations {
			if !yield(e) {
				return
			}
		}
		for _, es := range r.BodyEquations {
			for _, e := range es {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// New brings a system into normal form.
func New(sys *chc.System) *System {
	s := &System{Source: sys, Pool: sys.Pool}
	for _, p := range sys.Predicates {
		s.addPredicate(p.Name, p, witness.CanonicalParams(sys.Pool, p))
	}
	s.Goal = s.addPredicate("goal", nil, nil)
	for _, c := range sys.Clauses {
		s.addRule(c)
	}
	return s
}

func (s *System) addPredicate(name string, source *chc.Predicate, params []*term.Term) *Predicate {
	p := &Predicate{ID: len(s.Predicates), Name: name, Source: source, Params: params}
	s.Predicates = append(s.Predicates, p)
	return p
}

// copyOf returns p over its copy of that number.
func (s *System) copyOf(p *Predicate, occurrence int) *Atom {
	for k := len(p.copies); k <= occurrence; k++ {
		a := &Atom{Pred: p, Occurrence: k, Args: make([]*term.Term, len(p.Params))}
		for i, v := range p.Params {
			a.Args[i] = s.Pool.Fresh(fmt.Sprintf("%s.%d@%d", p.Name, i, k), v.Sort())
		}
		p.copies = append(p.copies, a)
	}
	return p.copies[occurrence]
}

// addRule adds the rule of a clause, unless its transition formula is false.
func (s *System) addRule(c *chc.Clause) {
	r := &Rule{ID: len(s.Rules), Clause: c, Head: s.Goal, Values: map[*term.Term]*term.Term{}}
	bind := func(vars, args []*term.Term) []Equation {
		var open []Equation
		for i, arg := range args {
			if arg.IsVar() && r.Values[arg] == nil {
				r.Values[arg] = vars[i]
				continue
			}
			open = append(open, Equation{vars[i], arg})
		}
		return open
	}
	if c.Head != nil {
		r.Head = s.Predicates[c.Head.Pred.ID]
		r.HeadEquations = bind(r.Head.Params, c.Head.Args)
	}
	occurrences := map[*Predicate]int{}
	for _, a := range c.Body {
		q := s.Predicates[a.Pred.ID]
		atom := s.copyOf(q, occurrences[q])
		occurrences[q]++
		r.Body = append(r.Body, atom)
		r.BodyEquations = append(r.BodyEquations, bind(atom.Args, a.Args))
	}
	for _, v := range c.Vars() {
		if r.Values[v] == nil {
			r.Values[v] = s.Pool.Fresh(v.Name(), v.Sort())
			r.Locals = append(r.Locals, r.Values[v])
		}
	}
	renaming := s.Pool.NewSubstitution(r.Values)
	r.Constraint = renaming.Apply(c.Constraint)
	parts := []*term.Term{r.Constraint}
	for _, es := range append([][]Equation{r.HeadEquations}, r.BodyEquations...) {
		for i := range es {
			es[i].Arg = renaming.Apply(es[i].Arg)
			parts = append(parts, s.Pool.Eq(es[i].Var, es[i].Arg))
		}
	}
	r.Trans = s.Pool.And(parts...)
	r.Tag = s.Pool.Fresh(fmt.Sprintf("rule#%d", r.ID), term.Bool)
	if !r.Trans.IsFalse() {
		s.link(r)
	}
}

// link makes a rule known to the predicates in it.
func (s *System) link(r *Rule) {
	s.Rules = append(s.Rules, r)
	r.Head.Rules = append(r.Head.Rules, r)
	for i, a := range r.Body {
		r.Slots = append(r.Slots, r.Head.slot(a))
		a.Pred.Uses = append(a.Pred.Uses, Use{r, i})
	}
}

// slot returns the index of an atom among the predicate's slots.
func (p *Predicate) slot(a *Atom) int {
	for i, s := range p.Slots {
		if s == a {
			return i
		}
	}
	p.Slots = append(p.Slots, a)
	return len(p.Slots) - 1
}
