package peano

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/guard"
	"hornbeam/chc/witness"
)

// Pass returns the pass "peano".
func Pass() transform.Pass {
	return transform.Pass{
		Name: "peano",
		Doc: "Turns Peano numbers (datatypes with a constant and a successor) into integers that are not negative, " +
			"in arguments and in the fields of other datatypes.",
		Run: peanoToIntegers,
	}
}

// peanoToIntegers replaces zero by 0, successor by + 1 and predecessor by - 1, and every datatype with Peano numbers inside
// by one with integers. A clause says of its own numbers, its variables and the fields that it reads, that they are not
// negative.
//
// It does not say so of numbers inside lists, say, that it does not look at, and need not: clauses can only compare such
// numbers with each other as parts of equal or different lists, so that in a refutation any that are negative can be
// renamed to numbers that do not occur in it. So the systems have the same verdict, and both witnesses go back. This
// argument fails where numbers are the indices of arrays; numbers stay as they are that occur in arrays at all, in
// functions or under quantifiers.
func peanoToIntegers(_ context.Context, _ transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	if len(sys.Datatypes) == 0 {
		return sys, nil, nil
	}
	sorts, err := newPeanoSorts(sys)
	if err != nil || sorts == nil {
		return sys, nil, err
	}
	r := newRewriter(sys, sorts)
	preds := make([]*chc.Predicate, len(sys.Predicates))
	changed := map[*chc.Predicate]*chc.Predicate{}
	for i, p := range sys.Predicates {
		preds[i] = p
		if slices.ContainsFunc(p.Sorts, sorts.changes) {
			q := *p
			q.Sorts = make([]*term.Sort, len(p.Sorts))
			for k, s := range p.Sorts {
				q.Sorts[k] = sorts.sort(s)
			}
			preds[i], changed[p] = &q, &q
		}
	}
	clauses := make([]*chc.Clause, len(sys.Clauses))
	guarded := false
	for i, c := range sys.Clauses {
		g := guard.GuardClause(sys.Pool, c, guard.IsSelector)
		guarded = guarded || g != c
		clauses[i] = r.clause(g, changed)
	}
	next := transform.Rebuild(sys, preds, clauses)
	next.Datatypes = nil
	for _, s := range sys.Datatypes {
		if sorts.numbers[s] == nil {
			next.Datatypes = append(next.Datatypes, sorts.sort(s))
		}
	}
	if guarded && next.Approximation == chc.Exact {
		next.Approximation = chc.Over
		next.Notes = append(slices.Clip(next.Notes), "selectors of the wrong constructor yield any value")
	}
	return next, &translator{peanoSorts: sorts, old: sys, new: next, variables: r.variables}, nil
}

// peanoSorts knows the Peano numbers of a system and the datatypes that have them inside.
type peanoSorts struct {
	pool    *term.Pool
	numbers map[*term.Sort]*peano
	order   []*term.Sort // of numbers
	// to maps the other datatypes to those that replace them; constructors and selectors are at the same places. from is
	// its inverse.
	to, from map[*term.Sort]*term.Sort
}

// peano is a datatype of Peano numbers.
type peano struct {
	zero, succ *term.Constructor
	pred       *term.Selector
}

// asPeano returns the numbers that s is, nil when it is something else.
func asPeano(s *term.Sort) *peano {
	if !s.IsDatatype() || len(s.Data.Constructors) != 2 {
		return nil
	}
	n := &peano{zero: s.Data.Constructors[0], succ: s.Data.Constructors[1]}
	if len(n.zero.Selectors) > 0 {
		n.zero, n.succ = n.succ, n.zero
	}
	if len(n.zero.Selectors) != 0 || len(n.succ.Selectors) != 1 || n.succ.Selectors[0].Sort != s {
		return nil
	}
	n.pred = n.succ.Selectors[0]
	return n
}

// newPeanoSorts finds the Peano numbers that can be replaced, and declares the datatypes that take the place of those
// that contain them; nil when there are none.
func newPeanoSorts(sys *chc.System) (*peanoSorts, error) {
	found := sortsOf(sys)
	s := &peanoSorts{pool: sys.Pool, numbers: map[*term.Sort]*peano{}, to: map[*term.Sort]*term.Sort{}, from: map[*term.Sort]*term.Sort{}}
	for _, t := range found.all {
		if n := asPeano(t); n != nil && !slices.ContainsFunc(found.fixed, func(f *term.Sort) bool { return contains(f, t) }) {
			s.numbers[t] = n
			s.order = append(s.order, t)
		}
	}
	if len(s.numbers) == 0 {
		return nil, nil
	}
	var old []*term.Sort
	index := map[*term.Sort]int{}
	for _, t := range found.all {
		if t.IsDatatype() && s.numbers[t] == nil && s.hasNumbers(t) {
			index[t] = len(old)
			old = append(old, t)
		}
	}
	suffix := unusedSuffix(found.all)
	decls := make([]term.DatatypeDecl, len(old))
	for i, t := range old {
		decls[i].Name = t.Name + suffix
		suffix := suffix
		if t.Data.Generic != nil { // instances of one datatype with parameters have constructors of equal names
			suffix = " of " + t.Name + suffix
		}
		for _, c := range t.Data.Constructors {
			d := term.ConstructorDecl{Name: c.Name + suffix}
			for _, f := range c.Selectors {
				sort := term.Of(f.Sort)
				if k, ok := index[f.Sort]; ok {
					sort = term.Declared(k)
				} else if s.numbers[f.Sort] != nil {
					sort = term.Of(term.Int)
				}
				d.Selectors = append(d.Selectors, term.SelectorDecl{Name: f.Name + suffix, Sort: sort})
			}
			decls[i].Constructors = append(decls[i].Constructors, d)
		}
	}
	sorts, err := sys.Pool.Datatypes(decls...)
	if err != nil {
		return nil, fmt.Errorf("declaring datatypes with integers for Peano numbers: %w", err)
	}
	for i, t := range old {
		s.to[t], s.from[sorts[i]] = sorts[i], t
	}
	return s, nil
}

