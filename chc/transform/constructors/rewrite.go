package constructors

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// predicate returns p with the fields of its arguments' constructors as arguments; p itself when none is known.
func (a *constructorAnalysis) predicate(p *chc.Predicate) *chc.Predicate {
	return transform.Spread(p, func(i int) (fields []transform.Argument, known bool) {
		c := a.of[p.ID][i]
		if c == nil {
			return nil, false
		}
		for _, sel := range c.Selectors {
			fields = append(fields, transform.Argument{Sort: sel.Sort, Suffix: "." + sel.Name})
		}
		return fields, true
	})
}

// rewrite returns the clause over the new predicates and, for each variable that was replaced, the term of its fields that
// stands for it.
func (a *constructorAnalysis) rewrite(c *chc.Clause, preds map[*chc.Predicate]*chc.Predicate) (*chc.Clause, map[*term.Term]*term.Term) {
	pool := a.sys.Pool
	built := map[*term.Term]*term.Term{}
	for _, b := range c.Body {
		for i, t := range b.Args {
			if ctor := a.of[b.Pred.ID][i]; ctor != nil && t.IsVar() && built[t] == nil {
				fields := make([]*term.Term, len(ctor.Selectors))
				for j, sel := range ctor.Selectors {
					fields[j] = pool.Fresh(t.Name()+"."+sel.Name, sel.Sort)
				}
				built[t] = pool.Construct(ctor, fields...)
			}
		}
	}
	s := pool.NewSubstitution(built)
	parts := []*term.Term{s.Apply(c.Constraint)}
	// open returns the arguments of the new atom; the premise's arguments must have their constructor.
	open := func(b chc.App, premise bool) chc.App {
		out := chc.App{Pred: preds[b.Pred]}
		for i, t := range b.Args {
			t = s.Apply(t)
			ctor := a.of[b.Pred.ID][i]
			if ctor == nil {
				out.Args = append(out.Args, t)
				continue
			}
			if premise {
				parts = append(parts, pool.Is(ctor, t))
			}
			for _, sel := range ctor.Selectors {
				out.Args = append(out.Args, pool.Field(sel, t))
			}
		}
		return out
	}
	n := 0
	d := c.MapAtoms(func(b chc.App) chc.App {
		n++
		return open(b, n <= len(c.Body))
	})
	d.Constraint = pool.And(parts...)
	return d, built
}
