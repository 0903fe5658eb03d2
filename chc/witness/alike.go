package witness

import (
	"strings"

	"hornbeam/chc/term"
)

// alike returns an instance of an existential goal: each of its variables that has the name of a variable of the premises, or of a
// field of one, is that. A model that passes have carried back says of a clause that is gone that there are values of its variables,
// and the clauses next to it have them under the same names. The instance implies the goal. It returns nil when no name fits.
func alike(p *term.Pool, premises []*term.Term, goal *term.Term) *term.Term {
	if goal.Op() != term.Exists {
		return nil
	}
	named := map[string]*term.Term{}
	names := map[*term.Term]string{}
	for _, f := range premises {
		nameFields(f, named, names)
	}
	m := map[*term.Term]*term.Term{}
	var rest []*term.Term
	for _, x := range goal.Bound() {
		if t := named[plainName(x.Name())]; t != nil && t.Sort() == x.Sort() {
			m[x] = t
		} else {
			rest = append(rest, x)
		}
	}
	if len(m) == 0 {
		return nil
	}
	instance := p.Substitute(goal.Arg(0), m)
	if len(rest) > 0 {
		instance = p.Exists(rest, instance)
	}
	return instance
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
			n = plainName(t.Name())
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

// plainName is a name without what makes it fresh.
func plainName(s string) string {
	head, tail, found := strings.Cut(s, "!")
	if !found {
		return s
	}
	return head + plainName(strings.TrimLeft(tail, "0123456789"))
}
