package interpret

import (
	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
)

// Options say what a run is.
type Options struct {
	// Entry is the procedure that the run begins with; it has a body.
	Entry *ast.Procedure
	// Errors are names of procedures that may not be entered.
	Errors []string
	// ExitIsError says that reaching the entry's exit is the error, and a condition that does not hold only blocks.
	ExitIsError bool
	// Fuel is how many statements and applications of functions a run may take; 0 means ten million.
	Fuel int
	// Defer takes assumptions and checks that cannot be decided to hold, and lists them in the outcome: the run is one of
	// the program when there are functions for which they do, and which have the values that the run took. Fails says
	// whether such a check is the one that fails; nil means none.
	Defer bool
	Fails func(chc.Position) bool
	// Observe is called for each event; it may be nil.
	Observe func(Event)
}

// Kind is how a run ends.
type Kind uint8

// The ends of runs.
const (
	// Finished says that the entry returned.
	Finished Kind = iota
	// Failed says that there was an error.
	Failed
	// Blocked says that an assumption did not hold.
	Blocked
	// OutOfFuel says that the run was too long.
	OutOfFuel
	// Undetermined says that something could not be decided.
	Undetermined
)

// String is the kind in a word or two.
func (k Kind) String() string {
	return [...]string{"finished", "failed", "blocked", "out of fuel", "undetermined"}[k]
}

// Outcome is the end of a run.
type Outcome struct {
	Kind Kind
	// Pos is where it ended: at the assertion that failed, for example.
	Pos chc.Position
	// What says what failed, blocked or could not be decided.
	What string
	// Values are those of the variables in the condition that failed.
	Values []Change
	// Repairs are what a map that was chosen would have to be for a Blocked run to go on, where that can be told.
	Repairs []Repair
	// Deferred are, with Options.Defer, the conditions that the run depends on. Applications are the values of functions and
	// Constants those of constants that it took.
	Deferred     []Deferred
	Applications []Application
	Constants    map[*ast.Variable]Value
}

// Deferred is a condition that was not decided, to be true, or false where Negated is set.
type Deferred struct {
	Pos     chc.Position
	Cond    ast.Expr
	Negated bool
	// Value is what a variable was then, within old or not; false for those that the condition binds.
	Value func(v *ast.Variable, old bool) (Value, bool)
	// Types are the types that type parameters stood for.
	Types map[*ast.TypeVariable]ast.Type
}

// Application is a function without a body, or an operator that is open at the arguments, with the value that a run took.
type Application struct {
	Function *ast.Function
	Operator ast.BinaryOp
	Types    []ast.Type
	Args     []Value
	Result   Value
}

// String says how and where a run ended.
func (o Outcome) String() string {
	s := o.Kind.String()
	if o.Pos.Line > 0 {
		s = o.Pos.String() + ": " + s
	}
	if o.What != "" {
		s += ": " + o.What
	}
	return s
}

// EventKind says what happened.
type EventKind uint8

// The kinds of events.
const (
	// Begun is the first event: Changes has the globals and the entry's parameters.
	Begun EventKind = iota
	// Stepped says that the statement was executed, and Changes what it did.
	Stepped
	// Entered says that a call enters a body: Changes has its parameters.
	Entered
	// Left says that a body returned: Changes has what the call assigned.
	Left
	// Ended is the last event of a run that fails: Outcome says how, and Changes has the constants that the run needed.
	Ended
	// Declared follows Begun and Entered: Changes has the first values of the results and locals of Body.
	Declared
)

// Event is something that happened in a run.
type Event struct {
	Kind EventKind
	// Depth is the number of calls around it, and Procedure that in which it happened (for Entered and Left the callee).
	Depth     int
	Procedure *ast.Procedure
	// Stmt is the statement; nil for Begun, Declared and Ended.
	Stmt    ast.Stmt
	Body    *ast.Body
	Changes []Change
	// Args are the arguments of a call of a procedure without a body.
	Args []Value
	// Way is which of several ways was taken, where Stmt is a branch: for if and while 0 into it, 1 past it.
	Way     int
	Outcome Outcome
}

// Change is a variable's new value; that of a map is given at the index Path only, when it is not empty.
type Change struct {
	Variable *ast.Variable
	Path     []Value
	Value    Value
}
