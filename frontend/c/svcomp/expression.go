package svcomp

import (
	"fmt"
	"math/big"
	"strings"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// longest is how long a condition may be, in bytes.
const longest = 4000

// expresser writes conditions over the variables of a translation as conditions over the program's own.
type expresser struct {
	source    *translate.Source
	procedure *ast.Procedure
	// visible tells whether an object can be named where the condition stands.
	visible func(*tree.Object) bool
	// guards keep indices within their arrays.
	guards []string
}

// unsayable is the panic that gives up a condition.
type unsayable struct{}

// condition writes a condition; false says that C has no words for it.
func (x *expresser) condition(e ast.Expr) (text string, ok bool) {
	defer func() {
		if p := recover(); p != nil {
			if _, mine := p.(unsayable); !mine {
				panic(p)
			}
			text, ok = "", false
		}
	}()
	x.guards = nil
	text = x.truth(e)
	for _, g := range x.guards {
		text = fmt.Sprintf("!(%s) || %s", g, text)
	}
	for bare := unwrapped(text); bare != text; bare = unwrapped(text) {
		text = bare
	}
	return text, len(text) <= longest
}

// unwrapped is a text without the parentheses around all of it.
func unwrapped(s string) string {
	if !strings.HasPrefix(s, "(") || !strings.HasSuffix(s, ")") {
		return s
	}
	depth := 0
	for i := range len(s) - 1 {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return s
		}
	}
	return s[1 : len(s)-1]
}

// truth writes a condition, with parentheses where it has an operator.
func (x *expresser) truth(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BoolLiteral:
		if e.Value {
			return "1"
		}
		return "0"
	case *ast.Unary:
		if e.Op == ast.Not {
			return "!" + x.truth(e.X)
		}
	case *ast.IfThenElse:
		return fmt.Sprintf("(%s ? %s : %s)", x.truth(e.Cond), x.truth(e.Then), x.truth(e.Else))
	case *ast.Binary:
		switch e.Op {
		case ast.And:
			return fmt.Sprintf("(%s && %s)", x.truth(e.X), x.truth(e.Y))
		case ast.Or:
			return fmt.Sprintf("(%s || %s)", x.truth(e.X), x.truth(e.Y))
		case ast.Implies:
			return fmt.Sprintf("(!%s || %s)", x.truth(e.X), x.truth(e.Y))
		case ast.Explies:
			return fmt.Sprintf("(%s || !%s)", x.truth(e.X), x.truth(e.Y))
		case ast.Iff:
			return fmt.Sprintf("(!%s == !%s)", x.truth(e.X), x.truth(e.Y))
		case ast.Eq, ast.Neq, ast.Less, ast.Greater, ast.LessEq, ast.GreaterEq:
			if isTruth(e.X) || isTruth(e.Y) {
				op := "=="
				if e.Op == ast.Neq {
					op = "!="
				}
				return fmt.Sprintf("(!%s %s !%s)", x.truth(e.X), op, x.truth(e.Y))
			}
			return "(" + x.comparison(e) + ")"
		}
	}
	panic(unsayable{})
}

// isTruth tells a condition from a number: no variable of C is a truth value in the translation.
func isTruth(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BoolLiteral:
		return true
	case *ast.Unary:
		return e.Op == ast.Not
	case *ast.Binary:
		return e.Op <= ast.PartialOrder
	}
	return false
}

// comparison writes a comparison of numbers: in the types that the operands have if these are wide enough for all that is
// computed, else in long long.
func (x *expresser) comparison(e *ast.Binary) string {
	a, b := x.number(e.X), x.number(e.Y)
	if a.pointer || b.pointer {
		if (e.Op == ast.Eq || e.Op == ast.Neq) && (a.pointer && b.zero() || b.pointer && a.zero()) {
			return a.text(false) + " " + e.Op.String() + " " + b.text(false)
		}
		panic(unsayable{})
	}
	small := a.within(31) && b.within(31) && !a.unsigned && !b.unsigned
	switch {
	case small:
		return a.text(false) + " " + e.Op.String() + " " + b.text(false)
	case a.within(63) && b.within(63):
		return a.text(true) + " " + e.Op.String() + " " + b.text(true)
	case a.atom && b.atom && a.unsigned && b.unsigned:
		return a.text(false) + " " + e.Op.String() + " " + b.text(false)
	case a.atom && a.unsigned && b.constant != nil && b.constant.Sign() >= 0 && b.constant.BitLen() <= 64:
		return fmt.Sprintf("%s %s %sULL", a.text(false), e.Op, b.constant)
	case b.atom && b.unsigned && a.constant != nil && a.constant.Sign() >= 0 && a.constant.BitLen() <= 64:
		return fmt.Sprintf("%sULL %s %s", a.constant, e.Op, b.text(false))
	}
	panic(unsayable{})
}

