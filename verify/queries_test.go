package verify_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/smttest"
	"hornbeam/internal/smt/z3"
	"hornbeam/verify"
)

// only is the system with one of its queries.
func only(sys *chc.System, query *chc.Clause) *chc.System {
	one := *sys
	one.Clauses = nil
	for _, c := range sys.Clauses {
		if c.IsQuery() && c != query {
			c = &chc.Clause{ID: c.ID, Constraint: sys.Pool.False()}
		}
		one.Clauses = append(one.Clauses, c)
	}
	return &one
}

func hunting(sys *chc.System) portfolio.Request {
	return portfolio.Request{System: sys, Engine: "inline", Open: z3.Open, Check: true, Stats: engine.NewStats()}
}

// On random systems with several queries, each query gets the verdict that is right for it alone: a refutation of it on
// the system as it is, or a model of all clauses but the other queries. No bound is claimed within which there is a bug.
// Every settled query is reported once.
func TestEachQueryGetsItsOwnVerdict(t *testing.T) {
	decided := map[engine.Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		sys := hornoracle.Draw(t, hornoracle.DefaultShape())
		// The last clauses are queries more.
		for _, c := range sys.Clauses[max(1, len(sys.Clauses)-rapid.IntRange(0, 2).Draw(t, "more")):] {
			c.Head = nil
		}
		bound := rapid.IntRange(0, 6).Draw(t, "bound")
		ctx, open, stop := smttest.Budget(t.Context(), z3.Open, 400)
		defer stop()
		if rapid.IntRange(0, 3).Draw(t, "in a hurry") == 0 {
			var hurry context.CancelFunc
			ctx, hurry = context.WithTimeout(ctx, 200*time.Millisecond)
			defer hurry()
		}
		req := hunting(sys)
		req.Open = open
		reported := map[*chc.Clause]engine.Verdict{}
		q := verify.NewQueries(req, bound, func(a verify.QueryAnswer) {
			require.NotContains(t, reported, a.Query)
			reported[a.Query] = a.Verdict
		})
		q.Run(ctx)
		answers := q.Answers()
		for _, a := range answers {
			require.True(t, a.Query.IsQuery())
			require.False(t, a.Internal, a.Reason)
			verdict, settled := reported[a.Query]
			require.Equal(t, settled, a.Settled)
			if settled {
				require.Equal(t, verdict, a.Verdict)
			}
			decided[a.Verdict]++
			alone := only(sys, a.Query)
			opts := hornoracle.DefaultOptions()
			opts.Tries = 2000
			tried := hornoracle.Solve(alone, opts).Refutation()
			switch a.Verdict {
			case engine.Unsat:
				require.NoError(t, witness.CheckRefutation(context.Background(), sys, a.Refutation))
				require.Same(t, a.Query, a.Refutation.Steps[len(a.Refutation.Steps)-1].Clause)
			case engine.Sat:
				require.NoError(t, witness.CheckModel(t.Context(), z3.Open, alone, a.Model, smt.Limit{}))
				require.Nil(t, tried)
			default:
				if a.Settled && bound > 0 && ctx.Err() == nil && a.Bound < bound {
					require.NotContains(t, a.Reason, "no bug up to")
				}
				if tried != nil {
					// The first bound is one, also for a bug without calls; zero says nothing.
					require.Less(t, a.Bound, max(1, cost(tried)), "there is a bug at recursion bound %d", cost(tried))
				}
			}
		}
		require.Len(t, answers, queriesOf(sys))
	})
	t.Logf("%v", decided)
	require.Positive(t, decided[engine.Sat])
	require.Positive(t, decided[engine.Unsat])
}

func queriesOf(sys *chc.System) int {
	n := 0
	for _, c := range sys.Clauses {
		if c.IsQuery() {
			n++
		}
	}
	return n
}

// cost is the recursion bound at which a refutation is found: how often at most a predicate is on one way down in it.
func cost(r *witness.Refutation) int {
	most := 0
	var down func(step int, stack map[*chc.Predicate]int)
	down = func(step int, stack map[*chc.Predicate]int) {
		s := r.Steps[step]
		if h := s.Clause.Head; h != nil {
			stack[h.Pred]++
			defer func() { stack[h.Pred]-- }()
			most = max(most, stack[h.Pred])
		}
		for _, p := range s.Premises {
			down(p, stack)
		}
	}
	down(len(r.Steps)-1, map[*chc.Predicate]int{})
	return most
}

