package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/evaluate"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/lower"
	"hornbeam/frontend/c/refine"
	"hornbeam/frontend/c/svcomp"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// C is a C program that was read.
type C struct {
	Tree *tree.Program
	// Evidence is what the verdict rests on, when there is one.
	Evidence *refine.Evidence

	request  Request
	model    tree.Model
	units    []c.Unit
	property svcomp.Property
	options  refine.Options
	notes    []string
	// violation is the run that fails, for a witness; nil when none was asked for.
	violation *svcomp.Violation
}

// readC reads a C program of which it is asked whether it has a property.
func readC(ctx context.Context, req Request, property svcomp.Property) (*C, error) {
	o := req.Options
	p := &C{request: req.withDefaults(), model: c.LP64, property: property}
	if o.ILP32 {
		p.model = c.ILP32
	}
	var err error
	p.units = p.translationUnits()
	if p.Tree, err = c.Link(ctx, p.units...); err != nil {
		return nil, err
	}
	if o.NondetStatic {
		p.Tree.StartAnywhere()
	}
	if err := p.markErrors(); err != nil {
		return nil, err
	}
	if p.entry() == nil && o.Main != "" {
		return nil, optionError("--main %s: %s has no function of that name with a body", o.Main, req.File)
	}
	// A proof that is shown, and a witness, say what functions return: there their calls stay.
	if p.options, err = p.refinement(); err != nil || p.Tree.Contracts || o.Modular || o.Proof || o.Witness {
		return p, err
	}
	return p, evaluate.Calls(ctx, p.Tree, p.options.Run())
}

// translationUnits are the files of the program with what they are read with.
func (p *C) translationUnits() []c.Unit {
	own := p.request.Options.reading()
	own.Model, own.Modular, own.Faults = p.model, p.request.alone, p.property.Faults
	if len(p.request.Units) == 0 {
		return []c.Unit{{Name: p.request.File, Text: p.request.Source, Options: own}}
	}
	var out []c.Unit
	for _, u := range p.request.Units {
		o := u.Options
		o.Model, o.Physical, o.ACSL, o.Modular, o.Faults = own.Model, own.Physical, own.ACSL, own.Modular, own.Faults
		o.IncludeDirs = slices.Concat(o.IncludeDirs, own.IncludeDirs)
		o.Defines = slices.Concat(o.Defines, own.Defines)
		o.Undefines = slices.Concat(o.Undefines, own.Undefines)
		o.Includes = slices.Concat(o.Includes, own.Includes)
		if o.Standard == "" {
			o.Standard = own.Standard
		}
		out = append(out, c.Unit{Name: u.Name, Text: u.Text, Options: o})
	}
	return out
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
		return svcomp.Property{}, optionError("--property %s is neither a file nor the name of a property; choose all or some of %s", arg, strings.Join(svcomp.Names(), ", "))
	case err != nil:
		return svcomp.Property{}, err
	}
	return svcomp.ParseProperty(arg, string(text))
}

// Decidable reports whether a property, a file or the name of one, is one that Program decides.
func Decidable(property string) bool {
	p, err := propertyOf(property)
	return err == nil && p.Decidable()
}

// markErrors marks the functions that may not be called, because the options or the property name them.
func (p *C) markErrors() error {
	names := p.request.Options.Errors
	for _, name := range names {
		if p.Tree.Function(name) == nil {
			return optionError("--error %s: %s has no function of that name", name, p.request.File)
		}
	}
	for _, f := range p.Tree.Functions {
		f.Error = f.Error || slices.Contains(names, f.Name) || f.Name == p.property.OtherFunction()
	}
	return nil
}

// entryName is the name of the function that runs begin with: what the options say, or else the property.
func (p *C) entryName() string { return cmp.Or(p.request.Options.Main, p.property.Entry) }

// entry is the function that runs begin with; nil if there is none.
func (p *C) entry() *tree.Function {
	if f := p.Tree.Function(p.entryName()); f != nil && f.Body != nil {
		return f
	}
	return nil
}

// refinement returns what the options ask of the program's attempts.
func (p *C) refinement() (refine.Options, error) {
	o := p.request.Options
	mode := lower.Ranged
	if o.Bits != "auto" {
		var err error
		if mode, err = lower.ParseMode(o.Bits); err != nil {
			return refine.Options{}, optionError("--bits: %s", err)
		}
	}
	label, err := p.errorLabel()
	if err != nil {
		return refine.Options{}, err
	}
	// Names that are none of these are of variables, which the engines track.
	track, _ := translate.ParseTrack(o.Track)
	return refine.Options{
		Translate: translate.Options{
			Faults: p.property.Faults, MayFail: o.MayFail, ErrorLabel: label, Entry: p.entryName(), EndAtOverflow: o.Int == "defined" || o.Int == "c" && p.Tree.Library, Track: track,
		},
		Mode: mode, Unbounded: o.Int == "math", Blocks: o.encodingBlocks(), Defined: o.Int == "c", Vectors: o.Bits == "auto", Expand: o.Arrays == "expand", Unwind: o.Unwind,
	}, nil
}

