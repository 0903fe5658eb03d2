package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/ledger"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/proof"
	replay "hornbeam/frontend/boogie/trace"
	"hornbeam/frontend/c/svcomp"
	"hornbeam/frontend/trace"
	"hornbeam/internal/smt/z3"
)

// programOptions is the table of the options that say how a Boogie program becomes clauses.
func programOptions() []engine.Option {
	return []engine.Option{
		{Name: "main", Kind: "string", Default: "", Languages: engine.Programs, Doc: "the procedure that runs of a Boogie program begin with; otherwise those marked {:entrypoint}, ULTIMATE.start, main, or all that nobody calls"},
		{Name: "error", Kind: "string", Default: "", Languages: engine.Programs, Doc: "procedures or functions of C, separated by commas, that are never to be entered, beside " + strings.Join(replay.ErrorProcedures, " and ")},
		{Name: "modular", Kind: "bool", Default: "false", Languages: engine.Boogie, Doc: "take calls by their contracts and loops by their invariants, as Boogie does, and check each procedure by itself"},
		{Name: "blocks", Kind: "string", Default: "loops", Languages: engine.Programs, Choices: []string{"loops", "basic", "single", "procedures"}, Doc: "where procedures are cut into clauses: at the heads of loops, at every block, at every command, or nowhere, where loops become procedures that call themselves"},
		{Name: "dialect", Kind: "string", Default: "auto", Languages: engine.Boogie, Choices: []string{"auto", "boogie", "ultimate"}, Doc: "whose Boogie a program is in; auto looks at it"},
		{Name: "runs", Kind: "duration", Default: "5s", Languages: engine.Boogie, Doc: "how long a Boogie program is run on concrete values beside the engines, which finds bugs after thousands of turns of a loop that has few choices; 0 is not at all"},
		{Name: "strict", Kind: "bool", Default: "false", Languages: engine.Boogie, Doc: "refuse modifies clauses that are not complete, instead of inferring them"},
	}
}

// program is one Boogie program that is being decided.
type program struct {
	job
	file  string
	stats *engine.Stats
	// name is what positions call the file.
	name string
	// byContracts says that there is an option modular.
	byContracts bool
	// edit changes the tree before it is encoded, encoded is called when it is; both may be nil.
	edit    func(*ast.Program)
	encoded func()
	// files are the program and what it was made from; nil before it is read.
	files *trace.Files
	// tree is a Boogie program as it was read.
	tree *ast.Program
	// encoding is nil before there are clauses.
	encoding *encode.Encoding
}

// verdict is what is found out about a program.
type verdict struct {
	engine.Answer
	// trace is the run that fails, when there is one to be shown.
	trace *trace.Trace
	// contract names the obligation that fails where procedures are verified by their contracts.
	contract string
	// modular is what is known of each procedure then.
	modular *modularReport
	// property is the name of what was asked about a C program, assumptions what the verdict assumes.
	property    string
	assumptions []ledger.Entry
	// notes are what else is to be said behind the verdict.
	notes []string
	// proof is what is shown of a proof, when that was asked for.
	proof *shownProof
}

// word is the first line of the output.
func (v verdict) word() string {
	return map[engine.Verdict]string{engine.Sat: "safe", engine.Unsat: "unsafe", engine.Unknown: "unknown"}[v.Verdict]
}

// code is the exit code.
func (v verdict) code() int {
	switch {
	case v.Verdict == engine.Unsat:
		return exitBug
	case v.Verdict == engine.Sat && v.proof != nil && v.proof.why != "":
		return exitInconclusive
	case v.Verdict == engine.Sat:
		return exitOK
	case v.Internal:
		return exitInternal
	}
	return exitInconclusive
}

// decide reads the program, decides it and replays what fails. An error is one of the input.
func (p *program) decide(ctx context.Context) (verdict, error) {
	if p.holds(p.file, engine.C) {
		return p.decideC(ctx)
	}
	v, err := p.decideBoogie(ctx)
	if err == nil {
		p.addAssumptions(&v)
	}
	return v, err
}

// addAssumptions adds to a verdict on a Boogie program what it assumes, and says when there was nothing to check.
func (p *program) addAssumptions(v *verdict) {
	switch v.Verdict {
	case engine.Sat:
		v.assumptions = p.encoding.Assumptions.Safe()
		if o := p.encoding.Obligations; o.Count() == 0 {
			v.notes = append(v.notes, "nothing to check: runs reach none of "+o.LookedFor())
		}
	case engine.Unsat:
		v.assumptions = p.encoding.Assumptions.Unsafe()
	}
}

