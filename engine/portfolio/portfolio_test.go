package portfolio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// counter is x = 0 => inv(x); inv(x) and x < 10 => inv(x+1); inv(x) and x > bound => false.
func counter(bound int64) *chc.System {
	p := term.NewPool()
	inv := &chc.Predicate{Name: "inv", Sorts: []*term.Sort{term.Int}}
	x := p.Var("x", term.Int)
	at := func(t *term.Term) chc.App { return chc.App{Pred: inv, Args: []*term.Term{t}} }
	first, next := at(p.Int(0)), at(p.Add(x, p.Int(1)))
	return &chc.System{Pool: p, Predicates: []*chc.Predicate{inv}, Clauses: []*chc.Clause{
		{ID: 0, Constraint: p.True(), Head: &first},
		{ID: 1, Body: []chc.App{at(x)}, Constraint: p.Lt(x, p.Int(10)), Head: &next},
		{ID: 2, Body: []chc.App{at(x)}, Constraint: p.Gt(x, p.Int(bound))},
	}}
}

// atMost answers sat with the model x <= bound.
func atMost(bound int64) engine.Engine {
	return fake(func(_ context.Context, sys *chc.System, _ engine.Settings) (engine.Answer, error) {
		m := witness.NewModel()
		for _, pred := range sys.Predicates {
			i := witness.True(sys.Pool, pred)
			i.Body = sys.Pool.Le(i.Params[0], sys.Pool.Int(bound))
			m.Interpretations[pred] = i
		}
		return engine.Answer{Verdict: engine.Sat, Model: m}, nil
	})
}

// counting answers unsat with the refutation that counts to n.
func counting(n int) engine.Engine {
	return fake(func(_ context.Context, sys *chc.System, _ engine.Settings) (engine.Answer, error) {
		x := sys.Pool.Var("x", term.Int)
		at := func(n int) map[*term.Term]term.Value {
			return map[*term.Term]term.Value{x: term.NumValue(term.NewInt(int64(n)), term.Int)}
		}
		r := &witness.Refutation{Steps: []witness.Step{{Clause: sys.Clauses[0]}}}
		for i := range n {
			r.Steps = append(r.Steps, witness.Step{Clause: sys.Clauses[1], Values: at(i), Premises: []int{i}})
		}
		r.Steps = append(r.Steps, witness.Step{Clause: sys.Clauses[2], Values: at(n), Premises: []int{n}})
		return engine.Answer{Verdict: engine.Unsat, Refutation: r}, nil
	})
}

func fake(f func(context.Context, *chc.System, engine.Settings) (engine.Answer, error)) engine.Engine {
	return engine.Engine{Name: "fake", Solve: f}
}

// solve runs one engine with the passes, within the request's limits.
func solve(ctx context.Context, req Request, e engine.Engine, passes []transform.Pass) engine.Answer {
	ctx, stop := WithLimits(ctx, req.Timeout, req.Memory)
	defer stop()
	return single("fake", e, passes).solve(ctx, req)
}

func request(sys *chc.System) Request {
	return Request{System: sys, Open: z3.Open, Check: true, Stats: engine.NewStats()}
}

// Every registered engine proves, through its passes, with a model of the source's clauses; or says that they are none
// of its fragment, or is one that only refutes and finds nothing.
func TestEveryEngineProves(t *testing.T) {
	refuters := map[string]bool{"narrow": true, "walk": true}
	for _, e := range Engines() {
		req := request(counter(10))
		req.Engine = e.Name
		req.Simplify = time.Second
		a := Solve(context.Background(), req)
		require.Equal(t, e.Name, a.Engine)
		if err := e.Fragment(req.System); err != nil {
			require.Equal(t, engine.Unknown, a.Verdict)
			require.Equal(t, err.Error(), a.Reason)
			continue
		}
		if refuters[e.Name] {
			require.Equal(t, engine.Unknown, a.Verdict)
			require.Contains(t, a.Reason, "no refutation")
			continue
		}
		require.Equal(t, engine.Sat, a.Verdict, a.Reason)
		require.NoError(t, witness.CheckModel(context.Background(), z3.Open, req.System, a.Model, smt.Limit{}))
	}
}

func TestDefaultEngineRefutes(t *testing.T) {
	req := request(counter(9))
	a := Solve(context.Background(), req)
	require.Contains(t, []string{"spacer", "inline"}, a.Engine)
	require.Equal(t, engine.Unsat, a.Verdict, a.Reason)
	require.NoError(t, witness.CheckRefutation(context.Background(), req.System, a.Refutation))
}

