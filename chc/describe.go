package chc

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"hornbeam/chc/term"
)

// Description holds a system's figures.
type Description struct {
	Predicates, Clauses int
	// Facts have a head and no body atom, Queries no head; Rules are the other clauses.
	Facts, Rules, Queries int
	// Linear says that no clause has two body atoms; MaxBody is the most that one has.
	Linear  bool
	MaxBody int
	// MaxArity and MaxVariables are the most arguments of a predicate and the most variables of a clause.
	MaxArity, MaxVariables int
	// Recursive counts the predicates on cycles, Components the strongly connected components with a cycle.
	Recursive, Components int
	CutPoints             []*Predicate
	// Unreachable are the predicates without a derivation, Irrelevant those in no derivation of false.
	Unreachable, Irrelevant []*Predicate
	// Theories are among: LIA, NIA, LRA, NRA, div/mod, arrays, datatypes, bit-vectors, uninterpreted sorts, quantifiers.
	Theories []string
	// Terms counts the different subterms of all clauses.
	Terms         int
	Approximation Approximation
	Notes         []string
}

// Describe returns the figures of s.
func Describe(s *System) Description {
	g := NewGraph(s)
	d := Description{Predicates: len(s.Predicates), Clauses: len(s.Clauses), Linear: s.Linear(), CutPoints: g.CutPoints(),
		Facts: len(g.Facts), Queries: len(g.Queries), Approximation: s.Approximation, Notes: s.Notes}
	d.Rules = d.Clauses - d.Facts - d.Queries
	forward, backward := g.Forward(), g.Backward()
	for _, p := range s.Predicates {
		d.MaxArity = max(d.MaxArity, p.Arity())
		if g.Recursive(p) {
			d.Recursive++
		}
		if !forward[p.ID] {
			d.Unreachable = append(d.Unreachable, p)
		}
		if !backward[p.ID] {
			d.Irrelevant = append(d.Irrelevant, p)
		}
	}
	for _, c := range g.components {
		if g.Recursive(s.Predicates[c[0]]) {
			d.Components++
		}
	}
	used := theories{}
	for _, p := range s.Predicates {
		for _, t := range p.Sorts {
			used.sort(t)
		}
	}
	for _, c := range s.Clauses {
		d.MaxBody = max(d.MaxBody, len(c.Body))
		d.MaxVariables = max(d.MaxVariables, len(c.Vars()))
	}
	s.EachTerm(func(t *term.Term) {
		d.Terms++
		used.term(t)
	})
	d.Theories = used.names()
	return d
}

// theories notes which theories were met. The nonlinear ones are under their names, the linear ones under Int and Real.
type theories map[string]bool

func (u theories) sort(s *term.Sort) {
	switch s.Kind {
	case term.ArrayKind:
		u.sort(s.Index)
		u.sort(s.Elem)
	}
	u[map[term.SortKind]string{
		term.IntKind: "Int", term.RealKind: "Real", term.ArrayKind: "arrays", term.DatatypeKind: "datatypes",
		term.BitVecKind: "bit-vectors", term.UninterpretedKind: "uninterpreted sorts",
	}[s.Kind]] = true
}

func (u theories) term(t *term.Term) {
	u.sort(t.Sort())
	nonlinear := false
	switch t.Op() {
	case term.Mul:
		nonlinear = !t.Arg(0).IsNumeral() || len(t.Args()) > 2
	case term.RealDiv:
		nonlinear = true
	case term.IntDiv, term.Mod:
		u["div/mod"] = true
		nonlinear = !t.Arg(1).IsNumeral()
	case term.Divides:
		u["div/mod"] = true
	case term.Forall, term.Exists:
		u["quantifiers"] = true
	}
	if nonlinear && t.Sort() == term.Real {
		u["NRA"] = true
	} else if nonlinear {
		u["NIA"] = true
	}
}

// names lists the theories in the order of Description.Theories.
func (u theories) names() []string {
	u["LIA"], u["LRA"] = u["Int"] && !u["NIA"], u["Real"] && !u["NRA"]
	order := []string{"LIA", "NIA", "LRA", "NRA", "div/mod", "arrays", "datatypes", "bit-vectors", "uninterpreted sorts", "quantifiers"}
	return slices.DeleteFunc(order, func(name string) bool { return !u[name] })
}

// Write prints the figures, a line each.
func (d Description) Write(w io.Writer) error {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-12s "+format+"\n", append([]any{name}, args...)...)
	}
	line("predicates", "%d (%d recursive in %s; at most %s)", d.Predicates, d.Recursive, count(d.Components, "component"), count(d.MaxArity, "argument"))
	line("clauses", "%d (%s, %s, %s; at most %s)", d.Clauses, count(d.Facts, "fact"), count(d.Rules, "rule"),
		strings.Replace(count(d.Queries, "query"), "querys", "queries", 1), count(d.MaxVariables, "variable"))
	if d.Linear {
		line("shape", "linear")
	} else {
		line("shape", "non-linear (at most %d atoms in a body)", d.MaxBody)
	}
	theories := "Bool"
	if len(d.Theories) > 0 {
		theories = strings.Join(d.Theories, ", ")
	}
	line("theories", "%s", theories)
	line("terms", "%d", d.Terms)
	for _, x := range []struct {
		name  string
		preds []*Predicate
	}{{"cut points", d.CutPoints}, {"unreachable", d.Unreachable}, {"irrelevant", d.Irrelevant}} {
		if len(x.preds) > 0 || x.name == "cut points" {
			line(x.name, "%s", listPredicates(x.preds))
		}
	}
	if d.Approximation != Exact {
		line("approximate", "%s", [...]string{Over: "over: only sat carries over", Under: "under: only unsat carries over"}[d.Approximation])
	}
	for _, n := range d.Notes {
		line("note", "%s", n)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("printing the description of a system: %w", err)
	}
	return nil
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func listPredicates(ps []*Predicate) string {
	if len(ps) == 0 {
		return "none"
	}
	const most = 12
	var names []string
	for _, p := range ps[:min(most, len(ps))] {
		names = append(names, term.QuoteSymbol(p.Name))
	}
	out := fmt.Sprintf("%d: %s", len(ps), strings.Join(slices.Clip(names), " "))
	if len(ps) > most {
		out += " …"
	}
	return out
}
