// Package unfold decides clauses without recursion by one query: the formula of all derivations that chc/unfold makes of them, asked of
// Z3's tactics. It is what a bounded model checker does with a program whose loops are written out.
package unfold