// Systems that preprocessing decides, and those without predicates, are answered like any other.
func TestSolveTrivialSystems(t *testing.T) {
	p := term.NewPool()
	x := p.Var("x", term.Int)
	for _, c := range []struct {
		constraint *term.Term
		verdict    engine.Verdict
	}{
		{p.Gt(x, p.Int(0)), engine.Unsat},
		{p.And(p.Gt(x, p.Int(0)), p.Divides(term.NewInt(2), x), p.Lt(x, p.Int(2))), engine.Sat},
	} {
		sys := &chc.System{Pool: p, Clauses: []*chc.Clause{{ID: 0, Constraint: c.constraint}}}
		a := Solve(context.Background(), request(sys))
		require.Equal(t, c.verdict, a.Verdict, a.Reason)
	}
	a := Solve(context.Background(), request(&chc.System{Pool: p}))
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)
}

func TestSolveRefusesUnknownNames(t *testing.T) {
	req := request(counter(10))
	req.Engine = "none such"
	a := Solve(context.Background(), req)
	require.Equal(t, engine.Unknown, a.Verdict)
	require.Contains(t, a.Reason, "none such")

	req = request(counter(10))
	req.Passes = []string{"none such"}
	a = Solve(context.Background(), req)
	require.Equal(t, engine.Unknown, a.Verdict)
	require.Contains(t, a.Reason, "none such")
}

// A wrong witness never gets its verdict out; the log names the clause and says whose fault it is.
func TestWrongWitnessesAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		engine engine.Engine
		log    string
	}{
		"model":      {atMost(11), "clause 2 [inv => false]"},
		"refutation": {counting(9), "step 10 (clause 2 [inv => false])"},
		"no model": {fake(func(context.Context, *chc.System, engine.Settings) (engine.Answer, error) {
			return engine.Answer{Verdict: engine.Sat}, nil
		}), "without a witness"},
		"no refutation": {fake(func(context.Context, *chc.System, engine.Settings) (engine.Answer, error) {
			return engine.Answer{Verdict: engine.Unsat}, nil
		}), "without a witness"},
	} {
		var log bytes.Buffer
		req := request(counter(10))
		req.Log = slog.New(slog.NewTextHandler(&log, nil))
		a := solve(context.Background(), req, c.engine, nil)
		require.Equal(t, engine.Unknown, a.Verdict, name)
		require.True(t, a.Internal, name)
		require.Contains(t, a.Reason, "internal", name)
		require.Nil(t, a.Model, name)
		require.Nil(t, a.Refutation, name)
		require.Contains(t, log.String(), c.log, name)
	}
}

func TestRightWitnessesPass(t *testing.T) {
	req := request(counter(10))
	a := solve(context.Background(), req, atMost(10), nil)
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	for _, name := range []string{"time.transform", "time.solve", "time.translate", "time.check"} {
		require.True(t, hasTime(req.Stats, name), name)
	}
	a = solve(context.Background(), request(counter(9)), counting(10), nil)
	require.Equal(t, engine.Unsat, a.Verdict, a.Reason)
}

func hasTime(s *engine.Stats, name string) bool {
	for _, r := range s.Rows() {
		if r.Name == name && r.IsTime {
			return true
		}
	}
	return false
}

// mangled carries witnesses back wrongly, or breaks in other ways.
type mangled struct {
	model func(*witness.Model) (*witness.Model, error)
}

func (m mangled) Model(_ context.Context, w *witness.Model) (*witness.Model, error) {
	return m.model(w)
}
func (mangled) Refutation(_ context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	return r, nil
}

// identity is a pass that copies the system and hands back the translator.
func identity(back func(before *chc.System) transform.Translator) transform.Pass {
	return transform.Pass{Name: "copy", Run: func(_ context.Context, _ transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
		next := *sys
		return &next, back(sys), nil
	}}
}

func TestWrongTranslationIsBlamed(t *testing.T) {
	var log bytes.Buffer
	req := request(counter(10))
	req.Log = slog.New(slog.NewTextHandler(&log, nil))
	pass := identity(func(before *chc.System) transform.Translator {
		return mangled{func(m *witness.Model) (*witness.Model, error) {
			m = m.Clone()
			for _, pred := range before.Predicates {
				m.Interpretations[pred] = witness.True(before.Pool, pred)
			}
			return m, nil
		}}
	})
	a := solve(context.Background(), req, atMost(10), []transform.Pass{pass})
	require.Equal(t, engine.Unknown, a.Verdict)
	require.True(t, a.Internal)
	require.Contains(t, log.String(), "fault=translation")

	log.Reset()
	a = solve(context.Background(), req, atMost(11), nil)
	require.Equal(t, engine.Unknown, a.Verdict)
	require.Contains(t, log.String(), "fault=engine")
}

