package ghost

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// Argument is a new argument of a predicate, an integer: the position of the array that it is about, after whose name it is named, and
// what its name ends in.
type Argument struct {
	Array  int
	Suffix string
}

// Extend returns the system whose predicates have the new arguments, by ID, after their own, and whose clauses are what clause returns;
// sys where there are none. The error is that of ctx.
func Extend(ctx context.Context, sys *chc.System, arguments [][]Argument, clause func(c *chc.Clause, preds []*chc.Predicate) *chc.Clause) (*chc.System, error) {
	if !slices.ContainsFunc(arguments, func(of []Argument) bool { return len(of) > 0 }) {
		return sys, nil
	}
	preds := make([]*chc.Predicate, len(sys.Predicates))
	for i, p := range sys.Predicates {
		preds[i] = p
		if len(arguments[i]) > 0 {
			preds[i] = extended(p, arguments[i])
		}
	}
	clauses := make([]*chc.Clause, len(sys.Clauses))
	for i, c := range sys.Clauses {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		clauses[i] = clause(c, preds)
	}
	return transform.Rebuild(sys, preds, clauses), nil
}

func extended(p *chc.Predicate, arguments []Argument) *chc.Predicate {
	q := *p
	q.Sorts, q.ArgNames = slices.Clone(p.Sorts), slices.Clone(p.ArgNames)
	for _, a := range arguments {
		q.Sorts = append(q.Sorts, term.Int)
		if p.ArgNames != nil {
			q.ArgNames = append(q.ArgNames, p.ArgNames[a.Array]+a.Suffix)
		}
	}
	return &q
}
