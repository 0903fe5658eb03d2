package interpret

import (
	"context"
	"maps"
	"slices"
)

// Limits on the work of Shorten: on runs, and on the steps of all of them.
const (
	shortenRuns  = 300
	shortenSteps = 3_000_000
)

// inOrder takes note of answers in the order in which they are given.
type inOrder struct {
	Choices
	sites  []Site
	at     []int
	values []Value
}

// Choose asks the choices behind it.
func (o *inOrder) Choose(q Question) (Value, error) {
	v, err := o.Choices.Choose(q)
	if err == nil {
		o.sites, o.at, o.values = append(o.sites, q.Site), append(o.at, q.Occurrence), append(o.values, v)
	}
	return v, err
}

// Shorten looks for a shorter run that ends in the same error as that of a script, and otherwise for one with smaller answers: each
// answer is tried as zero, as one, as its lowest bits, and between what does and what does not help, within a small budget of work. It returns a
// script that reaches the error, which is the given one where nothing better was found.
func (p *Program) Shorten(ctx context.Context, script *Script) *Script {
	best := &inOrder{Choices: script}
	end, err := p.Run(ctx, best, nil)
	if err != nil || end.Kind != ErrorReached {
		return script
	}
	budget := int64(shortenSteps) - end.Steps
	runs := 0
	// try keeps a change of an answer if it makes the run better.
	try := func(i int, v Value) bool {
		old := best.values[i]
		if runs >= shortenRuns || budget <= 0 || v == old {
			return false
		}
		runs++
		changed := &Script{Queues: maps.Clone(best.script().Queues)}
		queue := slices.Clone(changed.Queues[best.sites[i]])
		queue[best.at[i]] = v
		changed.Queues[best.sites[i]] = queue
		next := &inOrder{Choices: changed}
		out, err := p.run(ctx, next, nil, nil, end.Steps+1, nil)
		budget -= out.Steps
		if err != nil || out.Kind != ErrorReached || out.Node != end.Node || out.Steps > end.Steps || out.Steps == end.Steps && v.bits >= old.bits {
			return false
		}
		best, end = next, out
		return true
	}
	for i := 0; i < len(best.values); i++ {
		if v := best.values[i]; v.Fresh || v.floating {
			continue
		}
		bits := best.values[i].bits
		if try(i, Int(0)) || try(i, Int(1)) {
			continue
		}
		_ = try(i, Value{bits: bits & 15}) || try(i, Value{bits: bits & 255})
		// The least number, if all between it and what works do, too.
		for below := int64(0); i < len(best.values); {
			v := int64(best.values[i].bits)
			middle := below + (v-below)/2
			if v <= below+1 || runs >= shortenRuns || budget <= 0 {
				break
			}
			if !try(i, Int(middle)) {
				below = middle
			}
		}
	}
	if runs == 0 {
		return script
	}
	return best.script()
}

// script repeats the run whose answers were noted.
func (o *inOrder) script() *Script {
	s := NewScript()
	for i, site := range o.sites {
		queue := s.Queues[site]
		for len(queue) <= o.at[i] {
			queue = append(queue, Int(0))
		}
		queue[o.at[i]] = o.values[i]
		s.Queues[site] = queue
	}
	return s
}
