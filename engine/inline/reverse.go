package inline

import (
	"hornbeam/chc"
	"hornbeam/chc/witness"
)

// reversed returns a linear system read from the other end: heads and bodies change places, so that facts become queries
// and queries facts, and a predicate means what leads to a query. Its clauses have the places of the system's.
func reversed(sys *chc.System) *chc.System {
	out := *sys
	out.Clauses = make([]*chc.Clause, len(sys.Clauses))
	for i, c := range sys.Clauses {
		r := *c
		r.Head, r.Body = nil, nil
		if len(c.Body) > 0 {
			r.Head = &c.Body[0]
		}
		if c.Head != nil {
			r.Body = []chc.App{*c.Head}
		}
		out.Clauses[i] = &r
	}
	return &out
}

// refutationBack is the refutation of a system that one of the reversed one is: the same chain from its other end.
func refutationBack(sys *chc.System, r *witness.Refutation) *witness.Refutation {
	chain := []witness.Step{r.Steps[len(r.Steps)-1]}
	for len(chain[len(chain)-1].Premises) > 0 {
		chain = append(chain, r.Steps[chain[len(chain)-1].Premises[0]])
	}
	b := witness.NewRefutationBuilder(sys.Pool)
	last := 0
	for i, s := range chain {
		var premises []int
		if i > 0 {
			premises = []int{last}
		}
		last = b.Add(sys.Clauses[s.Clause.ID], s.Values, premises)
	}
	return b.Refutation(last)
}
