package transform

import (
	"context"
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// retyping is the Translator of the passes that keep every predicate and every clause and only change the sorts of
// arguments and variables: int-blast and bit-blast. Predicate i and clause i of the new system stand for those of the
// old one.
type retyping struct {
	old, new *chc.System
	// variables lists, by the clauses' IDs, what the old variables became.
	variables []map[*term.Term]recoding
	// interpret turns the interpretation of a new predicate into one of the old predicate.
	interpret func(old *chc.Predicate, in witness.Interpretation) (witness.Interpretation, error)
}

// recoding says what a variable of an old clause became: variables of the new clause, and how its value is got back
// from theirs.
type recoding struct {
	variables []*term.Term
	value     func([]term.Value) term.Value
}

// Model interprets each old predicate by the interpretation of its successor, in the old sorts.
func (r *retyping) Model(_ context.Context, m *witness.Model) (*witness.Model, error) {
	out := m.Clone()
	clear(out.Interpretations)
	for i, p := range r.old.Predicates {
		in, ok := m.Interpretations[r.new.Predicates[i]]
		if !ok {
			return nil, fmt.Errorf("translating a model: predicate %s has no interpretation", p.Name)
		}
		in, err := r.interpret(p, in)
		if err != nil {
			return nil, fmt.Errorf("translating the interpretation of %s: %w", p.Name, err)
		}
		out.Interpretations[p] = in
	}
	return out, nil
}

// Refutation converts the values of every step; its clauses, premises and their order stay.
func (r *retyping) Refutation(_ context.Context, ref *witness.Refutation) (*witness.Refutation, error) {
	return recodeSteps(r.old, r.new, ref, r.variables)
}

// recodeSteps carries a refutation back between systems whose clauses correspond one to one: every variable of an old
// clause gets its value from what it became, by the clauses' IDs, or keeps it when variables does not name it. Variables
// that only the new clauses have are forgotten. A nil list names none.
func recodeSteps(before, after *chc.System, ref *witness.Refutation, variables []map[*term.Term]recoding) (*witness.Refutation, error) {
	out := &witness.Refutation{Steps: make([]witness.Step, 0, len(ref.Steps))}
	for i, s := range ref.Steps {
		id := s.Clause.ID
		if id >= len(after.Clauses) || after.Clauses[id] != s.Clause {
			return nil, fmt.Errorf("translating step %d of a refutation: the clause is not of the transformed system", i)
		}
		old := before.Clauses[id]
		var codes map[*term.Term]recoding
		if variables != nil {
			codes = variables[id]
		}
		values := map[*term.Term]term.Value{}
		for _, x := range old.Vars() {
			code, ok := codes[x]
			if !ok {
				code = recoding{variables: []*term.Term{x}, value: func(vs []term.Value) term.Value { return vs[0] }}
			}
			parts := make([]term.Value, len(code.variables))
			for j, v := range code.variables {
				if parts[j], ok = s.Values[v]; !ok {
					// The new clause does not depend on it any more.
					parts[j] = term.DefaultValue(before.Pool, v.Sort())
				}
			}
			values[x] = code.value(parts)
		}
		out.Steps = append(out.Steps, witness.Step{Clause: old, Values: values, Premises: s.Premises})
	}
	return out, nil
}

// hasBitVectors reports whether bit-vectors occur in a system: in a predicate's sorts or in a clause.
func hasBitVectors(sys *chc.System) bool {
	for _, p := range sys.Predicates {
		for _, s := range p.Sorts {
			if s.IsBitVec() {
				return true
			}
		}
	}
	found := false
	for _, c := range sys.Clauses {
		for _, t := range c.Terms() {
			term.Walk(t, func(u *term.Term) bool {
				found = found || u.Sort().IsBitVec()
				return !found
			})
		}
		if found {
			return true
		}
	}
	return false
}

// mentionsBitVectors reports whether a sort is built from bit-vectors without being one.
func mentionsBitVectors(s *term.Sort) bool { return nestsBitVectors(s, map[*term.Sort]bool{}) }

func nestsBitVectors(s *term.Sort, seen map[*term.Sort]bool) bool {
	if seen[s] {
		return false
	}
	seen[s] = true
	parts := []*term.Sort{}
	switch s.Kind {
	case term.ArrayKind:
		parts = append(parts, s.Index, s.Elem)
	case term.DatatypeKind:
		for _, c := range s.Data.Constructors {
			for _, sel := range c.Selectors {
				parts = append(parts, sel.Sort)
			}
		}
	}
	for _, part := range parts {
		if part.IsBitVec() || nestsBitVectors(part, seen) {
			return true
		}
	}
	return false
}
