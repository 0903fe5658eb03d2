package translate

import (
	"fmt"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/tree"
)

// function translates the body of one instance.
type function struct {
	*translator
	instance *instance
	tree     *tree.Function
	name     string
	body     *ast.Body
	// assumed has what is assumed of accesses in an operand that C evaluates under a condition only; nil outside of one.
	assumed *[]ast.Expr
	// out is the list that statements are added to.
	out []ast.Stmt
	// storages are those of parameters and locals.
	storages map[*tree.Object]*root
	// lengths has the numbers of elements of arrays whose lengths are computed.
	lengths map[*tree.Array]*ast.Variable
	// labels has where break, continue and gotos lead, made when they are first needed.
	breaks, continues map[tree.Statement]*ast.Label
	cases             map[*tree.Case]*ast.Label
	labels            map[*tree.Label]*ast.Label
	// places are the addresses of automatic objects that have one for each run of their declaration.
	places    map[*tree.Object]*ast.Variable
	temporary map[*ast.Variable]bool
	// begins says that this is the entry, which sets what others use.
	begins bool
	// expanded is the call of the library whose definition is being translated; nil outside of these.
	expanded *expansion
	// quiet says that writes are not noted.
	quiet bool
	count int
	// comes is the condition that what is evaluated comes from an object without a value, nil if that is never so; parts has that for
	// the scalars of a struct, and passing for the parameters of the function that is called next.
	comes   ast.Expr
	parts   []ast.Expr
	passing map[*tree.Object][]ast.Expr
	// pending is the condition for what is stored next.
	pending ast.Expr
	// handed are values that are given to functions that are not of the program.
	handed map[tree.Value]bool
	// scopes are the blocks that are being translated.
	scopes []*scope
}

// newFunction is ready to translate into the instance's procedure.
func (t *translator) newFunction(i *instance, f *tree.Function, name string) *function {
	return &function{
		translator: t, instance: i, tree: f, name: name, body: &ast.Body{},
		places: map[*tree.Object]*ast.Variable{}, storages: map[*tree.Object]*root{}, lengths: map[*tree.Array]*ast.Variable{},
		breaks: map[tree.Statement]*ast.Label{}, continues: map[tree.Statement]*ast.Label{}, cases: map[*tree.Case]*ast.Label{},
		labels: map[*tree.Label]*ast.Label{}, temporary: map[*ast.Variable]bool{},
	}
}

// body translates an instance's function.
func (t *translator) body(i *instance) {
	f := t.newFunction(i, i.function, i.procedure.Name)
	f.body.Pos, f.body.End = at(i.function.Body), i.function.Body.End
	f.scopes = []*scope{{block: i.function.Body}}
	for n, r := range i.params {
		if r == nil {
			continue
		}
		o := i.function.Params[n]
		carried := uses(f.carried(o))
		if t.inMemory(o) {
			f.parts = carried
			f.parameter(o, r)
			continue
		}
		if !t.usage.Written[o] {
			f.storages[o] = r
			f.shadeAll(f.body.Pos, r.storage, carried)
			continue
		}
		local := f.local(o)
		f.copyAll(f.body.Pos, local.storage, r.uses())
		f.shadeAll(f.body.Pos, local.storage, carried)
	}
	for _, s := range i.slots {
		if !s.out {
			continue
		}
		var from []ast.Expr
		for _, v := range s.in {
			from = append(from, use(v))
		}
		f.copyAll(f.body.Pos, s.now.storage, from)
	}
	f.statement(i.function.Body)
	f.finish()
	i.procedure.Body = f.body
}

