package term

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A walk visits each subterm once, a term before its arguments, and what a term says occurs in it is what is visited.
func TestWalksVisitEachSubtermOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		ts := make([]*Term, 4)
		for i := range ts {
			ts[i] = w.draw(t).t
		}
		var want []*Term
		var visit func(*Term)
		visit = func(u *Term) {
			if slices.Contains(want, u) {
				return
			}
			want = append(want, u)
			for _, a := range u.Args() {
				visit(a)
			}
		}
		for _, u := range ts {
			visit(u)
		}
		var got []*Term
		WalkAll(ts, func(u *Term) bool {
			got = append(got, u)
			return true
		})
		require.ElementsMatch(t, want, got)
		for i, u := range got {
			require.True(t, slices.Contains(ts, u) || slices.ContainsFunc(got[:i], func(v *Term) bool { return slices.Contains(v.Args(), u) }))
		}
		for _, u := range got {
			occurs := func(is func(*Term) bool) bool {
				found := false
				Walk(u, func(v *Term) bool {
					found = found || is(v)
					return true
				})
				return found
			}
			require.Equal(t, occurs(func(v *Term) bool { return v.Op() == Store }), u.HasStore(), "%s", u)
			require.Equal(t, occurs(func(v *Term) bool { return v.Factors() != nil }), u.HasProduct(), "%s", u)
			require.Equal(t, occurs(func(v *Term) bool { return slices.Contains([]Op{IntDiv, Mod, RealDiv, Field}, v.Op()) }), u.HasPartial(), "%s", u)
			require.Equal(t, occurs((*Term).IsQuantifier), u.HasQuantifier(), "%s", u)
		}
	})
}

// A set of terms has what was added, however far apart the terms were made.
func TestSetsOfTerms(t *testing.T) {
	p := NewPool()
	all := make([]*Term, 5000)
	for i := range all {
		all[i] = p.Fresh("x", Int)
	}
	rapid.Check(t, func(t *rapid.T) {
		var s idSet
		in := map[*Term]bool{}
		for _, u := range rapid.SliceOfN(rapid.SampledFrom(all), 0, 300).Draw(t, "added") {
			require.Equal(t, in[u], s.has(u))
			require.Equal(t, !in[u], s.add(u))
			in[u] = true
		}
		for _, u := range all {
			require.Equal(t, in[u], s.has(u))
		}
	})
}
