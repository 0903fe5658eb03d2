package boogie

import (
	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/report"
)

// program parses all declarations. After an error it goes on with the next declaration.
func (p *parser) program() {
	for p.kind != tokEOF {
		from, kind := p.at, p.kind
		if report.Recovering(p.declaration) {
			continue
		}
		p.nesting, p.constant = 0, false
		inBody := kind == tokProcedure || kind == tokImplementation || kind == tokFunction
		for p.kind != tokEOF && (p.at == from || !startsDeclaration(p.kind) && (inBody || p.kind != tokVar)) {
			p.next()
		}
	}
}

// startsDeclaration reports whether a declaration begins with this kind of token. Whether var does depends on where it
// stands.
func startsDeclaration(k tokenKind) bool {
	switch k {
	case tokType, tokConst, tokFunction, tokAxiom, tokProcedure, tokImplementation:
		return true
	}
	return false
}

// declaration parses one declaration.
func (p *parser) declaration() {
	switch p.kind {
	case tokType:
		p.typeDeclarations()
	case tokConst:
		p.constants()
	case tokVar:
		p.next()
		for _, v := range p.variableGroups(ast.Global) {
			p.declarations = append(p.declarations, v)
		}
	case tokFunction:
		p.function()
	case tokAxiom:
		p.axiom()
	case tokProcedure:
		p.procedure(false)
	case tokImplementation:
		p.implementation()
	case tokName:
		p.contextualDeclaration()
	default:
		p.unexpected("a declaration")
	}
}

// contextualDeclaration parses a declaration that begins with one of the newer words.
func (p *parser) contextualDeclaration() {
	pos, w := p.pos(), p.text()
	follows := p.peek(1)
	switch {
	case p.escaped():
	case w == "pure" && follows == tokProcedure:
		p.next()
		p.procedure(true)
		return
	case w == "revealed" && follows == tokFunction, w == "hideable" && follows == tokAxiom:
		p.next()
		p.declaration()
		return
	case w == "datatype" && follows != tokSemicolon:
		p.datatype()
		return
	case w == "yield" || w == "action" || w == "async" || w == "pure" || w == "atomic" || w == "left" || w == "right" || w == "both":
		p.Unsupported(pos, "concurrency (%s)", w)
	}
	p.unexpected("a declaration")
}

// typeDeclarations parses `type A Name Params [= Type], …;`.
func (p *parser) typeDeclarations() {
	p.next()
	attributes := p.attributes()
	if p.ultimate && p.word("finite") && p.peek(1) == tokName {
		p.next()
	}
	p.list(func() {
		d := &ast.TypeDecl{Pos: p.pos(), Attributes: attributes, Name: p.name("the name of a type")}
		for p.kind == tokName {
			d.Params = append(d.Params, &ast.TypeVariable{Pos: p.pos(), Name: p.text()})
			p.next()
		}
		if p.accept(tokIs) {
			d.Synonym = p.typ()
		}
		p.declarations = append(p.declarations, d)
	})
	p.expect(tokSemicolon, "at the end of the type declaration")
}

// datatype parses `datatype A Name<Params> { A Constructor(Fields), … }`.
func (p *parser) datatype() {
	p.next()
	d := &ast.TypeDecl{Attributes: p.attributes(), Pos: p.pos(), Name: p.name("the name of a datatype")}
	d.Params = p.typeParameters()
	p.expect(tokOpenBrace, "before the constructors of the datatype")
	p.list(func() {
		c := &ast.Function{Attributes: p.attributes(), Pos: p.pos(), Name: p.name("the name of a constructor"), Datatype: d, TypeParams: d.Params}
		p.expect(tokOpen, "before the fields of the constructor")
		c.Params = p.formals(ast.In, false)
		p.expect(tokClose, "after the fields of the constructor")
		c.Result = &ast.Variable{Pos: c.Pos, Kind: ast.Out}
		d.Constructors = append(d.Constructors, c)
	})
	p.expect(tokCloseBrace, "after the constructors of the datatype")
	p.accept(tokSemicolon)
	p.declarations = append(p.declarations, d)
}

