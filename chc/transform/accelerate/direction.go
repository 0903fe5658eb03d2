package accelerate

import (
	"context"
	"maps"
	"slices"

	"hornbeam/chc/term"
)

// accelerate adds the shortcuts along a path; m is a model of a round. Arguments for which the path leaves open what is added stay as
// they are in one of them, and change in the other.
func (l *loop) accelerate(ctx context.Context, path []*term.Term, m term.Assignment) error {
	path = l.linear(path, m)
	var before map[*term.Term]term.Num
	for _, stay := range []bool{true, false} {
		direction, chosen, err := l.direction(ctx, path, m, stay)
		if err != nil {
			return err
		}
		if direction == nil || before != nil && maps.EqualFunc(direction, before, term.Num.Equal) {
			continue
		}
		before = direction
		// Without elements that change it is the shortcut of a path on which arrays stay.
		if len(l.cells) > 0 && !slices.ContainsFunc(l.cells, func(c cell) bool { return !direction[c.now].IsZero() }) {
			continue
		}
		s := l.shortcut(path, chosen, direction)
		if s == nil {
			continue
		}
		// Two rounds in a row, or there is nothing to gain.
		several, err := l.severalRounds(ctx, s)
		if err != nil {
			return err
		}
		if several {
			l.found = append(l.found, s)
		}
	}
	return nil
}

// linear replaces remainders and quotients by numerals of what is no numeral, on the part of the path where the quotient is that
// of the model.
func (l *loop) linear(path []*term.Term, m term.Assignment) []*term.Term {
	p := l.pool
	ev := term.NewEvaluator(p, term.Complete(p, m))
	out := append([]*term.Term(nil), path...)
	for range maxLiterals {
		var division *term.Term
		for _, lit := range out {
			term.Walk(lit, func(t *term.Term) bool {
				if (t.Op() == term.IntDiv || t.Op() == term.Mod) && t.Arg(1).IsNumeral() && t.Arg(1).Num().Sign() > 0 {
					division = t // the innermost one of the last literal
				}
				return true
			})
		}
		if division == nil {
			return out
		}
		t, k := division.Arg(0), division.Arg(1).Num()
		v, ok := ev.Eval(t)
		if !ok {
			return out
		}
		q, _ := term.EuclidDiv(v.Num(), k)
		low := p.IntNum(q.Mul(k))
		by := map[*term.Term]*term.Term{p.IntDiv(t, division.Arg(1)): p.IntNum(q), p.Mod(t, division.Arg(1)): p.Sub(t, low)}
		quotient := p.NewSubstitution(by)
		for i, lit := range out {
			out[i] = quotient.Apply(lit)
		}
		out = append(out, p.Le(low, t), p.Lt(t, p.Add(low, p.IntNum(k))))
	}
	return out
}

// direction returns what a round adds to each argument, with the equations that say so; nil when the path has no direction. stay
// says what is to be of arguments for which the path leaves that open.
func (l *loop) direction(ctx context.Context, path []*term.Term, m term.Assignment, stay bool) (map[*term.Term]term.Num, []*term.Term, error) {
	p := l.pool
	solved := l.settle(path)
	if solved == nil {
		return nil, nil, nil
	}
	ev := term.NewEvaluator(p, term.Complete(p, m))
	direction := map[*term.Term]term.Num{}
	var chosen []*term.Term
	choose := func(j int, d term.Num) {
		direction[l.now[j]] = d
		chosen = append(chosen, p.Eq(l.next[j], p.Add(l.now[j], p.Numeral(d, l.now[j].Sort()))))
	}
	var open []int
	for j, x := range l.now {
		if l.next[j] == x {
			continue
		}
		if d := p.Linear(p.Sub(solved.value(l.next[j]), x)); d.IsConst() {
			choose(j, d.Const)
		} else {
			open = append(open, j)
		}
	}
	if len(open) > maxOpen {
		return nil, nil, nil
	}
	for _, j := range open {
		taken := false
		for _, d := range l.candidates(j, solved, ev, stay) {
			before := len(chosen)
			choose(j, d)
			ok, err := l.satisfiable(ctx, append(append([]*term.Term(nil), path...), chosen...))
			if err != nil {
				return nil, nil, err
			}
			if ok {
				taken = true
				break
			}
			chosen = chosen[:before]
		}
		if !taken {
			return nil, nil, nil
		}
	}
	for _, d := range direction {
		if !d.IsZero() {
			return direction, chosen, nil
		}
	}
	return nil, nil, nil
}

// candidates are the amounts that may be added to an argument for which the path leaves that open. One that is changed by an amount
// that is free goes in steps of one, which reach everything, unless it is to stay; one that is set stays as it is.
func (l *loop) candidates(j int, solved *settled, ev *term.Evaluator, stay bool) []term.Num {
	zero, one := term.Num{}, term.NewInt(1)
	change := l.pool.Sub(solved.value(l.next[j]), l.now[j])
	out := []term.Num{zero}
	v, ok := ev.Eval(l.pool.Sub(l.next[j], l.now[j]))
	if !stay && !term.Contains(change, l.now[j]) {
		out = []term.Num{one, one.Neg()}
		if ok {
			out = append(out, v.Num())
		}
		return append(out, zero)
	}
	if ok {
		out = append(out, v.Num())
	}
	return out
}

// settled is a path with its equations solved.
type settled struct {
	pool *term.Pool
	// values has the variables that were solved for; they are in none of the terms.
	values map[*term.Term]*term.Term
	rest   []*term.Term
}

// value is a term without the variables that were solved for.
func (s *settled) value(t *term.Term) *term.Term { return s.pool.Substitute(t, s.values) }

// settle solves the equations among the literals, the first ones first, for variables that are no arguments now. It returns nil
// when the literals contradict each other.
func (l *loop) settle(lits []*term.Term) *settled {
	p := l.pool
	s := &settled{pool: p, values: map[*term.Term]*term.Term{}}
	work := append([]*term.Term(nil), lits...)
	for i := 0; i < len(work); i++ {
		lit := plain(p, s.value(work[i]))
		switch {
		case lit.IsFalse():
			return nil
		case lit.IsTrue():
			continue
		case lit.IsAnd():
			work = append(work, lit.Args()...)
			continue
		}
		x, t := p.Solve(lit, func(x *term.Term) bool { return !l.fixed[x] })
		if x == nil {
			s.rest = append(s.rest, lit)
			continue
		}
		one := map[*term.Term]*term.Term{x: t}
		for y, u := range s.values {
			s.values[y] = p.Substitute(u, one)
		}
		s.values[x] = t
		// What is left may be an equation for another variable now.
		work = append(work, s.rest...)
		s.rest = nil
		if len(work) > maxLiterals*maxPaths {
			return nil
		}
	}
	return s
}

// plain rewrites an equation between an array and itself with elements stored.
func plain(p *term.Pool, lit *term.Term) *term.Term {
	if lit.Op() != term.Eq || !lit.Arg(0).Sort().IsArray() {
		return lit
	}
	for _, pair := range [][2]*term.Term{{lit.Arg(0), lit.Arg(1)}, {lit.Arg(1), lit.Arg(0)}} {
		if f := same(p, pair[0], pair[1]); f != lit {
			return f
		}
	}
	return lit
}
