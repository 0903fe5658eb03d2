package read

import (
	"math"
	"math/big"

	"hornbeam/frontend/c/tree"
)

// convert is a value converted to a type, without being asked for.
func (r *reader) convert(v tree.Value, t tree.Type, pos tree.Pos) tree.Value {
	return r.convertFor(v, t, pos, "used")
}

// convertFor is a value converted to a type as if by assignment; use is what it is converted for.
func (r *reader) convertFor(v tree.Value, t tree.Type, pos tree.Pos, use string) tree.Value {
	if tree.IsVoid(t) {
		return r.effects(v)
	}
	from := v.Type()
	if u, ok := v.(*tree.UnsupportedValue); ok {
		return &tree.UnsupportedValue{At: u.At, T: t, What: u.What} // its own type may be a guess
	}
	if tree.Scalar(from) && tree.Scalar(t) {
		if tree.IsPointer(t) && tree.IsFloat(from) || tree.IsFloat(t) && tree.IsPointer(from) {
			r.Fail(pos, "a value of type %s is %s as %s", from, use, t)
		}
		return r.converted(v, t, false, pos)
	}
	if tree.Same(from, t) {
		return v
	}
	if u := r.uncomputed(pos, t, from, t); u != nil {
		return u
	}
	if u, ok := t.(*tree.Struct); ok && use == "passed" && r.transparent[u] {
		return r.castToUnion(u, v, pos)
	}
	r.Fail(pos, "a value of type %s is %s as %s", from, use, t)
	return nil
}

// cast is an explicit conversion.
func (r *reader) cast(t tree.Type, v tree.Value, pos tree.Pos) tree.Value {
	if tree.IsVoid(t) {
		return &tree.Convert{At: tree.At{Position: pos}, T: t, X: v, Explicit: true}
	}
	if !tree.Scalar(t) || !tree.Scalar(v.Type()) {
		if u, ok := t.(*tree.Struct); ok && u.Union {
			return r.castToUnion(u, v, pos)
		}
		return r.convertFor(v, t, pos, "cast")
	}
	if tree.IsPointer(t) && tree.IsFloat(v.Type()) || tree.IsFloat(t) && tree.IsPointer(v.Type()) {
		r.Fail(pos, "a value of type %s is cast to %s", v.Type(), t)
	}
	return r.converted(v, t, true, pos)
}

// castToUnion is GNU's cast to a union, of a value that one of its members has.
func (r *reader) castToUnion(u *tree.Struct, v tree.Value, pos tree.Pos) tree.Value {
	if tree.Same(v.Type(), u) {
		return v
	}
	for _, f := range u.Fields {
		passed := r.transparent[u] && tree.IsPointer(f.Type) && (isNull(v) || r.toVoid(v.Type(), f.Type))
		if (compatible(f.Type, v.Type()) || passed) && f.Offset == 0 && f.Bits == 0 && r.function != nil {
			o := r.automatic("", u, pos)
			at := tree.At{Position: pos}
			d := &tree.Declare{At: at, Object: o, Initialized: true, Init: []tree.Initial{{
				Path: []tree.Step{{Field: f}}, Type: f.Type, Value: r.convert(v, f.Type, pos), Repeat: 1,
			}}}
			return &tree.Load{At: at, Place: &tree.CompoundLiteral{At: at, Declaration: d}}
		}
	}
	r.Fail(pos, "a value of type %s is cast to %s", v.Type(), u)
	return nil
}

// toVoid tells whether both types are of pointers, and one of them is void *.
func (r *reader) toVoid(a, b tree.Type) bool {
	p, ok := a.(*tree.Pointer)
	q, also := b.(*tree.Pointer)
	return ok && also && (tree.IsVoid(p.Elem) || tree.IsVoid(q.Elem))
}

