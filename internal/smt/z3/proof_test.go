package z3

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/smttest"
)

// requireFarkas requires that the weighted sum of the lemma's rows has no variable and is false, and that each row's
// literal, which is a premise's conclusion or the negation of one of the lemma's own disjuncts, implies its constraint.
func requireFarkas(t require.TestingT, p *term.Pool, judge smt.Solver, n *smt.Node) {
	var sum term.Linear
	strict, equalities := false, true
	for i, r := range n.Params.Rows {
		if r.Constraint.Rel != term.EQ {
			require.GreaterOrEqual(t, r.Coef.Sign(), 0)
			equalities = false
		}
		strict = strict || r.Constraint.Rel == term.LT && r.Coef.Sign() > 0
		sum = sum.Add(r.Constraint.Scale(r.Coef))
		require.NotEqual(t, smt.Sat, check(t, judge, r.Literal, p.Not(r.Constraint.Term(p))), "%v", r)
		if i < len(n.Premises) {
			require.Same(t, n.Premises[i].Conclusion, r.Literal)
		} else if !n.Conclusion.IsTrue() {
			require.Contains(t, term.Disjuncts(n.Conclusion), p.Not(r.Literal))
		}
	}
	require.True(t, sum.IsConst(), "%v", n.Params)
	require.True(t, sum.Const.Sign() > 0 || strict && sum.Const.IsZero() || equalities && !sum.Const.IsZero(), "%v", n.Params)
}

// newJudge returns a solver that knows nothing of the one whose proof it judges.
func newJudge(t require.TestingT, p *term.Pool) (judge smt.Solver, done func()) {
	c, err := Open(p, smt.Config{})
	require.NoError(t, err)
	judge, err = c.NewSolver(smt.Params{})
	require.NoError(t, err)
	judge.SetLimit(smt.Limit{Resources: 20000})
	return judge, c.Close
}

// requireProof requires that a proof is a well-formed DAG from the assertions and assumptions down to false.
func requireProof(t require.TestingT, proof *smt.Proof, asserted, assumed []*term.Term) {
	require.NotEmpty(t, proof.Nodes)
	require.True(t, proof.Root().Conclusion.IsFalse(), "%v", proof.Root())
	parts := map[*term.Term]bool{}
	for _, a := range asserted {
		parts[a] = true
	}
	for i, n := range proof.Nodes {
		require.Equal(t, i, n.Index)
		for _, q := range n.Premises {
			require.Less(t, q.Index, n.Index)
			require.Same(t, proof.Nodes[q.Index], q)
		}
		switch n.Rule {
		case smt.RuleAssumption:
			require.Contains(t, assumed, n.Conclusion)
		case smt.RuleAsserted:
			require.True(t, n.Conclusion.IsTrue() || parts[n.Conclusion], "%v was not asserted", n.Conclusion)
		}
	}
}

func TestFarkasProof(t *testing.T) {
	for _, sort := range []*term.Sort{term.Int, term.Real} {
		p := term.NewPool()
		_, s := open(t, p, smt.Config{Proofs: true}, smt.Params{ArithSolver: 2})
		x, y, z, b := p.Var("x", sort), p.Var("y", sort), p.Var("z", sort), p.Var("b", term.Bool)
		k := func(i int64) *term.Term { return p.Numeral(term.NewInt(i), sort) }
		times := func(i int64, t *term.Term) *term.Term { return p.Scale(term.NewInt(i), t) }
		asserted := []*term.Term{
			p.Or(b, p.Le(times(3, x), p.Sub(times(2, y), k(9)))), // 3x + 9 <= 2y
			p.Eq(times(4, y), p.Add(times(6, z), k(1))),          // 4y = 6z + 1, over the integers false by itself
		}
		assumed := []*term.Term{p.Not(b), p.Ge(x, z), p.Gt(times(2, z), k(-20))}
		require.NoError(t, s.Assert(asserted[:1]...))
		if sort == term.Real {
			require.NoError(t, s.Assert(asserted[1]))
			assumed[2] = p.Gt(z, k(-17))
			assumed = append(assumed, p.Lt(y, p.Add(x, k(4))))
		} else {
			assumed = append(assumed, p.Le(y, p.Add(z, k(4))), p.Ge(y, p.Add(z, k(4))), p.Ge(z, k(0)))
		}
		require.Equal(t, smt.Unsat, check(t, s, assumed...), sort)
		proof, err := s.Proof()
		require.NoError(t, err)
		requireProof(t, proof, asserted, assumed)
		judge, done := newJudge(t, p)
		defer done()
		lemmas := 0
		for n := range proof.All() {
			if n.Params.Rule == "farkas" {
				require.Equal(t, smt.RuleTheory, n.Rule)
				require.Equal(t, "arith", n.Params.Theory)
				require.NotNil(t, n.Params.Rows, "%v %v", n.Conclusion, n.Params)
				requireFarkas(t, p, judge, n)
				lemmas++
			}
		}
		require.Positive(t, lemmas)
	}
}

