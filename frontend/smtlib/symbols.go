package smtlib

import (
	"maps"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// symbolID is a symbol's index in its table.
type symbolID int32

// symbol is what a name means at the moment, in each of SMT-LIB's name spaces.
type symbol struct {
	name string
	// local is the innermost let or quantifier binding; it hides fn.
	local operand
	// fn is the function, constant or operator of that name; nil when there is none.
	fn *function
	// sort is the sort of that name; nil when there is none.
	sort *sortSymbol
}

// table interns symbols. Symbols are looked up in a source's bytes without copying them.
type table struct {
	ids     map[string]symbolID
	symbols []symbol
	// known are the instances of datatypes by their text, applications what placeholders of datatypes stand for,
	// sortParams the sorts that stand for parameters of datatypes.
	known        map[string]*term.Sort
	applications map[*term.Sort]application
	sortParams   map[*term.Sort]bool
}

func newTable() *table {
	t := &table{ids: make(map[string]symbolID, 256), known: map[string]*term.Sort{}, applications: map[*term.Sort]application{}, sortParams: map[*term.Sort]bool{}}
	for i := range operators {
		op := &operators[i]
		t.at(t.intern([]byte(op.name))).fn = &function{kind: operatorFunc, name: op.name, op: op}
	}
	for _, s := range []*term.Sort{term.Bool, term.Int, term.Real} {
		t.at(t.intern([]byte(s.String()))).sort = &sortSymbol{sort: s, builtin: true}
	}
	t.at(t.intern([]byte("Array"))).sort = &sortSymbol{arity: 2, array: true, builtin: true}
	return t
}

// clone returns an independent copy.
func (t *table) clone() *table {
	return &table{ids: maps.Clone(t.ids), symbols: slices.Clone(t.symbols), known: maps.Clone(t.known),
		applications: maps.Clone(t.applications), sortParams: maps.Clone(t.sortParams)}
}

// intern returns the number of the symbol that is spelled b, without its bars.
func (t *table) intern(b []byte) symbolID {
	if id, ok := t.ids[string(b)]; ok {
		return id
	}
	id := symbolID(len(t.symbols))
	name := string(b)
	t.ids[name] = id
	t.symbols = append(t.symbols, symbol{name: name})
	return id
}

// at returns the symbol of that number; the pointer is good until the next intern.
func (t *table) at(id symbolID) *symbol { return &t.symbols[id] }

type functionKind uint8

const (
	operatorFunc functionKind = iota // an operator of a theory
	predicateFunc
	constructorFunc
	selectorFunc
	testerFunc
	updaterFunc     // (_ update-field selector)
	macroFunc       // define-fun, define-const, a named term
	variableFunc    // declare-var: a universally quantified variable of all rules
	uninterpretFunc // a declared function or constant that is no predicate
	definedFunc     // a function that a model defines by recursion
	pendingFunc     // a function of define-fun-rec whose definition is not read yet
)

// function is what a name means in the head of an application.
type function struct {
	kind functionKind
	name string
	// off is where it was declared; builtins have none.
	off  int
	op   *operator
	pred *chc.Predicate
	// fn is the predicate's function symbol: while a formula is read, an atom is an ordinary term. It is also that of a
	// function that a model defines.
	fn   *term.Func
	ctor *term.Constructor
	sel  *term.Selector
	// data is the datatype with parameters that a constructor, selector, tester or updater belongs to, index its places in it,
	// of the constructor and of the selector; nil otherwise, and for instances.
	data  *datatypeDecl
	index [2]int
	// domain and rng are the signature; unused for operators.
	domain []*term.Sort
	rng    *term.Sort
	// params and body are a macro's; hasPred says that predicates occur in the body.
	params  []*term.Term
	body    *term.Term
	hasPred bool
	// label says that the name is that of an assertion, which other declarations may take.
	label bool
}

// sortSymbol is what a name means as a sort: a sort, or something that makes one from arity others.
type sortSymbol struct {
	sort    *term.Sort
	arity   int
	array   bool
	builtin bool
	// parametric says that it is declared with parameters and without a meaning, which only its use makes unsupported.
	parametric bool
	// data is a datatype with parameters, or one that is being declared.
	data *datatypeDecl
	// params and body are those of a define-sort with parameters: the body is read again at each use.
	params []symbolID
	body   int
}
