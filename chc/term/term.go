package term

import (
	"strconv"
)

// maxDepth is where a term's recorded depth saturates.
const maxDepth = 1<<16 - 1

// safeDepth is the depth up to which the package's traversals recurse; deeper terms are handled bottom-up.
const safeDepth = 4000

const (
	flagVars    = 1 << iota // has a free variable
	flagQuant               // has a quantifier
	flagStore               // has a Store
	flagProduct             // has a product of terms that are no numerals
	flagPartial             // has a quotient, a remainder or a selector
	flagValue               // is a value

	// flagsInherited are those that a term has from its arguments.
	flagsInherited = flagVars | flagQuant | flagStore | flagProduct | flagPartial
)

// Term is an immutable, hash-consed term of a pool: equal terms of a pool are the same pointer.
type Term struct {
	id    uint32
	op    Op
	flags uint8
	depth uint16
	hash  uint64
	sort  *Sort
	args  []*Term
	ext   *payload
	pool  *Pool
}

// payload is what an operator has beside its arguments. Functions, constructors and selectors have one each, shared by
// their terms.
type payload struct {
	name   string // Var
	num    Num    // Numeral, BVNumeral, Element
	fn     *Func
	ctor   *Constructor
	sel    *Selector
	q      *quantifier
	hi, lo int32  // indices
	hash   uint64 // of a shared payload
}

type quantifier struct {
	bound, free []*Term
}

// ID is the term's number in its pool, in order of creation from 1. An argument's ID is below its term's.
func (t *Term) ID() uint32 { return t.id }

// Op is the root operator.
func (t *Term) Op() Op { return t.op }

// Sort is the term's sort.
func (t *Term) Sort() *Sort { return t.sort }

// Args are the arguments; the slice must not be changed.
func (t *Term) Args() []*Term { return t.args }

// Arg is the i-th argument.
func (t *Term) Arg(i int) *Term { return t.args[i] }

// Pool is the pool that owns the term.
func (t *Term) Pool() *Pool { return t.pool }

// Name is a variable's or applied function's name, else empty.
func (t *Term) Name() string {
	switch t.op {
	case Var:
		return t.ext.name
	case Apply:
		return t.ext.fn.Name
	}
	return ""
}

// Num is the value of a Numeral or BVNumeral (unsigned), the index of an Element, the divisor of a Divides; else 0.
func (t *Term) Num() Num {
	switch t.op {
	case Numeral, BVNumeral, Element:
		return t.ext.num
	case Divides:
		return t.args[0].ext.num
	}
	return Num{}
}

// Func is the function of an Apply, else nil.
func (t *Term) Func() *Func {
	if t.op == Apply {
		return t.ext.fn
	}
	return nil
}

// Ctor is the constructor of a Construct or an Is, else nil.
func (t *Term) Ctor() *Constructor {
	if t.op == Construct || t.op == Is {
		return t.ext.ctor
	}
	return nil
}

// Sel is the selector of a Field, else nil.
func (t *Term) Sel() *Selector {
	if t.op == Field {
		return t.ext.sel
	}
	return nil
}

// Indices are the numbers of an indexed bit-vector operator: BVExtract has the high and the low bit; BVZeroExtend,
// BVSignExtend, BVRotateLeft, BVRotateRight and BVRepeat have one; NatToBV has the width; others have none.
func (t *Term) Indices() []int {
	switch t.op {
	case BVExtract:
		return []int{int(t.ext.hi), int(t.ext.lo)}
	case BVZeroExtend, BVSignExtend, BVRotateLeft, BVRotateRight, BVRepeat:
		return []int{int(t.ext.hi)}
	case NatToBV:
		return []int{t.sort.Width}
	}
	return nil
}

// Bound are the variables that a quantifier binds; the slice must not be changed.
func (t *Term) Bound() []*Term {
	if t.IsQuantifier() {
		return t.ext.q.bound
	}
	return nil
}

// IsTrue reports whether t is true.
func (t *Term) IsTrue() bool { return t.op == True }

