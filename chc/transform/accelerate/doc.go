// Package accelerate adds shortcuts through loops: clauses that do many rounds of a self-loop at once.
//
// A self-loop is a clause whose head's predicate is in its body. From a path through its constraint, a cube of literals, the pass
// takes a direction: what a round adds to each number among the arguments, a constant. Arguments that are not numbers stay as they
// are, and what the clause leaves open is chosen so, and the same in each round. A literal that is linear along the direction
// holds in all rounds when it holds in the first and in the last one. So
//
//	P(x) and n >= 1 and path(x) and path(x + (n-1) d) => P(x + n d)
//
// follows from the clause, by induction on n. This is the acceleration of conjunctive loops by their monotone conditions of Frohn
// and Giesl ("Proving non-termination and lower runtime bounds with LoAT", "ADCL: Acceleration Driven Clause Learning for
// Constrained Horn Clauses").
//
// What is added follows from the other clauses, so the models of the result are models of the clauses before. A step with a
// shortcut becomes its rounds when there are few, and otherwise a repeated step of the refutation.
package accelerate
