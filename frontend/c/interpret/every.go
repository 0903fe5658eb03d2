package interpret

import (
	"context"
	"errors"
	"fmt"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/interpret/inputs"
	"hornbeam/frontend/c/tree"
)

// Every run of a program is tried, one of each class of runs that differ in values only that make no difference. A program that is
// compiled for that tells copies of what it is given from values that are computed: objects that are only used by name, arguments and
// results of calls hold copies. Comparisons of a copy limit the values that go the same way, and whatever else is done with it
// fixes it. So what is not known to copy or to compare is of no danger: it reads a value, and to read is to fix.

// mostCalls may be inside each other where every run is tried, as deep recursion is slow.
const mostCalls = 10_000

// Every is what trying every run has found.
type Every struct {
	// All says that all runs were made, and that none of them reached the error, or anything that C leaves undefined or that depends on
	// where objects are.
	All bool
	// Script repeats the run that ended the search: it reached the error, or shows why the others would prove nothing. It is nil if there is
	// none.
	Script *Script
	// Outcome is the end of the last run.
	Outcome Outcome
	// Runs is how many different ones were made, and Steps how many steps all runs had, with those that beginning a run is worth;
	// Estimate is how many steps all seem to need.
	Runs     int
	Steps    int64
	Estimate float64
	// More says that the search ended for a lack of steps, and that more of them are likely to help.
	More bool
	// made is how many runs were made, with those that only tell how many more there are, and those that check others.
	made int
}

// Limits bound how much work trying every run is: Steps is how many steps are made, RunSteps how many by one run, and Estimate how many
// there may seem to be.
type Limits struct {
	Steps, RunSteps int64
	Estimate        float64
}

// EveryRun runs a program in all ways until one reaches the error, or until it is known that there are too many. The error is that of
// ctx, or says that the program can't be run, or not so: where what comes from objects without a value is followed.
func EveryRun(ctx context.Context, source *tree.Program, o Options, limits Limits) (Every, error) {
	if o.Faults.Has(fault.Uninitialised) {
		return Every{}, errors.New("values from objects without one are followed")
	}
	o.EveryTurn = true
	p, err := newProgram(source, o, true)
	if err != nil {
		return Every{}, err
	}
	plain, err := New(source, o)
	if err != nil {
		return Every{}, err
	}
	var out Every
	t := &inputs.Tree{}
	for {
		sites, err := p.give(ctx, t, limits, &out)
		if err != nil {
			return out, err
		}
		if !out.Outcome.Harmless() {
			out.More = out.Outcome.Kind == LimitReached && out.Steps >= limits.Steps && out.Runs > 0
			out.Script = NewScript()
			for i, in := range t.Run() {
				out.Script.Add(sites[i], Unsigned(in.Value))
			}
			return out, nil
		}
		if err := plain.check(ctx, t.Run(), &out); err != nil {
			return out, err
		}
		out.Runs++
		if !t.Advance() {
			out.All, out.More = true, false
			return out, nil
		}
		look := func(one *inputs.Tree) error {
			found := out
			_, err := p.give(ctx, one, limits, &found)
			out.made, out.Steps = found.made, found.Steps
			return err
		}
		if err := t.Doubtful(look); err != nil {
			return out, err
		}
		out.Estimate = float64(out.Steps) / float64(out.made) * max(t.Estimate(), float64(out.Runs)/t.Part())
		if out.More = out.Estimate <= limits.Estimate; !out.More || out.Steps >= limits.Steps {
			return out, nil
		}
	}
}

// Harmless reports whether a run ended without an error, in a way that C defines and that does not depend on where objects are.
func (o Outcome) Harmless() bool {
	return (o.Kind == Ended || o.Kind == AssumptionFailed) && !o.Addresses
}

// give makes one run, and adds it to what was found. It returns what the run was asked for.
func (p *Program) give(ctx context.Context, t *inputs.Tree, limits Limits, found *Every) ([]Site, error) {
	if p.initial != nil {
		found.Outcome = *p.initial
		return nil, nil
	}
	c := &given{tree: t}
	m := newMachine(p, c, nil)
	m.given, m.limits.Depth = c, min(m.limits.Depth, mostCalls)
	out, err := m.run(ctx, max(min(limits.RunSteps, limits.Steps-found.Steps), 1), nil)
	found.Outcome = out
	found.made++
	found.Steps += out.Steps + runWork
	return c.sites, err
}

