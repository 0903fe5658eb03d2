package translate

import (
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/c/usage"
)

// memory is what pointers lead to: a map for each region, from addresses to what the region is accessed with, or a
// variable if it is one scalar. Regions that are accessed in several ways hold bytes.
type memory struct {
	t       *translator
	regions *region.Regions
	// variables has those of regions, order the regions in the order of their first use.
	variables map[*region.Region]*ast.Variable
	order     []*region.Region
	// addresses are those of objects that exist once; next is the first free one.
	addresses map[*tree.Object]int64
	objects   []*tree.Object // those with addresses that live as long as the program
	next      int64
	// tops are the counters from which groups give out addresses.
	tops  map[*region.Group]*ast.Variable
	heaps []*region.Group
	// sizes has the maps from addresses to sizes, of the groups sized.
	sizes map[*region.Group]*ast.Variable
	sized []*region.Group
	// bottoms are the first addresses that groups give out, where something asks for them.
	bottoms map[*region.Group]*ast.IntLiteral
	// beginnings are where objects begin among the offsets of groups, where that was asked.
	beginnings map[*region.Group][]int64
	// dirty are the groups that an allocation may add an object to whose contents are not zero; nil until that is asked.
	dirty map[*region.Group]bool
	// known is what is asked about memory beside what it holds, once asked says that this was looked for; nil if nothing is.
	known *metadata
	asked bool
}

// Addresses: functions below firstObject, objects that exist once from there, allocations from firstHeap to lastHeap, each
// group in its own range of at most heapRange. All are positive, also as signed numbers of 32 bits.
const (
	firstObject = 1 << 16
	firstHeap   = 1 << 28
	lastHeap    = 1<<31 - 1<<20
	heapRange   = 1 << 24
)

// inMemory tells whether an object is behind pointers.
func (t *translator) inMemory(o *tree.Object) bool {
	return t.bound.Escapes[o] || !usage.Divisible(o.Type)
}

// memory is what is behind pointers, which is analysed when that is first needed.
func (t *translator) memory() *memory {
	if t.memories == nil {
		t.memories = &memory{
			t: t, variables: map[*region.Region]*ast.Variable{}, addresses: map[*tree.Object]int64{}, next: firstObject,
			tops: map[*region.Group]*ast.Variable{}, beginnings: map[*region.Group][]int64{},
		}
		regions, err := region.Analyse(t.ctx, t.program, t.reached.Functions, t.program.Function(t.options.Entry))
		if err != nil {
			t.failed = fmt.Errorf("translate %s: %w", t.program.Name, err)
		}
		t.memories.regions = regions
		t.result.Origins.Regions = regions
	}
	return t.memories
}

// variable is the variable of a region.
func (m *memory) variable(r *region.Region) *ast.Variable {
	if v := m.variables[r]; v != nil {
		return v
	}
	pos := chc.Position{}
	name := fmt.Sprintf("$M%d", r.ID)
	var object *tree.Object
	if len(r.Group.Objects) == 1 && !r.Group.Heap && !r.Group.Unknown {
		object = r.Group.Objects[0].Object
		pos = object.Pos
		if object.Name != "" {
			name += "." + escape(object.Name)
		}
	}
	var syntax ast.TypeSyntax = machine.TypeNamed(pos, m.typeName(r))
	if !r.Single {
		syntax = machine.MapFrom(pos, machine.Ref, syntax)
	}
	v := &ast.Variable{Pos: pos, Kind: ast.Global, Name: m.t.names.fresh(name), Syntax: syntax}
	m.variables[r] = v
	m.t.result.Origins.Memory[r] = v
	m.order = append(m.order, r)
	m.t.result.Origins.Add("", v, &origin.Variable{Object: object, Region: r, Map: !r.Single, Type: m.typeOf(r)})
	return v
}

// typeOf is the type of what a region's variable holds; nil for bytes.
func (m *memory) typeOf(r *region.Region) tree.Type {
	if r.Mixed || len(r.Types) == 0 {
		return nil
	}
	return r.Types[0]
}

var byteType = machine.Type{Bits: 8}

func (m *memory) typeName(r *region.Region) string {
	if t := m.typeOf(r); t != nil {
		return scalarName(t)
	}
	return byteType.String()
}

