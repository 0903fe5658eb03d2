package inputs

// fewValues of an input that all make a difference are tried before it is asked how many more of them there are.
const fewValues = 4

// manyInputs are too many to be asked for all of them.
const manyInputs = 40

// Values that are nearest to farthest away from the one of an input, and twice as far each time, are tried to tell how many are left: one
// that makes no difference for as long again is taken for one behind the last that does.
const (
	nearest  = 1 << 3
	farthest = 1 << 17
)

// Estimate is how many runs there seem to be, if each input had as many different values behind every value of those before it. Of an
// input of which Doubtful has not asked there is one value more than those that were tried for each limit behind which others were not
// tried yet. It is asked for after Advance.
func (t *Tree) Estimate() float64 {
	counts := make([]float64, len(t.region.variables))
	rows := 1.0
	for _, b := range t.path {
		if b.holds.kind == row {
			rows *= float64(b.holds.period / b.holds.step)
			continue
		}
		n := float64(b.done)
		if b.open {
			n++
		}
		counts[b.holds.latest()] += n
	}
	runs := rows
	for i, n := range counts {
		runs *= max(n+1, t.likely[i])
	}
	return runs
}

// Left is how many runs there are left at least: one for each value behind the present run that was found to make a difference and was not tried
// yet. It is asked for after Advance.
func (t *Tree) Left() float64 {
	runs := 0.0
	for _, b := range t.path {
		switch {
		case !b.open:
		case b.holds.kind == row:
			runs += float64((b.holds.period - b.holds.n - 1) / b.holds.step)
		default:
			runs++
		}
	}
	return runs
}

// Part is which part of all runs were made, as far as the first input tells.
func (t *Tree) Part() float64 {
	if t.likely[0] == 0 {
		return 1
	}
	return min(1, float64(t.tried()[0]+1)/t.likely[0])
}

// tried are how many values of each input were tried before the present one, behind those of the others.
func (t *Tree) tried() []int {
	values := make([]int, len(t.region.variables))
	for _, b := range t.path {
		if b.holds.limits() {
			values[b.holds.first] += b.done
		}
	}
	return values
}

// Doubtful calls look with trees for single runs, of which it tells whether they came to an end, to find out how many values are left of the
// last of the inputs of which many were tried, and of those before it, unless these are many, too. They are asked for once for each input.
func (t *Tree) Doubtful(look func(*Tree) (ended bool, err error)) error {
	tried, last := t.tried(), -1
	for i, values := range tried {
		if _, known := t.likely[i]; values >= fewValues && !known {
			last = i
		}
	}
	for i := range last + 1 {
		if _, known := t.likely[i]; known || last > manyInputs && tried[i] < fewValues {
			continue
		}
		values, err := t.left(i, look)
		if err != nil {
			return err
		}
		if t.likely == nil {
			t.likely = map[int]float64{}
		}
		t.likely[i] = values + float64(tried[i])
	}
	return nil
}

// left is how many values of an input seem to make a difference from the present one on.
func (t *Tree) left(i int, look func(*Tree) (ended bool, err error)) (float64, error) {
	branches := len(t.path)
	for branches > 0 && !(t.path[branches-1].holds.limits() && t.path[branches-1].holds.first == i) {
		branches--
	}
	from := t.region.clone()
	if branches < len(t.path) {
		from.undo(t.path[branches].before)
	}
	if i >= len(from.variables) {
		return 1, nil
	}
	v := from.variables[i]
	all := v.high - v.value
	for d := uint64(nearest); d <= farthest && 2*d < all; d *= 2 {
		one := &Tree{region: from.clone()}
		if !one.region.add(relation{kind: atLeast, first: i, n: v.value + d}) {
			// Others, which it may not be greater than, end the row.
			return float64(d), nil
		}
		ended, err := look(one)
		if err != nil {
			return 0, err
		}
		if v := one.region.variables[i]; ended && v.high-v.value >= d {
			return float64(d), nil
		}
	}
	return float64(all) + 1, nil
}
