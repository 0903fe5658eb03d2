package catamorphism

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
)

// TestInduction decides properties that no integers tell: by unfolding, by induction, and with equations in between.
func TestInduction(t *testing.T) {
	programs, err := os.ReadFile("induction/testdata/programs.smt2")
	require.NoError(t, err)
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
			answer, _ := decide(t, read(t, fmt.Sprintf(`%s(assert (forall ((x List) (y List) (z List) (a Int) (b Int) (i Int) (j Int) (n Nat) (m Nat) (k Nat)) (=> (and %s) false)))`,
				programs, test.body)), prover, nil)
			want := engine.Unsat
			if test.sat {
				want = engine.Sat
			}
			require.Equal(t, want, answer.Verdict, answer.Reason)
		})
	}
}
