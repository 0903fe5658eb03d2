package induction

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// read reads a system from SMT-LIB.
func read(t require.TestingT, src string) *chc.System {
	script, err := smtlib.Read("test.smt2", []byte(src), term.NewPool())
	require.NoError(t, err)
	return script.System
}

// defaults are bounds with enough time for every query.
var defaults = Options{QueryTime: 2 * time.Second, Readings: 64, Symbols: 3, Terms: 1200, Equations: 120}

// recognise returns the prover of a system.
func recognise(t require.TestingT, sys *chc.System) *Prover {
	solvers, err := z3.Open(sys.Pool, smt.Config{})
	require.NoError(t, err)
	defer solvers.Close()
	check := func(ctx context.Context, formulas ...*term.Term) (smt.Status, error) {
		solver, err := solvers.NewSolver(smt.Params{})
		require.NoError(t, err)
		defer solver.Close()
		require.NoError(t, solver.Assert(formulas...))
		return solver.Check(ctx)
	}
	inv, err := FindInvariants(context.Background(), check, sys)
	require.NoError(t, err)
	pr, err := New(context.Background(), sys, inv, z3.Open, check, defaults)
	require.NoError(t, err)
	return pr
}

// TestFunctionsAreRecognised says how each predicate is to be read, and compares the functions with values worked out by
// hand.
func TestFunctionsAreRecognised(t *testing.T) {
	programs, err := os.ReadFile("testdata/programs.smt2")
	require.NoError(t, err)
	sys := read(t, string(programs))
	d := recognise(t, sys)
	defer d.Close()
	p := sys.Pool
	of := map[string]*function{}
	for pred, f := range d.functions {
		of[pred.Name] = f
	}
	for name, output := range map[string]int{"reverse": 0, "drop": 0, "count": 2, "take": 2, "evens": 1, "odds": 1, "leq": -1, "choose": -1,
		"last": 0, "less": 0, "skip": 2, "greater": 2, "equal": 0, "snoc": 0} {
		require.NotNil(t, of[name], name)
		require.Equal(t, output, of[name].output, name)
	}
	require.Nil(t, of["differ"])
	var definite []*chc.Clause
	for _, c := range sys.Clauses {
		if c.Head != nil {
			definite = append(definite, c)
		}
	}
	ok, err := d.holds(context.Background(), d.model, definite, smt.Limit{})
	require.NoError(t, err)
	require.True(t, ok)

	lists, nats := sys.Datatypes[1].Data.Constructors, sys.Datatypes[0].Data.Constructors
	list := func(ns ...int64) *term.Term {
		l := p.Construct(lists[0])
		for i := len(ns) - 1; i >= 0; i-- {
			l = p.Construct(lists[1], p.Int(ns[i]), l)
		}
		return l
	}
	nat := func(n int) *term.Term {
		t := p.Construct(nats[0])
		for range n {
			t = p.Construct(nats[1], t)
		}
		return t
	}
	values := term.NewEvaluator(p, witness.Compute(p, d.model.Definitions, term.MapAssignment{}))
	for _, test := range []struct {
		name string
		args []*term.Term // of the predicate, without the result
		want *term.Term
	}{
		{"reverse", []*term.Term{nil, list(1, 2, 3), list(4)}, list(3, 2, 1, 4)},
		{"drop", []*term.Term{nil, nat(2), list(1, 2, 3)}, list(3)},
		{"drop", []*term.Term{nil, nat(5), list(1, 2, 3)}, list()},
		{"count", []*term.Term{p.Int(2), list(2, 1, 2), nil}, p.Int(2)},
		{"take", []*term.Term{p.Int(2), list(4, 5, 6), nil}, list(4, 5)},
		{"take", []*term.Term{p.Int(-1), list(4, 5, 6), nil}, list()},
		{"evens", []*term.Term{list(1, 2, 3, 4), nil}, list(1, 3)},
		{"odds", []*term.Term{list(1, 2, 3, 4), nil}, list(2, 4)},
		{"leq", []*term.Term{nat(2), nat(2)}, p.True()},
		{"leq", []*term.Term{nat(3), nat(2)}, p.False()},
		{"choose", []*term.Term{list(1, 2), p.Int(2)}, p.True()},
		{"choose", []*term.Term{list(1, 2), p.Int(3)}, p.False()},
		{"last", []*term.Term{nil, list(1, 2, 3)}, p.Int(3)},
		{"less", []*term.Term{nil, p.Int(7), p.Int(3)}, p.Int(4)},
		{"less", []*term.Term{nil, p.Int(3), p.Int(7)}, p.Int(0)},
		{"greater", []*term.Term{p.Int(3), p.Int(5), nil}, p.Int(5)},
		{"snoc", []*term.Term{nil, p.Int(5), list(1, 2)}, list(1, 2, 5)},
		{"skip", []*term.Term{p.Int(2), list(1, 2, 3), nil}, list(3)},
	} {
		v, ok := values.Eval(of[test.name].value(p, test.args))
		require.True(t, ok, test.name)
		require.Equal(t, test.want, v.Term(p), test.name)
	}
}

// TestEquations looks for equations and evaluates them on other values than those that suggested them.
func TestEquations(t *testing.T) {
	sys := read(t, `
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun append (List List List) Bool)
(assert (forall ((y List)) (append nil y y)))
(assert (forall ((a Int) (x List) (y List) (z List)) (=> (append x y z) (append (cons a x) y (cons a z)))))
(assert (forall ((x List) (y List)) (=> (append x y nil) false)))`)
	in := recognise(t, sys)
	defer in.Close()
	p := sys.Pool
	// A goal that does not hold keeps the search going to its end.
	in.goals = []*chc.Clause{{Body: nil, Constraint: p.True()}}
	ok, err := in.Explore(context.Background())
	require.NoError(t, err)
	require.False(t, ok)
	require.NotEmpty(t, in.model.Lemmas)
	var append3 *function
	for pred, f := range in.functions {
		if pred.Name == "append" {
			append3 = f
		}
	}
	require.NotNil(t, append3)
	s := sys.Datatypes[0]
	x, y, z := p.Var("a", s), p.Var("b", s), p.Var("c", s)
	join := func(a, b *term.Term) *term.Term { return append3.value(p, []*term.Term{a, b, nil}) }
	known, err := in.follows(context.Background(), p.Eq(join(join(x, y), z), join(x, join(y, z))))
	require.NoError(t, err)
	require.True(t, known, "associativity")
	known, err = in.follows(context.Background(), p.Eq(join(x, y), join(y, x)))
	require.NoError(t, err)
	require.False(t, known, "no commutativity")
	ctors := s.Data.Constructors
	var values []*term.Term
	for n := range 4 {
		l := p.Construct(ctors[0])
		for k := range n {
			l = p.Construct(ctors[1], p.Int(int64(n*10+k)), l)
		}
		values = append(values, l)
	}
	for _, l := range in.model.Lemmas {
		for i := range values {
			own := term.MapAssignment{}
			for k, v := range l.Vars {
				if v.Sort() == s {
					own[v] = term.TermValue(values[(i+k)%len(values)])
				} else {
					own[v] = term.NumValue(term.NewInt(int64(i)), term.Int)
				}
			}
			require.True(t, term.NewEvaluator(p, witness.Compute(p, in.model.Definitions, own)).True(l.Body), "%s", l.Body)
		}
	}
}
