package boogie

import (
	"hornbeam/frontend/boogie/ast"
)

// typeParameters parses `<Names>` if it is there.
func (p *parser) typeParameters() []*ast.TypeVariable {
	if !p.accept(tokLess) {
		return nil
	}
	var out []*ast.TypeVariable
	p.list(func() {
		out = append(out, &ast.TypeVariable{Pos: p.pos(), Name: p.name("the name of a type parameter")})
	})
	p.expect(tokGreater, "after the type parameters")
	return out
}

// typ parses a type, with all the arguments that follow it.
func (p *parser) typ() ast.TypeSyntax {
	p.enter()
	defer p.leave()
	switch p.kind {
	case tokLess, tokOpenBracket:
		return p.mapType()
	case tokName:
		t := &ast.TypeName{Pos: p.pos(), Name: p.text()}
		p.next()
		t.Args = p.typeArguments()
		return t
	}
	return p.typeAtom()
}

// typeAtom parses a type that needs no parentheses as an argument: int, (T), a word.
func (p *parser) typeAtom() ast.TypeSyntax {
	pos := p.pos()
	switch p.kind {
	case tokTypeInt, tokTypeReal, tokTypeBool, tokName:
		t := &ast.TypeName{Pos: pos, Name: p.text()}
		p.next()
		return t
	case tokOpen:
		p.next()
		constant := p.constant
		p.constant = false
		t := p.typ()
		p.constant = constant
		p.expect(tokClose, "after the type")
		return t
	case tokOpenBrace:
		return p.recordType()
	}
	p.unexpected("a type")
	return nil
}

// recordType parses `{ Names: Type, … }`.
func (p *parser) recordType() ast.TypeSyntax {
	r := &ast.RecordSyntax{Pos: p.pos()}
	p.next()
	p.list(func() {
		first := len(r.Names)
		for {
			r.Names = append(r.Names, p.name("the name of a field"))
			if !p.accept(tokComma) {
				break
			}
		}
		p.expect(tokColon, "before the type of a field")
		syntax := p.typ()
		for range r.Names[first:] {
			r.Types = append(r.Types, syntax)
		}
	})
	p.expect(tokCloseBrace, "after the fields of the type")
	return r
}

// typeArguments parses the arguments of a type constructor: any number of simple types, then possibly a map type.
func (p *parser) typeArguments() []ast.TypeSyntax {
	var out []ast.TypeSyntax
	for {
		switch p.kind {
		case tokName:
			if p.constant && (p.word("extends") || p.word("complete") || p.word("uses")) {
				return out
			}
			out = append(out, p.typeAtom())
		case tokTypeInt, tokTypeReal, tokTypeBool, tokOpen:
			out = append(out, p.typeAtom())
		case tokLess, tokOpenBracket:
			return append(out, p.mapType())
		default:
			return out
		}
	}
}

// mapType parses `<T>[Types]Type`.
func (p *parser) mapType() ast.TypeSyntax {
	p.enter()
	defer p.leave()
	m := &ast.MapSyntax{Pos: p.pos(), Params: p.typeParameters()}
	p.expect(tokOpenBracket, "before the domain of a map type")
	constant := p.constant
	p.constant = false
	p.listUntil(func() { m.Domain = append(m.Domain, p.typ()) }, tokCloseBracket)
	p.expect(tokCloseBracket, "after the domain of a map type")
	p.constant = constant
	m.Range = p.typ()
	return m
}
