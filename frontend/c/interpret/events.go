package interpret

import (
	"context"
	"fmt"
	"strconv"

	"hornbeam/frontend/c/tree"
)

// EventKind says what happened in a run.
type EventKind uint8

// The kinds of events.
const (
	// Began is the first event: Function is the entry.
	Began EventKind = iota
	// Stepped says that the statement Node is executed next. Tests have Branched only.
	Stepped
	// Branched says that the test Condition of the statement Node was evaluated, and Taken what it was; for a switch Case is
	// where it goes, nil past it, and Value what was looked for.
	Branched
	// Called says that Node, a *tree.Call, calls Function with Arguments; scalars only, a struct is a Value without a type.
	Called
	// Returned says that Function returned Value to Node, a *tree.Call; Value has no type if nothing or a struct is returned.
	// It follows a Called also if the function has no body.
	Returned
	// Assigned says that Node stored Value: at Offset in the object Object, of the static Type. Target is the place in C's
	// terms. A struct that is assigned has no Value.
	Assigned
	// Declared says that Object was made anew, with nothing known in it or with its initialiser's values.
	Declared
	// Chosen says that Question was answered with Value. Target is the place that gets it in C's terms, where that has a name.
	Chosen
	// Skipped says that Turns turns of the loop Node, nil if that is no statement, are left out, as they only add to integers: what
	// comes next happens after them.
	Skipped
	// Finished is the last event: Outcome says how the run ended.
	Finished
)

// Access is a read of memory, or a write.
type Access struct {
	Write   bool
	Address uint64
	Size    int64

	// What a statement of the program, not of C's library, has read; object is nil for other accesses.
	m      *machine
	object *object
	offset int64
	typ    tree.Type
	bits   uint64
}

// Read is the place that was read, in C's terms, and the value that it had. The place is empty for writes, and for what is read otherwise
// than as a scalar by the program itself.
func (a Access) Read() (place string, v Value) {
	if a.object == nil {
		return "", v
	}
	return a.m.target(a.object, a.offset, a.typ, nil), a.m.show(a.typ, a.bits)
}

// Watch is Run with another observer, which is told of the accesses to memory: to all objects that have an address, between the
// events of the evaluation that they belong to.
func (p *Program) Watch(ctx context.Context, choices Choices, observe func(Event), accessed func(Access)) (Outcome, error) {
	return p.WatchFirst(ctx, choices, 0, observe, accessed)
}

// WatchFirst is Watch with observers that are told of so many events, and of the last one: what is between these is done as fast as
// without observers. 0 stands for all events.
func (p *Program) WatchFirst(ctx context.Context, choices Choices, events int, observe func(Event), accessed func(Access)) (Outcome, error) {
	if p.initial != nil {
		return *p.initial, nil
	}
	m := newMachine(p, choices, observe)
	m.accessed, m.told = accessed, events
	return m.run(ctx, p.options.Steps, nil)
}

// hasRead tells of a scalar in memory that was read.
func (m *machine) hasRead(o *object, off int64, s *shape, t tree.Type, bits uint64, at tree.Node) {
	o.accessedBy(at)
	a := Access{Address: o.base + uint64(off), Size: s.size}
	if m.frame != nil && !m.frame.fn.decl.Library {
		a.m, a.object, a.offset, a.typ, a.bits = m, o, off, t, bits
	}
	m.accessed(a)
}

// Event is something that happened in a run.
type Event struct {
	Kind EventKind
	// Depth is the number of calls around it, and Function that in which it happened; for Called and Returned the callee.
	Depth    int
	Function *tree.Function
	// Library says that it happened in a definition of C's library or to an object of one, and is not a call of a function of the
	// program from there.
	Library   bool
	Node      tree.Node
	Condition tree.Value
	Taken     bool
	Case      *tree.Case
	Arguments []Value
	Object    *tree.Object
	Offset    int64
	Type      tree.Type
	Target    string
	Value     Value
	// Base is the address of the Object that was Declared; 0 if it is only used by its name.
	Base     uint64
	Question *Question
	// Argument says that a character of argv's string of that number, from 1 on, was Chosen, or is 0.
	Argument int
	Turns    int64
	Outcome  Outcome
}

// tell tells an event, if somebody still wants to know. Only Called and Returned come with their own function.
func (m *machine) tell(e Event) {
	if m.observe == nil {
		return
	}
	e.Depth = m.depth
	if e.Function == nil && m.frame != nil {
		e.Function = m.frame.fn.decl
	}
	if c, ok := e.Node.(*tree.Call); ok && c.Library != nil && e.Function == c.Library {
		e.Function = c.Function
	}
	own := (e.Kind == Called || e.Kind == Returned) && e.Function.Body != nil && !e.Function.Library
	e.Library = !own && m.frame != nil && m.frame.fn.decl.Library || e.Object != nil && e.Object.Function != nil && e.Object.Function.Library
	m.observe(e)
	if m.told > 0 {
		if m.told--; m.told == 0 {
			m.observe, m.accessed = nil, nil
		}
	}
}

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
