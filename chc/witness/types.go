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
	// Definitions are the recursive functions that the interpretations apply, each after those that it applies itself.
	// Most models have none.
	Definitions []Definition
	// Lemmas are properties of Definitions that the proof of some clause needs.
	Lemmas []Lemma
	// Least says that every predicate means what the clauses derive of it; there are no interpretations then.
	Least bool
}

// Definition is a total function over datatypes by structural recursion, such as the length of a list: Func applied to
// Params equals Body, in which Func is applied to fields of the first parameter only, under a test for their constructor. Or the first
// parameter is an integer, and Func is applied to smaller ones only, under a test that bounds it from below.
type Definition struct {
	Func   *term.Func
	Params []*term.Term
	Body   *term.Term
}

// Lemma is a formula that holds for all values of Vars, by induction on the first of them.
type Lemma struct {
	Vars []*term.Term
	Body *term.Term
}

// Step is one ground hyper-resolution step: Clause under Values, from the heads of Premises. Or it repeats such steps, and then it has
// no clause and no values of its own.
type Step struct {
	// Clause is nil when Repeat is not.
	Clause *chc.Clause
	// Values gives every variable of the clause a value.
	Values map[*term.Term]term.Value
	// Terms gives the variables whose value depends on operations that SMT-LIB leaves open, such as (div 1 0), as ground
	// terms over these; their Values are then what term.NewTotalEvaluator yields for them. Such a step holds for every
	// choice of what the operations yield. Most refutations have none.
	Terms map[*term.Term]*term.Term
	// Premises are indices of earlier steps, one per body atom of the clause, in the order of the body.
	Premises []int
	// Repeat has the steps that this one repeats; nil for a single step. Only refutations that were made for loops with many
	// rounds have any; Refutation.Unroll writes them out.
	Repeat *Repeat
}

// Refutation is a DAG of ground steps in topological order; the last one is an instance of a query. It witnesses unsat.
type Refutation struct {
	Steps []Step
}
