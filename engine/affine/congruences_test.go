package affine

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
)

// tuples calls f for all n numbers below most.
func tuples(n int, most uint64, f func([]uint64)) {
	var next func(given []uint64)
	next = func(given []uint64) {
		if len(given) == n {
			f(given)
			return
		}
		for x := range most {
			next(append(given, x))
		}
	}
	next(nil)
}

// TestCongruences: the rows generate exactly the equations modulo 2^width that hold of all points, and their terms say the same of integers,
// whatever they are modulo 2^width, and of bit-vectors.
func TestCongruences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, n := rapid.IntRange(1, 3).Draw(t, "width"), rapid.IntRange(1, 2).Draw(t, "terms")
		modulus := uint64(1) << width
		pool := term.NewPool()
		sort := rapid.SampledFrom([]*term.Sort{term.Int, pool.BitVec(width)}).Draw(t, "sort")
		var sorts []*term.Sort
		for range n {
			sorts = append(sorts, sort)
		}
		params := witness.CanonicalParams(pool, &chc.Predicate{Name: "p", Sorts: append(sorts, term.Bool)})
		at := func(values []uint64) *term.Evaluator {
			assignment := term.MapAssignment{params[n]: term.BoolValue(true)}
			for i, v := range values {
				x := term.NewInt(int64(v))
				if sort == term.Int {
					x = x.Add(term.NewInt(int64(modulus) * rapid.Int64Range(-2, 2).Draw(t, "turns")))
				}
				assignment[params[i]] = term.NumValue(x, sort)
			}
			return term.NewEvaluator(pool, assignment)
		}
		var points [][]uint64
		for range rapid.IntRange(1, 5).Draw(t, "points") {
			points = append(points, rapid.SliceOfN(rapid.Uint64Range(0, modulus-1), n, n).Draw(t, "point"))
		}
		all := allCongruences(params, width, n, at(points[0]))
		require.Len(t, all, 1)
		r := all[0]
		for i, p := range points[1:] {
			r.add(at(p))
			require.False(t, r.add(at(points[rapid.IntRange(0, i+1).Draw(t, "again")])))
		}
		before := n + 1
		for _, row := range r.rows {
			last := n
			for last >= 0 && row[last] == 0 {
				last--
			}
			require.Less(t, last, before, "%v", r.rows)
			require.Contains(t, []uint64{1, 2, 4}, row[last])
			before = last
		}
		generated := map[string]bool{}
		tuples(len(r.rows), modulus, func(times []uint64) {
			row := make([]uint64, n+1)
			for i, k := range times {
				r.subtract(row, k, r.rows[i])
			}
			generated[key(row)] = true
		})
		tuples(n+1, modulus, func(row []uint64) {
			holds := !slices.ContainsFunc(points, func(p []uint64) bool { return left(row, p)%modulus != 0 })
			require.Equal(t, holds, generated[key(row)], "%v", row)
		})
		tuples(n, modulus, func(p []uint64) {
			evaluator := at(p)
			for i, f := range r.facts(pool) {
				require.Equal(t, left(r.rows[i], p)%modulus == 0, evaluator.True(f.formula), "%v of %v", f.formula, p)
			}
		})
	})
}

func key(row []uint64) string {
	var out []byte
	for _, c := range row {
		out = append(out, byte(c))
	}
	return string(out)
}

// left is the left side of the equation with the coefficients of a row.
func left(row, point []uint64) uint64 {
	sum := row[0]
	for i, v := range point {
		sum += row[1+i] * v
	}
	return sum
}

// TestDifference: an equation of a difference has no other coefficients than 1.
func TestDifference(t *testing.T) {
	pool := term.NewPool()
	byte := pool.BitVec(8)
	params := witness.CanonicalParams(pool, &chc.Predicate{Name: "p", Sorts: []*term.Sort{byte, byte}})
	at := func(x, y int64) *term.Evaluator {
		return term.NewEvaluator(pool, term.MapAssignment{params[0]: term.NumValue(term.NewInt(x), byte), params[1]: term.NumValue(term.NewInt(y), byte)})
	}
	r := allCongruences(params, 1, 2, at(0, 0))[0]
	r.add(at(1, 1))
	require.Len(t, r.rows, 1)
	require.Equal(t, pool.Eq(params[1], params[0]), r.facts(pool)[0].formula)
}

// TestInverse: n times its inverse is 1 modulo 2^64.
func TestInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64().Draw(t, "n") | 1
		require.Equal(t, uint64(1), n*inverse(n))
	})
}

