package interpret

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/tree"
)

func (c *compiler) unary(n *tree.Unary) value {
	if n.Op == tree.Not {
		return truthValue(c.truth(n))
	}
	if c.linear(n) {
		return fixed(c.kept(n))
	}
	return c.unaryOf(n, c.value(n.X))
}

// unaryOf compiles an operation on an operand x.
func (c *compiler) unaryOf(n *tree.Unary, x value) value {
	s := shapeOf(n.T)
	switch {
	case n.Op == tree.Complement && s.class == integer:
		return func(f *frame) uint64 { return s.wrap(^x(f)) }
	case n.Op == tree.Neg && s.class == integer:
		if c.p.options.overflows(s.signed) {
			least := uint64(1) << 63 >> (64 - s.bits)
			least = s.wrap(least)
			return func(f *frame) uint64 {
				v := x(f)
				switch {
				case s.signed && v == least:
					f.m.overflow(n, []fault.Kind{fault.Overflow}, "-(%d) does not fit in %s", int64(v), n.T)
				case !s.signed && v != 0:
					f.m.overflow(n, []fault.Kind{fault.UnsignedOverflow}, "-(%d) does not fit in %s", v, n.T)
				}
				return s.wrap(-v)
			}
		}
		return func(f *frame) uint64 { return s.wrap(-x(f)) }
	case n.Op == tree.Neg && s.floating():
		return func(f *frame) uint64 { return x(f) ^ 1<<63 }
	}
	return c.unknownOperation(n, n.Op.String(), n.T)
}

func (c *compiler) unknownOperation(n tree.Node, op string, t tree.Type) value {
	return undetermined[uint64](n, "%s on %s", op, t)
}

func (c *compiler) binary(n *tree.Binary) value {
	if c.linear(n) {
		return fixed(c.kept(n))
	}
	return c.arithmetic(n.Op, n.T, c.value(n.X), c.operand(n.Op, shapeOf(n.T), n.Y), shapeOf(n.Y.Type()), n)
}

// arithmetic compiles an operation whose operands have the type t; y has the shape of its own type, which matters to
// shifts only.
func (c *compiler) arithmetic(o tree.BinaryOp, t tree.Type, x, y value, ys shape, n tree.Node) value {
	s := shapeOf(t)
	switch {
	case s.floating():
		return c.floatArithmetic(o, s, t, x, y, n)
	case s.class != integer:
		return c.unknownOperation(n, o.String(), t)
	}
	if c.p.options.overflows(s.signed) {
		switch o {
		case tree.Add, tree.Sub, tree.Mul, tree.Div, tree.Rem, tree.Shl:
			x, y = c.checked(o, t, s, x, y, n)
		}
	}
	switch o {
	case tree.Add:
		if s.signed && s.bits == 32 {
			return func(f *frame) uint64 { a := x(f); return uint64(int64(int32(a + y(f)))) }
		}
		return func(f *frame) uint64 { a := x(f); return s.wrap(a + y(f)) }
	case tree.Sub:
		if s.signed && s.bits == 32 {
			return func(f *frame) uint64 { a := x(f); return uint64(int64(int32(a - y(f)))) }
		}
		return func(f *frame) uint64 { a := x(f); return s.wrap(a - y(f)) }
	case tree.Mul:
		return func(f *frame) uint64 { a := x(f); return s.wrap(a * y(f)) }
	case tree.Div, tree.Rem:
		return c.division(o == tree.Rem, s, x, y, n)
	case tree.And:
		return func(f *frame) uint64 { a := x(f); return a & y(f) }
	case tree.Or:
		return func(f *frame) uint64 { a := x(f); return a | y(f) }
	case tree.Xor:
		return func(f *frame) uint64 { a := x(f); return a ^ y(f) }
	case tree.Shl, tree.Shr:
		return func(f *frame) uint64 {
			a, k := x(f), y(f)
			if k >= uint64(s.bits) {
				if ys.signed {
					f.m.fault(n, []fault.Kind{fault.Shift}, "a shift of %s by %d", t, int64(k))
				}
				f.m.fault(n, []fault.Kind{fault.Shift}, "a shift of %s by %d", t, k)
			}
			switch {
			case o == tree.Shl:
				return s.wrap(a << k)
			case s.signed:
				return uint64(int64(a) >> k)
			}
			return a >> k
		}
	}
	panic(fmt.Sprintf("%s: an operation %s", n.Pos(), o))
}

