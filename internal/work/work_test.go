package work_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/internal/work"
)

// worker is a part of a test: what it does at each step, and how.
type worker struct {
	group int
	terms work.Terms
	// moves says that it works in the next group when its credit is used up.
	moves bool
	steps []time.Duration
}

// together has workers work on a line, whose groups have the shares, and returns who worked when. Nothing but the line keeps them from
// working at the same time.
func together(shares []float64, workers []worker, idle func()) (trace []int) {
	line := work.NewLine(nil)
	var groups []*work.Group
	for _, s := range shares {
		groups = append(groups, line.Group(s))
	}
	var all sync.WaitGroup
	for i, w := range workers {
		if w.moves {
			w.terms.Then = groups[(w.group+1)%len(groups)]
		}
		p := groups[w.group].Join(w.terms)
		all.Go(func() {
			idle()
			p.Begin()
			defer p.Leave()
			for _, s := range w.steps {
				trace = append(trace, i)
				idle()
				p.Spend(s)
			}
		})
	}
	line.Start()
	all.Wait()
	return trace
}

// Parts work one at a time, and in the same order however long each takes.
func TestTheOrderDependsOnWorkAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shares := rapid.SliceOfN(rapid.Float64Range(0.1, 2), 1, 3).Draw(t, "shares")
		milliseconds := func(most int) *rapid.Generator[time.Duration] {
			return rapid.Map(rapid.IntRange(0, most), func(n int) time.Duration { return time.Duration(n) * time.Millisecond })
		}
		workers := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) worker {
			return worker{
				group: rapid.IntRange(0, len(shares)-1).Draw(t, "group"),
				terms: work.Terms{After: milliseconds(50).Draw(t, "after"), Turn: milliseconds(50).Draw(t, "turn"), First: milliseconds(50).Draw(t, "first"), Credit: milliseconds(50).Draw(t, "credit"), Reduced: rapid.SampledFrom([]float64{0, 0.1}).Draw(t, "reduced")},
				moves: rapid.Bool().Draw(t, "moves"),
				steps: rapid.SliceOfN(milliseconds(40), 0, 10).Draw(t, "steps"),
			}
		}), 1, 5).Draw(t, "workers")
		quiet := together(shares, workers, func() {})
		busy := together(shares, workers, func() { time.Sleep(time.Duration(rand.IntN(50)) * time.Microsecond) })
		require.Equal(t, quiet, busy)
		for i, w := range workers {
			n := 0
			for _, j := range quiet {
				if i == j {
					n++
				}
			}
			require.Len(t, w.steps, n, "worker %d does all of its steps", i)
		}
	})
}

// ones are so many steps of a millisecond.
func ones(n int) []time.Duration { return slices.Repeat([]time.Duration{time.Millisecond}, n) }

func count(trace []int, who int) (n int) {
	for _, i := range trace {
		if i == who {
			n++
		}
	}
	return n
}

func TestGroupsHaveTheirShares(t *testing.T) {
	trace := together([]float64{1, 0.5}, []worker{{group: 0, steps: ones(600)}, {group: 1, steps: ones(600)}}, func() {})
	require.InDelta(t, 200, count(trace[:600], 0)/2, 15)
	require.InDelta(t, 200, count(trace[:600], 1), 15)
}

func TestAShareIsReducedBehindTheCredit(t *testing.T) {
	trace := together([]float64{1, 1}, []worker{{group: 0, steps: ones(900)}, {group: 1, terms: work.Terms{Credit: 100 * time.Millisecond, Reduced: 0.1}, steps: ones(900)}}, func() {})
	require.InDelta(t, 100, count(trace[:200], 1), 15)
	require.InDelta(t, 50, count(trace[200:750], 1), 15)
}

func TestPartsOfAGroupTakeTurns(t *testing.T) {
	turn := work.Terms{Turn: 5 * time.Millisecond}
	trace := together([]float64{1}, []worker{{terms: turn, steps: ones(12)}, {terms: turn, steps: ones(7)}}, func() {})
	require.Equal(t, []int{0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0}, trace)
}

// A part begins when the others have worked for so long, or have left, and has nothing to catch up with.
func TestAPartBeginsLater(t *testing.T) {
	late := worker{group: 1, terms: work.Terms{After: 100 * time.Millisecond}, steps: ones(100)}
	trace := together([]float64{1, 1}, []worker{{group: 0, steps: ones(300)}, late}, func() {})
	require.GreaterOrEqual(t, slices.Index(trace, 1), 100)
	require.InDelta(t, 50, count(trace[100:200], 1), 15)
	require.Equal(t, []int{0, 0, 1}, together([]float64{1, 1}, []worker{{group: 0, steps: ones(2)}, {group: 1, terms: late.terms, steps: ones(1)}}, func() {}))
}

// A group that nobody worked in meanwhile has nothing to catch up with either.
func TestAGroupThatPausedCatchesUpNothing(t *testing.T) {
	early, late := worker{group: 1, steps: ones(5)}, worker{group: 1, terms: work.Terms{After: 200 * time.Millisecond}, steps: ones(300)}
	trace := together([]float64{1, 1}, []worker{{group: 0, steps: ones(600)}, early, late}, func() {})
	begin := slices.Index(trace, 2)
	require.GreaterOrEqual(t, begin, 200)
	require.InDelta(t, 50, count(trace[begin:begin+100], 0), 15)
}

