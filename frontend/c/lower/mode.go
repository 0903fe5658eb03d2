package lower

import "fmt"

// Mode says how machine integers are represented, and which operations are exact.
type Mode uint8

// The modes.
const (
	// Ranged takes machine integers for integers within the range of their type, which wrap around; bit operations are
	// exact where a constant makes them linear, and otherwise refined where a counterexample needs it.
	Ranged Mode = iota
	// NoVectors takes them for integers without bounds, of whose bit operations nothing is known: the paper's nobv.
	NoVectors
	// AllVectors takes all of them for bit-vectors: the paper's allbv.
	AllVectors
	// Guided knows nothing of bit operations either, and makes bit-vectors of the classes that spurious counterexamples need:
	// the paper's cexg. The paper leaves overflows to others; here integers wrap around, so that a proof is one.
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

// Relation says how the runs of a lowered program and those of the machine's program are related. Only a Relation makes a
// Proof, so that nothing is called safe on the strength of a program that has other runs.
type Relation uint8

// The relations.
const (
	// Different: the lowered program has runs that the machine has not, and the machine others.
	Different Relation = iota
	// More: it has all runs of the machine, and maybe others.
	More
	// Equal: it has the same runs.
	Equal
)

// Proof is the permission to call a program safe.
type Proof struct{ held bool }

// Held tells whether it is one; the zero Proof is none.
func (p Proof) Held() bool { return p.held }

// Proof makes of a proof for the lowered program one for the machine's.
func (r Relation) Proof() Proof { return Proof{held: r == More || r == Equal} }

// Refutes tells whether a failing run of the lowered program is one of the machine's. What is not has to be replayed.
func (r Relation) Refutes() bool { return r == Equal }