// The conclusion of a resolution or a lemma follows from its premises' conclusions and the hypotheses; with the solver's
// own check as the oracle. Rows of Farkas lemmas are contradictory.
func TestProofStepsFollow(t *testing.T) {
	farkas, verified := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		theory := rapid.SampledFrom([]smttest.Theory{smttest.Ints, smttest.Reals, smttest.Linear}).Draw(t, "theory")
		sig, err := smttest.NewSignature(term.NewPool(), theory)
		require.NoError(t, err)
		p := sig.Pool
		c, err := Open(p, smt.Config{Proofs: true})
		require.NoError(t, err)
		defer c.Close()
		s, err := c.NewSolver(smt.Params{ArithSolver: 2})
		require.NoError(t, err)
		s.SetLimit(smt.Limit{Resources: 20000})
		asserted := []*term.Term{sig.Formula(t, 2), sig.Formula(t, 2)}
		assumed := []*term.Term{sig.Formula(t, 1), sig.Formula(t, 0), sig.Formula(t, 0)}
		require.NoError(t, s.Assert(asserted...))
		if check(t, s, assumed...) != smt.Unsat {
			return
		}
		proof, err := s.Proof()
		require.NoError(t, err)
		requireProof(t, proof, asserted, assumed)
		judge, done := newJudge(t, p)
		defer done()
		for n := range proof.All() {
			if n.Params.Rule == "farkas" {
				farkas++
				if n.Params.Rows != nil {
					verified++
					requireFarkas(t, p, judge, n)
				}
			}
			if n.Conclusion == nil || n.Rule != "unit-resolution" && n.Rule != smt.RuleTheory && n.Rule != "mp" && n.Rule != "and-elim" {
				continue
			}
			all := []*term.Term{p.Not(n.Conclusion)}
			for _, q := range n.Premises {
				if q.Conclusion == nil {
					all = nil
					break
				}
				all = append(all, q.Conclusion)
			}
			if all != nil {
				require.NotEqual(t, smt.Sat, check(t, judge, all...), "%s %v: %v", n.Rule, n.Params, all)
			}
		}
	})
	t.Logf("%d Farkas lemmas, %d with verified coefficients", farkas, verified)
	require.Positive(t, farkas)
	require.GreaterOrEqual(t, 2*verified, farkas)
}

// Random cubes of linear constraints: every Farkas lemma of their proofs carries coefficients that add up.
func TestFarkasLemmasOfCubes(t *testing.T) {
	lemmas, verified := 0, 0
	rules := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := term.NewPool()
		sort := rapid.SampledFrom([]*term.Sort{term.Int, term.Real}).Draw(t, "sort")
		c, err := Open(p, smt.Config{Proofs: true})
		require.NoError(t, err)
		defer c.Close()
		s, err := c.NewSolver(smt.Params{ArithSolver: 2})
		require.NoError(t, err)
		s.SetLimit(smt.Limit{Resources: 20000})
		vars := []*term.Term{p.Var("x", sort), p.Var("y", sort), p.Var("z", sort)}
		literal := func() *term.Term {
			sum := p.Numeral(term.NewInt(rapid.Int64Range(-6, 6).Draw(t, "constant")), sort)
			for _, v := range vars {
				sum = p.Add(sum, p.Scale(term.NewInt(rapid.Int64Range(-4, 4).Draw(t, "coefficient")), v))
			}
			zero := p.Numeral(term.Num{}, sort)
			return []*term.Term{p.Le(sum, zero), p.Lt(sum, zero), p.Eq(sum, zero)}[rapid.IntRange(0, 2).Draw(t, "relation")]
		}
		var asserted, assumed []*term.Term
		for range 3 {
			asserted = append(asserted, p.Or(literal(), literal()))
			assumed = append(assumed, literal(), literal())
		}
		require.NoError(t, s.Assert(asserted...))
		if check(t, s, assumed...) != smt.Unsat {
			return
		}
		proof, err := s.Proof()
		require.NoError(t, err)
		requireProof(t, proof, asserted, assumed)
		judge, done := newJudge(t, p)
		defer done()
		for n := range proof.All() {
			if n.Params.Theory == "arith" {
				rules[n.Params.Rule]++
			}
			if n.Params.Rule == "farkas" || n.Params.Rule == "assign-bounds" {
				lemmas++
				if n.Params.Rows != nil {
					requireFarkas(t, p, judge, n)
					verified++
				}
			}
		}
	})
	t.Logf("%d Farkas lemmas, %d with verified coefficients; rules %v", lemmas, verified, rules)
	require.Positive(t, lemmas)
	require.Equal(t, lemmas, verified)
}

func TestTrivialProof(t *testing.T) {
	p := term.NewPool()
	_, s := open(t, p, smt.Config{Proofs: true}, smt.Params{})
	_, err := s.Proof()
	require.Error(t, err)
	require.Equal(t, smt.Unsat, check(t, s, p.Var("b", term.Bool), p.False()))
	proof, err := s.Proof()
	require.NoError(t, err)
	requireProof(t, proof, nil, []*term.Term{p.False()})
	require.NoError(t, s.Assert(p.False()))
	require.Equal(t, smt.Unsat, check(t, s))
	proof, err = s.Proof()
	require.NoError(t, err)
	require.True(t, proof.Root().Conclusion.IsFalse())
}
