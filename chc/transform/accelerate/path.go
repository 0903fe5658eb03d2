package accelerate

import (
	"context"
	"errors"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/internal/smt"
	"hornbeam/mbp"
)

// finder looks for shortcuts.
type finder struct {
	pool   *term.Pool
	solver smt.Solver
	found  []*shortcut
	// checks counts those of the solver.
	checks int
}

// loop is a self-loop: a clause with the atom that its rounds go on from.
type loop struct {
	*finder
	clause *chc.Clause
	body   int
	// now and next are variables for the arguments of the atom and of the head; where they are no numbers, or the same, next is now.
	now, next []*term.Term
	// step is what a round satisfies in which what is no number stays the same.
	step *term.Term
	// fixed are the variables that equations are not solved for: now.
	fixed map[*term.Term]bool
	// moves are the literals that say that an array changes.
	moves map[*term.Term]bool
	// cells are the elements of arrays that are the last of now and next, and back has what the variables for them, and for the rest of
	// their arrays, stand for.
	cells []cell
	back  map[*term.Term]*term.Term
	// first has the arrays that change as what they are at the beginning of a round, over these variables.
	first map[*term.Term]*term.Term
}

// newLoop names the arguments of the clause's k-th atom and of its head. With array, the position of an array of numbers, arrays may
// change and that one does; without, which -1 stands for, they stay as they are and some number changes. It returns nil for a loop that
// does not do that.
func (f *finder) newLoop(c *chc.Clause, k, array int) *loop {
	p := f.pool
	l := &loop{finder: f, clause: c, body: k, fixed: map[*term.Term]bool{}, moves: map[*term.Term]bool{}}
	parts := []*term.Term{c.Constraint}
	moves := []*term.Term{}
	for j, s := range c.Body[k].Args {
		x := s
		if !s.IsVar() || l.fixed[s] {
			x = p.Fresh("x", s.Sort())
			parts = append(parts, p.Eq(x, s))
		}
		l.fixed[x] = true
		l.now, l.next = append(l.now, x), append(l.next, x)
		switch t := c.Head.Args[j]; {
		case t == x:
		case s.Sort().IsArith():
			y := p.Fresh("y", s.Sort())
			l.next[j] = y
			parts = append(parts, p.Eq(y, t))
			if array < 0 {
				moves = append(moves, p.Ne(x, y))
			}
		case array >= 0 && ofNumbers(s.Sort()):
			y := p.Fresh("y", s.Sort())
			l.next[j] = y
			parts = append(parts, p.Eq(y, t))
			if j == array {
				moves = append(moves, p.Ne(x, y))
				l.moves[p.Ne(x, y)] = true
			}
		default:
			parts = append(parts, same(p, x, t))
		}
	}
	if len(moves) == 0 {
		return nil
	}
	l.step = p.And(append(parts, p.Or(moves...))...)
	return l
}

// same is a formula under which t is x. It is no equation between arrays where t is x with some elements stored.
func same(p *term.Pool, x, t *term.Term) *term.Term {
	var parts []*term.Term
	a := t
	for a.Op() == term.Store {
		parts = append(parts, p.Eq(p.Select(x, a.Arg(1)), a.Arg(2)))
		a = a.Arg(0)
	}
	if a == x {
		return p.And(parts...)
	}
	if t.IsIte() {
		return p.Ite(t.Arg(0), same(p, x, t.Arg(1)), same(p, x, t.Arg(2)))
	}
	return p.Eq(x, t)
}

// loop adds the shortcuts of the clause's self-loop through its k-th atom, first those that leave arrays as they are.
func (f *finder) loop(ctx context.Context, c *chc.Clause, k int) error {
	for array := -1; array < len(c.Head.Args); array++ {
		if array >= 0 && !ofNumbers(c.Head.Args[array].Sort()) {
			continue
		}
		if l := f.newLoop(c, k, array); l != nil {
			if err := l.paths(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// ofNumbers reports whether a sort is one of arrays of numbers.
func ofNumbers(s *term.Sort) bool { return s.IsArray() && s.Elem.IsArith() }

// paths adds the shortcuts along paths through the loop.
func (l *loop) paths(ctx context.Context) error {
	f := l.finder
	return smt.Within(f.solver, []*term.Term{l.step}, func() error {
		for range maxPaths {
			if f.checks >= maxChecks {
				return nil
			}
			m, err := f.model(ctx)
			if m == nil || err != nil {
				return err
			}
			path, err := mbp.ImplicantOf(f.pool, []*term.Term{l.step}, m, mbp.ImplicantOptions{Complete: true})
			if errors.Is(err, mbp.ErrUndetermined) || errors.Is(err, mbp.ErrFalse) || len(path) > maxLiterals {
				return nil
			}
			if err != nil {
				return err
			}
			along, literals, values := l, path, term.Assignment(m)
			if len(l.moves) > 0 {
				along, literals, values = l.scalarise(path, m)
			}
			if along != nil {
				if err := along.accelerate(ctx, literals, values); err != nil {
					return err
				}
			}
			if err := f.solver.Assert(f.pool.Not(f.pool.And(path...))); err != nil {
				return err
			}
		}
		return nil
	})
}

// model returns a model of what the solver has; nil when there is none, or none is found.
func (f *finder) model(ctx context.Context) (*smt.Model, error) {
	f.checks++
	st, err := f.solver.Check(ctx)
	if err != nil || st != smt.Sat {
		return nil, err
	}
	m, err := f.solver.Model()
	if errors.Is(err, smt.ErrNoValue) {
		return nil, nil
	}
	return m, err
}

// satisfiable reports whether the solver finds values for the literals, together with what it has.
func (f *finder) satisfiable(ctx context.Context, lits []*term.Term) (found bool, err error) {
	err = smt.Within(f.solver, lits, func() error {
		f.checks++
		st, err := f.solver.Check(ctx)
		found = st == smt.Sat
		return err
	})
	return found, err
}

// alone reports whether the solver finds values for a formula whatever else it has: its variables are renamed.
func (f *finder) alone(ctx context.Context, t *term.Term) (bool, error) {
	renamed := map[*term.Term]*term.Term{}
	for _, x := range term.Vars(t) {
		renamed[x] = f.pool.Fresh("a", x.Sort())
	}
	return f.satisfiable(ctx, []*term.Term{f.pool.Substitute(t, renamed)})
}
