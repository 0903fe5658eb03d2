package ghost

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
)

// Function is a recursive function that a model may apply, with the lemmas about it that the check needs.
type Function interface {
	Symbol() *term.Func
	Definition() witness.Definition
	Lemmas() []witness.Lemma
}

// CarryModel returns the model in which the new arguments of the i-th predicate, which come after those of the old one, are what args
// returns of these. With it come those of the functions, which functions returns afterwards, that it applies.
func CarryModel[F Function](m *witness.Model, old, next *chc.System, args func(i int, params []*term.Term) []*term.Term, functions func() []F) (*witness.Model, error) {
	applied := map[*term.Func]bool{}
	out, err := transform.CarryModel(m, old.Predicates, next.Predicates, func(i int, in witness.Interpretation) (witness.Interpretation, error) {
		params := transform.Parameters(old.Pool, old.Predicates[i])
		more := args(i, params)
		if len(more) == 0 {
			return in, nil
		}
		body := in.Apply(old.Pool, slices.Concat(params, more))
		term.Walk(body, func(u *term.Term) bool {
			applied[u.Func()] = true
			return true
		})
		return witness.Interpretation{Params: params, Body: body}, nil
	})
	if err != nil {
		return nil, err
	}
	for _, f := range functions() {
		if applied[f.Symbol()] {
			out.Definitions = append(out.Definitions, f.Definition())
			out.Lemmas = append(out.Lemmas, f.Lemmas()...)
		}
	}
	return out, nil
}

// Constants are the constant arrays of a sort in the clauses whose elements are such.
func Constants(sys *chc.System, array *term.Sort, such func(element *term.Term) bool) []*term.Term {
	var out []*term.Term
	sys.EachTerm(func(u *term.Term) {
		if u.Op() == term.ConstArray && u.Sort() == array && such(u.Arg(0)) {
			out = append(out, u)
		}
	})
	return out
}
