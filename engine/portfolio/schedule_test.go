package portfolio

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
	"hornbeam/internal/work"
)

func named(name string, e engine.Engine) engine.Engine {
	e.Name = name
	return e
}

// shrug is an engine that gives up.
func shrug() engine.Engine {
	return fake(func(context.Context, *chc.System, engine.Settings) (engine.Answer, error) {
		return engine.Answer{Reason: "not mine"}, nil
	})
}

// The first verdict is the answer, whichever side it comes from; the other side is stopped.
func TestFirstVerdictStopsTheOtherSide(t *testing.T) {
	stopped := make(chan struct{}, 2)
	patient := fake(func(ctx context.Context, _ *chc.System, _ engine.Settings) (engine.Answer, error) {
		<-ctx.Done()
		stopped <- struct{}{}
		return engine.Answer{Reason: "gave up"}, nil
	})
	slow, quick := single("slow", named("slow", patient), nil), single("quick", named("quick", atMost(10)), nil)
	for _, c := range []schedule{
		{main: slow, others: []strategy{from(time.Millisecond, quick)}, slice: time.Hour},
		{main: quick, others: []strategy{slow}, slice: time.Hour},
	} {
		a := c.run(context.Background(), request(counter(10)))
		require.Equal(t, engine.Sat, a.Verdict, a.Reason)
		require.Equal(t, "quick", a.Engine)
	}
	<-stopped
}

// asking is an engine that asks its solver until f says that it was enough.
func asking(f func(asked int) (engine.Answer, bool)) engine.Engine {
	return fake(func(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
		c, err := s.Open(sys.Pool, smt.Config{})
		if err != nil {
			return engine.Answer{}, err
		}
		defer c.Close()
		solver, err := c.NewSolver(smt.Params{})
		for n := 0; err == nil; n++ {
			if a, enough := f(n); enough {
				return a, nil
			}
			_, err = solver.Check(ctx)
		}
		return engine.Answer{}, err
	})
}

// The others begin at once when the main strategy gave up; each goes on where it stood when its turn comes again, and one
// that gave up is not asked again.
func TestLanesTakeTurns(t *testing.T) {
	var endless, given atomic.Int64
	hog := asking(func(int) (engine.Answer, bool) { endless.Add(1); return engine.Answer{}, false })
	once := fake(func(context.Context, *chc.System, engine.Settings) (engine.Answer, error) {
		given.Add(1)
		return engine.Answer{Reason: "gave up"}, nil
	})
	begun := 0
	proof, err := atMost(10).Solve(context.Background(), counter(10), engine.Settings{})
	require.NoError(t, err)
	sys := counter(10)
	late := fake(func(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
		begun++
		begin := endless.Load()
		// It has a proof when the hog had a turn since it began.
		waiting := asking(func(int) (engine.Answer, bool) { return proof, endless.Load() > begin })
		if _, err := waiting.Solve(ctx, sys, s); err != nil {
			return engine.Answer{}, err
		}
		return atMost(10).Solve(ctx, sys, s)
	})
	c := schedule{main: single("main", shrug(), nil), others: []strategy{
		from(time.Hour, single("once", once, nil)), from(time.Hour, single("late", late, nil)), from(time.Hour, single("hog", hog, nil))},
		slice: time.Millisecond}
	a := c.run(context.Background(), request(sys))
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	require.Equal(t, 1, begun)
	require.EqualValues(t, 1, given.Load())

	// The last strategy is not made to wait.
	a = schedule{main: shrugging(), others: []strategy{single("last", asking(func(n int) (engine.Answer, bool) {
		return engine.Answer{Reason: "enough"}, n == 100
	}), nil)}, slice: 1}.run(context.Background(), request(sys))
	require.Equal(t, "not mine", a.Reason)
}

// A shut gate holds checks back, and lets them go when it opens or the context ends.
func TestGate(t *testing.T) {
	g := newGate()
	p := term.NewPool()
	c, err := gated(z3.Open, g)(p, smt.Config{})
	require.NoError(t, err)
	defer c.Close()
	solver, err := c.NewSolver(smt.Params{})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	answers := make(chan smt.Status)
	ask := func() { status, _ := solver.Check(ctx); answers <- status }
	for range 2 {
		go ask()
		select {
		case <-answers:
			t.Fatal("a check passed a shut gate")
		case <-time.After(10 * time.Millisecond):
		}
		g.open()
		require.Equal(t, smt.Sat, <-answers)
		g.shut()
	}
	go ask()
	cancel()
	<-answers
}

