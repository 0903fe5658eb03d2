package interpret

import (
	"math/big"
	"slices"

	"hornbeam/frontend/boogie/ast"
)

// sizeOf is the number of values of a type, and whether it is finite. Uninterpreted types are not.
func sizeOf(t ast.Type) (*big.Int, bool) {
	switch t := t.(type) {
	case ast.Basic:
		return big.NewInt(2), t == ast.Bool
	case *ast.BitVector:
		return new(big.Int).Lsh(big.NewInt(1), uint(t.Width)), true
	case *ast.Constructed:
		// An enumeration.
		plain := !slices.ContainsFunc(t.Decl.Constructors, func(c *ast.Function) bool { return len(c.Params) > 0 })
		return big.NewInt(int64(len(t.Decl.Constructors))), plain && len(t.Decl.Constructors) > 0
	}
	return nil, false
}

// domainOf lists the values of a finite type.
func domainOf(t ast.Type) ([]Value, error) {
	if t == ast.Bool {
		return []Value{Bool(false), Bool(true)}, nil
	}
	if c, ok := t.(*ast.Constructed); ok {
		var out []Value
		for _, f := range c.Decl.Constructors {
			out = append(out, NewData(f, nil))
		}
		return out, nil
	}
	v, ok := t.(*ast.BitVector)
	if !ok || v.Width > maxDomainBits {
		return nil, undeterminedf("all values of the type %s", t)
	}
	var out []Value
	for i := range int64(1) << v.Width {
		out = append(out, BitVector{v.Width, big.NewInt(i)})
	}
	return out, nil
}

// samples are some values of a type, to find out that maps differ.
func samples(t ast.Type) []Value {
	var out []Value
	for n := range int64(sampled) {
		switch t := t.(type) {
		case ast.Basic:
			switch t {
			case ast.Int:
				out = append(out, NewInt(n-2))
			case ast.Real:
				out = append(out, Real{big.NewRat(n-2, 2)})
			}
		case *ast.BitVector:
			out = append(out, BitVector{t.Width, new(big.Int).And(big.NewInt(n), mask(t.Width))})
		case *ast.Constructed:
			if len(t.Decl.Constructors) == 0 {
				out = append(out, Element{t.String(), big.NewInt(n)})
			}
		}
	}
	return out
}

// Default is some value of a type: false, 0, or the map to a default.
func Default(t ast.Type) (Value, error) { return defaultOf(t, nil) }

// defaultOf is a value of a type that contains none of the types in open.
func defaultOf(t ast.Type, open []ast.Type) (Value, error) {
	switch t := t.(type) {
	case ast.Basic:
		switch t {
		case ast.Bool:
			return Bool(false), nil
		case ast.Int:
			return NewInt(0), nil
		default:
			return Real{new(big.Rat)}, nil
		}
	case *ast.BitVector:
		return BitVector{t.Width, new(big.Int)}, nil
	case *ast.Constructed:
		if len(t.Decl.Constructors) > 0 {
			return defaultData(t, open)
		}
		return Element{t.String(), new(big.Int)}, nil
	case *ast.Map:
		if len(t.Params) > 0 {
			return NewPolymorphic(t, new(big.Int)), nil
		}
		v, err := defaultOf(t.Range, open)
		if err != nil {
			return nil, err
		}
		for _, d := range slices.Backward(t.Domain) {
			v = NewMap(d, v)
		}
		return v, nil
	case *ast.Record:
		d := &Data{}
		for _, f := range t.Fields {
			v, err := defaultOf(f.Type, open)
			if err != nil {
				return nil, err
			}
			d.Names, d.Fields = append(d.Names, f.Name), append(d.Fields, v)
		}
		return d, nil
	}
	return nil, undeterminedf("a value of the type %s", t)
}
