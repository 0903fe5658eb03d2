package inputs

import "slices"

// fewValues of an input that all make a difference are tried before it is asked how many more of them there are.
const fewValues = 4

// Values that are nearest to farthest away from the one of an input, and twice as far each time, are tried to tell how many are left: one
// that makes no difference for as long again is taken for one behind the last that does.
const (
	nearest  = 1 << 3
	farthest = 1 << 17
)

// Tree is what runs were given so far, as a tree whose branches are values.
type Tree struct {
	// path is what the run that is being made is given, as far as it is known before it, and run what it has been given.
	path []node
	run  []*Input
	// likely are, by depth, how many values of an input seem to make a difference.
	likely map[int]float64
}

// node is an input behind given values of those before it.
type node struct {
	value, last uint64
	// room is the least room of the runs with this value.
	room uint64
	// Where values make a difference by what they leave when they are divided by period, first is the first of a row of values that are
	// tried one by one, until period of them were; these cover what is up to end more than the first.
	first, end, period uint64
	// done is how many values were tried before this one.
	done int
}

// begin begins with a value, before any run with it.
func (n *node) begin(value uint64) {
	n.value, n.room = value, n.last-value
	n.first, n.end, n.period = value, n.room, 1
}

// next is the value behind those that the runs so far cover; false if there is none. row says that it is one more of a row.
func (n *node) next() (value uint64, row, ok bool) {
	at := n.value - n.first
	end := min(n.end, at+n.room)
	switch {
	case n.period == 1:
		value, ok = n.value+n.room+1, n.room < n.last-n.value
	case at+1 < n.period && at < end:
		value, row, ok = n.value+1, true, true
	default:
		value, ok = n.first+end+1, end < n.last-n.first
	}
	return value, row, ok
}

// advance goes on to the next value, and reports whether there is one.
func (n *node) advance() bool {
	value, row, ok := n.next()
	if !ok {
		return false
	}
	n.done++
	if !row {
		n.begin(value)
		return true
	}
	n.end = min(n.end, n.value-n.first+n.room)
	n.value, n.room = value, n.last-value
	return true
}

// Next is the next input of the run that is being made, with a value from least to last; these are ordered by how much is to be added to
// least, modulo 2^64.
func (t *Tree) Next(least, last uint64) *Input {
	at := len(t.run)
	if at == len(t.path) {
		t.path = append(t.path, node{last: last})
		t.path[at].begin(least)
	}
	n := t.path[at]
	in := &Input{Value: n.value, room: n.last - n.value, period: 1}
	t.run = append(t.run, in)
	return in
}

// Run is what the run that is being made has been given so far.
func (t *Tree) Run() []*Input { return t.run }

// Advance ends a run, and goes on to values that no run has covered. It reports false if there are none.
func (t *Tree) Advance() bool {
	for i, in := range t.run {
		n := &t.path[i]
		n.room = min(n.room, in.room)
		if n.period = common(n.period, in.period); n.period == 0 {
			n.period, n.room = 1, 0
		}
	}
	t.run = t.run[:0]
	for len(t.path) > 0 {
		if t.path[len(t.path)-1].advance() {
			return true
		}
		t.path = t.path[:len(t.path)-1]
	}
	return false
}

// Estimate is how many runs there seem to be. Of an input of which Doubtful has not asked there is at least one value more than those that were
// tried, where any is left. It is asked for after Advance.
func (t *Tree) Estimate() float64 {
	runs := 1.0
	for i, n := range t.path {
		values := float64(n.done + 1)
		if _, _, more := n.next(); more {
			values++
		}
		runs *= max(values, t.likely[i])
	}
	return runs
}

// Part is which part of all runs were made, as far as the first input tells.
func (t *Tree) Part() float64 {
	if t.likely[0] == 0 {
		return 1
	}
	return min(1, float64(t.path[0].done+1)/t.likely[0])
}

// Doubtful calls look with trees for single runs to find out how many values are left of the last of the inputs of which many were tried,
// and of those before it. They are asked for once at each depth.
func (t *Tree) Doubtful(look func(*Tree) error) error {
	last := -1
	for i, n := range t.path {
		if _, known := t.likely[i]; n.done >= fewValues && !known {
			last = i
		}
	}
	for i := range last + 1 {
		if _, known := t.likely[i]; known {
			continue
		}
		values, err := t.left(i, look)
		if err != nil {
			return err
		}
		if t.likely == nil {
			t.likely = map[int]float64{}
		}
		t.likely[i] = values + float64(t.path[i].done)
	}
	return nil
}

// left is how many values of an input seem to make a difference from the present one on.
func (t *Tree) left(i int, look func(*Tree) error) (float64, error) {
	n := t.path[i]
	all := n.last - n.value
	for d := uint64(nearest); d <= farthest && 2*d < all; d *= 2 {
		one := &Tree{path: slices.Clone(t.path[:i+1])}
		one.path[i].begin(n.value + d)
		if err := look(one); err != nil {
			return 0, err
		}
		if i < len(one.run) && one.run[i].room >= d {
			return float64(d), nil
		}
	}
	return float64(all) + 1, nil
}
