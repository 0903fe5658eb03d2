package inline

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// bench opens solvers that can be made to fail, and keeps the books on them.
type bench struct {
	opened, closed, solvers, checks int
	// before is called before a check with the number of the solver and of the check, from 1, and the assumptions; when it
	// returns true the check is left open.
	before func(solver, check int, assumptions []*term.Term) bool
	// forget says of which solvers the models lack the numbers.
	forget func(solver int) bool
	// claim says which solvers find models, none of them one, where there are none.
	claim func(solver int) bool
	// deny says which solvers find none where there are some.
	deny func(solver int) bool
}

func (b *bench) open(p *term.Pool, c smt.Config) (smt.Context, error) {
	ctx, err := z3.Open(p, c)
	b.opened++
	return &benchContext{ctx, b}, err
}

type benchContext struct {
	smt.Context
	bench *bench
}

func (c *benchContext) NewSolver(p smt.Params) (smt.Solver, error) {
	s, err := c.Context.NewSolver(p)
	c.bench.solvers++
	return &benchSolver{Solver: s, bench: c.bench, number: c.bench.solvers}, err
}

func (c *benchContext) Close() {
	c.bench.closed++
	c.Context.Close()
}

type benchSolver struct {
	smt.Solver
	bench  *bench
	number int
	// claimed says that the last answer was a false claim.
	claimed bool
}

func (s *benchSolver) Check(ctx context.Context, assumptions ...*term.Term) (smt.Status, error) {
	s.bench.checks++
	if s.bench.before != nil && s.bench.before(s.number, s.bench.checks, assumptions) {
		return smt.Unknown, nil
	}
	status, err := s.Solver.Check(ctx, assumptions...)
	if s.claimed = status == smt.Unsat && s.bench.claim != nil && s.bench.claim(s.number); s.claimed {
		return smt.Sat, err
	}
	if status == smt.Sat && s.bench.deny != nil && s.bench.deny(s.number) {
		return smt.Unsat, err
	}
	return status, err
}

func (s *benchSolver) Model() (*smt.Model, error) {
	if s.claimed {
		return smt.NewModel(0), nil
	}
	m, err := s.Solver.Model()
	if err != nil || s.bench.forget == nil || !s.bench.forget(s.number) {
		return m, err
	}
	bare := smt.NewModel(0)
	for v, value := range m.All() {
		if v.IsBool() {
			bare.Set(v, value)
		}
	}
	return bare, nil
}

// A run that is stopped at any of its checks, in the search or in the proof, says so and leaves nothing behind.
func TestCancelledAtAnyCheck(t *testing.T) {
	before := runtime.NumGoroutine()
	for name, sys := range map[string]func() *chc.System{
		"endless": func() *chc.System { return counterTo(t, 5, 11) },
		"safe":    func() *chc.System { return read(t, callTree(2, 2, goalOf(2)+1)) },
	} {
		for _, e := range []engine.Engine{Engine(), BMC()} {
			for stop := 1; ; stop += 3 {
				ctx, cancel := context.WithCancel(context.Background())
				b := &bench{}
				b.before = func(_, check int, _ []*term.Term) bool {
					if check == stop {
						cancel()
					}
					return false
				}
				answer, err := e.Solve(ctx, sys(), engine.Settings{Open: b.open})
				cancel()
				require.NoError(t, err)
				require.Equal(t, b.opened, b.closed)
				if answer.Verdict == engine.Sat && name == "safe" {
					require.Less(t, b.checks, stop, "the check that was cancelled was of no consequence")
					break
				}
				require.Equal(t, engine.Unknown, answer.Verdict)
				require.Equal(t, context.Canceled.Error(), answer.Reason)
				if name == "endless" && stop > 40 {
					break
				}
			}
		}
	}
	// What watches a check may need a moment to see that it is over.
	for range 20000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
}

// collector keeps events without their times.
type collector struct{ lines []string }

func (*collector) Enabled() bool { return true }
func (c *collector) Emit(e engine.Event) {
	line := e.Kind
	for _, f := range e.Fields {
		if f.Name != "milliseconds" {
			line += fmt.Sprintf(" %s=%v", f.Name, f.Value)
		}
	}
	c.lines = append(c.lines, line)
}

