package cells

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/frontend/smtlib"
)

// Arrays are numbered from an argument that is in all of their indices, wherever it stands; 4 times a number further on there.
func TestBases(t *testing.T) {
	for name, test := range map[string]struct {
		clauses string
		base    int // of the array of p, -1 for none
		scale   int64
	}{
		"one place":           {"(=> (and (p a x y) (= 0 (select a (+ x y)))) (p a x (+ y 1)))", 1, 1},
		"steps":               {"(=> (and (p a x y) (= 0 (select a (+ x (* 4 y))))) (p a x y))", 1, 4},
		"what is written":     {"(=> (p a x y) (p (store a (+ x y) 1) x (+ y 1)))", 1, 1},
		"another place":       {"(=> (and (q x a) (= 0 (select a (+ x y)))) (p a y x))", 2, 1},
		"in all clauses":      {"(=> (and (p a x y) (= 0 (select a (+ x y)))) (q x a)) (=> (q x a) (p a x y))", 1, 1},
		"not that it is once": {"(=> (and (p a x y) (= 0 (select a (+ x x)))) (p a x y))", -1, 1},
		"moved":               {"(=> (and (p a x y) (= 0 (select a (+ x y)))) (p a y x))", -1, 1},
		"lost":                {"(=> (and (p a x y) (= 0 (select a (+ x y)))) (q 0 a))", -1, 1},
		"an index without it": {"(=> (and (p a x y) (= (select a y) (select a x))) (p a x 7))", -1, 1},
		"two of them":         {"(=> (and (p a x y) (p b y x) (= 0 (select a (+ x y)))) (q x a)) (=> (and (p a x y) (q y a)) false)", -1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			src := "(declare-fun p ((Array Int Int) Int Int) Bool) (declare-fun q (Int (Array Int Int)) Bool)"
			script, err := smtlib.Read("test", []byte(src+quantify(test.clauses)), term.NewPool())
			require.NoError(t, err)
			pred := script.System.Predicates[0]
			p := script.System.Pool
			params := []*term.Term{nil, p.Var("first", term.Int), p.Var("second", term.Int)}
			got := findFrames(script.System).of(pred, 0, params)
			if test.base < 0 {
				require.Nil(t, got.base)
				return
			}
			require.Equal(t, params[test.base], got.base)
			require.Equal(t, term.NewInt(test.scale), got.scale)
		})
	}
}

// quantify makes assertions of clauses, each of which begins with an implication.
func quantify(clauses string) string {
	out, depth, begin := "", 0, 0
	for i, c := range clauses {
		switch c {
		case '(':
			if depth == 0 {
				begin = i
			}
			depth++
		case ')':
			if depth--; depth == 0 {
				out += "(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int) (y Int)) " + clauses[begin:i+1] + "))"
			}
		}
	}
	return out
}
