// Package turns computes in one go what many turns of a loop do whose turns are all alike.
//
// A turn is executed on values that are affine forms c + c1 k1 + c2 k2 + ... in the numbers of the turns of the loops around: where the
// variables differ by constants between two turns, turn k begins with x + k d. What is executed goes the way that it goes for k = 0, and
// each decision on the way, and each value that must be within the range of its type for what wraps around to do so as often, becomes an
// inequality in the numbers. If the turn ends with x + (k+1) d, it does so for all k for which the inequalities hold. As these are
// affine, they hold for all numbers from 0 up to the least bound, and the loop is at x + n d after n turns.
//
// In loops inside of loops n is itself an affine form in the numbers of the outer loops: the other inequalities then have to hold
// at its last turn, which is an inequality in the outer numbers. So the outer loop's turns are alike if their inner loops are left for
// the same reasons, whatever the number of inner turns is.
//
// All is exact: nothing is concluded about what is not affine, or does not fit, and fewer turns are taken where a bound is not exact.
//
//	affine.go    affine forms, and arithmetic that ends where it would overflow
//	program.go   what is executed, and the states that it begins and ends with
//	turns.go     turns of loops inside of loops, and how many are alike
//	memory.go    what is read from memory
//	execute.go   instructions
//	evaluate.go  expressions
//	operators.go operations on affine forms
package turns
