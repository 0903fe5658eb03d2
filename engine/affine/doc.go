// Package affine infers what is always true of sums of a predicate's arguments: the strongest affine equations that are
// inductive (Karr, "Affine Relationships Among Variables of a Program", 1976), together with bounds of arguments and of
// their differences by constants that occur in the clauses. Where clauses multiply, the equations are of polynomials.
//
// Each predicate begins with nothing that is derivable. A solver is asked for an application of a clause, from what the
// predicates of the body allow so far, that leads out of what that of the head allows; what is found is added, by which
// equations and bounds that it breaks go or are weakened, until there is none. So each step is the best one for the whole
// clause, whatever its constraint (the symbolic abstraction of Reps, Sagiv and Yorsh), and a predicate takes no more of
// them than it has arguments and bounds. Loops that have phases are known by equations of each: tuples are told apart by
// atoms on which clauses branch. Where arrays are known by their value at an arbitrary index (chc/transform/cells), they are told apart by whether
// the loop has passed the index. Where numbers wrap around, sums are known modulo 2^width, between bit-vectors, too.
//
//	engine.go      the engine "affine"
//	options.go     its settings
//	infer.go       the fixpoint
//	points.go      derivable points, where equations are of polynomials
//	products.go    linear arithmetic with products, which learns multiples of equations
//	state.go       what is known of one predicate
//	guards.go      what tells tuples apart
//	passed.go      whether numbers have passed each other, such as a loop's counter and an arbitrary index
//	factors.go     the arguments whose products are looked at
//	group.go       the terms that there are equations between
//	space.go       sets of equations
//	congruences.go sets of equations modulo 2^width
//	expand.go      products of sums as sums of products
//	templates.go   what is bounded, and by what
package affine
