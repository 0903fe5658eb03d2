package houdini

import (
	"context"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// read reads a system from SMT-LIB.
func read(t require.TestingT, src string) *chc.System {
	script, err := smtlib.Read("test.smt2", []byte(src), term.NewPool())
	require.NoError(t, err)
	return script.System
}

// patient lets no query end without an answer because the machine is slow.
var patient = map[string]string{"houdini.check-limit": "60s", "houdini.segments": "4"}

// decide runs the engine and holds a model to its check.
func decide(t require.TestingT, sys *chc.System, options map[string]string) (engine.Answer, *engine.Stats) {
	stats := engine.NewStats()
	answer, err := Engine().Solve(context.Background(), sys, engine.Settings{Open: z3.Open, Options: options, Stats: stats})
	require.NoError(t, err)
	require.NotEqual(t, engine.Unsat, answer.Verdict)
	if answer.Verdict == engine.Sat {
		require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, answer.Model, smt.Limit{}))
	} else {
		require.NotEmpty(t, answer.Reason)
	}
	return answer, stats
}

// provable are systems, by name, that the pool made from their clauses proves.
var provable = map[string]string{
	// The loops over arrays are as the abstraction of arrays to their values at one index makes them.
	"all indices but one are filled": `
(declare-fun fill (Int Int Int) Bool)
(declare-fun look (Int Int Int) Bool)
(assert (forall ((k Int) (v Int)) (fill 0 k v)))
(assert (forall ((i Int) (k Int) (v Int) (w Int)) (=> (and (fill i k v) (< i 1000)
  (= w (ite (and (= i k) (not (= i 70))) 5 v))) (fill (+ i 1) k w))))
(assert (forall ((i Int) (k Int) (v Int)) (=> (and (fill i k v) (>= i 1000)) (look 0 k v))))
(assert (forall ((i Int) (k Int) (v Int)) (=> (and (look i k v) (look i i 5) (< i 1000) (or (= v 5) (not (= i k)))) (look (+ i 1) k v))))
(assert (forall ((i Int) (v Int)) (=> (and (look i i v) (< i 1000) (not (= i 70)) (not (= v 5))) false)))`,
	"three elements are filled in each round": `
(declare-fun fill (Int Int Int Int Int) Bool)
(declare-fun look (Int Int Int Int Int) Bool)
(assert (forall ((n Int) (m Int) (k Int) (v Int)) (=> (and (>= n 3) (= (mod n 3) 0)) (fill n m 1 k v))))
(assert (forall ((n Int) (m Int) (i Int) (k Int) (v Int) (u Int) (w Int) (x Int)) (=> (and (fill n m i k v) (<= (* 3 i) n)
  (= u (ite (= (* 3 i) (+ k 3)) (ite (> m 7) 0 7) v)) (= w (ite (= (* 3 i) (+ k 2)) (ite (> m 5) 0 5) u)) (= x (ite (= (* 3 i) (+ k 1)) (ite (> m 2) 0 2) w)))
  (fill n m (+ i 1) k x))))
(assert (forall ((n Int) (m Int) (i Int) (k Int) (v Int)) (=> (and (fill n m i k v) (> (* 3 i) n)) (look n m 0 k v))))
(assert (forall ((n Int) (m Int) (i Int) (k Int) (v Int) (w Int)) (=> (and (look n m i k v) (look n m i i w) (< i n) (or (= v w) (not (= i k)))) (look n m (+ i 1) k v))))
(assert (forall ((n Int) (m Int) (i Int) (v Int)) (=> (and (look n m i i v) (< i n) (< v m) (not (= v 0))) false)))`,
	"two loops fill elements of a remainder each": `
(declare-fun even (Int Int Int Int) Bool)
(declare-fun odd (Int Int Int Int) Bool)
(declare-fun look (Int Int Int Int) Bool)
(assert (forall ((n Int) (k Int) (v Int) (q Int)) (=> (and (>= n 2) (= n (* 2 q))) (even n 1 k v))))
(assert (forall ((n Int) (i Int) (k Int) (v Int) (w Int)) (=> (and (even n i k v) (<= (* 2 i) n) (= w (ite (= (* 2 i) (+ k 2)) 3 v))) (even n (+ i 1) k w))))
(assert (forall ((n Int) (i Int) (k Int) (v Int)) (=> (and (even n i k v) (> (* 2 i) n)) (odd n 1 k v))))
(assert (forall ((n Int) (i Int) (k Int) (v Int) (w Int)) (=> (and (odd n i k v) (<= (* 2 i) n) (= w (ite (= (* 2 i) (+ k 1)) 0 v))) (odd n (+ i 1) k w))))
(assert (forall ((n Int) (i Int) (k Int) (v Int)) (=> (and (odd n i k v) (> (* 2 i) n)) (look n 0 k v))))
(assert (forall ((n Int) (i Int) (k Int) (v Int) (w Int)) (=> (and (look n i k v) (look n i i w) (< i n) (or (= v w) (not (= i k)))) (look n (+ i 1) k v))))
(assert (forall ((n Int) (i Int) (v Int)) (=> (and (look n i i v) (< i n) (< v 2) (not (= v 0))) false)))`,
	"an array that begins behind another one": `
(declare-fun fill (Int Int Int Int) Bool)
(declare-fun look (Int Int Int Int) Bool)
(assert (forall ((n Int) (k Int) (v Int)) (=> (and (>= n 2) (= (mod n 4) 0)) (fill n 1 k v))))
(assert (forall ((n Int) (i Int) (k Int) (v Int) (x Int) (y Int) (w Int)) (=> (and (fill n i k v) (<= (* 4 i) n) (not (= x 0)) (not (= y 0))
  (= w (ite (or (= (* 4 i) k) (= (+ (* 4 i) 2) k)) x (ite (or (= (+ (* 4 i) 1) k) (= (+ (* 4 i) 3) k)) y v)))) (fill n (+ i 1) k w))))
(assert (forall ((n Int) (i Int) (k Int) (v Int)) (=> (and (fill n i k v) (> (* 4 i) n)) (look n 0 k v))))
(assert (forall ((n Int) (i Int) (k Int) (v Int) (w Int)) (=> (and (look n i k v) (look n i (+ i 4) w) (< i n) (not (= w 0)) (or (= v w) (not (= (+ i 4) k)))) (look n (+ i 1) k v))))
(assert (forall ((n Int) (i Int)) (=> (and (look n i (+ i 4) 0) (< i n)) false)))`,
	"every other index is filled": `
(declare-fun fill (Int Int Int) Bool)
(declare-fun look (Int Int Int) Bool)
(assert (forall ((k Int) (v Int)) (fill 0 k v)))
(assert (forall ((i Int) (k Int) (v Int) (w Int)) (=> (and (fill i k v) (< i 1000) (= w (ite (= i k) 5 v))) (fill (+ i 2) k w))))
(assert (forall ((i Int) (k Int) (v Int)) (=> (and (fill i k v) (>= i 1000)) (look 0 k v))))
(assert (forall ((i Int) (k Int) (v Int)) (=> (and (look i k v) (< i 1000) (or (= v 5) (not (= i k)))) (look (+ i 2) k v))))
(assert (forall ((i Int) (v Int)) (=> (and (look i i v) (< i 1000) (not (= v 5))) false)))`,
	"a list is built at the addresses from 1 on, and followed": `
(declare-fun build (Int Int Int) Bool)
(declare-fun follow (Int Int Int Int) Bool)
(assert (forall ((k Int) (n Int)) (build 1 k n)))
(assert (forall ((s Int) (k Int) (n Int) (m Int)) (=> (and (build s k n) (>= s 1) (or (and (= k s) (= m (+ s 1))) (= k (+ s 1)) (and (< k s) (= m n)))) (build (+ s 1) k m))))
(assert (forall ((s Int) (k Int) (n Int) (m Int)) (=> (and (build s k n) (= m (ite (= k s) 0 n))) (follow s 1 k m))))
(assert (forall ((s Int) (p Int) (k Int) (n Int) (m Int)) (=> (and (follow s p k n) (follow s p p m) (not (= m 0)) (>= p 1) (>= s p) (or (not (= p k)) (= n m))) (follow s m k n))))
(assert (forall ((s Int) (p Int) (k Int) (n Int)) (=> (and (follow s p k n) (or (<= p 0) (> p s))) false)))`,
	"the turns of an inner loop are counted": `
(declare-fun loop (Int Int Int Int Int) Bool)
(assert (forall ((n Int) (m Int)) (=> (and (>= n 10) (<= n 10000) (>= m 10) (<= m 10000)) (loop n m 0 0 0))))
(assert (forall ((n Int) (m Int) (k Int) (i Int) (j Int) (x Int) (y Int) (z Int)) (=> (and (loop n m k i j)
  (or (and (> m j) (= x (+ k 1)) (= y i) (= z (+ j 1))) (and (<= m j) (>= n (+ i 2)) (= x k) (= y (+ i 1)) (= z 0)))) (loop n m x y z))))
(assert (forall ((n Int) (m Int) (k Int) (i Int) (j Int)) (=> (and (loop n m k i j) (>= j m) (<= n (+ i 1)) (<= k 99)) false)))`,
	"a loop counts by more than the largest modulus": `
(declare-fun loop (Int) Bool)
(assert (loop 3))
(assert (forall ((i Int)) (=> (and (loop i) (< i 5000003)) (loop (+ i 25)))))
(assert (forall ((i Int)) (=> (and (loop i) (> i 5000003)) false)))`,
	"two nested loops copy a part of a matrix": `
(declare-fun copy (Int Int Int Int Int Int) Bool)
(declare-fun look (Int Int Int Int Int Int) Bool)
(assert (forall ((k Int) (l Int) (a Int) (b Int)) (copy 0 0 k l a b)))
(assert (forall ((i Int) (j Int) (k Int) (l Int) (a Int) (b Int) (c Int) (d Int) (e Int)) (=> (and (copy i j k l a b) (copy i j i j c d) (<= j 69)
  (=> (and (= i k) (= j l)) (and (= a c) (= b d))) (= e (ite (and (= i k) (= j l)) c b))) (copy i (+ j 1) k l a e))))
(assert (forall ((i Int) (j Int) (k Int) (l Int) (a Int) (b Int)) (=> (and (copy i j k l a b) (>= j 70) (<= i 48)) (copy (+ i 1) 0 k l a b))))
(assert (forall ((i Int) (j Int) (k Int) (l Int) (a Int) (b Int)) (=> (and (copy i j k l a b) (>= j 70) (>= i 49)) (look 0 0 k l a b))))
(assert (forall ((i Int) (j Int) (k Int) (l Int) (a Int) (b Int) (c Int)) (=> (and (look i j k l a b) (look i j i j c c) (<= j 69)
  (or (not (= i k)) (not (= j l)) (and (= a c) (= b c)))) (look i (+ j 1) k l a b))))
(assert (forall ((i Int) (j Int) (k Int) (l Int) (a Int) (b Int)) (=> (and (look i j k l a b) (>= j 70) (<= i 48)) (look (+ i 1) 0 k l a b))))
(assert (forall ((i Int) (j Int) (a Int) (b Int)) (=> (and (look i j i j a b) (<= j 69) (not (= a b))) false)))`,
	"a matrix is stored row by row": `
(declare-fun fill (Int Int Int Int) Bool)
(declare-fun look (Int Int Int Int) Bool)
(assert (forall ((k Int) (v Int)) (fill 0 0 k v)))
(assert (forall ((i Int) (j Int) (k Int) (v Int) (w Int)) (=> (and (fill i j k v) (<= j 14)
  (= w (ite (= k (+ (* 15 i) j)) 7 v))) (fill i (+ j 1) k w))))
(assert (forall ((i Int) (j Int) (k Int) (v Int)) (=> (and (fill i j k v) (>= j 15) (<= i 8)) (fill (+ i 1) 0 k v))))
(assert (forall ((i Int) (j Int) (k Int) (v Int)) (=> (and (fill i j k v) (>= j 15) (>= i 9)) (look 0 0 k v))))
(assert (forall ((i Int) (j Int) (k Int) (v Int)) (=> (and (look i j k v) (<= j 14) (or (not (= k (+ (* 15 i) j))) (= v 7))) (look i (+ j 1) k v))))
(assert (forall ((i Int) (j Int) (k Int) (v Int)) (=> (and (look i j k v) (>= j 15) (<= i 8)) (look (+ i 1) 0 k v))))
(assert (forall ((i Int) (j Int) (v Int)) (=> (and (look i j (+ (* 15 i) j) v) (<= j 14) (not (= v 7))) false)))`,
	"what one loop makes of another array is used by the next one": `
(declare-fun make (Int Int Int Int) Bool)
(declare-fun use (Int Int Int Int) Bool)
(declare-fun look (Int Int Int Int) Bool)
(assert (forall ((k Int) (a Int) (b Int)) (make 0 k a b)))
(assert (forall ((i Int) (k Int) (a Int) (b Int) (c Int) (d Int) (e Int) (f Int)) (=> (and (make i k a b) (make i i c d) (< i 1000)
  (= e (+ c 2)) (or (not (= i k)) (and (= a c) (= b d) (= f e))) (or (= i k) (= f b))) (make (+ i 1) k a f))))
(assert (forall ((i Int) (k Int) (a Int) (b Int)) (=> (and (make i k a b) (>= i 1000)) (use 0 k a b))))
(assert (forall ((i Int) (k Int) (a Int) (b Int) (c Int) (d Int) (e Int) (f Int)) (=> (and (use i k a b) (use i i c d) (< i 1000)
  (= e (+ c d)) (or (not (= i k)) (and (= a c) (= b d) (= f e))) (or (= i k) (= f b))) (use (+ i 1) k a f))))
(assert (forall ((i Int) (k Int) (a Int) (b Int)) (=> (and (use i k a b) (>= i 1000)) (look 0 k a b))))
(assert (forall ((i Int) (k Int) (a Int) (b Int)) (=> (and (look i k a b) (< i 1000) (or (not (= i k)) (= b (+ a a 2)))) (look (+ i 1) k a b))))
(assert (forall ((i Int) (a Int) (b Int)) (=> (and (look i i a b) (< i 1000) (not (= b (+ a a 2)))) false)))`,
	"two values at each turn": `
(declare-fun fill (Int Int Int) Bool)
(declare-fun look (Int Int Int) Bool)
(assert (forall ((k Int) (v Int)) (fill 0 k v)))
(assert (forall ((i Int) (k Int) (v Int) (w Int)) (=> (and (fill i k v) (<= i 1000)
  (= w (ite (= k (* 2 i)) 5 (ite (= k (+ 1 (* 2 i))) 5 v)))) (fill (+ i 1) k w))))
(assert (forall ((i Int) (k Int) (v Int)) (=> (and (fill i k v) (> i 1000)) (look 0 k v))))
(assert (forall ((i Int) (k Int) (v Int)) (=> (and (look i k v) (<= i 2000) (or (= v 5) (not (= i k)))) (look (+ i 1) k v))))
(assert (forall ((i Int) (v Int)) (=> (and (look i i v) (<= i 2000) (not (= v 5))) false)))`,
	"what a later loop looks at relates two values": `
(declare-fun fill (Int Int Int Int) Bool)
(declare-fun look (Int Int Int Int) Bool)
(assert (forall ((k Int) (v Int) (u Int)) (fill 0 k v u)))
(assert (forall ((i Int) (k Int) (v Int) (u Int) (w Int) (x Int) (n Int)) (=> (and (fill i k v u) (< i 1000)
  (= w (ite (= i k) n v)) (= x (ite (and (= i k) (= n 10)) 20 u))) (fill (+ i 1) k w x))))
(assert (forall ((i Int) (k Int) (v Int) (u Int)) (=> (and (fill i k v u) (>= i 1000)) (look 0 k v u))))
(assert (forall ((i Int) (k Int) (v Int) (u Int)) (=> (and (look i k v u) (< i 1000) (or (not (= v 10)) (= u 20) (not (= i k)))) (look (+ i 1) k v u))))
(assert (forall ((i Int) (u Int)) (=> (and (look i i 10 u) (< i 1000) (not (= u 20))) false)))`,
	"bounds of a loop counter": `
(declare-fun loop (Int) Bool)
(assert (loop 0))
(assert (forall ((i Int)) (=> (and (loop i) (< i 10)) (loop (+ i 1)))))
(assert (forall ((i Int)) (=> (and (loop i) (or (< i 0) (> i 10))) false)))`,
	"two counters in proportion": `
(declare-fun loop (Int Int) Bool)
(assert (loop 0 0))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (< i 5)) (loop (+ i 1) (+ s 2)))))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (>= i 5) (not (= s 10))) false)))`,
	"two counters in proportion, by equations": `
(declare-fun loop (Int Int) Bool)
(assert (forall ((i Int) (s Int)) (=> (and (= i 0) (= s 0)) (loop i s))))
(assert (forall ((i Int) (s Int) (j Int) (r Int)) (=> (and (loop i s) (< i 5) (= j (+ i 1)) (= r (+ s 3))) (loop j r))))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (>= i 5) (not (= s 15))) false)))`,
	"equal arguments": `
(declare-fun p (Int Int) Bool)
(assert (forall ((x Int)) (p x x)))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 7) (+ y 7)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (distinct x y)) false)))`,
	"parity": `
(declare-fun p (Int) Bool)
(assert (p 1))
(assert (forall ((x Int)) (=> (p x) (p (+ x 4)))))
(assert (forall ((x Int)) (=> (p x) (p (- x 6)))))
(assert (=> (p 8) false))`,
	"steps of numbers that wrap around": `
(declare-fun loop (Int Int) Bool)
(assert (loop 0 4))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (loop x y) (= z (ite (> (+ y 4) 65535) (- (+ y 4) 65536) (+ y 4)))) (loop (ite (> (+ x y) 65535) (- (+ x y) 65536) (+ x y)) z))))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (= x 30)) false)))`,
	"a loop that adds what another one counts": `
(declare-fun inner (Int Int) Bool)
(assert (inner 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (inner x y) (< y 40)) (inner x (+ y 2)))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (inner x y) (>= y 40) (= z (+ x y)) (< z 1200)) (inner z 0))))
(assert (forall ((x Int) (y Int)) (=> (and (inner x y) (>= y 40) (> (+ x y) 1200)) false)))`,
	"a lock with its state": `
(declare-fun at (Int Bool Bool) Bool)
(assert (at 0 false false))
(assert (forall ((l Bool) (e Bool)) (=> (at 0 l e) (at 1 true (or e l)))))
(assert (forall ((l Bool) (e Bool)) (=> (at 1 l e) (at 2 l e))))
(assert (forall ((l Bool) (e Bool)) (=> (at 2 l e) (at 0 false (or e (not l))))))
(assert (forall ((pc Int) (l Bool)) (=> (at pc l true) false)))`,
	"an argument and the cell at an index": `
(declare-fun p ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (i Int)) (p a i (select a i))))
(assert (forall ((a (Array Int Int)) (i Int) (x Int)) (=> (p a i x) (p (store a i (+ x 1)) i (+ x 1)))))
(assert (forall ((a (Array Int Int)) (i Int) (x Int)) (=> (and (p a i x) (not (= (select a i) x))) false)))`,
	"a summary and its callers": `
(declare-fun double (Int Int) Bool)
(declare-fun main (Int) Bool)
(assert (double 0 0))
(assert (forall ((n Int) (r Int)) (=> (and (double n r) (>= n 0)) (double (+ n 1) (+ r 2)))))
(assert (forall ((n Int) (m Int) (r Int) (s Int)) (=> (and (double n r) (double m s)) (main (+ r s)))))
(assert (forall ((x Int)) (=> (and (main x) (< x 0)) false)))`,
	"three lamps, one of them on": `
(declare-fun light (Bool Bool Bool) Bool)
(assert (light true false false))
(assert (=> (light true false false) (light false true false)))
(assert (=> (light false true false) (light false false true)))
(assert (=> (light false false true) (light true false false)))
(assert (forall ((r Bool) (y Bool) (g Bool)) (=> (and (light r y g) (not (xor r y g))) false)))
(assert (=> (light true true true) false))`,
	"reals": `
(declare-fun p (Real Real) Bool)
(assert (forall ((x Real)) (=> (> x 0.0) (p x x))))
(assert (forall ((x Real) (y Real)) (=> (p x y) (p (/ x 2.0) y))))
(assert (forall ((x Real) (y Real)) (=> (and (p x y) (or (<= x 0.0) (> x y))) false)))`,
	"bits": `
(declare-fun p ((_ BitVec 8)) Bool)
(assert (p #x01))
(assert (=> (p #x01) (p #x02)))
(assert (=> (p #x02) (p #x01)))
(assert (=> (p #x03) false))`,
	"no queries": `
(declare-fun p (Int) Bool)
(assert (p 0))`,
}

