package translate

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/c/usage"
)

// Contracts say of pointers that they are valid. That is asked as accesses are checked, with one object that is tracked: of this one it is
// known, and of the others nothing. Where a condition is asserted or assumed that is enough if what is not known is taken for valid: an
// assertion that fails because of an object fails in the run that tracks it, and an assumption says less.
//
// A program with such contracts may be given pointers that are not its own, of which nothing else is known. So an object that is not the
// program's may be tracked, too, from the beginning of the run: with any address that no object of the program can have, and any size.
// That is none where a pointer leads nowhere.

// asksValid tells whether contracts say of pointers that they are valid.
func (t *translator) asksValid() bool {
	if t.valids == nil {
		found := false
		for _, fn := range t.reached.Functions {
			tree.Inspect(fn.Body, func(n tree.Node) bool {
				call, ok := n.(*tree.Call)
				found = found || ok && call.Function != nil && usage.Meaning(call.Function, t.options.Faults).Kind == lib.Valid
				return !found
			})
		}
		t.valids = &found
	}
	return *t.valids
}

// tracksOutside tells whether objects of the group that are not the program's may be tracked.
func (t *translator) tracksOutside(g *region.Group) bool { return g.Outside && t.asksValid() }

// beginOutside tracks an object that is not the program's, or nothing.
func (f *function) beginOutside() {
	if !f.asksValid() {
		return
	}
	pos, s := chc.Position{}, f.safety()
	f.add(&ast.Havoc{Pos: pos, Variables: []*ast.Identifier{use(s.tracked), use(s.size), use(s.state)}})
	is := func(state int64) ast.Expr {
		return equal(pos, byteType.String(), use(s.state), machine.Number(pos, state))
	}
	at := func(op ast.BinaryOp, x, y ast.Expr) ast.Expr {
		return &ast.Binary{Node: ast.Node{Pos: pos}, Op: op, X: x, Y: y}
	}
	nothing := both(pos, isNull(pos, use(s.tracked)), both(pos, is(ended), at(ast.Eq, use(s.size), machine.Number(pos, 0))))
	object := both(pos, is(automatic), both(pos, at(ast.Less, machine.Number(pos, lastHeap+2*territory), use(s.tracked)), at(ast.LessEq, machine.Number(pos, 0), use(s.size))))
	f.assume(pos, either(pos, nothing, object))
}

// holds says that bytes from an address on are in an object that exists, which can be written if that is asked.
func (f *function) holds(n tree.Node, o *tree.Object, address, bytes ast.Expr, align int64, writes bool) ast.Expr {
	pos := at(n)
	if writes && o.Storage == tree.Literal && o.Const {
		return truthLiteral(pos, false)
	}
	if o.External && tree.Open(o.Type) {
		f.refuse(n.Pos(), "an access to %s, whose size is not known", o.Name)
	}
	in := inObject(pos, address, bytes, f.addressOf(n, o), machine.Number(pos, o.Size()))
	in = both(pos, in, aligned(pos, address, f.addressOf(n, o), align))
	if v := f.aliveOf(o); v != nil {
		in = both(pos, in, equal(pos, byteType.String(), use(v), machine.Number(pos, 1)))
	}
	return in
}

// fitsTracked says that bytes from an address on are in the object that is tracked, and that this exists.
func (f *function) fitsTracked(pos chc.Position, address, bytes ast.Expr, align int64) ast.Expr {
	s := f.safety()
	exists := not(equal(pos, byteType.String(), use(s.state), machine.Number(pos, ended)))
	return both(pos, exists, both(pos, inObject(pos, address, bytes, use(s.tracked), use(s.size)), aligned(pos, address, use(s.tracked), align)))
}

