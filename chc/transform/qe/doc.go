// Package qe eliminates existentially quantified variables exactly and without a solver, where that is cheap.
package qe
