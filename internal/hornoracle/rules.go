package hornoracle

import "hornbeam/chc"

// WithoutQueries returns the clauses of a system that have a head. What is inductive is a model of them.
func WithoutQueries(sys *chc.System) *chc.System {
	out := *sys
	out.Clauses = nil
	for _, c := range sys.Clauses {
		if c.Head != nil {
			copied := *c
			copied.ID = len(out.Clauses)
			out.Clauses = append(out.Clauses, &copied)
		}
	}
	return &out
}
