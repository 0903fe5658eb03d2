package walk

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/rule"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/hornoracle"
)

func read(t require.TestingT, src string) *chc.System {
	script, err := smtlib.Read("test.smt2", []byte(src), term.NewPool())
	require.NoError(t, err)
	return script.System
}

func decide(t require.TestingT, sys *chc.System, options map[string]string) engine.Answer {
	e := Engine()
	require.NoError(t, e.Fragment(sys))
	answer, err := e.Solve(context.Background(), sys, engine.Settings{Stats: engine.NewStats(), Options: options})
	require.NoError(t, err)
	switch answer.Verdict {
	case engine.Unsat:
		require.NoError(t, witness.CheckRefutation(context.Background(), sys, answer.Refutation))
	default:
		require.Equal(t, engine.Unknown, answer.Verdict)
		require.NotEmpty(t, answer.Reason)
	}
	return answer
}

// leak counts for how long a switch has been on, and for how long gas has leaked meanwhile; it must not leak for longer than ten
// steps at a time.
const leak = `
(declare-fun p (Int Int Int Bool) Bool)
(assert (p 0 0 0 true))
(assert (forall ((n Int) (m Int) (k Int) (good Bool) (on Bool) (leaks Bool) (l Int) (o Int) (q Int) (now Bool))
  (=> (and (p n m k good) (or (not on) (= l (+ n 1))) (or on (= l 0)) (= o (ite on (ite leaks (+ m 1) m) 0))
           (= q (ite leaks (+ k 1) 0)) (= now (and good (<= q 10))))
      (p l o q now))))
`

// Refutations are found that need many steps with the right inputs, and none where there is none.
func TestDeep(t *testing.T) {
	for _, test := range []struct {
		name, src string
		verdict   engine.Verdict
	}{
		{"it leaks most of a long time", leak + "(assert (forall ((n Int) (m Int) (k Int)) (=> (and (p n m k true) (> n 300) (> (* 2 m) n)) false)))", engine.Unsat},
		{"it leaks longer than it is on", leak + "(assert (forall ((n Int) (m Int) (k Int)) (=> (and (p n m k true) (> m n)) false)))", engine.Unknown},
		{"a loop ends", "(declare-fun q (Int Int) Bool)\n(assert (forall ((x Int)) (q x 0)))\n" +
			"(assert (forall ((x Int) (s Int)) (=> (and (q x s) (< x 5000)) (q (+ x 1) (ite (= (mod x 3) 0) (+ s 2) s)))))\n" +
			"(assert (forall ((s Int)) (=> (and (q 5000 s) (> s 3000)) false)))", engine.Unsat},
		{"a query is a fact", "(declare-fun q (Int) Bool)\n(assert (forall ((x Int)) (=> (and (> x 10) (< (* 2 x) 24)) false)))", engine.Unsat},
		{"there is no fact", "(declare-fun q (Int) Bool)\n(assert (forall ((x Int)) (=> (q x) (q (+ x 1)))))\n(assert (forall ((x Int)) (=> (q x) false)))", engine.Unknown},
		{"numbers are large", "(declare-fun q (Int) Bool)\n(assert (q 1))\n(assert (forall ((x Int)) (=> (q x) (q (* 3 x)))))\n" +
			"(assert (forall ((x Int)) (=> (and (q x) (< x 0)) false)))", engine.Unknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			answer := decide(t, read(t, test.src), map[string]string{"walk.work": "100"})
			require.Equal(t, test.verdict, answer.Verdict, answer.Reason)
		})
	}
}

// The same seed gives the same refutation.
func TestDeterminism(t *testing.T) {
	steps := 0
	for range 2 {
		answer := decide(t, read(t, leak+"(assert (forall ((n Int) (m Int) (k Int)) (=> (and (p n m k true) (> n 30) (> (* 2 m) n)) false)))"), nil)
		require.Equal(t, engine.Unsat, answer.Verdict)
		require.True(t, steps == 0 || steps == len(answer.Refutation.Steps))
		steps = len(answer.Refutation.Steps)
	}
}