// valid is a question of a contract about the elements behind a pointer. What is not known, which is about objects that are not tracked,
// is any truth value, or true if what is tracked is enough.
func (f *function) valid(v *tree.Call, tracked bool) []ast.Expr {
	pos := at(v)
	elem := v.Arguments[0].Type().(*tree.Pointer).Elem
	pointer, root, direct := f.pointer(v.Arguments[0])
	pointer, root = f.before(pos, pointer, machine.Ref, nodes(v.Arguments[1:])...), f.before(pos, root, machine.Ref, nodes(v.Arguments[1:])...)
	first := f.before(pos, f.index(v.Arguments[1]), machine.Int, v.Arguments[2])
	last := f.index(v.Arguments[2])
	writes := !usage.IsZero(v.Arguments[3])
	settle := func(e ast.Expr, name string) ast.Expr { return f.settle(pos, e, machine.TypeNamed(pos, name)) }
	pointer, root, first, last = settle(pointer, machine.Ref), settle(root, machine.Ref), settle(first, machine.Int), settle(last, machine.Int)
	address := settle(sum(pos, ast.Add, pointer, product(pos, first, elem.Size())), machine.Ref)
	bytes := product(pos, sum(pos, ast.Add, sum(pos, ast.Sub, last, first), machine.Number(pos, 1)), elem.Size())
	in := f.inSome(v, v.Arguments[0], address, bytes, root, direct, elem.Align(), writes, tracked)
	var empty ast.Expr = &ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.Less, X: last, Y: first}
	from, fixed := first.(*ast.IntLiteral)
	if to, ok := last.(*ast.IntLiteral); ok && fixed {
		empty = truthLiteral(pos, to.Value.Cmp(from.Value) < 0)
	}
	return []ast.Expr{settle(number(pos, either(pos, empty, in)), machineType(f.program.Int).String())}
}

// inSome says that bytes from an address on, which begins with the pointer root, are in an object that exists.
func (f *function) inSome(n tree.Node, pointer tree.Value, address, bytes, root ast.Expr, direct *tree.Object, align int64, writes, tracked bool) ast.Expr {
	pos := at(n)
	fits := func(o *tree.Object) ast.Expr {
		if writes && (o.Const || o.Storage == tree.Literal) || f.ending(o) {
			return truthLiteral(pos, false)
		}
		return f.holds(n, o, address, bytes, align, writes)
	}
	if direct != nil && direct.Size() > 0 {
		return fits(direct)
	}
	g := f.groupOf(&region.Location{Pointer: pointer})
	if g == nil {
		return truthLiteral(pos, false)
	}
	fixed, dynamic := f.memory().fixed(g)
	if len(fixed) == 1 && !dynamic && !g.Outside {
		return fits(fixed[0])
	}
	nearFixed, out := truthLiteral(pos, false), truthLiteral(pos, true)
	for _, o := range fixed {
		here := near(pos, root, f.addressOf(n, o), machine.Number(pos, extent(o)))
		nearFixed = either(pos, nearFixed, here)
		out = both(pos, out, implies(pos, here, fits(o)))
	}
	somewhere := nearFixed
	if dynamic {
		somewhere = either(pos, somewhere, f.allotted(n, g, root))
	}
	if g.Outside {
		somewhere = either(pos, somewhere, f.beyond(pos, root))
	}
	out = both(pos, out, somewhere)
	if !dynamic && !g.Outside {
		return out
	}
	near, holds := f.nearTracked(pos, root), f.fitsTracked(pos, address, bytes, align)
	if slices.ContainsFunc(g.Objects, func(p region.Placed) bool { return f.ending(p.Object) && !slices.Contains(fixed, p.Object) }) {
		// It is not known whether the object is one of another call of the function.
		holds = both(pos, holds, either(pos, not(equal(pos, byteType.String(), use(f.safety().state), machine.Number(pos, automatic))), f.perhaps(n, tracked)))
	}
	out = both(pos, out, implies(pos, near, holds))
	if !tracked {
		out = both(pos, out, either(pos, either(pos, nearFixed, near), f.perhaps(n, false)))
	}
	return out
}

// ending tells whether an object is one of the function at whose end a condition is asked, and does not exist for it.
func (f *function) ending(o *tree.Object) bool {
	return f.tree.Ends != nil && o.Function == f.tree.Ends && (o.Storage == tree.Automatic || o.Storage == tree.Parameter)
}

// perhaps is any truth value, or false where that is the worse one.
func (f *function) perhaps(n tree.Node, worse bool) ast.Expr {
	if worse {
		return truthLiteral(at(n), false)
	}
	f.approximate(n, "which pointers are valid")
	return f.unknownTruth(n)
}

// inObject says that bytes from an address on are in an object.
func inObject(pos chc.Position, address, bytes, base, size ast.Expr) ast.Expr {
	le := func(x, y ast.Expr) ast.Expr {
		return &ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.LessEq, X: x, Y: y}
	}
	return both(pos, le(base, address), le(sum(pos, ast.Add, address, bytes), sum(pos, ast.Add, base, size)))
}

