package interpret

import (
	"context"

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
