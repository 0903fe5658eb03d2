package cells

import "time"

// The limits and thresholds of the heuristics of this package, which keep its work near to linear. None of them is needed for
// soundness.
const (
	// maxIndexTerms bounds the index terms at which the atoms of one clause get instances. What is left out only weakens the
	// abstraction.
	maxIndexTerms = 14
	// maxMentioned bounds the arguments of an atom that become index terms where the clause reads no index.
	maxMentioned = 3
	// maxInstances bounds the instances of one atom: the index terms that come last are left out until there are no more.
	maxInstances = 40
	// mostCompanionEnds bounds the arguments that a companion depends on: both ends of what is reversed.
	mostCompanionEnds = 2
	// ghostWork and ghostNodes are the budget for eliminating the ghosts from one conjunct of an interpretation.
	ghostWork, ghostNodes = 20, 200
	// mostViews bounds the choices of frames for the groups of a predicate.
	mostViews = 8
	// shapeLimit bounds the query for one shape of a refutation, shapeSteps its steps.
	shapeLimit = 5 * time.Second
	shapeSteps = 2000
)
