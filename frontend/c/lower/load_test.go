package lower_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower"
	"hornbeam/frontend/c/machine"
)

// What is read of maps is put into the range of its type when a refutation is no run and nothing else is left to be refined;
// that is said only where it is true of all runs and where C's statements read, and once for a statement.
func TestLoadsAreWithinTheirTypes(t *testing.T) {
	const text = `
var m: [ref]u8; var two: [int][int]i16; var f: [int]float;
procedure {:entrypoint} main() modifies m; {
  var p: ref; var i: i32; var row: [int]i16; var x: float;
  havoc p, i;
  m[p] := 7;
  assert m[p + $index.i32(i)] == 3 || m[p + $index.i32(i)] == 4;
  assert two[1][2] == 300;
  row := two[1];
  x := f[1];
  assert (forall k: int :: two[1][k] == 5);
}
`
	for _, test := range []struct {
		name      string
		o         lower.Options
		want      []string
		refinable bool
	}{
		{"at first", lower.Options{Mode: lower.Ranged}, nil, true},
		{"in the end", lower.Options{Mode: lower.Ranged, Plan: &lower.Plan{Loads: true}}, []string{"0 <= m[p + i] && m[p + i] <= 255", "-32768 <= two[1][2] && two[1][2] <= 32767"}, false},
		{"signed integers without bounds", lower.Options{Mode: lower.Ranged, Unbounded: true, Plan: &lower.Plan{Loads: true}}, []string{"0 <= m[p + i] && m[p + i] <= 255"}, false},
		{"integers without bounds", lower.Options{Mode: lower.NoVectors, Plan: &lower.Plan{Loads: true}}, nil, false},
		{"vectors", lower.Options{Mode: lower.AllVectors, Plan: &lower.Plan{Loads: true}}, nil, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := boogie.Parse("test.bpl", []byte(text), boogie.Options{Dialect: boogie.DialectBoogie})
			require.NoError(t, err)
			require.NoError(t, machine.Declare(p))
			o := test.o
			o.PointerBits = 32
			if o.Plan == nil {
				o.Plan = &lower.Plan{}
			}
			l, err := lower.Lower(t.Context(), p, o)
			require.NoError(t, err)
			var s strings.Builder
			require.NoError(t, ast.Print(&s, l.Program))
			var got []string
			for line := range strings.Lines(s.String()) {
				if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "assume "); ok && strings.Contains(rest, "[") {
					got = append(got, strings.TrimSuffix(rest, ";"))
				}
			}
			require.Equal(t, test.want, got, s.String())
			require.Equal(t, test.refinable, lower.Refine(l, o, nil))
			require.Equal(t, test.refinable || test.o.Plan != nil, o.Plan.Loads)
			require.False(t, lower.Refine(l, o, nil), "nothing is left")
		})
	}
}

// That an operation fits is asserted of operands that are within their type.
func TestWhatFitsIsAskedOfWords(t *testing.T) {
	_, s := lowered(t, `
var m: [int]i32;
procedure {:entrypoint} main() { assert $fits.sub.i32(m[1], 1); }
`, lower.Ranged)
	assumed, asserted := strings.Index(s, "m[1] <= 2147483647"), strings.Index(s, "assert ")
	require.GreaterOrEqual(t, assumed, 0)
	require.Less(t, assumed, asserted)
}
