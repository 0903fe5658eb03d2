package rule_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/rule"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// drawValue draws a value near those that drawn clauses compare with.
func drawValue(t *rapid.T, p *term.Pool, s *term.Sort) term.Value {
	if s == term.Bool {
		return term.TermValue(p.Bool(rapid.Bool().Draw(t, "truth")))
	}
	return term.TermValue(p.Int(rapid.Int64Range(-1, 3).Draw(t, "number")))
}

// byClause returns the rule of a clause, nil when it has none.
func byClause(s *rule.System, c *chc.Clause) *rule.Rule {
	for _, r := range s.Rules {
		if r.Clause == c {
			return r
		}
	}
	return nil
}

// variables are those of a rule: parameters, copies and locals.
func variables(r *rule.Rule) []*term.Term {
	vars := append([]*term.Term{}, r.Head.Params...)
	for _, a := range r.Body {
		vars = append(vars, a.Args...)
	}
	return append(vars, r.Locals...)
}

// values evaluates terms, each of which has a value.
func values(t *rapid.T, e *term.Evaluator, ts []*term.Term) []term.Value {
	out := make([]term.Value, len(ts))
	for i, u := range ts {
		v, ok := e.Eval(u)
		require.True(t, ok)
		out[i] = v
	}
	return out
}

// carried is the assignment of a rule that one of its clause is: parameters and copies get the values of the arguments.
func carried(t *rapid.T, r *rule.Rule, clause *term.Evaluator) term.MapAssignment {
	out := term.MapAssignment{}
	set := func(vars, args []*term.Term) {
		for i, v := range values(t, clause, args) {
			out[vars[i]] = v
		}
	}
	if r.Clause.Head != nil {
		set(r.Head.Params, r.Clause.Head.Args)
	}
	for i, a := range r.Clause.Body {
		set(r.Body[i].Args, a.Args)
	}
	for _, v := range r.Clause.Vars() {
		if _, known := out[r.Values[v]]; !known {
			set([]*term.Term{r.Values[v]}, []*term.Term{v})
		}
	}
	return out
}

// A rule holds under an assignment exactly when its clause does under the one that is carried over, in both directions.
func TestRuleHoldsWhenItsClauseDoes(t *testing.T) {
	held, failed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sys := hornoracle.Draw(t, hornoracle.DefaultShape())
		s := rule.New(sys)
		for _, c := range sys.Clauses {
			assignment := term.MapAssignment{}
			for _, v := range c.Vars() {
				assignment[v] = drawValue(t, sys.Pool, v.Sort())
			}
			clause := term.NewEvaluator(sys.Pool, assignment)
			r := byClause(s, c)
			if r == nil {
				require.False(t, clause.True(c.Constraint))
				continue
			}
			own := carried(t, r, clause)
			require.Equal(t, clause.True(c.Constraint), term.NewEvaluator(sys.Pool, own).True(r.Trans))

			// One value more or less is another assignment of the rule, that may be none of the clause.
			if vars := variables(r); len(vars) > 0 {
				v := rapid.SampledFrom(vars).Draw(t, "variable")
				own[v] = drawValue(t, sys.Pool, v.Sort())
			}
			ofRule := term.NewEvaluator(sys.Pool, own)
			step, err := r.Step(ofRule.Eval, nil)
			require.NoError(t, err)
			require.Same(t, c, step.Clause)
			back := term.NewEvaluator(sys.Pool, term.MapAssignment(step.Values))
			holds := back.True(c.Constraint)
			if c.Head != nil {
				holds = holds && equal(values(t, back, c.Head.Args), values(t, ofRule, r.Head.Params))
			}
			for i, a := range c.Body {
				holds = holds && equal(values(t, back, a.Args), values(t, ofRule, r.Body[i].Args))
			}
			require.Equal(t, holds, ofRule.True(r.Trans))
			if holds {
				held++
			} else {
				failed++
			}
		}
	})
	require.Positive(t, held)
	require.Positive(t, failed)
}

func equal(as, bs []term.Value) bool {
	for i, a := range as {
		if !a.Equal(bs[i]) {
			return false
		}
	}
	return true
}

