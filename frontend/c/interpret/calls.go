package interpret

import (
	"fmt"
	"math"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/interpret/inputs"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
)

// argument is an argument of a call: a scalar, or a struct.
type argument struct {
	t     tree.Type
	shape shape
	value value
	bulk  bulk
}

// arguments compiles the arguments of a call. With kept, its consumer takes what they are raised by.
func (c *compiler) arguments(n *tree.Call, kept bool) []argument {
	value := c.value
	if kept {
		value = c.kept
	}
	var args []argument
	for _, a := range n.Arguments {
		arg := argument{t: a.Type(), shape: shapeOf(a.Type())}
		if _, ok := arg.t.(*tree.Struct); ok {
			arg.bulk = c.bulk(a)
		} else {
			arg.value = value(a)
		}
		args = append(args, arg)
	}
	return args
}

// invocation is a call of a function without a body that counts.
type invocation struct {
	call  *tree.Call
	fn    *function
	types []tree.Type
	args  []uint64
	frame *frame
}

// outcome of a call: the callee's frame, to be given back once its result is taken, or, without a frame, the result.
type called struct {
	frame *frame
	value uint64
	bulk  chunk
	fn    *function
	// sum is what the result is raised by.
	sum *inputs.Sum
}

// calling compiles a call up to its end.
func (c *compiler) calling(n *tree.Call) func(f *frame) called {
	if n.Function != nil {
		fn := c.p.function(n.Function)
		if n.Library != nil {
			fn = c.p.function(n.Library)
		}
		if fn.decl.Body != nil && !fn.builtin() {
			call := c.direct(n, fn)
			known := c.p.function(n.Function)
			if n.Library == nil || c.p.source.Errno == nil || !known.special.SetsErrno() {
				return call
			}
			return func(f *frame) called {
				r := call(f)
				f.m.setErrno(&invocation{call: n, fn: known})
				return r
			}
		}
		args := c.arguments(n, false)
		types := typesOf(args)
		for i := range args {
			if args[i].value != nil && fn.special.Kind != lib.Expect {
				args[i].value = c.decides(args[i].value, n.Arguments[i], "an argument of "+n.Function.Name)
			}
		}
		return func(f *frame) called {
			values, bulks, _ := evaluate(f, args)
			return f.m.native(f, n, fn, types, values, bulks)
		}
	}
	callee := c.decides(c.value(n.Callee), n.Callee, "what is called")
	args := c.arguments(n, false)
	types := typesOf(args)
	return func(f *frame) called {
		address := callee(f)
		values, bulks, from := evaluate(f, args)
		fn := f.m.p.functionAt(address)
		switch {
		case fn == nil && address == 0:
			f.m.fault(n, []fault.Kind{fault.Dereference}, "a null pointer is called")
		case fn == nil:
			f.m.fault(n, []fault.Kind{fault.Dereference}, "address 0x%x is called, where there is no function", address)
		case fn.decl.Body == nil || fn.builtin():
			for i, s := range from {
				f.m.from = s
				f.m.decided(n.Arguments[i], "an argument of "+fn.decl.Name)
			}
			return f.m.native(f, n, fn, types, values, bulks)
		}
		return f.m.pass(f, n, fn, args, values, bulks, from)
	}
}

func typesOf(args []argument) []tree.Type {
	types := make([]tree.Type, len(args))
	for i, a := range args {
		types[i] = a.t
	}
	return types
}

// evaluate evaluates arguments from left to right.
// Those that are computed from what has no value have that in from, which is nil if nothing asks for it.
func evaluate(f *frame, args []argument) (values []uint64, bulks []chunk, from []*source) {
	values = make([]uint64, len(args))
	outer := f.m.from
	if f.m.follows {
		from = make([]*source, len(args))
	}
	for i, a := range args {
		if a.value != nil {
			f.m.from = nil
			values[i] = a.value(f)
			if f.m.follows {
				from[i], outer = f.m.from, first(outer, f.m.from)
			}
			continue
		}
		if bulks == nil {
			bulks = make([]chunk, len(args))
		}
		bulks[i] = a.bulk(f)
	}
	f.m.from = outer
	return values, bulks, from
}

