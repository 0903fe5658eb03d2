package translate

import (
	"fmt"
	"slices"
	"strconv"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/tree"
)

// storage holds an object, or a part of it: in a variable if it is a scalar, else in the storages of its parts. What is
// in an array that has no variable for each element has maps for variables, which all elements share.
type storage struct {
	typ    tree.Type
	name   string
	parent *storage
	// variable holds a scalar, or, within arrays, all the scalars there, by the number of the element.
	variable *ast.Variable
	// fields are those of a struct, parts the elements of an array that is taken apart, elem the elements of one that is not.
	fields []*storage
	parts  []*storage
	elem   *storage
	// bytes are the parts of a value whose fields overlap, which has no storages for its fields.
	bytes []*storage
	// step leads from parent to it.
	step tree.Step
	// keys is how many indices the maps within have.
	keys int
	// root is the storage of the whole object.
	root *root
}

// root is the storage of a whole object.
type root struct {
	*storage
	object *tree.Object
	// behind says that the object is a pointer parameter, and the storage is that of what it points to.
	behind bool
	// global says that every procedure sees the variables.
	global bool
}

// shape says how a storage is made.
type shape struct {
	kind    ast.VariableKind
	explode bool
	pos     chc.Position
	name    func(string) string
}

// newRoot makes the storage of an object of the type. Its variables are named after it.
func newRoot(o *tree.Object, t tree.Type, name string, s shape) *root {
	r := &root{object: o}
	r.storage = r.build(t, nil, name, 0, s)
	return r
}

func (r *root) build(t tree.Type, parent *storage, name string, keys int, s shape) *storage {
	st := &storage{typ: t, name: name, parent: parent, keys: keys, root: r}
	if tree.Overlapping(t) {
		r.partition(st, s)
		return st
	}
	switch t := t.(type) {
	case *tree.Struct:
		for i, f := range t.Fields {
			field := f.Name
			if field == "" {
				field = "#" + strconv.Itoa(i)
			}
			part := r.build(f.Type, st, name+"."+escape(field), keys, s)
			part.step = tree.Step{Field: f}
			st.fields = append(st.fields, part)
		}
	case *tree.Array:
		if s.explode {
			for i := range t.Len {
				part := r.build(t.Elem, st, name+"."+strconv.FormatInt(i, 10), keys, s)
				part.step = tree.Step{Index: i}
				st.parts = append(st.parts, part)
			}
			break
		}
		if keys == 0 || t.Len < 0 {
			keys++
		}
		st.elem = r.build(t.Elem, st, name, keys, s)
		st.elem.step = tree.Step{Index: t.Len}
	default:
		var syntax ast.TypeSyntax = machine.TypeNamed(s.pos, scalarName(t))
		for range keys {
			syntax = machine.MapFrom(s.pos, machine.Int, syntax)
		}
		st.variable = &ast.Variable{Pos: s.pos, Kind: s.kind, Name: s.name(name), Syntax: syntax}
	}
	return st
}

// partition makes the storages of the parts of a value whose fields overlap. They hold it on its way from one place in memory
// to another; there is none for a field.
func (r *root) partition(st *storage, s shape) {
	for _, p := range tree.Partition(st.typ) {
		t := p.Type
		if p.Count != 1 {
			t = &tree.Array{Elem: p.Type, Len: p.Count}
		}
		part := r.build(t, st, st.name+".@"+strconv.FormatInt(p.Offset, 10), st.keys, s)
		f := tree.Field{Type: t, Offset: p.Offset}
		if p.Field != nil {
			f.Bits, f.Shift = p.Field.Bits, p.Field.Shift
		}
		part.step = tree.Step{Field: &f}
		st.bytes = append(st.bytes, part)
	}
}

// each calls f for the storages of scalars, in order.
func (s *storage) each(f func(*storage)) {
	switch {
	case s.variable != nil:
		f(s)
	case s.elem != nil:
		s.elem.each(f)
	default:
		for _, p := range s.fields {
			p.each(f)
		}
		for _, p := range s.parts {
			p.each(f)
		}
		for _, p := range s.bytes {
			p.each(f)
		}
	}
}

// uses are the variables of the scalars, in order.
func (s *storage) uses() []ast.Expr {
	var out []ast.Expr
	s.each(func(leaf *storage) { out = append(out, use(leaf.variable)) })
	return out
}

// uses are variables as expressions.
func uses(variables []*ast.Variable) []ast.Expr {
	var out []ast.Expr
	for _, v := range variables {
		out = append(out, use(v))
	}
	return out
}

// path leads from the object to the storage.
func (s *storage) path() []tree.Step {
	if s.parent == nil {
		return nil
	}
	return append(s.parent.path(), s.step)
}

// follow is the storage at the end of a path below s.
func (s *storage) follow(path []tree.Step) *storage {
	for _, p := range path {
		switch {
		case p.Field != nil:
			s = s.fields[p.Field.Index]
		case s.elem != nil:
			s = s.elem
		default:
			s = s.parts[p.Index]
		}
	}
	return s
}

// origins notes in the source what the variables hold.
func (s *storage) origins(source *origin.Map, procedure string) {
	s.each(func(leaf *storage) {
		source.Add(procedure, leaf.variable, &origin.Variable{
			Object: s.root.object, Path: leaf.path(), Type: leaf.typ, Behind: s.root.behind, Map: leaf.keys > 0,
		})
	})
}

