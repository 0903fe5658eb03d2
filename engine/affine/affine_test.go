package affine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// patient lets no query end without an answer because the machine is slow.
var patient = map[string]string{"affine.check-limit": "60s"}

// read reads a system from SMT-LIB.
func read(t require.TestingT, src string) *chc.System {
	script, err := smtlib.Read("test.smt2", []byte(src), term.NewPool())
	require.NoError(t, err)
	return script.System
}

// decide runs the engine and holds a model to its check.
func decide(t require.TestingT, sys *chc.System, settings engine.Settings) engine.Answer {
	if settings.Open == nil {
		settings.Open = z3.Open
	}
	settings.Stats = engine.NewStats()
	answer, err := Engine().Solve(context.Background(), sys, settings)
	require.NoError(t, err)
	require.NotEqual(t, engine.Unsat, answer.Verdict)
	if answer.Verdict == engine.Sat {
		require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, answer.Model, smt.Limit{}))
	} else {
		require.NotEmpty(t, answer.Reason)
	}
	return answer
}

// systems are what the engine proves, and what it says nothing of: by name, with the highest degree that it needs.
var systems = map[string]struct {
	degree string
	source string
}{
	"three counters that share the turns": {"1", `
(declare-fun loop (Int Int Int Int Int) Bool)
(assert (forall ((n Int)) (=> (>= n 0) (loop n 0 0 0 0))))
(assert (forall ((n Int) (i Int) (j Int) (k Int) (l Int)) (=> (and (loop n i j k l) (< l n) (= (mod l 3) 0)) (loop n (+ i 1) j k (+ l 1)))))
(assert (forall ((n Int) (i Int) (j Int) (k Int) (l Int)) (=> (and (loop n i j k l) (< l n) (= (mod l 3) 1)) (loop n i (+ j 1) k (+ l 1)))))
(assert (forall ((n Int) (i Int) (j Int) (k Int) (l Int)) (=> (and (loop n i j k l) (< l n) (= (mod l 3) 2)) (loop n i j (+ k 1) (+ l 1)))))
(assert (forall ((n Int) (i Int) (j Int) (k Int) (l Int)) (=> (and (loop n i j k l) (not (= (+ i j k) l))) false)))`},
	"numbers that are moved and wrap around": {"1", `
(declare-fun up (Int Int Int) Bool)
(declare-fun down (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (and (>= n 0) (<= n 255)) (up n n 0))))
(assert (forall ((n Int) (x Int) (y Int)) (=> (and (up n x y) (> x 0) (>= y 0)) (up n (- x 1) (ite (< y 255) (+ y 1) 0)))))
(assert (forall ((n Int) (x Int) (y Int)) (=> (and (up n x y) (= x 0)) (down n x y))))
(assert (forall ((n Int) (x Int) (y Int)) (=> (and (down n x y) (> y 0)) (down n (ite (< x 255) (+ x 1) 0) (- y 1)))))
(assert (forall ((n Int) (x Int)) (=> (and (down n x 0) (not (= x n))) false)))`},
	"a loop within a loop": {"1", `
(declare-fun outer (Int Int) Bool)
(declare-fun inner (Int Int) Bool)
(assert (outer 0 6))
(assert (forall ((a Int) (b Int)) (=> (and (outer a b) (< a 6)) (inner a 0))))
(assert (forall ((a Int) (b Int)) (=> (and (inner a b) (< b 6)) (inner a (+ b 1)))))
(assert (forall ((a Int) (b Int)) (=> (and (inner a b) (>= b 6)) (outer (+ a 1) b))))
(assert (forall ((a Int) (b Int)) (=> (and (outer a b) (>= a 6) (not (and (= a 6) (= b 6)))) false)))`},
	"predicates that need each other": {"1", `
(declare-fun p (Int Int) Bool)
(declare-fun q (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (q x y) (p (+ x 1) (+ y 2)))))
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (p x y) (q x y))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (not (= y (* 2 x)))) false)))`},
	"procedures that call two": {"1", `
(declare-fun f (Int Int Int) Bool)
(assert (forall ((x Int)) (f x x (* 2 x))))
(assert (forall ((x Int) (y Int) (z Int) (u Int) (v Int)) (=> (and (f x y z) (f y u v)) (f x u (+ v (- z (* 2 x)))))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (f x y z) (not (= z (* 2 y)))) false)))`},
	"phases": {"1", `
(declare-fun loop (Int Int) Bool)
(assert (loop 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (< x 100)) (loop (+ x 1) (ite (< x 50) (+ y 1) (- y 1))))))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (>= x 100) (not (= y 0))) false)))`},
	"a loop that may have no turn": {"1", `
(declare-fun up (Int Int Int) Bool)
(declare-fun down (Int Int Int) Bool)
(assert (forall ((n Int)) (up n 0 0)))
(assert (forall ((n Int) (i Int) (k Int)) (=> (and (up n i k) (< i n)) (up n (+ i 1) (+ k 1)))))
(assert (forall ((n Int) (i Int) (k Int)) (=> (and (up n i k) (>= i n)) (down n 0 k))))
(assert (forall ((n Int) (j Int) (k Int)) (=> (and (down n j k) (< j n)) (down n (+ j 1) (- k 1)))))
(assert (forall ((n Int) (j Int) (k Int)) (=> (and (down n j k) (< j n) (<= k 0)) false)))`},
	"phases that come again": {"1", `
(declare-fun loop (Int Int Int Int) Bool)
(assert (loop 0 0 0 0))
(assert (forall ((c Int) (t Int) (a Int) (b Int)) (=> (loop c t a b)
  (loop (mod (+ c 1) 20) (+ t 1) (ite (< c 10) (+ a 1) a) (ite (< c 10) b (+ b 1))))))
(assert (forall ((c Int) (a Int) (b Int)) (=> (and (loop c 90 a b) (not (= (- a b) 10))) false)))`},
	"remainders": {"1", `
(declare-fun p (Int Int) Bool)
(assert (p 1 3))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 6) (+ y 4)))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (- x 10) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (or (= (mod x 2) 0) (= y 8))) false)))`},
	"reals": {"1", `
(declare-fun p (Real Real) Bool)
(assert (p 0.0 1.0))
(assert (forall ((x Real) (y Real) (d Real)) (=> (and (p x y) (> d 0.0)) (p (+ x d) (+ y (/ d 2.0))))))
(assert (forall ((x Real) (y Real)) (=> (and (p x y) (not (= x (- (* 2.0 y) 2.0)))) false)))`},
	"nothing is derivable": {"1", `
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (p x) false)))`},
	"squares as sums of odd numbers": {"2", `
(declare-fun loop (Int Int Int) Bool)
(assert (loop 0 1 1))
(assert (forall ((a Int) (t Int) (s Int)) (=> (loop a t s) (loop (+ a 1) (+ t 2) (+ s t 2)))))
(assert (forall ((a Int) (t Int) (s Int)) (=> (and (loop a t s) (not (= s (* (+ a 1) (+ a 1))))) false)))`},
	"sums up and down again": {"2", `
(declare-fun down (Int Int Int Int) Bool)
(declare-fun up (Int Int Int Int) Bool)
(assert (up 0 0 0 0))
(assert (forall ((a Int) (b Int) (c Int) (d Int) (e Int) (f Int) (g Int)) (=> (and (up b c a g) (= e (- c f)) (= d (+ b f)) (= f (+ 1 a))) (up d e f g))))
(assert (forall ((a Int) (b Int) (c Int) (d Int)) (=> (up a b c d) (down a b c d))))
(assert (forall ((a Int) (b Int) (c Int) (d Int) (e Int) (f Int) (g Int)) (=> (and (down b c f a) (= e (+ c g)) (= d (- b g)) (= g (+ 1 a))) (down d e f g))))
(assert (forall ((a Int) (b Int) (c Int) (d Int)) (=> (and (down c d a b) (> a b) (<= c d)) false)))`},
	"phases of an element at an arbitrary index": {"1", `
(declare-fun fill (Int Int Int Int) Bool)
(declare-fun add (Int Int Int Int) Bool)
(assert (forall ((n Int) (k Int) (v Int)) (=> (>= n 0) (fill n 0 k v))))
(assert (forall ((n Int) (i Int) (k Int) (v Int)) (=> (and (fill n i k v) (< i n)) (fill n (+ i 1) k (ite (= i k) (+ i i 1) v)))))
(assert (forall ((n Int) (i Int) (k Int) (v Int)) (=> (and (fill n i k v) (>= i n)) (add n 0 k v))))
(assert (forall ((n Int) (i Int) (k Int) (v Int)) (=> (and (add n i k v) (< i n)) (add n (+ i 1) k (ite (= i k) (+ v i) v)))))
(assert (forall ((n Int) (i Int) (k Int) (v Int)) (=> (and (add n i k v) (>= i n) (<= 0 k) (< k n) (not (= v (+ (* 3 k) 1)))) false)))`},
	"squares at an arbitrary index": {"2", `
(declare-fun fill (Int Int Int Int) Bool)
(assert (forall ((n Int) (k Int) (v Int)) (=> (>= n 0) (fill n 0 k v))))
(assert (forall ((n Int) (i Int) (k Int) (v Int)) (=> (and (fill n i k v) (< i n)) (fill n (+ i 1) k (ite (= i k) (* i i) v)))))
(assert (forall ((n Int) (i Int) (k Int) (v Int)) (=> (and (fill n i k v) (>= i n) (<= 0 k) (< k n) (not (= v (* k k)))) false)))`},
	"many guards: elements from the ones before": {"2", `
(declare-fun fill (Int Int Int Int) Bool)
(assert (forall ((n Int) (k Int) (v Int)) (=> (and (> n 0) (or (= v 0) (not (= k 0)))) (fill n 1 k v))))
(assert (forall ((n Int) (i Int) (k Int) (v Int) (u Int)) (=> (and (fill n i k v) (fill n i (- i 1) u) (< i n)) (fill n (+ i 1) k (ite (= i k) (+ u i i (- 1)) v)))))
(assert (forall ((n Int) (i Int) (k Int) (v Int)) (=> (and (fill n i k v) (<= 0 k) (< k i) (not (= v (* k k)))) false)))`},
	"many guards: cubes, which are products of the index only": {"2", `
(declare-fun fill (Int Int Int Int) Bool)
(assert (forall ((n Int) (k Int) (v Int)) (=> (and (> n 0) (or (= v 0) (not (= k 0)))) (fill n 1 k v))))
(assert (forall ((n Int) (i Int) (k Int) (v Int) (u Int)) (=> (and (fill n i k v) (fill n i (- i 1) u) (< i n)) (fill n (+ i 1) k (ite (= i k) (+ u (* 3 i i) (* (- 3) i) 1) v)))))
(assert (forall ((n Int) (i Int) (k Int) (v Int)) (=> (and (fill n i k v) (<= 0 k) (< k i) (not (= v (* k k k)))) false)))`},
	"a product by addition": {"2", `
(declare-fun loop (Int Int Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (>= y 0) (loop x y 0 0))))
(assert (forall ((x Int) (y Int) (i Int) (s Int)) (=> (and (loop x y i s) (< i y)) (loop x y (+ i 1) (+ s x)))))
(assert (forall ((x Int) (y Int) (i Int) (s Int)) (=> (and (loop x y i s) (not (= s (* x i)))) false)))`},
}

