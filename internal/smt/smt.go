package smt

import (
	"context"
	"errors"
	"time"

	"hornbeam/chc/term"
)

// Status is the answer of one check.
type Status uint8

// The three answers of a solver.
const (
	Unknown Status = iota
	Sat
	Unsat
)

// String returns the SMT-LIB word of the status.
func (s Status) String() string {
	switch s {
	case Sat:
		return "sat"
	case Unsat:
		return "unsat"
	default:
		return "unknown"
	}
}

// ErrClosed is returned by a solver whose context was closed.
var ErrClosed = errors.New("solver context is closed")

// ErrNoProofs is returned by Proof when the context was opened without proofs.
var ErrNoProofs = errors.New("solver context does not produce proofs")

// ErrNoValue is wrapped by the error of Model where a value is none that terms have: an irrational number, or what a selector yields
// that does not belong to its argument's constructor.
var ErrNoValue = errors.New("a value of the solver's model is unsupported")

// ErrProcess is wrapped by errors of a solver that runs as a process, where that ended, or answered what is no answer.
var ErrProcess = errors.New("the solver's process failed")

// Config says how a Context is opened.
type Config struct {
	// Proofs makes every check record a proof; it slows every check.
	Proofs bool
	// Seed is the solver's random seed.
	Seed uint64
	// Count makes Stats tell Resources, which costs some microseconds a check.
	Count bool
}

// Params are a solver's settings; they may be changed between checks.
type Params struct {
	// ArithSolver is Z3's arith.solver: 2 (old simplex, Farkas proofs) or 6; 0 leaves the default.
	ArithSolver int
	// IgnoreInt relaxes integers to rationals: unsat stays sound, sat becomes unknown.
	IgnoreInt bool
	// WeakArrays asks for the weak array theory: unsat stays sound, sat becomes unknown.
	WeakArrays bool
	// Matching makes instances of quantifiers by patterns only: unsat stays sound, and what is not refuted is unknown soon.
	Matching bool
	// Auto lets the solver choose tactics (Z3_mk_solver) instead of the plain incremental core.
	Auto bool
	// Finite makes bits of integers that assertions bound, for a SAT solver: it is for puzzles over small ranges. Where
	// something else occurs, an integer without bounds too, the answer is unknown, soon as a rule.
	Finite bool
	// Blast makes bits of bit-vectors, for a SAT solver, and nothing else: of large formulas it decides other ones than Auto does. Where
	// something else than bit-vectors and truth values occurs, the answer is unknown.
	Blast bool
}

// Tactics reports whether a check begins anew each time, with all that was asserted, instead of going on with what was learnt.
func (p Params) Tactics() bool { return p.Auto || p.Blast }

// Limit bounds each check. Zero means no bound.
type Limit struct {
	// Time is processor time, where the system tells it: a check has as much of it on a busy machine.
	Time time.Duration
	// Resources is the solver's own deterministic work counter (Z3's rlimit).
	Resources uint64
	// Whole says that a check within the limit is short enough for others to wait for its end.
	Whole bool
}

// Stats counts what a Context has done so far.
type Stats struct {
	Checks  int
	Sat     int
	Unsat   int
	Unknown int
	// InCheck is the wall time spent inside checks.
	InCheck time.Duration
	// Resources is the solvers' work up to the end of the last check, by their own deterministic counters, if the Context counts it.
	Resources uint64
}

// Record counts one check with its answer and the time that it took.
func (s *Stats) Record(status Status, elapsed time.Duration) {
	s.Checks++
	s.InCheck += elapsed
	switch status {
	case Sat:
		s.Sat++
	case Unsat:
		s.Unsat++
	default:
		s.Unknown++
	}
}

// Context owns solvers that share one underlying solver context. It belongs to one goroutine; only the context.Context
// handed to Check may be cancelled from another.
type Context interface {
	// NewSolver opens a solver; the caller closes it (closing the Context closes all).
	NewSolver(Params) (Solver, error)
	// SetPatterns says which terms make instances of a universal quantifier, before it is asserted: for each pattern, those
	// under which its terms, which are applications that mention all bound variables together, occur among what is asserted.
	// A solver may ignore them.
	SetPatterns(q *term.Term, patterns [][]*term.Term)
	Stats() Stats
	Close()
}

// Opener opens Contexts: the factory that engines are handed, so that they do not name a binding.
type Opener func(*term.Pool, Config) (Context, error)

// Solver is one incremental assertion stack.
type Solver interface {
	// Assert adds Boolean terms to the current scope.
	Assert(ts ...*term.Term) error
	Push() error
	Pop() error
	// Check decides the assertions together with the assumptions, which may be any Boolean terms. Cancelling ctx
	// interrupts the check within 200 ms, and the status is Unknown with ctx's error. An error means that the solver
	// failed; an ordinary unknown has a nil error and a ReasonUnknown.
	Check(ctx context.Context, assumptions ...*term.Term) (Status, error)
	// Core returns, after Unsat, those of the assumptions that the refutation used, in the order they were given.
	Core() []*term.Term
	// Model returns, after Sat (and after Unknown when the solver offers one), the constants' values; constants that
	// the solver left open are absent. The error may wrap ErrNoValue.
	Model() (*Model, error)
	// Proof returns, after Unsat in a Context with proofs, the refutation.
	Proof() (*Proof, error)
	ReasonUnknown() string
	SetLimit(Limit)
	SetParams(Params) error
	Close()
}