func TestProves(t *testing.T) {
	pools := maps.Clone(patient)
	pools["houdini.pools"], pools["houdini.candidates"] = "3", "133" // as the strategy segments has it
	for name, src := range provable {
		t.Run(name, func(t *testing.T) {
			answer, stats := decide(t, read(t, src), pools)
			require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
			require.Zero(t, stats.Get("houdini.undecided"))
		})
	}
}

// What the source suggests is tried like what is made, before it: what does not hold is dropped, and what does may be the
// proof.
func TestSuggestedCandidates(t *testing.T) {
	sys := read(t, `
(declare-fun loop (Int Int) Bool)
(assert (loop 0 0))
(assert (forall ((i Int) (s Int)) (=> (loop i s) (loop (+ i 1) (+ s (* 2 i) 1)))))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (= i 1000) (not (= s 1000000))) false)))`)
	answer, _ := decide(t, sys, patient)
	require.Equal(t, engine.Unknown, answer.Verdict, "nothing of the sort is made")
	loop := sys.Predicates[0]
	p, x := sys.Pool, witness.CanonicalParams(sys.Pool, loop)
	square := p.Eq(x[1], p.Mul(x[0], x[0]))
	suggested := map[*chc.Predicate][]*term.Term{loop: {p.Le(x[1], p.Int(5)), square}}
	answer, err := Engine().Solve(context.Background(), sys, engine.Settings{Open: z3.Open, Options: patient, Candidates: suggested})
	require.NoError(t, err)
	require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
	require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, answer.Model, smt.Limit{}))
	require.Equal(t, suggested[loop], withSuggested(suggested, candidatesUpTo(sys, 10))[loop][:2])
}

