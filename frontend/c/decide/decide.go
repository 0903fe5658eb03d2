package decide

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/frontend/boogie/encode"
	replay "hornbeam/frontend/boogie/trace"
	"hornbeam/frontend/c/bits"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// Options say what is asked and how it is looked for.
type Options struct {
	Translate translate.Options
	Mode      bits.Mode
	// Unbounded takes signed arithmetic for exact on unbounded integers.
	Unbounded bool
	Blocks    encode.Blocks
	// Defined looks, beside a proof of all runs, for one of the runs in which no signed operation overflows, and for one that
	// none does. It is for the mode Ranged.
	Defined bool
	// Vectors tries the mode AllVectors beside the other.
	Vectors bool
	// OnlyRun takes a run that ends without an error for a proof, where the program leaves nothing open.
	OnlyRun bool
	// Steps is how long the run of a refutation may be; 0 stands for the interpreter's default.
	Steps int64
	// Explore is how long runs are tried at random, beside the proof; 0 is not at all.
	Explore time.Duration
}

// Verdict is the answer.
type Verdict uint8

// The verdicts.
const (
	Unknown Verdict = iota
	Safe
	Unsafe
)

// NothingToCheck reports whether a program that is Safe has no error that a run could reach.
func (r *Result) NothingToCheck() bool {
	return r.Verdict == Safe && len(r.Translation.Source.Errors) == 0
}

// Decided is what became of clauses.
type Decided struct {
	// Model is set if they have a model that was checked, Refutation if one was checked that they have none; with neither,
	// Reason says why.
	Model      *witness.Model
	Refutation *witness.Refutation
	Reason     string
	// Engine and Lane say who found it.
	Engine, Lane string
}

// Round is one lowering with what came of it.
type Round struct {
	Lowered  *bits.Lowered
	Encoding *encode.Encoding
	// Spurious says that the clauses were refuted by what is no run of the program.
	Spurious bool
}

// Result is an answer with its evidence.
type Result struct {
	Verdict Verdict
	Reason  string
	// Internal says that something went wrong that must not.
	Internal bool
	// Translation is nil if there is none.
	Translation *translate.Result
	Rounds      []Round
	// Model is that of the last round's clauses if the program is Safe.
	Model *witness.Model
	// OnlyRun says that a program is Safe because its only run ends without an error; there is no Model then.
	OnlyRun bool
	// Script repeats the run that reaches the error, and Outcome is its end, if the program is Unsafe.
	Script  *interpret.Script
	Outcome interpret.Outcome
	// Engine and Lane say who decided the last clauses, Strategy for which representation.
	Engine, Lane, Strategy string
	// Runner is the program, ready to be run; nil if that failed.
	Runner *interpret.Program
	// definedOnly says that a proof is one of the runs without signed overflow.
	definedOnly bool
	// overflow is where the run of a refutation leaves the range of a type; it has no line if none was found.
	overflow chc.Position
	// addressBits is how many bits addresses have in lowerings where they are vectors, else 0.
	addressBits int
	// Stopped is a place that can't be handled and that a run may come to; nil if that was not found.
	Stopped *translate.Place
}

// Decider has clauses decided, with checked witnesses. The encoding's candidates are offered, not known. It is called by several
// goroutines at once.
type Decider func(ctx context.Context, q Question) Decided

// Question is clauses that are to be decided.
type Question struct {
	// Strategy is the name of the representation that they are for: only, unbounded, checked, ranged or vectors.
	Strategy    string
	Translation *translate.Result
	Encoding    *encode.Encoding
}

// maxRounds is how often a program is refined at most.
const maxRounds = 300

// Program decides a program. The error is that of reading it: a missing entry, or a *translate.UnsupportedError.
func Program(ctx context.Context, p *tree.Program, o Options, decide Decider) (*Result, error) {
	r, err := program(ctx, p, o, decide)
	if err == nil && o.Defined && o.Explore > 0 {
		r.preferDefined(ctx, p, o)
	}
	return r, err
}

