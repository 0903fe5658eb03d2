// Package contract makes plain C of SMACK's code contracts: assertions, assumptions, and a main function where a program with
// contracts has none.
package contract

import (
	"slices"

	"hornbeam/frontend/c/tree"
)

// Contract is what code contracts say of a function.
type Contract struct {
	// Requires and Ensures are conditions at the function's beginning and end, Invariants conditions at the heads of its loops.
	Requires, Ensures []tree.Value
	Invariants        []*Invariant
	// Again is a second reading of what Requires and Ensures say, with objects of its own; nil if nothing was read twice.
	Again *Contract
	// Saved declares the objects that old(...) stands for: what it was when the function began.
	Saved []*tree.Declare
	// Result is what result() stands for, nil if nothing asks for it.
	Result *tree.Object
}

// Conditions are those of the contract, invariants last.
func (c *Contract) Conditions() []tree.Value {
	out := slices.Concat(c.Requires, c.Ensures)
	if c.Again != nil {
		out = append(out, c.Again.Conditions()...)
	}
	for _, i := range c.Invariants {
		out = append(out, i.Condition)
		if i.Assumed != nil {
			out = append(out, i.Last, i.Assumed)
		}
	}
	return out
}

// Invariant is a condition about a loop, and the expression that stands in its place. One without a loop is asserted in its place.
type Invariant struct {
	Condition tree.Value
	// Last and Assumed are further readings of the condition; nil if it was read once.
	Last, Assumed tree.Value
	Loop          tree.Statement
	Place         *tree.Comma
}

// Contracts are those of a program.
type Contracts struct {
	Functions map[*tree.Function]*Contract
	// Assigns is what functions may change, of those with clauses that list it.
	Assigns map[*tree.Function]*tree.Assigns
	// Quantifiers says of each quantified condition whether it is about all values of its variable, or about some value.
	Quantifiers map[*tree.StatementValue]bool
}

func (c *Contracts) quantifier(v *tree.StatementValue) bool { _, ok := c.Quantifiers[v]; return ok }