func TestTheFirstTurnHasItsOwnLength(t *testing.T) {
	brief := work.Terms{First: 2 * time.Millisecond, Turn: 4 * time.Millisecond}
	trace := together([]float64{1}, []worker{{terms: brief, steps: ones(10)}, {terms: work.Terms{Turn: 3 * time.Millisecond}, steps: ones(6)}}, func() {})
	require.Equal(t, []int{0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0}, trace)
}

// With its credit used up a part takes turns with another group, as one of its parts.
func TestAPartJoinsAnotherGroupBehindItsCredit(t *testing.T) {
	line := work.NewLine(nil)
	first, second := line.Group(1), line.Group(1)
	terms := work.Terms{Turn: 20 * time.Millisecond}
	parts := []*work.Part{
		first.Join(work.Terms{Turn: 20 * time.Millisecond, Credit: 100 * time.Millisecond, Then: second}), second.Join(terms), second.Join(terms),
	}
	var trace []int
	var all sync.WaitGroup
	for i, p := range parts {
		all.Go(func() {
			p.Begin()
			defer p.Leave()
			for range 300 {
				trace = append(trace, i)
				p.Spend(time.Millisecond)
			}
		})
	}
	line.Start()
	all.Wait()
	require.InDelta(t, 100, count(trace[:200], 0), 15, "it has its group's share at first")
	require.InDelta(t, 100, count(trace[300:600], 0), 25, "then it is one of three")
}

func TestAPartCanBeHurried(t *testing.T) {
	line := work.NewLine(nil)
	first, late := line.Group(1).Join(work.Terms{}), line.Group(1).Join(work.Terms{After: time.Hour})
	var trace []string
	done := make(chan struct{})
	go func() {
		defer close(done)
		late.Begin()
		defer late.Leave()
		trace = append(trace, "late")
	}()
	line.Start()
	first.Begin()
	first.Spend(time.Second)
	trace = append(trace, "first")
	late.Hurry()
	first.Spend(time.Second)
	first.Spend(time.Second)
	trace = append(trace, "first again")
	first.Leave()
	<-done
	require.Equal(t, []string{"first", "late", "first again"}, trace)
}

// Work that is preferred is eight parts of nine, also on the line around; what comes behind it has the group's share again.
func TestPreferredWork(t *testing.T) {
	outer := work.NewLine(nil)
	strategy, other := outer.Group(1).Join(work.Terms{}), outer.Group(1).Join(work.Terms{})
	inner := strategy.Line()
	engine, idle := inner.Group(1).Join(work.Terms{}), inner.Group(1).Join(work.Terms{})
	var trace []int
	var all sync.WaitGroup
	works := func(i int, p *work.Part, begun func()) func() {
		return func() {
			p.Begin()
			defer p.Leave()
			begun()
			for range 300 {
				trace = append(trace, i)
				p.Spend(time.Millisecond)
			}
		}
	}
	all.Go(func() {
		strategy.Begin()
		defer strategy.Leave()
		var engines sync.WaitGroup
		engines.Go(works(0, engine, func() { engine.Prefer(160 * time.Millisecond) }))
		engines.Go(works(1, idle, func() {}))
		inner.Start()
		engines.Wait()
	})
	all.Go(works(2, other, func() {}))
	outer.Start()
	all.Wait()
	require.InDelta(t, 160, count(trace[:200], 0), 20, "it is preferred to its neighbour and to the one outside")
	require.InDelta(t, 100, count(trace[200:400], 2), 20, "the one outside has its share again")
}

// What is left of a preference when it is released is gone.
func TestReleasedPreference(t *testing.T) {
	line := work.NewLine(nil)
	one, other := line.Group(1).Join(work.Terms{}), line.Group(1).Join(work.Terms{})
	var trace []int
	var all sync.WaitGroup
	for i, p := range []*work.Part{one, other} {
		all.Go(func() {
			p.Begin()
			defer p.Leave()
			if i == 0 {
				p.Prefer(time.Second)()
			}
			for range 200 {
				trace = append(trace, i)
				p.Spend(time.Millisecond)
			}
		})
	}
	line.Start()
	all.Wait()
	require.InDelta(t, 100, count(trace[:200], 0), 20)
}

// Work that is only counted is not followed by a turn of another one, however much it is, and what is spent behind it is.
func TestCountedWork(t *testing.T) {
	outer := work.NewLine(nil)
	strategy, other := outer.Group(1).Join(work.Terms{}), outer.Group(1).Join(work.Terms{})
	inner := strategy.Line()
	engine := inner.Group(1).Join(work.Terms{})
	var trace []string
	var all sync.WaitGroup
	all.Go(func() {
		strategy.Begin()
		defer strategy.Leave()
		inner.Start()
		engine.Begin()
		defer engine.Leave()
		engine.Count(10 * time.Second)
		trace = append(trace, "counted")
		engine.Spend(time.Millisecond)
		trace = append(trace, "spent")
	})
	all.Go(func() {
		other.Begin()
		defer other.Leave()
		for range 5 {
			other.Spend(time.Second)
			trace = append(trace, "other")
		}
	})
	outer.Start()
	all.Wait()
	require.Equal(t, []string{"counted", "other", "other", "other", "other", "other", "spent"}, trace)
}

