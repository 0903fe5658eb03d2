package proof

import (
	"fmt"
	"maps"
	"strings"

	"hornbeam/frontend/boogie/ast"
	boogie "hornbeam/frontend/boogie/proof"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/tree"
)

// Style is the language of conditions.
type Style uint8

const (
	// Executable conditions are expressions of C that can be evaluated wherever a run comes to their place.
	Executable Style = iota
	// Logical conditions are ACSL's.
	Logical
)

// longest is how long a condition may be, in bytes.
const longest = 4000

// expresser writes conditions over the variables of a translation as conditions over the program's own.
type expresser struct {
	source    *origin.Map
	procedure *ast.Procedure
	style     Style
	kind      boogie.Kind
	// visible tells whether an object can be named where the condition stands.
	visible func(*tree.Object) bool
	// guards keep indices within their arrays.
	guards []string
	// bound is what stands for the variables of quantifiers around, by their names.
	bound map[string]ast.Expr
	// named are the quantifiers' variables of which conditions speak themselves.
	named map[string]bool
	// earlier is set inside of old.
	earlier bool
	// left is how many expressions may still be written: what let expressions share is written wherever it occurs.
	left *int
}

// spend gives up a condition that is becoming too long.
func (x *expresser) spend() {
	if x.left == nil {
		return
	}
	if *x.left--; *x.left < 0 {
		panic(unsayable{tooLong})
	}
}

// let is the expresser behind the definitions of a let expression.
func (x *expresser) let(e *ast.Let) *expresser {
	inner := *x
	inner.bound = maps.Clone(x.bound)
	if inner.bound == nil {
		inner.bound = map[string]ast.Expr{}
	}
	for i, v := range e.Bound {
		if _, again := inner.bound[v.Name]; again || i >= len(e.Values) {
			// Values are written where they are used: there a name has to stand for the same thing.
			panic(unsayable{"a name that stands for several things"})
		}
		inner.bound[v.Name] = e.Values[i]
	}
	return &inner
}

// unsayable is the panic that gives up a condition, with the reason.
type unsayable struct{ why string }

func (u unsayable) Error() string { return u.why }

// tooLong is the reason for what would be too long to be read.
const tooLong = "a condition that is too long"

// polarity says whether a larger part makes a condition larger.
type polarity int

const (
	negative polarity = iota - 1
	neither
	positive
)

// condition writes a condition; the error says what there are no words for.
func (x *expresser) condition(e ast.Expr) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			u, mine := p.(unsayable)
			if !mine {
				panic(p)
			}
			text, err = "", u
		}
	}()
	x.guards = nil
	left := mostExpressions
	x.left = &left
	text = x.guarded(x.truth(e, positive), positive)
	for bare := unwrapped(text); bare != text; bare = unwrapped(text) {
		text = bare
	}
	if len(text) > longest {
		return "", unsayable{tooLong}
	}
	return text, nil
}

// guarded is a condition that holds, or, where that makes the whole larger, does not, if an index is none.
func (x *expresser) guarded(text string, p polarity) string {
	for _, g := range x.guards {
		if p == positive {
			text = fmt.Sprintf("(!(%s) || %s)", g, text)
		} else {
			text = fmt.Sprintf("(%s && %s)", g, text)
		}
	}
	x.guards = nil
	return text
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

// logical tells whether conditions are ACSL's.
func (x *expresser) logical() bool { return x.style == Logical }

// constant is true or false.
func (x *expresser) constant(b bool) string {
	switch {
	case x.logical() && b:
		return `\true`
	case x.logical():
		return `\false`
	case b:
		return "1"
	}
	return "0"
}

// truth writes a condition, with parentheses where it has an operator.
func (x *expresser) truth(e ast.Expr, p polarity) string {
	x.spend()
	switch e := e.(type) {
	case *ast.BoolLiteral:
		return x.constant(e.Value)
	case *ast.Identifier:
		if other := x.bound[e.Name]; other != nil {
			return x.truth(other, p)
		}
	case *ast.Let:
		inner := x.let(e)
		text := inner.truth(e.Body, p)
		x.guards = inner.guards
		return text
	case *ast.Unary:
		if e.Op == ast.Not {
			return "!" + x.truth(e.X, -p)
		}
	case *ast.IfThenElse:
		return fmt.Sprintf("(%s ? %s : %s)", x.truth(e.Cond, neither), x.truth(e.Then, p), x.truth(e.Else, p))
	case *ast.Quantifier:
		return x.quantifier(e, p)
	case *ast.Application:
		return x.vectorComparison(e)
	case *ast.Binary:
		switch e.Op {
		case ast.And, ast.Or:
			return fmt.Sprintf("(%s %s %s)", x.within(e.Op, e.X, p), e.Op, x.within(e.Op, e.Y, p))
		case ast.Implies:
			return x.implication(e.X, e.Y, p)
		case ast.Explies:
			return x.implication(e.Y, e.X, p)
		case ast.Iff:
			return x.sameTruths(e.X, e.Y, "==")
		case ast.Eq, ast.Neq, ast.Less, ast.Greater, ast.LessEq, ast.GreaterEq:
			if x.isTruth(e.X) || x.isTruth(e.Y) {
				op := "=="
				if e.Op == ast.Neq {
					op = "!="
				}
				return x.sameTruths(e.X, e.Y, op)
			}
			return "(" + x.comparison(e.Op, e.X, e.Y) + ")"
		}
	}
	panic(unsayable{"a condition of a kind that C does not have"})
}

// within writes an operand of a connective, in ACSL without parentheses that readers do not need: around comparisons, what has the
// same connective, and the sides of implications.
func (x *expresser) within(op ast.BinaryOp, e ast.Expr, p polarity) string {
	text := x.truth(e, p)
	b, ok := e.(*ast.Binary)
	if !x.logical() || !ok {
		return text
	}
	switch b.Op {
	case ast.And, ast.Or:
		if b.Op != op && op != ast.Implies {
			return text
		}
	case ast.Eq, ast.Neq, ast.Less, ast.Greater, ast.LessEq, ast.GreaterEq:
		if x.isTruth(b.X) || x.isTruth(b.Y) {
			return text
		}
	default:
		return text
	}
	return unwrapped(text)
}

func (x *expresser) implication(a, b ast.Expr, p polarity) string {
	if x.logical() {
		return fmt.Sprintf("(%s ==> %s)", x.within(ast.Implies, a, -p), x.within(ast.Implies, b, p))
	}
	return fmt.Sprintf("(!%s || %s)", x.truth(a, -p), x.truth(b, p))
}

func (x *expresser) sameTruths(a, b ast.Expr, op string) string {
	if x.logical() {
		text := fmt.Sprintf("(%s <==> %s)", x.truth(a, neither), x.truth(b, neither))
		if op == "!=" {
			return "!" + text
		}
		return text
	}
	return fmt.Sprintf("(!%s %s !%s)", x.truth(a, neither), op, x.truth(b, neither))
}

// isTruth tells a condition from a number: no variable of C is a truth value in the translation.
func (x *expresser) isTruth(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Identifier:
		return x.bound[e.Name] != nil && x.isTruth(x.bound[e.Name])
	case *ast.Let:
		return x.let(e).isTruth(e.Body)
	case *ast.IfThenElse:
		return x.isTruth(e.Then)
	case *ast.BoolLiteral, *ast.Quantifier:
		return true
	case *ast.Unary:
		return e.Op == ast.Not
	case *ast.Binary:
		return e.Op <= ast.PartialOrder
	case *ast.Application:
		return e.Function != nil && e.Function.Result != nil && e.Function.Result.Type == ast.Bool
	}
	return false
}

