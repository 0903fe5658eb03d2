package lower

import (
	"fmt"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/loops"
	"hornbeam/frontend/c/machine"
)

// procedure is the procedure that is being lowered.
type procedure struct {
	name   string
	locals []*ast.Variable
	// source is the statement that is being lowered; before are the statements that go before it.
	source  ast.Stmt
	before  []ast.Stmt
	assumed map[string]bool
	// guards are the conditions under which the current subexpression is evaluated, the outermost first.
	guards []ast.Expr
	// declared are the names of fresh variables; statements that share an expression share them.
	declared map[string]bool
	// occurred has the values of the inexact operations of the current statement, so that a shared one has one value.
	occurred map[*ast.Application]ast.Expr
	// jumps counts the gotos to each label.
	jumps map[string]int
}

func (l *lowering) lowerProcedure(d *ast.Procedure) ast.Declaration {
	p := &ast.Procedure{Pos: d.Pos, Attributes: d.Attributes, Name: d.Name, In: l.variables(d.In), Out: l.variables(d.Out)}
	for _, m := range d.Modifies {
		p.Modifies = append(p.Modifies, &ast.Identifier{Node: ast.Node{Pos: m.Pos}, Name: m.Name})
	}
	for _, list := range []struct {
		from []*ast.Specification
		to   *[]*ast.Specification
	}{{d.Requires, &p.Requires}, {d.Ensures, &p.Ensures}} {
		for _, s := range list.from {
			*list.to = append(*list.to, &ast.Specification{Pos: s.Pos, Free: s.Free, Attributes: s.Attributes, Cond: l.condition(s.Cond)})
		}
	}
	if d.Body == nil {
		return p
	}
	l.procedure = &procedure{name: d.Name, declared: map[string]bool{}, jumps: loops.CountGotos(d.Body.Stmts)}
	body := &ast.Body{Pos: d.Body.Pos, End: d.Body.End, Locals: l.variables(d.Body.Locals)}
	if d.Attributes.Has("entrypoint") {
		body.Stmts = l.beginning(d)
	}
	body.Stmts = append(body.Stmts, l.statements(d.Body.Stmts)...)
	body.Locals = append(body.Locals, l.procedure.locals...)
	l.procedure = nil
	p.Body = body
	return p
}

// beginning assumes that the parameters of an entry point and the globals are within their types.
func (l *lowering) beginning(d *ast.Procedure) []ast.Stmt {
	var out []ast.Stmt
	for _, v := range append(append([]*ast.Variable{}, d.In...), l.ranges.Globals...) {
		if a := l.rangeOf(v, builder{d.Pos}); a != nil {
			out = append(out, &ast.Assume{Pos: d.Pos, Cond: a})
		}
	}
	return out
}

// rangeOf states that a variable is within its type; nil if that says nothing.
func (l *lowering) rangeOf(v *ast.Variable, b builder) ast.Expr {
	s := machine.SortOf(v.Syntax)
	if machine.IsMap(v.Syntax) || l.classes.vectorVariable(v) || !l.bounded() {
		return nil
	}
	switch {
	case s.Shape == machine.WordShape:
		return b.within(b.name(v.Name), s.Word.Min(), s.Word.Max())
	case s.Shape == machine.NumberShape && sortIsRef(v.Syntax):
		return b.atMost(b.small(0), b.name(v.Name))
	}
	return nil
}

func sortIsRef(t ast.TypeSyntax) bool {
	n, ok := t.(*ast.TypeName)
	return ok && n.Name == machine.Ref
}

func (l *lowering) statements(ss []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for _, s := range ss {
		l.procedure.source, l.procedure.before, l.procedure.assumed = s, nil, map[string]bool{}
		l.procedure.occurred = map[*ast.Application]ast.Expr{}
		after := l.statement(s)
		for _, n := range append(l.procedure.before, after...) {
			if _, ok := l.out.Origin[n]; !ok {
				l.out.Origin[n] = l.origin(s)
			}
			out = append(out, n)
		}
	}
	return out
}

