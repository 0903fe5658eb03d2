package boogie

import (
	"math/big"
	"strconv"
	"strings"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
)

// The levels of binary operators, the loosest first. Unary operators, coercions and postfix operators bind tighter.
const (
	levelNone = iota
	levelIff
	levelImplies
	levelAndOr
	levelRelation
	levelConcat
	levelSum
	levelProduct
	levelPower
)

type infix struct {
	level int
	op    ast.BinaryOp
}

var infixes = [tokenKinds]infix{
	tokIff:     {levelIff, ast.Iff},
	tokImplies: {levelImplies, ast.Implies}, tokExplies: {levelImplies, ast.Explies},
	tokAnd: {levelAndOr, ast.And}, tokOr: {levelAndOr, ast.Or},
	tokEq: {levelRelation, ast.Eq}, tokNeq: {levelRelation, ast.Neq}, tokLess: {levelRelation, ast.Less},
	tokGreater: {levelRelation, ast.Greater}, tokLessEq: {levelRelation, ast.LessEq},
	tokGreaterEq: {levelRelation, ast.GreaterEq}, tokPartialOrder: {levelRelation, ast.PartialOrder},
	tokConcat: {levelConcat, ast.Concat},
	tokPlus:   {levelSum, ast.Add}, tokMinus: {levelSum, ast.Sub},
	tokStar: {levelProduct, ast.Mul}, tokSlash: {levelProduct, ast.RealDiv}, tokDivWord: {levelProduct, ast.Div},
	tokModWord: {levelProduct, ast.Mod}, tokPercent: {levelProduct, ast.Mod},
	tokPower: {levelPower, ast.Power},
}

// operand is a parsed operand with the height of its tree.
type operand struct {
	x      ast.Expr
	height int
}

// expression parses an expression with all that belongs to it, and sets p.height.
func (p *parser) expression() ast.Expr {
	p.enter()
	defer p.leave()
	return p.binary(levelIff)
}

// expressions parses one expression or more with commas between, and sets p.height to the greatest of their heights.
func (p *parser) expressions() []ast.Expr {
	var out []ast.Expr
	height := 0
	p.list(func() {
		out = append(out, p.expression())
		height = max(height, p.height)
	})
	p.height = height
	return out
}

// binary parses operands joined by operators of at least the level.
func (p *parser) binary(level int) ast.Expr {
	x := p.is()
	for {
		op := infixes[p.kind]
		if op.level == levelNone || op.level < level {
			return x
		}
		height, pos := p.height, p.pos()
		switch op.level {
		case levelPower:
			x = p.chain(operand{x, height}, tokPower, ast.Power, p.is)
			continue
		case levelImplies:
			if p.kind == tokImplies {
				x = p.chain(operand{x, height}, tokImplies, ast.Implies, p.belowImplies)
				p.refuse(tokExplies, "==> and <== need parentheses to stand beside each other")
				continue
			}
		}
		kind := p.kind
		p.next()
		y := p.binary(op.level + 1)
		p.grow(height)
		x = &ast.Binary{Node: ast.Node{Pos: pos}, Op: op.op, X: x, Y: y}
		switch {
		case op.level == levelRelation && infixes[p.kind].level == levelRelation:
			p.Fail(p.pos(), "comparisons need parentheses to stand beside each other")
		case kind == tokExplies:
			p.refuse(tokImplies, "==> and <== need parentheses to stand beside each other")
		case kind == tokAnd:
			p.refuse(tokOr, "&& and || need parentheses to stand beside each other")
		case kind == tokOr:
			p.refuse(tokAnd, "&& and || need parentheses to stand beside each other")
		}
	}
}

func (p *parser) belowImplies() ast.Expr { return p.binary(levelAndOr) }

func (p *parser) refuse(kind tokenKind, why string) {
	if p.kind == kind {
		p.Fail(p.pos(), "%s", why)
	}
}

// chain parses a chain of one operator that associates to the right, whose first operand has been parsed.
func (p *parser) chain(first operand, kind tokenKind, op ast.BinaryOp, parse func() ast.Expr) ast.Expr {
	operands := []operand{first}
	var positions []chc.Position
	for p.kind == kind {
		positions = append(positions, p.pos())
		p.next()
		operands = append(operands, operand{parse(), p.height})
	}
	last := len(operands) - 1
	x := operands[last].x
	for i := last - 1; i >= 0; i-- {
		p.grow(operands[i].height)
		x = &ast.Binary{Node: ast.Node{Pos: positions[i]}, Op: op, X: operands[i].x, Y: x}
	}
	return x
}

