package intblast

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// drawVectorSystem draws a system over vectors of one to three bits, Booleans and, seldom, integers.
func drawVectorSystem(t *rapid.T) *chc.System {
	v := &vectors{t: t, p: term.NewPool(), width: rapid.IntRange(1, 3).Draw(t, "width")}
	p := v.p
	sys := &chc.System{Pool: p}
	for i := range rapid.IntRange(1, 3).Draw(t, "predicates") {
		pred := &chc.Predicate{ID: i, Name: fmt.Sprintf("p%d", i)}
		for range rapid.IntRange(0, 3).Draw(t, "arity") {
			s := p.BitVec(v.width)
			switch v.intn(8) {
			case 0:
				s = term.Bool
			case 1:
				s = p.BitVec(1)
			}
			pred.Sorts = append(pred.Sorts, s)
		}
		sys.Predicates = append(sys.Predicates, pred)
	}
	app := func() chc.App {
		a := chc.App{Pred: sys.Predicates[v.intn(len(sys.Predicates))]}
		for _, s := range a.Pred.Sorts {
			switch {
			case s == term.Bool:
				a.Args = append(a.Args, []*term.Term{p.Var("b", term.Bool), p.True(), p.False(), v.formula(1)}[v.intn(4)])
			case v.intn(4) == 0:
				a.Args = append(a.Args, v.term(s.Width, 1))
			default:
				a.Args = append(a.Args, v.variable(s.Width))
			}
		}
		return a
	}
	for i := range rapid.IntRange(2, 6).Draw(t, "clauses") {
		c := &chc.Clause{ID: i}
		if i > 0 {
			for range v.intn(3) {
				c.Body = append(c.Body, app())
			}
		}
		if i == 0 || v.intn(4) > 0 {
			h := app()
			c.Head = &h
		}
		var parts []*term.Term
		for range v.intn(3) {
			parts = append(parts, v.formula(1))
		}
		c.Constraint = p.And(parts...)
		sys.Clauses = append(sys.Clauses, c)
	}
	return sys
}

// carriesVectorsBack decides the passed system by trial over the numbers of three bits and checks the witness, carried
// back, on the system with bit-vectors.
func carriesVectorsBack(t *testing.T, pass transform.Pass) {
	changed, sat, unsat := 0, 0, 0
	options := hornoracle.DefaultOptions()
	options.Ints = []int64{0, 1, -1, 2, -2, 3, -3, 4, -4, 5, 6, 7}
	rapid.Check(t, func(t *rapid.T) {
		sys := drawVectorSystem(t)
		next, back, err := pass.Run(t.Context(), transform.Environment{Open: z3.Open}, sys)
		require.NoError(t, err)
		require.Equal(t, next == sys, back == nil)
		if next == sys {
			return
		}
		changed++
		for _, c := range next.Clauses {
			for _, x := range c.Vars() {
				require.False(t, x.Sort().IsBitVec())
			}
		}
		r := hornoracle.Solve(next, options)
		if ref := r.Refutation(); ref != nil {
			require.NoError(t, witness.CheckRefutation(context.Background(), next, ref), "the oracle")
			old, err := back.Refutation(t.Context(), ref)
			require.NoError(t, err)
			require.NoError(t, witness.CheckRefutation(context.Background(), sys, old))
			unsat++
			return
		}
		model := r.Model()
		if !r.Exhausted || witness.CheckModel(t.Context(), z3.Open, next, model, smt.Limit{}) != nil {
			return // values beyond those tried matter
		}
		old, err := back.Model(t.Context(), model)
		require.NoError(t, err)
		require.NoError(t, witness.CheckModel(t.Context(), z3.Open, sys, old, smt.Limit{}))
		sat++
	})
	t.Logf("changed %d, sat %d, unsat %d", changed, sat, unsat)
	require.Positive(t, sat)
	require.Positive(t, unsat)
}

func TestIntBlastCarriesWitnessesBack(t *testing.T) { carriesVectorsBack(t, Pass()) }

// The translation by itself, without the passes that simplify the system before it.
func TestIntBlastAloneCarriesWitnessesBack(t *testing.T) {
	carriesVectorsBack(t, transform.Pass{Run: func(ctx context.Context, _ transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
		if !hasBitVectors(sys) {
			return sys, nil, nil
		}
		b := &intBlast{opts: DefaultOptions(), pool: sys.Pool, old: sys}
		if err := b.run(ctx); err != nil || b.obstacle != "" {
			return sys, nil, err
		}
		return b.next, b.translator(), nil
	}})
}