// errorLabel is the label that it is an error to reach; empty if there is none.
func (p *C) errorLabel() (string, error) {
	label := p.request.Options.ErrorLabel
	labels, others := p.property.Name == svcomp.UnreachLabel, !p.property.Faults.Has(fault.Assertion)
	switch {
	case label == "auto" && (labels || others):
	case label == "auto":
		label = svcomp.ErrorLabel(p.Tree)
		if label != "" {
			p.notes = append(p.notes, fmt.Sprintf("the label %s is taken for an error; with --error-label none it is none", label))
		} else if unused := svcomp.UnusedLabel(p.Tree); unused != "" {
			p.notes = append(p.notes, fmt.Sprintf("the label %[1]s is no error; with --error-label %[1]s it is one", unused))
		}
		return label, nil
	case label == "none":
	case others:
		return "", optionError("--error-label %s: with the property %s no label is an error", label, p.property)
	case labels:
		return "", optionError("--error-label %s: the property names the label %s", label, p.property.Label)
	case !svcomp.HasLabel(p.Tree, label):
		return "", optionError("--error-label %s: %s has no label of that name", label, p.request.File)
	default:
		return label, nil
	}
	if labels {
		return p.property.Label, nil
	}
	return "", nil
}

// undecidable says why what is asked cannot be decided, or nothing.
func (p *C) undecidable() string {
	switch {
	case p.entry() == nil:
		// A part of a program is no wrong input.
		return p.request.File + ": there is no function " + p.entryName()
	case p.property.Faults.Has(fault.Dereference, fault.Free) && p.options.Mode != lower.Ranged:
		return "memory is only decided with --bits auto and --bits ranged"
	case !p.property.Decidable():
		return "the property " + p.property.String() + " is not decided"
	case p.property.OtherFunction() != "":
		if f := svcomp.UnmarkedError(p.Tree); f != nil {
			return fmt.Sprintf("the property %s is not decided where the program calls %s, too, which ends runs in a way of its own", p.property, f.Name)
		}
	}
	return ""
}

// decide runs the program, proves it by its strategies, and says what the verdict rests on.
func (p *C) decide(ctx context.Context) (*Result, error) {
	if why := p.undecidable(); why != "" {
		return p.finish(ctx, unknown(why))
	}
	r, err := p.prove(ctx)
	var unsupported *translate.UnsupportedError
	switch {
	case errors.As(err, &unsupported):
		return p.finish(ctx, unknown(err.Error()))
	case ctx.Err() != nil && err != nil:
		return p.finish(ctx, unknown(portfolio.EndReason(ctx)+" while translating"))
	case err != nil:
		return nil, err
	}
	return p.finish(ctx, r)
}

// prove decides the program: by a few runs, and then by its strategies beside more runs.
func (p *C) prove(ctx context.Context) (*Result, error) {
	o := p.request.Options
	evidence := &refine.Evidence{}
	var err error
	if evidence.Runner, err = interpret.New(p.Tree, p.options.Run()); err != nil {
		return nil, err
	}
	if o.Explore <= 0 {
		r, _, err := p.proveByStrategies(ctx)
		return r, err
	}
	quick := p.quickRuns(ctx, evidence.Runner)
	onlyRun := !o.Proof && !o.Witness
	if quick.Script != nil {
		return p.found(ctx, evidence, quick.Script)
	}
	if onlyRun && quick.Only {
		if safe, err := evidence.RunsOnly(ctx, p.Tree, p.options); err != nil || safe {
			return p.only(evidence), err
		}
	}
	more := false
	if onlyRun && !quick.Only {
		decided, further, err := evidence.TryAll(ctx, p.Tree, p.options, everyLimits(soonEvery))
		switch {
		case decided && evidence.AllRuns:
			return p.only(evidence), nil
		case decided:
			return p.byRun(evidence), nil
		}
		more = err == nil && further
	}
	if quick.Single && p.options.Steps == 0 {
		p.options.Steps = longRunSteps
		if evidence.Runner, err = interpret.New(p.Tree, p.options.Run()); err != nil {
			return nil, err
		}
	}
	running, proof := beside(ctx, func(ctx context.Context) (cRun, bool) {
		return runBeside(ctx, p.Tree, p.options, o.Explore, quick.Single, onlyRun, more)
	})
	r, assumes, err := p.proveByStrategies(proof)
	// What can't be translated can be run all the same.
	open := r == nil || r.Verdict == engine.Unknown
	run, _ := running.end(open)
	switch {
	case run.all != nil && open:
		return p.only(run.all), nil
	case run.script != nil && (open || assumes):
		return p.found(ctx, evidence, run.script)
	case run.only && open:
		if safe, late := evidence.RunsOnly(ctx, p.Tree, p.options); late == nil && safe {
			return p.only(evidence), nil
		}
	}
	return r, err
}

// found is the result for a run that reaches the error, if it does so once more.
func (p *C) found(ctx context.Context, e *refine.Evidence, script *interpret.Script) (*Result, error) {
	reached, err := e.Reaches(ctx, script)
	if err != nil || !reached {
		return unknown("a run that reached the error does not do so again"), err
	}
	return p.byRun(e), nil
}

