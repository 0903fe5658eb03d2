package witness

import (
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// ErrRepeats is wrapped by errors about refutations with repeated steps, where these are too many to be written out.
var ErrRepeats = errors.New("the refutation repeats steps")

// Repeat is a loop of a derivation. Its steps are done Count times: what the last one derives in a round is the fact that the
// next round starts from. Of the numbers in a round's steps, each one changes by the same amount from round to round.
//
// The premises of the Step that has the Repeat are the steps whose facts it uses: the first one derives the fact that the first
// round starts from, and the others are the same in every round.
type Repeat struct {
	// Count is how many rounds there are, an integer of at least 1.
	Count term.Num
	// Round has at least one step.
	Round []RoundStep
}

// RoundStep is a step of a round: Clause under Values in the first round, and in round i, from 0, under Values with i times
// Increments added.
type RoundStep struct {
	Clause *chc.Clause
	// Values gives every variable of the clause a value.
	Values map[*term.Term]term.Value
	// Increments has the variables of sort Int and Real whose values change, and by how much.
	Increments map[*term.Term]term.Num
	// Premises has a number for each body atom of the clause: 0 is the fact of the round before, in the first round that of
	// the first premise of the Step; a number k less than that of the Step's premises is the fact of its premise k; and the
	// numbers from there on are the earlier steps of the round.
	Premises []int
}

// At returns the step as it is in round i, with its own numbering of premises.
func (s RoundStep) At(i term.Num) Step {
	if len(s.Increments) == 0 || i.IsZero() {
		return Step{Clause: s.Clause, Values: s.Values, Premises: s.Premises}
	}
	values := make(map[*term.Term]term.Value, len(s.Values))
	for x, v := range s.Values {
		if d, ok := s.Increments[x]; ok {
			v = term.NumValue(v.Num().Add(d.Mul(i)), v.Sort())
		}
		values[x] = v
	}
	return Step{Clause: s.Clause, Values: values, Premises: s.Premises}
}

// last is the number of the last round, from 0.
func (r *Repeat) last() term.Num { return r.Count.Sub(term.NewInt(1)) }

// final is the last step of the last round; nil when there is no step.
func (r *Repeat) final() *Step {
	if len(r.Round) == 0 {
		return nil
	}
	s := r.Round[len(r.Round)-1].At(r.last())
	return &s
}

// Repeats reports whether a step of the refutation is a repetition.
func (r *Refutation) Repeats() bool {
	for _, s := range r.Steps {
		if s.Repeat != nil {
			return true
		}
	}
	return false
}

// Unroll returns the refutation with all repetitions written out, the refutation itself where there are none. It fails when
// there are more than limit steps then.
func (r *Refutation) Unroll(limit int) (*Refutation, error) {
	if !r.Repeats() {
		return r, nil
	}
	size := term.NewInt(int64(len(r.Steps)))
	for _, s := range r.Steps {
		if s.Repeat != nil {
			size = size.Add(s.Repeat.Count.Mul(term.NewInt(int64(len(s.Repeat.Round)))))
		}
	}
	if size.Cmp(term.NewInt(int64(limit))) > 0 {
		return nil, fmt.Errorf("%w: it has %s steps when they are written out, more than %d", ErrRepeats, size, limit)
	}
	out := &Refutation{}
	number := make([]int, len(r.Steps))
	outer := func(premises []int) []int {
		mapped := make([]int, len(premises))
		for k, q := range premises {
			mapped[k] = number[q]
		}
		return mapped
	}
	for i, s := range r.Steps {
		premises := outer(s.Premises)
		if s.Repeat == nil {
			s.Premises = premises
			out.Steps = append(out.Steps, s)
		} else {
			out.WriteOut(s.Repeat, premises)
		}
		number[i] = len(out.Steps) - 1
	}
	return out, nil
}

// WriteOut appends all rounds of a repetition whose step would have the given premises; the last step is the last round's.
func (r *Refutation) WriteOut(repeat *Repeat, premises []int) {
	premises = slices.Clone(premises)
	for i := (term.Num{}); i.Cmp(repeat.Count) < 0; i = i.Add(term.NewInt(1)) {
		first := len(r.Steps)
		for _, round := range repeat.Round {
			s := round.At(i)
			s.Premises = make([]int, len(round.Premises))
			for k, q := range round.Premises {
				if q < len(premises) {
					s.Premises[k] = premises[q]
				} else {
					s.Premises[k] = first + q - len(premises)
				}
			}
			r.Steps = append(r.Steps, s)
		}
		premises[0] = len(r.Steps) - 1
	}
}
