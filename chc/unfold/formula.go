package unfold

import (
	"slices"

	"hornbeam/chc/term"
)

// formula returns a formula that has a model exactly if one of several queries holds. What it takes to derive an instance that several
// ways share is said once: a variable stands for it. In the conjunctions that Holds are, each way repeats the conditions of all those
// before it, which for the ends of a loop that is written out is the square of its turns. For numbers without bounds there are no such
// variables: Z3 takes many times as long with them.
func formula(p *term.Pool, queries []*Way) *term.Term {
	n := namer{pool: p, users: map[*Instance]int{}, done: map[*Instance]*term.Term{}}
	if !slices.ContainsFunc(queries, hasBits) {
		return n.ways(queries)
	}
	for _, w := range queries {
		n.count(w)
	}
	root := n.ways(queries)
	return p.And(append(n.definitions, root)...)
}

// namer names the conditions of instances.
type namer struct {
	pool *term.Pool
	// users is how many premises an instance is.
	users map[*Instance]int
	// done has what stands for an instance's condition.
	done        map[*Instance]*term.Term
	definitions []*term.Term
}

// hasBits reports whether there are bit-vectors in what a query takes.
func hasBits(query *Way) bool {
	found := false
	term.Walk(query.Holds, func(t *term.Term) bool {
		found = found || t.Sort().IsBitVec()
		return !found
	})
	return found
}

func (n *namer) count(w *Way) {
	for _, premise := range w.Premises {
		if n.users[premise]++; n.users[premise] == 1 {
			for _, way := range premise.Ways {
				n.count(way)
			}
		}
	}
}

// ways says that one of several ways can be taken.
func (n *namer) ways(ws []*Way) *term.Term {
	out := make([]*term.Term, len(ws))
	for i, w := range ws {
		parts := []*term.Term{w.own}
		for _, premise := range w.Premises {
			parts = append(parts, n.condition(premise))
		}
		out[i] = n.pool.And(parts...)
	}
	return n.pool.Or(out...)
}

// condition says that an instance can be derived.
func (n *namer) condition(in *Instance) *term.Term {
	if known, ok := n.done[in]; ok {
		return known
	}
	out := n.ways(in.Ways)
	if n.users[in] > 1 && len(out.Args()) > 1 {
		name := n.pool.Fresh("derived", term.Bool)
		n.definitions = append(n.definitions, n.pool.Implies(name, out))
		out = name
	}
	n.done[in] = out
	return out
}
