package rule

import (
	"fmt"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// Model interprets each predicate by the conjunction of the formulas over its parameters that said returns.
func (s *System) Model(said func(*Predicate) []*term.Term) *witness.Model {
	m := witness.NewModel()
	for _, p := range s.Predicates {
		if p.Source != nil {
			m.Interpretations[p.Source] = witness.Interpretation{Params: p.Params, Body: s.Pool.And(said(p)...)}
		}
	}
	return m
}

// UndeterminedError says that the values of a rule's variables do not determine one of its clause's.
type UndeterminedError struct {
	Pred *Predicate
	Var  *term.Term
}

func (e *UndeterminedError) Error() string {
	return fmt.Sprintf("the value of %s in a step of the refutation, for %s, is not determined", e.Var.Name(), e.Pred.Name)
}

// Step returns the instance of the rule's clause in which each variable of the rule has the value that eval returns, as a
// step of a refutation: premises are the indices of the steps for the body's atoms. The error is an *UndeterminedError.
func (r *Rule) Step(eval func(*term.Term) (term.Value, bool), premises []int) (witness.Step, error) {
	values := make(map[*term.Term]term.Value, len(r.Values))
	for _, v := range r.Clause.Vars() {
		value, ok := eval(r.Values[v])
		if !ok {
			return witness.Step{}, &UndeterminedError{r.Head, v}
		}
		values[v] = value
	}
	return witness.Step{Clause: r.Clause, Values: values, Premises: premises}, nil
}
