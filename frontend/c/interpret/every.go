package interpret

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/interpret/inputs"
	"hornbeam/frontend/c/tree"
)

// Every run of a program is tried, one of each class of runs that differ in values only that make no difference. A program that is
// compiled for that tells copies of what it is given from values that are computed: objects, arguments and results of calls hold copies.
// Comparisons of a copy limit the values that go the same way, and whatever else is done with it fixes it. So what is not known to
// copy or to compare is of no danger: it reads a value, and to read is to fix.

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
	// Most searches end before there is anything to check.
	plain := sync.OnceValues(func() (*Program, error) { return New(source, o) })
	var out Every
	t := &inputs.Tree{}
	look := func(one *inputs.Tree) error {
		_, _, err := p.give(ctx, one, limits, &out)
		return err
	}
	for {
		var sites []Site
		if out.Outcome, sites, err = p.give(ctx, t, limits, &out); err != nil {
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
		if err := check(ctx, plain, t, &out); err != nil {
			return out, err
		}
		out.Runs++
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

// give makes one run, and counts it. It returns its end, and what it asked for.
func (p *Program) give(ctx context.Context, t *inputs.Tree, limits Limits, counts *Every) (Outcome, []Site, error) {
	if p.initial != nil {
		return *p.initial, nil, nil
	}
	c := &given{tree: t}
	m := newMachine(p, c, nil)
	m.given, m.limits.Depth = c, min(m.limits.Depth, mostCalls)
	out, err := m.run(ctx, max(min(limits.RunSteps, limits.Steps-counts.Steps), 1), nil)
	counts.count(out)
	return out, c.sites, err
}

// count counts a run.
func (e *Every) count(out Outcome) {
	e.made++
	e.Steps += out.Steps + runWork
}

// check makes the last run once more, with the greatest values that are said to make no difference, and without following them: it has to have
// as many steps and the same end.
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
	out, err := p.run(ctx, &listed{values}, nil, found.Outcome.Steps+1, nil)
	found.count(out)
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
