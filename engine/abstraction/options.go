package abstraction

import (
	"time"

	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// options are the settings of a run. What each field means is said in table.
type options struct {
	// forcedCovering and abstraction choose the configuration.
	forcedCovering bool
	abstraction    string

	rounds      int
	arithSolver int
	checkTime   time.Duration
}

// impact is the table of IMPACT's options.
func (o *options) impact() []engine.Option {
	return append(engine.Table(
		engine.Option{Name: "impact.forced-covering", Field: &o.forcedCovering, Default: "true", Doc: "strengthen nodes such that they are covered by earlier ones, where that is possible: 9 instead of 7 of 16 development tasks of LRA-Lin"},
	), o.common()...)
}

// predicates is the table of the options of predicate abstraction.
func (o *options) predicates() []engine.Option {
	return append(engine.Table(
		engine.Option{Name: "predicates.abstraction", Field: &o.abstraction, Default: "cartesian", Choices: []string{"cartesian", "boolean"}, Doc: "the conjunction of the tracked predicates that are entailed, or the strongest Boolean combination of up to 15 of them"},
	), o.common()...)
}

func (o *options) common() []engine.Option {
	return engine.Table(
		engine.Option{Name: "abstraction.rounds", Field: &o.rounds, Default: "200", Min: 1, Doc: "the most cubes that are projected for one interpolant"},
		engine.Option{Name: "abstraction.arith-solver", Field: &o.arithSolver, Default: "2", Choices: []string{"2", "6", "0"}, Doc: "Z3's arith.solver in queries: 2, 6 or 0 for Z3's own default"},
		engine.Option{Name: "abstraction.check-limit", Field: &o.checkTime, Default: "60s", Doc: "the longest that one query may take"},
	)
}

func (o *options) solver() smt.Params    { return smt.Params{ArithSolver: o.arithSolver} }
func (o *options) checkLimit() smt.Limit { return smt.Limit{Time: o.checkTime} }

// tunings are the settings of solvers that are asked in turn for the values of a refutation.
func (o *options) tunings() []smt.Params {
	return []smt.Params{{ArithSolver: o.arithSolver}, {ArithSolver: 8 - o.arithSolver}, {Auto: true}}
}

// Limits that nobody needs to set.
const (
	// mostBoolean is the number of predicates up to which Boolean combinations of them are looked for.
	mostBoolean = 15
	// mostPlaces bounds the tree of a derivation.
	mostPlaces = 20000
	// mostModels is how many tuples are kept of a label.
	mostModels = 8
	// rebuildAfter is the number of assumptions after which a solver is opened anew.
	rebuildAfter = 2000
	// mostForced is how many earlier nodes are tried as forced covers of a node.
	mostForced = 3
)
