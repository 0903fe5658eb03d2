package read

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/source"
	"hornbeam/frontend/c/tree"
)

// functionState is the function whose body is being read.
type functionState struct {
	*tree.Function
	labels map[string]*tree.Label
	// local has the keys in labels of those that the blocks around declare by __label__, innermost last.
	local       []map[string]string
	localLabels int
	gotos       []*pendingGoto
	breaks      []tree.Statement // what break leaves, innermost last
	loops       []tree.Statement // what continue goes on with
	switches    []*openSwitch
	// kept are declarations of the lengths that types in expressions have: they stand where the function begins.
	kept []tree.Statement
}

// automatic makes a local variable of the function that is being read.
func (r *reader) automatic(name string, t tree.Type, pos tree.Pos) *tree.Object {
	o := &tree.Object{Name: name, Type: t, Storage: tree.Automatic, Function: r.function.Function, Pos: pos}
	r.function.Locals = append(r.function.Locals, o)
	return o
}

// linked gives the object with linkage that a name has, and makes it at its first declaration.
func (r *reader) linked(name string, q qualified, pos tree.Pos) *tree.Object {
	o := r.globals[name]
	if o == nil {
		if r.functions[name] != nil {
			r.Fail(pos, "%s is a function%s", name, elsewhere(r.functions[name].Pos, pos))
		}
		o = &tree.Object{Name: name, Type: q.Type, Storage: tree.Global, Pos: pos, External: true, Const: q.constant, Volatile: q.volatile}
		r.globals[name] = o
		r.mentioned = append(r.mentioned, o)
		return o
	}
	if !compatible(o.Type, q.Type) && !tree.Same(o.Type, q.Type) {
		r.Fail(pos, "%s is declared as %s, but was %s%s", name, q.Type, o.Type, elsewhere(o.Pos, pos))
	}
	if !complete(o.Type) && complete(q.Type) {
		o.Type = q.Type
	}
	o.Volatile = o.Volatile || q.volatile
	o.Const = o.Const && q.constant
	return o
}

// functionNamed gives the function of a name, and makes it at its first declaration.
func (r *reader) functionNamed(name string, t *tree.FunctionType, pos tree.Pos) *tree.Function {
	f := r.functions[name]
	if f == nil {
		if r.globals[name] != nil {
			r.Fail(pos, "%s is an object%s", name, elsewhere(r.globals[name].Pos, pos))
		}
		f = &tree.Function{Name: name, Type: t, Pos: pos}
		r.functions[name] = f
		r.out.Functions = append(r.out.Functions, f)
		return f
	}
	if f.Implicit && f.Body == nil {
		f.Implicit, f.Type = false, t
		return f
	}
	if strings.HasPrefix(f.Pos.File, source.Headers) && f.Body == nil {
		// The program knows the header that it was written for.
		f.Type, f.Pos = t, pos
		return f
	}
	if !compatible(f.Type, t) && !agree(f.Type, t) {
		r.Fail(pos, "%s is declared as %s, but was %s%s", name, t, f.Type, elsewhere(f.Pos, pos))
	}
	if f.Type.Unspecified && !t.Unspecified && f.Body == nil {
		f.Type = t
	}
	return f
}

// agree tells whether calls by one type do the same as by the other: gcc refuses two such declarations, but they come from
// headers and programs that were written for different ones.
func agree(a, b *tree.FunctionType) bool {
	if a.Unspecified || b.Unspecified {
		return sameClass(a.Result, b.Result)
	}
	if len(a.Params) != len(b.Params) || !sameClass(a.Result, b.Result) {
		return false
	}
	for i := range a.Params {
		if !sameClass(a.Params[i], b.Params[i]) {
			return false
		}
	}
	return true
}

// sameClass tells whether values of the types are passed alike.
func sameClass(a, b tree.Type) bool { return tree.Same(a, b) || tree.IsPointer(a) && tree.IsPointer(b) }

// stringObject is the object of a string literal: equal ones share it.
func (r *reader) stringObject(contents []byte, elem *tree.Integer, pos tree.Pos) *tree.Object {
	key := elem.Name + ":" + string(contents)
	o := r.literals[key]
	if o == nil {
		size := elem.Size()
		t := &tree.Array{Elem: elem, Len: int64(len(contents)) / size}
		o = &tree.Object{Type: t, Storage: tree.Literal, Pos: pos, Const: true}
		o.Init = stringInitial(contents, elem)
		r.literals[key], r.strings[o] = o, true
		r.mentioned = append(r.mentioned, o)
	}
	return o
}

// symbolOf is the symbol that an asm label or the attribute alias gives a declaration; empty if its name is the symbol.
func symbolOf(n *cc.InitDeclarator, s specifiers) string {
	if s.alias != "" {
		return s.alias
	}
	if n.Asm == nil {
		return ""
	}
	return strings.Trim(n.Asm.Token3.SrcStr(), `"`)
}

