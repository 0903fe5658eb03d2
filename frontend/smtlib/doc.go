// Package smtlib reads constrained Horn clauses in SMT-LIB, and the witnesses that solvers print for them.
//
// Read takes both dialects: CHC-COMP's (declare-fun of Boolean range, assert) and Z3's rule files (declare-rel,
// declare-var, rule, query). Asserted formulas need not be clauses already: disjunctions, negated existentials, nested
// implications, equivalences and if-then-else over predicates become Horn clauses whenever their clauses are Horn.
// Whatever is wrong gets an Error with file, line and column; what is legal but beyond the reader gets one that wraps
// ErrUnsupported.
//
// A script stands for one system of clauses, with all its rules and queries together. In a rule file `(query P)` adds
// the clause "P implies false". Z3 answers such a query sat when P is reachable; here the verdict is always about the
// clauses, which have no model then: unsat.
//
// SyGuS's commands for invariants are read as clauses, too. Embedded reads the sorts, terms and declarations of languages that have
// commands of their own.
//
// ReadModel takes the models that z3, golem, eldarica and Hornbeam print, ReadRefutation Hornbeam's refutations.
//
// One pool should hold one script: the names of the variables of a split clause can depend on the terms that are in
// the pool before.
package smtlib