func (c *compiler) division(rem bool, s shape, x, y value, n tree.Node) value {
	nonzero := func(f *frame) (a, b uint64) {
		if a, b = x(f), y(f); b == 0 {
			f.m.fault(n, []fault.Kind{fault.Division}, "division by zero")
		}
		return a, b
	}
	switch {
	case s.signed && rem:
		return func(f *frame) uint64 { a, b := nonzero(f); return s.wrap(uint64(int64(a) % int64(b))) }
	case s.signed:
		return func(f *frame) uint64 { a, b := nonzero(f); return s.wrap(uint64(int64(a) / int64(b))) }
	case rem:
		return func(f *frame) uint64 { a, b := nonzero(f); return a % b }
	}
	return func(f *frame) uint64 { a, b := nonzero(f); return a / b }
}

// checked makes an overflow a fault. It wraps both operands, so that the operation sees them once they are known to be fine.
func (c *compiler) checked(o tree.BinaryOp, t tree.Type, s shape, x, y value, n tree.Node) (value, value) {
	first := func(f *frame) uint64 {
		a, b := x(f), y(f)
		switch {
		case !s.signed:
			if wraps(o, s, a, b) {
				f.m.overflow(n, []fault.Kind{fault.UnsignedOverflow}, "%d %s %d does not fit in %s", a, o, b, t)
			}
		case overflows(o, s, int64(a), int64(b)):
			f.m.overflow(n, overflowKinds(o, int64(a)), "%d %s %d does not fit in %s", int64(a), o, int64(b), t)
		}
		f.checked = b
		return a
	}
	return first, func(f *frame) uint64 { return f.checked }
}

// overflowKinds are the kinds of faults that an overflow of a signed operation is, the first first.
func overflowKinds(o tree.BinaryOp, x int64) []fault.Kind {
	switch {
	case o == tree.Div || o == tree.Rem:
		return []fault.Kind{fault.Overflow, fault.Division}
	case o == tree.Shl && x < 0:
		return []fault.Kind{fault.Shift, fault.Overflow}
	case o == tree.Shl:
		return []fault.Kind{fault.Overflow, fault.Shift}
	}
	return []fault.Kind{fault.Overflow}
}

// overflow ends a run that overflows if that is a fault that is asked for, or if runs end at overflows of signed integers.
func (m *machine) overflow(n tree.Node, kinds []fault.Kind, format string, args ...any) {
	if m.p.options.Faults.Has(kinds...) || m.p.options.EndAtOverflow && kinds[0] != fault.UnsignedOverflow {
		m.fault(n, kinds, format, args...)
	}
}

// wraps tells whether an unsigned operation has a result that its type lacks.
func wraps(o tree.BinaryOp, s shape, a, b uint64) bool {
	var high, low uint64
	switch o {
	case tree.Add:
		low, high = bits.Add64(a, b, 0)
	case tree.Sub:
		return a < b
	case tree.Mul:
		high, low = bits.Mul64(a, b)
	default:
		return false
	}
	return high != 0 || s.wrap(low) != low
}

