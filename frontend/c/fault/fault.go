package fault

import "hornbeam/frontend/c/tree"

// Kind is a kind of fault. A run ends at the first fault of a kind that is asked for.
type Kind uint8

// The kinds of faults.
const (
	// Assertion is a call of an error function, an assertion that does not hold, or the error label.
	Assertion Kind = iota
	// Overflow is a signed operation whose result does not fit in its type, or a left shift of a negative number.
	Overflow
	// UnsignedOverflow is an unsigned addition, subtraction, multiplication or negation whose result wraps around.
	UnsignedOverflow
	// Conversion is a conversion between integer types that changes the value.
	Conversion
	// Division is a division by zero, or of the least number by -1.
	Division
	// Shift is a shift by a negative number or by the width or more, or a left shift of a negative number or whose result does not
	// fit.
	Shift
	// Unreachable is a call of __builtin_unreachable.
	Unreachable
	// Dereference is an access to memory that is not inside of an object that exists.
	Dereference
	// Free is the release of what was not allocated, or is released already.
	Free
	// Cleanup is memory that is allocated when the program ends, and Lost is such memory that no static object leads to.
	Cleanup
	Lost
	// Uninitialised is a branch that depends on an object that nobody has written.
	Uninitialised
	kinds
)

var names = [kinds]string{
	Assertion: "assertion", Overflow: "overflow", UnsignedOverflow: "unsigned-overflow", Conversion: "conversion", Division: "division",
	Shift: "shift", Unreachable: "unreachable", Dereference: "dereference", Free: "free", Cleanup: "cleanup", Lost: "lost",
	Uninitialised: "uninitialised",
}

// String is the kind's name.
func (k Kind) String() string { return names[k] }

// Undefined reports whether a run ends as undefined at a fault of the kind if that is not asked for.
func (k Kind) Undefined() bool { return k == Division || k == Shift }

// Set is a set of kinds.
type Set uint16

// Of is the set of the kinds.
func Of(kinds ...Kind) Set {
	var s Set
	for _, k := range kinds {
		s |= 1 << k
	}
	return s
}

// OrAssertions is the set, or that of assertions if it is empty.
func (s Set) OrAssertions() Set {
	if s == 0 {
		return Of(Assertion)
	}
	return s
}

// Has reports whether any of the kinds is in the set.
func (s Set) Has(kinds ...Kind) bool { return s&Of(kinds...) != 0 }

// First is the first of the kinds that is in the set, and whether there is one.
func (s Set) First(kinds ...Kind) (Kind, bool) {
	for _, k := range kinds {
		if s.Has(k) {
			return k, true
		}
	}
	return 0, false
}

// Contract is the kind of fault that a violated condition of a contract is which others rely on: whatever is asked is not known
// behind it.
func (s Set) Contract() Kind {
	for k := range kinds {
		if s.Has(k) {
			return k
		}
	}
	return Assertion
}

// Check is the question whether some run has a fault of a kind at a place.
type Check struct {
	Kind Kind
	Pos  tree.Pos
}
