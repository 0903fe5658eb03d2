package interpret

import (
	"cmp"
	"math/big"
	"slices"

	"hornbeam/frontend/boogie/ast"
)

// quantifier decides a quantified condition by trying values: all of them, where types or bounds in the condition leave
// finitely many. Elsewhere only those that stand out are tried, so that a witness may be found, but none may be missing.
func (sc *scope) quantifier(x *ast.Quantifier) (Value, error) {
	if len(x.TypeParams) > 0 {
		return sc.overTypes(x)
	}
	tried := 0
	sc.frozen++
	defer func() { sc.frozen-- }()
	found, err := sc.try(x, x.Bound, &tried)
	if err != nil && !(found && isUndetermined(err)) {
		return nil, err
	}
	// What is looked for is a value for which the body is true, or false under forall.
	return Bool(found == x.Exists), nil
}

// maxTypes is how many choices of types are tried.
const maxTypes = 30

// overTypes looks for types for which there is a witness: those at hand are tried.
func (sc *scope) overTypes(x *ast.Quantifier) (Value, error) {
	known := []ast.Type{ast.Int, ast.Bool}
	for _, t := range sc.types {
		if !slices.ContainsFunc(known, func(u ast.Type) bool { return ast.Equal(t, u) }) {
			known = append(known, t)
		}
	}
	slices.SortFunc(known, func(a, b ast.Type) int { return cmp.Compare(a.String(), b.String()) })
	plain := *x
	plain.TypeParams = nil
	tried := 0
	var search func(vs []*ast.TypeVariable, types map[*ast.TypeVariable]ast.Type) bool
	search = func(vs []*ast.TypeVariable, types map[*ast.TypeVariable]ast.Type) bool {
		if len(vs) == 0 {
			tried++
			inner := *sc
			inner.types = types
			v, err := inner.quantifier(&plain)
			return err == nil && bool(v.(Bool)) == x.Exists
		}
		for _, t := range known {
			if tried >= maxTypes {
				return false
			}
			if search(vs[1:], ast.Bind(types, vs[:1], []ast.Type{t})) {
				return true
			}
		}
		return false
	}
	if search(x.TypeParams, sc.types) {
		return Bool(x.Exists), nil
	}
	return nil, undeterminedf("a quantifier over types")
}

// try reports whether there are values for the variables for which the body is as the quantifier wants it. An error says
// that it cannot be known; a witness outweighs it.
func (sc *scope) try(x *ast.Quantifier, vs []*ast.Variable, tried *int) (bool, error) {
	if len(vs) == 0 {
		if *tried++; *tried > maxDomain && (len(x.Bound) > 1 || *tried > maxCritical) {
			return false, undeterminedf("too many values for %s", ast.String(x))
		}
		holds, err := sc.truth(x.Body)
		return err == nil && holds == x.Exists, err
	}
	values, all, err := sc.candidates(x, vs)
	for i := 1; i < len(vs) && err == nil && !all; i++ {
		// In `i < j && j < n`, j has to come first.
		order := slices.Concat(vs[i:i+1], vs[:i], vs[i+1:])
		var others []Value
		if others, all, err = sc.candidates(x, order); all {
			vs, values = order, others
		}
	}
	if err != nil {
		return false, err
	}
	var open error
	for _, v := range values {
		found, err := sc.with(vs[:1], []Value{v}).try(x, vs[1:], tried)
		if found {
			return true, nil
		}
		if err != nil {
			if !isUndetermined(err) {
				return false, err
			}
			open = err
		}
	}
	if open == nil && !all {
		open = undeterminedf("%s has no witness among the values tried", ast.String(x))
	}
	return false, open
}

// candidates are values to try for the first of the variables, and whether they are all that matter.
func (sc *scope) candidates(x *ast.Quantifier, vs []*ast.Variable) ([]Value, bool, error) {
	t := sc.typ(vs[0].Type)
	if size, finite := sizeOf(t); finite && size.Cmp(big.NewInt(maxDomain)) <= 0 {
		all, err := domainOf(t)
		return all, true, err
	}
	if t == ast.Int {
		low, high, err := sc.bounds(x, vs)
		if err != nil {
			return nil, false, err
		}
		if low != nil && high != nil {
			n := new(big.Int).Sub(high, low)
			if n.Cmp(big.NewInt(maxDomain)) < 0 {
				var out []Value
				for i := low; i.Cmp(high) <= 0; i = new(big.Int).Add(i, big.NewInt(1)) {
					out = append(out, Int{i})
				}
				return out, true, nil
			}
		}
		if len(vs) == 1 {
			if points := sc.critical(x); points != nil {
				out := make([]Value, len(points))
				for i, n := range points {
					out[i] = Int{n}
				}
				return out, true, nil
			}
		}
	}
	return sc.outstanding(x, t), false, nil
}

