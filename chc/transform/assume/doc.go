// Package assume has the pass "assume-safe": in the bodies of rules the queries are taken not to be violated yet, as the inductive
// step of k-induction assumes the property of the k states before (Beyer, Dangl and Wendler, "A Unifying View on SMT-Based
// Software Verification"). With it an engine that unrolls clauses from the queries on proves what is k-inductive.
package assume