// Rules are closed over parameters, copies and locals; locals and tags are one rule's only; slots and uses say where
// predicates occur.
func TestVariablesOfRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rule.New(hornoracle.Draw(t, hornoracle.DefaultShape()))
		owned := map[*term.Term]*rule.Rule{}
		uses := 0
		for _, r := range s.Rules {
			own := map[*term.Term]bool{}
			for _, v := range variables(r) {
				require.False(t, own[v], "%s stands for two things", v)
				own[v] = true
			}
			for _, v := range term.Vars(r.Trans) {
				require.True(t, own[v], "%s is free", v)
			}
			for _, v := range append(r.Locals, r.Tag) {
				require.Nil(t, owned[v])
				owned[v] = r
			}
			require.Contains(t, r.Head.Rules, r)
			for i, a := range r.Body {
				require.Same(t, a, r.Head.Slots[r.Slots[i]])
				require.Contains(t, a.Pred.Uses, rule.Use{Rule: r, Position: i})
				uses++
			}
			parts := []*term.Term{r.Constraint}
			for e := range r.Equations() {
				parts = append(parts, s.Pool.Eq(e.Var, e.Arg))
				require.False(t, term.Contains(s.Pool.And(r.Constraint, s.Pool.Eq(e.Arg, e.Arg)), e.Var))
			}
			require.Same(t, r.Trans, s.Pool.And(parts...))
		}
		for _, p := range s.Predicates {
			uses -= len(p.Uses)
		}
		require.Zero(t, uses)
	})
}

// An instance of a predicate's rules holds where the rules do, and shares no variable with them or another instance.
func TestInstantiate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rule.New(hornoracle.Draw(t, hornoracle.DefaultShape()))
		seen := map[*term.Term]bool{}
		for _, p := range s.Predicates {
			for range 2 {
				args := p.Fresh()
				m := p.Instantiate(args, nil)
				for i, v := range p.Params {
					require.Same(t, args[i], m[v])
				}
				for _, r := range p.Rules {
					for _, v := range term.Vars(s.Pool.Substitute(r.Trans, m)) {
						require.NotContains(t, variables(r), v)
					}
				}
				for _, v := range m {
					require.False(t, seen[v])
					seen[v] = true
				}
				if len(p.Slots) > 0 && len(p.Slots[0].Args) > 0 {
					left := p.Slots[0].Args[0]
					require.NotContains(t, p.Instantiate(args, map[*term.Term]bool{left: true}), left)
				}
			}
		}
	})
}

// Models over parameters and derivations over rules, carried back, pass the checks of the clauses.
func TestWitnesses(t *testing.T) {
	sat, unsat := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		shape := hornoracle.DefaultShape()
		shape.Loose = 0
		sys := hornoracle.Draw(t, shape)
		s := rule.New(sys)
		found := hornoracle.Solve(sys, hornoracle.DefaultOptions())
		if ref := found.Refutation(); ref != nil {
			unsat++
			out := &witness.Refutation{}
			for _, step := range ref.Steps {
				r := byClause(s, step.Clause)
				own := carried(t, r, term.NewEvaluator(sys.Pool, term.MapAssignment(step.Values)))
				carriedBack, err := r.Step(term.NewEvaluator(sys.Pool, own).Eval, step.Premises)
				require.NoError(t, err)
				out.Steps = append(out.Steps, carriedBack)
			}
			require.NoError(t, witness.CheckRefutation(t.Context(), sys, out))
		} else if found.Exhausted {
			sat++
			points := found.Model()
			m := s.Model(func(p *rule.Predicate) []*term.Term {
				return []*term.Term{points.Interpretations[p.Source].Apply(sys.Pool, p.Params)}
			})
			require.NoError(t, witness.CheckModel(t.Context(), z3.Open, sys, m, smt.Limit{}))
			// What the model says of body atoms and head, in terms of copies and parameters, every rule preserves.
			copies := rule.NewRenamer(s)
			for _, r := range s.Rules {
				parts := []*term.Term{r.Trans}
				for _, a := range r.Body {
					parts = append(parts, copies.ToCopy(a, m.Interpretations[a.Pred.Source].Body))
				}
				if r.Head.Source != nil {
					parts = append(parts, sys.Pool.Not(m.Interpretations[r.Head.Source].Body))
				}
				require.Equal(t, smt.Unsat, check(t, sys.Pool, parts))
			}
		}
	})
	require.Positive(t, sat)
	require.Positive(t, unsat)
}

