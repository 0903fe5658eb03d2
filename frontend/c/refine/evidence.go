package refine

import (
	"context"

	"hornbeam/chc/witness"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// Evidence is what a verdict on a program rests on.
type Evidence struct {
	// Translation is nil if there is none.
	Translation *translate.Result
	// Encoding has the clauses of the last round, and Model is theirs where the program is safe.
	Encoding *encode.Encoding
	Model    *witness.Model
	// LoopsWrittenOut says that the model is of a program whose loops are written out.
	LoopsWrittenOut bool
	// AllRuns says that a program is safe because its runs, all of which were made, end without an error: Runs are those that differ in
	// more than values that make no difference. There is no Model then.
	AllRuns bool
	Runs    int
	// Script repeats the run that reaches the error, or the only one, or, of all runs, the first in which a signed operation
	// overflows, and Outcome is its end.
	Script  *interpret.Script
	Outcome interpret.Outcome
	// Runner is the program, ready to be run.
	Runner *interpret.Program
	// overflow is what Overflow said of a script.
	overflow struct {
		script  *interpret.Script
		outcome interpret.Outcome
		found   bool
	}
}

// Reaches takes a run for evidence if it reaches the error once more, and reports whether it does.
func (e *Evidence) Reaches(ctx context.Context, script *interpret.Script) (bool, error) {
	outcome, err := e.Runner.Run(ctx, script, nil)
	if err != nil || outcome.Kind != interpret.ErrorReached {
		return false, err
	}
	e.Script, e.Outcome = script, outcome
	return true, nil
}

// RunsOnly takes the only run of a program that leaves nothing open for evidence, if it ends without an error once more, and
// reports whether it does. A signed overflow is none of it where overflows matter; where they wrap around the run tells where the
// first is.
func (e *Evidence) RunsOnly(ctx context.Context, p *tree.Program, o Options) (bool, error) {
	if o.Unbounded {
		return false, nil
	}
	recorder := &interpret.Recorder{Choices: interpret.NewScript()}
	outcome, err := e.Runner.Run(ctx, recorder, nil)
	if err != nil || recorder.Script != nil || !outcome.Harmless() {
		return false, err
	}
	return e.byRuns(ctx, p, o, Evidence{Runs: 1, Outcome: outcome, Script: interpret.NewScript()})
}

// TryAll makes all runs of a program, as far as limits allow for, and takes them for evidence if none reaches an error, or the one that does;
// it reports whether there is evidence, of which AllRuns tells what kind it is, and whether there may be with more steps. Runs end where a
// signed operation overflows; where that keeps them from being evidence they wrap around, unless they are not to.
func (e *Evidence) TryAll(ctx context.Context, p *tree.Program, o Options, limits interpret.Limits) (decided, more bool, err error) {
	if o.Unbounded {
		return false, false, nil
	}
	run := o.Run()
	run.EndAtOverflow = true
	found, err := interpret.EveryRun(ctx, p, run, limits)
	overflow := found.Script
	if err == nil && found.Outcome.Kind == interpret.Undefined && !o.Translate.EndAtOverflow {
		found, err = interpret.EveryRun(ctx, p, o.Run(), limits)
	}
	switch {
	case err != nil:
	case found.Outcome.Kind == interpret.ErrorReached:
		decided, err = e.Reaches(ctx, found.Script)
	case found.All:
		decided, err = e.byRuns(ctx, p, o, Evidence{Runs: found.Runs, Outcome: found.Outcome, Script: overflow})
	}
	return decided, found.More, err
}

// byRuns is the evidence that a program is safe because of its runs.
func (e *Evidence) byRuns(ctx context.Context, p *tree.Program, o Options, found Evidence) (bool, error) {
	// What the program assumes, and whether there is anything to check, is for its translation to say.
	translation, err := translate.Translate(ctx, p, o.Translate)
	if err != nil {
		return false, nil
	}
	found.AllRuns, found.Runner, found.Translation = true, e.Runner, translation
	*e = found
	return true, nil
}

// NothingToCheck reports whether the program has no error that a run could reach.
func (e *Evidence) NothingToCheck() bool { return len(e.Translation.Origins.Errors) == 0 }
