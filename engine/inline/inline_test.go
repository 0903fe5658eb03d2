package inline

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/smttest"
	"hornbeam/internal/smt/z3"
)

// variants are settings that must not change any verdict.
var variants = []map[string]string{
	nil,
	{"inline.choice": "core"},
	{"inline.choice": "trace"},
	{"inline.choice": "trace", "inline.sites-at-once": "0"},
	{"inline.over-every": "1", "inline.arith-solver": "6"},
	{"inline.over-every": "0", "inline.core-share": "0"},
	{"inline.direction": "forward"},
	{"inline.share": "first"},
	{"inline.share": "first", "inline.choice": "trace"},
	{"inline.constants": "true"},
	{"inline.constants": "true", "inline.direction": "forward"},
	{"inline.track": "none"},
	{"inline.track": "query", "inline.refine": "linear", "inline.choice": "core"},
}

// newOptions returns the options of the engine inline.
func newOptions(s engine.Settings) (options, error) {
	return engine.Read((*options).table, s)
}

// limit gives a run its context and its solvers.
type limit func(context.Context) (context.Context, smt.Opener, context.CancelFunc)

// patience is a time that is never needed, however slow the machine is.
const patience = 5 * time.Minute

// atMost is a limit of time.
func atMost(d time.Duration) limit {
	return func(ctx context.Context) (context.Context, smt.Opener, context.CancelFunc) {
		ctx, cancel := context.WithTimeout(ctx, d)
		return ctx, z3.Open, cancel
	}
}

// checks is a number of checks, for runs that may have no end.
func checks(n int) limit {
	return func(ctx context.Context) (context.Context, smt.Opener, context.CancelFunc) {
		return smttest.Budget(ctx, z3.Open, n)
	}
}

// wholeChecks is a number of checks each of which has an answer.
func wholeChecks(n int) limit {
	return func(ctx context.Context) (context.Context, smt.Opener, context.CancelFunc) {
		return smttest.Checks(ctx, z3.Open, n)
	}
}

// solve runs an engine and holds its answer to the witness that comes with it.
func solve(t require.TestingT, e engine.Engine, sys *chc.System, options map[string]string, limit time.Duration) (engine.Answer, *engine.Stats) {
	return solveWith(t, e, sys, engine.Settings{}, options, atMost(limit))
}

func solveWith(t require.TestingT, e engine.Engine, sys *chc.System, s engine.Settings, options map[string]string, limit limit) (engine.Answer, *engine.Stats) {
	ctx, open, cancel := limit(context.Background())
	defer cancel()
	stats := engine.NewStats()
	s.Open, s.Options, s.Stats = open, options, stats
	answer, err := e.Solve(ctx, sys, s)
	require.NoError(t, err)
	switch answer.Verdict {
	case engine.Sat:
		require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, answer.Model, smt.Limit{}))
	case engine.Unsat:
		require.NoError(t, witness.CheckRefutation(context.Background(), sys, answer.Refutation))
	default:
		require.NotEmpty(t, answer.Reason)
	}
	return answer, stats
}

func with(options map[string]string, name, value string) map[string]string {
	out := map[string]string{name: value}
	for k, v := range options {
		out[k] = v
	}
	return out
}

func read(t require.TestingT, src string) *chc.System {
	script, err := smtlib.Read("test.smt2", []byte(src), term.NewPool())
	require.NoError(t, err)
	return script.System
}

// compare holds an answer to what trial finds. A refutation that trial finds has a recursion depth of at most the number
// of its steps, so that a bound of that many must find one too.
func compare(t *rapid.T, sys *chc.System, all bool) engine.Verdict {
	e := rapid.SampledFrom([]engine.Engine{Engine(), Engine(), BMC(), KInduction()}).Draw(t, "engine")
	options := rapid.SampledFrom(variants).Draw(t, "options")
	options = with(options, "kinduction.direction", rapid.SampledFrom([]string{"backward", "forward", "both"}).Draw(t, "direction"))
	bound := 6
	if e.Name != "inline" {
		bound = 3
	}
	opts := hornoracle.DefaultOptions()
	opts.Tries = 3000
	tried := hornoracle.Solve(sys, opts)
	if tried.Query != nil {
		require.NoError(t, witness.CheckRefutation(context.Background(), sys, tried.Refutation()))
	}
	var s engine.Settings
	if rapid.Bool().Draw(t, "induction") {
		s.Inductive = largestInductive
	}
	answer, _ := solveWith(t, e, sys, s, with(options, "inline.bound", fmt.Sprint(bound)), checks(200))
	switch answer.Verdict {
	case engine.Sat:
		require.Nil(t, tried.Query)
	case engine.Unsat:
		require.False(t, all && tried.Exhausted && tried.Query == nil)
	default:
		if tried.Query != nil && strings.HasPrefix(answer.Reason, "no bug up to") {
			require.Greater(t, depth(tried.Refutation()), bound)
		}
	}
	return answer.Verdict
}

