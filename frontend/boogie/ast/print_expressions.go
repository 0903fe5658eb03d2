package ast

import (
	"math/big"
	"strconv"
	"strings"
)

// The levels of expressions, the loosest first: an operand of a lower level than its place wants gets parentheses.
const (
	levelAny = iota
	levelIff
	levelImplies
	levelAndOr
	levelRelation
	levelConcat
	levelSum
	levelProduct
	levelPower
	levelIs
	levelUnary
	levelCoercion
	levelPostfix
	levelAtom
)

var binaryLevels = [...]int{
	Iff: levelIff, Implies: levelImplies, Explies: levelImplies, And: levelAndOr, Or: levelAndOr, Eq: levelRelation,
	Neq: levelRelation, Less: levelRelation, Greater: levelRelation, LessEq: levelRelation, GreaterEq: levelRelation,
	PartialOrder: levelRelation, Concat: levelConcat, Add: levelSum, Sub: levelSum, Mul: levelProduct, Div: levelProduct,
	Mod: levelProduct, RealDiv: levelProduct, Power: levelPower,
}

// levelOf is the level of an expression. A coercion's type and an else branch reach as far as they can, so that these
// want parentheses wherever something follows.
func levelOf(e Expr) int {
	switch e := e.(type) {
	case *Binary:
		return binaryLevels[e.Op]
	case *Unary:
		if e.Op == Not || e.Op == Negate {
			return levelUnary
		}
	case *Is:
		return levelIs
	case *IfThenElse, *Coercion:
		return levelAny
	case *Select, *Store, *Extract, *Field, *FieldUpdate:
		return levelPostfix
	case *IntLiteral:
		if e.Value.Sign() < 0 {
			return levelUnary
		}
	case *RealLiteral:
		if e.Text == "" && (e.Value.Sign() < 0 || decimal(e.Value) == "") {
			return levelAny
		}
	}
	return levelAtom
}

// expression prints e where something of at least the level is wanted.
func (p *printer) expression(e Expr, level int) {
	if levelOf(e) < level {
		p.text("(")
		defer p.text(")")
	}
	switch e := e.(type) {
	case *BoolLiteral:
		p.text(strconv.FormatBool(e.Value))
	case *IntLiteral:
		p.out = e.Value.Append(p.out, 10)
	case *RealLiteral:
		p.real(e)
	case *BitVectorLiteral:
		p.out = e.Value.Append(p.out, 10)
		p.text("bv" + strconv.Itoa(e.Width))
	case *StringLiteral:
		p.string(e.Text)
	case *Identifier:
		p.name(e.Name)
	case *Application:
		p.name(e.Name)
		p.arguments(e.Args)
	case *Unary:
		switch e.Op {
		case Not:
			p.text("!")
			p.expression(e.X, levelUnary)
		case Negate:
			p.text("-")
			p.expression(e.X, levelUnary)
		case ToInt:
			p.put("int(", e.X, ")")
		case ToReal:
			p.put("real(", e.X, ")")
		}
	case *Binary:
		p.binary(e)
	case *Select:
		p.expression(e.Map, levelPostfix)
		p.text("[")
		p.list(len(e.Index), func(i int) { p.expression(e.Index[i], levelAny) })
		p.text("]")
	case *Store:
		p.expression(e.Map, levelPostfix)
		p.text("[")
		p.list(len(e.Index), func(i int) { p.expression(e.Index[i], levelAny) })
		if len(e.Index) > 0 {
			p.text(" ")
		}
		p.put(":= ", e.Value, "]")
	case *Extract:
		p.expression(e.X, levelPostfix)
		p.text("[" + strconv.Itoa(e.High) + ":" + strconv.Itoa(e.Low) + "]")
	case *IfThenElse:
		p.put("if ", e.Cond, " then ", e.Then, " else ", e.Else)
	case *Old:
		p.put("old(", e.X, ")")
	case *Coercion:
		p.expression(e.X, levelPostfix)
		p.put(": ", e.Syntax)
	case *Is:
		p.expression(e.X, levelIs)
		p.put(" is ", ident(e.Name))
	case *Field:
		p.expression(e.X, levelPostfix)
		if e.Record {
			p.text("!")
		} else {
			p.text("->")
		}
		p.name(e.Name)
	case *FieldUpdate:
		p.expression(e.X, levelPostfix)
		p.put("->(", ident(e.Name), " := ", e.Value, ")")
	case *RecordLiteral:
		p.text("{ ")
		p.list(len(e.Names), func(i int) { p.put(ident(e.Names[i]), ": ", e.Values[i]) })
		p.text(" }")
	case *Quantifier:
		p.quantifier(e)
	case *Lambda:
		p.text("(lambda")
		p.bound(e.TypeParams, e.Bound)
		p.put(e.Attributes, e.Body, ")")
	case *Let:
		p.let(e)
	case *CodeExpr:
		p.code(e)
	}
}

