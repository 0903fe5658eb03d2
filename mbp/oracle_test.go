package mbp

import (
	"context"

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

// sampled requires of some points of the result that the cube has a solution there: the implication of the existential,
// checked without quantifiers.
func (o *oracle) sampled(t require.TestingT, result, cube []*term.Term, params []*term.Term, points int) {
	blocked := append([]*term.Term(nil), result...)
	for range points {
		st, m := o.check(t, blocked...)
		if st != smt.Sat {
			return
		}
		at := append([]*term.Term(nil), cube...)
		var differ []*term.Term
		complete := term.Complete(o.p, m)
		for _, v := range params {
			x, _ := complete.Lookup(v)
			e := o.p.Eq(v, x.Term(o.p))
			at = append(at, e)
			differ = append(differ, o.p.Not(e))
		}
		st, _ = o.check(t, at...)
		require.NotEqual(t, smt.Unsat, st, "cube %v has no solution at %v of result %v", cube, at[len(cube):], result)
		blocked = append(blocked, o.p.Or(differ...))
	}
}
