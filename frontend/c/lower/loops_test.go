package lower

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/loops"
	"hornbeam/frontend/c/machine"
)

func parsed(t require.TestingT, text string) *ast.Program {
	p, err := boogie.Parse("test", []byte(text), boogie.Options{})
	require.NoError(t, err)
	require.NoError(t, machine.Declare(p))
	return p
}

// Of a choice that is known in a loop's turns the other branch stays where a goto from elsewhere leads into it.
func TestGotosIntoBranches(t *testing.T) {
	p := parsed(t, `procedure {:entrypoint} p() { var i, x, y: u8; i := 0; havoc x; y := 0;
H: if ($lt.u8(i, 8)) {
  if ($lt.u8(i, 2)) { goto M; }
  if ($lt.u8(i, 9)) { y := $add.u8(y, 1); } else { M: y := $add.u8(y, $and.u8(x, $shl.u8(1, i))); }
  i := $add.u8(i, 1);
  goto H;
}
assert $lt.u8(y, 9); }`)
	o := Options{Mode: Ranged, PointerBits: 32}
	u, err := Unroll(t.Context(), p, o)
	require.NoError(t, err)
	require.NotSame(t, p, u.Program)
	o.Copies = u.Origin
	_, err = Lower(t.Context(), u.Program, o)
	require.NoError(t, err)
}

// Loops behind loops, and loops in loops, are all written out where ranges bound them, what follows a loop once for each turn.
func TestLoopsAreUnwoundWithWhatFollows(t *testing.T) {
	const loop = `%[1]s := 0; %[2]s: if ($lt.u8(%[1]s, x)) { %[1]s := $add.u8(%[1]s, 1); goto %[2]s; } `
	first, second := fmt.Sprintf(loop, "i", "H"), fmt.Sprintf(loop, "j", "G")
	for _, c := range []struct {
		text    string
		bounded bool
	}{
		{`havoc x; if ($lt.u8(3, x)) { return; } ` + first + second + `assert true;`, true},
		{`x := 3; i := 0; H: if ($lt.u8(i, 4)) { ` + second + `i := $add.u8(i, 1); goto H; } ` + fmt.Sprintf(loop, "i", "E"), true},
		{`havoc x; i := 0; H: if ($lt.u8(i, x)) { goto H; } ` + second, false},
	} {
		p := parsed(t, "procedure {:entrypoint} p() { var i, j, x: u8; "+c.text+" }")
		o := Options{Mode: Ranged, PointerBits: 32}
		u, bounded, err := loops.Unwind(t.Context(), p, 32)
		require.NoError(t, err, c.text)
		require.Equal(t, c.bounded, bounded, c.text)
		if bounded {
			require.NotEmpty(t, u.Origin)
			o.Copies = u.Origin
			_, err = Lower(t.Context(), u.Program, o)
			require.NoError(t, err, c.text)
		}
	}
}
