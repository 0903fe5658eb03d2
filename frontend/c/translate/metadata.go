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

// question is a call of one of SeaHorn's functions about memory.
type question struct {
	*function
	call *tree.Call
	pos  chc.Position
	// group is where its pointer leads, and sites are the objects there.
	group *region.Group
	sites []*site
	args  []ast.Expr // pointers, and numbers as mathematical integers
}

// parameters are how many arguments the functions need, and which is the pointer, if any.
var parameters = map[string]struct{ count, pointer int }{
	"sea_tracking_on": {0, -1}, "sea_tracking_off": {0, -1}, "sea_is_dereferenceable": {2, 0}, "sea_is_alloc": {1, 0}, "sea_free": {1, 0},
	"sea_is_modified": {1, 0}, "sea_reset_modified": {1, 0}, "sea_set_shadowmem": {3, 1}, "sea_get_shadowmem": {2, 1},
}

// ask calls one of SeaHorn's functions about memory.
func (f *function) ask(v *tree.Call, name string) []ast.Expr {
	d := f.memory().metadata()
	p := parameters[name]
	if d == nil || len(v.Arguments) < p.count {
		f.refuse(v.Pos(), "this call of %s", name)
		return f.results(v)
	}
	q := &question{function: f, call: v, pos: at(v)}
	for n, a := range v.Arguments {
		_, integer := a.Type().(*tree.Integer)
		switch {
		case tree.IsPointer(a.Type()) && n == p.pointer:
			q.args = append(q.args, f.settle(q.pos, f.value(a), machine.TypeNamed(q.pos, machine.Ref)))
		case integer && n != p.pointer:
			q.args = append(q.args, f.settle(q.pos, f.index(a), machine.TypeNamed(q.pos, machine.Int)))
		default:
			f.refuse(v.Pos(), "this call of %s", name)
			return f.results(v)
		}
	}
	if p.pointer >= 0 {
		q.group = f.memory().regions.Target(v.Arguments[p.pointer])
		q.sites = d.sites[q.group]
	}
	switch name {
	case "sea_tracking_on":
		f.assign(q.pos, use(d.tracking), machine.Number(q.pos, 1))
		if len(d.written) > 0 {
			f.assign(q.pos, use(f.modified()), machine.Constant(q.pos, machine.Ref, machine.Number(q.pos, 0)))
		}
	case "sea_tracking_off":
		f.assign(q.pos, use(d.tracking), machine.Number(q.pos, 0))
	case "sea_reset_modified":
		if d.written[q.group] {
			f.assign(q.pos, f.beside(q.pos, f.modified(), q.args[0]), machine.Number(q.pos, 0))
		}
	case "sea_is_modified":
		if d.written[q.group] {
			return q.answer(equal(q.pos, byteType.String(), f.beside(q.pos, f.modified(), q.args[0]), machine.Number(q.pos, 1)))
		}
		return q.answer(q.anything())
	case "sea_is_dereferenceable":
		return q.answer(q.dereferenceable())
	case "sea_is_alloc":
		return q.answer(q.allocated())
	case "sea_free":
		q.free()
	case "sea_set_shadowmem":
		q.setShadow()
	case "sea_get_shadowmem":
		return q.shadow()
	}
	return f.results(v)
}

// answer is a truth value as the result.
func (q *question) answer(b ast.Expr) []ast.Expr {
	i, ok := q.call.T.(*tree.Integer)
	if !ok {
		return q.results(q.call)
	}
	return []ast.Expr{q.settle(q.pos, number(q.pos, b), machine.TypeNamed(q.pos, machineType(i).String()))}
}

// anything is any truth value.
func (q *question) anything() ast.Expr {
	q.approximate(q.call, "what %s says", q.call.Function.Name)
	return q.unknownTruth(q.call)
}

func (q *question) compare(op ast.BinaryOp, x, y ast.Expr) ast.Expr {
	return &ast.Binary{Node: ast.Node{Pos: q.pos}, Op: op, X: x, Y: y}
}

// isNull is the condition that the pointer is null.
func (q *question) isNull() ast.Expr {
	return equal(q.pos, machine.Ref, q.args[0], machine.Number(q.pos, 0))
}

// within is the condition that the pointer leads into the object of a site, or, with end set, right behind it.
func (q *question) within(s *site, end bool) ast.Expr {
	op := ast.Less
	if end {
		op = ast.LessEq
	}
	in := both(q.pos, q.compare(ast.LessEq, s.base, q.args[0]), q.compare(op, q.args[0], sum(q.pos, ast.Add, s.base, s.size)))
	if isLiteral(s.base, 0) {
		return truthLiteral(q.pos, false)
	}
	if _, literal := s.base.(*ast.IntLiteral); literal {
		return in
	}
	return both(q.pos, not(equal(q.pos, machine.Ref, s.base, machine.Number(q.pos, 0))), in)
}

