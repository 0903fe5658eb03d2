package catamorphism

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/engine/catamorphism/induction"
	"hornbeam/internal/smt"
	"hornbeam/internal/work"
)

// loop is one run of the engine.
type loop struct {
	engine.Settings
	options
	source *chc.System
	inner  engine.Inner
	start  time.Time

	context smt.Context
	query   *querier
	// invariants are those that were recognised, facts what they say about the clauses' bodies.
	invariants induction.Invariants
	facts      [][]*term.Term
	refiner    *refiner
	trees      []*tree
	// functions has the predicates that were recognised as functions; explored says that it looked for equations, too.
	functions *induction.Prover
	explored  bool
}

func newLoop(sys *chc.System, s engine.Settings, o options, inner engine.Inner) (*loop, error) {
	shapes, err := survey(sys)
	if err != nil {
		return nil, err
	}
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	l := &loop{Settings: s, options: o, source: sys, inner: inner, start: time.Now()}
	if l.context, err = s.Open(sys.Pool, smt.Config{Seed: s.Seed}); err != nil {
		return nil, fmt.Errorf("opening a solver: %w", err)
	}
	solver, err := l.context.NewSolver(smt.Params{})
	if err != nil {
		l.context.Close()
		return nil, fmt.Errorf("opening a solver: %w", err)
	}
	solver.SetLimit(smt.Limit{Time: o.queryLimit})
	l.query = &querier{solver}
	space := newSpace(sys.Pool, shapes)
	l.refiner = newRefiner(space, newLibrary(space), l.query)
	return l, nil
}

func (l *loop) close() {
	l.context.Close()
	if l.functions != nil {
		l.functions.Close()
	}
}

// run decides the source: over functions if that is easy, and else by the loop: solve over the present components, end
// with a model or a refutation that holds on the datatypes, and add components that contradict a refutation that does not.
func (l *loop) run(ctx context.Context) (engine.Answer, error) {
	var err error
	if l.invariants, err = induction.FindInvariants(ctx, l.query.check, l.source); err != nil {
		return engine.Answer{}, err
	}
	l.Stats.Add("catamorphism.invariants", int64(l.invariants.Count()))
	l.facts = l.invariants.Facts(l.source)
	if answer, err := l.functional(ctx, l.slice); err != nil || answer.Verdict != engine.Unknown {
		return answer, err
	}
	return l.attempts(ctx)
}

// attempts tries encodings one after the other, each within a slice of time.
func (l *loop) attempts(ctx context.Context) (engine.Answer, error) {
	var present []*component
	slice, widened := l.slice, 0
	for {
		// After a time-out, more components may make the clauses easier.
		wanted := slices.Concat(present, l.widening(present, widened))
		answer, open, err := l.attempt(ctx, wanted, slice)
		if err != nil || answer.Verdict != engine.Unknown || answer.Reason != "" {
			return answer, err
		}
		if open != nil {
			l.trees = append(l.trees, open)
			present, err = l.refine(ctx, wanted)
			if errors.Is(err, errUnrefuted) {
				return l.withoutFolds(ctx, err)
			}
			if err != nil {
				return engine.Answer{}, err
			}
			widened = 0
			if len(l.trees) == l.exploreAfter {
				if answer, err := l.explore(ctx, time.Duration(l.exploreSlices)*slice); err != nil || answer.Verdict != engine.Unknown {
					return answer, err
				}
			}
			continue
		}
		// The next attempt is with more folds where there are more, and else with more time.
		for more := false; !more; {
			if widened++; widened >= len(widenings) {
				slice, widened = 2*slice, 0
				if slice <= 2*l.slice {
					break
				}
				if answer, err := l.explore(ctx, time.Duration(l.exploreSlices)*slice); err != nil || answer.Verdict != engine.Unknown {
					return answer, err
				}
			}
			more = widened == 0 || len(l.widening(present, widened)) > len(l.widening(present, widened-1))
		}
	}
}