// TestProves: the engine proves systems with equations of the degree that they need, and with no lower one, some only by
// telling tuples apart.
func TestProves(t *testing.T) {
	for name, c := range systems {
		t.Run(name, func(t *testing.T) {
			options := map[string]string{"affine.degree": c.degree, "affine.check-limit": "60s"}
			if strings.HasPrefix(name, "many guards") {
				options["affine.most-guards"] = "8"
			}
			require.Equal(t, engine.Sat, decide(t, read(t, c.source), engine.Settings{Options: options}).Verdict)
			if c.degree != "1" {
				options["affine.degree"], options["affine.check-limit"] = "1", "100ms" // what is not proved need not be looked at for long
				require.Equal(t, engine.Unknown, decide(t, read(t, c.source), engine.Settings{Options: options}).Verdict)
			}
			if strings.HasPrefix(name, "phases") || name == "a loop that may have no turn" {
				options["affine.guards"] = "false"
				require.Equal(t, engine.Unknown, decide(t, read(t, c.source), engine.Settings{Options: options}).Verdict)
			}
		})
	}
}

// TestFragment: without numbers there is nothing to do.
func TestFragment(t *testing.T) {
	require.Error(t, Engine().Fragment(read(t, `(declare-fun p (Bool) Bool) (assert (p true))`)))
	require.NoError(t, Engine().Fragment(read(t, `(declare-fun p (Bool Real) Bool) (assert (p true 1.0))`)))
	require.NoError(t, Engine().Fragment(read(t, `(declare-fun p ((_ BitVec 8)) Bool) (assert (p #x00))`)))
}