// A strategy's wrong witness neither becomes the answer nor hides another strategy's verdict; without a verdict it is reported.
func TestFaultyLanes(t *testing.T) {
	wrong, right := single("wrong", atMost(11), nil), single("right", atMost(10), nil)
	for _, c := range []schedule{
		{main: wrong, others: []strategy{from(time.Hour, right)}, slice: time.Hour},
		{main: shrugging(), others: []strategy{wrong, right}, slice: time.Hour},
	} {
		a := c.run(context.Background(), request(counter(10)))
		require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	}
	for _, c := range []schedule{
		{main: wrong, others: []strategy{shrugging()}, slice: time.Hour},
		{main: shrugging(), others: []strategy{wrong}, slice: time.Hour},
	} {
		a := c.run(context.Background(), request(counter(10)))
		require.Equal(t, engine.Unknown, a.Verdict)
		require.True(t, a.Internal)
	}
}

func shrugging() strategy { return single("shrug", shrug(), nil) }

func TestLanesEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	hanging := single("hang", hang(nil), nil)
	a := schedule{main: hanging, others: []strategy{from(time.Hour, hanging)}, slice: time.Hour}.run(ctx, request(counter(10)))
	require.Equal(t, engine.Unknown, a.Verdict)
	require.Contains(t, a.Reason, "timeout")
}

// recorder keeps events.
type recorder struct{ events []engine.Event }

func (*recorder) Enabled() bool         { return true }
func (r *recorder) Emit(e engine.Event) { r.events = append(r.events, e) }

func TestEventsNameTheirLane(t *testing.T) {
	talk := fake(func(_ context.Context, _ *chc.System, s engine.Settings) (engine.Answer, error) {
		s.Events.Emit(engine.Event{Kind: "level"})
		return engine.Answer{Reason: "done"}, nil
	})
	var r recorder
	req := request(counter(10))
	req.Events = &r
	schedule{main: single("a", talk, nil), others: []strategy{single("b", talk, nil)}, slice: time.Hour}.run(context.Background(), req)
	var strategies []any
	for _, e := range r.events {
		require.Equal(t, "strategy", e.Fields[len(e.Fields)-1].Name)
		strategies = append(strategies, e.Fields[len(e.Fields)-1].Value)
	}
	require.ElementsMatch(t, []any{"a", "b"}, strategies)
}

func TestTheoriesOf(t *testing.T) {
	p := term.NewPool()
	list, err := p.Datatypes(term.DatatypeDecl{Name: "List", Constructors: []term.ConstructorDecl{
		{Name: "nil"}, {Name: "cons", Selectors: []term.SelectorDecl{{Name: "head", Sort: term.Of(term.Int)}, {Name: "tail", Sort: term.Declared(0)}}},
	}})
	require.NoError(t, err)
	of := func(sorts ...*term.Sort) theories {
		return theoriesOf(&chc.System{Pool: p, Predicates: []*chc.Predicate{{Name: "p", Sorts: sorts}}})
	}
	require.Equal(t, theories{}, of(term.Int, term.Bool))
	require.Equal(t, theories{reals: true}, of(term.Int, term.Real))
	require.Equal(t, theories{recursive: true}, of(list[0]))
	require.Equal(t, theories{arrays: true, bitVectors: true}, of(p.Array(term.Int, p.BitVec(8))))
	require.Equal(t, theories{arrays: true, recursive: true}, of(p.Array(term.Int, list[0])))
}

// Every schedule has strategies that can be made; prover and hunter are in the first of them all.
func TestCourses(t *testing.T) {
	p := term.NewPool()
	strategies := func(sorts ...*term.Sort) []string {
		pred := &chc.Predicate{Name: "p", Sorts: sorts}
		atom := chc.App{Pred: pred, Args: witness.CanonicalParams(p, pred)}
		loop := &chc.Clause{Body: []chc.App{atom}, Constraint: p.True(), Head: &atom}
		c := defaultTable().schedule(Request{System: &chc.System{Pool: p, Predicates: []*chc.Predicate{pred}, Clauses: []*chc.Clause{loop}}})
		require.Equal(t, "spacer", c.main.members[0].engine.Name)
		require.True(t, slices.ContainsFunc(c.main.members, func(m member) bool { return m.engine.Name == "inline" }))
		var names []string
		for _, l := range c.others {
			names = append(names, l.name)
		}
		return names
	}
	require.Equal(t, []string{"unwind", "accelerate-numbers", "residues", "predicates", "walk", "numbers"}, strategies(term.Int, term.Bool))
	require.Equal(t, []string{"impact"}, strategies(term.Int, term.Real, term.Bool))
	require.Contains(t, strategies(p.Array(term.Int, term.Int)), "cells")
	require.Contains(t, strategies(p.BitVec(8)), "int-blast")
	require.Contains(t, strategies(term.Bool, term.Bool, term.Bool, term.Int), "states")
	pred := &chc.Predicate{Name: "p"}
	twice := &chc.Clause{Body: []chc.App{{Pred: pred}, {Pred: pred}}, Constraint: p.True(), Head: &chc.App{Pred: pred}}
	c := defaultTable().schedule(Request{System: &chc.System{Pool: p, Predicates: []*chc.Predicate{pred}, Clauses: []*chc.Clause{twice}}})
	require.True(t, slices.ContainsFunc(c.others, func(s strategy) bool { return s.name == "gpdr" && s.start >= time.Second }))
}