// byRun is the result for a run that has reached the error.
func (p *C) byRun(e *refine.Evidence) *Result {
	p.Evidence = e
	return &Result{Answer: engine.Answer{Verdict: engine.Unsat}}
}

// only is the result for a program all of whose runs end without an error.
func (p *C) only(e *refine.Evidence) *Result {
	p.Evidence = e
	p.request.Solver.Stats.Set("program.runs", int64(e.Runs))
	return &Result{Answer: engine.Answer{Verdict: engine.Sat, Engine: "run"}}
}

// proveByStrategies decides the program by its strategies. It reports whether a proof rests on an assumption that another strategy
// may have freed it from.
func (p *C) proveByStrategies(ctx context.Context) (*Result, bool, error) {
	best, assumes := sideBySide(ctx, refine.Strategies(p.Tree, p.options), p.request.Solver, p.request.Options.Proof, p.request.solver)
	if best.err != nil {
		return nil, false, best.err
	}
	a := best.attempt
	p.count(a.Counts)
	p.countChecks(a.Translation)
	if len(a.Unexpanded) > 0 {
		p.notes = append(p.notes, "--arrays expand leaves arrays whose length is not known to the theory: "+strings.Join(a.Unexpanded, ", "))
	}
	r := &Result{
		Answer:         engine.Answer{Engine: best.engine, Strategy: best.strategy, Reason: engine.OneLine(best.Reason), Internal: best.Internal},
		Representation: best.representation.Name,
	}
	if a != nil {
		r.beyond = a.Beyond()
	}
	switch best.Step {
	case frontend.Safe:
		r.Verdict, r.Reason, r.Model, p.Evidence = engine.Sat, "", a.Model, &a.Evidence
	case frontend.Unsafe:
		r.Verdict, r.Reason, p.Evidence = engine.Unsat, "", &a.Evidence
	}
	return r, assumes, nil
}

// countChecks counts the checks that are asked for, and those of them that no clause is about.
func (p *C) countChecks(t *translate.Result) {
	if t == nil {
		return
	}
	discharged := 0
	for _, c := range t.Checks {
		if !t.Decided[c] {
			discharged++
		}
	}
	p.request.Solver.Stats.Set("program.checks", int64(len(t.Checks)))
	p.request.Solver.Stats.Set("program.discharged", int64(discharged))
}

func (p *C) count(n refine.Counts) {
	s := p.request.Solver.Stats
	for _, c := range []struct {
		name  string
		count int
	}{
		{"bits.rounds", n.Rounds}, {"bits.occurrences", n.Occurrences}, {"bits.spurious", n.Spurious},
		{"bits.classes", n.Classes}, {"bits.vectors", n.Vectors}, {"bits.corrections", n.Corrections},
	} {
		if n.Rounds > 0 && (c.count > 0 || c.name != "bits.spurious") {
			s.Add(c.name, int64(c.count))
		}
	}
}

// finish adds to a result what it assumes and what is to be said of it.
func (p *C) finish(ctx context.Context, r *Result) (*Result, error) {
	r.Property, r.C = p.property.Name, p
	r.Notes = p.notes
	if r.Verdict == engine.Unsat {
		r.Fault = p.Evidence.Outcome.Fault
	}
	if r.Verdict == engine.Unknown {
		return r, nil
	}
	if r.Verdict == engine.Unsat && p.options.Defined && p.request.Options.Explore > 0 {
		p.Evidence.PreferDefined(ctx, p.Tree, p.options, p.request.Options.Explore)
	}
	if o := p.request.Options; r.Verdict == engine.Unsat && o.Trace {
		if err := p.Evidence.Shorten(ctx, p.Tree, p.options); err != nil && ctx.Err() == nil {
			return nil, err
		}
	}
	r.Assumptions = p.Evidence.Assumptions(ctx, p.Tree, p.options, r.Verdict == engine.Sat)
	if r.Verdict == engine.Sat && p.Evidence.NothingToCheck() {
		r.Notes = append(r.Notes, p.nothingToCheck())
	}
	return r, p.report(ctx, r)
}

// nothingToCheck says what was looked for in a program that has none of it.
func (p *C) nothingToCheck() string {
	if p.property.Faults == fault.Of(fault.Overflow) {
		return "nothing to check: no signed operation that could overflow is reached"
	}
	if !p.property.Faults.Has(fault.Assertion) {
		return "nothing to check: nothing that could violate " + p.property.Name + " is reached"
	}
	looked := "no call of reach_error or another error function, no assertion, no error label"
	if names := p.request.Options.Errors; len(names) > 0 {
		looked = "no call of " + strings.Join(names, ", ") + " or an error function, no assertion, no error label"
	}
	return "nothing to check: " + looked + " is reached from " + cmp.Or(p.entryName(), "main")
}

// clauses are those of the first strategy's first round.
func (p *C) clauses(ctx context.Context) (*chc.System, error) {
	o := p.options
	o.Defined, o.Vectors = false, false
	a, err := refine.Strategies(p.Tree, o)[0].Begin(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := a.Clauses(ctx); err != nil {
		return nil, err
	}
	return a.Encoding.System, nil
}
