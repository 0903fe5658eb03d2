package narrow

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/internal/work"
)

// frame is an instance of a clause, and with its children a derivation.
type frame struct {
	*clause
	env      []*value
	children []*frame
	depth    int
}

// goal is an atom or a formula of a frame.
type goal struct {
	owner   *frame
	index   int
	pred    *chc.Predicate
	args    []*value
	formula *formula
	serial  int
	queued  bool
	state
}

// state is what changes of a goal, and is undone.
type state struct {
	done, listed bool
	// viable are the clauses that may apply to an atom, and needs the variables among its inputs that tell them apart.
	viable []*clause
	needs  []*value
}

// machine runs the clauses.
type machine struct {
	store
	*program
	options
	table table
	ctx   context.Context
	// limit bounds the cost of a search's splits; cut says that it did.
	limit int
	cut   bool
	// steps is what is left of the work, and stop says that none is.
	steps int
	stop  bool
	// queue has the goals to look at, waiting those that wait for variables, done ones among them.
	queue   []*goal
	waiting []*goal
	serials int
	// youngest is the youngest goal of those that are left alone while a clause's body is tried.
	youngest int
	// touched has the variables that goals began to wait for.
	touched []*value
}

func newMachine(ctx context.Context, pr *program, o options) *machine {
	m := &machine{store: store{pool: pr.source.Pool}, program: pr, options: o, ctx: ctx, steps: o.steps, table: table{answers: map[string]*answer{}, values: map[*term.Term]*value{}}}
	m.changed = m.wake
	return m
}

type mark struct{ trail, waiting int }

func (m *machine) mark() mark { return mark{len(m.trail), len(m.waiting)} }

func (m *machine) undo(to mark) {
	m.back(to.trail)
	clear(m.waiting[to.waiting:])
	m.waiting = m.waiting[:to.waiting]
}

// set changes a goal's state.
func (m *machine) set(g *goal, s state) {
	m.trail = append(m.trail, undo{goal: g, state: g.state})
	g.state = s
}

// wake queues the goals that wait for a variable.
func (m *machine) wake(x *value) {
	for _, g := range x.watch {
		if !g.done && !g.queued && g.serial > m.youngest {
			g.queued = true
			m.queue = append(m.queue, g)
		}
	}
}

// quietly runs f without waking goals.
func (m *machine) quietly(f func() bool) bool {
	changed := m.changed
	m.changed = nil
	defer func() { m.changed = changed }()
	return f()
}

// propagate looks at the queued goals until none is left or one fails. Ahead of a decision it looks at some of them, and
// succeeds when more are left; otherwise it fails after a number of steps.
func (m *machine) propagate(ahead bool) bool {
	end := m.steps - m.stretch
	for next := 0; next < len(m.queue); next++ {
		g := m.queue[next]
		g.queued = false
		if g.done {
			continue
		}
		ok := true
		if m.steps < end || ahead && next >= m.ahead {
			m.cut = m.cut || !ahead
			m.queue = m.queue[next+1:]
			m.drop()
			return ahead
		}
		if g.formula != nil {
			ok = m.evaluate(g)
		} else {
			ok = m.resolve(g, !ahead)
		}
		if !ok || m.stop {
			m.queue = m.queue[next+1:]
			m.drop()
			return false
		}
	}
	m.queue = m.queue[:0]
	return true
}

// drop empties the queue.
func (m *machine) drop() {
	for _, g := range m.queue {
		g.queued = false
	}
	m.queue = nil
}

// resolve looks at an atom: it fails when no clause applies, goes on with a single one, and waits where there are several.
func (m *machine) resolve(g *goal, look bool) bool {
	for k, i := range m.ranges[g.pred.ID] {
		if v := deref(g.args[k]); v.lit != nil && v.sort == term.Int && !i.Has(v.lit.Num()) {
			return false
		}
	}
	if a, ok := m.answer(g.pred.ID, g.args); ok && (a.derivation != nil || !a.open) {
		m.cut = m.cut || a.cut
		return m.take(g, a)
	}
	s := state{listed: g.listed}
	// What did not apply does not apply when more is known.
	clauses := g.viable
	if clauses == nil {
		clauses = m.clauses[g.pred.ID]
	}
	var watch []*value
	for _, c := range clauses {
		if ok, xs := m.test(c, g); ok {
			s.viable = append(s.viable, c)
			watch = append(watch, xs...)
		}
	}
	if m.stop {
		return false
	}
	s.needs = m.inputs(g, watch)
	if len(s.viable) > 1 && len(s.needs) == 0 && look {
		var kept []*clause
		for _, c := range s.viable {
			if ok, xs := m.try(c, g); ok {
				kept = append(kept, c)
				watch = append(watch, xs...)
			}
		}
		s.viable, s.needs = kept, m.inputs(g, watch)
	}
	switch len(s.viable) {
	case 0:
		return false
	case 1:
		return m.apply(s.viable[0], g)
	}
	for _, v := range g.args {
		if v = deref(v); v.unbound() {
			watch = append(watch, v)
		}
	}
	m.wait(g, s, watch)
	return true
}