// withoutFolds goes on when no folds contradict a derivation: only equations between functions are left.
func (l *loop) withoutFolds(ctx context.Context, why error) (engine.Answer, error) {
	for slice := time.Duration(l.exploreSlices) * l.slice; !l.explored && l.functions.Recognised() > 0; slice *= 2 {
		if answer, err := l.explore(ctx, slice); err != nil || answer.Verdict != engine.Unknown {
			return answer, err
		}
	}
	return engine.Answer{Reason: "catamorphism: " + why.Error()}, nil
}

// functional reads predicates as functions and tries to prove the rest by unfolding them and by induction. The answer is
// Unknown when that is not enough, or takes longer than the slice.
func (l *loop) functional(ctx context.Context, slice time.Duration) (engine.Answer, error) {
	if !l.induction {
		l.explored = true
		return engine.Answer{}, nil
	}
	limited, cancel := work.WithTimeout(ctx, slice)
	defer cancel()
	var err error
	l.functions, err = induction.New(limited, l.source, l.invariants, l.Open, l.query.check, l.prover)
	if err != nil && (l.functions == nil || limited.Err() == nil) || ctx.Err() != nil {
		return engine.Answer{}, cmp.Or(ctx.Err(), err)
	}
	l.Stats.Add("catamorphism.recognised", int64(l.functions.Recognised()))
	if l.functions.Recognised() == 0 {
		return engine.Answer{}, nil
	}
	ok, err := l.functions.Prove(limited)
	return l.inductive(ctx, limited, ok, err)
}

// explore looks for equations between functions, and tries the rest again with each one that is found. It is not done
// again when it came to its end within the time given.
func (l *loop) explore(ctx context.Context, slice time.Duration) (engine.Answer, error) {
	if l.explored || l.functions.Recognised() == 0 {
		return engine.Answer{}, nil
	}
	limited, cancel := work.WithTimeout(ctx, slice)
	defer cancel()
	ok, err := l.functions.Explore(limited)
	l.explored = limited.Err() == nil
	l.Stats.Set("catamorphism.equations", int64(len(l.functions.Model().Lemmas)))
	return l.inductive(ctx, limited, ok, err)
}

// inductive is the answer of the prover about functions, which worked under the limited context.
func (l *loop) inductive(ctx, limited context.Context, ok bool, err error) (engine.Answer, error) {
	switch {
	case ctx.Err() != nil:
		return engine.Answer{}, ctx.Err()
	case err != nil && limited.Err() == nil:
		return engine.Answer{}, err
	case !ok || err != nil:
		return engine.Answer{}, nil
	}
	m := l.functions.Model()
	l.Stats.Set("catamorphism.functions", int64(len(m.Definitions)))
	l.emit("induction", engine.Field{Name: "functions", Value: len(m.Definitions)}, engine.Field{Name: "lemmas", Value: len(m.Lemmas)})
	return engine.Answer{Verdict: engine.Sat, Model: m}, nil
}

// widenings are the costs up to which folds are added for an attempt after others ended without an answer; the first
// adds none.
var widenings = []int{-1, costSize, costSum}

func (l *loop) widening(present []*component, widened int) []*component {
	var out []*component
	for _, f := range l.refiner.library {
		if f.cost <= widenings[widened] && !slices.Contains(present, f.component) {
			out = append(out, f.component)
		}
	}
	return out
}

