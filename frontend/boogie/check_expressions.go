package boogie

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
)

// formula checks a Boolean expression that stands by itself; what says which, for errors.
func (c *checker) formula(e ast.Expr, what string) {
	c.expect(e, ast.Bool, what)
	c.infer.finish()
}

// expect checks an expression that must have the type.
func (c *checker) expect(e ast.Expr, want ast.Type, what string) {
	if got := c.expr(e); !c.infer.unify(want, got) {
		c.mismatchf(e.At(), "%s should have type %s, but has type %s", what, c.show(want), c.show(got))
	}
}

// mismatchf reports types that do not fit together.
func (c *checker) mismatchf(pos chc.Position, format string, args ...any) {
	c.mismatches++
	c.errorf(pos, format, args...)
}

// tolerating runs f and reports whether it found nothing wrong but types that do not fit together, in a lenient check;
// these errors are forgotten then, and the first one is returned.
func (c *checker) tolerating(f func()) *Error {
	errors, mismatches := len(c.errors), c.mismatches
	f()
	if found := len(c.errors) - errors; !c.lenient || found == 0 || found != c.mismatches-mismatches {
		return nil
	}
	first := c.errors[errors]
	c.errors = c.errors[:errors]
	return first
}

// show writes a type for an error.
func (c *checker) show(t ast.Type) string {
	if t == nil {
		return "an unknown type"
	}
	return shorten(c.infer.expand(t).String())
}

// typed sets the type of an expression; nil after an error that has been reported.
func (c *checker) typed(n *ast.Node, t ast.Type) ast.Type {
	n.Type = t
	if t != nil && !c.infer.idle() {
		c.infer.later(&n.Type)
	}
	return t
}

// expr resolves and types an expression, and returns its type, which may mention flexible variables until
// infer.finish. nil is returned after an error that has been reported.
func (c *checker) expr(e ast.Expr) ast.Type {
	switch e := e.(type) {
	case *ast.Identifier:
		return c.identifier(e)
	case *ast.Binary:
		return c.typed(&e.Node, c.binary(e))
	case *ast.Application:
		return c.application(e)
	case *ast.IntLiteral:
		e.Type = ast.Int
	case *ast.BoolLiteral:
		e.Type = ast.Bool
	case *ast.RealLiteral:
		e.Type = ast.Real
	case *ast.BitVectorLiteral:
		e.Type = &ast.BitVector{Width: e.Width}
	case *ast.Unary:
		return c.typed(&e.Node, c.unary(e))
	case *ast.Select:
		return c.selection(e)
	case *ast.Store:
		return c.store(e)
	case *ast.Extract:
		return c.extract(e)
	case *ast.IfThenElse:
		c.expect(e.Cond, ast.Bool, "the condition")
		a, b := c.expr(e.Then), c.expr(e.Else)
		if !c.infer.unify(a, b) {
			c.mismatchf(e.Pos, "the branches should have one type, but have types %s and %s", c.show(a), c.show(b))
			return nil
		}
		return c.typed(&e.Node, a)
	case *ast.Old:
		if !c.scope.old {
			c.errorf(e.Pos, "old is only for ensures clauses and bodies of procedures")
		}
		return c.typed(&e.Node, c.expr(e.X))
	case *ast.Coercion:
		t := c.expr(e.X)
		want := c.resolve(e.Syntax)
		if !c.infer.unify(want, t) {
			c.errorf(e.Pos, "an expression of type %s cannot be coerced to type %s", c.show(t), c.show(want))
		}
		return c.typed(&e.Node, want)
	case *ast.Is:
		return c.is(e)
	case *ast.Field:
		return c.typed(&e.Node, c.fieldType(e.Pos, c.expr(e.X), e.Name, e.Record))
	case *ast.FieldUpdate:
		t := c.expr(e.X)
		if f := c.fieldType(e.Pos, t, e.Name, e.Record); f != nil {
			c.expect(e.Value, f, "the new value of field "+e.Name)
		} else {
			c.expr(e.Value)
		}
		return c.typed(&e.Node, t)
	case *ast.RecordLiteral:
		return c.record(e)
	case *ast.Quantifier:
		return c.quantifier(e)
	case *ast.Lambda:
		return c.lambda(e)
	case *ast.Let:
		return c.let(e)
	case *ast.CodeExpr:
		c.codeExpression(e)
		e.Type = ast.Bool
	case *ast.StringLiteral:
		c.unsupportedf(e.Pos, "strings outside of attributes")
	}
	return e.TypeOf()
}

