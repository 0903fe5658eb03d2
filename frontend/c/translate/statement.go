package translate

import (
	"fmt"
	"hornbeam/frontend/c/fault"
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/translate/bare"
	"hornbeam/frontend/c/translate/frame"
	"hornbeam/frontend/c/tree"
)

// statement adds a statement.
func (f *function) statement(s tree.Statement) {
	switch s := s.(type) {
	case nil, *tree.Empty:
	case *tree.Block:
		f.scoped(s, func() {
			for _, inner := range s.Statements {
				f.statement(inner)
			}
		})
	case *tree.Evaluate:
		f.effect(s.Value)
	case *tree.Declare:
		f.declareLocal(s)
	case *tree.If:
		f.ifStatement(s)
	case *tree.While:
		f.while(s)
	case *tree.DoWhile:
		f.doWhile(s)
	case *tree.For:
		f.scoped(s, func() { f.forLoop(s) })
	case *tree.Switch:
		f.switchStatement(s)
	case *tree.Case:
		f.add(f.caseLabel(s))
		f.statement(s.Statement)
	case *tree.Label:
		f.add(f.label(s))
		if s.Name == f.options.ErrorLabel && f.options.Faults.Has(fault.Assertion) {
			f.check(s, fault.Assertion, truthLiteral(at(s), false), "label "+s.Name)
		}
		f.statement(s.Statement)
	case *tree.Goto:
		f.endScopes(s, f.depthOf(s.Target, false))
		f.jump(s, f.label(s.Target))
	case *tree.Break:
		f.endScopes(s, f.depthOf(s.Target, false))
		f.jump(s, f.target(f.breaks, s.Target, "break"))
	case *tree.Continue:
		f.endScopes(s, f.depthOf(s.Target, true))
		f.jump(s, f.target(f.continues, s.Target, "continue"))
	case *tree.Return:
		f.returnStatement(s)
	case *tree.Assembly:
		f.assembly(s)
	case *tree.Havoc:
		f.havocFrame(s)
	case *tree.Unsupported:
		f.refuse(s.Pos(), "%s", s.What)
	default:
		f.refuse(s.Pos(), "this statement")
	}
}

// ifStatement translates a chain of ifs.
func (f *function) ifStatement(s *tree.If) {
	test := f.decision(s.Test)
	out := &ast.If{Pos: at(s), Guard: test, Then: f.within(func() { f.statement(s.Then) })}
	if s.Else != nil {
		out.Else = f.within(func() { f.statement(s.Else) })
	}
	if len(out.Then) == 0 && len(out.Else) == 0 {
		return
	}
	if b, ok := test.(*ast.BoolLiteral); ok {
		taken, left := out.Then, out.Else
		if !b.Value {
			taken, left = left, taken
		}
		if !hasLabel(left) {
			f.add(taken...)
			return
		}
	}
	if len(out.Then) == 0 {
		out.Guard, out.Then, out.Else = not(test), out.Else, nil
	}
	f.add(out)
}

// hasLabel tells whether a jump may lead into statements.
func hasLabel(list []ast.Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.Label:
			return true
		case *ast.If:
			if hasLabel(s.Then) || hasLabel(s.Else) {
				return true
			}
		}
	}
	return false
}