// static is the address of an object that exists once.
func (m *memory) static(o *tree.Object) int64 {
	if a, ok := m.addresses[o]; ok {
		return a
	}
	a := m.next
	m.addresses[o] = a
	m.t.result.Origins.Addresses[o] = a
	m.next = (a + extent(o) + 31) / 16 * 16
	if m.t.checksMemory() {
		m.next += territory
	}
	if o.Storage != tree.Automatic && o.Storage != tree.Parameter {
		m.objects = append(m.objects, o)
	}
	return a
}

// once tells whether an object has one address in all runs of its declaration.
func (m *memory) once(o *tree.Object) bool {
	if o.Storage != tree.Automatic && o.Storage != tree.Parameter {
		return true
	}
	if m.regions == nil {
		return false // there was no time for them, and the translation has failed
	}
	return !m.regions.Repeated(o) && o.Size() > 0 && (m.alone(o) || cells(o.Type) <= maxCells)
}

// alone tells whether an object shares its regions with no other one.
func (m *memory) alone(o *tree.Object) bool {
	g := m.regions.GroupOfObject(o)
	return g != nil && len(g.Objects) == 1 && !g.Heap && !g.Outside
}

// extent is how many bytes an object has, or how many are kept for it where the program does not say its size.
func extent(o *tree.Object) int64 {
	if o.External && tree.Open(o.Type) {
		return o.Size() + openExtent
	}
	return max(o.Size(), 1)
}

// cells is how many scalars an object has, at least 1.
func cells(t tree.Type) int64 {
	switch t := t.(type) {
	case *tree.Array:
		if t.Len < 0 {
			return 1 << 30
		}
		return max(t.Len, 1) * cells(t.Elem)
	case *tree.Struct:
		n := int64(0)
		for _, f := range t.Fields {
			n += cells(f.Type)
		}
		return max(n, 1)
	}
	return 1
}

// addressOf is where an object is.
func (f *function) addressOf(n tree.Node, o *tree.Object) ast.Expr {
	m := f.memory()
	if m.once(o) {
		return machine.Number(at(n), m.static(o))
	}
	v := f.places[o]
	if v == nil {
		v = &ast.Variable{
			Pos: o.Pos, Kind: ast.Local, Name: f.translator.local(f.instance, escape(o.Unique)+"^at"),
			Syntax: machine.TypeNamed(o.Pos, machine.Ref),
		}
		f.places[o] = v
		f.body.Locals = append(f.body.Locals, v)
		f.result.Origins.Add(f.name, v, &origin.Variable{})
		f.temporary[v] = true
	}
	return use(v)
}

// top is the counter from which a group gives out addresses.
func (m *memory) top(g *region.Group) *ast.Variable {
	v := m.tops[g]
	if v == nil {
		v = &ast.Variable{Kind: ast.Global, Name: m.t.names.fresh(fmt.Sprintf("$top%d", g.ID)), Syntax: machine.TypeNamed(chc.Position{}, machine.Ref)}
		m.tops[g] = v
		m.heaps = append(m.heaps, g)
		m.t.result.Origins.Add("", v, &origin.Variable{})
	}
	return v
}

// sizesOf is the map from addresses that a group gave out to the sizes of the objects there; nil if they are not needed, as
// none is reallocated.
func (m *memory) sizesOf(g *region.Group) *ast.Variable {
	if m.sizes == nil {
		m.sizes = map[*region.Group]*ast.Variable{}
		for _, f := range m.t.reached.Functions {
			tree.Inspect(f.Body, func(n tree.Node) bool {
				call, ok := n.(*tree.Call)
				if !ok || call.Function == nil {
					return true
				}
				if known := usage.Meaning(call.Function, m.t.options.Faults); known.Name == "realloc" || known.Name == "reallocarray" {
					if g := m.regions.Target(call); g != nil && m.sizes[g] == nil {
						syntax := machine.MapFrom(at(call), machine.Ref, machine.TypeNamed(at(call), machine.Int))
						m.sizes[g] = &ast.Variable{Pos: at(call), Kind: ast.Global, Name: m.t.names.fresh(fmt.Sprintf("$size%d", g.ID)), Syntax: syntax}
						m.sized = append(m.sized, g)
						m.t.result.Origins.Add("", m.sizes[g], &origin.Variable{Map: true})
					}
				}
				return true
			})
		}
	}
	return m.sizes[g]
}