// parameter puts a parameter's value where pointers find it.
func (f *function) parameter(o *tree.Object, r *root) {
	n := &tree.Use{At: tree.At{Position: o.Pos}, Object: o}
	pl := place{typ: o.Type, address: f.addressOf(n, o), location: &region.Location{Object: o}}
	m := f.memory()
	if m.regions == nil {
		return
	}
	if !m.once(o) {
		f.assign(at(n), pl.address, f.allocate(n, m.regions.GroupOfObject(o), machine.Number(at(n), o.Type.Size())))
	} else {
		f.made(n, m.regions.GroupOfObject(o), nil, nil)
	}
	f.exists(n, o)
	f.storeAll(n, pl, r.uses(), nil)
	f.parts = nil
}

// finish ends the body: a function that must have a result and comes to its end has an unknown one.
func (f *function) finish() {
	if i := f.instance; i.result != nil && f.falls() {
		f.carry(f.body.End, f.returning(f.tree), f.tree.Type.Result, nil)
		if f.tree.Name == f.options.Entry {
			i.result.each(func(s *storage) { f.assign(f.body.End, use(s.variable), machine.Number(f.body.End, 0)) })
		} else {
			i.result.each(func(s *storage) {
				f.havoc(f.body.End, &origin.Event{Kind: origin.Missing, Node: f.tree.Body, Path: s.path()}, s.typ, s.variable)
			})
		}
	}
	if f.falls() {
		f.endScopes(f.tree.Body, 0)
	}
	f.body.Stmts = f.out
}

// falls tells whether a run can come to the end of the statements.
func (f *function) falls() bool {
	if len(f.out) == 0 {
		return true
	}
	switch s := f.out[len(f.out)-1].(type) {
	case *ast.Return, *ast.Goto:
		return false
	case *ast.Assume:
		b, ok := s.Cond.(*ast.BoolLiteral)
		return !ok || b.Value
	case *ast.Assert:
		b, ok := s.Cond.(*ast.BoolLiteral)
		return !ok || b.Value
	}
	return true
}

// local is the storage of a local object or a parameter that is written.
func (f *function) local(o *tree.Object) *root {
	if r := f.storages[o]; r != nil {
		return r
	}
	r := newRoot(o, o.Type, escape(o.Unique), shape{
		kind: ast.Local, explode: f.usage.Exploded[o], pos: o.Pos,
		name: func(n string) string { return f.translator.local(f.instance, n) },
	})
	f.storages[o] = r
	r.origins(f.result.Origins, f.name)
	r.each(func(s *storage) { f.body.Locals = append(f.body.Locals, s.variable) })
	return r
}

// object is the storage of any object.
func (f *function) object(o *tree.Object) *root {
	if o.Storage == tree.Automatic || o.Storage == tree.Parameter {
		return f.local(o)
	}
	return f.translator.storage(o)
}

// add adds statements.
func (f *function) add(s ...ast.Stmt) { f.out = append(f.out, s...) }

// within collects what is added while do runs.
func (f *function) within(do func()) []ast.Stmt {
	outer, assumed := f.out, f.assumed
	f.out = nil
	if assumed != nil {
		// What is assumed here holds in this block only, and nothing is known of its condition outside.
		f.assumed = new([]ast.Expr)
	}
	do()
	inner := f.out
	f.out, f.assumed = outer, assumed
	return inner
}

// temp is a new temporary variable of a type of the dialect.
func (f *function) temp(pos chc.Position, typeName string) *ast.Variable {
	return f.tempOf(pos, machine.TypeNamed(pos, typeName), nil)
}

func (f *function) tempOf(pos chc.Position, syntax ast.TypeSyntax, t tree.Type) *ast.Variable {
	f.count++
	v := &ast.Variable{Pos: pos, Kind: ast.Local, Name: f.translator.local(f.instance, fmt.Sprintf("$t%d", f.count)), Syntax: syntax}
	f.temporary[v] = true
	f.body.Locals = append(f.body.Locals, v)
	f.result.Origins.Add(f.name, v, &origin.Variable{Type: t})
	return v
}

