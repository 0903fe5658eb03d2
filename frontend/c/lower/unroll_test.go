package lower

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
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