// check makes the last run once more, with the greatest values that are said to make no difference, and without following them: it has to have
// as many steps and the same end.
func (p *Program) check(ctx context.Context, run []*inputs.Input, found *Every) error {
	var values []Value
	raised := false
	for _, in := range run {
		values = append(values, Unsigned(in.Value+in.Room()))
		raised = raised || in.Room() > 0
	}
	if !raised {
		return nil
	}
	out, err := p.run(ctx, &listed{values}, nil, found.Outcome.Steps+1, nil)
	found.made++
	found.Steps += out.Steps + runWork
	if err == nil && (out.Kind != found.Outcome.Kind || out.Steps != found.Outcome.Steps || out.Node != found.Outcome.Node) {
		return fmt.Errorf("a run that should be like another one, which is that %s, is that %s", found.Outcome, out)
	}
	return err
}

// listed answers with values one after the other.
type listed struct{ values []Value }

// Choose is the next value. There is an error when there is none.
func (l *listed) Choose(Question) (Value, error) {
	if len(l.values) == 0 {
		return Value{}, errors.New("the run is asked for more than another one like it")
	}
	v := l.values[0]
	l.values = l.values[1:]
	return v, nil
}

// given answers with the values of a tree.
type given struct {
	tree  *inputs.Tree
	sites []Site
	// input is the last answer.
	input *inputs.Input
}

// Choose is the next value. There is an error for what is no integer.
func (g *given) Choose(q Question) (Value, error) {
	s := shapeOf(q.Type)
	if s.class != integer && s.class != boolean {
		return Value{}, errors.New("it is no integer")
	}
	least, last := s.borders()
	if q.Ranged {
		// What is outside of the range is taken for something in it.
		least, last = q.within(least), q.within(last)
	}
	g.input = g.tree.Next(least, last)
	g.sites = append(g.sites, q.Site)
	return Unsigned(g.input.Value), nil
}

// borders are the least and the greatest integer of a type, as registers have them.
func (s shape) borders() (least, last uint64) {
	switch {
	case s.class == boolean:
		return 0, 1
	case s.signed:
		least = -(uint64(1) << (s.bits - 1))
		return least, ^least
	}
	return 0, s.wrap(^uint64(0))
}

// answered says that an answer has become a register's value. It may be raised if it is copied, which open says.
func (m *machine) answered(bits uint64, open bool) {
	if in := m.given.input; !open || in.Value != bits {
		in.Fix()
	}
}

// lastAnswer is the input that was asked for last, where every run is tried.
func (m *machine) lastAnswer() *inputs.Input {
	if m.given == nil {
		return nil
	}
	return m.given.input
}

// loaded says that a copy of an input was read, which is computed with unless the consumer keeps it.
func (m *machine) loaded(of *inputs.Input, keep bool) {
	if keep {
		m.copied = of
	} else {
		of.Fix()
	}
}

// fix says that the value that was read last is computed with.
func fix(in *inputs.Input) {
	if in != nil {
		in.Fix()
	}
}

// takeCopy is the input that the value that was just read is a copy of; nil if it is none of any.
func (m *machine) takeCopy() *inputs.Input {
	in := m.copied
	m.copied = nil
	return in
}

// copies tells whether a value is what it copies: the value of an object in a slot, in another type too, or what a call returns.
func (c *compiler) copies(n tree.Value) bool {
	if !c.p.every || c.p.options.Faults.Has(fault.Conversion) {
		return false
	}
	if s := shapeOf(n.Type()); s.class != integer && s.class != boolean {
		return false
	}
	switch n := n.(type) {
	case *tree.Load:
		u, ok := n.Place.(*tree.Use)
		return ok && c.use(u.Object, n).kind == inSlot
	case *tree.Convert:
		return shapeOf(n.T).class == integer && c.copies(n.X)
	case *tree.Call:
		return n.Function != nil
	}
	return false
}

