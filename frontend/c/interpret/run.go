package interpret

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/interpret/coverage"
	"hornbeam/frontend/c/interpret/inputs"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
)

// Limits of a run.
const (
	// defaultSteps, defaultMemory and defaultDepth are the limits where Options has none: steps, bytes and calls inside each other.
	defaultSteps  = 10_000_000
	defaultMemory = 256 << 20
	defaultDepth  = 50_000
	// maxNest bounds how deep Go's own stack gets: expressions inside each other, over all calls.
	maxNest = 1_200_000
	// pauseSteps is the number of steps after which the context is looked at again.
	pauseSteps = 1 << 14
	// stepWork is what a step counts where runs are bounded by work, about three times what it takes on today's processors, as queries to
	// solvers do; callWork is how many steps could be done in the time that a call and its end take.
	stepWork = 100 * time.Nanosecond
	callWork = 10
	// everyWork is stepWork where every run is tried, which makes runs and little else.
	everyWork = 25 * time.Nanosecond
	// pageBytes is the unit in which the bytes of objects above flatBytes are made, when they are first written.
	pageBytes = 4096
	flatBytes = 1 << 14
	// externalBytes is how much memory there is behind an address that is an answer.
	externalBytes = 1 << 16
	// maxReached objects, and maxReachedBytes of each, are searched for pointers that a function without a body may follow.
	maxReached      = 1 << 12
	maxReachedBytes = 1 << 20
)

// machine is one run.
type machine struct {
	p       *Program
	ctx     context.Context
	choices Choices
	observe func(Event)
	// accessed is told of accesses to memory; it may be nil.
	accessed func(Access)
	// told bounds how many events observers are told of before the last one; 0 stands for no bound.
	told int
	// texts are the addresses of the strings of argv.
	texts  []uint64
	limits Options

	frame *frame
	// free has frames that are not in use, by function.
	free  [][]*frame
	depth int
	nest  int
	steps int64
	// entered is how many calls there were, and counted what steps and calls are counted as work, in steps.
	entered, counted int64
	pause            int64
	used             int64

	slots                []slot
	statics              []*object
	globals, heap, stack area
	deadHeap             int
	serial               int
	// tracking numbers the time since SeaHorn's tracking was switched on, and is 0 while it is off; tracked is the number of
	// the last such time. shadows is what is kept beside memory.
	tracking, tracked int
	shadows           map[shadow]uint64
	cache             []*object
	asked             map[Site]int
	questions         int
	// unwinding is set from when a statement expression is left by a jump until that is caught.
	unwinding *unwinding
	// given answers where every run is tried, nil elsewhere, and raised is what the value that was just computed is raised by.
	// keeps says that it is followed what the next value that is read is raised by.
	given  *given
	raised *inputs.Sum
	keeps  bool
	// rounding is the mode that fesetround set, as x86 has it; 0 is the nearest.
	rounding uint64
	// addresses is set when an address becomes an integer.
	addresses bool
	// from is what without a value has been read for the value that is being computed, and stored that of the value that is stored
	// next; nil for nothing.
	from, stored *source
	// follows says that it is asked what values come from.
	follows bool
	// heads is what is known of loops, by their numbers, and left how many turns were left out. checking is
	// a turn that is executed to be compared with what is said of those; nil if there is none.
	heads []head
	left  int64
	// searched is how many steps the search for them is worth.
	searched int64
	checking *checking
	// coverage is told the numbers of the instructions that tests went to; nil if nobody wants to know.
	coverage *coverage.Run
}

// slot is an object that is only used by name.
type slot struct {
	value uint64
	known bool
	// from is what without a value the value is computed from; nil for nothing.
	from *source
	// sum is what the value is raised by.
	sum *inputs.Sum
}

// frame is a call of a function.
type frame struct {
	m       *machine
	fn      *function
	slots   []slot
	objects []*object
	bulks   []chunk
	lengths map[*tree.Array]int64
	caller  *frame
	call    tree.Node
	result  uint64
	// kept and other pass operands to closures that are compiled once for several uses.
	kept, other, checked uint64
	// from is what without a value the result is computed from, and sum what it is raised by.
	from *source
	sum  *inputs.Sum
	bulk chunk
	// returned says that there is a result.
	returned bool
	// mark is how many objects are on the stack below it.
	mark int
}

func newMachine(p *Program, choices Choices, observe func(Event)) *machine {
	m := &machine{p: p, ctx: context.Background(), choices: choices, observe: observe, limits: p.options}
	m.follows = p.options.Faults.Has(fault.Uninitialised)
	if m.limits.Steps == 0 {
		m.limits.Steps = defaultSteps
	}
	if m.limits.Memory == 0 {
		m.limits.Memory = defaultMemory
	}
	if m.limits.Depth == 0 {
		m.limits.Depth = defaultDepth
	}
	m.pause = min(pauseSteps, m.limits.Steps)
	l := p.layout
	m.heap = area{begin: l.heap, next: l.heap, end: l.stack, reuse: true}
	m.stack = area{begin: l.stack, next: l.stack, end: l.beyond}
	m.free = make([][]*frame, len(p.functions))
	m.makeCache()
	return m
}

