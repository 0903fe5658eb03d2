package encode

import (
	"hornbeam/chc"
	"hornbeam/chc/ledger"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
)

// Meaning is what a predicate stands for.
type Meaning struct {
	Kind      MeaningKind
	Procedure *ast.Procedure
	// Graph and Block are those of a cut point.
	Graph *flow.Graph
	Block *flow.Block
	// Arguments says what each argument is.
	Arguments []Argument
}

// MeaningKind says which sort of predicate one is.
type MeaningKind uint8

// The kinds of predicates.
const (
	// Summary relates a procedure's inputs to its outputs.
	Summary MeaningKind = iota
	// Failure holds of what goes into a procedure when a run from there may fail.
	Failure
	// Point holds of what a run may have at a block, together with what went into the procedure.
	Point
)

// Argument is one argument of a predicate.
type Argument struct {
	When When
	// Variable is the variable or constant; for a function that became a map it is nil, and Function says which.
	Variable *ast.Variable
	Function *ast.Function
}

// When says at which time an argument is a variable's value.
type When uint8

// The times.
const (
	// Always is said of constants and functions.
	Always When = iota
	// AtEntry is when the procedure was entered.
	AtEntry
	// Now is at the block, or for a summary at the exit.
	Now
)

// Segment is the part of a body that a clause stands for: the runs from one cut point to another one, or to a command
// that fails.
type Segment struct {
	Graph *flow.Graph
	// Places has the blocks on the runs, that where they begin first, those before others first.
	Places []*Place
	// Last is where the runs end: at a place's beginning, when the clause derives the cut point To, or within it.
	Last *Place
	// To is the block that the runs reach, nil when they fail.
	To *flow.Block
	// Before is the number of commands of Last's block that are done when the runs end in it.
	Before int
	// Callee is the procedure in which the run fails, in the call that is the next command; nil otherwise.
	Callee *ast.Procedure
	// Contract is the clause of a contract that fails; an assertion that is or guards a candidate has one made for it.
	Contract *ast.Specification
}

// Place is a block on the runs of a segment.
type Place struct {
	Block *flow.Block
	// Ways are the edges by which it is reached; none for the first.
	Ways []*Way
	// Values has the terms that a havoc, a call or an entry gave variables at a command, by the command; a call's also
	// the clause's body atom.
	Values map[*flow.Command]*Chosen
}

// Way is an edge to a place.
type Way struct {
	From *Place
	// Condition is true when a run takes the edge, and of variables that are fresh at the place it says which value they
	// get.
	Condition *term.Term
}

// Chosen is what a command left to chance, or to a callee.
type Chosen struct {
	Variables []*ast.Variable
	Terms     []*term.Term
	// Atom is the index of the callee's summary among the body atoms, -1 if there is none.
	Atom int
}

// Encoding is a program as clauses.
type Encoding struct {
	System  *chc.System
	Program *ast.Program
	// Origins has, where loops became procedures, for the statements of Program that are not those of the program that was
	// encoded what they do the same as there.
	Origins map[ast.Stmt]ast.Stmt
	// Assumptions are what a verdict on the program takes for granted, Obligations what can fail in it.
	Assumptions ledger.Ledger
	Obligations Obligations
	// Entries are the procedures that runs begin with.
	Entries []*ast.Procedure
	// Roots are those of them that runs begin with, and with Options.Everywhere those that nobody calls: nothing is checked
	// that they require.
	Roots []*ast.Procedure
	// Meanings and Segments say what predicates and clauses stand for; Queries which procedure a query is about.
	Meanings map[*chc.Predicate]*Meaning
	Segments map[*chc.Clause]*Segment
	Queries  map[*chc.Clause]*ast.Procedure
	// Starts says what runs begin with, by the query.
	Starts map[*chc.Clause]*Start
	// Symbols are the variables that stand for constants and functions, with the number of the function's parameters: they
	// have one value in all clauses.
	Symbols map[*term.Term]int
	// Universals are, with Options.Native, the assumptions about all values that belong to a clause.
	Universals map[*chc.Clause][]Universal
	// Candidates are formulas without quantifiers over witness.CanonicalParams, which the program suggests for an inference
	// by what is marked {:candidate} or guarded by existential constants. None need hold. There are none with
	// Options.Modular.
	Candidates map[*chc.Predicate][]*term.Term
	// Instance is what stands for a function with type parameters at types; nil when nothing does.
	Instance func(g *ast.Function, types []ast.Type) *ast.Function
	// Instances are the choices of types at which a polymorphic map type is used, in the order in which the values of its
	// sort have maps for them; after these comes a number that stands for the rest of the map.
	Instances func(*ast.Map) [][]ast.Type
}

// Universal says that Guard implies Body for all values of Variables. Patterns are those that the program asks for: an
// instance is to be made where the terms of one of them occur. Where it asks for none, any will do.
type Universal struct {
	Guard     *term.Term
	Variables []*term.Term
	Body      *term.Term
	Patterns  [][]*term.Term
	// Always says that it is an axiom, or defines a symbol that occurs nowhere else, so that it may be assumed anywhere.
	Always bool
}

// Start is what a run begins with, as terms over the variables of a query.
type Start struct {
	// Variables are the globals, the entry's parameters and constants.
	Variables map[*ast.Variable]*term.Term
	// Functions are those that became maps, ByZero what div, mod and / by zero are.
	Functions map[*ast.Function]*term.Term
	ByZero    map[ast.BinaryOp]*term.Term
}

// ByZero reports whether the argument's function stands for what an operator yields when the divisor is zero, and for
// which operator.
func (a Argument) ByZero() (ast.BinaryOp, bool) {
	op, ok := byZeroOperators[a.Function]
	return op, ok
}