// havoc gives a variable of the C type any value, which the event stands for.
func (f *function) havoc(pos chc.Position, e *origin.Event, t tree.Type, v *ast.Variable) {
	f.havocAll(pos, []*ast.Identifier{use(v)}, []*origin.Event{e})
	if i, ok := t.(*tree.Integer); ok && i.Bool {
		f.assume(pos, operation(pos, machine.Le, machineType(i), use(v), machine.Number(pos, 1)))
	}
}

// havocAll gives variables any values, which the events stand for.
func (f *function) havocAll(pos chc.Position, variables []*ast.Identifier, events []*origin.Event) {
	if len(variables) > 0 {
		s := &ast.Havoc{Pos: pos, Variables: variables}
		f.result.Origins.Events[s] = events
		f.add(s)
	}
}

// havocRegions gives all that the regions of a group hold any values, which the event stands for.
func (f *function) havocRegions(pos chc.Position, g *region.Group, e origin.Event) {
	var variables []*ast.Identifier
	var events []*origin.Event
	for _, r := range g.Regions {
		copied := e
		variables, events = append(variables, use(f.memory().variable(r))), append(events, &copied)
	}
	f.havocAll(pos, variables, events)
}

// unknown is any value of the C type.
func (f *function) unknown(n tree.Node, kind origin.Kind, t tree.Type) ast.Expr {
	v := f.tempOf(at(n), machine.TypeNamed(at(n), scalarName(t)), t)
	f.havoc(at(n), &origin.Event{Kind: kind, Node: n}, t, v)
	return use(v)
}

// unknownTruth is any truth value.
func (f *function) unknownTruth(n tree.Node) ast.Expr {
	v := f.temp(at(n), machine.Bool)
	f.havoc(at(n), &origin.Event{Kind: origin.Unspecified, Node: n}, nil, v)
	return use(v)
}

func (f *function) assume(pos chc.Position, cond ast.Expr) { f.add(&ast.Assume{Pos: pos, Cond: cond}) }

// check asserts that a condition holds here, whose violation is a fault of the kind if that is asked for, for the reason given. If not,
// runs end at assertions of the program, and where anything else is asked at what is undefined, as in the interpreter.
func (f *function) check(n tree.Node, kind fault.Kind, cond ast.Expr, why string) {
	b, literal := cond.(*ast.BoolLiteral)
	if !f.options.Faults.Has(kind) {
		if literal && b.Value {
			return
		}
		if kind == fault.Assertion || kind.Undefined() && f.options.Faults != fault.Of(fault.Assertion) {
			f.assume(at(n), cond)
		}
		return
	}
	if f.expanded != nil {
		n = f.expanded.call
	}
	c := fault.Check{Kind: kind, Pos: n.Pos()}
	may, known := f.checked[c]
	if !known {
		f.result.Checks = append(f.result.Checks, c)
	}
	holds := literal && b.Value && kind != fault.Assertion
	f.checked[c] = may || !holds
	switch {
	case holds:
		return
	case f.options.Except[c]:
		f.assume(at(n), cond)
		return
	}
	a := &ast.Assert{Pos: at(n), Cond: cond, Attributes: ast.Attributes{
		{Pos: at(n), Name: "error", Args: []ast.Expr{&ast.StringLiteral{Text: why}}},
	}}
	f.result.Origins.Errors[a] = n
	f.add(a)
}

func (f *function) assign(pos chc.Position, left, right ast.Expr) {
	f.add(&ast.Assign{Pos: pos, Left: []ast.Expr{left}, Right: []ast.Expr{right}})
}

// copyAll assigns values to all scalars of a storage.
func (f *function) copyAll(pos chc.Position, to *storage, from []ast.Expr) {
	if left := to.uses(); len(left) > 0 {
		f.add(&ast.Assign{Pos: pos, Left: left, Right: from})
	}
}

// settle keeps a value as it is now.
func (f *function) settle(pos chc.Position, e ast.Expr, syntax ast.TypeSyntax) ast.Expr {
	if f.settled(e) {
		return e
	}
	v := f.tempOf(pos, syntax, nil)
	f.assign(pos, use(v), e)
	return use(v)
}

