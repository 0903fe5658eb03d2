package interpret

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/interpret/inputs"
	"hornbeam/frontend/c/interpret/states"
	"hornbeam/frontend/c/tree"
)

// Every run of a program is tried, one of each class of runs that differ in values only that make no difference. A program that is
// compiled for that tells linear values, which are sums of multiples of what it is given, from other ones: objects, arguments and results of
// calls hold them. Comparisons of such a value limit the inputs that go the same way, and what is not known to be linear fixes them. So what
// is not known to copy, to add or to compare is of no danger: it reads a value, and to read is to fix.

// Runs that come to the same state go on in the same ways. So one that comes to a state of another one ends there, as runs from there are
// tried for that one, if they have not been yet. States are compared where control goes back to the head of a loop, between instructions:
// there all that the rest of a run depends on is in objects, of which those that are not read any more make no difference.

// Larger states than mostState bytes, or with more calls inside each other than mostFrames, are not compared; stateBytes are how many bytes
// take as long as a step.
const (
	mostState  = 1 << 14
	mostFrames = 8
	stateBytes = 16
)

// States are compared for no longer than what a run has had steps for, and freeSteps.
const freeSteps = 2 * mostState / stateBytes

// Where there seem to be too many runs, they are tried for firstSteps all the same, and for as long as one in repeating comes to a state that
// was seen, up to lastSteps.
const (
	firstSteps = 200_000
	lastSteps  = 20_000_000
	repeating  = 16
)

// inputWork is how many steps could be done in the time that an input takes, and relationsWork how many relations between inputs could be
// followed in that of a step.
const (
	inputWork     = 8
	relationsWork = 16
)

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
	// Repeated is how many of the runs came to a state that another one had come to, and ended there.
	Repeated int
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
	// Most searches end before there is anything to check.
	plain := sync.OnceValues(func() (*Program, error) { return New(source, o) })
	var out Every
	t := &inputs.Tree{}
	seen := states.NewSet()
	longest := int64(0)
	look := func(one *inputs.Tree) (bool, error) {
		// It does not end at states that were seen.
		l := limits
		l.RunSteps = min(l.RunSteps, runWork+2*longest)
		end, _, err := p.give(ctx, one, nil, l, &out)
		return end.Kind != LimitReached, err
	}
	for {
		var sites []Site
		if out.Outcome, sites, err = p.give(ctx, t, seen, limits, &out); err != nil {
			return out, err
		}
		if !out.Outcome.Harmless() {
			out.More = out.Outcome.Kind == LimitReached && out.Runs > 0
			out.Script = NewScript()
			for i, in := range t.Run() {
				out.Script.Add(sites[i], Unsigned(in.Value))
			}
			return out, nil
		}
		if err := check(ctx, plain, t, &out); err != nil {
			return out, err
		}
		out.Runs++
		longest = max(longest, out.Outcome.Steps)
		if out.Outcome.Kind == Repeated {
			out.Repeated++
		}
		more, err := t.Advance()
		if err != nil {
			return out, err
		}
		if !more {
			out.All, out.More = true, false
			return out, nil
		}
		if err := t.Doubtful(look); err != nil {
			return out, err
		}
		out.Estimate = out.perRun() * max(t.Estimate(), float64(out.Runs)/t.Part())
		out.More = out.Estimate <= limits.Estimate || out.repeats(seen) && out.perRun()*(float64(out.Runs)+t.Left()) <= limits.Estimate
		if !out.More || out.Steps >= limits.Steps {
			return out, nil
		}
	}
}

// perRun is how many steps a run has had, with those that it is worth.
func (e *Every) perRun() float64 { return float64(e.Steps) / float64(e.made) }

// Harmless reports whether a run ended without an error, in a way that C defines and that does not depend on where objects are.
func (o Outcome) Harmless() bool {
	return (o.Kind == Ended || o.Kind == AssumptionFailed || o.Kind == Repeated) && !o.Addresses
}

// give makes one run, which ends at a state that is among those that were seen, unless they are nil, and counts it. It returns its end, and
// what it asked for.
func (p *Program) give(ctx context.Context, t *inputs.Tree, seen *states.Set, limits Limits, counts *Every) (Outcome, []Site, error) {
	if p.initial != nil {
		return *p.initial, nil, nil
	}
	c := &given{tree: t, seen: seen}
	m := p.again(c)
	m.given, m.limits.Depth = c, min(m.limits.Depth, mostCalls)
	out, err := m.run(ctx, max(min(limits.RunSteps, limits.Steps-counts.Steps), 1), nil)
	out.Searched += int64(t.Work() / relationsWork)
	counts.count(out)
	return out, c.sites, err
}

// again is a machine for one of many runs that follow each other: it takes the frames that the one before has left.
func (p *Program) again(c Choices) *machine {
	m := newMachine(p, c, nil)
	if len(p.frames) == len(m.free) {
		m.free = p.frames
	}
	p.frames = m.free
	return m
}

// count counts a run.
func (e *Every) count(out Outcome) {
	e.made++
	e.Steps += out.Steps + out.Searched + runWork
}

