package ast

import (
	"io"
	"strings"
)

// Print writes a program so that reading it gives the same tree, up to positions: resolved or not. In a program that has
// been checked / never stands for integer division; one in Ultimate's dialect that has not been checked must be read
// again in that dialect.
func Print(w io.Writer, p *Program) error {
	var pr printer
	var last Declaration
	for _, d := range p.Declarations {
		if last != nil && !(sameKind(last, d) && short(last) && short(d)) {
			pr.text("\n")
		}
		pr.declaration(d)
		last = d
	}
	_, err := w.Write(pr.out)
	return err
}

// String is the expression as the source writes it, on one line (a string that ends in a backslash ends a line, too).
func String(e Expr) string {
	var pr printer
	pr.expression(e, levelAny)
	return string(pr.out)
}

// StatementString is the statement as the source writes it, with a line for each statement in it.
func StatementString(s Stmt) string {
	var pr printer
	pr.statement(s, 0)
	return strings.TrimSuffix(string(pr.out), "\n")
}

// DeclarationString is the declaration as the source writes it.
func DeclarationString(d Declaration) string {
	var pr printer
	pr.declaration(d)
	return strings.TrimSuffix(string(pr.out), "\n")
}

// printer collects the text.
type printer struct{ out []byte }

func (p *printer) text(s string) { p.out = append(p.out, s...) }

func (p *printer) name(s string) { p.text(quote(s)) }

// indent begins a line inside n braces. Very deep nesting is not worth its space.
func (p *printer) indent(n int) {
	for range min(n, 40) {
		p.text("  ")
	}
}

// list prints n things with commas between them.
func (p *printer) list(n int, print func(int)) {
	for i := range n {
		if i > 0 {
			p.text(", ")
		}
		print(i)
	}
}

func sameKind(a, b Declaration) bool {
	switch a := a.(type) {
	case *TypeDecl:
		_, ok := b.(*TypeDecl)
		return ok
	case *Variable:
		b, ok := b.(*Variable)
		return ok && a.Kind == b.Kind
	case *Function:
		_, ok := b.(*Function)
		return ok
	case *Axiom:
		_, ok := b.(*Axiom)
		return ok
	}
	return false
}

// short reports whether a declaration takes one line.
func short(d Declaration) bool {
	f, ok := d.(*Function)
	return !ok || f.Body == nil
}

func (p *printer) declaration(d Declaration) {
	switch d := d.(type) {
	case *TypeDecl:
		p.typeDecl(d)
	case *Variable:
		if d.Kind == Constant {
			p.constant(d)
		} else {
			p.text("var ")
			p.variable(d)
			p.text(";\n")
		}
	case *Function:
		p.function(d)
	case *Axiom:
		p.text("axiom ")
		p.attributes(d.Attributes)
		p.expression(d.Cond, levelAny)
		p.text(";\n")
	case *Procedure:
		p.procedure(d)
	case *Implementation:
		p.text("implementation ")
		p.attributes(d.Attributes)
		p.name(d.Name)
		p.signature(d.TypeParams, d.In, d.Out)
		p.text("\n")
		p.body(d.Body, 0)
	}
}

func (p *printer) typeDecl(d *TypeDecl) {
	if len(d.Constructors) > 0 {
		p.text("datatype ")
		p.attributes(d.Attributes)
		p.name(d.Name)
		p.typeParams(d.Params)
		p.text(" {\n")
		for i, c := range d.Constructors {
			p.text("  ")
			p.attributes(c.Attributes)
			p.name(c.Name)
			p.text("(")
			p.list(len(c.Params), func(i int) { p.variable(c.Params[i]) })
			p.text(")")
			if i < len(d.Constructors)-1 {
				p.text(",")
			}
			p.text("\n")
		}
		p.text("}\n")
		return
	}
	p.text("type ")
	p.attributes(d.Attributes)
	p.name(d.Name)
	for _, v := range d.Params {
		p.text(" ")
		p.name(v.Name)
	}
	if d.Synonym != nil {
		p.text(" = ")
		p.typ(d.Synonym)
	}
	p.text(";\n")
}

