package passes_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/transform"
	"hornbeam/chc/transform/constructors"
	"hornbeam/chc/transform/flatten"
	"hornbeam/chc/transform/inline"
	"hornbeam/chc/transform/passes"
	"hornbeam/chc/transform/prune"
	"hornbeam/chc/transform/simplify"
)

func TestConstructorsCarryWitnessesBack(t *testing.T) {
	var n tally
	n.untilBoth(t, func(t *rapid.T) { n.carriesTuplesBack(t, drawTuples(t, true), constructors.Pass()) })
	t.Logf("%+v", n)
	require.Positive(t, n.sat)
	require.Positive(t, n.unsat)
}

func TestDatatypePassesTogether(t *testing.T) {
	var n tally
	n.untilBoth(t, func(t *rapid.T) {
		n.carriesTuplesBack(t, drawTuples(t, rapid.Bool().Draw(t, "variants")), flatten.Pass(), constructors.Pass(), simplify.Normalise(), prune.Constants(), prune.Slice(), inline.Pass())
	})
	t.Logf("%+v", n)
	require.Positive(t, n.sat)
	require.Positive(t, n.unsat)
}

const lists = `(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
	(declare-datatypes ((Colour 0)) (((red) (green) (blue))))
	(declare-datatypes ((Shape 0)) (((circle (radius Int)) (box (width Int) (colour Colour)) (point))))
	(declare-var l List) (declare-var m List) (declare-var s Shape) (declare-var r Shape) (declare-var q Colour)
`

func TestConstructorsClauses(t *testing.T) {
	for name, c := range map[string]struct {
		rules string
		want  []string
	}{
		"fields": {`(declare-rel p (Shape Int)) (rule (p (box 1 red) 2)) (rule (=> (p s x) (p (box x q) x))) (rule (=> (and (p s x) (= s r)) (p r (width s))))`,
			[]string{"true => (p 1 red 2)", "(p s.width s.colour x) & true => (p x q x)", "(p s.width s.colour x) & (= r (box s.width s.colour)) => (p (width r) (colour r) s.width)"}},
		"no fields": {`(declare-rel p (Shape Int)) (rule (p point 2)) (rule (=> (and (p s x) (= r s)) (p r (+ x 1)))) (rule (=> (and (p s x) ((_ is box) s)) (p r x)))`,
			[]string{"true => (p 2)", "(p x) & (= r point) => (p (+ x 1))"}},
		"several":             {`(declare-rel p (Shape)) (declare-rel o (Shape)) (rule (p (circle 1))) (rule (p point)) (rule (o point)) (rule (=> (p s) (o (circle 3))))`, nil},
		"unknown":             {`(declare-rel p (Shape)) (rule (p point)) (rule (p s))`, nil},
		"tester":              {`(declare-rel p (Shape)) (rule (=> ((_ is circle) s) (p s)))`, []string{"((_ is circle) s) => (p (radius s))"}},
		"tester of two":       {`(declare-rel p (List)) (rule (=> (not (= l nil)) (p l)))`, []string{"(not (= l nil)) => (p (head l) (tail l))"}},
		"negated tester":      {`(declare-rel p (List)) (rule (=> (not ((_ is cons) l)) (p l)))`, []string{"(not ((_ is cons) l)) => p"}},
		"choice":              {`(declare-rel p (List)) (rule (p (ite a (cons 1 l) (cons x nil))))`, []string{"true => (p (head (ite a (cons 1 l) (cons x nil))) (tail (ite a (cons 1 l) (cons x nil))))"}},
		"choice of two":       {`(declare-rel p (List)) (rule (p (ite a (cons 1 l) nil)))`, nil},
		"equal to each other": {`(declare-rel p (List)) (rule (=> (and (= l m) (= m (cons x nil))) (p l)))`, []string{"(and (= l m) (= m (cons x nil))) => (p (head l) (tail l))"}},
		"underivable": {`(declare-rel p (List)) (declare-rel o (Shape)) (rule (p nil)) (rule (=> (and (p (cons x l))) (o point))) (rule (=> (o s) (p l))) (rule (=> (p l) false))`,
			[]string{"true => p", "p & true =>"}},
		"one level": {`(declare-rel p (List)) (rule (p (cons 1 (cons 2 nil)))) (rule (=> (p l) (p (cons 0 l))))`,
			[]string{"true => (p 1 (cons 2 nil))", "(p l.head l.tail) & true => (p 0 (cons l.head l.tail))"}},
		"argument that is no variable": {`(declare-rel p (List)) (rule (p (cons 1 nil))) (rule (=> (p (tail l)) (p (cons (head l) nil)))) (rule (=> (p (ite a l m)) (p (cons 7 m))))`,
			[]string{"true => (p 1 nil)", "(p (head (tail l)) (tail (tail l))) & ((_ is cons) (tail l)) => (p (head l) nil)", "(p (head (ite a l m)) (tail (ite a l m))) & ((_ is cons) (ite a l m)) => (p 7 m)"}},
	} {
		t.Run(name, func(t *testing.T) {
			sys := read(t, lists+c.rules)
			next, _, err := constructors.Pass().Run(t.Context(), env, sys)
			require.NoError(t, err)
			if c.want == nil {
				require.Same(t, sys, next)
				return
			}
			requireWellFormed(t, next)
			require.Equal(t, c.want, plainLines(next))
		})
	}
}

// A predicate that always has the same constructor, and then one whose field always has, until nothing is left of them.
func TestConstructorsRepeat(t *testing.T) {
	sys := read(t, lists+`(declare-rel p (List Int)) (declare-rel o (Shape))
		(rule (p (cons 1 (cons 2 nil)) 0))
		(rule (=> (and (p (cons x (cons y l)) z) (< z 3)) (p (cons y (cons x l)) (+ z 1))))
		(rule (=> (and (p l z) (= (head l) 2) (= (head (tail l)) 1) (= z 3)) (o point)))
		(rule (=> (and (o s) (not ((_ is circle) s))) false))`)
	passes, err := passes.Select("constructors,normalise,slice")
	require.NoError(t, err)
	next, back, _, err := transform.Pipeline(t.Context(), env, sys, passes)
	require.NoError(t, err)
	require.Equal(t, 3, next.Predicates[0].Arity())
	require.Equal(t, 0, next.Predicates[1].Arity())
	requireUnsat(t, sys, next, back)
	sys = read(t, lists+`(declare-rel p (List Int))
		(rule (p (cons 1 (cons 2 nil)) 0))
		(rule (=> (and (p (cons x (cons y l)) z)) (p (cons y (cons x l)) (- 1 z))))
		(rule (=> (and (p l z) (= (head l) 2) (= z 0)) false))
		(rule (=> (and (p l z) (= (tail l) nil)) false))`)
	next, back, _, err = transform.Pipeline(t.Context(), env, sys, passes)
	require.NoError(t, err)
	requireSat(t, sys, next, back)
}
