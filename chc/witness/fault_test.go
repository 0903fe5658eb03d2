package witness_test

import (
	"maps"
	"slices"

	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// plantInModel changes one interpretation: it is weakened, strengthened or negated, sometimes harmlessly.
func plantInModel(t *rapid.T, sys *chc.System, m *witness.Model) *witness.Model {
	p := sys.Pool
	out := m.Clone()
	pred := rapid.SampledFrom(sys.Predicates).Draw(t, "changed predicate")
	i := out.Interpretations[pred]
	var tuple []*term.Term
	for _, x := range i.Params {
		if x.Sort() == term.Bool {
			tuple = append(tuple, p.Eq(x, p.Bool(rapid.Bool().Draw(t, "value"))))
		} else {
			tuple = append(tuple, p.Eq(x, p.Int(rapid.Int64Range(-1, 3).Draw(t, "value"))))
		}
	}
	switch rapid.SampledFrom([]string{"add", "remove", "bound", "true", "false", "not"}).Draw(t, "model fault") {
	case "add":
		i.Body = p.Or(i.Body, p.And(tuple...))
	case "remove":
		i.Body = p.And(i.Body, p.Not(p.And(tuple...)))
	case "bound":
		for _, x := range i.Params {
			if x.Sort() == term.Int {
				i.Body = p.And(i.Body, p.Le(x, p.Int(1)))
			}
		}
	case "true":
		i.Body = p.True()
	case "false":
		i.Body = p.False()
	case "not":
		i.Body = p.Not(i.Body)
	}
	out.Interpretations[pred] = i
	return out
}

// plantInRefutation changes one thing in one step, sometimes harmlessly.
func plantInRefutation(t *rapid.T, sys *chc.System, r *witness.Refutation) *witness.Refutation {
	out := &witness.Refutation{}
	for _, s := range r.Steps {
		out.Steps = append(out.Steps, witness.Step{Clause: s.Clause, Values: maps.Clone(s.Values), Premises: slices.Clone(s.Premises)})
	}
	n := rapid.IntRange(0, len(out.Steps)-1).Draw(t, "changed step")
	s := &out.Steps[n]
	vars := s.Clause.Vars()
	kinds := []string{"clause", "premises", "foreign clause", "drop step", "drop last", "no clause"}
	if len(vars) > 0 {
		kinds = append(kinds, "value", "value", "missing value", "sort", "fraction")
	}
	if len(s.Premises) > 0 {
		kinds = append(kinds, "premise", "premise")
	}
	switch rapid.SampledFrom(kinds).Draw(t, "refutation fault") {
	case "value":
		x := rapid.SampledFrom(vars).Draw(t, "variable")
		if x.Sort() == term.Bool {
			s.Values[x] = term.BoolValue(!s.Values[x].Bool())
		} else {
			s.Values[x] = term.NumValue(term.NewInt(rapid.Int64Range(-1, 3).Draw(t, "value")), term.Int)
		}
	case "missing value":
		delete(s.Values, rapid.SampledFrom(vars).Draw(t, "variable"))
	case "sort":
		x := rapid.SampledFrom(vars).Draw(t, "variable")
		if x.Sort() == term.Int {
			s.Values[x] = term.NumValue(s.Values[x].Num(), term.Real)
		} else {
			s.Values[x] = term.NumValue(term.NewInt(1), term.Int)
		}
	case "fraction":
		x := rapid.SampledFrom(vars).Draw(t, "variable")
		if x.Sort() == term.Int {
			s.Values[x] = term.NumValue(term.NewRat(1, 2), term.Int)
		}
	case "premise":
		k := rapid.IntRange(0, len(s.Premises)-1).Draw(t, "premise")
		s.Premises[k] = rapid.IntRange(-1, len(out.Steps)).Draw(t, "new premise")
	case "premises":
		if rapid.Bool().Draw(t, "more") {
			s.Premises = append(s.Premises, 0)
		} else if len(s.Premises) > 0 {
			s.Premises = s.Premises[1:]
		}
	case "clause":
		s.Clause = rapid.SampledFrom(sys.Clauses).Draw(t, "clause")
	case "foreign clause":
		c := *s.Clause
		s.Clause = &c
	case "no clause":
		s.Clause = nil
	case "drop step":
		out.Steps = slices.Delete(out.Steps, n, n+1)
	case "drop last":
		out.Steps = out.Steps[:len(out.Steps)-1]
	}
	return out
}
