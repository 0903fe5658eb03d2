package catamorphism

import (
	"context"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/passes"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
	"hornbeam/spacer"
)

// read reads a system from SMT-LIB.
func read(t require.TestingT, src string) *chc.System {
	script, err := smtlib.Read("test.smt2", []byte(src), term.NewPool())
	require.NoError(t, err)
	return script.System
}

// prover is the inner solver of the tests: default passes and the prover.
func prover(s engine.Settings) engine.Inner {
	return func(ctx context.Context, sys *chc.System) (engine.Answer, error) {
		next, back, _, err := transform.Pipeline(ctx, transform.Environment{Open: s.Open}, sys, passes.Default())
		if err != nil {
			return engine.Answer{Reason: err.Error()}, nil
		}
		answer, err := spacer.Engine().Solve(ctx, next, engine.Settings{Open: s.Open})
		if err != nil {
			return answer, err
		}
		switch answer.Verdict {
		case engine.Sat:
			answer.Model, err = back.Model(ctx, answer.Model)
		case engine.Unsat:
			answer.Refutation, err = back.Refutation(ctx, answer.Refutation)
		}
		return answer, err
	}
}

// events keeps the events of a run.
type events struct{ all []engine.Event }

func (e *events) Enabled() bool        { return true }
func (e *events) Emit(ev engine.Event) { e.all = append(e.all, ev) }

// folds are the choices of folds that were attempted.
func (e *events) folds() [][]string {
	var out [][]string
	for _, ev := range e.all {
		if ev.Kind == "encoding" {
			out = append(out, ev.Fields[0].Value.([]string))
		}
	}
	return out
}

// decide runs the engine and holds its answer to the witness that comes with it.
func decide(t require.TestingT, sys *chc.System, inner func(engine.Settings) engine.Inner, options map[string]string) (engine.Answer, *events) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	seen := &events{}
	e := Engine(inner)
	require.NoError(t, e.Fragment(sys))
	answer, err := e.Solve(ctx, sys, engine.Settings{Open: z3.Open, Events: seen, Stats: engine.NewStats(), Options: options})
	require.NoError(t, err)
	switch answer.Verdict {
	case engine.Sat:
		require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, answer.Model, smt.Limit{}))
	case engine.Unsat:
		require.NoError(t, witness.CheckRefutation(context.Background(), sys, answer.Refutation))
	default:
		require.NotEmpty(t, answer.Reason)
	}
	return answer, seen
}

// foldsOnly keeps the engine from reading predicates as functions.
var foldsOnly = map[string]string{"catamorphism.induction": "false"}

// newQuerier opens a solver for a test.
func newQuerier(t require.TestingT, p *term.Pool) (*querier, func()) {
	c, err := z3.Open(p, smt.Config{})
	require.NoError(t, err)
	s, err := c.NewSolver(smt.Params{})
	require.NoError(t, err)
	return &querier{s}, c.Close
}

// zoo declares datatypes of several shapes: numbers, lists of numbers and of pairs, trees, two that speak of each other,
// binary numbers, an enumeration and an option.
const zoo = `
(declare-datatypes ((Nat 0)) (((Z) (S (pred Nat)))))
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-datatypes ((Colour 0)) (((red) (green) (blue))))
(declare-datatypes ((Pair 0)) (((pair (left Int) (flag Bool) (colour Colour) (right Nat)))))
(declare-datatypes ((Pairs 0)) (((none) (more (one Pair) (others Pairs)))))
(declare-datatypes ((Tree 0)) (((leaf) (fork (below Tree) (value Int) (above Tree)))))
(declare-datatypes ((Rose 0) (Forest 0)) (((rose (label Int) (children Forest))) ((empty) (grow (first Rose) (rest Forest)))))
(declare-datatypes ((Bin 0)) (((unit) (twice (half Bin)) (odd (floor Bin)))))
(declare-datatypes ((Maybe 0)) (((no) (some (it List) (why Colour)) (other (that Int)))))
(declare-fun maybe (Maybe) Bool)
(declare-fun uses (Nat List Colour Pair Pairs Tree Rose Forest Bin) Bool)
(assert (maybe no))
(assert (forall ((n Nat) (l List) (c Colour) (p Pair) (q Pairs) (t Tree) (r Rose) (f Forest) (b Bin)) (=> (= l (cons 7 nil)) (uses n l c p q t r f b))))
`

// zooSpace returns the space and library of the zoo, and its sorts by name.
func zooSpace(t require.TestingT) (*chc.System, *refiner, *querier, map[string]*term.Sort, func()) {
	sys := read(t, zoo)
	shapes, err := survey(sys)
	require.NoError(t, err)
	q, done := newQuerier(t, sys.Pool)
	s := newSpace(sys.Pool, shapes)
	sorts := map[string]*term.Sort{}
	for _, d := range sys.Datatypes {
		sorts[d.Name] = d
	}
	return sys, newRefiner(s, newLibrary(s), q), q, sorts, done
}

// drawValue draws a value of a sort, of at most the given depth where the sort allows.
func drawValue(t *rapid.T, p *term.Pool, s *term.Sort, depth int) *term.Term {
	switch s.Kind {
	case term.BoolKind:
		return p.Bool(rapid.Bool().Draw(t, "bool"))
	case term.IntKind:
		return p.Int(int64(rapid.IntRange(-3, 8).Draw(t, "int")))
	}
	c := s.Data.Constructors[0]
	if depth > 0 {
		c = rapid.SampledFrom(s.Data.Constructors).Draw(t, "constructor")
	}
	args := make([]*term.Term, len(c.Selectors))
	for i, f := range c.Selectors {
		args[i] = drawValue(t, p, f.Sort, depth-1)
	}
	return p.Construct(c, args...)
}

// functions returns the definitions of all components of an encoding and a way to compute one of a value.
func functions(sys *chc.System, e *encoding) func(t require.TestingT, c *component, v *term.Term) term.Value {
	w := &modelWriter{encoding: e, funcs: map[*component]*term.Func{}, model: witness.NewModel(), used: closure(e.chosen)}
	for _, g := range e.shapes.groups {
		for _, d := range g {
			w.declare(sys, d)
		}
	}
	for _, g := range e.shapes.groups {
		for _, d := range g {
			w.define(d)
		}
	}
	return func(t require.TestingT, c *component, v *term.Term) term.Value {
		a := witness.Compute(sys.Pool, w.model.Definitions, term.MapAssignment{})
		x, ok := term.NewEvaluator(sys.Pool, a).Eval(w.of(c, v))
		require.True(t, ok, "%s of %s", c.name, v)
		return x
	}
}
