package execute

import "time"

const (
	// countSteps is how many steps are counted as work at once, stepWork what one counts, and runWork what a run counts beside that, where
	// runs are bounded by work: one may end before its first step.
	countSteps = 64
	stepWork   = 5 * time.Microsecond
	runWork    = 10 * time.Microsecond
	// DefaultSteps is the length of the longest runs. A step costs about a kilobyte.
	DefaultSteps = 100_000
	// DefaultChance is the time for runs with choices. It is short, since engines make better choices.
	DefaultChance = 1500 * time.Millisecond
	// maxDepth bounds the calls around a step, which use the stack.
	maxDepth = 50_000
	// tries is how often a clause with choices is tried.
	tries = 6
)
