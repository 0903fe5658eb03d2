package verify

import (
	"context"
	"time"

	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/refine"
	"hornbeam/frontend/c/tree"
	"hornbeam/internal/cputime"
	"hornbeam/internal/work"
)

// quickSteps is how many steps are tried before anything else: what takes hardly any time.
const quickSteps = 50_000

// staleWork, in steps, ends a search that finds nothing new, after about half a second: of the bugs that searches find in SV-COMP's and Quokka's
// programs none is found later, and proofs have the processor.
const staleWork = 15_000_000

// busy is how many times as long as its budget of processor time a search may take on a machine that is busy.
const busy = 4

// A program that leaves nothing open has one run, which gets longRun times as much processor time as a search;
// longRunSteps bounds its steps.
const (
	longRun      = 20
	longRunSteps = 1 << 50
)

// mostEvery is how many steps are made at most to try every run beside a proof, one or two seconds; soonEvery how many before anything else,
// a quarter of a second, which ends within milliseconds where they do not seem to help. One run has a part of them, and leastRun at least.
const (
	mostEvery = 100_000_000
	soonEvery = 4_000_000
	leastRun  = 300_000
)

// everyPreferred is how much of the work of trying every run comes before that of others: about what mostEvery steps are.
const everyPreferred = 3 * time.Second

// everyLimits are those of trying every run with so many steps.
func everyLimits(steps int64) interpret.Limits {
	return interpret.Limits{Steps: steps, RunSteps: max(steps/20, leastRun), Estimate: mostEvery}
}

// cRun is what running a C program has found: a run that reaches the error, or that its only run does not, or the evidence that none does.
type cRun struct {
	script *interpret.Script
	only   bool
	all    *refine.Evidence
}

// quickRuns tries runs for hardly any time. Many bugs are not deep, and a run is its own evidence.
func (c *C) quickRuns(ctx context.Context, runner *interpret.Program) interpret.Found {
	found, err := runner.Explore(ctx, interpret.Search{Seed: 1, Time: c.request.Options.Explore, Steps: quickSteps})
	if err != nil {
		return interpret.Found{}
	}
	return found
}

// runBeside runs the program in every way if every is set, and then at random for a budget of processor time, or once if it has a single run.
// It reports whether that decides it.
func runBeside(ctx context.Context, p *tree.Program, o refine.Options, budget time.Duration, single, onlyRun, every bool) (cRun, bool) {
	// A program that is being run is nobody else's: this one is the search's own.
	runner, err := interpret.New(p, o.Run())
	if err != nil {
		return cRun{}, false
	}
	var out cRun
	if every {
		// It seems to come to an end soon, which others that are preferred are not to put off.
		release := work.Of(ctx).Prefer(everyPreferred)
		all := &refine.Evidence{Runner: runner}
		decided, _, err := all.TryAll(ctx, p, o, everyLimits(mostEvery))
		release()
		switch {
		case err != nil || !decided:
		case all.AllRuns:
			return cRun{all: all}, true
		default:
			return cRun{script: all.Script}, true
		}
	}
	if single {
		out = runOnce(ctx, runner, longRun*budget)
		out.only = out.only && onlyRun
	} else {
		spending(ctx, budget, busy*budget, func(ctx context.Context, most time.Duration) {
			if found, err := runner.Explore(ctx, interpret.Search{Seed: 2, Time: most, Stale: staleWork}); err == nil {
				out.script = found.Script
			}
		})
	}
	return out, out.script != nil || out.only
}

// spending calls f with a context that ends when its thread has had a budget of processor time, and the time that it may take in all.
// Beside a proof on a busy machine, a search that counted time alone would end with a fraction of its work done. Where work is counted,
// the budget is one of work, which is all that f may take.
func spending(ctx context.Context, budget, most time.Duration, f func(context.Context, time.Duration)) {
	if work.Of(ctx) != nil {
		f(ctx, budget)
		return
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cputime.Within(budget, stop, func() { f(ctx, most) })
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
		return cRun{only: recorder.Script == nil && outcome.Harmless()}
	case recorder.Script == nil:
		return cRun{script: interpret.NewScript()}
	}
	return cRun{script: recorder.Script}
}
