package unfold

// Clauses whose formula would be larger are refused.
const (
	// maxInstances bounds the instances of predicates, and of clauses where derivations are written out by their length.
	maxInstances = 50_000
	// maxReadThrough bounds the terms that reading through stores makes; the reads stay where it is more.
	maxReadThrough = 200_000
)
