package proof

// The limits of a written condition.
const (
	// longest is how many operators a condition may have: let expressions cannot always prevent exponential growth.
	longest = 100_000
	// readable is how many operators a condition may have before subterms that occur in it more than once get names, and
	// nameable how many such a subterm must have.
	readable = 60
	nameable = 5
)