// overflows tells whether a signed operation has a result that its type lacks. A division by zero is something else.
func overflows(o tree.BinaryOp, s shape, a, b int64) bool {
	fits := func(high, low uint64) bool {
		r := int64(low)
		return int64(high) == r>>63 && int64(s.wrap(low)) == r
	}
	switch o {
	case tree.Add:
		low, carry := bits.Add64(uint64(a), uint64(b), 0)
		high, _ := bits.Add64(uint64(a>>63), uint64(b>>63), carry)
		return !fits(high, low)
	case tree.Sub:
		low, borrow := bits.Sub64(uint64(a), uint64(b), 0)
		high, _ := bits.Sub64(uint64(a>>63), uint64(b>>63), borrow)
		return !fits(high, low)
	case tree.Mul:
		high, low := bits.Mul64(uint64(a), uint64(b))
		high -= uint64(a>>63)&uint64(b) + uint64(b>>63)&uint64(a)
		return !fits(high, low)
	case tree.Div, tree.Rem:
		return b == -1 && a == math.MinInt64>>(64-s.bits)
	case tree.Shl:
		if b < 0 || b >= int64(s.bits) {
			return false
		}
		return a < 0 || a > int64(uint64(1)<<(s.bits-1)-1)>>b
	}
	return false
}

// comparison compiles a comparison.
func (c *compiler) comparison(n *tree.Binary) truth {
	if t := c.comparesLinear(n); t != nil {
		return t
	}
	x, y := c.value(n.X), c.value(n.Y)
	s := shapeOf(n.X.Type())
	if s.floating() {
		return floatComparison(n.Op, x, y)
	}
	if s.class == pointer && n.Op != tree.Eq && n.Op != tree.Ne {
		x, y = c.comparable(x, y, n)
	}
	signed := s.signed && s.class == integer
	if s.class == pointer && c.scoped() {
		x, y = dangling(x), dangling(y)
	}
	switch n.Op {
	case tree.Eq, tree.Ne:
		return equal(x, y, n.Op == tree.Ne)
	case tree.Lt:
		if signed {
			return func(f *frame) bool { a := x(f); return int64(a) < int64(y(f)) }
		}
		return func(f *frame) bool { a := x(f); return a < y(f) }
	case tree.Le:
		if signed {
			return func(f *frame) bool { a := x(f); return int64(a) <= int64(y(f)) }
		}
		return func(f *frame) bool { a := x(f); return a <= y(f) }
	case tree.Gt:
		if signed {
			return func(f *frame) bool { a := x(f); return int64(a) > int64(y(f)) }
		}
		return func(f *frame) bool { a := x(f); return a > y(f) }
	}
	if signed {
		return func(f *frame) bool { a := x(f); return int64(a) >= int64(y(f)) }
	}
	return func(f *frame) bool { a := x(f); return a >= y(f) }
}

// dangling notes that the result of a comparison depends on where objects are if one of them has ended: a later one may be there.
func dangling(x value) value {
	return func(f *frame) uint64 {
		p := x(f)
		if o := f.m.find(p); o != nil && o.dead {
			f.m.addresses = true
		}
		return p
	}
}

// equal compiles == and !=, and lets a search know of operands that differ.
func equal(x, y value, not bool) truth {
	return func(f *frame) bool {
		a := x(f)
		b := y(f)
		if a == b {
			return !not
		}
		if f.m.coverage != nil {
			f.m.coverage.Differ(a, b)
		}
		return not
	}
}

// comparable ends a run that asks which of two objects comes first.
func (c *compiler) comparable(x, y value, n tree.Node) (value, value) {
	ax, ay := c.access(n), c.access(n)
	first := func(f *frame) uint64 {
		a, b := x(f), y(f)
		if a != b && a != 0 && b != 0 {
			if o, p := f.m.territory(a, ax), f.m.territory(b, ay); o != p && o != nil && p != nil {
				f.m.undefined(n, "pointers into %s and %s are compared", f.m.name(o), f.m.name(p))
			}
		}
		f.checked = b
		return a
	}
	return first, func(f *frame) uint64 { return f.checked }
}

func (c *compiler) pointerSum(n *tree.PointerSum) value {
	p, count := c.value(n.P), c.decides(c.value(n.Count), n.Count, "an index")
	size, sizeOf := c.size(n.T.Elem)
	return c.sum(p, count, size, sizeOf, n.Minus, n)
}

