// Package witness holds the two witnesses of a verdict on Horn clauses, their independent checkers and their printers.
//
// A [Model] witnesses sat: it interprets every predicate, and [CheckModel] proves each clause valid under it in solver
// contexts of its own. A [Refutation] witnesses unsat: it is a DAG of ground clause instances down to a query, and
// [CheckRefutation] evaluates it with exact arithmetic and no solver.
//
// # Text
//
// [PrintModel] writes one define-fun for each predicate, in declaration order, in one pair of parentheses:
//
//	(
//	(define-fun inv ((x Int) (y Int)) Bool (<= x y))
//	)
//
// A body may have quantifiers; universal ones over the indices of arrays are annotated with patterns:
//
//	(define-fun inv ((a (Array Int Int)) (n Int)) Bool (forall ((k Int)) (! (or (<= n k) (= (select a k) 0)) :pattern ((select a k)))))
//
// The functions that the model defines stand before them, each as a define-fun-rec, or together in a define-funs-rec when
// they apply each other. A lemma about them is a comment, which other tools pass over: a line that begins with
// "; lemma: " and goes on in the lines after it that begin with ";| ". Its first variable is that of the induction by
// which it is proved.
//
//	(define-fun-rec length ((x List)) Int (ite (= x nil) 0 (+ 1 (length (tail x)))))
//	; lemma: (forall ((x List)) (>= (length x) 0))
//
// [PrintRefutation] writes one line for each step. The clause is an index into System.Clauses (from 0), values name the
// clause's variables, premises are numbers of earlier steps, one for each atom of the clause's body in its order, and
// the last step is an instance of a query. A variable that shares its name with one of another sort in the same clause
// is written with its sort, as in (x Int 5).
//
//	(refutation
//	  (step 0 (clause 0) (values (x 5) (y (- 1))) (premises))
//	  (step 1 (clause 3) (values (x 5)) (premises 0))
//	)
//
// A step that repeats others has no clause of its own. The first of its premises is the step whose fact the first round starts from;
// the others are the same in all rounds. The steps of the round name, as premises, 0 for the fact that the round before derived,
// the numbers below that of the step's premises for these, and the numbers from there on for the earlier steps of the round. What
// is added to a value from round to round follows it. Here (inv 5 3) is derived, and then inv with 5 and 2^256 + 3:
//
//	(step 0 (clause 0) (values (x 5) (y 3)) (premises))
//	(step 1 (repeat 115792089237316195423570985008687907853269984665640564039457584007913129639936) (premises 0) (round
//	  (step 0 (clause 1) (values (x 5) (y 3 (by 1))) (premises 0))))
//
// # JSON
//
// [ModelJSON] returns the document of a model, and [RefutationJSON] that of a refutation. Terms, sorts and values are
// strings in SMT-LIB, names are unquoted.
//
//	{
//	  "kind": "model",
//	  "predicates": [                      one for each predicate, in declaration order
//	    {"name": "inv",
//	     "parameters": [{"name": "x", "sort": "Int"}, {"name": "y", "sort": "Int"}],
//	     "body": "(<= x y)"}
//	  ],
//	  "definitions": [                     absent when there are none
//	    {"name": "length",
//	     "parameters": [{"name": "x", "sort": "List"}],
//	     "sort": "Int",
//	     "body": "(ite (= x nil) 0 (+ 1 (length (tail x))))"}
//	  ],
//	  "lemmas": [                          absent when there are none
//	    {"variables": [{"name": "x", "sort": "List"}],   the first one is that of the induction
//	     "body": "(>= (length x) 0)"}
//	  ]
//	}
//
//	{
//	  "kind": "refutation",
//	  "steps": [                           in order: premises come before the steps that use them
//	    {"step": 0,
//	     "clause": 3,                      index into the clauses, from 0
//	     "name": "loop",                   the clause's name in the source; absent when it has none
//	     "file": "a.smt2", "line": 7, "column": 1,   absent when unknown
//	     "values": [{"name": "x", "sort": "Int", "value": "(- 1)"}],   in a round with "increment" where it changes
//	     "premises": [],                   step numbers, one for each atom of the body
//	     "head": {"predicate": "inv", "arguments": ["5", "(- 1)"]}},  absent in the last step, a query
//	    {"step": 1,
//	     "clause": -1,                     a step that repeats others
//	     "values": [],
//	     "premises": [0],                  the fact that the first round starts from, then those that are the same in all
//	     "head": ...,                      what the last round derives
//	     "repeat": "1000000",              how many rounds there are
//	     "round": [...]}                   the steps of a round; its premises are numbered as in the text
//	  ]
//	}
package witness