// makeCache makes room for all accesses that are compiled by now.
func (m *machine) makeCache() {
	m.cache = append(m.cache, make([]*object, m.p.accesses-len(m.cache))...)
}

// Run executes a program from its entry to the first error, or whatever else ends it. The observer, which may be nil, is
// told what happens. The error is that of ctx.
func (p *Program) Run(ctx context.Context, choices Choices, observe func(Event)) (Outcome, error) {
	return p.run(ctx, choices, observe, p.options.Steps, nil)
}

func (p *Program) run(ctx context.Context, choices Choices, observe func(Event), steps int64, coverage *coverage.Run) (Outcome, error) {
	if p.initial != nil {
		return *p.initial, nil
	}
	return newMachine(p, choices, observe).run(ctx, steps, coverage)
}

func (m *machine) run(ctx context.Context, steps int64, coverage *coverage.Run) (Outcome, error) {
	observe := m.observe
	m.ctx, m.coverage = ctx, coverage
	if steps > 0 {
		m.limits.Steps = steps
		m.pause = min(pauseSteps, steps)
	}
	if coverage != nil {
		// Deep recursion is slow, as Go's stack has to grow: a search has better things to do.
		m.limits.Depth = min(m.limits.Depth, int(max(steps/10, 1000)))
	}
	if err := ctx.Err(); err != nil {
		return Outcome{}, err
	}
	out, err := m.protected(m.whole)
	m.counted -= runWork
	m.count()
	if err != nil {
		return Outcome{}, err
	}
	if out == nil {
		out = &Outcome{Kind: Ended, What: "the program ended"}
	}
	out.Steps, out.Searched, out.Skipped, out.Addresses = m.steps, m.searched, m.left, m.addresses
	// A run that ends in a function of the library ended in the call of it.
	for in := m.frame; in != nil && in.fn.decl.Library; in = in.caller {
		out.Node, m.frame = in.call, in.caller
		if out.Kind == Undefined && (m.frame == nil || !m.frame.fn.decl.Library) {
			out.What = in.fn.decl.Name + ": " + out.What
		}
	}
	if m.frame != nil && out.Function == nil {
		out.Function = m.frame.fn.decl
	}
	if m.observe = observe; observe != nil {
		m.tell(Event{Kind: Finished, Node: out.Node, Outcome: *out})
	}
	return *out, nil
}

// protected calls f and catches the end of the run, and what must not be: a fault in this package ends a run as
// Undetermined. The error is that of the context.
func (m *machine) protected(f func()) (out *Outcome, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *stop:
			out = &r.Outcome
		case *interrupted:
			err = r.err
		default:
			out = &Outcome{Kind: Undetermined, What: fmt.Sprintf("the interpreter failed: %v", r)}
		}
	}()
	f()
	return nil, nil
}

// begin puts the static objects where they belong.
func (m *machine) begin() {
	m.slots = make([]slot, len(m.p.slots))
	for i, s := range m.p.slots {
		m.slots[i] = slot{value: s.value, known: s.known}
	}
	m.statics = make([]*object, len(m.p.objects))
	for i, s := range m.p.objects {
		if s.at.readonly {
			// Nobody writes it, so that all runs can have the same bytes; pages are made by reading too.
			if s.at.data != nil {
				m.statics[i] = s.at
				continue
			}
		}
		o := *s.at
		o.data, o.unknown, o.last = slices.Clone(o.data), slices.Clone(o.unknown), nil
		if o.pages != nil {
			o.pages = maps.Clone(o.pages)
			for k, p := range o.pages {
				q := *p
				q.bare = slices.Clone(p.bare)
				o.pages[k] = &q
			}
		}
		m.use(int64(len(o.data))+int64(len(o.pages))*pageBytes, nil)
		m.statics[i] = &o
	}
	m.globals = area{objects: m.statics}
	m.serial = len(m.statics)
}

// whole is a whole run.
func (m *machine) whole() {
	m.begin()
	fn := m.p.entry
	f := m.newFrame(fn)
	m.arguments(f)
	if m.observe != nil {
		m.tell(Event{Kind: Began, Node: fn.decl.Body, Function: fn.decl})
	}
	m.enter(f, fn.decl.Body)
	m.leaks(fn.decl.Body)
	if m.observe != nil {
		m.tell(Event{Kind: Returned, Node: fn.decl.Body, Function: fn.decl, Value: m.resultOf(f)})
	}
}

// resultOf is what events tell of a result.
func (m *machine) resultOf(f *frame) Value {
	if !f.returned || f.fn.structure || f.fn.result.class == none {
		return Value{}
	}
	return m.show(f.fn.decl.Type.Result, f.result)
}