// TestTimeOver: of what is not settled when the time is over nothing is said.
func TestTimeOver(t *testing.T) {
	sys := read(t, systems["a loop within a loop"].source)
	exchange := engine.NewExchange(sys)
	reader := exchange.Join(sys)
	answer := decide(t, sys, engine.Settings{Exchange: exchange, Options: map[string]string{"affine.limit": "1ns"}})
	require.Equal(t, engine.Unknown, answer.Verdict)
	require.Empty(t, reader.Lemmas())
}

// TestProductsAreNotPosted: others are told equations of degree 1 only.
func TestProductsAreNotPosted(t *testing.T) {
	sys := read(t, systems["squares as sums of odd numbers"].source)
	exchange := engine.NewExchange(sys)
	reader := exchange.Join(sys)
	decide(t, sys, engine.Settings{Exchange: exchange, Options: patient})
	lemmas := reader.Lemmas()
	require.NotEmpty(t, lemmas)
	for _, l := range lemmas {
		term.Walk(l.Formula, func(u *term.Term) bool {
			require.False(t, u.Op() == term.Mul && !u.Arg(0).IsNumeral(), "%v", l.Formula)
			return true
		})
	}
}

// TestGuards: what tells tuples apart is what clauses branch on, over the arguments of what they use, and whether loops
// have a turn.
func TestGuards(t *testing.T) {
	sys := read(t, `
(declare-fun p (Int Bool Int) Bool)
(declare-fun q (Int Int) Bool)
(assert (forall ((x Int) (b Bool) (y Int) (z Int)) (=> (and (p x b y) (< x 7) (or (> y 3) (and b (= z 1)) (<= y 1))) (p (ite (= x (* 2 y)) 1 2) b z))))
(assert (forall ((x Int) (n Int)) (=> (> x 5) (q 0 n))))
(assert (forall ((x Int) (n Int)) (=> (and (q x n) (< x n)) (q (+ x 1) n))))`)
	pool := sys.Pool
	params := witness.CanonicalParams(pool, sys.Predicates[0])
	x, y := params[0], params[2]
	above, _ := pool.Gt(y, pool.Int(3)).Atom()
	double, _ := pool.Eq(x, pool.Scale(term.NewInt(2), y)).Atom()
	below, _ := pool.Le(y, pool.Int(1)).Atom()
	require.ElementsMatch(t, []*term.Term{above, below, double}, guards(sys, 3)[0])
	some, _ := pool.Lt(pool.Int(0), witness.CanonicalParams(pool, sys.Predicates[1])[1]).Atom()
	require.Equal(t, []*term.Term{some}, guards(sys, 3)[1])
}

