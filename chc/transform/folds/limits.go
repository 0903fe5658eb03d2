package folds

// The limits of sums and of what clauses are told of them.
const (
	// maxAddends bounds the addends of one array.
	maxAddends = 4
	// maxMeasures bounds the new arguments of a predicate.
	maxMeasures = 16
	// maxDistance bounds the distance of two ends of which the one's sum is told in terms of the other's.
	maxDistance = 2
)
