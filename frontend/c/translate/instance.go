package translate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/tree"
)

// instance is a procedure for a function whose bound parameters stand for certain objects.
type instance struct {
	function  *tree.Function
	procedure *ast.Procedure
	names     *names // of its variables
	// params has for each parameter its incoming variables: nil for those that are bound or do not matter.
	params []*root
	// bound has what bound parameters stand for.
	bound map[*tree.Object]place
	// slots are the caller's local objects that bound parameters stand for.
	slots []*slot
	// result has the outgoing variables of the function's result.
	result *root
}

// slot is a local object of a caller that is handed in and out.
type slot struct {
	in   []*ast.Variable
	now  *root // what the body works on
	out  bool  // whether it comes out, in now
	from *root // of the caller that the instance was made for: only its shape matters
}

// argument is what a call gives for a bound parameter.
type argument struct {
	param *tree.Object
	place place
}

// instance finds or makes the procedure for a function.
func (t *translator) instance(f *tree.Function, args []argument) *instance {
	var key strings.Builder
	fmt.Fprintf(&key, "%s", f.Name)
	var locals []*root
	slotOf := map[*root]int{}
	for _, a := range args {
		r := a.place.storage.root
		if r.global {
			fmt.Fprintf(&key, " %p%s", r, pathKey(a.place.storage.path()))
		} else {
			if _, ok := slotOf[r]; !ok {
				slotOf[r] = len(locals)
				locals = append(locals, r)
				fmt.Fprintf(&key, " new %s%p", typeKey(r.typ), structOf(r.typ))
			}
			fmt.Fprintf(&key, " slot%d%s", slotOf[r], pathKey(a.place.storage.path()))
		}
		for _, i := range a.place.index {
			if isLiteral(i, 0) {
				key.WriteString(" 0")
			} else {
				key.WriteString(" i")
			}
		}
	}
	if i := t.instances[key.String()]; i != nil {
		return i
	}
	name := t.names.procedure(f.Name)
	i := &instance{
		function: f, names: newNames(), bound: map[*tree.Object]place{},
		procedure: &ast.Procedure{Pos: f.Pos, Name: t.names.fresh("()" + name)},
	}
	i.procedure.Name = strings.TrimPrefix(i.procedure.Name, "()")
	t.instances[key.String()] = i
	t.queue = append(t.queue, i)
	t.result.Origins.Functions[i.procedure.Name] = f
	t.signature(i, args, locals, slotOf)
	t.result.Program.Declarations = append(t.result.Program.Declarations, i.procedure)
	return i
}

func pathKey(path []tree.Step) string {
	var out strings.Builder
	for _, s := range path {
		if s.Field != nil {
			fmt.Fprintf(&out, ".%d", s.Field.Index)
		} else {
			fmt.Fprintf(&out, "[%d]", s.Index)
		}
	}
	return out.String()
}

// typeKey is equal for types that have the same storage, together with structOf.
func typeKey(t tree.Type) string {
	if a, ok := t.(*tree.Array); ok && a.Count != nil {
		return typeKey(a.Elem) + "[]"
	}
	if a, ok := t.(*tree.Array); ok {
		return fmt.Sprintf("%s[%d]", typeKey(a.Elem), a.Len)
	}
	return t.String()
}

func structOf(t tree.Type) *tree.Struct {
	for {
		a, ok := t.(*tree.Array)
		if !ok {
			break
		}
		t = a.Elem
	}
	s, _ := t.(*tree.Struct)
	return s
}

