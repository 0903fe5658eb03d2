package verify

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/execute"
	"hornbeam/frontend/boogie/interpret"
	"hornbeam/frontend/boogie/refine"
	replay "hornbeam/frontend/boogie/trace"
	"hornbeam/internal/work"
)

// Boogie is a Boogie program that was read. Its tree may be changed until it is encoded.
type Boogie struct {
	Tree *ast.Program
	// Encoding is nil before Encode.
	Encoding *encode.Encoding

	request Request
	// observe is called for the events of the run that fails; see replay.Options.
	observe func(interpret.Event)
}

// ReadBoogie reads a Boogie program.
func ReadBoogie(ctx context.Context, req Request) (*Boogie, error) {
	o := req.Options
	read := boogie.Options{Strict: o.Strict, Dialect: o.dialect()}
	if o.Main != "" {
		read.Entries = []string{o.Main}
	}
	tree, err := boogie.Read(req.File, req.Source, read)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if o.Main != "" && !slices.ContainsFunc(tree.Procedures, func(q *ast.Procedure) bool { return q.Name == o.Main && len(q.Implementations) > 0 }) {
		return nil, optionError("--main %s: %s has no procedure of that name with a body", o.Main, req.File)
	}
	for _, name := range o.Errors {
		if !slices.ContainsFunc(tree.Procedures, func(q *ast.Procedure) bool { return q.Name == name }) {
			return nil, optionError("--error %s: %s has no procedure of that name", name, req.File)
		}
	}
	return &Boogie{Tree: tree, request: req.withDefaults()}, nil
}

// Encode turns the program into clauses.
func (p *Boogie) Encode(ctx context.Context) error {
	start := time.Now()
	defer func() { p.request.Solver.Stats.AddTime("time.read", time.Since(start)) }()
	o := p.request.Options
	var err error
	p.Encoding, err = encode.Encode(ctx, p.Tree, term.NewPool(), encode.Options{
		Entry: o.Main, ErrorProcedures: o.Errors, Modular: o.Modular, Blocks: o.encodingBlocks(),
	})
	if err != nil {
		return err
	}
	sys := p.Encoding.System
	for _, a := range p.Tree.Approximated {
		sys.Approximation = chc.Over
		if note := fmt.Sprintf("%s: %s", a.Pos, a.What); !slices.Contains(sys.Notes, note) {
			sys.Notes = append(sys.Notes, note)
		}
	}
	return nil
}

func (p *Boogie) clauses(ctx context.Context) (*chc.System, error) {
	if err := p.Encode(ctx); err != nil {
		return nil, err
	}
	return p.Encoding.System, nil
}

func (p *Boogie) decide(ctx context.Context) (*Result, error) {
	if err := p.Encode(ctx); err != nil {
		return Unread(ctx, err)
	}
	return p.Decide(ctx)
}

// Decide decides the encoded program: by its own contracts, or by engines beside runs on concrete values.
func (p *Boogie) Decide(ctx context.Context) (*Result, error) {
	var r *Result
	o := p.request.Options
	switch {
	case o.Modular:
		r = p.verifyModular(ctx)
	case p.verifyByContracts(ctx):
		// The contracts and invariants of the program are the proof: nothing is to be added to them.
		r = &Result{Answer: engine.Answer{Verdict: engine.Sat, Engine: "contracts", Model: witness.NewModel()}}
	default:
		var err error
		if r, _, err = p.refine(ctx); err != nil {
			return nil, err
		}
	}
	switch r.Verdict {
	case engine.Sat:
		r.Assumptions = p.Encoding.Assumptions.Safe()
		if obligations := p.Encoding.Obligations; obligations.Count() == 0 {
			r.Notes = append(r.Notes, "nothing to check: runs reach none of "+obligations.LookedFor())
		}
		if o.Proof && !o.Modular {
			return r, p.prove(ctx, r)
		}
	case engine.Unsat:
		r.Assumptions = p.Encoding.Assumptions.Unsafe()
	}
	return r, nil
}

