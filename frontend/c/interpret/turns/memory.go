package turns

import "hornbeam/frontend/c/tree"

// Cells is a part of an object whose scalars all have one value: they are at the offsets from Low to High that are whole numbers of their
// size from Low.
type Cells struct {
	Low, High int64
	Bits      uint64
}

// Memory finds scalars of a type that have the value of the one at an offset in an object, which is static or of the call that the loop is in,
// the work that this was, and whether that one exists and has been given a value.
type Memory func(o *tree.Object, offset int64, t *tree.Integer) (Cells, int, bool)

// load is what a scalar in memory holds whose offset is an affine form: the value of all that the turns read, if that is one. No turn
// writes memory.
func (s *search) load(f *call, n tree.Place) value {
	t := integer(n.Type())
	o, offset := s.offset(f, n)
	if s.memory == nil || o.Storage >= tree.Automatic && f != s.base || t.Bool {
		fail()
	}
	size := t.Size()
	if !offset.divides(size) {
		fail()
	}
	c, work, ok := s.memory(o, offset.constant, t)
	s.work += work
	s.spend()
	if !ok {
		fail()
	}
	s.within(offset, c.Low, c.High)
	return register(c.Bits, t)
}

// offset is the object that a place is in, and how far.
func (s *search) offset(f *call, n tree.Place) (*tree.Object, affine) {
	s.spend()
	switch n := n.(type) {
	case *tree.Use:
		return n.Object, affine{}
	case *tree.Element:
		o, offset := s.offset(f, n.Array)
		a, ok := n.Array.Type().(*tree.Array)
		if !ok || a.Count != nil || n.Type().Size() <= 0 {
			fail()
		}
		if _, nested := a.Elem.(*tree.Array); nested && a.Elem.Size() != n.Type().Size() {
			fail()
		}
		return o, offset.plus(s.form(f, n.Index).times(n.Type().Size()))
	case *tree.Member:
		if n.Field.Bits == 0 {
			o, offset := s.offset(f, n.Struct)
			return o, offset.add(n.Field.Offset)
		}
	}
	fail()
	return nil, affine{}
}
