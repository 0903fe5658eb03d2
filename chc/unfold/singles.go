package unfold

import "hornbeam/chc"

// singles returns the predicates, by ID, of which no derivation of a query has two instances, such as the places in a program's main
// procedure. The clauses are without recursion; of very many it names none.
func singles(graph *chc.Graph, predicates int) []bool {
	out := make([]bool, predicates)
	components := graph.Components()
	if predicates*len(components) > maxSingles {
		return out
	}
	// occurrences is how many instances of one predicate a derivation of each predicate has at most; 2 stands for more.
	occurrences := make([]int, predicates)
	most := func(clauses []*chc.Clause) int {
		n := 0
		for _, cl := range clauses {
			sum := 0
			for _, a := range cl.Body {
				sum += occurrences[a.Pred.ID]
			}
			n = max(n, sum)
		}
		return min(n, 2)
	}
	for i, component := range components {
		clear(occurrences)
		p := component[0]
		occurrences[p.ID] = 1
		for _, later := range components[i+1:] {
			occurrences[later[0].ID] = most(graph.Defines[later[0].ID])
		}
		out[p.ID] = most(graph.Queries) <= 1
	}
	return out
}
