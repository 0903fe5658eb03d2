package passes_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/expand"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/internal/smt/z3"
)

// lengthsOf gives every array argument of a system the length.
func lengthsOf(sys *chc.System, length int64) expand.Lengths {
	out := expand.Lengths{}
	for _, p := range sys.Predicates {
		out[p] = make([]int64, p.Arity())
		for i, s := range p.Sorts {
			if s.IsArray() {
				out[p][i] = length
			}
		}
	}
	return out
}

// arrays declares what the tests of expansion speak of.
const arrays = "(set-logic HORN)(declare-fun p ((Array Int Int) Int) Bool)(declare-fun q ((Array Int Int) (Array Int Int)) Bool)"

// sorting fills two elements, exchanges them if need be, and asks for one that is not in order.
func sorting(compared string) string {
	return arrays + fmt.Sprintf(`
(assert (forall ((a (Array Int Int))) (p a 0)))
(assert (forall ((a (Array Int Int)) (i Int) (x Int)) (=> (and (p a i) (< i 2)) (p (store a i x) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int) (j Int)) (=> (and (p a i) (= i 2) (or (= j 0) (= j 1)) (> (select a j) (select a (- 1 j))))
  (p (store (store a (- 1 j) (select a j)) j (select a (- 1 j))) (+ 3 j)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (= i %s) (< (select a 1) (select a 0))) false)))`, compared)
}

// Expanded systems have the verdicts of theirs, and the witnesses are those of the clauses with arrays.
func TestExpandCarriesWitnessesBack(t *testing.T) {
	for compared, want := range map[string]engine.Verdict{"3": engine.Sat, "4": engine.Unsat} {
		for _, name := range []string{"spacer", "inline", "bmc"} {
			sys := readSystem(t, sorting(compared))
			next, _ := run(t, expand.Pass(lengthsOf(sys, 2)), sys)
			require.Equal(t, 3, next.Predicates[0].Arity())
			next.EachTerm(func(u *term.Term) { require.False(t, u.Sort().IsArray(), u) })
			a := portfolio.Solve(t.Context(), portfolio.Request{
				System: sys, Engine: name, First: []transform.Pass{expand.Pass(lengthsOf(sys, 2))}, Open: z3.Open, Check: true,
			})
			require.Equal(t, want, a.Verdict, "%s: %s", name, a.Reason)
			if want == engine.Unsat {
				require.NoError(t, witness.CheckRefutation(context.Background(), sys, a.Refutation))
			}
		}
	}
}

// Where an index leaves its array the expanded clauses allow more: what they refute by that is refuted no more.
func TestExpandOutside(t *testing.T) {
	sys := readSystem(t, arrays+`
(assert (forall ((a (Array Int Int))) (p (store a 5 1) 5)))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (not (= (select a i) 1))) false)))`)
	_, back := run(t, expand.Pass(lengthsOf(sys, 3)), sys)
	require.NotNil(t, back)
	a := portfolio.Solve(t.Context(), portfolio.Request{
		System: sys, Engine: "spacer", Passes: []string{}, First: []transform.Pass{expand.Pass(lengthsOf(sys, 3))}, Open: z3.Open, Check: true,
	})
	require.Equal(t, engine.Unknown, a.Verdict)
	require.False(t, a.Internal, a.Reason)
	require.Contains(t, a.Reason, transform.ErrSpurious.Error())
}

// What is read outside of an array is no element of it: a bug that needs that is not lost.
func TestExpandReadsAnythingOutside(t *testing.T) {
	sys := readSystem(t, arrays+`
(assert (forall ((a (Array Int Int))) (p a 5)))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (not (= (select a i) (select a 0)))) false)))`)
	a := portfolio.Solve(t.Context(), portfolio.Request{
		System: sys, Engine: "spacer", Passes: []string{}, First: []transform.Pass{expand.Pass(lengthsOf(sys, 3))}, Open: z3.Open, Check: true,
	})
	require.False(t, a.Internal, a.Reason)
	require.NotEqual(t, engine.Sat, a.Verdict)
}