// constants parses `const A [unique] Names: Type [extends …];`.
func (p *parser) constants() {
	p.next()
	attributes := p.attributes()
	unique := p.accept(tokUnique)
	first := len(p.declarations)
	p.list(func() {
		p.declarations = append(p.declarations, &ast.Variable{Pos: p.pos(), Kind: ast.Constant, Attributes: attributes,
			Unique: unique, Name: p.name("the name of a constant")})
	})
	p.expect(tokColon, "before the type of the constants")
	p.constant = true
	syntax := p.typ()
	p.constant = false
	var order ast.Variable
	if p.word("extends") || p.kind == tokPartialOrder {
		p.next()
		order.Ordered = true
		for p.kind == tokName && !p.word("complete") || p.kind == tokUnique {
			parent := &ast.Parent{Unique: p.accept(tokUnique)}
			parent.Constant = &ast.Identifier{Node: ast.Node{Pos: p.pos()}, Name: p.name("the name of a constant")}
			order.Parents = append(order.Parents, parent)
			if !p.accept(tokComma) {
				break
			}
		}
	}
	if p.word("complete") {
		p.next()
		order.Ordered, order.Complete = true, true
	}
	for _, d := range p.declarations[first:] {
		c := d.(*ast.Variable)
		c.Syntax, c.Ordered, c.Complete, c.Parents = syntax, order.Ordered, order.Complete, order.Parents
	}
	if p.kind == tokWhere {
		p.Fail(p.pos(), "constants have no where clauses")
	}
	if !p.uses() {
		p.expect(tokSemicolon, "at the end of the declaration of constants")
	}
}

// uses parses `uses { Axioms }` if it is there; the axioms become declarations like others.
func (p *parser) uses() bool {
	if !p.word("uses") {
		return false
	}
	p.next()
	p.expect(tokOpenBrace, "after uses")
	for p.kind == tokAxiom || p.word("hideable") {
		if p.kind != tokAxiom {
			p.next()
		}
		p.axiom()
	}
	p.expect(tokCloseBrace, "after the axioms")
	return true
}

// axiom parses `axiom A Expr;`.
func (p *parser) axiom() {
	a := &ast.Axiom{Pos: p.pos()}
	p.expect(tokAxiom, "")
	a.Attributes = p.attributes()
	a.Cond = p.expression()
	p.expect(tokSemicolon, "after the axiom")
	p.declarations = append(p.declarations, a)
}

// function parses `function A Name<T>(Params) returns (Result) [{ Body }]`.
func (p *parser) function() {
	p.next()
	f := &ast.Function{Attributes: p.attributes(), Pos: p.pos(), Name: p.name("the name of a function")}
	f.TypeParams = p.typeParameters()
	p.expect(tokOpen, "before the parameters of the function")
	f.Params = p.functionParameters(ast.In)
	p.expect(tokClose, "after the parameters of the function")
	switch pos := p.pos(); {
	case p.accept(tokReturns):
		p.expect(tokOpen, "after returns")
		results := p.functionParameters(ast.Out)
		if len(results) != 1 {
			p.Fail(pos, "a function has one result, not %d", len(results))
		}
		f.Result = results[0]
		p.expect(tokClose, "after the result of the function")
	case p.accept(tokColon):
		at := p.pos()
		f.Result = &ast.Variable{Pos: at, Kind: ast.Out, Syntax: p.typ()}
	default:
		p.unexpected("'returns' or ':' before the result of the function")
	}
	p.declarations = append(p.declarations, f)
	switch {
	case p.accept(tokOpenBrace):
		f.Body = p.expression()
		p.expect(tokCloseBrace, "after the body of the function")
		p.uses()
	case p.uses():
	default:
		p.expect(tokSemicolon, "or a body after the function's declaration")
	}
}

// functionParameters parses parameters that may lack names. When one of them has a name, then a word alone is a name,
// too, and takes the type of the next one.
func (p *parser) functionParameters(kind ast.VariableKind) []*ast.Variable {
	if p.kind == tokClose {
		return nil
	}
	var params []*ast.Variable
	named := false
	p.list(func() {
		v := &ast.Variable{Attributes: p.attributes(), Pos: p.pos(), Kind: kind}
		if p.kind == tokName && p.peek(1) == tokColon {
			v.Name = p.text()
			named = true
			p.next()
			p.next()
		}
		v.Syntax = p.typ()
		params = append(params, v)
		if p.kind == tokWhere {
			p.Fail(p.pos(), "parameters of functions have no where clauses")
		}
	})
	if !named {
		return params
	}
	var syntax ast.TypeSyntax
	for i := len(params) - 1; i >= 0; i-- {
		v := params[i]
		if v.Name == "" {
			bare, ok := v.Syntax.(*ast.TypeName)
			if !ok || len(bare.Args) > 0 || ast.IsKeyword(bare.Name) {
				p.Fail(v.Pos, "expected a name: other parameters of the function have names")
			}
			if syntax == nil {
				p.Fail(v.Pos, "parameter %s has no type", bare.Name)
			}
			v.Name, v.Syntax = bare.Name, syntax
		}
		syntax = v.Syntax
	}
	return params
}

