package prune

// The limits and thresholds of the heuristics of this package, which keep its work near to linear. None of them is needed for
// soundness.
const (
	// maxWeakenings bounds how often the pattern of one predicate is weakened before it is dropped.
	maxWeakenings = 20
	// maxContext bounds the size of the context of one component.
	maxContext = 60
	// maxContexts bounds the changes of the pass in one Pipeline: once the clauses have been simplified the same context may be
	// written in another way and would be added again.
	maxContexts = 2
)
