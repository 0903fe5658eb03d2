package bare

import (
	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/tree"
)

// flag is the type of what is 1 or 0 in maps: 1 says that a value comes from an object without one.
var flag = machine.Type{Bits: 8}.String()

// Variables are those of a translation that say of others whether their values come from objects without one: truths beside
// scalars, maps to 1 or 0 beside maps. There are some only beside what such a value may come to; what is decided by other values needs
// no check. Nil has none.
type Variables struct {
	*Flow
	origins *origin.Map
	fresh   func(string) string

	beside   map[*ast.Variable]*ast.Variable
	regions  map[*region.Region]*ast.Variable
	passed   map[*tree.Object][]*ast.Variable
	returned map[*tree.Function][]*ast.Variable
	globals  []ast.Declaration
}

// NewVariables is ready to make the variables for what f says; nil if that is nil. What they are is noted in origins; fresh makes of a
// name one that no other global variable or procedure has.
func NewVariables(f *Flow, origins *origin.Map, fresh func(string) string) *Variables {
	if f == nil {
		return nil
	}
	return &Variables{
		Flow: f, origins: origins, fresh: fresh,
		beside: map[*ast.Variable]*ast.Variable{}, regions: map[*region.Region]*ast.Variable{},
		passed: map[*tree.Object][]*ast.Variable{}, returned: map[*tree.Function][]*ast.Variable{},
	}
}

// Globals are the variables that every procedure sees, in the order in which they were made.
func (b *Variables) Globals() []ast.Declaration {
	if b == nil {
		return nil
	}
	return b.globals
}

// global makes a variable that every procedure sees.
func (b *Variables) global(pos chc.Position, name string, syntax ast.TypeSyntax, mapped bool) *ast.Variable {
	v := &ast.Variable{Pos: pos, Kind: ast.Global, Name: b.fresh("$bare." + name), Syntax: syntax}
	b.globals = append(b.globals, v)
	b.origins.Add("", v, &origin.Variable{Map: mapped})
	return v
}

// Global is the variable beside one that every procedure sees; keys is how many indices that has.
func (b *Variables) Global(of *ast.Variable, keys int) *ast.Variable {
	v := b.beside[of]
	if v == nil {
		v = b.global(of.Pos, of.Name, Syntax(of.Pos, keys), keys > 0)
		b.beside[of] = v
	}
	return v
}

// Local is the variable beside a local one of a procedure, and whether it is new: it has to be declared there then. keys is how many
// indices the local one has, and fresh makes of a name one that no other variable of the procedure has.
func (b *Variables) Local(procedure string, of *ast.Variable, keys int, fresh func(string) string) (v *ast.Variable, made bool) {
	if v := b.beside[of]; v != nil {
		return v, false
	}
	v = &ast.Variable{Pos: of.Pos, Kind: ast.Local, Name: fresh("$bare." + of.Name), Syntax: Syntax(of.Pos, keys)}
	b.beside[of] = v
	b.origins.Add(procedure, v, &origin.Variable{Map: keys > 0})
	return v, true
}

// Region is the variable that says of what a region holds whether it comes from objects without values; nil if there is none.
// variable is that of the region.
func (b *Variables) Region(r *region.Region, variable func(*region.Region) *ast.Variable) *ast.Variable {
	if b == nil || !b.Group(r.Group) {
		return nil
	}
	v := b.regions[r]
	if v == nil {
		var syntax ast.TypeSyntax = machine.TypeNamed(chc.Position{}, flag)
		if !r.Single {
			syntax = machine.MapFrom(chc.Position{}, machine.Ref, syntax)
		}
		v = b.global(chc.Position{}, variable(r).Name, syntax, !r.Single)
		b.regions[r] = v
	}
	return v
}

// Passed are variables that carry from a caller to a function what is to be known of the scalars of a parameter, in order; none if its
// value never comes from an object without one. keys says of each scalar how many indices what holds it has.
func (b *Variables) Passed(o *tree.Object, name string, keys func() []int) []*ast.Variable {
	if b == nil || !b.Object(o) {
		return nil
	}
	if b.passed[o] == nil {
		b.passed[o] = b.carriers(name, keys())
	}
	return b.passed[o]
}

// Returned are variables that carry from a function to a caller what is to be known of the scalars of the function's result, as
// Passed does for parameters.
func (b *Variables) Returned(f *tree.Function, keys func() []int) []*ast.Variable {
	if b == nil || !b.Result(f) {
		return nil
	}
	if b.returned[f] == nil {
		b.returned[f] = b.carriers(f.Name+".result", keys())
	}
	return b.returned[f]
}

func (b *Variables) carriers(name string, keys []int) []*ast.Variable {
	var out []*ast.Variable
	for _, n := range keys {
		out = append(out, b.global(chc.Position{}, name, Syntax(chc.Position{}, n), n > 0))
	}
	return out
}

// Syntax is the type of a variable beside one with so many indices.
func Syntax(pos chc.Position, keys int) ast.TypeSyntax {
	if keys == 0 {
		return machine.TypeNamed(pos, machine.Bool)
	}
	var syntax ast.TypeSyntax = machine.TypeNamed(pos, flag)
	for range keys {
		syntax = machine.MapFrom(pos, machine.Int, syntax)
	}
	return syntax
}

// Constant is what a variable beside one with so many indices has where all scalars come from objects without values, or where none
// does.
func Constant(pos chc.Position, keys int, all bool) ast.Expr {
	if keys == 0 {
		return &ast.BoolLiteral{Node: ast.Node{Pos: pos}, Value: all}
	}
	var e ast.Expr = Element(pos, all)
	for range keys {
		e = machine.Constant(pos, machine.Int, e)
	}
	return e
}

// Element is what a map beside another one has at an index where the scalar comes from an object without a value, or where it does not.
func Element(pos chc.Position, comes bool) ast.Expr {
	if comes {
		return machine.Number(pos, 1)
	}
	return machine.Number(pos, 0)
}
