package frame

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie/ast"
)

// A frame has what its body changes, and the globals that what it calls changes, through other frames too; locals of the procedures
// that are called are none of it, and its own only if they count.
func TestFill(t *testing.T) {
	variable := func(name string, kind ast.VariableKind) *ast.Variable { return &ast.Variable{Name: name, Kind: kind} }
	use := func(v *ast.Variable) *ast.Identifier { return &ast.Identifier{Name: v.Name, Decl: v} }
	set := func(v *ast.Variable) ast.Stmt {
		return &ast.Assign{Left: []ast.Expr{use(v)}, Right: []ast.Expr{use(v)}}
	}
	g, h, m, unset := variable("g", ast.Global), variable("h", ast.Global), variable("m", ast.Global), variable("unset", ast.Global)
	x, y, z := variable("x", ast.Local), variable("y", ast.Local), variable("z", ast.Local)
	inner := &Frame{Havoc: &ast.Havoc{}, Body: []ast.Stmt{set(h)}, Outside: true}
	called := &ast.Procedure{Name: "called", Body: &ast.Body{Stmts: []ast.Stmt{set(y), inner.Havoc, &ast.Call{Name: "called"}}}}
	body := []ast.Stmt{
		set(x), &ast.Call{Name: "called", Results: []*ast.Identifier{use(z), nil}},
		&ast.Assign{Left: []ast.Expr{&ast.Select{Map: use(m), Index: []ast.Expr{use(unset)}}}, Right: []ast.Expr{use(g)}},
	}
	all, outside := &Frame{Havoc: &ast.Havoc{}, Body: body}, &Frame{Havoc: &ast.Havoc{}, Body: body, Outside: true}
	Fill([]*Frame{inner, all, outside}, []*ast.Procedure{called}, func(v *ast.Variable) bool { return v == z })
	names := func(f *Frame) (out []string) {
		for _, v := range f.Havoc.Variables {
			out = append(out, v.Name)
		}
		return out
	}
	require.Equal(t, []string{"x", "z", "m", "h"}, names(all))
	require.Equal(t, []string{"z", "m", "h"}, names(outside))
	require.Equal(t, []string{"h"}, names(inner))
}