// TestDrop: giving up a fact leaves all others.
func TestDrop(t *testing.T) {
	pool := term.NewPool()
	pred := &chc.Predicate{Name: "p", Sorts: []*term.Sort{term.Int, term.Int, term.Real, term.Int, term.Bool}}
	b := known{thresholds: map[*term.Sort][]term.Num{term.Int: {term.NewInt(-9), {}, term.NewInt(9)}}, divided: true, options: &options{differences: 30, columns: 60, factors: 8}}
	guard := pool.Le(witness.CanonicalParams(pool, pred)[0], pool.Int(3))
	some := func() *state {
		s := newState(pool, pred, scope{degree: 1, guards: [][]*term.Term{{guard}}}, b, nil)
		for _, tuple := range [][]int64{{0, 1, 1, 4}, {2, 3, 1, 8}, {4, 5, 1, 8}, {4, 5, 1, 10}} {
			var values []term.Value
			for i, n := range tuple {
				values = append(values, term.NumValue(term.NewInt(n), pred.Sorts[i]))
			}
			require.True(t, s.add(pool, append(values, term.BoolValue(true))))
		}
		return s
	}
	all := some().formulas(pool)
	require.Greater(t, len(all), 12)
	for i := range all {
		s := some()
		s.facts(pool)[i].drop()
		require.ElementsMatch(t, slices.Delete(slices.Clone(all), i, i+1), s.formulas(pool), "without %v", all[i])
	}
}