// dereferenceable says whether an object has so many bytes from the pointer on. Of nothing, of no bytes at null, and of older
// objects of a site, every answer is possible.
func (q *question) dereferenceable() ast.Expr {
	p, n, zero := q.args[0], q.args[1], machine.Number(q.pos, 0)
	out := choose(q.pos, both(q.pos, q.isNull(), not(equal(q.pos, machine.Int, n, zero))), truthLiteral(q.pos, false), q.anything())
	for _, s := range q.sites {
		fits := both(q.pos, q.compare(ast.LessEq, zero, n),
			q.compare(ast.LessEq, sum(q.pos, ast.Add, p, n), sum(q.pos, ast.Add, s.base, s.size)))
		out = choose(q.pos, q.within(s, true), fits, out)
	}
	return out
}

// allocated says whether the pointer leads into an object that was made, and not freed by sea_free, both while tracking was on.
func (q *question) allocated() ast.Expr {
	out := choose(q.pos, q.isNull(), truthLiteral(q.pos, false), q.anything())
	for _, s := range q.sites {
		is := func(state int64) ast.Expr {
			return equal(q.pos, byteType.String(), use(s.state), machine.Number(q.pos, state))
		}
		known := choose(q.pos, is(allocated), truthLiteral(q.pos, true), choose(q.pos, is(freed), truthLiteral(q.pos, false), q.anything()))
		out = choose(q.pos, q.within(s, false), known, out)
	}
	return out
}

// free is sea_free, which says of an object that it is freed, but leaves it alone.
func (q *question) free() {
	for _, s := range q.sites {
		q.add(&ast.If{Pos: q.pos, Guard: q.within(s, true), Then: q.function.within(func() {
			q.assign(q.pos, use(s.state), choose(q.pos, q.tracks(q.pos), machine.Number(q.pos, freed), machine.Number(q.pos, uncertain)))
		})})
	}
}

// released forgets the address of an object that free, or realloc, has ended.
func (f *function) released(v *tree.Call, pointer tree.Value, address ast.Expr) {
	d := f.memory().metadata()
	if d == nil {
		return
	}
	pos := at(v)
	for _, s := range d.sites[f.memory().regions.Target(pointer)] {
		if _, literal := s.base.(*ast.IntLiteral); !literal {
			f.assign(pos, s.base, choose(pos, equal(pos, machine.Ref, s.base, address), machine.Number(pos, 0), s.base))
		}
	}
}

// slot has the maps of a slot of the shadows: its values, and where there are any; nil if it has no constant number.
func (q *question) slot() (values, set *ast.Variable) {
	n, ok := constant(q.args[0])
	if !ok {
		q.approximate(q.call, "a slot of %s", q.call.Function.Name)
		return nil, nil
	}
	m := q.memory()
	if m.known.shadows[n] == nil {
		syntax := func(t machine.Type) ast.TypeSyntax {
			return machine.MapFrom(q.pos, machine.Ref, machine.TypeNamed(q.pos, t.String()))
		}
		m.known.shadows[n] = m.ghost(fmt.Sprintf("$shadow%d", n), syntax(q.shadowType()))
		m.known.shadowed[n] = m.ghost(fmt.Sprintf("$shadowed%d", n), syntax(byteType))
	}
	return m.known.shadows[n], m.known.shadowed[n]
}

// shadowType is the type of what is kept in slots: SeaHorn's is a char in older versions and a size_t in newer ones, and a
// program may declare its functions either way.
func (q *question) shadowType() machine.Type { return machineType(q.program.Size) }

// setShadow writes beside memory.
func (q *question) setShadow() {
	values, set := q.slot()
	if values == nil {
		q.refuse(q.call.Pos(), "a slot of %s that is not constant", q.call.Function.Name)
		return
	}
	q.assign(q.pos, q.beside(q.pos, values, q.args[1]), operation(q.pos, machine.Integer, q.shadowType(), q.args[2]))
	q.assign(q.pos, q.beside(q.pos, set, q.args[1]), number(q.pos, q.tracks(q.pos)))
}

// shadow is what was written beside memory.
func (q *question) shadow() []ast.Expr {
	i, ok := q.call.T.(*tree.Integer)
	values, set := q.slot()
	if !ok || values == nil {
		q.approximate(q.call, "what %s says", q.call.Function.Name)
		return q.open(q.call)
	}
	known := both(q.pos, q.tracks(q.pos), equal(q.pos, byteType.String(), q.beside(q.pos, set, q.args[1]), machine.Number(q.pos, 1)))
	value := convertMachine(q.pos, q.shadowType(), machineType(i), q.beside(q.pos, values, q.args[1]))
	return []ast.Expr{q.settle(q.pos, choose(q.pos, known, value, q.unknown(q.call, origin.Unspecified, i)), machine.TypeNamed(q.pos, machineType(i).String()))}
}
