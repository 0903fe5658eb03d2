package mbp

// The limits and thresholds of the heuristics of this package, which keep its work near to linear. None of them is needed for
// soundness.
const (
	// maxRuns bounds the parts into which a mask cuts a term.
	maxRuns = 4
	// maxCovered bounds the arguments that covered looks at, so that choosing stays linear.
	maxCovered = 16
	// mostRounds bounds the rounds of a projection for each literal and variable that it is given. Each rule leaves less to do,
	// so that far fewer are needed; but rules that undo each other would keep their engine from ever looking at its context.
	mostRounds = 1000
	// smallModulus is up to where a non-divisibility is split by its remainder in the model; beyond it the remainder is a
	// variable between 1 and k-1, which keeps more but leaves non-unit coefficients.
	smallModulus = 8
)
