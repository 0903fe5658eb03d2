package narrow

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/hornoracle"
)

// functions on lists of letters, and a matcher of regular expressions by derivatives.
const functions = `
(declare-datatypes ((T 0)) (((a) (b))))
(declare-datatypes ((L 0)) (((nil) (cons (head T) (tail L)))))
(declare-datatypes ((R 0)) (((none) (empty) (atom (letter T)) (alt (left R) (right R)) (seq (first R) (second R)) (star (inner R)))))
(declare-fun append (L L L) Bool)
(declare-fun rev (L L) Bool)
(declare-fun length (Int L) Bool)
(declare-fun diseq (L L) Bool)
(declare-fun differ (T T) Bool)
(declare-fun eps (R Bool) Bool)
(declare-fun step (R T R) Bool)
(declare-fun matches (R L Bool) Bool)
(declare-fun down (Int Int) Bool)
(assert (forall ((y L)) (append nil y y)))
(assert (forall ((x L) (y L) (z L) (c T)) (=> (append x y z) (append (cons c x) y (cons c z)))))
(assert (rev nil nil))
(assert (forall ((x L) (y L) (z L) (c T)) (=> (and (rev x y) (append y (cons c nil) z)) (rev (cons c x) z))))
(assert (length 0 nil))
(assert (forall ((x L) (c T) (n Int) (m Int)) (=> (and (length n x) (= m (+ n 1))) (length m (cons c x)))))
(assert (forall ((x L) (c T)) (diseq nil (cons c x))))
(assert (forall ((x L) (c T)) (diseq (cons c x) nil)))
(assert (forall ((x L) (y L) (c T) (d T)) (=> (differ c d) (diseq (cons c x) (cons d y)))))
(assert (forall ((x L) (y L) (c T)) (=> (diseq x y) (diseq (cons c x) (cons c y)))))
(assert (differ a b))
(assert (differ b a))
(assert (eps none false))
(assert (eps empty true))
(assert (forall ((c T)) (eps (atom c) false)))
(assert (forall ((p R)) (eps (star p) true)))
(assert (forall ((p R) (q R) (v Bool) (w Bool)) (=> (and (eps p v) (eps q w)) (eps (alt p q) (or v w)))))
(assert (forall ((p R) (q R) (v Bool) (w Bool)) (=> (and (eps p v) (eps q w)) (eps (seq p q) (and v w)))))
(assert (forall ((c T)) (step none c none)))
(assert (forall ((c T)) (step empty c none)))
(assert (forall ((c T)) (step (atom c) c empty)))
(assert (forall ((c T) (d T)) (=> (differ c d) (step (atom c) d none))))
(assert (forall ((p R) (q R) (c T)) (=> (step p c q) (step (star p) c (seq q (star p))))))
(assert (forall ((p R) (q R) (r R) (s R) (c T)) (=> (and (step p c r) (step q c s)) (step (alt p q) c (alt r s)))))
(assert (forall ((p R) (q R) (r R) (s R) (c T)) (=> (and (eps p true) (step p c r) (step q c s)) (step (seq p q) c (alt (seq r q) s)))))
(assert (forall ((p R) (q R) (r R) (c T)) (=> (and (eps p false) (step p c r)) (step (seq p q) c (seq r q)))))
(assert (forall ((p R) (v Bool)) (=> (eps p v) (matches p nil v))))
(assert (forall ((p R) (q R) (c T) (x L) (v Bool)) (=> (and (step p c q) (matches q x v)) (matches p (cons c x) v))))
(assert (down 0 0))
(assert (forall ((n Int) (m Int)) (=> (and (down n m) (< m 40)) (down (+ n 1) (+ m 1)))))
`

func read(t require.TestingT, src string) *chc.System {
	script, err := smtlib.Read("test.smt2", []byte(src), term.NewPool())
	require.NoError(t, err)
	return script.System
}

func query(vars, body string) string {
	return functions + "(assert (forall (" + vars + ") (=> (and " + body + ") false)))\n"
}