// The same clauses give the same run.
func TestSameRunTwice(t *testing.T) {
	for _, src := range []string{callTree(6, 3, goalOf(3)), callTree(3, 3, goalOf(3)+1), strings.ReplaceAll(fibonacci, "R", "8")} {
		var runs [2]collector
		var witnesses [2]string
		for i := range runs {
			answer, err := Engine().Solve(t.Context(), read(t, src), engine.Settings{Open: z3.Open, Events: &runs[i]})
			require.NoError(t, err)
			require.NotEqual(t, engine.Unknown, answer.Verdict)
			if answer.Refutation != nil {
				witnesses[i] = fmt.Sprint(len(answer.Refutation.Steps))
			} else {
				witnesses[i] = fmt.Sprint(answer.Model.Size())
			}
		}
		require.Equal(t, runs[0].lines, runs[1].lines)
		require.Equal(t, witnesses[0], witnesses[1])
		all := strings.Join(runs[0].lines, "\n")
		for _, kind := range []string{"level bound=1", "query kind=under result=unsat", "inline predicate="} {
			require.Contains(t, all, kind)
		}
	}
}

// run solves with a bench's solvers.
func (b *bench) run(t *testing.T, e engine.Engine, sys *chc.System, options map[string]string) (engine.Answer, *engine.Stats) {
	stats := engine.NewStats()
	answer, err := e.Solve(t.Context(), sys, engine.Settings{Open: b.open, Options: options, Stats: stats})
	require.NoError(t, err)
	require.Equal(t, b.opened, b.closed)
	return answer, stats
}

// A solver that leaves a query open is replaced by one with other settings that knows all that it knew.
func TestOpenQueriesAreAskedElsewhere(t *testing.T) {
	for _, e := range []engine.Engine{Engine(), BMC()} {
		b := &bench{before: func(solver, check int, _ []*term.Term) bool { return solver == 1 && check > 4 }}
		answer, stats := b.run(t, e, counterTo(t, 9, 18), nil)
		require.Equal(t, engine.Unsat, answer.Verdict, answer.Reason)
		require.Equal(t, int64(1), stats.Get("solver.retuned"))

		b = &bench{before: func(int, int, []*term.Term) bool { return true }}
		answer, stats = b.run(t, e, counterTo(t, 9, 18), nil)
		require.Equal(t, engine.Unknown, answer.Verdict)
		require.Contains(t, answer.Reason, "the solver could not decide whether a query is reached")
		require.Equal(t, int64(2), stats.Get("solver.retuned"))
	}
}

// When the first query stays open the second one goes on; but then nobody may say that there is no bug.
func TestOpenFirstQueries(t *testing.T) {
	sys := counterTo(t, 4, 9)
	// The first query blocks the one open site, the second one only when it is beyond the bound.
	blocked := map[int]int{}
	b := &bench{}
	b.before = func(solver, check int, assumptions []*term.Term) bool {
		blocked[len(assumptions)]++
		return check <= 3
	}
	answer, _ := b.run(t, Engine(), sys, map[string]string{"inline.bound": "3", "inline.choice": "trace"})
	require.Equal(t, engine.Unknown, answer.Verdict)
	require.Contains(t, answer.Reason, "left queries open")
	require.Positive(t, blocked[0])
}

// A model may lack values that matter; the derivation is then solved by itself.
func TestDerivationsAreRepaired(t *testing.T) {
	b := &bench{forget: func(solver int) bool { return solver == 1 }}
	answer, stats := b.run(t, Engine(), counterTo(t, 3, 6), nil)
	require.Equal(t, engine.Unsat, answer.Verdict, answer.Reason)
	require.Equal(t, int64(1), stats.Get("inline.repairs"))

	// So may the model of the derivation alone; then it is asked for elsewhere.
	b = &bench{forget: func(solver int) bool { return solver <= 2 }}
	answer, stats = b.run(t, Engine(), counterTo(t, 3, 6), nil)
	require.Equal(t, engine.Unsat, answer.Verdict, answer.Reason)
	require.Equal(t, int64(1), stats.Get("inline.repairs"))

	b = &bench{forget: func(int) bool { return true }}
	answer, _ = b.run(t, Engine(), counterTo(t, 3, 6), nil)
	require.Equal(t, engine.Unknown, answer.Verdict, "no refutation that failed its check gets out")
	require.Contains(t, answer.Reason, "no solver found values for the refutation")
}