// A model that is to be shown is none of an engine whose models have no interpretations: which engine is first must not decide
// whether there are invariants.
func TestSpelledModelsAreNotLeast(t *testing.T) {
	p := term.NewPool()
	pred := &chc.Predicate{Name: "p"}
	fact := &chc.Clause{Constraint: p.True(), Head: &chc.App{Pred: pred}}
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{pred}, Clauses: []*chc.Clause{fact}}
	unfolds := func(spelled bool) bool {
		c, err := choose(Request{System: sys, Spelled: spelled})
		require.NoError(t, err)
		return slices.ContainsFunc(append(c.others, c.main), func(s strategy) bool {
			return slices.ContainsFunc(s.members, func(m member) bool { return m.engine.Name == "unfold" || m.engine.Name == "unwind" })
		})
	}
	require.True(t, unfolds(false))
	require.False(t, unfolds(true))
	sys.Clauses = append(sys.Clauses, &chc.Clause{ID: 1, Body: []chc.App{{Pred: pred}}, Constraint: p.True(), Head: &chc.App{Pred: pred}})
	require.True(t, unfolds(false))
	require.False(t, unfolds(true))
}

// Named engines share a strategy when they have the same preprocessing.
func TestChosenEngines(t *testing.T) {
	c, err := choose(Request{Engine: "spacer,catamorphism,inline"})
	require.NoError(t, err)
	require.Len(t, c.main.members, 2)
	require.Equal(t, "inline", c.main.members[1].engine.Name)
	require.Len(t, c.others, 1)
	require.Equal(t, "catamorphism", c.others[0].name)

	c, err = choose(Request{Engine: "catamorphism,spacer", Passes: []string{}})
	require.NoError(t, err)
	require.Len(t, c.main.members, 2)
	require.Empty(t, c.others)

	for _, bad := range []string{"spacer,", "spacer,spacer", "auto,spacer"} {
		_, err = choose(Request{Engine: bad})
		require.Error(t, err, bad)
	}
	for set, verdict := range map[string]engine.Verdict{"houdini,inline": engine.Unsat, "bmc,houdini": engine.Unsat, "houdini,spacer": engine.Unsat} {
		req := request(counter(9))
		req.Engine = set
		a := Solve(context.Background(), req)
		require.Equal(t, verdict, a.Verdict, a.Reason)
		require.Contains(t, set, a.Engine)
	}
}

// In a strategy of several engines the first verdict counts, whoever is asked first; a fault is told when there is none, and
// otherwise what the first engine said.
func TestMembers(t *testing.T) {
	quick, wrong := named("quick", atMost(10)), named("wrong", atMost(11))
	patient := named("patient", hang(nil))
	lazy := member{engine: named("lazy", hang(nil)), after: time.Hour}
	for _, members := range [][]member{
		{{engine: patient}, {engine: quick, background: true}}, {{engine: quick}, {engine: patient, background: true}},
		{{engine: wrong}, lazy, {engine: quick, after: 1}}, {{engine: shrug()}, {engine: quick}, lazy},
	} {
		a := strategy{members: members}.solve(context.Background(), request(counter(10)))
		require.Equal(t, engine.Sat, a.Verdict, a.Reason)
		require.Equal(t, "quick", a.Engine)
	}
	a := strategy{members: []member{{engine: named("first", shrug())}, {engine: wrong}}}.solve(context.Background(), request(counter(10)))
	require.True(t, a.Internal)
	a = strategy{members: []member{{engine: named("first", shrug())}, {engine: shrug()}}}.solve(context.Background(), request(counter(10)))
	require.Equal(t, "not mine", a.Reason)
	require.Equal(t, "first", a.Engine)
}