// IsFalse reports whether t is false.
func (t *Term) IsFalse() bool { return t.op == False }

// IsVar reports whether t is a variable.
func (t *Term) IsVar() bool { return t.op == Var }

// IsNumeral reports whether t is an Int or Real numeral.
func (t *Term) IsNumeral() bool { return t.op == Numeral }

// IsNot reports whether t is a negation.
func (t *Term) IsNot() bool { return t.op == Not }

// IsAnd reports whether t is a conjunction.
func (t *Term) IsAnd() bool { return t.op == And }

// IsOr reports whether t is a disjunction.
func (t *Term) IsOr() bool { return t.op == Or }

// IsIte reports whether t is an if-then-else.
func (t *Term) IsIte() bool { return t.op == Ite }

// IsQuantifier reports whether t is a Forall or an Exists.
func (t *Term) IsQuantifier() bool { return t.op == Forall || t.op == Exists }

// IsValue reports whether t is a canonical value: a truth value, numeral, bit-vector numeral or element, a constructor
// applied to values, or stores of values at sorted value indices over a constant array of a value.
func (t *Term) IsValue() bool { return t.flags&flagValue != 0 }

// IsGround reports whether t has no free variable.
func (t *Term) IsGround() bool { return t.flags&flagVars == 0 }

// HasQuantifier reports whether a quantifier occurs in t.
func (t *Term) HasQuantifier() bool { return t.flags&flagQuant != 0 }

// HasStore reports whether a Store occurs in t.
func (t *Term) HasStore() bool { return t.flags&flagStore != 0 }

// HasProduct reports whether a product of terms that are no numerals occurs in t.
func (t *Term) HasProduct() bool { return t.flags&flagProduct != 0 }

// HasPartial reports whether an operation occurs in t that may be applied outside of its domain: a quotient, a remainder or a selector.
func (t *Term) HasPartial() bool { return t.flags&flagPartial != 0 }

// IsBool reports whether t's sort is Bool.
func (t *Term) IsBool() bool { return t.sort == Bool }

// Atom returns t without an outer negation, and whether there was none.
func (t *Term) Atom() (atom *Term, positive bool) {
	if t.op == Not {
		return t.args[0], false
	}
	return t, true
}

// IsLiteral reports whether t is Boolean and neither t nor, for a negation, its argument is And, Or, a Boolean Ite, a
// Boolean equality or a quantifier.
func (t *Term) IsLiteral() bool {
	a, _ := t.Atom()
	switch a.op {
	case And, Or, Not, Forall, Exists:
		return false
	case Ite, Eq:
		return a.sort == Bool && a.args[len(a.args)-1].sort != Bool
	}
	return a.sort == Bool
}

// Size is the number of different subterms of t, t and the bodies of quantifiers included.
func (t *Term) Size() int {
	n := 0
	Walk(t, func(*Term) bool { n++; return true })
	return n
}

// String returns t in SMT-LIB without lets, as long as it is small; see Format for terms that share.
func (t *Term) String() string { return formatTree(t) }

// GoString is what %#v prints, and so failed tests: the term in SMT-LIB when it is small, else its operator and ID. Without
// it, %#v would print the whole pool.
func (t *Term) GoString() string {
	if treeSize(t, maxTree) > maxTree {
		return "#" + strconv.Itoa(int(t.id)) + " " + t.op.String()
	}
	return t.String()
}

// Op is the operator at the root of a term.
type Op uint8

