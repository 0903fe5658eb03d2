package trace_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
	"hornbeam/frontend/boogie/encode"
	replay "hornbeam/frontend/boogie/trace"
)

// Where loops became procedures, bugs are runs of the source, and where there is only one the trace is the same.
func TestTracesOfLoopsThatBecameProcedures(t *testing.T) {
	for _, x := range buggy {
		e := encoded(t, x.src, encode.Options{Blocks: encode.Procedures})
		a := solve(e, 20*time.Second)
		require.Equal(t, engine.Unsat, a.Verdict, x.src)
		if _, err := replay.Replay(context.Background(), e, a.Refutation, replay.Options{}); !errors.Is(err, replay.ErrUndetermined) {
			require.NoError(t, err, x.src)
		}
	}
	for _, src := range []string{`var g: int where g > 0;
procedure next(x: int) returns (y: int)
{
  y := x + 1;
  while (y < x + 2) {
    y := y + 1;
  }
}
procedure main() returns (r: int)
{
  var i, j: int;
  assume g == 7;
  i := 0;
  while (i < 3)
    invariant i >= 0;
  {
    j := 0;
    while (true) {
      j := j + 1;
      if (j == i) {
        break;
      } else if (j > 2) {
        assert i != 1 || g == old(g);
        g := g + 1;
        goto out;
      }
    }
    call i := next(i);
  out:
    r := r - r + i;
    assert g < 8;
  }
}
`, `procedure main()
{
  var i: int;
  i := 0;
  while (i < 5)
    invariant i < 3;
  {
    i := i + 1;
  }
}
`} {
		var traces []any
		for _, b := range []encode.Blocks{encode.Loops, encode.Procedures} {
			e := encoded(t, src, encode.Options{Blocks: b})
			a := solve(e, 20*time.Second)
			require.Equal(t, engine.Unsat, a.Verdict, src)
			told, err := replay.Replay(context.Background(), e, a.Refutation, replay.Options{})
			require.NoError(t, err, src)
			traces = append(traces, told.Document())
		}
		require.Equal(t, traces[0], traces[1], src)
	}
}
