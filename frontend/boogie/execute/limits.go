package execute

import "time"

const (
	// DefaultSteps is the length of the longest runs. A step costs about a kilobyte.
	DefaultSteps = 100_000
	// DefaultChance is the time for runs with choices. It is short, since engines make better choices.
	DefaultChance = 1500 * time.Millisecond
	// maxDepth bounds the calls around a step, which use the stack.
	maxDepth = 50_000
	// tries is how often a clause with choices is tried.
	tries = 6
)
