package witness

import (
	"context"
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// universes decides whether r, whose steps hold, refutes the system whatever the universes of its uninterpreted sorts
// are. Clauses have a model when they have one over some universes, and a universe may have a single element; steps
// that distinguish elements do not refute that. So a refutation counts when it still holds after all elements of a sort were
// made one. An array whose index ranges over the universe is equal to others when it agrees with them on those elements
// that there are, while here it has a value for elements beyond the named ones; a step that has both such an array and an
// element is left open.
func (c *refutationChecker) universes(ctx context.Context, r *Refutation) error {
	elements := map[*term.Sort]*term.Term{}
	indices := map[*chc.Clause]*term.Sort{}
	var several *term.Sort
	for i, s := range r.Steps {
		if i%stepsPerPoll == 0 && ctx.Err() != nil {
			return fmt.Errorf("checking step %d of a refutation: %w", i, ctx.Err())
		}
		if s.Repeat != nil || !c.uninterpreted(s.Clause) {
			continue
		}
		if c.open >= 0 {
			return &StepError{Step: c.open, Clause: r.Steps[c.open].Clause, Err: ErrUndecided, Detail: "it depends on operations that " +
				"SMT-LIB leaves open, and other steps on elements of an uninterpreted sort"}
		}
		found := false
		for _, x := range c.clauseVars(s.Clause) {
			if !mentions(x.Sort()) {
				continue
			}
			term.Walk(s.Values[x].Term(c.sys.Pool), func(t *term.Term) bool {
				if t.Op() == term.Element {
					found = true
					if first, ok := elements[t.Sort()]; !ok {
						elements[t.Sort()] = t
					} else if first != t {
						several = t.Sort()
					}
				}
				return true
			})
		}
		if !found {
			continue
		}
		u, ok := indices[s.Clause]
		if !ok {
			u = indexUniverse(s.Clause)
			indices[s.Clause] = u
		}
		if u != nil {
			return &StepError{Step: i, Clause: s.Clause, Err: ErrUndecided, Detail: fmt.Sprintf(
				"it has arrays whose index is of the sort %s, so that it holds when that has more elements than are named", u)}
		}
	}
	if several == nil {
		return nil
	}
	merged := c.merge(r)
	again := refutationChecker{sys: c.sys, vars: c.vars, open: -1}
	for i, s := range merged.Steps {
		if i%stepsPerPoll == 0 && ctx.Err() != nil {
			return fmt.Errorf("checking step %d of a refutation: %w", i, ctx.Err())
		}
		again.step(i, s)
		if len(again.invalid)+len(again.undecided) > 0 {
			return fmt.Errorf("%w: the refutation needs several elements of the sort %s, and the clauses may have a model over fewer",
				ErrUndecided, several)
		}
	}
	return nil
}

// uninterpreted reports whether values of uninterpreted sorts can be part of the values of the clause's variables.
func (c *refutationChecker) uninterpreted(cl *chc.Clause) bool {
	known, ok := c.withUniverse[cl]
	if !ok {
		for _, x := range c.clauseVars(cl) {
			known = known || mentions(x.Sort())
		}
		if c.withUniverse == nil {
			c.withUniverse = map[*chc.Clause]bool{}
		}
		c.withUniverse[cl] = known
	}
	return known
}

// merge returns r with the first element of each sort in the place of all.
func (c *refutationChecker) merge(r *Refutation) *Refutation {
	p := c.sys.Pool
	out := &Refutation{Steps: make([]Step, len(r.Steps))}
	for i, s := range r.Steps {
		out.Steps[i] = s
		if s.Repeat != nil || !c.uninterpreted(s.Clause) {
			continue
		}
		values := make(map[*term.Term]term.Value, len(s.Values))
		for _, x := range c.clauseVars(s.Clause) {
			values[x] = s.Values[x]
			if !mentions(x.Sort()) {
				continue
			}
			t := values[x].Term(p)
			one := map[*term.Term]*term.Term{}
			term.Walk(t, func(u *term.Term) bool {
				if u.Op() == term.Element {
					one[u] = p.Element(u.Sort(), 0)
				}
				return true
			})
			if v, ok := term.NewEvaluator(p, term.MapAssignment{}).Eval(p.Substitute(t, one)); ok {
				values[x] = v
			}
		}
		out.Steps[i].Values = values
	}
	return out
}

// indexUniverse returns an uninterpreted sort that an index of an array in the clause ranges over, nil when there is
// none.
func indexUniverse(cl *chc.Clause) (found *term.Sort) {
	seen := map[*term.Sort]bool{}
	for _, t := range cl.Terms() {
		term.Walk(t, func(u *term.Term) bool {
			if found == nil && !seen[u.Sort()] {
				found = indexSort(u.Sort(), seen)
			}
			return found == nil
		})
	}
	return found
}

// indexSort returns an uninterpreted sort that occurs in an index sort in s, nil when there is none.
func indexSort(s *term.Sort, seen map[*term.Sort]bool) (found *term.Sort) {
	eachSort(s, seen, func(u *term.Sort) {
		if found == nil && u.IsArray() {
			found = universeIn(u.Index)
		}
	})
	return found
}

// mentions reports whether s is made with an uninterpreted sort.
func mentions(s *term.Sort) bool { return universeIn(s) != nil }

// universeIn returns an uninterpreted sort that s is made with, nil when there is none.
func universeIn(s *term.Sort) (found *term.Sort) {
	eachSort(s, map[*term.Sort]bool{}, func(u *term.Sort) {
		if found == nil && u.Kind == term.UninterpretedKind {
			found = u
		}
	})
	return found
}

// eachSort calls visit for the sorts that s is made with, s first, but not for those in seen, which it adds them to.
func eachSort(s *term.Sort, seen map[*term.Sort]bool, visit func(*term.Sort)) {
	if seen[s] {
		return
	}
	seen[s] = true
	visit(s)
	switch s.Kind {
	case term.ArrayKind:
		eachSort(s.Index, seen, visit)
		eachSort(s.Elem, seen, visit)
	case term.DatatypeKind:
		for _, c := range s.Data.Constructors {
			for _, sel := range c.Selectors {
				eachSort(sel.Sort, seen, visit)
			}
		}
	}
}
