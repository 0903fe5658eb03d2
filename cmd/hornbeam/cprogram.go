package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"hornbeam/bench/task"
	"hornbeam/chc/ledger"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/expand"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/bits"
	"hornbeam/frontend/c/decide"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/svcomp"
	ctrace "hornbeam/frontend/c/trace"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/trace"
)

// cOptions is the table of the options that say what a C program means.
func cOptions() []engine.Option {
	return []engine.Option{
		{Name: "32", Kind: "bool", Default: "false", Languages: engine.C, Doc: "a C program is for a machine with int, long and pointers of 32 bits (ILP32)"},
		{Name: "64", Kind: "bool", Default: "false", Languages: engine.C, Doc: "a C program is for a machine with long and pointers of 64 bits (LP64); that is the default"},
		{Name: "bits", Kind: "string", Default: "auto", Languages: engine.C, Choices: append([]string{"auto"}, bits.Modes...), Doc: "how C's integers are represented: by integers that wrap around (ranged), by unbounded integers, by bit-vectors, or by what counterexamples ask for; auto is ranged with bit-vectors beside it"},
		{Name: "int", Kind: "string", Default: "c", Languages: engine.C, Choices: []string{"c", "wrap", "math", "defined"}, Doc: "what a signed operation that overflows does, which C leaves undefined: it wraps around; integers are unbounded; or the run ends. c looks for a proof of the runs without overflow and one that there is no overflow, beside one of all runs with wrap-around, and says what is assumed where only the first is found; it ends runs of programs that are functions with contracts and no main"},
		{Name: "error-label", Kind: "string", Default: "auto", Languages: engine.C, Doc: "a label of a C program that it is an error to reach; auto takes ERROR for one where a program follows the convention of older benchmarks and has no other errors, none takes none"},
		{Name: "arrays", Kind: "string", Default: "theory", Languages: engine.C, Choices: []string{"theory", "expand"}, Doc: "how C's arrays are represented: as arrays of the solver's theory, or those of known lengths by a variable for each element"},
		{Name: "property", Kind: "string", Default: "", Languages: engine.C, Doc: "what is asked about a C program: a .prp file, or the name of a property; unreach-call and no-overflow are decided"},
		{Name: "witness", Kind: "string", Default: "", Languages: engine.C, Doc: "the file to which a witness of the verdict on a C program is written, in the format of SV-COMP, version 2.0"},
		{Name: "harness", Kind: "string", Default: "", Languages: engine.C, Doc: "the file to which a C program is written that repeats what was found: compiled by gcc, it reaches the error and exits with 107"},
		{Name: "harness-run", Kind: "bool", Default: "false", Languages: engine.C, Needs: []string{"harness"}, Doc: "compile the program that --harness writes with gcc, run it, and say whether it reaches the error"},
		{Name: "svcomp", Kind: "bool", Default: "false", Languages: engine.C, Doc: "say the verdict in SV-COMP's words: true, false(PROPERTY), unknown"},
		{Name: "explore", Kind: "duration", Default: "3s", Languages: engine.C, Doc: "for how long runs of a C program are tried at random, beside the proof; 0s tries none"},
	}
}

// cProgram is a C program that is being decided.
type cProgram struct {
	*program
	path     string
	source   []byte
	model    tree.Model
	property svcomp.Property
	tree     *tree.Program
	// unexpanded names the arrays that --arrays expand leaves, once.
	unexpanded sync.Once
	// toldLabel says that it was said what became of a label that may be an error.
	toldLabel bool
}

// decideC decides a C program.
func (p *program) decideC(ctx context.Context) (verdict, error) {
	unknown := func(reason string) (verdict, error) {
		return verdict{Answer: engine.Answer{Reason: oneLine(reason)}, property: p.values.Text("property")}, nil
	}
	start := time.Now()
	q := &cProgram{program: p}
	err := q.read(ctx)
	if err == nil {
		err = q.markErrors()
	}
	p.stats.AddTime("time.read", time.Since(start))
	switch {
	case errors.Is(err, c.ErrUnsupported):
		return unknown(err.Error())
	case ctx.Err() != nil:
		return unknown(portfolio.EndReason(ctx) + " while reading")
	case err != nil:
		return verdict{}, err
	case q.entry() == nil && p.values.Text("main") != "":
		return verdict{}, usageError("--main %s: %s has no function of that name with a body", p.values.Text("main"), q.path)
	case q.entry() == nil:
		// A part of a program is no wrong input.
		return unknown(q.path + ": there is no function " + q.entryName())
	case !q.property.Decidable():
		return unknown("the property " + q.property.String() + " is not decided")
	}
	if q.property.OtherFunction() != "" {
		if f := decide.UnmarkedError(q.tree); f != nil {
			return unknown(fmt.Sprintf("the property %s is not decided where the program calls %s, too, which ends runs in a way of its own", q.property, f.Name))
		}
	}
	v, err := q.decide(ctx)
	v.property = q.property.Name
	return v, err
}

