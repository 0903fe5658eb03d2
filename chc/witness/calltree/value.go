package calltree

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"hornbeam/chc/term"
)

// valueText is a value as readers write it: arrays as [0: 5, else 0], datatypes as cons(1, nil), elements of
// uninterpreted sorts as S!0, negative numbers and fractions as -3/2, bit-vectors in SMT-LIB's way. More than limit
// characters are cut, which the second result says; no limit is 0.
func valueText(v *term.Term, limit int) (text string, cut bool) {
	w := valueWriter{limit: limit}
	w.write(v)
	return w.String(), w.cut
}

// valueWriter writes until its limit is reached.
type valueWriter struct {
	strings.Builder
	limit int
	// length counts what was written, in characters.
	length int
	cut    bool
}

func (w *valueWriter) text(s string) {
	if w.cut {
		return
	}
	n := utf8.RuneCountInString(s)
	if w.limit > 0 && w.length+n > w.limit {
		w.cut = true
		w.WriteString("…")
		return
	}
	w.length += n
	w.WriteString(s)
}

func (w *valueWriter) write(v *term.Term) {
	if w.cut {
		return
	}
	switch v.Op() {
	case term.Numeral:
		w.text(v.Num().String())
	case term.Element:
		w.text(plain(v.Sort().String()) + "!" + v.Num().String())
	case term.Construct:
		w.text(symbol(v.Ctor().Name))
		for i, a := range v.Args() {
			w.text([]string{"(", ", "}[min(i, 1)])
			w.write(a)
		}
		if len(v.Args()) > 0 {
			w.text(")")
		}
	case term.Store, term.ConstArray:
		w.array(v)
	default:
		w.text(plain(term.Format(v)))
	}
}

// array writes the entries in the order of their indices, in which stores of values stand.
func (w *valueWriter) array(v *term.Term) {
	var stores []*term.Term
	root := v
	for ; root.Op() == term.Store; root = root.Arg(0) {
		stores = append(stores, root)
	}
	w.text("[")
	for i := len(stores) - 1; i >= 0 && !w.cut; i-- {
		w.write(stores[i].Arg(1))
		w.text(": ")
		w.write(stores[i].Arg(2))
		w.text(", ")
	}
	w.text("else ")
	if root.Op() == term.ConstArray {
		root = root.Arg(0)
	}
	w.write(root)
	w.text("]")
}

// symbol is a name of the source as it is shown: as SMT-LIB writes it, on one line.
func symbol(name string) string { return plain(term.QuoteSymbol(name)) }

// plain escapes what would break a line.
func plain(s string) string {
	for _, r := range s {
		if !strconv.IsPrint(r) {
			q := strconv.Quote(s)
			return strings.NewReplacer(`\"`, `"`).Replace(q[1 : len(q)-1])
		}
	}
	return s
}
