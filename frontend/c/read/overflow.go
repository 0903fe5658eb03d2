package read

import (
	"math/big"
	"regexp"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/tree"
)

// overflowName matches gcc's functions that compute with infinite precision and tell whether the result fits.
var overflowName = regexp.MustCompile(`^__builtin_([su]?)(add|sub|mul)(l|ll|)_overflow(_p)?$`)

// overflowCall reads __builtin_add_overflow and its likes: the operation is done with infinite precision, the result is
// stored as the type of the last argument has it, and the value is whether that is another number. The variants whose names
// end in _p store nothing. It is nil if the name is none of theirs.
func (r *reader) overflowCall(name string, arguments []cc.ExpressionNode, pos tree.Pos) tree.Value {
	m := overflowName.FindStringSubmatch(name)
	if m == nil || m[1] == "" && m[3] != "" || m[1] != "" && m[4] != "" {
		return nil
	}
	if len(arguments) != 3 {
		r.Fail(pos, "%s needs 3 arguments", name)
	}
	o := &overflow{reader: r, name: name, pos: pos, op: map[string]tree.BinaryOp{"add": tree.Add, "sub": tree.Sub, "mul": tree.Mul}[m[2]]}
	o.operands[0], o.operands[1] = r.rvalue(arguments[0]), r.rvalue(arguments[1])
	third := r.rvalue(arguments[2])
	if m[1] != "" {
		t := r.overflowType(m[1] == "u", m[3])
		o.operands[0], o.operands[1] = r.convert(o.operands[0], t, pos), r.convert(o.operands[1], t, pos)
		third = r.convert(third, r.types.pointer(t), pos)
	}
	for _, v := range o.operands {
		if t, ok := v.Type().(*tree.Integer); !ok {
			r.Fail(v.Pos(), "%s needs integers", name)
		} else if t.Bits > 64 {
			return &tree.UnsupportedValue{At: tree.At{Position: pos}, T: r.types.boolean, What: name + " with " + t.Name}
		}
	}
	result := third.Type()
	if p, ok := result.(*tree.Pointer); ok && m[4] == "" {
		result = p.Elem
	} else if m[4] == "" {
		r.Fail(third.Pos(), "%s needs a pointer to an integer", name)
	}
	t, ok := result.(*tree.Integer)
	switch {
	case !ok || t.Bool:
		r.Fail(third.Pos(), "%s cannot have a result of type %s", name, result)
	case t.Bits > 64:
		return &tree.UnsupportedValue{At: tree.At{Position: pos}, T: r.types.boolean, What: name + " with " + t.Name}
	}
	o.result, o.low, o.high = t, t.Min(), t.Max()
	if m[4] == "" {
		return o.value(third)
	}
	if l, ok := third.(*tree.Load); ok {
		if member, ok := l.Place.(*tree.Member); ok && member.Field.Bits > 0 {
			// The precision is that of the bit-field.
			bits := tree.NewInteger(t.Name, member.Field.Bits, t.Signed, 1)
			o.low, o.high = bits.Min(), bits.Max()
		}
	}
	return o.predicate(third)
}

// overflowType is the type of the operands and the result of a function such as __builtin_uaddl_overflow.
func (r *reader) overflowType(unsigned bool, suffix string) *tree.Integer {
	t := map[string]*tree.Integer{"": r.types.int, "l": r.types.long, "ll": r.types.longLong}[suffix]
	if unsigned {
		return r.types.unsigned(t)
	}
	return t
}

// overflow is the reading of one call.
type overflow struct {
	*reader
	name     string
	pos      tree.Pos
	op       tree.BinaryOp
	operands [2]tree.Value
	result   *tree.Integer
	// low and high bound the results that fit.
	low, high *big.Int
	block     *tree.Block
}

// keep evaluates a value at this point and gives what reads it later.
func (o *overflow) keep(v tree.Value) func() tree.Value {
	if c, ok := v.(*tree.Constant); ok {
		return func() tree.Value { return c }
	}
	object := o.automatic("", v.Type(), o.pos)
	o.block.Statements = append(o.block.Statements, tree.Initialise(object, v, o.pos))
	return func() tree.Value { return tree.Read(object, o.pos) }
}

// constant is the call's result if both operands are constants: the wrapped number and whether it is another one.
func (o *overflow) constant() (*big.Int, bool, bool) {
	x, ok := o.evaluate(o.operands[0])
	if !ok {
		return nil, false, false
	}
	y, ok := o.evaluate(o.operands[1])
	if !ok {
		return nil, false, false
	}
	z := o.op.Arithmetic(x, y)
	return o.result.Wrap(z), z.Cmp(o.low) < 0 || z.Cmp(o.high) > 0, true
}

