package translate

import (
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

// bareness is what is followed of values that come from objects without a value. Variables beside those of the program say of them
// whether their value is such a one: truths beside scalars, maps to 1 or 0 beside maps. There are some only beside what such
// a value may come to, as far as the assignments on the ways and what is stored where tell; what is decided by other values
// needs no check.
type bareness struct {
	// objects, results of functions, and groups of regions may have such values.
	objects map[*tree.Object]bool
	results map[*tree.Function]bool
	groups  map[*region.Group]bool
	changed bool

	beside    map[*ast.Variable]*ast.Variable
	regions   map[*region.Region]*ast.Variable
	passed    map[*tree.Object][]*ast.Variable
	returned  map[*tree.Function][]*ast.Variable
	variables []ast.Declaration
	known     map[tree.Node]bool
}

// findUnset finds the objects that are declared without a value, and says of each whether it may be read before it has one.
func (t *translator) findUnset() {
	if !t.options.Faults.Has(fault.Uninitialised) {
		return
	}
	t.withoutValue, t.unset = map[*tree.Object]bool{}, map[*tree.Object]bool{}
	for _, f := range t.reached.Functions {
		for o := range usage.Bare(f) {
			t.withoutValue[o] = true
		}
		for o := range usage.Unset(f, t.options.Faults) {
			t.unset[o] = true
		}
	}
}

// follow finds where values may come to that come from objects without one.
func (t *translator) follow() {
	if !t.options.Faults.Has(fault.Uninitialised) {
		return
	}
	b := &bareness{
		objects: map[*tree.Object]bool{}, results: map[*tree.Function]bool{}, groups: map[*region.Group]bool{},
		beside: map[*ast.Variable]*ast.Variable{}, regions: map[*region.Region]*ast.Variable{}, passed: map[*tree.Object][]*ast.Variable{},
		returned: map[*tree.Function][]*ast.Variable{},
	}
	for o := range t.unset {
		if !t.inMemory(o) {
			b.objects[o] = true
		} else if t.memory().regions != nil {
			b.groups[t.memory().regions.GroupOfObject(o)] = true
		}
	}
	for _, f := range t.reached.Functions {
		tree.Inspect(f.Body, func(n tree.Node) bool {
			call, ok := n.(*tree.Call)
			if !ok || call.Function == nil {
				return true
			}
			if m := usage.Meaning(call.Target(), t.options.Faults); m.Kind == lib.Allocate && m.Name != "calloc" && m.Name != "kzalloc" && t.memory().regions != nil {
				b.groups[t.memory().regions.Target(call)] = true
			}
			return true
		})
	}
	delete(b.groups, nil)
	if len(b.objects) == 0 && len(b.groups) == 0 {
		return
	}
	t.bare = b
	for b.changed = true; b.changed; {
		b.changed = false
		for _, f := range t.reached.Functions {
			tree.Inspect(f.Body, func(n tree.Node) bool {
				t.flow(f, n)
				return true
			})
		}
	}
	b.known = map[tree.Node]bool{}
}

// flow notes what one node lets values come to.
func (t *translator) flow(f *tree.Function, n tree.Node) {
	b := t.bare
	switch n := n.(type) {
	case *tree.Assign:
		if t.may(n.Value) {
			t.reachesPlace(n.Place)
		}
	case *tree.Update:
		if t.may(n.Operand) {
			t.reachesPlace(n.Place)
		}
	case *tree.Declare:
		for _, i := range n.Init {
			if i.Value != nil && t.may(i.Value) {
				t.reachesObject(n.Object)
			}
		}
	case *tree.Return:
		if n.Value != nil && t.may(n.Value) && !b.results[f] {
			b.results[f], b.changed = true, true
		}
	case *tree.Call:
		callees := t.reached.AddressTaken
		if target := n.Target(); target != nil {
			callees = []*tree.Function{target}
			if usage.Meaning(target, t.options.Faults).Kind == lib.Memory && t.memories != nil && t.memories.regions != nil {
				// What is copied from one group may come to the other one.
				for _, from := range n.Arguments {
					for _, to := range n.Arguments {
						if tree.IsPointer(from.Type()) && tree.IsPointer(to.Type()) && b.groups[t.memories.regions.Target(from)] {
							t.reachesGroup(t.memories.regions.Target(to))
						}
					}
				}
			}
		}
		for _, callee := range callees {
			for k, p := range callee.Params {
				if callee.Body != nil && k < len(n.Arguments) && t.may(n.Arguments[k]) {
					t.reachesObject(p)
				}
			}
		}
	}
}

func (t *translator) reachesObject(o *tree.Object) {
	if t.inMemory(o) {
		if t.memory().regions != nil {
			t.reachesGroup(t.memory().regions.GroupOfObject(o))
		}
	} else if !t.bare.objects[o] {
		t.bare.objects[o], t.bare.changed = true, true
	}
}

func (t *translator) reachesGroup(g *region.Group) {
	if g != nil && !t.bare.groups[g] {
		t.bare.groups[g], t.bare.changed = true, true
	}
}

func (t *translator) reachesPlace(p tree.Place) {
	switch o := usage.Owner(p); {
	case o != nil:
		t.reachesObject(o)
	case t.memory().regions != nil:
		t.reachesGroup(t.memory().regions.Group(&region.Location{Place: p}))
	}
}

// may tells whether something in a value may come from an object without one.
func (t *translator) may(n tree.Node) bool {
	b := t.bare
	if b == nil || n == nil {
		return false
	}
	if known, ok := b.known[n]; ok {
		return known
	}
	found := false
	tree.Inspect(n, func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Load:
			found = found || t.mayHold(n.Place)
		case *tree.Update:
			found = found || t.mayHold(n.Place)
		case *tree.Call:
			if target := n.Target(); target != nil {
				found = found || b.results[target]
				break
			}
			for _, callee := range t.reached.AddressTaken {
				found = found || b.results[callee]
			}
		}
		return !found
	})
	if b.known != nil {
		b.known[n] = found
	}
	return found
}

