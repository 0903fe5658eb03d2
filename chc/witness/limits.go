package witness

import "time"

// DefaultLimit bounds each of CheckModel's queries when the caller does not.
const DefaultLimit = 10 * time.Second

// MaxWritten is how many steps a refutation may have when its repeated steps are written out, for what has no repetitions: the runs
// of programs, and other forms of proofs.
const MaxWritten = 10_000

// The limits of the checkers. What needs more is undecided.
const (
	// maxUnfoldings bounds the unfoldings of definitions in one query, and maxLemmaInstances the instances of each lemma.
	maxUnfoldings     = 2000
	maxLemmaInstances = 1000
	// maxHypotheses bounds the instances of the induction hypothesis for one field.
	maxHypotheses = 200
	// maxIntegerUnfolding bounds the integers at which a recursion on an integer is unfolded and computed.
	maxIntegerUnfolding = 10_000
	// maxGuardWork bounds the walk through one definition's body: guards depend on the path, so that shared subterms are
	// visited once for each.
	maxGuardWork = 100_000
	// maxDepth bounds the recursion of a computation, which the stack has to hold.
	maxDepth = 20_000
	// maxComputations bounds the applications that one assignment computes, and maxBits the numbers that it computes with:
	// recursive functions can grow faster than anything can be written down.
	maxComputations = 1_000_000
	maxBits         = 1 << 16
	// maxProblems is how many problems of one refutation are reported.
	maxProblems = 10
	// stepsPerPoll is how many steps of a refutation are checked between two looks at the context.
	stepsPerPoll = 100
)

// inductionLevels are the levels of instantiation at which a case of an induction is tried; on the last one the solver also
// gets the hypotheses with their quantifiers.
var inductionLevels = []int{1, 2, 3}
