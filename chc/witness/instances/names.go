package instances

import (
	"strings"

	"hornbeam/chc/term"
)

// Named returns the variables of formulas, and the fields of them that occur, outside of quantifiers, by the names that flattening gives
// arguments for fields, without what makes them fresh.
func Named(formulas []*term.Term) map[string]*term.Term {
	named, names := map[string]*term.Term{}, map[*term.Term]string{}
	for _, f := range formulas {
		nameFields(f, named, names)
	}
	return named
}

// nameFields names the variables of a formula, and the fields of them that occur, as flattening names arguments for fields. Of two
// with a name the first one has it.
func nameFields(f *term.Term, named map[string]*term.Term, names map[*term.Term]string) {
	var name func(t *term.Term) (string, bool)
	name = func(t *term.Term) (string, bool) {
		if n, ok := names[t]; ok {
			return n, n != ""
		}
		n := ""
		switch {
		case t.IsVar():
			n = PlainName(t.Name())
		case t.Sel() != nil:
			if of, ok := name(t.Arg(0)); ok {
				n = of + "." + t.Sel().Name
			}
		}
		names[t] = n
		if n != "" && named[n] == nil {
			named[n] = t
		}
		return n, n != ""
	}
	term.Walk(f, func(t *term.Term) bool {
		name(t)
		return !t.IsQuantifier()
	})
}

// PlainName is a variable's name without what makes it fresh.
func PlainName(s string) string {
	head, tail, found := strings.Cut(s, "!")
	if !found {
		return s
	}
	return head + PlainName(strings.TrimLeft(tail, "0123456789"))
}
