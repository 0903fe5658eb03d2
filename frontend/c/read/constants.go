package read

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
)

// constantExpression is the value of an expression that has to be an integer constant; what names it in the error.
func (r *reader) constantExpression(n cc.ExpressionNode, what string) *big.Int {
	v := r.rvalue(n)
	x, ok := r.evaluate(v)
	if !ok || !tree.IsInteger(v.Type()) {
		r.Fail(r.pos(n), "%s is not an integer constant", what)
	}
	return x
}

// evaluate is the value of an integer constant expression. Signed arithmetic that overflows wraps, as gcc's does where it
// needs a constant. It is false if the value has parts that are not constant or not defined.
func (r *reader) evaluate(v tree.Value) (*big.Int, bool) {
	switch v := v.(type) {
	case *tree.Constant:
		return v.Int, true
	case *tree.Convert:
		t, ok := v.T.(*tree.Integer)
		if !ok {
			return nil, false
		}
		x, ok := r.evaluate(v.X)
		if !ok {
			return nil, false
		}
		return t.Wrap(x), true
	case *tree.Unary:
		x, ok := r.evaluate(v.X)
		if !ok {
			return nil, false
		}
		return evaluateUnary(v.Op, x, v.T)
	case *tree.Binary:
		x, ok := r.evaluate(v.X)
		if !ok {
			return nil, false
		}
		y, ok := r.evaluate(v.Y)
		if !ok {
			return nil, false
		}
		z, _, ok := evaluateBinary(v.Op, x, y, v.T)
		return z, ok
	case *tree.Logical:
		x, ok := r.evaluate(v.X)
		if !ok {
			return nil, false
		}
		if (x.Sign() != 0) == v.Or {
			return big.NewInt(boolToInt(v.Or)), true
		}
		y, ok := r.evaluate(v.Y)
		if !ok {
			return nil, false
		}
		return big.NewInt(boolToInt(y.Sign() != 0)), true
	case *tree.Call:
		return r.evaluateBits(v)
	case *tree.Conditional:
		test, ok := r.evaluate(v.Test)
		if !ok || !tree.IsInteger(v.T) {
			return nil, false
		}
		switch {
		case test.Sign() == 0:
			return r.evaluate(v.Else)
		case v.Then == nil:
			return r.evaluate(r.convert(constantValue(v.Test.Type(), test), v.T, v.Position))
		}
		return r.evaluate(v.Then)
	}
	return nil, false
}