func (p *program) decideBoogie(ctx context.Context) (verdict, error) {
	unknown := func(reason string) (verdict, error) {
		return verdict{Answer: engine.Answer{Reason: oneLine(reason)}}, nil
	}
	start := time.Now()
	err := p.encode(ctx)
	p.stats.AddTime("time.read", time.Since(start))
	switch {
	case errors.Is(err, boogie.ErrUnsupported):
		return unknown(err.Error())
	case ctx.Err() != nil:
		return unknown(portfolio.EndReason(ctx) + " while reading")
	case err != nil:
		return verdict{}, err
	}
	if p.encoded != nil {
		p.encoded()
	}
	sys := p.encoding.System
	p.log.Info("read", "file", p.file, "predicates", len(sys.Predicates), "clauses", len(sys.Clauses), "linear", sys.Linear())
	req := p.systemRequest(sys, p.stats)
	req.Candidates = p.encoding.Candidates
	if p.proves() {
		req.Simplify = p.values.Duration("simplify")
	}
	if p.modular() {
		return p.decideModular(ctx, req), nil
	}
	if p.verifyByContracts(ctx) {
		v := verdict{Answer: engine.Answer{Verdict: engine.Sat, Engine: "contracts"}}
		if p.proves() {
			// The contracts and invariants of the program are the proof: nothing is to be added to them.
			return v, p.prove(ctx, witness.NewModel(), &v)
		}
		return v, nil
	}
	v := verdict{Answer: p.besideRuns(ctx, func(ctx context.Context) engine.Answer { return solve(ctx, req) })}
	p.log.Info("answered", "verdict", v.Verdict, "engine", v.Engine)
	if v.Refutation != nil {
		p.refute(ctx, req, &v)
	}
	if v.Verdict == engine.Sat && p.proves() {
		if err := p.prove(ctx, v.Model, &v); err != nil {
			return verdict{}, err
		}
	}
	return v, nil
}

// encode reads the program and turns it into clauses.
func (p *program) encode(ctx context.Context) error {
	name, src, err := readFile(p.file, p.in)
	if err != nil {
		return err
	}
	p.name = name
	entry := p.values.Text("main")
	read := boogie.Options{Strict: p.values.Bool("strict"), Dialect: map[string]boogie.Dialect{
		"auto": boogie.DialectAuto, "boogie": boogie.DialectBoogie, "ultimate": boogie.DialectUltimate,
	}[p.values.Text("dialect")]}
	if entry != "" {
		read.Entries = []string{entry}
	}
	p.files = trace.NewFiles(name, src)
	tree, err := boogie.Read(name, src, read)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if entry != "" && !slices.ContainsFunc(tree.Procedures, func(q *ast.Procedure) bool { return q.Name == entry && len(q.Implementations) > 0 }) {
		return usageError("--main %s: %s has no procedure of that name with a body", entry, name)
	}
	for _, name := range p.errorProcedures() {
		if !slices.ContainsFunc(tree.Procedures, func(q *ast.Procedure) bool { return q.Name == name }) {
			return usageError("--error %s: %s has no procedure of that name", name, p.name)
		}
	}
	if p.edit != nil {
		p.edit(tree)
	}
	p.tree = tree
	p.encoding, err = encode.Encode(ctx, tree, term.NewPool(), encode.Options{
		Entry: entry, ErrorProcedures: p.errorProcedures(), Modular: p.modular(),
		Blocks: map[string]encode.Blocks{"loops": encode.Loops, "basic": encode.Basic, "single": encode.Single, "procedures": encode.Procedures}[p.values.Text("blocks")],
	})
	if err != nil {
		return err
	}
	for _, a := range tree.Approximated {
		sys := p.encoding.System
		sys.Approximation = chc.Over
		if note := fmt.Sprintf("%s: %s", a.Pos, a.What); !slices.Contains(sys.Notes, note) {
			sys.Notes = append(sys.Notes, note)
		}
	}
	return nil
}

// modular reports whether procedures are taken by their contracts; a hunt has no such option.
func (p *program) modular() bool { return p.byContracts && p.values.Bool("modular") }

func (p *program) errorProcedures() []string {
	return strings.FieldsFunc(p.values.Text("error"), func(r rune) bool { return r == ',' || r == ' ' })
}

// replay turns a refutation into a run of the program. Only one that fails is a bug.
func (p *program) replay(ctx context.Context, v *verdict) {
	start := time.Now()
	t, err := replay.Replay(ctx, p.encoding, v.Refutation, replay.Options{ErrorProcedures: p.errorProcedures(), Open: z3.Open})
	p.stats.AddTime("time.replay", time.Since(start))
	exact := v.Verdict == engine.Unsat
	switch {
	case err == nil && len(p.encoding.Program.Approximated) > 0:
		// The run is one of the tree, which is not quite the program.
		a := p.encoding.Program.Approximated[0]
		v.Answer = engine.Answer{Engine: v.Engine, Lane: v.Lane, Reason: fmt.Sprintf("a run fails, but the program is only approximated at %s: %s", a.Pos, oneLine(a.What))}
	case err == nil:
		v.Verdict, v.Reason, v.trace = engine.Unsat, "", t
	case ctx.Err() != nil:
		v.Answer = engine.Answer{Engine: v.Engine, Lane: v.Lane, Reason: portfolio.EndReason(ctx) + " while replaying the bug"}
	case exact && !errors.Is(err, replay.ErrUndetermined):
		p.log.Error("internal error", "phase", "replaying the bug", "error", err)
		v.Answer = engine.Answer{Engine: v.Engine, Lane: v.Lane, Reason: "internal error: the bug that was found does not replay: " + oneLine(err.Error()), Internal: true}
	case exact:
		v.Answer = engine.Answer{Engine: v.Engine, Lane: v.Lane, Reason: "a bug was found that cannot be replayed: " + oneLine(err.Error())}
	default:
		reason := "the bug that was found may be none: " + oneLine(err.Error())
		if v.Reason != "" {
			reason += "; " + v.Reason
		}
		v.Answer = engine.Answer{Engine: v.Engine, Lane: v.Lane, Reason: reason}
	}
}

