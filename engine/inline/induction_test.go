package inline

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// largestInductive drops candidates that a clause does not preserve, one by one, until there are none.
func largestInductive(ctx context.Context, sys *chc.System, candidates map[*chc.Predicate][]*term.Term) (map[*chc.Predicate][]*term.Term, error) {
	c, err := z3.Open(sys.Pool, smt.Config{})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	left := map[*chc.Predicate][]*term.Term{}
	for p, fs := range candidates {
		left[p] = slices.Clone(fs)
	}
	at := func(a chc.App, f *term.Term) *term.Term {
		return witness.Interpretation{Params: witness.CanonicalParams(sys.Pool, a.Pred), Body: f}.Apply(sys.Pool, a.Args)
	}
	preserved := func(cl *chc.Clause, f *term.Term) bool {
		s, err := c.NewSolver(smt.Params{})
		if err != nil {
			return false
		}
		defer s.Close()
		s.SetLimit(smt.Limit{Time: time.Minute})
		parts := []*term.Term{cl.Constraint, sys.Pool.Not(at(*cl.Head, f))}
		for _, a := range cl.Body {
			for _, g := range left[a.Pred] {
				parts = append(parts, at(a, g))
			}
		}
		status, err := smt.Unknown, s.Assert(parts...)
		if err == nil {
			status, err = s.Check(ctx)
		}
		return err == nil && status == smt.Unsat
	}
	for changed := true; changed; {
		changed = false
		for _, cl := range sys.Clauses {
			if cl.Head == nil {
				continue
			}
			n := len(left[cl.Head.Pred])
			left[cl.Head.Pred] = slices.DeleteFunc(left[cl.Head.Pred], func(f *term.Term) bool { return !preserved(cl, f) })
			changed = changed || len(left[cl.Head.Pred]) < n
		}
	}
	return left, ctx.Err()
}

// parity never ends when it is unrolled from its query; that it is safe needs an invariant, which relates the arguments.
const parity = `
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((i Int) (s Int)) (=> (p i s) (p (+ i 1) (+ s 2)))))
(assert (forall ((i Int) (s Int)) (=> (and (p i s) (> s (* 2 i))) false)))`

// What is inductive of the labels of trees without counterexample up to the bound proves what no unrolling ends on.
func TestBoundedLabelsProve(t *testing.T) {
	answer, stats := solveWith(t, Engine(), read(t, parity), engine.Settings{Inductive: largestInductive}, nil, atMost(patience))
	require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
	require.Positive(t, stats.Get("inline.bounded.trees"))
	require.Equal(t, int64(1), stats.Get("inline.induction.models"))

	bound := map[string]string{"inline.bound": "6"}
	answer, _ = solve(t, Engine(), read(t, parity), bound, patience)
	require.Equal(t, "no bug up to recursion bound 6", answer.Reason, "nobody is there to say what is inductive")
	answer, stats = solveWith(t, Engine(), read(t, parity), engine.Settings{Inductive: largestInductive}, with(bound, "inline.bounded-labels", "false"), atMost(patience))
	require.Equal(t, "no bug up to recursion bound 6", answer.Reason)
	require.Zero(t, stats.Get("inline.induction.runs"))
}

// At the user's bound, too, a proof is tried before it is said that there is no bug up to it.
func TestBoundedLabelsAtTheLastBound(t *testing.T) {
	answer, _ := solveWith(t, Engine(), read(t, parity), engine.Settings{Inductive: largestInductive}, map[string]string{"inline.bound": "1"}, atMost(patience))
	require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
}

// What is inductive is a summary at once: of the sites that are open, and of those that come up later.
func TestSurvivorsAreSummaries(t *testing.T) {
	h := newTestHunter(t, parity)
	p := h.preds[0]
	even := h.pool.Eq(p.Params[1], h.pool.Add(p.Params[0], p.Params[0]))
	status, _, err := h.ask(t.Context(), over, nil, false)
	require.NoError(t, err)
	require.Equal(t, smt.Sat, status)
	h.strengthen(map[*predicate][]*term.Term{p: {even}})
	status, _, err = h.ask(t.Context(), over, nil, false)
	require.NoError(t, err)
	require.Equal(t, smt.Unsat, status)
	require.Same(t, even, p.summary)
	asserted := len(h.asserted)
	h.strengthen(map[*predicate][]*term.Term{p: {even}})
	require.Len(t, h.asserted, asserted, "that was known")
}

// Labels that hold only because sites are blocked are candidates and nothing more: with an inference that drops them all,
// nothing is proved and no bug is missed.
func TestBoundedLabelsAreNoSummaries(t *testing.T) {
	tried := 0
	s := engine.Settings{Inductive: func(_ context.Context, _ *chc.System, candidates map[*chc.Predicate][]*term.Term) (map[*chc.Predicate][]*term.Term, error) {
		for _, fs := range candidates {
			tried += len(fs)
		}
		return map[*chc.Predicate][]*term.Term{}, nil
	}}
	answer, _ := solveWith(t, Engine(), counterTo(t, 9, 18), s, nil, atMost(patience))
	require.Equal(t, engine.Unsat, answer.Verdict, answer.Reason)
	require.Positive(t, tried)
	answer, _ = solveWith(t, Engine(), read(t, parity), s, map[string]string{"inline.bound": "6"}, atMost(patience))
	require.Equal(t, "no bug up to recursion bound 6", answer.Reason)
}

