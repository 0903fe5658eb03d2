package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hornbeam/chc"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/bits"
	"hornbeam/frontend/c/decide"
	ctrace "hornbeam/frontend/c/trace"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// cOptions is the table of the options that say what a C program means.
func cOptions() []engine.Option {
	return []engine.Option{
		{Name: "32", Kind: "bool", Default: "false", Doc: "a C program is for a machine with int, long and pointers of 32 bits (ILP32)"},
		{Name: "64", Kind: "bool", Default: "false", Doc: "a C program is for a machine with long and pointers of 64 bits (LP64); that is the default"},
		{Name: "bits", Kind: "string", Default: "ranged", Choices: bits.Modes, Doc: "how C's integers are represented: by integers that wrap around, by unbounded integers, by bit-vectors, or by what counterexamples ask for"},
		{Name: "int", Kind: "string", Default: "wrap", Choices: []string{"wrap", "math"}, Doc: "whether C's signed integers wrap around or are unbounded"},
		{Name: "error-label", Kind: "string", Default: "auto", Doc: "a label of a C program that it is an error to reach; auto takes ERROR for one where a program has that label, calls no error function and asserts nothing, none takes none"},
		{Name: "explore", Kind: "duration", Default: "3s", Doc: "for how long runs of a C program are tried at random, beside the proof; 0s tries none"},
	}
}

// isC reports whether a file is a C program by its name.
func isC(file string) bool { return strings.HasSuffix(file, ".c") || strings.HasSuffix(file, ".i") }

// decideC decides a C program.
func (p *program) decideC(ctx context.Context) (verdict, error) {
	unknown := func(reason string) (verdict, error) {
		return verdict{Answer: engine.Answer{Reason: oneLine(reason)}}, nil
	}
	start := time.Now()
	tree, err := p.readC(ctx)
	p.stats.AddTime("time.read", time.Since(start))
	switch {
	case errors.Is(err, c.ErrUnsupported):
		return unknown(err.Error())
	case ctx.Err() != nil:
		return unknown(portfolio.EndReason(ctx) + " while reading")
	case err != nil:
		return verdict{}, err
	}
	mode, err := bits.ParseMode(p.values.Text("bits"))
	if err != nil {
		return verdict{}, err
	}
	label := p.values.Text("error-label")
	switch label {
	case "auto":
		label = decide.ErrorLabel(tree)
	case "none":
		label = ""
	}
	var answer engine.Answer
	r, err := decide.Program(ctx, tree, decide.Options{
		Translate: translate.Options{ErrorLabel: label, Entry: p.values.Text("main")},
		Explore:   p.values.Duration("explore"), Mode: mode, Unbounded: p.values.Text("int") == "math",
		Blocks: map[string]encode.Blocks{"loops": encode.Loops, "basic": encode.Basic, "single": encode.Single}[p.values.Text("blocks")],
	}, func(ctx context.Context, sys *chc.System) decide.Decided {
		p.log.Info("read", "file", p.file, "predicates", len(sys.Predicates), "clauses", len(sys.Clauses), "linear", sys.Linear())
		answer = portfolio.Solve(ctx, p.systemRequest(sys, p.stats))
		p.log.Info("answered", "verdict", answer.Verdict, "engine", answer.Engine)
		return decide.Decided{Model: answer.Model, Refutation: answer.Refutation, Reason: answer.Reason}
	})
	var unsupported *translate.UnsupportedError
	switch {
	case errors.As(err, &unsupported):
		return unknown(err.Error())
	case ctx.Err() != nil && err != nil:
		return unknown(portfolio.EndReason(ctx) + " while translating")
	case err != nil:
		return verdict{}, err
	}
	v := verdict{Answer: engine.Answer{Engine: answer.Engine, Lane: answer.Lane, Reason: oneLine(r.Reason), Internal: r.Internal}}
	switch r.Verdict {
	case decide.Safe:
		v.Verdict, v.Reason = engine.Sat, ""
		v.Model = r.Model
	case decide.Unsafe:
		v.Verdict, v.Reason = engine.Unsat, ""
		recorder := ctrace.NewRecorder()
		if _, err := r.Runner.Run(ctx, r.Script, recorder.Observe); err != nil {
			return unknown(portfolio.EndReason(ctx) + " while telling the bug")
		}
		v.trace = recorder.Trace()
	}
	return v, nil
}

// readC reads the C program.
func (p *program) readC(ctx context.Context) (*tree.Program, error) {
	name, src, err := readFile(p.file, p.in)
	if err != nil {
		return nil, err
	}
	if p.values.Bool("32") && p.values.Bool("64") {
		return nil, usageError("--32 and --64 exclude each other")
	}
	o := c.Options{Model: c.LP64}
	if p.values.Bool("32") {
		o.Model = c.ILP32
	}
	t, err := c.Read(ctx, name, src, o)
	if err != nil {
		return nil, fmt.Errorf("%w", err)
	}
	return t, nil
}