// sum compiles the address that is a number of elements away from another one.
func (c *compiler) sum(p, count value, size int64, sizeOf func(f *frame) int64, minus bool, n tree.Node) value {
	access := c.access(n)
	if minus {
		size = -size
	}
	if sizeOf == nil {
		return func(f *frame) uint64 {
			a := p(f)
			return f.m.moved(a, a+count(f)*uint64(size), access)
		}
	}
	return func(f *frame) uint64 {
		a := p(f)
		by := count(f) * uint64(sizeOf(f))
		if minus {
			by = -by
		}
		return f.m.moved(a, a+by, access)
	}
}

// moved is the address that arithmetic with another one yields. It may leave the object, but not so far that it is in
// another one, as it would then be taken for that one's address.
func (m *machine) moved(from, to uint64, a *access) uint64 {
	if m.p.layout.narrow {
		to &= 0xffff_ffff
	}
	if o := m.territory(from, a); o != nil && (to < o.low || to >= o.high) {
		m.undefined(a.node, "pointer arithmetic leads from %s to %d bytes behind its beginning; it has %d", m.name(o), int64(to-o.base), o.size)
	}
	return to
}

func (c *compiler) pointerDifference(n *tree.PointerDifference) value {
	x, y := c.value(n.X), c.value(n.Y)
	ax, ay := c.access(n), c.access(n)
	size, sizeOf := c.size(n.X.Type().(*tree.Pointer).Elem)
	s := shapeOf(n.T)
	return func(f *frame) uint64 {
		a, b := x(f), y(f)
		if o, p := f.m.territory(a, ax), f.m.territory(b, ay); o != p && o != nil && p != nil {
			f.m.undefined(n, "pointers into %s and %s are subtracted", f.m.name(o), f.m.name(p))
		}
		by := size
		if sizeOf != nil {
			by = sizeOf(f)
		}
		if by == 0 {
			f.m.undefined(n, "pointers to elements without a size are subtracted")
		}
		return s.wrap(uint64(int64(a-b) / by))
	}
}

func (c *compiler) floatArithmetic(o tree.BinaryOp, s shape, t tree.Type, x, y value, n tree.Node) value {
	both := func(op func(a, b float64) float64) value {
		if s.class == float32Class {
			// The sum, difference, product and quotient of floats, rounded to a double and then to a float, are as if
			// rounded once: a double has more than twice a float's digits.
			return func(f *frame) uint64 {
				a := math.Float64frombits(x(f))
				f.m.nearest(n)
				return math.Float64bits(float64(float32(op(a, math.Float64frombits(y(f))))))
			}
		}
		if s.class == extended {
			return c.extendedArithmetic(o, x, y, op, n)
		}
		return func(f *frame) uint64 {
			a := math.Float64frombits(x(f))
			f.m.nearest(n)
			return math.Float64bits(op(a, math.Float64frombits(y(f))))
		}
	}
	if _, ok := o.Float(1, 1); !ok {
		return c.unknownOperation(n, o.String(), t)
	}
	return both(func(a, b float64) float64 { r, _ := o.Float(a, b); return r })
}

// nearest ends a run that computes in another rounding mode than the nearest.
func (m *machine) nearest(n tree.Node) {
	if m.rounding != 0 {
		m.undetermined(n, "arithmetic in another rounding mode")
	}
}

// extendedArithmetic computes with long doubles as long as doubles are enough.
func (c *compiler) extendedArithmetic(o tree.BinaryOp, x, y value, op func(a, b float64) float64, n tree.Node) value {
	return func(f *frame) uint64 {
		a := math.Float64frombits(x(f))
		b := math.Float64frombits(y(f))
		r := op(a, b)
		finite := func(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }
		if !finite(a) || !finite(b) || o == tree.Div && b == 0 {
			return math.Float64bits(r)
		}
		// 64 digits are those of a long double. Its exponents go further than a double's.
		bx, by, z := new(big.Float).SetPrec(64).SetFloat64(a), new(big.Float).SetPrec(64).SetFloat64(b), new(big.Float).SetPrec(64)
		switch o {
		case tree.Add:
			z.Add(bx, by)
		case tree.Sub:
			z.Sub(bx, by)
		case tree.Mul:
			z.Mul(bx, by)
		default:
			z.Quo(bx, by)
		}
		if exact, accuracy := z.Float64(); accuracy != big.Exact || exact != r {
			f.m.undetermined(n, "a long double that no double is equal to")
		}
		return math.Float64bits(r)
	}
}

