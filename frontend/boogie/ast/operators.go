package ast

import (
	"strconv"
	"strings"
)

var (
	mirrored = map[BinaryOp]BinaryOp{Less: Greater, LessEq: GreaterEq, Greater: Less, GreaterEq: LessEq}
	negated  = map[BinaryOp]BinaryOp{Eq: Neq, Neq: Eq, Less: GreaterEq, LessEq: Greater, Greater: LessEq, GreaterEq: Less}
)

// Mirrored returns the comparison that says the same with the operands exchanged; any other operator is returned as it is.
func (op BinaryOp) Mirrored() BinaryOp {
	if m, ok := mirrored[op]; ok {
		return m
	}
	return op
}

// Negated returns the comparison that holds when this one does not; false for an operator that is no comparison.
func (op BinaryOp) Negated() (BinaryOp, bool) {
	n, ok := negated[op]
	return n, ok
}

// Takes reports whether an operator of SMTOperators takes two operands of the type t.
func (op BinaryOp) Takes(t Type) bool {
	switch op {
	case Eq, Neq:
		return true
	case And, Or, Implies, Iff:
		return t == Bool
	case Div, Mod:
		return t == Int
	case RealDiv:
		return t == Real
	}
	return t == Int || t == Real
}

// SMTOperators are the operators that do with two operands what SMT-LIB's operators of the given names do.
var SMTOperators = map[string]BinaryOp{
	"+": Add, "-": Sub, "*": Mul, "div": Div, "mod": Mod, "/": RealDiv, "=": Eq, "distinct": Neq,
	"<": Less, "<=": LessEq, ">": Greater, ">=": GreaterEq, "and": And, "or": Or, "=>": Implies,
}

// MapOperators are the operators by which Boogie's builtin operators on maps combine the entries of two maps.
var MapOperators = map[string]BinaryOp{
	"MapAdd": Add, "MapSub": Sub, "MapMul": Mul, "MapDiv": Div, "MapMod": Mod, "MapEq": Eq, "MapIff": Iff,
	"MapGt": Greater, "MapGe": GreaterEq, "MapLt": Less, "MapLe": LessEq, "MapAnd": And, "MapOr": Or, "MapImp": Implies,
}

// Builtin returns the operator of SMT-LIB that a function stands for by {:bvbuiltin} or {:builtin}, as the source writes
// it; it is empty for other functions.
func (f *Function) Builtin() string {
	for _, name := range []string{"bvbuiltin", "builtin"} {
		if op, ok := f.Attributes.Text(name); ok {
			return op
		}
	}
	return ""
}

// BuiltinOperator returns the name and the indices of Builtin: those of `(_ sign_extend 8)`, or of {:indices 8}. The name is
// empty when they cannot be read.
func (f *Function) BuiltinOperator() (name string, indices []int) {
	words := strings.Fields(strings.NewReplacer("(", " ", ")", " ").Replace(f.Builtin()))
	if len(words) > 0 && words[0] == "_" {
		words = words[1:]
	}
	if len(words) == 0 {
		return "", nil
	}
	for _, w := range words[1:] {
		n, err := strconv.Atoi(w)
		if err != nil {
			return "", nil
		}
		indices = append(indices, n)
	}
	if a := f.Attributes.Find("indices"); a != nil {
		for _, x := range a.Args {
			n, ok := x.(*IntLiteral)
			if !ok || !n.Value.IsInt64() {
				return "", nil
			}
			indices = append(indices, int(n.Value.Int64()))
		}
	}
	return words[0], indices
}
