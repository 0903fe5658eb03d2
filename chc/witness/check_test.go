package witness_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// The checkers must accept what a brute-force fixpoint finds.
func TestRightWitnessesAreAccepted(t *testing.T) {
	sat, unsat := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sys := drawSystem(t)
		m, r := decide(sys)
		if m != nil {
			sat++
			require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, m, smt.Limit{}))
			return
		}
		unsat++
		require.NoError(t, witness.CheckRefutation(context.Background(), sys, r))
	})
	require.Positive(t, sat)
	require.Positive(t, unsat)
}

// A model with a planted fault must be accepted exactly when it is one by trial of all assignments, and a refused one
// comes with a clause and values that are a counterexample.
func TestModelCheckerAgreesWithTrial(t *testing.T) {
	broken := 0
	rapid.Check(t, func(t *rapid.T) {
		sys := drawSystem(t)
		m, _ := decide(sys)
		if m == nil {
			m = witness.NewModel()
			for _, pred := range sys.Predicates {
				m.Interpretations[pred] = witness.False(sys.Pool, pred)
			}
		}
		for range rapid.IntRange(1, 2).Draw(t, "faults") {
			m = plantInModel(t, sys, m)
		}
		err := witness.CheckModel(context.Background(), z3.Open, sys, m, smt.Limit{})
		if modelHolds(sys, m) {
			require.NoError(t, err)
			return
		}
		broken++
		require.ErrorIs(t, err, witness.ErrInvalid)
		var bad *witness.ClauseError
		require.ErrorAs(t, err, &bad)
		values := map[*term.Term]term.Value{}
		for _, b := range bad.Values {
			values[b.Var] = b.Value
		}
		require.True(t, counterexample(sys.Pool, bad.Clause, m, values), "%v", err)
	})
	require.Positive(t, broken)
}

// A refutation with a planted fault must be accepted exactly when substituting and folding says that it is one.
func TestRefutationCheckerAgreesWithSubstitution(t *testing.T) {
	broken := 0
	rapid.Check(t, func(t *rapid.T) {
		sys := drawSystem(t)
		_, r := decide(sys)
		if r == nil {
			return
		}
		r = plantInRefutation(t, sys, r)
		err := witness.CheckRefutation(context.Background(), sys, r)
		if refutes(sys, r) {
			require.NoError(t, err)
			return
		}
		broken++
		require.ErrorIs(t, err, witness.ErrInvalid)
	})
	require.Positive(t, broken)
}

// counter is x = 0 => inv(x); inv(x) and x < 10 => inv(x+1); inv(x) and x > 10 => false.
func counter() (*chc.System, *chc.Predicate, *term.Term) {
	p := term.NewPool()
	inv := &chc.Predicate{Name: "inv", Sorts: []*term.Sort{term.Int}, ArgNames: []string{"x"}}
	x := p.Var("x", term.Int)
	at := func(t *term.Term) chc.App { return chc.App{Pred: inv, Args: []*term.Term{t}} }
	first, next := at(p.Int(0)), at(p.Add(x, p.Int(1)))
	return &chc.System{Pool: p, Predicates: []*chc.Predicate{inv}, Clauses: []*chc.Clause{
		{ID: 0, Constraint: p.True(), Head: &first},
		{ID: 1, Body: []chc.App{at(x)}, Constraint: p.Lt(x, p.Int(10)), Head: &next},
		{ID: 2, Body: []chc.App{at(x)}, Constraint: p.Gt(x, p.Int(10)), Pos: chc.Position{File: "a.smt2", Line: 7, Column: 1}},
	}}, inv, x
}

func model(pred *chc.Predicate, params []*term.Term, body *term.Term) *witness.Model {
	return &witness.Model{Interpretations: map[*chc.Predicate]witness.Interpretation{pred: {Params: params, Body: body}}}
}

func check(sys *chc.System, m *witness.Model) error {
	return witness.CheckModel(context.Background(), z3.Open, sys, m, smt.Limit{})
}

