package boogie

import (
	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
)

// parentheses parses `(x)`, a quantifier, a lambda or a let.
func (p *parser) parentheses() ast.Expr {
	pos := p.pos()
	p.next()
	var x ast.Expr
	tallest := p.tallest
	p.tallest = 0
	switch p.kind {
	case tokForall, tokExists:
		x = p.quantifier(pos)
	case tokLambda:
		p.next()
		e := &ast.Lambda{Node: ast.Node{Pos: pos}}
		e.TypeParams, e.Bound = p.boundVariables()
		p.expect(tokBind, "after the variables of lambda")
		e.Attributes = p.attributes()
		e.Body = p.expression()
		p.grow(0)
		x = e
	case tokVar:
		x = p.let(pos)
	default:
		x = p.expression()
	}
	p.expect(tokClose, "after the expression")
	p.height = max(p.height, p.tallest)
	p.tallest = max(p.height, tallest)
	return x
}

// boundVariables parses `<T> A Names: Type, …` behind a quantifier. One of the two parts must be there.
func (p *parser) boundVariables() ([]*ast.TypeVariable, []*ast.Variable) {
	typeParams := p.typeParameters()
	var vars []*ast.Variable
	if len(typeParams) > 0 && p.kind == tokBind {
		return typeParams, nil
	}
	p.list(func() {
		group := p.names(ast.Bound, p.attributes())
		p.typeAndWhere(group, false, "bound variables have no where clauses")
		vars = append(vars, group...)
	})
	return typeParams, vars
}

// quantifier parses `forall … :: {triggers} x`.
func (p *parser) quantifier(pos chc.Position) ast.Expr {
	q := &ast.Quantifier{Node: ast.Node{Pos: pos}, Exists: p.kind == tokExists}
	p.next()
	q.TypeParams, q.Bound = p.boundVariables()
	p.expect(tokBind, "after the variables of the quantifier")
	height := 0
	for p.kind == tokOpenBrace {
		if p.peek(1) == tokColon {
			a := p.attribute()
			if a.Name != "nopats" {
				q.Attributes = append(q.Attributes, a)
				continue
			}
			if len(a.Args) != 1 {
				p.Fail(a.Pos, "nopats has one term, not %d", len(a.Args))
			}
			q.Triggers = append(q.Triggers, &ast.Trigger{Pos: a.Pos, Exclude: true, Terms: a.Args})
			continue
		}
		t := &ast.Trigger{Pos: p.pos()}
		p.next()
		t.Terms = p.expressions()
		height = max(height, p.height)
		p.expect(tokCloseBrace, "after the trigger")
		q.Triggers = append(q.Triggers, t)
	}
	q.Body = p.expression()
	p.grow(height)
	return q
}

// let parses `var x, y := a, b; body`.
func (p *parser) let(pos chc.Position) ast.Expr {
	p.next()
	e := &ast.Let{Node: ast.Node{Pos: pos}}
	p.list(func() {
		attributes := p.attributes()
		e.Bound = append(e.Bound, &ast.Variable{Pos: p.pos(), Kind: ast.Bound, Attributes: attributes, Name: p.name("the name of a variable")})
	})
	p.expect(tokAssign, "after the variables of the let")
	e.Values = p.expressions()
	height := p.height
	p.expect(tokSemicolon, "after the values of the let")
	e.Attributes = p.attributes()
	e.Body = p.expression()
	p.grow(height)
	return e
}

// codeExpression parses `|{ locals statements }|`.
func (p *parser) codeExpression() ast.Expr {
	e := &ast.CodeExpr{Node: ast.Node{Pos: p.pos()}, Body: &ast.Body{Pos: p.pos()}}
	p.next()
	for p.accept(tokVar) {
		e.Body.Locals = append(e.Body.Locals, p.variableGroups(ast.Local)...)
	}
	tallest := p.tallest
	p.tallest = 0
	for {
		if p.kind != tokName || p.peek(1) != tokColon {
			p.unexpected("a label before the block of a code expression")
		}
		e.Body.Stmts = append(e.Body.Stmts, p.statement())
		for done := false; !done; {
			switch p.kind {
			case tokGoto:
				e.Body.Stmts = append(e.Body.Stmts, p.statement())
				done = true
			case tokReturn:
				s := &ast.Return{Pos: p.pos()}
				p.next()
				s.Attributes = p.attributes()
				s.Value = p.expression()
				p.expect(tokSemicolon, "after the value of the code expression")
				e.Body.Stmts = append(e.Body.Stmts, s)
				done = true
			case tokIf, tokWhile, tokBreak:
				p.Fail(p.pos(), "code expressions have no %s statements", tokenNames[p.kind])
			case tokCloseCode, tokCloseBrace, tokEOF:
				p.unexpected("'goto' or 'return' at the end of the block of a code expression")
			default:
				if p.kind == tokName && p.peek(1) == tokColon {
					p.unexpected("'goto' or 'return' at the end of the block of a code expression")
				}
				e.Body.Stmts = append(e.Body.Stmts, p.statement())
			}
		}
		if p.kind == tokCloseCode {
			break
		}
	}
	e.Body.End = p.pos()
	p.next()
	p.height = p.tallest
	p.grow(0)
	p.tallest = max(p.height, tallest)
	return e
}
