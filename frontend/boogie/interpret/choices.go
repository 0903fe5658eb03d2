package interpret

import "hornbeam/frontend/boogie/ast"

// Choices decides what a program leaves open. Its methods are called in the order of the run; those for constants
// and functions when the value is first needed, once for each. An error ends the run as Undetermined.
type Choices interface {
	// Constant is the value of a constant.
	Constant(v *ast.Variable) (Value, error)
	// Apply is the value of a function without a meaning of its own. Function is nil for an operator whose value at the
	// arguments is open: div, mod or / by zero, or **. The types are those that its type parameters stand for.
	Apply(f *ast.Function, operator ast.BinaryOp, types []ast.Type, args []Value, result ast.Type) (Value, error)
	// Initial is the value of a global, or of an entry's parameter, when the run begins. The type is the variable's, with
	// types for type parameters.
	Initial(v *ast.Variable, t ast.Type) (Value, error)
	// Variable is a new value for a variable, given by a statement: a havoc; or a call, which makes those of arguments
	// that are left open, and of what a procedure without a body changes and returns; nil means the locals and
	// results when a body is entered.
	Variable(by ast.Stmt, v *ast.Variable, t ast.Type) (Value, error)
	// Branch is which of n ways a run takes at a *ast.Goto, by the label's index, or at an *ast.If or *ast.While with
	// guard *: 0 into it, 1 past it. blocked says of a way whether it begins with an assumption that is false.
	Branch(at ast.Stmt, n int, blocked func(way int) bool) (int, error)
	// Body is which of a procedure's implementations a call runs.
	Body(p *ast.Procedure) (int, error)
}
