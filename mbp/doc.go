// Package mbp under-approximates existential quantification, guided by a model. Implicant picks, from formulas that an
// assignment makes true, a cube of literals that implies them; Projector removes variables from such a cube so that the
// result is still true under the assignment and implies the existential. One formula has finitely many projections
// unless a model value had to be substituted, which is the last resort and is counted. Bool, linear integer arithmetic
// (with divisibility, div and mod) and linear real arithmetic are eliminated by rules of their own, a file a theory;
// variables in any other context are replaced by a term of the same value or by their value.
package mbp