// arguments chooses the parameters of the entry: for main a number of arguments, and strings.
func (m *machine) arguments(f *frame) {
	fn := f.fn
	at := fn.decl.Body
	var argc uint64 = 1
	for i, p := range fn.params {
		t := p.object.Type
		q := Question{Site: Site{Argument, nil, p.object}, Type: t}
		switch {
		case p.structure:
			o := m.make(&m.heap, &object{decl: p.object, asked: Argument, declared: t}, t.Size(), false, at)
			f.bulks[i] = m.readChunk(o, 0, t.Size(), t, at)
		case i == 0 && fn.decl.Name == "main":
			// A program has a name: an answer that says otherwise, as one that knows nothing of it, stands for 1.
			if argc = m.choose(q); int64(argc) < 1 {
				argc = 1
			}
			f.slots[p.slot] = slot{value: argc, known: true}
		case fn.decl.Name == "main" && p.shape.class == pointer:
			f.slots[p.slot] = slot{value: m.strings(p.object, int64(argc), i == 1, at), known: true}
		default:
			f.slots[p.slot] = slot{value: m.choose(q), known: true}
		}
	}
}

// strings makes argv, or an environment without anything.
func (m *machine) strings(p *tree.Object, n int64, isArgv bool, at tree.Node) uint64 {
	size := p.Type.Size()
	s := shapeOf(p.Type)
	if !isArgv {
		n = 0
	}
	if n > 4096 {
		m.stop(LimitReached, at, "main is called with %d arguments", n)
	}
	array := m.make(&m.heap, &object{decl: p, asked: Argument}, (n+1)*size, true, at)
	for i := range n {
		text := m.make(&m.heap, &object{decl: p, asked: Argument}, pageBytes, false, at)
		m.setByte(text, pageBytes-1, 0, true, at)
		m.texts = append(m.texts, text.base)
		m.write(array, i*size, &s, text.base, at)
	}
	return array.base
}

// newFrame is a frame for a call that is about to begin: its parameters' slots, and bulks for structs, are to be filled.
func (m *machine) newFrame(fn *function) *frame {
	if list := m.free[fn.number]; len(list) > 0 {
		f := list[len(list)-1]
		m.free[fn.number] = list[:len(list)-1]
		f.m = m
		return f
	}
	f := &frame{m: m, fn: fn, slots: make([]slot, fn.slots), objects: make([]*object, len(fn.objects))}
	if slices.ContainsFunc(fn.params, func(p param) bool { return p.structure }) {
		f.bulks = make([]chunk, len(fn.params))
	}
	return f
}

// enter executes a call whose parameters are in the frame. The frame keeps its result until it is left.
func (m *machine) enter(f *frame, call tree.Node) {
	fn := f.fn
	m.depth++
	m.entered++
	m.nest += fn.nest + 4
	if m.depth > m.limits.Depth || m.nest > maxNest {
		m.stop(LimitReached, call, "%d calls inside each other", m.depth)
	}
	f.caller, f.call, f.mark, f.returned = m.frame, call, len(m.stack.objects), false
	m.frame = f
	for i, p := range fn.params {
		if p.number < 0 {
			continue
		}
		o := f.object(p.number)
		if p.structure {
			m.writeChunk(o, 0, f.bulks[i], call)
			f.bulks[i] = chunk{}
		} else {
			m.raised = f.slots[p.slot].sum
			m.stored = f.slots[p.slot].from
			m.write(o, 0, &p.shape, f.slots[p.slot].value, call)
		}
	}
	if fn.unwinds {
		m.execUnwinding(f, 0, 0)
	} else {
		m.exec(f, 0)
	}
	for _, o := range m.stack.objects[f.mark:] {
		m.kill(o)
	}
	m.stack.objects = m.stack.objects[:f.mark]
	// Addresses are used again only when few are left, so that one that dangles is noticed.
	if m.stack.next > m.stack.end-(m.stack.end-m.p.layout.stack)/4 {
		m.stack.next, m.stack.reused = m.p.layout.stack, true
		if f.mark > 0 {
			m.stack.next = m.stack.objects[f.mark-1].high
		}
	}
	m.frame = f.caller
	m.depth--
	m.nest -= fn.nest + 4
}

// leave gives a frame back, after its result is taken.
func (m *machine) leave(f *frame) {
	clear(f.slots)
	clear(f.objects)
	f.lengths, f.caller, f.call, f.bulk, f.from, f.sum = nil, nil, nil, chunk{}, nil, nil
	m.free[f.fn.number] = append(m.free[f.fn.number], f)
}

// object is the n-th object in memory of a call; it is made when it is first used, as control may come past its
// declaration.
func (f *frame) object(n int) *object {
	if o := f.objects[n]; o != nil {
		return o
	}
	decl := f.fn.objects[n]
	o := &object{decl: decl, asked: Uninitialised, declared: decl.Type}
	var at tree.Node
	if d := f.fn.declares[decl]; d != nil {
		o.site = d
		at = d
	}
	size := decl.Type.Size()
	if variable(decl.Type) {
		if !f.measured(decl.Type) {
			f.m.undefined(at, "%s is used before its length is known", decl.Name)
		}
		size = f.size(decl.Type, at)
	}
	f.m.make(&f.m.stack, o, size, false, at)
	f.objects[n] = o
	return o
}

// builtin tells whether a function does what the library says, and not what its body does.
func (fn *function) builtin() bool { return fn.special.Kind != lib.Ordinary }
