package residues

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/frontend/smtlib"
)

// read reads clauses over p and q of two integers.
func read(t *testing.T, clauses ...string) *chc.System {
	src := "(declare-fun p (Int Int) Bool) (declare-fun q (Int Int) Bool)"
	for _, c := range clauses {
		src += fmt.Sprintf("(assert (forall ((x Int) (y Int) (z Int)) %s))", c)
	}
	script, err := smtlib.Read("test", []byte(src), term.NewPool())
	require.NoError(t, err)
	return script.System
}

// An argument is divided by what clauses divide it by, or by what all its steps are multiples of.
func TestModuli(t *testing.T) {
	for name, test := range map[string]struct {
		clauses []string
		p, q    map[int]int64
	}{
		"a remainder":             {[]string{"(=> (and (p x y) (= (mod x 3) 1)) (p (+ x 1) y))"}, map[int]int64{0: 3}, nil},
		"a quotient":              {[]string{"(=> (and (p x y) (= z (div y 2))) (p x z))"}, map[int]int64{1: 2}, nil},
		"of a sum":                {[]string{"(=> (and (p x y) (= (mod (+ x y) 2) 1)) (p x 0))"}, map[int]int64{0: 2, 1: 2}, nil},
		"by several":              {[]string{"(=> (and (p x y) (= (mod x 2) 1) (= (mod x 3) 1)) (p x 0))"}, map[int]int64{0: 6}, nil},
		"by too many":             {[]string{"(=> (and (p x y) (= (mod x 256) 1)) (p x 0))"}, nil, nil},
		"steps":                   {[]string{"(=> (p x y) (p (+ x 4) y))", "(=> (p x y) (p (- x 6) y))"}, map[int]int64{0: 2}, nil},
		"steps of one":            {[]string{"(=> (p x y) (p (+ x 4) y))", "(=> (p x y) (p (- x 1) y))"}, nil, nil},
		"steps by an equation":    {[]string{"(=> (and (p x y) (or (= z (+ x 2)) (= z (+ x 4)))) (p z y))"}, map[int]int64{0: 2}, nil},
		"what has the same value": {[]string{"(=> (p x y) (p (+ x 2) y))", "(=> (p x y) (q y x))"}, map[int]int64{0: 2}, map[int]int64{1: 2}},
		"what is compared with":   {[]string{"(=> (and (p x y) (= x (+ y 1))) (p (+ x 2) y))"}, map[int]int64{0: 2, 1: 2}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			sys := read(t, append(test.clauses, "(p 0 0)")...)
			found := findModuli(sys)
			require.Equal(t, fmt.Sprint(orEmpty(test.p)), fmt.Sprint(found[0]))
			require.Equal(t, fmt.Sprint(orEmpty(test.q)), fmt.Sprint(found[1]))
		})
	}
}

func orEmpty(m map[int]int64) map[int]int64 {
	if m == nil {
		return map[int]int64{}
	}
	return m
}

// A predicate that would have too many combinations of remainders keeps the arguments with the smallest moduli.
func TestFewCombinations(t *testing.T) {
	p := &chc.Predicate{Sorts: []*term.Sort{term.Int, term.Int, term.Int}}
	of := map[transform.Place]int64{{Predicate: p, Position: 0}: 8, {Predicate: p, Position: 1}: 2, {Predicate: p, Position: 2}: 8}
	(&moduli{}).limit(p, of)
	require.Len(t, of, 2)
	require.Equal(t, int64(2), of[transform.Place{Predicate: p, Position: 1}])
}
