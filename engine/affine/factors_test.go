package affine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMultiplied(t *testing.T) {
	for name, c := range map[string]struct {
		source  string
		factors [][]bool
		degree  int
	}{
		"an index, and not the counter that it is where an element is read": {`
(declare-fun fill (Int Int Int) Bool)
(declare-fun look (Int Int Int) Bool)
(assert (forall ((k Int) (v Int)) (fill 0 k v)))
(assert (forall ((i Int) (k Int) (v Int) (u Int)) (=> (and (fill i k v) (fill i i u)) (fill (+ i 1) k (+ u v)))))
(assert (forall ((i Int) (k Int) (v Int)) (=> (fill i k v) (look 0 k v))))
(assert (forall ((i Int) (v Int)) (=> (and (look i i v) (= v (* 2 i i i))) false)))`, [][]bool{{false, true, false}, {true, true, false}}, 3},
		"what a head multiplies": {`
(declare-fun square (Int Int Int) Bool)
(assert (forall ((x Int) (y Int)) (square x (* x (+ x 1)) y)))
(assert (forall ((x Int) (y Int)) (=> (square x y y) false)))`, [][]bool{{true, false, false}}, 2},
		"nothing": {`
(declare-fun double (Int Int) Bool)
(assert (forall ((x Int)) (double x (* 2 x))))
(assert (forall ((x Int)) (=> (double x 3) false)))`, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			factors, degree := multiplied(read(t, c.source))
			require.Equal(t, c.factors, factors)
			require.Equal(t, c.degree, degree)
		})
	}
}
