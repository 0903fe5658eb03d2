package boogie

import (
	"hornbeam/frontend/boogie/ast"
)

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
		c.Errorf(e.Pos, "- takes an int or a real, but gets %s", c.show(t))
		return nil
	case ast.ToInt:
		want, result = ast.Real, ast.Int
	case ast.ToReal:
		want, result = ast.Int, ast.Real
	}
	if !c.infer.unify(want, t) {
		takes := [...]string{ast.Not: "! takes a bool", ast.ToInt: "int takes a real", ast.ToReal: "real takes an int"}[e.Op]
		c.Errorf(e.Pos, "%s, but gets %s", takes, c.show(t))
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
			c.Errorf(e.Pos, "++ takes two bit-vectors, but gets %s and %s", c.show(x), c.show(y))
			return true
		}
		if v.Width+w.Width > maxWidth {
			c.Unsupportedf(e.Pos, "bit-vectors of more than %d bits", maxWidth)
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

// now runs a check, or defers it until more types are known. It returns result while the check is deferred, then the type
// that result is bound to, or nil when the check leaves it unbound.
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
		c.Errorf(e.Pos, "the upper bound %d is below the lower bound %d", e.High, e.Low)
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
				c.Errorf(e.Pos, "bits are taken from bit-vectors, but this has type %s", c.show(u))
			} else if e.High > v.Width {
				c.Errorf(e.Pos, "bit %d of a bit-vector of %d bits", e.High-1, v.Width)
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
