package verify

import (
	"context"
	"time"

	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/refine"
	"hornbeam/frontend/c/tree"
	"hornbeam/internal/work"
)

// quickSteps is how many steps are tried before anything else: what takes hardly any time.
const quickSteps = 50_000

// staleWork ends a search that finds nothing new, about half a second: of the bugs that searches find in SV-COMP's and Quokka's
// programs none is found later, and proofs have the processor.
const staleWork = 15_000_000

// A program that leaves nothing open has one run, and it is worth more patience than a search: longRun is how many times as
// much, and longRunSteps bounds its steps.
const (
	longRun      = 20
	longRunSteps = 1 << 50
)

// cRun is what running a C program has found: a run that reaches the error, or that its only run does not.
type cRun struct {
	script *interpret.Script
	only   bool
}

// quickRuns tries runs for hardly any time. Many bugs are not deep, and a run is its own evidence.
func (c *C) quickRuns(ctx context.Context, runner *interpret.Program) interpret.Found {
	found, err := runner.Explore(ctx, interpret.Search{Seed: 1, Time: c.request.Options.Explore, Steps: quickSteps})
	if err != nil {
		return interpret.Found{}
	}
	return found
}

// runBeside runs the program at random for the time that the options give it, or once if it has a single run, and reports whether that
// decides it.
func runBeside(ctx context.Context, p *tree.Program, o interpret.Options, budget time.Duration, single, onlyRun bool) (cRun, bool) {
	// A program that is being run is nobody else's: this one is the search's own.
	runner, err := interpret.New(p, o)
	if err != nil {
		return cRun{}, false
	}
	var out cRun
	if single {
		out = runOnce(ctx, runner, longRun*budget)
		out.only = out.only && onlyRun
	} else if found, err := runner.Explore(ctx, interpret.Search{Seed: 2, Time: budget, Stale: staleWork}); err == nil {
		out.script = found.Script
	}
	return out, out.script != nil || out.only
}

// runOnce runs a program that seems to leave nothing open. It returns what repeats the run if it reaches the error, and otherwise
// whether it ended without one and nothing was open indeed.
func runOnce(ctx context.Context, runner *interpret.Program, budget time.Duration) cRun {
	ctx, stop := work.WithTimeout(ctx, budget)
	defer stop()
	recorder := &interpret.Recorder{Choices: interpret.NewScript()}
	outcome, err := runner.Run(ctx, recorder, nil)
	switch {
	case err != nil:
		return cRun{}
	case outcome.Kind != interpret.ErrorReached:
		return cRun{only: recorder.Script == nil && refine.Harmless(outcome)}
	case recorder.Script == nil:
		return cRun{script: interpret.NewScript()}
	}
	return cRun{script: recorder.Script}
}
