package mbp

import (
	"fmt"

	"hornbeam/chc/term"
)

// ImplicantOptions guide the choice among the implicants of one assignment.
type ImplicantOptions struct {
	// Avoid are variables that the literals should not mention where there is a choice: those to be eliminated next.
	Avoid []*term.Term
	// Prefer are literals that cost nothing, since the caller has them already.
	Prefer []*term.Term
	// Complete lets default values decide, but only when the assignment itself does not determine a formula.
	Complete bool
	// KeepDisequalities leaves s != c as it is, which projection can often use better than the order that holds.
	KeepDisequalities bool
}

// ImplicantOf returns literals that are true under the assignment and whose conjunction implies every formula of fs
// (4.1 of the Spacer notes). All formulas must be true under the assignment as it is, unless the options complete it; else
// the error is ErrFalse or ErrUndetermined. Only determined atoms are used; literals are free of if-then-else; a
// disequality of numbers becomes the strict inequality that holds. The order of the result depends on fs and the assignment
// only.
func ImplicantOf(p *term.Pool, fs []*term.Term, a term.Assignment, opts ImplicantOptions) ([]*term.Term, error) {
	lits, err := implicant(p, fs, a, &opts)
	if err != nil && opts.Complete {
		return implicant(p, fs, term.Complete(p, a), &opts)
	}
	return lits, err
}

// signed is a formula or its negation, true under the assignment.
type signed struct {
	t   *term.Term
	pos bool
}

// collector gathers an implicant. Formulas with one way to be true are taken at once; choices wait until there is
// nothing else to do, so that they know the literals that are there anyway.
type collector struct {
	p       *term.Pool
	ev      *term.Evaluator
	opts    *ImplicantOptions
	avoid   term.Map[bool]
	prefer  term.Map[bool]
	done    term.Map[bool] // formulas taken or waiting, without sign: only one sign is true
	emitted term.Map[bool]
	costs   term.Map[cost]
	marks   term.Map[mark]
	plain   term.Map[*term.Term] // terms after if-then-else was resolved
	work    []signed
	choices []signed
	out     []*term.Term
	err     error
}

func implicant(p *term.Pool, fs []*term.Term, a term.Assignment, opts *ImplicantOptions) ([]*term.Term, error) {
	c := &collector{p: p, ev: term.NewEvaluator(p, a), opts: opts}
	for _, v := range opts.Avoid {
		c.avoid.Put(v, true)
	}
	for _, l := range opts.Prefer {
		c.prefer.Put(l, true)
	}
	for _, f := range fs {
		if v, ok := c.ev.Eval(f); !ok {
			return nil, fmt.Errorf("implicant of %s: %w", brief(f), ErrUndetermined)
		} else if !v.Bool() {
			return nil, fmt.Errorf("implicant of %s: %w", brief(f), ErrFalse)
		}
	}
	c.addAll(fs, true)
	for next := 0; c.err == nil; {
		if n := len(c.work); n > 0 {
			w := c.work[n-1]
			c.work = c.work[:n-1]
			c.take(w)
			continue
		}
		if next == len(c.choices) {
			break
		}
		c.choose(c.choices[next])
		next++
	}
	if c.err != nil {
		return nil, c.err
	}
	return c.out, nil
}

// brief is a formula for an error message.
func brief(f *term.Term) string {
	const limit = 200
	s := f.Op().String()
	if f.Size() < limit {
		s = f.String()
	}
	return s
}

// add schedules a formula that has the given truth value.
func (c *collector) add(t *term.Term, pos bool) {
	if t.IsNot() {
		t, pos = t.Arg(0), !pos
	}
	if c.done.Has(t) {
		return
	}
	c.done.Put(t, true)
	c.work = append(c.work, signed{t, pos})
}

// addAll schedules formulas that all have the given truth value, the first to be taken first.
func (c *collector) addAll(ts []*term.Term, pos bool) {
	for i := len(ts) - 1; i >= 0; i-- {
		c.add(ts[i], pos)
	}
}

// addValued schedules a formula with the truth value that it has.
func (c *collector) addValued(t *term.Term) {
	v, ok := c.ev.Eval(t)
	if !ok {
		c.err = fmt.Errorf("implicant needs %s: %w", brief(t), ErrUndetermined)
		return
	}
	c.add(t, v.Bool())
}

// isConjunction reports whether a signed formula is true only if all its arguments are (with the same sign).
func (w signed) isConjunction() bool {
	return w.pos && w.t.IsAnd() || !w.pos && w.t.IsOr()
}

func (w signed) isDisjunction() bool {
	return w.pos && w.t.IsOr() || !w.pos && w.t.IsAnd()
}