// TestUnknownNamesTheQuery: where the pool is not enough, and where there is a bug, the answer names the first query
// that is open.
func TestUnknownNamesTheQuery(t *testing.T) {
	answer, _ := decide(t, read(t, `
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))
(assert (=> (p 3) false))
(assert (=> (p 4) false))`), patient)
	require.Equal(t, engine.Unknown, answer.Verdict)
	require.True(t, strings.HasPrefix(answer.Reason, "houdini tries given candidates only (--engine spacer makes its own), and those that are inductive do not exclude query 3 "), answer.Reason)
}

// TestAnUndecidedQueryIsNotExcluded: only a proof excludes a query.
func TestAnUndecidedQueryIsNotExcluded(t *testing.T) {
	sys := read(t, provable["bounds of a loop counter"])
	open := faultyOpener(func(asked []*term.Term) bool { return len(asked) == 0 })
	answer, err := Engine().Solve(context.Background(), sys, engine.Settings{Open: open, Options: patient})
	require.NoError(t, err)
	require.Equal(t, engine.Unknown, answer.Verdict)
	require.Contains(t, answer.Reason, "do not exclude query 2 ")
}

// infer runs an inference on candidates. It returns what is left of them, in their order.
func infer(t require.TestingT, sys *chc.System, options map[string]string, pool map[*chc.Predicate][]*term.Term) (map[*chc.Predicate][]*term.Term, Stats) {
	in, err := newInference(sys, engine.Settings{Open: z3.Open, Options: options, Stats: engine.NewStats()}, pool)
	require.NoError(t, err)
	defer in.close()
	require.NoError(t, in.run(context.Background()))
	return in.survivors(), in.stats
}

