package accelerate

import (
	"time"

	"hornbeam/internal/smt"
)

const (
	// maxPaths bounds the paths through one loop that are looked at. Loops have few that matter, and every shortcut is one more
	// clause for the engine.
	maxPaths = 8
	// maxLoops bounds the loops of one system.
	maxLoops = 40
	// maxLiterals bounds the literals of a path, whose equations are solved one after the other.
	maxLiterals = 200
	// maxChecks bounds the solver's checks for one system.
	maxChecks = 500
	// maxOpen bounds the arguments of one loop for which a path leaves open what is added to them: state machines have many, which
	// no direction fits.
	maxOpen = 12
	// maxWritten is the number of rounds up to which a step is written out.
	maxWritten = 20
)

// queryLimit bounds each of the solver's checks.
var queryLimit = smt.Limit{Time: 2 * time.Second, Resources: 200_000}
