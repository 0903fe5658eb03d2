package witness

import (
	"maps"

	"hornbeam/chc/term"
)

// instantiate adds the lemma at all tuples of terms that stand where it has its variables.
func (u *unfolding) instantiate(l *Lemma, round int) {
	matches := u.matches(l)
	if len(matches) == 0 {
		return
	}
	var rest []*term.Term
	for _, x := range l.Vars {
		if matches[0][x] == nil {
			rest = append(rest, x)
		}
	}
	candidates := make([][]*term.Term, len(rest))
	for k, x := range rest {
		candidates[k] = u.candidates(l, x)
	}
	limitTuples(candidates, max(1, maxLemmaInstances/len(matches)))
	if u.stale == nil {
		u.stale = map[*term.Term]bool{}
	}
	for _, match := range matches {
		for tuple := range tuples(candidates) {
			sub := maps.Clone(match)
			for k, x := range rest {
				sub[x] = tuple[k]
			}
			u.add(u.facts.pool.Substitute(l.Body, sub), round)
		}
	}
}

// add notes an instance of a lemma.
func (u *unfolding) add(t *term.Term, round int) {
	if t.IsTrue() || u.stale[t] {
		return
	}
	u.stale[t] = true
	u.out = append(u.out, t)
	// New applications in an instance of a lemma are unfolded from the second level on.
	depth := u.level
	if u.level > 1 && round == 0 {
		depth--
	}
	u.visit(t, depth)
}

// matches returns what the variables stand for below the stores to which the lemma applies its functions: one map for each store of
// the query that has the form of the lemma's, and one empty map for a lemma without stores.
func (u *unfolding) matches(l *Lemma) []map[*term.Term]*term.Term {
	out := []map[*term.Term]*term.Term{{}}
	seen := map[*term.Term]bool{}
	term.Walk(l.Body, func(t *term.Term) bool {
		if t.Func() == nil {
			return true
		}
		for _, pattern := range t.Args() {
			if pattern.Op() != term.Store || seen[pattern] {
				continue
			}
			seen[pattern] = true
			var next []map[*term.Term]*term.Term
			for _, known := range out {
				for _, s := range u.terms {
					if m := match(pattern, s, maps.Clone(known)); m != nil {
						next = append(next, m)
					}
				}
			}
			out = next[:min(len(next), maxLemmaInstances)]
		}
		return true
	})
	return out
}

// match returns known with what the variables of a pattern have to stand for so that it is t; nil when there is nothing.
func match(pattern, t *term.Term, known map[*term.Term]*term.Term) map[*term.Term]*term.Term {
	switch {
	case pattern.Sort() != t.Sort():
		return nil
	case pattern.IsVar():
		if known[pattern] == nil {
			known[pattern] = t
		}
		if known[pattern] != t {
			return nil
		}
		return known
	case pattern.Op() != term.Store:
		if pattern != t {
			return nil
		}
		return known
	case t.Op() != term.Store:
		return nil
	}
	for k, a := range pattern.Args() {
		if known = match(a, t.Arg(k), known); known == nil {
			return nil
		}
	}
	return known
}

// candidates are the terms for a variable of a lemma: those to which the functions of the lemma are applied where the
// lemma applies them to the variable; where it applies none to it, the indices of the query's arrays for an index, and the query's terms
// of its sort for anything else.
func (u *unfolding) candidates(l *Lemma, x *term.Term) []*term.Term {
	type place struct {
		fn  *term.Func
		arg int
	}
	places := map[place]bool{}
	term.Walk(l.Body, func(t *term.Term) bool {
		if fn := t.Func(); fn != nil {
			for k, a := range t.Args() {
				if a == x {
					places[place{fn, k}] = true
				}
			}
		}
		return true
	})
	var out []*term.Term
	seen := map[*term.Term]bool{}
	add := func(t *term.Term) {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	if len(places) == 0 {
		index := indexes(l.Body, x)
		for _, t := range u.terms {
			switch {
			case index && (t.Op() == term.Select || t.Op() == term.Store) && t.Arg(1).Sort() == x.Sort():
				add(t.Arg(1))
			case !index && t.Sort() == x.Sort():
				add(t)
			}
		}
		return out
	}
	for _, a := range u.applications {
		for k, t := range a.Args() {
			if places[place{a.Func(), k}] {
				add(t)
			}
		}
	}
	return out
}

// indexes reports whether an array is read at x in t.
func indexes(t, x *term.Term) bool {
	found := false
	term.Walk(t, func(t *term.Term) bool {
		found = found || t.Op() == term.Select && t.Arg(1) == x
		return !found
	})
	return found
}
