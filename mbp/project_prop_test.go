package mbp

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

var kinds = []kind{
	{name: "LIA", ints: 5, lits: 6, eliminate: 3},
	{name: "LIAOne", ints: 3, lits: 6, eliminate: 1},
	{name: "LIABounds", ints: 4, only: boundShapes, lits: 8, eliminate: 2},
	{name: "LIADivides", ints: 4, only: []shape{atMost, atLeast, equals, divides, dividesNot}, lits: 5, eliminate: 2},
	{name: "LIADivMod", ints: 4, ops: true, lits: 4, eliminate: 2},
	{name: "LRA", reals: 5, lits: 7, eliminate: 3},
	{name: "LRAOne", reals: 2, lits: 7, eliminate: 1},
	{name: "LRABounds", reals: 4, only: boundShapes, lits: 9, eliminate: 2},
	{name: "Mixed", ints: 3, reals: 3, bools: 2, ops: true, lits: 5, eliminate: 4},
}

// TestProject: the projection of a random true cube is true under the assignment, has none of the variables, implies
// the existential, and is implied by the cube when it is called exact. No value is substituted where the arithmetic is
// linear and not mixed.
func TestProject(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			o := newOracle(t, term.NewPool())
			defer o.close()
			rapid.Check(t, func(t *rapid.T) {
				s := newScene(t, o.p, k)
				cube := s.cube(k.lits)
				vars := rapid.Permutation(s.all()).Draw(t, "vars")
				eliminate, params := vars[:k.eliminate], vars[k.eliminate:]
				pr := New(s.p, Options{MaxResolvents: s.between(1, 6)})
				out, exact, err := pr.ProjectExact(cube, eliminate, s.a)
				require.NoError(t, err)
				requireProjection(t, s, cube, out, eliminate)
				st := pr.Stats()
				require.Zero(t, st.Violations, "cube %v gave a false result", cube)
				require.Zero(t, st.Outgrown)
				if k.ints == 0 || k.reals == 0 {
					require.Zero(t, st.Substituted, "cube %v", cube)
				}
				o.sampled(t, s, out, cube, params)
				if s.pick(3) == 0 {
					o.implies(t, out, s.p.Exists(eliminate, s.p.And(cube...)), "result %v of eliminating %v from %v", out, eliminate, cube)
				}
				if exact {
					o.implies(t, cube, s.p.And(out...), "exact result %v of eliminating %v from %v", out, eliminate, cube)
				}
			})
			require.Less(t, 2*o.undecided, o.asked, "Z3 must decide most implications")
		})
	}
}

// requireProjection requires what every result has, whatever the cube.
func requireProjection(t require.TestingT, s *scene, cube, out, eliminate []*term.Term) {
	gone := map[*term.Term]bool{}
	for _, v := range eliminate {
		gone[v] = true
	}
	seen := map[*term.Term]bool{}
	for _, l := range out {
		require.True(t, s.ev.True(l), "%v is not true", l)
		require.False(t, term.HasAny(l, gone), "%v has an eliminated variable", l)
		require.True(t, l.IsLiteral() || slices.Contains(cube, l), "%v is no literal", l)
		require.False(t, seen[l], "%v is there twice", l)
		seen[l] = true
	}
}

// TestFinite: a formula has finitely many projections. Blocking the projection of each model ends, and then the
// projections together are the existential.
func TestFinite(t *testing.T) {
	for _, k := range []kind{
		{name: "LIA", ints: 4, eliminate: 2},
		{name: "LIABounds", ints: 4, only: boundShapes, eliminate: 2},
		{name: "LIADivMod", ints: 3, ops: true, eliminate: 2},
		{name: "LRA", reals: 4, eliminate: 2},
	} {
		t.Run(k.name, func(t *testing.T) {
			o := newOracle(t, term.NewPool())
			defer o.close()
			most := 0
			rapid.Check(t, func(t *rapid.T) {
				s := newScene(t, o.p, k)
				f := s.p.And(s.formula(2, true), s.formula(1, true), s.formula(0, true))
				eliminate := rapid.Permutation(s.all()).Draw(t, "vars")[:k.eliminate]
				most = max(most, s.enumerate(o, f, eliminate))
			})
			t.Logf("at most %d projections", most)
			require.Less(t, 2*o.undecided, o.asked, "Z3 must decide most questions")
		})
	}
}

// enumerate blocks projections of a formula's models until there are none, and returns how many there were.
func (s *scene) enumerate(o *oracle, f *term.Term, eliminate []*term.Term) int {
	const limit = 300
	pr := New(s.p, Options{})
	blocked := []*term.Term{f}
	for n := range limit {
		st, m := o.check(s.t, blocked...)
		if st != smt.Sat {
			o.asked++
			if st == smt.Unknown {
				o.undecided++
			}
			return n
		}
		cube, err := ImplicantOf(s.p, []*term.Term{f}, term.Complete(s.p, m), ImplicantOptions{Avoid: eliminate, KeepDisequalities: true})
		require.NoError(s.t, err)
		out, err := pr.Project(cube, eliminate, m)
		require.NoError(s.t, err)
		blocked = append(blocked, s.p.Not(s.p.And(out...)))
	}
	require.Fail(s.t, "too many projections", "of %v eliminating %v: %v", f, eliminate, blocked[len(blocked)-3:])
	return limit
}