// survivors returns what is left, weaker formulas included.
func (in *inference) survivors() map[*chc.Predicate][]*term.Term {
	out := map[*chc.Predicate][]*term.Term{}
	for _, p := range in.program.preds {
		for _, k := range p.live() {
			out[p.Source] = append(out[p.Source], k.formula)
		}
	}
	return out
}

// TestDroppedCandidatesReopenProofs: what is dropped late takes with it what was proved from it, also around a cycle
// against the order of visits.
func TestDroppedCandidatesReopenProofs(t *testing.T) {
	sys := read(t, `
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(declare-fun r (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (q x))))
(assert (forall ((x Int)) (=> (q x) (r (+ x 1)))))
(assert (forall ((x Int)) (=> (r x) (p x))))`)
	p := sys.Pool
	pool := map[*chc.Predicate][]*term.Term{}
	for _, pred := range sys.Predicates {
		x := witness.CanonicalParams(p, pred)[0]
		pool[pred] = []*term.Term{p.Le(x, p.Int(5)), p.Ge(x, p.Int(0))}
	}
	survivors, stats := infer(t, sys, patient, pool)
	for _, pred := range sys.Predicates {
		require.Equal(t, pool[pred][1:], survivors[pred], pred.Name)
	}
	require.Greater(t, stats.Visits, len(sys.Predicates))
}