// begin begins the block in which the operands are evaluated.
func (o *overflow) begin() {
	if o.function == nil {
		o.Fail(o.pos, "a call of %s outside a function", o.name)
	}
	o.block = &tree.Block{At: tree.At{Position: o.pos}, End: o.pos}
}

// value is the call with a pointer to where the result is stored.
func (o *overflow) value(pointer tree.Value) tree.Value {
	o.begin()
	at := tree.At{Position: o.pos}
	a, b := o.keep(o.operands[0]), o.keep(o.operands[1])
	if effectful(pointer) {
		pointer = o.keep(pointer)()
	}
	wrapped, fails := o.compute(a, b)
	// What the pointer leads to may be one of the operands: these were read before.
	store := &tree.Assign{At: at, Place: o.dereference(pointer, o.pos), Value: o.convert(wrapped, o.result, o.pos)}
	return &tree.StatementValue{
		At: at, T: o.types.boolean, Block: o.block,
		Result: &tree.Comma{At: at, First: o.effects(store), Second: o.convert(fails, o.types.boolean, o.pos)},
	}
}

// predicate is the call that only asks: of the third argument only the type and the effects count.
func (o *overflow) predicate(third tree.Value) tree.Value {
	if _, fails, ok := o.constant(); ok && !effectful(third) {
		return constantOf(o.pos, o.types.boolean, boolToInt(fails))
	}
	o.begin()
	at := tree.At{Position: o.pos}
	a, b := o.keep(o.operands[0]), o.keep(o.operands[1])
	if effectful(third) {
		o.block.Statements = append(o.block.Statements, &tree.Evaluate{At: at, Value: o.effects(third)})
	}
	_, fails := o.compute(a, b)
	return &tree.StatementValue{At: at, T: o.types.boolean, Block: o.block, Result: o.convert(fails, o.types.boolean, o.pos)}
}

// compute is a number that is congruent to the exact result modulo two to the power of the result's width, and whether the
// exact result is outside the bounds.
func (o *overflow) compute(a, b func() tree.Value) (wrapped, fails tree.Value) {
	low, high := o.bounds()
	for _, t := range []*tree.Integer{o.types.longLong, o.types.ulongLong} {
		if t.Min().Cmp(low) <= 0 && high.Cmp(t.Max()) <= 0 {
			x := o.keep(o.operate(o.op, t, a(), b()))
			return x(), o.outside(x, t)
		}
	}
	if o.op == tree.Mul {
		return o.product(a, b)
	}
	return o.sum(a, b)
}

// bounds are those of the exact result by the types of the operands.
func (o *overflow) bounds() (low, high *big.Int) {
	ends := func(v tree.Value) []*big.Int {
		if x, ok := o.evaluate(v); ok {
			return []*big.Int{x}
		}
		t := v.Type().(*tree.Integer)
		return []*big.Int{t.Min(), t.Max()}
	}
	for _, x := range ends(o.operands[0]) {
		for _, y := range ends(o.operands[1]) {
			z := o.op.Arithmetic(x, y)
			if low == nil || z.Cmp(low) < 0 {
				low = z
			}
			if high == nil || z.Cmp(high) > 0 {
				high = z
			}
		}
	}
	return low, high
}

// outside tells whether a number of the type is outside the bounds.
func (o *overflow) outside(x func() tree.Value, t *tree.Integer) tree.Value {
	var fails tree.Value = constantOf(o.pos, o.types.int, 0)
	if o.low.Cmp(t.Min()) > 0 {
		fails = o.binary(tree.Lt, x(), &tree.Constant{At: tree.At{Position: o.pos}, T: t, Int: o.low}, o.pos)
	}
	if o.high.Cmp(t.Max()) < 0 {
		fails = o.either(fails, o.binary(tree.Gt, x(), &tree.Constant{At: tree.At{Position: o.pos}, T: t, Int: o.high}, o.pos))
	}
	return fails
}

// operate is x op y in a type.
func (o *overflow) operate(op tree.BinaryOp, t *tree.Integer, x, y tree.Value) tree.Value {
	return o.simplify(&tree.Binary{At: tree.At{Position: o.pos}, T: t, Op: op, X: o.convert(x, t, o.pos), Y: o.convert(y, t, o.pos)})
}

