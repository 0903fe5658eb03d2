package mbp

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

// pick chooses what to eliminate among the variables of a scene.
func (s *arrayScene) split(k arrayKind) (eliminate, params []*term.Term) {
	for _, v := range rapid.Permutation(s.vars).Draw(s.t, "vars") {
		if len(eliminate) < k.eliminate && (k.only == nil || k.only(v.Sort())) {
			eliminate = append(eliminate, v)
		} else {
			params = append(params, v)
		}
	}
	return eliminate, params
}

// TestProjectArrays: the projection of a random true cube about arrays is true under the assignment, has none of the
// variables, and at models of it the cube has a solution; it is implied by the cube when it is called exact.
func TestProjectArrays(t *testing.T) {
	for _, k := range arrayKinds {
		t.Run(k.name, func(t *testing.T) {
			o := newOracle(t, term.NewPool())
			defer o.close()
			sorts := k.sorts(o.p)
			var total Stats
			rapid.Check(t, func(t *rapid.T) {
				s := newArrayScene(&scene{t: t, p: o.p}, k, sorts)
				eliminate, params := s.split(k)
				pr := New(s.p, Options{})
				out, exact, err := pr.ProjectExact(s.cube, eliminate, s.a)
				require.NoError(t, err)
				st := pr.Stats()
				require.Zero(t, st.Violations, "cube %v eliminating %v gave a false result", s.cube, eliminate)
				requireProjection(t, s.scene, s.cube, out, eliminate)
				if !k.slow {
					s.sampled(o, out, params)
				}
				if exact && !k.slow {
					o.implies(t, s.cube, s.p.And(out...), "exact result %v of eliminating %v from %v", out, eliminate, s.cube)
				}
				total.addArrays(&st)
				total.Exact += st.Exact
				total.Calls++
				total.Substituted += st.Substituted
				total.ArraysSubstituted += st.ArraysSubstituted
				total.Replaced += st.Replaced
			})
			t.Logf("%+v", total)
			require.LessOrEqual(t, 4*o.undecided, o.asked, "Z3 must decide most implications")
			require.NotZero(t, total.ArraysEquated+total.ArraysRead)
		})
	}
}

// sampled requires of some models of the result, with random literals over the parameters beside it, that the cube has a
// solution there.
func (s *arrayScene) sampled(o *oracle, result, params []*term.Term) {
	o.solvable(s.t, result, s.cube, params)
	of := s.of
	s.of = map[*term.Sort][]*term.Term{}
	for _, v := range params {
		s.of[v.Sort()] = append(s.of[v.Sort()], v)
	}
	defer func() { s.of = of }()
	for range 1 + s.pick(2) {
		more := result[:len(result):len(result)]
		for range s.between(1, 3) {
			l := s.literalOver(1)
			if s.pick(2) == 0 {
				l = s.p.Not(l)
			}
			more = append(more, l)
		}
		o.solvable(s.t, more, s.cube, params)
	}
}

// TestReduceSelects: the result is true under the assignment, implies the literals, and reads no store.
func TestReduceSelects(t *testing.T) {
	for _, k := range arrayKinds {
		t.Run(k.name, func(t *testing.T) {
			o := newOracle(t, term.NewPool())
			defer o.close()
			sorts := k.sorts(o.p)
			rapid.Check(t, func(t *rapid.T) {
				s := newArrayScene(&scene{t: t, p: o.p}, k, sorts)
				out := ReduceSelects(s.p, s.cube, s.a)
				seen := map[*term.Term]bool{}
				for _, l := range out {
					require.True(t, s.ev.True(l), "%v is not true", l)
					require.False(t, seen[l], "%v is there twice", l)
					seen[l] = true
					term.Walk(l, func(u *term.Term) bool {
						if u.Op() == term.Select {
							require.NotContains(t, []term.Op{term.Store, term.ConstArray, term.Ite}, u.Arg(0).Op(), "in %v of %v", l, s.cube)
						}
						return true
					})
				}
				if !k.slow {
					o.implies(t, out, s.p.And(s.cube...), "result %v of %v", out, s.cube)
				}
			})
			require.LessOrEqual(t, 4*o.undecided, o.asked, "Z3 must decide most implications")
		})
	}
}

// TestFiniteArrays: a formula about arrays has finitely many projections of its array variables (the paper's claim) as
// long as no index depends on an element: blocking the projection of each model ends.
func TestFiniteArrays(t *testing.T) {
	for _, k := range []arrayKind{
		{name: "Elements", sorts: func(p *term.Pool) []sorted {
			return []sorted{{term.Bool, 2}, {term.Int, 2}, {p.Array(term.Int, term.Bool), 3}}
		}, equations: 2, lits: 1, eliminate: 2, only: isArray},
		{name: "Reals", sorts: func(p *term.Pool) []sorted {
			return []sorted{{term.Real, 2}, {term.Int, 2}, {p.Array(term.Int, term.Real), 3}}
		}, equations: 2, lits: 1, eliminate: 2, only: isArray},
		{name: "Nested", sorts: func(p *term.Pool) []sorted {
			row := p.Array(term.Int, term.Bool)
			return []sorted{{term.Bool, 1}, {term.Int, 2}, {row, 2}, {p.Array(term.Int, row), 2}}
		}, equations: 1, lits: 1, eliminate: 2, only: isArray},
	} {
		t.Run(k.name, func(t *testing.T) {
			o := newOracle(t, term.NewPool())
			defer o.close()
			sorts := k.sorts(o.p)
			most := 0
			rapid.Check(t, func(t *rapid.T) {
				s := newArrayScene(&scene{t: t, p: o.p}, k, sorts)
				eliminate, _ := s.split(k)
				most = max(most, s.enumerate(o, s.p.And(s.cube...), eliminate))
			})
			t.Logf("at most %d projections", most)
			require.Less(t, 2*o.undecided, o.asked, "Z3 must decide most questions")
		})
	}
}
