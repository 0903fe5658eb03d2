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
	// Assigns are the places that the function may change, as a clause lists them; nil if none does.
	Assigns []string
	// Saved declares the objects that old(...) stands for: what it was when the function began.
	Saved []*tree.Declare
	// Result is what result() stands for, nil if nothing asks for it.
	Result *tree.Object
}

// Conditions are those of the contract, invariants last.
func (c *Contract) Conditions() []tree.Value {
	out := slices.Concat(c.Requires, c.Ensures)
	for _, i := range c.Invariants {
		out = append(out, i.Condition)
	}
	return out
}

// Invariant is a condition about a loop, and the expression that stands in its place. One without a loop is asserted in its place.
type Invariant struct {
	Condition tree.Value
	Loop      tree.Statement
	Place     *tree.Comma
}

// Contracts are those of a program.
type Contracts struct {
	Functions map[*tree.Function]*Contract
	// Quantifiers says of each quantified condition whether it is about all values of its variable, or about some value.
	Quantifiers map[*tree.StatementValue]bool
}

func (c *Contracts) quantifier(v *tree.StatementValue) bool { _, ok := c.Quantifiers[v]; return ok }
