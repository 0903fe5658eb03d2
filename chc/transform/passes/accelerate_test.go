package passes_test

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform/accelerate"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/smtlib"
)

// What is accelerated, and the clauses that are added.
func TestAccelerate(t *testing.T) {
	for name, c := range map[string]struct {
		rules string
		want  []string
	}{
		"counter": {`(declare-rel p (Int)) (rule (p 0)) (rule (=> (and (p x) (< x 9)) (p (+ x 1))))`,
			[]string{"(p x) & (and (>= n!1 1) (<= (+ x n!1) 9)) => (p (+ x n!1))"}},
		"one that needs the first round only": {`(declare-rel p (Int)) (rule (=> (and (p x) (< x 9)) (p (- x 1))))`,
			[]string{"(p x) & (and (<= x 8) (>= n!1 1)) => (p (+ x (* (- 1) n!1)))"}},
		"two that move together": {`(declare-rel p (Int Int Int)) (rule (=> (and (p x y z) (< x z)) (p (+ x 1) (- y 3) z)))`,
			[]string{"(p x y z) & (and (>= n!1 1) (<= (+ x n!1) z)) => (p (+ x n!1) (+ y (* (- 3) n!1)) z)"}},
		"a set argument is to be that": {`(declare-rel p (Int Int)) (rule (=> (p x y) (p (+ x 1) 7)))`,
			[]string{"(p x y) & (and (= y 7) (>= n!1 1)) => (p (+ x n!1) y)"}},
		"a free amount is one": {`(declare-rel p (Int Int)) (rule (=> (and (p x z) (> y 0) (< y 8)) (p (+ x y) z)))`,
			[]string{"(p x z) & (>= n!1 1) => (p (+ x n!1) z)"}},
		"a condition that stays": {`(declare-rel p (Int Bool)) (rule (=> (and (p x a) (or a (> x 5))) (p (+ x 1) a)))`, []string{
			"(p x a) & (and a (>= n!1 1)) => (p (+ x n!1) a)", "(p x a) & (and (>= x 6) (>= n!1 1)) => (p (+ x n!1) a)"}},
		"an atom that stays": {`(declare-rel p (Int Int)) (declare-rel q (Int)) (rule (=> (and (p x y) (q y)) (p (+ x 1) y)))`,
			[]string{"(p x y) & (q y) & (>= n!1 1) => (p (+ x n!1) y)"}},
		"a remainder that stays":  {`(declare-rel p (Int)) (rule (=> (and (p x) (= (mod x 2) 0)) (p (+ x 2))))`, []string{"(p x) & (and (= (mod x 2) 0) (>= n!1 1)) => (p (+ x (* 2 n!1)))"}},
		"an atom that moves":      {`(declare-rel p (Int)) (declare-rel q (Int)) (rule (=> (and (p x) (q x)) (p (+ x 1))))`, nil},
		"an equation that moves":  {`(declare-rel p (Int)) (rule (=> (and (p x) (= x 3)) (p (+ x 1))))`, nil},
		"a remainder that moves":  {`(declare-rel p (Int)) (rule (=> (and (p x) (= (mod x 2) 0)) (p (+ x 3))))`, nil},
		"a product":               {`(declare-rel p (Int)) (rule (=> (p x) (p (* 2 x))))`, nil},
		"a product in the guard":  {`(declare-rel p (Int)) (rule (=> (and (p x) (< (* x x) 50)) (p (+ x 1))))`, nil},
		"an index that moves":     {`(declare-rel p (Int (Array Int Int))) (declare-var e (Array Int Int)) (rule (=> (and (p x e) (> (select e x) 0)) (p (+ x 1) e)))`, nil},
		"no number changes":       {`(declare-rel p (Int Bool)) (rule (=> (p x a) (p x (not a))))`, nil},
		"no second round":         {`(declare-rel p (Int)) (rule (=> (and (p x) (> x 2) (< x 4)) (p (+ x 1))))`, nil},
		"numbers that are copied": {`(declare-rel p (Int Int)) (rule (=> (p x y) (p y x)))`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			sys := read(t, c.rules)
			next, _, err := accelerate.Pass().Run(t.Context(), env, sys)
			require.NoError(t, err)
			if c.want == nil {
				require.Same(t, sys, next)
				return
			}
			require.Equal(t, lines(sys), lines(next)[:len(sys.Clauses)])
			require.ElementsMatch(t, c.want, numbered(lines(next)[len(sys.Clauses):]))
		})
	}
}

// numbered gives the counts of all clauses the same name.
func numbered(clauses []string) []string {
	out := make([]string, len(clauses))
	for i, l := range clauses {
		words := strings.FieldsFunc(l, func(r rune) bool { return r == ' ' || r == '(' || r == ')' })
		for _, w := range words {
			if strings.HasPrefix(w, "n!") {
				l = strings.ReplaceAll(l, w, "n!1")
			}
		}
		out[i] = l
	}
	return out
}

