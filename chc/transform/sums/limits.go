package sums

// The limits of sums and of what clauses are told of sums.
const (
	// maxIndices bounds the indices of one array at which its elements are compared with its sum.
	maxIndices = 6
	// maxPairs bounds the pairs of such indices.
	maxPairs = 6
	// maxCounts bounds the values of one array whose occurrences are counted.
	maxCounts = 4
)