// mayHold tells whether a place may hold a value that comes from an object without one.
func (t *translator) mayHold(p tree.Place) bool {
	o := usage.Owner(p)
	switch {
	case o != nil && !t.inMemory(o):
		return t.bare.objects[o]
	case t.memories == nil || t.memories.regions == nil:
		return false
	case o != nil:
		return t.bare.groups[t.memories.regions.GroupOfObject(o)]
	}
	return t.bare.groups[t.memories.regions.Group(&region.Location{Place: p})]
}

// from does something, and is the condition that a value that it reads comes from an object without one; nil if that is never so.
func (f *function) from(do func()) ast.Expr {
	outer := f.comes
	f.comes = nil
	do()
	out := f.comes
	f.comes = outer
	return out
}

// meet notes that a value is read that comes from an object without one if the condition holds.
func (f *function) meet(pos chc.Position, cond ast.Expr) {
	if cond == nil {
		return
	}
	if b, ok := cond.(*ast.BoolLiteral); ok && !b.Value {
		return
	}
	f.comes = anyOf(pos, f.comes, f.settle(pos, cond, machine.TypeNamed(pos, machine.Bool)))
}

// anyOf is the disjunction of two conditions of which nil is one that never holds.
func anyOf(pos chc.Position, x, y ast.Expr) ast.Expr {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return either(pos, x, y)
}

// orNever is the condition, which for nil never holds.
func orNever(pos chc.Position, cond ast.Expr) ast.Expr {
	if cond == nil {
		return truthLiteral(pos, false)
	}
	return cond
}

// decides evaluates something by which a value decides something, and checks that it does not come from an object without one.
func (f *function) decides(n tree.Value, do func()) {
	if f.withoutValue == nil {
		do()
		return
	}
	comes := f.from(do)
	if comes == nil {
		if f.bare != nil && f.may(n) || f.reads(n) {
			f.check(n, fault.Uninitialised, truthLiteral(at(n), true), "uninitialised")
		}
		return
	}
	f.check(n, fault.Uninitialised, not(comes), "uninitialised")
}

// reads tells whether a value reads an object that is declared without one.
func (f *function) reads(n tree.Node) bool {
	found := false
	tree.Inspect(n, func(n tree.Node) bool {
		u, ok := n.(*tree.Use)
		found = found || ok && f.withoutValue[u.Object]
		return !found
	})
	return found
}

// decision is a condition by which it is decided which way a run goes.
func (f *function) decision(v tree.Value) (out ast.Expr) {
	f.decides(v, func() { out = f.truth(v) })
	return out
}

// position is an index that decides where memory is accessed, as a mathematical integer.
func (f *function) position(v tree.Value) (out ast.Expr) {
	f.decides(v, func() { out = f.index(v) })
	return out
}

// operand is the right operand of an operation: a divisor decides whether there is a result.
func (f *function) operand(op tree.BinaryOp, t tree.Type, v tree.Value) (out ast.Expr) {
	if _, ok := t.(*tree.Integer); !ok || op != tree.Div && op != tree.Rem {
		return f.value(v)
	}
	f.decides(v, func() { out = f.value(v) })
	return out
}