func decide(t require.TestingT, sys *chc.System, options map[string]string) engine.Answer {
	e := Engine()
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

// Properties that are false for a small input have refutations, and others none.
func TestProperties(t *testing.T) {
	for _, test := range []struct {
		name, vars, body string
		verdict          engine.Verdict
	}{
		{"append commutes", "(x L) (y L) (u L) (v L)", "(append x y u) (append y x v) (diseq u v)", engine.Unsat},
		{"every list is its reverse", "(x L) (y L)", "(rev x y) (diseq x y)", engine.Unsat},
		{"a reverse has another length", "(x L) (y L)", "(rev x y) (length 7 y)", engine.Unsat},
		{"no expression has a word", "(p R)", "(matches p (cons a (cons b (cons a (cons b nil)))) true)", engine.Unsat},
		{"star distributes over a sequence", "(p R) (q R) (x L)",
			"(matches (star (seq p q)) x false) (matches (seq (star p) (star q)) x true)", engine.Unsat},
		{"the reverse of a reverse is another list", "(x L) (y L) (z L)", "(rev x y) (rev y z) (diseq x z)", engine.Unknown},
		{"nothing is in both of two letters", "(x L)", "(matches (atom a) x true) (matches (atom b) x true)", engine.Unknown},
		{"numbers are counted down", "(n Int)", "(down n n) (> n 4)", engine.Unsat},
		{"what is derivable is bounded", "(n Int) (m Int)", "(down n m) (< n (- 1))", engine.Unknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			answer := decide(t, read(t, query(test.vars, test.body)), map[string]string{"narrow.steps": "300000"})
			require.Equal(t, test.verdict, answer.Verdict, answer.Reason)
		})
	}
}

// The arguments that functions compute are found, and those of relations are not taken for results.
func TestResults(t *testing.T) {
	o, err := engine.Read((*options).table, engine.Settings{})
	require.NoError(t, err)
	sys := read(t, query("(x L)", "(diseq x x)"))
	pr := compile(context.Background(), sys, o)
	want := map[string][]bool{
		"append": {false, false, true}, "rev": {false, true}, "length": {true, false}, "diseq": {false, false},
		"eps": {false, true}, "step": {false, false, true}, "matches": {false, false, true},
	}
	for i, p := range sys.Predicates {
		if w, ok := want[p.Name]; ok {
			require.Equal(t, w, pr.results[i], p.Name)
			require.True(t, pr.functional[i] || p.Name == "diseq", p.Name)
		}
	}
}

// Counters that begin at zero are not negative.
func TestRanges(t *testing.T) {
	o, err := engine.Read((*options).table, engine.Settings{})
	require.NoError(t, err)
	sys := read(t, query("(n Int)", "(down n n)"))
	pr := compile(context.Background(), sys, o)
	for i, p := range sys.Predicates {
		if p.Name == "down" {
			require.False(t, pr.ranges[i][0].Has(term.NewInt(-1)))
			require.True(t, pr.ranges[i][0].Has(term.NewInt(1000)))
			require.False(t, pr.ranges[i][1].Has(term.NewInt(-1)))
			require.True(t, pr.ranges[i][1].Has(term.NewInt(40)))
		}
	}
}

// Where a search over small values derives a query, the engine mostly does, too. Whatever it answers is checked; what that search
// does not find may come from values that it does not try.
func TestAgainstOracle(t *testing.T) {
	verdicts := map[engine.Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		m := hornoracle.DefaultMixture(hornoracle.Recursive)
		m.Clauses = 8
		sys := hornoracle.DrawOver(t, m)
		answer := decide(t, sys, map[string]string{"narrow.steps": "20000"})
		if r := hornoracle.Solve(sys, hornoracle.DefaultOptions()); r.Query != nil {
			verdicts[answer.Verdict]++
		}
	})
	require.Greater(t, verdicts[engine.Unsat], verdicts[engine.Unknown])
}

// What undoing takes back are bindings, waiting goals and states.
func TestUndo(t *testing.T) {
	o, err := engine.Read((*options).table, engine.Settings{})
	require.NoError(t, err)
	m := newMachine(context.Background(), compile(context.Background(), read(t, query("(x L)", "(diseq x x)")), o), o)
	x, y := m.variable(term.Int), m.variable(term.Int)
	g := &goal{}
	to := m.mark()
	m.wait(g, state{}, []*value{x, y})
	require.True(t, m.unify(x, y))
	require.Same(t, deref(x), deref(y))
	m.undo(to)
	require.NotSame(t, deref(x), deref(y))
	require.Empty(t, x.watch)
	require.Empty(t, y.watch)
	require.Empty(t, m.waiting)
	require.False(t, g.listed)
}

