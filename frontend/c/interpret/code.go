package interpret

import (
	"cmp"
	"slices"
	"time"

	"hornbeam/frontend/c/interpret/inputs"
	"hornbeam/frontend/c/interpret/live"
	"hornbeam/frontend/c/tree"
	"hornbeam/internal/work"
)

// A body is compiled to a list of instructions, so that control can go anywhere, and expressions to closures.
type (
	// value yields a scalar, as a register has it.
	value func(f *frame) uint64
	// truth yields whether a scalar is not zero.
	truth func(f *frame) bool
	// effect only does something.
	effect func(f *frame)
	// bulk yields a struct.
	bulk func(f *frame) chunk
)

// opKind says what an instruction does.
type opKind uint8

const (
	// doOp does something and goes on.
	doOp opKind = iota
	// testOp goes to yes or no.
	testOp
	// jumpOp goes to yes.
	jumpOp
	// switchOp goes where the table says.
	switchOp
	// returnOp ends the call.
	returnOp
	// leaveOp ends the block of a statement expression.
	leaveOp
	// unwindOp goes to yes, which is outside the statement expression that it is in.
	unwindOp
)

// op is an instruction.
type op struct {
	kind opKind
	// node is the statement that it begins; nil if it is none's.
	node tree.Statement
	do   effect
	// value or declares is what do evaluates or declares, or the value that is returned; both are nil for what package turns does not know.
	value    tree.Value
	declares *tree.Declare
	test     truth
	tag      value
	yes      int
	no       int
	// condition is the test as it is in the source.
	condition tree.Value
	table     *table
	// region is the statement expression that the instruction is in, 0 for the body.
	region int
	// number counts the instructions of the program, and loop those to which control goes back.
	number, loop int
}

// table is where a switch goes.
type table struct {
	entries []entry // without overlaps, sorted by low
	signed  bool
	none    int // where it goes otherwise
	// otherwise is the default label; nil if there is none.
	otherwise *tree.Case
	tag       tree.Type
}

type entry struct {
	low, high uint64
	label     *tree.Case
	to        int
}

func (t *table) less(a, b uint64) bool { return inputs.Type{Signed: t.signed}.Less(a, b) }

// find is the label that a value goes to; nil if there is none.
func (t *table) find(x uint64) (int, *tree.Case) {
	i, found := slices.BinarySearchFunc(t.entries, x, func(e entry, x uint64) int {
		switch {
		case t.less(x, e.low):
			return 1
		case t.less(e.high, x):
			return -1
		}
		return 0
	})
	if found {
		return t.entries[i].to, t.entries[i].label
	}
	return t.none, t.otherwise
}

func (t *table) sort() {
	// The first of several labels with a value has it, as the sort is stable.
	slices.SortStableFunc(t.entries, func(a, b entry) int {
		if t.signed {
			return cmp.Compare(int64(a.low), int64(b.low))
		}
		return cmp.Compare(a.low, b.low)
	})
}

// unwinding is what is thrown to leave statement expressions by a jump, a break or a return.
type unwinding struct {
	f  *frame
	op *op
}

// unwind leaves statement expressions.
func (m *machine) unwind(f *frame, o *op) {
	m.unwinding = &unwinding{f, o}
	panic(m.unwinding)
}

// exec executes instructions from pc until the call, or the statement expression, ends.
func (m *machine) exec(f *frame, pc int) {
	code := f.fn.code
	for {
		o := &code[pc]
		m.steps++
		if m.steps >= m.pause {
			m.rest(o)
		}
		if m.observe != nil && o.node != nil && o.kind != testOp && o.kind != switchOp {
			m.tell(Event{Kind: Stepped, Node: o.node})
		}
		switch o.kind {
		case doOp:
			o.do(f)
			pc++
		case testOp:
			taken := o.test(f)
			if m.observe != nil {
				m.tell(Event{Kind: Branched, Node: o.node, Condition: o.condition, Taken: taken})
			}
			before := pc
			if taken {
				pc = o.yes
			} else {
				pc = o.no
			}
			if m.coverage != nil {
				m.coverage.Hit(code[pc].number)
			}
			if pc <= before && m.goesBack(f, o, pc) {
				return
			}
		case jumpOp:
			before := pc
			if pc = o.yes; pc <= before && m.goesBack(f, o, pc) {
				return
			}
		case switchOp:
			x := o.tag(f)
			to, label := o.table.find(x)
			if m.observe != nil {
				m.tell(Event{
					Kind: Branched, Node: o.node, Condition: o.condition, Taken: label != nil, Case: label, Value: m.show(o.table.tag, x),
				})
			}
			if pc = to; m.coverage != nil {
				if k := o.table.entries; len(k) > 0 {
					m.coverage.Differ(x, k[int(m.steps)%len(k)].low)
				}
				m.coverage.Hit(code[pc].number)
			}
		case returnOp:
			if o.do != nil {
				o.do(f)
			}
			if o.region != 0 {
				m.unwind(f, o)
			}
			return
		case leaveOp:
			return
		case unwindOp:
			m.unwind(f, o)
		}
	}
}

