package unfold_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

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

// drawShared draws clauses that share what their premises are derived from: each predicate is one number, and is derived from those before
// it by few clauses, so that derivations meet in the same predicates by different ways, once or more often.
func drawShared(t *rapid.T) *chc.System {
	p := term.NewPool()
	sys := &chc.System{Pool: p}
	names := []*term.Term{p.Var("x", term.Int), p.Var("y", term.Int), p.Var("z", term.Int)}
	small := func(name string) *term.Term { return p.Int(int64(rapid.IntRange(-2, 2).Draw(t, name))) }
	clause := func(head *chc.Predicate) {
		c := &chc.Clause{ID: len(sys.Clauses)}
		parts := []*term.Term{p.Ge(names[0], p.Int(0)), p.Le(names[0], p.Int(3))}
		vars := names[:1]
		if n := len(sys.Predicates); n > 0 {
			parts = nil
			vars = names[:rapid.SampledFrom([]int{1, 1, 2, 2, 3}).Draw(t, "premises")]
			if head == nil {
				vars = names[:2]
			}
			for _, v := range vars {
				of := sys.Predicates[rapid.IntRange(max(n-3, 0), n-1).Draw(t, "premise")]
				c.Body = append(c.Body, chc.App{Pred: of, Args: []*term.Term{v}})
			}
			for range rapid.IntRange(0, 2).Draw(t, "conditions") {
				a, b := rapid.SampledFrom(vars).Draw(t, "left"), rapid.SampledFrom(vars).Draw(t, "right")
				compare := rapid.SampledFrom([]func(a, b *term.Term) *term.Term{p.Le, p.Lt, p.Eq}).Draw(t, "compare")
				parts = append(parts, compare(a, p.Add(b, small("difference"))))
			}
		}
		c.Constraint = p.And(parts...)
		if head != nil {
			c.Head = &chc.App{Pred: head, Args: []*term.Term{p.Add(rapid.SampledFrom(vars).Draw(t, "value"), small("step"))}}
		}
		sys.Clauses = append(sys.Clauses, c)
	}
	for i := range rapid.IntRange(3, 5).Draw(t, "predicates") {
		next := &chc.Predicate{ID: i, Name: fmt.Sprintf("p%d", i), Sorts: []*term.Sort{term.Int}}
		for range rapid.SampledFrom([]int{1, 1, 2}).Draw(t, "clauses") {
			clause(next)
		}
		sys.Predicates = append(sys.Predicates, next)
	}
	clause(nil)
	return sys
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
	draws["Shared"] = drawShared
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

// A predicate that two others are derived from, each of which a derivation has once, has an instance for either.
func TestSinglePredicatesHavePremisesOfTheirOwn(t *testing.T) {
	p := term.NewPool()
	preds := make([]*chc.Predicate, 3)
	for i, name := range []string{"common", "left", "right"} {
		preds[i] = &chc.Predicate{ID: i, Name: name, Sorts: []*term.Sort{term.Int}}
	}
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	atom := func(i int, x *term.Term) chc.App { return chc.App{Pred: preds[i], Args: []*term.Term{x}} }
	common, left, right := atom(0, x), atom(1, x), atom(2, x)
	for query, verdict := range map[*term.Term]engine.Verdict{
		p.Lt(x, y):                    engine.Unsat,
		p.And(p.Lt(x, y), p.Lt(y, x)): engine.Sat,
	} {
		sys := &chc.System{Pool: p, Predicates: preds, Clauses: []*chc.Clause{
			{ID: 0, Constraint: p.And(p.Ge(x, p.Int(0)), p.Le(x, p.Int(10))), Head: &common},
			{ID: 1, Body: []chc.App{common}, Constraint: p.True(), Head: &left},
			{ID: 2, Body: []chc.App{common}, Constraint: p.True(), Head: &right},
			{ID: 3, Body: []chc.App{atom(1, x), atom(2, y)}, Constraint: query},
		}}
		require.Equal(t, verdict, decide(t, sys).Verdict)
	}
}

// Of clauses that hold at once each can be the one that derives a predicate.
func TestEachWayCanBeTaken(t *testing.T) {
	p := term.NewPool()
	from := &chc.Predicate{ID: 0, Name: "from", Sorts: []*term.Sort{term.Int}}
	to := &chc.Predicate{ID: 1, Name: "to", Sorts: []*term.Sort{term.Int}}
	x := p.Var("x", term.Int)
	atom := func(q *chc.Predicate, x *term.Term) chc.App { return chc.App{Pred: q, Args: []*term.Term{x}} }
	first := atom(from, x)
	steps := []chc.App{atom(to, p.Add(x, p.Int(10))), atom(to, p.Add(x, p.Int(20))), atom(to, p.Add(x, p.Int(30)))}
	for n, verdict := range map[int64]engine.Verdict{10: engine.Unsat, 13: engine.Unsat, 14: engine.Sat, 20: engine.Unsat, 24: engine.Sat, 33: engine.Unsat, 34: engine.Sat} {
		sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{from, to}, Clauses: []*chc.Clause{
			{ID: 0, Constraint: p.And(p.Ge(x, p.Int(0)), p.Le(x, p.Int(3))), Head: &first},
			{ID: 1, Body: []chc.App{first}, Constraint: p.True(), Head: &steps[0]},
			{ID: 2, Body: []chc.App{first}, Constraint: p.True(), Head: &steps[1]},
			{ID: 3, Body: []chc.App{first}, Constraint: p.True(), Head: &steps[2]},
			{ID: 4, Body: []chc.App{atom(to, x)}, Constraint: p.And(p.Ge(x, p.Int(n)), p.Lt(x, p.Int(n+1)))},
		}}
		answer := decide(t, sys)
		require.Equal(t, verdict, answer.Verdict, n)
		if verdict == engine.Unsat {
			require.NoError(t, witness.CheckRefutation(t.Context(), sys, answer.Refutation))
		}
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

// linear keeps the clauses with one premise at most.
func linear(sys *chc.System) *chc.System {
	out := &chc.System{Pool: sys.Pool, Predicates: sys.Predicates, Datatypes: sys.Datatypes}
	for _, c := range sys.Clauses {
		if len(c.Body) < 2 {
			kept := *c
			kept.ID = len(out.Clauses)
			out.Clauses = append(out.Clauses, &kept)
		}
	}
	return out
}

// Where derivations are written out by their length, sat is what an exhaustive search finds, and the check accepts no model of clauses
// from which a query is derived.
func TestUnwindAgainstOracle(t *testing.T) {
	proved, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		shape := hornoracle.DefaultShape()
		shape.Predicates, shape.Clauses, shape.Loose, shape.Body = 3, 7, 0, 1
		sys := linear(hornoracle.Draw(t, shape))
		expected := hornoracle.Solve(sys, hornoracle.DefaultOptions())
		// Loops without an end are cut off by the context.
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		answer, err := unfold.Unwind().Solve(ctx, sys, engine.Settings{Open: z3.Open, Stats: engine.NewStats()})
		if expected.Query != nil {
			require.NotEqual(t, engine.Sat, answer.Verdict)
			require.Error(t, witness.CheckModel(ctx, z3.Open, sys, witness.LeastWithin(3), smt.Limit{}))
			refused++
		} else if err == nil && answer.Verdict == engine.Sat {
			require.NoError(t, witness.CheckModel(t.Context(), z3.Open, sys, answer.Model, smt.Limit{}))
			proved++
		}
	})
	require.Positive(t, proved)
	require.Positive(t, refused)
}

