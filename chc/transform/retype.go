package transform

import (
	"context"
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// Retyping is the Translator of the passes that keep every predicate and every clause and only change the sorts of
// arguments and variables, as int-blast does. Predicate i and clause i of the new system stand for those of the
// old one.
type Retyping struct {
	Old, New *chc.System
	// Variables lists, by the clauses' IDs, what the old variables became.
	Variables []map[*term.Term]Recoding
	// Interpret turns the interpretation of a new predicate into one of the old predicate.
	Interpret func(old *chc.Predicate, in witness.Interpretation) (witness.Interpretation, error)
}

// Recoding says what a variable of an old clause became: variables of the new clause, and how its value is got back
// from theirs.
type Recoding struct {
	Variables []*term.Term
	Value     func([]term.Value) term.Value
}

// Model interprets each old predicate by the interpretation of its successor, in the old sorts.
func (r *Retyping) Model(_ context.Context, m *witness.Model) (*witness.Model, error) {
	out := m.Clone()
	clear(out.Interpretations)
	for i, p := range r.Old.Predicates {
		in, ok := m.Interpretations[r.New.Predicates[i]]
		if !ok {
			return nil, fmt.Errorf("translating a model: predicate %s has no interpretation", p.Name)
		}
		in, err := r.Interpret(p, in)
		if err != nil {
			return nil, fmt.Errorf("translating the interpretation of %s: %w", p.Name, err)
		}
		out.Interpretations[p] = in
	}
	return out, nil
}

// Refutation converts the values of every step; its clauses, premises and their order stay.
func (r *Retyping) Refutation(_ context.Context, ref *witness.Refutation) (*witness.Refutation, error) {
	return RecodeSteps(r.Old, r.New, ref, r.Variables)
}

// RecodeSteps carries a refutation back between systems whose clauses correspond one to one: every variable of an old
// clause gets its value from what it became, by the clauses' IDs, or keeps it when variables does not name it. Variables
// that only the new clauses have are forgotten. A nil list names none.
func RecodeSteps(before, after *chc.System, ref *witness.Refutation, variables []map[*term.Term]Recoding) (*witness.Refutation, error) {
	out := &witness.Refutation{Steps: make([]witness.Step, 0, len(ref.Steps))}
	for i, s := range ref.Steps {
		id := s.Clause.ID
		if id >= len(after.Clauses) || after.Clauses[id] != s.Clause {
			return nil, fmt.Errorf("translating step %d of a refutation: the clause is not of the transformed system", i)
		}
		old := before.Clauses[id]
		var codes map[*term.Term]Recoding
		if variables != nil {
			codes = variables[id]
		}
		values := map[*term.Term]term.Value{}
		for _, x := range old.Vars() {
			code, ok := codes[x]
			if !ok {
				code = Recoding{Variables: []*term.Term{x}, Value: func(vs []term.Value) term.Value { return vs[0] }}
			}
			parts := make([]term.Value, len(code.Variables))
			for j, v := range code.Variables {
				if parts[j], ok = s.Values[v]; !ok {
					// The new clause does not depend on it any more.
					parts[j] = term.DefaultValue(before.Pool, v.Sort())
				}
			}
			values[x] = code.Value(parts)
		}
		out.Steps = append(out.Steps, witness.Step{Clause: old, Values: values, Premises: s.Premises})
	}
	return out, nil
}