// settled tells whether nothing that happens later changes an expression's value.
func (f *function) settled(e ast.Expr) bool {
	return f.unchanged(e, func(*ast.Variable) bool { return true })
}

// unchanged tells whether all variables in an expression are temporaries, or are not among those that may change.
func (f *function) unchanged(e ast.Expr, changes func(*ast.Variable) bool) bool {
	out := true
	ast.Inspect(e, func(e ast.Expr) bool {
		if i, ok := e.(*ast.Identifier); ok {
			out = out && (f.temporary[i.Decl] || i.Decl.Kind == ast.In || i.Decl.Kind == ast.Bound || !changes(i.Decl))
		}
		return out
	})
	return out
}

// before keeps a value as it is before later is evaluated, if that may change it.
func (f *function) before(pos chc.Position, e ast.Expr, typeName string, later ...tree.Node) ast.Expr {
	if f.changes(e, later...) {
		return f.settle(pos, e, machine.TypeNamed(pos, typeName))
	}
	return e
}

// changes tells whether evaluating nodes may change the value of an expression.
func (f *function) changes(e ast.Expr, later ...tree.Node) bool {
	globals, objects := false, map[*tree.Object]bool{}
	for _, n := range later {
		c := f.effects.Of(n)
		globals = globals || c.Globals
		for _, o := range c.Objects {
			objects[o] = true
		}
	}
	if !globals && len(objects) == 0 {
		return false
	}
	return !f.unchanged(e, func(v *ast.Variable) bool {
		o := f.result.Origins.Variables[v]
		switch {
		case o == nil, o.Object == nil:
			return true
		case objects[o.Object]:
			return true
		}
		return globals && (v.Kind == ast.Global || o.Behind) || o.Behind && len(objects) > 0
	})
}

// use is a variable as an expression.
func use(v *ast.Variable) *ast.Identifier {
	return &ast.Identifier{Node: ast.Node{Pos: v.Pos}, Name: v.Name, Decl: v}
}

// entry makes the procedure that runs begin with: it initialises what lives as long as the program, and calls main.
func (t *translator) entry(main *instance) {
	i := &instance{names: newNames()}
	p := &ast.Procedure{Pos: main.procedure.Pos, Name: EntryName, Attributes: ast.Attributes{{Pos: main.procedure.Pos, Name: "entrypoint"}}}
	f := t.newFunction(i, main.function, EntryName)
	f.body.Pos, f.body.End = main.procedure.Pos, main.procedure.Pos
	for n := 0; n < len(t.globals); n++ { // initialisers may mention further ones
		f.begin(t.globals[n])
	}
	f.beginMemory()
	if t.rounding != nil {
		f.assign(chc.Position{}, use(t.rounding), machine.Number(chc.Position{}, toNearest))
	}
	call := &ast.Call{Pos: main.procedure.Pos, Name: main.procedure.Name}
	for n, r := range main.params {
		if r == nil {
			continue
		}
		o := main.function.Params[n]
		r.each(func(s *storage) {
			v := f.tempOf(s.variable.Pos, s.variable.Syntax, s.typ)
			f.havoc(v.Pos, &origin.Event{Kind: origin.Began, Object: o, Path: s.path()}, s.typ, v)
			if n == 0 && s.parent == nil {
				if integer, ok := s.typ.(*tree.Integer); ok {
					f.assume(v.Pos, operation(v.Pos, machine.Ge, machineType(integer), use(v), machine.Number(v.Pos, 1)))
				}
			}
			call.Args = append(call.Args, use(v))
		})
	}
	for _, v := range main.procedure.Out {
		call.Results = append(call.Results, use(f.tempOf(v.Pos, v.Syntax, nil)))
	}
	f.add(call)
	f.cleaned(main.function.Body)
	f.body.Stmts = f.out
	p.Body = f.body
	t.result.Program.Declarations = append([]ast.Declaration{p}, t.result.Program.Declarations...)
}
