package mbp

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

// Implicant is ImplicantOf without options.
func Implicant(p *term.Pool, fs []*term.Term, a term.Assignment) ([]*term.Term, error) {
	return ImplicantOf(p, fs, a, ImplicantOptions{})
}

// TestImplicant: the literals are true under the assignment, free of if-then-else and disequalities of numbers, and
// imply the formulas.
func TestImplicant(t *testing.T) {
	o := newOracle(t, term.NewPool())
	defer o.close()
	rapid.Check(t, func(t *rapid.T) {
		s := newScene(t, o.p, kind{ints: 3, reals: 2, bools: 3, ops: true})
		fs := []*term.Term{s.formula(3, true), s.formula(2, true)}
		opts := ImplicantOptions{KeepDisequalities: s.pick(2) == 0}
		if s.pick(2) == 0 {
			opts.Avoid = s.is[:2]
		}
		out, err := ImplicantOf(s.p, fs, s.a, opts)
		require.NoError(t, err)
		requireLiterals(t, s.ev, out, opts.KeepDisequalities)
		o.implies(t, out, s.p.And(fs...), "implicant %v of %v", out, fs)
	})
	require.Zero(t, o.undecided)
}

func requireLiterals(t require.TestingT, ev *term.Evaluator, lits []*term.Term, differ bool) {
	seen := map[*term.Term]bool{}
	for _, l := range lits {
		require.True(t, ev.True(l), "%v is not true", l)
		require.True(t, l.IsLiteral(), "%v is no literal", l)
		require.False(t, seen[l], "%v is there twice", l)
		seen[l] = true
		term.Walk(l, func(u *term.Term) bool {
			require.False(t, u.IsIte(), "%v has an if-then-else", l)
			return true
		})
		if atom, pos := l.Atom(); !pos && !differ && atom.Op() == term.Eq {
			require.False(t, atom.Arg(0).Sort().IsArith(), "%v is a disequality", l)
		}
	}
}

// TestImplicantPartial: under an assignment without some variables only determined atoms are used, so the result is
// true however the assignment is completed.
func TestImplicantPartial(t *testing.T) {
	p := term.NewPool()
	rapid.Check(t, func(t *rapid.T) {
		s := newScene(t, p, kind{ints: 3, reals: 1, bools: 3, ops: true})
		partial := term.MapAssignment{}
		for _, v := range s.all() {
			if s.pick(4) > 0 {
				partial[v] = s.a[v]
			}
		}
		f := s.p.Or(s.formula(3, true), s.formula(2, true))
		ev := term.NewEvaluator(s.p, partial)
		out, err := ImplicantOf(s.p, []*term.Term{f}, partial, ImplicantOptions{})
		if _, ok := ev.Eval(f); !ok {
			require.ErrorIs(t, err, ErrUndetermined)
			return
		}
		require.NoError(t, err)
		requireLiterals(t, ev, out, false)
	})
}

// TestImplicantChoice: among true disjuncts, one that is there already wins, then one without variables to avoid, then
// a smaller one.
func TestImplicantChoice(t *testing.T) {
	n := newNames()
	p := n.p
	le := func(v *term.Term, c int64) *term.Term { return p.Le(v, p.Int(c)) }
	at := ints(n.x, 0, n.y, 0, n.z, 0, n.b, true, n.c, true)
	implicant := func(opts ImplicantOptions, fs ...*term.Term) []string {
		out, err := ImplicantOf(p, fs, at, opts)
		require.NoError(t, err)
		return texts(out...)
	}
	there := p.And(le(n.x, 1), le(n.y, 1))
	require.ElementsMatch(t, texts(le(n.x, 1), le(n.y, 1)),
		implicant(ImplicantOptions{}, p.Or(n.b, there), le(n.x, 1), le(n.y, 1)), "collected")
	require.ElementsMatch(t, texts(le(n.x, 1), le(n.y, 1)),
		implicant(ImplicantOptions{Avoid: []*term.Term{n.b}}, p.Or(n.b, there)), "without the variable")
	require.ElementsMatch(t, texts(n.b), implicant(ImplicantOptions{}, p.Or(n.b, there)), "smaller")
	require.ElementsMatch(t, texts(le(n.x, 1), le(n.y, 1)),
		implicant(ImplicantOptions{Prefer: []*term.Term{le(n.x, 1), le(n.y, 1)}}, p.Or(n.b, there)), "preferred")
}