// An inference that says too much is found out: no verdict comes of it.
func TestFalseInference(t *testing.T) {
	s := engine.Settings{Open: z3.Open, Inductive: func(_ context.Context, _ *chc.System, candidates map[*chc.Predicate][]*term.Term) (map[*chc.Predicate][]*term.Term, error) {
		return candidates, nil
	}}
	_, err := Engine().Solve(t.Context(), counterTo(t, 9, 18), s)
	require.ErrorIs(t, err, witness.ErrInvalid)
}

// Where labels are not to be had, the atoms of the clauses may do.
func TestAtomsWhereLabelsFail(t *testing.T) {
	src := `(declare-fun p (Int) Bool)
		(assert (forall ((x Int)) (=> (and (> x 0) (< x 9)) (p x))))
		(assert (forall ((x Int) (y Int)) (=> (and (p x) (= y (+ x 1)) (> y 5)) (p y))))
		(assert (forall ((x Int) (y Int)) (=> (and (p x) (not (> x 0)) (> y 5)) false)))`
	s := engine.Settings{Inductive: largestInductive}
	options := map[string]string{"inline.proof-limit": "1ns", "inline.bounded-labels": "false"}
	h := newTestHunter(t, src)
	c := newCandidates(500)
	c.addAtoms(h.program)
	x := h.preds[0].Params[0]
	require.Contains(t, c.of[h.preds[0]], h.pool.Gt(x, h.pool.Int(0)))
	require.Contains(t, c.of[h.preds[0]], h.pool.Le(x, h.pool.Int(5)))
	for _, f := range c.of[h.preds[0]] {
		require.Subset(t, []*term.Term{x}, term.Vars(f))
	}
	answer, stats := solveWith(t, Engine(), read(t, src), s, options, atMost(patience))
	require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
	require.Zero(t, stats.Get("inline.proof.labels"))
	require.Equal(t, int64(1), stats.Get("inline.induction.models"))
}

// An inference that breaks breaks the run, and one that is cancelled ends it.
func TestInferenceThatFails(t *testing.T) {
	broken := errors.New("broken")
	s := engine.Settings{Open: z3.Open, Inductive: func(context.Context, *chc.System, map[*chc.Predicate][]*term.Term) (map[*chc.Predicate][]*term.Term, error) {
		return nil, broken
	}}
	_, err := Engine().Solve(t.Context(), read(t, parity), s)
	require.ErrorIs(t, err, broken)
	ctx, cancel := context.WithCancel(t.Context())
	s.Inductive = func(ctx context.Context, _ *chc.System, _ map[*chc.Predicate][]*term.Term) (map[*chc.Predicate][]*term.Term, error) {
		cancel()
		return nil, context.Cause(ctx)
	}
	answer, err := Engine().Solve(ctx, read(t, parity), s)
	require.NoError(t, err)
	require.Equal(t, context.Canceled.Error(), answer.Reason)
}

// Every query has to be excluded, not the first alone.
func TestInductionOverSeveralQueries(t *testing.T) {
	src := parity + "(assert (forall ((i Int) (s Int)) (=> (and (p i s) (= i 4)) false)))"
	answer, _ := solveWith(t, Engine(), read(t, src), engine.Settings{Inductive: largestInductive}, nil, atMost(patience))
	require.Equal(t, engine.Unsat, answer.Verdict, answer.Reason)
}

// Atoms keep their arguments: those of a head and of a call become the parameters in their places.
func TestAtomsKeepTheirArguments(t *testing.T) {
	h := newTestHunter(t, `(declare-fun p (Int Int) Bool) (declare-fun q (Int Int) Bool)
		(assert (forall ((x Int) (y Int)) (=> (and (> x 1) (< y 20)) (p x y))))
		(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y) (> x 300) (< y 4000) (> z 50000)) (q z 6))))
		(assert (forall ((x Int) (y Int)) (=> (q x y) false)))`)
	c := newCandidates(500)
	c.addAtoms(h.program)
	p, q := h.preds[0], h.preds[1]
	a, b := p.Params[0], p.Params[1]
	var want []*term.Term
	for _, f := range []*term.Term{h.pool.Gt(a, h.pool.Int(1)), h.pool.Lt(b, h.pool.Int(20)), h.pool.Gt(a, h.pool.Int(300)), h.pool.Lt(b, h.pool.Int(4000))} {
		want = append(want, f, h.pool.Not(f))
	}
	require.ElementsMatch(t, want, c.of[p])
	x, y := q.Params[0], q.Params[1]
	z, six := h.pool.Gt(x, h.pool.Int(50000)), h.pool.Int(6)
	want = []*term.Term{z, h.pool.Not(z), h.pool.Eq(y, six), h.pool.Not(h.pool.Eq(y, six)), h.pool.Le(y, six), h.pool.Ge(y, six)}
	require.ElementsMatch(t, want, c.of[q])
}
