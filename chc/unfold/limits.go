package unfold

// Clauses whose formula would be larger are refused.
const (
	// maxInstances bounds the instances of predicates, and of clauses where derivations are written out by their length.
	maxInstances = 50_000
	// maxSingles bounds the square of the number of predicates among which single ones are looked for.
	maxSingles = 50_000_000
	// maxReadThrough bounds the terms that reading through stores makes; the reads stay where it is more.
	maxReadThrough = 200_000
	// maxValues bounds the values of an index that are told apart, and maxValueChoices the operands among which they are looked for.
	maxValues       = 64
	maxValueChoices = 256
	// maxReadPairs bounds the pairs of reads of an array of which it is said that they are equal at equal indices.
	maxReadPairs = 50_000
)