// direct compiles a call of a function with a body. Where the arguments have the parameters' types they are evaluated
// into the new frame.
func (c *compiler) direct(n *tree.Call, fn *function) func(f *frame) called {
	params := fn.decl.Params
	plain := len(n.Arguments) == len(params)
	for i := 0; plain && i < len(params); i++ {
		_, structure := n.Arguments[i].Type().(*tree.Struct)
		plain = !structure && tree.Same(n.Arguments[i].Type(), params[i].Type)
	}
	args := c.arguments(n, plain)
	if !plain {
		return func(f *frame) called {
			values, bulks, from := evaluate(f, args)
			return f.m.pass(f, n, fn, args, values, bulks, from)
		}
	}
	return func(f *frame) called {
		callee := f.m.newFrame(fn)
		for i := range args {
			f.m.from = nil
			callee.slots[i] = slot{value: args[i].value(f), known: true}
			callee.slots[i].from, callee.slots[i].sum = f.m.from, f.m.takeSum()
		}
		if f.m.observe != nil {
			values := make([]uint64, len(args))
			for i := range args {
				values[i] = callee.slots[i].value
			}
			f.m.tellCall(n, fn, values, args)
		}
		f.m.enter(callee, n)
		if f.m.observe != nil {
			f.m.tell(Event{Kind: Returned, Node: n, Function: fn.decl, Value: f.m.resultOf(callee)})
		}
		return called{frame: callee, fn: fn}
	}
}

// pass calls a function with arguments that may have other types than the parameters, or be too many.
func (m *machine) pass(f *frame, n *tree.Call, fn *function, args []argument, values []uint64, bulks []chunk, from []*source) called {
	callee := m.newFrame(fn)
	if len(args) < len(fn.params) {
		m.undefined(n, "%s is called with %d arguments, and has %d parameters", fn.decl.Name, len(args), len(fn.params))
	}
	for i, p := range fn.params {
		if p.structure || args[i].bulk != nil {
			if !p.structure || args[i].bulk == nil || int64(len(bulks[i].data)) != p.object.Type.Size() {
				m.undefined(n, "argument %d of %s is a %s", i+1, fn.decl.Name, args[i].t)
			}
			callee.bulks[i] = bulks[i]
			continue
		}
		a, x := args[i].shape, values[i]
		switch {
		case a.whole() && p.shape.whole():
			x = p.shape.wrap(x)
		case a.floating() && p.shape.class == float32Class:
			x = math.Float64bits(float64(float32(math.Float64frombits(x))))
		case a.floating() && p.shape.floating():
		default:
			m.undefined(n, "argument %d of %s is a %s", i+1, fn.decl.Name, args[i].t)
		}
		callee.slots[p.slot] = slot{value: x, known: true}
		if from != nil {
			callee.slots[p.slot].from = from[i]
		}
	}
	if m.observe != nil {
		m.tellCall(n, fn, values, args)
	}
	m.enter(callee, n)
	if m.observe != nil {
		m.tell(Event{Kind: Returned, Node: n, Function: fn.decl, Value: m.resultOf(callee)})
	}
	return called{frame: callee, fn: fn}
}

func (m *machine) tellCall(n *tree.Call, fn *function, values []uint64, args []argument) {
	e := Event{Kind: Called, Node: n, Function: fn.decl}
	for i, a := range args {
		if a.value == nil {
			e.Arguments = append(e.Arguments, Value{})
		} else {
			e.Arguments = append(e.Arguments, m.show(a.t, values[i]))
		}
	}
	m.tell(e)
}

func (c *compiler) callEffect(n *tree.Call) effect {
	call := c.calling(n)
	if c.looks() {
		call = keeping(call)
	}
	return func(f *frame) {
		if r := call(f); r.frame != nil {
			f.m.leave(r.frame)
		}
	}
}