func program(ctx context.Context, p *tree.Program, o Options, decide Decider) (*Result, error) {
	r := &Result{}
	var err error
	runOptions := interpret.Options{
		Entry: o.Translate.Entry, ErrorLabel: o.Translate.ErrorLabel, NoOverflow: o.Translate.Property == translate.NoOverflow,
		EndAtOverflow: o.Translate.EndAtOverflow, Steps: o.Steps,
	}
	r.Runner, err = interpret.New(p, runOptions)
	if err != nil {
		return nil, err
	}
	var x *exploration
	proof := ctx
	if o.Explore > 0 {
		quick := explore(ctx, r.Runner, interpret.Search{Seed: 1, Time: o.Explore, Steps: quickSteps})
		if quick.Script != nil {
			return r, r.found(ctx, quick.Script)
		}
		if o.OnlyRun && quick.Only {
			if err := r.ranOnly(ctx, p, o); err != nil || r.Verdict == Safe {
				return r, err
			}
		}
		if quick.Single && o.Steps == 0 {
			runOptions.Steps = longRunSteps
			if r.Runner, err = interpret.New(p, runOptions); err != nil {
				return nil, err
			}
		}
		x, proof = goExploring(ctx, p, runOptions, o.Explore, quick.Single, o.OnlyRun)
	}
	err = r.sideBySide(proof, p, o, runOptions, decide)
	// What can't be translated can be run all the same.
	script := x.end(r.Verdict == Unknown)
	switch {
	case script != nil && (r.Verdict == Unknown || r.definedOnly):
		return r, r.found(ctx, script)
	case r.Verdict != Unknown:
	case x != nil && x.only:
		if late := r.ranOnly(ctx, p, o); late == nil && r.Verdict == Safe {
			return r, nil
		}
	}
	return r, err
}

// prove translates the program and has it decided. Where a run may come to what can't be handled, nothing is proved any more,
// but the runs that do not come there may still reach the error.
func (r *Result) prove(ctx context.Context, p *tree.Program, o Options, s strategy, decide Decider) error {
	r.Strategy = s.name
	o.Translate.Stops = translate.StopsFail
	if err := r.attempt(ctx, p, o, s, decide); err != nil || r.Stopped == nil {
		return err
	}
	reason := fmt.Sprintf("%s, and a run may come there", r.Stopped)
	o.Translate.Stops = translate.StopsEnd
	err := r.attempt(ctx, p, o, s, decide)
	if r.Verdict != Unsafe {
		r.Reason = reason
	}
	return err
}

// attempt translates the program in one way and has it decided, in as many rounds as it takes.
func (r *Result) attempt(ctx context.Context, p *tree.Program, o Options, s strategy, decide Decider) error {
	var err error
	if r.Translation, err = translate.Translate(ctx, p, o.Translate); err != nil {
		return err
	}
	if err := bits.Declare(r.Translation.Program); err != nil {
		return err
	}
	lower := bits.Options{Mode: o.Mode, PointerBits: int(8 * p.Model.PointerBytes), Unbounded: o.Unbounded, Plan: &bits.Plan{}}
	s.lower(&lower)
	if lower.Mode != bits.AllVectors {
		lower.Elements = bits.Elements(r.Translation.Program, lower.PointerBits)
		r.Translation.Source.Elements = lower.Elements
	}
	if s.unwind {
		unwound, bounded, err := bits.Unwind(ctx, r.Translation.Program, lower)
		if err != nil {
			return r.late(ctx, err)
		}
		if !bounded || len(unwound.Origin) == 0 {
			r.Reason = "the turns of its loops are not bounded by constants"
			return nil
		}
		r.unrolled(unwound, &lower)
	} else if err := r.unroll(ctx, &lower); err != nil {
		return r.late(ctx, err)
	}
	if lower.Mode == bits.AllVectors {
		r.addressBits = lower.PointerBits
	}
	for range maxRounds {
		more, err := r.round(ctx, o, &lower, decide)
		if err != nil || !more {
			return r.late(ctx, err)
		}
	}
	r.Reason = fmt.Sprintf("more than %d refinements", maxRounds)
	return nil
}

// late takes an error for a reason where the time is over, which may be only that of a part.
func (r *Result) late(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	r.Reason = "the time is over: " + err.Error()
	return nil
}

// unroll writes out loops where that makes bit operations exact, in the modes that are after that.
func (r *Result) unroll(ctx context.Context, lower *bits.Options) error {
	if lower.Mode != bits.Ranged && lower.Mode != bits.Guided {
		return nil
	}
	unrolled, err := bits.Unroll(ctx, r.Translation.Program, *lower)
	if err != nil {
		return err
	}
	r.unrolled(unrolled, lower)
	return nil
}

// unrolled takes a program with loops written out for the one that is to be decided.
func (r *Result) unrolled(unrolled *bits.Unrolled, lower *bits.Options) {
	r.Translation.Program, lower.Copies, lower.Known = unrolled.Program, unrolled.Origin, unrolled.Known
	for _, l := range unrolled.Behind {
		// What is known where no run comes is nothing about the source's loop.
		delete(r.Translation.Source.Loops, l)
		delete(r.Translation.Source.Labels, l)
	}
}

// Clauses are those of the first lowering of a program.
func Clauses(ctx context.Context, p *tree.Program, o Options) (*encode.Encoding, error) {
	var encoding *encode.Encoding
	r, err := Program(ctx, p, Options{Translate: o.Translate, Mode: o.Mode, Unbounded: o.Unbounded, Blocks: o.Blocks}, func(context.Context, Question) Decided {
		return Decided{}
	})
	if err != nil {
		return nil, err
	}
	if n := len(r.Rounds); n > 0 {
		encoding = r.Rounds[n-1].Encoding
	}
	return encoding, nil
}