// drawLoop draws a system with a loop of one clause that changes two numbers, from any state; z stays.
func drawLoop(t *rapid.T) string {
	number := func(name string) string {
		n := rapid.IntRange(-3, 3).Draw(t, name)
		if n < 0 {
			return fmt.Sprintf("(- %d)", -n)
		}
		return fmt.Sprint(n)
	}
	sum := func(name string) string {
		return "(+ (* " + number(name+" of x") + " x) (* " + number(name+" of y") + " y) (* " + number(name+" of z") + " z) " + number(name) + ")"
	}
	atom := func() string {
		switch rapid.IntRange(0, 5).Draw(t, "atom") {
		case 0:
			return "(= (mod " + sum("dividend") + " 3) 1)"
		case 1:
			return "(not (= " + sum("left") + " 0))"
		case 2:
			return "(or (<= " + sum("one") + " 0) (> " + sum("other") + " 2))"
		case 3:
			return "(= u " + sum("local") + ")"
		}
		return "(<= " + sum("left") + " " + number("right") + ")"
	}
	next := func(x string) string {
		return rapid.SampledFrom([]string{"(+ " + x + " " + number("step") + ")", "(+ " + x + " " + number("step") + ")", "u", "z", "(+ " + x + " u)",
			"(ite (> y 0) (+ " + x + " 1) (- " + x + " 2))", "(mod (+ " + x + " 1) 5)"}).Draw(t, "next")
	}
	return "(declare-rel p (Int Int Int)) (rule (p x y z))\n(rule (=> (and (p x y z) " + atom() + " " + atom() + ") (p " + next("x") + " " + next("y") + " z)))\n(rule (=> (p x y z) false))"
}

// What a shortcut derives is what its rounds derive: instances of it, with small numbers, become rounds that pass the check.
func TestShortcutsAreRounds(t *testing.T) {
	var counts shortcutCounts
	rapid.Check(t, func(t *rapid.T) { counts.check(t, drawLoop(t)) })
	counts.require(t)
}

// The same for loops that change elements of arrays.
func TestShortcutsOfElementsAreRounds(t *testing.T) {
	var counts shortcutCounts
	rapid.Check(t, func(t *rapid.T) {
		index := func() string {
			return rapid.SampledFrom([]string{"y", "2", "(+ y 1)", "z", "u", "(select b y)", "x", "(select a 0)"}).Draw(t, "index")
		}
		element := func() string {
			return rapid.SampledFrom([]string{"a", "a", "b"}).Draw(t, "array") + " " + index()
		}
		store := func(array string) string {
			i := index()
			v := rapid.SampledFrom([]string{"(+ (select " + array + " " + i + ") 1)", "(- (select " + array + " " + i + ") 2)",
				"(+ (select " + array + " " + i + ") z)", "u", "z", "(select " + element() + ")"}).Draw(t, "element")
			return "(store " + array + " " + i + " " + v + ")"
		}
		a := store("a")
		if rapid.Bool().Draw(t, "two stores") {
			i := index()
			a = "(store " + a + " " + i + " (+ 1 (select a " + i + ")))"
		}
		b := rapid.SampledFrom([]string{"b", "b", store("b")}).Draw(t, "b")
		guard := rapid.SampledFrom([]string{"true", "(<= (select " + element() + ") 3)", "(> (select " + element() + ") x)",
			"(not (= (select " + element() + ") 0))", "(= a b)"}).Draw(t, "guard")
		counts.check(t, "(declare-var a (Array Int Int)) (declare-var b (Array Int Int))"+
			"(declare-rel p (Int Int Int (Array Int Int) (Array Int Int))) (rule (p x y z a b))"+
			"(rule (=> (and (p x y z a b) "+guard+") (p (+ x 1) y z "+a+" "+b+")))\n(rule (=> (p x y z a b) false))")
	})
	counts.require(t)
}

// A round that stores a number at itself leaves an element as it is that equals its own index.
func TestShortcutsOfElementsAtThemselvesAreRounds(t *testing.T) {
	var counts shortcutCounts
	rapid.Check(t, func(t *rapid.T) {
		counts.check(t, "(declare-var a (Array Int Int)) (declare-var b (Array Int Int))"+
			"(declare-rel p (Int Int Int (Array Int Int) (Array Int Int))) (rule (p x y z a b))"+
			"(rule (=> (p x y z a b) (p (+ x 1) y z (store (store a u u) y (+ 1 (select a y))) b)))\n(rule (=> (p x y z a b) false))")
	})
	require.Positive(t, counts.instances)
}

