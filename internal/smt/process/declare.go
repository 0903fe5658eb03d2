package process

import (
	"cmp"
	"fmt"
	"slices"

	"hornbeam/chc/term"
)

// declare writes the declarations that t, a prepared term, needs and that the open scopes do not have.
func (s *solver) declare(t *term.Term) error {
	var err error
	check := func(e error) {
		if err == nil {
			err = e
		}
	}
	term.Walk(t, func(u *term.Term) bool {
		check(s.declareSort(u.Sort()))
		for _, b := range u.Bound() {
			check(s.declareSort(b.Sort()))
		}
		if f := u.Func(); f != nil {
			check(s.declareFunc(f))
		}
		return err == nil
	})
	if err != nil {
		return err
	}
	s.apply(t)
	for _, v := range term.Vars(t) {
		if s.remember(v) {
			fmt.Fprintf(&s.text, "(declare-fun %v () %v)\n", v, v.Sort())
		}
	}
	return nil
}

// apply notes the applications of functions in t that no quantifier is around, those inside others before these: a model
// has an application at the values of its arguments.
func (s *solver) apply(t *term.Term) {
	from := len(s.applications)
	term.Walk(t, func(u *term.Term) bool {
		if u.Func() != nil && !u.HasQuantifier() {
			s.applications = append(s.applications, u)
		}
		return !u.IsQuantifier()
	})
	// A term's arguments are built before it.
	slices.SortFunc(s.applications[from:], func(a, b *term.Term) int { return cmp.Compare(a.ID(), b.ID()) })
}

// remember reports whether key was not declared in the open scopes, and notes it as declared in the current one.
func (s *solver) remember(key any) bool {
	if s.known[key] {
		return false
	}
	s.known[key] = true
	top := &s.scopes[len(s.scopes)-1]
	top.declared = append(top.declared, key)
	return true
}

func (s *solver) declareFunc(f *term.Func) error {
	if s.known[f] {
		return nil
	}
	if err := s.ctx.names.must(f.Name, f); err != nil {
		return err
	}
	for _, d := range append(f.Domain[:len(f.Domain):len(f.Domain)], f.Range) {
		if err := s.declareSort(d); err != nil {
			return err
		}
	}
	s.remember(f)
	fmt.Fprintf(&s.text, "(declare-fun %s (", term.QuoteSymbol(f.Name))
	for i, d := range f.Domain {
		if i > 0 {
			s.text.WriteByte(' ')
		}
		s.text.WriteString(d.String())
	}
	fmt.Fprintf(&s.text, ") %v)\n", f.Range)
	return nil
}

func (s *solver) declareSort(d *term.Sort) error {
	switch d.Kind {
	case term.ArrayKind:
		if err := s.declareSort(d.Index); err != nil {
			return err
		}
		return s.declareSort(d.Elem)
	case term.UninterpretedKind:
		if s.known[d] {
			return nil
		}
		if err := s.ctx.names.mustSort(d.Name, d); err != nil {
			return err
		}
		s.remember(d)
		fmt.Fprintf(&s.text, "(declare-sort %v 0)\n", d)
	case term.DatatypeKind:
		return s.declareDatatypes(d)
	}
	return nil
}

// declareDatatypes declares d after all datatypes below it that are new, those that refer to each other at once.
func (s *solver) declareDatatypes(d *term.Sort) error {
	for _, group := range term.DatatypeGroups(d) {
		if s.known[group[0]] {
			continue
		}
		if err := s.declareGroup(group); err != nil {
			return err
		}
	}
	return nil
}

// claimGroup takes the names of datatypes that refer to each other, and declares the uninterpreted sorts in them.
func (s *solver) claimGroup(group []*term.Sort) error {
	names := s.ctx.names
	for _, d := range group {
		if d.Data.Generic != nil {
			return fmt.Errorf("process: the datatype %v is an instance of one with parameters, which only libz3 is given", d)
		}
		if err := names.mustSort(d.Name, d); err != nil {
			return err
		}
		s.remember(d)
		for _, c := range d.Data.Constructors {
			if err := names.must(c.Name, c); err != nil {
				return err
			}
			for _, sel := range c.Selectors {
				if err := names.must(sel.Name, sel); err != nil {
					return err
				}
			}
		}
	}
	for _, d := range group {
		for _, c := range d.Data.Constructors {
			for _, sel := range c.Selectors {
				if err := s.declareSort(sel.Sort); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (s *solver) declareGroup(group []*term.Sort) error {
	if err := s.claimGroup(group); err != nil {
		return err
	}
	s.text.WriteString("(declare-datatypes (")
	for _, d := range group {
		fmt.Fprintf(&s.text, "(%v 0)", d)
	}
	s.text.WriteString(") (")
	for _, d := range group {
		s.text.WriteString("(")
		for _, c := range d.Data.Constructors {
			fmt.Fprintf(&s.text, "(%s", term.QuoteSymbol(c.Name))
			for _, sel := range c.Selectors {
				fmt.Fprintf(&s.text, " (%s %v)", term.QuoteSymbol(sel.Name), sel.Sort)
			}
			s.text.WriteString(")")
		}
		s.text.WriteString(")")
	}
	s.text.WriteString("))\n")
	return nil
}