// hasNumbers reports whether numbers that are replaced occur in t.
func (s *peanoSorts) hasNumbers(t *term.Sort) bool {
	for n := range s.numbers {
		if contains(t, n) {
			return true
		}
	}
	return false
}

// contains reports whether the sort part is from or occurs in it.
func contains(from, part *term.Sort) bool {
	return from == part || from.ContainsFunc(func(p *term.Sort) bool { return p == part })
}

// sort returns what t becomes.
func (s *peanoSorts) sort(t *term.Sort) *term.Sort {
	if s.numbers[t] != nil {
		return term.Int
	}
	if u := s.to[t]; u != nil {
		return u
	}
	return t
}

func (s *peanoSorts) changes(t *term.Sort) bool { return s.sort(t) != t }

// systemSorts are the sorts of a system, in the order in which they are found; fixed are those in which a pass that
// changes sorts must leave everything as it is: arrays, functions' signatures and the sorts of bound variables.
type systemSorts struct {
	all, fixed []*term.Sort
}

func sortsOf(sys *chc.System) systemSorts {
	var out systemSorts
	seen, pinned := map[*term.Sort]bool{}, map[*term.Sort]bool{}
	fix := func(s *term.Sort) {
		if !pinned[s] {
			pinned[s] = true
			out.fixed = append(out.fixed, s)
		}
	}
	var add func(s *term.Sort)
	add = func(s *term.Sort) {
		if seen[s] {
			return
		}
		seen[s] = true
		out.all = append(out.all, s)
		switch s.Kind {
		case term.ArrayKind:
			fix(s)
			add(s.Index)
			add(s.Elem)
		case term.DatatypeKind:
			for _, c := range s.Data.Constructors {
				for _, f := range c.Selectors {
					add(f.Sort)
				}
			}
		}
	}
	for _, s := range sys.Datatypes {
		add(s)
	}
	for _, p := range sys.Predicates {
		for _, s := range p.Sorts {
			add(s)
		}
	}
	sys.EachTerm(func(u *term.Term) {
		add(u.Sort())
		for _, v := range u.Bound() {
			fix(v.Sort())
		}
		if f := u.Func(); f != nil {
			fix(f.Range)
			for _, s := range f.Domain {
				fix(s)
			}
		}
	})
	return out
}

// unusedSuffix returns a suffix that makes no name of the datatypes the name of another one of them.
func unusedSuffix(sorts []*term.Sort) string {
	taken := map[string]bool{}
	for _, s := range sorts {
		if !s.IsDatatype() {
			continue
		}
		taken[s.Name] = true
		for _, c := range s.Data.Constructors {
			taken[c.Name] = true
			for _, f := range c.Selectors {
				taken[f.Name] = true
			}
		}
	}
	suffix := "~int"
	for again := true; again; {
		again = false
		for name := range taken {
			again = again || taken[name+suffix]
		}
		if again {
			suffix += "~"
		}
	}
	return suffix
}

// translator carries witnesses back over peanoToIntegers.
type translator struct {
	*peanoSorts
	old, new *chc.System
	// variables maps the old variables whose sorts changed to the new ones.
	variables map[*term.Term]*term.Term
}

// Model gives Peano numbers their value as integers: a function by recursion, which is not negative and injective.
func (t *translator) Model(_ context.Context, m *witness.Model) (*witness.Model, error) {
	l := newLifter(t)
	out := witness.NewModel()
	if err := l.definitions(m, out); err != nil {
		return nil, fmt.Errorf("translating a model back to Peano numbers: %w", err)
	}
	for i, p := range t.old.Predicates {
		in, ok := m.Interpretations[t.new.Predicates[i]]
		if !ok {
			return nil, fmt.Errorf("translating a model: predicate %s has no interpretation", p.Name)
		}
		in, err := l.interpretation(p, in)
		if err != nil {
			return nil, fmt.Errorf("translating the interpretation of %s back to Peano numbers: %w", p.Name, err)
		}
		out.Interpretations[p] = in
	}
	l.finish(out)
	return out, nil
}