// inputs are those of some variables that are no results of a goal.
func (m *machine) inputs(g *goal, xs []*value) []*value {
	var results, out []*value
	for k, v := range g.args {
		if m.results[g.pred.ID][k] {
			open(v, func(x *value) { results = append(results, x) })
		}
	}
	for _, x := range xs {
		if x.unbound() && !slices.Contains(results, x) && !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// take goes on with the answer of a call.
func (m *machine) take(g *goal, a *answer) bool {
	if a.derivation == nil || m.stop {
		return false
	}
	s := g.state
	s.done = true
	m.set(g, s)
	g.owner.children[g.index] = a.derivation
	for k, v := range g.args {
		if !m.unify(v, a.args[k]) {
			return false
		}
	}
	return true
}

// wait lets a goal wait for variables.
func (m *machine) wait(g *goal, s state, watch []*value) {
	if !s.listed {
		s.listed = true
		m.waiting = append(m.waiting, g)
	}
	m.set(g, s)
	for _, x := range watch {
		if !x.unbound() || slices.Contains(x.watch, g) {
			continue
		}
		x.watch = append(x.watch, g)
		m.trail = append(m.trail, undo{watched: x})
	}
	if m.youngest > 0 {
		m.touched = append(m.touched, watch...)
	}
}

// test reports whether a clause's head fits, and the variables that are bound by that.
func (m *machine) test(c *clause, g *goal) (ok bool, bound []*value) {
	to, serial := m.mark(), m.serial
	ok = m.quietly(func() bool { _, ok := m.enter(&m.store, c, g.args); return ok })
	if ok {
		bound = m.boundSince(to.trail, serial, bound)
	}
	m.undo(to)
	return ok, bound
}

// boundSince adds the variables that are bound, and no younger than the serial.
func (m *machine) boundSince(trail, serial int, to []*value) []*value {
	for _, u := range m.trail[trail:] {
		if u.bound != nil && u.bound.serial <= serial {
			to = append(to, u.bound)
			if v := deref(u.bound); v.unbound() && v.serial <= serial {
				to = append(to, v)
			}
		}
	}
	return to
}

// try applies a clause and works on its body alone, and only as far as each step is determined. It returns the variables
// that were bound or waited for.
func (m *machine) try(c *clause, g *goal) (bool, []*value) {
	to, serial, queue, youngest, touched := m.mark(), m.serial, m.queue, m.youngest, m.touched
	m.queue, m.youngest, m.touched = nil, m.serials, nil
	ok := m.apply(c, g) && m.propagate(true)
	m.drop()
	bound := m.boundSince(to.trail, serial, nil)
	for _, x := range m.touched {
		if x.serial <= serial {
			bound = append(bound, x)
		}
	}
	m.undo(to)
	m.queue, m.youngest, m.touched = queue, youngest, touched
	return ok, bound
}

// enter unifies a clause's head with the arguments of an atom.
func (m *machine) enter(s *store, c *clause, args []*value) (*frame, bool) {
	for k, h := range c.head {
		if !fits(h, args[k]) {
			return nil, false
		}
	}
	m.step()
	f := &frame{clause: c, env: make([]*value, len(c.vars))}
	for k, h := range c.head {
		if !s.match(h, args[k], f.env) {
			return nil, false
		}
	}
	for _, e := range c.equations {
		if !s.unify(s.build(e[0], f.env), s.build(e[1], f.env)) {
			return nil, false
		}
	}
	for i := range c.formulas {
		if m.known(f, &c.formulas[i]) && m.truth(f, &c.formulas[i]) < 0 {
			return nil, false
		}
	}
	return f, true
}

// step counts one step of the work.
func (m *machine) step() {
	m.steps--
	if m.steps%stepsAtOnce == 0 {
		work.Spend(m.ctx, stepsAtOnce*timeOfStep)
	}
	if m.steps <= 0 || m.steps%stepsAtOnce == 0 && m.ctx.Err() != nil {
		m.stop = true
	}
}

// apply goes on with a clause for a goal.
func (m *machine) apply(c *clause, g *goal) bool {
	s := g.state
	s.done = true
	m.set(g, s)
	f, ok := m.enter(&m.store, c, g.args)
	if !ok {
		return false
	}
	f.depth = g.owner.depth + 1
	g.owner.children[g.index] = f
	return m.start(f)
}

// start works on a frame's formulas and queues its atoms.
func (m *machine) start(f *frame) bool {
	if f.depth > m.depth {
		m.cut = true
		return false
	}
	f.children = make([]*frame, len(f.body))
	for i := range f.formulas {
		k := &f.formulas[i]
		m.complete(&m.store, f, k)
		m.serials++
		if !m.evaluate(&goal{owner: f, formula: k, serial: m.serials}) {
			return false
		}
	}
	for i, a := range f.body {
		m.serials++
		g := &goal{owner: f, index: i, pred: a.pred, args: make([]*value, len(a.args)), serial: m.serials, queued: true}
		for k, t := range a.args {
			g.args[k] = m.build(t, f.env)
		}
		m.queue = append(m.queue, g)
	}
	return true
}
