// Package catamorphism decides Horn clauses over recursive datatypes by replacing each datatype argument by integers that
// are computed from it by structural folds (catamorphisms): the length of a list, the sum of its elements, whether it is
// empty. The clauses over these integers over-approximate the source, so a model of them is one of the source, with one
// recursive function for each fold that it uses. A refutation of them is tried on the real datatypes; when it does not
// hold there, folds are added that refute it, and the loop begins again (counterexample-guided refinement).
//
// What no integers tell, such as that a predicate has one result for each input, is proved beside that by reading
// predicates as the recursive functions that their clauses define, and by induction (package induction).
//
//	engine.go      the engine, and in options.go its settings
//	shape.go       which datatypes are recursive, and in which order they build on each other
//	component.go   a component: one integer of a datatype, by its constructors; an encoding: the components in use
//	fold.go        the library of folds that encodings are made from
//	image.go       what holds of the components of every value, by induction
//	abstract.go    formulas over datatypes to formulas over components, weaker or equal
//	system.go      the same for whole systems of clauses
//	tree.go        a refutation of the integer clauses on the real datatypes
//	refine.go      folds that refute spurious trees
//	model.go       the model of the source: recursive functions and lemmas
//	template.go    invariants of the clauses over components, found among templates
//	loop.go        the loop
package catamorphism
