// Package term holds Hornbeam's sorts, exact numbers and hash-consed terms over Bool, Int, Real, arrays, datatypes,
// bit-vectors, uninterpreted sorts and functions, and quantifiers.
//
// A Pool owns terms and may be used by many goroutines at once. Terms are immutable and interned: two terms of a pool
// are equal exactly when their pointers are. The pool's constructors simplify and normalise, so that an atom and its
// negation share one term; the package also has linear forms, simultaneous substitution, evaluation under a partial
// assignment, and SMT-LIB printing that re-reads to the same term. Semantics are SMT-LIB's; division by zero is left
// uninterpreted.
package term
