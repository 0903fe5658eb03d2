package boogie

import (
	"fmt"
	"math/big"
	"reflect"
	"strings"

	"pgregory.net/rapid"

	"hornbeam/frontend/boogie/ast"
)

// grower makes random trees: syntactically right, otherwise meaningless.
type grower struct {
	t *rapid.T
	// budget limits the size of what is grown.
	budget int
}

func newGrower(t *rapid.T) *grower { return &grower{t, 60} }

// names has all kinds of names: plain ones, those that generators write, and those that need a backslash.
var names = []string{"x", "y", "f", "T", "$M.0", "x'", "#t~ret0", "?v", ".str.1", "a`b", "p^q", "_", "old", "forall", "int", "bv32",
	"is", "uses", "extends", "complete", "yield", "datatype", "pure", `a\b`, `\x`, "#if0", "#line", "main_loop_$bb1", "e1", "finite"}

func (g *grower) int(low, high int) int { return rapid.IntRange(low, high).Draw(g.t, "n") }
func (g *grower) bool() bool            { return g.int(0, 1) == 1 }
func (g *grower) name() string          { return rapid.SampledFrom(names).Draw(g.t, "name") }

// some makes between low and high things, fewer when the budget is spent.
func some[T any](g *grower, low, high int, make func() T) []T {
	var out []T
	n := low
	if g.budget > 0 {
		n = g.int(low, high)
	}
	for range n {
		out = append(out, make())
	}
	return out
}

func (g *grower) typeVariables() []*ast.TypeVariable {
	return some(g, 0, 2, func() *ast.TypeVariable { return &ast.TypeVariable{Name: g.name()} })
}

func (g *grower) typ() ast.TypeSyntax {
	g.budget--
	kind := 0
	if g.budget > 0 {
		kind = g.int(0, 4)
	}
	switch kind {
	case 3:
		return &ast.MapSyntax{Params: g.typeVariables(), Domain: some(g, 0, 2, g.typ), Range: g.typ()}
	case 4:
		types := some(g, 1, 2, g.typ)
		return &ast.RecordSyntax{Names: g.names(len(types)), Types: types}
	}
	name := rapid.SampledFrom([]string{"int", "bool", "real", "bv8", "T", "ref", "forall", "extends"}).Draw(g.t, "type")
	t := &ast.TypeName{Name: name}
	if kind == 2 && name != "int" && name != "bool" && name != "real" {
		t.Args = some(g, 0, 2, g.typ)
	}
	return t
}

func (g *grower) names(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = g.name()
	}
	return out
}

func (g *grower) identifier() *ast.Identifier { return &ast.Identifier{Name: g.name()} }

func (g *grower) variable(kind ast.VariableKind, where bool) *ast.Variable {
	v := &ast.Variable{Kind: kind, Attributes: g.attributes(), Name: g.name(), Syntax: g.typ()}
	if where && g.int(0, 3) == 0 {
		v.Where = g.expr()
	}
	return v
}

func (g *grower) variables(kind ast.VariableKind, low, high int, where bool) []*ast.Variable {
	return some(g, low, high, func() *ast.Variable { return g.variable(kind, where) })
}