// A solver that says that a tree has a counterexample which another one has excluded is not believed when its model is
// none: a proof is asked for elsewhere, and where nobody has one the verdict is open.
func TestClaimsAgainstProofsAreLookedAt(t *testing.T) {
	safe := callTree(2, 2, goalOf(2)+1)
	b := &bench{claim: func(solver int) bool { return solver == 2 }}
	answer, _ := b.run(t, Engine(), read(t, safe), nil)
	require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)

	b = &bench{claim: func(solver int) bool { return solver > 1 }}
	answer, _ = b.run(t, Engine(), read(t, safe), nil)
	require.Equal(t, engine.Unknown, answer.Verdict)
	require.Contains(t, answer.Reason, errNotProved.Error())
	// Here the search is not believed either: there is a counterexample in the proof's model.
	wrong := &bench{}
	wrong.deny = func(solver int) bool { return solver == 1 }
	_, err := Engine().Solve(t.Context(), read(t, callTree(2, 2, goalOf(2))), engine.Settings{Open: wrong.open})
	require.ErrorContains(t, err, "an inlined tree that was proved has a counterexample")
}

// Over arrays whose indices are of a finite sort Z3 finds models where there are none, and models that are none. These
// systems are safe; whatever is made of such models, nothing is an error and nothing is wrong.
func TestModelsOverFiniteIndicesAreNotBelieved(t *testing.T) {
	const declarations = `(declare-datatypes ((Colour 0)) (((red) (green) (blue))))
		(declare-fun p ((Array Colour Bool)) Bool) (declare-fun q ((Array Colour Bool)) Bool) (declare-fun r ((Array Colour Bool)) Bool)
		(declare-fun s ((Array (_ BitVec 1) Bool)) Bool)
		(assert (forall ((a Bool) (b Bool)) (p (store (store ((as const (Array Colour Bool)) true) red a) green b))))
		(assert (forall ((d (Array Colour Bool))) (=> (not (select d blue)) (r d))))
		(assert (forall ((a Bool)) (s (store ((as const (Array (_ BitVec 1) Bool)) true) #b0 a))))`
	for name, clauses := range map[string]string{
		"a value passed":    `(assert (=> (p ((as const (Array Colour Bool)) false)) false))`,
		"a value compared":  `(assert (forall ((d (Array Colour Bool))) (=> (and (p d) (= d ((as const (Array Colour Bool)) false))) false)))`,
		"two calls":         `(assert (forall ((d (Array Colour Bool))) (=> (and (p d) (r d) (= d ((as const (Array Colour Bool)) false))) false)))`,
		"a call in between": `(assert (forall ((d (Array Colour Bool))) (=> (and (p d) (r d)) (q d)))) (assert (=> (q ((as const (Array Colour Bool)) false)) false))`,
		"one bit":           `(assert (=> (s ((as const (Array (_ BitVec 1) Bool)) false)) false))`,
	} {
		t.Run(name, func(t *testing.T) {
			for _, e := range []engine.Engine{Engine(), BMC()} {
				for _, options := range []map[string]string{nil, {"inline.arith-solver": "6"}, {"inline.direction": "forward"}, {"inline.share": "first"},
					{"inline.track": "none", "inline.share": "first"}} {
					answer, _ := solve(t, e, read(t, declarations+clauses), options, patience)
					require.NotEqual(t, engine.Unsat, answer.Verdict, "%s %v", e.Name, options)
				}
			}
		})
	}
}

// A tree without counterexample whose labels are not found within their limit ends in an unknown that says both.
func TestNoModelInTime(t *testing.T) {
	answer, _ := solve(t, Engine(), read(t, callTree(3, 2, goalOf(2)+1)), map[string]string{"inline.proof-limit": "1ns"}, patience)
	require.Equal(t, engine.Unknown, answer.Verdict)
	require.Contains(t, answer.Reason, "no bug at any recursion bound, but no model was found")
}
