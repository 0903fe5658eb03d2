package loops_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
	"hornbeam/frontend/boogie/loops"
)

func read(t *testing.T, src string) *ast.Program {
	p, err := boogie.Read("f.bpl", []byte(src), boogie.Options{})
	require.NoError(t, err, src)
	return p
}

func text(t *testing.T, p *ast.Program) string {
	var b bytes.Buffer
	require.NoError(t, ast.Print(&b, p))
	return b.String()
}

const nested = `var g: int;
procedure p(n: int) returns (r: int) modifies g;
{
  var i, j, unused, after: int;
  i := 0;
  after := 7;
  while (i < n)
    invariant g >= old(g);
  {
    j := 0;
    while (*) {
      j := j + 1;
      if (j > 5) { return; }
      g := g + old(g);
    }
    unused := j;
    r := r + j;
    i := i + 1;
    call r := p(n - 1);
  }
  assert i + after > 0;
}
`

// What is left has no loops, the given program stays as it is, and the procedures get and return what they need.
func TestExtract(t *testing.T) {
	p := read(t, nested)
	before := text(t, p)
	q, _ := loops.Extract(p)
	require.Equal(t, before, text(t, p))
	require.Len(t, q.Procedures, 3)
	names := func(vs []*ast.Variable) []string {
		out := []string{}
		for _, v := range vs {
			out = append(out, v.Name)
		}
		return out
	}
	for i, want := range []struct{ in, out, frame []string }{
		{[]string{"n"}, []string{"r"}, []string{"g"}},
		{[]string{"n", "r.before", "i.before", "old(g)"}, []string{"r", "i", "j", "exit"}, []string{"g"}},
		{[]string{"j.before", "old(g)"}, []string{"j", "exit"}, []string{"g"}},
	} {
		r := q.Procedures[i]
		require.Equal(t, want.in, names(r.In), r.Name)
		require.Equal(t, want.out, names(r.Out), r.Name)
		require.Equal(t, want.frame, names(r.Frame), r.Name)
		require.Equal(t, i > 0, r.LoopOf == q.Procedures[0])
		for _, impl := range r.Implementations {
			require.Same(t, r, impl.Procedure)
			for _, b := range flow.Build(impl).Blocks {
				require.False(t, b.Loop)
				for _, c := range b.Commands {
					if s, ok := c.Source.(*ast.Call); ok {
						require.Contains(t, q.Procedures, s.Procedure)
					}
				}
			}
		}
	}
}

// Each statement of the source is told of those that do the same, at its place.
func TestOrigins(t *testing.T) {
	p := read(t, nested)
	given := map[ast.Stmt]bool{}
	statements := func(p *ast.Program, visit func(ast.Stmt)) {
		for _, q := range p.Procedures {
			for _, impl := range q.Implementations {
				ast.WalkStatements(impl.Body.Stmts, func(s ast.Stmt) bool { visit(s); return true }, func(ast.Expr) bool { return false })
			}
		}
	}
	statements(p, func(s ast.Stmt) { given[s] = true })
	q, origins := loops.Extract(p)
	found := map[string]int{}
	statements(q, func(s ast.Stmt) {
		o := origins[s]
		if o == nil {
			return
		}
		require.True(t, given[o])
		require.Equal(t, reflect.TypeOf(o), reflect.TypeOf(s))
		found[reflect.TypeOf(s).String()]++
	})
	require.Equal(t, map[string]int{"*ast.Assert": 1, "*ast.Assign": 8, "*ast.Call": 1}, found)
}

// Without loops a body keeps its statements; loops that cannot be told alone stay.
func TestKept(t *testing.T) {
	for _, x := range []struct {
		src   string
		loops int
	}{
		{"procedure p() { var x: int; O: if (*) { break O; } call p(); goto A, B; A: x := 1; return; B: }", 0},
		{"procedure p() { goto A, B; A: goto B; B: goto A, C; C: }", 1},
		{"procedure p(n: int) { while (n > 0) { assert |{ A: return n > 0; }|; } }", 1},
	} {
		q, _ := loops.Extract(read(t, x.src))
		require.Len(t, q.Procedures, 1, x.src)
		found := 0
		for _, b := range flow.Build(q.Procedures[0].Implementations[0]).Blocks {
			if b.Loop {
				found++
			}
			for _, c := range b.Commands {
				if s, ok := c.Source.(*ast.Call); ok {
					require.Same(t, q.Procedures[0], s.Procedure)
				}
			}
		}
		require.Equal(t, x.loops, found, x.src)
	}
}