// counter counts to a limit, the same one by two clauses, and the query is at another number.
func counter(p *term.Pool, limit, query int64) *chc.System {
	q := &chc.Predicate{Name: "q", Sorts: []*term.Sort{term.Int}}
	x := p.Var("x", term.Int)
	at := func(t *term.Term) *chc.App { return &chc.App{Pred: q, Args: []*term.Term{t}} }
	step := func(by int64) *chc.Clause {
		return &chc.Clause{Body: []chc.App{*at(x)}, Constraint: p.Lt(x, p.Int(limit)), Head: at(p.Add(x, p.Int(by)))}
	}
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{q}, Clauses: []*chc.Clause{
		{Constraint: p.True(), Head: at(p.Int(0))}, step(1), step(2),
		{Body: []chc.App{*at(x)}, Constraint: p.Eq(x, p.Int(query))},
	}}
	for i, c := range sys.Clauses {
		c.ID = i
	}
	return sys
}

// The length of the longest derivation is found, whatever the shorter ones are; a model with fewer steps is none.
func TestUnwindSteps(t *testing.T) {
	sys := counter(term.NewPool(), 9, 12)
	answer, err := unfold.Unwind().Solve(t.Context(), sys, engine.Settings{Open: z3.Open, Stats: engine.NewStats()})
	require.NoError(t, err)
	require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
	require.Equal(t, 10, answer.Model.Steps)
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, sys, answer.Model, smt.Limit{}))
	require.ErrorIs(t, witness.CheckModel(t.Context(), z3.Open, sys, witness.LeastWithin(9), smt.Limit{}), witness.ErrInvalid)
	for _, reached := range []int64{0, 1, 10} {
		sys := counter(term.NewPool(), 9, reached)
		require.ErrorIs(t, witness.CheckModel(t.Context(), z3.Open, sys, witness.LeastWithin(10), smt.Limit{}), witness.ErrInvalid)
		answer, err := unfold.Unwind().Solve(t.Context(), sys, engine.Settings{Open: z3.Open, Stats: engine.NewStats()})
		require.NoError(t, err)
		require.Equal(t, engine.Unknown, answer.Verdict)
	}
}

