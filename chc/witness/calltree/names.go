package calltree

import "hornbeam/chc"

// argumentNames returns a name for each argument of each predicate: the source's own where it has any; otherwise that of
// the variable that stands there in most clauses, of several the first in a head, or else the first. A body that uses the
// predicate twice, with different variables, is not counted. The name is empty where there is none, or where an argument
// before it has it.
func argumentNames(sys *chc.System) map[*chc.Predicate][]string {
	ballots := map[*chc.Predicate][]ballot{}
	for _, c := range sys.Clauses {
		if c.Head != nil {
			count(ballots, c.Head.Pred, []chc.App{*c.Head})
		}
	}
	for _, c := range sys.Clauses {
		uses := map[*chc.Predicate][]chc.App{}
		for _, a := range c.Body {
			uses[a.Pred] = append(uses[a.Pred], a)
		}
		for p, atoms := range uses {
			count(ballots, p, atoms)
		}
	}
	names := map[*chc.Predicate][]string{}
	for _, p := range sys.Predicates {
		names[p] = make([]string, p.Arity())
		if len(p.ArgNames) == p.Arity() {
			copy(names[p], p.ArgNames)
			continue
		}
		taken := map[string]bool{}
		for i := range ballots[p] {
			name := ballots[p][i].winner(taken)
			names[p][i] = name
			taken[name] = true
		}
	}
	return names
}

// count notes, for each argument of the predicate, the variable that stands there in all of the atoms.
func count(ballots map[*chc.Predicate][]ballot, p *chc.Predicate, atoms []chc.App) {
	if ballots[p] == nil {
		ballots[p] = make([]ballot, p.Arity())
	}
	for i, x := range atoms[0].Args {
		agreed := x.IsVar()
		for _, a := range atoms[1:] {
			agreed = agreed && a.Args[i] == x
		}
		if agreed {
			ballots[p][i].vote(x.Name())
		}
	}
}

// ballot counts names in the order in which they came up.
type ballot struct {
	names []string
	votes []int
}

func (b *ballot) vote(name string) {
	for i, n := range b.names {
		if n == name {
			b.votes[i]++
			return
		}
	}
	b.names, b.votes = append(b.names, name), append(b.votes, 1)
}

// winner is the first of the names with the most votes among those that are not taken; empty if all are.
func (b *ballot) winner(taken map[string]bool) string {
	best, most := "", 0
	for i, n := range b.names {
		if !taken[n] && b.votes[i] > most {
			best, most = n, b.votes[i]
		}
	}
	return best
}
