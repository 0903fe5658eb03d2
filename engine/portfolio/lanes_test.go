package portfolio

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/engine"
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
	slow, quick := lane{name: "slow", engine: named("slow", patient)}, lane{name: "quick", engine: named("quick", atMost(10))}
	for _, c := range []course{
		{main: slow, others: []lane{quick}, after: time.Millisecond, slice: time.Hour},
		{main: quick, others: []lane{slow}, slice: time.Hour},
	} {
		a := c.run(context.Background(), request(counter(10)))
		require.Equal(t, engine.Sat, a.Verdict, a.Reason)
		require.Equal(t, "quick", a.Engine)
	}
	<-stopped
}

// The others begin at once when the main lane gave up, and a lane that ran out of its slice gets a longer one.
func TestLanesTakeTurns(t *testing.T) {
	turns := 0
	late := fake(func(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
		if turns++; turns < 4 {
			<-ctx.Done()
			return engine.Answer{}, ctx.Err()
		}
		return atMost(10).Solve(ctx, sys, s)
	})
	given := 0
	once := fake(func(context.Context, *chc.System, engine.Settings) (engine.Answer, error) {
		given++
		return engine.Answer{Reason: "gave up"}, nil
	})
	c := course{main: lane{name: "main", engine: shrug()}, others: []lane{{name: "once", engine: once}, {name: "late", engine: late}, {name: "hang", engine: hang(nil)}},
		after: time.Hour, slice: time.Millisecond}
	req := request(counter(10))
	req.Passes = []string{}
	a := c.run(context.Background(), req)
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	require.Equal(t, 4, turns)
	require.Equal(t, 1, given)

	// The last lane is not hurried.
	alone := fake(func(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
		_, hurried := ctx.Deadline()
		require.False(t, hurried)
		return atMost(10).Solve(ctx, sys, s)
	})
	a = course{main: shrugging(), others: []lane{{name: "alone", engine: alone}}, slice: time.Millisecond}.run(context.Background(), req)
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)

	c.others = []lane{{name: "once", engine: once}}
	a = c.run(context.Background(), req)
	require.Equal(t, engine.Unknown, a.Verdict)
	require.Equal(t, "not mine", a.Reason)
}

// A lane's wrong witness neither becomes the answer nor hides another lane's verdict; without a verdict it is reported.
func TestFaultyLanes(t *testing.T) {
	wrong, right := lane{name: "wrong", engine: atMost(11)}, lane{name: "right", engine: atMost(10)}
	for _, c := range []course{
		{main: wrong, others: []lane{right}, after: time.Hour, slice: time.Hour},
		{main: shrugging(), others: []lane{wrong, right}, slice: time.Hour},
	} {
		a := c.run(context.Background(), request(counter(10)))
		require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	}
	for _, c := range []course{
		{main: wrong, others: []lane{shrugging()}, slice: time.Hour},
		{main: shrugging(), others: []lane{wrong}, slice: time.Hour},
	} {
		a := c.run(context.Background(), request(counter(10)))
		require.Equal(t, engine.Unknown, a.Verdict)
		require.True(t, a.Internal)
	}
}

func shrugging() lane { return lane{name: "shrug", engine: shrug()} }

func TestLanesEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	hanging := lane{name: "hang", engine: hang(nil)}
	a := course{main: hanging, others: []lane{hanging}, after: time.Hour, slice: time.Hour}.run(ctx, request(counter(10)))
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
	course{main: lane{name: "a", engine: talk}, others: []lane{{name: "b", engine: talk}}, slice: time.Hour}.run(context.Background(), req)
	var lanes []any
	for _, e := range r.events {
		require.Equal(t, "lane", e.Fields[len(e.Fields)-1].Name)
		lanes = append(lanes, e.Fields[len(e.Fields)-1].Value)
	}
	require.ElementsMatch(t, []any{"a", "b"}, lanes)
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
	require.Equal(t, theories{}, of(term.Int, term.Bool, term.Real))
	require.Equal(t, theories{recursive: true}, of(list[0]))
	require.Equal(t, theories{arrays: true, bitVectors: true}, of(p.Array(term.Int, p.BitVec(8))))
	require.Equal(t, theories{arrays: true, recursive: true}, of(p.Array(term.Int, list[0])))
}

// Every course has lanes that can be made, and linear arithmetic is the prover's alone.
func TestCourses(t *testing.T) {
	p := term.NewPool()
	lanes := func(sorts ...*term.Sort) []string {
		var names []string
		for _, l := range courseFor(&chc.System{Pool: p, Predicates: []*chc.Predicate{{Name: "p", Sorts: sorts}}}).others {
			names = append(names, l.name)
		}
		return names
	}
	require.Empty(t, lanes(term.Int, term.Real, term.Bool))
	require.Contains(t, lanes(p.Array(term.Int, term.Int)), "cells")
	require.Contains(t, lanes(p.BitVec(8)), "int-blast")
	pred := &chc.Predicate{Name: "p"}
	twice := &chc.Clause{Body: []chc.App{{Pred: pred}, {Pred: pred}}, Constraint: p.True()}
	c := courseFor(&chc.System{Pool: p, Predicates: []*chc.Predicate{pred}, Clauses: []*chc.Clause{twice}})
	require.Equal(t, "gpdr", c.others[0].name)
	require.Greater(t, c.after, time.Second)
}
