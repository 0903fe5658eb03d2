package cells

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/frontend/smtlib"
)

// Arrays are looked at from where most of their elements are found, in the steps that all of them are apart, unless that
// would lose what is known of them.
func TestFrames(t *testing.T) {
	frameOf := func(scale, offset int64) frame { return frame{scale: term.NewInt(scale), offset: term.NewInt(offset)} }
	for name, test := range map[string]struct {
		constraint string
		want       frame
	}{
		"steps from a base":                {"(= (select a (+ 100 (* 4 x))) (select a (+ 108 (* 8 x) (* 12 y))))", frameOf(4, 100)},
		"the base that most have":          {"(= (select a (+ 96 (* 4 x))) (select a (+ 100 (* 8 x))) (select a (+ 100 (* 4 y))))", frameOf(4, 100)},
		"zero where it is one":             {"(= (select a (* 4 x)) (select a (+ 100 (* 8 x))) (select a (+ 100 (* 4 y))))", frameOf(4, 0)},
		"a number between the steps":       {"(= (select a (+ 100 (* 4 x))) (select a 102))", frameOf(2, 100)},
		"what is written":                  {"(= b (store a (+ 100 (* 4 x)) (select a (+ 101 (* 4 y)))))", frameOf(1, 100)},
		"what is written, in steps":        {"(= b (store a (+ 100 (* 4 x)) (select b (+ 108 (* 4 y)))))", frameOf(4, 100)},
		"a choice":                         {"(= (select (ite (> x 0) a b) (+ 1 (* 2 x))) 0)", frameOf(2, 1)},
		"numbers only":                     {"(= (select a 100) (select a 104))", frameOf(1, 0)},
		"arrays that differ":               {"(and (not (= a b)) (= 0 (select a (+ 100 (* 4 x)))))", frameOf(1, 100)},
		"arrays that may be the same":      {"(or (= a b) (= 0 (select a (+ 100 (* 4 x)))))", frameOf(4, 100)},
		"a condition":                      {"(= (ite (= a b) 1 0) (select a (+ 100 (* 4 x))))", frameOf(1, 100)},
		"below a quantifier":               {"(and (= 0 (select a (+ 100 (* 4 x)))) (forall ((z Int)) (= (select a z) 0)))", frameOf(1, 0)},
		"an array in another value":        {"(and (= 0 (select a (+ 100 (* 4 x)))) (= (content box) a))", frameOf(1, 0)},
		"an index that is an array's":      {"(= (select a (+ 100 (* 4 (select b (+ 50 x))))) 0)", frameOf(4, 100)},
		"the index that is read elsewhere": {"(= (select b (+ 50 x)) 0)", frameOf(1, 0)},
	} {
		t.Run(name, func(t *testing.T) {
			script, err := smtlib.Read("test", []byte(`(set-logic HORN)(declare-datatypes ((Box 0)) (((box (content (Array Int Int))))))
				(declare-fun p ((Array Int Int) Int Int) Bool)
				(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (box Box) (x Int) (y Int)) (=> (and (p a x y) `+test.constraint+`) (p a y x))))`), term.NewPool())
			require.NoError(t, err)
			f := findFrames(script.System)
			require.True(t, test.want.equal(f.of(script.System.Predicates[0], 0, nil)), "%v", f.of(script.System.Predicates[0], 0, nil))
		})
	}
}
