package ghost

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
)

// Each visits the terms of a clause, each once, but for those below quantifiers.
func Each(c *chc.Clause, visit func(*term.Term)) {
	term.WalkAll(c.Terms(), func(t *term.Term) bool {
		if t.IsQuantifier() {
			return false
		}
		visit(t)
		return true
	})
}

// JoinArrays calls join with the arrays of a clause that are made from each other or compared, where their sort is such.
func JoinArrays(c *chc.Clause, such func(*term.Sort) bool, join func(t, u *term.Term)) {
	Each(c, func(t *term.Term) {
		switch {
		case t.Op() == term.Store && such(t.Sort()):
			join(t, t.Arg(0))
		case t.Op() == term.Ite && such(t.Sort()):
			join(t, t.Arg(1))
			join(t, t.Arg(2))
		case t.Op() == term.Eq && such(t.Arg(0).Sort()):
			join(t.Arg(0), t.Arg(1))
		}
	})
}

// Within says that an index is before an end and not negative.
func Within(i, end *term.Term) *term.Term {
	p := i.Pool()
	return p.And(p.Ge(i, p.Int(0)), p.Lt(i, end))
}

// Equalities returns the formula with what also returns of two arrays beside their equality, where f is true only if they are equal and
// their sort is such.
func Equalities(f *term.Term, such func(*term.Sort) bool, also func(t, u *term.Term) []*term.Term) *term.Term {
	p := f.Pool()
	rec := func(f *term.Term) *term.Term { return Equalities(f, such, also) }
	switch {
	case f.Op() == term.Eq && such(f.Arg(0).Sort()):
		return p.And(append([]*term.Term{f}, also(f.Arg(0), f.Arg(1))...)...)
	case f.IsAnd() || f.IsOr():
		return p.MapArgs(f, rec)
	case f.Op() == term.Ite && f.IsBool():
		return p.Ite(f.Arg(0), rec(f.Arg(1)), rec(f.Arg(2)))
	}
	return f
}
