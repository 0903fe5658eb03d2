package proof

import (
	"fmt"
	"maps"
	"math/big"
	"strings"

	"hornbeam/frontend/boogie/ast"
)

// Limits of a condition, which keep what is reported readable.
const (
	// mostElements is the length of the longest array of which each element is named; of longer ones, only some are.
	mostElements = 16
	// mostInstances is how many instances of a quantifier a condition has.
	mostInstances = 32
	// mostExpressions is how many expressions a condition may have.
	mostExpressions = 2000
)

// quantifier writes a condition about all values of something. C has none: what holds of all holds of some, and these are
// the elements of a short array, or the first and last ones of a long one, and the bounds of what is spoken of.
func (x *expresser) quantifier(q *ast.Quantifier, p polarity) string {
	if x.logical() {
		return x.forall(q, p)
	}
	if q.Exists && p != negative || !q.Exists && p != positive || len(q.Bound) != 1 || q.Bound[0].Type != ast.Int {
		panic(unsayable{"a quantifier"})
	}
	name := q.Bound[0].Name
	var texts []string
	for _, at := range x.candidates(q) {
		if text, ok := x.instance(q.Body, name, at, p); ok && len(texts) < mostInstances {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		panic(unsayable{"a quantifier"})
	}
	op := " && "
	if q.Exists {
		op = " || "
	}
	return "(" + strings.Join(texts, op) + ")"
}

// instance writes a quantifier's body for one value of its variable, guarded by itself; false says that there are no words.
func (x *expresser) instance(body ast.Expr, name string, at ast.Expr, p polarity) (text string, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, mine := r.(unsayable); !mine {
				panic(r)
			}
			text, ok = "", false
		}
	}()
	inner := *x
	inner.guards = nil
	inner.bound = maps.Clone(x.bound)
	if inner.bound == nil {
		inner.bound = map[string]ast.Expr{}
	}
	inner.bound[name] = at
	text = inner.truth(body, p)
	return inner.guarded(text, p), true
}

// candidates are values that the variable of a quantifier is worth being replaced by.
func (x *expresser) candidates(q *ast.Quantifier) []ast.Expr {
	name := q.Bound[0].Name
	is := func(e ast.Expr) bool {
		id, ok := e.(*ast.Identifier)
		return ok && id.Name == name
	}
	literal := func(n int64) ast.Expr { return &ast.IntLiteral{Value: big.NewInt(n)} }
	length := int64(-1)
	var bounds []ast.Expr
	ast.Walk(q.Body, func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Select:
			if len(e.Index) == 1 && is(e.Index[0]) {
				if n := x.length(e.Map); n > 0 && (length < 0 || n < length) {
					length = n
				}
			}
		case *ast.Binary:
			switch {
			case is(e.X) && (e.Op == ast.Less || e.Op == ast.GreaterEq):
				bounds = append(bounds, &ast.Binary{Op: ast.Sub, X: e.Y, Y: literal(1)}, e.Y)
			case is(e.Y) && (e.Op == ast.LessEq || e.Op == ast.Greater):
				bounds = append(bounds, e.X, &ast.Binary{Op: ast.Sub, X: e.X, Y: literal(1)})
			case is(e.X) && (e.Op == ast.LessEq || e.Op == ast.Greater):
				bounds = append(bounds, e.Y, &ast.Binary{Op: ast.Add, X: e.Y, Y: literal(1)})
			case is(e.Y) && (e.Op == ast.Less || e.Op == ast.GreaterEq):
				bounds = append(bounds, &ast.Binary{Op: ast.Add, X: e.X, Y: literal(1)}, e.X)
			}
		}
		return true
	})
	var out []ast.Expr
	switch {
	case length >= 0 && length <= mostElements:
		for i := range length {
			out = append(out, literal(i))
		}
		return out
	case length > 0:
		out = append(out, literal(0), literal(length-1))
	}
	return append(out, bounds...)
}

// length is that of the array whose elements a map has by their numbers; 0 if it is not known.
func (x *expresser) length(m ast.Expr) int64 {
	if old, ok := m.(*ast.Old); ok {
		m = old.X
	}
	id, ok := m.(*ast.Identifier)
	if !ok || x.source == nil {
		return 0
	}
	o := x.source.Named(x.procedure.Name, id.Name)
	if o == nil || !o.Map || o.Region != nil {
		return 0
	}
	length := int64(1)
	for _, s := range o.Path {
		if s.Field == nil {
			length *= max(s.Index, 0)
		}
	}
	return length
}

// forall writes a quantifier in ACSL. Its variables are numbers.
func (x *expresser) forall(q *ast.Quantifier, p polarity) string {
	inner := *x
	inner.named = maps.Clone(x.named)
	if inner.named == nil {
		inner.named = map[string]bool{}
	}
	var names []string
	for _, v := range q.Bound {
		if v.Type != ast.Int {
			panic(unsayable{"a quantifier over other things than numbers"})
		}
		inner.named[v.Name] = true
		names = append(names, v.Name)
	}
	word := `\forall`
	if q.Exists {
		word = `\exists`
	}
	text := inner.truth(q.Body, p)
	for bare := unwrapped(text); bare != text; bare = unwrapped(text) {
		text = bare
	}
	return fmt.Sprintf("(%s integer %s; %s)", word, strings.Join(names, ", "), text)
}
