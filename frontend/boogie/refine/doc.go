// Package refine makes an encoded Boogie program a frontend.Attempt: it returns the program's clauses and replays
// refutations of them on the program. Where a refutation is no run of the program, since the clauses allow more than the program,
// the next round goes on without the place where the run seems to fail: another one may be a bug.
package refine
