package inline

import (
	"context"
	"errors"
	"fmt"

	"hornbeam/chc"
	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// options are the settings of both engines.
type options struct {
	// bound is the largest recursion bound; 0 lets it rise for ever.
	bound int
	// start is the first recursion bound.
	start int
	// forward says that a linear system is read from its facts.
	forward bool
	// sharing says that sites that no derivation uses together share a callee.
	sharing bool
	// choice says which sites are inlined.
	choice string
	// share is the largest part of the open sites, in percent, that a core may have to be inlined.
	share int
	// overEvery is the number of rounds after which an over-approximation is asked about anyway.
	overEvery int
	// overWork bounds an over-approximation that the search can go on without, in the units of the solver.
	overWork uint64
	// traceSites is the number of sites on a counterexample up to which all of them are inlined.
	traceSites             int
	arithSolver            int
	finite                 bool
	checkLimit, proofLimit smt.Limit
	// boundedLabels says that trees without counterexample up to the bound are labelled for candidates.
	boundedLabels bool
	// prove says that a tree without counterexample is made a model.
	prove bool
	// constants says that calls are inlined for the values that are known of them.
	constants bool
	// track says which arguments are passed to callees from the start, and refine how more are found.
	track, refine string
	refineCore    bool
}

// Options are the settings of the hunter, by name.
func Options() []engine.Option {
	return []engine.Option{
		{Name: "inline.bound", Kind: "int", Default: "0", Doc: "the largest recursion bound: how often a predicate may occur on a call site's stack; 0 lets it rise for ever"},
		{Name: "inline.start", Kind: "int", Default: "1", Min: 1, Doc: "the recursion bound to begin with; up to a large one, the engine bmc inlines all that there is before it asks for the first time"},
		{Name: "inline.choice", Kind: "string", Default: "mixed", Choices: []string{"mixed", "core", "trace"}, Doc: "which call sites are inlined: those in the core of the under-approximation, those on the counterexample of the over-approximation, or the core's while it is small"},
		{Name: "inline.core-share", Kind: "int", Default: "50", Max: 100, Doc: "how large a part of the open call sites, in percent, a core may have to count as small"},
		{Name: "inline.over-every", Kind: "int", Default: "8", Doc: "rounds after which the over-approximation is asked about although the core is small; it is what proves"},
		{Name: "inline.stingy", Kind: "int", Default: "8", Doc: "how many call sites of one counterexample are inlined at once; of more, only those that are in the core too"},
		{Name: "inline.over-work", Kind: "int", Default: "1000000", Doc: "the work, in Z3's resource units, after which a query of the over-approximation is left for the core's call sites; 0 is no limit"},
		{Name: "inline.arith-solver", Kind: "int", Default: "2", Choices: []string{"2", "6"}, Doc: "Z3's arith.solver in the hunter's queries"},
		{Name: "inline.finite", Kind: "bool", Default: "false", Doc: "whether queries are asked of a solver that makes bits of integers, and gives up where one has no bounds"},
		{Name: "inline.check-limit", Kind: "duration", Default: "60s", Doc: "the longest that one query may take before it is asked of a solver with other settings"},
		{Name: "inline.share", Kind: "string", Default: "none", Choices: []string{"none", "first"}, Doc: "whether a call site gets the first inlined call of its predicate and costs that no derivation uses together with another caller's, or always one of its own"},
		{Name: "inline.direction", Kind: "string", Default: "backward", Choices: []string{"backward", "forward"}, Doc: "where inlining starts in a linear system: at the queries, or at the facts"},
		{Name: "inline.bounded-labels", Kind: "bool", Default: "true", Doc: "whether the labels of trees without counterexample up to the bound, and the atoms of the clauses, are tried as candidates of an induction"},
		{Name: "inline.prove", Kind: "bool", Default: "true", Doc: "whether a model of the clauses is made of a tree that has no counterexample; without one there is only the solver's word for it that there is no bug, up to a bound or at any, and the verdict is unknown"},
		{Name: "inline.constants", Kind: "bool", Default: "false", Doc: "whether variables that have only one value in an inlined call become that value, and arrays are passed on as stores, element by element where the ways of a clause differ; ranges of what is computed from such values decide comparisons, and what a read looks through; forward, loops that are counted by constants end by themselves then"},
		{Name: "inline.track", Kind: "string", Default: trackAll, Doc: "the variables that are tracked from the start, the others' arguments being havocked until a refinement tracks them: all, which is no abstraction at all; none; query for those that a query constrains or that one step computes these from; or names, with commas between, of variables in the source or, as p.i, of argument i, from 0, of the predicate p; names of what preprocessing has removed are ignored"},
		{Name: "inline.refine", Kind: "string", Default: "hierarchical", Choices: []string{"hierarchical", "program", "linear"}, Doc: "how a minimal set of variables to track is found that excludes a spurious counterexample: by halves over Boolean constants in one formula (Alg. 2 of the paper), by halves with a new formula a check (Alg. 1), or by dropping one after the other (STORM's)"},
		{Name: "inline.refine-core", Kind: "bool", Default: "true", Doc: "whether the hierarchical refinement starts from the constants in the proof that a counterexample is spurious, and not from all"},
		{Name: "inline.proof-limit", Kind: "duration", Default: "10s", Doc: "the longest that each label of a model may take when the tree has no counterexample"},
	}
}

func newOptions(s engine.Settings) (options, error) {
	v, err := engine.NewValues(Options(), s.Options)
	if err != nil {
		return options{}, err
	}
	start := max(1, v.Int("inline.start"))
	if bound := v.Int("inline.bound"); bound > 0 {
		start = min(start, bound) // or the bound would be said to be explored
	}
	return options{
		bound: v.Int("inline.bound"), start: start, forward: v.Text("inline.direction") == "forward", sharing: v.Text("inline.share") == "first", choice: v.Text("inline.choice"), share: v.Int("inline.core-share"), overEvery: v.Int("inline.over-every"),
		traceSites: v.Int("inline.stingy"), overWork: uint64(max(0, v.Int("inline.over-work"))), arithSolver: v.Int("inline.arith-solver"), finite: v.Bool("inline.finite"),
		checkLimit: smt.Limit{Time: v.Duration("inline.check-limit")}, proofLimit: smt.Limit{Time: v.Duration("inline.proof-limit")}, boundedLabels: v.Bool("inline.bounded-labels") && v.Bool("inline.prove"), prove: v.Bool("inline.prove"), constants: v.Bool("inline.constants"),
		track: v.Text("inline.track"), refine: v.Text("inline.refine"), refineCore: v.Bool("inline.refine-core"),
	}, nil
}

// Engine is stratified inlining.
func Engine() engine.Engine {
	return newEngine("inline", "Stratified inlining: looks for refutations of growing recursion depth and inlines a call only when an abstract "+
		"counterexample, or the proof that there is none so far, needs it. Finds bugs, and proves what needs no invariant.", (*hunter).stratified)
}

// BMC is static inlining.
func BMC() engine.Engine {
	return newEngine("bmc", "Static inlining, a plain bounded model checker for comparison: inlines everything up to a growing recursion bound.", (*hunter).static)
}

func newEngine(name, doc string, search func(*hunter, context.Context) (engine.Answer, error)) engine.Engine {
	return engine.Engine{
		Name: name, Doc: doc, Options: Options(), Fragment: func(*chc.System) error { return nil },
		Solve: func(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
			o, err := newOptions(s)
			if err != nil {
				return engine.Answer{}, err
			}
			given := sys
			if o.forward && sys.Linear() {
				sys = reversed(sys)
			}
			h, err := newHunter(sys, s, o)
			if err != nil {
				return engine.Answer{}, fmt.Errorf("%s: %w", name, err)
			}
			defer h.close()
			if o.sharing {
				h.startSharing()
			}
			answer, err := search(h, ctx)
			var gaveUp *incomplete
			switch {
			case err != nil && ctx.Err() != nil:
				return engine.Answer{Reason: context.Cause(ctx).Error()}, nil
			case errors.As(err, &gaveUp):
				return engine.Answer{Reason: gaveUp.reason}, nil
			case err != nil:
				return engine.Answer{}, fmt.Errorf("%s: %w", name, err)
			}
			if sys != given {
				answer = back(given, answer)
			}
			return answer, nil
		},
	}
}
