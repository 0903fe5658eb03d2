package inline

import (
	"time"

	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// options are the settings of both engines. What each field means is said in table.
type options struct {
	bound         int
	start         int
	choice        string
	coreShare     int
	overEvery     int
	sitesAtOnce   int
	overWork      int
	arithSolver   int
	finite        bool
	checkTime     time.Duration
	share         string
	direction     string
	boundedLabels bool
	boundedNodes  int
	boundedPart   int
	boundedTime   time.Duration
	candidates    int
	prove         bool
	constants     bool
	track         string
	refine        string
	refineCore    bool
	proofTime     time.Duration
}

// table is the options with their names, defaults and fields.
func (o *options) table() []engine.Option {
	return engine.Table(
		engine.Option{Name: "inline.bound", Field: &o.bound, Default: "0", Doc: "the largest recursion bound: how often a predicate may occur on a call site's stack; 0 lets it rise for ever"},
		engine.Option{Name: "inline.start", Field: &o.start, Default: "1", Min: 1, Doc: "the recursion bound to begin with; up to a large one, the engine bmc inlines all that there is before it asks for the first time"},
		engine.Option{Name: "inline.choice", Field: &o.choice, Default: "mixed", Choices: []string{"mixed", "core", "trace"}, Doc: "which call sites are inlined: those in the core of the under-approximation, those on the counterexample of the over-approximation, or the core's while it is small"},
		engine.Option{Name: "inline.core-share", Field: &o.coreShare, Default: "50", Max: 100, Doc: "how large a part of the open call sites, in percent, a core may have to count as small"},
		engine.Option{Name: "inline.over-every", Field: &o.overEvery, Default: "8", Doc: "rounds after which the over-approximation is asked about although the core is small; it is what proves"},
		engine.Option{Name: "inline.sites-at-once", Field: &o.sitesAtOnce, Default: "8", Doc: "how many call sites of one counterexample are inlined at once; of more, only those that are in the core too"},
		engine.Option{Name: "inline.over-work", Field: &o.overWork, Default: "1000000", Doc: "the work, in Z3's resource units, after which a query of the over-approximation is left for the core's call sites; 0 is no limit; 10000000 in kinduction"},
		engine.Option{Name: "inline.arith-solver", Field: &o.arithSolver, Default: "2", Choices: []string{"2", "6"}, Doc: "Z3's arith.solver in the hunter's queries"},
		engine.Option{Name: "inline.finite", Field: &o.finite, Default: "false", Doc: "whether queries are asked of a solver that makes bits of integers, and gives up where one has no bounds"},
		engine.Option{Name: "inline.check-limit", Field: &o.checkTime, Default: "60s", Doc: "the longest that one query may take before it is asked of a solver with other settings"},
		engine.Option{Name: "inline.share", Field: &o.share, Default: "none", Choices: []string{"none", "first"}, Doc: "whether a call site gets the first inlined call of its predicate and costs that no derivation uses together with another caller's, or always one of its own; first in kinduction"},
		engine.Option{Name: "inline.direction", Field: &o.direction, Default: "backward", Choices: []string{"backward", "forward"}, Doc: "where inlining starts in a linear system: at the queries, or at the facts"},
		engine.Option{Name: "inline.bounded-labels", Field: &o.boundedLabels, Default: "true", Doc: "whether the labels of trees without counterexample up to the bound, and the atoms of the clauses, are tried as candidates of an induction"},
		engine.Option{Name: "inline.bounded-nodes", Field: &o.boundedNodes, Default: "300", Doc: "the largest tree, in call sites, that is labelled up to the bound"},
		engine.Option{Name: "inline.bounded-part", Field: &o.boundedPart, Default: "3", Min: 1, Doc: "one part in so many of the time so far may go into such labels and candidates, or inline.bounded-time if that is more"},
		engine.Option{Name: "inline.bounded-time", Field: &o.boundedTime, Default: "1s", Doc: "the time that such labels and candidates may take in any case"},
		engine.Option{Name: "inline.candidates", Field: &o.candidates, Default: "500", Doc: "the most candidates of an induction for a predicate"},
		engine.Option{Name: "inline.prove", Field: &o.prove, Default: "true", Doc: "whether a model of the clauses is made of a tree that has no counterexample; without one there is only the solver's word for it that there is no bug, up to a bound or at any, and the verdict is unknown"},
		engine.Option{Name: "inline.constants", Field: &o.constants, Default: "false", Doc: "whether variables that have only one value in an inlined call become that value, and arrays are passed on as stores, element by element where the cases of a clause differ; ranges of what is computed from such values decide comparisons, and what a read looks through; forward, loops that are counted by constants end by themselves then"},
		engine.Option{Name: "inline.track", Field: &o.track, Default: trackAll, Doc: "the variables that are tracked from the start, the others' arguments being havocked until a refinement tracks them: all, which is no abstraction at all; none; query for those that a query constrains or that one step computes these from; or names, with commas between, of variables in the source or, as p.i, of argument i, from 0, of the predicate p; names of what preprocessing has removed are ignored"},
		engine.Option{Name: "inline.refine", Field: &o.refine, Default: "hierarchical", Choices: []string{"hierarchical", "program", "linear"}, Doc: "how a minimal set of variables to track is found that excludes a spurious counterexample: by halves over Boolean constants in one formula (Alg. 2 of the paper), by halves with a new formula a check (Alg. 1), or by dropping one after the other (STORM's)"},
		engine.Option{Name: "inline.refine-core", Field: &o.refineCore, Default: "true", Doc: "whether the hierarchical refinement starts from the constants in the proof that a counterexample is spurious, and not from all"},
		engine.Option{Name: "inline.proof-limit", Field: &o.proofTime, Default: "10s", Doc: "the longest that each label of a model may take when the tree has no counterexample"},
	)
}

// kinductionOptions changes the table for k-induction.
func kinductionOptions(o *options, table []engine.Option) {
	for i, row := range table {
		switch row.Name {
		case "inline.direction":
			table[i] = engine.Table(engine.Option{Name: "kinduction.direction", Field: &o.direction, Default: "both", Choices: []string{"backward", "forward", "both"}, Doc: "where the unrolling of a linear system starts: at the queries, so that k steps show that they are not violated; at the facts, so that k steps show that a fact comes again; or at both in turn"})[0]
		case "inline.share":
			table[i].Default = "first"
		case "inline.over-work":
			table[i].Default = "10000000"
		}
	}
}

// firstBound is the recursion bound to begin with: never more than the largest one, or that would be said to be explored.
func (o *options) firstBound() int {
	if o.bound > 0 {
		return min(o.start, o.bound)
	}
	return o.start
}

func (o *options) checkLimit() smt.Limit { return smt.Limit{Time: o.checkTime} }

// Limits that nobody needs to set.
const (
	// sitesPerEvent is how many call sites are inlined before the run's context is looked at and the progress reported.
	sitesPerEvent = 64
	// sliceSteps bounds the visits of one rule's formula by the slicer; what is not reached stays as it is.
	sliceSteps = 20000
	// mostConstantRounds bounds the rounds in which constants of an instance are found from others.
	mostConstantRounds = 8
	// mostUnknownStores bounds the stores at unknown indices in which the cases of a clause may differ.
	mostUnknownStores = 4
	// mostShared bounds the sites for which it is known which may be used together, since that is a relation.
	mostShared = 1 << 12
	// mostTried and mostLooked bound the nodes that are tried for a site, and those that are looked at; where that many
	// were in vain, the predicate's calls are mostly used together.
	mostTried  = 16
	mostLooked = 1024
	// mostUnfolded bounds the tree that shared calls are unfolded to; of a larger one the graph itself is labelled.
	mostUnfolded = 64
	// shrinkRounds bounds the attempts to do with fewer nodes in a proof.
	shrinkRounds = 3
	// smallTree is the number of calls up to which they are labelled one after the other, callees before callers.
	smallTree = 32
	// mostPostIndices and mostPostTerms bound the elements of arrays and the numbers that labels of an unrolling from the facts speak of.
	mostPostIndices = 64
	mostPostTerms   = 96
	// quickRounds bounds the cubes of a label that has others to try.
	quickRounds = 24
	// Counterexamples of an abstraction may have much more inlined than the clauses need before one of them has no open
	// site and is found to be spurious. So one with open sites is checked on the clauses, first in a tree of
	// firstOpenTraces nodes, and then whenever the tree has grown by openTracesGrowth since such a check did not show that
	// it was spurious.
	firstOpenTraces  = 8
	openTracesGrowth = 2
)
