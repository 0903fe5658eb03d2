package tree

import "math/big"

// Statement is a statement or a declaration of an automatic object.
type Statement interface {
	Node
	isStatement()
}

type (
	// Block is { ... }. End is the closing brace.
	Block struct {
		At
		Statements []Statement
		End        Pos
	}
	// Evaluate is an expression statement.
	Evaluate struct {
		At
		Value Value
	}
	// Declare is executed when control passes an automatic object's declaration: the object is fresh, with unknown
	// contents, or, if Initialized, filled by Init, and zero where Init has nothing. An array of variable length gets its
	// length here.
	Declare struct {
		At
		Object      *Object
		Initialized bool
		Init        []Initial
	}
	// If is a conditional statement; Else may be nil.
	If struct {
		At
		Test Value
		Then Statement
		Else Statement
	}
	// While is a loop whose test comes first; At is its keyword.
	While struct {
		At
		Test Value
		Body Statement
	}
	// DoWhile is a loop whose test comes last; At is the `do`, TestPos its `while`.
	DoWhile struct {
		At
		Body    Statement
		Test    Value
		TestPos Pos
	}
	// For is a for loop. Init has declarations or an expression; Test and Step may be nil. A continue goes to Step.
	For struct {
		At
		Init []Statement
		Test Value
		Step Value
		Body Statement
	}
	// Switch goes to the first of Cases with the value, else to Default, else behind. Tag has its promoted type.
	Switch struct {
		At
		Tag     Value
		Body    Statement
		Cases   []*Case // in the source's order, those in nested blocks too
		Default *Case
	}
	// Case is a label of a Switch, for the values from Low to High, which are within the tag's type; a Switch's Default
	// has neither.
	Case struct {
		At
		Low, High *big.Int
		Statement Statement
	}
	// Label is a statement with a label.
	Label struct {
		At
		Name      string
		Statement Statement
	}
	// Goto goes to a label of the same function.
	Goto struct {
		At
		Target *Label
	}
	// Break leaves Target: a loop or a Switch.
	Break struct {
		At
		Target Statement
	}
	// Continue goes on with Target, a loop.
	Continue struct {
		At
		Target Statement
	}
	// Return leaves the function; Value, converted to the result's type, may be nil.
	Return struct {
		At
		Value Value
	}
	// Assembly is an asm statement: it may change Outputs, and, if Memory, everything whose address is taken.
	Assembly struct {
		At
		Outputs []Place
		Inputs  []Value
		Memory  bool
	}
	// Havoc gives all that its body may change any values, whatever those are that it may come to, and then executes the body, or
	// not if Only is set. Packages that prove take what the body changes from its translation; runs cannot execute it, but with Check.
	Havoc struct {
		At
		Body Statement
		Only bool
		// Assigns are all that callers see change, if that is not nil. Check asks whether Body changes anything else, and gives nothing
		// any value.
		Assigns *Assigns
		Check   bool
	}
	// Assigns says what may change: objects that live as long as the program, and memory behind pointers.
	Assigns struct {
		At
		Objects []*Object
		Memory  bool
	}
	// Empty does nothing.
	Empty struct{ At }
	// Unsupported is what can't be handled, named. It is an error only if it can be reached.
	Unsupported struct {
		At
		What string
	}
)

func (*Block) isStatement()       {}
func (*Evaluate) isStatement()    {}
func (*Declare) isStatement()     {}
func (*If) isStatement()          {}
func (*While) isStatement()       {}
func (*DoWhile) isStatement()     {}
func (*For) isStatement()         {}
func (*Switch) isStatement()      {}
func (*Case) isStatement()        {}
func (*Label) isStatement()       {}
func (*Goto) isStatement()        {}
func (*Break) isStatement()       {}
func (*Continue) isStatement()    {}
func (*Return) isStatement()      {}
func (*Assembly) isStatement()    {}
func (*Havoc) isStatement()       {}
func (*Empty) isStatement()       {}
func (*Unsupported) isStatement() {}
