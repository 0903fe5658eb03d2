package portfolio

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
	"hornbeam/engine"
)

// Solve decides the request's system: it runs the passes and the engine, carries the witness back and checks it on the
// system as it was given. Whatever goes wrong ends in an Unknown answer with a one-line reason. The answer's Internal
// is set when the reason is a fault of Hornbeam's: a panic, an error of a component, or a witness that failed its check.
//
// On a system that approximates its problem only the sound verdict is given; the witness of the other one comes with an
// Unknown answer, for the caller to try on the exact problem.
func Solve(ctx context.Context, req Request) engine.Answer {
	if req.Log == nil {
		req.Log = slog.New(slog.DiscardHandler)
	}
	if req.Engine == "" || req.Engine == Auto {
		if req.Passes == nil {
			ctx, stop := WithLimits(ctx, req.Timeout, req.Memory)
			defer stop()
			req.Timeout, req.Memory = 0, 0
			return courseFor(req.System).run(ctx, req)
		}
		req.Engine = Engines()[0].Name
	}
	e, err := findEngine(req.Engine)
	if err != nil {
		return engine.Answer{Reason: err.Error(), Engine: req.Engine}
	}
	passes, err := selectPasses(e.Name, req.Passes)
	if err != nil {
		return engine.Answer{Reason: err.Error(), Engine: e.Name}
	}
	return solve(ctx, req, e, passes)
}

func findEngine(name string) (engine.Engine, error) {
	all := Engines()
	if i := slices.IndexFunc(all, func(e engine.Engine) bool { return e.Name == name }); i >= 0 {
		return all[i], nil
	}
	return engine.Engine{}, fmt.Errorf("no engine is called %q", name)
}

func selectPasses(engine string, words []string) ([]transform.Pass, error) {
	switch {
	case words == nil:
		return passesFor(engine)
	case len(words) == 0:
		return nil, nil
	}
	return transform.Select(strings.Join(words, ","))
}

// solve is Solve with the engine and the passes in hand.
func solve(ctx context.Context, req Request, e engine.Engine, passes []transform.Pass) engine.Answer {
	if req.Log == nil {
		req.Log = slog.New(slog.DiscardHandler)
	}
	if req.CheckOpen == nil {
		req.CheckOpen = req.Open
	}
	req.Open, req.CheckOpen = metered(req.Open, req.Stats), metered(req.CheckOpen, req.Stats)
	ctx, stop := WithLimits(ctx, req.Timeout, req.Memory)
	defer stop()
	r := run{Request: req, engine: e, passes: passes}
	answer, err := r.answer(ctx)
	if err != nil {
		answer = r.failure(ctx, err)
	}
	answer.Engine = e.Name
	return answer
}

// run is one call of Solve.
type run struct {
	Request
	engine engine.Engine
	passes []transform.Pass
	// phase is what is going on, for reasons: "preprocessing", "solving" and so on.
	phase string
}

// transformed is what preprocessing made of the system.
type transformed struct {
	system *chc.System
	back   transform.Translator
}

func (r *run) answer(ctx context.Context) (engine.Answer, error) {
	t, err := phase(r, "preprocessing", "time.transform", func() (transformed, error) {
		sys, back, _, err := transform.Pipeline(ctx, transform.Environment{Open: r.Open}, r.System, r.passes)
		return transformed{sys, back}, err
	})
	if err != nil {
		return engine.Answer{}, err
	}
	r.count(t.system)
	if r.engine.Fragment != nil {
		if err := r.engine.Fragment(t.system); err != nil {
			return engine.Answer{Reason: err.Error()}, nil
		}
	}
	found, err := phase(r, "solving", "time.solve", func() (engine.Answer, error) {
		return r.engine.Solve(ctx, t.system, engine.Settings{
			Open: r.Open, Seed: r.Seed, Options: r.Options, Events: r.Events, Log: r.Log, Stats: r.Stats,
		})
	})
	switch {
	case err != nil:
		return engine.Answer{}, err
	case found.Verdict == engine.Unknown:
		if ctx.Err() != nil {
			return engine.Answer{}, ctx.Err()
		}
		return found, nil
	case found.Verdict == engine.Sat && found.Model == nil, found.Verdict == engine.Unsat && found.Refutation == nil:
		return engine.Answer{}, fmt.Errorf("engine %s answered %s without a witness", r.engine.Name, found.Verdict)
	}
	answer, err := phase(r, "translating the witness", "time.translate", func() (engine.Answer, error) {
		return translate(ctx, t.back, found)
	})
	if (errors.Is(err, transform.ErrSpurious) || errors.Is(err, transform.ErrGaveUp)) && ctx.Err() == nil {
		return engine.Answer{Reason: oneLine(err)}, nil
	}
	if err != nil {
		return engine.Answer{}, err
	}
	if r.Check {
		if err := r.check(ctx, "checking the witness", r.System, answer); err != nil {
			return r.refused(ctx, t.system, found, err)
		}
	} else if !sound(found.Verdict, t.system.Approximation) {
		answer.Reason = fmt.Sprintf("the %s answer of the approximated clauses was not checked", found.Verdict)
		answer.Verdict = engine.Unknown
		return answer, nil
	}
	if r.Simplify > 0 && answer.Model != nil {
		answer.Model = r.simplify(ctx, answer.Model)
	}
	if !sound(answer.Verdict, r.System.Approximation) {
		answer.Reason = approximationReason(r.System)
		answer.Verdict = engine.Unknown
	}
	return answer, nil
}

