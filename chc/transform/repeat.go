package transform

import (
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/chc/witness/rounds"
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
	failed := ErrGaveUp
	if x, ok := t.(Repeater); ok && x.CarriesRepeats() {
		out, err := carry(r)
		if !errors.Is(err, ErrGaveUp) {
			return out, err
		}
		failed = err
	}
	r, err := r.Unroll(witness.MaxWritten)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", failed, err)
	}
	return carry(r)
}

// maxParts bounds the repetitions that one becomes. Each one more is a comparison that turns out otherwise from some round on, which
// happens when a pass has dropped one whose outcome does not matter.
const maxParts = 8

// CarryRepeat carries a repetition back. The pass carries single rounds, each with the values of what the premises of the
// repetition derived, of which the first one is replaced by what the round before derived: it returns the steps of the round, their
// premises numbered as those of a round are, and what the last one derives. Two rounds whose steps are the same but for numbers
// stand for those after them, as long as the steps' constraints are true: where they are not any more another repetition goes on
// from what this one derives. Whether they hold in all rounds is for the checker to say. CarryRepeat returns what the last round
// derives, too.
func CarryRepeat(p *term.Pool, r *witness.Repeat, premises [][]term.Value, round func(i term.Num, premises [][]term.Value) ([]witness.Step, []term.Value, error)) (parts []*witness.Repeat, derived []term.Value, err error) {
	one := term.NewInt(1)
	at := func(i term.Num, start []term.Value) ([]witness.Step, []term.Value, error) {
		return round(i, append([][]term.Value{start}, premises[1:]...))
	}
	start := premises[0]
	for from := (term.Num{}); from.Cmp(r.Count) < 0; {
		if len(parts) == maxParts {
			return nil, nil, fmt.Errorf("%w: a repetition has too many parts", ErrGaveUp)
		}
		first, head, err := at(from, start)
		if err != nil {
			return nil, nil, err
		}
		left := r.Count.Sub(from)
		part := &witness.Repeat{Count: one, Round: make([]witness.RoundStep, len(first))}
		for j, s := range first {
			part.Round[j] = witness.RoundStep{Clause: s.Clause, Values: s.Values, Premises: s.Premises}
		}
		parts = append(parts, part)
		from, start = from.Add(one), head
		if left.IsOne() {
			break
		}
		second, next, err := at(from, head)
		if err != nil {
			return nil, nil, err
		}
		if !changes(part, second) {
			continue
		}
		part.Count = holdFor(p, part, left)
		done := part.Count.Sub(one)
		if start, err = extrapolate(p, head, next, done); err != nil {
			return nil, nil, err
		}
		from = from.Add(done)
	}
	return parts, start, nil
}

// changes adds to a round how its values change up to the next one; it reports false when the steps are others, or differ in
// something else than numbers.
func changes(part *witness.Repeat, next []witness.Step) bool {
	if len(part.Round) != len(next) {
		return false
	}
	increments, values := make([]map[*term.Term]term.Num, len(next)), make([]map[*term.Term]term.Value, len(next))
	for j, s := range part.Round {
		t := next[j]
		if s.Clause != t.Clause || len(t.Terms) > 0 || !slices.Equal(s.Premises, t.Premises) {
			return false
		}
		increments[j], values[j] = map[*term.Term]term.Num{}, map[*term.Term]term.Value{}
		for x, v := range s.Values {
			f, ok := rounds.Line(x.Pool(), v, t.Values[x])
			if !ok {
				return false
			}
			if !f.Step.IsZero() {
				increments[j][x] = f.Step
			}
			if f.Next.Sort() != nil {
				values[j][x] = f.Next
			}
		}
	}
	for j := range part.Round {
		part.Round[j].Increments, part.Round[j].Next = increments[j], values[j]
	}
	return true
}

// holdFor returns the number of rounds, at most so many, after which a constraint is not true any more: the last one is looked at,
// and otherwise half of what is left.
func holdFor(p *term.Pool, part *witness.Repeat, most term.Num) term.Num {
	holds := func(rounds term.Num) bool {
		for _, s := range part.Round {
			step := s.At(rounds.Sub(term.NewInt(1)))
			if !term.NewEvaluator(p, term.MapAssignment(step.Values)).True(step.Clause.Constraint) {
				return false
			}
		}
		return true
	}
	if holds(most) {
		return most
	}
	low, high := term.NewInt(1), most
	for {
		middle, _ := term.EuclidDiv(low.Add(high), term.NewInt(2))
		switch {
		case middle.Equal(low):
			return low
		case holds(middle):
			low = middle
		default:
			high = middle
		}
	}
}

// extrapolate returns what becomes of values after so many more changes like that from v to w.
func extrapolate(p *term.Pool, v, w []term.Value, times term.Num) ([]term.Value, error) {
	out := make([]term.Value, len(v))
	for j, x := range v {
		var ok bool
		if out[j], ok = rounds.Extrapolate(p, x, w[j], times); !ok {
			return nil, fmt.Errorf("%w: the rounds of a repetition differ in a value of sort %s", ErrGaveUp, x.Sort())
		}
	}
	return out, nil
}

// carryRounds is CarryRepeat for passes that carry single steps: one gets a step and the values that its premises derived, by
// their numbers, and returns the old step with premises of the same numbers and what it derives.
func carryRounds(p *term.Pool, r *witness.Repeat, premises [][]term.Value, one func(s witness.Step, derived [][]term.Value) (witness.Step, []term.Value, error)) ([]*witness.Repeat, []term.Value, error) {
	return CarryRepeat(p, r, premises, func(i term.Num, premises [][]term.Value) ([]witness.Step, []term.Value, error) {
		derived := slices.Clone(premises)
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

// CarrySteps carries a refutation step by step, repeated ones too: one gets a step and what its premises derived, and returns the
// old step with the same premises, or some of them, and what it derives. The terms are of the pool p.
func CarrySteps(p *term.Pool, r *witness.Refutation, one func(s witness.Step, derived [][]term.Value) (witness.Step, []term.Value, error)) (*witness.Refutation, error) {
	out := &witness.Refutation{Steps: make([]witness.Step, 0, len(r.Steps))}
	derived := make([][]term.Value, len(r.Steps))
	number := make([]int, len(r.Steps))
	for i, s := range r.Steps {
		if s.Repeat != nil {
			premises, values := make([]int, len(s.Premises)), make([][]term.Value, len(s.Premises))
			for k, q := range s.Premises {
				premises[k], values[k] = number[q], derived[q]
			}
			parts, head, err := carryRounds(p, s.Repeat, values, one)
			if err != nil {
				return nil, fmt.Errorf("translating step %d of a refutation: %w", i, err)
			}
			for _, part := range parts {
				out.Steps = append(out.Steps, witness.Step{Repeat: part, Premises: slices.Clone(premises)})
				premises[0] = len(out.Steps) - 1
			}
			derived[i], number[i] = head, len(out.Steps)-1
			continue
		}
		old, head, err := one(s, derived)
		if err != nil {
			return nil, fmt.Errorf("translating step %d of a refutation (clause %d): %w", i, s.Clause.ID, err)
		}
		old.Premises = slices.Clone(old.Premises)
		for k, q := range old.Premises {
			old.Premises[k] = number[q]
		}
		out.Steps = append(out.Steps, old)
		derived[i], number[i] = head, len(out.Steps)-1
	}
	return out, nil
}