// goesBack is told that control goes back from an instruction to an earlier one, or the same. It tells whether the execution ends here.
func (m *machine) goesBack(f *frame, from *op, to int) bool {
	if m.given != nil {
		// Nothing is being computed.
		m.raised, m.keeps = nil, false
		m.compareState(f, to)
		return false
	}
	return m.p.turns != nil && m.turned(f, from, to)
}

// look finds out what states consist of in a function, nil where instructions are executed within others.
func (fn *function) look() *live.Body {
	numbers := map[*tree.Object]int{}
	for o, slot := range fn.slotOf {
		numbers[o] = slot
	}
	for i, o := range fn.objects {
		numbers[o] = fn.slots + i
	}
	var all []live.Instruction
	for pc := range fn.code {
		o := &fn.code[pc]
		if o.region != 0 || fn.unwinds {
			return nil
		}
		all = append(all, live.Instruction{Source: o.source(), To: o.next(pc)})
	}
	return live.Look(all, numbers, fn.slots+len(fn.objects))
}

// source is what an instruction executes, as it is in the source; nil for nothing that has values.
func (o *op) source() tree.Node {
	switch {
	case o.value != nil:
		return o.value
	case o.declares != nil:
		return o.declares
	case o.condition != nil:
		return o.condition
	}
	if _, label := o.node.(*tree.Label); label || o.do == nil || o.node == nil {
		return nil
	}
	return o.node
}

// next are the instructions that an instruction may go to.
func (o *op) next(pc int) []int {
	switch o.kind {
	case doOp:
		return []int{pc + 1}
	case testOp:
		return []int{o.yes, o.no}
	case jumpOp:
		return []int{o.yes}
	case switchOp:
		to := []int{o.table.none}
		for _, e := range o.table.entries {
			to = append(to, e.to)
		}
		return to
	}
	return nil
}

// execUnwinding is exec for code that jumps out of statement expressions; region is the one that is executed.
func (m *machine) execUnwinding(f *frame, pc, region int) {
	for pc >= 0 {
		pc = m.execOnce(f, pc, region)
	}
}

// execOnce executes until the end, or to a jump into the region from one inside it, and yields where to go on, or -1.
func (m *machine) execOnce(f *frame, pc, region int) (next int) {
	depth, nest, frame := m.depth, m.nest, m.frame
	defer func() {
		// What is not meant for this execution goes on without being caught: to catch it and throw it again at every one of
		// many calls would take very long.
		u := m.unwinding
		switch {
		case u == nil || u.f != f:
			return
		case u.op.kind == returnOp && region == 0:
			next = -1
		case u.op.kind == unwindOp && f.fn.code[u.op.yes].region == region:
			next = u.op.yes
		default:
			return
		}
		_ = recover()
		m.unwinding = nil
		m.depth, m.nest, m.frame = depth, nest, frame
	}()
	m.exec(f, pc)
	return -1
}

// rest looks whether the run has to end.
func (m *machine) rest(o *op) {
	m.count()
	if err := m.ctx.Err(); err != nil {
		panic(&interrupted{err})
	}
	// In a search for errors, one run is not to take the time of many.
	if m.steps >= m.limits.Steps || m.coverage != nil && m.spent() >= m.limits.Steps {
		var n tree.Node
		if o.node != nil {
			n = o.node
		}
		m.stop(LimitReached, n, "%d steps", m.limits.Steps)
	}
	m.pause = min(m.steps+pauseSteps, m.limits.Steps)
}

// count counts the steps and the calls that are not counted yet as work.
func (m *machine) count() {
	done := m.spent() + callWork*m.entered
	step := stepWork
	if m.p.every {
		step = everyWork
	}
	work.Spend(m.ctx, time.Duration(done-m.counted)*step)
	m.counted = done
}
