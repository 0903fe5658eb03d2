package ast_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
)

// A copy is written as the original, and its gotos and breaks stay in it; with a function for expressions it shares none of
// the statements, and each of their expressions has come from the function.
func TestCopier(t *testing.T) {
	p, err := boogie.Read("f", []byte(`
var g: int;
procedure q(x: int) returns (y: int);
procedure p() returns (r: bool) {
  start: havoc g, r;
  while (g > 0) invariant {:here g} g > 0; {
    if (*) { break; } else if (r) { goto start, end; }
    call g := q(g);
  }
  assume {:x g} r;
  assert r;
  g := g + 1;
  end: return;
}`), boogie.Options{})
	require.NoError(t, err)
	body := p.Procedures[1].Body.Stmts
	for _, expressions := range []bool{false, true} {
		replaced := map[ast.Expr]bool{}
		told := map[ast.Stmt]ast.Stmt{}
		c := &ast.Copier{
			Call:   func(s *ast.Call) ast.Stmt { n := *s; return &n },
			Copied: func(n, from ast.Stmt) { told[n] = from },
		}
		if expressions {
			var f func(ast.Expr) ast.Expr
			f = func(e ast.Expr) ast.Expr {
				n := ast.Rewrite(e, f)
				if id, ok := e.(*ast.Identifier); ok {
					same := *id
					n = &same
				}
				replaced[n] = true
				return n
			}
			c.Expr = f
		}
		copied := c.Body(body)
		require.Len(t, copied, len(body))
		originals, labels, loops := map[ast.Stmt]bool{}, map[*ast.Label]bool{}, map[ast.Stmt]bool{}
		ast.WalkStatements(body, func(s ast.Stmt) bool { originals[s] = true; return true }, func(ast.Expr) bool { return false })
		statements := func(visit func(ast.Stmt)) {
			ast.WalkStatements(copied, func(s ast.Stmt) bool { visit(s); return true }, func(ast.Expr) bool { return false })
		}
		statements(func(s ast.Stmt) {
			if l, ok := s.(*ast.Label); ok {
				labels[l] = true
			}
			loops[s] = true
			require.Equal(t, !originals[s], told[s] != nil, "what is new is told")
			if expressions {
				require.False(t, originals[s])
			}
		})
		require.Len(t, labels, 2)
		jumps := 0
		statements(func(s ast.Stmt) {
			switch s := s.(type) {
			case *ast.Goto:
				for _, l := range s.Targets {
					require.True(t, labels[l])
					jumps++
				}
			case *ast.Break:
				require.True(t, loops[s.Target])
				jumps++
			case *ast.Assert:
				require.Equal(t, expressions, replaced[s.Cond])
			case *ast.Assume:
				require.Equal(t, expressions, replaced[s.Cond])
				require.Equal(t, expressions, replaced[s.Attributes[0].Args[0]])
			case *ast.Assign:
				require.Equal(t, expressions, replaced[s.Right[0]])
			case *ast.Havoc:
				require.Equal(t, expressions, replaced[s.Variables[1]])
			case *ast.While:
				require.Equal(t, expressions, replaced[s.Invariants[0].Cond])
				require.Equal(t, expressions, replaced[s.Invariants[0].Attributes[0].Args[0]])
			}
		})
		require.Equal(t, 3, jumps)
		for i, s := range copied {
			require.Equal(t, ast.StatementString(body[i]), ast.StatementString(s))
		}
	}
}