// shortcutCounts counts shortcuts, their instances that were checked, and those of them that came back as repeated steps.
type shortcutCounts struct{ shortcuts, instances, repeated int }

func (n *shortcutCounts) require(t *testing.T) {
	t.Logf("%d shortcuts, %d instances, %d repeated", n.shortcuts, n.instances, n.repeated)
	require.Positive(t, n.shortcuts)
	require.Positive(t, n.instances)
	require.Positive(t, n.repeated)
}

// check checks instances of the shortcuts of a loop, which is clause 1.
func (n *shortcutCounts) check(t *rapid.T, src string) {
	sys := readLoop(t, src)
	next, back, err := accelerate.Pass().Run(context.Background(), env, sys)
	require.NoError(t, err)
	small := func() *term.Term { return sys.Pool.Int(rapid.Int64Range(-6, 6).Draw(t, "value")) }
	for _, c := range next.Clauses[len(sys.Clauses):] {
		n.shortcuts++
		for range 20 {
			values := map[*term.Term]term.Value{}
			for _, v := range c.Vars() {
				x := small()
				switch {
				case strings.HasPrefix(v.Name(), "n!"):
					x = sys.Pool.Int(rapid.SampledFrom([]int64{1, 2, 3, 4, 5, 30, 1 << 40}).Draw(t, "rounds"))
				case v.Sort().IsArray():
					x = sys.Pool.ConstArray(v.Sort(), x)
					for range 3 {
						x = sys.Pool.Store(x, small(), small())
					}
				}
				values[v] = term.TermValue(x)
			}
			if !term.NewEvaluator(sys.Pool, term.MapAssignment(values)).True(c.Constraint) {
				continue
			}
			n.instances++
			r := refutationOf(t, next, c, values)
			old, err := back.Refutation(context.Background(), r)
			require.NoError(t, err)
			require.NoError(t, witness.CheckRefutation(context.Background(), sys, old), src)
			if old.Repeats() {
				n.repeated++
			}
		}
	}
}

// readLoop is read for a drawn system.
func readLoop(t *rapid.T, src string) *chc.System {
	var b strings.Builder
	for _, v := range "uxyz" {
		fmt.Fprintf(&b, "(declare-var %c Int)\n", v)
	}
	script, err := smtlib.Read("test", []byte(b.String()+src), term.NewPool())
	require.NoError(t, err)
	return script.System
}

// refutationOf is a refutation with the instance of a shortcut: clause 0 derives every state, and the last of the old clauses has
// any state.
func refutationOf(t *rapid.T, sys *chc.System, c *chc.Clause, values map[*term.Term]term.Value) *witness.Refutation {
	ev := term.NewEvaluator(sys.Pool, term.MapAssignment(values))
	state := func(vars, args []*term.Term) map[*term.Term]term.Value {
		out := map[*term.Term]term.Value{}
		for i, a := range args {
			v, ok := ev.Eval(a)
			require.True(t, ok)
			out[vars[i]] = v
		}
		return out
	}
	fact, query := sys.Clauses[0], sys.Clauses[2]
	return &witness.Refutation{Steps: []witness.Step{
		{Clause: fact, Values: state(fact.Head.Args, c.Body[0].Args)},
		{Clause: c, Values: values, Premises: []int{0}},
		{Clause: query, Values: state(query.Body[0].Args, c.Head.Args), Premises: []int{1}},
	}}
}