// comparison writes a comparison of numbers: in the types that the operands have if these are wide enough for all that is
// computed, else in long long.
func (x *expresser) comparison(op ast.BinaryOp, e, f ast.Expr) string {
	if x.isVector(e) || x.isVector(f) {
		return x.vectorEquality(op, e, f)
	}
	return x.compare(op, x.number(e), x.number(f))
}

func (x *expresser) compare(op ast.BinaryOp, a, b number) string {
	if a.pointer || b.pointer {
		return x.comparePointers(op, a, b)
	}
	small := a.within(31) && b.within(31) && !a.unsigned && !b.unsigned
	switch {
	case x.logical():
		// As a person writes it: x == 2 * y, not (2 * y) == x.
		left, right := operand(a.text(false)), operand(b.text(false))
		if !a.atom && b.atom {
			left, right, op = right, left, mirrored(op)
		}
		return left + " " + op.String() + " " + right
	case small:
		return a.text(false) + " " + op.String() + " " + b.text(false)
	case a.within(63) && b.within(63):
		return a.text(true) + " " + op.String() + " " + b.text(true)
	case a.atom && b.atom && a.unsigned && b.unsigned:
		return a.text(false) + " " + op.String() + " " + b.text(false)
	case a.atom && a.unsigned && b.constant != nil && b.constant.Sign() >= 0 && b.constant.BitLen() <= 64:
		return fmt.Sprintf("%s %s %sULL", a.text(false), op, b.constant)
	case b.atom && b.unsigned && a.constant != nil && a.constant.Sign() >= 0 && a.constant.BitLen() <= 64:
		return fmt.Sprintf("%sULL %s %s", a.constant, op, b.text(false))
	}
	panic(unsayable{"numbers wider than long long"})
}

// operand is a side of a comparison without the parentheses around all of it, where its operators bind more than those of comparisons.
func operand(text string) string {
	if bare := unwrapped(text); !strings.ContainsAny(bare, "&|^<>=!?:,") {
		return bare
	}
	return text
}

// mirrored is the comparison with its sides exchanged.
func mirrored(op ast.BinaryOp) ast.BinaryOp {
	switch op {
	case ast.Less:
		return ast.Greater
	case ast.Greater:
		return ast.Less
	case ast.LessEq:
		return ast.GreaterEq
	case ast.GreaterEq:
		return ast.LessEq
	}
	return op
}

// comparePointers writes an equality of addresses, of which one may be a number: null, or that of an object.
func (x *expresser) comparePointers(op ast.BinaryOp, a, b number) string {
	if op != ast.Eq && op != ast.Neq {
		panic(unsayable{"an order of pointers"})
	}
	side := func(n number) string {
		switch {
		case n.pointer && n.atom:
			return n.text(false)
		case n.zero():
			return "0"
		case n.constant != nil && n.constant.IsInt64():
			for _, o := range x.objects() {
				if x.source.Addresses[o] == n.constant.Int64() && x.visible(o) {
					return "(void *)&" + o.Name
				}
			}
		}
		panic(unsayable{"an address that is that of no object in sight"})
	}
	left, right := side(a), side(b)
	if a.pointer && b.pointer && !tree.Same(a.points, b.points) {
		left, right = "(void *)"+left, "(void *)"+right
	}
	return left + " " + op.String() + " " + right
}
