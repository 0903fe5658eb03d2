package portfolio

import (
	"hornbeam/chc"
	"hornbeam/chc/transform"
	"hornbeam/engine"
	"hornbeam/spacer"
)

// DefaultEngine is what is run when no engine is named.
const DefaultEngine = Auto

// Engines returns every engine, the portfolio's first lane first.
func Engines() []engine.Engine {
	return []engine.Engine{
		spacer.Engine(),
		spacer.GPDR(),
		catamorphismEngine(),
	}
}

// lanesFor returns the lanes of the portfolio for a system, the first to begin first.
func lanesFor(sys *chc.System) []lane {
	return []lane{{name: "spacer", engine: spacer.Engine(), passes: transform.Default()}}
}
