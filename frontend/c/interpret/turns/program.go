package turns

import "hornbeam/frontend/c/tree"

// Kind says what an instruction does.
type Kind uint8

// The kinds of instructions.
const (
	// Do evaluates Value, or declares Declare.
	Do Kind = iota
	// Test goes to Yes if Value is not zero, else to No.
	Test
	// Jump goes to Yes.
	Jump
	// Return ends the call, with Value if it is not nil.
	Return
	// Other is any other instruction, of which nothing is said.
	Other
)

// Op is an instruction.
type Op struct {
	Kind    Kind
	Value   tree.Value
	Declare *tree.Declare
	Yes, No int
}

// Function is a function with a body.
type Function struct {
	Ops []Op
	// Ends has for each instruction that jumps lead back to the last such jump.
	Ends map[int]int
	// Slots has the objects that are only used by their names, by their numbers, and Types what they are.
	Slots map[*tree.Object]int
	Types []tree.Type
	// Params are the numbers of the parameters among them; -1 for one that is none.
	Params []int
	Result tree.Type
}

// Program is what a loop is a part of.
type Program struct {
	// Globals has the static objects that are only used by their names, and Types what they are.
	Globals map[*tree.Object]int
	Types   []tree.Type
	// Callee is the function that a call executes, nil if that is not known.
	Callee func(*tree.Call) *Function
	// Assumes tells whether a call does nothing but end the run if its argument is zero.
	Assumes func(*tree.Call) bool
	// Signed, Unsigned and Conversions say that overflows of signed and of unsigned integers, and conversions that change values, matter: no
	// turn has any.
	Signed, Unsigned, Conversions bool
}

// Cell is the value of an object as a register has it, sign-extended or zero-extended to 64 bits.
type Cell struct {
	Bits  uint64
	Known bool
}

// State is what the objects hold that are only used by their names: those of a call, and static ones.
type State struct{ Locals, Globals []Cell }
