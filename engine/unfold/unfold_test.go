package unfold_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/unfold"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// withoutRecursion keeps the clauses whose premises are declared before their heads.
func withoutRecursion(sys *chc.System) *chc.System {
	out := &chc.System{Pool: sys.Pool, Predicates: sys.Predicates, Datatypes: sys.Datatypes}
	for _, c := range sys.Clauses {
		if c.Head != nil && slices.ContainsFunc(c.Body, func(a chc.App) bool { return a.Pred.ID >= c.Head.Pred.ID }) {
			continue
		}
		kept := *c
		kept.ID = len(out.Clauses)
		out.Clauses = append(out.Clauses, &kept)
	}
	return out
}

// test is a *testing.T or a *rapid.T.
type test interface {
	require.TestingT
	Context() context.Context
}

func decide(t test, sys *chc.System) engine.Answer {
	e := unfold.Engine()
	require.NoError(t, e.Fragment(sys))
	answer, err := e.Solve(t.Context(), sys, engine.Settings{Open: z3.Open, Stats: engine.NewStats()})
	require.NoError(t, err)
	return answer
}

// What the engine answers is what an exhaustive search finds. Its refutations pass their check, and the check of the least model accepts
// it exactly where that search finds no query.
func TestAgainstOracle(t *testing.T) {
	draws := map[string]func(*rapid.T) *chc.System{
		"Ints": func(t *rapid.T) *chc.System {
			shape := hornoracle.DefaultShape()
			shape.Predicates, shape.Clauses, shape.Loose = 5, 12, 0
			return hornoracle.Draw(t, shape)
		},
		"Finite": func(t *rapid.T) *chc.System {
			m := hornoracle.DefaultMixture(hornoracle.BitVecs | hornoracle.FiniteArrays)
			m.Predicates, m.Clauses = 5, 12
			return hornoracle.DrawOver(t, m)
		},
	}
	for name, draw := range draws {
		t.Run(name, func(t *testing.T) {
			verdicts := map[engine.Verdict]int{}
			rapid.Check(t, func(t *rapid.T) {
				sys := withoutRecursion(draw(t))
				answer := decide(t, sys)
				verdicts[answer.Verdict]++
				if answer.Verdict == engine.Unsat {
					require.NoError(t, witness.CheckRefutation(t.Context(), sys, answer.Refutation))
				}
				err := witness.CheckModel(t.Context(), z3.Open, sys, witness.Least(), smt.Limit{})
				expected := hornoracle.Solve(sys, hornoracle.DefaultOptions())
				if expected.Query != nil {
					require.NotEqual(t, engine.Sat, answer.Verdict)
					require.ErrorIs(t, err, witness.ErrInvalid)
				} else if answer.Verdict == engine.Sat {
					require.NoError(t, err)
				}
				if expected.Query == nil && expected.Exhausted && hornoracle.AllTried(sys) {
					require.Equal(t, engine.Sat, answer.Verdict)
				}
			})
			require.Positive(t, verdicts[engine.Sat])
			require.Positive(t, verdicts[engine.Unsat])
		})
	}
}

// The premises of a clause are derived apart from each other, those of the same predicate too.
func TestPremisesApartFromEachOther(t *testing.T) {
	p := term.NewPool()
	any := &chc.Predicate{ID: 0, Name: "any", Sorts: []*term.Sort{term.Int}}
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	atom := func(x *term.Term) chc.App { return chc.App{Pred: any, Args: []*term.Term{x}} }
	fact := atom(x)
	for query, verdict := range map[*term.Term]engine.Verdict{
		p.Lt(x, y):                    engine.Unsat,
		p.And(p.Lt(x, y), p.Lt(y, x)): engine.Sat,
		p.Eq(p.Add(x, y), p.Int(21)):  engine.Sat,
		p.Eq(p.Add(x, y), p.Int(19)):  engine.Unsat,
	} {
		sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{any}, Clauses: []*chc.Clause{
			{ID: 0, Constraint: p.And(p.Ge(x, p.Int(0)), p.Le(x, p.Int(10))), Head: &fact},
			{ID: 1, Body: []chc.App{atom(x), atom(y)}, Constraint: query},
		}}
		require.Equal(t, verdict, decide(t, sys).Verdict)
	}
}

// Clauses with recursion have no such formula.
func TestRecursionIsRefused(t *testing.T) {
	p := term.NewPool()
	q := &chc.Predicate{Name: "q"}
	atom := chc.App{Pred: q}
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{q}, Clauses: []*chc.Clause{{Body: []chc.App{atom}, Constraint: p.True(), Head: &atom}}}
	require.Error(t, unfold.Engine().Fragment(sys))
	require.ErrorIs(t, witness.CheckModel(t.Context(), z3.Open, sys, witness.Least(), smt.Limit{}), witness.ErrInvalid)
}
