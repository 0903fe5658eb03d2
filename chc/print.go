package chc

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hornbeam/chc/term"
)

// Write prints s as an SMT-LIB HORN script. The reader of frontend/smtlib reads it back to the same predicates and the
// same clauses in the same order. Names are changed where SMT-LIB requires it: variables of a clause that have the
// name of another variable or of a function, and predicates whose printed names would be equal.
func Write(w io.Writer, s *System) error {
	p := printer{w: bufio.NewWriter(w), sys: s, names: map[*Predicate]string{}, reserved: map[string]bool{}}
	p.declarations()
	for _, c := range s.Clauses {
		if err := p.clause(c); err != nil {
			return fmt.Errorf("printing clause %d: %w", c.ID, err)
		}
	}
	p.w.WriteString("(check-sat)\n")
	if err := p.w.Flush(); err != nil {
		return fmt.Errorf("printing a system: %w", err)
	}
	return nil
}

// clauseTexts returns clauses as Write prints them.
func clauseTexts(s *System) func(*Clause) (string, error) {
	p := printer{w: bufio.NewWriter(io.Discard), sys: s, names: map[*Predicate]string{}, reserved: map[string]bool{}}
	p.declarations() // which gives the names
	return func(c *Clause) (string, error) {
		var b strings.Builder
		p.w = bufio.NewWriter(&b)
		if err := p.clause(c); err != nil {
			return "", fmt.Errorf("printing clause %d: %w", c.ID, err)
		}
		if err := p.w.Flush(); err != nil {
			return "", fmt.Errorf("printing clause %d: %w", c.ID, err)
		}
		return strings.TrimSpace(b.String()), nil
	}
}

// printer prints one system. Its writer keeps the first error.
type printer struct {
	w   *bufio.Writer
	sys *System
	// names are the predicates' printed names, quoted. reserved holds the names that no variable may have, taken those
	// that no other function may have either; labels counts the clauses of each name.
	names           map[*Predicate]string
	reserved, taken map[string]bool
	labels          map[string]int
}

// bare is the text of the symbol that a name is printed as; |x| and x are one symbol.
func bare(name string) string { return strings.Trim(term.QuoteSymbol(name), "|") }

// theorySymbols are the names of SMT-LIB operators that are no operators of terms.
var theorySymbols = []string{">=", ">", "=>", "xor", "distinct", "implies", "iff", "rem", "bv2int", "ubv_to_int"}

func (p *printer) declarations() {
	for op := term.True; op.String() != "invalid"; op++ {
		switch op {
		case term.Var, term.Numeral, term.Construct, term.Field, term.Is, term.Apply, term.Element, term.ConstArray, term.BVNumeral:
		default:
			p.reserved[op.String()] = true
		}
	}
	for _, n := range theorySymbols {
		p.reserved[n] = true
	}
	p.w.WriteString("(set-logic HORN)\n")
	uninterpreted, datatypes := p.sorts()
	for _, s := range uninterpreted {
		p.w.WriteString("(declare-sort " + s.String() + " 0)\n")
	}
	for _, group := range datatypes {
		p.datatypes(group)
	}
	p.taken = maps.Clone(p.reserved)
	for _, q := range p.sys.Predicates {
		name := q.Name
		for k := 1; p.taken[bare(name)]; k++ {
			name = q.Name + "!" + strconv.Itoa(k)
		}
		p.taken[bare(name)] = true
		p.names[q] = term.QuoteSymbol(name)
		p.w.WriteString("(declare-fun " + p.names[q] + " (")
		for i, s := range q.Sorts {
			if i > 0 {
				p.w.WriteByte(' ')
			}
			p.w.WriteString(s.String())
		}
		p.w.WriteString(") Bool)\n")
	}
	p.labels = map[string]int{}
	for _, c := range p.sys.Clauses {
		p.labels[c.Name]++
	}
}

// declared is the sort that is declared for the datatype s: s, or the template that it is an instance of.
func declared(s *term.Sort) *term.Sort {
	if g := s.Data.Generic; g != nil {
		return g.Template
	}
	return s
}