// hands notes that the arguments of a call decide what a function does that is not of the program.
func (f *function) hands(v *tree.Call) {
	if f.withoutValue == nil {
		return
	}
	if f.handed == nil {
		f.handed = map[tree.Value]bool{}
	}
	for _, a := range v.Arguments {
		if tree.Scalar(a.Type()) {
			f.handed[a] = true
		}
	}
}

// takes tells, once, whether a value is one that hands has noted.
func (f *function) takes(v tree.Value) bool {
	if !f.handed[v] {
		return false
	}
	delete(f.handed, v)
	return true
}

// valuesFrom are the scalars of a value, and of each the condition that it comes from an object without one, or the map of these.
func (f *function) valuesFrom(v tree.Value) (values, parts []ast.Expr) {
	if f.bare == nil {
		return f.values(v), nil
	}
	f.parts = nil
	comes := f.from(func() { values = f.values(v) })
	parts = f.parts
	if tree.Scalar(v.Type()) {
		parts = []ast.Expr{comes}
	}
	f.parts = nil
	return values, parts
}

// partOf is the k-th of what valuesFrom says.
func partOf(parts []ast.Expr, k int) ast.Expr {
	if k < len(parts) {
		return parts[k]
	}
	return nil
}

// besides is the variable that says of a leaf whether its value comes from an object without one; nil if there is none.
func (f *function) besides(s *storage) *ast.Variable {
	b := f.bare
	if b == nil || s.root == nil || s.root.behind || s.root.object == nil || !b.objects[s.root.object] {
		return nil
	}
	v := b.beside[s.variable]
	if v == nil {
		v = &ast.Variable{Pos: s.variable.Pos, Kind: ast.Local, Syntax: besideSyntax(s)}
		b.beside[s.variable] = v
		if s.root.global {
			v.Kind, v.Name = ast.Global, f.names.fresh("$bare."+s.variable.Name)
			b.variables = append(b.variables, v)
			f.result.Origins.Add("", v, &origin.Variable{Map: s.keys > 0})
		} else {
			v.Name = f.translator.local(f.instance, "$bare."+s.variable.Name)
			f.body.Locals = append(f.body.Locals, v)
			f.result.Origins.Add(f.name, v, &origin.Variable{Map: s.keys > 0})
		}
	}
	return v
}

// besideSyntax is the type of what says that the scalars of a leaf come from objects without values.
func besideSyntax(s *storage) ast.TypeSyntax {
	pos := s.variable.Pos
	if s.keys == 0 {
		return machine.TypeNamed(pos, machine.Bool)
	}
	var syntax ast.TypeSyntax = machine.TypeNamed(pos, byteType.String())
	for range s.keys {
		syntax = machine.MapFrom(pos, machine.Int, syntax)
	}
	return syntax
}

// constantBeside says of all scalars of a leaf that they come from objects without values, or that none does.
func constantBeside(pos chc.Position, s *storage, bare bool) ast.Expr {
	if s.keys == 0 {
		return truthLiteral(pos, bare)
	}
	e := number(pos, truthLiteral(pos, bare))
	for range s.keys {
		e = machine.Constant(pos, machine.Int, e)
	}
	return e
}

// besideOf is what says of a scalar at a place whether its value comes from an object without one, as something that can be assigned.
func (f *function) besideOf(n tree.Node, pl place, s *storage) ast.Expr {
	v := f.besides(s)
	if v == nil {
		return nil
	}
	beside := *s
	beside.variable = v
	return pl.variable(n, &beside)
}

// meetLeaf notes that a scalar is read.
func (f *function) meetLeaf(n tree.Node, pl place, s *storage) {
	if e := f.besideOf(n, pl, s); e != nil {
		if s.keys > 0 {
			e = equal(at(n), byteType.String(), e, machine.Number(at(n), 1))
		}
		f.meet(at(n), e)
	}
}

// shade notes that a scalar is written with a value that comes from an object without one if the condition holds.
func (f *function) shade(n tree.Node, pl place, s *storage, comes ast.Expr) {
	pos, e := at(n), f.besideOf(n, pl, s)
	switch {
	case e != nil && s.keys > 0:
		f.assign(pos, e, number(pos, orNever(pos, comes)))
	case e != nil:
		f.assign(pos, e, orNever(pos, comes))
	case comes != nil && s.root != nil && (s.root.object != nil || s.root.behind):
		f.refuse(n.Pos(), "a value that may come from an object without one, here,")
	}
}