// Panics and errors, wherever they come from, end in an Unknown answer that is marked as internal.
func TestFaultsEndInUnknown(t *testing.T) {
	boom := transform.Pass{Name: "boom", Run: func(context.Context, transform.Environment, *chc.System) (*chc.System, transform.Translator, error) {
		panic("pass boom")
	}}
	boomBack := identity(func(*chc.System) transform.Translator {
		return mangled{func(*witness.Model) (*witness.Model, error) { panic("translator boom") }}
	})
	for name, c := range map[string]struct {
		engine engine.Engine
		passes []transform.Pass
		reason string
	}{
		"engine panics": {fake(func(context.Context, *chc.System, engine.Settings) (engine.Answer, error) {
			var none []int
			_ = none[len(none)]
			return engine.Answer{}, nil
		}), nil, "panic while solving"},
		"engine fails": {fake(func(context.Context, *chc.System, engine.Settings) (engine.Answer, error) {
			return engine.Answer{}, errors.New("engine\nbroke")
		}), nil, "engine; broke"},
		"pass panics":       {atMost(10), []transform.Pass{boom}, "pass boom"},
		"translator panics": {atMost(10), []transform.Pass{boomBack}, "translator boom"},
	} {
		var log bytes.Buffer
		req := request(counter(10))
		req.Log = slog.New(slog.NewTextHandler(&log, nil))
		a := solve(context.Background(), req, c.engine, c.passes)
		require.Equal(t, engine.Unknown, a.Verdict, name)
		require.True(t, a.Internal, name)
		require.Contains(t, a.Reason, "internal error: ", name)
		require.Contains(t, a.Reason, c.reason, name)
		require.NotContains(t, a.Reason, "\n", name)
		require.Contains(t, log.String(), "level=ERROR", name)
	}
}

// hang waits for the context, as an engine does, and then gives up without a reason of its own or with an error.
func hang(err error) engine.Engine {
	return fake(func(ctx context.Context, _ *chc.System, _ engine.Settings) (engine.Answer, error) {
		<-ctx.Done()
		return engine.Answer{Reason: "gave up"}, err
	})
}

func TestEndsOfTheContextAreNotFaults(t *testing.T) {
	for _, e := range []engine.Engine{hang(nil), hang(errors.New("canceled"))} {
		req := request(counter(10))
		req.Timeout = time.Millisecond
		a := solve(context.Background(), req, e, nil)
		require.Equal(t, engine.Answer{Engine: "fake", Strategy: "fake", Reason: "timeout while solving"}, a)

		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(time.Millisecond, cancel)
		a = solve(ctx, request(counter(10)), e, nil)
		require.Equal(t, engine.Answer{Engine: "fake", Strategy: "fake", Reason: "interrupted while solving"}, a)

		req = request(counter(10))
		req.Memory = 1
		a = solve(context.Background(), req, e, nil)
		require.Equal(t, engine.Answer{Engine: "fake", Strategy: "fake", Reason: "memory limit while solving"}, a)
	}
}

func TestLateWitnessIsATimeout(t *testing.T) {
	req := request(counter(10))
	req.Timeout = time.Millisecond
	late := fake(func(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
		<-ctx.Done()
		return atMost(10).Solve(ctx, sys, s)
	})
	a := solve(context.Background(), req, late, nil)
	require.Equal(t, engine.Unknown, a.Verdict)
	require.False(t, a.Internal)
	require.Contains(t, a.Reason, "timeout while")
}

func TestMemoryIsMeasured(t *testing.T) {
	require.Greater(t, residentMemory(), uint64(1<<20))
}

func TestUndecidedCheckIsUnknown(t *testing.T) {
	req := request(counter(10))
	var log bytes.Buffer
	req.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	req.CheckOpen = func(p *term.Pool, c smt.Config) (smt.Context, error) {
		inner, err := z3.Open(p, c)
		return undecided{inner}, err
	}
	a := solve(context.Background(), req, atMost(10), nil)
	require.Equal(t, engine.Unknown, a.Verdict)
	require.False(t, a.Internal)
	require.Contains(t, a.Reason, "undecided")
	// Another strategy may still give the verdict: there is nothing to warn of.
	require.Empty(t, log.String())
}

