package houdini

import (
	"time"

	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// options are the settings of an inference. What each field means is said in table.
type options struct {
	candidates        int
	pools             int
	candidatesInAll   int
	atoms             int
	pairConstants     int
	states            int
	largestModulus    int
	segments          int
	segmentFacts      int
	segmentExceptions int
	queries           int
	limit             time.Duration
	checkLimit        time.Duration
	open              int
	arithSolver       int
}

// table is the options with their names, defaults and fields.
func (o *options) table() []engine.Option {
	return engine.Table(
		engine.Option{Name: "houdini.candidates", Field: &o.candidates, Default: "400", Doc: "the most candidates that are made for a predicate"},
		engine.Option{Name: "houdini.pools", Field: &o.pools, Default: "1", Min: 1, Doc: "how many pools of candidates are tried in turn, each up to three times as large as the one before"},
		engine.Option{Name: "houdini.candidates-in-all", Field: &o.candidatesInAll, Default: "50000", Doc: "the most candidates of all predicates together, as long as each of them gets 20"},
		engine.Option{Name: "houdini.atoms", Field: &o.atoms, Default: "1000", Doc: "the most atoms of clauses that are kept for a predicate"},
		engine.Option{Name: "houdini.pair-constants", Field: &o.pairConstants, Default: "12", Doc: "how many constants differences and sums of two arguments are compared with"},
		engine.Option{Name: "houdini.states", Field: &o.states, Default: "4", Doc: "how many values of an argument are told apart in implications between two arguments"},
		engine.Option{Name: "houdini.largest-modulus", Field: &o.largestModulus, Default: "8", Doc: "the largest number by which congruences are made candidates"},
		engine.Option{Name: "houdini.segments", Field: &o.segments, Default: "1", Min: 1, Doc: "how many facts about segments of arrays are among the candidates for one of each other family; of clauses about single cells more are needed"},
		engine.Option{Name: "houdini.segment-facts", Field: &o.segmentFacts, Default: "80", Doc: "how many facts are tried of each segment of an array"},
		engine.Option{Name: "houdini.segment-exceptions", Field: &o.segmentExceptions, Default: "3", Min: 1, Doc: "how many exceptions, none among them, a segment of an array is tried with"},
		engine.Option{Name: "houdini.queries", Field: &o.queries, Default: "0", Doc: "queries after which candidates that are not settled are dropped; 0 is no limit"},
		engine.Option{Name: "houdini.limit", Field: &o.limit, Default: "0s", Doc: "processor time of queries after which candidates that are not settled are dropped; 0 is no limit"},
		engine.Option{Name: "houdini.check-limit", Field: &o.checkLimit, Default: "1s", Doc: "the longest that one query may take; a candidate that it leaves open is dropped"},
		engine.Option{Name: "houdini.open", Field: &o.open, Default: "16", Doc: "queries without an answer, in one visit of a predicate, after which all of its candidates that are not settled are dropped"},
		engine.Option{Name: "houdini.arith-solver", Field: &o.arithSolver, Default: "2", Choices: []string{"2", "6", "0"}, Doc: "Z3's arith.solver in queries about candidates: 2, 6 or 0 for Z3's own default"},
	)
}

func newOptions(s engine.Settings) (options, error) { return engine.Read((*options).table, s) }

func (o *options) solver() smt.Params { return smt.Params{ArithSolver: o.arithSolver} }

// Limits that nobody needs to set. They keep the candidates of large clauses from being made of everything that occurs in them.
const (
	// poolGrowth is how many times as many candidates a pool has as the one before.
	poolGrowth = 3
	// fewestEach is how many candidates each predicate gets however many predicates there are.
	fewestEach = 20
	// solveRounds bounds how often the equations of a clause are gone through: chains of definitions are short where it helps.
	solveRounds = 4
	// mostFactors bounds the constants that counts of nested loops are compared with multiples by.
	mostFactors = 8
	// mostRemainders bounds the constants that arguments are congruent to modulo what they are counted by.
	mostRemainders = 4
	// mostSums bounds the sums of other arguments that one is compared with.
	mostSums = 2
	// mostSumLimits bounds the limits that are tried of each term of such a sum.
	mostSumLimits = 2
	// mostOutcomes bounds the sums that are looked at of one with if-then-else in it.
	mostOutcomes = 8
	// factRounds is over how many clauses facts about indices are carried.
	factRounds = 4
	// mostCarried bounds the facts about indices of a predicate, and mostChosen those that are chosen from them.
	mostCarried = 100
	mostChosen  = 24
	// mostEnds bounds the constants that segments end with, and mostFactConstants those that arguments are compared with in
	// facts about segments.
	mostEnds          = 4
	mostFactConstants = 6
	// mostParts bounds the segments that what queries want is tried of before all else.
	mostParts = 60
	// factsPerSegment is how many facts about the first segments come before the first one about the next segment.
	factsPerSegment = 6
	// gridsPerSegment is how many facts about grids are taken for one about segments.
	gridsPerSegment = 3
	// segmentsPerException is how many segments come without an exception before the first one with it.
	segmentsPerException = 3
	// patience is how many times as long as another query one may take that asks whether a query clause is excluded: the
	// answer depends on these few, while the others only cost a candidate.
	patience = 10
)
