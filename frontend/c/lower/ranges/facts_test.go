package ranges

import (
	"maps"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/frontend/c/lower/interval"
)

// keys are numbers that lie close together and far apart.
var keys = rapid.OneOf(rapid.IntRange(0, 9), rapid.IntRange(0, 2000))

// content is what a tree says, as a map; that it is well formed is checked by the way.
func content(rt *rapid.T, t *facts) map[int]*Fact {
	m := map[int]*Fact{}
	last := -1
	t.each(func(key int, f *Fact) {
		require.Greater(rt, key, last, "facts are in order")
		last = key
		m[key] = f
		require.Same(rt, f, t.get(key))
	})
	return m
}

func drawFacts(rt *rapid.T, from *facts) *facts {
	for range rapid.IntRange(0, 12).Draw(rt, "changes") {
		key := keys.Draw(rt, "key")
		if rapid.IntRange(0, 3).Draw(rt, "remove") == 0 {
			from = from.remove(key)
		} else {
			from = from.put(key, &Fact{Interval: interval.Point(big.NewInt(rapid.Int64Range(0, 2).Draw(rt, "value")))})
		}
	}
	return from
}

// A tree of facts is a map, and stays what it was when others are made of it. Operations on two of them are those on maps, and
// a join that says what the first tree says is that tree.
func TestFacts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		base := drawFacts(rt, nil)
		before := content(rt, base)
		a, b := drawFacts(rt, base), drawFacts(rt, base)
		if rapid.Bool().Draw(rt, "unrelated") {
			b = drawFacts(rt, nil)
		}
		require.Equal(rt, before, content(rt, base), "what it was")
		ma, mb := content(rt, a), content(rt, b)

		key := keys.Draw(rt, "key")
		require.Same(rt, ma[key], a.get(key))
		added, removed := maps.Clone(ma), maps.Clone(ma)
		f := &Fact{}
		added[key] = f
		delete(removed, key)
		require.Equal(rt, added, content(rt, a.put(key, f)))
		require.Equal(rt, removed, content(rt, a.remove(key)))
		if ma[key] == nil {
			require.Same(rt, a, a.remove(key))
		}

		below := maps.Clone(ma)
		maps.DeleteFunc(below, func(k int, _ *Fact) bool { return k >= key })
		require.Equal(rt, below, content(rt, a.below(key)))

		some := func(k int) bool { return k%3 == 0 }
		replaced := maps.Clone(ma)
		maps.DeleteFunc(replaced, func(k int, _ *Fact) bool { return some(k) })
		for k, f := range mb {
			if some(k) {
				replaced[k] = f
			}
		}
		require.Equal(rt, replaced, content(rt, a.replace(b, some)))

		joined, changed := map[int]*Fact{}, false
		both := func(f, g *Fact) *Fact {
			switch {
			case f == g || f.Equal(g.Interval):
				return f
			case f.Low.Sign() == 0:
				return nil
			}
			return g
		}
		for k, f := range ma {
			g := mb[k]
			if g != nil {
				g = both(f, g)
			}
			if g != nil {
				joined[k] = g
			}
			changed = changed || g != f
		}
		j := a.join(b, both)
		require.Equal(rt, joined, content(rt, j))
		require.Equal(rt, changed, j != a, "a join that is the first tree")

		same := slices.Equal(slices.Sorted(maps.Keys(ma)), slices.Sorted(maps.Keys(mb)))
		for k, f := range ma {
			same = same && f.Equal(mb[k].Interval)
		}
		require.Equal(rt, same, a.equal(b))
	})
}
