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

// The first verdict is the answer; the lanes that are still at work are stopped.
func TestFirstVerdictStopsTheOtherLanes(t *testing.T) {
	stopped := make(chan struct{})
	patient := fake(func(ctx context.Context, _ *chc.System, _ engine.Settings) (engine.Answer, error) {
		<-ctx.Done()
		close(stopped)
		return engine.Answer{Reason: "gave up"}, nil
	})
	req := request(counter(10))
	a := runLanes(context.Background(), req, []lane{
		{name: "a", engine: named("patient", patient)},
		{name: "b", engine: named("quick", atMost(10)), after: time.Millisecond},
		{name: "c", engine: named("never", hang(nil)), after: time.Hour},
	})
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	require.Equal(t, "quick", a.Engine)
	<-stopped
}

// A lane begins at once when nobody else is at work.
func TestNextLaneBeginsWhenTheOthersGaveUp(t *testing.T) {
	shrug := fake(func(context.Context, *chc.System, engine.Settings) (engine.Answer, error) {
		return engine.Answer{Reason: "not mine"}, nil
	})
	a := runLanes(context.Background(), request(counter(10)), []lane{
		{name: "a", engine: shrug},
		{name: "b", engine: atMost(10), after: time.Hour},
	})
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)

	a = runLanes(context.Background(), request(counter(10)), []lane{
		{name: "a", engine: shrug},
		{name: "b", engine: hang(nil)},
	}[:1])
	require.Equal(t, engine.Unknown, a.Verdict)
	require.Equal(t, "not mine", a.Reason)
}

// A lane's wrong witness neither becomes the answer nor hides another lane's verdict; without a verdict it is reported.
func TestFaultyLanes(t *testing.T) {
	shrug := fake(func(context.Context, *chc.System, engine.Settings) (engine.Answer, error) {
		return engine.Answer{Reason: "not mine"}, nil
	})
	a := runLanes(context.Background(), request(counter(10)), []lane{
		{name: "a", engine: atMost(11)}, {name: "b", engine: atMost(10), after: time.Millisecond},
	})
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	a = runLanes(context.Background(), request(counter(10)), []lane{{name: "a", engine: shrug}, {name: "b", engine: atMost(11)}})
	require.Equal(t, engine.Unknown, a.Verdict)
	require.True(t, a.Internal)
}

func TestLanesEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	a := runLanes(ctx, request(counter(10)), []lane{{name: "a", engine: hang(nil)}, {name: "b", engine: hang(nil), after: time.Hour}})
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
	runLanes(context.Background(), req, []lane{{name: "a", engine: talk}, {name: "b", engine: talk}})
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
