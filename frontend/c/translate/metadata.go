package translate

import (
	"fmt"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/c/usage"
)

// metadata is what SeaHorn's functions ask about memory beside what it holds: variables of the translation that say it, kept
// only for the groups that are asked about.
//
// The address of an object is known for each of those that exist once, and for the latest of each declaration or allocation: of an
// older one every answer is possible. Which bytes were written is a map from addresses, and so is each slot of shadows.
type metadata struct {
	// tracking is 1 while SeaHorn's tracking is on.
	tracking *ast.Variable
	// located are the groups of which it is asked where objects are, written those of which it is asked what was written.
	located, written map[*region.Group]bool
	// modified has a 1 for each byte that was written since tracking was switched on.
	modified *ast.Variable
	// shadows and shadowed have the values in the slots, and a 1 where there are any.
	shadows, shadowed map[int64]*ast.Variable
	sites             map[*region.Group][]*site
	variables         []*ast.Variable
}

// site is where objects of a group come from: one that exists once, a declaration, or a call that allocates.
type site struct {
	object *tree.Object
	call   *tree.Call
	// base and size are those of the latest object, variables unless the object exists once; base is 0 if there is none.
	base, size ast.Expr
	// state is what sea_is_alloc says of it.
	state *ast.Variable
}

// The states of an object.
const (
	uncertain = iota // tracking was off when the object was made, or freed
	allocated
	freed
)

// metadata is what is asked about memory; nil if nothing is.
func (m *memory) metadata() *metadata {
	if m.asked || m.regions == nil {
		return m.known
	}
	m.asked = true
	var calls []*tree.Call
	var allocations []*tree.Call
	for _, f := range m.t.reached.Functions {
		tree.Inspect(f.Body, func(n tree.Node) bool {
			if call, ok := n.(*tree.Call); ok && call.Function != nil {
				switch usage.Meaning(call.Function, m.t.options.Faults).Kind {
				case lib.Metadata:
					calls = append(calls, call)
				case lib.Allocate:
					allocations = append(allocations, call)
				}
			}
			return true
		})
	}
	if len(calls) == 0 {
		return nil
	}
	d := &metadata{
		located: map[*region.Group]bool{}, written: map[*region.Group]bool{}, shadows: map[int64]*ast.Variable{},
		shadowed: map[int64]*ast.Variable{}, sites: map[*region.Group][]*site{},
	}
	m.known = d
	d.tracking = m.ghost("$tracking", machine.TypeNamed(chc.Position{}, byteType.String()))
	for _, call := range calls {
		if len(call.Arguments) == 0 {
			continue
		}
		g := m.regions.Target(call.Arguments[0])
		if g == nil {
			continue
		}
		switch call.Function.Name {
		case "sea_is_dereferenceable", "sea_is_alloc":
			if !d.located[g] {
				d.located[g] = true
				m.locate(g, allocations)
			}
		case "sea_is_modified":
			d.written[g] = true
		}
	}
	return d
}

// ghost is a variable that the program does not have.
func (m *memory) ghost(name string, syntax ast.TypeSyntax) *ast.Variable {
	v := &ast.Variable{Kind: ast.Global, Name: m.t.names.fresh(name), Syntax: syntax}
	m.known.variables = append(m.known.variables, v)
	_, isMap := syntax.(*ast.MapSyntax)
	m.t.result.Origins.Add("", v, &origin.Variable{Map: isMap})
	return v
}

// locate makes the sites of a group.
func (m *memory) locate(g *region.Group, allocations []*tree.Call) {
	none := chc.Position{}
	add := func(s *site, name string) {
		if s.base == nil {
			s.base = use(m.ghost("$base."+name, machine.TypeNamed(none, machine.Ref)))
			s.size = use(m.ghost("$size."+name, machine.TypeNamed(none, machine.Int)))
		}
		s.state = m.ghost("$state."+name, machine.TypeNamed(none, byteType.String()))
		m.known.sites[g] = append(m.known.sites[g], s)
	}
	for _, p := range g.Objects {
		s := &site{object: p.Object}
		if m.once(p.Object) {
			s.base, s.size = machine.Number(none, m.static(p.Object)), machine.Number(none, p.Object.Size())
		}
		add(s, escape(p.Object.Unique))
	}
	for n, call := range allocations {
		if m.regions.Target(call) == g {
			add(&site{call: call}, fmt.Sprintf("%s.%d", escape(call.Function.Name), n))
		}
	}
}

