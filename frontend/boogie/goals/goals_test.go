package goals_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/goals"
)

const program = `procedure {:inline 1} main(n: int) returns (r: int)
  requires n > 0;
  ensures r > n;
{
  var i: int;
  while (i < n)
    invariant i >= 0;
    free invariant i <= n;
  {
    if (i == 3) { call error(); }
    assert {:verified_under n < 0} i < n;
    i := i + 1;
  }
  goto a, b;
a:
  assert {:candidate} false;
  return;
b:
  r := n + 1;
}
procedure error();
  requires false;
  ensures true;
`

func read(t *testing.T, src string) (*ast.Program, func(*ast.Procedure) bool) {
	p, err := boogie.Read("f.bpl", []byte(src), boogie.Options{})
	require.NoError(t, err, src)
	return p, func(q *ast.Procedure) bool { return q.Name == "error" }
}

func text(t *testing.T, p *ast.Program) string {
	var b bytes.Buffer
	require.NoError(t, ast.Print(&b, p))
	return b.String()
}

func names(all []*goals.Goal) []string {
	var out []string
	for _, g := range all {
		out = append(out, g.String())
	}
	return out
}

func TestFailuresAreWhatAProgramChecks(t *testing.T) {
	p, isError := read(t, program)
	all := goals.Failures(p, isError)
	require.Equal(t, []string{
		"f.bpl:2:3: precondition of main", "f.bpl:3:3: postcondition of main", "f.bpl:7:5: invariant", "f.bpl:10:19: call of error",
		"f.bpl:11:5: assertion", "f.bpl:22:3: precondition of error",
	}, names(all))
	// Nothing is asked about, and each goal alone is what is checked.
	none := text(t, p)
	require.NotRegexp(t, `assert (?:\{:verified|i)|call error|\n *requires|\n *invariant`, none)
	require.Regexp(t, `assume \{:verified_under n < 0\} n < 0 \|\| i < n;`, none)
	for i, want := range []string{`\n *requires.* n > 0`, `\n *ensures.* r > n`, `\n *invariant.* i >= 0`, `call .*error\(\)`, `assert \{:verified_under n < 0\}.* i < n`, `\n *requires.* false`} {
		goals.Ask(all, all[i:i+1])
		only := text(t, p)
		require.Regexp(t, want, only)
		require.NotRegexp(t, want, none)
		goals.Ask(all, nil)
		require.Equal(t, none, text(t, p))
	}
}

func TestPlacesAreProceduresAndTheWaysOfBranches(t *testing.T) {
	p, isError := read(t, program)
	goals.Failures(p, isError)
	all := goals.Places(p, isError)
	require.Equal(t, []string{
		"f.bpl:1:23: procedure main", "f.bpl:6:3: body of the loop", "f.bpl:6:3: end of the loop", "f.bpl:10:5: then", "f.bpl:10:5: else",
		"f.bpl:15:1: label a", "f.bpl:18:1: label b",
	}, names(all))
	for i := range all {
		goals.Ask(all, all[i:i+1])
		asked := 0
		for s := range ast.Statements(p.Procedures[0].Implementations[0].Body.Stmts) {
			if a, ok := s.(*ast.Assert); ok && !a.Candidate() {
				require.Equal(t, strings.Contains(ast.StatementString(a), "false"), all[i].Has(a.Attributes))
				if all[i].Has(a.Attributes) {
					asked++
				}
			}
		}
		require.Equal(t, 1, asked, all[i])
	}
}
