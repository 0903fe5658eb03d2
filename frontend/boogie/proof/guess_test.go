package proof_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/proof"
)

// What is ensured about a heap is guessed at loops that change it, by calls, too; what is ensured freely is not, nor what the loop leaves
// alone. Results of calls are variables that change.
func TestGuessesAtLoopsWithCalls(t *testing.T) {
	src := []byte(`var heap: [int]int; var other: int; function fine([int]int): bool;
procedure inc(r: int) returns (by: int); modifies heap; ensures heap[r] == old(heap)[r] + by;
procedure many(this: int, n: int) returns (last: int); modifies heap;
  ensures heap[this] >= old(heap)[this]; free ensures fine(heap); ensures other == 3; ensures true;
implementation many(this: int, n: int) returns (last: int) {
  var i: int; i := 0;
  while (i < n) { call last := inc(this); i := i + 1; }
}
procedure store(n: int); modifies heap; ensures heap[0] == 0;
implementation store(n: int) { while (*) { heap[n] := 1; } }
`)
	tree, err := boogie.Read("test.bpl", src, boogie.Options{})
	require.NoError(t, err)
	guesses := map[string][]string{}
	for _, p := range tree.Procedures {
		for _, g := range proof.Guesses(p, src) {
			guesses[p.Name] = append(guesses[p.Name], g.Condition)
		}
	}
	require.Contains(t, guesses["many"], "heap[this] >= old(heap)[this]")
	require.Contains(t, guesses["many"], "0 <= last")
	require.Contains(t, guesses["many"], "i <= n")
	for _, none := range []string{"fine(heap)", "other == 3", "true"} {
		require.NotContains(t, guesses["many"], none)
	}
	require.Equal(t, []string{"heap[0] == 0"}, guesses["store"])
}