func TestCheckModelNamesClauseAndValues(t *testing.T) {
	sys, inv, x := counter()
	p := sys.Pool
	require.NoError(t, check(sys, model(inv, []*term.Term{x}, p.Le(x, p.Int(10)))))

	err := check(sys, model(inv, []*term.Term{x}, p.Le(x, p.Int(11))))
	require.ErrorIs(t, err, witness.ErrInvalid)
	require.ErrorContains(t, err, "clause 2 at a.smt2:7:1 [inv => false]")
	require.ErrorContains(t, err, "x = 11")
}

func TestCheckModelRefusesIllFormedModels(t *testing.T) {
	sys, inv, x := counter()
	p := sys.Pool
	y, r := p.Var("y", term.Int), p.Var("x", term.Real)
	other := term.NewPool()
	for _, c := range []struct {
		model  *witness.Model
		detail string
	}{
		{witness.NewModel(), "no interpretation of predicate inv"},
		{model(inv, []*term.Term{x, y}, p.True()), "2 parameters for 1 arguments"},
		{model(inv, []*term.Term{r}, p.True()), "sort Real and not Int"},
		{model(inv, []*term.Term{p.Int(1)}, p.True()), "not a variable"},
		{model(inv, []*term.Term{x}, p.Le(x, y)), "y is not a parameter"},
		{model(inv, []*term.Term{x}, x), "body has sort Int"},
		{model(inv, []*term.Term{x}, nil), "no body"},
		{model(inv, []*term.Term{x}, other.True()), "body belongs to another pool"},
		{model(inv, []*term.Term{other.Var("x", term.Int)}, p.True()), "parameter 0 belongs to another pool"},
	} {
		err := check(sys, c.model)
		require.ErrorIs(t, err, witness.ErrInvalid)
		require.ErrorContains(t, err, c.detail)
	}
	pair := &chc.Predicate{Name: "pair", Sorts: []*term.Sort{term.Int, term.Int}}
	err := check(&chc.System{Pool: p, Predicates: []*chc.Predicate{pair}}, model(pair, []*term.Term{x, x}, p.True()))
	require.ErrorIs(t, err, witness.ErrInvalid)
	require.ErrorContains(t, err, "x occurs twice")
}

// inv(a, n): cells below n are zero. The interpretation is quantified, in the body and in the head of the step clause.
func TestCheckModelAcceptsQuantifiedInterpretations(t *testing.T) {
	p := term.NewPool()
	array := p.Array(term.Int, term.Int)
	inv := &chc.Predicate{Name: "inv", Sorts: []*term.Sort{array, term.Int}}
	a, n, k := p.Var("a", array), p.Var("n", term.Int), p.Var("k", term.Int)
	first := chc.App{Pred: inv, Args: []*term.Term{a, p.Int(0)}}
	body := chc.App{Pred: inv, Args: []*term.Term{a, n}}
	step := chc.App{Pred: inv, Args: []*term.Term{p.Store(a, n, p.Int(0)), p.Add(n, p.Int(1))}}
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{inv}, Clauses: []*chc.Clause{
		{ID: 0, Constraint: p.True(), Head: &first},
		{ID: 1, Body: []chc.App{body}, Constraint: p.True(), Head: &step},
		{ID: 2, Body: []chc.App{body}, Constraint: p.And(p.Le(p.Int(0), k), p.Lt(k, n), p.Ne(p.Select(a, k), p.Int(0)))},
	}}
	// The bound variable is called n, as the clauses' own: substitution has to keep them apart.
	params := []*term.Term{p.Var("b", array), p.Var("m", term.Int)}
	below := func(bound *term.Term, last int64) *term.Term {
		return p.Forall([]*term.Term{bound}, p.Implies(
			p.And(p.Le(p.Int(0), bound), p.Lt(bound, p.Add(params[1], p.Int(last)))),
			p.Eq(p.Select(params[0], bound), p.Int(0))))
	}
	quantified := func(body *term.Term) error {
		return witness.CheckModel(context.Background(), z3.Open, sys, model(inv, params, body), smt.Limit{Time: time.Second})
	}
	require.NoError(t, quantified(p.And(p.Le(p.Int(0), params[1]), below(n, 0))))
	require.Error(t, quantified(p.And(p.Le(p.Int(0), params[1]), below(n, 1))))
	require.Error(t, quantified(p.Le(p.Int(0), params[1])))
}