// Arrays stay where a clause says more of them than of their elements, and what they are made from and compared with.
func TestExpandKeeps(t *testing.T) {
	for name, rule := range map[string]string{
		"arrays that differ":        "(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (q a b) (not (= a b))) false)))",
		"a condition on equality":   "(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int)) (=> (and (q a b) (= x (ite (= a b) 1 0))) (p a x))))",
		"equivalence":               "(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int)) (=> (and (q a b) (= (= a b) (> x 0))) (p a x))))",
		"equality below an index":   "(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (q a b) (q a (store b (ite (= a b) 1 0) 1)))))",
		"a length that differs":     "(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (q a b) (= a b)) (p a 0))))",
		"an unknown one from there": "(assert (forall ((a (Array Int Int)) (x Int)) (=> (p a x) (q a (store a 0 1)))))",
	} {
		sys := readSystem(t, arrays+rule)
		lengths := lengthsOf(sys, 3)
		switch name {
		case "a length that differs":
			lengths[sys.Predicates[1]] = []int64{3, 4}
		case "an unknown one from there":
			lengths[sys.Predicates[1]] = []int64{3, 0}
		}
		expanded := expand.Expanded(sys, lengths)
		require.Equal(t, []int64{0, 0}, expanded[sys.Predicates[1]], name)
		if len(sys.Clauses[0].Body) > 0 && name != "equality below an index" && name != "arrays that differ" {
			require.Equal(t, []int64{0, 0}, expanded[sys.Predicates[0]], name)
		}
	}
}

// A clause says of the elements what it says of the arrays, for all arrays and all indices within them.
func TestExpandMeansTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := term.NewPool()
		s := pool.Array(term.Int, term.Int)
		a, b := pool.Var("a", s), pool.Var("b", s)
		x, y := pool.Var("x", term.Int), pool.Var("y", term.Int)
		var number, index func(depth int) *term.Term
		var array func(depth int) *term.Term
		choose := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "choice") }
		index = func(depth int) *term.Term {
			return []*term.Term{x, y, pool.Int(0), pool.Int(1), pool.Int(2), pool.Sub(pool.Int(2), x)}[choose(6)]
		}
		condition := func(depth int) *term.Term { return pool.Le(number(depth), number(depth)) }
		number = func(depth int) *term.Term {
			if depth == 0 {
				return index(0)
			}
			return pool.Select(array(depth-1), index(depth-1))
		}
		array = func(depth int) *term.Term {
			switch n := choose(5); {
			case n == 0 || depth == 0:
				return []*term.Term{a, b}[choose(2)]
			case n == 1:
				return pool.Ite(condition(depth-1), array(depth-1), array(depth-1))
			case n == 2 && depth > 1:
				return pool.Store(pool.ConstArray(s, pool.Int(0)), index(depth-1), number(depth-1))
			}
			return pool.Store(array(depth-1), index(depth-1), number(depth-1))
		}
		p := &chc.Predicate{Name: "p", Sorts: []*term.Sort{s, s, term.Int, term.Int}}
		constraint := pool.And(pool.Or(condition(2), pool.Eq(a, array(2))), condition(2))
		sys := &chc.System{Pool: pool, Predicates: []*chc.Predicate{p}, Clauses: []*chc.Clause{
			{Body: []chc.App{{Pred: p, Args: []*term.Term{a, b, x, y}}}, Constraint: constraint, Head: &chc.App{Pred: p, Args: []*term.Term{array(2), b, y, x}}},
		}}
		next, _, err := expand.Pass(lengthsOf(sys, 3)).Run(t.Context(), env, sys)
		require.NoError(t, err)
		require.NotSame(t, sys, next)

		value := func(name string) *term.Term { return pool.Int(rapid.Int64Range(0, 2).Draw(t, name)) }
		old, expanded := map[*term.Term]*term.Term{}, map[*term.Term]*term.Term{}
		c := next.Clauses[0]
		for k, v := range []*term.Term{a, b} {
			whole := pool.ConstArray(s, pool.Int(0))
			for i := range int64(3) {
				e := value("element")
				whole = pool.Store(whole, pool.Int(i), e)
				expanded[c.Body[0].Args[3*k+int(i)]] = e
			}
			old[v] = whole
		}
		for _, v := range []*term.Term{x, y} {
			old[v] = value("index")
			expanded[v] = old[v]
		}
		require.Equal(t, pool.Substitute(constraint, old), pool.Substitute(c.Constraint, expanded), "%s\n%s", constraint, c.Constraint)
		head := pool.Substitute(sys.Clauses[0].Head.Args[0], old)
		for i := range int64(3) {
			require.Equal(t, pool.Select(head, pool.Int(i)), pool.Substitute(c.Head.Args[i], expanded))
		}
	})
}