// bounds are the least and the greatest value of the first variable for which the condition is not decided already: in
// `forall i :: 0 <= i && i < n ==> …` these are 0 and n-1. Either may be nil.
func (sc *scope) bounds(x *ast.Quantifier, vs []*ast.Variable) (low, high *big.Int, err error) {
	var conjuncts []ast.Expr
	var collect func(x ast.Expr, negated bool)
	collect = func(e ast.Expr, negated bool) {
		switch e := e.(type) {
		case *ast.Unary:
			if e.Op == ast.Not {
				collect(e.X, !negated)
			}
		case *ast.Binary:
			switch {
			case e.Op == ast.And && !negated, e.Op == ast.Or && negated:
				collect(e.X, negated)
				collect(e.Y, negated)
			case e.Op == ast.Implies && negated:
				collect(e.X, false)
				collect(e.Y, true)
			case e.Op == ast.Explies && negated:
				collect(e.Y, false)
				collect(e.X, true)
			case !negated:
				conjuncts = append(conjuncts, e)
			default:
				if op, ok := e.Op.Negated(); ok {
					conjuncts = append(conjuncts, &ast.Binary{Node: e.Node, Op: op, X: e.X, Y: e.Y})
				}
			}
		case *ast.Coercion:
			collect(e.X, negated)
		}
	}
	collect(x.Body, !x.Exists)
	lows, highs := map[*ast.Variable]*big.Int{}, map[*ast.Variable]*big.Int{}
	// Each round carries a bound from one variable to another one, as in `0 <= i && i < j && j < n`.
	for range vs {
		for _, c := range conjuncts {
			b := c.(*ast.Binary)
			if err := sc.compare(b.X, b.Op, b.Y, vs, lows, highs); err != nil {
				return nil, nil, err
			}
			if err := sc.compare(b.Y, b.Op.Mirrored(), b.X, vs, lows, highs); err != nil {
				return nil, nil, err
			}
		}
	}
	return lows[vs[0]], highs[vs[0]], nil
}

// compare learns from a comparison of a variable with something.
func (sc *scope) compare(side ast.Expr, op ast.BinaryOp, other ast.Expr, vs []*ast.Variable, lows, highs map[*ast.Variable]*big.Int) error {
	id, ok := side.(*ast.Identifier)
	if !ok || !slices.Contains(vs, id.Decl) {
		return nil
	}
	v := id.Decl
	var low, high *big.Int
	if w, ok := other.(*ast.Identifier); ok && slices.Contains(vs, w.Decl) {
		low, high = lows[w.Decl], highs[w.Decl]
	} else if !ast.Mentions(other, vs) {
		value, err := sc.eval(other)
		if err != nil && !isUndetermined(err) {
			return err
		}
		if n, ok := value.(Int); ok && err == nil {
			low, high = n.N, n.N
		}
	}
	one := big.NewInt(1)
	if high != nil {
		switch op {
		case ast.Less:
			highs[v] = least(highs[v], new(big.Int).Sub(high, one))
		case ast.LessEq, ast.Eq:
			highs[v] = least(highs[v], high)
		}
	}
	if low != nil {
		switch op {
		case ast.Greater:
			lows[v] = greatest(lows[v], new(big.Int).Add(low, one))
		case ast.GreaterEq, ast.Eq:
			lows[v] = greatest(lows[v], low)
		}
	}
	return nil
}

func least(a, b *big.Int) *big.Int {
	if a == nil || b.Cmp(a) < 0 {
		return b
	}
	return a
}

func greatest(a, b *big.Int) *big.Int {
	if a == nil || b.Cmp(a) > 0 {
		return b
	}
	return a
}

// outstanding are the values of a type that stand out in a condition: those of its parts that are free of the variables,
// the indices at which its maps have entries, and for numbers the neighbours of these.
func (sc *scope) outstanding(x *ast.Quantifier, t ast.Type) []Value {
	found := map[string]Value{}
	add := func(v Value) {
		if k, err := key(v); err == nil && len(found) < maxDomain/4 {
			found[k] = v
		}
	}
	var entries func(v Value)
	entries = func(v Value) {
		m, ok := v.(*Map)
		if !ok {
			return
		}
		for _, e := range m.sorted() {
			if sameKind(e.index, t) {
				add(e.index)
			}
			entries(e.value)
		}
	}
	ast.Inspect(x.Body, func(e ast.Expr) bool {
		if ast.Mentions(e, x.Bound) {
			return true
		}
		v, err := sc.eval(e)
		if err != nil {
			return true
		}
		if sameKind(v, t) {
			add(v)
		}
		entries(v)
		return true
	})
	if v, err := Default(t); err == nil {
		add(v)
	}
	values := sortedValues(found)
	for _, v := range values {
		if n, ok := v.(Int); ok {
			add(Int{new(big.Int).Add(n.N, big.NewInt(1))})
			add(Int{new(big.Int).Sub(n.N, big.NewInt(1))})
		}
		if e, ok := v.(Element); ok {
			add(Element{e.Type, new(big.Int).Add(e.N, big.NewInt(1))})
		}
	}
	return sortedValues(found)
}

func sortedValues(found map[string]Value) []Value {
	keys := make([]string, 0, len(found))
	for k := range found {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(len(a)-len(b), cmp.Compare(a, b)) })
	out := make([]Value, len(keys))
	for i, k := range keys {
		out[i] = found[k]
	}
	return out
}

// sameKind reports whether a value is one of the type.
func sameKind(v Value, t ast.Type) bool {
	switch v := v.(type) {
	case Bool:
		return t == ast.Bool
	case Int:
		return t == ast.Int
	case Real:
		return t == ast.Real
	case BitVector:
		u, ok := t.(*ast.BitVector)
		return ok && u.Width == v.Width
	case Element:
		return v.Type == t.String()
	case *Data:
		u, ok := t.(*ast.Constructed)
		return ok && v.Constructor != nil && v.Constructor.Datatype == u.Decl && len(u.Args) == 0
	}
	return false
}
