package translate

import (
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/c/usage"
)

// safety is the state beside memory with which accesses, and calls of free, are checked.
//
// An access by an index of an object's name is checked by the lengths of arrays alone. Behind a pointer, the objects that it may
// lead to are those of its group. They are further from each other than accesses go from the pointer that an address begins
// with, so that this pointer tells which object is meant: it is near that one. The objects that exist once have addresses and
// sizes that are constants. Of the others any one is chosen when it is made, and its address, size and state are kept: a fault
// of another one is one of the run that chooses that.
type safety struct {
	// tracked is the address of the object that was chosen, 0 before there is one.
	tracked, size, state *ast.Variable
	// alive has a 1 while an automatic object that exists once exists.
	alive   map[*tree.Object]*ast.Variable
	ordered []*tree.Object
	// nowhere is the group of allocated objects that nothing accesses.
	nowhere *region.Group
}

// States of the object that is tracked.
const (
	ended = iota
	automatic
	onHeap
)

// territory is how many bytes there are behind an object before the next one, where accesses are checked.
const territory = 1 << 14

// checksMemory tells whether anything is asked about memory.
func (t *translator) checksMemory() bool {
	return t.options.Faults.Has(fault.Dereference, fault.Free, fault.Cleanup, fault.Lost)
}

// safety is the state that accesses are checked with.
func (t *translator) safety() *safety {
	if t.safe == nil {
		ghost := func(name, typeName string) *ast.Variable {
			v := &ast.Variable{Kind: ast.Global, Name: t.names.fresh(name), Syntax: machine.TypeNamed(chc.Position{}, typeName)}
			t.result.Origins.Add("", v, &origin.Variable{})
			return v
		}
		t.safe = &safety{
			tracked: ghost("$tracked", machine.Ref), size: ghost("$extent", machine.Int), state: ghost("$state", byteType.String()),
			alive: map[*tree.Object]*ast.Variable{}, nowhere: &region.Group{ID: -1, Heap: true},
		}
	}
	return t.safe
}

// variables are the state's variables.
func (s *safety) variables() []ast.Declaration {
	out := []ast.Declaration{s.tracked, s.size, s.state}
	for _, o := range s.ordered {
		out = append(out, s.alive[o])
	}
	return out
}

// beginSafety says that nothing is tracked and no automatic object exists when a run begins.
func (f *function) beginSafety() {
	if f.options.Faults.Has(fault.Cleanup, fault.Lost) {
		f.safety()
	}
	if f.safe == nil {
		return
	}
	for _, v := range f.safe.variables() {
		f.assign(chc.Position{}, use(v.(*ast.Variable)), machine.Number(chc.Position{}, 0))
	}
	f.beginOutside()
}

// track tracks an object that is made now, or does not.
func (f *function) track(n tree.Node, base, size ast.Expr) {
	if !f.checksMemory() {
		return
	}
	pos, s := at(n), f.safety()
	state := int64(automatic)
	if _, ok := n.(*tree.Call); ok {
		state = onHeap
	}
	chosen := f.temp(pos, machine.Bool)
	f.add(&ast.Havoc{Pos: pos, Variables: []*ast.Identifier{use(chosen)}})
	f.add(&ast.If{
		Pos: pos, Guard: both(pos, use(chosen), isNull(pos, use(s.tracked))),
		Then: f.within(func() {
			f.assign(pos, use(s.tracked), base)
			f.assign(pos, use(s.size), size)
			f.assign(pos, use(s.state), machine.Number(pos, state))
		}),
	})
}

// aliveOf is the variable that says whether an automatic object exists; nil where it exists whenever a pointer may lead to it.
func (f *function) aliveOf(o *tree.Object) *ast.Variable {
	if o.Storage != tree.Automatic && o.Storage != tree.Parameter || f.outlives(o) {
		return nil
	}
	s := f.safety()
	v := s.alive[o]
	if v == nil {
		v = &ast.Variable{Pos: o.Pos, Kind: ast.Global, Name: f.names.fresh("$alive." + escape(o.Unique)), Syntax: machine.TypeNamed(o.Pos, byteType.String())}
		f.result.Origins.Add("", v, &origin.Variable{})
		s.alive[o] = v
		s.ordered = append(s.ordered, o)
	}
	return v
}

