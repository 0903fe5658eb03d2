package smtlib

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

const counter = `(declare-fun inv (Int Real) Bool)
(declare-fun |un used| () Bool)
(assert (forall ((x Int) (y Real)) (=> (and (= x 0) (= y 0.5)) (inv x y))))
(assert (forall ((x Int) (y Real)) (=> (and (inv x y) (< x 10)) (inv (+ x 2) y))))
(assert (forall ((x Int) (y Real)) (=> (and (inv x y) (= x 4)) false)))
`

// The ways in which solvers print one and the same model.
func TestReadModel(t *testing.T) {
	for _, src := range []string{
		"(define-fun inv ((x Int) (y Real)) Bool (and (>= x 0) (= y 0.5)))(define-fun |un used| () Bool true)",
		"sat\n(\n  (define-fun |un used| () Bool\n    true)\n  (define-fun inv ((x!0 Int) (x!1 Real)) Bool\n    (and (not (<= x!0 (- 1))) (= x!1 (/ 1.0 2.0))))\n)\n",
		"sat\n(model \n  ;; a comment\n  (define-fun inv ((x!0 Int) (x!1 Real)) Bool (let ((a!1 (>= x!0 0))) (and a!1 (= (* 2.0 x!1) 1.0))))\n  (define-fun |un used| () Bool (not false))\n)",
		"; first\nsat\n(define-fun inv ((A Int) (B Real)) Bool (and (aux A) (half B)))\n(define-fun half ((inv Real)) Bool (= inv c))\n(define-fun c () Real (/ 1 2))(define-fun aux ((|un used| Int)) Bool (>= |un used| 0))(define-fun |un used| () Bool (half 0.5))",
		"(define-fun inv ((x Int) (y Real)) Bool (and (exists ((z Int)) (and (>= z 0) (= x z))) (= y 0.5)))(define-fun |un used| () Bool (aux 3))(define-fun aux ((x Int)) Bool (inv x 0.5))",
	} {
		s := read(t, counter)
		p := s.System.Pool
		m, err := ReadModel("m", []byte(src), s)
		require.NoError(t, err, src)
		require.Len(t, m.Interpretations, 2)
		inv, unused := m.Interpretations[s.Declared[0]], m.Interpretations[s.Declared[1]]
		require.Empty(t, unused.Params)
		require.True(t, unused.Body.IsTrue() || unused.Body.IsGround() || unused.Body.HasQuantifier())
		require.Len(t, inv.Params, 2)
		if !inv.Body.HasQuantifier() {
			require.True(t, unused.Body.IsTrue())
			x, y := p.Var("x", term.Int), p.Var("y", term.Real)
			body := p.Substitute(inv.Body, map[*term.Term]*term.Term{inv.Params[0]: x, inv.Params[1]: y})
			require.Same(t, p.And(p.Ge(x, p.Int(0)), p.Eq(y, p.Real(term.NewRat(1, 2)))), body)
		}
		again, none, err := ReadWitness("m", []byte(src), s)
		require.NoError(t, err)
		require.Nil(t, none)
		require.Equal(t, m, again)
	}
}

func TestReadModelErrors(t *testing.T) {
	s := read(t, counter)
	for _, c := range [][2]string{
		{"unsat", "m:1:1: expected a model, got unsat"},
		{"unknown\n", "m:1:1: expected a model, got unknown"},
		{"sat\n(error \"line 7 column 10: model is not available\")", "m:2:1: the solver reports an error: \"line 7 column 10: model is not available\""},
		{"sat\n(", "m:2:2: unexpected end of file: the parenthesis at 2:1 is not closed"},
		{"sat\n(define-fun inv ((x Int) (y Real)) Bool true)", "m:2:46: the model does not define the predicate |un used|"},
		{"(define-fun inv ((x Int)) Bool true)(define-fun |un used| () Bool true)", "m:1:13: inv is not defined with the predicate's argument sorts and Bool"},
		{"(define-fun inv ((x Int)(y Int)) Bool true)(define-fun |un used| () Bool true)", "m:1:13: inv is not defined with"},
		{"(define-fun inv ((x Int)(y Real)) Bool (> z 0))(define-fun |un used| () Bool true)", "m:1:43: unknown symbol z"},
		{"(define-fun inv ((x Int)(y Real)) Bool |un used|)(define-fun |un used| () Bool (inv 1 1))", "refers to itself"},
		{"(define-fun f () Bool true)(define-fun f () Bool true)", "m:1:40: f is already defined at 1:13"},
		{"(declare-fun f () Bool)", "m:1:1: unsupported: declare-fun in a model"},
		{"((((", "expected a definition"},
		{"(assert true)", "m:1:2: expected a definition, got assert"},
	} {
		_, err := ReadModel("m", []byte(c[0]), s)
		require.ErrorContains(t, err, c[1], c[0])
	}
}

