package lower

import (
	"fmt"
	"math/big"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/interval"
	"hornbeam/frontend/c/machine"
)

// vectors builds operations of machine types on bit-vectors, by functions that are declared as they are needed.
type vectors struct {
	builder
	functions *functions
}

// functions are the declarations of built-in functions on bit-vectors that a program needs.
type functions struct {
	declared map[string]bool
	list     []ast.Declaration
}

// use declares a function once and returns its name.
func (f *functions) use(name, builtin string, params []string, result string) string {
	if f.declared[name] {
		return name
	}
	f.declared[name] = true
	d := &ast.Function{Name: name, Attributes: ast.Attributes{{Name: "bvbuiltin", Args: []ast.Expr{&ast.StringLiteral{Text: builtin}}}}}
	for i, p := range params {
		d.Params = append(d.Params, &ast.Variable{Kind: ast.In, Name: fmt.Sprintf("x%d", i), Syntax: typeName(chc.Position{}, p)})
	}
	d.Result = &ast.Variable{Kind: ast.Out, Syntax: typeName(chc.Position{}, result)}
	f.list = append(f.list, d)
	return name
}

func typeName(pos chc.Position, name string) *ast.TypeName {
	return &ast.TypeName{Pos: pos, Name: name}
}

func vectorType(width int) string { return fmt.Sprintf("bv%d", width) }

// operate applies an operation of SMT-LIB to two vectors of the same width; a comparison results in a truth value.
func (b vectors) operate(op string, width int, comparison bool, x, y ast.Expr) ast.Expr {
	t := vectorType(width)
	result := t
	if comparison {
		result = "bool"
	}
	return b.apply(b.functions.use(fmt.Sprintf("$%s.%d", op, width), op, []string{t, t}, result), x, y)
}

func (b vectors) operate1(op string, width int, x ast.Expr) ast.Expr {
	t := vectorType(width)
	return b.apply(b.functions.use(fmt.Sprintf("$%s.%d", op, width), op, []string{t}, t), x)
}

// binaryVector returns the SMT-LIB name of an operation of a machine type.
func binaryVector(op string, k machine.Type) (name string, comparison bool) {
	sign := "u"
	if k.Signed {
		sign = "s"
	}
	switch op {
	case "add", "sub", "mul", "and", "or", "xor", "shl":
		return "bv" + op, false
	case "div":
		return "bv" + sign + "div", false
	case "rem":
		return "bv" + sign + "rem", false
	case "shr":
		if k.Signed {
			return "bvashr", false
		}
		return "bvlshr", false
	case "lt", "le", "gt", "ge":
		return "bv" + sign + op, true
	}
	return "", false
}

// resize truncates or extends a vector that represents a value of a type.
func (b vectors) resize(from machine.Type, width int, x ast.Expr) ast.Expr {
	switch {
	case width < from.Bits:
		return &ast.Extract{Node: b.node(), X: x, High: width, Low: 0}
	case width == from.Bits:
		return x
	}
	extend := "zero_extend"
	if from.Signed {
		extend = "sign_extend"
	}
	name := b.functions.use(fmt.Sprintf("$%s.%d.%d", extend, from.Bits, width), fmt.Sprintf("%s %d", extend, width-from.Bits),
		[]string{vectorType(from.Bits)}, vectorType(width))
	return b.apply(name, x)
}

// toInteger returns the number that a vector stands for, toVector the vector for a number.
func (b vectors) toInteger(k machine.Type, names *namer, x ast.Expr) ast.Expr {
	f := b.functions.use(fmt.Sprintf("$bv2nat.%d", k.Bits), "bv2nat", []string{vectorType(k.Bits)}, "int")
	if !k.Signed {
		return b.apply(f, x)
	}
	return names.with(b.builder, b.apply(f, x), func(n ast.Expr) ast.Expr {
		return b.choose(b.less(b.number(k.Max()), n), b.sub(n, b.number(machine.Power(k.Bits))), n)
	})
}

func (b vectors) toVector(width int, n ast.Expr) ast.Expr {
	if v, ok := machine.Numeral(n); ok {
		return b.vector(v, width)
	}
	f := b.functions.use(fmt.Sprintf("$int2bv.%d", width), fmt.Sprintf("int2bv %d", width), []string{"int"}, vectorType(width))
	return b.apply(f, n)
}