// A simplified model that fails its check is dropped, and the one that passed is the answer.
func TestSimplifiedModelsAreChecked(t *testing.T) {
	req := request(counter(10))
	req.Simplify = time.Minute
	req.CheckOpen = z3.Open
	req.Open = func(p *term.Pool, c smt.Config) (smt.Context, error) {
		inner, err := z3.Open(p, c)
		return lying{inner}, err
	}
	a := solve(context.Background(), req, atMost(10), nil)
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	require.NoError(t, witness.CheckModel(context.Background(), z3.Open, req.System, a.Model, smt.Limit{}))
}

// patient opens solvers whose checks end with their contexts only.
type patient struct{ smt.Context }

func (c patient) NewSolver(p smt.Params) (smt.Solver, error) {
	s, err := c.Context.NewSolver(p)
	return patientSolver{s}, err
}

type patientSolver struct{ smt.Solver }

func (patientSolver) Check(ctx context.Context, _ ...*term.Term) (smt.Status, error) {
	<-ctx.Done()
	return smt.Unknown, ctx.Err()
}

// The check of a simplified model is a part of the time for simplification.
func TestTheCheckOfASimplifiedModelHasALimit(t *testing.T) {
	req := request(counter(10))
	var log bytes.Buffer
	req.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	checks := 0
	req.CheckOpen = func(p *term.Pool, c smt.Config) (smt.Context, error) {
		inner, err := z3.Open(p, c)
		if checks++; checks > 1 {
			return patient{inner}, err
		}
		return inner, err
	}
	needless := fake(func(_ context.Context, sys *chc.System, _ engine.Settings) (engine.Answer, error) {
		p, pred := sys.Pool, sys.Predicates[0]
		i := witness.True(p, pred)
		i.Body = p.And(p.Le(i.Params[0], p.Int(10)), p.Ge(i.Params[0], p.Int(-5)))
		m := witness.NewModel()
		m.Interpretations[pred] = i
		return engine.Answer{Verdict: engine.Sat, Model: m}, nil
	})
	for checks < 2 {
		// A machine that is so busy that the first check takes all the time does not come to the second.
		checks, req.Simplify = 0, 2*req.Simplify+100*time.Millisecond
		a := solve(context.Background(), req, needless, nil)
		require.Equal(t, engine.Sat, a.Verdict, a.Reason)
		require.Len(t, term.Conjuncts(a.Model.Interpretations[req.System.Predicates[0]].Body), 2)
	}
	require.Empty(t, log.String())
}

// lying opens solvers to which everything is contradictory.
type lying struct{ smt.Context }

func (l lying) NewSolver(p smt.Params) (smt.Solver, error) {
	s, err := l.Context.NewSolver(p)
	return lyingSolver{s}, err
}

type lyingSolver struct{ smt.Solver }

func (lyingSolver) Check(context.Context, ...*term.Term) (smt.Status, error) { return smt.Unsat, nil }
func (lyingSolver) Core() []*term.Term                                       { return nil }

type undecided struct{ smt.Context }

func (u undecided) NewSolver(p smt.Params) (smt.Solver, error) {
	s, err := u.Context.NewSolver(p)
	return undecidedSolver{s}, err
}

type undecidedSolver struct{ smt.Solver }

func (undecidedSolver) Check(ctx context.Context, _ ...*term.Term) (smt.Status, error) {
	return smt.Unknown, ctx.Err()
}

// An approximating system lets only the sound verdict through; the other one's witness comes with Unknown.
func TestApproximationsLetOnlyTheSoundVerdictThrough(t *testing.T) {
	for _, c := range []struct {
		approximation chc.Approximation
		bound         int64
		engine        engine.Engine
		verdict       engine.Verdict
	}{
		{chc.Over, 10, atMost(10), engine.Sat},
		{chc.Over, 9, counting(10), engine.Unknown},
		{chc.Under, 10, atMost(10), engine.Unknown},
		{chc.Under, 9, counting(10), engine.Unsat},
	} {
		sys := counter(c.bound)
		sys.Approximation = c.approximation
		sys.Notes = []string{"shifts are uninterpreted"}
		a := solve(context.Background(), request(sys), c.engine, nil)
		require.Equal(t, c.verdict, a.Verdict)
		require.True(t, a.Model != nil || a.Refutation != nil)
		if c.verdict == engine.Unknown {
			require.Contains(t, a.Reason, "shifts are uninterpreted")
			require.False(t, a.Internal)
		}
	}
}