// nothingToCheck says what was looked for in a program that has none of it.
func (q *cProgram) nothingToCheck() string {
	if q.property.Name == svcomp.NoOverflow {
		return "nothing to check: no signed operation that could overflow is reached"
	}
	looked := "no call of reach_error or another error function, no assertion, no error label"
	if names := q.errorProcedures(); len(names) > 0 {
		looked = "no call of " + strings.Join(names, ", ") + " or an error function, no assertion, no error label"
	}
	return "nothing to check: " + looked + " is reached from " + cmp.Or(q.entryName(), "main")
}

// markErrors marks the functions that may not be called, because --error or the property names them. A name of --error that no
// function has is a usage error.
func (q *cProgram) markErrors() error {
	names := q.errorProcedures()
	for _, name := range names {
		if q.tree.Function(name) == nil {
			return usageError("--error %s: %s has no function of that name", name, q.path)
		}
	}
	for _, f := range q.tree.Functions {
		f.Error = f.Error || slices.Contains(names, f.Name) || f.Name == q.property.OtherFunction()
	}
	return nil
}

// entryName is the name of the function that runs begin with: what --main says, or else the property.
func (q *cProgram) entryName() string {
	if name := q.values.Text("main"); name != "" {
		return name
	}
	return q.property.Entry
}

// entry is the function that runs begin with; nil if there is none.
func (q *cProgram) entry() *tree.Function {
	if f := q.tree.Function(q.entryName()); f != nil && f.Body != nil {
		return f
	}
	return nil
}

