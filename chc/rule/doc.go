// Package rule brings a system of Horn clauses into the normal form that the engines work on.
//
// # Contract
//
// A predicate p has one tuple of parameters, Predicate.Params, and for each k the tuple of its k-th copy. A rule is a
// clause with all of its variables renamed:
//
//   - its head is the head's predicate over its parameters; queries have the predicate System.Goal, without parameters,
//     for their head;
//   - the k-th atom of a predicate in its body is that predicate over its k-th copy;
//   - Trans, the rule's transition formula, is the clause's constraint together with the equations of parameters and
//     copies with the arguments that the clause has there. Its free variables are parameters of the head, copies of the
//     body's atoms, and locals that no other rule has.
//
// A clause holds under an assignment of its variables exactly when its rule does under the assignment that gives each
// parameter and each copy the value of its argument; Values has a term over the rule's variables for each variable of the
// clause, so that an assignment of the rule's is carried back by Rule.Step. A clause whose Trans is false has no rule.
//
// Parameters are those of witness.CanonicalParams. So a formula that one engine learned of a predicate is the same term in
// all engines, it needs no renaming on its way through engine.Exchange, and System.Model takes it as it is.
//
// Copies belong to occurrences, not to rules: two rules with q in their bodies mention the same variables. What is
// asserted of a copy is then asserted once for all rules of a solver, and a node of a derivation tree, which uses one of
// its predicate's rules, needs one child for each member of Predicate.Slots and not one for each atom of each rule. The
// price is that two rules cannot be assumed together unless one of them is instantiated with variables of its own, for
// which there is Predicate.Instantiate. Tag is a Boolean variable for an engine that asserts several rules in one solver.
//
// A System does not change once it is made, and neither do terms, so several goroutines may use one. What remembers what
// it has done, Renamer and term.Substitution, belongs to one goroutine. To make a System costs one substitution of each
// clause, which is little beside the first query, so each engine makes its own.
//
//	system.go      predicates, rules, and how they are made of clauses
//	instance.go    instances of a predicate's rules, and formulas at other arguments
//	witness.go     models and refutations of the clauses
//	vocabulary.go  the constants, divisors and coefficients that occur in clauses
package rule
