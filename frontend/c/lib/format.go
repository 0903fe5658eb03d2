package lib

import (
	"regexp"
	"slices"

	"hornbeam/frontend/c/tree"
)

// Counts tells whether a call of a function that prints by a format may write through its arguments: its format has a %n, or is
// not known and comes with a pointer to an integer that is no character. The format is the last parameter that has a name; where
// the function has no prototype, any argument may be the format.
func Counts(v *tree.Call) bool {
	arguments := v.Arguments
	if f := v.Function; f != nil && f.Type.Variadic && len(f.Type.Params) > 0 && len(f.Type.Params) <= len(arguments) {
		last := len(f.Type.Params) - 1
		if text, ok := literal(arguments[last]); ok {
			return counts.Match(text)
		}
		arguments = arguments[last+1:]
	} else if slices.ContainsFunc(arguments, func(a tree.Value) bool {
		text, ok := literal(a)
		return ok && counts.Match(text)
	}) {
		return true
	} else if slices.ContainsFunc(arguments, func(a tree.Value) bool { _, ok := literal(a); return ok }) {
		return false
	}
	return slices.ContainsFunc(arguments, counter)
}

// Text is a string literal, or empty.
func Text(v tree.Value) string {
	text, _ := literal(v)
	return string(text)
}

// PrintsText tells whether a call of a function of the kind Output reads text behind a pointer that is no literal's, as far as is known:
// its format says so, or it has none.
func PrintsText(v *tree.Call) bool {
	if f := v.Function; f != nil && f.Type.Variadic && len(f.Type.Params) > 0 && len(f.Type.Params) <= len(v.Arguments) {
		if text, ok := literal(v.Arguments[len(f.Type.Params)-1]); ok {
			return texts.Match(text)
		}
	}
	return true
}

// texts is a conversion %s.
var texts = regexp.MustCompile(`%[-+ #0-9.*$]*[hlLqjzt]*[sS]`)

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

// Plain tells whether a call that prints into memory has a format that is known and has plain conversions alone.
func Plain(v *tree.Call) bool {
	f := v.Function
	if f == nil || !f.Type.Variadic || len(f.Type.Params) == 0 || len(f.Type.Params) > len(v.Arguments) {
		return false
	}
	text, ok := literal(v.Arguments[len(f.Type.Params)-1])
	return ok && plain.Match(text)
}

// Scanned are the sizes of what a call of scanf or fscanf writes behind its arguments, from the one with the number first on. It
// reports false where the format is not known, or has other conversions than those of a number or a character.
func Scanned(v *tree.Call, long int64) (first int, sizes []int64, ok bool) {
	f := v.Function
	if f == nil || !f.Type.Variadic || len(f.Type.Params) == 0 || len(f.Type.Params) > len(v.Arguments) {
		return 0, nil, false
	}
	first = len(f.Type.Params)
	text, ok := literal(v.Arguments[first-1])
	if !ok || !scans.Match(text) {
		return 0, nil, false
	}
	for _, m := range conversions.FindAllSubmatch(text, -1) {
		size := map[string]int64{"hh": 1, "h": 2, "": 4, "l": long, "ll": 8, "q": 8, "j": 8, "z": long, "t": long}[string(m[1])]
		switch m[2][0] {
		case '%':
			continue
		case 'c':
			size = 1
		case 'f', 'g', 'e', 'a':
			size = map[string]int64{"": 4, "l": 8}[string(m[1])]
		}
		if size == 0 {
			return 0, nil, false
		}
		sizes = append(sizes, size)
	}
	return first, sizes, first+len(sizes) <= len(v.Arguments)
}

var (
	conversions = regexp.MustCompile(`%(hh|h|ll|l|q|j|z|t|)([%diuxoXcfgea])`)
	scans       = regexp.MustCompile(`^([^%]|%(hh|h|ll|l|q|j|z|t|)[%diuxoXcfgea])*$`)
)

// plain are the formats that stdio.c knows.
var plain = regexp.MustCompile(`^([^%]|%(%|s|c|l{0,2}[diux]))*$`)

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