// sorts returns the uninterpreted sorts of the system, and its datatypes in groups that refer to each other, a group
// after those it needs. A datatype with parameters is there once, as its template.
func (p *printer) sorts() (uninterpreted []*term.Sort, datatypes [][]*term.Sort) {
	var data []*term.Sort
	seen := map[*term.Sort]bool{}
	var visit func(s *term.Sort, params []*term.Sort)
	visit = func(s *term.Sort, params []*term.Sort) {
		if slices.Contains(params, s) || seen[s] {
			return
		}
		switch s.Kind {
		case term.ArrayKind:
			visit(s.Index, params)
			visit(s.Elem, params)
		case term.UninterpretedKind:
			seen[s] = true
			uninterpreted = append(uninterpreted, s)
		case term.DatatypeKind:
			for _, a := range s.Data.Args {
				visit(a, params)
			}
			s = declared(s)
			if seen[s] {
				return
			}
			seen[s] = true
			data = append(data, s)
			for _, c := range s.Data.Constructors {
				for _, f := range c.Selectors {
					visit(f.Sort, parameters(s))
				}
			}
		}
	}
	for _, s := range p.sys.Datatypes {
		visit(s, nil)
	}
	for _, q := range p.sys.Predicates {
		for _, s := range q.Sorts {
			visit(s, nil)
		}
	}
	met := map[*term.Sort]bool{}
	p.sys.EachTerm(func(t *term.Term) {
		if s := t.Sort(); !met[s] {
			met[s] = true
			visit(s, nil)
		}
	})
	// The declared ones keep their order.
	place := map[*term.Sort]int{}
	for i, s := range p.sys.Datatypes {
		if s = declared(s); place[s] == 0 {
			place[s] = i + 1
		}
	}
	slices.SortStableFunc(data, func(a, b *term.Sort) int {
		if place[a] == 0 || place[b] == 0 {
			return min(place[b], 1) - min(place[a], 1)
		}
		return place[a] - place[b]
	})
	index := map[*term.Sort]int{}
	for i, s := range data {
		index[s] = i
	}
	needs := make([][]int, len(data))
	for i, s := range data {
		var collect func(f *term.Sort)
		collect = func(f *term.Sort) {
			if f.IsArray() {
				collect(f.Index)
				collect(f.Elem)
			} else if f.IsDatatype() {
				needs[i] = append(needs[i], index[declared(f)])
				for _, a := range f.Data.Args {
					collect(a)
				}
			}
		}
		for _, c := range s.Data.Constructors {
			for _, f := range c.Selectors {
				collect(f.Sort)
			}
		}
	}
	for _, c := range stronglyConnected(len(data), needs) {
		var group []*term.Sort
		for _, i := range c {
			group = append(group, data[i])
		}
		datatypes = append(datatypes, group)
	}
	return uninterpreted, datatypes
}

func (p *printer) datatypes(group []*term.Sort) {
	p.w.WriteString("(declare-datatypes (")
	for i, s := range group {
		if i > 0 {
			p.w.WriteByte(' ')
		}
		name := s.String()
		if g := s.Data.Generic; g != nil {
			name = term.QuoteSymbol(g.Name)
		}
		p.w.WriteString("(" + name + " " + strconv.Itoa(len(parameters(s))) + ")")
	}
	p.w.WriteString(") (")
	for i, s := range group {
		if i > 0 {
			p.w.WriteByte(' ')
		}
		for k, x := range parameters(s) {
			p.w.WriteString([]string{"(par (", " "}[min(k, 1)] + x.String())
		}
		if s.Data.Generic != nil {
			p.w.WriteString(") ")
		}
		p.w.WriteByte('(')
		for j, c := range s.Data.Constructors {
			if j > 0 {
				p.w.WriteByte(' ')
			}
			p.reserved[c.Name] = true
			p.w.WriteString("(" + term.QuoteSymbol(c.Name))
			for _, f := range c.Selectors {
				p.reserved[f.Name] = true
				p.w.WriteString(" (" + term.QuoteSymbol(f.Name) + " " + f.Sort.String() + ")")
			}
			p.w.WriteByte(')')
		}
		p.w.WriteByte(')')
		if s.Data.Generic != nil {
			p.w.WriteByte(')')
		}
	}
	p.w.WriteString("))\n")
}

// parameters are the parameters of a datatype that is declared.
func parameters(s *term.Sort) []*term.Sort {
	if g := s.Data.Generic; g != nil {
		return g.Params
	}
	return nil
}

