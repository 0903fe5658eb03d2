package witness

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/unfold"
	"hornbeam/internal/smt"
)

// Least returns the least model: in it every predicate means what the clauses derive of it. Where no predicate depends on itself
// that is a formula, and that it is a model is a single question: whether a query can be derived.
func Least() *Model { return &Model{Least: true} }

// checkLeast checks that no query can be derived from the clauses, none of whose predicates may depend on itself.
func checkLeast(ctx context.Context, open smt.Opener, sys *chc.System, limit smt.Limit) error {
	u, err := unfold.Of(ctx, sys)
	switch {
	case errors.Is(err, unfold.ErrRecursive):
		return fmt.Errorf("%w: there is no formula for the least model: %w", ErrInvalid, err)
	case errors.Is(err, unfold.ErrTooMany):
		return fmt.Errorf("%w: %w", ErrUndecided, err)
	case err != nil:
		return fmt.Errorf("checking the least model: %w", err)
	}
	for _, a := range leastAttempts {
		status, err := a.ask(ctx, open, sys.Pool, u.Formula, limit)
		switch {
		case err != nil:
			return fmt.Errorf("checking that no query can be derived: %w", err)
		case status == smt.Unsat:
			return nil
		case status == smt.Sat:
			return fmt.Errorf("%w: a query can be derived", ErrInvalid)
		}
	}
	return fmt.Errorf("%w: no solver says whether a query can be derived", ErrUndecided)
}

// leastAttempts begin with Z3's tactics, which decide by far the most of such formulas over bit-vectors.
var leastAttempts = []attempt{
	{params: smt.Params{Auto: true}, share: 16},
	{params: smt.Params{ArithSolver: 2}, share: 8},
	{params: smt.Params{Finite: true}, share: 8},
}

// ask asks a new solver for a model of a formula.
func (a attempt) ask(ctx context.Context, open smt.Opener, pool *term.Pool, formula *term.Term, limit smt.Limit) (smt.Status, error) {
	solvers, err := open(pool, smt.Config{Seed: a.seed})
	if err != nil {
		return smt.Unknown, err
	}
	defer solvers.Close()
	s, err := solvers.NewSolver(a.params)
	if err != nil {
		return smt.Unknown, err
	}
	defer s.Close()
	limit.Time = limit.Time * a.share / 16
	s.SetLimit(limit)
	if err := s.Assert(formula); err != nil {
		return smt.Unknown, err
	}
	return s.Check(ctx)
}

// spelled returns the least model with an interpretation of every predicate that applies those before it as functions: the disjunction
// of its clauses, each over variables of its own.
func spelled(sys *chc.System) *Model {
	pool, graph, out, taken := sys.Pool, chc.NewGraph(sys), NewModel(), globals(sys)
	for _, pred := range inOrderOfDerivation(sys) {
		i := Interpretation{Params: CanonicalParams(pool, pred)}
		var ways []*term.Term
		for _, cl := range graph.Defines[pred.ID] {
			parts := []*term.Term{cl.Constraint}
			for k, t := range cl.Head.Args {
				parts = append(parts, pool.Eq(i.Params[k], t))
			}
			var applied []*term.Term
			for _, a := range cl.Body {
				if len(a.Args) == 0 {
					applied = append(applied, pool.Var(a.Pred.Name, term.Bool))
				} else {
					parts = append(parts, pool.Apply(pool.DeclareFunc(a.Pred.Name, a.Pred.Sorts, term.Bool), a.Args...))
				}
			}
			// A variable that has the name of a predicate gets another one.
			names := map[*term.Term]*term.Term{}
			bound := slices.Clone(cl.Vars())
			for k, v := range bound {
				for n := 2; taken[bound[k].Name()]; n++ {
					// The same name each time, so that a reader knows the model by its text.
					if other := pool.Var(v.Name()+"_"+strconv.Itoa(n), v.Sort()); !slices.Contains(bound, other) {
						bound[k], names[v] = other, other
					}
				}
			}
			body := pool.And(append(applied, pool.Substitute(pool.And(parts...), names))...)
			ways = append(ways, pool.Exists(bound, body))
		}
		i.Body = pool.Or(ways...)
		out.Interpretations[pred] = i
	}
	return out
}

// inOrderOfDerivation returns the predicates of a system without recursion, each behind those that it depends on.
func inOrderOfDerivation(sys *chc.System) []*chc.Predicate {
	var out []*chc.Predicate
	for _, component := range chc.NewGraph(sys).Components() {
		out = append(out, component...)
	}
	return out
}
