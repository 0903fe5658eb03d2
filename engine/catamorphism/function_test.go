package catamorphism

import (
	"context"
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

// programs are predicates that define functions and relations on lists and numbers; result arguments stand in several
// places.
const programs = `
(declare-datatypes ((Nat 0)) (((Z) (S (pred Nat)))))
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun reverse (List List List) Bool)
(declare-fun drop (List Nat List) Bool)
(declare-fun count (Int List Int) Bool)
(declare-fun take (Int List List) Bool)
(declare-fun evens (List List) Bool)
(declare-fun odds (List List) Bool)
(declare-fun leq (Nat Nat) Bool)
(declare-fun choose (List Int) Bool)
(assert (forall ((a List)) (reverse a nil a)))
(assert (forall ((r List) (x List) (a List) (n Int)) (=> (reverse r x (cons n a)) (reverse r (cons n x) a))))
(assert (forall ((x List)) (drop x Z x)))
(assert (forall ((n Nat)) (drop nil (S n) nil)))
(assert (forall ((r List) (n Nat) (x List) (a Int)) (=> (drop r n x) (drop r (S n) (cons a x)))))
(assert (forall ((a Int)) (count a nil 0)))
(assert (forall ((a Int) (x List) (n Int)) (=> (count a x n) (count a (cons a x) (+ n 1)))))
(assert (forall ((a Int) (b Int) (x List) (n Int)) (=> (and (count a x n) (not (= a b))) (count a (cons b x) n))))
(assert (forall ((n Int) (x List)) (=> (<= n 0) (take n x nil))))
(assert (forall ((n Int)) (=> (> n 0) (take n nil nil))))
(assert (forall ((n Int) (a Int) (x List) (y List)) (=> (and (take n x y) (>= n 0)) (take (+ n 1) (cons a x) (cons a y)))))
(assert (evens nil nil))
(assert (forall ((a Int) (x List) (y List)) (=> (odds x y) (evens (cons a x) (cons a y)))))
(assert (odds nil nil))
(assert (forall ((a Int) (x List) (y List)) (=> (evens x y) (odds (cons a x) y))))
(assert (forall ((n Nat)) (leq Z n)))
(assert (forall ((n Nat) (m Nat)) (=> (leq n m) (leq (S n) (S m)))))
(assert (forall ((a Int) (x List)) (choose (cons a x) a)))
(assert (forall ((a Int) (b Int) (x List)) (=> (choose x a) (choose (cons b x) a))))
`

func queryPrograms(body string) string {
	return programs + "(assert (forall ((x List) (y List) (z List) (u List) (v List) (a Int) (b Int) (i Int) (j Int) (n Nat) (m Nat) (k Nat)) (=> (and " +
		body + ") false)))\n"
}

// recognise returns the functions of a system.
func recognise(t require.TestingT, sys *chc.System) (*definable, func()) {
	q, done := newQuerier(t, sys.Pool)
	inv, err := findInvariants(context.Background(), q, sys)
	require.NoError(t, err)
	d, err := findFunctions(context.Background(), z3.Open, q, sys, inv, smt.Limit{Time: 20 * time.Second})
	require.NoError(t, err)
	return d, done
}

// TestFunctionsAreRecognised says how each predicate is to be read, and compares the functions with values worked out by
// hand.
func TestFunctionsAreRecognised(t *testing.T) {
	sys := read(t, queryPrograms("(leq n n)"))
	d, done := recognise(t, sys)
	defer done()
	p := sys.Pool
	of := map[string]*function{}
	for pred, f := range d.functions {
		of[pred.Name] = f
	}
	for name, output := range map[string]int{"reverse": 0, "drop": 0, "count": 2, "take": 2, "evens": 1, "odds": 1, "leq": -1, "choose": -1} {
		require.NotNil(t, of[name], name)
		require.Equal(t, output, of[name].output, name)
	}
	var definite []*chc.Clause
	for _, c := range sys.Clauses {
		if c.Head != nil {
			definite = append(definite, c)
		}
	}
	ok, err := d.holds(context.Background(), d.model, definite, smt.Limit{})
	require.NoError(t, err)
	require.True(t, ok)

	lists, nats := sys.Datatypes[1].Data.Constructors, sys.Datatypes[0].Data.Constructors
	list := func(ns ...int64) *term.Term {
		l := p.Construct(lists[0])
		for i := len(ns) - 1; i >= 0; i-- {
			l = p.Construct(lists[1], p.Int(ns[i]), l)
		}
		return l
	}
	nat := func(n int) *term.Term {
		t := p.Construct(nats[0])
		for range n {
			t = p.Construct(nats[1], t)
		}
		return t
	}
	values := term.NewEvaluator(p, witness.Compute(p, d.model.Definitions, term.MapAssignment{}))
	for _, test := range []struct {
		name string
		args []*term.Term // of the predicate, without the result
		want *term.Term
	}{
		{"reverse", []*term.Term{nil, list(1, 2, 3), list(4)}, list(3, 2, 1, 4)},
		{"drop", []*term.Term{nil, nat(2), list(1, 2, 3)}, list(3)},
		{"drop", []*term.Term{nil, nat(5), list(1, 2, 3)}, list()},
		{"count", []*term.Term{p.Int(2), list(2, 1, 2), nil}, p.Int(2)},
		{"take", []*term.Term{p.Int(2), list(4, 5, 6), nil}, list(4, 5)},
		{"take", []*term.Term{p.Int(-1), list(4, 5, 6), nil}, list()},
		{"evens", []*term.Term{list(1, 2, 3, 4), nil}, list(1, 3)},
		{"odds", []*term.Term{list(1, 2, 3, 4), nil}, list(2, 4)},
		{"leq", []*term.Term{nat(2), nat(2)}, p.True()},
		{"leq", []*term.Term{nat(3), nat(2)}, p.False()},
		{"choose", []*term.Term{list(1, 2), p.Int(2)}, p.True()},
		{"choose", []*term.Term{list(1, 2), p.Int(3)}, p.False()},
	} {
		v, ok := values.Eval(of[test.name].value(p, test.args))
		require.True(t, ok, test.name)
		require.Equal(t, test.want, v.Term(p), test.name)
	}
}

// TestInduction decides properties that no integers tell: by unfolding, by induction, and with equations in between.
func TestInduction(t *testing.T) {
	for _, test := range []struct {
		name, body string
		sat        bool
	}{
		{"one result", "(drop x n z) (drop y n z) (not (= x y))", true},
		{"a counted element", "(count a x i) (count a (cons a x) j) (not (= j (+ i 1)))", true},
		{"an order", "(leq n m) (leq m k) (leq (S k) n)", true},
		{"reversed twice", "(reverse x y nil) (reverse z x nil) (not (= y z))", true},
		{"every other one of both halves", "(evens x y) (odds (cons a x) z) (not (= y z))", true},
		{"a choice is no function", "(choose x a) (choose x b) (not (= a b))", false},
		{"reversed once", "(reverse x y nil) (= y (cons 1 nil)) (not (= x nil))", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			answer, _ := decide(t, read(t, queryPrograms(test.body)), prover, nil)
			want := engine.Unsat
			if test.sat {
				want = engine.Sat
			}
			require.Equal(t, want, answer.Verdict, answer.Reason)
		})
	}
}