func check(t *rapid.T, p *term.Pool, formulas []*term.Term) smt.Status {
	c, err := z3.Open(p, smt.Config{})
	require.NoError(t, err)
	defer c.Close()
	solver, err := c.NewSolver(smt.Params{})
	require.NoError(t, err)
	require.NoError(t, solver.Assert(formulas...))
	status, err := solver.Check(t.Context())
	require.NoError(t, err)
	return status
}

// A step whose variables have no values is an error that names the variable and the predicate.
func TestUndeterminedStep(t *testing.T) {
	s := rule.New(read(t, `(declare-fun p (Int) Bool) (assert (forall ((x Int)) (=> (> x 0) (p x))))`))
	_, err := s.Rules[0].Step(term.NewEvaluator(s.Pool, term.MapAssignment{}).Eval, nil)
	require.EqualError(t, err, "the value of x in a step of the refutation, for p, is not determined")
}

// The n-th occurrence of a predicate has the n-th copy, whatever stands between; renaming to a copy and back is nothing.
func TestCopies(t *testing.T) {
	s := rule.New(read(t, `(declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
		(assert (p 0))
		(assert (forall ((x Int) (y Int)) (=> (and (q x) (p y) (p x)) (q y))))
		(assert (forall ((x Int)) (=> (and (p x) (q x)) (q (+ x 1)))))
		(assert (forall ((x Int)) (=> (q x) false)))`))
	p, q := s.Predicates[0], s.Predicates[1]
	two, one := s.Rules[1], s.Rules[2]
	require.Equal(t, []*rule.Predicate{q, p, p}, []*rule.Predicate{two.Body[0].Pred, two.Body[1].Pred, two.Body[2].Pred})
	require.Same(t, two.Body[1], one.Body[0])
	require.NotSame(t, two.Body[1], two.Body[2])
	require.Same(t, two.Body[0], s.Goal.Rules[0].Body[0])
	require.Len(t, q.Slots, 3)

	f := s.Pool.Gt(p.Params[0], s.Pool.Int(3))
	n := rule.NewRenamer(s)
	require.Same(t, s.Pool.Gt(two.Body[2].Args[0], s.Pool.Int(3)), n.ToCopy(two.Body[2], f))
	require.Same(t, f, n.ToParams(two.Body[2], n.ToCopy(two.Body[2], f)))
	require.Same(t, s.Pool.Gt(s.Pool.Int(7), s.Pool.Int(3)), p.At(f, []*term.Term{s.Pool.Int(7)}))
}

func TestVocabulary(t *testing.T) {
	sys := read(t, `(declare-fun p (Int (Array Int Int)) Bool)
		(assert (forall ((x Int) (a (Array Int Int))) (=> (= (mod x 4) 3) (p 7 a))))
		(assert (forall ((x Int) (y Int) (a (Array Int Int))) (=> (and (p x a) (> (* 5 x) (* 3 y)) (= (div x (- 6)) 2)) (p 9 a))))`)
	v := rule.NewVocabulary(sys)
	var numbers []int64
	for _, t := range v.Numerals {
		n, _ := t.Num().Int64()
		numbers = append(numbers, n)
	}
	for _, n := range []int64{4, 5, 6, 7, 9} {
		require.Contains(t, numbers, n)
	}
	require.Equal(t, 1, v.Count[sys.Pool.Int(9)])
	require.Equal(t, v.Numerals, v.Values)
	require.Equal(t, []term.Num{term.NewInt(4), term.NewInt(6)}, v.Divisors)
	require.True(t, v.Divides)
	require.Equal(t, term.NewInt(5), v.Coefficient)
	require.True(t, v.Arrays)
	require.False(t, v.Variants)

	none := rule.NewVocabulary(read(t, `(declare-fun p (Bool) Bool) (assert (p true))`))
	require.Empty(t, none.Numerals)
	require.Empty(t, none.Values)
	require.False(t, none.Divides || none.Arrays || none.Variants)
	require.True(t, none.Coefficient.IsZero())
}

func read(t *testing.T, src string) *chc.System {
	script, err := smtlib.Read("test.smt2", []byte("(set-logic HORN)"+src), term.NewPool())
	require.NoError(t, err)
	return script.System
}