// check makes the last run once more, with the greatest values that are said to make no difference, and without following them: it has to have
// as many steps and the same end, or come as far as one that was ended since its state was not new.
func check(ctx context.Context, plain func() (*Program, error), t *inputs.Tree, found *Every) error {
	greatest, err := t.Greatest()
	if err != nil {
		return err
	}
	var values []Value
	raised := false
	for i, in := range t.Run() {
		values = append(values, Unsigned(greatest[i]))
		raised = raised || greatest[i] != in.Value
	}
	if !raised {
		return nil
	}
	p, err := plain()
	if err != nil {
		return err
	}
	steps := found.Outcome.Steps
	if found.Outcome.Kind != Repeated {
		steps++
	}
	out, err := p.again(&listed{values}).run(ctx, steps, nil)
	found.count(out)
	if found.Outcome.Kind == Repeated && out.Kind == LimitReached {
		return err
	}
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
	// seen are the states that the run may end at, nil for none, and length is that of the tree when states were last compared.
	seen   *states.Set
	length int
	// compared is how many steps comparing states was worth.
	compared int64
}

// Choose is the next value. There is an error for what is no integer.
func (g *given) Choose(q Question) (Value, error) {
	s := shapeOf(q.Type)
	if s.class != integer && s.class != boolean {
		return Value{}, errors.New("it is no integer")
	}
	least, last := s.integers().Borders()
	if q.Ranged {
		// What is outside of the range is taken for something in it.
		least, last = q.within(least), q.within(last)
	}
	g.input = g.tree.Next(least, last)
	g.sites = append(g.sites, q.Site)
	return Unsigned(g.input.Value), nil
}

// repeats reports whether runs come to states that were seen, so that there are fewer than there seem to be.
func (e *Every) repeats(seen *states.Set) bool {
	return seen.Len() > 0 && e.Steps < lastSteps && (e.Steps < firstSteps || repeating*e.Repeated >= e.Runs)
}

// compareState ends a run that has come to a state that was seen. Control is about to go on with an instruction of a call.
func (m *machine) compareState(f *frame, pc int) {
	g := m.given
	if g.seen == nil || !g.tree.Place() || g.tree.Length() == g.length || g.compared > m.steps+freeSteps {
		return
	}
	g.length = g.tree.Length()
	w := g.seen.Write(mostState)
	complete := m.writeState(w, f, pc)
	work := int64(w.Len() / stateBytes)
	g.compared += work
	m.searched += work
	if !complete {
		return
	}
	if added, known := w.Add(); known && !added {
		m.stop(Repeated, f.fn.code[pc].node, "another run came here, too")
	}
}

// writeState writes what the rest of a run depends on. It reports false if there is more than that, or too much.
func (m *machine) writeState(w *states.Writer, f *frame, pc int) bool {
	if m.depth > mostFrames || m.p.options.Faults.Has(fault.Dereference) || m.heap.reused || m.stack.reused || m.tracked > 0 || len(m.shadows) > 0 {
		return false
	}
	w.Number(m.rounding)
	var ended []*object
	for {
		if f.fn.body == nil || f.lengths != nil {
			return false
		}
		ended = f.writeState(w, pc, ended)
		if f.caller == nil {
			break
		}
		// What is read by the instruction of the call may be read after it.
		call := f.call
		f = f.caller
		if f.fn.body == nil {
			return false
		}
		var leads bool
		if pc, leads = f.fn.body.Calls[call]; !leads {
			return false
		}
	}
	for i := range m.slots {
		m.slots[i].writeState(w)
	}
	for _, objects := range [][]*object{m.statics, m.heap.objects, m.stack.objects} {
		for _, o := range objects {
			if o.readonly || o.dead || slices.Contains(ended, o) {
				continue
			}
			if o.writeState(w); w.Full() {
				return false
			}
		}
		w.Number(0)
	}
	return true
}

// writeState writes the state of a call that goes on with an instruction, without its objects in memory. It adds those to a list that are
// not read any more.
func (f *frame) writeState(w *states.Writer, pc int, ended []*object) []*object {
	w.Number(uint64(f.fn.number))
	w.Number(uint64(pc))
	read := f.fn.body.Before[pc]
	for i := range f.slots {
		if read.Has(i) {
			f.slots[i].writeState(w)
		}
	}
	for i, o := range f.objects {
		if o != nil && !read.Has(f.fn.slots+i) {
			ended = append(ended, o)
		}
	}
	return ended
}

func (s *slot) writeState(w *states.Writer) {
	w.Flag(s.known)
	if s.known {
		w.Number(s.value)
		w.Sum(s.sum)
	}
}

func (o *object) writeState(w *states.Writer) {
	w.Number(o.base)
	w.Number(uint64(o.size))
	w.Part(o.decl)
	w.Part(o.site)
	w.Part(o.declared)
	w.Number(uint64(o.asked))
	w.Flag(o.heap)
	w.Flag(o.zero)
	w.Bytes(o.data)
	w.Flags(o.unknown)
	w.Flags(o.bare)
	w.Number(uint64(len(o.pages)))
	for _, i := range slices.Sorted(maps.Keys(o.pages)) {
		p := o.pages[i]
		w.Number(uint64(i))
		w.Bytes(p.data[:])
		w.Flags(p.unknown[:])
		w.Flags(p.bare)
	}
	for _, off := range slices.Sorted(maps.Keys(o.linear)) {
		if w.Full() {
			return
		}
		if c := o.linear[off]; c.sum.Open() {
			w.Number(uint64(off) + 1)
			w.Number(uint64(c.size))
			w.Sum(c.sum)
		}
	}
	w.Number(0)
}