func floatComparison(o tree.BinaryOp, x, y value) truth {
	return func(f *frame) bool {
		a := math.Float64frombits(x(f))
		return tree.Compare(o, a, math.Float64frombits(y(f)))
	}
}

// convert compiles a conversion between scalars.
func (c *compiler) convert(x value, from, to tree.Type, n tree.Node) value {
	a, b := shapeOf(from), shapeOf(to)
	if a.class == integer && b.class == integer && c.p.options.Faults.Has(fault.Conversion) {
		return func(f *frame) uint64 {
			v := x(f)
			r := b.wrap(v)
			if r != v || int64(v) < 0 && a.signed != b.signed {
				f.m.fault(n, []fault.Kind{fault.Conversion}, "the value changes in a conversion from %s to %s", from, to)
			}
			return r
		}
	}
	switch {
	case a.class == none || b.class == none || a.class == wide || b.class == wide:
		return c.unknownOperation(n, "a conversion to "+to.String(), from)
	case a.floating():
		return convertFloat(x, a, b, to, n)
	case b.class == boolean:
		if a.class == boolean {
			return x
		}
		return func(f *frame) uint64 { return bit(x(f) != 0) }
	case b.floating():
		return convertToFloat(x, a, b, n)
	}
	if a.class == pointer && b.class == integer {
		return func(f *frame) uint64 {
			v := x(f)
			if v != 0 {
				f.m.addresses = true
			}
			return b.wrap(v)
		}
	}
	if b.bits > a.bits && (!a.signed || b.signed) || b.bits == a.bits && (a.signed && a.class == integer) == (b.signed && b.class == integer) {
		return x
	}
	if b.signed && b.bits == 32 {
		return func(f *frame) uint64 { return uint64(int64(int32(x(f)))) }
	}
	return func(f *frame) uint64 { return b.wrap(x(f)) }
}

func convertToFloat(x value, a, b shape, n tree.Node) value {
	return func(f *frame) uint64 {
		v := x(f)
		if a.bits > 24 {
			f.m.nearest(n)
		}
		var r float64
		switch {
		case b.class == float32Class && a.signed:
			r = float64(float32(int64(v)))
		case b.class == float32Class:
			r = float64(float32(v))
		case a.signed:
			r = float64(int64(v))
		default:
			r = float64(v)
		}
		if b.class == extended {
			back, _ := new(big.Float).SetFloat64(r).Int(nil)
			if a.signed && back.Cmp(big.NewInt(int64(v))) != 0 || !a.signed && back.Cmp(new(big.Int).SetUint64(v)) != 0 {
				f.m.undetermined(n, "a long double that no double is equal to")
			}
		}
		return math.Float64bits(r)
	}
}

func convertFloat(x value, a, b shape, to tree.Type, n tree.Node) value {
	switch {
	case b.class == float32Class && a.class != float32Class:
		return func(f *frame) uint64 {
			v := math.Float64frombits(x(f))
			f.m.nearest(n)
			return math.Float64bits(float64(float32(v)))
		}
	case b.floating():
		return x
	case b.class == boolean:
		return func(f *frame) uint64 { return bit(math.Float64frombits(x(f)) != 0) }
	}
	low, high := 0.0, math.Ldexp(1, int(b.bits))
	if b.signed {
		high = math.Ldexp(1, int(b.bits)-1)
		low = -high
	}
	return func(f *frame) uint64 {
		v := math.Trunc(math.Float64frombits(x(f)))
		if !(v >= low && v < high) {
			f.m.undefined(n, "the floating value %v is converted to %s", v, to)
		}
		if b.signed {
			return uint64(int64(v))
		}
		return uint64(v)
	}
}