// number is an expression with what is known of its value and of all values that are computed on the way.
type number struct {
	// text is the expression, with its variables as long long if it is wide.
	text func(wide bool) string
	// low and high are the bounds of its value, most is the greatest absolute value on the way.
	low, high, most *big.Int
	// unsigned says that a variable in it is not changed to a signed type by C's promotions, atom that it is a variable.
	unsigned, atom, pointer bool
	constant                *big.Int
}

// within tells whether everything that is computed has at most so many bits, beside the sign.
func (n number) within(bits int) bool { return n.most.BitLen() <= bits }

func (n number) zero() bool { return n.constant != nil && n.constant.Sign() == 0 }

// bounded notes the bounds of a value that is computed from others.
func bounded(low, high *big.Int, of ...number) number {
	n := number{low: low, high: high, most: new(big.Int).Abs(low)}
	grow := func(b *big.Int) {
		if b.CmpAbs(n.most) > 0 {
			n.most = new(big.Int).Abs(b)
		}
	}
	grow(high)
	for _, o := range of {
		grow(o.most)
		n.unsigned = n.unsigned || o.unsigned
		if o.pointer {
			panic(unsayable{})
		}
	}
	return n
}

func literalOf(n *big.Int) number {
	out := bounded(n, n)
	out.constant = n
	out.text = func(wide bool) string {
		s := n.String()
		if wide || n.BitLen() > 31 {
			s += "LL"
		}
		if n.Sign() < 0 {
			s = "(" + s + ")"
		}
		return s
	}
	return out
}

func (x *expresser) number(e ast.Expr) number {
	switch e := e.(type) {
	case *ast.IntLiteral:
		return literalOf(e.Value)
	case *ast.Identifier:
		return x.variable(e, nil)
	case *ast.Select:
		if id, ok := e.Map.(*ast.Identifier); ok && len(e.Index) == 1 {
			return x.variable(id, e.Index[0])
		}
	case *ast.Unary:
		if e.Op == ast.Negate {
			a := x.number(e.X)
			if a.constant != nil {
				return literalOf(new(big.Int).Neg(a.constant))
			}
			n := bounded(new(big.Int).Neg(a.high), new(big.Int).Neg(a.low), a)
			n.text = func(wide bool) string { return "(-" + a.text(wide) + ")" }
			return n
		}
	case *ast.Binary:
		return x.binary(e)
	case *ast.IfThenElse:
		test, a, b := x.truth(e.Cond), x.number(e.Then), x.number(e.Else)
		n := bounded(least(a.low, b.low), greatest(a.high, b.high), a, b)
		n.text = func(wide bool) string {
			return fmt.Sprintf("(%s ? %s : %s)", test, a.text(wide), b.text(wide))
		}
		return n
	}
	panic(unsayable{})
}