// TestEquations looks for equations and evaluates them on other values than those that suggested them.
func TestEquations(t *testing.T) {
	sys := read(t, `
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun append (List List List) Bool)
(assert (forall ((y List)) (append nil y y)))
(assert (forall ((a Int) (x List) (y List) (z List)) (=> (append x y z) (append (cons a x) y (cons a z)))))
(assert (forall ((x List) (y List)) (=> (append x y nil) false)))`)
	d, done := recognise(t, sys)
	defer done()
	in, err := newInductor(d)
	require.NoError(t, err)
	defer in.close()
	p := sys.Pool
	// A goal that does not hold keeps the search going to its end.
	in.goals = []*chc.Clause{{Body: nil, Constraint: p.True()}}
	ok, err := in.explore(context.Background())
	require.NoError(t, err)
	require.False(t, ok)
	require.NotEmpty(t, in.model.Lemmas)
	var append3 *function
	for pred, f := range d.functions {
		if pred.Name == "append" {
			append3 = f
		}
	}
	require.NotNil(t, append3)
	s := sys.Datatypes[0]
	x, y, z := p.Var("a", s), p.Var("b", s), p.Var("c", s)
	join := func(a, b *term.Term) *term.Term { return append3.value(p, []*term.Term{a, b, nil}) }
	known, err := in.follows(context.Background(), p.Eq(join(join(x, y), z), join(x, join(y, z))))
	require.NoError(t, err)
	require.True(t, known, "associativity")
	known, err = in.follows(context.Background(), p.Eq(join(x, y), join(y, x)))
	require.NoError(t, err)
	require.False(t, known, "no commutativity")
	ctors := s.Data.Constructors
	var values []*term.Term
	for n := range 4 {
		l := p.Construct(ctors[0])
		for k := range n {
			l = p.Construct(ctors[1], p.Int(int64(n*10+k)), l)
		}
		values = append(values, l)
	}
	for _, l := range in.model.Lemmas {
		for i := range values {
			own := term.MapAssignment{}
			for k, v := range l.Vars {
				if v.Sort() == s {
					own[v] = term.TermValue(values[(i+k)%len(values)])
				} else {
					own[v] = term.NumValue(term.NewInt(int64(i)), term.Int)
				}
			}
			require.True(t, term.NewEvaluator(p, witness.Compute(p, in.model.Definitions, own)).True(l.Body), "%s", l.Body)
		}
	}
}