func (c *checker) identifier(e *ast.Identifier) ast.Type {
	v := c.variables[e.Name]
	if v == nil {
		switch {
		case c.functions[e.Name] != nil:
			c.errorf(e.Pos, "%s is a function and needs arguments", shorten(e.Name))
		default:
			c.errorf(e.Pos, "unknown variable %s", shorten(e.Name))
		}
		e.Type = nil
		return nil
	}
	e.Decl = v
	if v.Kind == ast.Global {
		if c.scope.noGlobals != "" {
			c.errorf(e.Pos, "global variable %s in %s", e.Name, c.scope.noGlobals)
		} else if c.scope.pure {
			c.errorf(e.Pos, "global variable %s in a pure procedure", e.Name)
		}
	}
	return c.typed(&e.Node, v.Type)
}

func (c *checker) unary(e *ast.Unary) ast.Type {
	t := c.expr(e.X)
	want, result := ast.Bool, ast.Bool
	switch e.Op {
	case ast.Negate:
		if c.infer.unify(ast.Int, t) {
			return ast.Int
		}
		if c.infer.unify(ast.Real, t) {
			return ast.Real
		}
		c.errorf(e.Pos, "- takes an int or a real, but gets %s", c.show(t))
		return nil
	case ast.ToInt:
		want, result = ast.Real, ast.Int
	case ast.ToReal:
		want, result = ast.Int, ast.Real
	}
	if !c.infer.unify(want, t) {
		op := [...]string{ast.Not: "!", ast.ToInt: "int", ast.ToReal: "real"}[e.Op]
		c.errorf(e.Pos, "%s takes a %s, but gets %s", op, want, c.show(t))
	}
	return result
}

func (c *checker) binary(e *ast.Binary) ast.Type {
	a, b := c.expr(e.X), c.expr(e.Y)
	both := func(t ast.Basic) bool {
		n := len(c.infer.trail)
		if c.infer.unify(t, a) && c.infer.unify(t, b) {
			return true
		}
		c.infer.undo(n)
		return false
	}
	mismatch := func(want string) ast.Type {
		c.mismatchf(e.Pos, "%s takes %s, but gets %s and %s", e.Op, want, c.show(a), c.show(b))
		return nil
	}
	switch e.Op {
	case ast.Iff, ast.Implies, ast.Explies, ast.And, ast.Or:
		if !both(ast.Bool) {
			mismatch("two bools")
		}
		return ast.Bool
	case ast.Eq, ast.Neq:
		if !c.infer.comparable(a, b) {
			mismatch("two values of one type")
		}
		return ast.Bool
	case ast.PartialOrder:
		if !c.infer.unify(a, b) {
			mismatch("two values of one type")
		}
		return ast.Bool
	case ast.Less, ast.LessEq, ast.Greater, ast.GreaterEq:
		if !both(ast.Int) && !both(ast.Real) {
			mismatch("two ints or two reals")
		}
		return ast.Bool
	case ast.Add, ast.Sub, ast.Mul:
		if both(ast.Int) {
			return ast.Int
		}
		if both(ast.Real) {
			return ast.Real
		}
		return mismatch("two ints or two reals")
	case ast.Div, ast.Mod:
		if !both(ast.Int) {
			mismatch("two ints")
		}
		return ast.Int
	case ast.RealDiv:
		return c.division(e, a, b, both, mismatch)
	case ast.Power:
		if !both(ast.Real) {
			mismatch("two reals")
		}
		return ast.Real
	case ast.Concat:
		return c.concat(e, a, b)
	}
	return nil
}

