package interpret

import (
	"errors"
	"math/big"

	"hornbeam/frontend/boogie/ast"
)

func isUndetermined(err error) bool { return errors.Is(err, errUndetermined) }

func floor(r Real) Int { return Int{euclid(r.R.Num(), r.R.Denom())} }

// euclid is the quotient that leaves a remainder between 0 and |b|-1.
func euclid(a, b *big.Int) *big.Int {
	q, _ := new(big.Int).DivMod(a, b, new(big.Int))
	return q
}

func modulo(a, b *big.Int) *big.Int {
	_, r := new(big.Int).DivMod(a, b, new(big.Int))
	return r
}

func toReal(v Value) *big.Rat {
	if i, ok := v.(Int); ok {
		return new(big.Rat).SetInt(i.N)
	}
	return v.(Real).R
}

// operator applies an operator to values.
func (sc *scope) operator(op ast.BinaryOp, a, b Value) (Value, error) {
	switch op {
	case ast.Eq, ast.Neq, ast.Iff:
		if kindOf(a) != kindOf(b) {
			return nil, undeterminedf("the equality of values of two types")
		}
		same, err := equal(a, b)
		return Bool(same == (op != ast.Neq)), err
	case ast.Concat:
		x, y := a.(BitVector), b.(BitVector)
		n := new(big.Int).Lsh(x.N, uint(y.Width))
		return BitVector{x.Width + y.Width, n.Or(n, y.N)}, nil
	case ast.Power:
		return sc.open(nil, op, nil, []Value{a, b}, ast.Real)
	case ast.RealDiv:
		x, y := toReal(a), toReal(b)
		if y.Sign() == 0 {
			return sc.open(nil, op, nil, []Value{Real{x}}, ast.Real)
		}
		return Real{new(big.Rat).Quo(x, y)}, nil
	case ast.PartialOrder:
		return nil, undeterminedf("the partial order <:")
	case ast.And:
		return a.(Bool) && b.(Bool), nil
	case ast.Or:
		return a.(Bool) || b.(Bool), nil
	case ast.Implies:
		return !a.(Bool) || b.(Bool), nil
	}
	if x, ok := a.(Int); ok {
		y := b.(Int)
		return sc.integers(op, x.N, y.N)
	}
	x, y := a.(Real).R, b.(Real).R
	switch op {
	case ast.Add:
		return Real{new(big.Rat).Add(x, y)}, nil
	case ast.Sub:
		return Real{new(big.Rat).Sub(x, y)}, nil
	case ast.Mul:
		return Real{new(big.Rat).Mul(x, y)}, nil
	}
	return compare(op, x.Cmp(y))
}

func (sc *scope) integers(op ast.BinaryOp, x, y *big.Int) (Value, error) {
	switch op {
	case ast.Add:
		return Int{new(big.Int).Add(x, y)}, nil
	case ast.Sub:
		return Int{new(big.Int).Sub(x, y)}, nil
	case ast.Mul:
		return Int{new(big.Int).Mul(x, y)}, nil
	case ast.Div, ast.Mod:
		if y.Sign() == 0 {
			return sc.open(nil, op, nil, []Value{Int{x}}, ast.Int)
		}
		if op == ast.Div {
			return Int{euclid(x, y)}, nil
		}
		return Int{modulo(x, y)}, nil
	}
	return compare(op, x.Cmp(y))
}

func compare(op ast.BinaryOp, c int) (Value, error) {
	switch op {
	case ast.Less:
		return Bool(c < 0), nil
	case ast.LessEq:
		return Bool(c <= 0), nil
	case ast.Greater:
		return Bool(c > 0), nil
	case ast.GreaterEq:
		return Bool(c >= 0), nil
	}
	return nil, undeterminedf("the operator %s", op)
}

// kindOf tells the kinds of values apart.
func kindOf(v Value) string {
	switch v.(type) {
	case Bool:
		return "bool"
	case Int:
		return "int"
	case Real:
		return "real"
	case BitVector:
		return "bv"
	case Element:
		return "element"
	case *Data:
		return "data"
	case *Polymorphic:
		return "polymorphic map"
	}
	return "map"
}

// builtin applies an operator of SMT-LIB, possibly with indices: `bvadd`, `(_ sign_extend 8)`.
func (sc *scope) builtin(f *ast.Function, operator string, args []Value) (Value, error) {
	unknown := undeterminedf("the function %s (%s)", f.Name, operator)
	name, indices := f.BuiltinOperator()
	if name == "" || len(args) == 0 {
		return nil, unknown
	}
	var v Value
	var err error
	switch first := args[0].(type) {
	case BitVector:
		v = bitVector(name, indices, first, args[1:])
	case Int:
		v, err = sc.integerBuiltin(name, indices, first, args[1:])
	case Real:
		v, err = sc.realBuiltin(name, first, args[1:])
	case Bool:
		v = sc.boolBuiltin(name, first, args[1:])
	}
	if v == nil && err == nil && len(args) == 2 && kindOf(args[0]) == kindOf(args[1]) && (name == "=" || name == "distinct") {
		same, err := equal(args[0], args[1])
		return Bool(same == (name == "=")), err
	}
	if err != nil {
		return nil, err
	}
	if v == nil {
		return nil, unknown
	}
	return v, nil
}

func (sc *scope) integerBuiltin(name string, indices []int, a Int, more []Value) (Value, error) {
	if len(more) == 0 {
		switch name {
		case "-":
			return Int{new(big.Int).Neg(a.N)}, nil
		case "abs":
			return Int{new(big.Int).Abs(a.N)}, nil
		case "to_real":
			return Real{new(big.Rat).SetInt(a.N)}, nil
		case "int2bv", "int_to_bv", "nat2bv":
			if len(indices) == 1 && indices[0] > 0 {
				return BitVector{indices[0], new(big.Int).And(a.N, mask(indices[0]))}, nil
			}
		}
		return nil, nil
	}
	b, ok := more[0].(Int)
	if !ok || len(more) > 1 {
		return nil, nil
	}
	if op, ok := ast.SMTOperators[name]; ok && op.Takes(ast.Int) {
		return sc.operator(op, a, b)
	}
	if name == "rem" {
		m, err := sc.integers(ast.Mod, a.N, b.N)
		if err != nil || b.N.Sign() >= 0 {
			return m, err
		}
		return Int{new(big.Int).Neg(m.(Int).N)}, nil
	}
	return nil, nil
}

func (sc *scope) realBuiltin(name string, a Real, more []Value) (Value, error) {
	if len(more) == 0 {
		switch name {
		case "-":
			return Real{new(big.Rat).Neg(a.R)}, nil
		case "to_int":
			return floor(a), nil
		}
		return nil, nil
	}
	b, ok := more[0].(Real)
	if !ok || len(more) > 1 {
		return nil, nil
	}
	if op, ok := ast.SMTOperators[name]; ok && op.Takes(ast.Real) {
		return sc.operator(op, a, b)
	}
	return nil, nil
}

func (sc *scope) boolBuiltin(name string, a Bool, more []Value) Value {
	if name == "not" && len(more) == 0 {
		return !a
	}
	if name == "ite" && len(more) == 2 {
		if a {
			return more[0]
		}
		return more[1]
	}
	if len(more) != 1 {
		return nil
	}
	b, ok := more[0].(Bool)
	if !ok {
		return nil
	}
	if op, ok := ast.SMTOperators[name]; ok && op.Takes(ast.Bool) {
		v, _ := sc.operator(op, a, b)
		return v
	}
	if name == "xor" {
		return Bool(a != b)
	}
	return nil
}