// attempt solves the clauses over the components within the slice. It returns an answer with a verdict, one with the
// reason why to give up, a spurious tree, or nothing when time ran out.
func (l *loop) attempt(ctx context.Context, wanted []*component, slice time.Duration) (engine.Answer, *tree, error) {
	e, err := l.refiner.encoding(ctx, wanted)
	if err != nil {
		return engine.Answer{}, nil, err
	}
	l.Stats.Add("catamorphism.encodings", 1)
	l.Stats.Set("catamorphism.components", int64(len(e.chosen)))
	l.emit("encoding", engine.Field{Name: "folds", Value: e.describe()}, engine.Field{Name: "slice", Value: slice.Seconds()})
	a := abstractSystem(e, l.source, l.facts)
	found, err := l.ask(ctx, a, min(slice, l.firstSlice))
	if err == nil && found.Model == nil && found.Refutation == nil {
		if err := a.strengthen(ctx, l.query, &l.options); err != nil {
			return engine.Answer{}, nil, err
		}
		l.Stats.Add("catamorphism.templates", int64(a.templates.Count()))
		found, err = l.ask(ctx, a, slice)
	}
	if err != nil {
		return engine.Answer{}, nil, err
	}
	switch {
	case found.Verdict == engine.Sat && found.Model != nil:
		m, err := a.sourceModel(found.Model, l.invariants)
		if err != nil {
			return engine.Answer{}, nil, err
		}
		l.Stats.Set("catamorphism.functions", int64(len(m.Definitions)))
		return engine.Answer{Verdict: engine.Sat, Model: m}, nil, nil
	case found.Refutation != nil:
		return l.derivation(ctx, a, found)
	}
	l.Stats.Add("catamorphism.open", 1)
	return engine.Answer{}, nil, nil
}

// ask hands the clauses over components to the inner solver for the time given.
func (l *loop) ask(ctx context.Context, a *abstracted, slice time.Duration) (engine.Answer, error) {
	inner, cancel := work.WithTimeout(ctx, slice)
	defer cancel()
	found, err := l.inner(inner, a.system)
	if err != nil {
		return engine.Answer{}, fmt.Errorf("solving the clauses over components: %w", err)
	}
	return found, ctx.Err()
}

// derivation tries a refutation of the clauses over components on the datatypes.
func (l *loop) derivation(ctx context.Context, a *abstracted, found engine.Answer) (engine.Answer, *tree, error) {
	t, err := newTree(l.source, found.Refutation, l.facts, l.treeNodes)
	if err != nil {
		return engine.Answer{}, nil, err
	}
	l.Stats.Add("catamorphism.trees", 1)
	r, spurious, err := t.refutation(ctx, l.query, l.source)
	if err != nil {
		return engine.Answer{}, nil, err
	}
	l.emit("derivation", engine.Field{Name: "steps", Value: len(t.Nodes)}, engine.Field{Name: "holds", Value: r != nil},
		engine.Field{Name: "spurious", Value: spurious})
	if r != nil {
		return engine.Answer{Verdict: engine.Unsat, Refutation: r}, nil, nil
	}
	if !spurious {
		return engine.Answer{Reason: "catamorphism: the solver could not decide whether a derivation over folds is one over the datatypes; try --engine spacer"}, nil, nil
	}
	l.Stats.Add("catamorphism.spurious", 1)
	// Preprocessing of the inner solver may have weakened the clauses: then it is not the encoding that is at fault.
	status, err := l.query.check(ctx, t.overComponents(a.encoding))
	if err != nil || status == smt.Unsat {
		l.Stats.Add("catamorphism.open", 1)
		return engine.Answer{}, nil, err
	}
	return engine.Answer{}, t, nil
}

// refine returns components that contradict all trees.
func (l *loop) refine(ctx context.Context, present []*component) ([]*component, error) {
	before := l.refiner.trials
	next, err := l.refiner.refine(ctx, present, l.trees)
	l.Stats.Add("catamorphism.trials", int64(l.refiner.trials-before))
	if err != nil {
		return nil, err
	}
	l.Stats.Add("catamorphism.refinements", 1)
	return next, nil
}

func (l *loop) emit(kind string, fields ...engine.Field) {
	if l.Events != nil && l.Events.Enabled() {
		l.Events.Emit(engine.Event{At: time.Since(l.start), Kind: kind, Fields: fields})
	}
}
