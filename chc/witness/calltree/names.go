package calltree

import "hornbeam/chc"

// argumentNames returns a name for each argument of each predicate: the source's own where it has any; otherwise that of
// the variable that stands there in most clauses, of several the first in a head, or else the first. A body that uses the
// predicate twice, with different variables, is not counted. The name is empty where there is none, or where an argument
// before it has it.
func argumentNames(sys *chc.System) map[*chc.Predicate][]string {
	counts := map[*chc.Predicate][]nameCount{}
	for _, c := range sys.Clauses {
		if c.Head != nil {
			count(counts, c.Head.Pred, []chc.App{*c.Head})
		}
	}
	for _, c := range sys.Clauses {
		uses := map[*chc.Predicate][]chc.App{}
		for _, a := range c.Body {
			uses[a.Pred] = append(uses[a.Pred], a)
		}
		for p, atoms := range uses {
			count(counts, p, atoms)
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
		for i := range counts[p] {
			name := counts[p][i].mostFrequent(taken)
			names[p][i] = name
			taken[name] = true
		}
	}
	return names
}

// count notes, for each argument of the predicate, the variable that stands there in all of the atoms.
func count(counts map[*chc.Predicate][]nameCount, p *chc.Predicate, atoms []chc.App) {
	if counts[p] == nil {
		counts[p] = make([]nameCount, p.Arity())
	}
	for i, x := range atoms[0].Args {
		agreed := x.IsVar()
		for _, a := range atoms[1:] {
			agreed = agreed && a.Args[i] == x
		}
		if agreed {
			counts[p][i].add(x.Name())
		}
	}
}

// nameCount counts the uses of names, in the order of their first use.
type nameCount struct {
	names []string
	uses  []int
}

func (b *nameCount) add(name string) {
	for i, n := range b.names {
		if n == name {
			b.uses[i]++
			return
		}
	}
	b.names, b.uses = append(b.names, name), append(b.uses, 1)
}

// mostFrequent is the first of the names with the most uses among those that are not taken; empty if all are.
func (b *nameCount) mostFrequent(taken map[string]bool) string {
	best, most := "", 0
	for i, n := range b.names {
		if !taken[n] && b.uses[i] > most {
			best, most = n, b.uses[i]
		}
	}
	return best
}
