package lower

import (
	"math/big"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
)

// Elements returns the maps from addresses that can be indexed by elements instead of bytes, by their names, with the size of an
// element: maps of scalars of one size with an access at a multiple of that size. Scalars of that size that do not overlap begin in
// different elements, so both maps have the same contents; but a fact about all elements below an index needs no remainders.
func Elements(p *ast.Program, pointerBits int) map[string]int64 {
	sizes := map[string]int64{}
	for _, d := range p.Declarations {
		if v, ok := d.(*ast.Variable); ok {
			if size := elementSize(v, pointerBits); size > 1 {
				sizes[v.Name] = size
			}
		}
	}
	stepped := map[string]bool{}
	// inside are the occurrences of maps in accesses at an index.
	inside := map[*ast.Identifier]bool{}
	access := func(m ast.Expr, index []ast.Expr) {
		id := mapOf(m)
		if id == nil || sizes[id.Name] == 0 || len(index) != 1 {
			return
		}
		inside[id] = true
		multiples, _ := sumOf(index[0]).Split(big.NewInt(sizes[id.Name]))
		stepped[id.Name] = stepped[id.Name] || len(multiples.Terms) > 0
	}
	expression := func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Select:
			access(e.Map, e.Index)
		case *ast.Store:
			access(e.Map, e.Index)
		case *ast.Identifier:
			if !inside[e] {
				delete(sizes, e.Name)
			}
		}
		return true
	}
	statement := func(s ast.Stmt) bool {
		switch s := s.(type) {
		case *ast.Havoc:
			for _, v := range s.Variables {
				inside[v] = true
			}
		case *ast.Assign:
			for i, left := range s.Left {
				id, ok := left.(*ast.Identifier)
				if !ok || sizes[id.Name] == 0 {
					continue
				}
				// A map that is updated at some indices, or set to a constant.
				if from := mapOf(s.Right[i]); from != nil && from.Name == id.Name || constantMap(s.Right[i]) {
					inside[id] = true
				}
			}
		}
		return true
	}
	for _, d := range p.Declarations {
		if d, ok := d.(*ast.Procedure); ok {
			if d.Body != nil {
				ast.WalkStatements(d.Body.Stmts, statement, expression)
			}
			ast.WalkSpecifications(d.Requires, expression)
			ast.WalkSpecifications(d.Ensures, expression)
		}
	}
	for name := range sizes {
		if !stepped[name] {
			delete(sizes, name)
		}
	}
	return sizes
}

// elementSize returns the size in bytes of the scalars in a map from addresses; 0 for other variables.
func elementSize(v *ast.Variable, pointerBits int) int64 {
	m, ok := v.Syntax.(*ast.MapSyntax)
	if !ok || len(m.Domain) != 1 {
		return 0
	}
	from, isName := m.Domain[0].(*ast.TypeName)
	to, scalar := m.Range.(*ast.TypeName)
	if !isName || from.Name != machine.Ref || !scalar {
		return 0
	}
	if to.Name == machine.Ref {
		return int64(pointerBits / 8)
	}
	if t, ok := machine.ParseType(to.Name); ok {
		return int64(t.Bits / 8)
	}
	return 0
}

// mapOf returns the variable that a map is an update of; nil if there is none.
func mapOf(e ast.Expr) *ast.Identifier {
	switch e := e.(type) {
	case *ast.Identifier:
		return e
	case *ast.Old:
		return mapOf(e.X)
	case *ast.Store:
		return mapOf(e.Map)
	}
	return nil
}

// constantMap reports whether an expression is a map with the same value at every index.
func constantMap(e ast.Expr) bool {
	l, ok := e.(*ast.Lambda)
	if !ok {
		return false
	}
	same := true
	ast.Walk(l.Body, func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Identifier:
			for _, v := range l.Bound {
				same = same && v.Name != e.Name
			}
		case *ast.Lambda, *ast.Quantifier:
			same = false
		}
		return true
	})
	return same
}

// sumOf returns an expression over numbers as a linear sum.
func sumOf(e ast.Expr) ast.Sum { return ast.SumOf(e, machine.Numeral, nil) }

// sum returns a linear sum as an expression.
func (b builder) sum(s ast.Sum) ast.Expr {
	var out ast.Expr
	for _, p := range s.Terms {
		size, e := new(big.Int).Abs(p.Factor), p.Expr
		if size.Cmp(big.NewInt(1)) != 0 {
			e = b.mul(b.number(size), e)
		}
		switch {
		case out == nil && p.Factor.Sign() < 0:
			out = b.negate(e)
		case out == nil:
			out = e
		case p.Factor.Sign() < 0:
			out = b.sub(out, e)
		default:
			out = b.add(out, e)
		}
	}
	switch {
	case out == nil:
		return b.number(s.Constant)
	case s.Constant.Sign() < 0:
		return b.sub(out, b.number(new(big.Int).Neg(s.Constant)))
	case s.Constant.Sign() > 0:
		return b.add(out, b.number(s.Constant))
	}
	return out
}

// element returns the number of the element that an address is in.
func element(b builder, address ast.Expr, size *big.Int) ast.Expr {
	multiples, rest := sumOf(address).Split(size)
	if len(rest.Terms) == 0 {
		return b.sum(multiples)
	}
	within := b.floor(b.sum(rest), size)
	if len(multiples.Terms) == 0 && multiples.Constant.Sign() == 0 {
		return within
	}
	return b.add(within, b.sum(multiples))
}

// indices returns the indices of an access to a map.
func (l *lowering) indices(m ast.Expr, es []ast.Expr) []ast.Expr {
	size := int64(0)
	if id := mapOf(m); id != nil {
		size = l.Elements[id.Name]
	}
	out := make([]ast.Expr, len(es))
	for i, e := range es {
		out[i] = l.value(e, l.numberForm())
		if size > 1 {
			out[i] = element(builder{e.At()}, out[i], big.NewInt(size))
		}
	}
	return out
}