// division types `/`: of ints and reals in Boogie, of two ints or two reals in Ultimate's dialect, where it is div for
// ints.
func (c *checker) division(e *ast.Binary, a, b ast.Type, both func(ast.Basic) bool, mismatch func(string) ast.Type) ast.Type {
	if c.program.Dialect == ast.Ultimate {
		if both(ast.Int) {
			if a != nil && b != nil {
				e.Op = ast.Div
			}
			return ast.Int
		}
		if both(ast.Real) {
			return ast.Real
		}
		return mismatch("two ints or two reals")
	}
	number := func(t ast.Type) bool { return c.infer.unify(ast.Int, t) || c.infer.unify(ast.Real, t) }
	if !number(a) || !number(b) {
		mismatch("ints and reals")
	}
	return ast.Real
}

// concat types `x ++ y`. When a width is not known yet, it waits.
func (c *checker) concat(e *ast.Binary, a, b ast.Type) ast.Type {
	if a == nil || b == nil {
		return nil
	}
	result := c.infer.fresh([]*ast.TypeVariable{{Pos: e.Pos, Name: "bv"}})[0]
	wait := func(force bool) bool {
		x, y := c.infer.walk(a), c.infer.walk(b)
		_, unknownX := c.infer.flexible(x)
		_, unknownY := c.infer.flexible(y)
		if (unknownX || unknownY) && !force {
			return false
		}
		// Of a sum that is known, one operand gets what the other one leaves.
		sum, _ := c.infer.walk(result).(*ast.BitVector)
		rest := func(t ast.Type) int {
			if v, ok := t.(*ast.BitVector); ok && sum != nil {
				return max(0, sum.Width-v.Width)
			}
			return 0
		}
		if unknownX {
			x = c.width(x, rest(y))
			y = c.infer.walk(y) // which may be the same type variable
			_, unknownY = c.infer.flexible(y)
		}
		if unknownY {
			y = c.width(y, rest(x))
		}
		v, ok := x.(*ast.BitVector)
		w, ok2 := y.(*ast.BitVector)
		if !ok || !ok2 {
			c.errorf(e.Pos, "++ takes two bit-vectors, but gets %s and %s", c.show(x), c.show(y))
			return true
		}
		if v.Width+w.Width > maxWidth {
			c.unsupportedf(e.Pos, "bit-vectors of more than %d bits", maxWidth)
			return true
		}
		total := &ast.BitVector{Width: v.Width + w.Width}
		if !c.infer.unify(total, result) {
			c.mismatchf(e.Pos, "the result of ++ has type %s, but should have type %s", total, c.show(result))
		}
		return true
	}
	return c.now(wait, result)
}

// width makes a flexible type a bit-vector's.
func (c *checker) width(t ast.Type, n int) ast.Type {
	b := &ast.BitVector{Width: n}
	c.infer.unify(t, b)
	return b
}

// now runs what may have to wait, which finds out what result stands for.
func (c *checker) now(wait func(bool) bool, result ast.Type) ast.Type {
	if !wait(false) {
		c.infer.waiting = append(c.infer.waiting, wait)
		return result
	}
	if t := c.infer.walk(result); t != result {
		return t
	}
	return nil
}

// extract types `x[high:low]`. When x's type is not known yet, the bounds wait.
func (c *checker) extract(e *ast.Extract) ast.Type {
	t := c.expr(e.X)
	if e.High < e.Low {
		c.errorf(e.Pos, "the upper bound %d is below the lower bound %d", e.High, e.Low)
		return nil
	}
	if t != nil {
		wait := func(force bool) bool {
			u := c.infer.walk(t)
			if v, ok := c.infer.flexible(u); ok {
				if force {
					c.infer.bind(v, &ast.BitVector{Width: e.High})
				}
				return force
			}
			v, ok := u.(*ast.BitVector)
			if !ok {
				c.errorf(e.Pos, "bits are taken from bit-vectors, but this has type %s", c.show(u))
			} else if e.High > v.Width {
				c.errorf(e.Pos, "bit %d of a bit-vector of %d bits", e.High-1, v.Width)
			}
			return true
		}
		if !wait(false) {
			c.infer.waiting = append(c.infer.waiting, wait)
		}
	}
	e.Type = &ast.BitVector{Width: e.High - e.Low}
	return e.Type
}

