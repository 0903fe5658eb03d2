// Package mbp under-approximates existential quantification, guided by a model. ImplicantOf picks, from formulas that an
// assignment makes true, a cube of literals that implies them; Projector removes variables from such a cube so that the
// result is still true under the assignment and implies the existential. One formula has finitely many projections
// unless a model value had to be substituted, which is the last resort and is counted. Bool, linear integer arithmetic
// (with divisibility, div and mod), linear real arithmetic, arrays, datatypes and bit-vectors are eliminated by rules of
// their own, a file or a few a theory; variables in any other context are replaced by a term of the same value or by
// their value. ReduceSelects rewrites reads of stores as the model has it, without eliminating anything.
package mbp
