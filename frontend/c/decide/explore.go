package decide

import (
	"context"
	"time"

	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/tree"
)

// quickSteps is how many steps are tried before anything else: what takes hardly any time.
const quickSteps = 50_000

// A program that leaves nothing open has one run, and it is worth more patience than a search: longRun is how many times as
// much, and longRunSteps bounds its steps.
const (
	longRun      = 20
	longRunSteps = 1 << 50
)

// exploration is a search for a run that reaches the error, beside the proof.
type exploration struct {
	done   chan struct{}
	script *interpret.Script
	stop   context.CancelFunc
	proof  context.CancelFunc
}

// goExploring begins a search, or the run of a program that has a single one. The context returned is for the proof, and ends when a run is found.
func goExploring(ctx context.Context, p *tree.Program, o interpret.Options, budget time.Duration, single bool) (*exploration, context.Context) {
	x := &exploration{done: make(chan struct{})}
	var proof, search context.Context
	proof, x.proof = context.WithCancel(ctx)
	search, x.stop = context.WithCancel(ctx)
	go func() {
		defer close(x.done)
		// A program that is being run is nobody else's: this one is the search's own.
		runner, err := interpret.New(p, o)
		if err != nil {
			return
		}
		if single {
			x.script = runOnce(search, runner, longRun*budget)
		} else {
			x.script = explore(search, runner, interpret.Search{Seed: 2, Time: budget}).Script
		}
		if x.script != nil {
			x.proof()
		}
	}()
	return x, proof
}

// runOnce runs a program that seems to leave nothing open, and returns what repeats the run if it reaches the error.
func runOnce(ctx context.Context, runner *interpret.Program, budget time.Duration) *interpret.Script {
	ctx, stop := context.WithTimeout(ctx, budget)
	defer stop()
	recorder := &interpret.Recorder{Choices: interpret.NewScript()}
	outcome, err := runner.Run(ctx, recorder, nil)
	switch {
	case err != nil || outcome.Kind != interpret.ErrorReached:
		return nil
	case recorder.Script == nil:
		return interpret.NewScript()
	}
	return recorder.Script
}

// explore tries runs at random. Many bugs are not deep, and a run is its own evidence.
func explore(ctx context.Context, runner *interpret.Program, s interpret.Search) interpret.Found {
	found, err := runner.Explore(ctx, s)
	if err != nil {
		return interpret.Found{}
	}
	return found
}

// end ends the search, which may use up its time if wait is set, and returns what it found.
func (x *exploration) end(wait bool) *interpret.Script {
	if x == nil {
		return nil
	}
	if !wait {
		x.stop()
	}
	<-x.done
	x.stop()
	x.proof()
	return x.script
}

// found takes a run for the answer, if it reaches the error once more.
func (r *Result) found(ctx context.Context, script *interpret.Script) error {
	outcome, err := r.Runner.Run(ctx, script, nil)
	if err != nil || outcome.Kind != interpret.ErrorReached {
		return err
	}
	r.Verdict, r.Reason, r.Script, r.Outcome = Unsafe, "", script, outcome
	return nil
}
