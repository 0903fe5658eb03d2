package turns

import "hornbeam/frontend/c/tree"

// execute executes instructions until the call returns, or, if a head is given that is not negative, until control is at the head again.
// It gives up where control then leaves what is between the head and the end.
func (s *search) execute(f *call, pc, head, end int) {
	for first := true; ; first = false {
		if pc == head && !first {
			return
		}
		if head >= 0 && (pc < head || pc > end) {
			fail()
		}
		s.spend()
		op := &f.fn.Ops[pc]
		next := pc + 1
		switch op.Kind {
		case Do:
			if op.Declare != nil {
				s.declare(f, op.Declare)
			} else {
				s.effect(f, op.Value)
			}
		case Test:
			if next = op.No; s.truth(f, op.Value) {
				next = op.Yes
			}
		case Jump:
			next = op.Yes
		case Return:
			if head >= 0 {
				fail()
			}
			if op.Value != nil {
				f.result = s.value(f, op.Value)
			}
			return
		default:
			fail()
		}
		if next <= pc && next != head {
			s.again(f, next)
		}
		pc = next
	}
}

// again takes many turns of an inner loop whose head control comes back to, where they are alike.
func (s *search) again(f *call, head int) {
	l := loop{f.fn, head}
	if s.failures[l] >= mostFailures {
		return
	}
	if _, alike, _ := s.take(f, head); alike == 0 {
		s.failures[l]++
		return
	}
	s.failures[l] = 0
}

func (s *search) declare(f *call, d *tree.Declare) {
	slot, ok := f.fn.Slots[d.Object]
	if !ok {
		fail()
	}
	f.locals[slot] = value{}
	switch {
	case len(d.Init) > 0 && d.Init[0].Value != nil:
		f.locals[slot] = s.value(f, d.Init[0].Value)
	case len(d.Init) > 0:
		fail()
	case d.Initialized:
		if _, ok := d.Object.Type.(*tree.Integer); !ok {
			fail()
		}
		f.locals[slot] = value{known: true}
	}
}

// call executes a call of a function with a body, and yields what it returns.
func (s *search) call(f *call, n *tree.Call) value {
	if s.p.Assumes(n) {
		if len(n.Arguments) != 1 || !s.truth(f, n.Arguments[0]) {
			fail()
		}
		return value{}
	}
	fn := s.p.Callee(n)
	if fn == nil || len(n.Arguments) != len(fn.Params) || s.calls >= mostCalls {
		fail()
	}
	inner := &call{fn: fn, locals: make([]value, len(fn.Types))}
	for i, a := range n.Arguments {
		v := s.value(f, a)
		slot := fn.Params[i]
		if slot < 0 || !v.known || !tree.Same(a.Type(), fn.Types[slot]) {
			fail()
		}
		inner.locals[slot] = v
	}
	s.calls++
	s.execute(inner, 0, -1, 0)
	s.calls--
	if inner.result.known && !tree.Same(n.T, fn.Result) {
		fail()
	}
	return inner.result
}