// round decides one lowering. It reports whether another one is worth trying, and has refined the plan for it.
func (r *Result) round(ctx context.Context, o Options, lower *bits.Options, decide Decider) (bool, error) {
	lowered, err := bits.Lower(ctx, r.Translation.Program, *lower)
	if err != nil {
		return false, err
	}
	lower.Known = lowered.Known
	encoding, err := encode.Encode(ctx, lowered.Program, term.NewPool(), encode.Options{Entry: r.Translation.EntryName, Blocks: o.Blocks})
	if err != nil {
		return false, err
	}
	r.Rounds = append(r.Rounds, Round{Lowered: lowered, Encoding: encoding})
	decided := decide(ctx, Question{r.Strategy, r.Translation, encoding})
	r.Reason, r.Engine, r.Lane = decided.Reason, decided.Engine, decided.Lane
	switch {
	case decided.Model != nil:
		return r.proved(lowered, lower, decided.Model), nil
	case decided.Refutation == nil:
		return false, nil
	}
	executed, failed, err := r.replay(ctx, lowered, encoding, decided.Refutation, o)
	switch {
	case r.Verdict == Unsafe:
		return false, nil
	case ctx.Err() != nil:
		r.Reason = "no time is left to run what was found"
		return false, nil
	}
	r.Rounds[len(r.Rounds)-1].Spurious = true
	r.Reason = err.Error()
	if r.Stopped != nil && o.Translate.Stops == translate.StopsFail {
		return false, nil
	}
	if bits.Refine(lowered, *lower, executed) {
		return true, nil
	}
	if o.Translate.Stops == translate.StopsFail {
		r.Stopped = r.Translation.Stop(failed)
	}
	r.Reason += r.inexact()
	return false, nil
}

// proved takes a model for a proof, if the lowering allows it; if not, it reports that another round may.
func (r *Result) proved(lowered *bits.Lowered, lower *bits.Options, model *witness.Model) bool {
	if r.Translation.Fewer {
		// The runs that were left out may do anything.
		r.Reason = "no error is reached by runs that do not come to what can't be handled"
		return false
	}
	if !lowered.Relation.Proof().Held() {
		// Without bounds nothing goes wrong: the same has to be shown of overflows.
		r.Reason = "no error is reached if integers have no bounds, which says nothing about the machine's"
		lower.Checked = true
		return true
	}
	r.Verdict, r.Reason, r.Model = Safe, "", model
	return false
}

// replay runs the program as a refutation says. If that does not reach the error, it returns the occurrences that the
// refutation came by, where it failed, and why it is no run.
func (r *Result) replay(ctx context.Context, lowered *bits.Lowered, e *encode.Encoding, refutation *witness.Refutation, o Options) (executed bits.Executed, failed chc.Position, err error) {
	p := newPlayer(r.Translation.Source, lowered, e.Origins, r.addressBits)
	t, err := replay.Replay(ctx, e, refutation, replay.Options{Fuel: 50_000_000, Observe: p.observe})
	if err != nil {
		if ctx.Err() == nil && !errors.Is(err, replay.ErrUndetermined) && lowered.Relation.Refutes() {
			r.Internal = true
		}
		return executed, failed, fmt.Errorf("what was found does not replay: %w", err)
	}
	if lowered.Overflows[t.Failure().Pos] && o.Translate.Property != translate.NoOverflow {
		r.overflow = t.Failure().Pos
		return p.came(), r.overflow, fmt.Errorf("a proof in integers without bounds, as --bits nobv asks for, needs that no integer overflows, and one does at %s: "+
			"use --bits auto or --bits ranged, which represent wrap-around", r.overflow)
	}
	recorder := &interpret.Recorder{Choices: p}
	running, stop := context.WithCancel(ctx)
	defer stop()
	outcome, err := r.Runner.Run(running, recorder, p.watch(stop))
	if err != nil && ctx.Err() == nil {
		return p.came(), t.Failure().Pos, errors.New("what was found is no run of the program, which goes on for longer")
	}
	if err != nil {
		return executed, failed, fmt.Errorf("run what was found: %w", err)
	}
	if outcome.Kind == interpret.ErrorReached {
		r.Verdict, r.Reason = Unsafe, ""
		r.Outcome, r.Script = outcome, recorder.Script
		if r.Script == nil {
			r.Script = interpret.NewScript()
		}
		return executed, failed, nil
	}
	if outcome.Kind == interpret.Undetermined && o.Translate.Stops == translate.StopsFail {
		r.Stopped = r.Translation.Stop(t.Failure().Pos)
	}
	return p.came(), t.Failure().Pos, fmt.Errorf("what was found is no run of the program, %s", deviation(outcome))
}
