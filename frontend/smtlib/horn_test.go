package smtlib

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
)

const preds = "(declare-fun P (Int) Bool)(declare-fun Q (Int) Bool)(declare-fun R (Int Int) Bool)(declare-fun z () Bool)\n"

func read(t require.TestingT, src string) *Script {
	s, err := Read("f", []byte(src), term.NewPool())
	require.NoError(t, err)
	return s
}

// requireClauses checks that a script has the given clauses, written `(=> body… constraint head)` over free variables.
func requireClauses(t *testing.T, want []string, s *Script) {
	t.Helper()
	src := ""
	for _, p := range s.Declared {
		src += "(declare-fun " + p.Name + " ("
		for _, a := range p.Sorts {
			src += a.String() + " "
		}
		src += ") Bool)"
	}
	for _, w := range want {
		src += "(assert (forall ((x Int)(y Int)(k Int)(j Int)(x!1 Int)(x!2 Int)(k!1 Int)(k!2 Int)(A Int)(B Int)(A!1 Int)(b Bool)) " + w + "))\n"
	}
	again, err := Read("wanted", []byte(src), s.System.Pool)
	require.NoError(t, err)
	require.Equal(t, clauses(again), clauses(s))
}

// Each formula's clauses, in the order in which their predicates stand in the source.
func TestClauses(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"fact", "(assert (forall ((x Int)) (P x)))", []string{"(=> true (P x))"}},
		{"ground fact", "(assert (P 3))", []string{"(=> true (P 3))"}},
		{"rule", "(assert (forall ((x Int) (y Int)) (=> (and (Q y) (P x) (< x y)) (R x y))))", []string{"(=> (Q y) (P x) (< x y) (R x y))"}},
		{"query", "(assert (forall ((x Int)) (=> (and (P x) (< x 0)) false)))", []string{"(=> (P x) (< x 0) false)"}},
		{"conclusion without predicate", "(assert (forall ((x Int)) (=> (P x) (>= x 0))))", []string{"(=> (P x) (< x 0) false)"}},
		{"clause without predicate", "(assert (forall ((x Int)) (>= x 0)))", []string{"(=> (< x 0) false)"}},
		{"negated existential", "(assert (not (exists ((x Int)) (and (P x) (> x 5)))))", []string{"(=> (P x) (>= x 6) false)"}},
		{"negated existential with head", "(assert (not (exists ((x Int)) (and (P x) (not (Q x))))))", []string{"(=> (P x) true (Q x))"}},
		{"disjunction", "(assert (forall ((x Int)) (or (not (P x)) (> x 0) (Q x))))", []string{"(=> (P x) (<= x 0) (Q x))"}},
		{"curried", "(assert (forall ((x Int)) (=> (P x) (=> (> x 0) (=> z (Q x))))))", []string{"(=> (P x) z (>= x 1) (Q x))"}},
		{"chained", "(assert (forall ((x Int)) (=> (P x) z (Q x))))", []string{"(=> (P x) z true (Q x))"}},
		{"several heads", "(assert (forall ((x Int)) (=> (P x) (and (Q x) (> x 0) (R x x)))))",
			[]string{"(=> (P x) true (Q x))", "(=> (P x) true (R x x))", "(=> (P x) (<= x 0) false)"}},
		{"several closed formulas", "(assert (and (forall ((x Int)) (P x)) (forall ((x Int)) (=> (P x) (Q x)))))",
			[]string{"(=> true (P x))", "(=> (P x) true (Q x))"}},
		{"disjunctive body", "(assert (forall ((x Int)) (=> (or (P x) (= x 2) (Q x) (= x 3)) (R x x))))",
			[]string{"(=> (P x) true (R x x))", "(=> (Q x) true (R x x))", "(=> (or (= x 2) (= x 3)) (R x x))"}},
		{"existential body", "(assert (forall ((x Int)) (=> (exists ((y Int)) (R y x)) (P x))))", []string{"(=> (R y x) true (P x))"}},
		{"existential constraint", "(assert (forall ((x Int)) (=> (and (P x) (exists ((x Int)) (= x 1)) (exists ((y Int)) (< (* 2 y) x))) (Q x))))",
			[]string{"(=> (P x) (and (= x!1 1) (< (* 2 y) x)) (Q x))"}},
		{"negated constraint", "(assert (forall ((x Int)) (=> (and (P x) (not (or (= x 1) (forall ((y Int)) (< y x)) (exists ((y Int)) (= x (* 2 y)))))) (Q x))))",
			[]string{"(=> (P x) (not (= x 1)) (not (< y x)) (not (exists ((y Int)) (= x (* 2 y)))) (Q x))"}},
		{"names of other clauses", "(assert (forall ((x Int)) (=> (exists ((x Int)) (P x)) (and (Q x) (forall ((x Int)) (R x 1)) (R 1 x)))))",
			[]string{"(=> (P x!1) (Q x))", "(=> (P x!2) (R x!1 1))", "(=> (P x!1) (R 1 x))"}},
		{"universal constraint", "(assert (forall ((x Int)) (=> (and (P x) (forall ((y Int)) (< y x))) (Q x))))",
			[]string{"(=> (P x) (forall ((y Int)) (< y x)) (Q x))"}},
		{"universal conclusion", "(assert (forall ((x Int)) (=> (P x) (forall ((y Int)) (=> (> y x) (Q y))))))", []string{"(=> (P x) (> y x) (Q y))"}},
		{"existential conclusion", "(assert (forall ((x Int)) (=> (P x) (exists ((y Int)) (= x (* 2 y))))))",
			[]string{"(=> (P x) (not (exists ((y Int)) (= (- x (* 2 y)) 0))) false)"}},
		{"equivalence", "(assert (forall ((x Int)) (= (P x) (and (Q x) (> x 0)))))",
			[]string{"(=> (P x) true (Q x))", "(=> (P x) (<= x 0) false)", "(=> (Q x) (> x 0) (P x))"}},
		{"if-then-else head", "(assert (forall ((x Int)) (ite (> x 0) (P x) (Q x))))", []string{"(=> (> x 0) (P x))", "(=> (<= x 0) (Q x))"}},
		{"if-then-else body", "(assert (forall ((x Int)) (=> (ite (> x 0) (P x) (Q x)) z)))", []string{"(=> (P x) (> x 0) z)", "(=> (Q x) (<= x 0) z)"}},
		{"predicate as condition", "(assert (=> (ite (P 1) z (Q 1)) false))", []string{"(=> (P 1) z false)", "(=> (Q 1) (P 1))"}},
		{"xor", "(assert (forall ((x Int)) (xor (P x) (> x 0))))", []string{"(=> (P x) (> x 0) false)", "(=> (<= x 0) (P x))"}},
		{"implication in a body", "(assert (forall ((x Int)) (=> (and (P x) (=> (Q x) (> x 0))) false)))",
			[]string{"(=> (P x) true (Q x))", "(=> (P x) (> x 0) false)"}},
		{"let", "(assert (forall ((x Int)) (let ((a (P x)) (b (+ x 1))) (=> a (let ((c (and a (> b 0)))) (=> c (P b)))))))",
			[]string{"(=> (P x) (P x) (>= x 0) (P (+ x 1)))"}},
		{"parallel let", "(assert (forall ((x Int) (y Int)) (let ((x y) (y x)) (R x y))))", []string{"(=> true (R y x))"}},
		{"shadowing", "(assert (forall ((x Int)) (let ((y x)) (=> (exists ((x Int)) (R x y)) (P x)))))", []string{"(=> (R x!1 x) true (P x))"}},
		{"shadowing at the root", "(assert (forall ((x Int)) (let ((y x)) (forall ((x Int)) (R x y)))))", []string{"(=> true (R x!1 x))"}},
		{"shadowing with another sort", "(assert (forall ((x Int)) (let ((y x)) (forall ((x Bool)) (=> x (P y))))))", []string{"(=> b (P x))"}},
		{"variable hides predicate", "(assert (forall ((P Int)) (Q P)))", []string{"(=> true (Q x))"}},
		{"macro", "(define-fun m ((x Int) (y Int)) Bool (exists ((k Int)) (and (R x k) (> y k))))(assert (forall ((k Int)) (=> (m k 3) z)))",
			[]string{"(=> (R k k!1) (> 3 k!1) z)"}},
		{"macro twice", "(define-fun m ((x Int)) Bool (exists ((k Int)) (R x k)))(assert (forall ((k Int) (j Int)) (=> (and (m k) (m j)) z)))",
			[]string{"(=> (R k k!1) (R j k!2) true z)"}},
		{"named", "(assert (! (forall ((x Int)) (! (P x) :pattern ((P x)))) :named here))", []string{"(=> true (P x))"}},
		{"definitions", "(define-sort I () Int)(define-const three I 3)(define-fun four () I (+ three 1))(assert (R three four))", []string{"(=> true (R 3 4))"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := read(t, preds+c.src)
			// A clause is the same under any names of its variables, but here the names matter too.
			switch c.name {
			case "variable hides predicate":
				require.Equal(t, []string{"true => (Q P)"}, clauses(s))
			case "shadowing with another sort":
				require.Equal(t, []string{"x => (P x)"}, clauses(s))
			default:
				requireClauses(t, c.want, s)
			}
			if c.name != "shadowing with another sort" { // the printer has to rename one of the two
				reread(t, s)
			}
		})
	}
}