// fixed are the objects of a group that exist once, and dynamic says whether there are others.
func (m *memory) fixed(g *region.Group) (fixed []*tree.Object, dynamic bool) {
	dynamic = g.Heap
	for _, p := range g.Objects {
		if m.once(p.Object) {
			fixed = append(fixed, p.Object)
		} else {
			dynamic = true
		}
	}
	return fixed, dynamic
}

// accessible checks that bytes of a place can be read, or written: where an index is within its array, and memory that a pointer
// leads to within an object that exists.
func (f *function) accessible(n tree.Node, pl place, bytes ast.Expr, writes bool) {
	if !f.options.Faults.Has(fault.Dereference) || f.begins {
		return
	}
	pos := at(n)
	if pl.found.inside != nil {
		f.check(n, fault.Dereference, pl.found.inside, "index")
	}
	if pl.pointer == nil {
		return
	}
	n = pl.pointer
	m := f.memory()
	address := f.settle(pos, pl.address, machine.TypeNamed(pos, machine.Ref))
	align := f.alignment(pl)
	ok := func(o *tree.Object) ast.Expr { return f.holds(n, o, address, bytes, align, writes) }
	if pl.direct != nil {
		size := f.bytes(n, pl.direct.Type)
		if size == nil {
			f.refuse(n.Pos(), "an access to %s, whose size is not known", pl.direct.Name)
			return
		}
		base := f.addressOf(n, pl.direct)
		f.check(n, fault.Dereference, both(pos, inObject(pos, address, bytes, base, size), aligned(pos, address, base, align)), "bounds")
		return
	}
	g := f.groupOf(pl.target)
	if g == nil {
		f.check(n, fault.Dereference, truthLiteral(pos, false), "null")
		return
	}
	fixed, dynamic := m.fixed(g)
	if len(fixed) == 1 && !dynamic && !g.Outside {
		f.check(n, fault.Dereference, ok(fixed[0]), "bounds")
		return
	}
	root := f.settle(pos, pl.root, machine.TypeNamed(pos, machine.Ref))
	f.somewhere(n, g, root, fixed, dynamic)
	for _, o := range fixed {
		f.check(n, fault.Dereference, implies(pos, near(pos, root, f.addressOf(n, o), machine.Number(pos, extent(o))), ok(o)), "bounds")
	}
	if dynamic || f.tracksOutside(g) {
		f.check(n, fault.Dereference, implies(pos, f.nearTracked(pos, root), f.fitsTracked(pos, address, bytes, align)), "bounds")
	}
}

// accesses checks that a scalar, or what a struct holds, can be read or written at a place.
func (f *function) accesses(n tree.Node, pl place, writes bool) {
	if !f.options.Faults.Has(fault.Dereference) {
		return
	}
	size := max(pl.typ.Size(), 0)
	if pl.field != nil {
		first, last := int64(pl.field.Shift/8), int64((pl.field.Shift+pl.field.Bits-1)/8)
		if pl.address != nil {
			pl.address = sum(at(n), ast.Add, pl.address, machine.Number(at(n), first))
		}
		size = last - first + 1
	}
	f.accessible(n, pl, machine.Number(at(n), size), writes)
}

// groupOf is the group that a pointer leads to.
func (f *function) groupOf(l *region.Location) *region.Group {
	if f.memory().regions == nil {
		return nil
	}
	return f.memory().regions.Group(l)
}

