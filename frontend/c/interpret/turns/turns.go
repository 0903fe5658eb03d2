package turns

import (
	"slices"

	"hornbeam/frontend/c/tree"
)

const (
	// mostTries is how many turns are executed in search of two that are alike.
	mostTries = 5
	// mostFailures is how often turns of an inner loop may be found not to be alike before it is executed turn by turn.
	mostFailures = 12
	// mostCalls bounds calls inside each other.
	mostCalls = 40
)

// value is what an object holds or an expression yields: an affine form, or, if it is opaque, bits of which only equality is known. One
// that is not known has not been set.
type value struct {
	form   affine
	bits   uint64
	known  bool
	opaque bool
}

// call is a call of a function.
type call struct {
	fn     *Function
	locals []value
	result value
}

// search is a search for turns that are alike.
type search struct {
	p       *Program
	globals []value
	// atLeast are forms that have to be 0 or more.
	atLeast []affine
	// level is how many loops have numbers of turns.
	level int
	calls int
	work  int
	most  int
	// base is the call that the loop is in.
	base   *call
	memory Memory
	// failures counts by loop.
	failures map[loop]int
}

type loop struct {
	fn   *Function
	head int
}

// Found is what many turns do.
type Found struct {
	// Turns is how many turns are taken, at least 1, and State what the objects hold then; Step is how they differ between the last Alike
	// of these turns, as registers have it.
	Turns, Alike int64
	State        State
	Step         State
	// Work is how much was done to find it, in instructions and expressions.
	Work int
}

// Look takes as many turns of a loop as it can: from a state in which control is at its head, the instruction of that number, to
// another one there. It does no more than so much work. The result says whether it has found any.
func Look(p *Program, fn *Function, head int, from State, memory Memory, most int) (Found, bool) {
	s := &search{p: p, memory: memory, most: most, failures: map[loop]int{}}
	f := &call{fn: fn, locals: values(from.Locals, fn.Types)}
	s.base = f
	s.globals = values(from.Globals, p.Types)
	var found Found
	s.attempt(func() { found.Turns, found.Alike, found.Step = s.take(f, head) })
	if found.Work = s.work; found.Alike == 0 {
		return found, false
	}
	found.State = State{cells(f.locals), cells(s.globals)}
	return found, true
}

// values are cells as forms.
func values(cells []Cell, types []tree.Type) []value {
	out := make([]value, len(cells))
	for i, c := range cells {
		if c.Known {
			out[i] = register(c.Bits, types[i])
		}
	}
	return out
}

// register is the value that a register's bits are for a type.
func register(bits uint64, t tree.Type) value {
	i, ok := t.(*tree.Integer)
	if x := int64(bits); ok && i.Bits <= 64 && (i.Signed || x >= 0) && x >= -limit && x <= limit {
		return value{known: true, form: number(x)}
	}
	return value{known: true, opaque: true, bits: bits}
}

func cells(values []value) []Cell {
	out := make([]Cell, len(values))
	for i, v := range values {
		if out[i] = (Cell{Known: v.known, Bits: v.bits}); !v.opaque {
			out[i].Bits = uint64(v.form.constant)
		}
	}
	return out
}

// attempt calls f and reports whether it came to its end.
func (s *search) attempt(f func()) (ok bool) {
	level, calls := s.level, s.calls
	defer func() {
		if !ok {
			s.level, s.calls = level, calls
			if r := recover(); r != nil {
				if _, gave := r.(giveUp); !gave {
					panic(r)
				}
			}
		}
	}()
	f()
	return true
}

// memory is what turns change.
type memory struct{ locals, globals []value }

func (s *search) save(f *call) memory {
	return memory{slices.Clone(f.locals), slices.Clone(s.globals)}
}

func (s *search) restore(f *call, m memory) {
	f.locals, s.globals = slices.Clone(m.locals), slices.Clone(m.globals)
}

// difference is what a turn adds to each value: a number.
func difference(from, to []value) (out []int64, ok bool) {
	out = make([]int64, len(from))
	for i := range from {
		a, b := from[i], to[i]
		if a.known != b.known || a.opaque != b.opaque || a.bits != b.bits || a.form.factors != b.form.factors {
			return nil, false
		}
		out[i] = small(b.form.constant - a.form.constant)
	}
	return out, true
}

