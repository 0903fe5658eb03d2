package lower_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower"
	"hornbeam/frontend/c/machine"
)

// Maps of memory are indexed by elements where something steps by the size of these, and where nothing else is done with them
// than what can be said of elements.
func TestWhichMapsHaveElements(t *testing.T) {
	for _, test := range []struct {
		name, variable, body string
		want                 int64
	}{
		{"steps of the size", "[ref]i32", "m[p + 4 * $index.i32(i)] := 1;", 4},
		{"steps of twice the size", "[ref]i32", "m[p - $index.i32(i) * 8] := 1;", 4},
		{"steps of half the size", "[ref]i32", "m[p + 2 * $index.i32(i)] := 1;", 0},
		{"a read of what was before", "[ref]u16", "assert old(m)[p + 2 * $index.i32(i)] == 1;", 2},
		{"pointers", "[ref]ref", "m[p + 4 * $index.i32(i)] := p;", 4},
		{"bytes", "[ref]u8", "m[p + $index.i32(i)] := 1;", 0},
		{"truth values and floating numbers", "[ref]bool", "m[p + 4 * $index.i32(i)] := true;", 0},
		{"no addresses", "[int]i32", "m[4 * $index.i32(i)] := 1;", 0},
		{"no steps", "[ref]i32", "m[p] := 1; m[p + 4] := 2;", 0},
		{"any values", "[ref]i32", "havoc m; m[p + 4 * $index.i32(i)] := 1;", 4},
		{"one value everywhere", "[ref]i32", "m := (lambda a: ref :: 0); m[p + 4 * $index.i32(i)] := 1;", 4},
		{"a value for each address", "[ref]i32", "m := (lambda a: ref :: if a < p then 0 else 1); m[p + 4 * $index.i32(i)] := 1;", 0},
		{"changes at some addresses", "[ref]i32", "m := m[p := 1][p + 4 * $index.i32(i) := 2];", 4},
		{"another map", "[ref]i32", "m[p + 4 * $index.i32(i)] := 1; m := k[p := 1];", 0},
		{"the map itself", "[ref]i32", "m[p + 4 * $index.i32(i)] := 1; assert m == k;", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := boogie.Parse("test.bpl", []byte("var m: "+test.variable+"; var k: [ref]i32;\nprocedure main() modifies m; { var p: ref; var i: i32; "+test.body+" }"),
				boogie.Options{Dialect: boogie.DialectBoogie})
			require.NoError(t, err)
			require.Equal(t, test.want, lower.Elements(p, 32)["m"])
		})
	}
}

// An access at an address is one to the element that the address is in, whatever the address is made of.
func TestAccessesToElements(t *testing.T) {
	for index, want := range map[string]string{
		"65536 + 4 * $index.i32(i)":             "i + 16384",
		"65538 + 4 * $index.i32(i)":             "i + 16384",
		"4 * $index.i32(i) - 65538":             "i - 16385",
		"p":                                     "p div 4",
		"p + 4 * $index.i32(i)":                 "p div 4 + i",
		"p - 8 * $index.i32(i) + 12":            "p div 4 + (-(2 * i) + 3)",
		"p + 6 * $index.i32(i) + 4":             "(p + 6 * i) div 4 + 1",
		"p + 4 * ($index.i32(i) - 1) + (q + 3)": "(p + q + 3) div 4 + (i - 1)",
		"65540":                                 "16385",
	} {
		p, err := boogie.Parse("test.bpl", []byte("var m: [ref]i32;\nprocedure {:entrypoint} main() modifies m; { var p: ref; var q: ref; var i: i32; havoc p, q, i; m[p + 4 * $index.i32(i)] := 0; m["+index+"] := 1; }"),
			boogie.Options{Dialect: boogie.DialectBoogie})
		require.NoError(t, err)
		require.NoError(t, machine.Declare(p))
		elements := lower.Elements(p, 32)
		require.Equal(t, []string{"m"}, slices.Collect(maps.Keys(elements)))
		l, err := lower.Lower(t.Context(), p, lower.Options{Mode: lower.Ranged, PointerBits: 32, Elements: elements})
		require.NoError(t, err)
		var s strings.Builder
		require.NoError(t, ast.Print(&s, l.Program))
		require.Contains(t, s.String(), "m["+want+"] := 1;", index)
	}
}
