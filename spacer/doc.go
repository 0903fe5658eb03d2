// Package spacer is the prover: it decides constrained Horn clauses with may summaries (lemmas at levels, over-
// approximations of a predicate) and must summaries (reach facts, under-approximations), following Alg. 1 of
// "Compositional Verification of Procedural Programs using Horn Clauses over Integers and Arrays".
//
// A predicate's rules, lemmas and reach facts are written over one fixed tuple of variables, its head copy; a body atom
// at position i of a rule speaks over the predicate's i-th body copy. Each predicate owns one incremental solver that
// answers "is this cube reachable in at most k steps, given the frames?".
//
//	problem.go     rules and predicates in that form
//	frame.go       a predicate's solver: rules, lemmas by level, must summaries
//	obligation.go  proof obligations and their queue (Candidate, Leaf)
//	block.go       the search for a counterexample (DecideMust, DecideMay, Successor, Conflict)
//	reach.go       reach facts (must summaries)
//	lemma.go       lemmas (may summaries)
//	generalise.go  from a blocked cube to a lemma
//	propagate.go   pushing lemmas to higher levels (Induction, Unfold, Safe)
//	ground.go      a refutation from reach facts (Unsafe)
//	exchange.go    lemmas at infinity from and for the engines that work on the same clauses
package spacer