// silent opens contexts whose solvers never decide anything; it counts the checks.
func silent(checks *int) smt.Opener {
	return func(*term.Pool, smt.Config) (smt.Context, error) { return silentContext{checks}, nil }
}

type silentContext struct{ checks *int }

func (c silentContext) NewSolver(smt.Params) (smt.Solver, error) { return silentSolver(c), nil }
func (silentContext) SetPatterns(*term.Term, [][]*term.Term)     {}
func (silentContext) Stats() smt.Stats                           { return smt.Stats{} }
func (silentContext) Close()                                     {}

type silentSolver struct{ checks *int }

func (silentSolver) Assert(...*term.Term) error { return nil }
func (silentSolver) Push() error                { return nil }
func (silentSolver) Pop() error                 { return nil }
func (s silentSolver) Check(ctx context.Context, _ ...*term.Term) (smt.Status, error) {
	*s.checks++
	return smt.Unknown, ctx.Err()
}
func (silentSolver) Core() []*term.Term         { return nil }
func (silentSolver) Model() (*smt.Model, error) { return nil, errors.New("no model") }
func (silentSolver) Proof() (*smt.Proof, error) { return nil, smt.ErrNoProofs }
func (silentSolver) ReasonUnknown() string      { return "silent" }
func (silentSolver) SetLimit(smt.Limit)         {}
func (silentSolver) SetParams(smt.Params) error { return nil }
func (silentSolver) Close()                     {}

// A solver that decides nothing makes the check undecided, never passed and never failed; a done context is an error of
// its own; a broken opener is neither.
func TestOutcomesAreDistinct(t *testing.T) {
	sys, inv, x := counter()
	m := model(inv, []*term.Term{x}, sys.Pool.Le(x, sys.Pool.Int(10)))
	checks := 0
	err := witness.CheckModel(context.Background(), silent(&checks), sys, m, smt.Limit{})
	require.ErrorIs(t, err, witness.ErrUndecided)
	require.NotErrorIs(t, err, witness.ErrInvalid)
	require.Greater(t, checks, len(sys.Clauses), "more than one attempt")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err = witness.CheckModel(ctx, z3.Open, sys, m, smt.Limit{})
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, witness.ErrUndecided)

	err = witness.CheckRefutation(ctx, sys, &witness.Refutation{Steps: []witness.Step{{Clause: sys.Clauses[0]}}})
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, witness.ErrInvalid)

	broken := errors.New("no solver")
	err = witness.CheckModel(context.Background(), func(*term.Pool, smt.Config) (smt.Context, error) { return nil, broken }, sys, m, smt.Limit{})
	require.ErrorIs(t, err, broken)
	require.NotErrorIs(t, err, witness.ErrUndecided)
}

// narrow opens solvers that decide nothing about a negated conjunction.
func narrow(p *term.Pool, c smt.Config) (smt.Context, error) {
	inner, err := z3.Open(p, c)
	return narrowContext{inner}, err
}

type narrowContext struct{ smt.Context }

func (c narrowContext) NewSolver(p smt.Params) (smt.Solver, error) {
	inner, err := c.Context.NewSolver(p)
	return &narrowSolver{Solver: inner}, err
}

type narrowSolver struct {
	smt.Solver
	wide bool
}

func (s *narrowSolver) Pop() error {
	s.wide = false
	return s.Solver.Pop()
}

func (s *narrowSolver) Assert(ts ...*term.Term) error {
	for _, t := range ts {
		s.wide = s.wide || t.IsNot() && t.Arg(0).IsAnd()
	}
	return s.Solver.Assert(ts...)
}

