package interpret

import (
	"errors"
	"slices"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/interpret/turns"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
)

// Turns of loops that are alike are left out: package turns says what many of them do. A run that counts as evidence checks it: it
// executes the first and the last of these turns, and two between them, with the instructions that execute all else.

const (
	// firstTurns is how many turns of a loop are executed before any are left out, and fewTurns how many once that has been done.
	firstTurns = 64
	fewTurns   = 2
	// leastTurns is how many have to be alike to be worth the search.
	leastTurns = 16
	// leastWork is what a search for turns that are alike may cost, beside as much as what was done since the last one, and mostWork the
	// most that it may, a part of a second. workSteps is how many steps a unit of its work takes.
	leastWork = 500
	mostWork  = 1 << 20
	workSteps = 3
)

// head is what a run knows of the head of a loop: how many turns were executed, how many are to be before the next search, and what was
// spent until the last one.
type head struct{ turns, next, wait, mark int64 }

// checking is a turn that is executed to be compared.
type checking struct {
	f    *frame
	head int
	back bool
}

// prepareJumps describes the program to package turns.
func (p *Program) prepareJumps() {
	o := p.options
	if o.EveryTurn || o.Faults.Has(fault.Uninitialised) {
		return
	}
	p.turns = &turns.Program{
		Globals: map[*tree.Object]int{},
		Callee: func(n *tree.Call) *turns.Function {
			if n.Function == nil || n.Library != nil || p.numbers[n.Function] == nil {
				return nil
			}
			return p.numbers[n.Function].turns
		},
		Assumes: func(n *tree.Call) bool {
			return n.Function != nil && p.numbers[n.Function] != nil && p.numbers[n.Function].special.Kind == lib.Assume
		},
		Signed: o.overflows(true), Unsigned: o.overflows(false), Conversions: o.Faults.Has(fault.Conversion),
	}
	for i, s := range p.slots {
		p.turns.Globals[s.object] = i
		p.turns.Types = append(p.turns.Types, s.object.Type)
	}
	for _, fn := range p.functions {
		if fn.code != nil && !fn.unwinds && !fn.structure {
			fn.turns = describe(fn)
			for to := range fn.turns.Ends {
				fn.code[to].loop = p.loops
				p.loops++
			}
		}
	}
}

// describe describes a function to package turns.
func describe(fn *function) *turns.Function {
	d := &turns.Function{Ends: map[int]int{}, Slots: fn.slotOf, Types: make([]tree.Type, fn.slots), Result: fn.decl.Type.Result}
	for o, slot := range fn.slotOf {
		d.Types[slot] = o.Type
	}
	for _, p := range fn.params {
		slot := p.slot
		if d.Types[slot] == nil {
			// It is in memory, and only passed in its slot.
			d.Types[slot], slot = p.object.Type, -1
		}
		d.Params = append(d.Params, slot)
	}
	for pc := range fn.code {
		o := &fn.code[pc]
		t := turns.Op{Kind: turns.Other, Yes: o.yes, No: o.no}
		switch o.kind {
		case doOp:
			if t.Value, t.Declare = o.value, o.declares; t.Value != nil || t.Declare != nil {
				t.Kind = turns.Do
			}
		case testOp:
			t.Kind, t.Value = turns.Test, o.condition
		case jumpOp:
			t.Kind = turns.Jump
		case returnOp:
			if t.Value = o.value; o.value != nil || o.do == nil {
				t.Kind = turns.Return
			}
		}
		if o.region != 0 {
			t.Kind = turns.Other
		}
		if (o.kind == jumpOp || o.kind == testOp) && o.yes <= pc {
			d.Ends[o.yes] = pc
		}
		d.Ops = append(d.Ops, t)
	}
	return d
}

// spent is what was done, in steps.
func (m *machine) spent() int64 { return m.steps + m.searched }

// turned is told that control goes back from an instruction to an earlier one. It leaves out turns that are alike, and tells whether
// the execution ends here, as it is one of a single turn.
func (m *machine) turned(f *frame, from *op, to int) bool {
	if c := m.checking; c != nil && c.f == f && c.head == to {
		c.back = true
		return true
	}
	if f.fn.turns == nil {
		return false
	}
	if m.heads == nil {
		m.heads = make([]head, m.p.loops)
	}
	h := &m.heads[f.fn.code[to].loop]
	if h.next == 0 {
		h.next, h.wait, h.mark = firstTurns, firstTurns, m.spent()
		if m.p.soon {
			h.next, h.wait = fewTurns, fewTurns
		}
	}
	if h.turns++; h.turns >= h.next {
		m.jump(f, from, to, h)
	}
	return false
}

// jump leaves out turns of the loop whose head control is at.
func (m *machine) jump(f *frame, from *op, to int, h *head) {
	state := turns.State{Locals: cellsOf(f.slots), Globals: cellsOf(m.slots)}
	found, ok := turns.Look(m.p.turns, f.fn.turns, to, state, f.alike, int(min(leastWork+(m.spent()-h.mark)/workSteps, mostWork)))
	m.searched += workSteps * int64(found.Work)
	h.mark, m.pause = m.spent(), m.steps
	if !ok || found.Alike < leastTurns && !m.p.soon {
		h.wait *= 2
		h.next = h.turns + h.wait
		return
	}
	if m.p.altered != nil {
		m.p.altered(&found)
	}
	h.wait = fewTurns
	h.next = h.turns + h.wait
	if m.coverage == nil && !m.p.unseen {
		m.compare(f, from, to, found)
	}
	set(f.slots, found.State.Locals)
	set(m.slots, found.State.Globals)
	m.left += found.Turns
	if m.observe != nil {
		m.tell(Event{Kind: Skipped, Node: f.loopAt(from, to), Turns: found.Turns})
	}
}

