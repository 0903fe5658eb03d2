// Package calltree shows a refutation to its reader: the query that fails, and below it the tree of calls that lead
// there, each with the values of its arguments and the place of the clause that was used.
//
//	tree.go    the tree: a refutation with argument names, and with what is to be shown of each step
//	names.go   names for the arguments of predicates whose source gives them none
//	layout.go  the lines of the tree: chains, folds, references to steps that are shown elsewhere
//	text.go    the layout as text
//	value.go   values as text for readers: [0: 5, else 0], cons(1, nil), -3/2
//	json.go    the whole tree as a document
//
// # Text
//
//	query counter.smt2:6:1 fails
//	  with x = 60 such that (>= x 60)
//	- #61 loop(x = 60) at counter.smt2:5:1
//	  #60 loop(x = 59) at counter.smt2:5:1
//	      …
//	  #1  loop(x = 0) at counter.smt2:4:1
//
// A line that begins with a hyphen is a call that the line above it, less indented, needs. What follows from one call
// only is not indented but numbered, so that the turns of a loop and the levels of a linear recursion stand below each
// other; the numbers count from where the chain begins. Of the uses of one clause in a chain the first three and the last
// three are shown. A call that is needed at several places is shown at one of them, with a number in brackets, which the
// others refer to.
package calltree
