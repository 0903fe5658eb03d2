package boogie

import (
	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
)

// body parses `{ locals statements }`.
func (p *parser) body() *ast.Body {
	b := &ast.Body{Pos: p.pos()}
	p.next()
	for p.accept(tokVar) {
		b.Locals = append(b.Locals, p.variableGroups(ast.Local)...)
	}
	b.Stmts = p.statements()
	b.End = p.pos()
	p.expect(tokCloseBrace, "after the statements")
	return b
}

// block parses `{ statements }`. The list is not nil, even when it is empty.
func (p *parser) block(after string) []ast.Stmt {
	p.enter()
	p.expect(tokOpenBrace, after)
	stmts := p.statements()
	p.expect(tokCloseBrace, "after the statements")
	p.leave()
	if stmts == nil {
		stmts = []ast.Stmt{}
	}
	return stmts
}

func (p *parser) statements() []ast.Stmt {
	var out []ast.Stmt
	for p.kind != tokCloseBrace && p.kind != tokEOF {
		if p.kind == tokName && p.peek(1) == tokOpen {
			out = append(out, p.unpack()...)
			continue
		}
		out = append(out, p.statement())
	}
	return out
}

// statement parses one statement, or a label.
func (p *parser) statement() ast.Stmt {
	pos := p.pos()
	switch p.kind {
	case tokAssert:
		p.next()
		s := &ast.Assert{Pos: pos, Attributes: p.attributes(), Cond: p.expression()}
		p.expect(tokSemicolon, "after the assertion")
		return s
	case tokAssume:
		p.next()
		s := &ast.Assume{Pos: pos, Attributes: p.attributes(), Cond: p.expression()}
		p.expect(tokSemicolon, "after the assumption")
		return s
	case tokHavoc:
		p.next()
		s := &ast.Havoc{Pos: pos}
		p.list(func() { s.Variables = append(s.Variables, p.variable()) })
		p.expect(tokSemicolon, "after havoc")
		return s
	case tokCall:
		return p.call(pos, false)
	case tokFree:
		p.next()
		if p.kind != tokCall {
			p.unexpected("'call' after free")
		}
		return p.call(pos, true)
	case tokIf:
		return p.ifStatement()
	case tokWhile:
		return p.while()
	case tokBreak:
		p.next()
		s := &ast.Break{Pos: pos}
		if p.kind == tokName {
			s.Label = p.name("")
		}
		p.expect(tokSemicolon, "after break")
		return s
	case tokGoto:
		p.next()
		s := &ast.Goto{Pos: pos, Attributes: p.attributes()}
		p.list(func() { s.Labels = append(s.Labels, p.name("a label")) })
		p.expect(tokSemicolon, "after goto")
		return s
	case tokReturn:
		p.next()
		s := &ast.Return{Pos: pos, Attributes: p.attributes()}
		p.expect(tokSemicolon, "after return")
		return s
	case tokVar:
		p.Fail(pos, "local variables are declared at the beginning of a body")
	case tokName:
		if p.peek(1) == tokColon {
			s := &ast.Label{Pos: pos, Name: p.name("")}
			p.next()
			return s
		}
		p.refuseStatement(pos)
		return p.assignment(pos)
	}
	p.unexpected("a statement")
	return nil
}

// refuseStatement names the statements that are Boogie's but not ours.
func (p *parser) refuseStatement(pos chc.Position) {
	if p.escaped() || p.peek(1) == tokAssign || p.peek(1) == tokComma || p.peek(1) == tokOpenBracket {
		return
	}
	switch w := p.text(); w {
	case "yield", "par", "async", "fork", "join", "atomic":
		p.Unsupported(pos, "concurrency (%s)", w)
	case "push", "pop", "hide", "reveal":
		p.Unsupported(pos, "%s statements", w)
	}
}

// variable parses a use of a variable.
func (p *parser) variable() *ast.Identifier {
	return &ast.Identifier{Node: ast.Node{Pos: p.pos()}, Name: p.name("the name of a variable")}
}

