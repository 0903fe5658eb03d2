package read

import (
	"cmp"
	"slices"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/tree"
)

// functionDefinition reads the definition of a function.
func (r *reader) functionDefinition(n *cc.FunctionDefinition) {
	s := r.specifiers(n.DeclarationSpecifiers)
	name, pos := n.Declarator.Name(), r.pos(n.Declarator.NameTok())
	d := functionDeclarator(n.Declarator)
	entry := &tree.Function{} // has the objects of lengths in the parameters' types, until it is known which function it is
	r.defining, r.function = d, &functionState{Function: entry}
	q := r.declarator(n.Declarator, s.qualified)
	lengths := r.takeLengths()
	r.defining, r.function = nil, nil
	t, ok := q.Type.(*tree.FunctionType)
	if !ok || d == nil {
		r.Fail(pos, "%s is defined like a function, but is none", name)
	}
	if !complete(t.Result) && !tree.IsVoid(t.Result) {
		r.Fail(pos, "%s returns the incomplete type %s", name, t.Result)
	}
	f := r.functionNamed(name, t, pos)
	if s.other != "" {
		r.Unsupported(pos, "the attribute %s", s.other)
	}
	if r.keepsOther(f, s) {
		r.declare(name, meaning{function: f})
		return
	}
	if f.Body != nil && !r.replaced[f] {
		r.Fail(pos, "%s is defined twice%s", name, before(f.Pos, pos))
	}
	if f.Body == nil {
		r.definitions = append(r.definitions, f)
	}
	r.constructors[f] = max(r.constructors[f], s.constructor)
	r.replaced[f] = s.extern && s.inline
	f.Locals = entry.Locals
	for _, o := range f.Locals {
		o.Function = f
	}
	f.NoReturn = f.NoReturn || s.noReturn
	f.Weak = f.Weak || s.weak || r.weakNames[name]
	f.Pos = pos
	r.declare(name, meaning{function: f})
	if !t.Unspecified && f.Type.Unspecified {
		f.Type = t
	}
	r.function = &functionState{Function: f, labels: map[string]*tree.Label{}}

	p := r.prototype[d]
	if p.scope == nil {
		r.push()
	} else {
		p.scope.outer = r.scope
		r.scope = p.scope
	}
	for _, o := range p.objects {
		o.Function = f
	}
	f.Params = p.objects
	if len(p.names) > 0 || n.DeclarationList != nil {
		r.oldParameters(n, p)
		lengths = append(lengths, r.takeLengths()...)
	}
	for _, o := range f.Params {
		if !complete(o.Type) {
			r.Fail(o.Pos, "%s has the incomplete type %s", o.Name, o.Type)
		}
	}
	r.functionAnnotations(n)
	f.Body = r.block(n.CompoundStatement, false)
	f.Body.Statements = slices.Concat(lengths, r.function.kept, f.Body.Statements)
	f.End = r.pos(n.CompoundStatement.Token2)
	r.resolveGotos()
	r.pop()
	r.function = nil
}

// oldParameters reads the parameters of a K&R definition. What has no declaration is an int.
func (r *reader) oldParameters(n *cc.FunctionDefinition, p *parameters) {
	types := map[string]qualified{}
	places := map[string]tree.Pos{}
	for l := n.DeclarationList; l != nil; l = l.DeclarationList {
		s := r.specifiers(l.Declaration.DeclarationSpecifiers)
		for i := l.Declaration.InitDeclaratorList; i != nil; i = i.InitDeclaratorList {
			d := i.InitDeclarator.Declarator
			types[d.Name()] = r.adjusted(r.declarator(d, s.qualified))
			places[d.Name()] = r.pos(d.NameTok())
		}
	}
	f := r.function.Function
	f.Params = nil
	for _, name := range p.names {
		q, ok := types[name]
		if !ok {
			q = qualified{Type: r.types.int}
			places[name] = f.Pos
		}
		o := &tree.Object{
			Name: name, Type: q.Type, Storage: tree.Parameter, Function: f, Pos: places[name], Const: q.constant, Volatile: q.volatile,
		}
		f.Params = append(f.Params, o)
		r.declare(name, meaning{object: o})
		delete(types, name)
	}
	for name := range types {
		r.Errorf(places[name], "%s is not a parameter", name)
	}
}

// latest is the priority of constructors that are given none: they run behind those with one.
const latest = 1 << 16

// construct has main begin with calls of the functions that have the attribute constructor: by their priorities, and else in
// the order of their definitions.
func (r *reader) construct() {
	var all []*tree.Function
	for _, f := range r.definitions {
		if r.constructors[f] > 0 {
			all = append(all, f)
		}
	}
	if len(all) == 0 {
		return
	}
	main := r.out.Function("main")
	switch {
	case r.modular != "" && r.modular != "main":
		return
	case main == nil || main.Body == nil:
		r.Unsupported(all[0].Pos, "the attribute constructor without main")
	case r.called()[main]:
		r.Unsupported(all[0].Pos, "the attribute constructor where main is called")
	}
	slices.SortStableFunc(all, func(f, g *tree.Function) int { return cmp.Compare(r.constructors[f], r.constructors[g]) })
	var calls []tree.Statement
	for _, f := range all {
		if len(f.Params) > 0 {
			r.Unsupported(f.Pos, "a constructor with parameters")
		}
		at := tree.At{Position: f.Pos}
		call := &tree.Call{At: at, T: f.Type.Result, Function: f, Closing: f.Pos}
		calls = append(calls, &tree.Evaluate{At: at, Value: &tree.Convert{At: at, T: r.types.void, X: call}})
	}
	main.Body.Statements = append(calls, main.Body.Statements...)
}
