// Package live finds which objects of a function may still be read, at each instruction of its body, and which calls nothing is computed before:
// what the state of a run consists of.
//
//	live.go   objects that may be read
//	calls.go  instructions as they are in the source, and their calls
package live

// Op is an instruction: the numbers of the objects that it may read, that it gives a new value whatever happens, before which it reads
// those, and of the instructions that it may go to.
type Op struct {
	Reads, Writes, To []int
}

// Set is a set of objects.
type Set []uint64

// Has reports whether an object is in the set.
func (s Set) Has(object int) bool { return s[object/wordBits]>>(object%wordBits)&1 != 0 }

const wordBits = 64

// Before returns, for each instruction of a body, the objects whose value before it may be read by it or by what comes after it: the least
// solution of the equations before = reads or (after without writes), where after is what is before one of those that it goes to.
func Before(ops []Op, objects int) []Set {
	words := (objects + wordBits - 1) / wordBits
	before := make([]Set, len(ops))
	for i, o := range ops {
		before[i] = make(Set, words)
		before[i].add(o.Reads)
	}
	kept := make(Set, words)
	for changed := true; changed; {
		changed = false
		// What is read is known soonest from the end.
		for i := len(ops) - 1; i >= 0; i-- {
			clear(kept)
			for _, to := range ops[i].To {
				kept.join(before[to])
			}
			for _, w := range ops[i].Writes {
				kept[w/wordBits] &^= 1 << (w % wordBits)
			}
			changed = before[i].join(kept) || changed
		}
	}
	return before
}

func (s Set) add(objects []int) {
	for _, o := range objects {
		s[o/wordBits] |= 1 << (o % wordBits)
	}
}

// join adds what is in another set, and reports whether that is more.
func (s Set) join(other Set) (more bool) {
	for i, w := range other {
		more = more || w&^s[i] != 0
		s[i] |= w
	}
	return more
}