// near says that a pointer is closer to an object than to any other.
func near(pos chc.Position, pointer, base, size ast.Expr) ast.Expr {
	half := machine.Number(pos, territory/2)
	lt := func(x, y ast.Expr) ast.Expr {
		return &ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.Less, X: x, Y: y}
	}
	return both(pos, lt(base, sum(pos, ast.Add, pointer, half)), lt(pointer, sum(pos, ast.Add, sum(pos, ast.Add, base, size), half)))
}

// beyond says that an address is beyond those of the program's objects. There are the objects that are not the program's.
func (f *function) beyond(pos chc.Position, p ast.Expr) ast.Expr {
	return &ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.Less, X: machine.Number(pos, lastHeap+territory), Y: p}
}

// implies is that one condition implies another one.
func implies(pos chc.Position, x, y ast.Expr) ast.Expr { return either(pos, not(x), y) }

// beginnings are where objects begin among the offsets of a group.
func (f *function) beginnings(g *region.Group) []int64 {
	m := f.memory()
	if out, ok := m.beginnings[g]; ok {
		return out
	}
	var out []int64
	for _, p := range g.Objects {
		out = append(out, p.Offset)
	}
	for _, fn := range f.reached.Functions {
		tree.Inspect(fn.Body, func(n tree.Node) bool {
			if call, ok := n.(*tree.Call); ok && tree.IsPointer(call.T) && f.memory().regions.Target(call) == g {
				if call.Function != nil && usage.Meaning(call.Function, f.options.Faults).Kind == lib.Allocate {
					out = append(out, f.memory().regions.Begin(&region.Location{Pointer: call}))
				}
			}
			return true
		})
	}
	m.beginnings[g] = out
	return out
}

// alignment is what the address of a place has to be a multiple of, 1 where that is so in any case: all that accesses the region does
// it at offsets that are multiples.
func (f *function) alignment(pl place) int64 {
	align := pl.typ.Align()
	if align == 1 || pl.packed || pl.field != nil {
		return 1
	}
	r := f.region(pl.location, 0)
	if r == nil {
		return align
	}
	apart := func(begin int64) bool { return (r.Offset-begin)%align != 0 }
	if r.Mixed || r.Group.Unknown || r.Group.Outside || r.Stride%align != 0 || slices.ContainsFunc(f.beginnings(r.Group), apart) {
		return align
	}
	return 1
}

// aligned says that an address is a multiple of a number away from an object's, which is as far aligned as anything needs.
func aligned(pos chc.Position, address, base ast.Expr, align int64) ast.Expr {
	distance := sum(pos, ast.Sub, address, base)
	if l, ok := distance.(*ast.IntLiteral); ok {
		return truthLiteral(pos, l.Value.Int64()%align == 0)
	}
	if align == 1 {
		return truthLiteral(pos, true)
	}
	rest := &ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.Mod, X: distance, Y: machine.Number(pos, align)}
	return &ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.Eq, X: rest, Y: machine.Number(pos, 0)}
}

// nearTracked says that a pointer is near the object that is tracked.
func (f *function) nearTracked(pos chc.Position, p ast.Expr) ast.Expr {
	s := f.safety()
	return both(pos, not(isNull(pos, use(s.tracked))), near(pos, p, use(s.tracked), use(s.size)))
}

// allotted says that a pointer is near an address that a group has given out.
func (f *function) allotted(n tree.Node, g *region.Group, p ast.Expr) ast.Expr {
	pos, m := at(n), f.memory()
	half := machine.Number(pos, territory/2)
	first := m.bottom(g)
	return both(pos, &ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.Less, X: first, Y: sum(pos, ast.Add, p, half)},
		&ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.Less, X: sum(pos, ast.Add, p, half), Y: use(m.top(g))})
}

// bottom is the first address that a group gives out: a number that is known when all groups are.
func (m *memory) bottom(g *region.Group) ast.Expr {
	m.top(g)
	l := m.bottoms[g]
	if l == nil {
		l = machine.Number(chc.Position{}, 0)
		if m.bottoms == nil {
			m.bottoms = map[*region.Group]*ast.IntLiteral{}
		}
		m.bottoms[g] = l
	}
	return l
}
