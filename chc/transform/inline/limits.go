package inline

import "time"

// The limits and thresholds of the heuristics of this package, which keep its work near to linear. None of them is needed for
// soundness.
const (
	// coreRounds bounds how often a core is minimised again by asking with the core alone.
	coreRounds = 3
	// maxCoreChecks bounds the parts of one interpretation that are made smaller on their own.
	maxCoreChecks = 12
	// coreTime bounds each of these checks, which only make an interpretation smaller.
	coreTime = 500 * time.Millisecond
	// tooLarge is the size from which on something smaller is looked for though there is a formula.
	tooLarge = 300
	// shortTime bounds an elimination or interpolation that there is an alternative to, and longTime one that there is
	// none to but a quantifier.
	shortTime, longTime = 400 * time.Millisecond, 3 * time.Second
	// optionalTime bounds what one translation of a model spends on making interpretations smaller that are too large.
	optionalTime = time.Second
	// interpolationRounds bounds the cubes of each elimination and interpolation.
	interpolationRounds = 100
	// smallEnough is the size up to which an interpretation is taken as it is.
	smallEnough = 40
)