func (g *grower) attributes() ast.Attributes {
	if g.int(0, 3) > 0 {
		return nil
	}
	return some(g, 1, 2, func() *ast.Attribute {
		name := rapid.SampledFrom([]string{"inline", "a", "free", "true", "bv1", "sourceloc"}).Draw(g.t, "attribute")
		return &ast.Attribute{Name: name, Args: some(g, 0, 2, func() ast.Expr {
			if g.bool() {
				text := rapid.SampledFrom([]string{"", "a b", `a\"b`, `\`, `c:\d\`, "é // {", `\"`}).Draw(g.t, "text")
				return &ast.StringLiteral{Text: text}
			}
			return g.expr()
		})}
	})
}

func (g *grower) expr() ast.Expr {
	g.budget--
	if g.budget <= 0 {
		return g.identifier()
	}
	switch g.int(0, 21) {
	case 0:
		return &ast.BoolLiteral{Value: g.bool()}
	case 1:
		return &ast.IntLiteral{Value: big.NewInt(int64(g.int(0, 1000)))}
	case 2:
		text := rapid.SampledFrom([]string{"1.50", "2e3", "0.1e-4", "0.0"}).Draw(g.t, "real")
		v, _ := new(big.Rat).SetString(text)
		return &ast.RealLiteral{Value: v, Text: text}
	case 3:
		return &ast.BitVectorLiteral{Value: big.NewInt(int64(g.int(0, 255))), Width: 8}
	case 4:
		return g.identifier()
	case 5:
		return &ast.Application{Name: g.name(), Args: some(g, 0, 3, g.expr)}
	case 6:
		return &ast.Unary{Op: ast.UnaryOp(g.int(0, int(ast.ToReal))), X: g.expr()}
	case 7, 8, 9, 10:
		return &ast.Binary{Op: ast.BinaryOp(g.int(0, int(ast.Power))), X: g.expr(), Y: g.expr()}
	case 11:
		return &ast.Select{Map: g.expr(), Index: some(g, 0, 2, g.expr)}
	case 12:
		return &ast.Store{Map: g.expr(), Index: some(g, 0, 2, g.expr), Value: g.expr()}
	case 13:
		return &ast.Extract{X: g.expr(), High: g.int(0, 64), Low: g.int(0, 64)}
	case 14:
		return &ast.IfThenElse{Cond: g.expr(), Then: g.expr(), Else: g.expr()}
	case 15:
		return &ast.Old{X: g.expr()}
	case 16:
		return &ast.Coercion{X: g.expr(), Syntax: g.typ()}
	case 17:
		return g.quantifier()
	case 18:
		return &ast.Lambda{TypeParams: g.typeVariables(), Bound: g.variables(ast.Bound, 1, 2, false), Attributes: g.attributes(), Body: g.expr()}
	case 19:
		values := some(g, 1, 2, g.expr)
		let := &ast.Let{Values: values, Attributes: g.attributes(), Body: g.expr()}
		for range values {
			let.Bound = append(let.Bound, &ast.Variable{Kind: ast.Bound, Name: g.name()})
		}
		return let
	case 20:
		return g.field()
	default:
		return g.code()
	}
}

func (g *grower) field() ast.Expr {
	switch g.int(0, 3) {
	case 0:
		return &ast.Is{X: g.expr(), Name: g.name()}
	case 1:
		return &ast.Field{X: g.expr(), Name: g.name(), Record: g.bool()}
	case 2:
		return &ast.FieldUpdate{X: g.expr(), Name: g.name(), Value: g.expr()}
	}
	values := some(g, 1, 2, g.expr)
	return &ast.RecordLiteral{Names: g.names(len(values)), Values: values}
}

func (g *grower) quantifier() ast.Expr {
	q := &ast.Quantifier{Exists: g.bool(), TypeParams: g.typeVariables(), Attributes: g.attributes()}
	low := 1
	if len(q.TypeParams) > 0 {
		low = 0
	}
	q.Bound = g.variables(ast.Bound, low, 2, false)
	q.Triggers = some(g, 0, 2, func() *ast.Trigger {
		if g.int(0, 3) == 0 {
			return &ast.Trigger{Exclude: true, Terms: []ast.Expr{g.expr()}}
		}
		return &ast.Trigger{Terms: some(g, 1, 2, g.expr)}
	})
	q.Body = g.expr()
	return q
}

func (g *grower) code() ast.Expr {
	b := &ast.Body{Locals: g.variables(ast.Local, 0, 1, true)}
	for range g.int(1, 2) {
		b.Stmts = append(b.Stmts, &ast.Label{Name: g.name()})
		b.Stmts = append(b.Stmts, some(g, 0, 2, g.simple)...)
		if g.bool() {
			b.Stmts = append(b.Stmts, &ast.Goto{Labels: g.names(g.int(1, 2))})
		} else {
			b.Stmts = append(b.Stmts, &ast.Return{Attributes: g.attributes(), Value: g.expr()})
		}
	}
	return &ast.CodeExpr{Body: b}
}

func (g *grower) left() ast.Expr {
	var left ast.Expr = g.identifier()
	for range g.int(0, 2) {
		if g.int(0, 2) > 0 {
			left = &ast.Select{Map: left, Index: some(g, 0, 2, g.expr)}
		} else {
			left = &ast.Field{X: left, Name: g.name(), Record: g.bool()}
		}
	}
	return left
}

// simple makes a statement without statements in it, after which others can come.
func (g *grower) simple() ast.Stmt {
	switch g.int(0, 4) {
	case 0:
		return &ast.Assert{Attributes: g.attributes(), Cond: g.expr()}
	case 1:
		return &ast.Assume{Attributes: g.attributes(), Cond: g.expr()}
	case 2:
		return &ast.Havoc{Variables: some(g, 1, 2, g.identifier)}
	case 3:
		return &ast.Assign{Left: some(g, 1, 2, g.left), Right: some(g, 1, 2, g.expr)}
	}
	call := &ast.Call{Attributes: g.attributes(), Free: g.bool(), Name: g.name(), Args: some(g, 0, 2, func() ast.Expr {
		if g.int(0, 3) == 0 {
			return nil
		}
		return g.expr()
	})}
	call.Results = some(g, 0, 2, func() *ast.Identifier {
		if g.int(0, 3) == 0 {
			return nil
		}
		return g.identifier()
	})
	return call
}

func (g *grower) statement() ast.Stmt {
	g.budget--
	if g.budget <= 0 {
		return &ast.Return{}
	}
	guard := func() ast.Expr {
		if g.bool() {
			return nil
		}
		return g.expr()
	}
	switch g.int(0, 7) {
	case 0:
		return &ast.Label{Name: g.name()}
	case 1:
		s := &ast.If{Attributes: g.attributes(), Guard: guard(), Then: some(g, 0, 2, g.statement)}
		if g.bool() {
			s.Else = append([]ast.Stmt{}, some(g, 0, 2, g.statement)...)
		}
		return s
	case 2:
		return &ast.While{Guard: guard(), Invariants: some(g, 0, 2, g.specification), Body: some(g, 0, 2, g.statement)}
	case 3:
		return &ast.Break{Label: rapid.SampledFrom([]string{"", "x", "is"}).Draw(g.t, "label")}
	case 4:
		return &ast.Goto{Attributes: g.attributes(), Labels: g.names(g.int(1, 2))}
	case 5:
		return &ast.Return{Attributes: g.attributes()}
	}
	return g.simple()
}

func (g *grower) specification() *ast.Specification {
	return &ast.Specification{Free: g.bool(), Attributes: g.attributes(), Cond: g.expr()}
}

func (g *grower) body() *ast.Body {
	return &ast.Body{Locals: g.variables(ast.Local, 0, 2, true), Stmts: some(g, 0, 4, g.statement)}
}

func (g *grower) declaration() ast.Declaration {
	g.budget += 30
	switch g.int(0, 7) {
	case 0:
		d := &ast.TypeDecl{Attributes: g.attributes(), Name: g.name(), Params: g.typeVariables()}
		if g.bool() {
			d.Synonym = g.typ()
		} else if g.bool() {
			d.Constructors = some(g, 1, 2, func() *ast.Function {
				return &ast.Function{Attributes: g.attributes(), Name: g.name(), TypeParams: d.Params, Params: g.variables(ast.In, 0, 2, false),
					Result: &ast.Variable{Kind: ast.Out}}
			})
		}
		return d
	case 1:
		d := g.variable(ast.Constant, false)
		d.Unique = g.bool()
		if d.Ordered = g.bool(); d.Ordered {
			d.Complete = g.bool()
			d.Parents = some(g, 0, 2, func() *ast.Parent { return &ast.Parent{Unique: g.bool(), Constant: g.identifier()} })
		}
		return d
	case 2:
		return g.variable(ast.Global, true)
	case 3:
		d := &ast.Function{Attributes: g.attributes(), Name: g.name(), TypeParams: g.typeVariables(), Params: g.variables(ast.In, 0, 3, false),
			Result: g.variable(ast.Out, false)}
		if g.bool() {
			d.Result.Name = ""
		}
		if g.bool() {
			for _, v := range d.Params {
				v.Name = ""
			}
		}
		if g.bool() {
			d.Body = g.expr()
		}
		return d
	case 4:
		return &ast.Axiom{Attributes: g.attributes(), Cond: g.expr()}
	case 5:
		return &ast.Implementation{Attributes: g.attributes(), Name: g.name(), TypeParams: g.typeVariables(),
			In: g.variables(ast.In, 0, 2, false), Out: g.variables(ast.Out, 0, 2, false), Body: g.body()}
	}
	d := &ast.Procedure{Attributes: g.attributes(), Pure: g.bool(), Name: g.name(), TypeParams: g.typeVariables(),
		In: g.variables(ast.In, 0, 2, true), Out: g.variables(ast.Out, 0, 2, true), Modifies: some(g, 0, 2, g.identifier),
		Requires: some(g, 0, 2, g.specification), Ensures: some(g, 0, 2, g.specification)}
	if g.bool() {
		d.Body = g.body()
	}
	return d
}

func (g *grower) program() *ast.Program {
	return &ast.Program{Declarations: some(g, 0, 4, g.declaration)}
}

// resolved are the fields of nodes that come from the place in the source or from what names mean.
var resolved = map[string]bool{"Pos": true, "End": true, "Decl": true, "Type": true, "Meaning": true, "Function": true,
	"Procedure": true, "Target": true, "Targets": true, "TypeArguments": true, "Implementations": true, "Frame": true,
	"Datatype": true, "Constructor": true}

// difference says where two trees differ, "" when they are the same up to positions and what names mean.
func difference(a, b any) string { return differ(reflect.ValueOf(a), reflect.ValueOf(b), "") }

func differ(a, b reflect.Value, path string) string {
	if a.Kind() != b.Kind() || a.IsValid() && a.Type() != b.Type() {
		return fmt.Sprintf("%s: %v and %v", path, a, b)
	}
	switch a.Kind() {
	case reflect.Invalid:
	case reflect.Interface:
		return differ(a.Elem(), b.Elem(), path)
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				return fmt.Sprintf("%s: %v and %v", path, a, b)
			}
			return ""
		}
		if x, ok := a.Interface().(*big.Int); ok {
			if x.Cmp(b.Interface().(*big.Int)) != 0 {
				return fmt.Sprintf("%s: %v and %v", path, a, b)
			}
			return ""
		}
		if _, ok := a.Interface().(*big.Rat); ok {
			return ""
		}
		return differ(a.Elem(), b.Elem(), path)
	case reflect.Slice:
		if a.Len() != b.Len() || strings.HasSuffix(path, ".Else") && a.IsNil() != b.IsNil() {
			return fmt.Sprintf("%s: %d and %d elements", path, a.Len(), b.Len())
		}
		for i := range a.Len() {
			if d := differ(a.Index(i), b.Index(i), fmt.Sprintf("%s[%d]", path, i)); d != "" {
				return d
			}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			name := a.Type().Field(i).Name
			if resolved[name] {
				continue
			}
			if d := differ(a.Field(i), b.Field(i), path+"."+name); d != "" {
				return d
			}
		}
	default:
		if !a.Equal(b) {
			return fmt.Sprintf("%s: %v and %v", path, a, b)
		}
	}
	return ""
}