// nameSymbol notes the symbol of an object.
func (r *reader) nameSymbol(o *tree.Object, n *cc.InitDeclarator, s specifiers) {
	if symbol := symbolOf(n, s); symbol != "" {
		r.objectSymbols[o] = symbol
	}
}

// link makes one function or object of those that have one symbol, as the linker does.
func (r *reader) link() {
	if len(r.functionSymbols) == 0 && len(r.objectSymbols) == 0 {
		return
	}
	functions := representatives(r.out.Functions, r.functionSymbols,
		func(f *tree.Function) string { return f.Name },
		func(f *tree.Function) bool { return f.Body != nil },
		func(f *tree.Function) { r.Fail(f.Pos, "the symbol of %s is defined twice", f.Name) })
	var globals []*tree.Object
	for _, o := range r.mentioned {
		if o.Storage == tree.Global {
			globals = append(globals, o)
		}
	}
	objects := representatives(globals, r.objectSymbols,
		func(o *tree.Object) string {
			if r.isInternal(o) {
				return o.Name + " of " + r.linkage.files[o]
			}
			return o.Name
		},
		func(o *tree.Object) bool { return r.defined[o] },
		func(o *tree.Object) { r.Fail(o.Pos, "the symbol of %s is defined twice", o.Name) })
	for o, to := range objects {
		if !tree.Same(o.Type, to.Type) {
			r.Unsupported(o.Pos, "another type for the object of the symbol %s", to.Name)
		}
		to.Const, to.Volatile, to.Weak = to.Const && o.Const, to.Volatile || o.Volatile, to.Weak || o.Weak
	}
	for f, to := range functions {
		to.Weak = to.Weak || f.Weak
	}
	r.inspect(func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Call:
			if to := functions[n.Function]; to != nil {
				n.Function = to
			}
		case *tree.FunctionAddress:
			if to := functions[n.Function]; to != nil {
				n.Function = to
			}
		case *tree.Use:
			if to := objects[n.Object]; to != nil {
				n.Object = to
			}
		}
		return true
	})
	r.out.Functions = slices.DeleteFunc(r.out.Functions, func(f *tree.Function) bool { return functions[f] != nil })
	r.mentioned = slices.DeleteFunc(r.mentioned, func(o *tree.Object) bool { return objects[o] != nil })
	for _, f := range r.out.Functions {
		if symbol := r.functionSymbols[f]; symbol != "" && !variant(f, symbol) {
			f.Name = symbol
		}
		r.functions[f.Name] = f
	}
}

// weakSymbol is a function or an object that is declared weak, as far as the program uses its address.
type weakSymbol struct {
	// linked is whether something outside of the program defines it: an object that begins with any value, with a name that no object
	// of C has.
	linked *tree.Object
	// addresses are null unless linked holds; refused are those of them that static objects begin with, and those of elements.
	addresses, refused []*tree.Conditional
}

// linkedAddress is the address of a function, or of an object or a part of one. That of one that is declared weak is null if nothing
// defines it.
func (r *reader) linkedAddress(address tree.Value) tree.Value {
	name, pos, weak, offset, known := "", tree.Pos{}, false, new(big.Int), true
	switch a := address.(type) {
	case *tree.FunctionAddress:
		name, pos, weak = a.Function.Name, a.Function.Pos, a.Function.Weak
	case *tree.Address:
		if u, ok := tree.Root(a.Place).(*tree.Use); ok && u.Object.Storage == tree.Global {
			name, pos, weak = u.Object.Name, u.Object.Pos, u.Object.Weak
			offset, known = r.offsetOf(a.Place)
		}
	}
	if name == "" {
		return address
	}
	if !weak {
		r.plain[name] = true
		return address
	}
	s := r.weakSymbols[name]
	if s == nil {
		s = &weakSymbol{linked: &tree.Object{Name: name + ".linked", Type: r.types.boolean, Storage: tree.Global, Pos: pos, External: true, Const: true}}
		r.weakSymbols[name] = s
		r.mentioned = append(r.mentioned, s.linked)
	}
	at := tree.At{Position: address.Pos()}
	c := &tree.Conditional{
		At: at, T: address.Type(), Test: &tree.Load{At: at, Place: &tree.Use{At: at, Object: s.linked}},
		Then: address, Else: &tree.Constant{At: at, T: address.Type(), Int: offset},
	}
	s.addresses = append(s.addresses, c)
	if r.function == nil || r.static || !known {
		s.refused = append(s.refused, c)
	}
	return c
}

// offsetOf is how many bytes behind its object a place is, if that is a constant.
func (r *reader) offsetOf(p tree.Place) (*big.Int, bool) {
	switch p := p.(type) {
	case *tree.Member:
		offset, known := r.offsetOf(p.Struct)
		return offset.Add(offset, big.NewInt(p.Field.Offset)), known
	case *tree.Element:
		offset, known := r.offsetOf(p.Array)
		index, constant := r.evaluate(p.Index)
		if !known || !constant {
			return offset, false
		}
		return offset.Add(offset, new(big.Int).Mul(index, big.NewInt(p.Type().Size()))), true
	}
	return new(big.Int), true
}

