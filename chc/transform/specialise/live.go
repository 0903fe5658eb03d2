package specialise

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// liveArguments finds, by the predicates' IDs, the arguments on whose values anything depends but the values of arguments that are not
// live. It reads more than the pass slice does: what is only equated with an argument of the head is no more live than that is.
func liveArguments(sys *chc.System) [][]bool {
	live := make([][]bool, len(sys.Predicates))
	for i, p := range sys.Predicates {
		live[i] = make([]bool, p.Arity())
	}
	flows := make([]flow, len(sys.Clauses))
	for i, c := range sys.Clauses {
		flows[i] = flowOf(c)
	}
	for changed := true; changed; {
		changed = false
		for i, c := range sys.Clauses {
			f := flows[i]
			if c.Head != nil {
				for k, t := range c.Head.Args {
					if live[c.Head.Pred.ID][k] {
						f.use(t)
					}
				}
			}
			for _, a := range c.Body {
				for k, t := range a.Args {
					if !live[a.Pred.ID][k] && f.uses(t) {
						live[a.Pred.ID][k], changed = true, true
					}
				}
			}
		}
	}
	return live
}

// flow tells which variables of a clause have their values used: of those that the clause copies into each other all or none.
type flow struct {
	copies *transform.Partition[*term.Term]
	used   map[*term.Term]bool
}

// flowOf is the flow of a clause without a head: what its constraint compares, and what occurs twice in its body, is used. What its
// constraint says of a variable that only the head has is a definition.
func flowOf(c *chc.Clause) flow {
	f := flow{copies: &transform.Partition[*term.Term]{}, used: map[*term.Term]bool{}}
	body, defined := map[*term.Term]bool{}, map[*term.Term]bool{}
	var compared []*term.Term
	for _, a := range c.Body {
		for _, t := range a.Args {
			for _, v := range term.Vars(t) {
				if body[v] || v != t {
					compared = append(compared, v)
				}
				body[v] = true
			}
		}
	}
	if c.Head != nil {
		for _, t := range c.Head.Args {
			defined[t] = !body[t]
		}
	}
	seen := map[*term.Term]bool{}
	var walk func(t *term.Term)
	walk = func(t *term.Term) {
		switch {
		case seen[t]:
			return
		case t.IsAnd(), t.IsOr():
			for _, a := range t.Args() {
				walk(a)
			}
		case t.Op() == term.Eq && t.Arg(0).IsVar() && t.Arg(1).IsVar():
			f.copies.Join(t.Arg(0), t.Arg(1))
		default:
			for _, v := range term.Vars(t) {
				if !defined[v] {
					compared = append(compared, v)
				}
			}
		}
		seen[t] = true
	}
	walk(c.Constraint)
	for _, v := range compared {
		f.use(v)
	}
	return f
}

// use notes that the values of a term's variables are used.
func (f flow) use(t *term.Term) {
	for _, v := range term.Vars(t) {
		f.used[f.copies.Find(v)] = true
	}
}

// uses reports whether the value of an argument of the body is used.
func (f flow) uses(t *term.Term) bool { return !t.IsVar() || f.used[f.copies.Find(t)] }

// carriedArguments finds, by the predicates' IDs, the arguments that no clause changes: each clause with an atom in its body gives them
// the value of such an argument of the body. They are inputs.
func carriedArguments(sys *chc.System) [][]bool {
	carried := make([][]bool, len(sys.Predicates))
	for i, p := range sys.Predicates {
		carried[i] = make([]bool, p.Arity())
		for k := range carried[i] {
			carried[i][k] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for _, c := range sys.Clauses {
			if c.Head == nil || c.IsFact() {
				continue
			}
			from := map[*term.Term]bool{}
			for _, a := range c.Body {
				for k, t := range a.Args {
					from[t] = from[t] || t.IsVar() && carried[a.Pred.ID][k]
				}
			}
			for k, t := range c.Head.Args {
				if carried[c.Head.Pred.ID][k] && !from[t] {
					carried[c.Head.Pred.ID][k], changed = false, true
				}
			}
		}
	}
	return carried
}
