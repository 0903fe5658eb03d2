// Package cycle describes strongly connected components of predicates whose steps are linear: the clauses by which derivations
// enter, go round and leave, and the arguments that do not change on the way.
package cycle

import (
	"slices"

	"hornbeam/chc"
)

// Cycle is a strongly connected component of predicates.
type Cycle struct {
	clauses []*chc.Clause
	members []*chc.Predicate
	inside  map[*chc.Predicate]bool
	// Entries are the clauses by which derivations enter, and Steps those within the component, by their indices.
	Entries, Steps []int
	// Uses are the body atoms of the component in clauses outside.
	Uses []Use
}

// Use is a body atom: its clause and its place in the body.
type Use struct{ Clause, Atom int }

// Of describes the component that the predicates are. It is nil for one in which a step has several premises of the component, or
// which has no entry or no use.
func Of(clauses []*chc.Clause, members []*chc.Predicate) *Cycle {
	c := &Cycle{clauses: clauses, members: members, inside: make(map[*chc.Predicate]bool, len(members))}
	for _, p := range members {
		c.inside[p] = true
	}
	for i, clause := range clauses {
		var atoms []int
		for j, a := range clause.Body {
			if c.inside[a.Pred] {
				atoms = append(atoms, j)
			}
		}
		switch {
		case clause.Head == nil || !c.inside[clause.Head.Pred]:
			for _, j := range atoms {
				c.Uses = append(c.Uses, Use{i, j})
			}
		case len(atoms) == 0:
			c.Entries = append(c.Entries, i)
		case len(atoms) == 1:
			c.Steps = append(c.Steps, i)
		default:
			return nil
		}
	}
	if len(c.Entries) == 0 || len(c.Uses) == 0 {
		return nil
	}
	return c
}

// Members returns the component's predicates.
func (c *Cycle) Members() []*chc.Predicate { return c.members }

// Premise returns the place of the component's atom in the body of a step.
func (c *Cycle) Premise(step int) int {
	return slices.IndexFunc(c.clauses[step].Body, func(a chc.App) bool { return c.inside[a.Pred] })
}

// Slots returns the arguments that no step changes, each by its position in every predicate: a step has the same variable at the
// slot's position in its premise and in its head.
func (c *Cycle) Slots() []map[*chc.Predicate]int {
	first := c.clauses[c.Entries[0]].Head.Pred
	var all []map[*chc.Predicate]int
	for i := range first.Sorts {
		if slot := c.slot(first, i); slot != nil {
			all = append(all, slot)
		}
	}
	return all
}

func (c *Cycle) slot(first *chc.Predicate, position int) map[*chc.Predicate]int {
	slot := map[*chc.Predicate]int{first: position}
	for again := true; again; {
		again = false
		for _, i := range c.Steps {
			premise, head := c.clauses[i].Body[c.Premise(i)], c.clauses[i].Head
			from, known := slot[premise.Pred]
			to, other := slot[head.Pred]
			switch {
			case known && other:
				if premise.Args[from] != head.Args[to] || !head.Args[to].IsVar() {
					return nil
				}
			case known:
				if to = slices.Index(head.Args, premise.Args[from]); to < 0 || !head.Args[to].IsVar() {
					return nil
				}
				slot[head.Pred], again = to, true
			case other:
				if from = slices.Index(premise.Args, head.Args[to]); from < 0 || !head.Args[to].IsVar() {
					return nil
				}
				slot[premise.Pred], again = from, true
			}
		}
	}
	if len(slot) < len(c.members) {
		return nil
	}
	return slot
}
