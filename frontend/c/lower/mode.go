package lower

import "fmt"

// Mode says how machine integers are represented, and which operations are exact.
type Mode uint8

// The modes.
const (
	// Ranged represents machine integers by integers within the range of their type, which wrap around. Bit operations are exact where
	// a constant makes them linear, and refined where a counterexample needs it.
	Ranged Mode = iota
	// NoVectors represents them by unbounded integers with unknown bit operations: the paper's nobv.
	NoVectors
	// AllVectors represents all of them by bit-vectors: the paper's allbv.
	AllVectors
	// Guided begins with unknown bit operations, and represents the classes that spurious counterexamples need by bit-vectors: the
	// paper's cexg. Other than in the paper, integers wrap around, so that proofs hold for the machine.
	Guided
)

// Modes are the names of the modes, in the order of their values, as options have them.
var Modes = []string{"ranged", "nobv", "allbv", "cexg"}

func (m Mode) String() string { return Modes[m] }

// ParseMode finds a mode by its name.
func ParseMode(name string) (Mode, error) {
	for i, n := range Modes {
		if n == name {
			return Mode(i), nil
		}
	}
	return 0, fmt.Errorf("there is no mode %s of machine integers", name)
}

// Relation is how the runs of a lowered program and of the machine's program are related: it says which verdicts on the one
// hold for the other.
type Relation uint8

// The relations.
const (
	// Different: each program has runs that the other one does not have.
	Different Relation = iota
	// More: the lowered program has all runs of the machine, and maybe others.
	More
	// Equal: both have the same runs.
	Equal
)

// Proves reports whether a proof of the lowered program is one of the machine's.
func (r Relation) Proves() bool { return r == More || r == Equal }

// Refutes reports whether a failing run of the lowered program is one of the machine's; others must be replayed.
func (r Relation) Refutes() bool { return r == Equal }