// TestUnreachablePremisesCloseOnlyTheirClauses: an empty predicate keeps contradictory candidates, and these must not
// keep another clause of the same head from being applied.
func TestUnreachablePremisesCloseOnlyTheirClauses(t *testing.T) {
	sys := read(t, `
(declare-fun empty (Int) Bool)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (empty x) (empty (+ x 1)))))
(assert (forall ((x Int)) (=> (empty x) (p x))))
(assert (p 5))`)
	p := sys.Pool
	empty, pred := sys.Predicates[0], sys.Predicates[1]
	e, x := witness.CanonicalParams(p, empty)[0], witness.CanonicalParams(p, pred)[0]
	pool := map[*chc.Predicate][]*term.Term{
		empty: {p.Eq(e, p.Int(0)), p.Eq(e, p.Int(1)), p.False()},
		pred:  {p.Eq(x, p.Int(0)), p.Eq(x, p.Int(5)), p.False()},
	}
	survivors, _ := infer(t, sys, patient, pool)
	require.Equal(t, pool[empty], survivors[empty])
	require.Equal(t, pool[pred][1:2], survivors[pred])
}

// TestOneModelDropsManyCandidates: every candidate that is false in a model goes at once.
func TestOneModelDropsManyCandidates(t *testing.T) {
	sys := read(t, `
(declare-fun p (Int) Bool)
(assert (p 100))`)
	p := sys.Pool
	x := witness.CanonicalParams(p, sys.Predicates[0])[0]
	var pool []*term.Term
	for n := range int64(200) {
		pool = append(pool, p.Le(x, p.Int(n)))
	}
	survivors, stats := infer(t, sys, patient, map[*chc.Predicate][]*term.Term{sys.Predicates[0]: pool})
	require.Equal(t, pool[100:], survivors[sys.Predicates[0]])
	require.Equal(t, 2, stats.Queries)
	require.Equal(t, 100, stats.Refuted)
}

