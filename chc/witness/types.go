package witness

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
)

// Interpretation is the meaning of one predicate in a Model: the set of argument tuples for which Body holds. Body is
// over Params only (distinct variables of the argument sorts).
type Interpretation struct {
	Params []*term.Term
	Body   *term.Term
}

// Model interprets every predicate of a system; it witnesses sat.
type Model struct {
	Interpretations map[*chc.Predicate]Interpretation
}

// Step is one ground hyper-resolution step: Clause under Values, from the heads of Premises.
type Step struct {
	Clause *chc.Clause
	// Values gives every variable of the clause a value.
	Values map[*term.Term]term.Value
	// Premises are indices of earlier steps, one per body atom of the clause, in the order of the body.
	Premises []int
}

// Refutation is a DAG of ground steps in topological order; the last one is an instance of a query. It witnesses unsat.
type Refutation struct {
	Steps []Step
}
