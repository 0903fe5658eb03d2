package boogie

import (
	"hornbeam/frontend/boogie/ast"
)

// Prune returns the part of a program that matters to the procedures called entries: these, what they call, and every
// declaration that what is kept mentions, by name. An axiom is kept when it mentions a constant, or a function without a
// meaning of its own, that is kept, or none at all; then all that it mentions is kept. So the part has the same runs as
// the program, unless the axioms that are left out contradict each other. The tree need not have been checked, and what
// is left out is not going to be: this is for the large preludes of generated programs (see Generated). Declarations are
// shared with p.
func Prune(p *ast.Program, entries ...string) *ast.Program {
	pr := newPruner(p)
	for _, e := range entries {
		pr.mark(procedureName, e)
	}
	pr.run()
	out := &ast.Program{Dialect: p.Dialect}
	for _, d := range p.Declarations {
		if pr.kept[d] {
			out.Declarations = append(out.Declarations, d)
		}
	}
	return out
}

// nameSpace is one of the four name spaces of declarations.
type nameSpace uint8

const (
	typeName nameSpace = iota
	functionName
	variableName
	procedureName
	nameSpaces
)

// pruner finds out what is reachable. Whatever is marked is looked at once.
type pruner struct {
	declared [nameSpaces]map[string][]ast.Declaration
	marked   [nameSpaces]map[string]bool
	// axioms has for each constant and uninterpreted function the axioms that mention it.
	axioms map[string][]*ast.Axiom
	kept   map[ast.Declaration]bool
	work   []ast.Declaration
}

func newPruner(p *ast.Program) *pruner {
	pr := &pruner{axioms: map[string][]*ast.Axiom{}, kept: map[ast.Declaration]bool{}}
	for i := range pr.declared {
		pr.declared[i], pr.marked[i] = map[string][]ast.Declaration{}, map[string]bool{}
	}
	add := func(space nameSpace, name string, d ast.Declaration) {
		pr.declared[space][name] = append(pr.declared[space][name], d)
	}
	for _, d := range p.Declarations {
		switch d := d.(type) {
		case *ast.TypeDecl:
			add(typeName, d.Name, d)
			for _, f := range d.Constructors {
				add(functionName, f.Name, d)
			}
		case *ast.Variable:
			add(variableName, d.Name, d)
		case *ast.Function:
			add(functionName, d.Name, d)
		case *ast.Procedure:
			add(procedureName, d.Name, d)
		case *ast.Implementation:
			add(procedureName, d.Name, d)
		}
	}
	for _, d := range p.Declarations {
		if a, ok := d.(*ast.Axiom); ok {
			pr.indexAxiom(a)
		}
	}
	return pr
}

// indexAxiom notes by which symbols an axiom is reached; one that none of them reaches is kept at once.
func (pr *pruner) indexAxiom(a *ast.Axiom) {
	any := false
	ast.Walk(a.Cond, func(x ast.Expr) bool {
		name, symbol := "", false
		switch x := x.(type) {
		case *ast.Identifier:
			name = x.Name
			symbol = len(pr.declared[variableName][name]) > 0
		case *ast.Application:
			name = x.Name
			for _, d := range pr.declared[functionName][name] {
				f, ok := d.(*ast.Function)
				symbol = symbol || ok && uninterpreted(f)
			}
		}
		if symbol {
			any = true
			pr.axioms[name] = append(pr.axioms[name], a)
		}
		return true
	})
	if !any {
		pr.keep(a)
	}
}

// uninterpreted reports whether nothing but axioms says what a function is.
func uninterpreted(f *ast.Function) bool {
	return f.Body == nil && f.Attributes.Find("builtin") == nil && f.Attributes.Find("bvbuiltin") == nil
}

// mark keeps all that is declared by that name, and the axioms about it.
func (pr *pruner) mark(space nameSpace, name string) {
	if pr.marked[space][name] {
		return
	}
	pr.marked[space][name] = true
	for _, d := range pr.declared[space][name] {
		pr.keep(d)
	}
	if space == functionName || space == variableName {
		for _, a := range pr.axioms[name] {
			pr.keep(a)
		}
	}
}

func (pr *pruner) keep(d ast.Declaration) {
	if !pr.kept[d] {
		pr.kept[d] = true
		pr.work = append(pr.work, d)
	}
}

// run marks all that is mentioned by what is kept.
func (pr *pruner) run() {
	for len(pr.work) > 0 {
		d := pr.work[len(pr.work)-1]
		pr.work = pr.work[:len(pr.work)-1]
		pr.attributes(attributesOf(d))
		switch d := d.(type) {
		case *ast.TypeDecl:
			pr.syntax(d.Synonym)
			for _, f := range d.Constructors {
				pr.attributes(f.Attributes)
				pr.variables(f.Params)
			}
		case *ast.Variable:
			pr.variables([]*ast.Variable{d})
			for _, parent := range d.Parents {
				pr.mark(variableName, parent.Constant.Name)
			}
		case *ast.Function:
			pr.variables(d.Params)
			pr.variables([]*ast.Variable{d.Result})
			pr.expression(d.Body)
		case *ast.Axiom:
			pr.expression(d.Cond)
		case *ast.Procedure:
			pr.variables(d.In)
			pr.variables(d.Out)
			for _, m := range d.Modifies {
				pr.mark(variableName, m.Name)
			}
			ast.WalkSpecifications(d.Requires, pr.visit)
			ast.WalkSpecifications(d.Ensures, pr.visit)
			pr.body(d.Body)
		case *ast.Implementation:
			pr.variables(d.In)
			pr.variables(d.Out)
			pr.body(d.Body)
		}
	}
}

