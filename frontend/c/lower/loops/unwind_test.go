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
		u, bounded, err := loops.Unwind(t.Context(), p, 32)
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
