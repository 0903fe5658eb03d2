package decide

import (
	"context"
	"time"

	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/translate"
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
	// only says that the program left nothing open and its run ended without an error.
	only  bool
	stop  context.CancelFunc
	proof context.CancelFunc
}

// goExploring begins a search, or the run of a program that has a single one. The context returned is for the proof, and ends when a run is found, or, with
// onlyRun, when the only one has ended without an error.
func goExploring(ctx context.Context, p *tree.Program, o interpret.Options, budget time.Duration, single, onlyRun bool) (*exploration, context.Context) {
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
			x.script, x.only = runOnce(search, runner, longRun*budget)
			x.only = x.only && onlyRun
		} else {
			x.script = explore(search, runner, interpret.Search{Seed: 2, Time: budget}).Script
		}
		if x.script != nil || x.only {
			x.proof()
		}
	}()
	return x, proof
}

// runOnce runs a program that seems to leave nothing open. It returns what repeats the run if it reaches the error, and reports
// whether it ended without one and nothing was open indeed.
func runOnce(ctx context.Context, runner *interpret.Program, budget time.Duration) (*interpret.Script, bool) {
	ctx, stop := context.WithTimeout(ctx, budget)
	defer stop()
	recorder := &interpret.Recorder{Choices: interpret.NewScript()}
	outcome, err := runner.Run(ctx, recorder, nil)
	switch {
	case err != nil:
		return nil, false
	case outcome.Kind != interpret.ErrorReached:
		return nil, recorder.Script == nil && harmless(outcome)
	case recorder.Script == nil:
		return interpret.NewScript(), false
	}
	return recorder.Script, false
}

// harmless reports whether a run ended without an error, in a way that C defines and that does not depend on where objects are.
func harmless(o interpret.Outcome) bool {
	return (o.Kind == interpret.Ended || o.Kind == interpret.AssumptionFailed) && !o.Addresses
}

// ranOnly takes the only run of a program that leaves nothing open for a proof, if it ends without an error once more. A signed
// overflow is none of it where overflows matter; where they wrap around the run tells where the first is.
func (r *Result) ranOnly(ctx context.Context, p *tree.Program, o Options) error {
	if o.Unbounded {
		return nil
	}
	recorder := &interpret.Recorder{Choices: interpret.NewScript()}
	outcome, err := r.Runner.Run(ctx, recorder, nil)
	if err != nil || recorder.Script != nil || !harmless(outcome) {
		return err
	}
	// What the program assumes, and whether there is anything to check, is for its translation to say.
	translation, err := translate.Translate(ctx, p, o.Translate)
	if err != nil {
		return nil
	}
	*r = Result{Verdict: Safe, OnlyRun: true, Outcome: outcome, Script: interpret.NewScript(), Runner: r.Runner, Translation: translation, Engine: "run"}
	return nil
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
