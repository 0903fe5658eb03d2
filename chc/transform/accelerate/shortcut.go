package accelerate

import (
	"context"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// shortcut returns the shortcut along a path with the equations that were chosen for the direction; nil where a literal of the
// path is not linear along it, or cannot hold in two rounds.
func (l *loop) shortcut(path, chosen []*term.Term, direction map[*term.Term]term.Num) *shortcut {
	p := l.pool
	solved := l.settle(append(append([]*term.Term(nil), chosen...), path...))
	if solved == nil {
		return nil
	}
	moving := map[*term.Term]bool{}
	for x, d := range direction {
		if !d.IsZero() {
			moving[x] = true
		}
	}
	count := p.Fresh("n", term.Int)
	// earlier is how many rounds are done before the last one.
	earlier := p.Sub(count, p.Int(1))
	guard := []*term.Term{p.Ge(count, p.Int(1))}
	for _, lit := range solved.rest {
		at, ok := along(p, lit, moving, direction, earlier)
		if !ok {
			return nil
		}
		guard = append(guard, at)
	}
	s := &shortcut{loop: l.clause, body: l.body, count: count, values: map[*term.Term]*term.Term{}, increments: map[*term.Term]term.Num{}}
	for _, v := range l.clause.Vars() {
		t := solved.value(v)
		d, ok := slope(p, t, moving, direction)
		if !ok {
			return nil
		}
		s.values[v] = t
		if !d.IsZero() {
			s.increments[v] = d
		}
	}
	out := &chc.Clause{Name: l.clause.Name, Pos: l.clause.Pos}
	for j, a := range l.clause.Body {
		if j == l.body {
			out.Body = append(out.Body, chc.App{Pred: a.Pred, Args: l.now})
			continue
		}
		atom := a.Map(a.Pred, solved.value)
		for _, t := range atom.Args {
			if term.HasAny(t, moving) {
				return nil
			}
		}
		out.Body = append(out.Body, atom)
	}
	head := chc.App{Pred: l.clause.Head.Pred}
	for _, x := range l.now {
		if !moving[x] {
			head.Args = append(head.Args, x)
			continue
		}
		rounds := count
		if x.Sort() == term.Real {
			rounds = p.ToReal(count)
		}
		head.Args = append(head.Args, p.Add(x, p.Scale(direction[x], rounds)))
	}
	out.Head = &head
	out.Constraint = p.And(guard...)
	s.clause = out
	return s
}

// slope is what a round adds to the term, where it is linear in what moves.
func slope(p *term.Pool, t *term.Term, moving map[*term.Term]bool, direction map[*term.Term]term.Num) (d term.Num, ok bool) {
	if !t.Sort().IsArith() {
		return d, !term.HasAny(t, moving)
	}
	for _, m := range p.Linear(t).Monomials {
		if moving[m.Term] {
			d = d.Add(m.Coef.Mul(direction[m.Term]))
		} else if term.HasAny(m.Term, moving) {
			return d, false
		}
	}
	return d, true
}

// along returns a formula under which the literal holds in every round: it is asked of the first round where it gets easier, and
// of the last one where it gets harder. It reports false for a literal for which there is none.
func along(p *term.Pool, lit *term.Term, moving map[*term.Term]bool, direction map[*term.Term]term.Num, earlier *term.Term) (*term.Term, bool) {
	if !term.HasAny(lit, moving) {
		return lit, true
	}
	if atom, _ := lit.Atom(); atom.Op() == term.Divides {
		d, ok := slope(p, atom.Arg(1), moving, direction)
		if !ok {
			return nil, false
		}
		_, rest := term.EuclidDiv(d, atom.Arg(0).Num())
		return lit, rest.IsZero()
	}
	c, ok := p.AsConstraint(lit)
	if !ok {
		return nil, false
	}
	d, ok := slope(p, p.FromLinear(c.Linear, c.Sort), moving, direction)
	switch {
	case !ok:
		return nil, false
	case d.IsZero() || c.Rel != term.EQ && d.Sign() < 0:
		return lit, true
	case c.Rel == term.EQ:
		return nil, false
	}
	if c.Sort == term.Real {
		earlier = p.ToReal(earlier)
	}
	return p.Compare(c.Linear.Add(p.Linear(p.Scale(d, earlier))), c.Rel, c.Sort), true
}

// severalRounds reports whether the shortcut can do two rounds.
func (l *loop) severalRounds(ctx context.Context, s *shortcut) (bool, error) {
	return l.alone(ctx, l.pool.And(s.clause.Constraint, l.pool.Ge(s.count, l.pool.Int(2))))
}
