package itp

// The limits and thresholds of the heuristics of this package, which keep its work near to linear. None of them is needed for
// soundness.
const (
	// maxJoins bounds the clusters that a new cube of A is tried in.
	maxJoins = 6
	// maxGroups bounds the half-spaces of one cluster.
	maxGroups = 8
	// maxSimplify bounds the checks of a simplification.
	maxSimplify = 100
	// maxProblems bounds the problems of one solver context, which keeps every term that it has ever seen.
	maxProblems = 500
	// maxParts bounds the named parts of a side; with more, the side is one part.
	maxParts = 400
	// smallRounds bounds the cubes that are projected for one interpolant of a small tree.
	smallRounds = 24
	// separations is how many cubes are projected to separate a blocked cube.
	separations = 12
	// maxSingles bounds the variables that are tried as normals by themselves.
	maxSingles = 12
	// maxDirections bounds the directions that separateByRounding tries.
	maxDirections = 32
	// bigWork is about how many machine words are updated in the time of one big integer.
	bigWork = 400
)
