// Package alethe prints refutations as proofs in the Alethe format [Barbosa et al.: The Alethe Proof Format], by rules that its checker
// Carcara has, from the assertions as the script writes them.
//
// Each step of a refutation instantiates its assertion (forall_inst), makes a clause of it (implies, or), discharges the literals of the
// body with the facts of its premises and by evaluation (cong, evaluate, and_neg, or_neg, equiv1, equiv2), and resolves to the fact.
//
//	alethe.go      the steps of a refutation
//	formula.go     formulas as the script writes them
package alethe
