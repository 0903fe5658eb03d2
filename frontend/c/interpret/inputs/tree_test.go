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
	// less compares with by, rest takes what is left by a division by it, and neither takes the value itself.
	less, rest bool
	by         uint64
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
		case s.rest:
			answers += fmt.Sprint(in.Value%s.by, " ")
			in.Modulo(s.by)
		default:
			answers += fmt.Sprint(in.Value, " ")
			in.Fix()
		}
		// What is asked next depends on the answer.
		if in.Value%2 == 1 && !s.less && !s.rest {
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
		count, last := rapid.IntRange(1, 2).Draw(t, "inputs"), rapid.Uint64Range(0, 30).Draw(t, "last")
		steps := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
			kind := rapid.IntRange(0, 5).Draw(t, "kind")
			return step{rapid.IntRange(0, count-1).Draw(t, "input"), kind < 3, kind == 3 || kind == 4, rapid.Uint64Range(1, 9).Draw(t, "by") * rapid.Uint64Range(1, 3).Draw(t, "times")}
		}), 0, 5).Draw(t, "steps")
		tree := &inputs.Tree{}
		found := map[string]bool{}
		runs := 0
		for {
			found[run(tree, count, last, steps)] = true
			runs++
			if !tree.Advance() {
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
		n := int(last + 1)
		if count == 2 {
			n *= n
		}
		require.LessOrEqual(t, runs, n, "no value is tried twice")
	})
}
