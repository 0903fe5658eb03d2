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
	maxLoops = 60
	// maxLiterals bounds the literals of a path, whose equations are solved one after the other.
	maxLiterals = 400
	// maxWritten is the number of rounds up to which a step is written out.
	maxWritten = 20
)

// queryLimit bounds each of the solver's checks.
var queryLimit = smt.Limit{Time: 2 * time.Second, Resources: 2_000_000}