func (f *function) returnStatement(s *tree.Return) {
	pos := at(s)
	i := f.instance
	if e := f.expanded; e != nil {
		if s.Value != nil {
			comes := f.from(func() { f.assign(pos, use(e.result), f.value(s.Value)) })
			if e.comes != nil {
				f.assign(pos, use(e.comes), orNever(pos, comes))
			}
		}
		f.jump(s, e.end)
		return
	}
	switch {
	case s.Value == nil:
		f.carry(pos, f.returning(f.tree), f.tree.Type.Result, nil)
		if i.result != nil {
			i.result.each(func(st *storage) {
				f.havoc(pos, &origin.Event{Kind: origin.Missing, Node: s, Path: st.path()}, st.typ, st.variable)
			})
		}
	case i.result == nil:
		f.effect(s.Value)
	case i.result.variable != nil:
		var comes ast.Expr
		evaluate := func() {
			comes = f.from(func() {
				if call, ok := s.Value.(*tree.Call); ok {
					f.callInto(call, i.result.variable)
				} else {
					f.assign(pos, use(i.result.variable), f.value(s.Value))
				}
			})
			f.comes = anyOf(pos, f.comes, comes)
		}
		if f.tree == f.program.Function(f.options.Entry) {
			f.decides(s.Value, evaluate)
		} else {
			evaluate()
		}
		f.carry(pos, f.returning(f.tree), f.tree.Type.Result, []ast.Expr{comes})
	default:
		values, parts := f.valuesFrom(s.Value)
		f.copyAll(pos, i.result.storage, values)
		f.carry(pos, f.returning(f.tree), f.tree.Type.Result, parts)
	}
	f.endScopes(s, 0)
	f.add(&ast.Return{Pos: pos})
}

// declareLocal executes the declaration of an automatic object.
func (f *function) declareLocal(s *tree.Declare) {
	o := s.Object
	f.countElements(s, o.Type)
	if f.hidden(o) {
		for _, i := range s.Init {
			if i.Value != nil {
				f.effect(i.Value)
			}
		}
		return
	}
	if f.inMemory(o) {
		if f.memory().regions != nil {
			f.declareMemory(s)
		}
		return
	}
	r := f.local(o)
	if !s.Initialized {
		f.unset(s, r)
		return
	}
	if call, ok := wholeCall(s, o); ok {
		comes := f.from(func() { f.callInto(call, r.variable) })
		f.shadeAll(at(s), r.storage, []ast.Expr{comes})
		return
	}
	if s.NamesItself() {
		f.unset(s, r) // it begins as anything
	}
	f.initialise(s, r, s.Init)
}

// wholeCall is the call that a scalar object is initialised with.
func wholeCall(s *tree.Declare, o *tree.Object) (*tree.Call, bool) {
	if !tree.Scalar(o.Type) || len(s.Init) != 1 {
		return nil, false
	}
	call, ok := s.Init[0].Value.(*tree.Call)
	return call, ok
}

// unset gives all variables of an object any value.
func (f *function) unset(s *tree.Declare, r *root) {
	pos := at(s)
	var variables []*ast.Identifier
	var events []*origin.Event
	var truths []ast.Stmt
	r.each(func(st *storage) {
		if v := f.besides(st); v != nil {
			truths = append(truths, &ast.Assign{Pos: pos, Left: []ast.Expr{use(v)}, Right: []ast.Expr{bare.Constant(pos, st.keys, true)}})
		}
		variables = append(variables, use(st.variable))
		events = append(events, &origin.Event{Kind: origin.Declared, Node: s, Object: r.object, Path: st.path()})
		if i, ok := st.typ.(*tree.Integer); ok && i.Bool && st.keys == 0 {
			truths = append(truths, &ast.Assume{Pos: pos, Cond: operation(pos, machine.Le, machineType(i), use(st.variable), machine.Number(pos, 1))})
		}
	})
	f.havocAll(pos, variables, events)
	f.add(truths...)
}

// countElements keeps the numbers of elements of an array whose lengths are computed now.
func (f *function) countElements(s *tree.Declare, t tree.Type) {
	for {
		a, ok := t.(*tree.Array)
		if !ok {
			return
		}
		if a.Count != nil {
			if f.lengths[a] == nil {
				f.lengths[a] = f.temp(at(s), machine.Int)
			}
			f.assign(at(s), use(f.lengths[a]), f.position(a.Count))
			// A length that was negative is in the upper half of what a size can be.
			most := machine.Literal(at(s), machine.Type{Bits: int(8 * f.program.Model.PointerBytes), Signed: true}.Max())
			f.check(s, fault.Dereference, both(at(s), &ast.Binary{Node: ast.Node{Pos: at(s)}, Op: ast.Less, X: machine.Number(at(s), 0), Y: use(f.lengths[a])},
				&ast.Binary{Node: ast.Node{Pos: at(s)}, Op: ast.LessEq, X: use(f.lengths[a]), Y: most}), "length")
		}
		t = a.Elem
	}
}

