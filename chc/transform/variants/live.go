package variants

import (
	"context"
	"fmt"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/internal/smt"
)

// liveLimit bounds each check for a constructor; the resources decide.
var liveLimit = smt.Limit{Time: 2 * time.Second, Resources: 20_000}

// live holds the constructors that values in derivations may be built by. Fields of the others are not written.
type live map[*term.Constructor]bool

// findLive finds the constructors that build values of the sorts, those of variables: the least set such that in each clause whose
// body's arguments are built by these, all variables are. Where the solver gives up, and without one, a constructor counts as live.
func findLive(ctx context.Context, env transform.Environment, sys *chc.System, layouts *layouts) (live, error) {
	found := live{}
	for s := range layouts.seen {
		if of := layouts.layout(s); of != nil && (env.Open == nil || !of.tagged()) {
			found.all(s)
		}
		if s.IsDatatype() {
			// What is inside of another value is not followed.
			s.ContainsFunc(func(p *term.Sort) bool { found.all(p); return false })
		}
	}
	for _, c := range sys.Clauses {
		found.written(c)
	}
	if env.Open == nil {
		return found, nil
	}
	solver, closeSolver, err := env.Solver(sys.Pool, liveLimit)
	if err != nil {
		return nil, err
	}
	defer closeSolver()
	for changed := true; changed; {
		changed = false
		for _, c := range sys.Clauses {
			more, err := found.visit(ctx, solver, c, layouts)
			if err != nil {
				return nil, fmt.Errorf("looking for the constructors of clause %d: %w", c.ID, err)
			}
			changed = changed || more
		}
	}
	return found, nil
}

// all makes all constructors of the sort live.
func (l live) all(s *term.Sort) {
	if s.IsDatatype() {
		for _, c := range s.Data.Constructors {
			l[c] = true
		}
	}
}

// written makes the constructors live that the clause applies elsewhere than on a side of an equation with a variable.
func (l live) written(c *chc.Clause) {
	note := func(t *term.Term) {
		if t.Op() == term.Construct {
			l[t.Ctor()] = true
		}
	}
	for _, t := range c.Terms() {
		note(t)
		term.Walk(t, func(u *term.Term) bool {
			if u.Op() != term.Eq || !u.Arg(0).IsVar() && !u.Arg(1).IsVar() {
				for _, a := range u.Args() {
					note(a)
				}
			}
			return true
		})
	}
}

// visit makes the constructors live that variables of the clause may have, and reports whether there are new ones.
func (l live) visit(ctx context.Context, solver smt.Solver, c *chc.Clause, layouts *layouts) (changed bool, err error) {
	pool := layouts.pool
	facts := []*term.Term{c.Constraint}
	for _, b := range c.Body {
		for _, t := range b.Args {
			if of := layouts.layout(t.Sort()); of != nil {
				var built []*term.Term
				for _, d := range of.built {
					if l[d] {
						built = append(built, pool.Is(d, t))
					}
				}
				facts = append(facts, pool.Or(built...))
			}
		}
	}
	err = smt.Within(solver, facts, func() error {
		for _, v := range c.Vars() {
			of := layouts.layout(v.Sort())
			if of == nil {
				continue
			}
			for _, d := range of.built {
				if l[d] {
					continue
				}
				err := smt.Within(solver, []*term.Term{pool.Is(d, v)}, func() error {
					st, err := solver.Check(ctx)
					if st != smt.Unsat {
						l[d] = true
						changed = true
					}
					return err
				})
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
	return changed, err
}