// allocate gives out an address of a group, for an object of the size, which is a mathematical integer. With no group the
// address leads to nothing that is accessed.
func (f *function) allocate(n tree.Node, g *region.Group, size ast.Expr) ast.Expr {
	pos := at(n)
	if g == nil && f.checksMemory() {
		g = f.safety().nowhere
	}
	if g == nil {
		v := f.temp(pos, machine.Ref)
		f.havoc(pos, &origin.Event{Kind: origin.Unspecified, Node: n}, nil, v)
		f.assume(pos, &ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.Greater, X: use(v), Y: machine.Number(pos, 0)})
		return use(v)
	}
	top := f.memory().top(g)
	v := f.temp(pos, machine.Ref)
	s := &ast.Assign{Pos: pos, Left: []ast.Expr{use(v)}, Right: []ast.Expr{use(top)}}
	f.result.Origins.Allocations[s] = &origin.Allocation{Node: n, Variable: v, Group: g}
	f.add(s)
	f.made(n, g, use(v), size)
	f.track(n, use(v), size)
	if z := f.memory().sizesOf(g); z != nil {
		f.assign(pos, &ast.Select{Node: ast.Node{Pos: pos}, Map: use(z), Index: []ast.Expr{use(v)}}, size)
	}
	if f.opaque(g) {
		// Lemmas about addresses that are all there are between two others need no congruences.
		size = machine.Number(pos, 1)
	} else if l, ok := size.(*ast.IntLiteral); ok && l.Value.IsInt64() {
		size = machine.Number(pos, (max(l.Value.Int64(), 1)+31)/16*16)
	} else {
		size = sum(pos, ast.Add, size, machine.Number(pos, 32))
	}
	if f.checksMemory() {
		size = sum(pos, ast.Add, size, machine.Number(pos, territory))
	}
	f.assign(pos, use(top), sum(pos, ast.Add, use(top), size))
	return use(v)
}

// behind is a location some bytes further.
func behind(l *region.Location, offset int64) *region.Location {
	if l == nil {
		return nil
	}
	further := *l
	further.Offset += offset
	return &further
}

// region is the region of the scalar some bytes behind a location; nil if nothing accesses it.
func (f *function) region(l *region.Location, offset int64) *region.Region {
	if f.memory().regions == nil {
		return nil
	}
	return f.memory().regions.Region(behind(l, offset))
}

// cut tells whether the bytes at an offset from a location are in the midst of a scalar that something accesses.
func (f *function) cut(l *region.Location, offset int64) bool {
	return f.memory().regions != nil && f.memory().regions.Cut(behind(l, offset))
}

// further is a part of a place in memory, some bytes behind its beginning.
func (pl place) further(n tree.Node, offset int64, t tree.Type, field *tree.Field) place {
	out := place{typ: t, address: sum(at(n), ast.Add, pl.address, machine.Number(at(n), offset))}
	if field != nil && field.Bits > 0 {
		out.field = field
	}
	out.location = behind(pl.location, offset)
	return out
}

// loadMemory is the scalar at an address.
func (f *function) loadMemory(n tree.Node, pl place) ast.Expr {
	pos := at(n)
	if pl.field != nil && pl.field.Straddles() {
		return f.loadByteFields(n, pl)
	}
	r := f.region(pl.location, 0)
	if r == nil || f.options.Track != TrackMemory {
		return f.unknown(n, origin.Unspecified, pl.typ)
	}
	f.meetCell(n, r, pl)
	f.leadsToObject(n, r, pl)
	var e ast.Expr
	switch held := f.memory().typeOf(r); {
	case held == nil:
		e = f.fromBytes(n, r, pl)
	default:
		e = f.adapt(n, held, pl.typ, f.cell(n, r, pl.address))
	}
	if pl.field != nil {
		e = extract(pos, pl.field, e)
	}
	return e
}