// loopAt is the statement of a loop by its head and the instruction that goes back to it, or else the one at its head; nil if there is none.
func (f *frame) loopAt(from *op, to int) tree.Node {
	head := f.fn.code[to].node
	for _, n := range []tree.Statement{head, from.node} {
		switch n.(type) {
		case *tree.While, *tree.For, *tree.DoWhile:
			return n
		}
	}
	return head
}

func cellsOf(slots []slot) []turns.Cell {
	out := make([]turns.Cell, len(slots))
	for i, s := range slots {
		out[i] = turns.Cell{Bits: s.value, Known: s.known}
	}
	return out
}

func set(slots []slot, cells []turns.Cell) {
	for i, c := range cells {
		slots[i].value, slots[i].known = c.Bits, c.Known
	}
}

// back are cells so many steps before.
func back(cells, step []turns.Cell, steps int64) []turns.Cell {
	out := make([]turns.Cell, len(cells))
	for i, c := range cells {
		if out[i] = c; c.Known {
			out[i].Bits -= uint64(steps) * step[i].Bits
		}
	}
	return out
}

// errLeftOut answers questions in a turn that is compared: none that is left out asks any.
var errLeftOut = errors.New("a turn that is left out asks for a value")

type refusing struct{}

func (refusing) Choose(Question) (Value, error) { return Value{}, errLeftOut }

// compare executes some of the turns that are left out, and ends the run if they do not do what was found.
func (m *machine) compare(f *frame, from *op, to int, found turns.Found) {
	observe, accessed, choices, outer := m.observe, m.accessed, m.choices, m.checking
	locals, globals := cellsOf(f.slots), cellsOf(m.slots)
	defer func() {
		m.observe, m.accessed, m.choices, m.checking = observe, accessed, choices, outer
		set(f.slots, locals)
		set(m.slots, globals)
	}()
	m.observe, m.accessed, m.choices = nil, nil, refusing{}
	at := func(n int64) turns.State {
		return turns.State{Locals: back(found.State.Locals, found.Step.Locals, n), Globals: back(found.State.Globals, found.Step.Globals, n)}
	}
	for _, n := range []int64{found.Alike, found.Alike / 2, 2, 1} {
		begin, end := at(n), at(n-1)
		set(f.slots, begin.Locals)
		set(m.slots, begin.Globals)
		c := &checking{f: f, head: to}
		m.checking = c
		out, err := m.protected(func() { m.exec(f, to) })
		switch {
		case err != nil:
			panic(&interrupted{err})
		case out != nil && out.Kind == LimitReached:
			panic(&stop{*out})
		case out != nil || !c.back || !holds(f.slots, end.Locals) || !holds(m.slots, end.Globals):
			m.undetermined(f.loopAt(from, to), "turns of a loop that were to be left out are not alike")
		}
	}
}

// holds tells whether slots have values.
func holds(slots []slot, cells []turns.Cell) bool {
	for i, c := range cells {
		if s := slots[i]; s.known != c.Known || s.known && s.value != c.Bits {
			return false
		}
	}
	return true
}

// alike finds the scalars around one in an object that have the same value.
func (f *frame) alike(decl *tree.Object, off int64, t *tree.Integer) (c turns.Cells, work int, ok bool) {
	var o *object
	switch decl.Storage {
	case tree.Automatic, tree.Parameter:
		if i := slices.Index(f.fn.objects, decl); i >= 0 {
			o = f.objects[i]
		}
	default:
		if s := f.m.p.globals[decl]; s != nil && s.number >= 0 && s.number < len(f.m.statics) {
			o = f.m.statics[s.number]
		}
	}
	s := shapeOf(t)
	if o == nil || o.dead || off < 0 || off > o.size-s.size || off%s.size != 0 || s.size > 8 || pageBytes%s.size != 0 {
		return c, 0, false
	}
	var pattern [pageBytes]byte
	for i := range pattern {
		b, known := o.peek(off + int64(i)%s.size)
		if !known {
			return c, 0, false
		}
		pattern[i] = b
	}
	// alike is how many bytes from an offset on have the pattern: a page or an element, or none.
	alike := func(off int64) int64 {
		work++
		if p := o.pages[off/pageBytes]; p != nil && off%pageBytes == 0 && off+pageBytes <= o.size && p.data == pattern && p.unknown == [pageBytes]byte{} {
			return pageBytes
		}
		for i := range s.size {
			if b, known := o.peek(off + i); !known || b != pattern[i] {
				return 0
			}
		}
		return s.size
	}
	c.Low, c.High = off, off
	for n := s.size; n > 0 && c.High+2*s.size <= o.size; c.High += n {
		n = alike(c.High + s.size)
	}
	for n := s.size; n > 0 && c.Low > 0; c.Low -= n {
		if n = 0; c.Low >= pageBytes && c.Low%pageBytes == 0 && alike(c.Low-pageBytes) == pageBytes {
			n = pageBytes
		} else if alike(c.Low-s.size) > 0 {
			n = s.size
		}
	}
	var raw uint64
	for i := range s.size {
		raw |= uint64(pattern[i]) << (8 * i)
	}
	c.Bits = s.decode(raw)
	return c, work, true
}

// peek is byteAt without making the byte's page.
func (o *object) peek(off int64) (b byte, known bool) {
	switch p := o.pages[off/pageBytes]; {
	case o.pages == nil:
		return o.data[off], o.unknown == nil || o.unknown[off] == 0
	case p == nil:
		return 0, o.zero
	default:
		return p.data[off%pageBytes], p.unknown[off%pageBytes] == 0
	}
}
