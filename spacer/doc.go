// Package spacer is the prover: it decides constrained Horn clauses with may summaries (lemmas at levels, over-
// approximations of a predicate) and must summaries (reach facts, under-approximations), following Alg. 1 of
// "Compositional Verification of Procedural Programs using Horn Clauses over Integers and Arrays".
//
// The clauses are in the normal form of package rule: lemmas and reach facts are over a predicate's parameters, body atoms
// over its copies. Each predicate owns one incremental solver that answers "is this cube reachable in at most k steps,
// given the frames?".
//
//	engine.go      the engines spacer and gpdr
//	options.go     their settings and limits
//	prover.go      one run on a system: the outer loop over levels
//	problem.go     predicates with what the prover knows of them
//	frame.go       a predicate's solver: rules, lemmas by level, must summaries
//	obligation.go  proof obligations and their queue (Candidate, Leaf)
//	block.go       the search for a counterexample (DecideMust, DecideMay, Successor, Conflict)
//	gpdr.go        derivations, which GPDR keeps in place of must summaries
//	reach.go       reach facts (must summaries)
//	lemma.go       lemmas (may summaries)
//	generalise.go  from a blocked cube to a lemma
//	arrays.go      equalities between whole arrays for those of single cells
//	congruence.go  congruences for equalities over integers
//	forever.go     lemmas at infinity that dropping literals does not lead to
//	carried.go     what holds of one element, said of all
//	gaps.go        cubes without gaps between two bounds, where bounds drift from level to level
//	propagate.go   pushing lemmas to higher levels (Induction, Unfold, Safe)
//	ground.go      a refutation from reach facts (Unsafe)
//	exchange.go    lemmas at infinity from and for the engines that work on the same clauses
package spacer
