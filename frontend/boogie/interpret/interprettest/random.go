// Package interprettest has choices for the tests of what runs Boogie programs.
package interprettest

import (
	"math/big"
	"math/rand/v2"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/interpret"
)

// Random answers by chance, with small values, and takes no way that is blocked while there is another one.
type Random struct {
	R *rand.Rand
	// depth is how many values of datatypes are being made around this one.
	depth int
}

// Constant is a random value.
func (r *Random) Constant(v *ast.Variable) (interpret.Value, error) { return r.value(v.Type) }

// Apply is a random value.
func (r *Random) Apply(_ *ast.Function, _ ast.BinaryOp, _ []ast.Type, _ []interpret.Value, result ast.Type) (interpret.Value, error) {
	return r.value(result)
}

// Initial is a random value.
func (r *Random) Initial(_ *ast.Variable, t ast.Type) (interpret.Value, error) { return r.value(t) }

// Variable is a random value.
func (r *Random) Variable(_ ast.Stmt, _ *ast.Variable, t ast.Type) (interpret.Value, error) {
	return r.value(t)
}

// Branch is a random one of the ways that are not blocked.
func (r *Random) Branch(_ ast.Stmt, n int, blocked func(int) bool) (int, error) {
	ways := r.R.Perm(n)
	for _, w := range ways {
		if !blocked(w) {
			return w, nil
		}
	}
	return ways[0], nil
}

// Body is a random one.
func (r *Random) Body(p *ast.Procedure) (int, error) { return r.R.IntN(len(p.Implementations)), nil }

func (r *Random) value(t ast.Type) (interpret.Value, error) {
	n := r.R.Int64N(8) - 2
	switch t := t.(type) {
	case ast.Basic:
		switch t {
		case ast.Bool:
			return interpret.Bool(n%2 == 0), nil
		case ast.Int:
			return interpret.NewInt(n), nil
		default:
			return interpret.Real{R: big.NewRat(n, 1+r.R.Int64N(3))}, nil
		}
	case *ast.BitVector:
		return interpret.BitVector{Width: t.Width, N: new(big.Int).Mod(big.NewInt(n), new(big.Int).Lsh(big.NewInt(1), uint(t.Width)))}, nil
	case *ast.Constructed:
		if len(t.Decl.Constructors) == 0 {
			return interpret.Element{Type: t.String(), N: big.NewInt(n)}, nil
		}
		return r.data(t)
	case *ast.Map:
		if len(t.Params) > 0 {
			return interpret.NewPolymorphic(t, big.NewInt(n)), nil
		}
		if len(t.Domain) == 0 {
			return r.value(t.Range)
		}
		return r.mapValue(t.Domain, t.Range)
	}
	return interpret.Default(t)
}

// data is a value of a random constructor, as far as that does not go too deep.
func (r *Random) data(t *ast.Constructed) (interpret.Value, error) {
	c := t.Decl.Constructors[r.R.IntN(len(t.Decl.Constructors))]
	if r.depth++; r.depth > 4 {
		r.depth--
		return interpret.Default(t)
	}
	defer func() { r.depth-- }()
	fields := make([]interpret.Value, len(c.Params))
	for i, f := range c.Params {
		var err error
		if fields[i], err = r.value(t.FieldType(f)); err != nil {
			return nil, err
		}
	}
	return interpret.NewData(c, fields), nil
}

func (r *Random) mapValue(domain []ast.Type, result ast.Type) (interpret.Value, error) {
	at := func() (interpret.Value, error) {
		if len(domain) == 1 {
			return r.value(result)
		}
		return r.mapValue(domain[1:], result)
	}
	v, err := at()
	if err != nil {
		return nil, err
	}
	m := interpret.NewMap(domain[0], v)
	for range r.R.IntN(4) {
		i, err := r.value(domain[0])
		if err != nil {
			return nil, err
		}
		if v, err = at(); err != nil {
			return nil, err
		}
		if m, err = m.Store(i, v); err != nil {
			return nil, err
		}
	}
	return m, nil
}