// A variable is not bound to what contains it.
func TestOccurs(t *testing.T) {
	p := term.NewPool()
	ss, err := p.Datatypes(term.DatatypeDecl{Name: "N", Constructors: []term.ConstructorDecl{{Name: "z"},
		{Name: "s", Selectors: []term.SelectorDecl{{Name: "p", Sort: term.Declared(0)}}}}})
	require.NoError(t, err)
	s := &store{pool: p}
	x := s.variable(ss[0])
	require.False(t, s.unify(x, construct(ss[0], ss[0].Data.Constructors[1], []*value{x})))
}

// sums adds up the numbers to n, from either end, and brings each sum back between -4 and 3 once, which is not enough for large n.
const sums = `
(declare-fun up (Int Int) Bool)
(declare-fun down (Int Int Int) Bool)
(declare-fun both (Int Int Int Int Int) Bool)
(declare-fun total ((_ BitVec 8) (_ BitVec 8)) Bool)
(declare-fun even (Int) Bool)
(define-fun back ((s Int) (r Int)) Bool (= r (ite (>= s 4) (- s 8) (ite (<= s (- 5)) (+ s 8) s))))
(assert (forall ((n Int)) (=> (<= n 0) (up n 0))))
(assert (forall ((n Int) (m Int) (r Int) (s Int)) (=> (and (up m r) (= n (+ m 1)) (> n 0) (back (+ n r) s)) (up n s))))
(assert (forall ((n Int) (a Int)) (=> (<= n 0) (down n a a))))
(assert (forall ((n Int) (m Int) (a Int) (b Int) (r Int)) (=> (and (down m b r) (= n (+ m 1)) (> n 0) (back (+ n a) b)) (down n a r))))
(assert (forall ((m Int) (n Int) (a Int) (r Int) (s Int)) (=> (and (up m r) (down n a s)) (both m r n a s))))
(assert (forall ((n (_ BitVec 8))) (=> (bvsle n #x00) (total n #x00))))
(assert (forall ((n (_ BitVec 8)) (m (_ BitVec 8)) (r (_ BitVec 8)))
  (=> (and (total m r) (= n (bvadd m #x01)) (not (bvsle n #x00))) (total n (bvadd n r)))))
(declare-fun fib (Int Int) Bool)
(assert (forall ((n Int)) (=> (< n 2) (fib n n))))
(assert (forall ((n Int) (a Int) (b Int)) (=> (and (>= n 2) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
(assert (even 0))
(assert (forall ((n Int)) (=> (even n) (even (+ n 2)))))
`

// Queries about functions on numbers are false for small ones; which arguments are results is found.
func TestNumbers(t *testing.T) {
	for _, test := range []struct {
		name, vars, body string
		verdict          engine.Verdict
	}{
		{"sums from either end differ", "(n Int) (r Int) (s Int)", "(up n r) (down n 0 s) (not (= r s))", engine.Unsat},
		{"sums of one predicate differ", "(n Int) (r Int) (s Int)", "(both n r n 0 s) (not (= r s))", engine.Unsat},
		{"a sum is large", "(n Int) (r Int)", "(up n r) (> r 60)", engine.Unsat},
		{"sums from two numbers on meet", "(n Int) (m Int) (r Int)", "(down n 0 r) (down m 1 r) (> n m 2)", engine.Unsat},
		{"a sum overflows", "(n (_ BitVec 8)) (r (_ BitVec 8))", "(total n r) (bvsle r #x90)", engine.Unsat},
		{"a sum is another one", "(n Int) (r Int) (s Int)", "(up n r) (up n s) (not (= r s))", engine.Unknown},
		{"answers are shared", "(r Int)", "(fib 90 r) (not (= r 0))", engine.Unsat},
		{"no function is called", "(n Int)", "(even n) (> n 3)", engine.Unknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			answer := decide(t, read(t, sums+"(assert (forall ("+test.vars+") (=> (and "+test.body+") false)))\n"), nil)
			require.Equal(t, test.verdict, answer.Verdict, answer.Reason)
		})
	}
	o, err := engine.Read((*options).table, engine.Settings{})
	require.NoError(t, err)
	sys := read(t, sums+"(assert (forall ((n Int)) (=> (even n) false)))\n")
	pr := compile(context.Background(), sys, o)
	want := map[string][]bool{"up": {false, true}, "down": {false, false, true}, "both": {false, true, false, false, true}, "total": {false, true}, "fib": {false, true}, "even": {false}}
	for i, p := range sys.Predicates {
		require.Equal(t, want[p.Name], pr.results[i], p.Name)
	}
}
