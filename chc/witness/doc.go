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
//	     "values": [{"name": "x", "sort": "Int", "value": "(- 1)"}],
//	     "premises": [],                   step numbers, one for each atom of the body
//	     "head": {"predicate": "inv", "arguments": ["5", "(- 1)"]}}   absent in the last step, a query
//	  ]
//	}
package witness
