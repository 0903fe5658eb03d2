package portfolio

import (
	"hornbeam/engine"
	"hornbeam/engine/affine"
	"hornbeam/engine/houdini"
	"hornbeam/engine/inline"
	"hornbeam/spacer"
)

// DefaultEngine is what is run when no engine is named.
const DefaultEngine = Auto

// Engines returns every engine, the portfolio's first strategy first.
func Engines() []engine.Engine {
	return []engine.Engine{
		spacer.Engine(),
		spacer.GPDR(),
		catamorphismEngine(),
		inline.Engine(),
		inline.BMC(),
		houdini.Engine(),
		affine.Engine(),
	}
}
