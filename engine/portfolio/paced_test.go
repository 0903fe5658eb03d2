package portfolio

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/smttest"
	"hornbeam/internal/smt/z3"
	"hornbeam/internal/work"
)

// A limit of time is one of work, the deadline of the context too, and the same query takes the same work each time.
func TestChecksAreBoundedByWork(t *testing.T) {
	decide := func(p smt.Params, limit, deadline time.Duration) (spent time.Duration, ended bool) {
		ctx, stop := work.WithTimeout(work.Alone(context.Background()), deadline)
		defer stop()
		pool := term.NewPool()
		c, err := Paced(z3.Open)(pool, smt.Config{})
		require.NoError(t, err)
		defer c.Close()
		s, err := c.NewSolver(p)
		require.NoError(t, err)
		s.SetLimit(smt.Limit{Time: limit})
		require.NoError(t, s.Assert(smttest.Pigeons(pool, 12)))
		status, err := s.Check(ctx)
		require.NoError(t, err)
		require.Equal(t, smt.Unknown, status)
		return work.Now(ctx), ctx.Err() != nil
	}
	for _, p := range []smt.Params{{}, {Auto: true}, {Finite: true}} {
		spent, ended := decide(p, 100*time.Millisecond, time.Hour)
		require.InDelta(t, 100, spent.Milliseconds(), 20, "%+v", p)
		require.False(t, ended)
		again, _ := decide(p, 100*time.Millisecond, time.Hour)
		require.Equal(t, spent, again, "%+v", p)
		spent, ended = decide(p, 0, 50*time.Millisecond)
		require.GreaterOrEqual(t, spent, 50*time.Millisecond)
		require.True(t, ended)
	}
}

// A query that is not decided keeps others waiting for a slice of work only, and one that is decided in the end is decided all the same.
func TestALongCheckIsBrokenOff(t *testing.T) {
	req := request(counter(10))
	req.Check = false
	req.Open = Paced(z3.Open)
	hard := fake(func(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
		c, err := s.Open(sys.Pool, smt.Config{})
		if err != nil {
			return engine.Answer{}, err
		}
		defer c.Close()
		solver, err := c.NewSolver(smt.Params{})
		if err != nil {
			return engine.Answer{}, err
		}
		if err := solver.Assert(smttest.Pigeons(sys.Pool, 12)); err != nil {
			return engine.Answer{}, err
		}
		_, err = solver.Check(ctx)
		return engine.Answer{Reason: "gave up"}, err
	})
	answers := asking(func(n int) (engine.Answer, bool) {
		return engine.Answer{Verdict: engine.Sat, Model: witness.NewModel()}, n == 10000
	})
	a := schedule{main: single("main", hard, nil), others: []strategy{single("answers", answers, nil)}}.run(work.Alone(context.Background()), req)
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)
}

// recorded is a solver that gives up when its resources are spent, and notes what it was asked for.
type recorded struct {
	smt.Solver
	limits *[]uint64
}

func (r recorded) SetLimit(l smt.Limit) { *r.limits = append(*r.limits, l.Resources) }

func (r recorded) Check(context.Context, ...*term.Term) (smt.Status, error) { return smt.Unsat, nil }

// working returns a part that works on a line of its own, where another one may wait for it.
func working(other bool) *work.Part {
	line := work.NewLine(nil)
	part := line.Group(1).Join(work.Terms{})
	if other {
		waits := line.Group(1).Join(work.Terms{})
		go func() {
			waits.Begin()
			waits.Leave()
		}()
	}
	line.Start()
	part.Begin()
	return part
}

// Tactics begin anew when they are broken off: a check that has a small limit of its own is asked for all of it at once, where the plain
// solver is asked for a slice first.
func TestTacticsAreAskedForTheirWholeLimit(t *testing.T) {
	first := func(tactics bool, limit smt.Limit) time.Duration {
		part := working(true)
		defer part.Leave()
		pool := term.NewPool()
		c, err := z3.Open(pool, smt.Config{Count: true})
		require.NoError(t, err)
		defer c.Close()
		var limits []uint64
		s := &pacedSolver{Solver: recorded{limits: &limits}, context: c, pool: pool, tactics: tactics}
		s.SetLimit(limit)
		_, err = s.Check(work.With(context.Background(), part))
		require.NoError(t, err)
		return timeOf(limits[0]).Round(time.Millisecond)
	}
	require.Equal(t, 5*time.Second, first(true, smt.Limit{Time: 5 * time.Second}))
	require.Equal(t, leastOfTactics, first(true, smt.Limit{Time: time.Minute}))
	require.Less(t, first(false, smt.Limit{Time: 5 * time.Second}), time.Second)
	require.Equal(t, 5*time.Second, first(false, smt.Limit{Time: 5 * time.Second, Whole: true}), "others are said to wait for the end")
}