// TestQueriesWithoutRecursion: the count of the paper, n candidates each for P predicates without recursion: each query
// drops a candidate or ends the one visit of a predicate.
func TestQueriesWithoutRecursion(t *testing.T) {
	sys := read(t, `
(declare-fun a (Int) Bool)
(declare-fun b (Int) Bool)
(declare-fun c (Int) Bool)
(declare-fun d (Int) Bool)
(assert (forall ((x Int)) (=> (and (c x) (b x)) (d x))))
(assert (forall ((x Int)) (=> (b x) (c (+ x 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (a x) (a y)) (b (+ x y)))))
(assert (forall ((x Int)) (=> (< 0 x 8) (a x))))`)
	_, stats, err := inferAll(context.Background(), sys, engine.Settings{Open: z3.Open, Options: patient})
	require.NoError(t, err)
	require.Equal(t, len(sys.Predicates), stats.Visits)
	require.LessOrEqual(t, stats.Queries, stats.Refuted+len(sys.Predicates))
	require.Zero(t, stats.Undecided)
}

// TestSparedVisits: a predicate whose proof did not use a dropped candidate is not visited again.
func TestSparedVisits(t *testing.T) {
	sys := read(t, `
(declare-fun p (Int Int) Bool)
(declare-fun q (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (p x y) (q x y))))
(assert (forall ((x Int) (y Int)) (=> (q x y) (p x (+ y 1)))))`)
	p := sys.Pool
	pp, qq := witness.CanonicalParams(p, sys.Predicates[0]), witness.CanonicalParams(p, sys.Predicates[1])
	pool := map[*chc.Predicate][]*term.Term{
		sys.Predicates[0]: {p.Eq(pp[0], p.Int(0))},
		sys.Predicates[1]: {p.Eq(qq[0], p.Int(0)), p.Le(qq[1], p.Int(3)), p.Eq(qq[1], p.Int(0))},
	}
	survivors, stats := infer(t, sys, patient, pool)
	require.Equal(t, pool[sys.Predicates[0]], survivors[sys.Predicates[0]])
	require.Equal(t, pool[sys.Predicates[1]][:1], survivors[sys.Predicates[1]])
	require.Equal(t, 2, stats.Visits)
	require.Positive(t, stats.Spared)
}

