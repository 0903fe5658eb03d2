package partial_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/partial"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt/z3"
)

// The restriction of a clause is determined under every assignment, and true exactly where the evaluator determines the
// constraint to be true and all arguments to have values.
func TestRestrictionIsWhatTheEvaluatorDetermines(t *testing.T) {
	seen := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		var sys *chc.System
		if rapid.Bool().Draw(t, "datatypes") {
			mixture := hornoracle.DefaultMixture(hornoracle.Ints | hornoracle.Records | hornoracle.Recursive)
			mixture.Partial = true
			sys = hornoracle.DrawOver(t, mixture)
		} else {
			shape := hornoracle.DefaultShape()
			shape.Partial = true
			shape.Number = rapid.SampledFrom([]*term.Sort{term.Int, term.Real}).Draw(t, "numbers")
			sys = hornoracle.Draw(t, shape)
		}
		restriction := partial.NewRestriction(sys.Pool)
		for _, c := range sys.Clauses {
			f := restriction.Clause(c)
			values := term.MapAssignment{}
			for _, x := range c.Vars() {
				values[x] = drawValue(t, sys.Pool, x.Sort(), 2)
			}
			ev := term.NewEvaluator(sys.Pool, values)
			want := ev.True(c.Constraint)
			for _, a := range append(c.Body[:len(c.Body):len(c.Body)], heads(c)...) {
				for _, arg := range a.Args {
					_, ok := ev.Eval(arg)
					want = want && ok
				}
			}
			got, ok := ev.Eval(f)
			// The evaluator also sees that branches of an undetermined condition agree, which the restriction does not.
			if !ok || got.Bool() != want {
				require.True(t, want && strings.Contains(term.Format(f), "ite") || !got.Bool() && want, "%s\n%s\n%v", c.Constraint, f, values)
			}
			seen[want]++
		}
	})
	require.Positive(t, seen[true])
	require.Positive(t, seen[false])
}

func heads(c *chc.Clause) []chc.App {
	if c.Head == nil {
		return nil
	}
	return []chc.App{*c.Head}
}

func drawValue(t *rapid.T, p *term.Pool, s *term.Sort, depth int) term.Value {
	switch s.Kind {
	case term.IntKind, term.RealKind:
		return term.NumValue(term.NewInt(rapid.Int64Range(-1, 2).Draw(t, "number")), s)
	case term.BoolKind:
		return term.BoolValue(rapid.Bool().Draw(t, "truth"))
	case term.DatatypeKind:
		if depth == 0 {
			return term.DefaultValue(p, s)
		}
		c := rapid.SampledFrom(s.Data.Constructors).Draw(t, "constructor")
		var args []*term.Term
		for _, sel := range c.Selectors {
			args = append(args, drawValue(t, p, sel.Sort, depth-1).Term(p))
		}
		return term.TermValue(p.Construct(c, args...))
	}
	return term.DefaultValue(p, s)
}

const lists = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))\n(declare-fun P (Int) Bool)\n(declare-fun Q (L) Bool)\n"

// A refutation whose values depend on what is open gets others, or ground terms that hold for every choice, or is left.
func TestComplete(t *testing.T) {
	for name, c := range map[string]struct {
		clauses string
		terms   int // values that are ground terms; -1: there is no such refutation
	}{
		"other value":        {"(assert (forall ((v Int)) (P v))) (assert (forall ((v Int)) (=> (P (div 1 v)) false)))", 0},
		"any value":          {"(assert (forall ((v Int)) (P v))) (assert (=> (P (abs (div 2 0))) false))", 1},
		"selector":           {"(assert (forall ((v Int)) (P v))) (assert (=> (P (+ 1 (hd nil))) false))", 1},
		"list":               {"(assert (forall ((l L)) (Q (cons 1 l)))) (assert (=> (Q (cons 1 (tl nil))) false))", 1},
		"consistent":         {"(assert (P (mod 3 0))) (assert (=> (P (mod 3 0)) false))", 0},
		"other arguments":    {"(assert (P (mod 3 0))) (assert (=> (P (mod 4 0)) false))", -1},
		"other operation":    {"(assert (P (mod 3 0))) (assert (=> (P (div 3 0)) false))", -1},
		"one value":          {"(assert (P 5)) (assert (=> (P (div 1 0)) false))", -1},
		"behind a condition": {"(assert (P (div 3 0))) (assert (forall ((v Int) (w Int) (b Bool)) (=> (and (P v) (ite b (= w 1) (= w (* 2 v))) (or (= v 1) (= w (+ v v)))) false)))", 2},
		"through constraint": {"(assert (forall ((v Int)) (=> (> v (div 1 0)) (P v)))) (assert (forall ((v Int)) (=> (and (P v) (= v (+ 1 (div 1 0)))) false)))", 2},
	} {
		t.Run(name, func(t *testing.T) {
			script, err := smtlib.Read("f", []byte("(set-logic HORN)\n"+lists+c.clauses), term.NewPool())
			require.NoError(t, err)
			sys := script.System
			ref := &witness.Refutation{}
			for i, cl := range sys.Clauses {
				step := witness.Step{Clause: cl, Values: map[*term.Term]term.Value{}}
				for _, x := range cl.Vars() {
					step.Values[x] = term.DefaultValue(sys.Pool, x.Sort())
				}
				if i > 0 {
					step.Premises = []int{i - 1}
				}
				ref.Steps = append(ref.Steps, step)
			}
			out, err := partial.Complete(t.Context(), z3.Open, sys, ref)
			require.NoError(t, err)
			if c.terms < 0 {
				require.Nil(t, out)
				return
			}
			require.NoError(t, witness.CheckRefutation(context.Background(), sys, out))
			n := 0
			for _, s := range out.Steps {
				n += len(s.Terms)
			}
			require.Equal(t, c.terms, n)

			// A term that is another choice's value is not accepted in its place.
			for i, s := range out.Steps {
				for x, u := range s.Terms {
					if x.Sort() != term.Int {
						continue
					}
					s.Terms[x] = sys.Pool.Add(u, sys.Pool.Int(1))
					require.Error(t, witness.CheckRefutation(context.Background(), sys, out), "step %d", i)
					s.Terms[x] = u
				}
			}

			// It can be printed and read again.
			var b strings.Builder
			require.NoError(t, witness.PrintRefutation(&b, sys, out))
			again, err := smtlib.ReadRefutation("r", []byte(b.String()), script)
			require.NoError(t, err, b.String())
			require.NoError(t, witness.CheckRefutation(context.Background(), sys, again))
			require.Equal(t, out.Steps[0].Terms, again.Steps[0].Terms)
			_, err = witness.RefutationJSON(sys, out)
			require.NoError(t, err)
		})
	}
}
