package inputs

import (
	"errors"
	"math"
	"math/bits"
	"slices"
)

// mostFollowed is how many relations are followed at most to raise values for a new one, and mostOfRun for all of a run. Where remainders
// matter, two values that follow each other may go up step by step; where an input is compared with each later one, all of them may follow it.
const (
	mostFollowed = 20_000
	mostOfRun    = 1 << 24
)

// errTangled says that relations are too hard to meet.
var errTangled = errors.New("many inputs depend on each other")

// region is what the relations between inputs allow.
type region struct {
	variables []variable
	// undone are variables as they were before they were changed, the last change last.
	undone []change
	// err is errTangled if a question about the region could not be answered.
	err error
	// raised are variables whose followers are to be raised, and followed is how many relations were followed for that in this run.
	raised   []int
	followed int
}

// variable is an input: value is the least that the relations allow, which are those up to high that leave the same when they are divided by
// period. after are relations that make it the first of two, and related says that there are some, or that it is the second of two.
type variable struct {
	value, high, period uint64
	after               []relation
	related             bool
}

type change struct {
	index int
	was   variable
}

// mark is a state of a region that it may return to.
type mark struct{ variables, changes int }

func (g *region) mark() mark { return mark{len(g.variables), len(g.undone)} }

// undo takes back everything since a mark.
func (g *region) undo(m mark) {
	for i := len(g.undone) - 1; i >= m.changes; i-- {
		if c := &g.undone[i]; c.index < m.variables {
			g.variables[c.index] = c.was
		}
	}
	g.undone, g.variables = g.undone[:m.changes], g.variables[:m.variables]
}

// clone is a region that is changed independently.
func (g *region) clone() region {
	c := region{variables: slices.Clone(g.variables), undone: slices.Clone(g.undone)}
	for i := range c.variables {
		c.variables[i].after = slices.Clip(c.variables[i].after)
	}
	for i := range c.undone {
		c.undone[i].was.after = slices.Clip(c.undone[i].was.after)
	}
	return c
}

// variable is one that is about to be changed.
func (g *region) variable(i int) *variable {
	v := &g.variables[i]
	g.undone = append(g.undone, change{i, *v})
	return v
}

// allows reports whether a relation may hold, too.
func (g *region) allows(r relation) bool {
	if v := &g.variables[r.first]; r.kind == atLeast && len(v.after) == 0 {
		up, ok := v.up(r.n)
		return ok && up <= v.high
	}
	m := g.mark()
	defer g.undo(m)
	return g.add(r)
}

// add adds a relation. It reports false, and leaves the region to be undone, if there are no values for it.
func (g *region) add(r relation) bool {
	switch r.kind {
	case atMost:
		v := g.variable(r.first)
		v.high = min(v.high, r.n)
		return v.value <= v.high
	case atLeast:
		return g.raise(r.first, r.n, -1, 0)
	case row:
		v := g.variable(r.first)
		base := v.value
		v.value, v.period = base+r.n, r.period
		return r.n <= v.high-base && g.raise(r.first, v.value, r.first, base)
	}
	g.variable(r.second).related = true
	v := g.variable(r.first)
	v.after, v.related = append(v.after, r), true
	to, ok := r.least(v.value)
	return ok && g.raise(r.second, to, r.first, v.value)
}

// least is the least value of the second input of a relation for a value of the first; false if there is none.
func (r relation) least(first uint64) (uint64, bool) {
	if r.kind == below {
		return first - min(first, r.n), true
	}
	to, carry := bits.Add64(first, r.n, 0)
	return to, carry == 0
}

// up is the first allowed value from n on; false if that is more than 64 bits have.
func (v *variable) up(n uint64) (uint64, bool) {
	if n <= v.value {
		return v.value, true
	}
	step := (n - v.value) % v.period
	if step == 0 {
		return n, true
	}
	n, carry := bits.Add64(n, v.period-step, 0)
	return n, carry == 0
}

// raise raises a value to n at least, and those that have to follow, for a relation that is new. That is about the value of source, which was
// base; -1 if it is an old one that is only raised. If there are values that meet all relations, source is raised by less than all
// periods have in common: values that are that much less, or the former ones where those are greater, would meet them, too.
func (g *region) raise(i int, n uint64, source int, base uint64) bool {
	g.raised = append(g.raised[:0], i)
	if !g.lift(i, n) {
		return false
	}
	for most := min(g.followed+mostFollowed, mostOfRun); len(g.raised) > 0; {
		v := &g.variables[g.raised[0]]
		g.raised = g.raised[1:]
		if g.followed += 1 + len(v.after); g.followed > most {
			g.err = errTangled
			return false
		}
		for _, r := range v.after {
			to, ok := r.least(v.value)
			if !ok {
				return false
			}
			if to <= g.variables[r.second].value {
				continue
			}
			if !g.lift(r.second, to) {
				return false
			}
			if r.second == source && g.variables[source].value-base >= g.period() {
				return false
			}
			g.raised = append(g.raised, r.second)
		}
	}
	return true
}

// period is a common multiple of all periods; the greatest number if that is too great.
func (g *region) period() uint64 {
	all := uint64(1)
	for i := range g.variables {
		if all = common(all, g.variables[i].period); all == 0 {
			return math.MaxUint64
		}
	}
	return all
}

// lift raises one value, and reports whether it may be raised so far.
func (g *region) lift(i int, n uint64) bool {
	to, ok := g.variables[i].up(n)
	if !ok || to > g.variables[i].high {
		return false
	}
	if to > g.variables[i].value {
		g.variable(i).value = to
	}
	return true
}

// greatest are the greatest values that the relations allow. There is an error if they are too hard to find.
func (g *region) greatest() ([]uint64, error) {
	var out []uint64
	for i := range g.variables {
		v := &g.variables[i]
		out = append(out, v.high-(v.high-v.value)%v.period)
	}
	for followed := 0; followed <= mostOfRun; {
		lowered := false
		for i := range g.variables {
			v := &g.variables[i]
			followed += 1 + len(v.after)
			for _, r := range v.after {
				if most, ok := r.most(out[r.second]); ok && most < out[i] {
					out[i] = most - (most-v.value)%v.period
					lowered = true
				}
			}
		}
		if !lowered {
			return out, nil
		}
	}
	return nil, errTangled
}

// most is the greatest value of the first input of a relation for a value of the second that is not too low; false if there is no limit.
func (r relation) most(second uint64) (uint64, bool) {
	if r.kind == above {
		return second - r.n, true
	}
	to, carry := bits.Add64(second, r.n, 0)
	return to, carry == 0
}