func (c *checker) application(e *ast.Application) ast.Type {
	f := c.functions[e.Name]
	if f == nil {
		for _, a := range e.Args {
			c.expr(a)
		}
		if c.procedures[e.Name] != nil {
			c.errorf(e.Pos, "%s is a procedure: it needs a call statement", shorten(e.Name))
		} else {
			c.errorf(e.Pos, "unknown function %s", shorten(e.Name))
		}
		e.Type = nil
		return nil
	}
	e.Function = f
	e.TypeArguments = c.infer.fresh(f.TypeParams)
	m := substitution(f.TypeParams, e.TypeArguments)
	for i, a := range e.Args {
		t := c.expr(a)
		if i >= len(f.Params) {
			continue
		}
		if want := f.Params[i].Type; want != nil && t != want {
			if want = ast.Substitute(want, m); !c.infer.unify(want, t) {
				c.mismatchf(a.At(), "argument %d of %s should have type %s, but has type %s", i+1, f.Name, c.show(want), c.show(t))
			}
		}
	}
	if len(e.Args) != len(f.Params) {
		c.errorf(e.Pos, "function %s takes %s, got %d", f.Name, count(len(f.Params), "argument"), len(e.Args))
	}
	if f.Result.Type == nil {
		e.Type = nil
		return nil
	}
	return c.instantiated(&e.Node, ast.Substitute(f.Result.Type, m), e.TypeArguments)
}

// instantiated sets the type of an expression that comes from instantiating type parameters by args.
func (c *checker) instantiated(n *ast.Node, t ast.Type, args []ast.Type) ast.Type {
	if len(args) == 0 {
		return c.typed(n, t)
	}
	for i := range args {
		c.infer.later(&args[i])
	}
	t = c.infer.expand(t)
	if !small(t) {
		c.errorf(n.Pos, "the type of this expression has more than %d parts", maxType)
		t = nil
	}
	return c.typed(n, t)
}

// mapType returns the map type that an expression that is indexed has, with the parameters instantiated by what is put
// into *args; nil after an error. While the type is not known, it returns a type of unknown parts, and *args waits.
func (c *checker) mapType(pos chc.Position, t ast.Type, arguments int, args *[]ast.Type) *ast.Map {
	t = c.infer.walk(t)
	v, ok := c.infer.flexible(t)
	if !ok {
		return c.knownMap(pos, t, arguments, args)
	}
	m := &ast.Map{Domain: make([]ast.Type, arguments)}
	for i := range m.Domain {
		m.Domain[i] = c.infer.fresh([]*ast.TypeVariable{v})[0]
	}
	m.Range = c.infer.fresh([]*ast.TypeVariable{v})[0]
	*args = nil
	c.infer.waiting = append(c.infer.waiting, func(force bool) bool {
		t := c.infer.walk(v)
		if _, ok := c.infer.flexible(t); ok {
			if force && !c.infer.unify(t, m) {
				c.errorf(pos, "the type of this map contains itself")
			}
			return force
		}
		if known := c.knownMap(pos, t, arguments, args); known != nil && !c.infer.unify(known, m) {
			c.mismatchf(pos, "a map of type %s is used as one of type %s", c.show(t), c.show(m))
		}
		for i := range *args {
			c.infer.later(&(*args)[i])
		}
		return true
	})
	return m
}

