package interpret

import (
	"fmt"
	"math/big"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/tree"
)

// compiler compiles one function.
type compiler struct {
	p  *Program
	fn *function
	// slots and memory say where the function's objects are.
	slots  map[*tree.Object]int
	memory map[*tree.Object]int
	// regions counts statement expressions; region is the current one.
	regions, region int
	depth           int
	labels          map[*tree.Label]int
	cases           map[*tree.Case]int
	// ends are the instructions that jump to a statement's end, and steps those that go on with a loop.
	ends, steps map[tree.Statement][]int
	gotos       map[int]*tree.Label
	// blocks are those that are being compiled, where the ends of their objects matter.
	blocks []*block
}

// compile compiles a function's body, if it has one that counts.
func (p *Program) compile(fn *function) {
	decl := fn.decl
	fn.result = shapeOf(decl.Type.Result)
	_, fn.structure = decl.Type.Result.(*tree.Struct)
	if decl.Body == nil || fn.builtin() {
		return
	}
	c := &compiler{
		p: p, fn: fn, slots: map[*tree.Object]int{}, memory: map[*tree.Object]int{},
		labels: map[*tree.Label]int{}, cases: map[*tree.Case]int{},
		ends: map[tree.Statement][]int{}, steps: map[tree.Statement][]int{}, gotos: map[int]*tree.Label{},
	}
	fn.declares = map[*tree.Object]*tree.Declare{}
	addressed := map[*tree.Object]bool{}
	findAddressed(decl.Body, addressed)
	tree.Inspect(decl.Body, func(n tree.Node) bool {
		if d, ok := n.(*tree.Declare); ok {
			fn.declares[d.Object] = d
		}
		return true
	})
	for _, o := range decl.Params {
		s := param{object: o, shape: shapeOf(o.Type), slot: fn.slots, number: -1}
		_, s.structure = o.Type.(*tree.Struct)
		fn.slots++
		if registerType(o.Type) && !addressed[o] {
			c.slots[o] = s.slot
		} else {
			s.number = c.inMemory(o)
		}
		fn.params = append(fn.params, s)
	}
	for d := range fn.declares {
		addressed[d] = addressed[d] || !registerType(d.Type)
	}
	for _, o := range decl.Locals {
		if registerType(o.Type) && !addressed[o] && o.Storage == tree.Automatic {
			c.slots[o] = fn.slots
			fn.slots++
		}
	}
	c.block(decl.Body)
	fn.slotOf = c.slots
	c.emit(op{kind: returnOp})
	for at, l := range c.gotos {
		to, ok := c.labels[l]
		if !ok {
			panic(fmt.Sprintf("%s: goto without its label", l.Pos()))
		}
		fn.code[at].yes = to
	}
	for i := range fn.code {
		fn.code[i].number = p.ops
		p.ops++
		// A jump out of a statement expression has to end its execution.
		if o := &fn.code[i]; o.kind == jumpOp && fn.code[o.yes].region != o.region {
			o.kind = unwindOp
			fn.unwinds = true
		}
		if o := &fn.code[i]; o.kind == returnOp && o.region != 0 {
			fn.unwinds = true
		}
	}
}

// inMemory is the number of an object in memory.
func (c *compiler) inMemory(o *tree.Object) int {
	n, ok := c.memory[o]
	if !ok {
		n = len(c.fn.objects)
		c.memory[o] = n
		c.fn.objects = append(c.fn.objects, o)
	}
	return n
}

// emit appends an instruction, and yields where it is.
func (c *compiler) emit(o op) int {
	o.region = c.region
	c.fn.code = append(c.fn.code, o)
	return len(c.fn.code) - 1
}

func (c *compiler) here() int { return len(c.fn.code) }

func (c *compiler) jump(to int) int { return c.emit(op{kind: jumpOp, yes: to}) }

// land lets the jumps of a list go to a place.
func (c *compiler) land(jumps []int, to int) {
	for _, j := range jumps {
		c.fn.code[j].yes = to
	}
}

func (c *compiler) block(b *tree.Block) {
	c.scope(b, func() {
		for _, s := range b.Statements {
			c.statement(s)
		}
	})
}

// test emits a test whose ways are set later.
func (c *compiler) test(s tree.Statement, condition tree.Value) int {
	return c.emit(op{kind: testOp, node: s, test: c.decision(condition), condition: condition})
}

