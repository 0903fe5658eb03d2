package loops_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower"
	"hornbeam/frontend/c/lower/loops"
	"hornbeam/frontend/c/machine"
)

func parsed(t require.TestingT, text string) *ast.Program {
	p, err := boogie.Parse("test", []byte(text), boogie.Options{})
	require.NoError(t, err)
	require.NoError(t, machine.Declare(p))
	return p
}

// Loops behind loops, and loops in loops, are all written out where ranges bound them, what follows a loop once for each turn.
func TestLoopsAreUnwoundWithWhatFollows(t *testing.T) {
	const loop = `%[1]s := 0; %[2]s: if ($lt.u8(%[1]s, x)) { %[1]s := $add.u8(%[1]s, 1); goto %[2]s; } `
	first, second, third := fmt.Sprintf(loop, "i", "H"), fmt.Sprintf(loop, "j", "G"), fmt.Sprintf(loop, "i", "E")
	for _, c := range []struct {
		text    string
		bounded bool
	}{
		{`havoc x; if ($lt.u8(3, x)) { return; } ` + first + second + `assert true;`, true},
		{`x := 3; ` + first + second + third, true},
		{`x := 3; i := 0; H: if ($lt.u8(i, 4)) { ` + second + `i := $add.u8(i, 1); goto H; } ` + third, true},
		{`havoc x; i := 0; H: if ($lt.u8(i, x)) { goto H; } ` + second, false},
	} {
		p := parsed(t, "procedure {:entrypoint} p() { var i, j, x: u8; "+c.text+" }")
		o := lower.Options{PointerBits: 32}
		u, bounded, err := loops.Unwind(t.Context(), p, 32, true)
		require.NoError(t, err, c.text)
		require.Equal(t, c.bounded, bounded, c.text)
		if bounded {
			require.NotEmpty(t, u.Origin)
			o.Copies = u.Origin
			_, err = lower.Lower(t.Context(), u.Program, o)
			require.NoError(t, err, c.text)
		}
	}
}

// Without tails what follows a loop is there once. A product of variables is one, and one with a literal is none.
func TestTails(t *testing.T) {
	size := func(text string, tails bool) (n int) {
		p := parsed(t, "procedure {:entrypoint} p() { var i, j: u8; "+text+" }")
		u, bounded, err := loops.Unwind(t.Context(), p, 32, tails)
		require.NoError(t, err)
		require.True(t, bounded)
		ast.WalkStatements(u.Program.Procedures[0].Body.Stmts, func(ast.Stmt) bool { n++; return true }, func(ast.Expr) bool { return false })
		return n
	}
	const text = `i := 0; H: if ($lt.u8(i, 9)) { havoc j; if ($lt.u8(j, 3)) { goto E; } i := $add.u8(i, 1); goto H; } E: j := 1; j := 2; j := 3; j := 4; assert $lt.u8(i, 10);`
	require.Less(t, size(text, false), size(text, true))
	for text, want := range map[string]bool{"j := $mul.u8(i, j);": true, "j := $rem.u8(i, j);": true, "j := $mul.u8(i, 3);": false, "j := $add.u8(i, j);": false} {
		require.Equal(t, want, loops.Multiplies(parsed(t, "procedure {:entrypoint} p() { var i, j: u8; havoc i, j; "+text+" }")), text)
	}
}
