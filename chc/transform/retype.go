package transform

import (
	"context"
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// Retyping is the Translator of the passes that keep every predicate and every clause and only change arguments and
// variables, as int-blast does. Predicate i and clause i of the new system stand for those of the old one.
type Retyping struct {
	Old, New *chc.System
	// Recode says what replaced a variable of an old clause, by the clause's ID; false for one that stays. Nil when all do.
	Recode func(clause int, x *term.Term) (Recoding, bool)
	// Interpret turns the interpretation of a new predicate into one of the old predicate. Nil when they are the same.
	Interpret func(old *chc.Predicate, in witness.Interpretation) (witness.Interpretation, error)
}

// Recoding is what replaced a variable of an old clause: variables of the new clause, and the function that computes its
// value from theirs.
type Recoding struct {
	Variables []*term.Term
	Value     func([]term.Value) term.Value
}

// Model interprets each old predicate by the interpretation of its successor, in the old sorts.
func (r *Retyping) Model(_ context.Context, m *witness.Model) (*witness.Model, error) {
	if r.Interpret == nil {
		return m, nil
	}
	return CarryModel(m, r.Old.Predicates, r.New.Predicates, func(i int, in witness.Interpretation) (witness.Interpretation, error) {
		return r.Interpret(r.Old.Predicates[i], in)
	})
}

// CarryModel returns a model that interprets each old predicate by what carry makes of the interpretation of its successor,
// the predicate with the same index, and has the definitions and lemmas of the one that is given.
func CarryModel(m *witness.Model, old, successors []*chc.Predicate, carry func(i int, in witness.Interpretation) (witness.Interpretation, error)) (*witness.Model, error) {
	out := m.Clone()
	clear(out.Interpretations)
	for i, p := range old {
		in, ok := m.Interpretations[successors[i]]
		if !ok {
			return nil, fmt.Errorf("translating a model: predicate %s has no interpretation", p.Name)
		}
		in, err := carry(i, in)
		if err != nil {
			return nil, fmt.Errorf("translating the interpretation of %s: %w", p.Name, err)
		}
		out.Interpretations[p] = in
	}
	return out, nil
}

// Refutation converts the values of every step; its clauses, premises and their order stay.
func (r *Retyping) Refutation(_ context.Context, ref *witness.Refutation) (*witness.Refutation, error) {
	return RecodeSteps(r.Old.Pool, ref, r.Old.Clauses, r.New.Clauses, r.Recode)
}

// CarriesRepeats says that repeated steps are carried back.
func (r *Retyping) CarriesRepeats() bool { return true }

// RecodeSteps carries a refutation back between clauses that correspond one to one: every variable of an old clause gets its
// value from what it became, or keeps it when recode, which may be nil, does not know it. Variables that only the new
// clauses have are forgotten.
func RecodeSteps(pool *term.Pool, ref *witness.Refutation, before, after []*chc.Clause, recode func(clause int, x *term.Term) (Recoding, bool)) (*witness.Refutation, error) {
	// What the steps derive does not matter here.
	return CarrySteps(pool, ref, func(s witness.Step, _ [][]term.Value) (witness.Step, []term.Value, error) {
		id := s.Clause.ID
		if id >= len(after) || after[id] != s.Clause {
			return witness.Step{}, nil, fmt.Errorf("the clause is not of the transformed system")
		}
		values := map[*term.Term]term.Value{}
		for _, x := range before[id].Vars() {
			var code Recoding
			known := false
			if recode != nil {
				code, known = recode(id, x)
			}
			if !known {
				code = Recoding{Variables: []*term.Term{x}, Value: func(vs []term.Value) term.Value { return vs[0] }}
			}
			parts := make([]term.Value, len(code.Variables))
			for j, v := range code.Variables {
				var ok bool
				if parts[j], ok = s.Values[v]; !ok {
					// The new clause does not depend on it any more.
					parts[j] = term.DefaultValue(pool, v.Sort())
				}
			}
			values[x] = code.Value(parts)
		}
		return witness.Step{Clause: before[id], Values: values, Premises: s.Premises}, nil, nil
	})
}

// Argument is an argument that a pass puts in place of another one; its name is that one's with the suffix.
type Argument struct {
	Sort   *term.Sort
	Suffix string
}

// Spread returns the predicate with the arguments that of returns in place of each one, where its second result is true; the
// predicate itself when there are none.
func Spread(p *chc.Predicate, of func(i int) ([]Argument, bool)) *chc.Predicate {
	q := *p
	q.Sorts, q.ArgNames = nil, nil
	spread := false
	for i, s := range p.Sorts {
		arguments, replaced := of(i)
		if !replaced {
			arguments = []Argument{{Sort: s}}
		}
		spread = spread || replaced
		for _, a := range arguments {
			q.Sorts = append(q.Sorts, a.Sort)
			if p.ArgNames != nil {
				q.ArgNames = append(q.ArgNames, p.ArgNames[i]+a.Suffix)
			}
		}
	}
	if !spread {
		return p
	}
	return &q
}