// One that has company works by slices, on an inner line too; one that is alone does not.
func TestCompanyNeedsSlices(t *testing.T) {
	alone := work.Of(work.Alone(context.Background()))
	require.Zero(t, alone.Slice())
	outer := alone.Line()
	one, other := outer.Group(1).Join(work.Terms{}), outer.Group(1).Join(work.Terms{Turn: time.Minute})
	require.Positive(t, one.Slice())
	require.Greater(t, other.Slice(), one.Slice())
	inner := one.Line().Group(1).Join(work.Terms{})
	require.Equal(t, one.Slice(), inner.Slice())
	outer.Start()
	one.Begin()
	one.Leave()
	require.Zero(t, other.Slice())
}

// Who has worked for long is not broken off soon, since that would be lost.
func TestSlicesGrowWithTheWorkDone(t *testing.T) {
	line := work.NewLine(nil)
	long := line.Group(1).Join(work.Terms{})
	line.Group(1).Join(work.Terms{After: time.Hour})
	line.Start()
	long.Begin()
	least := long.Slice()
	long.Spend(time.Minute)
	require.Greater(t, long.Slice(), 10*least)
}

// Where work is counted a limit is one of work, and of all that is done in lines within.
func TestLimitsAreOfWork(t *testing.T) {
	ctx := work.Alone(context.Background())
	outer, stop := work.WithTimeout(ctx, time.Second)
	defer stop()
	inner, stop := work.WithTimeout(outer, time.Minute)
	defer stop()
	work.Spend(inner, 400*time.Millisecond)
	left, ok := work.Left(inner)
	require.True(t, ok)
	require.Equal(t, 600*time.Millisecond, left)

	line := work.Of(inner).Line()
	part := line.Group(1).Join(work.Terms{})
	line.Start()
	part.Begin()
	within := work.With(inner, part)
	begin := work.Now(within)
	work.Spend(within, 500*time.Millisecond)
	require.Equal(t, 500*time.Millisecond, work.Since(within, begin))
	require.NoError(t, within.Err())
	left, _ = work.Left(within)
	require.Equal(t, 100*time.Millisecond, left)
	work.Spend(within, 100*time.Millisecond)
	require.ErrorIs(t, context.Cause(within), context.DeadlineExceeded)
	require.ErrorIs(t, context.Cause(outer), context.DeadlineExceeded)
	require.NoError(t, ctx.Err())
	part.Leave()
	require.Equal(t, time.Second, work.Now(ctx))
}

// Elsewhere it is one of time, and nothing waits.
func TestLimitsAreOfTimeElsewhere(t *testing.T) {
	ctx := context.Background()
	require.Nil(t, work.Of(ctx))
	require.Nil(t, work.Of(work.Uncounted(work.Alone(ctx))))
	limited, stop := work.WithTimeout(ctx, time.Millisecond)
	defer stop()
	begin := work.Now(limited)
	work.Spend(limited, time.Hour)
	<-limited.Done()
	require.ErrorIs(t, limited.Err(), context.DeadlineExceeded)
	require.Positive(t, work.Since(ctx, begin))
	_, ok := work.Left(limited)
	require.False(t, ok)
	line := work.Of(ctx).Line()
	part := line.Group(1).Join(work.Terms{})
	line.Start()
	part.Begin()
	part.Leave()
	require.Equal(t, "<nil>", fmt.Sprint(work.Of(work.With(ctx, part))))
}

// made is a pool of so many terms.
type made int

func (m *made) Len() int { return int(*m) }

// A part has the terms counted that it has made, and not those that others make while it waits, on its line or one around that.
func TestTermsAreWorkOfWhoMakesThem(t *testing.T) {
	pool := made(1000)
	outer := work.NewLine(nil).Group(1)
	whole := outer.Join(work.Terms{})
	whole.Line().Start()
	ctx := work.With(t.Context(), whole)
	begin := work.Now(ctx)
	work.SpendMade(ctx, &pool)
	require.Zero(t, work.Since(ctx, begin), "nobody knows who made those before")

	pool += 100
	work.SpendMade(ctx, &pool)
	hundred := work.Since(ctx, begin)
	require.Positive(t, hundred)

	part := whole.Line().Group(1).Join(work.Terms{})
	pool += 5000
	part.Resume(&pool)
	pool += 200
	part.SpendMade(time.Second, &pool)
	inner := work.With(t.Context(), part)
	require.Equal(t, 2*hundred+time.Second, work.Now(inner))
	require.Equal(t, 3*hundred+time.Second, work.Since(ctx, begin), "what the part does is done on the outer line")
	work.SpendMade(ctx, &pool)
	require.Equal(t, 3*hundred+time.Second, work.Since(ctx, begin), "and is not counted again")
}
