package transform

import (
	"strconv"

	"hornbeam/chc"
)

// Rebuild makes a system of the given predicates and clauses with everything else taken from sys. IDs are positions in
// the result: predicate i and clause i of the result stand for preds[i] and clauses[i], and are the same objects where
// their numbers and predicates did not change. The clauses' atoms may name predicates of preds only.
func Rebuild(sys *chc.System, preds []*chc.Predicate, clauses []*chc.Clause) *chc.System {
	out := *sys
	out.Predicates = make([]*chc.Predicate, len(preds))
	moved := map[*chc.Predicate]*chc.Predicate{}
	for i, p := range preds {
		if p.ID == i {
			out.Predicates[i] = p
			continue
		}
		q := *p
		q.ID = i
		out.Predicates[i] = &q
		moved[p] = &q
	}
	out.Clauses = make([]*chc.Clause, len(clauses))
	for i, c := range clauses {
		out.Clauses[i] = renumber(c, i, moved)
	}
	return &out
}

// renumber returns c with the given ID and its predicates replaced by moved, or c itself when that changes nothing.
func renumber(c *chc.Clause, id int, moved map[*chc.Predicate]*chc.Predicate) *chc.Clause {
	same := c.ID == id
	if len(moved) > 0 {
		for _, a := range c.Body {
			same = same && moved[a.Pred] == nil
		}
		same = same && (c.Head == nil || moved[c.Head.Pred] == nil)
	}
	if same {
		return c
	}
	d := *c
	d.ID = id
	if len(moved) > 0 {
		d.Body = make([]chc.App, len(c.Body))
		for i, a := range c.Body {
			d.Body[i] = move(a, moved)
		}
		if c.Head != nil {
			h := move(*c.Head, moved)
			d.Head = &h
		}
	}
	return &d
}

func move(a chc.App, moved map[*chc.Predicate]*chc.Predicate) chc.App {
	if q := moved[a.Pred]; q != nil {
		a.Pred = q
	}
	return a
}

// Names are the names of predicates that are taken.
type Names map[string]bool

// NamesOf returns those of a system's predicates.
func NamesOf(sys *chc.System) Names {
	n := Names{}
	for _, p := range sys.Predicates {
		n[p.Name] = true
	}
	return n
}

// New takes a name, with /1, /2 and so on behind it where it is taken already, and returns it.
func (n Names) New(name string) string {
	free := name
	for k := 1; n[free]; k++ {
		free = name + "/" + strconv.Itoa(k)
	}
	n[free] = true
	return free
}

// Counts is the size of a system.
type Counts struct {
	Clauses, Predicates int
	// Arguments is the sum of the predicates' arities.
	Arguments int
}

// Count measures a system.
func Count(sys *chc.System) Counts {
	n := Counts{Clauses: len(sys.Clauses), Predicates: len(sys.Predicates)}
	for _, p := range sys.Predicates {
		n.Arguments += p.Arity()
	}
	return n
}
