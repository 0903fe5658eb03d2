package machine

import (
	"fmt"

	"hornbeam/chc"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
)

// Declare adds the dialect's types and operations to a program as declarations without meaning and resolves its names.
// The analyses of a program in the dialect need that; it is done once.
func Declare(p *ast.Program) error {
	var declared []ast.Declaration
	used := map[string]bool{}
	visit := func(e ast.Expr) {
		if o, _, ok := Recognise(e); ok && !used[o.Name()] {
			used[o.Name()] = true
			operands, result := o.Signature()
			f := &ast.Function{Name: o.Name(), Result: &ast.Variable{Kind: ast.Out, Syntax: TypeNamed(chc.Position{}, result)}}
			for i, t := range operands {
				f.Params = append(f.Params, &ast.Variable{Kind: ast.In, Name: fmt.Sprintf("x%d", i), Syntax: TypeNamed(chc.Position{}, t)})
			}
			declared = append(declared, f)
		}
	}
	EachExpression(p, visit)
	for _, d := range p.Declarations {
		if t, ok := d.(*ast.TypeDecl); ok {
			used[t.Name] = true
		}
	}
	synonym := func(name string, meaning ast.TypeSyntax) {
		if !used[name] {
			declared = append(declared, &ast.TypeDecl{Name: name, Synonym: meaning})
		}
	}
	for _, bits := range []int{8, 16, 32, 64, 128} {
		for _, signed := range []bool{false, true} {
			synonym(Type{Bits: bits, Signed: signed}.String(), TypeNamed(chc.Position{}, Int))
		}
	}
	synonym(Ref, TypeNamed(chc.Position{}, Int))
	synonym(Float, nil)
	p.Declarations = append(declared, p.Declarations...)
	if err := boogie.Check(p, boogie.Options{}); err != nil {
		return fmt.Errorf("check a program in the machine dialect: %w", err)
	}
	return nil
}

// EachExpression visits all expressions of a program and their subexpressions, in the order of the source.
func EachExpression(p *ast.Program, visit func(ast.Expr)) {
	each := func(e ast.Expr) bool { visit(e); return true }
	for _, d := range p.Declarations {
		switch d := d.(type) {
		case *ast.Procedure:
			if d.Body != nil {
				ast.WalkStatements(d.Body.Stmts, func(ast.Stmt) bool { return true }, each)
			}
			ast.WalkSpecifications(d.Requires, each)
			ast.WalkSpecifications(d.Ensures, each)
		case *ast.Axiom:
			ast.Walk(d.Cond, each)
		case *ast.Function:
			ast.Walk(d.Body, each)
		}
	}
}
