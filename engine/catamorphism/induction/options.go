package induction

import "time"

// Options are the bounds of a prover's work; whoever uses it has them in a table of options.
type Options struct {
	// QueryTime is the longest that one query may take.
	QueryTime time.Duration
	// Readings bounds the ways in which the predicates of one component are read as functions.
	Readings int
	// Symbols, Terms and Equations bound an exploration: function applications in one side of an equation, terms of one
	// sort with the same number of symbols, and equations that are tried.
	Symbols, Terms, Equations int
}

// Limits that nobody needs to set.
const (
	// mostInvariantCandidates bounds the equalities and disequalities that are tried as invariants.
	mostInvariantCandidates = 200
	// mostVariables is the number of variables of each sort in the equations that are looked for.
	mostVariables = 3
	// assignments is how many of them tell terms apart, and trials how many more refute conjectures.
	assignments = 32
	trials      = 300
	// mostApplications and mostDepth bound what one assignment computes: powers of powers are not looked at.
	mostApplications = 200_000
	mostDepth        = 300
	// aloneShare is by how much the queries are shorter by which a goal is tried with one lemma.
	aloneShare = 4
	// mostRivals bounds the terms that a larger one is compared with.
	mostRivals = 3
)
