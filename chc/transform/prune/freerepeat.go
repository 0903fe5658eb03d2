package prune

import (
	"fmt"

	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
	"hornbeam/chc/witness/rounds"
)

// repeatVariant is what a repetition becomes for a list of values that a use needs: the rounds but the last one, whose values follow
// from what the round after them needs, and the last one, for the use.
type repeatVariant struct {
	// rest and last have the premises of the old system's steps; needs and lastNeeds have the keys of the variants of their
	// premises. That of the last round's first premise does not count: it is what the rest derives.
	rest, last       *witness.Repeat
	needs, lastNeeds []string
}

// repeat makes the variant of a repetition. The rounds before the last one are taken to change as two of them do; whether they do is
// for the checker to say.
func (c *freeTranslator) repeat(s witness.Step, d demand, ask func(i int, d demand) string) (*repeatVariant, error) {
	one := term.NewInt(1)
	end := s.Repeat.Count.Sub(one)
	before := end.Sub(one)
	if before.Sub(one).Sign() <= 0 {
		return nil, fmt.Errorf("%w: a repetition has few rounds", transform.ErrGaveUp)
	}
	last, lastNeeds, err := c.round(s, end, d)
	if err != nil {
		return nil, err
	}
	second, secondNeeds, err := c.round(s, before, lastNeeds[0])
	if err != nil {
		return nil, err
	}
	third, thirdNeeds, err := c.round(s, before.Sub(one), secondNeeds[0])
	if err != nil {
		return nil, err
	}
	v := &repeatVariant{last: &witness.Repeat{Count: one, Round: last}, rest: &witness.Repeat{Count: end}}
	for j, r := range second {
		r.Increments, r.Next = map[*term.Term]term.Num{}, map[*term.Term]term.Value{}
		for x, w := range r.Values {
			f, err := backTo(c.Old.Pool, third[j].Values[x], w, before)
			if err != nil {
				return nil, err
			}
			r.Values[x] = f.Base
			if !f.Step.IsZero() {
				r.Increments[x] = f.Step
			}
			if f.Next.Sort() != nil {
				r.Next[x] = f.Next
			}
		}
		v.rest.Round = append(v.rest.Round, r)
	}
	for k, q := range s.Premises {
		v.lastNeeds = append(v.lastNeeds, "")
		if k > 0 {
			v.lastNeeds[k] = ask(q, lastNeeds[k])
		}
		need := secondNeeds[k]
		if k > 0 && need.key() != thirdNeeds[k].key() {
			return nil, fmt.Errorf("%w: the rounds of a repetition need different facts", transform.ErrGaveUp)
		}
		if k == 0 && need != nil {
			start := make(demand, len(need))
			for j, w := range need {
				if w == nil {
					continue
				}
				f, err := backTo(c.Old.Pool, *thirdNeeds[0][j], *w, before)
				if err != nil {
					return nil, err
				}
				start[j] = &f.Base
			}
			need = start
		}
		v.needs = append(v.needs, ask(q, need))
	}
	return v, nil
}

// backTo returns what a value is from the first round on, if it is v in the round before the given one and w in that, and changes by the
// same amounts in every round.
func backTo(p *term.Pool, v, w term.Value, round term.Num) (rounds.Form, error) {
	first, ok := rounds.Extrapolate(p, w, v, round)
	second, known := rounds.Extrapolate(p, w, v, round.Sub(term.NewInt(1)))
	if ok && known {
		if f, ok := rounds.Line(p, first, second); ok {
			return f, nil
		}
	}
	return rounds.Form{}, fmt.Errorf("%w: the rounds of a repetition differ in a value of sort %s", transform.ErrGaveUp, w.Sort())
}

// round returns the old steps of a round whose last one derives what d demands, and what the round demands of the premises of the
// repetition.
func (c *freeTranslator) round(s witness.Step, i term.Num, d demand) ([]witness.RoundStep, []demand, error) {
	outer := len(s.Premises)
	needs := make([]demand, outer+len(s.Repeat.Round))
	asked := make([]bool, len(needs))
	needs[len(needs)-1] = d
	steps := make([]witness.RoundStep, len(s.Repeat.Round))
	for j := len(steps) - 1; j >= 0; j-- {
		step := s.Repeat.Round[j].At(i)
		old := c.Origins[step.Clause.ID][0].Clause
		values, ev := c.values(old, step, needs[outer+j])
		steps[j] = witness.RoundStep{Clause: old, Values: values, Premises: step.Premises}
		for k, a := range old.Body {
			want, err := c.demand(ev, a)
			if err != nil {
				return nil, nil, err
			}
			q := step.Premises[k]
			if asked[q] && needs[q].key() != want.key() {
				return nil, nil, fmt.Errorf("%w: a step of a repetition has several uses", transform.ErrGaveUp)
			}
			asked[q], needs[q] = true, want
		}
	}
	return steps, needs[:outer], nil
}
