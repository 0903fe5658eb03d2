package boogie

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
)

const (
	// maxNesting is how deeply parentheses, blocks, types and the like may nest. The parser recurs that deeply.
	maxNesting = 5_000
	// maxHeight is how high the tree of an expression may be: chains of operators count too. Whatever walks trees recurs
	// that deeply.
	maxHeight = 100_000
	// maxWidth is how many bits a bit-vector may have.
	maxWidth = 1 << 20
)

// parser builds the tree of one source from its tokens.
type parser struct {
	*reporter
	src    string
	files  []string
	tokens []token
	at     int
	// The current token's kind, tokens[at].kind.
	kind     tokenKind
	ultimate bool

	nesting int
	// height is that of the tree of the expression that was parsed last, tallest the greatest so far where attributes and
	// statements stand inside an expression.
	height, tallest int
	// constant says that a constant's type is being parsed, which ends at `extends`.
	constant bool

	declarations []ast.Declaration
}

// next goes to the next token; at the end it stays.
func (p *parser) next() {
	if p.at < len(p.tokens)-1 {
		p.at++
	}
	p.kind = p.tokens[p.at].kind
}

// peek is the kind of the token n further on.
func (p *parser) peek(n int) tokenKind {
	return p.tokens[min(p.at+n, len(p.tokens)-1)].kind
}

// text is the current token's text.
func (p *parser) text() string { return p.textOf(&p.tokens[p.at]) }

func (p *parser) textOf(t *token) string { return p.src[t.start:t.end] }

// pos is the current token's place.
func (p *parser) pos() chc.Position { return p.posOf(&p.tokens[p.at]) }

func (p *parser) posOf(t *token) chc.Position {
	return chc.Position{File: p.files[t.file], Line: int(t.line), Column: int(t.column)}
}

// found describes the current token for an error.
func (p *parser) found() string {
	switch p.kind {
	case tokEOF:
		return "end of file"
	case tokName, tokInt, tokReal, tokBitVector, tokFloat:
		return shorten(p.text())
	case tokString:
		return shorten(`"` + p.text() + `"`)
	}
	return "'" + tokenNames[p.kind] + "'"
}

// unexpected fails with what should stand here instead of the current token.
func (p *parser) unexpected(want string) {
	p.Fail(p.pos(), "expected %s, got %s", want, p.found())
}

// expect goes past a token of the kind, or fails; after says behind what it should stand.
func (p *parser) expect(kind tokenKind, after string) {
	if p.kind != kind {
		if after != "" {
			after = " " + after
		}
		p.unexpected(kind.describe() + after)
	}
	p.next()
}

// accept goes past the current token if it is of the kind.
func (p *parser) accept(kind tokenKind) bool {
	if p.kind != kind {
		return false
	}
	p.next()
	return true
}

// list parses what element parses, once or more with commas between.
func (p *parser) list(element func()) {
	for element(); p.accept(tokComma); {
		element()
	}
}

// listUntil is list, but for nothing where one of the ends stands. A comma may stand before an end.
func (p *parser) listUntil(element func(), ends ...tokenKind) {
	for !slices.Contains(ends, p.kind) {
		element()
		if !p.accept(tokComma) {
			break
		}
	}
}

// word reports whether the current token is the name w, a word that is a keyword only where it makes sense.
func (p *parser) word(w string) bool { return p.kind == tokName && p.text() == w && !p.escaped() }

// escaped reports whether the current token is a name with a backslash in front, which is never a keyword.
func (p *parser) escaped() bool {
	start := p.tokens[p.at].start
	return start > 0 && p.src[start-1] == '\\'
}

// name reads a name; what says whose.
func (p *parser) name(what string) string {
	if p.kind != tokName {
		p.unexpected(what)
	}
	s := p.text()
	p.next()
	return s
}

// enter counts a level of nesting; leave must follow.
func (p *parser) enter() {
	p.nesting++
	if p.nesting > maxNesting {
		p.Fail(p.pos(), "nested more than %d levels deep", maxNesting)
	}
}

func (p *parser) leave() { p.nesting-- }

// grow says that an expression stands on one of height p.height and one of height h.
func (p *parser) grow(h int) {
	p.height = max(p.height, h) + 1
	p.tallest = max(p.tallest, p.height)
	if p.height > maxHeight {
		p.Fail(p.pos(), "an expression of more than %d levels", maxHeight)
	}
}

// formals parses `A Names: Type [where Expr], …`.
func (p *parser) formals(kind ast.VariableKind, where bool) []*ast.Variable {
	var out []*ast.Variable
	p.listUntil(func() {
		attributes := p.attributes()
		group := p.names(kind, attributes)
		p.typeAndWhere(group, where, "where clauses belong to parameters of procedures")
		out = append(out, group...)
	}, tokClose)
	return out
}

// names parses `Name, Name` of a group of variables.
func (p *parser) names(kind ast.VariableKind, attributes ast.Attributes) []*ast.Variable {
	var group []*ast.Variable
	p.list(func() {
		group = append(group, &ast.Variable{Pos: p.pos(), Kind: kind, Attributes: attributes, Name: p.name("the name of a variable")})
	})
	return group
}

// typeAndWhere parses `: Type [where Expr]` for a group of variables.
func (p *parser) typeAndWhere(group []*ast.Variable, where bool, refusal string) {
	p.expect(tokColon, "before the type of "+group[len(group)-1].Name)
	syntax := p.typ()
	var cond ast.Expr
	if pos := p.pos(); p.accept(tokWhere) {
		cond = p.expression()
		if !where {
			p.Errorf(pos, "%s", refusal)
		}
	}
	for _, v := range group {
		v.Syntax, v.Where = syntax, cond
	}
}

// variableGroups parses what follows var: `A Names: Type [where Expr], Names: Type;`.
func (p *parser) variableGroups(kind ast.VariableKind) []*ast.Variable {
	attributes := p.attributes()
	var out []*ast.Variable
	p.list(func() {
		group := p.names(kind, attributes)
		p.typeAndWhere(group, true, "")
		out = append(out, group...)
	})
	p.expect(tokSemicolon, "at the end of the declaration of variables")
	return out
}

// attributes parses `{:name args} …`.
func (p *parser) attributes() ast.Attributes {
	var out ast.Attributes
	for p.kind == tokOpenBrace && p.peek(1) == tokColon {
		out = append(out, p.attribute())
	}
	return out
}

// attribute parses one attribute, from its brace on.
func (p *parser) attribute() *ast.Attribute {
	a := &ast.Attribute{Pos: p.pos()}
	p.next()
	p.next()
	if p.kind != tokName && p.kind < tokVar {
		p.unexpected("the name of an attribute")
	}
	a.Name = p.text()
	p.next()
	p.listUntil(func() {
		if p.kind == tokString {
			a.Args = append(a.Args, &ast.StringLiteral{Node: ast.Node{Pos: p.pos()}, Text: p.text()})
			p.next()
		} else {
			a.Args = append(a.Args, p.expression())
		}
	}, tokCloseBrace)
	p.expect(tokCloseBrace, "after the attribute")
	return a
}