// kept compiles a value that is put into a slot, and whose consumer takes what it is a copy of.
func (c *compiler) kept(n tree.Value) value {
	if !c.copies(n) {
		v := c.value(n)
		if !c.p.every {
			return v
		}
		return func(f *frame) uint64 {
			x := v(f)
			f.m.copied = nil
			return x
		}
	}
	switch n := n.(type) {
	case *tree.Load:
		return c.loadSlot(c.place(n.Place), true)
	case *tree.Convert:
		_, last := shapeOf(n.T).borders()
		v := c.convert(c.kept(n.X), n.X.Type(), n.T, n)
		return func(f *frame) uint64 {
			x := v(f)
			if in := f.m.copied; in != nil {
				in.Limit(last - x)
			}
			return x
		}
	case *tree.Call:
		return c.result(n, true)
	}
	return c.value(n)
}

// comparesCopies compiles a comparison of integers of which one is a copy, or both are; nil if none is.
func (c *compiler) comparesCopies(n *tree.Binary) truth {
	if !c.copies(n.X) && !c.copies(n.Y) {
		return nil
	}
	x, y := c.kept(n.X), c.kept(n.Y)
	o, signed := n.Op, shapeOf(n.X.Type()).signed
	return func(f *frame) bool {
		a := x(f)
		of := f.m.takeCopy()
		b := y(f)
		with := f.m.takeCopy()
		// Of two copies the less one stays less while the other one is raised, and those of one input are raised together.
		if of == with {
			return compared(o, a, b, signed)
		}
		if of != nil {
			limit(of, o, a, b, signed)
		}
		if with != nil {
			limit(with, mirrored(o), b, a, signed)
		}
		return compared(o, a, b, signed)
	}
}

// testsCopy compiles whether a copy is not zero.
func (c *compiler) testsCopy(n tree.Value) truth {
	v, signed := c.kept(n), shapeOf(n.Type()).signed
	return func(f *frame) bool {
		x := v(f)
		if of := f.m.takeCopy(); of != nil {
			limit(of, tree.Ne, x, 0, signed)
		}
		return x != 0
	}
}

// mirrored is the comparison of the operands the other way round.
func mirrored(o tree.BinaryOp) tree.BinaryOp {
	switch o {
	case tree.Lt:
		return tree.Gt
	case tree.Le:
		return tree.Ge
	case tree.Gt:
		return tree.Lt
	case tree.Ge:
		return tree.Le
	}
	return o
}

func less(a, b uint64, signed bool) bool {
	if signed {
		return int64(a) < int64(b)
	}
	return a < b
}

func compared(o tree.BinaryOp, a, b uint64, signed bool) bool {
	switch o {
	case tree.Eq:
		return a == b
	case tree.Ne:
		return a != b
	case tree.Lt:
		return less(a, b, signed)
	case tree.Le:
		return !less(b, a, signed)
	case tree.Gt:
		return less(b, a, signed)
	}
	return !less(a, b, signed)
}

// limit says that the comparison of a copy, with the value a, and another value b had its result.
func limit(in *inputs.Input, o tree.BinaryOp, a, b uint64, signed bool) {
	switch {
	case less(b, a, signed): // it stays greater
	case o == tree.Le || o == tree.Gt:
		in.Limit(b - a)
	case less(a, b, signed):
		in.Limit(b - a - 1)
	case o == tree.Eq || o == tree.Ne:
		in.Fix()
	}
}

// comparesCases compiles the tag of a switch, a copy.
func (c *compiler) comparesCases(t *table) func(tag tree.Value) value {
	return func(tag tree.Value) value {
		v := c.kept(tag)
		return func(f *frame) uint64 {
			x := v(f)
			if in := f.m.takeCopy(); in != nil {
				t.limit(in, x)
			}
			return x
		}
	}
}

// limit says that the value of a copy decided where the switch goes.
func (t *table) limit(in *inputs.Input, x uint64) {
	for _, e := range t.entries {
		switch {
		case t.less(x, e.low):
			in.Limit(e.low - x - 1)
			return
		case !t.less(e.high, x):
			in.Limit(e.high - x)
			return
		}
	}
}
