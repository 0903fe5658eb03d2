package verify

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/ledger"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/boogie/proof"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/report"
	"hornbeam/frontend/trace"
	"hornbeam/internal/smt/z3"
	"hornbeam/internal/work"
)

// Request is what Program is asked.
type Request struct {
	// File is what positions call the program, Source its text.
	File   string
	Source []byte
	// Units are the files that make up a C program, where these are several or have options of their own: File and Source are those
	// of the first then. The options that Options have are read behind a unit's own.
	Units []c.Unit
	// Language is that of the program, one of engine.Programs.
	Language engine.Languages
	Options  Options
	// Solver says how clauses are decided: engine, passes, solvers, limits. Its System is set by the rounds.
	Solver portfolio.Request
	// alone is the function of a C program that is to be proved by itself; empty for the program.
	alone string
	// Decide decides clauses for a strategy; nil stands for portfolio.Decide. It is called by several goroutines at once.
	Decide func(ctx context.Context, strategy string, req portfolio.Request) portfolio.Witness
}

// Result is what is found out about a program.
type Result struct {
	engine.Answer
	// Trace is the run that fails, when there is one to be shown.
	Trace *trace.Trace
	// Obligation is the one that is not proved where procedures are verified by their contracts, and Modular what is known of
	// each procedure then.
	Obligation string
	Modular    *Modular
	// Representation is the one of a C program that the answer is for.
	Representation string
	// Property is the name of what was asked about a C program, and Fault the fault that an unsafe one has. Properties have the
	// results of each property where several were asked.
	Property   string
	Fault      fault.Kind
	Properties []*Result
	// Checks are the results of each check where that was asked, by their places.
	Checks []Check
	// Assumptions are what the verdict assumes, Notes what else is to be said of it, a line each.
	Assumptions []ledger.Entry
	Notes       []string
	// Proof is what a proof shows, when that was asked for.
	Proof *Proof
	// C is the program, for its witness and its harness; nil in other languages.
	C *C
	// beyond are the places that runs go on at beyond the bound of --unwind, where that is why the verdict is unknown.
	beyond []string
	// SVLIB has what is known of each verify-call of a script in SV-LIB; nil in other languages.
	SVLIB []Call
}

// Word is the verdict as it is printed: safe, unsafe or unknown.
func (r *Result) Word() string {
	switch r.Verdict {
	case engine.Sat:
		return "safe"
	case engine.Unsat:
		return "unsafe"
	}
	return "unknown"
}

// unknown is a result without a verdict.
func unknown(reason string) *Result {
	return &Result{Answer: engine.Answer{Reason: engine.OneLine(reason)}}
}

// AnnotatedFile is a file of a program, with what holds at its places.
type AnnotatedFile struct {
	Name string
	Text []byte
}

// Proof is what a proof says at the places of a program.
type Proof struct {
	Text   []byte
	Places []proof.Place
	// Annotated is the program with what holds at its procedures and loops, and About says what that is. Unconfirmed says what keeps
	// the contracts and invariants there from being verified; empty where they are, or are comments.
	Annotated          []byte
	About, Unconfirmed string
	// Files are the files of an annotated C program, the first one, which Annotated is, first.
	Files []AnnotatedFile
	// Dropped says what of the proof the language has no words for, Reasons why, place by place, and Omitted what Annotated leaves
	// out beside that.
	Dropped []string
	Reasons []string
	Omitted string
	// Insertions put what the proof says into the program's text, in the order of that, and behind that into files that it includes, in the
	// order of their names.
	Insertions []Insertion
}

// OptionError says that an option does not go with the program.
type OptionError struct{ message string }

func (e *OptionError) Error() string { return e.message }

func optionError(format string, args ...any) error { return &OptionError{fmt.Sprintf(format, args...)} }

// prepared is a program that was read, in some language.
type prepared interface {
	// decide decides the program.
	decide(ctx context.Context) (*Result, error)
	// clauses are those of its first round.
	clauses(ctx context.Context) (*chc.System, error)
}

// languages are the ways of programs, by their language.
var languages = map[engine.Languages]func(context.Context, Request) (prepared, error){
	engine.Boogie: readBoogie,
	engine.C:      readProperties,
	engine.SVLIB:  func(_ context.Context, r Request) (prepared, error) { return readSVLIB(r) },
}

// Program decides a program. An error is one of the input, or an *OptionError; whatever else goes wrong is an Unknown result with a
// reason in one line.
func Program(ctx context.Context, req Request) (*Result, error) {
	if req.Solver.Deterministic && work.Of(ctx) == nil {
		ctx = work.Alone(ctx)
	}
	p, err := read(ctx, req)
	if p == nil {
		return Unread(ctx, err)
	}
	return p.decide(ctx)
}

// Clauses reads a program and returns the clauses that the first round decides.
func Clauses(ctx context.Context, req Request) (*chc.System, error) {
	p, err := read(ctx, req)
	if err != nil {
		return nil, err
	}
	return p.clauses(ctx)
}

func read(ctx context.Context, req Request) (prepared, error) {
	start := time.Now()
	defer func() { req.Solver.Stats.AddTime("time.read", time.Since(start)) }()
	reader, ok := languages[req.Language]
	if !ok {
		return nil, fmt.Errorf("%s are not verified", req.Language)
	}
	p, err := reader(ctx, req)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Unread is the result for a program that was not read: what is not supported and what was not finished are no wrong input.
func Unread(ctx context.Context, err error) (*Result, error) {
	switch {
	case errors.Is(err, report.ErrUnsupported):
		return unknown(err.Error()), nil
	case ctx.Err() != nil:
		return unknown(portfolio.EndReason(ctx) + " while reading"), nil
	}
	return nil, err
}

// withDefaults fills in what a request may leave open.
func (r Request) withDefaults() Request {
	if r.Solver.Log == nil {
		r.Solver.Log = slog.New(slog.DiscardHandler)
	}
	if r.Solver.Engine == "" {
		r.Solver.Engine = portfolio.DefaultEngine
	}
	r.Solver.Blocks = r.Options.clauseBlocks()
	r.Solver.Spelled = r.Solver.Spelled || r.Options.Proof || r.Options.Annotate || r.Options.Witness
	if r.Solver.Open == nil {
		r.Solver.Open = z3.Open
	}
	if r.Solver.Deterministic {
		r.Solver.Open = portfolio.Paced(r.Solver.Open)
	}
	if r.Decide == nil {
		r.Decide = func(ctx context.Context, _ string, req portfolio.Request) portfolio.Witness {
			return portfolio.Decide(ctx, req)
		}
	}
	return r
}

// solver decides the clauses of a strategy.
func (r Request) solver(strategy string) solver {
	return func(ctx context.Context, c portfolio.Request) portfolio.Witness {
		sys := c.System
		if strategy != "only" {
			c.Stats = c.Stats.Part(strategy)
			defer c.Stats.End()
		}
		r.Solver.Log.Info("read", "file", r.File, "predicates", len(sys.Predicates), "clauses", len(sys.Clauses), "linear", sys.Linear(), "strategy", strategy)
		w := r.Decide(ctx, strategy, c)
		r.Solver.Log.Info("answered", "strategy", strategy, "model", w.Model != nil, "refutation", w.Refutation != nil, "engine", w.Engine)
		return w
	}
}
