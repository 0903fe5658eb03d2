package decide

import (
	"context"
	"time"

	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/tree"
)

// quickSteps is how many steps are tried before anything else: what takes hardly any time.
const quickSteps = 50_000

// exploration is a search for a run that reaches the error, beside the proof.
type exploration struct {
	done   chan struct{}
	script *interpret.Script
	stop   context.CancelFunc
	proof  context.CancelFunc
}

// goExploring begins a search. The context returned is for the proof, and ends when a run is found.
func goExploring(ctx context.Context, p *tree.Program, o interpret.Options, budget time.Duration) (*exploration, context.Context) {
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
		if x.script = explore(search, runner, interpret.Search{Seed: 2, Time: budget}).Script; x.script != nil {
			x.proof()
		}
	}()
	return x, proof
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
