package origin

import (
	"fmt"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/tree"
)

// Kind says what in the source leaves a value open.
type Kind uint8

// The kinds of events.
const (
	// Returned is the result of an undefined function; Node is the tree.Call.
	Returned Kind = iota
	// Declared is an automatic object without initial value; Node is the tree.Declare.
	Declared
	// Began is the value that an external object, or a parameter of the entry, begins with; Object says which.
	Began
	// Unspecified is the value of something that C does not define, such as a division by zero, or of something that is
	// not modelled; Node is the expression.
	Unspecified
	// Missing is the result of a function that ends without a return; Object is nil and Node the function's block.
	Missing
)

// Event is a value that the source leaves open.
type Event struct {
	Kind   Kind
	Node   tree.Node
	Object *tree.Object
	// Fresh says of a pointer that it is null or the address of an object that the program has not seen before.
	Fresh bool
	// Path is where in a value of struct type, or in an object, the scalar is; elements that it leaves out are a map's indices.
	Path []tree.Step
	// Offset is where in an object in memory the scalar is, in bytes; Path is empty then.
	Offset int64
}

// Variable is what a variable of the translation holds.
type Variable struct {
	// Object is the object that the variable holds or is a part of; nil for temporaries.
	Object *tree.Object
	// Path leads to the part; where Map is set, each tree.Step without a field is an index of the map, and the
	// numbers that it has say how long the array is.
	Path []tree.Step
	// Type is the type of the scalar.
	Type tree.Type
	// Behind says that Object is a pointer parameter, and the variable holds what it points to: a part of an object of the
	// type Whole, of which Begin says that the pointer leads to its beginning.
	Behind bool
	Begin  bool
	Whole  tree.Type
	// Region is what the variable holds of memory behind pointers, nil if it is not memory. A map of it is indexed by addresses.
	Region *region.Region
	// Map says that the variable is a map, indexed by an element's number. With several steps without a field the number
	// is that of the flattened array, except behind lengths that are not constant: there is a map of maps.
	Map bool
}

// Allocation is where an object gets its address.
type Allocation struct {
	// Node is the tree.Call, or the node of the declaration.
	Node tree.Node
	// Variable gets the address.
	Variable *ast.Variable
	Group    *region.Group
}

// Map maps a translation back to the program.
type Map struct {
	// Events are the open values, by the statements that choose them: an *ast.Havoc has one event for each of its variables.
	Events map[ast.Stmt][]*Event
	// Variables says what variables are. A procedure's parameters and locals have different names from each other and from
	// all globals, so that Named works for programs made from this one, too.
	Variables map[*ast.Variable]*Variable
	// Loops has the loop statements, by the labels at which their iterations begin.
	Loops map[*ast.Label]tree.Statement
	// Labels has the source's labels.
	Labels map[*ast.Label]*tree.Label
	// Functions has the functions that procedures come from, by the procedure's name; several may come from one.
	Functions map[string]*tree.Function
	// Errors has the nodes whose execution is the error, by the assertion.
	Errors map[*ast.Assert]tree.Node
	// Stops has the places that can't be handled, by the assertion that no run comes there.
	Stops map[*ast.Assert]Unsupported
	// Calls has the calls that call statements come from.
	Calls map[*ast.Call]*tree.Call
	// Allocations are the assignments that give an object of a call of malloc or its likes, or of a declaration, its address.
	// What the object holds before anything is stored there is what the regions of Group held at its addresses when the
	// run began.
	Allocations map[*ast.Assign]*Allocation
	// Addresses are those of the objects that have one for all of a run.
	Addresses map[*tree.Object]int64

	// Regions are those of memory behind pointers, and Memory their variables; nil and empty where there is none.
	Regions *region.Regions
	Memory  map[*region.Region]*ast.Variable
	// Elements are the variables of Memory that the lowering indexes by elements, with the size of these, by their names: what
	// it has at n is the scalar that begins in the bytes from n times the size on.
	Elements map[string]int64

	// global and local have the variables by the procedure's name and their own.
	global map[string]*ast.Variable
	local  map[[2]string]*ast.Variable
}

// New makes a map without entries.
func New() *Map {
	return &Map{
		Events: map[ast.Stmt][]*Event{}, Variables: map[*ast.Variable]*Variable{}, Loops: map[*ast.Label]tree.Statement{},
		Labels: map[*ast.Label]*tree.Label{}, Functions: map[string]*tree.Function{}, Errors: map[*ast.Assert]tree.Node{}, Stops: map[*ast.Assert]Unsupported{},
		Calls: map[*ast.Call]*tree.Call{}, Allocations: map[*ast.Assign]*Allocation{}, Addresses: map[*tree.Object]int64{}, Memory: map[*region.Region]*ast.Variable{},
		global: map[string]*ast.Variable{}, local: map[[2]string]*ast.Variable{},
	}
}

// Named finds what a variable is by its name and that of the procedure that it is seen in; nil if there is none.
func (s *Map) Named(procedure, variable string) *Variable {
	v := s.local[[2]string{procedure, variable}]
	if v == nil {
		v = s.global[variable]
	}
	if v == nil {
		return nil
	}
	return s.Variables[v]
}

// Add says what a variable holds; procedure is empty for global variables.
func (s *Map) Add(procedure string, v *ast.Variable, o *Variable) {
	s.Variables[v] = o
	if procedure == "" {
		s.global[v.Name] = v
	} else {
		s.local[[2]string{procedure, v.Name}] = v
	}
}

// Unsupported is something in the source that can't be handled.
type Unsupported struct {
	Pos  tree.Pos
	What string
}

func (p Unsupported) String() string { return fmt.Sprintf("%s: %s is not supported", p.Pos, p.What) }
