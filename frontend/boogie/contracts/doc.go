// Package contracts proves Boogie programs by the contracts and loop invariants that are written in them.
//
// Every procedure that the entries reach is verified by itself: a call of another one is replaced by its contract, a
// loop by its invariants, and every assertion, precondition, postcondition and invariant is an obligation. A solver
// has to refute the negation of each. Quantifiers are left to the solver, with the patterns that the program asks for. When
// all obligations are proved, no run of the program fails: by induction over the length of runs, contracts and invariants
// hold wherever a run comes to them. They are the witness of that proof, and the obligations its check.
//
// An obligation that is not proved need not be violated: contracts may be too weak, and the solver may not decide it.
//
// Constants marked {:existential true} are candidates, as in Houdini [Flanagan, Leino: Houdini, an annotation assistant for
// ESC/Java, FME 2001]: all are taken to be true, and those that guard something that cannot be proved become false until
// everything is proved that they guard. So are specifications and assertions marked {:candidate}, each by itself; those that
// are checked nowhere, as preconditions of entries are, are dropped at once, since runs need not respect them.
//
// Candidates are dropped in rounds. A round looks at those procedures again only that candidates were dropped for, or that may come to
// such a procedure by calls.
//
//	formula.go  the formulas whose refutation proves an obligation
//	functions.go functions as uninterpreted functions of the solver
//	rounds.go   the rounds in which candidates are dropped
//	verify.go   what is verified, and one obligation
package contracts
