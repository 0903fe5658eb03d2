package witness_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// clearing fills an array with zeros up to n, and asks for a zero at j.
const clearing = `(set-logic HORN)
(declare-fun loop ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (loop a 0 n)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (loop a i n) (< i n)) (loop (store a i 0) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (j Int))
  (=> (and (loop a i n) (>= i n) (<= 0 j) (< j n) (not (= (select a j) 0))) false)))
`

// readModel reads a system and a model of it.
func readModel(t *testing.T, system, model string) (*smtlib.Script, *witness.Model) {
	script, err := smtlib.Read("system", []byte(system), term.NewPool())
	require.NoError(t, err)
	m, err := smtlib.ReadModel("model", []byte(model), script)
	require.NoError(t, err)
	return script, m
}

func loopModel(body string) string {
	return "(define-fun loop ((a (Array Int Int)) (i Int) (n Int)) Bool " + body + ")"
}

// Models with quantifiers pass when they are models.
func TestQuantifiedModels(t *testing.T) {
	for name, body := range map[string]string{
		"universal":                    "(forall ((k Int)) (=> (and (<= 0 k) (< k i)) (= (select a k) 0)))",
		"index beside the variable":    "(forall ((k Int)) (=> (and (< 0 k) (<= k i)) (= (select a (- k 1)) 0)))",
		"index behind the variable":    "(forall ((k Int)) (=> (and (<= 3 k) (< k (+ i 3))) (= (select a (+ k (- 3))) 0)))",
		"two variables":                "(forall ((j Int) (k Int)) (=> (and (<= 0 j k) (< k i)) (and (= (select a k) 0) (= (select a j) 0))))",
		"a case each":                  "(ite (< i 5) (forall ((k Int)) (=> (and (<= 0 k) (< k i)) (= (select a k) 0))) (not (exists ((k Int)) (and (<= 0 k) (< k i) (not (= (select a k) 0))))))",
		"negated existential":          "(not (exists ((k Int)) (and (<= 0 k) (< k i) (not (= (select a k) 0)))))",
		"equivalent to a quantifier":   "(= (<= 0 i) (forall ((k Int)) (=> (and (<= 0 k) (< k i)) (and (<= 0 i) (= (select a k) 0)))))",
		"quantifier in a quantifier":   "(forall ((k Int)) (=> (<= 0 k) (or (<= i k) (forall ((j Int)) (=> (= j k) (= (select a j) 0))))))",
		"shadows the clauses variable": "(forall ((j Int)) (=> (and (<= 0 j) (< j i)) (= (select a j) 0)))",
	} {
		script, m := readModel(t, clearing, loopModel(body))
		require.NoError(t, witness.CheckModel(t.Context(), z3.Open, script.System, m, smt.Limit{}), name)
	}
}

// What is not a model is never accepted, whatever its quantifiers look like.
func TestQuantifiedNonModels(t *testing.T) {
	for name, body := range map[string]string{
		"one too many":           "(forall ((k Int)) (=> (and (<= 0 k) (<= k i)) (= (select a k) 0)))",
		"one too few":            "(forall ((k Int)) (=> (and (<= 0 k) (< k (- i 1))) (= (select a k) 0)))",
		"everywhere":             "(forall ((k Int)) (= (select a k) 0))",
		"existential":            "(exists ((k Int)) (and (<= 0 k) (< k i) (= (select a k) 0)))",
		"true":                   "(forall ((k Int)) (=> (= (select a k) 0) (= (select a k) 0)))",
		"false":                  "(forall ((k Int)) (= (select a k) k i))",
		"existential in the way": "(=> (< 0 i) (exists ((k Int)) (= (select a k) 0)))",
		"alternation":            "(forall ((k Int)) (exists ((j Int)) (=> (and (<= 0 k) (< k i)) (= (select a j) 0))))",
	} {
		script, m := readModel(t, clearing, loopModel(body))
		err := witness.CheckModel(t.Context(), z3.Open, script.System, m, smt.Limit{Time: 300 * time.Millisecond})
		require.Error(t, err, name)
		var clause *witness.ClauseError
		require.ErrorAs(t, err, &clause, name)
	}
}

// A wrong model is shown to be wrong, with values, when the solver can.
func TestQuantifiedCounterexample(t *testing.T) {
	script, m := readModel(t, clearing, loopModel("(forall ((k Int)) (=> (and (<= 0 k) (<= k i)) (= (select a k) 0)))"))
	err := witness.CheckModel(t.Context(), z3.Open, script.System, m, smt.Limit{})
	require.ErrorIs(t, err, witness.ErrInvalid)
	var clause *witness.ClauseError
	require.ErrorAs(t, err, &clause)
	require.NotEmpty(t, clause.Values)
}

// unquantified is a solver that must not be asked about quantifiers.
type unquantified struct {
	smt.Context
	t *testing.T
}

func (u unquantified) NewSolver(p smt.Params) (smt.Solver, error) {
	s, err := u.Context.NewSolver(p)
	return unquantifiedSolver{s, u.t}, err
}

type unquantifiedSolver struct {
	smt.Solver
	t *testing.T
}

