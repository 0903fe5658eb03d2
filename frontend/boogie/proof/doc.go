// Package proof shows the proof of a Boogie program in the program's own language.
//
// A proof is a model of the program's clauses: for each predicate a formula over what its arguments stand for. Two steps
// lead back to the program. The first, Claims, says what the model claims where: of a procedure what its callers are held
// to and what it ensures, of a loop's head what is invariant there. Its formulas are terms over named variables, which
// front ends of other languages can write in theirs. The second writes them as Boogie: Places shows them where they hold,
// and Annotate makes them contracts and invariants of the program, which can then be verified procedure by procedure.
//
// What callers are held to is that the procedure cannot fail: the negation of its failure predicate. What it ensures is
// its summary. Entries are held to what they require already, and procedures that no run reaches to false.
//
//	claims.go      the model to claims
//	places.go      the procedures that runs reach, and the heads of their loops
//	express.go     formulas to conditions, and what cannot be written
//	simplify.go        the same in fewer words
//	reduce.go          fewer parts, which a solver proves the same
//	rename.go      names of locals that hide others
//	logic.go       connectives and quantifiers
//	arithmetic.go  numbers, and values of uninterpreted types
//	maps.go        maps, and the functions that became maps
//	datatypes.go   datatypes, records, and polymorphic maps, which are maps for some types
//	bitvectors.go  bit-vectors
//	typing.go      the types of terms
//	limits.go      the limits of a condition
//	share.go       let expressions for what occurs often
//	annotate.go    conditions into the program
//	inplace.go     conditions into its text
//	list.go        conditions as text
//	guess.go       candidates for invariants from a procedure's text
package proof
