package refine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/interpret"
)

// The turns of a loop are counted from where it begins, in each call anew, and calls inside one another as far as they are open.
func TestSample(t *testing.T) {
	p, err := c.Read(t.Context(), "test.c", []byte(`int inner(int n) { int s = 0; while (n > 0) { s++; n--; } return s; }
int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }
int main(void) {
	int s = 0;
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 5; j++) s += inner(2);
		do s++; while (s % 4 != 0);
	}
	return s + down(6);
}`), c.Options{Model: c.LP64})
	require.NoError(t, err)
	found, err := sample(t.Context(), p, interpret.Options{Steps: 1000}, 4)
	require.NoError(t, err)
	turns := map[int]int{}
	for loop, n := range found.turns {
		turns[loop.Pos().Line] = n
	}
	require.Equal(t, map[int]int{1: 2, 5: 3, 6: 5, 7: 1}, turns)
	require.Len(t, found.depth, 1)
	for function, n := range found.depth {
		require.Equal(t, "down", function.Name)
		require.Equal(t, 7, n)
	}
}

// A loop that an input ends is gone through as often as the steps allow, whether one or zero goes on, and one that ends by itself is not.
func TestSampleOfInputs(t *testing.T) {
	p, err := c.Read(t.Context(), "test.c", []byte(`extern int input(void);
int main(void) {
	while (input()) { }
	while (!input()) { }
	for (int i = 0; i < 3 && input(); i++) { }
	return 0;
}`), c.Options{Model: c.LP64})
	require.NoError(t, err)
	found, err := sample(t.Context(), p, interpret.Options{Steps: 1000}, 0)
	require.NoError(t, err)
	turns := map[int]int{}
	for loop, n := range found.turns {
		turns[loop.Pos().Line] = n
	}
	require.Greater(t, turns[3], sampledCopies)
	require.Greater(t, turns[4], sampledCopies)
	require.LessOrEqual(t, turns[5], 3)
}
