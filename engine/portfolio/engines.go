package portfolio

import (
	"hornbeam/engine"
	"hornbeam/spacer"
)

// DefaultEngine is the engine that is run when none is named.
const DefaultEngine = "spacer"

// Engines returns every engine, the default one first.
func Engines() []engine.Engine {
	return []engine.Engine{
		spacer.Engine(),
		spacer.GPDR(),
	}
}
