package portfolio

import (
	"hornbeam/chc/transform/passes"
	"hornbeam/engine"
	"hornbeam/engine/indices"
	"hornbeam/engine/inline"
	"hornbeam/spacer"
)

// indicesEngine is the engine with the prover, and loops written out from their beginning, for the clauses over elements.
func indicesEngine() engine.Engine {
	elements := strategy{name: "elements", passes: passes.Default(), members: []member{
		{engine: spacer.Engine()},
		{engine: inline.Engine(), options: map[string]string{"inline.direction": "forward", "inline.constants": "true"}},
	}}
	return indices.Engine(func(s engine.Settings) engine.Inner { return innerStrategy(s, elements) })
}
