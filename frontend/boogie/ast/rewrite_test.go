package ast_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
)

// everyKind has an expression of every kind, with one variable in each of its places.
const everyKind = `type T; datatype D { D(f: int) } function g(a: int, b: int) returns (int); const m: [int]int; const v: int; const w: bv8; const d: D;
axiom g(v, v) + -v == m[v] && m[v := v][v] == (if v == v then v else v);
axiom (forall i: int :: {g(v, i)} g(i, v) == v);
axiom (exists i: int :: g(i, v) == v) && (lambda i: int :: g(i, v))[v] == v;
axiom (var x := v; g(x, v)) == v && w[3:0] == w[3:0] && real(v) == 0.5;
axiom d is D && d->f == v && (d->(f := v))->f == v && D(v)->f == v;
procedure p() { assert old(v) == v; }
`

// Each subexpression is put in its place, and what was given is left as it is.
func TestRewrite(t *testing.T) {
	read := func() (*ast.Program, []ast.Expr) {
		p, err := boogie.Read("p.bpl", []byte(everyKind), boogie.Options{})
		require.NoError(t, err)
		var out []ast.Expr
		for _, a := range p.Axioms {
			out = append(out, a.Cond)
		}
		for _, s := range p.Procedures[0].Implementations[0].Body.Stmts {
			if a, ok := s.(*ast.Assert); ok {
				out = append(out, a.Cond)
			}
		}
		require.Len(t, out, 6)
		return p, out
	}
	_, given := read()
	var renamed func(e ast.Expr) ast.Expr
	renamed = func(e ast.Expr) ast.Expr {
		if id, ok := e.(*ast.Identifier); ok && id.Name == "v" {
			return &ast.Identifier{Node: id.Node, Name: "other", Decl: id.Decl}
		}
		return ast.Rewrite(e, renamed)
	}
	for _, e := range given {
		before := ast.String(e)
		same := ast.Rewrite(e, func(x ast.Expr) ast.Expr { return x })
		require.Equal(t, before, ast.String(same))
		require.NotSame(t, e, same)
		after := ast.String(renamed(e))
		require.NotRegexp(t, `\bv\b`, after)
		require.Regexp(t, `\bother\b`, after)
		require.Equal(t, before, ast.String(e), "the given expression is left as it is")
	}
}
