package svlib

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/smtlib"
)

// Script is what a source says.
type Script struct {
	// File is what positions call the source.
	File string
	Pool *term.Pool
	// Symbols are the constants and functions without a meaning, Axioms what is asserted about these.
	Symbols    []smtlib.Symbol
	Axioms     []Axiom
	Globals    []*Variable
	Procedures []*Procedure
	Calls      []*VerifyCall

	reader *smtlib.Embedded
	// states are what (at x tag) and old stand for, by the variables of terms.
	states map[*term.Term]*state
	// tagged are the statements with a tag, in the script's order.
	tagged map[string][]*Statement
}

// Axiom is what an assert says.
type Axiom struct {
	Pos     chc.Position
	Formula *term.Term
}

// VerifyCall is a verify-call, with how much of the script is before it.
type VerifyCall struct {
	Pos       chc.Position
	Index     int
	Procedure *Procedure
	Args      []*term.Term
	// Symbols, Axioms and Globals count what was declared before.
	Symbols, Axioms, Globals int
	// Trace is the select-trace before it, nil for none.
	Trace *Trace
	// Witness says that a get-witness follows.
	Witness bool

	// start is the offset in the source.
	start int
}

// Kind says where a variable is declared.
type Kind uint8

// The kinds of variables.
const (
	Global Kind = iota
	Input
	Output
	Local
)

// Variable is a program variable.
type Variable struct {
	Pos  chc.Position
	Kind Kind
	Name string
	// Term stands for it in terms.
	Term *term.Term
}

// Procedure is a define-proc.
type Procedure struct {
	Pos             chc.Position
	Name            string
	In, Out, Locals []*Variable
	Body            *Statement

	variables map[string]*Variable
	labels    map[string]bool
}

// Operation says what a statement does.
type Operation uint8

// The statements.
const (
	Assume Operation = iota
	Assign
	Sequence
	Call
	Return
	LabelHere
	Goto
	If
	While
	Break
	Continue
	Havoc
	Choice
)

// Statement is a statement, annotated or not.
type Statement struct {
	Pos chc.Position
	// Text is the statement in the source, on one line; of one with others in it the beginning.
	Text string
	// Place is where it stands in the script, as line:column, also where the script is read together with a witness.
	Place     string
	Operation Operation
	Procedure *Procedure
	// Condition is that of an assume, if or while.
	Condition *term.Term
	// Targets are the variables that are assigned or havocked, or receive what a call returns, Values what they get or the
	// arguments of the call.
	Targets []*Variable
	Values  []*term.Term
	Callee  *Procedure
	Label   string
	// Body has the parts of a sequence or choice, the branches of an if, the body of a while.
	Body []*Statement
	Tags []string
	// Properties are those inline and those of annotate-tag.
	Properties []Property
}

// Property is an attribute that says what holds at a statement.
type Property struct {
	Pos chc.Position
	// Attribute is the keyword, such as :check-true.
	Attribute string
	// Formula is nil for attributes without one.
	Formula *term.Term
	// Tag is the one by which annotate-tag gave it; empty for an inline property.
	Tag string
	// Since is the index of the first verify-call that it counts for. One of a witness counts for that call alone.
	Since   int
	Witness bool
	// Text is the attribute's value in the source.
	Text string
}

// state is what a variable stands for that is a value of another one, at an earlier place.
type state struct {
	variable *Variable
	// at is the statement at whose beginning it is; nil for the beginning of the procedure.
	at *Statement
}