// refine has the clauses decided, for as many rounds as it takes, beside runs of the program in the first one. The segment is
// the one in which an unsafe program fails.
func (p *Boogie) refine(ctx context.Context) (*Result, *encode.Segment, error) {
	solve := p.request.solver("only")
	first := true
	return p.rounds(ctx, func(ctx context.Context, req portfolio.Request) portfolio.Witness {
		if !first {
			return solve(ctx, req)
		}
		first = false
		return p.besideRuns(ctx, func(ctx context.Context) portfolio.Witness { return solve(ctx, req) })
	})
}

// rounds has the clauses decided by solve, for as many rounds as it takes.
func (p *Boogie) rounds(ctx context.Context, solve solver) (*Result, *encode.Segment, error) {
	attempt := refine.New(p.Encoding, replay.Options{ErrorProcedures: p.request.Options.Errors, Open: p.request.Solver.Open, Observe: p.observe})
	out, err := decide(ctx, attempt, p.request.Solver, solve)
	if err != nil {
		return nil, nil, err
	}
	r := &Result{Answer: engine.Answer{Engine: out.engine, Strategy: out.strategy, Reason: engine.OneLine(out.Reason), Internal: out.Internal}}
	switch out.Step {
	case frontend.Safe:
		r.Verdict, r.Reason, r.Model = engine.Sat, "", out.model
	case frontend.Unsafe:
		r.Verdict, r.Reason, r.Trace = engine.Unsat, "", attempt.Trace
	}
	return r, attempt.Failing, nil
}

// besideRuns has the clauses decided, while runs on concrete values look for bugs deep in loops. A run that fails ends
// the search for an answer, and is the answer when it passes its check.
func (p *Boogie) besideRuns(ctx context.Context, solve func(context.Context) portfolio.Witness) portfolio.Witness {
	// An engine that was asked for is left alone, and a hunt keeps to its bound.
	if p.request.Solver.Engine != portfolio.DefaultEngine || p.request.Options.Runs <= 0 {
		return solve(ctx)
	}
	running, proof := beside(ctx, func(ctx context.Context) (*witness.Refutation, bool) {
		ctx, stop := work.WithTimeout(ctx, p.request.Options.Runs)
		defer stop()
		return p.run(ctx, execute.DefaultChance)
	})
	w := solve(proof)
	failing, found := running.end(false)
	switch {
	case !found || w.Refutation != nil:
		return w
	case w.Model != nil:
		p.request.Solver.Log.Error("internal error", "phase", "comparing a proof with a run that fails")
		return portfolio.Witness{Reason: "internal error: the clauses have a model, and a run fails", Internal: true}
	}
	return portfolio.Witness{Engine: "runs", Strategy: "runs", Refutation: failing}
}

// run runs the program until a run fails, and returns that as a refutation that was checked, if one was found. Runs that have
// choices are repeated for as long as chance.
func (p *Boogie) run(ctx context.Context, chance time.Duration) (failing *witness.Refutation, found bool) {
	solver := p.request.Solver
	defer func() {
		if v := recover(); v != nil {
			solver.Log.Error("panic", "phase", "running the program", "value", v, "stack", string(debug.Stack()))
		}
	}()
	start := time.Now()
	r, stats := execute.Refute(ctx, p.Encoding, execute.Options{Seed: solver.Seed, Chance: chance})
	solver.Stats.Add("runs", int64(stats.Runs))
	solver.Stats.Add("runs.steps", int64(stats.Steps))
	if r != nil {
		if err := witness.CheckRefutation(ctx, p.Encoding.System, r); err != nil {
			solver.Log.Debug("a run that fails is no refutation", "error", err)
			r = nil
		}
	}
	solver.Stats.AddTime("time.runs", time.Since(start))
	return r, r != nil
}
