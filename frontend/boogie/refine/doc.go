// Package refine is a Boogie program as package verify sees it: an attempt that hands out the program's clauses and repeats
// refutations of them on the program. Where a refutation is no run of the program, since the clauses allow more than the program,
// the next round goes on without the place where the run seems to fail: another one may be a bug.
package refine
