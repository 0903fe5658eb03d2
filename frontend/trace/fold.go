package trace

import (
	"slices"

	"hornbeam/chc"
)

const (
	// keptFirst and keptLast are how many turns of a long loop are shown at its beginning and its end, the last one, which
	// leaves the loop, included. A loop is folded when at least minFolded turns are between.
	keptFirst, keptLast = 1, 2
	minFolded           = 2
	// maxNesting bounds the nesting of the list; browsers cut elements that are nested deeper than about 500.
	maxNesting = 100
)

// part is a part of a trace as it is folded: a step; a call with what happened inside; or turns of a loop.
type part struct {
	// step is the index of the step, of a call that of the Call.
	step int
	// inside are the parts in a call or in the folded turns.
	inside []part
	// loop says that the part stands for the turns from first to last of a loop.
	loop        bool
	first, last int
}

// fold makes parts of the steps: calls with their insides, and long loops with their middle turns put into one part.
func fold(steps []Step) []part { return (&folder{steps: steps}).call(0, 0) }

type folder struct {
	steps []Step
	next  int
}

// call makes the parts from the next step on that have at least the depth. Very deep calls are not put into each other.
func (f *folder) call(depth, nesting int) []part {
	var parts []part
	for f.next < len(f.steps) && f.steps[f.next].Depth >= depth {
		s := f.steps[f.next]
		p := part{step: f.next}
		f.next++
		if s.Kind == Call {
			inside := f.call(s.Depth+1, nesting+1)
			if nesting >= maxNesting {
				parts = append(append(parts, p), inside...)
				continue
			}
			p.inside = inside
		}
		parts = append(parts, p)
	}
	return f.loops(parts, nesting)
}

// place is what two steps of one place in a loop share.
type place struct {
	pos       chc.Position
	procedure string
	depth     int
}

// place is the place of a part, if it is one that may begin a turn.
func (f *folder) place(p part) (place, bool) {
	s := f.steps[p.step]
	switch s.Kind {
	case Statement, Branch, Nondet, Call, State, Record:
		return place{s.Pos, s.Procedure, s.Depth}, !p.loop && s.Pos.Line > 0
	}
	return place{}, false
}

// loops folds the long loops among parts. The first place that occurs twice is the head of a loop; a turn begins at
// each of its occurrences.
func (f *folder) loops(parts []part, nesting int) []part {
	if nesting >= maxNesting {
		return parts
	}
	// Turns cannot be counted across steps that were not kept.
	if i := slices.IndexFunc(parts, func(p part) bool { return f.steps[p.step].Kind == Omitted }); i >= 0 {
		return slices.Concat(f.loops(parts[:i], nesting), parts[i:i+1], f.loops(parts[i+1:], nesting))
	}
	places := map[place][]int{}
	for i, p := range parts {
		if at, ok := f.place(p); ok {
			places[at] = append(places[at], i)
		}
	}
	var out []part
	for i := 0; i < len(parts); {
		at, ok := f.place(parts[i])
		heads := places[at]
		if !ok || len(heads) < 2 || heads[0] != i {
			out = append(out, parts[i])
			i++
			continue
		}
		last := len(heads) - 1
		turn := func(n int) []part {
			// The head comes once in a turn, so that what is found in it are the loops inside.
			return f.loops(parts[heads[n]:heads[n+1]], nesting+1)
		}
		folded := last + 1 - keptFirst - keptLast
		for n := 0; n < last; n++ {
			if n == keptFirst && folded >= minFolded {
				p := part{step: parts[heads[n]].step, loop: true, first: n + 1, last: n + folded}
				for ; n < keptFirst+folded; n++ {
					p.inside = append(p.inside, turn(n)...)
				}
				out = append(out, p)
			}
			out = append(out, turn(n)...)
		}
		// The last turn goes on with what comes after the loop, where places of it may come again in a later loop.
		return append(out, f.tail(parts[heads[last]:], nesting)...)
	}
	return out
}

// tail folds what begins with the last turn of a loop.
func (f *folder) tail(parts []part, nesting int) []part {
	return append(parts[:1:1], f.loops(parts[1:], nesting)...)
}