// The operators. The comment gives the arguments.
const (
	_          Op = iota
	True          // -
	False         // -
	Var           // - ; Name, Sort
	Numeral       // - ; Num ; Int or Real
	Not           // Bool
	And           // two or more Bool, sorted by ID
	Or            // two or more Bool, sorted by ID
	Ite           // condition, then, else
	Eq            // two of one sort; arithmetic: normalised sum, numeral
	Le            // normalised sum, numeral
	Lt            // normalised sum, numeral; Real only
	Divides       // positive Int numeral, Int sum
	Add           // summands sorted by the ID of their unscaled term, then at most one numeral
	Mul           // numeral coefficient and unscaled term, or a product of two or more non-constant factors
	RealDiv       // two Real; the divisor is no numeral other than 0
	IntDiv        // two Int
	Mod           // two Int
	Abs           // Int
	ToReal        // Int
	ToInt         // Real
	IsInt         // Real
	Select        // array, index
	Store         // array, index, value
	ConstArray    // value
	Construct     // one per selector; Ctor
	Field         // datatype; Sel
	Is            // datatype; Ctor
	Apply         // one per domain sort; Func
	Element       // - ; Num: the index of an element of an uninterpreted sort
	Forall        // body; Bound
	Exists        // body; Bound

	BVNumeral // - ; Num: the unsigned value
	BVNot
	BVNeg
	BVAnd
	BVOr
	BVXor
	BVNand // never in a term: becomes BVNot of BVAnd
	BVNor  // never in a term: becomes BVNot of BVOr
	BVXnor // never in a term: becomes BVNot of BVXor
	BVAdd
	BVSub
	BVMul
	BVUdiv
	BVUrem
	BVSdiv
	BVSrem
	BVSmod
	BVShl
	BVLshr
	BVAshr
	BVComp
	BVUle
	BVUlt // never in a term: becomes Not of BVUle
	BVUge // never in a term: becomes BVUle
	BVUgt // never in a term: becomes Not of BVUle
	BVSle
	BVSlt // never in a term: becomes Not of BVSle
	BVSge // never in a term: becomes BVSle
	BVSgt // never in a term: becomes Not of BVSle
	BVConcat
	BVExtract     // Indices: hi, lo
	BVZeroExtend  // Indices: added bits
	BVSignExtend  // Indices: added bits
	BVRotateLeft  // Indices: positions
	BVRotateRight // Indices: positions
	BVRepeat      // Indices: copies
	BVToNat       // bit-vector; the Int it stands for, unsigned
	NatToBV       // Int; modulo 2^width
	numOps
)

var opNames = [numOps]string{
	True: "true", False: "false", Var: "var", Numeral: "numeral", Not: "not", And: "and", Or: "or", Ite: "ite", Eq: "=",
	Le: "<=", Lt: "<", Divides: "divides", Add: "+", Mul: "*", RealDiv: "/", IntDiv: "div", Mod: "mod", Abs: "abs",
	ToReal: "to_real", ToInt: "to_int", IsInt: "is_int", Select: "select", Store: "store", ConstArray: "const",
	Construct: "construct", Field: "field", Is: "is", Apply: "apply", Element: "element", Forall: "forall", Exists: "exists",
	BVNumeral: "bv", BVNot: "bvnot", BVNeg: "bvneg", BVAnd: "bvand", BVOr: "bvor", BVXor: "bvxor", BVNand: "bvnand",
	BVNor: "bvnor", BVXnor: "bvxnor", BVAdd: "bvadd", BVSub: "bvsub", BVMul: "bvmul", BVUdiv: "bvudiv", BVUrem: "bvurem",
	BVSdiv: "bvsdiv", BVSrem: "bvsrem", BVSmod: "bvsmod", BVShl: "bvshl", BVLshr: "bvlshr", BVAshr: "bvashr",
	BVComp: "bvcomp", BVUle: "bvule", BVUlt: "bvult", BVUge: "bvuge", BVUgt: "bvugt", BVSle: "bvsle", BVSlt: "bvslt",
	BVSge: "bvsge", BVSgt: "bvsgt", BVConcat: "concat", BVExtract: "extract", BVZeroExtend: "zero_extend",
	BVSignExtend: "sign_extend", BVRotateLeft: "rotate_left", BVRotateRight: "rotate_right", BVRepeat: "repeat",
	BVToNat: "bv2nat", NatToBV: "int2bv",
}

// String returns the SMT-LIB name of the operator where it has one.
func (o Op) String() string {
	if o < numOps && opNames[o] != "" {
		return opNames[o]
	}
	return "invalid"
}