// TestGivenUpStays: a tuple that is added after facts were given up makes no new ones.
func TestGivenUpStays(t *testing.T) {
	pool := term.NewPool()
	pred := &chc.Predicate{Name: "p", Sorts: []*term.Sort{term.Int, term.Int}}
	b := known{thresholds: map[*term.Sort][]term.Num{term.Int: {{}, term.NewInt(9)}}, divided: true, options: &options{differences: 30, columns: 60, factors: 8}}
	s := newState(pool, pred, scope{degree: 1, guards: [][]*term.Term{nil}}, b, nil)
	tuple := func(x, y int64) []term.Value {
		return []term.Value{term.NumValue(term.NewInt(x), term.Int), term.NumValue(term.NewInt(y), term.Int)}
	}
	require.True(t, s.add(pool, tuple(3, 5)))
	for facts := s.facts(pool); len(facts) > 0; facts = s.facts(pool) {
		facts[len(facts)-1].drop()
	}
	s.add(pool, tuple(6, 11))
	require.Empty(t, s.formulas(pool))
}

// TestBoundsAloneAreNotPosted: others are told bounds only together with equations between arguments.
func TestBoundsAloneAreNotPosted(t *testing.T) {
	for name, posted := range map[string]bool{"a loop within a loop": false, "remainders": false, "reals": true} {
		sys := read(t, systems[name].source)
		exchange := engine.NewExchange(sys)
		reader := exchange.Join(sys)
		decide(t, sys, engine.Settings{Exchange: exchange, Options: patient})
		require.Equal(t, posted, len(reader.Lemmas()) > 0, name)
	}
}

// TestWhatOthersFoundIsGiven: the elements of an array are 1 from the beginning on, which is no equation, and then their sum is one.
func TestWhatOthersFoundIsGiven(t *testing.T) {
	sys := read(t, `
(declare-fun p (Int Int Int Int) Bool)
(assert (forall ((k Int) (v Int)) (=> (or (< k 0) (= v 1)) (p 0 0 k v))))
(assert (forall ((i Int) (s Int) (k Int) (v Int) (w Int)) (=> (and (p i s k v) (p i s i w)) (p (+ i 1) (+ s w) k v))))
(assert (forall ((i Int) (s Int) (k Int) (v Int)) (=> (and (p i s k v) (not (= i s))) false)))`)
	pool, p := sys.Pool, sys.Predicates[0]
	exchange := engine.NewExchange(sys)
	other := exchange.Join(sys)
	params := witness.CanonicalParams(pool, p)
	other.PostLemmas(engine.Lemma{Predicate: p, Formula: pool.Or(pool.Lt(params[2], pool.Int(0)), pool.Eq(params[3], pool.Int(1)))})
	settings := engine.Settings{Exchange: exchange, Options: map[string]string{"affine.guards": "false", "affine.degree": "1"}}
	require.Equal(t, engine.Sat, decide(t, sys, settings).Verdict)
	settings.Exchange = nil
	require.Equal(t, engine.Unknown, decide(t, sys, settings).Verdict)
}

