package calltree

import "hornbeam/chc"

// argumentNames returns a name for each argument of each predicate: the source's own where it has any, and otherwise that
// of the variable that stands there in the clauses more often than any other. It is empty where there is none, or where
// an argument before it has that name.
func argumentNames(sys *chc.System) map[*chc.Predicate][]string {
	ballots := map[*chc.Predicate][]ballot{}
	count := func(a chc.App) {
		b := ballots[a.Pred]
		if b == nil {
			b = make([]ballot, a.Pred.Arity())
			for i := range b {
				b[i] = ballot{}
			}
			ballots[a.Pred] = b
		}
		for i, x := range a.Args {
			if x.IsVar() {
				b[i][x.Name()]++
			}
		}
	}
	for _, c := range sys.Clauses {
		if c.Head != nil {
			count(*c.Head)
		}
		for _, a := range c.Body {
			count(a)
		}
	}
	names := map[*chc.Predicate][]string{}
	for _, p := range sys.Predicates {
		names[p] = make([]string, p.Arity())
		if len(p.ArgNames) == p.Arity() {
			copy(names[p], p.ArgNames)
			continue
		}
		if ballots[p] == nil {
			continue
		}
		taken := map[string]bool{}
		for i := range names[p] {
			name := ballots[p][i].winner(taken)
			names[p][i] = name
			taken[name] = true
		}
	}
	return names
}

// ballot counts names.
type ballot map[string]int

// winner is the name with the most votes among those that are not taken, if it is one only.
func (b ballot) winner(taken map[string]bool) string {
	best, most := "", 0
	for name, votes := range b {
		switch {
		case taken[name] || votes < most:
		case votes == most:
			best = ""
		default:
			best, most = name, votes
		}
	}
	return best
}
