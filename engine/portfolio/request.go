package portfolio

import (
	"log/slog"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// Request is what Solve is asked.
type Request struct {
	System *chc.System
	// Engine names the engine; empty stands for DefaultEngine. Auto with Passes of the request's own is the first engine
	// alone, since strategies choose their passes themselves.
	Engine string
	// Passes are the preprocessing passes as transform.Select reads them, one word each; nil stands for the default
	// passes, and an empty list for none.
	Passes []string
	// Blocks is the block operator of the passes that resolve predicates away, as passes.WithBlocks has it; empty leaves them as they are.
	Blocks string
	// Strategies replace those of strategies.yml where Engine is Auto; nil leaves these.
	Strategies *Table
	// First are passes that run before all others, whatever these are: those that know System itself.
	First []transform.Pass
	// Timeout bounds everything that Solve does; zero means no bound beyond the context's.
	Timeout time.Duration
	// Memory bounds the process's resident memory, in bytes; zero means no bound.
	Memory uint64
	Seed   uint64
	// Check asks for the witness to be checked on System. Without it an answer is as good as the engine.
	Check bool
	// CheckLimit bounds each query of a model's check; its zero time stands for witness.DefaultLimit.
	CheckLimit smt.Limit
	// Simplify is the time that may go into making a model smaller before it is returned; zero leaves it as it is.
	Simplify time.Duration
	// Deterministic has strategies and engines work one at a time, in an order that the work of solvers decides, and bounds parts of the
	// run by work, not by time: the same request has the same answer, witness and counters then, unless Timeout or Memory end it.
	Deterministic bool
	// Spelled asks for a model whose interpretations can be shown, as invariants and contracts are: strategies that answer with
	// witness.Least, which has none, are left out, and it takes the place of another model much later only.
	Spelled bool
	// Repeats says that the refutation may have repeated steps; otherwise they are written out, and where they are too many for that
	// there is no answer.
	Repeats bool
	// Open opens the solvers of the passes and of the engine; nil stands for Z3.
	Open smt.Opener
	// CheckOpen opens the solvers of the check; nil stands for Open.
	CheckOpen smt.Opener
	// Options are the engine's options by name.
	Options map[string]string
	Events  engine.Sink
	// Candidates are formulas without quantifiers over witness.CanonicalParams, for Houdini's pool. They are offered to
	// engines that work on System itself, for which Houdini, named or in the portfolio, has a strategy of its own then unless
	// Passes are given. None need hold.
	Candidates map[*chc.Predicate][]*term.Term
	// Unwound says that System is a program whose loops and calls are written out.
	Unwound bool
	// Log is where failed checks and panics are reported; nil drops them.
	Log *slog.Logger
	// Stats receives the counters of the engine and the time of each phase: time.transform, time.solve,
	// time.translate, time.check and time.simplify. It may be nil.
	Stats *engine.Stats

	// pause lets one of several engines finish; nil where there is one only.
	pause *pause
	// prepared is what the main strategy's passes make of the system; nil where nothing is shared.
	prepared *prepared
	// decided is called when an engine has the answer, before the others of its strategy have ended; it may be nil.
	decided func()
}