func (s *narrowSolver) Check(ctx context.Context, as ...*term.Term) (smt.Status, error) {
	if s.wide {
		return smt.Unknown, ctx.Err()
	}
	return s.Solver.Check(ctx, as...)
}

// What no attempt decides as a whole is decided conjunct by conjunct of the head, both ways.
func TestCheckModelSplitsHeads(t *testing.T) {
	sys, inv, x := counter()
	p := sys.Pool
	split := func(low, high int64) error {
		m := model(inv, []*term.Term{x}, p.And(p.Ge(x, p.Int(low)), p.Le(x, p.Int(high))))
		return witness.CheckModel(context.Background(), narrow, sys, m, smt.Limit{})
	}
	require.NoError(t, split(0, 10))
	require.ErrorIs(t, split(0, 9), witness.ErrInvalid)
	require.ErrorIs(t, split(1, 10), witness.ErrInvalid)
}

func TestCheckRefutationNamesStepAndClause(t *testing.T) {
	sys, _, x := counter()
	p := sys.Pool
	sys.Clauses[2].Constraint = p.Ge(x, p.Int(2))
	at := func(n int64) map[*term.Term]term.Value {
		return map[*term.Term]term.Value{x: term.NumValue(term.NewInt(n), term.Int)}
	}
	steps := func() []witness.Step {
		return []witness.Step{
			{Clause: sys.Clauses[0]},
			{Clause: sys.Clauses[1], Values: at(0), Premises: []int{0}},
			{Clause: sys.Clauses[1], Values: at(1), Premises: []int{1}},
			{Clause: sys.Clauses[2], Values: at(2), Premises: []int{2}},
		}
	}
	require.NoError(t, witness.CheckRefutation(context.Background(), sys, &witness.Refutation{Steps: steps()}))

	bad := steps()
	bad[3].Values = at(1)
	err := witness.CheckRefutation(context.Background(), sys, &witness.Refutation{Steps: bad})
	require.ErrorIs(t, err, witness.ErrInvalid)
	require.ErrorContains(t, err, "step 3 (clause 2 at a.smt2:7:1 [inv => false]): its constraint is false")
	require.ErrorContains(t, err, "argument 0 of atom 0 is 1, but premise 2 derives inv with 2")
	require.ErrorIs(t, witness.CheckRefutation(context.Background(), sys, &witness.Refutation{}), witness.ErrInvalid)
}

// A value has to be one of its variable's sort, in canonical form.
func TestCheckRefutationRefusesForeignValues(t *testing.T) {
	p := term.NewPool()
	array := p.Array(term.Int, term.Int)
	x, r, b := p.Var("x", term.Int), p.Var("r", term.Real), p.Var("b", term.Bool)
	v, a := p.Var("v", p.BitVec(8)), p.Var("a", array)
	num := func(n, d int64, s *term.Sort) term.Value { return term.NumValue(term.NewRat(n, d), s) }
	for _, c := range []struct {
		variable *term.Term
		good     term.Value
		bad      []term.Value
	}{
		{x, num(-2, 1, term.Int), []term.Value{num(1, 2, term.Int), num(2, 1, term.Real), term.BoolValue(true), {}}},
		{r, num(1, 2, term.Real), []term.Value{num(2, 1, term.Int)}},
		{b, term.BoolValue(true), []term.Value{num(2, 1, term.Bool), num(1, 1, term.Int)}},
		{v, num(255, 1, v.Sort()), []term.Value{num(256, 1, v.Sort()), num(-1, 1, v.Sort()), num(1, 2, v.Sort()), num(1, 1, p.BitVec(9))}},
		{a, term.TermValue(p.ConstArray(array, p.Int(0))), []term.Value{num(1, 1, array), num(1, 1, term.Int)}},
	} {
		use := p.Eq(c.variable, p.Var("other", c.variable.Sort()))
		sys := &chc.System{Pool: p, Clauses: []*chc.Clause{{Constraint: p.Or(use, p.Var("c", term.Bool))}}}
		check := func(v term.Value) error {
			return witness.CheckRefutation(context.Background(), sys, &witness.Refutation{Steps: []witness.Step{{
				Clause: sys.Clauses[0],
				Values: map[*term.Term]term.Value{
					c.variable: v, p.Var("other", c.variable.Sort()): c.good, p.Var("c", term.Bool): term.BoolValue(true),
				},
			}}})
		}
		require.NoError(t, check(c.good))
		for _, v := range c.bad {
			require.ErrorIs(t, check(v), witness.ErrInvalid)
		}
	}
}

