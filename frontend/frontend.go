package frontend

import (
	"context"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
)

// Strategy is one way to decide a program. Several run side by side; see package verify.
type Strategy[A Attempt] struct {
	Name string
	// After is how long the strategies before this one have the machine to themselves. It starts earlier when none of them is
	// left.
	After time.Duration
	// Conditional says that a proof may rest on an assumption that the attempt names.
	Conditional bool
	// Discharges says that the strategy starts only when there is a conditional proof, to prove its assumption.
	Discharges bool
	// Main says that the strategy's reasons and errors count where no strategy has an answer. A conditional proof starts it
	// before its time, since its own proof is free of the assumption.
	Main bool
	// Turns says that of the strategies of which this is true one works at a time, in turns.
	Turns bool
	// Share is, where runs are to repeat and strategies do not take turns, how much of the work is the strategy's, compared with 1, which 0
	// stands for.
	Share float64
	// Begin makes an attempt. Its errors are those of the program: a construct that is not supported, a missing entry.
	Begin func(ctx context.Context) (A, error)
}

// Clauses is what is to be decided in one round.
type Clauses struct {
	System *chc.System
	// Candidates are formulas without quantifiers over witness.CanonicalParams that are worth a try as invariants.
	Candidates map[*chc.Predicate][]*term.Term
	// Unwound says that they are those of a program whose loops and calls are written out, which is one formula.
	Unwound bool
	// First are passes that know System and run before all others.
	First []transform.Pass
	// Engine is the only one that is worth a try, with its settings unless the request has others; empty is all of them.
	Engine  string
	Options map[string]string
}

// Step is the result of a round for the program.
type Step uint8

// The steps: Stop is an end without an answer, Again another round with clauses that are more precise.
const (
	Stop Step = iota
	Again
	Safe
	Unsafe
)

// Finding is what a round found out about the program.
type Finding struct {
	Step Step
	// Reason says in one line why there is no answer.
	Reason string
	// Internal says that this is a fault of Hornbeam's.
	Internal bool
}

// Attempt is a program under one strategy. It is used by one goroutine.
type Attempt interface {
	// Clauses encodes the program for the next round.
	Clauses(ctx context.Context) (*Clauses, error)
	// Proved takes a model of the last round's clauses.
	Proved(m *witness.Model) Finding
	// Refuted takes a refutation of the last round's clauses.
	Refuted(ctx context.Context, r *witness.Refutation) Finding
	// Open takes the reason why the last round's clauses are undecided, and returns the reason for the program.
	Open(reason string) string
}
