package smtlib

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

const appending = `(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun append (List List List) Bool)
(assert (forall ((y List)) (append nil y y)))
(assert (forall ((h Int) (x List) (y List) (z List)) (=> (append x y z) (append (cons h x) y (cons h z)))))
(assert (forall ((x List) (y List)) (=> (and (append x y x) ((_ is cons) y)) false)))
`

const appendModel = `(
(define-fun-rec size ((x List)) Int (ite (= nil x) 0 (+ (size (tail x)) 1)))
; lemma: (forall ((x List)) (>= (size x) 0))
(define-fun append ((A List) (B List) (C List)) Bool (= (+ (size A) (size B)) (size C)))
)
`

// A model with a recursive function is read, passes the check that it needs its lemma for, and is printed and read again.
func TestModelsWithRecursiveFunctions(t *testing.T) {
	for name, src := range map[string]string{
		"as printed":        appendModel,
		"in any order":      `(define-fun append ((a List) (b List) (c List)) Bool (sum (size a) (size b) c)) (define-fun sum ((k Int) (size Int) (l List)) Bool (= (+ k size) (length l))) (define-fun-rec size ((x List)) Int (ite (= x nil) none (+ 1 (length (tail x))))) (define-fun length ((l List)) Int (size l)) (define-fun none () Int 0)` + "\n; lemma: (forall ((x List))\n;|  (>= (length x)\n;| none))",
		"defined in common": "(define-funs-rec ((even ((l List)) Bool) (|it's odd| ((l List)) Bool) (size ((x List)) Int)) (\n(or (= l nil) (|it's odd| (tail l))) (and ((_ is cons) l) (even (tail l))) (ite (= x nil) 0 (+ 1 (size (tail x))))))\n; lemma: (forall ((x List)) (>= (size x) 0))\n; lemma: (forall ((x List)) (not (and (even x) (|it's odd| x))))\n(define-fun append ((a List) (b List) (c List)) Bool (= (+ (size a) (size b)) (size c)))",
		"line breaks":       "(define-fun-rec size ((x List)) Int (ite (= x nil) 0 (+ 1 (size (tail x)))))\r; lemma: (forall ((|x\r;| y\r\n;| \n;| z| List)) (>= (size |x\r;| y\r\n;| \n;| z|) 0))\r(define-fun append ((a List) (b List) (c List)) Bool (= (+ (size a) (size b)) (size c)))",
		"the predicate":     "(define-fun-rec size ((x List)) Int (ite (= x nil) 0 (+ 1 (size (tail x)))))\n; lemma: (forall ((x List)) (>= (size x) 0))\n(define-fun-rec append ((a List) (b List) (c List)) Bool (= (+ (size a) (size b)) (size c)))",
	} {
		t.Run(name, func(t *testing.T) {
			s := read(t, appending)
			m, err := ReadModel("m", []byte(src), s)
			require.NoError(t, err)
			require.NoError(t, witness.CheckModel(context.Background(), z3.Open, s.System, m, smt.Limit{}))
			bare := m.Clone()
			bare.Lemmas = nil
			require.ErrorIs(t, witness.CheckModel(context.Background(), z3.Open, s.System, bare, smt.Limit{}), witness.ErrUndecided)

			var out, again bytes.Buffer
			require.NoError(t, witness.PrintModel(&out, s.System, m))
			if name == "as printed" {
				require.Equal(t, appendModel, out.String())
			}
			m2, err := ReadModel("m", out.Bytes(), s)
			require.NoError(t, err, out.String())
			require.Len(t, m2.Lemmas, len(m.Lemmas))
			require.NoError(t, witness.PrintModel(&again, s.System, m2))
			require.Equal(t, out.String(), again.String())
			require.NoError(t, witness.CheckModel(context.Background(), z3.Open, s.System, m2, smt.Limit{}))
		})
	}
}

func TestRecursiveFunctionsInJSON(t *testing.T) {
	s := read(t, appending)
	m, err := ReadModel("m", []byte(appendModel), s)
	require.NoError(t, err)
	d, err := witness.ModelJSON(s.System, m)
	require.NoError(t, err)
	text, err := json.Marshal(d)
	require.NoError(t, err)
	require.JSONEq(t, `{"kind": "model",
		"predicates": [{"name": "append", "body": "(= (+ (size A) (size B)) (size C))",
			"parameters": [{"name": "A", "sort": "List"}, {"name": "B", "sort": "List"}, {"name": "C", "sort": "List"}]}],
		"definitions": [{"name": "size", "parameters": [{"name": "x", "sort": "List"}], "sort": "Int", "body": "(ite (= nil x) 0 (+ (size (tail x)) 1))"}],
		"lemmas": [{"variables": [{"name": "x", "sort": "List"}], "body": "(>= (size x) 0)"}]}`, string(text))
}

func TestReadRecursiveFunctionErrors(t *testing.T) {
	s := read(t, appending)
	const rest = "(define-fun append ((a List) (b List) (c List)) Bool true)"
	for _, c := range [][2]string{
		{"(define-fun-rec f ((x List)) Int (g x))", "m:1:35: unknown symbol g"},
		{"(define-fun-rec f ((x List)) Int true)", "m:1:34: the body should have sort Int, but has sort Bool"},
		{"(define-fun-rec f ((x List)) Int 1)(define-fun f () Int 1)", "m:1:17: f is already defined at 1:48"},
		{"(define-fun-rec f ((x List)) Int 1)(define-fun-rec f () Int 1)", "m:1:52: f is already defined at 1:17"},
		{"(define-fun-rec cons ((x List)) Int 1)", "m:1:17: cons is already declared"},
		{"(define-funs-rec ((f ((x List)) Int)) (1 2))", "m:1:42: there are more bodies than the 1 functions"},
		{"(define-funs-rec ((f ((x List)) Int)) ())", "m:1:39: there are 0 bodies for 1 functions"},
		{"(define-funs-rec (f) (1))", "m:1:19: expected a function (name (parameters) sort), got f"},
		{"\n; lemma: (forall ((x List)) (= x y))\n", "m:2:34: unknown symbol y"},
		{"\n; lemma: (= 1 1)\n", "m:2:11: expected forall, got ="},
		{"\n; lemma: (forall ((x List)) 1)\n", "m:2:29: the lemma should have sort Bool, but has sort Int"},
		{"\n; lemma: (forall ((x List)) true) true\n", "m:2:35: expected the end of the lemma, got true"},
		{"\n; lemma: (forall ((x List)) true\n", "after the lemma"},
	} {
		_, err := ReadModel("m", []byte(c[0]+rest), s)
		require.ErrorContains(t, err, c[1], c[0])
	}
}
