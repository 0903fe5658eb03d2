package interpret

import (
	"hornbeam/frontend/c/tree"
)

// filling stores a part of an initialiser in an object.
type filling func(f *frame, o *object)

// initials compiles an initialiser, whose parts are stored in their order.
func (c *compiler) initials(list []tree.Initial) []filling {
	var all []filling
	for _, i := range list {
		all = append(all, c.initial(i))
	}
	return all
}

func (c *compiler) initial(i tree.Initial) filling {
	repeat, stride := max(i.Repeat, 1), int64(0)
	if i.Type != nil {
		stride = i.Type.Size()
	}
	if i.Value == nil {
		stride = max(stride, int64(len(i.Bytes)))
		return func(f *frame, o *object) {
			for k := range repeat {
				f.m.writeChunk(o, i.Offset+k*stride, chunk{data: i.Bytes}, nil)
			}
		}
	}
	node := i.Value
	s := shapeOf(i.Type)
	if s.class == none {
		value := c.bulk(i.Value)
		return func(f *frame, o *object) {
			b := value(f)
			for k := range repeat {
				f.m.writeChunk(o, i.Offset+k*stride, b, node)
			}
		}
	}
	if i.Field != nil && i.Field.Bits > 0 {
		value := c.storedValue(i.Value)
		return func(f *frame, o *object) { f.m.writeField(o, i.Offset, i.Field, &s, value(f), node) }
	}
	value := c.heldValue(i.Value)
	return func(f *frame, o *object) {
		x := value(f)
		from, of := f.m.stored, f.m.takeSum()
		for k := range repeat {
			f.m.stored, f.m.raised = from, of
			f.m.write(o, i.Offset+k*stride, &s, x, node)
		}
	}
}

// declare compiles a declaration: the object is new, and filled.
func (c *compiler) declare(d *tree.Declare) effect {
	o := d.Object
	measure := c.measure(o.Type, d)
	if slot, ok := c.slots[o]; ok {
		var init value
		if len(d.Init) > 0 && d.Init[0].Value != nil {
			init = c.heldValue(d.Init[0].Value)
		}
		t := o.Type
		return func(f *frame) {
			if measure != nil {
				measure(f)
			}
			f.slots[slot] = slot_{}
			switch {
			case init != nil:
				x := init(f)
				f.slots[slot] = f.m.holding(x)
				if f.m.observe != nil {
					f.m.assigned(d, o, t, x)
				}
			case d.Initialized:
				f.slots[slot] = slot_{known: true}
			case f.m.observe != nil:
				f.m.tell(Event{Kind: Declared, Node: d, Object: o, Type: t})
			}
		}
	}
	number := c.inMemory(o)
	fill := c.initials(d.Init)
	// A scalar is not zero before it has its value: in int x = x it is unknown.
	zero := d.Initialized && (!registerType(o.Type) || len(fill) == 0)
	array, isVariable := o.Type.(*tree.Array)
	isVariable = isVariable && variable(array)
	return func(f *frame) {
		m := f.m
		if measure != nil {
			measure(f)
		}
		obj := f.objects[number]
		if obj != nil && obj.ended {
			obj.dead, obj.ended = false, false
		}
		if isVariable {
			// One of another length is another object.
			if obj != nil && obj.size == f.size(o.Type, d) {
				m.fill(obj, false, d)
			} else {
				if obj != nil {
					m.kill(obj)
				}
				f.objects[number] = nil
				obj = f.object(number)
			}
		} else if obj == nil {
			obj = f.object(number)
		} else {
			m.fill(obj, false, d)
		}
		m.born(obj)
		if d.Initialized {
			m.wrote(obj, 0, obj.size)
		}
		if zero {
			m.fill(obj, true, d)
		}
		m.steps += obj.size / 256
		for _, do := range fill {
			do(f, obj)
		}
		if m.observe != nil {
			m.declared(d, obj, d.Initialized)
		}
	}
}

// slot_ is slot, where that is the name of a variable.
type slot_ = slot

// holding is a slot with a value that heldValue has computed.
func (m *machine) holding(x uint64) slot {
	return slot{value: x, known: true, from: m.taken(), sum: m.takeSum()}
}

// heldValue compiles a value that is stored in a slot, or as a scalar in memory, right after it is computed.
func (c *compiler) heldValue(n tree.Value) value {
	if c.p.every {
		return c.kept(n)
	}
	return c.storedValue(n)
}
