package inputs_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/frontend/c/interpret/inputs"
)

// step is one question that a run asks about one of its inputs.
type step struct {
	input int
	// less compares with by, before whether it is less than another input if by is added to that, rest takes what is left by a division by it,
	// and none of them takes the value itself.
	less, before, rest bool
	by                 uint64
}

// run is what the questions are answered with, for inputs that a tree gives.
func run(t *inputs.Tree, count int, last uint64, steps []step) string {
	var given []*inputs.Input
	for range count {
		given = append(given, t.Next(0, last))
	}
	answers := ""
	for _, s := range steps {
		in := given[s.input]
		switch {
		case s.less:
			answers += fmt.Sprint(in.Value < s.by, " ")
			if in.Value < s.by {
				in.Limit(s.by - in.Value - 1)
			}
		case s.before:
			other := given[len(given)-1-s.input]
			answers += fmt.Sprint(in.Value < other.Value+s.by, " ")
			switch {
			case in == other:
			case in.Value < other.Value+s.by:
				in.LimitTo(other, other.Value+s.by-in.Value-1)
			default:
				other.LimitTo(in, in.Value-other.Value-s.by)
			}
		case s.rest:
			answers += fmt.Sprint(in.Value%s.by, " ")
			in.Modulo(s.by)
		default:
			answers += fmt.Sprint(in.Value, " ")
			in.Fix()
		}
		// What is asked next depends on the answer.
		if in.Value%2 == 1 && !s.less && !s.before && !s.rest {
			break
		}
	}
	return answers
}

// answered is run for given values.
func answered(values []uint64, steps []step) string {
	answers := ""
	for _, s := range steps {
		x := values[s.input]
		switch {
		case s.less:
			answers += fmt.Sprint(x < s.by, " ")
		case s.before:
			answers += fmt.Sprint(x < values[len(values)-1-s.input]+s.by, " ")
		case s.rest:
			answers += fmt.Sprint(x%s.by, " ")
		default:
			answers += fmt.Sprint(x, " ")
			if x%2 == 1 {
				return answers
			}
		}
	}
	return answers
}

// The runs of a tree are all that any values lead to.
func TestTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count, last := rapid.IntRange(1, 3).Draw(t, "inputs"), rapid.Uint64Range(0, 20).Draw(t, "last")
		steps := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
			kind := rapid.IntRange(0, 7).Draw(t, "kind")
			return step{rapid.IntRange(0, count-1).Draw(t, "input"), kind < 2, kind > 1 && kind < 5, kind > 4 && kind < 7, rapid.Uint64Range(1, 9).Draw(t, "by") * rapid.Uint64Range(1, 3).Draw(t, "times")}
		}), 0, 6).Draw(t, "steps")
		tree := &inputs.Tree{}
		found := map[string]bool{}
		runs := 0
		for {
			found[run(tree, count, last, steps)] = true
			runs++
			more, err := tree.Advance()
			require.NoError(t, err)
			if !more {
				break
			}
		}
		var values func(given []uint64)
		values = func(given []uint64) {
			if len(given) == count {
				require.True(t, found[answered(given, steps)], "%v", given)
				return
			}
			for x := range last + 1 {
				values(append(given, x))
			}
		}
		values(nil)
		n := 1
		for range count {
			n *= int(last + 1)
		}
		require.LessOrEqual(t, runs, n, "no value is tried twice")
	})
}

// A run is not spent on relations: where one input is compared with thousands of others, nothing is known of other runs in the end.
func TestTreeManyRelations(t *testing.T) {
	tree := &inputs.Tree{}
	first := tree.Next(0, 1<<32)
	for range 20_000 {
		in := tree.Next(0, 1<<32)
		first.LimitTo(in, 0)
		in.LimitTo(first, 0)
	}
	require.Less(t, tree.Work(), 1<<25)
	_, err := tree.Greatest()
	require.Error(t, err)
	_, err = tree.Advance()
	require.Error(t, err)
}