// The question that an engine asks is the checker's own: its model is not asked about again for the same clauses, and is for others.
func TestModelsAreCheckedOnce(t *testing.T) {
	p := term.NewPool()
	q := &chc.Predicate{Name: "q", Sorts: []*term.Sort{term.Int}}
	x := p.Var("x", term.Int)
	zero, at := chc.App{Pred: q, Args: []*term.Term{p.Int(0)}}, chc.App{Pred: q, Args: []*term.Term{x}}
	query := func(value int64) *chc.Clause {
		return &chc.Clause{Body: []chc.App{at}, Constraint: p.Eq(x, p.Int(value))}
	}
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{q}, Clauses: []*chc.Clause{{Constraint: p.True(), Head: &zero}, query(1)}}
	for _, e := range []engine.Engine{unfold.Engine(), unfold.Unwind()} {
		t.Run(e.Name, func(t *testing.T) {
			opened := 0
			counted := func(p *term.Pool, c smt.Config) (smt.Context, error) {
				opened++
				return z3.Open(p, c)
			}
			answer, err := e.Solve(t.Context(), sys, engine.Settings{Open: z3.Open, CheckOpen: counted, Stats: engine.NewStats()})
			require.NoError(t, err)
			require.Equal(t, engine.Sat, answer.Verdict)
			require.Equal(t, 1, opened, "the checker's solvers decide")

			same := &chc.System{Pool: p, Predicates: sys.Predicates, Clauses: slices.Clone(sys.Clauses)}
			require.NoError(t, witness.CheckModel(t.Context(), counted, same, answer.Model, smt.Limit{}))
			require.Equal(t, 1, opened)

			more := &chc.System{Pool: p, Predicates: sys.Predicates, Clauses: append(slices.Clone(sys.Clauses), query(0))}
			require.ErrorIs(t, witness.CheckModel(t.Context(), counted, more, answer.Model, smt.Limit{}), witness.ErrInvalid)
			require.Greater(t, opened, 1)
		})
	}
}