func TestRuleFile(t *testing.T) {
	s := read(t, `(set-option :fixedpoint.engine spacer)
(declare-rel P (Int) interval_relation)
(declare-rel q ())
(declare-var A Int)
(declare-var B Int)
(declare-var B Int)
(rule (P 0) start)
(rule (=> (and (P A) (= B (+ A 1))) (P B)) step)
(rule (let ((C A)) (forall ((A Int)) (=> (and (P A) (P C)) q))))
(query P :print-certificate true)
(query (and (P A) (> A 10)))
(query q)
`)
	require.True(t, s.Rules)
	requireClauses(t, []string{
		"(=> true (P 0))",
		"(=> (P A) (= (- A B) (- 1)) (P B))",
		"(=> (P A!1) (P A) true q)",
		"(=> (P x!1) true false)",
		"(=> (P A) (> A 10) false)",
		"(=> q true false)",
	}, s)
	require.Equal(t, []string{"start", "step", "", "", "", ""}, func() (names []string) {
		for _, c := range s.System.Clauses {
			names = append(names, c.Name)
		}
		return names
	}())
	require.Equal(t, "f:8:1", s.System.Clauses[1].Pos.String())
}

// A body of many disjunctions gets predicates of its own instead of a clause for each combination of cases.
func TestManyCases(t *testing.T) {
	var b strings.Builder
	b.WriteString(preds + "(assert (forall ((x Int)(y Int)) (=> (and")
	for i := range 12 {
		fmt.Fprintf(&b, " (or (R x %d) (P (+ y %d)) (= x %d))", i, i, i)
	}
	b.WriteString(") (Q x))))")
	s := read(t, b.String())
	require.Len(t, s.Declared, 4)
	require.Len(t, s.System.Predicates, 4+12)
	require.Len(t, s.System.Clauses, 12*3+1)
	for i, p := range s.System.Predicates {
		require.Equal(t, i, p.ID)
	}
	reread(t, s)
	m, err := ReadModel("m", []byte("(define-fun P ((x Int)) Bool false)(define-fun Q ((x Int)) Bool true)(define-fun R ((x Int)(y Int)) Bool (= x (+ y 5)))(define-fun z () Bool true)"), s)
	require.NoError(t, err)
	in := m.Interpretations[s.System.Predicates[4]]
	x := in.Params[slices.IndexFunc(in.Params, func(v *term.Term) bool { return v.Name() == "x" })]
	p := s.System.Pool
	require.Same(t, p.Or(p.Eq(x, p.Int(0)), p.Eq(x, p.Int(5))), in.Body)
}

