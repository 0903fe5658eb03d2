package demand

import (
	"context"
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
)

// translator carries witnesses back to the clauses without questions.
type translator struct {
	// The first clauses of next are the old ones, in their order; the others ask.
	old, next *chc.System
	modes     modes
	// asked has the predicates for inputs, by the old predicates.
	asked map[*chc.Predicate]*chc.Predicate
}

// Model interprets a predicate as what holds if its inputs are asked for.
func (t *translator) Model(_ context.Context, m *witness.Model) (*witness.Model, error) {
	out := m.Clone()
	out.Interpretations = make(map[*chc.Predicate]witness.Interpretation, len(t.old.Predicates))
	pool := t.old.Pool
	find := func(p *chc.Predicate) (witness.Interpretation, error) {
		in, ok := m.Interpretations[t.next.Predicates[p.ID]]
		if !ok {
			return in, fmt.Errorf("translating a model: predicate %s has no interpretation", p.Name)
		}
		return in, nil
	}
	for _, p := range t.old.Predicates {
		in, err := find(p)
		if err != nil {
			return nil, err
		}
		if q := t.asked[p]; q != nil {
			asked, err := find(q)
			if err != nil {
				return nil, err
			}
			var inputs []*term.Term
			for _, k := range t.modes[p] {
				inputs = append(inputs, in.Params[k])
			}
			in.Body = pool.Implies(asked.Apply(pool, inputs), in.Body)
		}
		out.Interpretations[p] = in
	}
	return out, nil
}

// Refutation leaves out the questions.
func (t *translator) Refutation(ctx context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	build := witness.NewRefutationBuilder(t.old.Pool)
	number := make([]int, len(r.Steps))
	last := -1
	for i, s := range r.Steps {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("translating a refutation: %w", err)
		}
		if s.Repeat != nil {
			return nil, fmt.Errorf("translating step %d of a refutation: %w: it is a repetition", i, transform.ErrGaveUp)
		}
		id := s.Clause.ID
		if id >= len(t.next.Clauses) || t.next.Clauses[id] != s.Clause {
			return nil, fmt.Errorf("translating step %d of a refutation: the clause is not of the transformed system", i)
		}
		if id >= len(t.old.Clauses) {
			number[i] = -1
			continue
		}
		c := t.old.Clauses[id]
		premises := make([]int, len(c.Body))
		for k := range c.Body {
			premises[k] = number[s.Premises[k]]
		}
		last = build.Add(c, s.Values, premises)
		number[i] = last
	}
	if last < 0 {
		return &witness.Refutation{}, nil
	}
	return build.Refutation(last), nil
}
