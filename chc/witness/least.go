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

// StepsComment is the comment before the number of steps in the least model of recursive clauses as it is printed.
const StepsComment = "; the least model; steps that a derivation has at most: "

// LeastWithin returns the least model of linear clauses whose derivations end after so many steps.
func LeastWithin(steps int) *Model { return &Model{Least: true, Steps: max(steps, 1)} }

// checkWithin checks that the derivations from linear clauses end after so many steps and derive no query.
func checkWithin(ctx context.Context, open smt.Opener, sys *chc.System, steps int, limit smt.Limit) error {
	var last error
	for _, a := range []attempt{{share: 16}, {params: smt.Params{ArithSolver: 2}, share: 16}} {
		found, err := a.exhaust(ctx, open, sys, limit)
		switch {
		case errors.Is(err, ErrNonlinear), errors.Is(err, ErrReached):
			return fmt.Errorf("%w: %w", ErrInvalid, err)
		case errors.Is(err, ErrOpen), errors.Is(err, unfold.ErrTooMany):
			last = fmt.Errorf("%w: %w", ErrUndecided, err)
		case err != nil:
			return fmt.Errorf("checking the derivations by their length: %w", err)
		case found > steps:
			return fmt.Errorf("%w: there are derivations of %d steps, not of %d at most", ErrInvalid, found, steps)
		default:
			return nil
		}
	}
	return last
}

// exhaust asks a new solver how long derivations are.
func (a attempt) exhaust(ctx context.Context, open smt.Opener, sys *chc.System, limit smt.Limit) (steps int, err error) {
	err = a.within(open, sys.Pool, limit, func(s smt.Solver) error {
		steps, err = Exhaust(ctx, s, sys)
		return err
	})
	return steps, err
}

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
	if err := apart(u); err != nil {
		return fmt.Errorf("checking the least model: %w", err)
	}
	formula := u.Scalars(sys.Pool).Formula
	for _, a := range leastAttempts {
		status, err := a.ask(ctx, open, sys.Pool, formula, limit)
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
func (a attempt) ask(ctx context.Context, open smt.Opener, pool *term.Pool, formula *term.Term, limit smt.Limit) (status smt.Status, err error) {
	limit.Time = limit.Time * a.share / 16
	err = a.within(open, pool, limit, func(s smt.Solver) error {
		if err := s.Assert(formula); err != nil {
			return err
		}
		status, err = s.Check(ctx)
		return err
	})
	return status, err
}

// within opens a solver with the attempt's parameters for use.
func (a attempt) within(open smt.Opener, pool *term.Pool, limit smt.Limit, use func(smt.Solver) error) error {
	solvers, err := open(pool, smt.Config{Seed: a.seed})
	if err != nil {
		return err
	}
	defer solvers.Close()
	s, err := solvers.NewSolver(a.params)
	if err != nil {
		return err
	}
	defer s.Close()
	s.SetLimit(limit)
	return use(s)
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

// within returns a system without recursion that has the least model of a system's predicates, whose derivations have at most so many
// steps: of each predicate it has one for each number of steps, and the predicate itself, which is derived from these.
func within(sys *chc.System, steps int) *chc.System {
	out := &chc.System{Pool: sys.Pool, Datatypes: sys.Datatypes}
	taken := globals(sys)
	add := func(p *chc.Predicate, name string) *chc.Predicate {
		q := *p
		q.ID, q.Name = len(out.Predicates), name
		out.Predicates = append(out.Predicates, &q)
		return &q
	}
	clause := func(c chc.Clause) {
		c.ID = len(out.Clauses)
		out.Clauses = append(out.Clauses, &c)
	}
	all := make([]*chc.Predicate, len(sys.Predicates))
	for i, p := range sys.Predicates {
		all[i] = add(p, p.Name)
	}
	var before []*chc.Predicate
	for n := range steps {
		after := make([]*chc.Predicate, len(sys.Predicates))
		for _, c := range sys.Clauses {
			if c.Head == nil || (len(c.Body) == 0) != (n == 0) || n > 0 && before[c.Body[0].Pred.ID] == nil {
				continue
			}
			id := c.Head.Pred.ID
			if after[id] == nil {
				name := fmt.Sprintf("%s@%d", c.Head.Pred.Name, n+1)
				for taken[name] {
					name += "@"
				}
				after[id] = add(c.Head.Pred, name)
			}
			head := chc.App{Pred: after[id], Args: c.Head.Args}
			step := chc.Clause{Constraint: c.Constraint, Head: &head}
			if n > 0 {
				step.Body = []chc.App{{Pred: before[c.Body[0].Pred.ID], Args: c.Body[0].Args}}
			}
			clause(step)
		}
		for id, p := range after {
			if p != nil {
				args := CanonicalParams(sys.Pool, p)
				clause(chc.Clause{Body: []chc.App{{Pred: p, Args: args}}, Constraint: sys.Pool.True(), Head: &chc.App{Pred: all[id], Args: args}})
			}
		}
		before = after
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

// ErrNonlinear says that a clause has several premises, ErrReached that a query can be derived, and ErrOpen that the solver gave up.
var (
	ErrNonlinear = errors.New("a clause has several premises")
	ErrReached   = errors.New("a query can be derived")
	ErrOpen      = errors.New("the solver gives up")
)

// Exhaust writes out the derivations of linear clauses forward, all of one length together, until there are none that are longer, and
// asks the solver, which has no assertions, for each length whether a query is derived. It returns how many clauses the longest
// derivation of a predicate has. The error wraps ErrNonlinear, ErrReached, ErrOpen or unfold.ErrTooMany, or is that of ctx or the solver.
func Exhaust(ctx context.Context, solver smt.Solver, sys *chc.System) (steps int, err error) {
	u, linear := unfold.Unwind(sys)
	if !linear {
		return 0, ErrNonlinear
	}
	for _, c := range sys.Clauses {
		if c.Head != nil || len(c.Body) > 0 {
			continue
		}
		if err := unreached(ctx, solver, c.Constraint); err != nil {
			return 0, fmt.Errorf("ask for a query without premises: %w", err)
		}
	}
	for ; ; steps++ {
		facts, err := u.Step()
		if err != nil {
			return 0, err
		}
		if err := solver.Assert(facts...); err != nil {
			return 0, fmt.Errorf("assert what derivations of %d steps are: %w", steps+1, err)
		}
		left, err := u.Reached(func(_ *chc.Predicate, holds *term.Term) (bool, error) { return possible(ctx, solver, holds) })
		if err != nil {
			return 0, fmt.Errorf("ask what is derived in %d steps: %w", steps+1, err)
		}
		if left == 0 {
			return steps, nil
		}
		if err := unreached(ctx, solver, u.Queries()); err != nil {
			return 0, fmt.Errorf("ask for a query behind %d steps: %w", steps+1, err)
		}
	}
}

// unreached is nil where a formula, which says that a query is derived, does not hold.
func unreached(ctx context.Context, solver smt.Solver, f *term.Term) error {
	derived, err := possible(ctx, solver, f)
	if err == nil && derived {
		err = ErrReached
	}
	return err
}

// possible reports whether a formula may hold.
func possible(ctx context.Context, solver smt.Solver, f *term.Term) (bool, error) {
	if f.IsFalse() {
		return false, nil
	}
	status, err := solver.Check(ctx, f)
	switch {
	case err != nil:
		return false, err
	case status != smt.Unknown:
		return status == smt.Sat, nil
	case ctx.Err() != nil:
		return false, ctx.Err()
	}
	return false, fmt.Errorf("%w: %s", ErrOpen, solver.ReasonUnknown())
}