// Without a check, a verdict that a pass made unsound stays in.
func TestUncheckedApproximation(t *testing.T) {
	over := transform.Pass{Name: "over", Run: func(_ context.Context, _ transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
		next := *sys
		next.Approximation = chc.Over
		return &next, mangled{}, nil
	}}
	req := request(counter(9))
	require.Equal(t, engine.Unsat, solve(context.Background(), req, counting(10), []transform.Pass{over}).Verdict)
	req.Check = false
	require.Equal(t, engine.Unknown, solve(context.Background(), req, counting(10), []transform.Pass{over}).Verdict)
}

// A translator that gives up makes no fault: the answer is an honest unknown.
func TestTranslatorsMayGiveUp(t *testing.T) {
	for _, sentinel := range []error{transform.ErrGaveUp, transform.ErrSpurious} {
		pass := identity(func(*chc.System) transform.Translator {
			return mangled{func(*witness.Model) (*witness.Model, error) { return nil, fmt.Errorf("%w: too large", sentinel) }}
		})
		a := solve(context.Background(), request(counter(10)), atMost(10), []transform.Pass{pass})
		require.Equal(t, engine.Unknown, a.Verdict)
		require.False(t, a.Internal)
		require.Contains(t, a.Reason, "too large")
	}
}

// The least model of preprocessed clauses is carried back where that needs no count of steps, and is no fault otherwise.
func TestLeastModelsBehindPasses(t *testing.T) {
	p := term.NewPool()
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	first := &chc.Predicate{ID: 0, Name: "first", Sorts: []*term.Sort{term.Int, term.Int}}
	loop := &chc.Predicate{ID: 1, Name: "loop", Sorts: []*term.Sort{term.Int, term.Int}}
	at := func(pred *chc.Predicate, x *term.Term) chc.App { return chc.App{Pred: pred, Args: []*term.Term{x, y}} }
	head := func(pred *chc.Predicate, x *term.Term) *chc.App { a := at(pred, x); return &a }
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{first, loop}, Clauses: []*chc.Clause{
		{ID: 0, Constraint: p.Eq(x, p.Int(0)), Head: head(first, x)},
		{ID: 1, Body: []chc.App{at(first, x)}, Constraint: p.True(), Head: head(loop, p.Add(x, p.Int(1)))},
		{ID: 2, Body: []chc.App{at(loop, x)}, Constraint: p.Eq(x, p.Int(9))},
	}}
	ask := func(engine string, passes []string) engine.Answer {
		req := request(sys)
		req.Engine, req.Passes = engine, passes
		return Solve(context.Background(), req)
	}
	for _, name := range []string{"unfold", "unwind"} {
		a := ask(name, nil)
		require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	}
	a := ask("unfold", []string{"slice"})
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	a = ask("unwind", []string{"slice"})
	require.Equal(t, engine.Unknown, a.Verdict)
	require.Contains(t, a.Reason, transform.ErrGaveUp.Error())
	require.False(t, a.Internal)
}

// A request's candidates are for engines that work on its own system. In the portfolio, and beside Houdini where that is
// named, a strategy does.
func TestCandidatesAreOffered(t *testing.T) {
	req := request(counter(10))
	pred := req.System.Predicates[0]
	req.Candidates = map[*chc.Predicate][]*term.Term{pred: {req.System.Pool.True()}}
	r := run{Request: req}
	require.Equal(t, req.Candidates, r.candidatesFor(req.System))
	require.Nil(t, r.candidatesFor(counter(10)))
	seen := make(chan map[*chc.Predicate][]*term.Term, 1)
	peek := fake(func(_ context.Context, _ *chc.System, s engine.Settings) (engine.Answer, error) {
		seen <- s.Candidates
		return engine.Answer{Reason: "looked"}, nil
	})
	single("peek", peek, nil).solve(context.Background(), req)
	require.Equal(t, req.Candidates, <-seen)
	for _, c := range []struct {
		engine   string
		passes   []string
		strategy bool
	}{{Auto, nil, true}, {"", nil, true}, {"houdini", nil, true}, {"spacer,houdini", nil, true}, {"spacer", nil, false}, {Auto, []string{}, false}, {"houdini", []string{}, false}} {
		req.Engine, req.Passes = c.engine, c.passes
		chosen, err := choose(req)
		require.NoError(t, err)
		at := slices.IndexFunc(chosen.others, func(l strategy) bool { return l.name == "candidates" })
		require.Equal(t, c.strategy, at >= 0, "%v", c)
		if at >= 0 {
			require.Empty(t, chosen.others[at].passes)
		}
		without := req
		without.Candidates = nil
		chosen, err = choose(without)
		require.NoError(t, err)
		require.False(t, slices.ContainsFunc(chosen.others, func(l strategy) bool { return l.name == "candidates" }))
	}
}