// What evaluation finds under some variables' values is what the terms have under every assignment that gives them these, and
// propagation only fixes what all assignments that make the formula true have.
func TestPropagation(t *testing.T) {
	fixed := 0
	rapid.Check(t, func(t *rapid.T) {
		sys := hornoracle.Draw(t, hornoracle.DefaultShape())
		for _, r := range rule.New(sys).Rules {
			if len(r.Body) > 1 {
				continue
			}
			s, err := newStep(sys.Pool, r)
			if err != nil {
				continue
			}
			whole := term.MapAssignment{}
			s.clear()
			for i, x := range s.vars {
				n := rapid.Int64Range(-2, 3).Draw(t, "value")
				if x.Sort() == term.Bool {
					n &= 1
					whole[x] = term.BoolValue(n == 1)
				} else {
					whole[x] = term.NumValue(term.NewInt(n), term.Int)
				}
				if rapid.Bool().Draw(t, "known") {
					require.True(t, s.assign(int32(i), n))
				}
			}
			e := term.NewEvaluator(sys.Pool, whole)
			value := func(x *term.Term) int64 {
				v, ok := e.Eval(x)
				require.True(t, ok)
				if x.Sort() == term.Bool {
					return truth(v.Bool())
				}
				n, _ := v.Num().Int64()
				return n
			}
			s.evaluate()
			for x, i := range s.place {
				if _, determined := e.Eval(x); s.known[i] && determined {
					require.Equal(t, value(x), s.values[i], x.String())
				}
			}
			if !e.True(r.Trans) {
				continue
			}
			ok, _, _ := s.propagate()
			require.True(t, ok)
			for i, x := range s.vars {
				if s.set[i] {
					fixed++
					require.Equal(t, value(x), s.values[i])
				}
				require.LessOrEqual(t, s.low[i], value(x))
				require.GreaterOrEqual(t, s.high[i], value(x))
			}
		}
	})
	require.Positive(t, fixed)
}

// Where a search over small values derives a query of linear clauses, the engine mostly does, too.
func TestAgainstOracle(t *testing.T) {
	verdicts := map[engine.Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		shape := hornoracle.DefaultShape()
		sys := hornoracle.Draw(t, shape)
		if Engine().Fragment(sys) != nil {
			return
		}
		answer := decide(t, sys, map[string]string{"walk.work": "2"})
		if r := hornoracle.Solve(sys, hornoracle.DefaultOptions()); r.Query != nil {
			verdicts[answer.Verdict]++
		}
	})
	require.Greater(t, verdicts[engine.Unsat], 3*verdicts[engine.Unknown], fmt.Sprint(verdicts))
}

// Divisions round as SMT-LIB says.
func TestDivision(t *testing.T) {
	p := term.NewPool()
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	for _, f := range []*term.Term{p.IntDiv(x, y), p.Mod(x, y), p.Abs(p.Sub(x, y)), p.Mul(x, y)} {
		z := p.Var("z", term.Int)
		c, err := compile(p, []*term.Term{x, y, z}, p.Eq(f, z))
		require.NoError(t, err)
		v := newValuation(c)
		for a := int64(-5); a <= 5; a++ {
			for b := int64(-3); b <= 3; b++ {
				e := term.NewEvaluator(p, term.MapAssignment{x: term.NumValue(term.NewInt(a), term.Int), y: term.NumValue(term.NewInt(b), term.Int)})
				want, ok := e.Eval(f)
				v.clear()
				v.assign(0, a)
				v.assign(1, b)
				v.evaluate()
				i := c.place[f]
				require.Equal(t, ok, v.known[i])
				if ok {
					n, _ := want.Num().Int64()
					require.Equal(t, n, v.values[i])
				}
			}
		}
	}
	for a := int64(-7); a <= 7; a++ {
		require.LessOrEqual(t, 3*floor(a, 3), a)
		require.Greater(t, 3*floor(a, 3)+3, a)
	}
}

// Formulas with a condition, exhaustively: whatever is known, what is derived is what every assignment has that makes the formula true.
func TestConditions(t *testing.T) {
	p := term.NewPool()
	c, x, y := p.Var("c", term.Bool), p.Var("x", term.Int), p.Var("y", term.Int)
	either := p.Ite(c, p.Add(x, p.Int(1)), p.Scale(term.NewInt(2), y))
	for _, f := range []*term.Term{
		p.Eq(either, p.Int(2)), p.Le(either, p.Int(0)), p.Eq(p.Add(either, x), y), p.Eq(c, p.Le(x, y)), p.Or(p.Not(c), p.Eq(x, y)),
		p.Ite(c, p.Eq(x, p.Int(1)), p.Lt(y, x)), p.Not(p.And(c, p.Le(x, p.Int(0)))),
	} {
		vars := []*term.Term{c, x, y}
		k, err := compile(p, vars, f)
		require.NoError(t, err)
		v := newValuation(k)
		for known := range 8 {
			for n := range 2 * 5 * 5 {
				values := []int64{int64(n % 2), int64(n/2%5) - 2, int64(n/10) - 2}
				whole := term.MapAssignment{c: term.BoolValue(values[0] == 1), x: term.NumValue(term.NewInt(values[1]), term.Int), y: term.NumValue(term.NewInt(values[2]), term.Int)}
				if !term.NewEvaluator(p, whole).True(f) {
					continue
				}
				v.clear()
				for i := range vars {
					if known>>i&1 == 1 {
						v.assign(int32(i), values[i])
					}
				}
				ok, _, _ := v.propagate()
				require.True(t, ok, f.String())
				for i := range vars {
					require.True(t, !v.set[i] || v.values[i] == values[i], f.String())
				}
			}
		}
	}
}