// depth is the largest number of occurrences of one predicate on a path of the refutation.
func depth(r *witness.Refutation) int {
	most := 0
	var walk func(step int, on map[*chc.Predicate]int)
	walk = func(step int, on map[*chc.Predicate]int) {
		if head := r.Steps[step].Clause.Head; head != nil {
			on[head.Pred]++
			defer func() { on[head.Pred]-- }()
			most = max(most, on[head.Pred])
		}
		for _, p := range r.Steps[step].Premises {
			walk(p, on)
		}
	}
	walk(len(r.Steps)-1, map[*chc.Predicate]int{})
	return most
}

// On random systems no verdict contradicts what trial of many values shows, every witness passes its check, and "no bug
// up to a bound" is said only when there is none.
func TestAgreesWithTrial(t *testing.T) {
	for _, sort := range []*term.Sort{term.Int, term.Real} {
		t.Run(sort.String(), func(t *testing.T) {
			decided := map[engine.Verdict]int{}
			rapid.Check(t, func(t *rapid.T) {
				shape := hornoracle.DefaultShape()
				shape.Number, shape.DivMod, shape.Loose = sort, sort == term.Int, 0
				decided[compare(t, hornoracle.Draw(t, shape), false)]++
			})
			require.Positive(t, decided[engine.Sat])
			require.Positive(t, decided[engine.Unsat])
		})
	}
}

// The same over the other theories.
func TestAgreesWithTrialOverTheories(t *testing.T) {
	decided := map[engine.Verdict]int{}
	mixtures := []hornoracle.Theory{hornoracle.BitVecs, hornoracle.Finite, hornoracle.Ints | hornoracle.IntArrays,
		hornoracle.Ints | hornoracle.Records, hornoracle.Ints | hornoracle.Recursive}
	rapid.Check(t, func(t *rapid.T) {
		sys := hornoracle.DrawOver(t, hornoracle.DefaultMixture(rapid.SampledFrom(mixtures).Draw(t, "theories")))
		decided[compare(t, sys, hornoracle.AllTried(sys))]++
	})
	require.Positive(t, decided[engine.Sat])
	require.Positive(t, decided[engine.Unsat])
}

// callTree is a tree of calls, of which all but a few come to nothing: level i returns what it was given when that is 0, and
// otherwise calls level i-1 fan times, with 0 but for the last call, and returns the sum. Level 0 adds one. The query says
// that the top level, given 5, returns the goal: it returns 6.
func callTree(levels, fan, goal int) string {
	var b strings.Builder
	for i := range levels + 1 {
		fmt.Fprintf(&b, "(declare-fun f%d (Int Int) Bool)\n", i)
	}
	b.WriteString("(assert (forall ((x Int)) (f0 x (+ x 1))))\n")
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&b, "(assert (f%d 0 0))\n(assert (forall ((x Int)", i)
		for k := range fan {
			fmt.Fprintf(&b, " (y%d Int)", k)
		}
		// The 0 is not seen without looking at the constraint, and so not pushed down.
		b.WriteString(" (z Int)) (=> (and (not (= x 0)) (<= 0 z 0)")
		for k := range fan - 1 {
			fmt.Fprintf(&b, " (f%d z y%d)", i-1, k)
		}
		fmt.Fprintf(&b, " (f%d x y%d)) (f%d x (+", i-1, fan-1, i)
		for k := range fan {
			fmt.Fprintf(&b, " y%d", k)
		}
		fmt.Fprintf(&b, " 0)))))\n")
	}
	fmt.Fprintf(&b, "(assert (=> (f%d 5 %d) false))", levels, goal)
	return b.String()
}

// goalOf is what the top of a call tree returns: each level adds what the level below makes of 0, and that is 1 once.
func goalOf(fan int) int { return 6 + fan - 1 }