func (o *overflow) either(x, y tree.Value) tree.Value {
	return o.simplify(&tree.Logical{At: tree.At{Position: o.pos}, T: o.types.int, Or: true, X: x, Y: y})
}

func (o *overflow) both(x, y tree.Value) tree.Value {
	return o.simplify(&tree.Logical{At: tree.At{Position: o.pos}, T: o.types.int, X: x, Y: y})
}

// negative is 1 where an operand is less than zero, else 0.
func (o *overflow) negative(x func() tree.Value) tree.Value {
	if t := x().Type().(*tree.Integer); !t.Signed {
		return constantOf(o.pos, o.types.int, 0)
	}
	return o.binary(tree.Lt, x(), constantOf(o.pos, o.types.int, 0), o.pos)
}

// word is a number of unsigned long long.
func (o *overflow) word(x *big.Int) tree.Value {
	return &tree.Constant{At: tree.At{Position: o.pos}, T: o.types.ulongLong, Int: x}
}

// sum computes a sum or difference of 64 bits: the exact result is s + k * 2^64, where s is what unsigned arithmetic has.
func (o *overflow) sum(a, b func() tree.Value) (wrapped, fails tree.Value) {
	u := o.types.ulongLong
	ua, ub := o.keep(o.convert(a(), u, o.pos)), o.keep(o.convert(b(), u, o.pos))
	s := o.keep(o.operate(o.op, u, ua(), ub()))
	var k tree.Value
	if o.op == tree.Add {
		carry := o.binary(tree.Lt, s(), ua(), o.pos)
		k = o.binary(tree.Sub, o.binary(tree.Sub, carry, o.negative(a), o.pos), o.negative(b), o.pos)
	} else {
		borrow := o.binary(tree.Lt, ua(), ub(), o.pos)
		k = o.binary(tree.Sub, o.binary(tree.Sub, o.negative(b), o.negative(a), o.pos), borrow, o.pos)
	}
	high := o.keep(k)
	is := func(n int64) tree.Value { return o.binary(tree.Eq, high(), constantOf(o.pos, o.types.int, n), o.pos) }
	fits := o.both(is(0), o.binary(tree.Le, s(), o.word(o.high), o.pos))
	if o.low.Sign() < 0 {
		least := new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), 64), o.low)
		fits = o.either(fits, o.both(is(-1), o.binary(tree.Ge, s(), o.word(least), o.pos)))
	}
	return s(), o.simplify(&tree.Unary{At: tree.At{Position: o.pos}, T: o.types.int, Op: tree.Not, X: fits})
}

// product computes a product of 64 bits by those of the operands' magnitudes.
func (o *overflow) product(a, b func() tree.Value) (wrapped, fails tree.Value) {
	u := o.types.ulongLong
	at := tree.At{Position: o.pos}
	magnitude := func(x func() tree.Value) func() tree.Value {
		if t := x().Type().(*tree.Integer); !t.Signed {
			return o.keep(o.convert(x(), u, o.pos))
		}
		return o.keep(o.simplify(&tree.Conditional{
			At: at, T: u, Test: o.negative(x), Then: o.operate(tree.Sub, u, o.word(new(big.Int)), x()), Else: o.convert(x(), u, o.pos),
		}))
	}
	ma, mb := magnitude(a), magnitude(b)
	p := o.keep(o.operate(tree.Mul, u, ma(), mb()))
	negative := o.keep(o.binary(tree.Ne, o.negative(a), o.negative(b), o.pos))
	large := o.both(
		o.binary(tree.Ne, ma(), constantOf(o.pos, o.types.int, 0), o.pos),
		o.binary(tree.Gt, mb(), o.operate(tree.Div, u, o.word(u.Max()), ma()), o.pos),
	)
	outside := o.simplify(&tree.Conditional{
		At: at, T: o.types.int, Test: negative(),
		Then: o.binary(tree.Gt, p(), o.word(new(big.Int).Neg(o.low)), o.pos),
		Else: o.binary(tree.Gt, p(), o.word(o.high), o.pos),
	})
	return o.operate(tree.Mul, u, a(), b()), o.either(large, outside)
}

// effectful tells whether evaluating a value can do more than read memory.
func effectful(n tree.Node) bool {
	found := false
	tree.Inspect(n, func(n tree.Node) bool {
		switch n.(type) {
		case *tree.Assign, *tree.Update, *tree.Call, *tree.StatementValue, *tree.CompoundLiteral, *tree.Temporary, *tree.UnsupportedValue:
			found = true
		}
		return !found
	})
	return found
}