func (q *cProgram) decide(ctx context.Context) (verdict, error) {
	p, tree := q.program, q.tree
	unknown := func(reason string) (verdict, error) {
		return verdict{Answer: engine.Answer{Reason: oneLine(reason)}}, nil
	}
	options, err := q.options()
	if err != nil {
		return verdict{}, err
	}
	r, err := decide.Program(ctx, tree, options, func(ctx context.Context, question decide.Question) decide.Decided {
		encoding := question.Encoding
		sys := encoding.System
		p.log.Info("read", "file", p.file, "predicates", len(sys.Predicates), "clauses", len(sys.Clauses), "linear", sys.Linear(), "strategy", question.Strategy)
		req := p.systemRequest(sys, p.stats)
		if p.values.Text("arrays") == "expand" {
			req.First = q.expansion(question.Translation, encoding)
		} else {
			req.Candidates = encoding.Candidates
		}
		if p.values.Text("witness") != "" || p.proves() {
			// Of a smaller model more can be said in C.
			req.Simplify = p.values.Duration("simplify")
		}
		answer := portfolio.Solve(ctx, req)
		p.log.Info("answered", "strategy", question.Strategy, "verdict", answer.Verdict, "engine", answer.Engine)
		return decide.Decided{Model: answer.Model, Refutation: answer.Refutation, Reason: answer.Reason, Engine: answer.Engine, Lane: answer.Lane}
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
	for _, round := range r.Rounds {
		p.stats.Add("bits.rounds", 1)
		p.stats.Add("bits.occurrences", int64(len(round.Lowered.Occurrences)))
		if round.Spurious {
			p.stats.Add("bits.spurious", 1)
		}
	}
	if n := len(r.Rounds); n > 0 {
		last := r.Rounds[n-1].Lowered
		p.stats.Add("bits.classes", int64(last.Classes))
		p.stats.Add("bits.vectors", int64(last.Vectors))
		p.stats.Add("bits.corrections", int64(last.Corrections))
	}
	v := verdict{Answer: engine.Answer{Engine: r.Engine, Lane: r.Lane, Reason: oneLine(r.Reason), Internal: r.Internal}}
	v.assumptions = r.Assumptions(ctx, q.tree, options)
	if r.NothingToCheck() {
		v.notes = append(v.notes, q.nothingToCheck())
	}
	switch r.Verdict {
	case decide.Safe:
		v.Verdict, v.Reason = engine.Sat, ""
		v.Model = r.Model
		if err := q.writeCorrectness(r, &v); err != nil {
			return verdict{}, err
		}
		if v.proof, err = q.prove(r); err != nil {
			return verdict{}, err
		}
	case decide.Unsafe:
		v.Verdict, v.Reason = engine.Unsat, ""
		if err := q.record(ctx, r, &v); err != nil {
			return verdict{}, err
		}
		if err := q.writeHarness(ctx, r, options); err != nil {
			return verdict{}, err
		}
	}
	return v, nil
}

// Of a run of more than longRun steps only the first eventsOfLongRun events are told, and how it ends.
const (
	longRun         = 5_000_000
	eventsOfLongRun = 20_000
)

// record repeats the run that fails, for the trace and the witness, if anybody wants to know.
func (q *cProgram) record(ctx context.Context, r *decide.Result, v *verdict) error {
	if q.values.Text("trace") == "none" && q.values.Text("witness") == "" && !q.values.Bool("json") {
		return nil
	}
	recorder := ctrace.NewRecorder()
	violation := &svcomp.Violation{}
	events := 0
	_, err := r.Runner.Run(context.WithoutCancel(ctx), r.Script, func(e interpret.Event) {
		if events++; r.Outcome.Steps > longRun && events > eventsOfLongRun && e.Kind != interpret.Finished {
			recorder.Omit()
			return
		}
		recorder.Observe(e)
		violation.Observe(e)
	})
	if err != nil {
		return err
	}
	v.trace = recorder.Trace()
	for _, a := range v.assumptions {
		if a.Kind == ledger.SignedOverflow {
			v.trace.Note = a.String()
		}
	}
	return q.writeWitness(violation.Document)
}

// expansion is the pass that gives arrays a variable for each element. Arrays that it leaves are named, once.
func (q *cProgram) expansion(t *translate.Result, e *encode.Encoding) []transform.Pass {
	lengths, unknown := decide.Lengths(t, e)
	if len(unknown) > 0 {
		q.unexpanded.Do(func() {
			q.err.comment("--arrays expand leaves arrays whose length is not known to the theory: %s", strings.Join(unknown, ", "))
		})
	}
	return []transform.Pass{expand.Pass(lengths)}
}

// labelTaken says what became of a label by which older benchmarks mark errors, where the program has nothing else that is
// one: whether it was taken for an error.
func (q *cProgram) labelTaken(label string) {
	switch {
	case q.toldLabel || q.property.Name == svcomp.UnreachLabel || q.property.Name == svcomp.NoOverflow:
	case label != "":
		q.err.comment("the label %s is taken for an error; with --error-label none it is none", label)
	case decide.UnusedLabel(q.tree) != "":
		q.err.comment("the label %[1]s is no error; with --error-label %[1]s it is one", decide.UnusedLabel(q.tree))
	}
	q.toldLabel = true
}

// options are what the command's options ask for.
func (q *cProgram) options() (decide.Options, error) {
	p := q.program
	mode := bits.Ranged
	if name := p.values.Text("bits"); name != "auto" {
		var err error
		if mode, err = bits.ParseMode(name); err != nil {
			return decide.Options{}, usageError("--bits: %w", err)
		}
	}
	label := p.values.Text("error-label")
	switch label {
	case "auto":
		label = decide.ErrorLabel(q.tree)
		q.labelTaken(label)
	case "none":
		label = ""
	default:
		if q.property.Name == svcomp.NoOverflow {
			return decide.Options{}, usageError("--error-label %s: with the property no-overflow no label is an error", label)
		}
		if q.property.Name == svcomp.UnreachLabel {
			return decide.Options{}, usageError("--error-label %s: the property names the label %s", label, q.property.Label)
		}
		if !decide.HasLabel(q.tree, label) {
			return decide.Options{}, usageError("--error-label %s: %s has no label of that name", label, q.path)
		}
	}
	if q.property.Name == svcomp.UnreachLabel {
		label = q.property.Label
	}
	// Names that are none of these are of variables, which the engines track.
	track, _ := translate.ParseTrack(p.values.Text("track"))
	signed := p.values.Text("int")
	ends := signed == "defined" || signed == "c" && q.tree.Library
	asked := translate.Reach
	if q.property.Name == svcomp.NoOverflow {
		asked = translate.NoOverflow
	}
	return decide.Options{
		Translate: translate.Options{Property: asked, ErrorLabel: label, Entry: q.entryName(), EndAtOverflow: ends, Track: track},
		Defined:   signed == "c", Vectors: p.values.Text("bits") == "auto", OnlyRun: !p.proves() && p.values.Text("witness") == "",
		Explore: p.values.Duration("explore"), Mode: mode, Unbounded: p.values.Text("int") == "math",
		Blocks: map[string]encode.Blocks{"loops": encode.Loops, "basic": encode.Basic, "single": encode.Single, "procedures": encode.Procedures}[p.values.Text("blocks")],
	}, nil
}

// encodeC reads a C program and turns it into clauses, those of the first lowering.
func (p *program) encodeC(ctx context.Context) error {
	q := &cProgram{program: p}
	if err := q.read(ctx); err != nil {
		return err
	}
	if err := q.markErrors(); err != nil {
		return err
	}
	options, err := q.options()
	if err != nil {
		return err
	}
	p.encoding, err = decide.Clauses(ctx, q.tree, options)
	return err
}

// writeWitness writes a witness where it was asked for.
func (q *cProgram) writeWitness(document func(svcomp.Metadata) ([]byte, error)) error {
	file := q.values.Text("witness")
	if file == "" {
		return nil
	}
	text, err := document(svcomp.Metadata{
		File: q.path, Source: q.source, Property: q.property.Text, Model: q.model.Name, Version: version, Created: time.Now(),
	})
	if err == nil {
		err = os.WriteFile(file, text, 0o666)
	}
	if err != nil {
		return usageError("--witness %s: %w", file, err)
	}
	return nil
}

// read reads the C program, and before it the definition of a task or the property, where these are given.
func (q *cProgram) read(ctx context.Context) error {
	p := q.program
	q.path, q.model = p.file, c.LP64
	property := p.values.Text("property")
	if filepath.Ext(p.file) == ".yml" {
		t, err := p.definition()
		if err != nil {
			return err
		}
		q.path = t.Inputs[0]
		if property == "" {
			property = t.PropertyFile
		}
		if t.DataModel == "ILP32" {
			q.model = c.ILP32
		}
	}
	switch {
	case p.values.Bool("32"):
		q.model = c.ILP32
	case p.values.Bool("64"):
		q.model = c.LP64
	}
	var err error
	if q.property, err = propertyOf(property); err != nil {
		return err
	}
	name, src, err := readFile(q.path, p.in)
	if err != nil {
		return err
	}
	q.source, p.files = src, trace.NewFiles(name, src)
	q.tree, err = c.Read(ctx, name, src, c.Options{Model: q.model})
	return err
}

// definition reads a task definition. Of several properties the first that can be decided counts, unless --property says
// which.
func (p *program) definition() (task.Task, error) {
	tasks, err := task.Load(p.file)
	if err != nil {
		// What is around it says that a list of tasks is read.
		return task.Task{}, cmp.Or(errors.Unwrap(err), err)
	}
	t := tasks[0]
	for _, other := range tasks {
		if q, err := propertyOf(other.PropertyFile); err == nil && q.Decidable() {
			t = other
			break
		}
	}
	if len(t.Inputs) != 1 {
		return t, fmt.Errorf("%s: a task of %d files, and only those of one are read", p.file, len(t.Inputs))
	}
	return t, nil
}

// propertyOf reads a property: a file, or the name of one; nothing stands for unreach-call. What is wrong in a file, or with
// one whose name is that of a property's file, is bad input.
func propertyOf(arg string) (svcomp.Property, error) {
	if arg == "" {
		arg = svcomp.UnreachCall
	}
	if p, ok := svcomp.Named(arg); ok {
		return p, nil
	}
	text, err := os.ReadFile(arg)
	switch {
	case err != nil && filepath.Ext(arg) != ".prp":
		return svcomp.Property{}, usageError("--property %s is neither a file nor the name of a property, such as %s and %s: %w", arg, svcomp.UnreachCall, svcomp.NoOverflow, err)
	case err != nil:
		return svcomp.Property{}, err
	}
	return svcomp.ParseProperty(arg, string(text))
}