func TestReadRefutation(t *testing.T) {
	s := read(t, counter)
	src := "unsat\n(refutation\n(step 0 (clause 0) (values (x 0) (y 0.5)) (premises))\n(step 1 (clause 1) (values (x 0) (y (/ 1 2))) (premises 0))\n" +
		"(step 7 (clause 1) (values (y 0.5) (x (- 3 1))) (premises 1))\n(step 8 (clause 2) (values (x 4) (y 0.5)) (premises 7))\n)\n"
	ref, err := ReadRefutation("r", []byte(src), s)
	require.NoError(t, err)
	require.Len(t, ref.Steps, 4)
	require.Same(t, s.System.Clauses[2], ref.Steps[3].Clause)
	require.Equal(t, []int{2}, ref.Steps[3].Premises)
	require.Empty(t, ref.Steps[0].Premises)
	x, y := s.System.Pool.Var("x", term.Int), s.System.Pool.Var("y", term.Real)
	require.True(t, ref.Steps[2].Values[x].Equal(term.NumValue(term.NewInt(2), term.Int)))
	require.True(t, ref.Steps[2].Values[y].Equal(term.NumValue(term.NewRat(1, 2), term.Real)))
	none, again, err := ReadWitness("r", []byte(src), s)
	require.NoError(t, err)
	require.Nil(t, none)
	require.Equal(t, ref, again)

	for _, c := range [][2]string{
		{"sat", "r:1:1: expected a refutation, got sat"},
		{"(refutation)", "r:1:12: a refutation has at least one step"},
		{"(refutation (step 0 (clause 9) (values) (premises)))", "r:1:29: there is no clause 9: the last one is 2"},
		{"(refutation (step 0 (clause 0) (values (x 0)) (premises)))", "r:1:13: step 0 gives no value to variable y of clause 0"},
		{"(refutation (step 0 (clause 0) (values (x 0) (z 1)) (premises)))", "r:1:47: clause 0 has no variable z"},
		{"(refutation (step 0 (clause 0) (values (x 0) (x 1)) (premises)))", "r:1:47: variable x has two values"},
		{"(refutation (step 0 (clause 0) (values (x 0.5)) (premises)))", "r:1:43: the value of x should have sort Int, but has sort Real"},
		{"(refutation (step 0 (clause 0) (values (x (div 1 0)) (x (div 2 0))) (premises)))", "r:1:55: variable x has two values"},
		{"(refutation (step 0 (clause 0) (values (x 0) (y 1)) (premises 0)))", "r:1:63: there is no earlier step 0"},
		{"(refutation (step 0 (clause 0) (values (x 0) (y 1)))(step 0 (clause 0)))", "r:1:59: there are two steps 0"},
		{"(refutation (step 0 (clause 0) (values (x 0) (y 1)))", "unexpected end of file"},
		{"(refutation (step 0 (clause 0) (values (x 0) (y 1)))) sat", "r:1:55: expected the end of the file, got sat"},
		{"(refutation (step 0 (clause 0) (foo)))", "r:1:33: expected values or premises, got foo"},
	} {
		_, err := ReadRefutation("r", []byte(c[0]), s)
		require.ErrorContains(t, err, c[1], c[0])
	}
}

// Values of every sort, and of two variables that share their name.
func TestRefutationValues(t *testing.T) {
	s := read(t, someData+"(declare-fun P (L (Array Int Bool) (_ BitVec 8) U Real Bool) Bool)\n"+
		"(assert (forall ((l L) (a (Array Int Bool)) (|b v| (_ BitVec 8)) (u U) (x Real)) (let ((y x)) (forall ((x Bool)) (P l a |b v| u y x)))))")
	src := "(refutation (step 0 (clause 0) (values (l (cons (- 1) nil)) (a (store ((as const (Array Int Bool)) false) 3 true)) (|b v| #x0f) (u (as @U!2 U)) (x Real (- (/ 1.0 3.0))) (x Bool true))))"
	ref, err := ReadRefutation("r", []byte(src), s)
	require.NoError(t, err)
	p := s.System.Pool
	require.Equal(t, "(- (/ 1.0 3.0))", ref.Steps[0].Values[p.Var("x", term.Real)].String())
	require.True(t, ref.Steps[0].Values[p.Var("x", term.Bool)].Bool())
	require.Len(t, ref.Steps[0].Values, 6)
	for _, v := range s.System.Clauses[0].Vars() {
		require.Same(t, v.Sort(), ref.Steps[0].Values[v].Sort())
	}
}