// procedure parses a procedure, from the word on.
func (p *parser) procedure(pure bool) {
	p.next()
	d := &ast.Procedure{Pure: pure, Attributes: p.attributes(), Pos: p.pos(), Name: p.name("the name of a procedure")}
	d.TypeParams, d.In, d.Out = p.signature(true)
	declared := p.accept(tokSemicolon)
	p.specifications(d)
	if p.kind == tokOpenBrace && !declared {
		d.Body = p.body()
	} else if !declared {
		p.unexpected("';', a specification or a body after the procedure's parameters")
	}
	for _, concurrent := range []string{"yields", "layer", "atomic", "yield_left", "yield_right", "left", "right", "both"} {
		if a := d.Attributes.Find(concurrent); a != nil {
			p.Unsupportedf(a.Pos, "concurrency (%s)", concurrent)
		}
	}
	p.declarations = append(p.declarations, d)
}

// implementation parses `implementation A Name<T>(In) returns (Out) { Body }`.
func (p *parser) implementation() {
	p.next()
	d := &ast.Implementation{Attributes: p.attributes(), Pos: p.pos(), Name: p.name("the name of a procedure")}
	d.TypeParams, d.In, d.Out = p.signature(false)
	if p.kind != tokOpenBrace {
		p.unexpected("the body of the implementation")
	}
	d.Body = p.body()
	p.declarations = append(p.declarations, d)
}

// signature parses type parameters, parameters and results; where says that the latter may have where clauses.
func (p *parser) signature(where bool) (typeParams []*ast.TypeVariable, in, out []*ast.Variable) {
	typeParams = p.typeParameters()
	p.expect(tokOpen, "before the parameters")
	in = p.formals(ast.In, where)
	p.expect(tokClose, "after the parameters")
	if p.accept(tokReturns) {
		p.expect(tokOpen, "after returns")
		out = p.formals(ast.Out, where)
		p.expect(tokClose, "after the results")
	}
	return typeParams, in, out
}

// specifications parses requires, ensures and modifies clauses.
func (p *parser) specifications(d *ast.Procedure) {
	for {
		pos := p.pos()
		free := p.accept(tokFree)
		switch p.kind {
		case tokModifies:
			p.next()
			p.listUntil(func() {
				d.Modifies = append(d.Modifies, &ast.Identifier{Node: ast.Node{Pos: p.pos()}, Name: p.name("the name of a global variable")})
			}, tokSemicolon)
			p.expect(tokSemicolon, "after the modifies clause")
		case tokRequires:
			d.Requires = append(d.Requires, p.specification(pos, free))
		case tokEnsures:
			d.Ensures = append(d.Ensures, p.specification(pos, free))
		default:
			if free {
				p.unexpected("'requires', 'ensures' or 'modifies' after free")
			}
			if p.kind == tokName {
				switch w := p.text(); w {
				case "preserves", "asserts", "refines", "measure", "creates":
					p.Unsupported(p.pos(), "%s clauses", w)
				}
			} else if p.kind == tokInvariant {
				p.Unsupported(p.pos(), "concurrency (invariants of procedures)")
			}
			return
		}
	}
}

// specification parses `requires A Expr;` from its keyword on.
func (p *parser) specification(pos chc.Position, free bool) *ast.Specification {
	what := tokenNames[p.kind]
	p.next()
	if p.kind == tokCall {
		p.Unsupported(p.pos(), "concurrency (%s call)", what)
	}
	s := &ast.Specification{Pos: pos, Free: free, Attributes: p.attributes(), Cond: p.expression()}
	p.expect(tokSemicolon, "after the "+what+" clause")
	return s
}