// result compiles what a call returns. Where every run is tried, to says what the value is for.
func (c *compiler) result(n *tree.Call, to use) value {
	call := c.calling(n)
	if c.looks() && (n.Function == nil || c.p.function(n.Function).special.Kind != lib.Expect) {
		call = keeping(call)
	}
	want := shapeOf(n.T)
	if want.class == none {
		panic(fmt.Sprintf("%s: a call of type %s", n.Pos(), n.T))
	}
	return func(f *frame) uint64 {
		r := call(f)
		if r.frame == nil {
			f.m.usedFor(r.sum, to)
			return r.value
		}
		x, known, of := r.frame.result, r.frame.returned, r.frame.sum
		f.m.from = first(f.m.from, r.frame.from)
		f.m.leave(r.frame)
		if r.fn.result == want {
			f.m.usedFor(of, to)
		} else {
			f.m.usedFor(of, computes)
		}
		if !known {
			return f.m.choose(Question{Site: Site{Unspecified, n, nil}, Type: n.T, Function: r.fn.decl})
		}
		switch has := r.fn.result; {
		case has.whole() && want.whole():
			return want.wrap(x)
		case has.class != want.class:
			f.m.undefined(n, "%s is called as if it returned a %s", r.fn.decl.Name, n.T)
		}
		return x
	}
}

func (c *compiler) callBulk(n *tree.Call) bulk {
	call := c.calling(n)
	if c.looks() {
		call = keeping(call)
	}
	size := n.T.Size()
	return func(f *frame) chunk {
		r := call(f)
		if r.frame == nil {
			return r.bulk
		}
		b, known := r.frame.bulk, r.frame.returned
		f.m.leave(r.frame)
		switch {
		case !known:
			return f.m.chooseBulk(Site{Unspecified, n, nil}, n.T, n)
		case int64(len(b.data)) != size:
			f.m.undefined(n, "%s is called as if it returned a %s", r.fn.decl.Name, n.T)
		}
		return b
	}
}

// chooseBulk chooses a struct, scalar by scalar.
func (m *machine) chooseBulk(site Site, t tree.Type, at tree.Node) chunk {
	o := &object{asked: site.Asked, site: site.Node, decl: site.Object, declared: t, size: t.Size()}
	m.fill(o, false, at)
	defer func() { m.used -= o.size }()
	return m.readChunk(o, 0, o.size, t, at)
}

// native calls a function that has no body, or one that doesn't count.
func (m *machine) native(f *frame, n *tree.Call, fn *function, types []tree.Type, values []uint64, bulks []chunk) (r called) {
	if m.observe != nil {
		args := make([]argument, len(types))
		for i, t := range types {
			args[i] = argument{t: t, shape: shapeOf(t)}
			if _, ok := t.(*tree.Struct); !ok {
				args[i].value = func(*frame) uint64 { return 0 }
			}
		}
		m.tellCall(n, fn, values, args)
	}
	r.fn = fn
	v := &invocation{call: n, fn: fn, types: types, args: values, frame: f}
	if fn.builtin() {
		if _, ok := n.T.(*tree.Struct); ok {
			m.undetermined(n, "a call of %s that returns a %s", fn.decl.Name, n.T)
		}
		r.value = shapeOf(n.T).fit(m.special(v))
		m.setErrno(v)
	} else {
		m.overwritten(n, fn, types, values, bulks)
		r.value, r.bulk = m.undefinedExtern(n, fn)
		if shapeOf(n.T).class != none {
			r.sum = m.lastAnswer()
		}
	}
	if m.observe != nil {
		e := Event{Kind: Returned, Node: n, Function: fn.decl}
		if shapeOf(n.T).class != none {
			e.Value = m.show(n.T, r.value)
		}
		m.tell(e)
	}
	return r
}

