// Package z3 binds the system's libz3 (4.8.12 or later). It is the only package that sees a C type.
//
// Terms cross the border as a flat program that one C call turns into Z3's nodes, and models and proofs come back as flat
// arrays written by one C call; each context remembers the node of every term that it has met. Contexts, solvers and
// nodes are released by Close and by nothing else.
package z3