// congruent are systems whose proofs are equations modulo 2^width.
var congruent = map[string]string{
	"counters that wrap around": `
(declare-fun loop (Int Int Int Int) Bool)
(assert (loop 0 0 0 0))
(assert (forall ((a Int) (b Int) (c Int) (s Int)) (=> (loop a b c s) (loop (ite (= a 4294967295) 0 (+ a 1)) b c (ite (= s 4294967295) 0 (+ s 1))))))
(assert (forall ((a Int) (b Int) (c Int) (s Int)) (=> (loop a b c s) (loop a (ite (= b 4294967295) 0 (+ b 1)) c (ite (= s 4294967295) 0 (+ s 1))))))
(assert (forall ((a Int) (b Int) (c Int) (s Int)) (=> (loop a b c s) (loop a b (ite (= c 4294967295) 0 (+ c 1)) (ite (= s 4294967295) 0 (+ s 1))))))
(assert (forall ((a Int) (b Int) (c Int) (s Int)) (=> (and (loop a b c s) (not (= (mod (+ a b c) 4294967296) s))) false)))`,
	"multiples of 2, 4 and 8": `
(declare-fun loop ((_ BitVec 32) (_ BitVec 32) (_ BitVec 32)) Bool)
(assert (loop #x00000000 #x00000000 #x00000000))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32)) (z (_ BitVec 32)) (a (_ BitVec 32)) (b (_ BitVec 32)) (c (_ BitVec 32)))
  (=> (loop x y z) (loop (bvadd x (bvmul #x00000002 a)) (bvadd y (bvmul #x00000004 b)) (bvadd z (bvmul #x00000008 c))))))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32)) (z (_ BitVec 32)))
  (=> (and (loop x y z) (= #x00000004 (bvadd (bvmul #x00000004 x) (bvmul #x00000002 y) z))) false)))`,
	"sums of bytes in words": `
(declare-fun loop ((_ BitVec 8) (_ BitVec 8) (_ BitVec 16) Bool) Bool)
(assert (loop #x00 #x00 #x0000 true))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 16)) (b Bool) (n (_ BitVec 8)) (m (_ BitVec 16)))
  (=> (loop x y z b) (loop (bvadd x n) (bvsub y n) (bvadd z m m m m) (not b)))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 16)) (b Bool)) (=> (and (loop x y z b) (not (and (= x (bvneg y)) (= #x0 ((_ extract 3 0) (bvmul z #x0004)))))) false)))`,
	"another sum after a switch": `
(declare-fun loop (Int Int Int) Bool)
(assert (loop 0 0 0))
(assert (forall ((p Int) (x Int) (y Int)) (=> (and (loop p x y) (< p 1)) (loop p (mod (+ x 1) 256) (mod (+ y 3) 256)))))
(assert (forall ((p Int) (x Int) (y Int)) (=> (and (loop p x y) (>= p 1)) (loop p (mod (+ x 1) 256) (mod (- y 3) 256)))))
(assert (forall ((p Int) (y Int)) (=> (loop p 0 y) (loop (- 1 p) 0 y))))
(assert (forall ((p Int) (x Int) (y Int)) (=> (and (loop p x y) (not (= (mod (ite (>= p 1) (+ (* 3 x) y) (- (* 3 x) y)) 256) 0))) false)))`,
}

// TestCongruencesProve: congruences prove what equations do not.
func TestCongruencesProve(t *testing.T) {
	for name, source := range congruent {
		t.Run(name, func(t *testing.T) {
			options := map[string]string{"affine.degree": "1", "affine.congruences": "true", "affine.check-limit": "60s"}
			require.Equal(t, engine.Sat, decide(t, read(t, source), engine.Settings{Options: options}).Verdict)
			options["affine.congruences"], options["affine.check-limit"] = "false", "100ms"
			without := decide(t, read(t, source), engine.Settings{Options: options})
			require.Equal(t, engine.Unknown, without.Verdict)
			require.Equal(t, !strings.Contains(source, "Int"), strings.Contains(without.Reason, "affine.congruences=true"), without.Reason)
		})
	}
}

// TestWidth: what numbers wrap around at is a power of 2 with whole bytes.
func TestWidth(t *testing.T) {
	for number, width := range map[string]int{"255": 0, "256": 8, "512": 0, "2147483648": 0, "4294967296": 32, "18446744073709551616": 64, "340282366920938463463374607431768211456": 0} {
		require.Equal(t, width, widthOf(read(t, `(declare-fun p (Int) Bool) (assert (forall ((x Int)) (=> (p x) (p (- x `+number+`)))))`)), number)
	}
	require.Equal(t, 1, widthOf(read(t, `(declare-fun p ((_ BitVec 8)) Bool) (assert (p #x00))`)))
	require.Equal(t, 16, widthOf(read(t, `(declare-fun p ((_ BitVec 8) Int) Bool) (assert (p #x00 65536)) (assert (p #x00 256))`)))
}
