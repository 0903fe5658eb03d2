package refine_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/lower"
	"hornbeam/frontend/c/refine"
)

// strategies are those of a program whose main function has this body.
func strategies(t *testing.T, body string) []frontend.Strategy[*refine.Attempt] {
	t.Helper()
	p, err := c.Read(t.Context(), "test.c", []byte("int main(void) { "+body+" return 0; }"), c.Options{Model: c.ILP32})
	require.NoError(t, err)
	return refine.Strategies(p, refine.Options{Mode: lower.Ranged, Vectors: true})
}

// Bit-vectors come early where a small program has operations on bits.
func TestVectorsOfBits(t *testing.T) {
	for body, want := range map[string]bool{
		"int x = 6; x = x / 2 + (x > 5 && x < 9);":                  false,
		"int x = 6; x = x & 3;":                                     true,
		"unsigned x = 6; x |= 1;":                                   true,
		"unsigned x = 6; if ((x ^ 5) > 2) { x = 1; }":               true,
		"unsigned x = 6; while (x >> 3) x--;":                       true,
		"int x = 6; x <<= 2;":                                       true,
		"unsigned x = 6; x <<= 1;" + strings.Repeat("x *= 3;", 200): false,
	} {
		all := strategies(t, body)
		after := func(name string) time.Duration {
			return all[slices.IndexFunc(all, func(s frontend.Strategy[*refine.Attempt]) bool { return s.Name == name })].After
		}
		require.Equal(t, want, after("vectors") < after("bounded vectors"), body)
	}
}

// There is a strategy for congruences where unsigned numbers are added or multiplied in a small program.
func TestCongruencesOfUnsignedNumbers(t *testing.T) {
	for body, want := range map[string]bool{
		"int x = 0; x++; x = 2 * x + 1;":                        false,
		"unsigned x = 6; x = x / 2; x = x << 1; x |= 1;":        false,
		"unsigned x = 6; x = x + 1;":                            true,
		"unsigned x = 6; x++;":                                  true,
		"unsigned x = 6; if (x > 5) { x -= 2; }":                true,
		"unsigned x = 6; for (int i = 0; 3u * x > 5; i++) ;":    true,
		"unsigned char x = 6; x = x + 1;":                       false,
		"unsigned x = 6; x++;" + strings.Repeat("x *= 3;", 50):  true,
		"unsigned x = 6; x++;" + strings.Repeat("x *= 3;", 200): false,
	} {
		all := strategies(t, body)
		require.Equal(t, want, slices.ContainsFunc(all, func(s frontend.Strategy[*refine.Attempt]) bool { return s.Name == "congruences" }), body)
	}
}
