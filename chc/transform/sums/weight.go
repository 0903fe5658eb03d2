package sums

import (
	"fmt"

	"hornbeam/chc/term"
)

// weight says what an element adds to a sum. The zero weight is itself where it is positive and 0 where it is not, and 1 for true; with
// a value it is 1 for elements that are that value, or with other for those that are not.
type weight struct {
	value *term.Term
	other bool
	// end is the number after the indices whose elements are summed, from 0.
	end *term.Term
}

// measure is a sum of the elements of an argument.
type measure struct {
	position int
	weight   weight
}

// of is what an element adds, a number of at least 0.
func (w weight) of(t *term.Term) *term.Term {
	p := t.Pool()
	switch {
	case w.value != nil && w.other:
		return p.Ite(p.Eq(t, w.value), p.Int(0), p.Int(1))
	case w.value != nil:
		return p.Ite(p.Eq(t, w.value), p.Int(1), p.Int(0))
	case t.IsBool():
		return p.Ite(t, p.Int(1), p.Int(0))
	}
	return p.Ite(p.Ge(t, p.Int(0)), t, p.Int(0))
}

// counts reports whether no element of an array adds more than 1.
func (w weight) counts(array *term.Sort) bool { return w.value != nil || array.Elem == term.Bool }

// name is what the sums are called.
func (w weight) name(array *term.Sort) string {
	switch {
	case w.value != nil && w.other:
		return fmt.Sprintf("count.not.%s", w.value)
	case w.value != nil:
		return fmt.Sprintf("count.%s", w.value)
	case array.Elem == term.Bool:
		return "count"
	}
	return "sum"
}

// suffix is that of the names of arguments for sums.
func (w weight) suffix() string {
	if w.value == nil {
		return ".sum"
	}
	return "." + w.name(nil)
}
