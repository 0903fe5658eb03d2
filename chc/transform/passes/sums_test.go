package passes_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/chc/transform/sums"
	"hornbeam/engine"
)

// token is a token of which accounts have balances; what stands for the transaction is the rest of its clause, from balances a and
// supply s to balances b and supply t.
func token(transaction, violation string) string {
	return `(set-logic HORN)
		(declare-fun token ((Array Int Int) Int) Bool)
		(assert (forall ((a (Array Int Int)) (s Int) (o Int))
			(=> (and (>= s 0) (<= 0 o 1000) (= a (store ((as const (Array Int Int)) 0) o s))) (token a s))))
		(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (s Int) (t Int) (x Int) (y Int) (n Int))
			(=> (and (token a s) (<= 0 x 1000) (<= 0 y 1000) (>= n 0) ` + transaction + `) (token b t))))
		(assert (forall ((a (Array Int Int)) (s Int) (x Int) (y Int))
			(=> (and (token a s) (<= 0 x 1000) (<= 0 y 1000) ` + violation + `) false)))`
}

// What the elements of an array sum up to proves what no quantifier over indices does, and finds no proof where there is none.
func TestSumsProveTokens(t *testing.T) {
	const pay = `(= s t) (>= (select a x) n) (= b (let ((c (store a x (- (select a x) n)))) (store c y (+ (select c y) n))))`
	const burn = `(>= (select a x) n) (= t (- s n)) (= b (store a x (- (select a x) n)))`
	for name, test := range map[string]struct {
		transaction, violation string
		verdict                engine.Verdict
	}{
		"pay":        {pay, "(> (select a x) s)", engine.Sat},
		"two of pay": {pay, "(not (= x y)) (> (+ (select a x) (select a y)) s)", engine.Sat},
		"burn":       {burn, "(> (select a x) s)", engine.Sat},
		"mint":       {`(= t (+ s n)) (= b (store a x (+ (select a x) n)))`, "(> (select a x) s)", engine.Sat},
		"all paid":   {pay, "(= (select a x) s) (> (select a y) 0) (not (= x y))", engine.Sat},
		"paid":       {pay, "(< (select a x) s) (> (select a y) 0) (not (= x y))", engine.Unsat},
		"minted":     {`(= t (+ s n)) (= b (store a x (+ (select a x) n 1)))`, "(> (select a x) s)", engine.Unsat},
		"twice":      {burn, "(> (+ (select a x) (select a y)) s)", engine.Unsat},
		"outside":    {`(= t s) (= b (store a (- 1) 7))`, "(> (select a (- 1)) s)", engine.Unsat},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, passes := range []string{"default,sums", "default,sums,cells"} {
				if test.verdict == engine.Unsat && passes == "default,sums,cells" {
					continue // cells lose refutations
				}
				a := decide(t, readSystem(t, token(test.transaction, test.violation)), passes)
				require.False(t, a.Internal, a.Reason)
				require.Equal(t, test.verdict, a.Verdict, a.Reason)
			}
		})
	}
}

// How many elements are true is a sum, too: each of 1001 voters votes once.
func TestSumsProveBallots(t *testing.T) {
	for violation, verdict := range map[string]engine.Verdict{
		"(> yes 1001)":                        engine.Sat,
		"(= yes 0) (select voted x)":          engine.Sat,
		"(= yes 1001) (not (select voted x))": engine.Sat,
		"(> yes 2)":                           engine.Unsat,
	} {
		t.Run(violation, func(t *testing.T) {
			t.Parallel()
			passes := "default,sums,cells"
			if verdict == engine.Unsat {
				passes = "default,sums" // cells lose refutations
			}
			a := decide(t, readSystem(t, `(set-logic HORN)
				(declare-fun ballot ((Array Int Bool) Int) Bool)
				(assert (ballot ((as const (Array Int Bool)) false) 0))
				(assert (forall ((voted (Array Int Bool)) (yes Int) (x Int))
					(=> (and (ballot voted yes) (<= 0 x 1000) (not (select voted x))) (ballot (store voted x true) (+ yes 1)))))
				(assert (forall ((voted (Array Int Bool)) (yes Int) (x Int))
					(=> (and (ballot voted yes) (<= 0 x 1000) `+violation+`) false)))`), passes)
			require.False(t, a.Internal, a.Reason)
			require.Equal(t, verdict, a.Verdict, a.Reason)
		})
	}
}

// Whatever is answered with sums holds of the arrays.
func TestSumsAnswerRightly(t *testing.T) {
	verdicts := map[engine.Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		pool := term.NewPool()
		d := &arrayClauses{T: t, pool: pool, array: pool.Array(term.Int, term.Int), step: 1}
		sys := d.system()
		a := decide(t, sys, rapid.SampledFrom([]string{"sums", "default,sums", "sums,cells"}).Draw(t, "pass"))
		verdicts[a.Verdict]++
		requireRight(t, sys, a)
	})
	require.Positive(t, verdicts[engine.Sat])
	require.Positive(t, verdicts[engine.Unsat])
}

func TestAccumulate(t *testing.T) {
	const pay = `(= b (store a x (+ (select a x) n)))`
	for transaction, want := range map[string]bool{
		pay: true,
		`(= b (store a x t)) (= t (ite (> s 0) y 5)) (= (- y n) (select a x))`: true,
		`(= b (store a x n)) (= n s) (= s (select a x))`:                       false,
		`(= b (store a x (- (* 2 n) (select a x))))`:                           false,
		`(= b (store a x n)) (= n s) (= s n)`:                                  false,
		`(= b (store a x (select a y)))`:                                       false,
	} {
		require.Equal(t, want, sums.Accumulate(readSystem(t, token(transaction, "(> (select a x) s)"))), transaction)
	}
	own := `(declare-fun p (Int (Array Int Int)) Bool)
		(assert (forall ((x Int) (n Int) (a (Array Int Int))) (=> (p x a) (p x (store a x (+ n (select a x)))))))`
	require.False(t, sums.Accumulate(readSystem(t, own)))
}

// Only arrays in which something accumulates have sums, on all predicates that they go through.
func TestSumsOfAccumulatingArrays(t *testing.T) {
	sys := readSystem(t, `
		(declare-fun p ((Array Int Int) (Array Int Int)) Bool) (declare-fun q ((Array Int Int) Int (Array Int Int)) Bool)
		(assert (p (store ((as const (Array Int Int)) 0) 0 5) (store ((as const (Array Int Int)) 0) 1 7)))
		(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int) (n Int))
			(=> (p a b) (p (store a x (+ n (select a x))) (store b x n)))))
		(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (x Int))
			(=> (and (p a b) (= c a) (> x 0)) (q b x c))))
		(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int)) (=> (and (q b x a) (> (select a x) (select b x))) false)))`)
	next, back := run(t, sums.Pass(), sys)
	require.NotNil(t, back)
	require.Len(t, next.Predicates[0].Sorts, 3)
	require.Len(t, next.Predicates[1].Sorts, 4)
	for _, c := range next.Clauses {
		if c.Head != nil && c.Head.Pred.ID == 1 {
			require.Equal(t, term.Int, c.Head.Args[3].Sort())
		}
	}
}
