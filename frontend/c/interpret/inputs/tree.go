package inputs

import "errors"

// Tree is what runs were given so far, as a tree whose branches are limits of values.
type Tree struct {
	region region
	// path are the branches that lead to the run that is being made, and those that it has added.
	path []branch
	run  []*Input
	// places counts those that the run that is being made has come to, of which known are on its way to values that were not tried yet.
	places, known int
	// likely are, by input, how many values seem to make a difference.
	likely map[int]float64
}

// branch is a relation between inputs that holds for a run, and may not hold for others.
type branch struct {
	holds relation
	// before is the region without it.
	before mark
	// open says that there are values for which it does not hold and that were not tried yet.
	open bool
	// places is how many places there were before it.
	places int
	// done is how many others were tried before, and within how many limits of the same input on its own side.
	done, within int
}

// Next is the next input of the run that is being made, with a value from least to last; these are ordered by how much is to be added to
// least, modulo 2^64. They have to be the same where runs were given the same.
func (t *Tree) Next(least, last uint64) *Input {
	at := len(t.run)
	if at == len(t.region.variables) {
		t.region.variables = append(t.region.variables, variable{high: last - least, period: 1})
	}
	in := &Input{tree: t, index: at, offset: t.region.variables[at].value}
	in.Value = least + in.offset
	in.sum.terms = []term{{in, 1}}
	t.run = append(t.run, in)
	return in
}

// limit says that a run would be another one if a comparison did not hold, which does for its values.
func (t *Tree) limit(holds relation) {
	if other, ok := holds.opposite(); ok && t.region.err == nil && t.region.allows(other) {
		t.branch(branch{holds: holds, open: true, places: t.places})
	}
}

// divide says that a run would be another one if an input left something else when divided by period, which is a multiple of its period so
// far.
func (t *Tree) divide(input int, of, period uint64) {
	if t.region.err != nil {
		return
	}
	v := &t.region.variables[input]
	t.branch(branch{holds: relation{kind: row, first: input, step: of, period: period}, open: v.high-v.value >= of, places: t.places})
}

// Work is how many relations were followed in the run that is being made.
func (t *Tree) Work() int { return t.region.followed }

// Place says that the run has come to a place where its state may be compared with others. It reports whether that is behind all that the
// run repeats of the one before: the states of that are on its own way.
func (t *Tree) Place() bool {
	t.places++
	return t.places > t.known
}

// Length grows with each input that the run is given, and with each limit that makes others behind it.
func (t *Tree) Length() int { return len(t.run) + len(t.path) }

// branch adds a branch behind the others. It reports false, and adds none, if its relation can't hold.
func (t *Tree) branch(b branch) bool {
	b.before = t.region.mark()
	if !t.region.add(b.holds) {
		t.region.undo(b.before)
		return false
	}
	t.path = append(t.path, b)
	return true
}

// Run is what the run that is being made has been given so far.
func (t *Tree) Run() []*Input { return t.run }

// Greatest are the greatest values that the last run is said to stand for. There is an error if they are too hard to find.
func (t *Tree) Greatest() ([]uint64, error) {
	if t.region.err != nil {
		return nil, t.region.err
	}
	if len(t.run) != len(t.region.variables) {
		return nil, errLost
	}
	values, err := t.region.greatest()
	for i := range values {
		values[i] += t.run[i].Value - t.run[i].offset
	}
	return values, err
}

// Advance ends a run, and goes on to values that no run has covered. It reports false if there are none. There is an error if it is not known
// which there are.
func (t *Tree) Advance() (bool, error) {
	t.run, t.places, t.region.followed = t.run[:0], 0, 0
	for len(t.path) > 0 && t.region.err == nil {
		last := t.path[len(t.path)-1]
		t.path = t.path[:len(t.path)-1]
		t.region.undo(last.before)
		if last.open && t.turn(last) {
			t.known = last.places
			return true, nil
		}
		t.ended(last)
	}
	return false, t.region.err
}

// turn takes a branch the other way, and reports whether there is one.
func (t *Tree) turn(b branch) bool {
	if b.holds.kind == row {
		for r := b.holds; r.n+r.step < r.period; {
			r.n += r.step
			b.done++
			b.within = 0
			if t.branch(branch{holds: r, open: true, places: b.places, done: b.done}) {
				return true
			}
		}
		return false
	}
	other, ok := b.holds.opposite()
	done := b.all()
	// What was taken before in the same direction is implied.
	for n := len(t.path) - 1; n >= 0 && !t.path[n].open && t.path[n].holds.same(other); n-- {
		done += t.path[n].done
		t.region.undo(t.path[n].before)
		t.path = t.path[:n]
	}
	if !ok || !t.branch(branch{holds: other, places: b.places, done: done}) {
		t.region.err = errors.Join(t.region.err, errLost)
		return false
	}
	return true
}

// all is how many of a limit were tried once it was taken both ways.
func (b *branch) all() int { return b.done + max(1, b.within) }

// ended counts what was tried of an input with the limit before that one.
func (t *Tree) ended(b branch) {
	if !b.holds.limits() {
		return
	}
	for i := len(t.path) - 1; i >= 0; i-- {
		if before := &t.path[i]; before.holds.limits() && before.holds.first == b.holds.first {
			before.within = max(before.within, b.all())
			return
		}
	}
}

// errLost says that a run was not like the one that it repeats.
var errLost = errors.New("a run asks for other inputs than one like it")