// TestImplicantErrors: formulas that are not true, or only after completion.
func TestImplicantErrors(t *testing.T) {
	n := newNames()
	p := n.p
	_, err := ImplicantOf(p, []*term.Term{p.Le(n.x, p.Int(0))}, ints(n.x, 1), ImplicantOptions{})
	require.ErrorIs(t, err, ErrFalse)
	f := p.Le(n.x, p.Int(0))
	_, err = ImplicantOf(p, []*term.Term{f}, ints(), ImplicantOptions{})
	require.ErrorIs(t, err, ErrUndetermined)
	out, err := ImplicantOf(p, []*term.Term{f}, ints(), ImplicantOptions{Complete: true})
	require.NoError(t, err)
	require.Equal(t, texts(f), texts(out...))
}

// deepFormula is a formula of n levels, each of which uses the one below twice, so that its tree is exponential.
func deepFormula(p *term.Pool, n int) (*term.Term, term.MapAssignment) {
	at := term.MapAssignment{}
	f := p.True()
	sum := p.Int(0)
	for i := range n {
		x := p.Var(fmt.Sprintf("x%d", i), term.Int)
		b := p.Var(fmt.Sprintf("b%d", i), term.Bool)
		at[x] = term.NumValue(term.NewInt(int64(i%7)), term.Int)
		at[b] = term.BoolValue(i%3 == 0)
		sum = p.Ite(b, p.Add(x, p.Int(int64(i))), p.Add(sum, p.Int(1)))
		f = p.Or(p.And(b, f, p.Le(x, p.Int(7))), p.And(p.Not(b), f), p.And(f, p.Le(p.Int(9), x)))
		if i%5 == 0 {
			f = p.And(f, p.Le(sum, p.Int(int64(10*n))))
		}
	}
	return f, at
}

// TestImplicantDeep: deep formulas that share much are no harder than their size.
func TestImplicantDeep(t *testing.T) {
	p := term.NewPool()
	f, at := deepFormula(p, 5000)
	require.Greater(t, f.Size(), 25000)
	out, err := ImplicantOf(p, []*term.Term{f}, at, ImplicantOptions{Avoid: []*term.Term{p.Var("x3", term.Int)}})
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(out), 5000)
	requireLiterals(t, term.NewEvaluator(p, at), out, false)
}

// TestImplicantTheories: implicants over datatypes and bit-vectors are literals that are true, without if-then-else, and
// imply the formula.
func TestImplicantTheories(t *testing.T) {
	o := newOracle(t, term.NewPool())
	defer o.close()
	sorts := dataSorts(t, o.p)
	check := func(t *rapid.T, s *scene, atom func() *term.Term) {
		x, y, z := atom(), atom(), atom()
		f := s.p.And(s.signed(s.p.Ite(x, y, s.p.Not(z))), s.signed(s.p.Iff(y, s.p.Not(x))), s.p.Or(s.p.Not(z), s.p.And(y, atom())))
		out, err := ImplicantOf(s.p, []*term.Term{f}, s.a, ImplicantOptions{})
		require.NoError(t, err)
		requireLiterals(t, s.ev, out, false)
		o.implies(t, out, f, "implicant %v of %v", out, f)
	}
	rapid.Check(t, func(t *rapid.T) {
		if rapid.Bool().Draw(t, "datatypes") {
			s := newDataScene(t, o.p, sorts, dataKind{sorts: []string{"List", "Color", "Option", "Pair"}})
			check(t, s.scene, func() *term.Term { return s.atomOf(2) })
		} else {
			s := newBitScene(t, o.p, bitKinds[len(bitKinds)-1])
			check(t, s.scene, func() *term.Term { return s.comparison(2) })
		}
	})
	require.Less(t, 10*o.undecided, o.asked)
}
