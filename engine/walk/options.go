package walk

import (
	"time"

	"hornbeam/engine"
)

// options are the engine's settings. What each field means is said in table.
type options struct {
	work, stride, cells int
}

// table is the options with their names, defaults and fields.
func (o *options) table() []engine.Option {
	return engine.Table(
		engine.Option{Name: "walk.work", Field: &o.work, Default: "200", Min: 1, Doc: "how many million operations are evaluated before the engine gives up; one takes about ten nanoseconds"},
		engine.Option{Name: "walk.stride", Field: &o.stride, Default: "8", Min: 1, Doc: "the most random steps that are taken from a state while they do not lead to a more extreme one"},
		engine.Option{Name: "walk.cells", Field: &o.cells, Default: "1000", Min: 1, Doc: "how many combinations of truth values have extreme states of their own"},
	)
}

const (
	// timeOfOperation is what an operation takes, about, which is what counts where engines work in turns.
	timeOfOperation = 10 * time.Nanosecond
	// operationsAtOnce is how many are counted together.
	operationsAtOnce = 100_000
	// mostOperations is the largest formula of one clause.
	mostOperations = 20_000
	// longest is how many steps are taken before another state is gone on from.
	longest = 1000
	// attempts is how often a step is tried with other values where formulas do not determine them.
	attempts = 3
	// mostDirections bounds the directions in which states of one predicate are extreme.
	mostDirections = 64
	// stepOverhead is what a step takes beside the operations of its formula.
	stepOverhead = 50
	// largest is the largest number that states have.
	largest = 1 << 40
	// mostCoefficient is the largest one of a direction.
	mostCoefficient = 1 << 15
)
