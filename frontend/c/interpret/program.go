package interpret

import (
	"cmp"
	"fmt"
	"slices"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/interpret/live"
	"hornbeam/frontend/c/interpret/turns"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
)

// Program is a program made ready to be run. It can be run many times, at the same time too.
type Program struct {
	source    *tree.Program
	options   Options
	layout    layout
	functions []*function
	numbers   map[*tree.Function]*function
	globals   map[*tree.Object]*static
	// statics are the globals, in the program's order: those in slots and those in memory apart.
	slots     []*static
	objects   []*static
	accesses  int
	ops       int // instructions
	entry     *function
	constants []int64
	// turns is the program as package turns has it; nil if no turns are left out.
	turns *turns.Program
	// loops is how many loops there are.
	loops int
	// Tests of what leaves turns out have it do so soon and unseen, and change what was found.
	soon, unseen bool
	altered      func(*turns.Found)
	// every says that every run is tried.
	every bool
	// frames are those that the last of many runs has left.
	frames [][]*frame
	// initial is how a run ends whose static initialisers can't be evaluated; nil if they can.
	initial *Outcome
}

// static is an object that lives as long as a run.
type static struct {
	object *tree.Object
	slot   int // among the slots; -1 if it is in memory
	number int // among the objects in memory
	// value and known are what is in the slot at first.
	value uint64
	known bool
	// image is what is in memory at first, as far as it is not all zero or all unknown.
	image *object
	// at is its address.
	at *object
}

// function is a compiled function.
type function struct {
	decl    *tree.Function
	number  int
	address uint64
	special lib.Function
	// What follows is there only if the function has a body, and it counts.
	code     []op
	params   []param
	slots    int // slots of objects that are only used by name
	objects  []*tree.Object
	declares map[*tree.Object]*tree.Declare
	nest     int // how deep expressions are nested
	unwinds  bool
	// slotOf are the slots of objects, and turns the function as package turns has it; nil if no turns of its loops are left out.
	slotOf map[*tree.Object]int
	turns  *turns.Function
	// body is there where every run is tried, unless states are not compared in the function.
	body      *live.Body
	result    shape
	structure bool // the result is a struct
}

// param is a parameter of a definition.
type param struct {
	object    *tree.Object
	shape     shape
	slot      int // of a scalar, also while it is passed
	number    int // among the objects in memory, -1 if it is only in a slot
	structure bool
}

// New makes a program ready. An error says that it has no entry, or is not as a tree has to be.
func New(source *tree.Program, o Options) (*Program, error) { return newProgram(source, o, false) }

// newProgram is New; with every the program is one of which every run is tried.
func newProgram(source *tree.Program, o Options, every bool) (p *Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, fmt.Errorf("preparing %s to be executed: %v", source.Name, r)
		}
	}()
	o.Faults = o.Faults.OrAssertions()
	if o.Entry == "" {
		o.Entry = "main"
	}
	p = &Program{
		source: source, options: o, every: every, layout: layoutOf(source.Model),
		numbers: map[*tree.Function]*function{}, globals: map[*tree.Object]*static{},
	}
	entry := source.Function(o.Entry)
	if entry == nil || entry.Body == nil {
		return nil, fmt.Errorf("%s has no function %s to begin with", source.Name, o.Entry)
	}
	p.entry = p.function(entry)
	p.findGlobals()
	// Compiling a function finds others.
	for i := 0; i < len(p.functions); i++ {
		p.compile(p.functions[i])
	}
	p.initialise()
	p.prepareJumps()
	if every {
		for _, fn := range p.functions {
			fn.body = fn.look()
		}
	}
	return p, nil
}

// Constants are the integers that stand in what a run can reach, sorted.
func (p *Program) Constants() []int64 { return p.constants }

// function is the compiled form of a function, which may be still to be compiled.
func (p *Program) function(f *tree.Function) *function {
	if fn := p.numbers[f]; fn != nil {
		return fn
	}
	fn := &function{decl: f, number: len(p.functions), special: lib.Meaning(f)}
	if f.Body != nil && !p.options.Faults.Has(fault.Assertion) {
		// What is an error means what its body says.
		fn.special = lib.Function{Name: f.Name}
	}
	fn.address = p.layout.functions + uint64(fn.number)*functionBytes
	p.functions = append(p.functions, fn)
	p.numbers[f] = fn
	return fn
}

// functionsOf are the addresses of the program's functions of a type.
func (p *Program) functionsOf(t *tree.FunctionType) []uint64 {
	var out []uint64
	for _, fn := range p.functions {
		if fn.decl.Body != nil && tree.Same(fn.decl.Type, t) {
			out = append(out, fn.address)
		}
	}
	return out
}

