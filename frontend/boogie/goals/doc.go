// Package goals asks about the places of a Boogie program one by one: which assertions, invariants, contracts and calls of
// error procedures may fail, or which procedures and branches runs reach.
//
// What is asked about is what the tree checks: a goal that is not asked about ends a run that violates it, as an assumption
// does, and one of coverage lets runs pass.
package goals