func (p *printer) arguments(es []Expr) {
	p.text("(")
	p.list(len(es), func(i int) { p.expression(es[i], levelAny) })
	p.text(")")
}

// binary prints an operator and its operands, with parentheses where they associate otherwise or may not mix.
func (p *printer) binary(e *Binary) {
	level := binaryLevels[e.Op]
	left, right := level, level+1
	switch e.Op {
	case Implies, Power:
		left, right = level+1, level
	case Eq, Neq, Less, Greater, LessEq, GreaterEq, PartialOrder:
		left = level + 1
	}
	mixes := e.Op == Implies || e.Op == Explies || e.Op == And || e.Op == Or
	if x, ok := e.X.(*Binary); ok && mixes && x.Op != e.Op && binaryLevels[x.Op] == level {
		left = level + 1
	}
	if y, ok := e.Y.(*Binary); ok && mixes && y.Op != e.Op && binaryLevels[y.Op] == level {
		right = level + 1
	}
	p.expression(e.X, left)
	p.text(" " + binaryTexts[e.Op] + " ")
	p.expression(e.Y, right)
}

// bound prints ` <T> variables :: ` behind the word of a quantifier.
func (p *printer) bound(typeParams []*TypeVariable, vs []*Variable) {
	p.typeParams(typeParams)
	p.text(" ")
	p.list(len(vs), func(i int) { p.variable(vs[i]) })
	p.text(" :: ")
}

func (p *printer) quantifier(e *Quantifier) {
	if e.Exists {
		p.text("(exists")
	} else {
		p.text("(forall")
	}
	p.bound(e.TypeParams, e.Bound)
	p.attributes(e.Attributes)
	for _, t := range e.Triggers {
		p.text("{")
		if t.Exclude {
			p.text(":nopats ")
		}
		p.list(len(t.Terms), func(i int) { p.expression(t.Terms[i], levelAny) })
		p.text("} ")
	}
	if beginsWithBrace(e.Body) { // it would be read as a trigger
		p.put("(", e.Body, "))")
	} else {
		p.put(e.Body, ")")
	}
}

// beginsWithBrace reports whether e's text may begin with a brace.
func beginsWithBrace(e Expr) bool {
	switch e.(type) {
	case *RecordLiteral:
		return true
	case *Binary, *Select, *Store, *Extract, *Field, *FieldUpdate, *Is, *Coercion:
		return beginsWithBrace(Parts(e)[0])
	}
	return false
}

func (p *printer) let(e *Let) {
	p.text("(var ")
	p.list(len(e.Bound), func(i int) { p.put(e.Bound[i].Attributes, ident(e.Bound[i].Name)) })
	p.text(" := ")
	p.list(len(e.Values), func(i int) { p.expression(e.Values[i], levelAny) })
	p.put("; ", e.Attributes, e.Body, ")")
}

func (p *printer) code(e *CodeExpr) {
	p.text("|{")
	for _, v := range e.Body.Locals {
		p.text(" var ")
		p.variable(v)
		p.text(";")
	}
	for _, s := range e.Body.Stmts {
		p.text(" ")
		p.simple(s)
	}
	p.text(" }|")
}

// real prints a number as it was written, or else as a decimal fraction or a quotient of two.
func (p *printer) real(e *RealLiteral) {
	if e.Text != "" {
		p.text(e.Text)
		return
	}
	v := e.Value
	if v.Sign() < 0 {
		p.text("-")
		v = new(big.Rat).Neg(v)
	}
	if s := decimal(v); s != "" {
		p.text(s)
		return
	}
	p.text(v.Num().String() + ".0 / " + v.Denom().String() + ".0")
}

// decimal is a number as a decimal fraction, or "" when it is none.
func decimal(v *big.Rat) string {
	n, exact := v.FloatPrec()
	if !exact {
		return ""
	}
	return v.FloatString(max(n, 1))
}

// string prints an attribute's string. Behind one that ends in a backslash the line ends: the quotation mark could
// otherwise be taken for a part of the string.
func (p *printer) string(s string) {
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, s)
	p.text(`"`)
	for i := range len(s) {
		if s[i] == '"' && (i == 0 || s[i-1] != '\\') {
			p.text(`\`)
		}
		p.out = append(p.out, s[i])
	}
	p.text(`"`)
	if strings.HasSuffix(s, `\`) {
		p.text("\n")
	}
}
