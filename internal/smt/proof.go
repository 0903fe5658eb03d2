package smt

import (
	"iter"

	"hornbeam/chc/term"
)

// The rules that the meaning of a proof depends on. A leaf is one of the check's assumptions, an assertion, a theory lemma
// or tautology, or a hypothesis that a RuleLemma step below discharges.
const (
	RuleAssumption = "assumption"
	RuleAsserted   = "asserted"
	RuleHypothesis = "hypothesis"
	RuleLemma      = "lemma"
	RuleTheory     = "th-lemma"
)

// Proof is a refutation: a DAG of steps down to the conclusion false.
type Proof struct {
	// Nodes has every step after its premises; the last one is the root.
	Nodes []*Node
}

// Node is one step of a proof: the conjunction of the premises' conclusions implies the conclusion.
type Node struct {
	// Index is the step's place in Proof.Nodes.
	Index int
	// Rule is the solver's name of the rule, one of the Rule constants or another word.
	Rule string
	// Params is what a theory lemma (RuleTheory) carries.
	Params TheoryParams
	// Conclusion is nil when it has no translation into terms. Equisatisfiability steps (Skolemisation, normal forms)
	// have the equivalence that the solver wrote.
	Conclusion *term.Term
	Premises   []*Node
}

// TheoryParams are the parameters of a theory lemma.
type TheoryParams struct {
	// Theory is "arith", "array", ...; empty when the step is no theory lemma.
	Theory string
	// Rule is the theory's rule: "farkas", "triangle-eq", "assign-bounds", "gcd-test", ...; may be empty.
	Rule string
	// Nums are the numbers that the solver attached.
	Nums []term.Num
	// Rows are set for a "farkas" or "assign-bounds" lemma whose numbers were verified, and completed where the solver
	// leaves one out. The premises' conclusions come first, in order, then the negated disjuncts of the step's conclusion.
	Rows []FarkasRow
}

// FarkasRow is a literal of a Farkas lemma. The sum of the rows' constraints, each multiplied by its coefficient, has no
// variable and is false.
type FarkasRow struct {
	// Literal implies Constraint. It may look different: the pool simplifies an equation with an if-then-else to the
	// condition, and a bound that always holds to true.
	Literal    *term.Term
	Constraint term.Constraint
	// Coef is not negative, except on an equality.
	Coef term.Num
}

// Root is the last step, whose conclusion is false; nil for an empty proof.
func (p *Proof) Root() *Node {
	if len(p.Nodes) == 0 {
		return nil
	}
	return p.Nodes[len(p.Nodes)-1]
}

// All yields every step, premises before the steps that use them.
func (p *Proof) All() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for _, n := range p.Nodes {
			if !yield(n) {
				return
			}
		}
	}
}
