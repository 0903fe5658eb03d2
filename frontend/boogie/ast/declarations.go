package ast

import "hornbeam/chc"

// Dialect says whose Boogie a program is written in.
type Dialect uint8

// The dialects.
const (
	// Boogie is Boogie 2's own language.
	Boogie Dialect = iota
	// Ultimate is Ultimate Automizer's: / of integers is integer division and % the remainder.
	Ultimate
)

// Program is a Boogie program: one file, or several in a row.
type Program struct {
	Dialect Dialect
	// Declarations has everything that is declared, in the source's order. A declaration of several names is several.
	Declarations []Declaration

	// The declarations that count, by kind, in the source's order; Check sets these. What an {:extern} or {:ignore}
	// takes out of the program is not among them.
	Types           []*TypeDecl
	Constants       []*Variable
	Globals         []*Variable
	Functions       []*Function
	Axioms          []*Axiom
	Procedures      []*Procedure
	Implementations []*Implementation
	// Approximated has what a lenient check replaced by something with more behaviours, in the order in which it was
	// found: with any, the tree's runs include the program's, so that a proof holds for the program but a bug need not.
	Approximated []Approximation
}

// Approximation is a place where a tree has more behaviours than the source.
type Approximation struct {
	Pos  chc.Position
	What string
}

// Declaration is a *TypeDecl, a *Variable that is a constant or global, a *Function, an *Axiom, a *Procedure or an
// *Implementation.
type Declaration interface {
	// At is where the declared name stands (an axiom: where it begins).
	At() chc.Position
	isDeclaration()
}

// TypeDecl is `type Name Params;`, an uninterpreted type, or `type Name Params = Synonym;`, or a datatype:
// `datatype Name<Params> { Constructors }`.
type TypeDecl struct {
	Pos        chc.Position
	Attributes Attributes
	Name       string
	Params     []*TypeVariable
	Synonym    TypeSyntax // nil for an uninterpreted type or a datatype
	// Meaning is what Synonym means, with Params free in it.
	Meaning Type
	// Constructors has the constructors of a datatype; other types have none. The parameters of each are its fields, all
	// with names, and a field that several constructors have has the same type in each.
	Constructors []*Function
	// Bounded says of an uninterpreted type that the program has a formula that may bound how many values there are (see
	// BoundsAnywhere); set by Check.
	Bounded bool
}

// VariableKind says where a variable is declared, and with that what may be done with it.
type VariableKind uint8

// The kinds of variables.
const (
	Constant VariableKind = iota
	Global
	Local
	In    // parameter of a function, procedure or implementation
	Out   // result of a procedure or implementation
	Bound // by a quantifier, lambda or let
)

// Variable is a constant, a variable or a parameter. The pointer is its identity.
type Variable struct {
	Pos        chc.Position
	Kind       VariableKind
	Attributes Attributes
	Name       string     // empty for a function's parameter without a name
	Syntax     TypeSyntax // nil for variables bound by let
	Type       Type       // set by Check
	// Where is the where clause or nil. It is assumed at entry, after havoc, and after calls of procedures without a body.
	Where Expr

	// Unique says that a constant differs from all other unique constants of its type.
	Unique bool
	// Ordered says that a constant has an `extends` (or `<:`) clause, with Parents the constants in it; Complete that
	// the clause ends in `complete`. Only PartialOrder depends on these.
	Ordered, Complete bool
	Parents           []*Parent
}

// Parent is a constant directly above another one in the partial order.
type Parent struct {
	Unique   bool
	Constant *Identifier
}

// Function is `function Name<TypeParams>(Params) returns (Result) { Body }`.
type Function struct {
	Pos        chc.Position
	Attributes Attributes
	Name       string
	TypeParams []*TypeVariable
	Params     []*Variable
	Result     *Variable
	Body       Expr // nil when there is none
	// Datatype is the type whose constructor this is, or nil. Constructors are not among Program.Functions; their type
	// parameters are the datatype's.
	Datatype *TypeDecl
}

// Axiom is `axiom Cond;`.
type Axiom struct {
	Pos        chc.Position
	Attributes Attributes
	Cond       Expr
}

// Specification is a requires, an ensures or a loop invariant.
type Specification struct {
	Pos        chc.Position
	Free       bool
	Attributes Attributes
	Cond       Expr
}

// Procedure is `procedure Name<TypeParams>(In) returns (Out)` with its contract, and possibly a body.
type Procedure struct {
	Pos        chc.Position
	Attributes Attributes
	Pure       bool
	Name       string
	TypeParams []*TypeVariable
	In, Out    []*Variable
	Modifies   []*Identifier // as written
	Requires   []*Specification
	Ensures    []*Specification
	Body       *Body // nil when there is none here

	// Implementations has all bodies, set by Check: the procedure's own as an Implementation with the procedure's
	// parameters (the same pointers), then the separate ones. A call may run any of them; when there is none it does
	// what the contract says.
	Implementations []*Implementation
	// Frame has the globals that a call may change, in the order of Program.Globals, set by Check: those that Modifies
	// names and, unless checked strictly, those that the bodies change, with all that they call.
	Frame []*Variable
	// LoopOf is, for a procedure that was made of a loop, the procedure in which the loop is in the source; nil for others.
	LoopOf *Procedure
}

// Implementation is a body for a procedure.
type Implementation struct {
	Pos        chc.Position
	Attributes Attributes
	Name       string
	TypeParams []*TypeVariable
	In, Out    []*Variable
	Body       *Body
	Procedure  *Procedure
	// TypeArguments has for each of Procedure.TypeParams the type parameter of the implementation that stands for it.
	TypeArguments []Type
}

func (d *TypeDecl) At() chc.Position       { return d.Pos }
func (d *Variable) At() chc.Position       { return d.Pos }
func (d *Function) At() chc.Position       { return d.Pos }
func (d *Axiom) At() chc.Position          { return d.Pos }
func (d *Procedure) At() chc.Position      { return d.Pos }
func (d *Implementation) At() chc.Position { return d.Pos }

func (*TypeDecl) isDeclaration()       {}
func (*Variable) isDeclaration()       {}
func (*Function) isDeclaration()       {}
func (*Axiom) isDeclaration()          {}
func (*Procedure) isDeclaration()      {}
func (*Implementation) isDeclaration() {}