func (p *printer) constant(d *Variable) {
	p.text("const ")
	p.attributes(d.Attributes)
	if d.Unique {
		p.text("unique ")
	}
	p.name(d.Name)
	p.text(": ")
	p.typ(d.Syntax)
	if d.Ordered {
		p.text(" extends")
		for i, parent := range d.Parents {
			if i > 0 {
				p.text(",")
			}
			if parent.Unique {
				p.text(" unique")
			}
			p.text(" ")
			p.name(parent.Constant.Name)
		}
		if d.Complete {
			p.text(" complete")
		}
	}
	p.text(";\n")
}

// variable prints `A name: type where cond`, or without a name only the type.
func (p *printer) variable(v *Variable) {
	p.attributes(v.Attributes)
	if v.Name != "" {
		p.name(v.Name)
		p.text(": ")
	}
	if v.Syntax != nil {
		p.typ(v.Syntax)
	} else {
		p.typ(SyntaxOf(v.Type))
	}
	if v.Where != nil {
		p.text(" where ")
		p.expression(v.Where, levelAny)
	}
}

func (p *printer) function(d *Function) {
	p.text("function ")
	p.attributes(d.Attributes)
	p.name(d.Name)
	p.signature(d.TypeParams, d.Params, []*Variable{d.Result})
	if d.Body == nil {
		p.text(";\n")
		return
	}
	p.text("\n{\n  ")
	p.expression(d.Body, levelAny)
	p.text("\n}\n")
}

func (p *printer) signature(typeParams []*TypeVariable, in, out []*Variable) {
	p.typeParams(typeParams)
	p.text("(")
	p.list(len(in), func(i int) { p.variable(in[i]) })
	p.text(")")
	if len(out) > 0 {
		p.text(" returns (")
		p.list(len(out), func(i int) { p.variable(out[i]) })
		p.text(")")
	}
}

func (p *printer) typeParams(vs []*TypeVariable) {
	if len(vs) > 0 {
		p.text("<")
		p.list(len(vs), func(i int) { p.name(vs[i].Name) })
		p.text(">")
	}
}

func (p *printer) procedure(d *Procedure) {
	if d.Pure {
		p.text("pure ")
	}
	p.text("procedure ")
	p.attributes(d.Attributes)
	p.name(d.Name)
	p.signature(d.TypeParams, d.In, d.Out)
	if d.Body == nil {
		p.text(";")
	}
	p.text("\n")
	if len(d.Modifies) > 0 {
		p.text("  modifies ")
		p.list(len(d.Modifies), func(i int) { p.name(d.Modifies[i].Name) })
		p.text(";\n")
	}
	p.specifications(d.Requires, "requires", 1)
	p.specifications(d.Ensures, "ensures", 1)
	if d.Body != nil {
		p.body(d.Body, 0)
	}
}

func (p *printer) specifications(specs []*Specification, word string, depth int) {
	for _, s := range specs {
		p.indent(depth)
		if s.Free {
			p.text("free ")
		}
		p.text(word + " ")
		p.attributes(s.Attributes)
		p.expression(s.Cond, levelAny)
		p.text(";\n")
	}
}

func (p *printer) attributes(as Attributes) {
	for _, a := range as {
		p.attribute(a)
		p.text(" ")
	}
}

func (p *printer) attribute(a *Attribute) {
	p.text("{:" + a.Name)
	if len(a.Args) > 0 {
		p.text(" ")
	}
	p.list(len(a.Args), func(i int) { p.expression(a.Args[i], levelAny) })
	p.text("}")
}

func (p *printer) typ(t TypeSyntax) {
	switch t := t.(type) {
	case *TypeName:
		p.typeName(t.Name)
		for _, a := range t.Args {
			p.text(" ")
			if n, ok := a.(*TypeName); ok && len(n.Args) == 0 {
				p.typeName(n.Name)
				continue
			}
			p.text("(")
			p.typ(a)
			p.text(")")
		}
	case *MapSyntax:
		p.typeParams(t.Params)
		p.text("[")
		p.list(len(t.Domain), func(i int) { p.typ(t.Domain[i]) })
		p.text("]")
		p.typ(t.Range)
	case *RecordSyntax:
		p.text("{ ")
		p.list(len(t.Names), func(i int) {
			p.name(t.Names[i])
			p.text(": ")
			p.typ(t.Types[i])
		})
		p.text(" }")
	}
}

// typeName prints the name of a type: int, bool, real and bvN mean the types of these names.
func (p *printer) typeName(s string) {
	if s == "int" || s == "bool" || s == "real" || IsBitVectorName(s) {
		p.text(s)
	} else {
		p.name(s)
	}
}