// shadeAll is shade for the scalars of a storage, or the maps that hold them.
func (f *function) shadeAll(pos chc.Position, to *storage, parts []ast.Expr) {
	k := 0
	to.each(func(s *storage) {
		if v := f.besides(s); v != nil {
			e := partOf(parts, k)
			if e == nil {
				e = constantBeside(pos, s, false)
			}
			f.assign(pos, use(v), e)
		}
		k++
	})
}

// besideRegion is the variable that says of what a region holds whether it comes from objects without values; nil if there is none.
func (f *function) besideRegion(r *region.Region) *ast.Variable {
	b := f.bare
	if b == nil || !b.groups[r.Group] {
		return nil
	}
	v := b.regions[r]
	if v == nil {
		var syntax ast.TypeSyntax = machine.TypeNamed(chc.Position{}, byteType.String())
		if !r.Single {
			syntax = machine.MapFrom(chc.Position{}, machine.Ref, syntax)
		}
		v = &ast.Variable{Kind: ast.Global, Name: f.names.fresh("$bare." + f.memory().variable(r).Name), Syntax: syntax}
		b.regions[r] = v
		b.variables = append(b.variables, v)
		f.result.Origins.Add("", v, &origin.Variable{Map: !r.Single})
	}
	return v
}

// besideCells are what says it of the scalar at an address, byte by byte where the region holds bytes.
func (f *function) besideCells(n tree.Node, r *region.Region, pl place) []ast.Expr {
	v := f.besideRegion(r)
	if v == nil {
		return nil
	}
	if r.Single {
		return []ast.Expr{use(v)}
	}
	if f.memory().typeOf(r) != nil {
		return []ast.Expr{f.beside(at(n), v, pl.address)}
	}
	var out []ast.Expr
	for k := range pl.typ.Size() {
		out = append(out, f.beside(at(n), v, sum(at(n), ast.Add, pl.address, machine.Number(at(n), k))))
	}
	return out
}

// meetCell notes that a scalar in memory is read.
func (f *function) meetCell(n tree.Node, r *region.Region, pl place) {
	for _, e := range f.besideCells(n, r, pl) {
		if pl.field != nil {
			f.refuse(n.Pos(), "a bit-field that may have no value")
			return
		}
		f.meet(at(n), equal(at(n), byteType.String(), e, machine.Number(at(n), 1)))
	}
}

// shadeCell notes that a scalar in memory is written.
func (f *function) shadeCell(n tree.Node, r *region.Region, pl place, comes ast.Expr) {
	cells := f.besideCells(n, r, pl)
	if cells == nil && comes != nil {
		f.refuse(n.Pos(), "a value that may come from an object without one, here,")
	}
	for _, e := range cells {
		f.assign(at(n), e, number(at(n), orNever(at(n), comes)))
	}
}

// shadeGroup says that nothing, or everything, that a group's regions hold comes from objects without values.
func (f *function) shadeGroup(pos chc.Position, g *region.Group, bare bool) {
	for _, r := range g.Regions {
		if f.begins && f.memory().variables[r] == nil {
			continue
		}
		f.shadeRegion(pos, r, bare)
	}
}

func (f *function) shadeRegion(pos chc.Position, r *region.Region, bare bool) {
	v := f.besideRegion(r)
	if v == nil {
		return
	}
	e := number(pos, truthLiteral(pos, bare))
	if !r.Single {
		e = machine.Constant(pos, machine.Ref, e)
	}
	f.assign(pos, use(v), e)
}

// carriers are variables that carry from a caller to a function, or back, what says that scalars come from objects without values.
func (f *function) carriers(t tree.Type, name string) []*ast.Variable {
	var out []*ast.Variable
	r := newRoot(nil, t, "", shape{name: func(string) string { return "" }})
	r.each(func(s *storage) {
		v := &ast.Variable{Kind: ast.Global, Name: f.names.fresh("$bare." + name), Syntax: besideSyntax(s)}
		f.bare.variables = append(f.bare.variables, v)
		f.result.Origins.Add("", v, &origin.Variable{Map: s.keys > 0})
		out = append(out, v)
	})
	return out
}

// carried are the carriers of a parameter; none if its value never comes from an object without one.
func (f *function) carried(o *tree.Object) []*ast.Variable {
	if f.bare == nil || f.inMemory(o) && (f.memory().regions == nil || !f.bare.groups[f.memory().regions.GroupOfObject(o)]) || !f.inMemory(o) && !f.bare.objects[o] {
		return nil
	}
	if f.bare.passed[o] == nil {
		f.bare.passed[o] = f.carriers(o.Type, escape(o.Unique))
	}
	return f.bare.passed[o]
}

