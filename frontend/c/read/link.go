package read

import (
	"maps"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/source"
	"hornbeam/frontend/c/tree"
)

// linker gives the calls of functions of C's library that the program does not define their definitions. Each call has a copy for
// itself, as if it had been expanded there: what is known of the memory behind a pointer does not depend on other calls.
type linker struct {
	*reader
	program     *reader
	definitions map[string]*cc.FunctionDefinition
	// shared are the functions whose addresses are used, by name.
	shared map[string]*tree.Function
}

// linkLibrary links what the program uses of C's library. Only that is parsed.
func (r *reader) linkLibrary() {
	var calls []*tree.Call
	var addresses []*tree.FunctionAddress
	var names []string
	r.inspect(func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Call:
			if name := definedBy(n.Function); name != "" {
				calls, names = append(calls, n), append(names, name)
			}
		case *tree.FunctionAddress:
			if name := definedBy(n.Function); name != "" {
				addresses, names = append(addresses, n), append(names, name)
			}
		}
		return true
	})
	if len(names) == 0 {
		return
	}
	l := &linker{program: r, definitions: map[string]*cc.FunctionDefinition{}, shared: map[string]*tree.Function{}}
	l.reader = newReader(r.ctx, r.types, &source.Text{Name: "<library>", Text: []byte(lib.Source(names...))})
	l.load()
	for _, c := range calls {
		l.link(c, c.Position)
	}
	for _, a := range addresses {
		name := definedBy(a.Function)
		if l.shared[name] == nil && agree(l.functions[name].Type, a.Function.Type) {
			l.shared[name] = l.define(name, a.Function.Pos)
			l.shared[name].Name = a.Function.Name
		}
		if f := l.shared[name]; f != nil {
			r.addressed = append(r.addressed, a.Function)
			a.Function = f
		}
	}
	maps.Copy(r.variadic, l.variadic)
	r.mentioned = append(r.mentioned, l.mentioned...)
	r.Errors = append(r.Errors, l.Errors...)
}

// definedBy is the name of the library's definition of a function that the program does not define; empty if there is none.
func definedBy(f *tree.Function) string {
	if f == nil || f.Body != nil {
		return ""
	}
	if known := lib.Lookup(f.Name, false); !known.Checked && lib.Defined(known.Name) {
		return known.Name
	}
	return ""
}

// load parses the source and declares what it defines.
func (l *linker) load() {
	ast, err := source.Parse(l.source, source.Options{Model: l.types.model}, prelude, l.pragma)
	if err != nil {
		l.Fail(tree.Pos{}, "the library: %v", err)
	}
	l.scope = &scope{}
	for unit := ast.TranslationUnit; unit != nil; unit = unit.TranslationUnit {
		n := unit.ExternalDeclaration
		if n.Case != cc.ExternalDeclarationFuncDef {
			l.externalDeclaration(n)
			continue
		}
		d := n.FunctionDefinition
		name := d.Declarator.Name()
		l.definitions[name] = d
		t := l.declarator(d.Declarator, l.specifiers(d.DeclarationSpecifiers).qualified).Type
		l.declare(name, meaning{function: l.functionNamed(name, t.(*tree.FunctionType), l.pos(d))})
	}
}

// link gives a call a copy of the definition of the function that it calls, if it calls it as it is defined.
func (l *linker) link(c *tree.Call, pos tree.Pos) {
	name := definedBy(c.Function)
	if l.functions[name].Type.Variadic && !lib.Plain(c) {
		return
	}
	d := l.functions[name].Type
	if !alike(c.T, d.Result) || len(c.Arguments) < len(d.Params) {
		return
	}
	for i, p := range d.Params {
		if !alike(c.Arguments[i].Type(), p) {
			return
		}
	}
	for i, p := range d.Params {
		if tree.IsInteger(p) {
			c.Arguments[i] = l.convert(c.Arguments[i], p, c.Arguments[i].Pos())
		}
	}
	c.Library = l.define(name, pos)
}

// alike tells whether values of the types are both integers, or are passed alike.
func alike(a, b tree.Type) bool { return tree.IsInteger(a) && tree.IsInteger(b) || sameClass(a, b) }

// define makes a copy of a definition, with copies of what it calls.
func (l *linker) define(name string, pos tree.Pos) *tree.Function {
	declared := l.functions[name]
	delete(l.functions, name)
	l.fixed = &pos
	l.functionDefinition(l.definitions[name])
	f := l.functions[name]
	f.Library = true
	l.functions[name] = declared
	l.declare(name, meaning{function: declared})
	l.program.out.Copies = append(l.program.out.Copies, f)
	var calls []*tree.Call
	tree.Inspect(f.Body, func(n tree.Node) bool {
		if c, ok := n.(*tree.Call); ok && definedBy(c.Function) != "" {
			calls = append(calls, c)
		}
		return true
	})
	for _, c := range calls {
		l.link(c, pos)
	}
	return f
}