// programReport is the JSON object of verify --json; docs/verify.md describes it.
type programReport struct {
	report
	// Bound is the recursion bound up to which a hunt found no bug, when the verdict is unknown.
	Bound      *int            `json:"bound,omitempty"`
	Obligation string          `json:"obligation,omitempty"`
	Modular    *modularReport  `json:"modular,omitempty"`
	Trace      *trace.Document `json:"trace,omitempty"`
	Proof      []proof.Place   `json:"proof,omitempty"`
	// Annotated is the file that an annotated program was written to, Unconfirmed what keeps its contracts from being
	// verified.
	Annotated   string `json:"annotated,omitempty"`
	Unconfirmed string `json:"unconfirmed,omitempty"`
	// Assumptions are what the verdict assumes, Notes what else is to be said of it.
	Assumptions []assumption `json:"assumptions,omitempty"`
	Notes       []string     `json:"notes,omitempty"`
}

// assumption is an entry of the ledger in JSON.
type assumption struct {
	Kind  ledger.Kind `json:"kind"`
	What  string      `json:"what"`
	Names []string    `json:"names,omitempty"`
}

// assume says what the verdict assumes, in a line, or with --full a line for each assumption.
func (p *program) assume(assumptions []ledger.Entry) {
	var brief []string
	for _, a := range assumptions {
		if p.values.Bool("full") {
			p.err.comment("assumed: %s", oneLine(a.String()))
		} else if s := a.Brief(); s != "" {
			brief = append(brief, oneLine(s))
		}
	}
	if len(brief) > 0 {
		p.err.comment("assumed: %s", strings.Join(brief, "; "))
	}
}

// print writes the verdict and what was asked for after it.
func (p *program) print(v verdict, bound *int) error {
	word := v.word()
	if p.values.Bool("svcomp") {
		word = svcomp.Result(v.Verdict == engine.Sat, v.Verdict == engine.Unsat, v.property)
	}
	if _, err := fmt.Fprintln(p.out, word); err != nil {
		return err
	}
	if v.Verdict == engine.Unknown {
		p.err.comment("%s", v.Reason)
	}
	p.assume(v.assumptions)
	for _, n := range v.notes {
		p.err.comment("%s", n)
	}
	switch {
	case p.values.Bool("json"):
		r := programReport{report: newReport(p.file, v.Answer, nil, p.stats), Obligation: v.contract, Modular: v.modular}
		r.Verdict = v.word()
		if v.Verdict == engine.Unknown {
			r.Bound = bound
		}
		if v.trace != nil && p.values.Text("trace") != "none" {
			r.Trace = v.trace.Document()
		}
		if v.proof != nil {
			r.Proof, r.Annotated, r.Unconfirmed = v.proof.places, v.proof.file, v.proof.why
		}
		r.Notes = v.notes
		for _, a := range v.assumptions {
			r.Assumptions = append(r.Assumptions, assumption{a.Kind, oneLine(a.What), a.Names})
		}
		if err := encoder(p.out).Encode(r); err != nil {
			return err
		}
		if v.trace != nil && p.tracePath(p.file) != "" {
			if err := p.showTrace(p.file, p.files, v.trace); err != nil {
				return err
			}
		}
	case v.proof != nil:
		if err := p.printProof(v.proof); err != nil {
			return err
		}
	case v.modular != nil:
		if err := p.printModular(v.modular); err != nil {
			return err
		}
	case v.trace != nil:
		if err := p.showTrace(p.file, p.files, v.trace); err != nil {
			return err
		}
	}
	if p.values.Bool("stats") {
		printStats(p.err, v.Answer, p.stats)
	}
	return nil
}

// report writes what is wrong with a program, a line for each error, and returns the exit code.
func (p *program) report(err error) int {
	var usage *coded
	if errors.As(err, &usage) {
		fmt.Fprintf(p.err, "hornbeam: %s\n", oneLine(err.Error()))
		return usage.code
	}
	var all boogie.Errors
	if errors.As(err, &all) {
		for _, e := range all {
			fmt.Fprintln(p.err, oneLine(e.Error()))
		}
		return exitBadInput
	}
	var path *os.PathError
	if errors.As(err, &path) {
		// A program may name other files.
		err = fmt.Errorf("%s: %w", cmp.Or(path.Path, p.file), path.Err)
	}
	fmt.Fprintln(p.err, oneLine(err.Error()))
	return exitBadInput
}
