package transform

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
)

// Place is an argument of a predicate, by its position.
type Place struct {
	Predicate *chc.Predicate
	Position  int
}

// Local is a variable of a clause, by the clause's index.
type Local struct {
	Clause   int
	Variable *term.Term
}

// Polarity says where a formula stands: where its truth helps to make the whole true, where its falsity does, or either way.
type Polarity int

const (
	Positive Polarity = 1
	Negative Polarity = -1
	Either   Polarity = 0
)

// Visit is a formula in a polarity, which a walk visits once.
type Visit struct {
	Formula  *term.Term
	Polarity Polarity
}
