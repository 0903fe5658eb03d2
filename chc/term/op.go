package term

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
