package transform

import (
	"errors"
	"fmt"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// Repeater is a Translator that may be able to carry repeated steps back; the refutations that others are given have none.
type Repeater interface {
	Translator
	// CarriesRepeats reports whether it tries to. Where it does not succeed, the error wraps ErrGaveUp.
	CarriesRepeats() bool
}

// carryRefutation carries a refutation back through one pass. Repetitions that do not come back as such are written out.
func carryRefutation(t Translator, r *witness.Refutation, carry func(*witness.Refutation) (*witness.Refutation, error)) (*witness.Refutation, error) {
	if !r.Repeats() {
		return carry(r)
	}
	if x, ok := t.(Repeater); ok && x.CarriesRepeats() {
		out, err := carry(r)
		if !errors.Is(err, ErrGaveUp) {
			return out, err
		}
	}
	r, err := r.Unroll(witness.MaxWritten)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrGaveUp, err)
	}
	return carry(r)
}

// CarryRepeat carries a repetition back. The pass carries single rounds, each with the values of what the premises of the
// repetition derived, of which the first one is replaced by what the round before derived: it returns the steps of the round, their
// premises numbered as those of a round are, and what the last one derives. The steps of a repetition are those of the first two
// rounds, if they are the same but for numbers, and these are taken to change in the same way in all rounds; whether they do is
// for the checker to say. CarryRepeat returns what the last round derives, too.
func CarryRepeat(r *witness.Repeat, premises [][]term.Value, round func(i term.Num, premises [][]term.Value) ([]witness.Step, []term.Value, error)) (*witness.Repeat, []term.Value, error) {
	first, start, err := round(term.Num{}, premises)
	if err != nil {
		return nil, nil, err
	}
	second, then, err := round(term.NewInt(1), append([][]term.Value{start}, premises[1:]...))
	if err != nil {
		return nil, nil, err
	}
	out := &witness.Repeat{Count: r.Count}
	if len(first) != len(second) {
		return nil, nil, fmt.Errorf("%w: the rounds of a repetition have different steps", ErrGaveUp)
	}
	for j, s := range first {
		t := second[j]
		if s.Clause != t.Clause || len(s.Terms)+len(t.Terms) > 0 {
			return nil, nil, fmt.Errorf("%w: the rounds of a repetition have different steps", ErrGaveUp)
		}
		step := witness.RoundStep{Clause: s.Clause, Values: s.Values, Increments: map[*term.Term]term.Num{}, Premises: s.Premises}
		for x, v := range s.Values {
			d, err := difference(v, t.Values[x])
			if err != nil {
				return nil, nil, err
			}
			if !d.IsZero() {
				step.Increments[x] = d
			}
		}
		out.Round = append(out.Round, step)
	}
	last := r.Count.Sub(term.NewInt(1))
	end := make([]term.Value, len(start))
	for j, v := range start {
		d, err := difference(v, then[j])
		if err != nil {
			return nil, nil, err
		}
		end[j] = v
		if !d.IsZero() {
			end[j] = term.NumValue(v.Num().Add(d.Mul(last)), v.Sort())
		}
	}
	return out, end, nil
}

// difference is what leads from one value to another, which must be the same unless they are numbers.
func difference(v, w term.Value) (term.Num, error) {
	switch {
	case v.Equal(w):
		return term.Num{}, nil
	case v.Sort() != nil && v.Sort() == w.Sort() && v.Sort().IsArith():
		return w.Num().Sub(v.Num()), nil
	}
	return term.Num{}, fmt.Errorf("%w: the rounds of a repetition differ in a value of sort %s", ErrGaveUp, v.Sort())
}

// CarryRounds is CarryRepeat for passes that carry single steps: one gets a step and the values that its premises derived, by
// their numbers, and returns the old step with premises of the same numbers and what it derives.
func CarryRounds(r *witness.Repeat, premises [][]term.Value, one func(s witness.Step, derived [][]term.Value) (witness.Step, []term.Value, error)) (*witness.Repeat, []term.Value, error) {
	return CarryRepeat(r, premises, func(i term.Num, premises [][]term.Value) ([]witness.Step, []term.Value, error) {
		derived := append([][]term.Value(nil), premises...)
		var steps []witness.Step
		var head []term.Value
		for _, s := range r.Round {
			old, h, err := one(s.At(i), derived)
			if err != nil {
				return nil, nil, err
			}
			steps, derived, head = append(steps, old), append(derived, h), h
		}
		return steps, head, nil
	})
}

// pick returns the values of what a step's premises derived.
func pick(derived [][]term.Value, premises []int) [][]term.Value {
	out := make([][]term.Value, len(premises))
	for k, q := range premises {
		out[k] = derived[q]
	}
	return out
}

// CarrySteps carries a refutation step by step: one gets a step and what its premises derived, and returns the old step with the same
// premises, or some of them, and what it derives.
func CarrySteps(r *witness.Refutation, one func(s witness.Step, derived [][]term.Value) (witness.Step, []term.Value, error)) (*witness.Refutation, error) {
	out := &witness.Refutation{Steps: make([]witness.Step, 0, len(r.Steps))}
	derived := make([][]term.Value, len(r.Steps))
	for i, s := range r.Steps {
		var old witness.Step
		var err error
		if s.Repeat != nil {
			old.Premises = s.Premises
			old.Repeat, derived[i], err = CarryRounds(s.Repeat, pick(derived, s.Premises), one)
			if err != nil {
				return nil, fmt.Errorf("translating step %d of a refutation: %w", i, err)
			}
		} else if old, derived[i], err = one(s, derived); err != nil {
			return nil, fmt.Errorf("translating step %d of a refutation (clause %d): %w", i, s.Clause.ID, err)
		}
		out.Steps = append(out.Steps, old)
	}
	return out, nil
}