// knownMap instantiates the type of a map.
func (c *checker) knownMap(pos chc.Position, t ast.Type, arguments int, args *[]ast.Type) *ast.Map {
	m, ok := t.(*ast.Map)
	if !ok {
		if t != nil {
			c.errorf(pos, "this is indexed like a map, but has type %s", c.show(t))
		}
		return nil
	}
	if len(m.Domain) != arguments {
		c.errorf(pos, "a map of type %s takes %s, got %d", c.show(m), count(len(m.Domain), "index argument"), arguments)
		return nil
	}
	*args = c.infer.fresh(m.Params)
	if len(m.Params) == 0 {
		return m
	}
	sub := substitution(m.Params, *args)
	out := &ast.Map{Range: ast.Substitute(m.Range, sub)}
	for _, d := range m.Domain {
		out.Domain = append(out.Domain, ast.Substitute(d, sub))
	}
	return out
}

// indices checks the indices of a selection or an update.
func (c *checker) indices(m *ast.Map, index []ast.Expr) {
	for i, x := range index {
		t := c.expr(x)
		if m != nil && !c.infer.unify(m.Domain[i], t) {
			c.mismatchf(x.At(), "index %d should have type %s, but has type %s", i+1, c.show(m.Domain[i]), c.show(t))
		}
	}
}

func (c *checker) selection(e *ast.Select) ast.Type {
	m := c.mapType(e.Pos, c.expr(e.Map), len(e.Index), &e.TypeArguments)
	c.indices(m, e.Index)
	if m == nil {
		e.Type = nil
		return nil
	}
	return c.instantiated(&e.Node, m.Range, e.TypeArguments)
}

func (c *checker) store(e *ast.Store) ast.Type {
	t := c.expr(e.Map)
	m := c.mapType(e.Pos, t, len(e.Index), &e.TypeArguments)
	c.indices(m, e.Index)
	v := c.expr(e.Value)
	if m == nil {
		e.Type = nil
		return nil
	}
	if !c.infer.unify(m.Range, v) {
		c.mismatchf(e.Value.At(), "the new entry of the map should have type %s, but has type %s", c.show(m.Range), c.show(v))
	}
	for i := range e.TypeArguments {
		c.infer.later(&e.TypeArguments[i])
	}
	return c.typed(&e.Node, t)
}

// is types `x is Constructor`.
func (c *checker) is(e *ast.Is) ast.Type {
	t := c.expr(e.X)
	f := c.functions[e.Name]
	if f == nil || f.Datatype == nil {
		c.errorf(e.Pos, "%s is not the constructor of a datatype", shorten(e.Name))
	} else {
		e.Constructor = f
		m := substitution(f.TypeParams, c.infer.fresh(f.TypeParams))
		if want := ast.Substitute(f.Result.Type, m); !c.infer.unify(want, t) {
			c.errorf(e.Pos, "%s makes values of type %s, but this has type %s", f.Name, c.show(want), c.show(t))
		}
	}
	e.Type = ast.Bool
	return ast.Bool
}

// fieldType returns the type of a field of a value of type t, or nil after an error.
func (c *checker) fieldType(pos chc.Position, t ast.Type, name string, record bool) ast.Type {
	switch t := c.infer.walk(t).(type) {
	case nil:
		return nil
	case *ast.Record:
		if f := t.Field(name); f != nil && record {
			return f
		}
	case *ast.Constructed:
		if record {
			break
		}
		for _, f := range t.Decl.Constructors {
			if v := fieldOf(f, name); v != nil {
				return ast.Substitute(v.Type, substitution(t.Decl.Params, t.Args))
			}
		}
	}
	c.errorf(pos, "type %s has no field %s", c.show(t), shorten(name))
	return nil
}

func (c *checker) record(e *ast.RecordLiteral) ast.Type {
	r := &ast.Record{}
	ok := true
	for i, name := range e.Names {
		t := c.expr(e.Values[i])
		ok = ok && t != nil
		if slices.Contains(e.Names[:i], name) {
			c.errorf(e.Pos, "field %s is given twice", name)
			ok = false
		}
		r.Fields = append(r.Fields, ast.RecordField{Name: name, Type: t})
	}
	if !ok {
		e.Type = nil
		return nil
	}
	return c.typed(&e.Node, r)
}
