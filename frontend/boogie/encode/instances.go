package encode

import (
	"maps"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

const (
	// instanceRounds is how often instances may suggest further ones, maxInstances how many a clause gets.
	instanceRounds = 2
	maxInstances   = 200
)

// instances are those of the universals that a clause with the parts suggests.
func (e *encoder) instances(us []*universal, pool []put, facts []*term.Term, body []chc.App, head *chc.App) []*term.Term {
	if len(us) == 0 {
		return nil
	}
	for _, u := range us {
		if !u.redundant {
			e.approximate(u.pos, "an assumption about all values is used for some of them")
		}
	}
	ground := &reads{encoder: e, seen: map[*term.Term]bool{}, by: map[any][]*term.Term{}, boxed: map[*term.Sort][]*term.Term{}}
	ground.collect(facts...)
	for _, a := range body {
		ground.collect(a.Args...)
	}
	if head != nil {
		ground.collect(head.Args...)
	}
	var out []*term.Term
	made := map[*term.Term]bool{}
	for range instanceRounds {
		var found []*term.Term
		for _, u := range us {
			var matches []map[*term.Term]*term.Term
			for _, pattern := range u.patterns {
				if e.options.Native {
					break // that is left to the solver
				}
				matches = append(matches, ground.matches(pattern, u.variables)...)
			}
			if len(u.patterns) == 0 || len(u.pools) > 0 {
				matches = append(matches, u.suggested(pool)...)
			}
			matches = append(matches, ground.elements(u.variables)...)
			for _, m := range matches {
				if len(made) == maxInstances {
					return append(out, found...)
				}
				f := e.pool.Implies(u.guard, e.pool.Substitute(u.body, m))
				if made[f] {
					continue
				}
				made[f] = true
				found = append(found, f)
				for _, p := range u.puts {
					pool = append(slices.Clip(pool), put{p.pool, e.pool.Substitute(p.term, m)})
				}
			}
		}
		out = append(out, found...)
		ground.collect(found...)
	}
	return out
}

// reads are the reads of maps that occur in a clause, by what is read: the map of a function is one of a kind, while of
// other maps any version may do.
type reads struct {
	*encoder
	seen map[*term.Term]bool
	by   map[any][]*term.Term
	// boxed has the terms of types that may be bounded, by their sorts.
	boxed map[*term.Sort][]*term.Term
}

// elements are the assignments of terms to variables that all have types which may be bounded; none for others. There is
// little else to say of such an assumption, and few such terms.
func (r *reads) elements(variables []*term.Term) []map[*term.Term]*term.Term {
	matches := []map[*term.Term]*term.Term{{}}
	for _, v := range variables {
		matches = assign(matches, v, r.boxed[v.Sort()])
	}
	if len(variables) == 0 {
		return nil
	}
	return matches
}

// assign extends each assignment by each of the terms for a variable, or some of them if there are many.
func assign(matches []map[*term.Term]*term.Term, v *term.Term, terms []*term.Term) []map[*term.Term]*term.Term {
	var out []map[*term.Term]*term.Term
	for _, m := range matches {
		for _, t := range terms {
			if len(out) < maxInstances {
				more := maps.Clone(m)
				more[v] = t
				out = append(out, more)
			}
		}
	}
	return out
}

func (r *reads) collect(roots ...*term.Term) {
	for _, root := range roots {
		term.Walk(root, func(t *term.Term) bool {
			if r.seen[t] {
				return false
			}
			r.seen[t] = true
			if r.datatypes.boxes[t.Sort()] {
				r.boxed[t.Sort()] = append(r.boxed[t.Sort()], t)
			}
			if t.Op() == term.Select {
				k := r.key(t)
				r.by[k] = append(r.by[k], t)
			}
			return true
		})
	}
}

// key says which reads may match a read: those of the same function, or those of maps of the same sort.
func (r *reads) key(t *term.Term) any {
	root := t
	for root.Op() == term.Select || root.Op() == term.Store {
		root = root.Arg(0)
	}
	if r.symbols.isMap[root] {
		return [2]any{root, t.Sort()}
	}
	return [2]any{t.Arg(0).Sort()}
}

// matches returns the assignments of the variables under which each pattern is one of the reads, or some of them if there
// are many.
func (r *reads) matches(patterns, variables []*term.Term) []map[*term.Term]*term.Term {
	matches := []map[*term.Term]*term.Term{{}}
	for _, p := range patterns {
		var next []map[*term.Term]*term.Term
		for _, m := range matches {
			for _, t := range r.by[r.key(p)] {
				trial := maps.Clone(m)
				if len(next) < maxInstances && match(p, t, variables, trial) {
					next = append(next, trial)
				}
			}
		}
		matches = next
	}
	return matches
}

// match extends an assignment such that it makes the term of the pattern, and reports whether it can.
func match(p, t *term.Term, variables []*term.Term, m map[*term.Term]*term.Term) bool {
	if slices.Contains(variables, p) {
		if m[p] == nil {
			m[p] = t
			return p.Sort() == t.Sort()
		}
		return m[p] == t
	}
	if p == t {
		return true
	}
	if p.Op() != t.Op() || p.Sort() != t.Sort() || len(p.Args()) != len(t.Args()) || len(p.Args()) == 0 {
		return false
	}
	if p.Op() == term.Select {
		// Any version of a map may be read: what one says of an element another one may say too.
		for i, a := range p.Args() {
			if !match(a, t.Arg(i), variables, m) && (i > 0 || a.Sort() != t.Arg(i).Sort() || a.Op() == term.Select) {
				return false
			}
		}
		return true
	}
	for i, a := range p.Args() {
		if !match(a, t.Arg(i), variables, m) {
			return false
		}
	}
	return true
}