// Long derivations of systems on which all passes have something to do: predicates that are resolved away, arguments that are
// dropped, free or records, and a comparison that turns out otherwise on the way and does not matter.
func TestAccelerateThroughThePasses(t *testing.T) {
	for name, src := range map[string]string{
		"one clause": `(declare-fun p (Int) Bool)
			(assert (forall ((x Int)) (=> (= x 0) (p x))))
			(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
			(assert (forall ((x Int)) (=> (and (p x) (= x LIMIT)) false)))`,
		"several predicates": `(declare-fun p (Int Int) Bool) (declare-fun q (Int Int Bool) Bool) (declare-fun r (Int Int) Bool)
			(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (> y 3)) (p x y))))
			(assert (forall ((x Int) (y Int) (b Bool)) (=> (and (p x y) (= b (< x 70))) (q x y b))))
			(assert (forall ((x Int) (y Int) (b Bool)) (=> (and (q x y b) b) (r (+ x 1) y))))
			(assert (forall ((x Int) (y Int) (b Bool)) (=> (and (q x y b) (not b)) (r (+ x 1) y))))
			(assert (forall ((x Int) (y Int)) (=> (r x y) (p x y))))
			(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x LIMIT)) false)))`,
		"free arguments": `(declare-fun p (Int Int) Bool) (declare-fun q (Int Int) Bool)
			(assert (forall ((x Int) (f Int)) (=> (= x 0) (p x f))))
			(assert (forall ((x Int) (f Int) (g Int)) (=> (and (p x f) (= f (* 2 x))) (q (+ x 1) g))))
			(assert (forall ((x Int) (f Int) (g Int)) (=> (and (q x f) (> f 7)) (p x g))))
			(assert (forall ((x Int) (f Int)) (=> (and (p x f) (= x LIMIT) (= f 77)) false)))`,
		"records": `(declare-datatypes ((Pair 0)) (((pair (first Int) (second (Array Int Int))))))
			(declare-fun p (Pair Int) Bool)
			(assert (forall ((s Pair)) (=> (= (select (second s) 3) 5) (p s 0))))
			(assert (forall ((s Pair) (f Int) (x Int)) (=> (and (p s x) (>= f 0) (< (+ f (first s)) 100))
				(p (pair (+ f (first s)) (store (second s) 3 (+ f (select (second s) 3)))) (+ x 1)))))
			(assert (forall ((s Pair) (x Int)) (=> (and (p s x) (= x LIMIT) (= (select (second s) 3) 5)) false)))`,
		"a number in a record": `(declare-datatypes ((Pair 0)) (((pair (first Int) (second (Array Int Int))))))
			(declare-fun p (Pair Int) Bool) (declare-fun q (Pair) Bool)
			(assert (forall ((s Pair)) (=> (= (first s) 0) (q s))))
			(assert (forall ((s Pair)) (=> (q s) (p s 0))))
			(assert (forall ((s Pair) (x Int)) (=> (p s x) (p (pair (+ 1 (first s)) (second s)) (- x 1)))))
			(assert (forall ((s Pair) (x Int)) (=> (and (p s x) (= (first s) LIMIT) (= (select (second s) 3) 5)) false)))`,
		"an element": `(declare-fun p ((Array Int Int) Int) Bool)
			(assert (forall ((x Int)) (p ((as const (Array Int Int)) 0) x)))
			(assert (forall ((a (Array Int Int)) (x Int) (i Int)) (=> (and (p a x) (<= 0 i 50)) (p (store a i (+ 1 (select a i))) x))))
			(assert (forall ((a (Array Int Int)) (x Int) (i Int)) (=> (and (p a x) (<= 0 i 9) (= (select a i) LIMIT) (= (select a (+ i 1)) 2)) false)))`,
		"elements of two arrays": `(declare-fun p ((Array Int Int) (Array Int Int) Int) Bool)
			(assert (p ((as const (Array Int Int)) 0) ((as const (Array Int Int)) 7) 0))
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int) (i Int) (j Int) (n Int))
				(=> (and (p a b x) (<= 0 i 50) (<= 0 j 50) (<= 0 n 1)) (p (store a i (+ n (select a i))) (store b j (+ 2 (select b j))) (+ x n)))))
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int) (i Int) (j Int))
				(=> (and (p a b x) (<= 0 i 9) (<= 0 j 9) (= (select a i) LIMIT) (>= (select b j) LIMIT) (= x (select a i))) false)))`,
		"a field of an element": `(declare-datatypes ((Pair 0)) (((pair (first Int) (second Bool)))))
			(declare-fun p ((Array Int Pair) Int) Bool)
			(assert (p ((as const (Array Int Pair)) (pair 0 true)) 0))
			(assert (forall ((a (Array Int Pair)) (x Int) (i Int))
				(=> (and (p a x) (<= 0 i 50)) (p (store a i (pair (+ 1 (first (select a i))) true)) (+ x 1)))))
			(assert (forall ((a (Array Int Pair)) (x Int) (i Int)) (=> (and (p a x) (<= 0 i 9) (= (first (select a i)) LIMIT) (= x LIMIT)) false)))`,
	} {
		for _, limit := range []string{"12", "600", new(big.Int).Lsh(big.NewInt(1), 256).String()} {
			t.Run(name+" "+limit, func(t *testing.T) {
				sys := readSystem(t, "(set-logic HORN)\n"+strings.ReplaceAll(src, "LIMIT", limit))
				a := decideLong(t, sys)
				require.Equal(t, engine.Unsat, a.Verdict, a.Reason)
				require.NoError(t, witness.CheckRefutation(t.Context(), sys, a.Refutation))
				require.Equal(t, len(limit) > 2, a.Refutation.Repeats())
			})
		}
	}
}

// decideLong decides a system with shortcuts, and lets the refutation repeat steps.
func decideLong(t *testing.T, sys *chc.System) engine.Answer {
	return portfolio.Solve(t.Context(), portfolio.Request{
		System: sys, Engine: "spacer", Passes: []string{"default", "accelerate"}, Check: true, Repeats: true, Timeout: 30 * time.Second,
	})
}
