package passes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/inline"
	"hornbeam/chc/transform/passes"
	"hornbeam/internal/hornoracle"
)

// branching is a loop whose body parts and meets again so many times, with a straight step between, and goes on or ends there.
func branching(times int) string {
	var b strings.Builder
	for i := range times + 1 {
		fmt.Fprintf(&b, "(declare-rel m%d (Int)) (declare-rel a%d (Int)) (declare-rel b%d (Int)) (declare-rel s%d (Int))\n", i, i, i, i)
	}
	b.WriteString("(rule (m0 0))\n")
	for i := range times {
		fmt.Fprintf(&b, "(rule (=> (and (m%[1]d x) (> x %[1]d)) (a%[1]d x))) (rule (=> (and (m%[1]d x) (<= x %[1]d)) (b%[1]d x)))\n", i)
		fmt.Fprintf(&b, "(rule (=> (a%[1]d x) (s%[1]d x))) (rule (=> (b%[1]d x) (s%[1]d (+ x 1)))) (rule (=> (s%[1]d x) (m%[2]d x)))\n", i, i+1)
	}
	fmt.Fprintf(&b, "(rule (=> (and (m%[1]d x) (< x 9)) (m0 x)))\n(rule (=> (and (m%[1]d x) (> x 12)) false))\n", times)
	return b.String()
}

// blocked are the predicates that a block operator keeps.
func blocked(t *testing.T, word, source string) []string {
	t.Helper()
	pass, err := inline.Blocks(word)
	require.NoError(t, err)
	next, back := run(t, pass, read(t, source))
	require.NotNil(t, back)
	var kept []string
	for _, p := range next.Predicates {
		kept = append(kept, p.Name)
	}
	return kept
}

func TestBlocks(t *testing.T) {
	require.Equal(t, []string{"m0"}, blocked(t, "loops", branching(20)))
	require.Equal(t, []string{"m0", "s0", "s1", "s2"}, blocked(t, "basic", branching(3)))
	require.Equal(t, []string{"m0", "m2", "m4", "m6", "m7"}, blocked(t, "6", branching(8)))
	require.Equal(t, []string{"m0", "m4"}, blocked(t, "20", branching(8)))
	require.Equal(t, []string{"m0"}, blocked(t, "100", branching(8)))
	for _, word := range []string{"", "single", "procedures", "0", "-3", "2.5"} {
		_, err := inline.Blocks(word)
		require.Error(t, err, word)
	}
}

// Where the block operator goes, the other passes stay; single keeps all predicates.
func TestWithBlocks(t *testing.T) {
	for word, want := range map[string][]string{
		"": {"slice", "inline", "merge"}, "loops": {"slice", "inline", "merge"}, "7": {"slice", "inline", "merge"}, "single": {"slice", "merge"},
	} {
		ps, err := passes.Select("slice,inline,merge")
		require.NoError(t, err)
		blocks, err := passes.WithBlocks(ps, word)
		require.NoError(t, err)
		require.Equal(t, want, names(blocks))
		require.Equal(t, []string{"slice", "inline", "merge"}, names(ps))
		sys := read(t, branching(3))
		next, _, _, err := transform.Pipeline(t.Context(), env, sys, blocks)
		require.NoError(t, err)
		require.Equal(t, word == "single", len(next.Predicates) == len(sys.Predicates), word)
	}
	_, err := passes.WithBlocks(nil, "large")
	require.ErrorContains(t, err, `"large"`)
}

// What blocks make of a system carries both witnesses back.
func TestBlocksCarryWitnessesBack(t *testing.T) {
	for _, word := range []string{"loops", "basic", "3"} {
		t.Run(word, func(t *testing.T) {
			pass, err := inline.Blocks(word)
			require.NoError(t, err)
			var n tally
			n.untilBoth(t, func(t *rapid.T) {
				shape := hornoracle.DefaultShape()
				shape.Predicates, shape.Body, shape.Clauses = 6, rapid.IntRange(1, 2).Draw(t, "body"), 10
				n.carriesBack(t, func(sys *chc.System) (*chc.System, transform.Translator) {
					next, back, err := pass.Run(t.Context(), env, sys)
					require.NoError(t, err)
					return next, back
				}, shape)
			})
			require.Positive(t, n.sat)
			require.Positive(t, n.unsat)
		})
	}
}
