package narrow

import (
	"context"
	"errors"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
)

// Engine returns the engine.
func Engine() engine.Engine {
	return engine.Engine{
		Name: "narrow",
		Doc: "Runs clauses over recursive datatypes as a functional logic program, with inputs that are made up only as far as " +
			"they are looked at, and functions on numbers on small ones, and finds refutations from small inputs. It never proves.",
		Options:  new(options).table(),
		Fragment: fragment,
		Solve:    engine.Solver("narrow", (*options).table, solve),
	}
}

// fragment accepts systems with datatypes, and others that are small enough for looking for functions among their predicates.
func fragment(sys *chc.System) error {
	if !numbersOnly(sys) || comparisons(sys) <= mostComparisons {
		return nil
	}
	return errors.New("narrow: the clauses have no datatypes, and they are many")
}

// numbersOnly reports whether a system has no datatypes.
func numbersOnly(sys *chc.System) bool {
	return len(sys.Datatypes) == 0 && !slices.ContainsFunc(sys.Predicates, func(p *chc.Predicate) bool {
		return slices.ContainsFunc(p.Sorts, func(s *term.Sort) bool { return s.Data != nil })
	})
}

// comparisons is the work of finding out which arguments are results: for each argument, the clauses of a predicate are compared
// with each other, conjunct by conjunct.
func comparisons(sys *chc.System) int {
	before, n := make([][]int, len(sys.Predicates)), 0
	for _, c := range sys.Clauses {
		if c.Head == nil {
			continue
		}
		p := c.Head.Pred
		own := len(term.Conjuncts(c.Constraint)) + 1
		for _, other := range before[p.ID] {
			n += p.Arity() * (own + other)
		}
		before[p.ID] = append(before[p.ID], own)
	}
	return n
}

// solve deepens the search.
func solve(ctx context.Context, sys *chc.System, s engine.Settings, o options) (engine.Answer, error) {
	pr := compile(ctx, sys, o)
	m := newMachine(ctx, pr, o)
	defer func() { s.Stats.Set("narrow.steps", int64(o.steps-m.steps)) }()
	queries := slices.Clone(pr.queries)
	if numbersOnly(sys) {
		return m.decideNumbers(queries)
	}
	for limit := 0; len(queries) > 0 && limit <= mostCost; limit += max(1, limit/8) {
		s.Stats.Set("narrow.limit", int64(limit))
		var left []*clause
		for _, q := range queries {
			m.limit, m.cut = limit, false
			if f := m.query(q); f != nil {
				r, err := m.refutation(f)
				return engine.Answer{Verdict: engine.Unsat, Refutation: r}, err
			}
			switch {
			case ctx.Err() != nil:
				return engine.Answer{}, ctx.Err()
			case m.stop:
				return engine.Answer{}, &engine.Incomplete{Reason: "narrow: no refutation from small inputs was found"}
			}
			if m.cut {
				left = append(left, q)
			}
		}
		queries = left
	}
	return engine.Answer{}, &engine.Incomplete{Reason: "narrow: the search for a refutation came to its end without one"}
}

// decideNumbers runs queries about functions on small numbers.
func (m *machine) decideNumbers(queries []*clause) (engine.Answer, error) {
	for _, q := range queries {
		if !m.numeric(q) {
			continue
		}
		if f := m.onNumbers(q); f != nil {
			r, err := m.refutation(f)
			return engine.Answer{Verdict: engine.Unsat, Refutation: r}, err
		}
		if m.ctx.Err() != nil {
			return engine.Answer{}, m.ctx.Err()
		}
	}
	return engine.Answer{}, &engine.Incomplete{Reason: "narrow: no refutation from small numbers was found"}
}

// query searches for a derivation of one query's body.
func (m *machine) query(q *clause) *frame {
	to := m.mark()
	f, ok := m.enter(&m.store, q, nil)
	if ok = ok && m.start(f) && m.propagate(false) && m.search(0); ok {
		return f
	}
	m.drop()
	m.undo(to)
	return nil
}

// refutation reads the steps of a derivation.
func (m *machine) refutation(f *frame) (*witness.Refutation, error) {
	b := witness.NewRefutationBuilder(m.pool)
	// Remembered answers are premises of many steps.
	steps := map[*frame]int{}
	var add func(f *frame) (int, error)
	add = func(f *frame) (int, error) {
		if step, ok := steps[f]; ok {
			return step, nil
		}
		premises := make([]int, len(f.children))
		for i, child := range f.children {
			var err error
			if premises[i], err = add(child); err != nil {
				return 0, err
			}
		}
		values := map[*term.Term]term.Value{}
		for i, x := range f.vars {
			t := term.DefaultValue(m.pool, x.Sort()).Term(m.pool)
			if f.env[i] != nil {
				t = m.term(f.env[i], true)
			}
			values[x] = term.TermValue(t)
		}
		e := term.NewEvaluator(m.pool, term.MapAssignment(values))
		for x, t := range f.solved {
			v, ok := e.Eval(t)
			if !ok {
				return 0, &engine.Incomplete{Reason: engine.Unfounded("narrow: a variable has no value")}
			}
			values[x] = v
		}
		// Only the variables of the clause are asked for.
		own := map[*term.Term]term.Value{}
		for _, x := range f.source.Vars() {
			own[x] = values[x]
		}
		steps[f] = b.Add(f.source, own, premises)
		return steps[f], nil
	}
	last, err := add(f)
	if err != nil {
		return nil, err
	}
	return b.Refutation(last), nil
}