// beginMetadata says that nothing is known when a run begins.
func (f *function) beginMetadata() {
	d := f.memories.metadata()
	if d == nil {
		return
	}
	for _, v := range d.variables {
		var zero ast.Expr = machine.Number(v.Pos, 0)
		if _, ok := v.Syntax.(*ast.MapSyntax); ok {
			zero = machine.Constant(v.Pos, machine.Ref, zero)
		}
		f.assign(v.Pos, use(v), zero)
	}
}

// made notes that an object of a site is made.
func (f *function) made(n tree.Node, g *region.Group, base, size ast.Expr) {
	d := f.memory().metadata()
	if d == nil {
		return
	}
	for _, s := range d.sites[g] {
		switch n := n.(type) {
		case *tree.Call:
			if s.call != n {
				continue
			}
		case *tree.Declare:
			if s.object != n.Object {
				continue
			}
		case *tree.Use:
			if s.object != n.Object {
				continue
			}
		}
		pos := at(n)
		if _, variable := s.base.(*ast.Identifier); variable {
			f.assign(pos, s.base, base)
			f.assign(pos, s.size, size)
		}
		f.assign(pos, use(s.state), choose(pos, f.tracks(pos), machine.Number(pos, allocated), machine.Number(pos, uncertain)))
	}
}

// tracks is the condition that SeaHorn's tracking is on.
func (f *function) tracks(pos chc.Position) ast.Expr {
	return equal(pos, byteType.String(), use(f.memory().known.tracking), machine.Number(pos, 1))
}

// group is the group of a location in memory.
func (f *function) group(l *region.Location) *region.Group {
	if f.memory().regions == nil {
		return nil
	}
	return f.memory().regions.Group(l)
}

// wrote notes that bytes from a place on are written.
func (f *function) wrote(n tree.Node, pl place, offset, size int64) {
	if f.begins || f.quiet || pl.address == nil {
		return
	}
	d := f.memory().metadata()
	if d == nil || !d.written[f.group(pl.location)] {
		return
	}
	pos := at(n)
	if size > maxTracked {
		f.written(n)
		return
	}
	address := pl.address
	address = f.settle(pos, address, machine.TypeNamed(pos, machine.Ref))
	for k := range size {
		to := f.beside(pos, f.modified(), sum(pos, ast.Add, address, machine.Number(pos, offset+k)))
		f.assign(pos, to, choose(pos, f.tracks(pos), machine.Number(pos, 1), to))
	}
}

// written notes that any bytes may be written.
func (f *function) written(n tree.Node) {
	f.approximate(n, "which bytes are written")
	f.havoc(at(n), &origin.Event{Kind: origin.Unspecified, Node: n}, nil, f.modified())
}

// unwritten notes that nobody has written an object yet.
func (f *function) unwritten(n tree.Node, pl place, size int64) {
	d := f.memory().metadata()
	if d == nil || !d.written[f.group(pl.location)] {
		return
	}
	if size > maxTracked {
		f.written(n)
		return
	}
	pos := at(n)
	for k := range size {
		f.assign(pos, f.beside(pos, f.modified(), sum(pos, ast.Add, pl.address, machine.Number(pos, k))), machine.Number(pos, 0))
	}
}

// quietly does something of whose writes nothing is noted.
func (f *function) quietly(do func()) {
	outer := f.quiet
	f.quiet = true
	do()
	f.quiet = outer
}

// modified is the map of the bytes that were written.
func (f *function) modified() *ast.Variable {
	d := f.memory().known
	if d.modified == nil {
		none := chc.Position{}
		d.modified = f.memory().ghost("$modified", machine.MapFrom(none, machine.Ref, machine.TypeNamed(none, byteType.String())))
	}
	return d.modified
}

// beside is what a map has at an address.
func (f *function) beside(pos chc.Position, m *ast.Variable, address ast.Expr) ast.Expr {
	return &ast.Select{Node: ast.Node{Pos: pos}, Map: use(m), Index: []ast.Expr{address}}
}