// assembly gives the outputs of an asm statement any values.
func (f *function) assembly(s *tree.Assembly) {
	f.approximate(s, "assembly")
	for _, v := range s.Inputs {
		f.effect(v)
	}
	for _, p := range s.Outputs {
		pl := f.place(p)
		if !tree.Scalar(pl.typ) {
			f.refuse(s.Pos(), "an asm statement that writes a value of type %s", pl.typ)
			continue
		}
		f.store(s, pl, f.unknown(s, origin.Unspecified, pl.typ))
	}
}

// havocFrame gives what a body may change any values. What that is is known when all procedures that the body calls are translated.
func (f *function) havocFrame(s *tree.Havoc) {
	if !s.Check {
		f.approximate(s, "what a contract or an invariant stands for")
	}
	h := &ast.Havoc{Pos: at(s), Variables: []*ast.Identifier{use(f.temp(at(s), machine.Bool))}}
	body := f.within(func() { f.statement(s.Body) })
	fr := &frame.Frame{Havoc: h, Body: body, Outside: s.Only, Check: s.Check}
	if s.Assigns != nil {
		fr.Allows = func(v *ast.Variable) bool { return f.assigned(s.Assigns, v) }
	}
	f.frames = append(f.frames, fr)
	f.add(h)
	if !s.Only {
		f.add(body...)
	}
}

// assigned tells whether a variable may change where a clause says what does. Static objects of functions have no name for callers, and
// what is kept of memory beside its contents is nothing that a clause speaks of: they may. So may an object that pointers may lead to
// where memory behind pointers does, though it is a variable of its own where it is known which pointers these are.
func (t *translator) assigned(a *tree.Assigns, v *ast.Variable) bool {
	o := t.result.Origins.Variables[v]
	switch {
	case o == nil:
		return true
	case o.Region != nil || o.Behind:
		return a.Memory
	case o.Object == nil || o.Object.Storage != tree.Global || o.Object == t.program.Errno:
		return true
	}
	return a.Memory && o.Object.Escapes || slices.Contains(a.Objects, o.Object)
}

// newLabel is a label that no other one of the procedure is called like.
func (f *function) newLabel(n tree.Node, kind string) *ast.Label {
	f.count++
	return &ast.Label{Pos: at(n), Name: fmt.Sprintf("$%s%d", kind, f.count)}
}

// label is the label for one of the source's.
func (f *function) label(s *tree.Label) *ast.Label {
	if f.labels[s] == nil {
		name := escape(s.Name)
		for _, l := range f.labels {
			if l.Name == name { // of blocks with labels of their own
				name = f.newLabel(s, "label").Name
				break
			}
		}
		f.labels[s] = &ast.Label{Pos: at(s), Name: name}
		f.result.Origins.Labels[f.labels[s]] = s
	}
	return f.labels[s]
}

func (f *function) caseLabel(s *tree.Case) *ast.Label {
	if f.cases[s] == nil {
		f.cases[s] = f.newLabel(s, "case")
	}
	return f.cases[s]
}

// target is where a break or continue leads.
func (f *function) target(labels map[tree.Statement]*ast.Label, s tree.Statement, kind string) *ast.Label {
	if labels[s] == nil {
		labels[s] = f.newLabel(s, kind)
	}
	return labels[s]
}

func (f *function) jump(n tree.Node, to *ast.Label) {
	f.add(&ast.Goto{Pos: at(n), Labels: []string{to.Name}})
}

