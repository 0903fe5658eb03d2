package region

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
)

// analysis collects the constraints of a program.
type analysis struct {
	graph
	program   *tree.Program
	objects   map[*tree.Object]cell
	functions map[*tree.Function]*signature
	// sites are the objects that calls make.
	sites map[*tree.Call]cell
	// anywhere is what an address that is made of an integer leads to, and all whose addresses become integers.
	anywhere cell
	// taken are the functions whose addresses are used.
	taken []*tree.Function
	// given is where pointers lead that functions without bodies are given, returned where those lead that these return, and
	// handed where all lead that they hand out.
	given, returned []cell
	handed          cell
	// opened are the calls of functions that are not there, or of whose writing not all is known.
	opened   []*opened
	isOpened map[*tree.Call]bool
	// shared are the objects of the library, by what Function.Shares calls them.
	shared map[string]cell
	// undefined are the sites of calls of functions without bodies.
	undefined []cell
	// indirect are the calls through pointers that were seen, and bound the functions that each of them may reach: each is bound once,
	// since the call of one without a body opens the call anew each time.
	indirect []*tree.Call
	bound    map[*tree.Call]map[*tree.Function]bool
	places   map[tree.Place]cell
	values   map[tree.Value]cell
	code     map[*tree.Function]cell
	current  *tree.Function
	// asIs are the conversions of arguments of functions that go by what is in memory.
	asIs map[*tree.Convert]bool
}

// signature is where a function's parameters and result are. What a pointer parameter leads to is the link of its cell.
type signature struct{ result cell }

// Analyse analyses the functions given, which are those that a run may reach, and the initialisers of all globals. What the
// parameters of the entry lead to is not the program's; without one there is none.
func Analyse(ctx context.Context, p *tree.Program, functions []*tree.Function, entry *tree.Function) (*Regions, error) {
	a := &analysis{
		program: p, objects: map[*tree.Object]cell{}, functions: map[*tree.Function]*signature{}, sites: map[*tree.Call]cell{},
		places: map[tree.Place]cell{}, values: map[tree.Value]cell{}, code: map[*tree.Function]cell{},
		asIs: map[*tree.Convert]bool{}, isOpened: map[*tree.Call]bool{}, shared: map[string]cell{},
		bound: map[*tree.Call]map[*tree.Function]bool{},
	}
	for _, o := range p.Globals {
		a.initialise(a.object(o), o.Init)
		if o.External {
			a.object(o).find().node.unknown = true
		}
	}
	for _, f := range functions {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("analyse memory: %w", err)
		}
		if f.Body != nil {
			a.current = f
			a.statement(f.Body)
		}
	}
	a.calls()
	a.punned(functions)
	a.fromOutside(entry)
	r := a.regions(functions)
	a.findOpaque(r)
	return r, nil
}

// punned finds pointers whose bytes are accessed as something else, too: such a pointer may be made of an integer, and its
// bytes may become one.
func (a *analysis) punned(functions []*tree.Function) {
	for changed := true; changed; {
		r := a.regions(functions)
		changed = false
		for _, n := range a.nodes {
			if n.parent != nil {
				continue
			}
			for _, offset := range sortedKeys(n.accesses) {
				at := cell{n, offset}
				region := r.byCell[at]
				if region == nil || !region.Mixed || !slices.ContainsFunc(region.Types, tree.IsPointer) ||
					!slices.ContainsFunc(region.Types, func(t tree.Type) bool { return !tree.IsPointer(t) }) || !slices.ContainsFunc(n.accesses[offset], tree.IsPointer) {
					continue
				}
				if to := a.link(at); to.node != a.unknown().node {
					a.unify(a.unknown(), to)
					changed = true
					break
				}
			}
		}
		if changed {
			a.calls()
		}
	}
}

// calls binds the calls through pointers and unifies what comes from functions that are not there, until neither changes
// anything.
func (a *analysis) calls() {
	for before := -1; before != a.unions; {
		before = a.unions
		a.indirectCalls()
		a.openIndirect()
		a.outside()
	}
}

// fromOutside marks what is not the program's: external objects, what pointers in them lead to, what the entry's parameters
// lead to, and what functions without bodies return.
func (a *analysis) fromOutside(entry *tree.Function) {
	var work []*node
	mark := func(c cell) {
		if c = c.find(); !c.nowhere() && !c.node.outside {
			c.node.outside = true
			work = append(work, c.node)
		}
	}
	links := func(n *node) {
		for _, offset := range sortedKeys(n.links) {
			mark(n.links[offset])
		}
	}
	for _, o := range a.program.Globals {
		if c, ok := a.objects[o]; ok && o.External {
			mark(c)
		}
	}
	if entry != nil {
		for _, o := range entry.Params {
			if c, ok := a.objects[o]; ok {
				links(c.find().node)
			}
		}
	}
	if entry != nil {
		for _, o := range entry.Locals {
			if c, ok := a.objects[o]; ok && o.Given {
				links(c.find().node)
			}
		}
	}
	for _, c := range a.undefined {
		links(c.find().node)
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		links(n)
	}
}