// assignment parses `Left, … := Right, …;`.
func (p *parser) assignment(pos chc.Position) ast.Stmt {
	s := &ast.Assign{Pos: pos}
	p.list(func() {
		var left ast.Expr = p.variable()
		p.height = 1
		for p.kind == tokOpenBracket || p.kind == tokArrow || p.kind == tokNot {
			at := p.pos()
			if p.kind == tokOpenBracket {
				left = p.brackets(left)
			} else {
				left = p.field(left)
			}
			switch left.(type) {
			case *ast.Select, *ast.Field:
			default:
				p.Fail(at, "only a variable, an entry of a map or a field can be assigned to")
			}
		}
		s.Left = append(s.Left, left)
	})
	p.expect(tokAssign, "or ':' after a name at the beginning of a statement")
	s.Right = p.expressions()
	p.expect(tokSemicolon, "after the assignment")
	return s
}

// unpack parses `Constructor(Variables) := Value;`. It asserts that the constructor made the value, and gives its fields to the
// variables, all at once. What these are called is not known before names are looked up: see ast.UnpackedField.
func (p *parser) unpack() []ast.Stmt {
	pos := p.pos()
	name := p.name("")
	s := &ast.Assign{Pos: pos}
	p.next()
	p.listUntil(func() { s.Left = append(s.Left, p.variable()) }, tokClose)
	p.expect(tokClose, "after the variables")
	p.expect(tokAssign, "after the constructor: a value is taken apart here, and calls begin with call")
	value := p.expression()
	p.expect(tokSemicolon, "after the assignment")
	out := []ast.Stmt{&ast.Assert{Pos: pos, Cond: &ast.Is{Node: ast.Node{Pos: pos}, X: value, Name: name}}}
	for i := range s.Left {
		s.Right = append(s.Right, &ast.Field{Node: ast.Node{Pos: pos}, X: value, Name: ast.UnpackedField(name, i, len(s.Left))})
	}
	if len(s.Left) > 0 {
		out = append(out, s)
	}
	return out
}

// call parses `call A [Results :=] Name(Args);`.
func (p *parser) call(pos chc.Position, free bool) ast.Stmt {
	p.next()
	s := &ast.Call{Pos: pos, Free: free, Attributes: p.attributes()}
	if p.kind == tokForall {
		p.Unsupported(p.pos(), "call forall")
	}
	if p.kind != tokName || p.peek(1) != tokOpen {
		p.list(func() {
			if p.accept(tokStar) {
				s.Results = append(s.Results, nil)
			} else {
				s.Results = append(s.Results, p.variable())
			}
		})
		p.expect(tokAssign, "after the results of the call")
	}
	s.Name = p.name("the name of a procedure")
	p.expect(tokOpen, "before the arguments of the call")
	p.listUntil(func() {
		if p.kind == tokStar && (p.peek(1) == tokComma || p.peek(1) == tokClose) {
			p.next()
			s.Args = append(s.Args, nil)
		} else {
			s.Args = append(s.Args, p.expression())
		}
	}, tokClose)
	p.expect(tokClose, "after the arguments of the call")
	if p.kind == tokBar {
		p.Unsupported(p.pos(), "concurrency (parallel calls)")
	}
	p.expect(tokSemicolon, "after the call")
	return s
}

// guard parses `(Expr)` or `(*)`, the latter as nil.
func (p *parser) guard(after string) ast.Expr {
	p.expect(tokOpen, after)
	if p.kind == tokStar && p.peek(1) == tokClose {
		p.next()
		p.next()
		return nil
	}
	x := p.expression()
	p.expect(tokClose, "after the condition")
	return x
}

// ifStatement parses `if A (Guard) { … } [else …]`.
func (p *parser) ifStatement() ast.Stmt {
	p.enter()
	defer p.leave()
	s := &ast.If{Pos: p.pos()}
	p.next()
	s.Attributes = p.attributes()
	s.Guard = p.guard("after if")
	s.Then = p.block("after the condition")
	if p.accept(tokElse) {
		if p.kind == tokIf {
			s.Else = []ast.Stmt{p.ifStatement()}
		} else {
			s.Else = p.block("or 'if' after else")
		}
	}
	return s
}

// while parses `while (Guard) invariants { … }`.
func (p *parser) while() ast.Stmt {
	p.enter()
	defer p.leave()
	s := &ast.While{Pos: p.pos()}
	p.next()
	s.Guard = p.guard("after while")
	for {
		pos := p.pos()
		free := p.accept(tokFree)
		if p.kind != tokInvariant {
			if free {
				p.unexpected("'invariant' after free")
			}
			break
		}
		s.Invariants = append(s.Invariants, p.specification(pos, free))
	}
	if p.word("measure") {
		p.Unsupported(p.pos(), "measure clauses")
	}
	s.Body = p.block("or an invariant after the condition of the loop")
	return s
}