// landing adds the label that jumps to the end of a statement, or of its body, need, if there are any.
func (f *function) landing(labels map[tree.Statement]*ast.Label, s tree.Statement) {
	if l := labels[s]; l != nil {
		f.add(l)
	}
}

// head adds the label at which a loop's iterations begin. Those of the library's loops are nobody's.
func (f *function) head(s tree.Statement) *ast.Label {
	l := f.newLabel(s, "loop")
	if f.expanded == nil && !f.tree.Library {
		f.result.Origins.Loops[l] = s
	}
	f.add(l)
	return l
}

// guarded adds statements that happen if a condition holds.
func (f *function) guarded(n tree.Node, test ast.Expr, body []ast.Stmt) {
	if b, ok := test.(*ast.BoolLiteral); ok && b.Value {
		f.add(body...)
		return
	}
	f.add(&ast.If{Pos: at(n), Guard: test, Then: body})
}

func (f *function) while(s *tree.While) {
	head := f.head(s)
	f.continues[s] = head
	test := f.decision(s.Test)
	f.guarded(s, test, f.within(func() {
		f.statement(s.Body)
		f.jump(s, head)
	}))
	f.landing(f.breaks, s)
}

func (f *function) doWhile(s *tree.DoWhile) {
	head := f.head(s)
	f.statement(s.Body)
	f.landing(f.continues, s)
	test := f.decision(s.Test)
	if b, ok := test.(*ast.BoolLiteral); !ok || b.Value {
		f.guarded(s, test, []ast.Stmt{&ast.Goto{Pos: s.TestPos, Labels: []string{head.Name}}})
	}
	f.landing(f.breaks, s)
}

func (f *function) forLoop(s *tree.For) {
	for _, i := range s.Init {
		f.statement(i)
	}
	head := f.head(s)
	test := truthLiteral(at(s), true)
	if s.Test != nil {
		test = f.decision(s.Test)
	}
	f.guarded(s, test, f.within(func() {
		f.statement(s.Body)
		f.landing(f.continues, s)
		if s.Step != nil {
			f.effect(s.Step)
		}
		f.jump(s, head)
	}))
	f.landing(f.breaks, s)
}

// switchStatement jumps to the first case with the value; the body's labels do the rest.
func (f *function) switchStatement(s *tree.Switch) {
	pos := at(s)
	t, ok := s.Tag.Type().(*tree.Integer)
	if !ok {
		f.refuse(s.Pos(), "a switch on %s", s.Tag.Type())
		return
	}
	m := machineType(t)
	var tag ast.Expr
	f.decides(s.Tag, func() { tag = f.value(s.Tag) })
	if !simple(tag) {
		tag = f.settle(pos, tag, machine.TypeNamed(pos, m.String()))
	}
	for _, c := range s.Cases {
		if c.Low == nil {
			continue
		}
		test := equal(at(c), m.String(), tag, machine.Literal(at(c), c.Low))
		if c.High != nil && c.High.Cmp(c.Low) != 0 {
			test = both(at(c), operation(at(c), machine.Ge, m, tag, machine.Literal(at(c), c.Low)),
				operation(at(c), machine.Le, m, tag, machine.Literal(at(c), c.High)))
		}
		f.add(&ast.If{Pos: at(c), Guard: test, Then: []ast.Stmt{&ast.Goto{Pos: at(c), Labels: []string{f.caseLabel(c).Name}}}})
	}
	if s.Default != nil {
		f.jump(s, f.caseLabel(s.Default))
	} else {
		f.jump(s, f.target(f.breaks, s, "break"))
	}
	f.statement(s.Body)
	f.landing(f.breaks, s)
}

// simple tells whether an expression is a variable or a literal.
func simple(e ast.Expr) bool {
	switch e.(type) {
	case *ast.Identifier, *ast.IntLiteral:
		return true
	}
	return false
}