func (x *expresser) binary(e *ast.Binary) number {
	a, b := x.number(e.X), x.number(e.Y)
	var n number
	op := ""
	switch e.Op {
	case ast.Add:
		op, n = "+", bounded(new(big.Int).Add(a.low, b.low), new(big.Int).Add(a.high, b.high), a, b)
	case ast.Sub:
		op, n = "-", bounded(new(big.Int).Sub(a.low, b.high), new(big.Int).Sub(a.high, b.low), a, b)
	case ast.Mul:
		var low, high *big.Int
		for _, p := range []*big.Int{
			new(big.Int).Mul(a.low, b.low), new(big.Int).Mul(a.low, b.high), new(big.Int).Mul(a.high, b.low), new(big.Int).Mul(a.high, b.high),
		} {
			low, high = least(low, p), greatest(high, p)
		}
		op, n = "*", bounded(low, high, a, b)
	case ast.Div, ast.Mod:
		// C's division is the Euclidean one where nothing is negative.
		if a.low.Sign() < 0 || b.constant == nil || b.constant.Sign() <= 0 {
			panic(unsayable{})
		}
		if e.Op == ast.Div {
			op, n = "/", bounded(new(big.Int), new(big.Int).Div(a.high, b.constant), a, b)
		} else {
			op, n = "%", bounded(new(big.Int), least(a.high, new(big.Int).Sub(b.constant, big.NewInt(1))), a, b)
		}
	default:
		panic(unsayable{})
	}
	n.text = func(wide bool) string { return "(" + a.text(wide) + " " + op + " " + b.text(wide) + ")" }
	return n
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

// variable writes a variable of the translation, or an element of a map, as the part of an object that it is.
func (x *expresser) variable(id *ast.Identifier, index ast.Expr) number {
	o := x.source.Named(x.procedure.Name, id.Name)
	if o == nil || o.Object == nil || o.Region != nil || o.Behind || !x.visible(o.Object) {
		panic(unsayable{})
	}
	// What comes in is what the caller gave; a parameter that changes is held by another variable.
	if id.Decl != nil && id.Decl.Kind == ast.In && (o.Object.Written || o.Object.Escapes) {
		panic(unsayable{})
	}
	if o.Map != (index != nil) {
		panic(unsayable{})
	}
	var path strings.Builder
	path.WriteString(o.Object.Name)
	t := o.Object.Type
	for _, s := range o.Path {
		switch u := t.(type) {
		case *tree.Struct:
			if s.Field == nil || s.Field.Name == "" || u.Union {
				panic(unsayable{})
			}
			path.WriteString("." + s.Field.Name)
			t = s.Field.Type
		case *tree.Array:
			if s.Field != nil || o.Map || u.Len <= 0 || s.Index < 0 || s.Index >= u.Len {
				if s.Field == nil && o.Map && index != nil && u.Len > 0 {
					path.WriteString("[" + x.index(index, u.Len) + "]")
					index, t = nil, u.Elem
					continue
				}
				panic(unsayable{})
			}
			fmt.Fprintf(&path, "[%d]", s.Index)
			t = u.Elem
		default:
			panic(unsayable{})
		}
	}
	if a, ok := t.(*tree.Array); ok && index != nil && a.Len > 0 {
		path.WriteString("[" + x.index(index, a.Len) + "]")
		index, t = nil, a.Elem
	}
	if index != nil {
		panic(unsayable{})
	}
	text := path.String()
	switch t := t.(type) {
	case *tree.Pointer:
		return number{text: func(bool) string { return text }, low: new(big.Int), high: new(big.Int), most: new(big.Int), pointer: true, atom: true}
	case *tree.Integer:
		n := bounded(t.Min(), t.Max())
		// The least number of a type has as many bits as the greatest.
		if t.Signed {
			n.most = t.Max()
		}
		n.atom, n.unsigned = true, !t.Signed && t.Bits >= 32
		n.text = func(wide bool) string {
			if wide && t.Bits <= 64 && (t.Bits < 64 || t.Signed) {
				return "(long long)" + text
			}
			return text
		}
		return n
	}
	panic(unsayable{})
}

// index writes an index of an array of the given length, and keeps it within it.
func (x *expresser) index(e ast.Expr, length int64) string {
	n := x.number(e)
	if n.constant != nil {
		if n.low.Sign() < 0 || n.high.Cmp(big.NewInt(length)) >= 0 {
			panic(unsayable{})
		}
		return n.text(false)
	}
	if n.pointer || !n.within(63) {
		panic(unsayable{})
	}
	text := n.text(true)
	x.guards = append(x.guards, fmt.Sprintf("%s >= 0 && %s < %d", text, text, length))
	return text
}