// TestUndecidedCandidatesAreDropped: a candidate that the solver cannot decide goes, the others stay.
func TestUndecidedCandidatesAreDropped(t *testing.T) {
	sys := read(t, `
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) y))))`)
	p := sys.Pool
	pred := sys.Predicates[0]
	params := witness.CanonicalParams(p, pred)
	hard := p.Eq(params[1], p.Int(0))
	pool := []*term.Term{p.Ge(params[0], p.Int(0)), hard, p.Ge(params[1], p.Int(0)), p.Le(params[0], p.Int(3))}
	open := faultyOpener(func(asked []*term.Term) bool {
		for _, t := range asked {
			if term.Contains(t, params[1]) && strings.Contains(t.String(), "(= ") {
				return true
			}
		}
		return false
	})
	in, err := newInference(sys, engine.Settings{Open: open}, map[*chc.Predicate][]*term.Term{pred: pool})
	require.NoError(t, err)
	defer in.close()
	require.NoError(t, in.run(context.Background()))
	require.Equal(t, []*term.Term{pool[0], pool[2]}, in.survivors()[pred])
	require.Positive(t, in.stats.Undecided)
}

// noTwo are solvers that have no answer about two candidates at once.
func noTwo(asked []*term.Term) bool { return len(asked) == 2 }

// inferWith is infer with solvers that have no answer where refuse says so.
func inferWith(t require.TestingT, sys *chc.System, refuse func([]*term.Term) bool, pool map[*chc.Predicate][]*term.Term) map[*chc.Predicate][]*term.Term {
	in, err := newInference(sys, engine.Settings{Open: faultyOpener(refuse), Options: patient}, pool)
	require.NoError(t, err)
	defer in.close()
	require.NoError(t, in.run(context.Background()))
	return in.survivors()
}

// TestAHalfLeansOnTheOther: after a query about two candidates without an answer, the one that is proved alone by the
// other goes with it.
func TestAHalfLeansOnTheOther(t *testing.T) {
	sys := read(t, `
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x y) (- y 1)))))`)
	p := sys.Pool
	x := witness.CanonicalParams(p, sys.Predicates[0])
	leaning, support, own := p.Ge(x[0], p.Int(0)), p.Ge(x[1], p.Int(0)), p.Le(x[1], p.Int(0))
	survivors := inferWith(t, sys, noTwo, map[*chc.Predicate][]*term.Term{sys.Predicates[0]: {leaning, support}})
	require.Empty(t, survivors)
	survivors = inferWith(t, sys, noTwo, map[*chc.Predicate][]*term.Term{sys.Predicates[0]: {own, leaning}})
	require.Equal(t, []*term.Term{own}, survivors[sys.Predicates[0]])
}

