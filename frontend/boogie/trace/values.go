package trace

import (
	"fmt"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/interpret"
)

// convert turns a value of the clauses into one of the type that it stands for.
func convert(v term.Value, t ast.Type) (interpret.Value, error) {
	switch t := t.(type) {
	case ast.Basic:
		switch t {
		case ast.Bool:
			return interpret.Bool(v.Bool()), nil
		case ast.Int:
			return interpret.Int{N: v.Num().BigInt()}, nil
		default:
			return interpret.Real{R: v.Num().Rat()}, nil
		}
	case *ast.BitVector:
		return interpret.BitVector{Width: t.Width, N: v.Num().BigInt()}, nil
	case *ast.Constructed:
		return interpret.Element{Type: t.String(), N: v.Num().BigInt()}, nil
	case *ast.Map:
		if len(t.Domain) == 0 {
			return convert(v, t.Range)
		}
		return convertMap(v, t)
	}
	return nil, fmt.Errorf("%w: a value of the type %s", ErrUndetermined, t)
}

// convertMap turns a nest of stores into a map of maps.
func convertMap(v term.Value, t *ast.Map) (interpret.Value, error) {
	inner := t.Range
	if len(t.Domain) > 1 {
		inner = &ast.Map{Domain: t.Domain[1:], Range: t.Range}
	}
	var stores []*term.Term
	a := v.Term(nil)
	for a.Op() == term.Store {
		stores = append(stores, a)
		a = a.Arg(0)
	}
	if a.Op() != term.ConstArray {
		return nil, fmt.Errorf("%w: a map that is given as %s", ErrUndetermined, a)
	}
	value, err := convert(term.TermValue(a.Arg(0)), inner)
	if err != nil {
		return nil, err
	}
	m := interpret.NewMap(t.Domain[0], value)
	for i := len(stores) - 1; i >= 0; i-- {
		index, err := convert(term.TermValue(stores[i].Arg(1)), t.Domain[0])
		if err != nil {
			return nil, err
		}
		if value, err = convert(term.TermValue(stores[i].Arg(2)), inner); err != nil {
			return nil, err
		}
		if m, err = m.Store(index, value); err != nil {
			return nil, err
		}
	}
	return m, nil
}
