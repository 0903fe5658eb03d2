package ast

// body prints `{ locals statements }` with the braces inside n others.
func (p *printer) body(b *Body, depth int) {
	p.indent(depth)
	p.text("{\n")
	for _, v := range b.Locals {
		p.indent(depth + 1)
		p.text("var ")
		p.variable(v)
		p.text(";\n")
	}
	if len(b.Locals) > 0 && len(b.Stmts) > 0 {
		p.text("\n")
	}
	for _, s := range b.Stmts {
		p.statement(s, depth+1)
	}
	p.indent(depth)
	p.text("}\n")
}

// block prints ` { statements }` behind something, and leaves the line open.
func (p *printer) block(stmts []Stmt, depth int) {
	p.text("{\n")
	for _, s := range stmts {
		p.statement(s, depth+1)
	}
	p.indent(depth)
	p.text("}")
}

// statement prints a statement inside n braces, on lines of its own.
func (p *printer) statement(s Stmt, depth int) {
	switch s := s.(type) {
	case *Label:
		p.indent(max(depth-1, 0))
		p.text(" ") // a name in the first column could be a pragma
		p.simple(s)
	case *If:
		p.indent(depth)
		p.ifStatement(s, depth)
	case *While:
		p.indent(depth)
		p.text("while (")
		p.guard(s.Guard)
		p.text(")\n")
		p.specifications(s.Invariants, "invariant", depth+1)
		p.indent(depth)
		p.block(s.Body, depth)
	default:
		p.indent(depth)
		p.simple(s)
	}
	p.text("\n")
}

func (p *printer) ifStatement(s *If, depth int) {
	p.put("if ", s.Attributes, "(")
	p.guard(s.Guard)
	p.text(") ")
	p.block(s.Then, depth)
	if s.Else == nil {
		return
	}
	p.text(" else ")
	if len(s.Else) == 1 {
		if next, ok := s.Else[0].(*If); ok {
			p.ifStatement(next, depth)
			return
		}
	}
	p.block(s.Else, depth)
}

func (p *printer) guard(e Expr) {
	if e == nil {
		p.text("*")
	} else {
		p.expression(e, levelAny)
	}
}

// simple prints a statement without statements in it.
func (p *printer) simple(s Stmt) {
	switch s := s.(type) {
	case *Label:
		p.put(ident(s.Name), ":")
	case *Assert:
		p.put("assert ", s.Attributes, s.Cond, ";")
	case *Assume:
		p.put("assume ", s.Attributes, s.Cond, ";")
	case *Havoc:
		p.text("havoc ")
		p.list(len(s.Variables), func(i int) { p.name(s.Variables[i].Name) })
		p.text(";")
	case *Assign:
		p.list(len(s.Left), func(i int) { p.expression(s.Left[i], levelPostfix) })
		p.text(" := ")
		p.list(len(s.Right), func(i int) { p.expression(s.Right[i], levelAny) })
		p.text(";")
	case *Call:
		p.call(s)
	case *Break:
		p.text("break")
		if s.Label != "" {
			p.put(" ", ident(s.Label))
		}
		p.text(";")
	case *Goto:
		p.put("goto ", s.Attributes)
		p.list(len(s.Labels), func(i int) { p.name(s.Labels[i]) })
		p.text(";")
	case *Return:
		p.text("return")
		for _, a := range s.Attributes {
			p.text(" ")
			p.attribute(a)
		}
		if s.Value != nil {
			p.put(" ", s.Value)
		}
		p.text(";")
	}
}

func (p *printer) call(s *Call) {
	if s.Free {
		p.text("free ")
	}
	p.put("call ", s.Attributes)
	if len(s.Results) > 0 {
		p.list(len(s.Results), func(i int) {
			if s.Results[i] == nil {
				p.text("*")
			} else {
				p.name(s.Results[i].Name)
			}
		})
		p.text(" := ")
	}
	p.put(ident(s.Name), "(")
	p.list(len(s.Args), func(i int) { p.guard(s.Args[i]) })
	p.text(");")
}
