package ranges

// Options are what an analysis takes for granted of a program.
type Options struct {
	// PointerBits is the width of addresses.
	PointerBits int
	// Bounded says that integers are within the range of their type in all runs that do not fail. Otherwise nothing is known of them.
	Bounded bool
}

// Limits of the analysis. Work is counted in blocks that are analysed and facts that are joined, not in time, so that equal programs
// have equal ranges.
const (
	// widenAfter is how often the state at the head of a loop, or of what a procedure is called with or returns, is joined before it
	// is widened. Most counters of unrolled or constant loops are exact by then.
	widenAfter = 3
	// plainWidenings is how often a state is widened to the next threshold before the distance doubles with every widening, so
	// that programs with many constants do not go through all of them.
	plainWidenings = 8
	// maxThresholds bounds the constants of the program at which widening stops.
	maxThresholds = 400
	// narrowingRounds is how often a stable state is evaluated again without widening: the guard of a loop bounds its counter.
	narrowingRounds = 2
	// workBeforeDropping is the work after which joins drop every fact that the two states do not agree about, which ends soon.
	workBeforeDropping = 300_000
	// maxWork is the work after which the analysis is given up.
	maxWork = 1_500_000
	// recentFacts is how many facts about a variable are kept to be shared, so that equal facts are mostly the same.
	recentFacts = 8
)