// object is where an object is.
func (a *analysis) object(o *tree.Object) cell {
	c, ok := a.objects[o]
	if !ok {
		c = a.fresh()
		c.node.objects = []placed{{o, 0}}
		a.objects[o] = c
		a.foldArrays(c, o.Type)
	}
	return c.find()
}

// foldArrays folds the arrays of a type: all elements of an array are one in the graph.
func (a *analysis) foldArrays(c cell, t tree.Type) {
	switch t := t.(type) {
	case *tree.Array:
		a.foldArray(c, t)
		a.foldArrays(c, t.Elem)
	case *tree.Struct:
		for _, f := range t.Fields {
			a.foldArrays(c.at(f.Offset), f.Type)
		}
	}
}

// foldArray folds one array; of nested ones the elements of the inner ones count.
func (a *analysis) foldArray(c cell, t *tree.Array) {
	elem := t.Elem
	for {
		inner, ok := elem.(*tree.Array)
		if !ok {
			break
		}
		elem = inner.Elem
	}
	size := elem.Size()
	if size == 0 {
		return
	}
	c = c.find()
	if t.Size() == 0 {
		a.fold(c.node, fold{lowest, highest, size})
		return
	}
	a.fold(c.node, fold{c.offset, c.offset + t.Size(), size})
}

func (a *analysis) signature(f *tree.Function) *signature {
	s, ok := a.functions[f]
	if !ok {
		s = &signature{result: a.fresh()}
		a.functions[f] = s
	}
	return s
}

func (a *analysis) unknown() cell {
	if a.anywhere.nowhere() {
		a.anywhere = a.fresh()
		a.anywhere.node.unknown = true
		a.graph.fold(a.anywhere.node, fold{lowest, highest, 1})
	}
	return a.anywhere.find()
}

// initialise is what an initialiser assigns.
func (a *analysis) initialise(at cell, init []tree.Initial) {
	for _, i := range init {
		if i.Value == nil {
			continue
		}
		a.accessByteFields(at.at(i.Offset), i.Field)
		a.store(at.at(i.Offset), i.Type, i.Value)
	}
}

func (a *analysis) statement(s tree.Statement) {
	tree.Inspect(s, func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Declare:
			at := a.object(n.Object)
			a.initialise(at, n.Init)
			if v, ok := n.Object.Type.(*tree.Array); ok && v.Count != nil {
				a.value(v.Count)
			}
			return false
		case *tree.Return:
			if n.Value != nil {
				a.store(a.signature(a.current).result, n.Value.Type(), n.Value)
			}
			return false
		case *tree.Assembly:
			for _, o := range n.Outputs {
				a.access(a.place(o), o.Type())
			}
			return true
		case tree.Value:
			a.value(n)
			return false
		case tree.Place:
			a.place(n)
			return false
		}
		return true
	})
}

// store is the assignment of a value of a type to a place.
func (a *analysis) store(to cell, t tree.Type, v tree.Value) {
	from := a.value(v)
	a.assign(to, t, from)
}

// assign makes what is stored at a cell lead where the value leads; of a struct, from is where it is copied from.
func (a *analysis) assign(to cell, t tree.Type, from cell) {
	a.access(to, t)
	switch t := t.(type) {
	case *tree.Pointer:
		if !from.nowhere() {
			a.unify(a.link(to), from)
		}
	case *tree.Struct:
		if !from.nowhere() {
			a.copy(to, from, t)
		}
	}
}

// copy is the copy of a value with parts.
func (a *analysis) copy(to, from cell, t tree.Type) {
	a.foldArrays(to, t)
	a.foldArrays(from, t)
	eachPart(t, func(offset int64, t tree.Type) {
		access(to.at(offset), t)
		access(from.at(offset), t)
	})
	eachScalar(t, 0, func(offset int64, t tree.Type) {
		if _, ok := t.(*tree.Pointer); ok {
			a.unify(a.link(to.at(offset)), a.link(from.at(offset)))
		}
	})
}

// eachPart calls f for the scalars that a copy of a value of the type reads and writes; of an array for those of the first
// element. Where fields overlap these are bytes; rows of bytes that are too long to be copied are left out.
func eachPart(t tree.Type, f func(int64, tree.Type)) {
	if !tree.Overlapping(t) {
		eachScalar(t, 0, f)
		return
	}
	if a, ok := t.(*tree.Array); ok {
		eachPart(a.Elem, f)
		return
	}
	for _, p := range tree.Partition(t) {
		if p.Count == 1 || p.Stride != 1 {
			f(p.Offset, p.Type)
		}
	}
}