// scalarName is the name of the dialect's type for a scalar type of C.
func scalarName(t tree.Type) string {
	switch t := t.(type) {
	case *tree.Integer:
		return machineType(t).String()
	case *tree.Float:
		if format, ok := FormatOf(t); ok {
			return format.Word.String()
		}
		return machine.Float
	}
	return machine.Ref
}

// machineType is the dialect's type for an integer type of C.
func machineType(t *tree.Integer) machine.Type {
	return machine.Type{Bits: t.Bits, Signed: t.Signed && !t.Bool}
}

// storage is the storage of an object that lives as long as the program; nil if its value does not matter.
func (t *translator) storage(o *tree.Object) *root {
	if s := t.storages[o]; s != nil {
		return s.root
	}
	r := newRoot(o, o.Type, escape(o.Unique), shape{
		kind: ast.Global, explode: t.usage.Exploded[o], pos: o.Pos, name: t.names.fresh,
	})
	r.global = true
	t.storages[o] = r.storage
	t.globals = append(t.globals, o)
	r.origins(t.result.Origins, "")
	return r
}

// Track says what a translation keeps of a program's state. What it leaves out has any value wherever it is read, so that the
// translation has more runs than the program.
type Track uint8

// What is kept.
const (
	// TrackMemory keeps everything.
	TrackMemory Track = iota
	// TrackPointers keeps scalars that no pointer leads to, addresses among them, and nothing of what arrays and memory
	// behind pointers hold.
	TrackPointers
	// TrackRegisters keeps numbers only: the values of pointers are open as well.
	TrackRegisters
)

// Tracks are the names of what is kept, in the order of their values, as options have them.
var Tracks = []string{"mem", "ptr", "reg"}

func (t Track) String() string { return Tracks[t] }

// ParseTrack finds what is kept by its name.
func ParseTrack(name string) (Track, error) {
	for i, n := range Tracks {
		if n == name {
			return Track(i), nil
		}
	}
	return 0, fmt.Errorf("there is no level of tracking %s", name)
}

// untracked tells whether a storage is not kept: elements of arrays.
func (f *function) untracked(s *storage) bool { return f.options.Track != TrackMemory && s.keys > 0 }

// openType tells whether a value of the type is not kept wherever it is.
func (f *function) openType(t tree.Type) bool {
	return f.options.Track == TrackRegisters && tree.IsPointer(t)
}

// leaf is a scalar at a place in a storage, if it is kept, or else any value.
func (f *function) leaf(n tree.Node, pl place, s *storage) ast.Expr {
	if f.untracked(s) || f.openType(s.typ) {
		return f.unknown(n, origin.Unspecified, s.typ)
	}
	f.meetLeaf(n, pl, s)
	return pl.variable(n, s)
}

// outlives tells whether an automatic object exists until the program ends: that of the entry's outermost block.
func (t *translator) outlives(o *tree.Object) bool {
	entry := t.program.Function(t.options.Entry)
	return o.Function == entry && (o.Storage == tree.Parameter || slices.ContainsFunc(entry.Body.Statements, func(s tree.Statement) bool {
		d, ok := s.(*tree.Declare)
		return ok && d.Object == o
	}))
}

// scope is a block that is being translated, with the objects in memory that it has declared so far.
type scope struct {
	block   tree.Statement
	objects []*tree.Object
}

// scoped translates a statement that is a scope of its own.
func (f *function) scoped(s tree.Statement, do func()) {
	f.scopes = append(f.scopes, &scope{block: s})
	do()
	if f.falls() {
		f.endScopes(s, len(f.scopes)-1)
	}
	f.scopes = f.scopes[:len(f.scopes)-1]
}

// exists notes that an automatic object in memory begins to exist.
func (f *function) exists(n tree.Node, o *tree.Object) {
	if !f.checksMemory() {
		return
	}
	if len(f.scopes) > 0 {
		in := f.scopes[len(f.scopes)-1]
		if !slices.Contains(in.objects, o) {
			in.objects = append(in.objects, o)
		}
	}
	if v := f.aliveOf(o); v != nil && f.memory().once(o) {
		f.assign(at(n), use(v), machine.Number(at(n), 1))
	}
}

// endScopes ends the objects of all scopes from a depth on.
func (f *function) endScopes(n tree.Node, depth int) {
	if !f.checksMemory() {
		return
	}
	pos := at(n)
	for _, in := range f.scopes[min(depth, len(f.scopes)):] {
		for _, o := range in.objects {
			if f.memory().once(o) {
				if v := f.aliveOf(o); v != nil {
					f.assign(pos, use(v), machine.Number(pos, 0))
				}
				continue
			}
			s := f.safety()
			f.add(&ast.If{
				Pos: pos, Guard: both(pos, equal(pos, machine.Ref, use(s.tracked), f.addressOf(n, o)), not(isNull(pos, use(s.tracked)))),
				Then: f.within(func() { f.assign(pos, use(s.state), machine.Number(pos, ended)) }),
			})
		}
	}
}

// depthOf is how many of the scopes a jump to a label stays in, or one out of a statement or, with again set, to its next turn.
func (f *function) depthOf(target tree.Statement, again bool) int {
	for k := len(f.scopes) - 1; k >= 0; k-- {
		in := f.scopes[k].block
		if in == target && !again {
			return k
		}
		inside := false
		tree.Inspect(in, func(n tree.Node) bool {
			inside = inside || n == tree.Node(target)
			return !inside
		})
		if inside {
			return k + 1
		}
	}
	return len(f.scopes)
}
