package trace

import "hornbeam/chc"

// Trace is a run of a program that fails, from where it begins to the error.
type Trace struct {
	// Steps are what happened, in order. The first is a Start and the last an Error.
	Steps []Step
	// Note is what a reader has to know before the first step, such as that the run relies on what its language leaves
	// undefined; it is empty for most runs.
	Note string
	// Generated says that the program was made by another tool and tells what from: some steps have a Source.
	Generated bool
	// Straight is the run as a program of its own in the language of the program, without branches and calls; the error says why
	// there is none. It is nil where no language has that.
	Straight func() (string, error)
}

// Kind says what a step is.
type Kind string

// The kinds of steps.
const (
	// Start is the first step, at Depth 0: Procedure is the entry, Values has the globals, the parameters of the entry and
	// the constants that matter.
	Start Kind = "start"
	// Locals says which values the results and locals of Procedure have in the beginning, of those that may be read before
	// they are changed. It follows a Start or Call, inside the call.
	Locals Kind = "locals"
	// Statement is a statement that was executed: an assignment, an assumption or assertion that held, a jump. Values has
	// what it changed.
	Statement Kind = "statement"
	// Branch is a condition that decided the way: Text has it and the outcome, such as `if (x < 3): yes`.
	Branch Kind = "branch"
	// Nondet is a statement whose outcome the program leaves open, and this run chose: a havoc, a call of a procedure
	// without a body, an input; Values has what was chosen. Or a branch without a condition, with Text as for Branch.
	Nondet Kind = "nondet"
	// Call enters Procedure: Text is the calling statement, Pos its place, Values has the parameters. Its Depth is that of
	// the caller; the steps inside have one more.
	Call Kind = "call"
	// Return leaves Procedure: Text and Pos are the calling statement's, Values has what it assigned. Its Depth is that of
	// the caller, as in its Call.
	Return Kind = "return"
	// Record is a value that the program's front end recorded under a name of the source.
	Record Kind = "record"
	// State is a place in the run that the program's front end gave a name, which is Text.
	State Kind = "state"
	// Error is the last step: Text says what failed, such as `assertion x > 0`, Pos where, and Values has the variables in
	// the condition.
	Error Kind = "error"
	// Omitted stands for steps that were not kept: Text names them, such as `12 steps`.
	Omitted Kind = "omitted"
)

// Step is one thing that happened.
type Step struct {
	Kind Kind
	// Depth is the number of calls around the step.
	Depth int
	// Procedure is the one that the step happened in; of a Call or Return the one that was entered or left.
	Procedure string
	// Pos is the place in the program that was read. Lines and columns count from 1, columns in bytes; a place without a
	// line is unknown.
	Pos chc.Position
	// Source is the place in what the program was made from; without a line it is unknown.
	Source chc.Position
	// Text is the statement as the language writes it, or what the kind says.
	Text string
	// Values are the values that variables have from here on.
	Values []Value
	// Inside are, where the step is one in the source of a generated program, the program's own steps that it stands for.
	Inside []Step
	// Sought says of an Error that it is none: the run was asked for since it reaches the place.
	Sought bool
	// Library says that the statement belongs to no source line of the user's.
	Library bool
	// Effect is for Slice; nil where it is not known.
	Effect *Effect
}

// Value is a variable, or a part of one such as `m[3]` or `p.next`, with its value as the language writes it.
type Value struct {
	Name, Value string
	// Global says that the variable is not of one call: it keeps its value when the call ends.
	Global bool
}

// Failure is the last step, which says what failed and where.
func (t *Trace) Failure() Step { return t.Steps[len(t.Steps)-1] }