// functionAt finds the function that has the address.
func (p *Program) functionAt(address uint64) *function {
	if address < p.layout.functions || (address-p.layout.functions)%functionBytes != 0 {
		return nil
	}
	if i := (address - p.layout.functions) / functionBytes; i < uint64(len(p.functions)) {
		return p.functions[i]
	}
	return nil
}

// findGlobals decides which static objects are in slots: the scalars that are only used by name.
func (p *Program) findGlobals() {
	addressed := map[*tree.Object]bool{}
	for _, f := range p.source.Functions {
		if f.Body != nil {
			findAddressed(f.Body, addressed)
		}
	}
	for _, g := range p.source.Globals {
		for _, i := range g.Init {
			if i.Value != nil {
				findAddressed(i.Value, addressed)
			}
		}
	}
	for _, g := range p.source.Globals {
		p.static(g, addressed[g])
	}
}

func (p *Program) static(g *tree.Object, addressed bool) *static {
	s := &static{object: g, slot: -1, number: -1}
	p.globals[g] = s
	if registerType(g.Type) && !addressed {
		s.slot = len(p.slots)
		p.slots = append(p.slots, s)
	} else {
		s.number = len(p.objects)
		p.objects = append(p.objects, s)
	}
	return s
}

// global finds a static object. One that the program's list lacks is in memory.
func (p *Program) global(g *tree.Object) *static {
	if s := p.globals[g]; s != nil {
		return s
	}
	return p.static(g, true)
}

// registerType tells whether an object of the type can be a slot.
func registerType(t tree.Type) bool {
	s := shapeOf(t)
	return s.whole() || s.floating()
}

// findAddressed finds the objects that are used for more than to be read and written by name.
func findAddressed(n tree.Node, found map[*tree.Object]bool) {
	tree.Inspect(n, func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Address:
			if u, ok := n.Place.(*tree.Use); ok {
				found[u.Object] = true
			}
		case *tree.Member:
			if u, ok := n.Struct.(*tree.Use); ok {
				found[u.Object] = true
			}
		case *tree.Element:
			if u, ok := n.Array.(*tree.Use); ok {
				found[u.Object] = true
			}
		case *tree.CompoundLiteral:
			found[n.Declaration.Object] = true
		case *tree.Assembly:
			for _, o := range n.Outputs {
				if u, ok := o.(*tree.Use); ok {
					found[u.Object] = true
				}
			}
		}
		return true
	})
}

// initialise evaluates the initialisers of static objects once, for all runs.
func (p *Program) initialise() {
	m := newMachine(p, nil, nil)
	m.limits.Memory = 1 << 30
	areas := area{begin: p.layout.globals, next: p.layout.globals, end: p.layout.heap}
	m.globals = areas
	for _, s := range p.objects {
		g := s.object
		size, external := g.Size(), g.External
		if external && (size == 0 || tree.Open(g.Type)) {
			size += externalBytes
		}
		o := &object{decl: g, asked: External, declared: g.Type}
		out, _ := m.protected(func() { m.make(&m.globals, o, size, !external, nil) })
		if out != nil {
			p.initial = out
			return
		}
		s.at, s.image = o, o
		m.statics = append(m.statics, o)
	}
	m.slots = make([]slot, len(p.slots))
	c := &compiler{p: p, fn: &function{decl: &tree.Function{Name: "(initialisers)", Type: &tree.FunctionType{Result: &tree.Void{}}}}}
	f := &frame{m: m, fn: c.fn}
	m.frame = f
	for _, s := range append(slices.Clone(p.slots), p.objects...) {
		g := s.object
		if s.slot >= 0 {
			m.slots[s.slot] = slot{known: !g.External}
			if len(g.Init) > 0 {
				value := c.value(g.Init[0].Value)
				m.makeCache()
				if out, _ := m.protected(func() { m.slots[s.slot] = slot{value: value(f), known: true} }); out != nil {
					p.initial = out
					return
				}
			}
			s.value, s.known = m.slots[s.slot].value, m.slots[s.slot].known
			continue
		}
		fill := c.initials(g.Init)
		m.makeCache()
		o := s.at
		out, _ := m.protected(func() {
			for _, do := range fill {
				do(f, o)
			}
		})
		if out != nil {
			p.initial = out
			return
		}
		o.readonly = g.Storage == tree.Literal && g.Const
	}
	// What initialisers take the address of has to be compiled too.
	for i := 0; i < len(p.functions); i++ {
		if f := p.functions[i]; f.code == nil {
			p.compile(f)
		}
	}
}

// constant remembers an integer of the program.
func (p *Program) constant(x int64) {
	if i, found := slices.BinarySearchFunc(p.constants, x, cmp.Compare[int64]); !found {
		p.constants = slices.Insert(p.constants, i, x)
	}
}