func (u unquantifiedSolver) Assert(ts ...*term.Term) error {
	for _, t := range ts {
		require.False(u.t, t.HasQuantifier(), "%s", t)
	}
	return u.Solver.Assert(ts...)
}

// The usual invariants are proved without the solver's own handling of quantifiers.
func TestQuantifiedModelsByInstantiation(t *testing.T) {
	script, m := readModel(t, clearing, loopModel("(forall ((k Int)) (=> (and (<= 0 k) (< k i)) (= (select a k) 0)))"))
	open := func(p *term.Pool, c smt.Config) (smt.Context, error) {
		s, err := z3.Open(p, c)
		return unquantified{s, t}, err
	}
	require.NoError(t, witness.CheckModel(t.Context(), open, script.System, m, smt.Limit{}))
}

// What is left of quantified models with products, when their quantifiers are instantiated, is asked of all the solvers that other clauses
// with products are asked of: here only tactics decide anything, and nothing with quantifiers.
func TestQuantifiedModelsWithProducts(t *testing.T) {
	squares := strings.NewReplacer("(store a i 0)", "(store a i (* n n))", "(select a j) 0", "(select a j) (* n n)").Replace(clearing)
	script, m := readModel(t, squares, loopModel("(forall ((k Int)) (=> (and (<= 0 k) (< k i)) (= (select a k) (* n n))))"))
	open := func(p *term.Pool, c smt.Config) (smt.Context, error) {
		s, err := z3.Open(p, c)
		return onlyTactics{s}, err
	}
	require.NoError(t, witness.CheckModel(t.Context(), open, script.System, m, smt.Limit{}))
}

type onlyTactics struct{ smt.Context }

func (c onlyTactics) NewSolver(p smt.Params) (smt.Solver, error) {
	s, err := c.Context.NewSolver(p)
	return &tactics{Solver: s, decides: p.Auto}, err
}

type tactics struct {
	smt.Solver
	decides bool
}

func (s *tactics) Assert(ts ...*term.Term) error {
	for _, t := range ts {
		s.decides = s.decides && !t.HasQuantifier()
	}
	return s.Solver.Assert(ts...)
}

func (s *tactics) Check(ctx context.Context, assumptions ...*term.Term) (smt.Status, error) {
	if !s.decides {
		return smt.Unknown, nil
	}
	return s.Solver.Check(ctx, assumptions...)
}

// A quantified model is printed with patterns, can be read back, and passes again; its JSON says the same.
func TestQuantifiedModelRoundTrip(t *testing.T) {
	script, m := readModel(t, clearing, loopModel("(forall ((k Int)) (=> (and (<= 0 k) (< k i)) (= (select a k) 0)))"))
	var out bytes.Buffer
	require.NoError(t, witness.PrintModel(&out, script.System, m))
	require.Contains(t, out.String(), ":pattern ((select A k))")
	again, err := smtlib.ReadModel("printed", out.Bytes(), script)
	require.NoError(t, err)
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, script.System, again, smt.Limit{}))
	doc, err := witness.ModelJSON(script.System, m)
	require.NoError(t, err)
	text, err := json.Marshal(doc)
	require.NoError(t, err)
	require.Contains(t, string(text), ":pattern ((select A k))")
}

// Simplify leaves models with quantifiers as they are.
func TestSimplifyQuantifiedModel(t *testing.T) {
	script, m := readModel(t, clearing, loopModel("(and (< (- 1) 0) (or (< i 0) (>= i 0)) (forall ((k Int)) (=> (and (<= 0 k) (< k i)) (= (select a k) 0))))"))
	small, err := witness.Simplify(t.Context(), z3.Open, script.System, m, time.Second)
	require.NoError(t, err)
	require.Same(t, m, small)
}

func TestQuantifiedModelStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	script, m := readModel(t, clearing, loopModel("(forall ((k Int)) (= (select a k) 0))"))
	require.ErrorIs(t, witness.CheckModel(ctx, z3.Open, script.System, m, smt.Limit{}), context.Canceled)
}

// A variable of the premises that is named like one of the goal need not be what there is.
func TestExistentialGoalsAreNotRefutedByNames(t *testing.T) {
	const system = `(set-logic HORN)
(declare-fun p ((Array Int Int)) Bool)
(declare-fun q ((Array Int Int)) Bool)
(assert (forall ((a (Array Int Int)) (x Int)) (=> (and (= x 3) (= (select a 5) 7)) (p a))))
(assert (forall ((a (Array Int Int)) (x Int)) (=> (and (p a) (= (select a x) 7)) (q a))))
`
	const model = `(define-fun p ((a (Array Int Int))) Bool (exists ((x Int)) (= (select a x) 7)))
(define-fun q ((a (Array Int Int))) Bool %s)`
	for body, right := range map[string]bool{"(exists ((x Int)) (= (select a x) 7))": true, "(exists ((x Int)) (> (select a x) 7))": false} {
		script, m := readModel(t, system, fmt.Sprintf(model, body))
		err := witness.CheckModel(t.Context(), z3.Open, script.System, m, smt.Limit{})
		if right {
			require.NoError(t, err)
		} else {
			require.Error(t, err)
		}
	}
}