// evaluateBits is the value of a call of gcc's functions of bits, which is constant if its argument is.
func (r *reader) evaluateBits(v *tree.Call) (*big.Int, bool) {
	result, ok := v.T.(*tree.Integer)
	if !ok || v.Function == nil || len(v.Arguments) != 1 || !strings.HasPrefix(v.Function.Name, "__builtin_") {
		return nil, false
	}
	base, width := lib.BitFunction(strings.TrimPrefix(v.Function.Name, "__builtin_"), int(8*r.types.model.PointerBytes))
	if width == 0 {
		return nil, false
	}
	x, ok := r.evaluate(v.Arguments[0])
	if !ok {
		return nil, false
	}
	low := new(big.Int).And(x, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	y, ok := lib.Bits(base, width, low)
	return result.Wrap(new(big.Int).SetUint64(y)), ok
}

func constantValue(t tree.Type, x *big.Int) *tree.Constant { return &tree.Constant{T: t, Int: x} }

// evaluateUnary is op x in a type.
func evaluateUnary(op tree.UnaryOp, x *big.Int, t tree.Type) (*big.Int, bool) {
	if op == tree.Not {
		return big.NewInt(boolToInt(x.Sign() == 0)), true
	}
	i, ok := t.(*tree.Integer)
	if !ok {
		return nil, false
	}
	if op == tree.Neg {
		return i.Wrap(new(big.Int).Neg(x)), true
	}
	return i.Wrap(new(big.Int).Not(x)), true
}

// evaluateBinary is x op y in a type. overflow tells that the type does not hold the exact result of signed arithmetic; ok
// is false where C defines no value at all.
func evaluateBinary(op tree.BinaryOp, x, y *big.Int, t tree.Type) (z *big.Int, overflow, ok bool) {
	if op.Comparison() {
		return big.NewInt(boolToInt(tree.Compare(op, x.Cmp(y), 0))), false, true
	}
	i, isInt := t.(*tree.Integer)
	if !isInt {
		return nil, false, false
	}
	switch op {
	case tree.Rem:
		overflow = i.Signed && y.Cmp(big.NewInt(-1)) == 0 && x.Cmp(i.Min()) == 0
	case tree.Shl, tree.Shr:
		if y.Cmp(big.NewInt(int64(i.Bits))) >= 0 {
			return nil, false, false
		}
		overflow = op == tree.Shl && x.Sign() < 0
	}
	if z = op.Arithmetic(x, y); z == nil {
		return nil, false, false
	}
	wrapped := i.Wrap(z)
	return wrapped, overflow || i.Signed && wrapped.Cmp(z) != 0, true
}

// simplify folds an operation whose operands are constants. What overflows is left as it is, as it may have to be reported;
// so is what has no defined value.
func (r *reader) simplify(v tree.Value) tree.Value {
	constant := func(x *big.Int) tree.Value {
		return &tree.Constant{At: tree.At{Position: v.Pos()}, T: v.Type(), Int: x}
	}
	switch v := v.(type) {
	case *tree.Unary:
		switch x := v.X.(type) {
		case *tree.Constant:
			if v.Op == tree.Neg && x.T.(*tree.Integer).Signed && x.Int.Cmp(x.T.(*tree.Integer).Min()) == 0 {
				return v
			}
			if z, ok := evaluateUnary(v.Op, x.Int, v.T); ok {
				return constant(z)
			}
		case *tree.FloatConstant:
			switch {
			case v.Op == tree.Neg:
				text, negative := strings.CutPrefix(x.Text, "-")
				if !negative {
					text = "-" + text
				}
				return &tree.FloatConstant{At: v.At, T: x.T, Float: -x.Float, Text: text}
			case v.Op == tree.Not && x.Exact():
				return constantOf(v.Position, v.T, boolToInt(x.Float == 0))
			}
		}
	case *tree.Binary:
		if folded := foldFloats(v); folded != nil {
			return folded
		}
		x, isConstant := v.X.(*tree.Constant)
		y, both := v.Y.(*tree.Constant)
		if isConstant && both {
			if z, overflow, ok := evaluateBinary(v.Op, x.Int, y.Int, v.T); ok && !overflow {
				return constant(z)
			}
		}
	case *tree.Logical:
		x, ok := constantTruth(v.X)
		if !ok {
			return v
		}
		if x == v.Or {
			return constantOf(v.Position, v.T, boolToInt(x))
		}
		if y, ok := constantTruth(v.Y); ok {
			return constantOf(v.Position, v.T, boolToInt(y))
		}
	case *tree.Conditional:
		test, ok := constantTruth(v.Test)
		switch {
		case !ok:
		case !test:
			return v.Else
		case v.Then != nil:
			return v.Then
		default:
			return r.convert(v.Test, v.T, v.Position)
		}
	}
	return v
}

// foldFloats folds an operation on two floating constants, rounding as float and double do; nil if it is something else.
func foldFloats(v *tree.Binary) tree.Value {
	x, ok := v.X.(*tree.FloatConstant)
	if !ok {
		return nil
	}
	y, ok := v.Y.(*tree.FloatConstant)
	if !ok {
		return nil
	}
	t := x.T.(*tree.Float)
	if t.Name != "float" && t.Name != "double" {
		return nil // float64 does not hold what it computes
	}
	if v.Op.Comparison() {
		return constantOf(v.Position, v.T, boolToInt(tree.Compare(v.Op, x.Float, y.Float)))
	}
	z, ok := v.Op.Float(x.Float, y.Float)
	if !ok {
		return nil
	}
	// A sum, difference, product or quotient of floats that is rounded to double and then to float is rounded once.
	z = roundTo(z, t)
	if math.IsNaN(z) || math.IsInf(z, 0) {
		return nil
	}
	return &tree.FloatConstant{At: v.At, T: t, Float: z, Text: strconv.FormatFloat(z, 'g', -1, 64)}
}

// constantTruth tells whether a value is a constant, and if so, whether it is true.
func constantTruth(v tree.Value) (truth, ok bool) {
	switch v := v.(type) {
	case *tree.Constant:
		return v.Int.Sign() != 0, true
	case *tree.FloatConstant:
		return v.Float != 0, v.Exact()
	}
	return false, false
}