// somewhere checks that a pointer is near some object of its group.
func (f *function) somewhere(n tree.Node, g *region.Group, root ast.Expr, fixed []*tree.Object, dynamic bool) {
	pos := at(n)
	covered := truthLiteral(pos, false)
	for _, o := range fixed {
		covered = either(pos, covered, near(pos, root, f.addressOf(n, o), machine.Number(pos, extent(o))))
	}
	if dynamic {
		covered = either(pos, covered, f.allotted(n, g, root))
	}
	switch {
	case f.tracksOutside(g):
		f.check(n, fault.Dereference, not(isNull(pos, root)), "null")
		covered = either(pos, covered, f.beyond(pos, root))
	case g.Outside:
		f.check(n, fault.Dereference, not(isNull(pos, root)), "null")
		f.add(&ast.If{Pos: pos, Guard: not(covered), Then: f.within(func() {
			f.refuse(n.Pos(), "whether this is inside of an object that is not the program's")
		})})
		return
	}
	f.check(n, fault.Dereference, covered, "pointer")
}

// stays checks that arithmetic does not lead a pointer so far away from its object that it is near another one.
func (f *function) stays(n tree.Node, target *region.Location, root, to ast.Expr) {
	if !f.options.Faults.Has(fault.Dereference) || f.begins || root == nil {
		return
	}
	g := f.groupOf(target)
	if g == nil {
		return
	}
	m, pos := f.memory(), at(n)
	fixed, dynamic := m.fixed(g)
	dynamic = dynamic || f.tracksOutside(g)
	if len(fixed) == 1 && !dynamic {
		return
	}
	if f.tracksOutside(g) {
		// Objects that are not the program's are as far from each other as its own: had it left another one, the run that tracks that
		// would have failed here.
		apart := func(p ast.Expr) ast.Expr { return both(pos, f.beyond(pos, p), not(f.nearTracked(pos, p))) }
		defer func() { f.assume(pos, implies(pos, apart(root), apart(to))) }()
	}
	for _, o := range fixed {
		base, size := f.addressOf(n, o), machine.Number(pos, extent(o))
		f.arithmetic(n, implies(pos, near(pos, root, base, size), near(pos, to, base, size)))
	}
	if dynamic {
		f.arithmetic(n, implies(pos, f.nearTracked(pos, root), f.nearTracked(pos, to)))
	}
}

// arithmetic asserts something about pointer arithmetic, which no fault is named after.
func (f *function) arithmetic(n tree.Node, cond ast.Expr) {
	a := &ast.Assert{Pos: at(n), Cond: cond, Attributes: ast.Attributes{
		{Pos: at(n), Name: "error", Args: []ast.Expr{&ast.StringLiteral{Text: "arithmetic"}}},
	}}
	f.result.Origins.Errors[a] = n
	f.add(a)
}

// unfreed asserts that a pointer that is compared does not lead to an object that has ended: another one may
// have its address then.
func (f *function) unfreed(n tree.Node, p ast.Expr) ast.Expr {
	if !f.options.Faults.Has(fault.Dereference) || f.begins || !f.releases() {
		return p
	}
	pos := at(n)
	p = f.settle(pos, p, machine.TypeNamed(pos, machine.Ref))
	if _, literal := p.(*ast.IntLiteral); !literal {
		f.arithmetic(n, implies(pos, f.nearTracked(pos, p), not(equal(pos, byteType.String(), use(f.safety().state), machine.Number(pos, ended)))))
	}
	return p
}