// clause prints `(assert (forall (vars) (=> (and body constraint) head)))`.
func (p *printer) clause(c *Clause) error {
	vars := c.Vars()
	rename := p.renaming(c, vars)
	if rename != nil {
		c = renameClause(p.sys.Pool, c, rename)
		vars = c.Vars()
	}
	p.w.WriteString("(assert ")
	closing := 1
	label := ""
	if c.Name != "" && p.labels[c.Name] == 1 && !p.taken[bare(c.Name)] {
		// A name that several clauses share, or a function has, cannot be given to a formula.
		p.w.WriteString("(! ")
		label = " :named " + term.QuoteSymbol(c.Name) + ")"
	}
	if len(vars) > 0 {
		p.w.WriteString("(forall (")
		for i, v := range vars {
			if i > 0 {
				p.w.WriteByte(' ')
			}
			p.w.WriteString("(" + term.QuoteSymbol(v.Name()) + " " + v.Sort().String() + ")")
		}
		p.w.WriteString(")\n  ")
		closing++
	}
	p.w.WriteString("(=> ")
	parts := len(c.Body)
	if !c.Constraint.IsTrue() || parts == 0 {
		parts++
	}
	if parts > 1 {
		p.w.WriteString("(and ")
	}
	for i, a := range c.Body {
		if i > 0 {
			p.w.WriteByte(' ')
		}
		if err := p.app(a); err != nil {
			return err
		}
	}
	if parts > len(c.Body) {
		if len(c.Body) > 0 {
			p.w.WriteByte(' ')
		}
		if err := term.Write(p.w, c.Constraint); err != nil {
			return err
		}
	}
	if parts > 1 {
		p.w.WriteByte(')')
	}
	p.w.WriteByte(' ')
	if c.Head == nil {
		p.w.WriteString("false")
	} else if err := p.app(*c.Head); err != nil {
		return err
	}
	p.w.WriteString("))"[:closing])
	p.w.WriteString(label)
	p.w.WriteString(")\n")
	return nil
}

func (p *printer) app(a App) error {
	name := p.names[a.Pred]
	if len(a.Args) == 0 {
		p.w.WriteString(name)
		return nil
	}
	p.w.WriteString("(" + name)
	for _, t := range a.Args {
		p.w.WriteByte(' ')
		if err := term.Write(p.w, t); err != nil {
			return err
		}
	}
	p.w.WriteByte(')')
	return nil
}

// renaming gives other names to those variables of c that cannot be printed as they are: they would hide each other, or
// a function that the clause uses. It is nil when there are none.
func (p *printer) renaming(c *Clause, vars []*term.Term) map[*term.Term]*term.Term {
	var m map[*term.Term]*term.Term
	taken := make(map[string]bool, len(vars))
	preds := make(map[string]bool, len(c.Body)+1)
	for _, a := range c.Body {
		preds[strings.Trim(p.names[a.Pred], "|")] = true
	}
	if c.Head != nil {
		preds[strings.Trim(p.names[c.Head.Pred], "|")] = true
	}
	for _, v := range vars {
		taken[bare(v.Name())] = true
	}
	seen := make(map[string]bool, len(vars))
	for _, v := range vars {
		name := bare(v.Name())
		if !seen[name] && !preds[name] && !p.reserved[v.Name()] {
			seen[name] = true
			continue
		}
		if m == nil {
			m = map[*term.Term]*term.Term{}
		}
		for k := 1; ; k++ {
			fresh := v.Name() + "!" + strconv.Itoa(k)
			if q := bare(fresh); !taken[q] && !preds[q] && !p.reserved[fresh] {
				taken[q], seen[q] = true, true
				m[v] = p.sys.Pool.Var(fresh, v.Sort())
				break
			}
		}
	}
	return m
}

// renameClause returns the clause with its variables replaced.
func renameClause(pool *term.Pool, c *Clause, m map[*term.Term]*term.Term) *Clause {
	sub := pool.NewSubstitution(m)
	app := func(a App) App {
		a.Args = slices.Clone(a.Args)
		for i, t := range a.Args {
			a.Args[i] = sub.Apply(t)
		}
		return a
	}
	out := *c
	out.Body = make([]App, len(c.Body))
	for i, a := range c.Body {
		out.Body[i] = app(a)
	}
	out.Constraint = sub.Apply(c.Constraint)
	if c.Head != nil {
		h := app(*c.Head)
		out.Head = &h
	}
	return &out
}
