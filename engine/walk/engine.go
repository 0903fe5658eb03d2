package walk

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/rule"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/work"
)

// Engine returns the engine.
func Engine() engine.Engine {
	return engine.Engine{
		Name: "walk",
		Doc: "Runs linear clauses over integers and truth values from the facts on, by random steps from states that are extreme in " +
			"some direction, and finds refutations of hundreds of steps. It never proves.",
		Options:  new(options).table(),
		Fragment: fragment,
		Solve:    engine.Solver("walk", (*options).table, solve),
	}
}

// fragment accepts linear systems over integers and truth values.
func fragment(sys *chc.System) error {
	if !sys.Linear() {
		return errors.New("walk: the clauses are not linear")
	}
	for _, c := range sys.Clauses {
		for _, x := range c.Vars() {
			if x.Sort() != term.Bool && x.Sort() != term.Int {
				return errors.New("walk: the clauses are about more than integers and truth values")
			}
		}
	}
	return nil
}

// walker explores the states.
type walker struct {
	machine
	options
	archive *archive
	facts   []*step
	// steps and queries are those from each predicate.
	steps, queries [][]*step
	limit          int
}

// solve walks until a query holds or the work is done.
func solve(ctx context.Context, source *chc.System, s engine.Settings, o options) (engine.Answer, error) {
	w, err := newWalker(source, s.Seed, o)
	if err != nil {
		return engine.Answer{}, &engine.Incomplete{Reason: err.Error()}
	}
	defer func() {
		s.Stats.Set("walk.operations", int64(w.spent))
		s.Stats.Set("walk.cells", int64(len(w.archive.list)))
	}()
	counted := 0
	for w.spent < w.limit {
		if found := w.walk(); found != nil {
			r, err := refutation(found)
			return engine.Answer{Verdict: engine.Unsat, Refutation: r}, err
		}
		if w.spent-counted >= operationsAtOnce {
			work.Spend(ctx, timeOfOperation*operationsAtOnce)
			counted = w.spent
			if ctx.Err() != nil {
				return engine.Answer{}, ctx.Err()
			}
		}
		// A walk that evaluates nothing is work, too.
		w.spent++
	}
	return engine.Answer{}, &engine.Incomplete{Reason: "walk: no refutation was found"}
}

func newWalker(source *chc.System, seed uint64, o options) (*walker, error) {
	sys := rule.New(source)
	w := &walker{
		machine: machine{random: rand.New(rand.NewPCG(seed, 1))}, options: o, limit: o.work * 1_000_000,
		steps: make([][]*step, len(sys.Predicates)), queries: make([][]*step, len(sys.Predicates)),
	}
	for _, r := range sys.Rules {
		s, err := newStep(sys.Pool, r)
		if err != nil {
			return nil, err
		}
		for _, op := range s.ops {
			if (op.kind == constant && !op.truth || op.kind == equal || op.kind == atMost) && !slices.Contains(w.numbers, op.number) {
				w.numbers = append(w.numbers, op.number)
			}
		}
		switch {
		case r.IsFact():
			w.facts = append(w.facts, s)
		case r.Head == sys.Goal:
			w.queries[r.Body[0].Pred.ID] = append(w.queries[r.Body[0].Pred.ID], s)
		default:
			w.steps[r.Body[0].Pred.ID] = append(w.steps[r.Body[0].Pred.ID], s)
		}
	}
	w.archive = newArchive(&w.machine, sys, o)
	return w, nil
}

// walk takes some random steps from an extreme state, or from a fact, and more while they lead to states that are more extreme. It
// returns the query that it derived, if any.
func (w *walker) walk() *state {
	var now *state
	if len(w.archive.list) == 0 || w.random.IntN(64) == 0 {
		if len(w.facts) == 0 {
			w.spent = w.limit
			return nil
		}
		if now = w.take(w.facts[w.random.IntN(len(w.facts))], nil); now == nil {
			return nil
		}
		if found, _ := w.visit(now); found != nil {
			return found
		}
	} else {
		c := w.archive.list[w.random.IntN(len(w.archive.list))]
		now = c.best[w.random.IntN(len(c.best))]
	}
	left := 1 + w.random.IntN(w.stride)
	for range longest {
		if now = w.next(now); now == nil {
			return nil
		}
		found, better := w.visit(now)
		if found != nil {
			return found
		}
		if left--; better {
			left = 1 + w.random.IntN(w.stride)
		}
		if left == 0 {
			return nil
		}
	}
	return nil
}

// next takes a random step.
func (w *walker) next(now *state) *state {
	steps := w.steps[now.pred.ID]
	if len(steps) == 0 {
		return nil
	}
	first := w.random.IntN(len(steps))
	for i := range steps {
		if s := w.take(steps[(first+i)%len(steps)], now); s != nil {
			return s
		}
	}
	return nil
}

// visit tries the queries on a state and keeps it; it returns the query that was derived, and whether the state is extreme.
func (w *walker) visit(s *state) (found *state, better bool) {
	if s.pred.Source == nil {
		return s, true
	}
	for _, q := range w.queries[s.pred.ID] {
		if found := w.take(q, s); found != nil {
			return found, true
		}
	}
	return nil, w.archive.keep(s)
}

// refutation reads the steps of a derivation.
func refutation(last *state) (*witness.Refutation, error) {
	var path []*state
	for s := last; s != nil; s = s.parent {
		path = append(path, s)
	}
	slices.Reverse(path)
	r := &witness.Refutation{}
	for i, s := range path {
		values := map[*term.Term]int{}
		for k, x := range s.by.vars {
			values[x] = k
		}
		var premises []int
		if i > 0 {
			premises = []int{i - 1}
		}
		step, err := s.by.rule.Step(func(x *term.Term) (term.Value, bool) {
			k, ok := values[x]
			switch {
			case !ok:
				return term.Value{}, false
			case x.Sort() == term.Bool:
				return term.BoolValue(s.values[k] == 1), true
			}
			return term.NumValue(term.NewInt(s.values[k]), term.Int), true
		}, premises)
		if err != nil {
			return nil, err
		}
		r.Steps = append(r.Steps, step)
	}
	return r, nil
}