// count puts the sizes of the systems before and after preprocessing into the statistics.
func (r *run) count(after *chc.System) {
	r.Stats.Set("clauses", int64(len(r.System.Clauses)))
	r.Stats.Set("predicates", int64(len(r.System.Predicates)))
	r.Stats.Set("transform.clauses", int64(len(after.Clauses)))
	r.Stats.Set("transform.predicates", int64(len(after.Predicates)))
}

func translate(ctx context.Context, back transform.Translator, found engine.Answer) (engine.Answer, error) {
	out := found
	var err error
	if found.Verdict == engine.Sat {
		out.Model, err = back.Model(ctx, found.Model)
	} else if out.Refutation, err = back.Refutation(ctx, found.Refutation); err == nil {
		out.Refutation = out.Refutation.Prune()
	}
	return out, err
}

// check checks the answer's witness on the system.
func (r *run) check(ctx context.Context, what string, sys *chc.System, a engine.Answer) error {
	_, err := phase(r, what, "time.check", func() (struct{}, error) {
		if a.Verdict == engine.Sat {
			return struct{}{}, witness.CheckModel(ctx, r.CheckOpen, sys, a.Model, r.CheckLimit)
		}
		return struct{}{}, witness.CheckRefutationContext(ctx, sys, a.Refutation)
	})
	return err
}

// refused is the answer for a witness that did not pass its check on the system. A witness that is wrong is logged with
// the clause or step that it fails on, and with who is to blame: the engine, when the witness fails on the transformed
// system too, or the translation.
func (r *run) refused(ctx context.Context, after *chc.System, found engine.Answer, err error) (engine.Answer, error) {
	switch {
	case errors.Is(err, witness.ErrUndecided):
		if ctx.Err() != nil {
			return engine.Answer{}, ctx.Err()
		}
		r.Log.Warn("the check of the witness is undecided", "verdict", found.Verdict, "engine", r.engine.Name, "error", err)
		return engine.Answer{Reason: fmt.Sprintf("the check of the %s is undecided: %s", kind(found), oneLine(err))}, nil
	case !errors.Is(err, witness.ErrInvalid):
		return engine.Answer{}, err
	}
	blame := "translation"
	if e := r.check(ctx, "checking the untranslated witness", after, found); errors.Is(e, witness.ErrInvalid) {
		blame = "engine"
		err = fmt.Errorf("%w; before its translation: %w", err, e)
	} else if e != nil {
		blame = "unknown"
	}
	r.Log.Error("the witness failed its check", "verdict", found.Verdict, "engine", r.engine.Name, "fault", blame, "error", err)
	return engine.Answer{
		Reason:   fmt.Sprintf("internal: the %s failed its check: %s", kind(found), oneLine(err)),
		Internal: true,
	}, nil
}

// simplify returns a smaller model when there is one that passes the check, and m otherwise.
func (r *run) simplify(ctx context.Context, m *witness.Model) *witness.Model {
	small, err := phase(r, "simplifying the model", "time.simplify", func() (*witness.Model, error) {
		return witness.Simplify(ctx, r.Open, r.System, m, r.Simplify)
	})
	if err == nil && small != m && r.Check {
		err = r.check(ctx, "checking the simplified model", r.System, engine.Answer{Verdict: engine.Sat, Model: small})
	}
	if err != nil {
		if ctx.Err() == nil {
			r.Log.Warn("the model is not simplified", "error", err)
		}
		return m
	}
	return small
}

// failure is the answer for an error: the reason is the end of the context when that is what happened, and otherwise
// the error is Hornbeam's own.
func (r *run) failure(ctx context.Context, err error) engine.Answer {
	var p *panicError
	if errors.As(err, &p) {
		r.Log.Error("panic", "phase", p.phase, "value", p.value, "stack", string(p.stack))
		return engine.Answer{Reason: "internal error: " + oneLine(err), Internal: true}
	}
	if ctx.Err() != nil {
		r.Log.Debug("stopped", "phase", r.phase, "error", err)
		return engine.Answer{Reason: EndReason(ctx) + " while " + r.phase}
	}
	r.Log.Error("internal error", "phase", r.phase, "error", err)
	return engine.Answer{Reason: "internal error: " + oneLine(err), Internal: true}
}

// EndReason says in a few words why the context is done.
func EndReason(ctx context.Context) string {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(cause, context.Canceled):
		return "interrupted"
	default:
		return cause.Error()
	}
}

// sound reports whether a verdict on a system so approximated holds for what it stands for.
func sound(v engine.Verdict, a chc.Approximation) bool {
	switch a {
	case chc.Over:
		return v != engine.Unsat
	case chc.Under:
		return v != engine.Sat
	}
	return true
}

func approximationReason(sys *chc.System) string {
	reason := "the clauses have more behaviours than the problem"
	if sys.Approximation == chc.Under {
		reason = "the clauses have fewer behaviours than the problem"
	}
	if len(sys.Notes) > 0 {
		reason += ": " + strings.Join(sys.Notes, "; ")
	}
	return strings.ReplaceAll(reason, "\n", " ")
}

func kind(a engine.Answer) string {
	if a.Verdict == engine.Sat {
		return "model"
	}
	return "refutation"
}

func oneLine(err error) string {
	return strings.Join(strings.FieldsFunc(err.Error(), func(c rune) bool { return c == '\n' || c == '\r' }), "; ")
}
