package affine

import (
	"time"

	"hornbeam/engine"
)

// options are the settings of an inference. What each field means is said in table.
type options struct {
	from, degree int
	guards       bool
	mostGuards   int
	points       int
	thresholds   int
	differences  int
	columns      int
	congruences  bool
	factors      int
	monomials    int
	limit        time.Duration
	firstLimit   time.Duration
	checkLimit   time.Duration
	arithSolver  int
}

// table is the options with their names, defaults and fields.
func (o *options) table() []engine.Option {
	return engine.Table(
		engine.Option{Name: "affine.from", Field: &o.from, Default: "1", Min: 1, Doc: "the degree of the equations that are looked for first"},
		engine.Option{Name: "affine.degree", Field: &o.degree, Default: "2", Min: 1, Doc: "the highest degree of the equations that are looked for; those of a higher degree than 1 are when the others do not do, in small predicates"},
		engine.Option{Name: "affine.guards", Field: &o.guards, Default: "true", Doc: "where equations of all tuples of a predicate do not do, look for those of the tuples that the first guards on which clauses branch tell apart"},
		engine.Option{Name: "affine.most-guards", Field: &o.mostGuards, Default: "3", Max: 16, Doc: "how many guards tell the tuples of a predicate apart"},
		engine.Option{Name: "affine.points", Field: &o.points, Default: "3", Doc: "how many successors by one clause of each derivable tuple that is kept are looked for, for equations of a higher degree than 1, before the general question is asked"},
		engine.Option{Name: "affine.thresholds", Field: &o.thresholds, Default: "24", Doc: "how many constants of the clauses an argument is compared with"},
		engine.Option{Name: "affine.differences", Field: &o.differences, Default: "30", Doc: "how many differences of two arguments of a predicate are bounded"},
		engine.Option{Name: "affine.columns", Field: &o.columns, Default: "60", Doc: "how many arguments of one sort are related by equations; of larger predicates the first ones are"},
		engine.Option{Name: "affine.congruences", Field: &o.congruences, Default: "false", Doc: "where equations do not do and numbers wrap around, look for equations modulo 2^width"},
		engine.Option{Name: "affine.factors", Field: &o.factors, Default: "8", Doc: "the most arguments of one sort that a predicate may have for equations over their products"},
		engine.Option{Name: "affine.monomials", Field: &o.monomials, Default: "64", Doc: "the most terms that a product of sums is multiplied out to"},
		engine.Option{Name: "affine.limit", Field: &o.limit, Default: "0s", Doc: "processor time after which nothing is said of predicates that are not settled; 0 is no limit"},
		engine.Option{Name: "affine.first-limit", Field: &o.firstLimit, Default: "40ms", Doc: "the processor time that one query gets at first; an equation or a bound that it leaves open is dropped"},
		engine.Option{Name: "affine.check-limit", Field: &o.checkLimit, Default: "1s", Doc: "the processor time that one query gets when the inference with affine.first-limit did not do and left queries open"},
		engine.Option{Name: "affine.arith-solver", Field: &o.arithSolver, Default: "2", Choices: []string{"2", "6", "0"}, Doc: "Z3's arith.solver in these queries: 2, 6 or 0 for Z3's own default"},
	)
}

// within are the options with no more time for a query than limit.
func (o options) within(limit time.Duration) options {
	o.checkLimit = min(o.checkLimit, limit)
	return o
}

func newOptions(s engine.Settings) (options, error) { return engine.Read((*options).table, s) }

// mostDegree is the highest degree of products of the arguments that clauses multiply.
const mostDegree = 3

// patience is how many times as long as another query one may take that asks whether a query clause is excluded: the answer
// depends on these few.
const patience = 3