// signature makes the parameters and results of an instance.
func (t *translator) signature(i *instance, args []argument, locals []*root, slotOf map[*root]int) {
	f, p := i.function, i.procedure
	byParam := map[*tree.Object]place{}
	for _, a := range args {
		byParam[a.param] = a.place
	}
	variables := func(kind ast.VariableKind, o *tree.Object, typ tree.Type, name string) *root {
		return newRoot(o, typ, name, shape{kind: kind, pos: f.Pos, name: func(n string) string { return t.local(i, n) }})
	}
	i.params = make([]*root, len(f.Params))
	for n, o := range f.Params {
		if _, ok := byParam[o]; ok || t.hidden(o) {
			continue
		}
		name := escape(o.Unique)
		if t.usage.Written[o] {
			name += "^in"
		}
		i.params[n] = variables(ast.In, o, o.Type, name)
		i.params[n].origins(t.result.Origins, p.Name)
		i.params[n].each(func(s *storage) { p.In = append(p.In, s.variable) })
	}
	if !tree.IsVoid(f.Type.Result) {
		i.result = variables(ast.Out, nil, f.Type.Result, "$result")
		i.result.each(func(s *storage) {
			p.Out = append(p.Out, s.variable)
			t.result.Origins.Add(p.Name, s.variable, &origin.Variable{Path: s.path(), Type: s.typ})
		})
	}
	for range locals {
		i.slots = append(i.slots, &slot{})
	}
	for _, o := range f.Params {
		pl, ok := byParam[o]
		if !ok {
			continue
		}
		here := place{typ: pl.typ, storage: pl.storage}
		if r := pl.storage.root; !r.global {
			s := i.slots[slotOf[r]]
			if s.now == nil {
				s.from = r
				s.now = variables(ast.Local, o, r.typ, escape(o.Unique)+"^")
				s.now.behind = true
				s.now.origins(t.result.Origins, p.Name)
				begin := pl.begins()
				s.now.each(func(st *storage) {
					origin := t.result.Origins.Variables[st.variable]
					origin.Begin, origin.Whole = begin, r.typ
					v := &ast.Variable{Pos: st.variable.Pos, Kind: ast.In, Name: t.local(i, st.name+"in"), Syntax: st.variable.Syntax}
					t.result.Origins.Add(p.Name, v, t.result.Origins.Variables[st.variable])
					s.in = append(s.in, v)
				})
			}
			s.out = s.out || t.bound.Writes[o]
			here.storage = s.now.follow(pl.storage.path())
		}
		for n, index := range pl.index {
			if isLiteral(index, 0) {
				here.index = append(here.index, machine.Number(f.Pos, 0))
				continue
			}
			v := &ast.Variable{
				Pos: o.Pos, Kind: ast.In, Name: t.local(i, fmt.Sprintf("%s^at%d", escape(o.Unique), n)),
				Syntax: machine.TypeNamed(o.Pos, machine.Int),
			}
			p.In = append(p.In, v)
			here.index = append(here.index, use(v))
		}
		i.bound[o] = here
	}
	for _, s := range i.slots {
		p.In = append(p.In, s.in...)
		if s.out {
			s.now.each(func(st *storage) {
				st.variable.Kind = ast.Out
				p.Out = append(p.Out, st.variable)
			})
		} else {
			n := 0
			s.now.each(func(st *storage) {
				st.variable = s.in[n]
				n++
			})
		}
	}
}

// begins tells whether a place is at the beginning of its object, but for being in arrays.
func (p place) begins() bool {
	for s := p.storage; s.parent != nil; s = s.parent {
		if s.step.Field != nil || s.parent.parts != nil && s.step.Index != 0 {
			return false
		}
	}
	return !slices.ContainsFunc(p.index, func(e ast.Expr) bool { return !isLiteral(e, 0) })
}

// local is a name that no other variable of the procedure and no global has.
func (t *translator) local(i *instance, name string) string {
	for {
		candidate := i.names.fresh(name)
		if !t.names.taken[candidate] {
			return candidate
		}
	}
}

// hidden tells whether an object's value does not matter, so that it has no storage.
func (t *translator) hidden(o *tree.Object) bool {
	return !t.options.Faults.Has(fault.Dereference, fault.Uninitialised) && !t.usage.Read[o] && !t.bound.Escapes[o] && !t.bound.Params[o]
}

// names makes Boogie identifiers. C's names have letters, digits, _ and $; what is made here and has no name in C begins
// with $, so that C's own $ become '.
type names struct {
	taken  map[string]bool
	number map[string]int
}

func newNames() *names { return &names{taken: map[string]bool{}, number: map[string]int{}} }

// escape makes an identifier of a name of C's.
func escape(name string) string {
	if name == "" {
		return "literal"
	}
	var out strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9' && i > 0, c == '_', c == '.', c == '#', c == '~', c == '^':
			out.WriteByte(c)
		case c == '$':
			out.WriteByte('\'')
		default:
			out.WriteString("#" + strconv.FormatInt(int64(c), 16))
		}
	}
	return out.String()
}

// fresh is the name, with a number if it is taken.
func (n *names) fresh(name string) string {
	for candidate := name; ; {
		if !n.taken[candidate] {
			n.taken[candidate] = true
			return candidate
		}
		n.number[name]++
		candidate = name + "#" + strconv.Itoa(n.number[name])
	}
}

// reserved are names of procedures that mean something to those who work on Boogie programs.
var reserved = map[string]bool{"reach_error": true, "__VERIFIER_error": true, "ULTIMATE.start": true}

// procedure is a name for a procedure.
func (n *names) procedure(name string) string {
	name = escape(name)
	if reserved[name] {
		name += "'"
	}
	return name
}