// refusing opens solvers that have no answer each time that refuse says so.
func refusing(refuse func() bool) smt.Opener {
	return func(p *term.Pool, c smt.Config) (smt.Context, error) {
		inner, err := z3.Open(p, c)
		return refusingContext{inner, refuse}, err
	}
}

type refusingContext struct {
	smt.Context
	refuse func() bool
}

func (c refusingContext) NewSolver(p smt.Params) (smt.Solver, error) {
	inner, err := c.Context.NewSolver(p)
	return refusingSolver{inner, c.refuse}, err
}

type refusingSolver struct {
	smt.Solver
	refuse func() bool
}

func (s refusingSolver) Check(ctx context.Context, assumptions ...*term.Term) (smt.Status, error) {
	if s.refuse() {
		return smt.Unknown, nil
	}
	return s.Solver.Check(ctx, assumptions...)
}

// TestFactsAreInductive: however often the solver has no answer, what is inferred makes a model of the clauses without the
// queries, and holds of every fact that an exhaustive search derives.
func TestFactsAreInductive(t *testing.T) {
	facts, checked, unanswered := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		shape := hornoracle.DefaultShape()
		shape.Number = rapid.SampledFrom([]*term.Sort{term.Int, term.Int, term.Real}).Draw(t, "sort")
		shape.DivMod = shape.Number == term.Int
		sys := hornoracle.Draw(t, shape)
		every, checks := rapid.IntRange(0, 4).Draw(t, "fault"), 0
		open := refusing(func() bool {
			checks++
			if every > 0 && checks%every == 0 {
				unanswered++
				return true
			}
			return false
		})
		settings := engine.Settings{Open: open, Stats: engine.NewStats(), Options: map[string]string{}}
		if rapid.Bool().Draw(t, "short") {
			settings.Options["affine.limit"] = "2ms"
		}
		o, err := newOptions(settings)
		require.NoError(t, err)
		told := make([][]*term.Term, len(sys.Predicates))
		if rapid.Bool().Draw(t, "guards") {
			told = guards(sys, rapid.SampledFrom([]int{3, fewGuards + 3}).Draw(t, "most guards"))
		}
		run := func(of scope) *inference {
			in, err := newInference(sys, settings, o, of)
			require.NoError(t, err)
			defer in.close()
			require.NoError(t, in.run(context.Background()))
			return in
		}
		of := scope{degree: rapid.SampledFrom([]int{1, 1, 2}).Draw(t, "degree"), guards: told}
		if of.degree > 1 && rapid.Bool().Draw(t, "sums before") {
			of.sums = run(scope{degree: 1, guards: told})
		}
		if of.degree == 1 && rapid.Bool().Draw(t, "congruences") {
			of.width = rapid.SampledFrom([]int{2, 8}).Draw(t, "width")
			if rapid.Bool().Draw(t, "sums before") {
				of.sums = run(scope{degree: 1, guards: told})
			}
		}
		posted := run(of).facts()
		model := witness.NewModel()
		for _, p := range sys.Predicates {
			model.Interpretations[p] = witness.Interpretation{Params: witness.CanonicalParams(sys.Pool, p), Body: sys.Pool.And(posted[p]...)}
		}
		err = witness.CheckModel(context.Background(), z3.Open, hornoracle.WithoutQueries(sys), model, smt.Limit{Time: 2 * time.Second})
		if !errors.Is(err, witness.ErrUndecided) {
			require.NoError(t, err)
			checked++
		}
		for _, f := range hornoracle.Solve(sys, hornoracle.DefaultOptions()).Facts {
			evaluator := f.Evaluator(sys.Pool)
			for _, s := range posted[f.Pred] {
				require.False(t, evaluator.False(s), "%v of %v", s, f.Args)
				facts++
			}
		}
	})
	require.Positive(t, facts)
	require.Positive(t, checked)
	require.Positive(t, unanswered)
}
