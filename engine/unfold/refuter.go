package unfold

import (
	"hornbeam/chc/term"
	"hornbeam/chc/unfold"
	"hornbeam/chc/witness"
)

// refuter reads a refutation from a model of the formula of all derivations.
type refuter struct {
	values     *term.Evaluator
	refutation witness.Refutation
	// steps has the ways that are steps already.
	steps map[*unfold.Way]int
}

// refute derives one of several queries; it reports false when the model does not make one of them true, or leaves a value open.
func (r *refuter) refute(ways []*unfold.Way) bool {
	_, ok := r.derive(ways)
	return ok
}

// derive adds the step for the first of some ways that the model takes, behind those of its premises.
func (r *refuter) derive(ways []*unfold.Way) (step int, ok bool) {
	for _, w := range ways {
		if !r.values.True(w.Holds) {
			continue
		}
		if k, done := r.steps[w]; done {
			return k, true
		}
		s := witness.Step{Clause: w.Clause, Values: map[*term.Term]term.Value{}}
		for _, premise := range w.Premises {
			k, ok := r.derive(premise.Ways)
			if !ok {
				return 0, false
			}
			s.Premises = append(s.Premises, k)
		}
		for v, t := range w.Values {
			value, ok := r.values.Eval(t)
			if !ok {
				return 0, false
			}
			s.Values[v] = value
		}
		r.steps[w] = len(r.refutation.Steps)
		r.refutation.Steps = append(r.refutation.Steps, s)
		return r.steps[w], true
	}
	return 0, false
}
