package interpret

import (
	"fmt"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/tree"
)

// Options say what a run is.
type Options struct {
	// Entry is the function that a run begins with; "" stands for main.
	Entry string
	// ErrorLabel is a label that is the error when it is reached; "" for none.
	ErrorLabel string
	// Faults are the kinds of faults of which the first is the error; none stands for assertions. Calls of error functions and
	// assertions end the run where they are not among them, overflows wrap around, and what else is undefined is Undefined.
	Faults fault.Set
	// Except are checks at which a run ends that violates them, without an error.
	Except map[fault.Check]bool
	// EndAtOverflow takes a signed overflow for what C says it is, undefined behaviour.
	EndAtOverflow bool
	// MayFail lets malloc and its likes return a null pointer, as the choices say; otherwise they never do.
	MayFail bool
	// EveryTurn executes all turns of loops, where others leave out those that are alike.
	EveryTurn bool
	// Steps is how many statements and tests a run may execute; 0 stands for ten million.
	Steps int64
	// Memory is how many bytes the objects of a run may have; 0 stands for 256 MB.
	Memory int64
	// Depth is how many calls may be inside each other; 0 stands for 50000. Deeply nested expressions lower it.
	Depth int
}

// overflows tells whether overflows of signed integers, or of unsigned ones, matter.
func (o Options) overflows(signed bool) bool {
	if signed {
		return o.Faults.Has(fault.Overflow, fault.Division, fault.Shift) || o.EndAtOverflow
	}
	return o.Faults.Has(fault.UnsignedOverflow)
}

// Kind is how a run ends.
type Kind uint8

// The ends of runs.
const (
	// Ended says that the program ended, by a return from main, exit or abort, without an error.
	Ended Kind = iota
	// ErrorReached says that the error was reached.
	ErrorReached
	// AssumptionFailed says that an assumption did not hold.
	AssumptionFailed
	// Undefined says that the run met behaviour that C leaves undefined: what comes after it means nothing.
	Undefined
	// Undetermined says that the run reached what cannot be executed exactly.
	Undetermined
	// LimitReached says that the run needs more steps, memory or calls inside each other than it may have.
	LimitReached
	// Repeated says that the run came to a state that another one of those that are tried has come to: what follows is tried there.
	Repeated
)

// String is the kind in a few words.
func (k Kind) String() string {
	return [...]string{"ended", "error reached", "assumption failed", "undefined behaviour", "undetermined", "limit reached", "repeated"}[k]
}

// ErrorKind tells errors apart.
type ErrorKind uint8

// The kinds of errors.
const (
	NoError ErrorKind = iota
	// CallError is a call of an error function, such as reach_error.
	CallError
	// AssertError is an assertion that does not hold.
	AssertError
	// LabelError is the error label.
	LabelError
	// OverflowError is a signed overflow, and FaultError a fault of another kind.
	OverflowError
	FaultError
)

// String is the kind in a few words.
func (k ErrorKind) String() string {
	return [...]string{"", "error function called", "assertion failed", "error label reached", "signed overflow", "fault"}[k]
}

// Outcome is the end of a run.
type Outcome struct {
	Kind Kind
	// Error is the kind of error of ErrorReached.
	Error ErrorKind
	// Fault is the kind of fault of ErrorReached.
	Fault fault.Kind
	// Node is where the run ended; nil where it has no place.
	Node tree.Node
	// Function is the function that it ended in.
	Function *tree.Function
	// What says what happened, such as the reason of Undefined and Undetermined.
	What string
	// Steps is how many statements and tests the run executed.
	Steps int64
	// Skipped is how many turns of loops were left out, as they are alike.
	Skipped int64
	// Searched is how many steps it is worth to find these.
	Searched int64
	// Addresses says that the run turned the address of an object into an integer. Where objects lie is not for C to say:
	// another execution may then go another way.
	Addresses bool
}

// length is how long a run is that executes all turns: a turn has a step at least.
func (o Outcome) length() int64 { return o.Steps + o.Skipped }

// Pos is where the run ended.
func (o Outcome) Pos() tree.Pos {
	if o.Node == nil {
		return tree.Pos{}
	}
	return o.Node.Pos()
}

// String says how and where a run ended.
func (o Outcome) String() string {
	s := o.Kind.String()
	if p := o.Pos(); p.Line > 0 {
		s = p.String() + ": " + s
	}
	if o.What != "" {
		s += ": " + o.What
	}
	return s
}

// stop is what is thrown to end a run before its end. It never leaves the package.
type stop struct{ Outcome }

// interrupted is what is thrown when the context is done.
type interrupted struct{ err error }

func (m *machine) stop(k Kind, n tree.Node, format string, args ...any) {
	panic(&stop{Outcome{Kind: k, Node: n, What: fmt.Sprintf(format, args...)}})
}

func (m *machine) undefined(n tree.Node, format string, args ...any) {
	m.stop(Undefined, n, format, args...)
}

func (m *machine) undetermined(n tree.Node, format string, args ...any) {
	m.stop(Undetermined, n, format, args...)
}

func (m *machine) fail(k ErrorKind, n tree.Node, format string, args ...any) {
	if !m.p.options.Faults.Has(fault.Assertion) {
		if _, ok := n.(*tree.Call); ok && k == CallError {
			m.leaks(n)
		}
		m.stop(Ended, n, format, args...)
	}
	m.reached(fault.Assertion, k, n, format, args...)
}

// fault ends a run that violates a check: with the error if it is one of the kinds, in the order of these, that is asked for, and
// else as undefined.
func (m *machine) fault(n tree.Node, kinds []fault.Kind, format string, args ...any) {
	k, asked := m.p.options.Faults.First(kinds...)
	switch {
	case !asked:
		m.undefined(n, format, args...)
	case k == fault.Overflow:
		m.reached(k, OverflowError, n, format, args...)
	}
	m.reached(k, FaultError, n, format, args...)
}

// reached ends a run at an error, unless that is to be none.
func (m *machine) reached(f fault.Kind, k ErrorKind, n tree.Node, format string, args ...any) {
	if n != nil && len(m.p.options.Except) > 0 {
		at := fault.Check{Kind: f, Pos: n.Pos()}
		for in := m.frame; in != nil && in.fn.decl.Library; in = in.caller {
			at.Pos = in.call.Pos()
		}
		if m.p.options.Except[at] {
			m.stop(Ended, n, format, args...)
		}
	}
	panic(&stop{Outcome{Kind: ErrorReached, Error: k, Fault: f, Node: n, What: fmt.Sprintf(format, args...)}})
}

// Abstracted is why a run does not execute a tree.Havoc.
const Abstracted = "a contract or an invariant stands for what is executed"
