package inline

import (
	"context"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// family is a set of sets of groups that has, with a set, all larger ones: those that make some path correct.
type family struct {
	least  [][]int
	checks int
}

func (f *family) has(groups []int) bool {
	return slices.ContainsFunc(f.least, func(set []int) bool {
		return !slices.ContainsFunc(set, func(k int) bool { return !slices.Contains(groups, k) })
	})
}

func (f *family) check(_ context.Context, groups []int) (bool, error) {
	f.checks++
	return f.has(groups), nil
}

// requireMinimal requires Theorem 1 of a result: the path is correct with it, and not without any part of it.
func requireMinimal(t require.TestingT, result []int, correct func(groups []int) bool) {
	require.True(t, correct(result), "%v is not enough", result)
	for _, k := range result {
		without := slices.DeleteFunc(slices.Clone(result), func(other int) bool { return other == k })
		require.False(t, correct(without), "%v is enough without %d", result, k)
	}
}

// mostChecks is the bound of Lemma 1 for a number of candidates.
func mostChecks(candidates int) int { return max(2*candidates-1, 0) }

// Theorem 1 and Lemma 1: what is found is minimal, and found in at most max(2|G-T|-1, 0) checks, about log |G-T| for each
// group that is needed. STORM's refinement finds a minimal set too, in |G-T| checks.
func TestRefinementsAreMinimal(t *testing.T) {
	needed := map[int]int{}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "candidates")
		candidates := make([]int, n)
		for i := range n {
			candidates[i] = 100 + i
		}
		candidates = rapid.Permutation(candidates).Draw(t, "order")
		subset := rapid.Permutation(candidates)
		f := &family{least: [][]int{candidates}}
		for range rapid.IntRange(0, 4).Draw(t, "sets") {
			set := subset.Draw(t, "set")
			f.least = append(f.least, set[:rapid.IntRange(min(n, 1), n).Draw(t, "size")])
		}
		if rapid.IntRange(0, 9).Draw(t, "nothing needed") == 0 {
			f.least = append(f.least, nil)
		}
		order := slices.Clone(candidates)

		result, err := hierarchical(t.Context(), candidates, f.check)
		require.NoError(t, err)
		requireMinimal(t, result, f.has)
		require.LessOrEqual(t, f.checks, mostChecks(n))
		require.LessOrEqual(t, f.checks, 1+2*len(result)*bits.Len(uint(n)))
		needed[min(len(result), 2)]++

		f.checks = 0
		result, err = linear(t.Context(), candidates, f.check)
		require.NoError(t, err)
		requireMinimal(t, result, f.has)
		require.Equal(t, n, f.checks)
		require.Equal(t, order, candidates, "the candidates are not the algorithm's to change")
	})
	for size := range 3 {
		require.Positive(t, needed[size])
	}
}

// Of many candidates of which all are needed, every one is asked about in its half: the bound of Lemma 1 is reached.
func TestAllNeeded(t *testing.T) {
	for n := range 20 {
		candidates := make([]int, n)
		for i := range n {
			candidates[i] = i
		}
		f := &family{least: [][]int{candidates}}
		result, err := hierarchical(t.Context(), candidates, f.check)
		require.NoError(t, err)
		require.ElementsMatch(t, candidates, result)
		require.Equal(t, mostChecks(n), f.checks)
	}
}

// A check that fails ends the refinement.
func TestFailingCheck(t *testing.T) {
	for _, algorithm := range []refinement{hierarchical, linear} {
		for last := range 4 {
			checks := 0
			_, err := algorithm(t.Context(), []int{1, 2, 3, 4}, func(context.Context, []int) (bool, error) {
				if checks++; checks > last {
					return false, context.Canceled
				}
				return checks == 3, nil
			})
			require.ErrorIs(t, err, context.Canceled)
			require.Equal(t, last+1, checks)
		}
	}
}
