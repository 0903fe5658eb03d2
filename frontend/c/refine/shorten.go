package refine

import (
	"context"

	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/tree"
)

// longRun is from how many steps on a run is worth being shortened.
const longRun = 20

// Shorten replaces a long run that reaches the error by a shorter one with the same end, if a little search finds one. Where the run
// does without signed overflow the shorter one does so, too.
func (e *Evidence) Shorten(ctx context.Context, p *tree.Program, o Options) error {
	if e.Outcome.Steps < longRun || e.Outcome.Steps >= interpret.MostShortened {
		return nil
	}
	run := o.Run()
	if _, overflows := e.Overflow(ctx, p, o); !overflows {
		run.EndAtOverflow = true
	}
	runner, err := interpret.New(p, run)
	if err != nil {
		return err
	}
	short := runner.Shorten(ctx, e.Script)
	if short == e.Script {
		return nil
	}
	script, outcome := e.Script, e.Outcome
	reached, err := e.Reaches(ctx, short)
	if !reached || e.Outcome.Steps > outcome.Steps {
		e.Script, e.Outcome = script, outcome
	}
	return err
}