func (c *compiler) statement(s tree.Statement) {
	switch s := s.(type) {
	case *tree.Block:
		c.block(s)
	case *tree.Empty, nil:
	case *tree.Evaluate:
		do := c.effect(s.Value)
		c.emit(op{kind: doOp, node: s, do: do, value: s.Value})
	case *tree.Declare:
		do := c.declare(s)
		c.emit(op{kind: doOp, node: s, do: do, declares: s})
		if number, ok := c.memory[s.Object]; ok && len(c.blocks) > 0 {
			in := c.blocks[len(c.blocks)-1]
			in.objects = append(in.objects, number)
		}
	case *tree.If:
		c.ifs(s)
	case *tree.While:
		start := c.here()
		test := c.test(s, s.Test)
		c.fn.code[test].yes = c.here()
		c.statement(s.Body)
		c.jump(start)
		c.land(c.steps[s], start)
		c.fn.code[test].no = c.here()
		c.land(c.ends[s], c.here())
	case *tree.DoWhile:
		start := c.here()
		c.statement(s.Body)
		c.land(c.steps[s], c.here())
		test := c.test(s, s.Test)
		c.fn.code[test].yes = start
		c.fn.code[test].no = c.here()
		c.land(c.ends[s], c.here())
	case *tree.For:
		c.scope(s, func() { c.loop(s) })
	case *tree.Switch:
		c.choice(s)
	case *tree.Case:
		c.cases[s] = c.here()
		c.statement(s.Statement)
	case *tree.Label:
		c.labels[s] = c.here()
		if s.Name == c.p.options.ErrorLabel && s.Name != "" {
			c.emitDo(s, func(f *frame) { f.m.fail(LabelError, s, "the label %s is reached", s.Name) })
		}
		c.statement(s.Statement)
	case *tree.Goto:
		c.leave(s.Target, false)
		c.gotos[c.emit(op{kind: jumpOp, node: s})] = s.Target
	case *tree.Break:
		c.leave(s.Target, false)
		c.ends[s.Target] = append(c.ends[s.Target], c.emit(op{kind: jumpOp, node: s}))
	case *tree.Continue:
		c.leave(s.Target, true)
		c.steps[s.Target] = append(c.steps[s.Target], c.emit(op{kind: jumpOp, node: s}))
	case *tree.Return:
		c.emitReturn(s)
	case *tree.Assembly:
		c.emitDo(s, c.assembly(s))
	case *tree.Havoc:
		if !s.Check {
			c.emitDo(s, func(f *frame) { f.m.undetermined(s, Abstracted) })
		}
		if !s.Check || !s.Only {
			c.statement(s.Body)
		}
	case *tree.Unsupported:
		c.emitDo(s, func(f *frame) { f.m.undetermined(s, "%s is not supported", s.What) })
	default:
		panic(fmt.Sprintf("%s: a statement %T", s.Pos(), s))
	}
}

func (c *compiler) emitDo(s tree.Statement, do effect) {
	c.emit(op{kind: doOp, node: s, do: do})
}

// ifs compiles a conditional statement, and those that are its else one after the other, however many there are.
func (c *compiler) ifs(s *tree.If) {
	var done []int
	for {
		test := c.test(s, s.Test)
		c.fn.code[test].yes = c.here()
		c.statement(s.Then)
		if s.Else == nil {
			c.fn.code[test].no = c.here()
			break
		}
		done = append(done, c.jump(0))
		c.fn.code[test].no = c.here()
		next, ok := s.Else.(*tree.If)
		if !ok {
			c.statement(s.Else)
			break
		}
		s = next
	}
	c.land(done, c.here())
}

func (c *compiler) loop(s *tree.For) {
	for _, i := range s.Init {
		c.statement(i)
	}
	start, test := c.here(), -1
	if s.Test != nil {
		test = c.test(s, s.Test)
		c.fn.code[test].yes = c.here()
	}
	c.statement(s.Body)
	c.land(c.steps[s], c.here())
	if s.Step != nil {
		do := c.effect(s.Step)
		c.emit(op{kind: doOp, do: do, value: s.Step})
	}
	c.jump(start)
	if test >= 0 {
		c.fn.code[test].no = c.here()
	}
	c.land(c.ends[s], c.here())
}