// vectorOperation lowers an operation on bit-vectors.
func (l *lowering) vectorOperation(b builder, o machine.Operation, args []ast.Expr, x, y ast.Expr) ast.Expr {
	v := vectors{b, l.functions}
	switch o.Op {
	case machine.Convert:
		return v.resize(o.Type, o.To.Bits, x)
	case machine.Index:
		if l.Mode == AllVectors {
			return v.resize(o.Type, l.PointerBits, x)
		}
		return v.toInteger(o.Type, l.names, x)
	case machine.Address:
		if l.Mode == AllVectors {
			return v.resize(o.Type, l.PointerBits, x)
		}
		return v.toInteger(machine.Type{Bits: l.PointerBits}, l.names, v.resize(o.Type, l.PointerBits, x))
	}
	if o.Fits {
		return l.vectorFits(v, o, x, y)
	}
	switch o.Op {
	case machine.Neg:
		return v.operate1("bvneg", o.Type.Bits, x)
	case machine.Not:
		return v.operate1("bvnot", o.Type.Bits, x)
	}
	if r := v.narrow(o, x, y, vectorRange(args[0]), vectorRange(args[1])); r != nil {
		return r
	}
	name, comparison := binaryVector(o.Op.String(), o.Type)
	return v.operate(name, o.Type.Bits, comparison, x, y)
}

// narrow returns a product, quotient or remainder in the width that its operands' ranges leave, where that is less than the type's:
// circuits of products and quotients grow with the square of the width. It returns nil where it is not.
func (v vectors) narrow(o machine.Operation, x, y ast.Expr, inX, inY interval.Interval) ast.Expr {
	in := inX.Join(inY)
	switch o.Op {
	case machine.Mul:
		in = in.Join(inX.Mul(inY))
	case machine.Div, machine.Rem:
		// The quotient of the least number of a width by -1 needs one more bit.
		in = in.Join(in.Negate())
	default:
		return nil
	}
	// Of a signed width all of these operations are what they are in a greater one, by zero, too.
	bits := signedBits(in)
	if bits == 0 || bits >= o.Type.Bits {
		return nil
	}
	narrow := machine.Type{Bits: bits, Signed: true}
	name, _ := binaryVector(o.Op.String(), narrow)
	return v.resize(narrow, o.Type.Bits, v.operate(name, bits, false, v.resize(o.Type, bits, x), v.resize(o.Type, bits, y)))
}

// vectorRange returns the interval of a word whatever its variables are: the analysis of ranges knows more, but of numbers that do not
// wrap around.
func vectorRange(e ast.Expr) interval.Interval {
	if n, ok := machine.Numeral(e); ok {
		return interval.Point(n)
	}
	t := machine.SortOfExpr(e)
	if t.Shape != machine.WordShape {
		return interval.Interval{}
	}
	whole := interval.OfType(t.Word)
	a, ok := e.(*ast.Application)
	if !ok {
		return whole
	}
	o, args, ok := machine.Recognise(a)
	switch {
	case ok && o.Op == machine.Convert:
		if in := vectorRange(args[0]); in.In(whole) && in.Low != nil {
			return in
		}
	case ok && o.Op == machine.And:
		for _, x := range args {
			if in := vectorRange(x); in.NotNegative() && in.High != nil {
				return interval.Between(new(big.Int), in.High)
			}
		}
	}
	return whole
}

// signedBits returns the least width in which signed vectors stand for all numbers of an interval, 0 where there is none.
func signedBits(in interval.Interval) int {
	if in.Low == nil || in.High == nil {
		return 0
	}
	bits := in.High.BitLen()
	if in.Low.Sign() < 0 {
		bits = max(bits, new(big.Int).Not(in.Low).BitLen())
	}
	return bits + 1
}

// vectorFits states that the result is the same in twice the width.
func (l *lowering) vectorFits(v vectors, o machine.Operation, x, y ast.Expr) ast.Expr {
	wide := machine.Type{Bits: 2 * o.Type.Bits, Signed: o.Type.Signed}
	wideX := v.resize(o.Type, wide.Bits, x)
	var result ast.Expr
	if o.Op == machine.Neg {
		result = v.operate1("bvneg", wide.Bits, wideX)
	} else {
		name, _ := binaryVector(o.Op.String(), o.Type)
		result = v.operate(name, wide.Bits, false, wideX, v.resize(o.Type, wide.Bits, y))
	}
	return l.names.with(v.builder, result, func(r ast.Expr) ast.Expr {
		return v.equal(r, v.resize(o.Type, wide.Bits, v.resize(wide, o.Type.Bits, r)))
	})
}