// releases tells whether an object may end on the heap before the program does.
func (t *translator) releases() bool {
	for _, fn := range t.reached.Functions {
		found := false
		tree.Inspect(fn.Body, func(n tree.Node) bool {
			if call, ok := n.(*tree.Call); ok && call.Function != nil {
				meaning := usage.Meaning(call.Function, t.options.Faults)
				found = found || meaning.Kind == lib.Release || strings.HasPrefix(meaning.Name, "realloc")
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// spans checks that a call of the library accesses bytes behind a pointer argument.
func (f *function) spans(v *tree.Call, k int, address, bytes ast.Expr, writes bool) {
	if !f.options.Faults.Has(fault.Dereference) {
		return
	}
	pos := at(v)
	if l, ok := bytes.(*ast.IntLiteral); ok && l.Value.Sign() == 0 {
		return
	}
	a := v.Arguments[k]
	pl := place{typ: f.program.Char, address: address, found: found{root: address, pointer: v, target: &region.Location{Pointer: a}}}
	positive := &ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.Less, X: machine.Number(pos, 0), Y: bytes}
	f.guarded(v, positive, f.within(func() { f.accessible(v, pl, bytes, writes) }))
}

// frees checks that an address is null or that of an object on the heap which exists, and ends that.
func (f *function) frees(v *tree.Call, pointer tree.Value, address ast.Expr) {
	if !f.checksMemory() {
		return
	}
	pos, s := at(v), f.safety()
	g := f.groupOf(&region.Location{Pointer: pointer})
	if g == nil {
		g = s.nowhere
	}
	isTracked := both(pos, not(isNull(pos, use(s.tracked))), equal(pos, machine.Ref, use(s.tracked), address))
	f.add(&ast.If{Pos: pos, Guard: not(isNull(pos, address)), Then: f.within(func() {
		heap := equal(pos, byteType.String(), use(s.state), machine.Number(pos, onHeap))
		f.check(v, fault.Free, f.allotted(v, g, address), "free")
		f.check(v, fault.Free, implies(pos, f.nearTracked(pos, address), both(pos, heap, isTracked)), "free")
		f.add(&ast.If{Pos: pos, Guard: isTracked, Then: f.within(func() {
			f.assign(pos, use(s.state), machine.Number(pos, ended))
		})})
	})})
}

// cleaned checks that nothing is allocated when the program ends.
func (f *function) cleaned(n tree.Node) {
	kind, asked := f.options.Faults.First(fault.Cleanup, fault.Lost)
	if !asked {
		return
	}
	pos := at(n)
	f.check(n, kind, not(equal(pos, byteType.String(), use(f.safety().state), machine.Number(pos, onHeap))), kind.String())
}

// inputs checks that what scanf, fscanf or fgets writes is in objects, and tells whether it is one of these calls whose writes are known.
func (f *function) inputs(v *tree.Call) bool {
	if slices.ContainsFunc(v.Arguments, func(a tree.Value) bool { return f.effects.Of(a).Writes() }) {
		return false
	}
	pos := at(v)
	switch name := lib.Base(v.Function.Name); {
	case name == "fgets" && len(v.Arguments) == 3:
		if _, ok := v.Arguments[1].Type().(*tree.Integer); !ok || !tree.IsPointer(v.Arguments[0].Type()) {
			return false
		}
		f.spans(v, 0, f.value(v.Arguments[0]), f.index(v.Arguments[1]), true)
		return true
	case name == "scanf" || name == "fscanf":
		first, sizes, ok := lib.Scanned(v, f.program.Model.PointerBytes)
		for k, size := range sizes {
			if a := v.Arguments[first+k]; ok && tree.IsPointer(a.Type()) {
				f.spans(v, first+k, f.value(a), machine.Number(pos, size), true)
			}
		}
		return ok
	}
	return false
}

// unchecked says that it is not known what a function of the library accesses, or allocates.
func (f *function) unchecked(v *tree.Call, kind lib.Kind) {
	if kind == lib.Input && f.options.Faults.Has(fault.Dereference) && f.inputs(v) {
		return
	}
	if !f.options.Faults.Has(fault.Dereference) && (!f.checksMemory() || kind == lib.System || kind == lib.Output) {
		return
	}
	if slices.ContainsFunc(v.Arguments, func(a tree.Value) bool { return tree.IsPointer(a.Type()) && !usage.IsZero(a) && lib.Text(a) == "" }) {
		f.refuse(v.Pos(), "which memory %s accesses", v.Function.Name)
	}
}