// converted converts between scalar types; constants at once.
func (r *reader) converted(v tree.Value, t tree.Type, explicit bool, pos tree.Pos) tree.Value {
	at := tree.At{Position: pos}
	switch c := v.(type) {
	case *tree.Constant:
		switch t := t.(type) {
		case *tree.Integer:
			return &tree.Constant{At: c.At, T: t, Int: t.Wrap(c.Int)}
		case *tree.Pointer:
			// A signed integer is extended.
			return &tree.Constant{At: c.At, T: t, Int: r.types.size.Wrap(c.Int)}
		case *tree.Float:
			if f, ok := exactFloat(c.Int, t); ok {
				return &tree.FloatConstant{At: c.At, T: t, Float: f, Text: c.Int.String()}
			}
		}
	case *tree.FloatConstant:
		switch t := t.(type) {
		case *tree.Float:
			if tree.Same(c.T, t) {
				return v
			}
			if f := roundTo(c.Float, t); f == c.Float && c.Exact() {
				return &tree.FloatConstant{At: c.At, T: t, Float: f, Text: c.Text}
			}
		case *tree.Integer:
			if !c.Exact() {
				break // a long double has more digits
			}
			if t.Bool {
				return constantOf(c.Position, t, boolToInt(c.Float != 0))
			}
			if f := math.Trunc(c.Float); !math.IsInf(f, 0) && !math.IsNaN(f) {
				i, _ := big.NewFloat(f).Int(nil)
				if t.Min().Cmp(i) <= 0 && i.Cmp(t.Max()) <= 0 {
					return &tree.Constant{At: c.At, T: t, Int: i}
				}
			}
		}
	case *tree.FunctionAddress:
		if p, ok := t.(*tree.Pointer); ok && tree.Same(p, c.T) {
			return v
		}
	}
	from := v.Type()
	if tree.Same(from, t) && (!explicit || from.String() == t.String()) {
		return v
	}
	return &tree.Convert{At: at, T: t, X: v, Explicit: explicit}
}

// exactFloat is an integer as a floating constant, if the type holds it exactly.
func exactFloat(x *big.Int, t *tree.Float) (float64, bool) {
	f, accuracy := new(big.Float).SetInt(x).Float64()
	return f, accuracy == big.Exact && roundTo(f, t) == f
}

// roundTo is a number as the type holds it, as far as float64 goes.
func roundTo(f float64, t *tree.Float) float64 {
	if t.Name == "float" {
		return float64(float32(f))
	}
	return f
}

func boolToInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// promotedType is the type of what a place holds after the integer promotions. A bit-field is promoted by its width.
func (r *reader) promotedType(p tree.Place) tree.Type {
	i, ok := p.Type().(*tree.Integer)
	if !ok {
		return p.Type()
	}
	if m, ok := p.(*tree.Member); ok && m.Field.Bits > 0 {
		bits := r.types.int.Bits
		switch {
		case m.Field.Bits < bits || m.Field.Bits == bits && i.Signed:
			return r.types.int
		case m.Field.Bits == bits:
			return r.types.uint
		}
	}
	return r.types.promoted(i)
}

// promote is a value after the integer promotions.
func (r *reader) promote(v tree.Value) tree.Value {
	i, ok := v.Type().(*tree.Integer)
	if !ok {
		return v
	}
	var t tree.Type = r.types.promoted(i)
	switch v := v.(type) {
	case *tree.Load:
		t = r.promotedType(v.Place)
	case *tree.Assign:
		t = r.promotedType(v.Place)
	case *tree.Update:
		t = r.promotedType(v.Place)
	}
	return r.convert(v, t, v.Pos())
}

// wideField is what a value is read of, if that is a bit-field wider than int that does not fill its type: gcc computes with
// as many bits as such a field has.
func (r *reader) wideField(v tree.Value) *tree.Field {
	var p tree.Place
	switch v := v.(type) {
	case *tree.Load:
		p = v.Place
	case *tree.Assign:
		p = v.Place
	case *tree.Update:
		p = v.Place
	}
	if m, ok := p.(*tree.Member); ok && m.Field.Bits > r.types.int.Bits {
		if i, ok := m.Field.Type.(*tree.Integer); ok && m.Field.Bits < i.Bits {
			return m.Field
		}
	}
	return nil
}

// narrow tells whether gcc computes x op y with the bits of a bit-field that is wider than int, and that shows.
func (r *reader) narrow(op tree.BinaryOp, x, y tree.Value) bool {
	for range 2 {
		if f := r.wideField(x); f != nil {
			switch c, ok := y.(*tree.Constant); {
			case op == tree.Shr, op == tree.And && ok && c.Int.Sign() >= 0:
			case op == tree.Shl:
				return true
			case op.Comparison() && ok && c.Int.Sign() >= 0 && c.Int.BitLen() < f.Bits:
			default:
				if i, integer := y.Type().(*tree.Integer); integer && (i.Bits <= f.Bits || r.wideField(y) != nil) {
					return true
				}
			}
		}
		if op == tree.Shl || op == tree.Shr {
			return false
		}
		x, y = y, x
	}
	return false
}

// promoteArgument is the default promotion of an argument that has no parameter type (C11 6.5.2.2).
func (r *reader) promoteArgument(v tree.Value) tree.Value {
	if f, ok := v.Type().(*tree.Float); ok && f.Name == "float" {
		return r.convert(v, r.types.double, v.Pos())
	}
	return r.promote(v)
}
