package chc

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hornbeam/chc/term"
)

// Predicate is an unknown relation over its argument sorts. Predicates are compared by pointer.
type Predicate struct {
	// ID is the predicate's index in System.Predicates.
	ID   int
	Name string
	// Sorts are the argument sorts, in order; empty for a Boolean predicate.
	Sorts []*term.Sort
	// ArgNames are the arguments' names in the source, where it has any; nil or one per argument.
	ArgNames []string
}

// Arity is the number of arguments.
func (p *Predicate) Arity() int { return len(p.Sorts) }

// App is a predicate applied to terms of its argument sorts.
type App struct {
	Pred *Predicate
	Args []*term.Term
}

// String prints the atom in SMT-LIB.
func (a App) String() string {
	if len(a.Args) == 0 {
		return term.QuoteSymbol(a.Pred.Name)
	}
	var b strings.Builder
	b.WriteByte('(')
	b.WriteString(term.QuoteSymbol(a.Pred.Name))
	for _, t := range a.Args {
		b.WriteByte(' ')
		b.WriteString(term.Format(t))
	}
	b.WriteByte(')')
	return b.String()
}

// Equal reports whether two atoms have the same predicate and the same arguments.
func (a App) Equal(b App) bool { return a.Pred == b.Pred && slices.Equal(a.Args, b.Args) }

// Map returns the atom of a predicate with what f makes of the arguments.
func (a App) Map(pred *Predicate, f func(*term.Term) *term.Term) App {
	out := App{Pred: pred, Args: make([]*term.Term, len(a.Args))}
	for i, t := range a.Args {
		out.Args[i] = f(t)
	}
	return out
}

// Position is a place in a source text; lines and columns count from 1, the zero Position is unknown.
type Position struct {
	File         string
	Line, Column int
}

// String returns `file:line:column`, without the parts that are unknown.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	s := strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
	if p.File != "" {
		s = p.File + ":" + s
	}
	return s
}

// Compare orders places of one file as they follow each other: by lines, then by columns. Files are not compared.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// Clause is `forall Vars. Body and Constraint => Head`. Its free variables are exactly those of its atoms and its
// constraint; each is bound by the clause.
type Clause struct {
	// ID is the clause's index in System.Clauses.
	ID   int
	Body []App
	// Constraint is a Boolean term without predicates; never nil.
	Constraint *term.Term
	// Head is nil for a query (a clause whose head is false).
	Head *App
	// Name is the source's own name for the clause, or empty.
	Name string
	Pos  Position
}

// IsQuery reports whether the head is false.
func (c *Clause) IsQuery() bool { return c.Head == nil }

// IsFact reports whether the body has no atom.
func (c *Clause) IsFact() bool { return len(c.Body) == 0 }

// Atoms returns the atoms of the body and the head, if there is one.
func (c *Clause) Atoms() []App {
	if c.Head == nil {
		return c.Body
	}
	return append(slices.Clip(c.Body), *c.Head)
}

// MapAtoms returns a copy of the clause with what f makes of the atoms, the head last.
func (c *Clause) MapAtoms(f func(App) App) *Clause {
	out := *c
	out.Body = make([]App, len(c.Body))
	for i, a := range c.Body {
		out.Body[i] = f(a)
	}
	if c.Head != nil {
		h := f(*c.Head)
		out.Head = &h
	}
	return &out
}

// Equal reports whether two clauses have the same constraint and the same atoms.
func (c *Clause) Equal(d *Clause) bool {
	return c.Constraint == d.Constraint && slices.EqualFunc(c.Atoms(), d.Atoms(), App.Equal) && c.IsQuery() == d.IsQuery()
}

// Terms returns the arguments of the body atoms, the constraint and the arguments of the head.
func (c *Clause) Terms() []*term.Term {
	var ts []*term.Term
	for _, a := range c.Body {
		ts = append(ts, a.Args...)
	}
	ts = append(ts, c.Constraint)
	if c.Head != nil {
		ts = append(ts, c.Head.Args...)
	}
	return ts
}

// Vars returns the clause's variables in first-occurrence order: body atoms, constraint, head.
func (c *Clause) Vars() []*term.Term { return term.Vars(c.Terms()...) }

// Approximation says how a system relates to the problem that it stands for; it decides which verdicts carry over.
type Approximation uint8

// A system is exact, has more behaviours than the problem (over: only sat carries over) or fewer (under: only unsat).
const (
	Exact Approximation = iota
	Over
	Under
)

// System is a set of constrained Horn clauses. It is satisfiable when its predicates have an interpretation that makes
// every clause valid.
type System struct {
	Pool       *term.Pool
	Predicates []*Predicate
	Clauses    []*Clause
	// Datatypes are the declared datatype sorts, in declaration order.
	Datatypes []*term.Sort
	// Approximation is Exact for a system read from a Horn file.
	Approximation Approximation
	// Notes say, in the user's words, what was approximated.
	Notes []string
}

// Linear reports whether every clause has at most one body atom.
func (s *System) Linear() bool {
	for _, c := range s.Clauses {
		if len(c.Body) > 1 {
			return false
		}
	}
	return true
}

// EachTerm visits every term of the clauses once, subterms included, each before its parts.
func (s *System) EachTerm(visit func(*term.Term)) {
	seen := map[*term.Term]bool{}
	for _, c := range s.Clauses {
		for _, root := range c.Terms() {
			term.Walk(root, func(t *term.Term) bool {
				if seen[t] {
					return false
				}
				seen[t] = true
				visit(t)
				return true
			})
		}
	}
}