// fit wraps an integer; other values stay as they are.
func (s shape) fit(x uint64) uint64 {
	if s.whole() {
		return s.wrap(x)
	}
	return x
}

// undefinedExtern is what a function returns that is declared only: any value.
func (m *machine) undefinedExtern(n *tree.Call, fn *function) (uint64, chunk) {
	switch n.T.(type) {
	case *tree.Void:
		return 0, chunk{}
	case *tree.Struct:
		return 0, m.chooseBulk(Site{Result, n, nil}, n.T, n)
	}
	return m.choose(Question{Site: Site{Result, n, nil}, Type: n.T, Function: fn.decl, open: true}), chunk{}
}

// special calls a function that has a meaning of its own.
func (m *machine) special(v *invocation) uint64 {
	n, name := v.call, v.fn.decl.Name
	kind := v.fn.special.Kind
	zero := func(i int) bool {
		if i >= len(v.args) {
			m.undefined(n, "%s is called with %d arguments", name, len(v.args))
		}
		if shapeOf(v.types[i]).floating() {
			return math.Float64frombits(v.args[i]) == 0
		}
		return v.args[i] == 0
	}
	switch kind {
	case lib.Error:
		m.fail(CallError, n, "%s is called", name)
	case lib.Trap:
		m.fail(CallError, n, "%s is reached", name)
	case lib.Assert:
		if zero(0) && v.fn.special.Memory() {
			m.fault(n, []fault.Kind{fault.Dereference}, "the condition of a contract about valid pointers does not hold")
		}
		if zero(0) && v.fn.special.Relied() && !m.p.options.Faults.Has(fault.Assertion) {
			m.undetermined(n, "what follows where the condition of a contract does not hold")
		}
		if zero(0) {
			m.fail(AssertError, n, "the assertion does not hold")
		}
	case lib.AssertNot:
		if !zero(0) {
			m.fail(AssertError, n, "the assertion does not hold")
		}
	case lib.AssertIf:
		if !zero(0) && zero(1) {
			m.fail(AssertError, n, "the assertion does not hold")
		}
	case lib.Assume:
		if zero(0) {
			m.stop(AssumptionFailed, n, "the assumption does not hold")
		}
	case lib.Stop:
		if v.fn.special.Name == "__builtin_unreachable" && m.p.options.Faults.Has(fault.Unreachable) {
			m.fault(n, []fault.Kind{fault.Unreachable}, "%s is called", name)
		}
		if lib.Ends(v.fn.special) {
			m.leaks(n)
		}
		m.stop(Ended, n, "%s is called", name)
	case lib.Allocate:
		return m.allocate(v)
	case lib.Release:
		m.release(v)
	case lib.Memory:
		return m.memory(v)
	case lib.Compute:
		return m.compute(v)
	case lib.Math:
		return m.math(v)
	case lib.System:
		return m.ranged(v)
	case lib.Unmodelled:
		m.undetermined(n, "what %s computes", name)
	case lib.Expect:
		if len(v.args) > 0 {
			return v.args[0]
		}
	case lib.Havoc:
		m.havoc(v)
	case lib.Metadata:
		return m.metadata(v)
	case lib.Valid:
		return m.valid(v)
	case lib.Input:
		return m.input(v)
	case lib.Refuse:
		m.undetermined(n, "%s is not supported", name)
	case lib.Output:
		if lib.Counts(n) {
			m.undetermined(n, "%s with %%n", name)
		}
		return m.ranged(v)
	case lib.Any:
		return v.args[0]
	case lib.Require:
		if zero(0) {
			m.undefined(n, "the behaviour is undefined for what it is given")
		}
		return 0
	case lib.Ignore:
	}
	return m.open(v)
}

// open is a result that is not said; void has none.
func (m *machine) open(v *invocation) uint64 {
	if shapeOf(v.call.T).class == none {
		return 0
	}
	return m.choose(Question{Site: Site{Unspecified, v.call, nil}, Type: v.call.T, Function: v.fn.decl})
}