// moved are values with a step added as many times as a form says.
func moved(from []value, step []int64, times affine) []value {
	out := slices.Clone(from)
	for i, d := range step {
		if d != 0 {
			out[i].form = out[i].form.plus(times.times(d))
		}
	}
	return out
}

func same(a, b memory) bool {
	return slices.Equal(a.locals, b.locals) && slices.Equal(a.globals, b.globals)
}

// take goes from the head of a loop on to a later turn. It tells how many turns those are in the first turns of the loops around, how
// many of the last ones are alike, and what these add; if none are, it has taken a few turns or none.
func (s *search) take(f *call, head int) (turns, alike int64, step State) {
	k := s.level
	if k == deepest {
		return 0, 0, State{}
	}
	for range mostTries {
		from, mark := s.save(f), len(s.atLeast)
		turn := func() { s.execute(f, head, head, f.fn.Ends[head]) }
		if !s.attempt(turn) {
			s.atLeast = s.atLeast[:mark]
			s.restore(f, from)
			return turns, 0, State{}
		}
		to, conditions := s.save(f), slices.Clone(s.atLeast[mark:])
		s.atLeast = s.atLeast[:mark]
		var n affine
		var locals, globals []int64
		found := s.attempt(func() {
			var ok, okGlobals bool
			locals, ok = difference(from.locals, to.locals)
			globals, okGlobals = difference(from.globals, to.globals)
			if !ok || !okGlobals {
				fail()
			}
			var one affine
			one.factors[k] = 1
			s.level++
			f.locals, s.globals = moved(from.locals, locals, one), moved(from.globals, globals, one)
			turn()
			end := memory{moved(from.locals, locals, one.add(1)), moved(from.globals, globals, one.add(1))}
			if !same(end, memory{f.locals, s.globals}) {
				fail()
			}
			if n = s.eliminate(mark, k); n.isNumber() && n.constant < 2 {
				fail()
			}
			f.locals, s.globals = moved(from.locals, locals, n), moved(from.globals, globals, n)
			s.level--
		})
		if found {
			return turns + n.constant, n.constant, State{steps(locals), steps(globals)}
		}
		s.atLeast = append(s.atLeast[:mark], conditions...)
		s.restore(f, to)
		turns++
	}
	return turns, 0, State{}
}

func steps(add []int64) []Cell {
	out := make([]Cell, len(add))
	for i, d := range add {
		out[i] = Cell{uint64(d), true}
	}
	return out
}

// eliminate finds how many turns of the innermost loop fulfil the conditions from a mark on, and replaces these by what they say of the
// loops around.
func (s *search) eliminate(mark, k int) affine {
	all := s.atLeast[mark:]
	least := -1
	var bound int64
	for i, a := range all {
		s.spend()
		if d := a.factors[k]; d < 0 {
			if b := a.constant / -d; least < 0 || b < bound {
				least, bound = i, b
			}
		}
	}
	if least < 0 {
		// The loop never ends.
		fail()
	}
	// The last turn of those that are alike.
	last := number(bound)
	if a := all[least]; a.divides(-a.factors[k]) {
		d := -a.factors[k]
		a.factors[k] = 0
		last = a.over(d)
	}
	var left []affine
	seen := map[affine]bool{}
	keep := func(a affine) {
		if !a.isNumber() && !seen[a] {
			seen[a] = true
			left = append(left, a)
		}
		if a.isNumber() && a.constant < 0 {
			fail()
		}
	}
	for _, a := range all {
		// What holds in the first turn and in the last one holds between them.
		keep(a.put(k, affine{}))
		keep(a.put(k, last))
	}
	keep(last)
	s.atLeast = append(s.atLeast[:mark], left...)
	return last.add(1)
}

// spend counts work, and gives up where there is too much.
func (s *search) spend() {
	if s.work++; s.work > s.most {
		fail()
	}
}

// require adds a condition that holds in the first turn.
func (s *search) require(a affine) {
	if a.constant < 0 {
		panic("turns: a condition does not hold in the first turn")
	}
	if !a.isNumber() {
		s.atLeast = append(s.atLeast, a)
	}
}
