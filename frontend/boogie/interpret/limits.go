package interpret

// The limits of a run. A run that needs more ends as OutOfFuel or Undetermined.
const (
	// defaultFuel is the fuel of a run whose options give none.
	defaultFuel = 10_000_000
	// stepsPerPoll is how much fuel is spent between two checks of the context.
	stepsPerPoll = 1024
	// maxCalls bounds the depth of calls, and maxApplications that of functions in functions: both use the stack.
	maxCalls        = 50_000
	maxApplications = 5_000
	// maxDomain is how many values of a finite type are tried one by one, and maxDomainBits the width of the bit-vectors
	// that have as many.
	maxDomain     = 1 << maxDomainBits
	maxDomainBits = 12
	// maxCritical bounds the integers that are tried where all that matter are known: no others have to be tried then.
	maxCritical = 16 * maxDomain
	// maxSuggested bounds the values that a condition suggests for its variables: they are tried in all combinations.
	maxSuggested = maxDomain / 4
	// maxExpansions bounds the functions in functions that are expanded to find critical integers.
	maxExpansions = 20
	// maxTypes is how many choices of types a quantifier over types is tried for.
	maxTypes = 30
	// maxNestedTypes bounds the datatypes in datatypes that a default value is made for.
	maxNestedTypes = 100
	// sampled is how many values of a type are compared to find that two maps differ.
	sampled = 6
)
