package turns

import (
	"hornbeam/frontend/c/tree"
)

// integer is an integer type of at most 64 bits.
func integer(t tree.Type) *tree.Integer {
	i, ok := t.(*tree.Integer)
	if !ok || i.Bits > 64 {
		fail()
	}
	return i
}

// effect evaluates what is evaluated for what it does.
func (s *search) effect(f *call, n tree.Value) {
	s.spend()
	switch n := n.(type) {
	case *tree.Convert:
		if _, ok := n.T.(*tree.Void); ok {
			s.effect(f, n.X)
			return
		}
	case *tree.Comma:
		s.effect(f, n.First)
		s.effect(f, n.Second)
		return
	case *tree.Conditional:
		if n.Then == nil {
			fail()
		}
		if s.truth(f, n.Test) {
			s.effect(f, n.Then)
		} else {
			s.effect(f, n.Else)
		}
		return
	case *tree.Call:
		s.call(f, n)
		return
	}
	s.value(f, n)
}

// form is an integer.
func (s *search) form(f *call, n tree.Value) affine {
	integer(n.Type())
	v := s.value(f, n)
	if !v.known || v.opaque {
		fail()
	}
	return v.form
}

func whole(a affine) value { return value{known: true, form: a} }

func truthValue(b bool) value {
	if b {
		return whole(number(1))
	}
	return whole(affine{})
}

// value evaluates a scalar.
func (s *search) value(f *call, n tree.Value) value {
	s.spend()
	switch n := n.(type) {
	case *tree.Constant:
		if !n.Int.IsInt64() {
			fail()
		}
		integer(n.T)
		return whole(number(n.Int.Int64()))
	case *tree.Load:
		if _, ok := n.Place.(*tree.Use); !ok {
			return s.load(f, n.Place)
		}
		v := *s.place(f, n.Place)
		if !v.known {
			fail()
		}
		return v
	case *tree.Unary:
		return s.unary(f, n)
	case *tree.Binary:
		if n.Op.Comparison() {
			return truthValue(s.compare(n.Op, s.form(f, n.X), s.form(f, n.Y)))
		}
		x := s.form(f, n.X)
		return whole(s.arithmetic(n.Op, integer(n.T), x, s.form(f, n.Y)))
	case *tree.Logical:
		return truthValue(s.truth(f, n))
	case *tree.Conditional:
		if n.Then == nil {
			fail()
		}
		if s.truth(f, n.Test) {
			return s.value(f, n.Then)
		}
		return s.value(f, n.Else)
	case *tree.Comma:
		s.effect(f, n.First)
		return s.value(f, n.Second)
	case *tree.Assign:
		v := s.value(f, n.Value)
		*s.place(f, n.Place) = v
		return v
	case *tree.Update:
		return s.update(f, n)
	case *tree.Call:
		return s.call(f, n)
	case *tree.Convert:
		integer(n.X.Type())
		return whole(s.convert(s.form(f, n.X), integer(n.T)))
	}
	fail()
	return value{}
}

// place is what an object holds that is used by its name.
func (s *search) place(f *call, n tree.Place) *value {
	if u, ok := n.(*tree.Use); ok {
		if i, ok := f.fn.Slots[u.Object]; ok {
			return &f.locals[i]
		}
		if i, ok := s.p.Globals[u.Object]; ok {
			return &s.globals[i]
		}
	}
	fail()
	return nil
}

// truth tells whether a scalar is not zero.
func (s *search) truth(f *call, n tree.Value) bool {
	switch n := n.(type) {
	case *tree.Binary:
		if n.Op.Comparison() {
			s.spend()
			x := s.form(f, n.X)
			return s.compare(n.Op, x, s.form(f, n.Y))
		}
	case *tree.Logical:
		s.spend()
		if s.truth(f, n.X) == n.Or {
			return n.Or
		}
		return s.truth(f, n.Y)
	case *tree.Unary:
		if n.Op == tree.Not {
			s.spend()
			return !s.truth(f, n.X)
		}
	}
	return s.compare(tree.Ne, s.form(f, n), affine{})
}

func (s *search) unary(f *call, n *tree.Unary) value {
	if n.Op == tree.Not {
		return truthValue(!s.truth(f, n.X))
	}
	x, t := s.form(f, n.X), integer(n.T)
	if n.Op == tree.Neg {
		return whole(s.result(x.times(-1), t))
	}
	return whole(s.wrap(x.times(-1).add(-1), t))
}

func (s *search) update(f *call, n *tree.Update) value {
	t := integer(n.Place.Type())
	operand := s.form(f, n.Operand)
	at := s.place(f, n.Place)
	if !at.known || at.opaque {
		fail()
	}
	old := at.form
	compute := integer(n.Compute)
	r := s.convert(s.arithmetic(n.Op, compute, s.convert(old, compute), operand), t)
	*at = whole(r)
	if n.Post {
		return whole(old)
	}
	return whole(r)
}