// eachScalar calls f for the scalars that a type is made of; of an array for those of the first element.
func eachScalar(t tree.Type, offset int64, f func(int64, tree.Type)) {
	switch t := t.(type) {
	case *tree.Array:
		eachScalar(t.Elem, offset, f)
	case *tree.Struct:
		for _, field := range t.Fields {
			if field.Straddles() {
				for _, p := range field.ByteFields() {
					f(offset+p.Offset, p.Type)
				}
				continue
			}
			eachScalar(field.Type, offset+field.Offset, f)
		}
	case *tree.Void, *tree.FunctionType:
	default:
		f(offset, t)
	}
}

func (a *analysis) access(c cell, t tree.Type) {
	if c.nowhere() {
		return
	}
	a.foldArrays(c, t)
	eachPart(t, func(offset int64, t tree.Type) { access(c.at(offset), t) })
}

// accessByteFields says that the program accesses the bytes of a bit-field that reaches beyond its unit, which begins at the cell.
func (a *analysis) accessByteFields(unit cell, f *tree.Field) {
	if f == nil || !f.Straddles() || unit.nowhere() {
		return
	}
	for _, p := range f.ByteFields() {
		access(unit.at(p.Offset-f.Offset), p.Type)
	}
}

// indirectCalls binds calls through pointers to all functions that they may reach, until there are no new ones.
func (a *analysis) indirectCalls() {
	// A pointer that nothing is assigned to may hold any function's address: that is seen when all else is.
	for changed, unassigned := true, false; changed || !unassigned; {
		if !changed {
			unassigned = true
		}
		changed = false
		for _, call := range a.indirect {
			target := a.value(call.Callee).find()
			if target.nowhere() {
				continue
			}
			for _, f := range a.taken {
				if a.bound[call][f] || !tree.Compatible(f.Type, call) {
					continue
				}
				if n := target.node; !n.unknown && !contains(n.functions, f) && !(unassigned && n.unassigned()) {
					continue
				}
				if a.bound[call] == nil {
					a.bound[call] = map[*tree.Function]bool{}
				}
				a.bound[call][f] = true
				changed = true
				a.bind(call, f)
			}
		}
	}
}

func contains(fs []*tree.Function, f *tree.Function) bool {
	for _, g := range fs {
		if f == g {
			return true
		}
	}
	return false
}

// bind is the call of a function with a body, or of one without.
func (a *analysis) bind(call *tree.Call, f *tree.Function) {
	if f.Body == nil {
		a.external(call, f)
		return
	}
	for i, v := range call.Arguments {
		if i < len(f.Params) {
			a.store(a.object(f.Params[i]), f.Params[i].Type, v)
		}
	}
	result := a.signature(f).result
	a.assign(a.site(call), call.T, a.content(result, call.T))
}

// content is what a value of the type that is held at a cell leads to.
func (a *analysis) content(at cell, t tree.Type) cell {
	switch t.(type) {
	case *tree.Pointer:
		return a.link(at)
	case *tree.Struct:
		return at
	}
	return cell{}
}

// site is where the result of a call is held.
func (a *analysis) site(call *tree.Call) cell {
	c, ok := a.sites[call]
	if !ok {
		c = a.fresh()
		a.sites[call] = c
	}
	return c
}

// external is the call of a function without a body.
func (a *analysis) external(call *tree.Call, f *tree.Function) {
	known := lib.Lookup(f.Name, false)
	argument := func(i int) cell {
		if i < len(call.Arguments) {
			return a.value(call.Arguments[i])
		}
		return cell{}
	}
	switch known.Kind {
	case lib.Allocate:
		target := a.link(a.site(call))
		target.node.heap = true
		if known.Name == "realloc" || known.Name == "reallocarray" {
			a.unify(target, argument(0))
		}
	case lib.Memory:
		a.memory(call, known.Name, argument)
	case lib.Expect:
		a.assign(a.site(call), call.T, argument(0))
	case lib.Ordinary, lib.Input, lib.Unmodelled, lib.System:
		a.open(call, f.Type, known)
	default:
		a.undefined = append(a.undefined, a.site(call))
		if _, ok := call.T.(*tree.Pointer); ok {
			a.link(a.site(call)).find().node.heap = true
		}
	}
}

// memory is the call of a function that copies or fills memory. Those that copy make what is copied and the copy alike; those
// that return a pointer return one into their first argument.
func (a *analysis) memory(call *tree.Call, name string, argument func(int) cell) {
	switch name {
	case "memcpy", "memmove", "mempcpy", "bcopy":
		a.unify(argument(0), argument(1))
	}
	for i, v := range call.Arguments {
		p, ok := v.Type().(*tree.Pointer)
		if !ok || argument(i).nowhere() {
			continue
		}
		c := argument(i)
		if _, ok := p.Elem.(*tree.Integer); ok && p.Elem.Size() == 1 {
			// Strings are read and written by their characters.
			a.graph.fold(c.find().node, fold{lowest, highest, 1})
			access(c, a.program.Char)
		}
	}
	if _, ok := call.T.(*tree.Pointer); ok {
		a.assign(a.site(call), call.T, argument(0))
	}
}
