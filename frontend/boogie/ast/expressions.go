package ast

import (
	"fmt"
	"math/big"

	"hornbeam/chc"
)

// Expr is an expression: one of the pointer types of this file.
type Expr interface {
	// At is where the expression begins, or for a binary operator where the operator stands.
	At() chc.Position
	// TypeOf is the expression's type, which Check sets; nil before that, and for StringLiteral.
	TypeOf() Type
	isExpr()
}

// Node is what all expressions have.
type Node struct {
	Pos  chc.Position
	Type Type
}

// At is where the expression begins, or for a binary operator where the operator stands.
func (n *Node) At() chc.Position { return n.Pos }

// TypeOf is the expression's type, nil before boogie.Check.
func (n *Node) TypeOf() Type { return n.Type }

func (n *Node) isExpr() {}

func (n *Node) node() *Node { return n }

// SetType sets the type of an expression, as boogie.Check does.
func SetType(e Expr, t Type) { e.(interface{ node() *Node }).node().Type = t }

// BoolLiteral is true or false.
type BoolLiteral struct {
	Node
	Value bool
}

// IntLiteral is a natural number.
type IntLiteral struct {
	Node
	Value *big.Int
}

// RealLiteral is a decimal fraction: `1.5`, `2e3`, `0.1e-4`. Text is the source's spelling of Value.
type RealLiteral struct {
	Node
	Value *big.Rat
	Text  string
}

// BitVectorLiteral is `ValuebvWidth`, where 0 <= Value < 2^Width: surplus high bits of the source's number are dropped.
type BitVectorLiteral struct {
	Node
	Value *big.Int
	Width int
}

// StringLiteral is `"Text"`, an argument of an attribute. Nothing in Text is escaped except that a quotation mark has a
// backslash before it, as in the source.
type StringLiteral struct {
	Node
	Text string
}

// Identifier is a variable or a constant.
type Identifier struct {
	Node
	Name string
	Decl *Variable
}

// Application is `Name(Args)`.
type Application struct {
	Node
	Name     string
	Args     []Expr
	Function *Function
	// TypeArguments has a type for each of Function.TypeParams.
	TypeArguments []Type
}

// UnaryOp is an operator of one argument.
type UnaryOp uint8

// The unary operators.
const (
	Not    UnaryOp = iota // !x
	Negate                // -x, of integers and reals
	ToInt                 // int(x), the floor of a real
	ToReal                // real(x)
)

// Unary is an operator applied to one argument.
type Unary struct {
	Node
	Op UnaryOp
	X  Expr
}

// BinaryOp is an operator of two arguments.
type BinaryOp uint8

// The binary operators.
const (
	Iff          BinaryOp = iota // <==>
	Implies                      // ==>
	Explies                      // <==: the right side implies the left one
	And                          // &&
	Or                           // ||
	Eq                           // ==
	Neq                          // !=
	Less                         // <
	Greater                      // >
	LessEq                       // <=
	GreaterEq                    // >=
	PartialOrder                 // <:, of the old order on constants
	Concat                       // ++ of bit-vectors; the left argument has the high bits
	Add                          // +
	Sub                          // -
	Mul                          // *
	Div                          // div, Euclidean (in Ultimate's dialect also / of integers, once the types are known)
	Mod                          // mod, Euclidean (in Ultimate's dialect %)
	RealDiv                      // /, of integers or reals in any mixture; the result is real
	Power                        // ** of reals
)

// binaryTexts are the operators as the source writes them.
var binaryTexts = [...]string{
	Iff: "<==>", Implies: "==>", Explies: "<==", And: "&&", Or: "||", Eq: "==", Neq: "!=", Less: "<", Greater: ">",
	LessEq: "<=", GreaterEq: ">=", PartialOrder: "<:", Concat: "++", Add: "+", Sub: "-", Mul: "*", Div: "div", Mod: "mod",
	RealDiv: "/", Power: "**",
}

// String is the operator as the source writes it.
func (op BinaryOp) String() string { return binaryTexts[op] }

// Binary is an operator applied to two arguments.
type Binary struct {
	Node
	Op   BinaryOp
	X, Y Expr
}

// Select is `Map[Index]`.
type Select struct {
	Node
	Map   Expr
	Index []Expr
	// TypeArguments has a type for each of the map type's Params.
	TypeArguments []Type
}

// Store is `Map[Index := Value]`: the map with one entry changed.
type Store struct {
	Node
	Map   Expr
	Index []Expr
	Value Expr
	// TypeArguments has a type for each of the map type's Params.
	TypeArguments []Type
}

// Extract is `X[High:Low]`: the bits High-1 … Low of a bit-vector, High-Low of them.
type Extract struct {
	Node
	X         Expr
	High, Low int
}

// IfThenElse is `if Cond then Then else Else`.
type IfThenElse struct {
	Node
	Cond, Then, Else Expr
}

// Old is `old(X)`: X with the globals as they were when the procedure was entered. Inside another Old it changes nothing.
type Old struct {
	Node
	X Expr
}

// Coercion is `X : Syntax`, which says X's type and converts nothing.
type Coercion struct {
	Node
	X      Expr
	Syntax TypeSyntax
}

// Is is `X is Name`: whether X was made by that constructor of its datatype.
type Is struct {
	Node
	X           Expr
	Name        string
	Constructor *Function
}

// Field is `X->Name`, a field of a datatype's value (arbitrary when X's constructor has no such field), or `X!Name`, a
// field of a Record.
type Field struct {
	Node
	X      Expr
	Name   string
	Record bool
}

// FieldUpdate is `X->(Name := Value)`: X with one field changed (arbitrary when X's constructor has no such field). With
// Record it stands for the new value of a Record when Value of an Assign asks for one; the source has no way to write that.
type FieldUpdate struct {
	Node
	X      Expr
	Name   string
	Value  Expr
	Record bool
}

// RecordLiteral is `{ Names[0]: Values[0], … }`.
type RecordLiteral struct {
	Node
	Names  []string
	Values []Expr
}

// Quantifier is `(forall<TypeParams> Bound :: Triggers Body)` or the same with exists.
type Quantifier struct {
	Node
	Exists     bool
	TypeParams []*TypeVariable
	Bound      []*Variable
	Attributes Attributes
	Triggers   []*Trigger
	Body       Expr
}

// Trigger is `{Terms}`, a hint on how to instantiate a quantifier, or `{:nopats Terms[0]}`, a term that must not be a trigger.
type Trigger struct {
	Pos     chc.Position
	Exclude bool
	Terms   []Expr
}

// Lambda is `(lambda<TypeParams> Bound :: Body)`, the map from the bound variables to the body.
type Lambda struct {
	Node
	TypeParams []*TypeVariable
	Bound      []*Variable
	Attributes Attributes
	Body       Expr
}

// Let is `(var Bound := Values; Body)`. The values don't see the bound variables.
type Let struct {
	Node
	Bound      []*Variable
	Values     []Expr
	Attributes Attributes
	Body       Expr
}

// CodeExpr is `|{ Locals Body }|`: its value is what a run of the body returns. Every path ends in a Return with a
// Value; the body starts with a label and has only labels, gotos, returns, assignments, havocs, asserts, assumes and calls.
type CodeExpr struct {
	Node
	Body *Body
}

// UnpackedField stands for the name of a constructor's i-th field in a tree that was not checked yet; n is how many fields the
// source expects it to have. Check puts the name in its place.
func UnpackedField(constructor string, i, n int) string {
	return fmt.Sprintf("%s %d %d", constructor, i, n)
}