// unary parses - and ! before a coercion.
func (p *parser) unary() ast.Expr {
	op := ast.Not
	switch p.kind {
	case tokMinus:
		op = ast.Negate
	case tokNot:
	default:
		return p.coercion()
	}
	p.enter()
	pos := p.pos()
	p.next()
	x := p.unary()
	p.grow(0)
	p.leave()
	return &ast.Unary{Node: ast.Node{Pos: pos}, Op: op, X: x}
}

// coercion parses `x : Type`.
func (p *parser) coercion() ast.Expr {
	x := p.postfix()
	for p.kind == tokColon {
		pos := p.pos()
		p.next()
		if p.kind == tokInt {
			if _, ok := x.(*ast.IntLiteral); ok {
				p.Fail(pos, "bounds of bits may only stand alone in brackets, without parentheses, as in x[8:0]")
			}
			p.Fail(x.At(), "the bounds of bits must be numbers")
		}
		height := p.height
		syntax := p.typ()
		p.height = height
		p.grow(0)
		x = &ast.Coercion{Node: ast.Node{Pos: pos}, X: x, Syntax: syntax}
	}
	return x
}

// is parses `x is Constructor`.
func (p *parser) is() ast.Expr {
	x := p.unary()
	for p.kind == tokName && p.word("is") && p.peek(1) == tokName {
		pos := p.pos()
		p.next()
		p.grow(0)
		x = &ast.Is{Node: ast.Node{Pos: pos}, X: x, Name: p.name("")}
	}
	return x
}

// postfix parses an atom with the selections, updates and extractions that follow it.
func (p *parser) postfix() ast.Expr {
	x := p.atom()
	for {
		switch p.kind {
		case tokOpenBracket:
			x = p.brackets(x)
		case tokArrow, tokNot:
			if p.kind == tokNot && p.peek(1) != tokName {
				return x
			}
			x = p.field(x)
		default:
			return x
		}
	}
}

// field parses `->name`, `->(name := value)` or `!name` after x.
func (p *parser) field(x ast.Expr) ast.Expr {
	node, record := ast.Node{Pos: p.pos()}, p.kind == tokNot
	p.next()
	if !p.accept(tokOpen) {
		p.grow(0)
		return &ast.Field{Node: node, X: x, Name: p.name("the name of a field"), Record: record}
	}
	height := p.height
	u := &ast.FieldUpdate{Node: node, X: x, Name: p.name("the name of a field")}
	p.expect(tokAssign, "after the field that is updated")
	u.Value = p.expression()
	p.expect(tokClose, "after the update of a field")
	p.grow(height)
	return u
}

// brackets parses `[index]`, `[index := value]` or `[high:low]` after x.
func (p *parser) brackets(x ast.Expr) ast.Expr {
	pos, height := p.pos(), p.height
	p.next()
	if p.kind == tokInt && p.peek(1) == tokColon && p.peek(2) == tokInt && p.peek(3) == tokCloseBracket {
		e := &ast.Extract{Node: ast.Node{Pos: pos}, X: x, High: p.bound()}
		p.next()
		e.Low = p.bound()
		p.next()
		p.grow(height)
		return e
	}
	var index []ast.Expr
	p.listUntil(func() {
		index = append(index, p.expression())
		height = max(height, p.height)
	}, tokCloseBracket, tokAssign)
	if p.accept(tokAssign) {
		value := p.expression()
		p.expect(tokCloseBracket, "after the update of a map")
		p.grow(height)
		return &ast.Store{Node: ast.Node{Pos: pos}, Map: x, Index: index, Value: value}
	}
	p.expect(tokCloseBracket, "after the index of a map")
	p.height = 0
	p.grow(height)
	return &ast.Select{Node: ast.Node{Pos: pos}, Map: x, Index: index}
}

// bound parses a bound of an extraction.
func (p *parser) bound() int {
	n, err := strconv.Atoi(p.text())
	if err != nil || n > maxWidth {
		p.Unsupported(p.pos(), "bit-vectors of more than %d bits", maxWidth)
	}
	p.next()
	return n
}