// A refutation can't choose what an uninterpreted function does, step by step.
func TestCheckRefutationDoesNotInterpretFunctions(t *testing.T) {
	p := term.NewPool()
	f := p.DeclareFunc("f", []*term.Sort{term.Int}, term.Int)
	x := p.Var("x", term.Int)
	sys := &chc.System{Pool: p, Clauses: []*chc.Clause{{Constraint: p.Gt(p.Apply(f, x), x)}}}
	err := witness.CheckRefutation(context.Background(), sys, &witness.Refutation{Steps: []witness.Step{{
		Clause: sys.Clauses[0],
		Values: map[*term.Term]term.Value{
			x:                    term.NumValue(term.NewInt(1), term.Int),
			p.Apply(f, p.Int(1)): term.NumValue(term.NewInt(2), term.Int),
		},
	}}})
	require.ErrorIs(t, err, witness.ErrUndecided)
}

// What the evaluator can't determine is undecided: here a division by zero.
func TestCheckRefutationUndecided(t *testing.T) {
	sys, _, x := counter()
	p := sys.Pool
	sys.Clauses[2].Constraint = p.Eq(p.IntDiv(x, x), p.Int(7))
	err := witness.CheckRefutation(context.Background(), sys, &witness.Refutation{Steps: []witness.Step{
		{Clause: sys.Clauses[0]},
		{Clause: sys.Clauses[2], Values: map[*term.Term]term.Value{x: term.NumValue(term.NewInt(0), term.Int)}, Premises: []int{0}},
	}})
	require.ErrorIs(t, err, witness.ErrUndecided)
	require.NotErrorIs(t, err, witness.ErrInvalid)
}

// Clauses that convert between integers and bit-vectors are proved, and refused with values where they do not hold.
func TestConversionsOfBitsAreChecked(t *testing.T) {
	p := term.NewPool()
	inv := &chc.Predicate{Name: "inv", Sorts: []*term.Sort{term.Int}}
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	first := chc.App{Pred: inv, Args: []*term.Term{p.BVToNat(p.BV(term.BVAnd, p.NatToBV(8, x), p.NatToBV(8, p.Int(12))))}}
	body := chc.App{Pred: inv, Args: []*term.Term{y}}
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{inv}, Clauses: []*chc.Clause{
		{ID: 0, Constraint: p.Eq(p.BVToNat(p.NatToBV(8, x)), x), Head: &first},
		{ID: 1, Body: []chc.App{body}, Constraint: p.Le(p.Int(13), y)},
	}}
	require.NoError(t, check(sys, model(inv, []*term.Term{x}, p.Le(x, p.Int(12)))))
	err := check(sys, model(inv, []*term.Term{x}, p.Le(x, p.Int(11))))
	require.ErrorIs(t, err, witness.ErrInvalid)
	require.ErrorContains(t, err, "clause 0")
	require.ErrorContains(t, err, "x = ")

	sys.Clauses[1] = &chc.Clause{ID: 1, Body: []chc.App{body}, Constraint: p.Eq(p.BVToNat(p.NatToBV(8, y)), p.Int(12))}
	err = check(sys, model(inv, []*term.Term{x}, p.And(p.Le(p.Int(0), x), p.Le(x, p.Int(12)))))
	require.ErrorIs(t, err, witness.ErrInvalid)
	require.ErrorContains(t, err, "clause 1")
}