// returning are the carriers of a function's result; none if that never comes from an object without a value.
func (f *function) returning(fn *tree.Function) []*ast.Variable {
	if f.bare == nil || !f.bare.results[fn] {
		return nil
	}
	if f.bare.returned[fn] == nil {
		f.bare.returned[fn] = f.carriers(fn.Type.Result, fn.Name+".result")
	}
	return f.bare.returned[fn]
}

// carry assigns to carriers.
func (f *function) carry(pos chc.Position, to []*ast.Variable, t tree.Type, parts []ast.Expr) {
	if len(to) == 0 {
		return
	}
	k := 0
	newRoot(nil, t, "", shape{name: func(string) string { return "" }}).each(func(s *storage) {
		e := partOf(parts, k)
		if e == nil {
			e = constantBeside(pos, s, false)
		}
		f.assign(pos, use(to[k]), e)
		k++
	})
}

// arrived notes what a call's result comes from.
func (f *function) arrived(v *tree.Call, fn *tree.Function) {
	carriers := f.returning(fn)
	if carriers == nil {
		return
	}
	if tree.Scalar(fn.Type.Result) {
		f.meet(at(v), use(carriers[0]))
		return
	}
	f.parts = nil
	for _, c := range carriers {
		f.parts = append(f.parts, f.settle(at(v), use(c), c.Syntax))
	}
}

// uses are variables as expressions.
func uses(variables []*ast.Variable) []ast.Expr {
	var out []ast.Expr
	for _, v := range variables {
		out = append(out, use(v))
	}
	return out
}

// takePending is the condition for what is stored now.
func (f *function) takePending() ast.Expr {
	e := f.pending
	f.pending = nil
	return e
}

// handsOver checks what is given to a function that is not of the program, through a pointer.
func (f *function) handsOver(v *tree.Call, parts [][]ast.Expr) {
	for n, a := range v.Arguments {
		if e := partOf(parts[n], 0); e != nil && tree.Scalar(a.Type()) {
			f.check(a, fault.Uninitialised, not(e), "uninitialised")
		}
	}
}

// partsAt are what says of the scalars at a place in a storage that they come from objects without values.
func (f *function) partsAt(n tree.Node, pl place) []ast.Expr {
	if f.bare == nil {
		return nil
	}
	var out []ast.Expr
	pl.storage.each(func(s *storage) {
		v := f.besides(s)
		switch {
		case v == nil:
			out = append(out, nil)
		case s.keys > 0 && len(pl.index) > 0 && below(pl.storage, s) != 1:
			f.refuse(n.Pos(), "an array in a struct in an array, which may have no value")
			out = append(out, nil)
		case s.keys > len(pl.index):
			out = append(out, f.settle(at(n), use(v), v.Syntax))
		default:
			out = append(out, f.from(func() { f.meetLeaf(n, pl, s) }))
		}
	})
	return out
}

// shadeParts notes that the scalars at a place in a storage are written.
func (f *function) shadeParts(n tree.Node, pl place, parts []ast.Expr) {
	k := 0
	pl.storage.each(func(s *storage) {
		comes := partOf(parts, k)
		k++
		v := f.besides(s)
		switch {
		case v == nil && comes == nil:
		case v != nil && s.keys > 0 && len(pl.index) > 0 && below(pl.storage, s) != 1:
			f.refuse(n.Pos(), "an array in a struct in an array, which may have no value")
		case v != nil && s.keys > len(pl.index):
			if comes == nil {
				comes = constantBeside(at(n), s, false)
			}
			f.assign(at(n), use(v), comes)
		default:
			f.shade(n, pl, s, comes)
		}
	})
}

// shadeContents notes that a variable has what an initialiser says.
func (f *function) shadeContents(n tree.Node, c *contents) {
	s, pos := c.storage, at(n)
	v := f.besides(s)
	switch {
	case v == nil:
		for _, comes := range c.comes {
			if comes != nil && s.root.object != nil {
				f.refuse(n.Pos(), "a value that may come from an object without one, here,")
				return
			}
		}
	case s.keys == 0:
		var comes ast.Expr
		for _, e := range c.comes {
			comes = e
		}
		f.assign(pos, use(v), orNever(pos, comes))
	case c.whole != nil && c.comes[0] != nil:
		f.assign(pos, use(v), c.comes[0])
	default:
		f.assign(pos, use(v), constantBeside(pos, s, false))
		for _, i := range c.order {
			if e := c.comes[i]; e != nil {
				f.assign(pos, &ast.Select{Node: ast.Node{Pos: pos}, Map: use(v), Index: []ast.Expr{machine.Number(pos, i)}}, number(pos, e))
			}
		}
	}
}
