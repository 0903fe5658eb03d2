package library

import (
	"regexp"

	"hornbeam/frontend/c/tree"
)

// Counts tells whether a call of an Output function may write through its arguments: its format has a %n, or is not known and
// comes with a pointer to an integer that is no character.
func Counts(v *tree.Call) bool {
	pointers, known := false, false
	for _, a := range v.Arguments {
		text, ok := literal(a)
		switch {
		case ok && counts.Match(text):
			return true
		case ok:
			known = true
		default:
			pointers = pointers || counter(a)
		}
	}
	return pointers && !known
}

// counts is a conversion %n.
var counts = regexp.MustCompile(`%[-+ #0-9.*$]*[hlLqjzt]*n`)

// literal is the text of a string literal.
func literal(v tree.Value) ([]byte, bool) {
	for {
		c, ok := v.(*tree.Convert)
		if !ok {
			break
		}
		v = c.X
	}
	a, ok := v.(*tree.Address)
	if !ok {
		return nil, false
	}
	u, ok := a.Place.(*tree.Use)
	if !ok || u.Object.Storage != tree.Literal || len(u.Object.Init) != 1 {
		return nil, false
	}
	return u.Object.Init[0].Bytes, true
}

// counter tells whether a value may be what %n writes to.
func counter(v tree.Value) bool {
	for {
		p, ok := v.Type().(*tree.Pointer)
		if !ok {
			return false
		}
		if i, ok := p.Elem.(*tree.Integer); ok && i.Bits > 8 {
			return true
		}
		c, ok := v.(*tree.Convert)
		if !ok {
			return false
		}
		v = c.X
	}
}
