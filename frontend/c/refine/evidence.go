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
	// OnlyRun says that a program is safe because its only run ends without an error; there is no Model then.
	OnlyRun bool
	// Script repeats the run that reaches the error, or the only one, and Outcome is its end.
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
	if err != nil || recorder.Script != nil || !Harmless(outcome) {
		return false, err
	}
	// What the program assumes, and whether there is anything to check, is for its translation to say.
	translation, err := translate.Translate(ctx, p, o.Translate)
	if err != nil {
		return false, nil
	}
	*e = Evidence{OnlyRun: true, Outcome: outcome, Script: interpret.NewScript(), Runner: e.Runner, Translation: translation}
	return true, nil
}

// Harmless reports whether a run ended without an error, in a way that C defines and that does not depend on where objects are.
func Harmless(o interpret.Outcome) bool {
	return (o.Kind == interpret.Ended || o.Kind == interpret.AssumptionFailed) && !o.Addresses
}

// NothingToCheck reports whether the program has no error that a run could reach.
func (e *Evidence) NothingToCheck() bool { return len(e.Translation.Origins.Errors) == 0 }