// The numbers of clauses do not depend on what the pool has seen before.
func TestNumberingIsStable(t *testing.T) {
	a := "(assert (forall ((x Int)) (=> (or (P x) (Q x) z) (and (R x 1) (R 1 x)))))" +
		"(assert (forall ((x Int) (y Int)) (and (= (P x) (< x y)) (= (Q y) (P y)) (ite (< y x) (Q x) (R x y)))))"
	b := "(assert (forall ((y Int) (x Int)) (=> (or z (R x y) (< x y) (< y x) (P y) (Q y) (Q x) (P x)) (and (R 1 x) (R x 1)))))"
	atoms := func(s *Script) (out []string) {
		for _, c := range s.System.Clauses {
			out = append(out, fmt.Sprint(c.Body, c.Head)) // which of two variables comes first in a constraint may differ
		}
		return out
	}
	want := atoms(read(t, preds+a))
	p := term.NewPool()
	_, err := Read("f", []byte(preds+b), p)
	require.NoError(t, err)
	s, err := Read("f", []byte(preds+a), p)
	require.NoError(t, err)
	require.Equal(t, want, atoms(s))
}

func TestNotHorn(t *testing.T) {
	for src, want := range map[string]string{
		"(assert (forall ((x Int))\n (or (P x) (Q x))))":                                         "f:3:13: not a Horn clause: predicates P and Q would both be heads, since neither is negated",
		"(assert (forall ((x Int)) (=> (not (P x))\n (Q x))))":                                   "f:3:3: not a Horn clause: predicates P and Q would both be heads",
		"(assert (exists ((x Int)) (P x)))":                                                      "f:2:28: not a Horn clause: predicate P is under an existential quantifier in a conclusion",
		"(assert (=> (forall ((x Int)) (P x)) z))":                                               "f:2:32: not a Horn clause: predicate P is under a universal quantifier in a body",
		"(assert (forall ((x Int)) (=> (= (P x) (> x 0)) z)))":                                   "would both be heads",
		"(assert (forall ((x Int)) (= (ite (P x) 1 2) x)))":                                      "f:2:36: not a Horn clause: predicate P occurs inside a term, as an argument of ite",
		"(declare-fun B (Bool) Bool)(assert (B z))":                                              "f:2:39: not a Horn clause: predicate z occurs inside a term, as an argument of B",
		"(define-fun m ((b Bool)) Int (ite b 1 2))\n(assert (forall ((x Int)) (< (m (P x)) x)))": "not a Horn clause: predicate P occurs inside a term",
		"(assert (xor z (P 1)))":                                                                 "would both be heads",
	} {
		_, err := Read("f", []byte(preds+src), term.NewPool())
		require.ErrorContains(t, err, strings.Replace(want, "f:2:", "f:2:", 1), src)
	}
}
