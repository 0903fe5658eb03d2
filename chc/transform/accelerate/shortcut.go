package accelerate

import (
	"context"
	"maps"
	"slices"

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
	// The check of repeated steps follows arrays at indices that stay the same.
	moves := func(i *term.Term) bool { return term.HasAny(p.Substitute(solved.value(i), l.first), moving) }
	if slices.ContainsFunc(l.cells, func(c cell) bool { return moves(c.index) }) || accesses(append(slices.Clone(path), l.clause.Head.Args...), moves) {
		return nil
	}
	// Where an equation makes an index what an element is, that element's own index would be in terms of itself.
	for _, c := range l.cells {
		for x := range l.back {
			if term.Contains(solved.value(c.index), x) {
				return nil
			}
		}
	}
	// stands puts the loop's own arrays in.
	back := maps.Clone(l.back)
	for x, t := range back {
		back[x] = solved.value(t)
	}
	stands := func(t *term.Term) *term.Term { return p.Substitute(t, back) }
	s := &shortcut{loop: l.clause, body: l.body, count: count, values: map[*term.Term]*term.Term{}, increments: map[*term.Term]term.Num{},
		next: map[*term.Term]*term.Term{}}
	second := map[*term.Term]*term.Term{}
	for x := range moving {
		second[x] = p.Add(x, p.Numeral(direction[x], x.Sort()))
	}
	for _, v := range l.clause.Vars() {
		t := solved.value(v)
		if i := slices.Index(l.now, v); i >= 0 && len(l.cells) > 0 {
			t = l.array(i, solved, func(c cell) *term.Term { return c.now })
		}
		s.values[v] = stands(t)
		if t.Sort().IsArray() && term.HasAny(t, moving) {
			if !elementwise(p, t, moving, direction) {
				return nil
			}
			s.next[v] = stands(p.Substitute(t, second))
			continue
		}
		d, ok := slope(p, t, moving, direction)
		if !ok {
			return nil
		}
		if !d.IsZero() {
			s.increments[v] = d
		}
	}
	arity := len(l.now) - len(l.cells)
	out := &chc.Clause{Name: l.clause.Name, Pos: l.clause.Pos}
	for j, a := range l.clause.Body {
		if j == l.body {
			out.Body = append(out.Body, chc.App{Pred: a.Pred, Args: l.now[:arity]})
			continue
		}
		atom := a.Map(a.Pred, func(t *term.Term) *term.Term { return p.Substitute(solved.value(t), l.first) })
		for _, t := range atom.Args {
			if term.HasAny(t, moving) {
				return nil
			}
		}
		out.Body = append(out.Body, atom.Map(a.Pred, stands))
	}
	end := func(x *term.Term) *term.Term {
		rounds := count
		if x.Sort() == term.Real {
			rounds = p.ToReal(count)
		}
		return p.Add(x, p.Scale(direction[x], rounds))
	}
	head := chc.App{Pred: l.clause.Head.Pred}
	for j, x := range l.now[:arity] {
		if moving[x] {
			x = end(x)
		} else {
			x = l.array(j, solved, func(c cell) *term.Term { return end(c.now) })
		}
		head.Args = append(head.Args, stands(x))
	}
	out.Head = &head
	out.Constraint = stands(p.And(guard...))
	s.clause = out
	return s
}

// accesses reports whether one of the terms reads or writes an array at such an index.
func accesses(terms []*term.Term, such func(*term.Term) bool) bool {
	found := false
	for _, t := range terms {
		term.Walk(t, func(t *term.Term) bool {
			found = found || (t.Op() == term.Select || t.Op() == term.Store) && such(t.Arg(1))
			return !found
		})
	}
	return found
}

// array is the argument at a position, with the given elements in its cells.
func (l *loop) array(j int, solved *settled, element func(cell) *term.Term) *term.Term {
	t := l.now[j]
	for _, c := range l.cells {
		if c.array == j {
			t = l.pool.Store(t, solved.value(c.index), element(c))
		}
	}
	return t
}

// elementwise reports whether every round adds a constant to each element of an array that is written in the term.
func elementwise(p *term.Pool, t *term.Term, moving map[*term.Term]bool, direction map[*term.Term]term.Num) bool {
	for ; t.Op() == term.Store; t = t.Arg(0) {
		if _, ok := slope(p, t.Arg(2), moving, direction); !ok || term.HasAny(t.Arg(1), moving) {
			return false
		}
	}
	return !term.HasAny(t, moving)
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