// completeWeak settles which of the weak symbols the program defines: their addresses are not null.
func (r *reader) completeWeak() {
	for name, s := range r.weakSymbols {
		for _, c := range s.addresses {
			if r.defines(c.Then) {
				c.Test = constantOf(c.Position, r.types.int, 1)
			}
		}
		for _, c := range s.refused {
			if !r.defines(c.Then) {
				c.Test = &tree.UnsupportedValue{At: c.At, T: r.types.int, What: "this use of the address of " + name + ", which is weak and not defined,"}
			}
		}
	}
	refuse := func(name string, pos tree.Pos) {
		if r.plain[name] {
			r.Unsupported(pos, "the attribute weak of %s behind a use of its address", name)
		}
	}
	for _, f := range r.out.Functions {
		if f.Weak && f.Body == nil {
			refuse(f.Name, f.Pos)
		}
	}
	for _, o := range r.mentioned {
		if o.Storage == tree.Global && o.Weak && !r.defined[o] {
			refuse(o.Name, o.Pos)
		}
	}
}

// defines tells whether the program defines the function or the object that an address is of.
func (r *reader) defines(address tree.Value) bool {
	switch a := address.(type) {
	case *tree.FunctionAddress:
		return a.Function.Body != nil
	case *tree.Address:
		if u, ok := tree.Root(a.Place).(*tree.Use); ok {
			return r.defined[u.Object]
		}
	}
	return true
}

// representatives finds for functions or objects the ones that stand for them: the definition of their symbol, or the first of those that
// have the symbol. One that stands for itself is not in the result.
func representatives[T comparable](all []T, symbols map[T]string, name func(T) string, defined func(T) bool, twice func(T)) map[T]T {
	symbol := func(x T) string {
		if s := symbols[x]; s != "" {
			return s
		}
		return name(x)
	}
	by := map[string]T{}
	for _, x := range all {
		old, ok := by[symbol(x)]
		if ok && defined(old) && defined(x) {
			twice(x)
		}
		if !ok || !defined(old) && defined(x) {
			by[symbol(x)] = x
		}
	}
	out := map[T]T{}
	for _, x := range all {
		if to := by[symbol(x)]; to != x {
			out[x] = to
		}
	}
	return out
}

// variant tells whether a symbol that nothing in the program defines is that of a variant of the function that the name stands
// for, as the headers of GNU's C library have it: __isoc99_sscanf for sscanf, lseek64 for lseek.
func variant(f *tree.Function, symbol string) bool {
	if f.Body != nil || lib.Lookup(symbol, false).Kind != lib.Ordinary {
		return false
	}
	inner := strings.TrimSuffix(symbol, "64")
	return inner == f.Name || strings.HasPrefix(inner, "__") && strings.HasSuffix(inner, "_"+f.Name)
}

// completeObjects settles what is only known at the end of the file: tentative definitions, and which objects are defined
// elsewhere.
func (r *reader) completeObjects() {
	for _, o := range r.mentioned {
		if o.Storage != tree.Global {
			continue
		}
		if r.defined[o] {
			o.External = false
			if a, ok := o.Type.(*tree.Array); ok && a.Len < 0 {
				o.Type = &tree.Array{Elem: a.Elem, Len: 1}
			}
			if !complete(o.Type) {
				r.Errorf(o.Pos, "%s has the incomplete type %s", o.Name, o.Type)
			}
		}
	}
}

// nameUniquely gives every object a name that nothing else in the program has.
func (r *reader) nameUniquely() {
	taken := map[string]bool{}
	next := map[string]int{}
	unique := func(name string) string {
		for candidate := name; ; {
			if !taken[candidate] {
				taken[candidate] = true
				return candidate
			}
			next[name]++
			candidate = fmt.Sprintf("%s.%d", name, next[name])
		}
	}
	for _, f := range r.out.Functions {
		taken[f.Name] = true
	}
	for _, o := range r.out.Globals {
		if o.Storage == tree.Global {
			o.Unique = unique(o.Name)
		}
	}
	name := func(o *tree.Object) {
		switch {
		case o.Unique != "":
		case o.Name != "":
			o.Unique = unique(o.Name)
		case o.Storage == tree.Literal:
			o.Unique = unique("literal.")
		default:
			o.Unique = unique("unnamed.")
		}
	}
	for _, o := range r.out.Globals {
		name(o)
	}
	for _, f := range slices.Concat(r.out.Functions, r.out.Copies) {
		for _, o := range f.Params {
			name(o)
		}
		for _, o := range f.Locals {
			name(o)
		}
	}
}
