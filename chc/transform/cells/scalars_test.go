package cells

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/frontend/smtlib"
)

// An argument is an index where its values are one somewhere, under whatever name, and a bound where they are compared with one.
func TestRelevanceOfArguments(t *testing.T) {
	for name, test := range map[string]struct {
		clauses       string
		first, second relevance
	}{
		"read":                                {"(=> (and (p a x y) (= 0 (select a x))) (p a x (* 2 y)))", index, unrelated},
		"written":                             {"(=> (p a x y) (p (store a (+ y 1) 1) x y))", unrelated, index},
		"in a sum":                            {"(=> (p a x y) (p (store a (+ x y) 1) x y))", index, index},
		"passed":                              {"(=> (p a x y) (p a y x)) (=> (and (p a x y) (= 0 (select a x))) false)", index, index},
		"passed increased":                    {"(=> (p a x y) (p a (+ y 1) y)) (=> (and (p a x y) (= 0 (select a x))) false)", index, index},
		"equal":                               {"(=> (and (p a x y) (= x (+ y 3)) (= 0 (select a x))) false)", index, index},
		"compared":                            {"(=> (and (p a x y) (< x (- y 1)) (= 0 (select a x))) false)", index, bound},
		"compared numbers":                    {"(=> (and (p a x y) (< x 7) (< y 5)) (p a x (* 3 y)))", unrelated, unrelated},
		"a bound's bound":                     {"(=> (and (p a x y) (p b y 4) (< x y)) (p a x (* 2 y)))", unrelated, unrelated},
		"what it multiplies is compared with": {"(=> (and (p a x y) (< x (* 2 y)) (= 0 (select a x))) false)", index, unrelated},
	} {
		script, err := smtlib.Read("test", []byte("(declare-fun p ((Array Int Int) Int Int) Bool)"+quantify(test.clauses)), term.NewPool())
		require.NoError(t, err)
		s := findScalars(script.System)
		p := script.System.Predicates[0]
		require.Equal(t, test.first, s.of(p, 1), "%s: the first", name)
		require.Equal(t, test.second, s.of(p, 2), "%s: the second", name)
	}
}
