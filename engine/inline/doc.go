// Package inline is the bug hunter: bounded search for refutations by inlining call sites (body atoms) below the queries,
// in one incremental solver that is asked with assumptions.
//
// The engine "inline" is stratified inlining, Fig. 2 of "A Solver for Reachability Modulo Theories", on clauses: a call
// site is a body atom with its stack of predicates, it is inlined when an abstract counterexample or a proof that there
// is none so far needs it, and the recursion bound rises when only sites beyond it are left. It also proves: when
// nothing that was blocked is needed, a model of the clauses is read off the inlined tree; and what is inductive of the
// proofs up to a bound may exclude the queries. With inline.track all this is done on an abstraction of the clauses, in
// which only some arguments are passed from callers to callees, and which is refined where its counterexamples are
// spurious (Sect. 3 of the paper). The engine "bmc" is static inlining, for comparison: everything up to the
// bound is inlined before a question is asked. The engine "kinduction" is that of clauses which assume that no query is violated in a
// body, so that what shows that a bound was enough is the inductive step of k-induction.
//
//	engine.go      the engines inline, bmc and kinduction
//	options.go     settings and limits
//	program.go     clauses in the form that is instantiated at a call site
//	instance.go    instances of these, for the values that are known of them
//	stores.go      arrays that some cases of a clause change and others do not, element by element
//	ranges.go      ranges of what instances compute from values that are known of them
//	tree.go        the partially inlined program: nodes, call sites, and what the solver has of them
//	search.go      the loop of Fig. 2, driven by the cores of its first query
//	static.go      eager inlining up to the bound, and the base and step of k-induction
//	query.go       the checks of both, their retries, counters and events
//	groups.go      the argument positions that carry one variable of the program
//	track.go       variable abstraction: which of them callers pass to callees
//	slice.go       what is left of a rule for the tracked ones
//	concretise.go  whether a counterexample of an abstraction is one of the clauses, and a minimal set of variables to track when not
//	path.go        the formula of one derivation under any abstraction
//	derivation.go  derivations in a model, and refutations from them
//	proof.go       a model of the clauses from a tree that has no counterexample
//	post.go        labels of unrollings from the facts: what is known and compares at their calls
//	label.go       labels of large trees, by halves
//	share.go       call sites that share an inlined call
//	graph.go       labels of shared calls
//	induction.go   candidates for summaries, from labels and from the clauses, and what of them is inductive
//	bounded.go     candidates from trees that have no counterexample up to the bound
//	exchange.go    lemmas from and for the engines that work on the same clauses
package inline