func (c *compiler) choice(s *tree.Switch) {
	shape := shapeOf(s.Tag.Type())
	t := &table{signed: shape.signed, otherwise: s.Default, tag: s.Tag.Type()}
	c.emit(op{kind: switchOp, node: s, tag: c.decides(c.comparesCases(s.Tag, t), s.Tag, "which way the run goes"), condition: s.Tag, table: t})
	c.statement(s.Body)
	t.none = c.here()
	c.land(c.ends[s], c.here())
	// There is always an instruction to go to, as a body ends with one.
	for _, k := range s.Cases {
		to, ok := c.cases[k]
		if !ok {
			panic(fmt.Sprintf("%s: a case outside its switch", k.Pos()))
		}
		t.entries = append(t.entries, entry{bitsOf(k.Low), bitsOf(k.High), k, to})
		c.p.constant(int64(bitsOf(k.Low)))
	}
	t.sort()
	if s.Default != nil {
		t.none = c.cases[s.Default]
	}
}

func bitsOf(x *big.Int) uint64 { return BigInt(x).bits }

func (c *compiler) emitReturn(s *tree.Return) {
	var do effect
	var returned tree.Value
	switch {
	case s.Value == nil:
	case c.fn.structure:
		value := c.bulk(s.Value)
		do = func(f *frame) { f.bulk, f.returned = value(f), true }
	case c.fn.result.class == none:
		do = c.effect(s.Value)
	default:
		value := c.heldValue(s.Value)
		if c.fn == c.p.entry {
			value = c.decides(value, s.Value, "what the program returns")
		}
		do = func(f *frame) { f.result = value(f); f.from, f.sum, f.returned = f.m.taken(), f.m.takeSum(), true }
		returned = s.Value
	}
	c.emit(op{kind: returnOp, node: s, do: do, value: returned})
}

// assembly lets an asm statement write anything to its outputs. One that changes other memory, too, can't be executed.
func (c *compiler) assembly(s *tree.Assembly) effect {
	var do []effect
	for _, i := range s.Inputs {
		do = append(do, c.effect(i))
	}
	for _, o := range s.Outputs {
		t := o.Type()
		if !registerType(t) {
			do = append(do, func(f *frame) { f.m.undetermined(s, "an asm statement writes a %s", t) })
			continue
		}
		store := c.store(c.place(o), s)
		do = append(do, func(f *frame) { store(f, f.m.choose(Question{Site: Site{Assembly, s, nil}, Type: t})) })
	}
	return func(f *frame) {
		for _, d := range do {
			d(f)
		}
	}
}

// block is a block that is being compiled, with the objects in memory that it has declared so far.
type block struct {
	statement tree.Statement
	objects   []int
}

// scoped tells whether the ends of blocks matter: an access to an object of a block that has ended is looked for.
func (c *compiler) scoped() bool { return c.p.options.Faults.Has(fault.Dereference) }

// scope compiles a statement at whose end the objects end that are declared in it.
func (c *compiler) scope(s tree.Statement, do func()) {
	if !c.scoped() {
		do()
		return
	}
	b := &block{statement: s}
	c.blocks = append(c.blocks, b)
	do()
	c.end(b)
	c.blocks = c.blocks[:len(c.blocks)-1]
}

// end ends the objects of a block, which live again when the block does.
func (c *compiler) end(b *block) {
	if len(b.objects) == 0 {
		return
	}
	objects := b.objects
	c.emit(op{kind: doOp, do: func(f *frame) {
		for _, n := range objects {
			if o := f.objects[n]; o != nil && !o.dead {
				o.dead, o.ended = true, true
			}
		}
	}})
}

// leave ends the objects of the blocks that a jump leaves: one to a label, or out of a statement or, with again set, to its next turn.
func (c *compiler) leave(target tree.Statement, again bool) {
	for k := len(c.blocks) - 1; k >= 0; k-- {
		b := c.blocks[k]
		if (b.statement != target || again) && contains(b.statement, target) {
			return
		}
		c.end(b)
		if b.statement == target {
			return
		}
	}
}

// contains tells whether a statement is in another one.
func contains(s, target tree.Statement) bool {
	found := false
	tree.Inspect(s, func(n tree.Node) bool {
		found = found || n == tree.Node(target)
		return !found
	})
	return found
}
