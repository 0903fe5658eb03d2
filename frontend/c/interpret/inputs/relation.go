package inputs

import "math/bits"

// kind is what a relation says.
type kind uint8

const (
	// atMost and atLeast compare the first input with n.
	atMost kind = iota
	atLeast
	// above and below compare two inputs: the second is at least n more than the first, or at most n less.
	above
	below
	// row says that the first input is n more than its least value, or any multiple of period more than that. Before, it was any multiple of
	// step more.
	row
)

// relation is a relation between the values of one input or two.
type relation struct {
	kind          kind
	first, second int
	n             uint64
	step, period  uint64
}

// apart is the relation that says that an input is raised by room more than another at most; false if it always is.
func apart(in, other *Input, room uint64) (relation, bool) {
	r := relation{kind: above, first: in.index, second: other.index}
	if other.offset >= in.offset && other.offset-in.offset >= room {
		r.n = other.offset - in.offset - room
		return r, true
	}
	r.kind = below
	if other.offset >= in.offset {
		r.n = room - (other.offset - in.offset)
		return r, true
	}
	n, carry := bits.Add64(in.offset-other.offset, room, 0)
	r.n = n
	return r, carry == 0
}

// opposite is the relation that holds where a comparison does not; false if there are no such values.
func (r relation) opposite() (relation, bool) {
	switch r.kind {
	case atMost:
		return relation{kind: atLeast, first: r.first, n: r.n + 1}, r.n+1 != 0
	case atLeast:
		return relation{kind: atMost, first: r.first, n: r.n - 1}, r.n != 0
	case above:
		// Not y >= x + n, so x >= y + 1 - n.
		if r.n == 0 {
			return relation{kind: above, first: r.second, second: r.first, n: 1}, true
		}
		return relation{kind: below, first: r.second, second: r.first, n: r.n - 1}, true
	}
	return relation{kind: above, first: r.second, second: r.first, n: r.n + 1}, r.n+1 != 0
}

// same reports whether two relations are about the same inputs and in the same direction, so that of two that are taken one after the other
// the later one implies the former.
func (r relation) same(as relation) bool {
	comparesTwo := func(k kind) bool { return k == above || k == below }
	return (r.kind == as.kind || comparesTwo(r.kind) && comparesTwo(as.kind)) && r.kind != row && r.first == as.first && r.second == as.second
}

// latest is the input that was given last of those that a relation is about.
func (r relation) latest() int { return max(r.first, r.second) }

// limits reports whether a relation compares its first input with a number.
func (r relation) limits() bool { return r.kind == atLeast || r.kind == atMost }