// A member begins early when those before it are done without an answer, and only the next one does.
func TestHeadStartsEndEarly(t *testing.T) {
	never := member{engine: named("never", atMost(10)), after: 2 * time.Hour}
	quick := member{engine: named("quick", atMost(10)), after: time.Hour}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	a := strategy{members: []member{{engine: shrug()}, never, {engine: shrug(), after: time.Minute}, quick}}.solve(ctx, request(counter(10)))
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	require.Equal(t, "quick", a.Engine)
}

// Members have their own settings where the request has none, and one board.
func TestMembersShare(t *testing.T) {
	var seen []string
	var boards []*engine.Exchange
	var mu sync.Mutex
	look := fake(func(_ context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, s.Options["a"]+s.Options["b"])
		boards = append(boards, s.Exchange)
		return engine.Answer{Reason: "looked"}, nil
	})
	req := request(counter(10))
	req.Options = map[string]string{"a": "asked"}
	strategy{members: []member{{engine: look}, {engine: look, options: map[string]string{"a": "own", "b": "own"}}}}.solve(context.Background(), req)
	require.ElementsMatch(t, []string{"asked", "askedown"}, seen)
	require.NotNil(t, boards[0])
	require.Same(t, boards[0], boards[1])
	require.Len(t, req.Options, 1)
}

// from is a strategy that begins at a time.
func from(start time.Duration, s strategy) strategy {
	s.start = start
	return s
}

// A strategy that starts late does not keep one that starts early waiting, and gets no turn before its start.
func TestEachStrategyHasItsStart(t *testing.T) {
	var early atomic.Bool
	lateStarted := make(chan bool, 1)
	main := single("main", fake(func(ctx context.Context, _ *chc.System, _ engine.Settings) (engine.Answer, error) {
		<-ctx.Done()
		return engine.Answer{Reason: "cancelled"}, nil
	}), nil)
	first := single("first", fake(func(context.Context, *chc.System, engine.Settings) (engine.Answer, error) {
		early.Store(true)
		return engine.Answer{Reason: "nothing"}, nil
	}), nil)
	second := single("second", fake(func(context.Context, *chc.System, engine.Settings) (engine.Answer, error) {
		lateStarted <- early.Load()
		return engine.Answer{Reason: "nothing"}, nil
	}), nil)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan engine.Answer, 1)
	go func() {
		// The late one is first in the table.
		done <- schedule{main: main, others: []strategy{from(50*time.Millisecond, second), from(0, first)}, slice: time.Hour}.run(ctx, request(counter(10)))
	}()
	require.True(t, <-lateStarted)
	cancel()
	<-done
	var begun atomic.Bool
	never := single("never", fake(func(context.Context, *chc.System, engine.Settings) (engine.Answer, error) {
		begun.Store(true)
		return engine.Answer{Reason: "nothing"}, nil
	}), nil)
	ctx, cancel = context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	schedule{main: main, others: []strategy{from(time.Hour, never)}, slice: time.Hour}.run(ctx, request(counter(10)))
	require.False(t, begun.Load())
}

// Where strategies work in turns, all of them end with the first verdict: how long the other engines of its strategy take to end
// gives nobody time to go on.
func TestAVerdictEndsAllStrategies(t *testing.T) {
	spending := func(d time.Duration, each func()) func(context.Context) {
		return func(ctx context.Context) {
			for range d / time.Millisecond {
				each()
				work.Spend(ctx, time.Millisecond)
			}
		}
	}
	worked, atVerdict := 0, 0
	quick := fake(func(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
		spending(100*time.Millisecond, func() {})(ctx)
		atVerdict = worked
		return atMost(10).Solve(ctx, sys, s)
	})
	endsSlowly := fake(func(ctx context.Context, _ *chc.System, _ engine.Settings) (engine.Answer, error) {
		for ctx.Err() == nil {
			work.Spend(ctx, time.Millisecond)
		}
		spending(time.Second, func() {})(ctx)
		return engine.Answer{Reason: "gave up"}, nil
	})
	other := single("other", fake(func(ctx context.Context, _ *chc.System, _ engine.Settings) (engine.Answer, error) {
		for ctx.Err() == nil {
			worked++
			work.Spend(ctx, time.Millisecond)
		}
		return engine.Answer{Reason: "gave up"}, nil
	}), nil)
	main := strategy{name: "main", members: []member{{engine: quick}, {engine: endsSlowly}}}
	a := schedule{main: main, others: []strategy{other}, slice: time.Hour}.run(work.Alone(t.Context()), request(counter(10)))
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	require.Equal(t, "main", a.Strategy)
	require.Positive(t, atVerdict)
	require.InDelta(t, atVerdict, worked, 50)
}
