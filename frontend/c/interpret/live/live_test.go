package live_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c/interpret/live"
)

// elements are those of a set of objects below n.
func elements(s live.Set, n int) []int {
	out := []int{}
	for i := range n {
		if s.Has(i) {
			out = append(out, i)
		}
	}
	return out
}

func TestBefore(t *testing.T) {
	for _, test := range []struct {
		name string
		ops  []live.Op
		want [][]int
	}{
		{"a value that is overwritten", []live.Op{{Writes: []int{0}, To: []int{1}}, {Reads: []int{0}}}, [][]int{{}, {0}}},
		{"a value that is read before it is overwritten", []live.Op{{Reads: []int{0}, Writes: []int{0}, To: []int{1}}, {}}, [][]int{{0}, {}}},
		{"one of two ways reads it", []live.Op{{To: []int{1, 2}}, {Reads: []int{1}}, {Writes: []int{1}}}, [][]int{{1}, {1}, {}}},
		{"the next turn reads it", []live.Op{{Reads: []int{0}, To: []int{1, 3}}, {Writes: []int{1}, To: []int{2}}, {Reads: []int{1, 2}, To: []int{0}}, {}}, [][]int{{0, 2}, {0, 2}, {0, 1, 2}, {}}},
		{"objects of the second word", []live.Op{{Writes: []int{70}, To: []int{1}}, {Reads: []int{70, 69}}}, [][]int{{69}, {69, 70}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got [][]int
			for _, s := range live.Before(test.ops, 71) {
				got = append(got, elements(s, 71))
			}
			require.Equal(t, test.want, got)
		})
	}
}
