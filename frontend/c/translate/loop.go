package translate

import (
	"fmt"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/tree"
)

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
		f.result.Source.Labels[f.labels[s]] = s
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
		f.result.Source.Loops[l] = s
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
	test := f.truth(s.Test)
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
	test := f.truth(s.Test)
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
		test = f.truth(s.Test)
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
	tag := f.value(s.Tag)
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
