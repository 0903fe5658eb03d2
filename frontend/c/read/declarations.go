package read

import (
	"cmp"
	"slices"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/report"
)

// declaration reads a declaration, at file scope or in a block, and gives the statements that it executes.
func (r *reader) declaration(n *cc.Declaration) []tree.Statement {
	switch n.Case {
	case cc.DeclarationAssert:
		r.staticAssert(n.StaticAssertDeclaration)
		return nil
	case cc.DeclarationAuto:
		return r.autoDeclaration(n)
	}
	s := r.specifiers(n.DeclarationSpecifiers)
	s.add(r.attributeList(n.AttributeSpecifierList))
	out := r.takeLengths()
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		r.checkTime()
		d := l.InitDeclarator
		of := s
		of.add(r.attributeList(d.AttributeSpecifierList))
		of.add(r.attributeList(l.AttributeSpecifierList))
		q := r.declarator(d.Declarator, s.qualified)
		if of.vector != s.vector {
			q.Type = r.withVector(r.pos(d), q.Type, of.vector)
		}
		if of.transparent {
			r.transparent[q.Type] = true
		}
		if of.mode != s.mode {
			q.Type = r.withMode(r.pos(d), q.Type, of.mode)
		}
		out = append(out, r.takeLengths()...)
		out = append(out, r.initDeclarator(d, of, q)...)
	}
	return out
}

// checkTime gives up when the context is done.
func (r *reader) checkTime() {
	if r.ctx.Err() != nil {
		report.Stop()
	}
}

// takeLengths gives the declarations of lengths that occurred, each once.
func (r *reader) takeLengths() []tree.Statement {
	out := r.lengths
	r.lengths = nil
	return out
}

// autoDeclaration reads GNU's __auto_type x = e.
func (r *reader) autoDeclaration(n *cc.Declaration) []tree.Statement {
	if n.Initializer == nil || n.Initializer.Case != cc.InitializerExpr || r.function == nil {
		r.Unsupported(r.pos(n), "__auto_type without a plain initialiser in a function")
	}
	value := r.rvalue(n.Initializer.AssignmentExpression)
	pos := r.pos(n.Declarator.NameTok())
	o := r.automatic(n.Declarator.Name(), value.Type(), pos)
	r.declare(o.Name, meaning{object: o})
	return []tree.Statement{&tree.Declare{
		At: tree.At{Position: pos}, Object: o, Initialized: true, Init: []tree.Initial{{Type: o.Type, Value: value, Repeat: 1}},
	}}
}

// initDeclarator reads one declarator of a declaration.
func (r *reader) initDeclarator(n *cc.InitDeclarator, s specifiers, q qualified) []tree.Statement {
	name := n.Declarator.Name()
	pos := r.pos(n.Declarator.NameTok())
	if s.other != "" {
		r.Unsupported(pos, "the attribute %s", s.other)
	}
	if s.typedef {
		q.align = max(q.align, s.aligned)
		if _, ok := q.Type.(*tree.Pointer); ok && q.Type != s.Type {
			q.align = s.aligned
		}
		r.declare(name, meaning{typedef: &q})
		return nil
	}
	if t, ok := q.Type.(*tree.FunctionType); ok && s.auto && r.function != nil {
		f := &tree.Function{Name: name, Type: t, Pos: pos} // its definition is within this function
		r.nested[f] = true
		r.declare(name, meaning{function: f})
		return nil
	}
	if t, ok := q.Type.(*tree.FunctionType); ok {
		f := r.functionNamed(name, t, pos)
		f.NoReturn = f.NoReturn || s.noReturn
		f.Weak = f.Weak || s.weak || r.weakNames[name]
		r.constructors[f] = max(r.constructors[f], s.constructor)
		r.declare(name, meaning{function: f})
		if symbol := symbolOf(n, s); symbol != "" {
			r.functionSymbols[f] = symbol
		}
		return nil
	}
	if tree.IsVoid(q.Type) {
		r.Fail(pos, "%s has type void", name)
	}
	if s.threadLocal && r.function == nil {
		// With one thread it is like any other.
		s.threadLocal = false
	}
	switch {
	case r.function == nil:
		r.globalDeclaration(n, name, pos, s, q)
		return nil
	case s.extern:
		o := r.linked(name, q, pos)
		r.declare(name, meaning{object: o})
		o.Weak = o.Weak || s.weak || r.weakNames[name]
		r.nameSymbol(o, n, s)
		return nil
	case s.static:
		r.staticDeclaration(n, name, pos, q)
		return nil
	}
	return r.localDeclaration(n, name, pos, q)
}

// globalDeclaration reads a declaration of an object at file scope.
func (r *reader) globalDeclaration(n *cc.InitDeclarator, name string, pos tree.Pos, s specifiers, q qualified) {
	if variable(q.Type) {
		r.Fail(pos, "the length of %s is not a constant", name)
	}
	o := r.linked(name, q, pos)
	r.declare(name, meaning{object: o})
	o.Weak = o.Weak || s.weak || r.weakNames[name]
	if s.register {
		return // what the machine's register holds is not known
	}
	r.nameSymbol(o, n, s)
	if n.Initializer == nil {
		if !s.extern && s.alias == "" {
			r.defined[o] = true
		}
		return
	}
	if len(o.Init) > 0 {
		r.Fail(pos, "%s is initialised twice%s", name, before(o.Pos, pos))
	}
	r.defined[o] = true
	o.Pos = pos
	r.initialiseStatic(o, n.Initializer)
}

// staticDeclaration reads the declaration of a static object of a function.
func (r *reader) staticDeclaration(n *cc.InitDeclarator, name string, pos tree.Pos, q qualified) {
	o := &tree.Object{
		Name: name, Type: q.Type, Storage: tree.Static, Function: r.function.Function, Pos: pos, Const: q.constant, Volatile: q.volatile,
	}
	r.declare(name, meaning{object: o})
	r.mentioned = append(r.mentioned, o)
	if n.Initializer != nil {
		r.initialiseStatic(o, n.Initializer)
	}
	if !complete(o.Type) || variable(o.Type) {
		r.Fail(pos, "%s has the incomplete type %s", name, o.Type)
	}
}

// localDeclaration reads the declaration of a local variable. Its name is known in its own initialiser.
func (r *reader) localDeclaration(n *cc.InitDeclarator, name string, pos tree.Pos, q qualified) []tree.Statement {
	o := r.automatic(name, q.Type, pos)
	o.Const, o.Volatile = q.constant, q.volatile
	if m, again := r.scope.names[name]; again && m.typedef == nil {
		r.Fail(pos, "%s is declared twice", name)
	}
	r.declare(name, meaning{object: o})
	d := &tree.Declare{At: tree.At{Position: pos}, Object: o}
	if n.Initializer != nil {
		if variable(q.Type) {
			r.Fail(pos, "an array of variable length cannot be initialised")
		}
		d.Initialized = true
		d.Init, o.Type = r.initialiser(o.Type, n.Initializer)
	}
	if !complete(o.Type) {
		r.Fail(pos, "%s has the incomplete type %s", name, o.Type)
	}
	return append(r.takeLengths(), d)
}

// staticAssert checks a _Static_assert.
func (r *reader) staticAssert(n *cc.StaticAssertDeclaration) {
	if r.constantExpression(n.ConstantExpression, "what _Static_assert asserts").Sign() == 0 {
		r.Errorf(r.pos(n), "static assertion failed: %s", n.Token4.SrcStr())
	}
}

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
