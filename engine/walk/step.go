package walk

import (
	"math/rand/v2"

	"hornbeam/chc/rule"
	"hornbeam/chc/term"
)

// step is a rule as code over its variables.
type step struct {
	*valuation
	rule *rule.Rule
	// from and to are the places of the body's arguments and of the head's; nil where there is no such atom.
	from, to []int32
}

// state is a fact that was derived.
type state struct {
	pred   *rule.Predicate
	args   []int64
	parent *state
	by     *step
	// values are those of the variables of by.
	values []int64
}

// newStep compiles a rule. It has one atom in its body at most.
func newStep(pool *term.Pool, r *rule.Rule) (*step, error) {
	var vars []*term.Term
	place := map[*term.Term]int32{}
	places := func(xs []*term.Term) []int32 {
		out := make([]int32, len(xs))
		for i, x := range xs {
			if _, ok := place[x]; !ok {
				place[x] = int32(len(vars))
				vars = append(vars, x)
			}
			out[i] = place[x]
		}
		return out
	}
	s := &step{rule: r}
	if len(r.Body) > 0 {
		s.from = places(r.Body[0].Args)
	}
	s.to = places(r.Head.Params)
	places(r.Locals)
	c, err := compile(pool, vars, r.Trans)
	if err != nil {
		return nil, err
	}
	s.valuation = newValuation(c)
	return s, nil
}

// machine takes steps.
type machine struct {
	random *rand.Rand
	// numbers are those of the clauses.
	numbers []int64
	// spent is the number of operations evaluated.
	spent int
}

// take tries to derive a state by a rule from another one, nil for a fact. What the clause leaves open is random.
func (m *machine) take(s *step, before *state) *state {
	for range attempts {
		s.clear()
		if before != nil {
			for i, x := range s.from {
				s.assign(x, before.args[i])
			}
		}
		free := false
		for {
			ok, done, rounds := s.propagate()
			m.spent += stepOverhead + rounds*len(s.ops)
			if !ok {
				break
			}
			x := m.open(s)
			if x < 0 {
				if !done {
					break
				}
				return m.derived(s, before)
			}
			free = true
			s.assign(x, m.guess(s, x, before))
		}
		if !free {
			return nil
		}
	}
	return nil
}

// open picks a variable that has no value, truth values first.
func (m *machine) open(s *step) int32 {
	picked, count, found := int32(-1), 0, false
	for i := range s.vars {
		if s.set[i] {
			continue
		}
		truth := s.ops[i].truth
		if truth && !found {
			found, count = true, 0
		}
		if truth == found {
			if count++; m.random.IntN(count) == 0 {
				picked = int32(i)
			}
		}
	}
	return picked
}

// guess makes up a value within a variable's bounds.
func (m *machine) guess(s *step, x int32, before *state) int64 {
	if s.ops[x].truth {
		return int64(m.random.IntN(2))
	}
	low, high := s.low[x], s.high[x]
	n := int64(m.random.IntN(4))
	switch m.random.IntN(4) {
	case 0:
		if len(m.numbers) > 0 {
			n += m.numbers[m.random.IntN(len(m.numbers))] - 1
		}
	case 1:
		if before != nil && len(before.args) > 0 {
			n += before.args[m.random.IntN(len(before.args))] - 1
		}
	case 2:
		if low > -largest {
			n += low
		} else if high < largest {
			n = high - n
		}
	case 3:
		if high < largest {
			n = high - n
		} else {
			n--
		}
	}
	return min(max(n, low), high)
}

// derived is the state that a step's values say.
func (m *machine) derived(s *step, before *state) *state {
	out := &state{pred: s.rule.Head, args: make([]int64, len(s.to)), parent: before, by: s, values: append([]int64(nil), s.values[:len(s.vars)]...)}
	for i, x := range s.to {
		out.args[i] = s.values[x]
	}
	return out
}
