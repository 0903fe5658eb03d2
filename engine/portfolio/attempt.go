package portfolio

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/partial"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/smt"
	"hornbeam/internal/work"
)

// run is one engine's work on a request.
type run struct {
	Request
	engine engine.Engine
	// phase is what is going on, for reasons: "preprocessing", "solving" and so on.
	phase string
}

// attempt lets the engine decide the preprocessed system, carries its witness back and checks it on the request's.
func (r *run) attempt(ctx context.Context, t *transformed) engine.Answer {
	r.Stats = r.Stats.Part(r.engine.Name)
	defer r.Stats.End()
	answer, err := r.answer(ctx, t)
	if err != nil {
		answer = r.failure(ctx, err)
	}
	answer.Engine = r.engine.Name
	return answer
}

func (r *run) answer(ctx context.Context, t *transformed) (engine.Answer, error) {
	if r.engine.Fragment != nil {
		if err := r.engine.Fragment(t.system); err != nil {
			return engine.Answer{Reason: err.Error()}, nil
		}
	}
	found, err := phase(r, "solving", "time.solve", func() (engine.Answer, error) {
		return r.engine.Solve(ctx, t.system, withInference(engine.Settings{
			Candidates: r.candidatesFor(t.system),
			Open:       r.pause.gated(r.Open), CheckOpen: r.pause.gated(r.CheckOpen), CheckLimit: r.CheckLimit, Seed: r.Seed, Options: r.Options, Events: r.Events, Log: r.Log, Stats: r.Stats, Exchange: t.exchange,
		}))
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
	if sound(found.Verdict, t.system.Approximation) {
		defer r.pause.begin()()
	}
	return r.finish(ctx, t, found)
}

// candidatesFor are the request's candidates for its own system, and none for what passes made of it.
func (r *run) candidatesFor(sys *chc.System) map[*chc.Predicate][]*term.Term {
	if sys != r.System {
		return nil
	}
	return r.Candidates
}

// preferred is the work of carrying a witness back and checking it that others wait for: what is found is seldom refused.
const preferred = 5 * time.Second

// finish carries what the engine found back to the request's system and checks it there.
func (r *run) finish(ctx context.Context, t *transformed, found engine.Answer) (engine.Answer, error) {
	defer work.Of(ctx).Prefer(preferred)()
	answer, err := phase(r, "translating the witness", "time.translate", func() (engine.Answer, error) {
		return r.translate(ctx, t, found)
	})
	if err != nil && transform.GaveUp(err) && ctx.Err() == nil {
		return engine.Answer{Reason: oneLine(err)}, nil
	}
	if err != nil {
		return engine.Answer{}, err
	}
	if answer.Refutation != nil && !r.Repeats {
		if answer.Refutation, err = answer.Refutation.Unroll(witness.MaxWritten); err != nil {
			return engine.Answer{Reason: err.Error()}, nil
		}
	}
	begun := work.Now(ctx)
	if r.Check {
		err := r.check(ctx, "checking the witness", r.System, answer)
		if answer.Verdict == engine.Unsat && errors.Is(err, witness.ErrUndecided) {
			if better, e := r.complete(ctx, answer.Refutation); e != nil {
				return engine.Answer{}, e
			} else if better != nil {
				answer.Refutation, err = better, nil
			}
		}
		if err != nil {
			return r.refused(ctx, t.system, found, err)
		}
	} else if !sound(found.Verdict, t.system.Approximation) {
		answer.Reason = fmt.Sprintf("the %s answer of the approximated clauses was not checked", found.Verdict)
		answer.Verdict = engine.Unknown
		return answer, nil
	}
	if r.Simplify > 0 && answer.Model != nil && !answer.Model.Least {
		answer.Model = r.simplify(ctx, answer.Model, work.Since(ctx, begun))
	}
	if !sound(answer.Verdict, r.System.Approximation) {
		answer.Reason = approximationReason(r.System)
		answer.Verdict = engine.Unknown
	}
	return answer, nil
}

// leastAfter is how long a model of clauses without recursion may take to be carried back: then the least model takes its place, which
// is carried back by itself, and checked at once. Where the model is to be shown, it is worth more time.
const (
	leastAfter        = time.Second
	leastAfterSpelled = 10 * time.Second
)

// translate carries the witness that the engine found back to the request's system. The least model is the least one there, too, but
// how many steps its derivations have is known of the engine's clauses only.
func (r *run) translate(ctx context.Context, t *transformed, found engine.Answer) (engine.Answer, error) {
	if m := found.Model; m != nil && m.Least && t.system != r.System {
		if m.Steps > 0 || !chc.NewGraph(r.System).Acyclic() {
			return engine.Answer{}, fmt.Errorf("the least model: %w", transform.ErrGaveUp)
		}
		return found, nil
	}
	if found.Verdict != engine.Sat || !chc.NewGraph(r.System).Acyclic() {
		return t.translate(ctx, found)
	}
	after := leastAfter
	if r.Spelled {
		after = leastAfterSpelled
	}
	limited, cancel := work.WithTimeout(ctx, after)
	defer cancel()
	answer, err := t.translate(limited, found)
	if err != nil && ctx.Err() == nil && (transform.GaveUp(err) || limited.Err() != nil) {
		answer, err = found, nil
		answer.Model = witness.Least()
	}
	return answer, err
}

// complete looks for a refutation with the same clauses that does not depend on what SMT-LIB leaves open; nil when it
// finds none.
func (r *run) complete(ctx context.Context, ref *witness.Refutation) (*witness.Refutation, error) {
	return phase(r, "completing the refutation", "time.check", func() (*witness.Refutation, error) {
		return partial.Complete(ctx, r.Open, r.System, ref)
	})
}

// count puts the sizes of the systems before and after preprocessing into the statistics.
func (r *run) count(after *chc.System) {
	r.Stats.Set("clauses", int64(len(r.System.Clauses)))
	r.Stats.Set("predicates", int64(len(r.System.Predicates)))
	r.Stats.Set("transform.clauses", int64(len(after.Clauses)))
	r.Stats.Set("transform.predicates", int64(len(after.Predicates)))
}

// check checks the answer's witness on the system.
func (r *run) check(ctx context.Context, what string, sys *chc.System, a engine.Answer) error {
	_, err := phase(r, what, "time.check", func() (struct{}, error) {
		if a.Verdict == engine.Sat {
			return struct{}{}, witness.CheckModel(ctx, r.CheckOpen, sys, a.Model, r.CheckLimit)
		}
		return struct{}{}, witness.CheckRefutation(ctx, sys, a.Refutation)
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
		r.Log.Info("the check of the witness is undecided", "verdict", found.Verdict, "engine", r.engine.Name, "error", err)
		return engine.Answer{Reason: fmt.Sprintf("the check of the %s is undecided: %s", kind(found), oneLine(err))}, nil
	case !errors.Is(err, witness.ErrInvalid):
		return engine.Answer{}, err
	case !sound(found.Verdict, after.Approximation):
		// The witness is one of the approximated clauses; that it is none of the others is no fault.
		return engine.Answer{Reason: approximationReason(after)}, nil
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

// simplify returns a smaller model when there is one that passes the check, and m otherwise. The check counts as a part of
// the time that simplification has; it is expected to need what that of m needed.
func (r *run) simplify(ctx context.Context, m *witness.Model, check time.Duration) *witness.Model {
	budget := r.Simplify - check
	if budget <= 0 {
		return m
	}
	limited, cancel := work.WithTimeout(ctx, r.Simplify)
	defer cancel()
	small, err := phase(r, "simplifying the model", "time.simplify", func() (*witness.Model, error) {
		return witness.Simplify(limited, r.Open, r.System, m, budget)
	})
	if err == nil && small != m && r.Check {
		err = r.check(limited, "checking the simplified model", r.System, engine.Answer{Verdict: engine.Sat, Model: small})
	}
	if err != nil {
		if limited.Err() == nil {
			r.Log.Info("the model is not simplified", "error", err)
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
	if errors.Is(err, smt.ErrProcess) {
		return engine.Answer{Reason: oneLine(err) + " while " + r.phase}
	}
	r.Log.Error("internal error", "phase", r.phase, "error", err)
	return engine.Answer{Reason: "internal error: " + oneLine(err), Internal: true}
}
