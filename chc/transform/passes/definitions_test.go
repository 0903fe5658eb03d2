package passes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/inline"
	"hornbeam/chc/transform/prune"
	"hornbeam/chc/transform/simplify"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// A model's recursive functions survive every pass; the interpretation of a predicate that was inlined may need them.
func TestDefinitionsAreCarriedBack(t *testing.T) {
	for name, use := range map[string]string{
		"the function is not needed": "(rule (=> (and (uses m k) ((_ is cons) k) (= m nil)) false))",
		"the function is needed":     "(rule (=> (and (uses m k) (= k (cons 0 (cons 1 nil))) (= m (cons 2 nil))) false))",
	} {
		t.Run(name, func(t *testing.T) {
			sys := read(t, `(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
				(declare-rel append (List List List Int)) (declare-rel uses (List List)) (declare-rel dead (Int))
				(declare-var l List) (declare-var k List) (declare-var m List) (declare-var h Int) (declare-var n Int)
				(rule (append nil k k n))
				(rule (=> (append l k m n) (append (cons h l) k (cons h m) n)))
				(rule (=> (append l k m n) (uses m k))) (rule (=> (dead n) (uses l l)))`+use)
			next, back, _, err := transform.Pipeline(t.Context(), env, sys,
				[]transform.Pass{simplify.Normalise(), prune.ConeOfInfluence(), prune.FreeArguments(), prune.Slice(), inline.Pass()})
			require.NoError(t, err)
			require.Len(t, next.Predicates, 1)
			p, list := sys.Pool, sys.Datatypes[0]
			size := witness.NewFunction(next, "size", []*term.Sort{list}, term.Int)
			l := p.Var("l", list)
			none, cons := list.Data.Constructors[0], list.Data.Constructors[1]
			m := witness.NewModel()
			m.Definitions = []witness.Definition{{Func: size, Params: []*term.Term{l},
				Body: p.Ite(p.Is(none, l), p.Int(0), p.Add(p.Int(1), p.Apply(size, p.Field(cons.Selectors[1], l))))}}
			m.Lemmas = []witness.Lemma{{Vars: []*term.Term{l}, Body: p.Ge(p.Apply(size, l), p.Int(0))}}
			params := witness.CanonicalParams(p, next.Predicates[0])
			require.Len(t, params, 2) // slicing dropped what is appended to
			m.Interpretations[next.Predicates[0]] = witness.Interpretation{Params: params, Body: p.Ge(p.Apply(size, params[1]), p.Apply(size, params[0]))}
			require.NoError(t, witness.CheckModel(t.Context(), z3.Open, next, m, smt.Limit{}))
			old, err := back.Model(t.Context(), m)
			require.NoError(t, err)
			require.Equal(t, m.Definitions, old.Definitions)
			require.Equal(t, m.Lemmas, old.Lemmas)
			require.NoError(t, witness.CheckModel(t.Context(), z3.Open, sys, old, smt.Limit{}))
		})
	}
}
