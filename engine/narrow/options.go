package narrow

import (
	"time"

	"hornbeam/engine"
)

// options are the engine's settings. What each field means is said in table.
type options struct {
	steps, stretch, depth, deepest, ahead, tries int
}

// table is the options with their names, defaults and fields.
func (o *options) table() []engine.Option {
	return engine.Table(
		engine.Option{Name: "narrow.steps", Field: &o.steps, Default: "1000000", Min: 1, Doc: "how many clauses are tried on atoms before the engine gives up"},
		engine.Option{Name: "narrow.stretch", Field: &o.stretch, Default: "200000", Min: 1, Doc: "how many clauses are tried after one split; functions that do not end for an input are given up there"},
		engine.Option{Name: "narrow.depth", Field: &o.depth, Default: "300", Min: 1, Doc: "the deepest derivation that is tried"},
		engine.Option{Name: "narrow.calls", Field: &o.deepest, Default: "2000", Min: 1, Doc: "the most calls inside each other, where a function is computed from inputs that are known"},
		engine.Option{Name: "narrow.ahead", Field: &o.ahead, Default: "20", Doc: "how many atoms are looked at in the body of a clause to see that it fails, where several apply to an atom; so guards select the case of a function"},
		engine.Option{Name: "narrow.tries", Field: &o.tries, Default: "2000", Doc: "how many combinations of small numbers a query about functions on numbers is tried with; of two programs that add up the numbers to n modulo 32 some differ from 40 on"},
	)
}

// smallNumbers are those that unknown integers of constraints are tried with, beside the constants of the clauses.
var smallNumbers = []int64{0, 1, -1, 2, 3}

// mostNumbers bounds the numbers that unknown integers are tried with.
const mostNumbers = 12

// mostAnswers bounds the calls whose answers are remembered, and mostCost what the splits of a search may cost.
const (
	mostAnswers = 200_000
	mostCost    = 1000
	// mostComparisons bounds the comparisons of clauses without datatypes: a tenth of a second, about.
	mostComparisons = 20_000
)

// A step takes about so long, which is what counts where engines work in turns; so many are counted together.
const (
	timeOfStep  = 2 * time.Microsecond
	stepsAtOnce = 256
)
