package interpret

import (
	"fmt"
	"strconv"

	"hornbeam/frontend/c/tree"
)

// assigned tells of a slot's new value.
func (m *machine) assigned(n tree.Node, o *tree.Object, t tree.Type, x uint64) {
	m.tell(Event{Kind: Assigned, Node: n, Object: o, Type: t, Target: o.Name, Value: m.show(t, x)})
}

// assignedAt tells of a scalar in memory.
func (m *machine) assignedAt(n tree.Node, o *object, off int64, t tree.Type, f *tree.Field, x uint64) {
	o.accessedBy(n)
	m.tell(Event{Kind: Assigned, Node: n, Object: o.decl, Offset: off, Type: t, Target: m.target(o, off, t, f), Value: m.show(t, x)})
}

// assignedChunk tells of a struct in memory.
func (m *machine) assignedChunk(n tree.Node, o *object, off int64, t tree.Type) {
	m.tell(Event{Kind: Assigned, Node: n, Object: o.decl, Offset: off, Type: t, Target: m.target(o, off, t, nil)})
}

// declared tells of a declaration, and, if it has an initialiser, of a scalar's value.
func (m *machine) declared(d *tree.Declare, o *object, initialized bool) {
	if s := shapeOf(o.decl.Type); initialized && s.class != none && s.class != wide {
		m.assignedAt(d, o, 0, o.decl.Type, nil, m.read(o, 0, &s, o.decl.Type, d))
		return
	}
	m.tell(Event{Kind: Declared, Node: d, Object: o.decl, Type: o.decl.Type, Base: o.base})
}

// accessedBy notes the struct that a node takes an object for which has no type of its own.
func (o *object) accessedBy(n tree.Node) {
	if o.decl != nil {
		return
	}
	places := tree.Written(n)
	if p, ok := n.(tree.Place); ok {
		places = append(places, p)
	}
	for _, p := range places {
		if d, ok := tree.Root(p).(*tree.Dereference); ok {
			if s, ok := d.Type().(*tree.Struct); ok && s.Size() > 0 {
				o.as = s
			}
		}
	}
}

// target is a part of an object in C's terms, as far as the object's type says, or what it is accessed as; otherwise with its offset in bytes.
func (m *machine) target(o *object, off int64, t tree.Type, f *tree.Field) string {
	if o.decl != nil && o.decl.Name != "" {
		if path, ok := pathTo(o.decl.Type, off, t, f); ok {
			return o.decl.Name + path
		}
	}
	name := m.name(o)
	if o.as != nil && off >= 0 {
		if path, ok := pathTo(o.as, off%o.as.Size(), t, f); ok {
			if o.size > o.as.Size() {
				path = fmt.Sprintf("[%d]%s", off/o.as.Size(), path)
			}
			return name + path
		}
	}
	if size := t.Size(); size > 0 && off%size == 0 && size < o.size {
		if _, ok := t.(*tree.Struct); !ok {
			return fmt.Sprintf("((%s)%s)[%d]", tree.Declaration(t, "*"), name, off/size)
		}
	}
	if off == 0 {
		return name
	}
	return fmt.Sprintf("%s+%d", name, off)
}

// pathTo is how C spells the part of a type at an offset that has the type want, or is the bit-field.
func pathTo(t tree.Type, off int64, want tree.Type, field *tree.Field) (string, bool) {
	switch t := t.(type) {
	case *tree.Array:
		if size := t.Elem.Size(); size > 0 && off >= 0 && (t.Len < 0 || off < size*t.Len) {
			path, ok := pathTo(t.Elem, off%size, want, field)
			return "[" + strconv.FormatInt(off/size, 10) + "]" + path, ok
		}
	case *tree.Struct:
		if tree.Same(t, want) && off == 0 && field == nil {
			return "", true
		}
		for _, f := range t.Fields {
			switch {
			case field != nil && f == field && off == f.Offset:
				return "." + f.Name, true
			case f.Bits == 0 && off >= f.Offset && (off < f.Offset+f.Type.Size() || f.Type.Size() == 0):
				if path, ok := pathTo(f.Type, off-f.Offset, want, field); ok {
					return "." + f.Name + path, true
				}
			}
		}
	default:
		return "", off == 0 && field == nil && tree.Same(t, want)
	}
	return "", false
}

// pointee is what an address points to, in C's terms; "" if it is no object's.
func (m *machine) pointee(address uint64) string {
	if address == 0 {
		return ""
	}
	if fn := m.p.functionAt(address); fn != nil {
		return fn.decl.Name
	}
	o := m.find(address)
	if o == nil {
		return ""
	}
	off := int64(address - o.base)
	name := m.name(o)
	if o.decl != nil && o.decl.Name != "" && off >= 0 && off < o.size {
		if path, ok := firstPath(o.decl.Type, off); ok {
			return "&" + name + path
		}
	}
	if o.decl == nil || o.decl.Name == "" {
		if off == 0 {
			return name
		}
		return fmt.Sprintf("%s%+d", name, off)
	}
	if off == 0 {
		return "&" + name
	}
	return fmt.Sprintf("&%s%+d bytes", name, off)
}

// firstPath is how C spells the outermost part of a type that begins at an offset; arrays stand for their elements.
func firstPath(t tree.Type, off int64) (string, bool) {
	switch t := t.(type) {
	case *tree.Array:
		if size := t.Elem.Size(); size > 0 {
			path, ok := firstPath(t.Elem, off%size)
			return "[" + strconv.FormatInt(off/size, 10) + "]" + path, ok
		}
		return "", off == 0
	case *tree.Struct:
		if off == 0 {
			return "", true
		}
		for _, f := range t.Fields {
			if f.Bits == 0 && off >= f.Offset && off < f.Offset+f.Type.Size() {
				path, ok := firstPath(f.Type, off-f.Offset)
				return "." + f.Name + path, ok
			}
		}
		return "", false
	}
	return "", off == 0
}