// What the witness package prints reads back as the same model.
func TestPrintedModels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := read(t, "(declare-fun P (Int Int Real Bool Bool Bool (Array Int Int) (_ BitVec 8)) Bool)(declare-fun |a Q| () Bool)")
		p := s.System.Pool
		g := &termGen{t: t, p: p}
		params := []*term.Term{p.Var("x", term.Int), p.Var("y", term.Int), p.Var("r", term.Real), p.Var("b", term.Bool), p.Var("b c", term.Bool),
			p.Var("let", term.Bool), p.Var("a", p.Array(term.Int, term.Int)), p.Var("v", p.BitVec(8))}
		m := witness.NewModel()
		m.Interpretations[s.Declared[0]] = witness.Interpretation{Params: params, Body: g.boolean(4)}
		m.Interpretations[s.Declared[1]] = witness.Interpretation{Body: p.Bool(rapid.Bool().Draw(t, "Q"))}
		var b bytes.Buffer
		b.WriteString("sat\n")
		require.NoError(t, witness.PrintModel(&b, s.System, m))
		again, err := ReadModel("printed", b.Bytes(), s)
		require.NoError(t, err, b.String())
		require.Same(t, m.Interpretations[s.Declared[0]].Body, again.Interpretations[s.Declared[0]].Apply(p, params), b.String())
		require.Same(t, m.Interpretations[s.Declared[1]].Body, again.Interpretations[s.Declared[1]].Body)
	})
}

// What the witness package prints reads back as the same refutation.
func TestPrintedRefutations(t *testing.T) {
	s := read(t, counter)
	p := s.System.Pool
	x, y := p.Var("x", term.Int), p.Var("y", term.Real)
	rapid.Check(t, func(t *rapid.T) {
		ref := &witness.Refutation{}
		for i := range rapid.IntRange(1, 6).Draw(t, "steps") {
			c := s.System.Clauses[rapid.IntRange(0, 2).Draw(t, "clause")]
			step := witness.Step{Clause: c, Values: map[*term.Term]term.Value{
				x: term.NumValue(term.NewInt(rapid.Int64().Draw(t, "x")), term.Int),
				y: term.NumValue(term.NewRat(rapid.Int64Range(-9, 9).Draw(t, "n"), rapid.Int64Range(1, 9).Draw(t, "d")), term.Real),
			}}
			for range min(i, len(c.Body)) {
				step.Premises = append(step.Premises, rapid.IntRange(0, i-1).Draw(t, "premise"))
			}
			ref.Steps = append(ref.Steps, step)
		}
		var b bytes.Buffer
		b.WriteString("unsat\n")
		require.NoError(t, witness.PrintRefutation(&b, s.System, ref))
		again, err := ReadRefutation("printed", b.Bytes(), s)
		require.NoError(t, err, b.String())
		require.Equal(t, ref, again)
	})
}

// The least model is read back as what it is, whatever the names of the clauses' variables are; another text is not taken for it.
func TestLeastModelIsReadBack(t *testing.T) {
	script, err := Read("test.smt2", []byte(`(set-logic HORN)
(declare-fun q (Int) Bool)
(declare-fun p (Int Bool) Bool)
(declare-fun f () Bool)
(assert (forall ((x Int)) (=> (> x 0) f)))
(assert (forall ((x Int) (f Bool)) (=> (and (> x 0) f) (p x f))))
(assert (forall ((x Int) (b Bool)) (=> (and (p x b) f) (q (+ x 1)))))
(assert (forall ((x Int)) (=> (and (q x) (< x 2)) false)))`), term.NewPool())
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, witness.PrintModel(&text, script.System, witness.Least()))
	require.Contains(t, text.String(), "(define-fun q ((A Int)) Bool (exists (")
	m, err := ReadModel("model", append([]byte("sat\n"), text.Bytes()...), script)
	require.NoError(t, err)
	require.True(t, m.Least)
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, script.System, m, smt.Limit{}))
	m, err = ReadModel("model", bytes.Replace(text.Bytes(), []byte("(>= x 1)"), []byte("(>= x 0)"), 1), script)
	require.NoError(t, err)
	require.False(t, m.Least)
	require.ErrorIs(t, witness.CheckModel(t.Context(), z3.Open, script.System, m, smt.Limit{}), witness.ErrInvalid)
}

// So is that of recursive clauses, which says how many steps derivations have; with another number it is not.
func TestLeastModelOfLoopsIsReadBack(t *testing.T) {
	script, err := Read("test.smt2", []byte(`(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun |p@1| () Bool)
(assert (p 0))
(assert |p@1|)
(assert (forall ((x Int)) (=> (and (p x) (< x 3)) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (> x 3)) false)))`), term.NewPool())
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, witness.PrintModel(&text, script.System, witness.LeastWithin(4)))
	m, err := ReadModel("model", append([]byte("sat\n"), text.Bytes()...), script)
	require.NoError(t, err)
	require.Equal(t, 4, m.Steps)
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, script.System, m, smt.Limit{}))
	m, err = ReadModel("model", bytes.Replace(text.Bytes(), []byte("at most: 4"), []byte("at most: 3"), 1), script)
	require.NoError(t, err)
	require.False(t, m.Least)
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, script.System, m, smt.Limit{}), "it has no quantifiers that matter")
	_, err = witness.ModelJSON(script.System, witness.LeastWithin(4))
	require.NoError(t, err)
}
