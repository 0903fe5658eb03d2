package interpret

import (
	"math/big"
	"math/rand/v2"

	"hornbeam/frontend/boogie/ast"
)

// Choices answers what a program leaves open. The questions of a run come in its order; those about constants and
// functions come when their answer is first needed, once for each. An error ends the run as Undetermined.
type Choices interface {
	// Constant is the value of a constant.
	Constant(v *ast.Variable) (Value, error)
	// Apply is the value of a function without a meaning of its own. Function is nil for an operator whose value at the
	// arguments is open: div, mod or / by zero, or **. The types are those that its type parameters stand for.
	Apply(f *ast.Function, operator ast.BinaryOp, types []ast.Type, args []Value, result ast.Type) (Value, error)
	// Initial is the value of a global, or of an entry's parameter, when the run begins. The type is the variable's, with
	// types for type parameters.
	Initial(v *ast.Variable, t ast.Type) (Value, error)
	// Variable is a new value for a variable, given by a statement: a havoc; or a call, which makes those of arguments
	// that are left open, and of what a procedure without a body changes and returns; nil stands for the locals and
	// results when a body is entered.
	Variable(by ast.Stmt, v *ast.Variable, t ast.Type) (Value, error)
	// Branch is which of n ways a run takes at a *ast.Goto, by the label's index, or at an *ast.If or *ast.While with
	// guard *: 0 into it, 1 past it. blocked says of a way whether it begins with an assumption that is false.
	Branch(at ast.Stmt, n int, blocked func(way int) bool) (int, error)
	// Body is which of a procedure's implementations a call runs.
	Body(p *ast.Procedure) (int, error)
}

// Random answers by chance, with small values, and takes no way that is blocked while there is another one.
type Random struct {
	R *rand.Rand
	// depth is how many values of datatypes are being made around this one.
	depth int
}

// Constant is a random value.
func (r *Random) Constant(v *ast.Variable) (Value, error) { return r.value(v.Type) }

// Apply is a random value.
func (r *Random) Apply(_ *ast.Function, _ ast.BinaryOp, _ []ast.Type, _ []Value, result ast.Type) (Value, error) {
	return r.value(result)
}

// Initial is a random value.
func (r *Random) Initial(_ *ast.Variable, t ast.Type) (Value, error) { return r.value(t) }

// Variable is a random value.
func (r *Random) Variable(_ ast.Stmt, _ *ast.Variable, t ast.Type) (Value, error) { return r.value(t) }

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

func (r *Random) value(t ast.Type) (Value, error) {
	n := r.R.Int64N(8) - 2
	switch t := t.(type) {
	case ast.Basic:
		switch t {
		case ast.Bool:
			return Bool(n%2 == 0), nil
		case ast.Int:
			return NewInt(n), nil
		default:
			return Real{big.NewRat(n, 1+r.R.Int64N(3))}, nil
		}
	case *ast.BitVector:
		return BitVector{t.Width, new(big.Int).And(big.NewInt(n), mask(t.Width))}, nil
	case *ast.Constructed:
		if len(t.Decl.Constructors) == 0 {
			return Element{t.String(), big.NewInt(n)}, nil
		}
		return r.data(t)
	case *ast.Map:
		if len(t.Params) > 0 {
			return NewPolymorphic(t, big.NewInt(n)), nil
		}
		if len(t.Domain) == 0 {
			return r.value(t.Range)
		}
		return r.mapValue(t.Domain, t.Range)
	}
	return Default(t)
}

// data is a value of a random constructor, as far as that does not go too deep.
func (r *Random) data(t *ast.Constructed) (Value, error) {
	c := t.Decl.Constructors[r.R.IntN(len(t.Decl.Constructors))]
	if r.depth++; r.depth > 4 {
		r.depth--
		return Default(t)
	}
	defer func() { r.depth-- }()
	fields := make([]Value, len(c.Params))
	for i, f := range c.Params {
		var err error
		if fields[i], err = r.value(t.FieldType(f)); err != nil {
			return nil, err
		}
	}
	return NewData(c, fields), nil
}

func (r *Random) mapValue(domain []ast.Type, result ast.Type) (Value, error) {
	at := func() (Value, error) {
		if len(domain) == 1 {
			return r.value(result)
		}
		return r.mapValue(domain[1:], result)
	}
	v, err := at()
	if err != nil {
		return nil, err
	}
	m := NewMap(domain[0], v)
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