// With three calls a level, twenty levels have billions of calls; the bug needs three a level.
func TestDeepBugNeedsFewCalls(t *testing.T) {
	const levels, fan = 20, 3
	for _, options := range variants {
		answer, stats := solve(t, Engine(), read(t, callTree(levels, fan, goalOf(fan))), options, patience)
		require.Equal(t, engine.Unsat, answer.Verdict, "%s %v", answer.Reason, options)
		require.LessOrEqual(t, stats.Get("inline.instances"), int64(2*fan*levels), "%v", options)
		require.Equal(t, int64(1), stats.Get("level"), "nothing is recursive")
	}
}

// Neither does the proof that there is none, and it gives a model of the clauses.
func TestSafeCallTreeIsProvedWithoutInliningAll(t *testing.T) {
	const levels, fan = 8, 3
	for _, options := range variants {
		answer, stats := solve(t, Engine(), read(t, callTree(levels, fan, goalOf(fan)+1)), options, patience)
		require.Equal(t, engine.Sat, answer.Verdict, "%s %v", answer.Reason, options)
		require.LessOrEqual(t, stats.Get("inline.instances"), int64(2*fan*levels), "%v", options)
	}
}

// Static inlining inlines every call of the tree.
func TestStaticInliningInlinesAll(t *testing.T) {
	const levels, fan = 4, 3
	for goal, want := range map[int]engine.Verdict{goalOf(fan): engine.Unsat, goalOf(fan) + 1: engine.Sat} {
		answer, stats := solve(t, BMC(), read(t, callTree(levels, fan, goal)), nil, patience)
		require.Equal(t, want, answer.Verdict, answer.Reason)
		// The goal, the top level, and the levels below.
		require.Equal(t, int64(1+1+3+9+27+81), stats.Get("inline.instances"))
	}
}

const counter = `
(declare-fun loop (Int Int) Bool)
(assert (loop 0 0))
(assert (forall ((i Int) (s Int)) (=> (loop i s) (loop (+ i 1) (+ s 2)))))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (= i N) (= s GOAL)) false)))`

func counterTo(t require.TestingT, n, goal int) *chc.System {
	return read(t, strings.NewReplacer("N", fmt.Sprint(n), "GOAL", fmt.Sprint(goal)).Replace(counter))
}

// A bug that needs n calls of a predicate on the stack is found at bound n, and not below.
func TestBugAtRecursionDepth(t *testing.T) {
	const depth = 13
	for _, e := range []engine.Engine{Engine(), BMC()} {
		for _, options := range variants {
			sys := counterTo(t, depth-1, 2*(depth-1))
			answer, stats := solve(t, e, sys, options, patience)
			require.Equal(t, engine.Unsat, answer.Verdict, "%s %s %v", e.Name, answer.Reason, options)
			// The last call is a fact and needs no call below it.
			require.Len(t, answer.Refutation.Steps, depth+1)
			require.Equal(t, int64(depth), stats.Get("level"), "%s %v", e.Name, options)

			answer, _ = solve(t, e, sys, with(options, "inline.bound", fmt.Sprint(depth-1)), patience)
			require.Equal(t, fmt.Sprintf("no bug up to recursion bound %d", depth-1), answer.Reason)
			require.Equal(t, engine.Unknown, answer.Verdict)
			answer, _ = solve(t, e, sys, with(options, "inline.bound", fmt.Sprint(depth)), patience)
			require.Equal(t, engine.Unsat, answer.Verdict, "%s %s %v", e.Name, answer.Reason, options)
		}
	}
}

const fibonacci = `
(declare-fun fib (Int Int) Bool)
(assert (forall ((n Int)) (=> (<= 1 n 2) (fib n 1))))
(assert (forall ((n Int) (a Int) (b Int)) (=> (and (> n 2) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
(assert (=> (fib 6 R) false))`

// A recursion with two calls, decided both ways: the constants that are pushed down bound it.
func TestNonLinearRecursion(t *testing.T) {
	for _, e := range []engine.Engine{Engine(), BMC()} {
		for _, options := range variants {
			for result, want := range map[string]engine.Verdict{"8": engine.Unsat, "9": engine.Sat} {
				answer, _ := solve(t, e, read(t, strings.ReplaceAll(fibonacci, "R", result)), options, patience)
				require.Equal(t, want, answer.Verdict, "%s %s %v", e.Name, answer.Reason, options)
			}
		}
	}
}