// An answer that others have waited for is given before they work.
func TestAnswersDoNotWait(t *testing.T) {
	for _, whole := range []bool{false, true} {
		line := work.NewLine(nil)
		asks, waits := line.Group(1).Join(work.Terms{}), line.Group(1).Join(work.Terms{})
		var trace []string
		var all sync.WaitGroup
		all.Go(func() {
			asks.Begin()
			defer asks.Leave()
			pool := term.NewPool()
			c, err := z3.Open(pool, smt.Config{Count: true})
			if err != nil {
				trace = append(trace, err.Error())
				return
			}
			defer c.Close()
			inner, err := c.NewSolver(smt.Params{})
			if err != nil {
				trace = append(trace, err.Error())
				return
			}
			asks.Count(time.Second)
			s := &pacedSolver{Solver: inner, context: c, pool: pool}
			s.SetLimit(smt.Limit{Time: time.Second, Whole: whole})
			status, err := s.Check(work.With(context.Background(), asks))
			trace = append(trace, fmt.Sprint(status, " ", err))
		})
		all.Go(func() {
			waits.Begin()
			defer waits.Leave()
			trace = append(trace, "waits")
		})
		line.Start()
		all.Wait()
		if whole {
			require.Equal(t, []string{"sat <nil>", "waits"}, trace)
		} else {
			require.Equal(t, []string{"waits", "sat <nil>"}, trace)
		}
	}
}

// uncounted is a solver that works until its context ends and counts nothing of it.
type uncounted struct {
	smt.Solver
	checks *int
}

func (u uncounted) Check(ctx context.Context, _ ...*term.Term) (smt.Status, error) {
	*u.checks++
	for ctx.Err() == nil {
	}
	return smt.Unknown, ctx.Err()
}

// A check that counts nothing ends at its limit all the same, and is not asked again where it has had as much time as its limit allows.
func TestUncountedChecksEnd(t *testing.T) {
	decide := func(limit time.Duration, other bool) (checks int) {
		part := working(other)
		defer part.Leave()
		pool := term.NewPool()
		c, err := z3.Open(pool, smt.Config{Count: true})
		require.NoError(t, err)
		defer c.Close()
		inner, err := c.NewSolver(smt.Params{})
		require.NoError(t, err)
		s := &pacedSolver{Solver: uncounted{inner, &checks}, context: c, pool: pool}
		s.SetLimit(smt.Limit{Time: limit})
		ctx, stop := context.WithTimeout(context.Background(), time.Minute)
		defer stop()
		status, err := s.Check(work.With(ctx, part))
		require.NoError(t, err)
		require.Equal(t, smt.Unknown, status)
		require.NoError(t, ctx.Err(), "the context ended the check")
		return checks
	}
	require.Equal(t, 1, decide(10*time.Millisecond, false))
	require.Equal(t, 1, decide(10*time.Millisecond, true))
	require.Equal(t, 1, decide(600*time.Millisecond, true), "a slice that took longer than the limit")
}

// One part may hold what another one needs to carry its witness back: it gets the turns to let go of it.
func TestTranslationsWaitForEachOther(t *testing.T) {
	line := work.NewLine(nil)
	first, second := line.Group(1).Join(work.Terms{}), line.Group(1).Join(work.Terms{})
	done := make(chan struct{})
	shared := &transformed{}
	hold := func(p *work.Part) {
		p.Begin()
		defer p.Leave()
		shared.take(work.With(context.Background(), p))
		defer shared.translating.Unlock()
		for range 100 {
			p.Spend(time.Millisecond)
		}
	}
	go func() {
		defer close(done)
		hold(second)
	}()
	line.Start()
	hold(first)
	<-done
}

// Where work counts, strategies share the line by it, and an answer ends the others.
func TestStrategiesWorkInTurns(t *testing.T) {
	asked := func() (hogs [2]int) {
		hog := func(i int) engine.Engine {
			return asking(func(int) (engine.Answer, bool) { hogs[i]++; return engine.Answer{}, false })
		}
		answers := asking(func(n int) (engine.Answer, bool) {
			return engine.Answer{Verdict: engine.Sat, Model: witness.NewModel()}, n == 300
		})
		req := request(counter(10))
		req.Check = false
		req.Open = Paced(z3.Open)
		c := schedule{main: single("main", hog(0), nil), others: []strategy{
			from(2*time.Millisecond, single("hog", hog(1), nil)), from(2*time.Millisecond, single("answers", answers, nil))}, slice: 5 * time.Millisecond}
		a := c.run(work.Alone(context.Background()), req)
		require.Equal(t, engine.Sat, a.Verdict, a.Reason)
		require.Equal(t, "answers", a.Strategy)
		return hogs
	}
	first := asked()
	require.Equal(t, first, asked())
	// The others have half of the work together.
	require.InDelta(t, first[0], first[1]+300, 400)
	require.InDelta(t, 300, first[1], 200)
}

// A strategy with a share of its own has as much of the line as the main one, and those that take turns have that together.
func TestAStrategyHasAShareOfItsOwn(t *testing.T) {
	var asked [4]int
	hog := func(i int) strategy {
		return single("hog", asking(func(n int) (engine.Answer, bool) {
			asked[i]++
			return engine.Answer{Verdict: engine.Sat, Model: witness.NewModel()}, i == 0 && n == 600
		}), nil)
	}
	own := hog(1)
	own.share = 1
	req := request(counter(10))
	req.Check = false
	req.Open = Paced(z3.Open)
	a := schedule{main: hog(0), others: []strategy{own, hog(2), hog(3)}, slice: 5 * time.Millisecond}.run(work.Alone(context.Background()), req)
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	require.InDelta(t, asked[0], asked[1], 150, asked)
	require.InDelta(t, asked[0], asked[2]+asked[3], 150, asked)
}
