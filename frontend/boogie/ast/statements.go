package ast

import "hornbeam/chc"

// Stmt is a statement: *Label, *Assert, *Assume, *Havoc, *Assign, *Call, *If, *While, *Break, *Goto or *Return.
// Statements run one after the other; what follows a goto, return or break without a label is never reached, and falling
// off the end of a body returns.
type Stmt interface {
	// At is where the statement begins.
	At() chc.Position
	isStmt()
}

// Body is the locals and statements of a procedure, an implementation or a code expression.
type Body struct {
	Pos, End chc.Position // of the two braces
	Locals   []*Variable
	Stmts    []Stmt
}

// Label is `Name:`, a place that gotos jump to. It is a statement of its own before the labelled one, possibly at
// the end of a list of statements. Labels are unique in a body.
type Label struct {
	Pos  chc.Position
	Name string
}

// Assert is `assert Cond;`.
type Assert struct {
	Pos        chc.Position
	Attributes Attributes
	Cond       Expr
}

// Assume is `assume Cond;`.
type Assume struct {
	Pos        chc.Position
	Attributes Attributes
	Cond       Expr
}

// Havoc is `havoc Variables;`: first all of them get arbitrary values, then their where clauses are assumed.
type Havoc struct {
	Pos       chc.Position
	Variables []*Identifier
}

// Assign is `Left := Right;`, all at once. A left side is an *Identifier, or a *Select whose Map or a *Field whose X
// is a left side again; no variable is assigned twice. Value tells what a variable gets.
type Assign struct {
	Pos   chc.Position // of the first left side
	Left  []Expr
	Right []Expr
}

// Call is `call Results := Name(Args);`. A nil result is `*`, which throws the value away; a nil argument is `*`, an
// arbitrary value (that the where clause of the parameter, if any, holds for).
type Call struct {
	Pos        chc.Position
	Attributes Attributes
	Free       bool // `free call`: the callee's requires are not checked
	Results    []*Identifier
	Name       string
	Args       []Expr
	Procedure  *Procedure
	// TypeArguments has a type for each of Procedure.TypeParams.
	TypeArguments []Type
}

// If is `if (Guard) { Then } else { Else }`. A nil Guard is `*`. Else is nil when there is none; `else if` is an Else of
// one If.
type If struct {
	Pos        chc.Position
	Attributes Attributes
	Guard      Expr
	Then       []Stmt
	Else       []Stmt
}

// While is `while (Guard) Invariants { Body }`. A nil Guard is `*`.
type While struct {
	Pos        chc.Position
	Guard      Expr
	Invariants []*Specification
	Body       []Stmt
}

// Break is `break;` or `break Label;`. Target, which Check sets, is the *While that it leaves, or the *While or *If that
// is so labelled: the run goes on with what follows Target.
type Break struct {
	Pos    chc.Position
	Label  string // empty when there is none
	Target Stmt
}

// Goto is `goto Labels;`: any one of them.
type Goto struct {
	Pos        chc.Position
	Attributes Attributes
	Labels     []string
	Targets    []*Label
}

// Return is `return;`, and in code expressions `return Value;`.
type Return struct {
	Pos        chc.Position
	Attributes Attributes
	Value      Expr
}

func (s *Label) At() chc.Position  { return s.Pos }
func (s *Assert) At() chc.Position { return s.Pos }
func (s *Assume) At() chc.Position { return s.Pos }
func (s *Havoc) At() chc.Position  { return s.Pos }
func (s *Assign) At() chc.Position { return s.Pos }
func (s *Call) At() chc.Position   { return s.Pos }
func (s *If) At() chc.Position     { return s.Pos }
func (s *While) At() chc.Position  { return s.Pos }
func (s *Break) At() chc.Position  { return s.Pos }
func (s *Goto) At() chc.Position   { return s.Pos }
func (s *Return) At() chc.Position { return s.Pos }

func (*Label) isStmt()  {}
func (*Assert) isStmt() {}
func (*Assume) isStmt() {}
func (*Havoc) isStmt()  {}
func (*Assign) isStmt() {}
func (*Call) isStmt()   {}
func (*If) isStmt()     {}
func (*While) isStmt()  {}
func (*Break) isStmt()  {}
func (*Goto) isStmt()   {}
func (*Return) isStmt() {}

// VerifiedUnder is the condition under which an assertion is taken to hold, or nil: that of {:verified_under Condition}.
func (s *Assert) VerifiedUnder() Expr {
	if under := s.Attributes.Find("verified_under"); under != nil && len(under.Args) == 1 {
		return under.Args[0]
	}
	return nil
}

// Value returns the variable that the i-th left side changes and its new value, as one expression over the values before
// the assignment: `m[i][j] := v` gives m and `m[i := m[i][j := v]]`.
func (s *Assign) Value(i int) (*Variable, Expr) {
	left, value := s.Left[i], s.Right[i]
	for {
		switch l := left.(type) {
		case *Select:
			value = &Store{Node: Node{l.Pos, l.Map.TypeOf()}, Map: l.Map, Index: l.Index, Value: value, TypeArguments: l.TypeArguments}
			left = l.Map
		case *Field:
			value = &FieldUpdate{Node: Node{l.Pos, l.X.TypeOf()}, X: l.X, Name: l.Name, Value: value, Record: l.Record}
			left = l.X
		case *Identifier:
			return l.Decl, value
		}
	}
}

// Target returns the variable that a left side of an assignment changes.
func Target(left Expr) *Identifier {
	for {
		switch l := left.(type) {
		case *Select:
			left = l.Map
		case *Field:
			left = l.X
		default:
			return left.(*Identifier)
		}
	}
}
