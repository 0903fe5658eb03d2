package bits_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/bits"
)

// read makes a program in the dialect of its text.
func read(t *testing.T, text string) *ast.Program {
	t.Helper()
	p, err := boogie.Parse("test.bpl", []byte(text), boogie.Options{Dialect: boogie.DialectBoogie})
	require.NoError(t, err)
	require.NoError(t, bits.Declare(p))
	return p
}

func lower(t *testing.T, text string, o bits.Options) (*bits.Lowered, string) {
	t.Helper()
	if o.PointerBits == 0 {
		o.PointerBits = 32
	}
	l, err := bits.Lower(t.Context(), read(t, text), o)
	require.NoError(t, err)
	var s strings.Builder
	require.NoError(t, ast.Print(&s, l.Program))
	return l, s.String()
}

func TestTry(t *testing.T) {
	text := `
procedure {:entrypoint} main() {
  var i: i32; var n: i32; var a: [int]u8; var x: u32; var c: u8;
  havoc n; havoc x; havoc c;
  i := 0;
 head:
  goto body, done;
 body:
  assume $lt.i32(i, n);
  i := $add.i32(i, 1);
  x := $add.u32(x, $convert.i32.u32(i));
  a[$index.i32(i)] := $convert.u32.u8($and.u32(x, 255));
  c := $mul.u8(a[$index.i32(i)], 3);
  x := $xor.u32(x, $or.u32(x, $convert.u8.u32(c)));
  n := if i == 0 then 0 else $div.i32(n, i);
  x := $shl.u32(x, 3);
  goto head;
 done:
  assume !$lt.i32(i, n);
  assert $le.i32(n, i);
}
`
	for m := range bits.Modes {
		l, s := lower(t, text, bits.Options{Mode: bits.Mode(m)})
		t.Log(s, l.Corrections, l.Skipped, l.Classes)
	}
}
