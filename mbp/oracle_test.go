package mbp

import (
	"context"
	"slices"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// oracle asks Z3 and counts what it could not decide.
type oracle struct {
	p                *term.Pool
	ctx              smt.Context
	plain            smt.Solver
	asked, undecided int
}

func newOracle(t require.TestingT, p *term.Pool) *oracle {
	ctx, err := z3.Open(p, smt.Config{})
	require.NoError(t, err)
	o := &oracle{p: p, ctx: ctx}
	o.plain, err = ctx.NewSolver(smt.Params{})
	require.NoError(t, err)
	o.plain.SetLimit(smt.Limit{Resources: 200_000})
	return o
}

func (o *oracle) close() { o.ctx.Close() }

// check decides a conjunction without quantifiers; the answer is rarely unknown.
func (o *oracle) check(t require.TestingT, fs ...*term.Term) (smt.Status, *smt.Model) {
	require.NoError(t, o.plain.Push())
	st, m := ask(t, o.plain, fs)
	require.NoError(t, o.plain.Pop())
	return st, m
}

func ask(t require.TestingT, s smt.Solver, fs []*term.Term) (smt.Status, *smt.Model) {
	require.NoError(t, s.Assert(fs...))
	st, err := s.Check(context.Background())
	require.NoError(t, err)
	if st != smt.Sat {
		return st, nil
	}
	m, err := s.Model()
	require.NoError(t, err)
	return st, m
}

// decide decides a conjunction that may have quantifiers.
func (o *oracle) decide(t require.TestingT, fs ...*term.Term) smt.Status {
	s, err := o.ctx.NewSolver(smt.Params{Auto: true})
	require.NoError(t, err)
	defer s.Close()
	s.SetLimit(smt.Limit{Resources: 50_000})
	st, _ := ask(t, s, fs)
	return st
}

// implies requires that the conjunction of as implies b, as far as Z3 can tell.
func (o *oracle) implies(t require.TestingT, as []*term.Term, b *term.Term, msg ...any) {
	o.asked++
	fs := append(append([]*term.Term(nil), as...), o.p.Not(b))
	st := smt.Unknown
	if b.HasQuantifier() {
		st = o.decide(t, fs...)
	} else {
		st, _ = o.check(t, fs...)
	}
	switch st {
	case smt.Unknown:
		o.undecided++
	default:
		require.Equal(t, smt.Unsat, st, msg...)
	}
}

// sampled requires of a few points of the result that the cube has a solution there: the implication of the existential,
// checked without quantifiers. The points are on the result's bounds where possible, since that is where it breaks.
func (o *oracle) sampled(t require.TestingT, s *scene, result, cube, params []*term.Term) {
	o.solvable(t, result, cube, params)
	for range min(2, len(result)) {
		if b, ok := term.ReadBound(result[s.pick(len(result))]); ok {
			c := b.N
			if b.Strict {
				c = c.Add(term.NewRat(int64(1-2*s.pick(2)), 64))
			}
			edge := o.p.Eq(b.Sum, o.p.Numeral(c, b.Sum.Sort()))
			o.solvable(t, append(result[:len(result):len(result)], edge), cube, params)
		}
	}
}

// solvable requires of a point of the result, if there is one, that the cube has a solution there.
func (o *oracle) solvable(t require.TestingT, result, cube, params []*term.Term) {
	st, m := o.check(t, result...)
	if st != smt.Sat {
		return
	}
	at := cube[:len(cube):len(cube)]
	complete := term.Complete(o.p, m)
	o.asked++
	if ev := term.NewEvaluator(o.p, complete); slices.ContainsFunc(result, ev.False) {
		o.undecided++ // Z3's models of constant arrays over finite sorts are wrong now and then
		return
	}
	for _, v := range params {
		x, _ := complete.Lookup(v)
		at = append(at, o.p.Eq(v, x.Term(o.p)))
	}
	st, _ = o.check(t, at...)
	require.NotEqual(t, smt.Unsat, st, "cube %v has no solution at %v of result %v", cube, at[len(cube):], result)
}
