package affine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMultiplied(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		degree int
		// factors are the arguments that clauses multiply, and compared those and what they compare with these.
		factors, compared [][]bool
	}{
		"an index, and not the counter that it is where an element is read": {`
(declare-fun fill (Int Int Int) Bool)
(declare-fun look (Int Int Int) Bool)
(assert (forall ((k Int) (v Int)) (fill 0 k v)))
(assert (forall ((i Int) (k Int) (v Int) (u Int)) (=> (and (fill i k v) (fill i i u) (< i k)) (fill (+ i 1) k (+ u v)))))
(assert (forall ((i Int) (k Int) (v Int)) (=> (fill i k v) (look 0 k v))))
(assert (forall ((i Int) (v Int)) (=> (and (look i i v) (= v (* 2 i i i))) false)))`, 3, [][]bool{{false, true, false}, {true, true, false}}, [][]bool{{true, true, false}, {true, true, false}}},
		"what a head multiplies": {`
(declare-fun square (Int Int Int) Bool)
(assert (forall ((x Int) (y Int)) (square x (* x (+ x 1)) y)))
(assert (forall ((x Int) (y Int)) (=> (square x y y) false)))`, 2, [][]bool{{true, false, false}}, [][]bool{{true, false, false}}},
		"nothing": {`
(declare-fun double (Int Int) Bool)
(assert (forall ((x Int)) (double x (* 2 x))))
(assert (forall ((x Int)) (=> (double x 3) false)))`, 0, [][]bool{{false, false}}, [][]bool{{false, false}}},
	} {
		t.Run(name, func(t *testing.T) {
			f := multiplied(read(t, c.source))
			are, some := f.arguments()
			require.Equal(t, c.degree > 0, some)
			require.Equal(t, c.factors, are)
			require.Equal(t, c.degree, f.degree)
			f.compare()
			are, _ = f.arguments()
			require.Equal(t, c.compared, are)
		})
	}
}
