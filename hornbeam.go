// Package hornbeam decides constrained Horn clauses, and the programs that are encoded as them, with a checked witness for each
// answer. It is the library behind the command of the same name; whoever needs more than it has finds the parts in the packages
// that docs/architecture.md walks through.
//
//	clauses, err := hornbeam.Read("counter.smt2", text)
//	answer := hornbeam.Solve(ctx, clauses, hornbeam.Options{Timeout: 10 * time.Second})
//	fmt.Println(answer.Verdict, answer.Reason)
//
// A program that uses it links libz3, as the command does.
package hornbeam

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/report"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
	"hornbeam/verify"
)

// Verdict is an answer in a word. Sat and Unsat are about clauses, Safe and Unsafe, which are the same, about programs.
type Verdict = engine.Verdict

// The verdicts: Sat and Safe come with a model, Unsat and Unsafe with a refutation or a run, Unknown with a reason.
const (
	Unknown = engine.Unknown
	Sat     = engine.Sat
	Unsat   = engine.Unsat
	Safe    = engine.Sat
	Unsafe  = engine.Unsat
)

// ErrUnsupported is wrapped by the errors for input that is legal, and that Hornbeam does not decide.
var ErrUnsupported = errors.New("unsupported")

// ErrRefused is wrapped by the error of Check for a witness that is wrong, ErrUndecided by that for one of which it could not be
// said.
var (
	ErrRefused   = witness.ErrInvalid
	ErrUndecided = witness.ErrUndecided
)

// Options say how something is decided. The zero value decides without limits, by the portfolio, and checks the witness.
type Options struct {
	// Engine names an engine, or several separated by commas; "" is the portfolio.
	Engine string
	// Timeout bounds the wall time and Memory the process's resident memory in bytes; 0 is no limit.
	Timeout time.Duration
	Memory  uint64
	// Seed is that of the solver's random choices.
	Seed uint64
	// SideBySide has strategies and engines work at the same time, which is faster where cores are idle. Without it runs repeat: the
	// same input and options have the same answer and witness, however busy the machine is.
	SideBySide bool
	// NoCheck leaves the witness unchecked.
	NoCheck bool
	// Settings are engines' settings by name, and Program options of a program, as hornbeam options lists them: "bits": "ranged".
	Settings, Program map[string]string
	// Log receives messages; nil drops them.
	Log *slog.Logger
}

// Clauses are a system of constrained Horn clauses.
type Clauses struct {
	script *smtlib.Script
}

// Read reads Horn clauses in SMT-LIB; name is what messages call the text. An error names line and column; it wraps ErrUnsupported
// where the script is legal and beyond Hornbeam.
func Read(name string, text []byte) (*Clauses, error) {
	script, err := smtlib.Read(name, text, term.NewPool())
	if errors.Is(err, smtlib.ErrUnsupported) {
		return nil, fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	if err != nil {
		return nil, err
	}
	return &Clauses{script}, nil
}

// FromSystem takes clauses that were built with packages chc and chc/term. Check reads witnesses of them where their sorts are Bool,
// Int, Real, bit-vectors and arrays of these.
func FromSystem(sys *chc.System) *Clauses {
	return &Clauses{&smtlib.Script{System: sys, Declared: sys.Predicates}}
}

// System returns the clauses as packages chc and chc/term have them.
func (c *Clauses) System() *chc.System { return c.script.System }

// Answer is what was found out about clauses.
type Answer struct {
	Verdict Verdict
	// Reason says in one line why the verdict is Unknown; Internal says that it is because of a fault of Hornbeam's.
	Reason   string
	Internal bool
	// Engine and Strategy say who found it.
	Engine, Strategy string
	// Model and Refutation are the witness: the one of Sat, or the one of Unsat.
	Model      *witness.Model
	Refutation *witness.Refutation

	clauses *Clauses
}

// Witness is the model or the refutation in SMT-LIB, in the form that Check reads; empty where there is none.
func (a *Answer) Witness() (string, error) {
	var b bytes.Buffer
	var err error
	switch {
	case a.Model != nil:
		err = witness.PrintModel(&b, a.clauses.script.DeclaredSystem(), a.Model)
	case a.Refutation != nil:
		err = witness.PrintRefutation(&b, a.clauses.script.System, a.Refutation)
	}
	return b.String(), err
}

// request says how clauses are decided.
func (o Options) request() portfolio.Request {
	return portfolio.Request{
		Engine: o.Engine, Timeout: o.Timeout, Memory: o.Memory, Seed: o.Seed, Deterministic: !o.SideBySide, Check: !o.NoCheck, Open: z3.Open, Options: o.Settings,
		Log: o.Log, Stats: engine.NewStats(),
	}
}

// validate reports a setting that no engine has, or whose value it does not allow.
func (o Options) validate() error {
	for name, value := range o.Settings {
		setting, known := portfolio.Setting(name)
		if !known {
			return fmt.Errorf("no engine has a setting %q", name)
		}
		if err := setting.Validate(value); err != nil {
			return err
		}
	}
	return nil
}

// Solve decides clauses. Whatever goes wrong, an unknown engine or the end of ctx included, is an Unknown answer with a reason.
func Solve(ctx context.Context, c *Clauses, o Options) *Answer {
	if err := o.validate(); err != nil {
		return &Answer{Reason: err.Error(), clauses: c}
	}
	req := o.request()
	req.System, req.Repeats = c.script.System, true
	a := portfolio.Solve(ctx, req)
	out := &Answer{Verdict: a.Verdict, Reason: a.Reason, Internal: a.Internal, Engine: a.Engine, Strategy: a.Strategy, clauses: c}
	switch a.Verdict {
	case Sat:
		out.Model = a.Model
	case Unsat:
		out.Refutation = a.Refutation
	}
	return out
}

// Check checks a printed witness of clauses: a model by proving each clause, a refutation by evaluating it. The error wraps ErrRefused
// for a witness that is wrong and ErrUndecided where that could not be said; other errors are those of the text.
func Check(ctx context.Context, c *Clauses, name string, text []byte) error {
	model, refutation, err := smtlib.ReadWitness(name, text, c.script)
	if err != nil {
		return err
	}
	if model == nil {
		return witness.CheckRefutation(ctx, c.script.System, refutation)
	}
	return witness.CheckModel(ctx, z3.Open, c.script.System, model, smt.Limit{})
}

// Result is what was found out about a program: the verdict with its reason, the run that fails, what the verdict assumes.
type Result = verify.Result

// Verify decides a program, whose language its name says: Boogie for .bpl, C for .c and .i,
// SV-LIB for .svlib. An error is one of the program or of an
// option; a program that is legal and beyond Hornbeam is Unknown, with the reason.
func Verify(ctx context.Context, name string, text []byte, o Options) (*Result, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	language, ok := map[string]engine.Languages{".bpl": engine.Boogie, ".c": engine.C, ".i": engine.C, ".svlib": engine.SVLIB}[filepath.Ext(name)]
	if !ok {
		return nil, fmt.Errorf("%s: programs are files *.bpl, *.c, *.i and *.svlib", name)
	}
	set := maps.Clone(o.Program)
	options, err := verify.NewOptions(set)
	if err != nil {
		return nil, err
	}
	options.Trace = true
	ctx, stop := portfolio.WithLimits(ctx, o.Timeout, o.Memory)
	defer stop()
	solver := o.request()
	solver.Timeout, solver.Memory = 0, 0
	r, err := verify.Program(ctx, verify.Request{File: name, Source: text, Language: language, Options: options, Solver: solver})
	if errors.Is(err, report.ErrUnsupported) {
		return nil, fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	return r, err
}
