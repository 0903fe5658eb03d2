package verify_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/internal/smt/z3"
	"hornbeam/verify"
)

// checksOf are the lines for the checks of a Boogie program, without the file.
func checksOf(t *testing.T, text, engineName string, words ...string) []string {
	t.Helper()
	r, err := verify.Program(t.Context(), verify.Request{
		File: "f.bpl", Source: []byte(text), Language: engine.Boogie, Options: asked(t, words...),
		Solver: portfolio.Request{Engine: engineName, Open: z3.Open, Check: true, Stats: engine.NewStats()},
	})
	require.NoError(t, err)
	var out []string
	for _, c := range r.Checks {
		out = append(out, fmt.Sprintf("%d:%d %s: %s", c.Pos.Line, c.Pos.Column, c.What, c.Word()))
		require.Equal(t, c.Verdict == engine.Unsat, c.Trace != nil)
		if c.Verdict == engine.Sat {
			require.NotNil(t, c.Model)
		}
	}
	return out
}

const branches = `var g: int;
procedure main(n: int) {
  var x: int;
  x := n;
  assert n != 5;
  if (n == 5) {
    x := 1;
  } else if (x > 3) {
    call step(x, x);
  }
  while (x < 10) {
    x := x + 1;
    if (x == 11) {
      call never();
    }
  }
  if (*) {
    assert x >= 10;
  } else {
    assert x == 10;
  }
}
procedure step<t>(y: t, z: int)
  requires z > 2;
  modifies g;
{
  goto low, high;
low:
  assume z <= 3;
  g := 1;
  return;
high:
  g := g + 1;
  assert z < 9 || z > 20;
}
procedure never() {
  call reach_error();
}
procedure reach_error();
`

// reached are the places of branches, and failing what may fail there.
var (
	reached = []string{
		"2:11 procedure main: reached", "6:3 then: unreachable", "6:3 else: reached", "8:10 then: reached", "8:10 else: reached",
		"11:3 body of the loop: reached", "11:3 end of the loop: reached", "13:5 then: unreachable", "13:5 else: reached",
		"17:3 then: reached", "17:3 else: reached", "23:11 procedure step: reached", "28:1 label low: reached",
		"32:1 label high: reached", "36:11 procedure never: unreachable",
	}
	failing = []string{
		"5:3 assertion: unsafe", "18:5 assertion: safe", "20:5 assertion: unsafe", "24:3 precondition of step: safe",
		"34:3 assertion: unsafe", "37:3 call of reach_error: safe",
	}
)

func TestEachPlaceIsReachedOrNot(t *testing.T) {
	for _, name := range []string{portfolio.DefaultEngine, "inline", "spacer"} {
		require.Equal(t, reached, checksOf(t, branches, name, "cover=true"), name)
	}
	require.Equal(t, reached, checksOf(t, branches, portfolio.DefaultEngine, "cover=true", "blocks=procedures"))
}

func TestEachCheckOfABoogieProgramIsDecidedByItself(t *testing.T) {
	for _, name := range []string{portfolio.DefaultEngine, "inline", "spacer"} {
		require.Equal(t, failing, checksOf(t, branches, name, "all=true"), name)
	}
	require.Equal(t, failing, checksOf(t, branches, portfolio.DefaultEngine, "all=true", "blocks=procedures"))
}

// A place behind a loop that no engine sees through is open, and keeps the others from nothing.
func TestAPlaceThatIsNotDecidedKeepsTheOthersFromNothing(t *testing.T) {
	const text = `procedure main(n: int) {
  var x, y: int;
  x := 0; y := 0;
  while (x < n) {
    x := x + 1;
    y := y + x * x;
  }
  if (n > 100000 && y * y == n * n * n * n * n + 7) {
    x := 0;
  }
  if (x < 0 && n > 0) {
    x := 1;
  }
}
`
	o := asked(t, "cover=true")
	req := verify.Request{
		File: "f.bpl", Source: []byte(text), Language: engine.Boogie, Options: o,
		Solver: portfolio.Request{Engine: "inline", Options: map[string]string{"inline.bound": "3"}, Open: z3.Open, Stats: engine.NewStats()},
	}
	r, err := verify.Program(t.Context(), req)
	require.NoError(t, err)
	words := map[string]int{}
	for _, c := range r.Checks {
		words[c.Word()]++
		if c.Pos.Line == 8 && c.What == "then" {
			require.Equal(t, "unknown", c.Word())
			require.Regexp(t, `^no run up to recursion bound \d+: `, c.Reason)
		}
	}
	require.Len(t, r.Checks, 7)
	require.GreaterOrEqual(t, words["reached"], 5, words)
}