// TestHalvesLeanOnOthers: what each half's proof assumed of another predicate is remembered when the other half is
// proved, whichever predicate is visited first.
func TestHalvesLeanOnOthers(t *testing.T) {
	for _, declarations := range []string{
		"(declare-fun p (Int Int) Bool) (declare-fun q (Int Int) Bool)", "(declare-fun q (Int Int) Bool) (declare-fun p (Int Int) Bool)",
	} {
		for _, order := range [][]int{{0, 1}, {1, 0}} {
			sys := read(t, declarations+`
(assert (p 0 0))
(assert (q 0 0))
(assert (forall ((x Int) (y Int)) (=> (q x y) (p x y))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (q x (+ y 1)))))`)
			p := sys.Pool
			pool, kept := map[*chc.Predicate][]*term.Term{}, map[*chc.Predicate][]*term.Term{}
			for _, pred := range sys.Predicates {
				x := witness.CanonicalParams(p, pred)
				both := []*term.Term{p.Le(x[1], p.Int(5)), p.Eq(x[0], p.Int(0))}
				pool[pred] = []*term.Term{both[order[0]], both[order[1]]}
				kept[pred] = both[1:]
			}
			require.Equal(t, kept, inferWith(t, sys, noTwo, pool))
		}
	}
}

// TestRepeatedArguments: an argument that is repeated, in a head or in a body, is an equation.
func TestRepeatedArguments(t *testing.T) {
	sys := read(t, `
(declare-fun p (Int Int) Bool)
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (p x x)))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p x y))))
(assert (forall ((x Int)) (=> (p x x) (q 0))))
(assert (forall ((x Int)) (=> (and (p x 3) (p 4 x) (q x)) (q x))))`)
	p := sys.Pool
	x, y := witness.CanonicalParams(p, sys.Predicates[0]), witness.CanonicalParams(p, sys.Predicates[1])
	pool := map[*chc.Predicate][]*term.Term{
		sys.Predicates[0]: {p.Eq(x[0], x[1]), p.Ne(x[0], x[1])},
		sys.Predicates[1]: {p.Eq(y[0], p.Int(0))},
	}
	survivors, _ := infer(t, sys, patient, pool)
	require.Equal(t, pool[sys.Predicates[0]][:1], survivors[sys.Predicates[0]])
	require.Equal(t, pool[sys.Predicates[1]], survivors[sys.Predicates[1]])
}

// TestLimits: what is not settled when the queries are used up goes, with all that was proved from it.
func TestLimits(t *testing.T) {
	sys := read(t, provable["two counters in proportion"])
	for _, options := range []map[string]string{{"houdini.queries": "1"}, {"houdini.limit": "1ns"}} {
		answer, stats := decide(t, sys, options)
		require.Equal(t, engine.Unknown, answer.Verdict)
		require.LessOrEqual(t, stats.Get("houdini.queries"), int64(2))
		require.Positive(t, stats.Get("houdini.undecided"))
	}
}

// TestCancel: when the context is done the inference says so and the engine answers unknown.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	sys := read(t, provable["two counters in proportion"])
	checks := 0
	open := faultyOpener(func([]*term.Term) bool {
		if checks++; checks == 3 {
			cancel()
		}
		return false
	})
	_, _, err := inferAll(ctx, sys, engine.Settings{Open: open})
	require.ErrorIs(t, err, context.Canceled)
	answer, err := Engine().Solve(ctx, sys, engine.Settings{Open: z3.Open})
	require.NoError(t, err)
	require.Equal(t, engine.Unknown, answer.Verdict)
	require.Equal(t, context.Canceled.Error(), answer.Reason)
}

// recorder keeps events.
type recorder struct{ events []engine.Event }

func (r *recorder) Enabled() bool       { return true }
func (r *recorder) Emit(e engine.Event) { r.events = append(r.events, e) }

// TestEvents: the trace tells of each visit, each check and each lemma that is left.
func TestEvents(t *testing.T) {
	r := &recorder{}
	sys := read(t, provable["equal arguments"])
	survivors, stats, err := inferAll(context.Background(), sys, engine.Settings{Open: z3.Open, Events: r})
	require.NoError(t, err)
	seen := map[string]int{}
	for _, e := range r.events {
		seen[e.Kind]++
		_, err := e.MarshalJSON()
		require.NoError(t, err)
	}
	require.Equal(t, map[string]int{"check": stats.Queries, "candidates": stats.Visits, "lemma": len(survivors[sys.Predicates[0]])}, seen)
}

// TestTheSameInputGivesTheSameRun: on pools of their own, so that no order comes from what is shared.
func TestTheSameInputGivesTheSameRun(t *testing.T) {
	for name, src := range provable {
		run := func() (string, Stats) {
			sys := read(t, src)
			survivors, stats, err := inferAll(context.Background(), sys, engine.Settings{Open: z3.Open, Options: patient})
			require.NoError(t, err)
			var b strings.Builder
			for _, p := range sys.Predicates {
				for _, f := range survivors[p] {
					b.WriteString(term.Format(f) + "\n")
				}
			}
			return b.String(), stats
		}
		text, stats := run()
		again, sameStats := run()
		require.Equal(t, text, again, name)
		require.Equal(t, stats, sameStats, name)
	}
}