// take replaces a formula by what it is implied by, where there is only one way.
func (c *collector) take(w signed) {
	switch {
	case w.isConjunction():
		c.addAll(w.t.Args(), w.pos)
	case w.isDisjunction():
		only, n := (*term.Term)(nil), 0
		for _, a := range w.t.Args() {
			if c.has(a, w.pos) {
				only = a
				n++
			}
		}
		if n == 1 {
			c.add(only, w.pos)
			return
		}
		c.choices = append(c.choices, w)
	case w.t.IsIte() && w.t.IsBool():
		cond, determined := c.ev.Eval(w.t.Arg(0))
		if determined && c.has(w.t.Arg(1), w.pos) && c.has(w.t.Arg(2), w.pos) {
			c.choices = append(c.choices, w)
			return
		}
		c.takeIte(w, cond.Bool(), determined)
	case w.t.Op() == term.Eq && w.t.Arg(0).IsBool():
		c.addValued(w.t.Arg(0))
		c.addValued(w.t.Arg(1))
	default:
		c.literal(w)
	}
}

// has reports whether a formula has the truth value.
func (c *collector) has(t *term.Term, pos bool) bool {
	if pos {
		return c.ev.True(t)
	}
	return c.ev.False(t)
}

// takeIte takes the condition and the branch that it selects, or both branches when it is not determined.
func (c *collector) takeIte(w signed, cond, determined bool) {
	switch {
	case !determined:
		c.addAll(w.t.Args()[1:], w.pos)
	case cond:
		c.add(w.t.Arg(0), true)
		c.add(w.t.Arg(1), w.pos)
	default:
		c.add(w.t.Arg(0), false)
		c.add(w.t.Arg(2), w.pos)
	}
}

// choose takes one way for a formula to be true: one that needs nothing new, else the cheapest, of those the first.
func (c *collector) choose(w signed) {
	if w.t.IsIte() {
		cond := c.ev.True(w.t.Arg(0))
		branch := w.t.Arg(2)
		if cond {
			branch = w.t.Arg(1)
		}
		selected := c.cost(w.t.Arg(0)).plus(c.cost(branch))
		both := c.cost(w.t.Arg(1)).plus(c.cost(w.t.Arg(2)))
		c.takeIte(w, cond, !both.less(selected))
		return
	}
	var best *term.Term
	for _, a := range w.t.Args() {
		if !c.has(a, w.pos) {
			continue
		}
		if c.covered(a, w.pos) {
			c.add(a, w.pos)
			return
		}
		if best == nil || c.cost(a).less(c.cost(best)) {
			best = a
		}
	}
	c.add(best, w.pos)
}

// covered reports whether a true formula is taken already, or is a short conjunction of such.
func (c *collector) covered(t *term.Term, pos bool) bool {
	if t.IsNot() {
		t, pos = t.Arg(0), !pos
	}
	if c.done.Has(t) {
		return true
	}
	if !(signed{t, pos}).isConjunction() || len(t.Args()) > maxCovered {
		return false
	}
	for _, a := range t.Args() {
		if a.IsNot() {
			a = a.Arg(0)
		}
		if !c.done.Has(a) {
			return false
		}
	}
	return true
}

// literal takes a literal, after resolving if-then-else inside it.
func (c *collector) literal(w signed) {
	t := w.t
	if c.mark(t)&hasIte != 0 {
		c.addValued(c.resolve(t))
		return
	}
	switch {
	case t.IsTrue() || t.IsFalse():
		return
	case w.pos:
	case t.Op() == term.Eq && t.Arg(0).Sort().IsArith() && !c.opts.KeepDisequalities:
		t = c.strict(t)
	default:
		t = c.p.Not(t)
	}
	if t == nil || c.emitted.Has(t) {
		return
	}
	c.emitted.Put(t, true)
	c.out = append(c.out, t)
}

// strict returns the strict inequality between the sides of a false equation that holds.
func (c *collector) strict(e *term.Term) *term.Term {
	a, okA := c.ev.Eval(e.Arg(0))
	b, okB := c.ev.Eval(e.Arg(1))
	if !okA || !okB {
		c.err = fmt.Errorf("implicant needs the order of %s: %w", brief(e), ErrUndetermined)
		return nil
	}
	if a.Num().Cmp(b.Num()) < 0 {
		return c.p.Lt(e.Arg(0), e.Arg(1))
	}
	return c.p.Gt(e.Arg(0), e.Arg(1))
}

// resolve returns a term without if-then-else that is equal to t under the conditions that it schedules.
func (c *collector) resolve(t *term.Term) *term.Term {
	if c.mark(t)&hasIte == 0 {
		return t
	}
	if u, ok := c.plain.Get(t); ok {
		return u
	}
	var u *term.Term
	if t.IsIte() {
		u = c.resolve(c.branch(t))
	} else {
		u = c.p.MapArgs(t, c.resolve)
	}
	c.plain.Put(t, u)
	return u
}

// branch returns the branch of an if-then-else that the condition selects and schedules the condition; where the
// condition is not determined but the branches are equal, it schedules that.
func (c *collector) branch(t *term.Term) *term.Term {
	cond, ok := c.ev.Eval(t.Arg(0))
	switch {
	case !ok:
		c.addValued(c.p.Eq(t.Arg(1), t.Arg(2)))
		return t.Arg(1)
	case cond.Bool():
		c.add(t.Arg(0), true)
		return t.Arg(1)
	default:
		c.add(t.Arg(0), false)
		return t.Arg(2)
	}
}