// atom parses an expression without operators outside of parentheses.
func (p *parser) atom() ast.Expr {
	node := ast.Node{Pos: p.pos()}
	p.height = 1
	switch p.kind {
	case tokName:
		name := p.text()
		p.next()
		if p.kind != tokOpen {
			return &ast.Identifier{Node: node, Name: name}
		}
		args, height := p.arguments()
		p.height = height
		return &ast.Application{Node: node, Name: name, Args: args}
	case tokInt:
		v, _ := new(big.Int).SetString(p.text(), 10)
		p.next()
		return &ast.IntLiteral{Node: node, Value: v}
	case tokFalse, tokTrue:
		b := &ast.BoolLiteral{Node: node, Value: p.kind == tokTrue}
		p.next()
		return b
	case tokReal:
		return p.real()
	case tokBitVector:
		return p.bitVector()
	case tokFloat:
		p.Unsupported(node.Pos, "floating-point numbers (%s)", shorten(p.text()))
	case tokString:
		p.Unsupported(node.Pos, "strings outside of attributes")
	case tokOld:
		x := p.parenthesised("after old")
		p.grow(0)
		return &ast.Old{Node: node, X: x}
	case tokTypeInt, tokTypeReal:
		op := ast.ToInt
		if p.kind == tokTypeReal {
			op = ast.ToReal
		}
		x := p.parenthesised("after the name of the conversion")
		p.grow(0)
		return &ast.Unary{Node: node, Op: op, X: x}
	case tokIf:
		return p.ifThenElse()
	case tokOpen:
		return p.parentheses()
	case tokOpenCode:
		return p.codeExpression()
	case tokOpenBrace:
		if p.peek(1) == tokName && p.peek(2) == tokColon {
			return p.record()
		}
	case tokForall, tokExists, tokLambda:
		p.Fail(node.Pos, "%s needs parentheses around it", tokenNames[p.kind])
	}
	p.unexpected("an expression")
	return nil
}

// record parses `{ Name: value, … }`.
func (p *parser) record() ast.Expr {
	r := &ast.RecordLiteral{Node: ast.Node{Pos: p.pos()}}
	p.next()
	height := 0
	p.list(func() {
		r.Names = append(r.Names, p.name("the name of a field"))
		p.expect(tokColon, "before the value of a field")
		r.Values = append(r.Values, p.expression())
		height = max(height, p.height)
	})
	p.expect(tokCloseBrace, "after the fields of the value")
	p.grow(height)
	return r
}

// parenthesised parses `(x)` behind a word that is the current token.
func (p *parser) parenthesised(after string) ast.Expr {
	p.next()
	p.expect(tokOpen, after)
	x := p.expression()
	p.expect(tokClose, "after the argument")
	return x
}

// arguments parses `(x, …)` and returns the height of what has these arguments.
func (p *parser) arguments() (args []ast.Expr, height int) {
	p.expect(tokOpen, "before the arguments")
	p.listUntil(func() {
		args = append(args, p.expression())
		height = max(height, p.height)
	}, tokClose)
	p.expect(tokClose, "after the arguments")
	return args, height + 1
}

// maxExponent is how large the exponent of a decimal number may be, up or down: numbers are kept exactly.
const maxExponent = 10_000

// real parses a decimal number.
func (p *parser) real() ast.Expr {
	text, pos := p.text(), p.pos()
	mantissa, exponent, _ := strings.Cut(text, "e")
	if n, err := strconv.Atoi("0" + strings.TrimPrefix(exponent, "-")); err != nil || n > maxExponent {
		p.Unsupported(pos, "numbers with exponents beyond %d", maxExponent)
	}
	v, ok := new(big.Rat).SetString(mantissa)
	if ok && exponent != "" {
		v, ok = new(big.Rat).SetString(text)
	}
	if !ok {
		p.Fail(pos, "malformed number %s", shorten(text))
	}
	p.next()
	return &ast.RealLiteral{Node: ast.Node{Pos: pos}, Value: v, Text: text}
}

// bitVector parses 12bv8. Surplus high bits are dropped.
func (p *parser) bitVector() ast.Expr {
	pos := p.pos()
	digits, width, _ := strings.Cut(p.text(), "bv")
	n, err := strconv.Atoi(width)
	if err != nil || n > maxWidth {
		p.Unsupported(pos, "bit-vectors of more than %d bits", maxWidth)
	}
	v, _ := new(big.Int).SetString(digits, 10)
	if v.BitLen() > n {
		mask := new(big.Int).Lsh(big.NewInt(1), uint(n))
		v.And(v, mask.Sub(mask, big.NewInt(1)))
	}
	p.next()
	return &ast.BitVectorLiteral{Node: ast.Node{Pos: pos}, Value: v, Width: n}
}

// ifThenElse parses `if c then a else b`, where b reaches as far as it can.
func (p *parser) ifThenElse() ast.Expr {
	e := &ast.IfThenElse{Node: ast.Node{Pos: p.pos()}}
	p.next()
	e.Cond = p.expression()
	height := p.height
	p.expect(tokThen, "after the condition")
	e.Then = p.expression()
	height = max(height, p.height)
	p.expect(tokElse, "after the first branch")
	e.Else = p.expression()
	p.grow(height)
	return e
}