// adapt is a scalar of one type as one of another one that a region holds alike.
func (f *function) adapt(n tree.Node, from, to tree.Type, e ast.Expr) ast.Expr {
	if from.Size() != to.Size() {
		f.refuse(n.Pos(), "an access of %d bytes to what is %d bytes elsewhere", to.Size(), from.Size())
		return f.unknown(n, origin.Unspecified, to)
	}
	a, ok := from.(*tree.Integer)
	b, both := to.(*tree.Integer)
	if ok && both {
		return convertMachine(at(n), machineType(a), machineType(b), e)
	}
	if (tree.IsFloat(from) || tree.IsFloat(to)) && !tree.Same(from, to) {
		return f.float(n, to)
	}
	return e
}

// cell is a region's variable at an address.
func (f *function) cell(n tree.Node, r *region.Region, address ast.Expr) ast.Expr {
	v := use(f.memory().variable(r))
	v.Pos = at(n)
	if r.Single {
		return v
	}
	return &ast.Select{Node: ast.Node{Pos: at(n)}, Map: v, Index: []ast.Expr{address}}
}

// storeMemory assigns to the scalar at an address.
func (f *function) storeMemory(n tree.Node, pl place, x ast.Expr) {
	pos, comes := at(n), f.takePending()
	if pl.field != nil {
		first, last := int64(pl.field.Shift/8), int64((pl.field.Shift+pl.field.Bits-1)/8)
		f.wrote(n, pl, first, last-first+1)
	} else {
		f.wrote(n, pl, 0, pl.typ.Size())
	}
	if pl.field != nil && pl.field.Straddles() {
		f.quietly(func() { f.storeByteFields(n, pl, x) })
		return
	}
	r := f.region(pl.location, 0)
	if r == nil || f.options.Track != TrackMemory {
		return // nobody reads it
	}
	if pl.field != nil {
		if f.besideRegion(r) != nil {
			f.refuse(n.Pos(), "a bit-field that may have no value")
		}
		whole := pl
		whole.field = nil
		f.from(func() { x = insert(pos, pl.field, f.loadMemory(n, whole), x) })
	}
	f.shadeCell(n, r, pl, comes)
	if held := f.memory().typeOf(r); held != nil {
		f.assign(pos, f.cell(n, r, pl.address), f.adapt(n, pl.typ, held, x))
		return
	}
	f.toBytes(n, r, pl, x)
}

// forget gives all that a pointer of the group may lead to any values.
func (f *function) forget(n tree.Node, g *region.Group) {
	if g == nil {
		return
	}
	f.approximate(n, "what is in memory after this")
	if d := f.memory().metadata(); d != nil && d.written[g] {
		f.written(n)
	}
	f.havocRegions(at(n), g, origin.Event{Kind: origin.Unspecified, Node: n})
	for _, r := range g.Regions {
		switch v := f.besideRegion(r); {
		case v == nil:
		case len(g.Objects) == 1 && !g.Heap && !g.Outside:
			f.shadeRegion(at(n), r, false)
		default:
			f.havoc(at(n), &origin.Event{Kind: origin.Unspecified, Node: n}, nil, v)
		}
	}
}

// zeroed tells whether everything in a group begins as zero: it has only objects that live as long as the program, and those that
// calloc makes. No address is given out twice.
func (m *memory) zeroed(g *region.Group) bool {
	return !g.Outside && (len(g.Objects) > 0 || g.Heap) && !(g.Heap && m.isDirty(g)) && !slices.ContainsFunc(g.Objects, func(p region.Placed) bool {
		o := p.Object
		return o.External || o.Storage == tree.Automatic || o.Storage == tree.Parameter
	})
}

// isDirty tells whether an allocation may add an object to a group whose contents are not zero.
func (m *memory) isDirty(g *region.Group) bool {
	if m.dirty == nil {
		m.dirty = map[*region.Group]bool{}
		for _, f := range m.t.reached.Functions {
			tree.Inspect(f.Body, func(n tree.Node) bool {
				call, ok := n.(*tree.Call)
				if !ok || !tree.IsPointer(call.T) {
					return true
				}
				if call.Function != nil {
					switch meaning := usage.Meaning(call.Function, m.t.options.Faults); {
					case call.Library != nil, meaning.Kind == lib.Ordinary && call.Function.Body != nil, meaning.Name == "calloc", meaning.Name == "kzalloc":
						return true
					}
				}
				if g := m.regions.Target(call); g != nil {
					m.dirty[g] = true
				}
				return true
			})
		}
	}
	return m.dirty[g]
}