// statement lowers a statement, without the statements that go before it.
func (l *lowering) statement(s ast.Stmt) []ast.Stmt {
	b := builder{s.At()}
	switch s := s.(type) {
	case *ast.Label:
		return append([]ast.Stmt{&ast.Label{Pos: s.Pos, Name: s.Name}}, l.candidates(s)...)
	case *ast.Goto:
		return []ast.Stmt{&ast.Goto{Pos: s.Pos, Attributes: s.Attributes, Labels: s.Labels}}
	case *ast.Return:
		return []ast.Stmt{&ast.Return{Pos: s.Pos, Attributes: s.Attributes}}
	case *ast.Assert:
		return []ast.Stmt{&ast.Assert{Pos: s.Pos, Attributes: s.Attributes, Cond: l.condition(s.Cond)}}
	case *ast.Assume:
		return []ast.Stmt{&ast.Assume{Pos: s.Pos, Attributes: s.Attributes, Cond: l.condition(s.Cond)}}
	case *ast.Havoc:
		h := &ast.Havoc{Pos: s.Pos}
		out := []ast.Stmt{h}
		for _, v := range s.Variables {
			h.Variables = append(h.Variables, b.name(v.Name))
			if a := l.rangeOf(v.Decl, b); a != nil {
				out = append(out, &ast.Assume{Pos: s.Pos, Cond: a})
			}
		}
		return out
	case *ast.Assign:
		a := &ast.Assign{Pos: s.Pos}
		for i, left := range s.Left {
			a.Left = append(a.Left, l.left(left))
			a.Right = append(a.Right, l.value(s.Right[i], l.form(left)))
		}
		return []ast.Stmt{a}
	case *ast.Call:
		return l.call(s)
	case *ast.If:
		if out := l.decided(s); out != nil {
			return out
		}
		// Statements for expressions in the branches stay in these.
		n := &ast.If{Pos: s.Pos, Attributes: s.Attributes}
		if s.Guard != nil {
			n.Guard = l.condition(s.Guard)
		}
		before := l.procedure.before
		n.Then, n.Else = l.statements(s.Then), l.statements(s.Else)
		l.procedure.source, l.procedure.before = s, before
		return []ast.Stmt{n}
	}
	l.fail(s.At(), "a statement that the machine dialect does not have: %T", s)
	return nil
}

// decided returns the branch that is taken of an if statement in a copy of an iteration, if ranges decide its guard. The guard is asserted,
// so that the result does not depend on the ranges. It is nil for other statements, and if gotos lead into the other branch.
func (l *lowering) decided(s *ast.If) []ast.Stmt {
	if _, copied := l.Copies[s]; !copied || s.Guard == nil {
		return nil
	}
	yes, known := l.ranges.Decided(s, s.Guard)
	if !known {
		return nil
	}
	branch, other := s.Then, s.Else
	if !yes {
		branch, other = other, branch
	}
	if !loops.Closed(other, l.procedure.jumps) {
		return nil
	}
	b := builder{s.Pos}
	guard := l.condition(s.Guard)
	if !yes {
		guard = b.not(guard)
	}
	before := l.procedure.before
	out := append([]ast.Stmt{&ast.Assert{Pos: s.Pos, Cond: guard}}, l.statements(branch)...)
	l.procedure.source, l.procedure.before = s, before
	return out
}

// left lowers the left side of an assignment.
func (l *lowering) left(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.Identifier:
		return builder{e.Pos}.name(e.Name)
	case *ast.Select:
		return &ast.Select{Node: ast.Node{Pos: e.Pos}, Map: l.left(e.Map), Index: l.indices(e.Map, e.Index)}
	}
	l.fail(e.At(), "an assignment that the machine dialect does not have: %T", e)
	return e
}

func (l *lowering) call(s *ast.Call) []ast.Stmt {
	b := builder{s.Pos}
	c := &ast.Call{Pos: s.Pos, Attributes: s.Attributes, Free: s.Free, Name: s.Name}
	for i, a := range s.Args {
		if a == nil {
			c.Args = append(c.Args, nil)
			continue
		}
		c.Args = append(c.Args, l.value(a, l.formOfVariable(s.Procedure.In[i])))
	}
	out := []ast.Stmt{c}
	bodyless := len(s.Procedure.Implementations) == 0
	for _, r := range s.Results {
		if r == nil {
			c.Results = append(c.Results, nil)
			continue
		}
		c.Results = append(c.Results, b.name(r.Name))
		if bodyless {
			if a := l.rangeOf(r.Decl, b); a != nil {
				out = append(out, &ast.Assume{Pos: s.Pos, Cond: a})
			}
		}
	}
	return out
}

// origin returns the statement that a statement is a copy of, or itself.
func (l *lowering) origin(s ast.Stmt) ast.Stmt {
	if o, ok := l.Copies[s]; ok {
		return o
	}
	return s
}

// fresh declares a local variable for an occurrence and returns its name.
func (l *lowering) fresh(prefix string, id int, t ast.TypeSyntax) string {
	name := fmt.Sprintf("$%s%d", prefix, id)
	if l.procedure.declared[name] {
		return name
	}
	l.procedure.declared[name] = true
	l.procedure.locals = append(l.procedure.locals, &ast.Variable{Kind: ast.Local, Name: name, Syntax: t})
	return name
}

// put emits a statement before the one that is being lowered.
func (l *lowering) put(s ast.Stmt) { l.procedure.before = append(l.procedure.before, s) }
