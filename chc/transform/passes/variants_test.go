package passes_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/transform"
	"hornbeam/chc/transform/guard"
	"hornbeam/chc/transform/passes"
	"hornbeam/chc/transform/variants"
)

// bare leaves out the simplification behind a pass.
func bare() []transform.Pass { return nil }

func TestVariantsCarryWitnessesBack(t *testing.T) {
	for name, simplify := range map[string]func() []transform.Pass{"alone": bare, "simplified": passes.Default} {
		t.Run(name, func(t *testing.T) {
			var n tally
			n.untilBoth(t, func(t *rapid.T) {
				n.carriesTuplesBack(t, drawTuples(t, true), guard.Selectors(), variants.Pass(simplify))
			})
			t.Logf("%+v", n)
			require.Positive(t, n.sat)
			require.Positive(t, n.unsat)
		})
	}
}

// What becomes of clauses: a tag and the fields of the constructors that are ever used.
func TestVariantsClauses(t *testing.T) {
	for name, c := range map[string]struct {
		rules string
		want  []string
	}{
		"two constructors": {`(declare-rel p (Shape)) (rule (p (circle 1))) (rule (p point)) (rule (=> (and (p s) ((_ is circle) s) (> (radius s) x)) (p (circle x))))`,
			[]string{"true => (p false 1)", "true => (p true 0)", "(p s.tag s.radius) & (and (not s.tag) (< x s.radius)) => (p false x)"}},
		"three, with a field that has its own": {`(declare-rel p (Shape)) (rule (p (circle 1))) (rule (p (box 2 blue))) (rule (p point)) (rule (=> (and (p s) (= (colour s) green)) (p s)))`,
			[]string{"true => (p 0 1 0 0)", "true => (p 1 0 2 2)", "true => (p 2 0 0 0)", "(p s.tag s.radius s.width s.colour.tag) & (= s.colour.tag 1) => (p s.tag s.radius s.width s.colour.tag)"}},
		"any value is valid": {`(declare-rel p (Colour)) (rule (p q))`,
			[]string{"(and (>= q.tag 0) (<= q.tag 2)) => (p q.tag)"}},
		"equal values have equal fields": {`(declare-rel p (Shape Shape)) (rule (p (circle 1) point)) (rule (=> (and (p s r) (= s r)) (p r point)))`,
			[]string{"true => (p false 1 true 0)", "(p s.tag s.radius r.tag r.radius) & (and (= s.tag r.tag) (= s.radius r.radius)) => (p r.tag r.radius true 0)"}},
		"a test for what is never built fails": {`(declare-rel p (Shape)) (rule (p (circle 1))) (rule (p point)) (rule (=> (and (p s) ((_ is box) s)) (p s)))`,
			[]string{"true => (p false 1)", "true => (p true 0)", "(p s.tag s.radius) & false => (p s.tag s.radius)"}},
		"what a local variable may be": {`(declare-rel p (Shape)) (rule (p point)) (rule (=> (and (p s) (not ((_ is box) r))) (p r)))`,
			[]string{"true => (p true 0)", "(p s.tag s.radius) & (or (not r.tag) (= r.radius 0)) => (p r.tag r.radius)"}},
		"a datatype that contains itself": {`(declare-rel p (List)) (rule (p (cons 1 nil))) (rule (p nil))`, nil},
		"what an array holds":             {`(declare-rel p (Colour (Array Int Colour))) (declare-var colours (Array Int Colour)) (rule (=> (= q (select colours 1)) (p q colours)))`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			sys := read(t, lists+c.rules)
			next, _, err := variants.Spread(t.Context(), env, sys)
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

// Without a solver every constructor counts as used.
func TestVariantsWithoutSolver(t *testing.T) {
	sys := read(t, lists+`(declare-rel p (Shape)) (rule (p (circle 1))) (rule (p point))`)
	next, _, err := variants.Spread(t.Context(), transform.Environment{}, sys)
	require.NoError(t, err)
	require.Equal(t, []string{"true => (p 0 1 0 0)", "true => (p 2 0 0 0)"}, plainLines(next))
}
