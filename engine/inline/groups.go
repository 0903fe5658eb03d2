package inline

import (
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// groups are the units of variable abstraction: a group is the set of argument positions that carry one variable of the
// program through a chain of predicates, and is tracked, or not, as a whole.
type groups struct {
	// of has the group of each argument position, by the predicate's ID.
	of [][]int
	// names has the names of each group: those that the source gives to its positions, and p.i for argument i of p.
	names [][]string
}

// newGroups joins positions of different predicates that occur in one clause when the clause passes the same variable in
// both; and of the head and a body atom, when the source gives both the same name, or, where it gives none, when they are
// at the same place in predicates with the same sorts and the clause passes the argument of neither: what was there has
// been assigned to. Positions with different names, or sorts, are never joined by a clause. Two occurrences of one
// predicate need no joining: it is the position that makes the variable there.
func newGroups(sys *chc.System) *groups {
	u := newUnion(sys)
	for _, c := range sys.Clauses {
		atoms := c.Atoms()
		times := map[*term.Term]int{}
		for _, a := range atoms {
			here := map[*term.Term]bool{}
			for _, x := range a.Args {
				if !here[x] {
					here[x] = true
					times[x]++
				}
			}
		}
		for i, a := range atoms {
			for _, b := range atoms[:i] {
				if a.Pred != b.Pred {
					u.joinPassed(a, b)
					if c.Head != nil && i == len(atoms)-1 {
						u.joinNamed(a.Pred, b.Pred)
						u.joinAssigned(a, b, times)
					}
				}
			}
		}
	}
	g := &groups{of: make([][]int, len(sys.Predicates))}
	index := map[int]int{}
	for _, p := range sys.Predicates {
		for i := range p.Sorts {
			root := u.find(u.position(p, i))
			k, ok := index[root]
			if !ok {
				k = len(g.names)
				index[root] = k
				g.names = append(g.names, nil)
			}
			g.of[p.ID] = append(g.of[p.ID], k)
			if name := sourceName(p, i); name != "" && !slices.Contains(g.names[k], name) {
				g.names[k] = append(g.names[k], name)
			}
		}
	}
	for _, p := range sys.Predicates {
		for i, k := range g.of[p.ID] {
			g.names[k] = append(g.names[k], fmt.Sprintf("%s.%d", p.Name, i))
		}
	}
	return g
}

func sourceName(p *chc.Predicate, i int) string {
	if p.ArgNames == nil {
		return ""
	}
	return p.ArgNames[i]
}

// union is a union-find structure over argument positions.
type union struct {
	first  []int // the number of each predicate's first position, by its ID
	parent []int
}

func newUnion(sys *chc.System) *union {
	u := &union{}
	for _, p := range sys.Predicates {
		u.first = append(u.first, len(u.parent))
		for range p.Sorts {
			u.parent = append(u.parent, len(u.parent))
		}
	}
	return u
}

func (u *union) position(p *chc.Predicate, i int) int { return u.first[p.ID] + i }

func (u *union) find(x int) int {
	for u.parent[x] != x {
		u.parent[x] = u.parent[u.parent[x]]
		x = u.parent[x]
	}
	return x
}

func (u *union) join(p *chc.Predicate, i int, q *chc.Predicate, j int) {
	if p.Sorts[i] == q.Sorts[j] {
		u.parent[u.find(u.position(p, i))] = u.find(u.position(q, j))
	}
}

// joinPassed joins the positions of two atoms that have the same variable for argument. Of several positions that have
// it in one atom, a variable that was copied, one is taken that is named alike or at the same place in both, or the first.
func (u *union) joinPassed(a, b chc.App) {
	places := map[*term.Term][]int{}
	for j, y := range b.Args {
		if y.IsVar() {
			places[y] = append(places[y], j)
		}
	}
	type pair struct{ likeness, i, j int }
	best := map[*term.Term]pair{}
	for i, x := range a.Args {
		for _, j := range places[x] {
			if l := likeness(a.Pred, i, b.Pred, j); l > best[x].likeness {
				best[x] = pair{l, i, j}
			}
		}
	}
	for _, x := range a.Args {
		if p := best[x]; p.likeness > 0 {
			u.join(a.Pred, p.i, b.Pred, p.j)
		}
	}
}

// likeness scores how likely two positions with the same variable carry one variable of the program: by their names and their
// places. It is 0 where the names differ.
func likeness(p *chc.Predicate, i int, q *chc.Predicate, j int) int {
	switch m, n := sourceName(p, i), sourceName(q, j); {
	case m != "" && n != "" && m != n:
		return 0
	case m != "" && m == n:
		return 3
	case i == j:
		return 2
	}
	return 1
}

// joinNamed joins the positions of two predicates that have the same name.
func (u *union) joinNamed(p, q *chc.Predicate) {
	if p.ArgNames == nil || q.ArgNames == nil {
		return
	}
	for i, name := range p.ArgNames {
		if j := slices.Index(q.ArgNames, name); name != "" && j >= 0 {
			u.join(p, i, q, j)
		}
	}
}

// joinAssigned joins the positions at the same place in two atoms whose arguments are in no other atom of the clause; times
// says in how many atoms a term is an argument.
func (u *union) joinAssigned(a, b chc.App, times map[*term.Term]int) {
	if a.Pred.ArgNames != nil || b.Pred.ArgNames != nil || !slices.Equal(a.Pred.Sorts, b.Pred.Sorts) {
		return
	}
	passed := func(x *term.Term) bool { return x.IsVar() && times[x] > 1 }
	for i, x := range a.Args {
		if y := b.Args[i]; !passed(x) && !passed(y) {
			u.join(a.Pred, i, b.Pred, i)
		}
	}
}

// queried returns the groups in the queries' cone at distance 0 and 1: those that a query constrains, relates to each
// other or gives a value, and those that a value of theirs is computed from, or chosen by, in a clause.
func (g *groups) queried(sys *chc.System) []int {
	near := map[int]bool{}
	for _, c := range sys.Clauses {
		if c.IsQuery() {
			g.constrained(c, near)
		}
	}
	far := map[int]bool{}
	for _, c := range sys.Clauses {
		if c.Head == nil {
			continue
		}
		reached := map[*term.Term]bool{}
		for i, a := range c.Head.Args {
			if near[g.of[c.Head.Pred.ID][i]] {
				mark(reached, a)
			}
		}
		if len(reached) == 0 {
			continue
		}
		var beside []*term.Term
		for _, f := range term.Conjuncts(c.Constraint) {
			if term.HasAny(f, reached) {
				beside = append(beside, f)
			}
		}
		mark(reached, beside...)
		for _, a := range c.Body {
			for i, x := range a.Args {
				if term.HasAny(x, reached) {
					far[g.of[a.Pred.ID][i]] = true
				}
			}
		}
	}
	var out []int
	for k := range g.names {
		if near[k] || far[k] {
			out = append(out, k)
		}
	}
	return out
}

// constrained adds the groups whose arguments a query constrains, relates to each other or gives a value.
func (g *groups) constrained(c *chc.Clause, out map[int]bool) {
	said := map[*term.Term]bool{}
	mark(said, c.Constraint)
	times := map[*term.Term]int{}
	for _, a := range c.Body {
		for _, x := range a.Args {
			times[x]++
		}
	}
	for _, a := range c.Body {
		for i, x := range a.Args {
			if !x.IsVar() || said[x] || times[x] > 1 {
				out[g.of[a.Pred.ID][i]] = true
			}
		}
	}
}

// mark adds the variables of the terms.
func mark(set map[*term.Term]bool, ts ...*term.Term) {
	for _, v := range term.Vars(ts...) {
		set[v] = true
	}
}
