package inputs

// mostPeriod is how many values are told apart at most by what they leave when they are divided.
const mostPeriod = 1 << 16

// Input is a value that a run is given, in two's complement.
type Input struct {
	Value uint64

	tree *Tree
	// index is the place among the inputs of the run, and offset how much the value is more than the least one.
	index  int
	offset uint64
	sum    Sum
}

// Limit says that the run would be another one if the value were raised by more than room.
func (in *Input) Limit(room uint64) {
	if room < in.tree.region.variables[in.index].high-in.offset {
		in.tree.limit(relation{kind: atMost, first: in.index, n: in.offset + room})
	}
}

// LimitTo says that the run would be another one if the value were raised by more than room and what another input of the run is
// raised by.
func (in *Input) LimitTo(other *Input, room uint64) {
	if r, ok := apart(in, other, room); ok {
		in.tree.limit(r)
	}
}

// Fix says that the run depends on the value itself.
func (in *Input) Fix() { in.Limit(0) }

// Range is which values the run may have been given instead: how much more than the least value of its type is the least and the greatest of
// them, and the step between them. It reports false where they depend on those of other inputs.
func (in *Input) Range() (least, most, step uint64, alone bool) {
	v := &in.tree.region.variables[in.index]
	return v.value, v.high, v.period, !v.related
}

// Open reports whether the run may have been given another value instead.
func (in *Input) Open() bool {
	v := &in.tree.region.variables[in.index]
	return v.high-v.value >= v.period
}

// Modulo says that the run depends on what the value leaves when it is divided by period, which is not 0.
func (in *Input) Modulo(period uint64) {
	of := in.tree.region.variables[in.index].period
	switch all := common(of, period); all {
	case 0:
		in.Fix()
	case of:
	default:
		in.tree.divide(in.index, of, all)
	}
}

// common is the least common multiple of two periods, 0 if it is more than mostPeriod.
func common(a, b uint64) uint64 {
	if a > mostPeriod || b > mostPeriod {
		return 0
	}
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	if m := a / x * b; m <= mostPeriod {
		return m
	}
	return 0
}