func (pr *pruner) body(b *ast.Body) {
	if b == nil {
		return
	}
	pr.variables(b.Locals)
	ast.WalkStatements(b.Stmts, pr.statement, pr.visit)
}

func (pr *pruner) statement(s ast.Stmt) bool {
	if call, ok := s.(*ast.Call); ok {
		pr.mark(procedureName, call.Name)
	}
	return true
}

func (pr *pruner) variables(vs []*ast.Variable) {
	for i, v := range vs {
		if i == 0 || v.Syntax != vs[i-1].Syntax {
			pr.syntax(v.Syntax)
		}
		pr.attributes(v.Attributes)
		if i == 0 || v.Where != vs[i-1].Where {
			pr.expression(v.Where)
		}
	}
}

func (pr *pruner) attributes(as ast.Attributes) {
	for _, a := range as {
		for _, x := range a.Args {
			pr.expression(x)
		}
	}
}

func (pr *pruner) expression(e ast.Expr) { ast.Walk(e, pr.visit) }

func (pr *pruner) visit(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Identifier:
		pr.mark(variableName, e.Name)
	case *ast.Application:
		pr.mark(functionName, e.Name)
	case *ast.Is:
		pr.mark(functionName, e.Name)
	case *ast.Coercion:
		pr.syntax(e.Syntax)
	case *ast.Quantifier:
		pr.types(e.Bound)
	case *ast.Lambda:
		pr.types(e.Bound)
	case *ast.CodeExpr:
		pr.types(e.Body.Locals)
		ast.WalkStatements(e.Body.Stmts, pr.statement, func(ast.Expr) bool { return false })
	}
	return true
}

func (pr *pruner) types(vs []*ast.Variable) {
	for _, v := range vs {
		pr.syntax(v.Syntax)
	}
}

func (pr *pruner) syntax(t ast.TypeSyntax) {
	switch t := t.(type) {
	case *ast.TypeName:
		pr.mark(typeName, t.Name)
		for _, a := range t.Args {
			pr.syntax(a)
		}
	case *ast.MapSyntax:
		for _, d := range t.Domain {
			pr.syntax(d)
		}
		pr.syntax(t.Range)
	case *ast.RecordSyntax:
		for _, f := range t.Types {
			pr.syntax(f)
		}
	}
}

// Generated reports whether a program begins with the prelude of SMACK's, which is large, mostly unused, and in some
// versions wrong where it is unused: such a program is pruned before it is checked.
func Generated(p *ast.Program) bool {
	signs := map[string]bool{}
	for _, d := range p.Declarations {
		switch d := d.(type) {
		case *ast.TypeDecl:
			if d.Name == "ref" || d.Name == "i1" {
				signs["type "+d.Name] = true
			}
		case *ast.Function:
			switch d.Name {
			case "$eq.ref", "$add.ref", "$load.ref", "$p2i.ref.i64":
				signs[d.Name] = true
			}
		}
	}
	return len(signs) >= 4
}

// Entries returns the names of the procedures with bodies where a run begins, in the source's order: those marked
// {:entrypoint}; else ULTIMATE.start; else main in a Generated program; else those that no other procedure calls, but
// for those marked {:inline n} if there are others; or all when there are none of these. The tree need not have been checked.
func Entries(p *ast.Program) []string {
	var bodies []string
	seen := map[string]bool{}
	marked := map[string]bool{}
	called := map[string]bool{}
	inlined := map[string]bool{}
	skipped := map[string]bool{}
	for _, d := range p.Declarations {
		if q, ok := d.(*ast.Procedure); ok && !verified(q.Attributes) {
			skipped[q.Name] = true
		}
	}
	visit := func(caller string, as ast.Attributes, b *ast.Body) {
		if as.Has("entrypoint") {
			marked[caller] = true
		}
		if b == nil || !verified(as) || skipped[caller] {
			return
		}
		if _, n := as.Int("inline"); n {
			inlined[caller] = true
		}
		if !seen[caller] {
			seen[caller] = true
			bodies = append(bodies, caller)
		}
		for _, call := range ast.Calls(b.Stmts) {
			called[call.Name] = called[call.Name] || call.Name != caller
		}
	}
	for _, d := range p.Declarations {
		switch d := d.(type) {
		case *ast.Procedure:
			visit(d.Name, d.Attributes, d.Body)
		case *ast.Implementation:
			visit(d.Name, d.Attributes, d.Body)
		}
	}
	var chosen, roots, inlinedRoots []string
	for _, b := range bodies {
		if marked[b] {
			chosen = append(chosen, b)
		}
		switch {
		case called[b]:
		case inlined[b]:
			inlinedRoots = append(inlinedRoots, b)
		default:
			roots = append(roots, b)
		}
	}
	if len(roots) == 0 {
		roots = inlinedRoots
	}
	switch {
	case len(chosen) > 0:
		return chosen
	case seen["ULTIMATE.start"]:
		return []string{"ULTIMATE.start"}
	case seen["main"] && Generated(p):
		return []string{"main"}
	case len(roots) > 0:
		return roots
	}
	return bodies
}
