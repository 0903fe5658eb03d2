package lower

// Limits of what is exact without a refinement that asks for it: beyond them an exact form is so large that proofs become slower
// than a round of refinement is.
const (
	// cheapBits is how many bits the sum over bits may have that is x & y, and a quotient that is not described by facts alone.
	cheapBits = 4
	// cheapShifts is how many counts of a shift are told apart by cases.
	cheapShifts = 8
	// cheapFactors is how many values of a factor are told apart by cases.
	cheapFactors = 16
	// cheapBinades is in how many binades an integer may be that is converted to a floating-point number by cases.
	cheapBinades = 8
	// quotientBits is how many bits a quotient may have that is multiplied bit by bit, without a product of variables.
	quotientBits = 16
)

// Limits of Unroll.
const (
	// maxIterations bounds the iterations of one loop: 64 is the width of the widest integers of C, which loops over bits go through.
	maxIterations = 64
	// maxStatements bounds the statements that a program gains.
	maxStatements = 4000
)