// counting is a system of a counter with queries over its value: what can be refuted at a depth, and what cannot.
func counting(queries ...func(p *term.Pool, x *term.Term) *term.Term) *chc.System {
	p := term.NewPool()
	counter := &chc.Predicate{Name: "counter", Sorts: []*term.Sort{term.Int}}
	x := p.Var("x", term.Int)
	at := func(x *term.Term) chc.App { return chc.App{Pred: counter, Args: []*term.Term{x}} }
	zero, next := at(p.Int(0)), at(p.Add(x, p.Int(1)))
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{counter}, Clauses: []*chc.Clause{
		{ID: 0, Constraint: p.True(), Head: &zero}, {ID: 1, Body: []chc.App{at(x)}, Constraint: p.True(), Head: &next},
	}}
	for _, q := range queries {
		sys.Clauses = append(sys.Clauses, &chc.Clause{ID: len(sys.Clauses), Body: []chc.App{at(x)}, Constraint: q(p, x)})
	}
	return sys
}

func equals(n int64) func(p *term.Pool, x *term.Term) *term.Term {
	return func(p *term.Pool, x *term.Term) *term.Term { return p.Eq(x, p.Int(n)) }
}

func negative(p *term.Pool, x *term.Term) *term.Term { return p.Lt(x, p.Int(0)) }

// A query that is out of reach does not keep others from being proved or refuted, whatever the order, and each of them
// has the bound up to which it was hunted.
func TestAHardQueryKeepsNoneWaiting(t *testing.T) {
	for _, bound := range []int{0, 8} {
		sys := counting(equals(1_000_000_000), negative, equals(3), equals(2_000_000_000))
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
		settled := 0
		q := verify.NewQueries(hunting(sys), bound, func(verify.QueryAnswer) {
			// Without a bound the hunt for the others has no end.
			if settled++; settled == 2 && bound == 0 {
				stop()
			}
		})
		q.Run(ctx)
		stop()
		var verdicts []engine.Verdict
		for _, a := range q.Answers() {
			verdicts = append(verdicts, a.Verdict)
			if a.Verdict == engine.Unknown {
				require.GreaterOrEqual(t, a.Bound, 8)
			}
		}
		require.Equal(t, []engine.Verdict{engine.Unknown, engine.Sat, engine.Unsat, engine.Unknown}, verdicts)
	}
}

// What was explored is known at any time, also while the hunt goes on and after it was stopped.
func TestTheBoundIsKnownAtAnyTime(t *testing.T) {
	q := verify.NewQueries(hunting(counting(equals(1_000_000_000), equals(2_000_000_000))), 0, func(verify.QueryAnswer) {})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		q.Run(ctx)
		close(done)
	}()
	seen := 0
	for begin := time.Now(); seen < 20; {
		require.Less(t, time.Since(begin), time.Minute, "the bound does not rise")
		now := q.Answers()[0].Bound
		require.GreaterOrEqual(t, now, seen)
		seen = now
		time.Sleep(5 * time.Millisecond)
	}
	stop()
	<-done
	for _, a := range q.Answers() {
		require.Equal(t, engine.Unknown, a.Verdict)
		require.False(t, a.Settled)
	}
	require.GreaterOrEqual(t, q.Answers()[0].Bound, seen)
}

// What a run before has explored is no claim about other clauses.
func TestTheBoundIsThatOfTheRequest(t *testing.T) {
	req := hunting(counting(equals(10)))
	req.Stats.Set("inline.explored", 1000)
	q := verify.NewQueries(req, 4, func(verify.QueryAnswer) {})
	q.Run(t.Context())
	require.Equal(t, 4, q.Answers()[0].Bound)
	require.Equal(t, "no bug up to recursion bound 4", q.Answers()[0].Reason)
	q = verify.NewQueries(req, 11, func(verify.QueryAnswer) {})
	q.Run(t.Context())
	require.Equal(t, engine.Unsat, q.Answers()[0].Verdict)
}
