package passes_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/inline"
	"hornbeam/chc/transform/specialise"
	"hornbeam/chc/witness"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

func specialising(t testingContext, o specialise.Options, e transform.Environment) func(*chc.System) (*chc.System, transform.Translator) {
	return func(sys *chc.System) (*chc.System, transform.Translator) {
		next, back, err := specialise.With(o).Run(t.Context(), e, sys)
		require.NoError(t, err)
		return next, back
	}
}

// With bounds that let it split by whatever there is, models and refutations come back.
func TestSpecialiseCarriesWitnessesBack(t *testing.T) {
	o := specialise.DefaultOptions()
	o.Spread, o.SpreadPerValue, o.Growth, o.GrowthBase = 100, 100, 100, 10000
	small := o
	small.MaxCopies, small.MaxBranch = 6, 3
	shape := hornoracle.DefaultShape()
	shape.Body = 3
	for name, c := range map[string]struct {
		opts specialise.Options
		env  transform.Environment
	}{
		"all":   {o, env},
		"few":   {small, env},
		"alone": {o, transform.Environment{}},
	} {
		t.Run(name, func(t *testing.T) {
			var n tally
			n.untilBoth(t, func(t *rapid.T) {
				n.carriesBack(t, specialising(t, c.opts, c.env), shape)
			})
			t.Logf("%+v", n)
			require.Positive(t, n.sat)
			require.Positive(t, n.unsat)
		})
	}
}

// counterProgram is `x = 0; y = 0; while (x < 10) { x++; y += 2; } assert(y != bad)` as one predicate over the program counter,
// an Int or two Booleans, with one clause for each transition or one for all.
func counterProgram(bools, joined bool, bad int64) *builder {
	b := newBuilder()
	vs := b.ints("xyuv")
	x, y, u, v := vs[0], vs[1], vs[2], vs[3]
	at := func(vars []*term.Term, k int) *term.Term {
		if !bools {
			return b.Eq(vars[0], b.Int(int64(k)))
		}
		bit := func(i int) *term.Term {
			if k>>i&1 == 1 {
				return vars[i]
			}
			return b.Not(vars[i])
		}
		return b.And(bit(0), bit(1))
	}
	var pc, next []*term.Term
	var pcSorts []*term.Sort
	if bools {
		pc = []*term.Term{b.Var("p0", term.Bool), b.Var("p1", term.Bool)}
		next = []*term.Term{b.Var("q0", term.Bool), b.Var("q1", term.Bool)}
		pcSorts = []*term.Sort{term.Bool, term.Bool}
	} else {
		pc, next = []*term.Term{b.Var("p", term.Int)}, []*term.Term{b.Var("q", term.Int)}
		pcSorts = []*term.Sort{term.Int}
	}
	p := b.predicate("state", append(pcSorts, term.Int, term.Int)...)
	state := func(pc []*term.Term, x, y *term.Term) chc.App {
		return atom(p, append(append([]*term.Term(nil), pc...), x, y)...)
	}
	b.rule(state(pc, x, y), at(pc, 0))
	same := b.And(b.Eq(u, x), b.Eq(v, y))
	steps := []*term.Term{
		b.And(at(pc, 0), at(next, 1), b.Eq(u, b.Int(0)), b.Eq(v, b.Int(0))),
		b.And(at(pc, 1), at(next, 2), b.Lt(x, b.Int(10)), same),
		b.And(at(pc, 2), at(next, 1), b.Eq(u, b.Add(x, b.Int(1))), b.Eq(v, b.Add(y, b.Int(2)))),
		b.And(at(pc, 1), at(next, 3), b.Ge(x, b.Int(10)), same),
	}
	if joined {
		steps = []*term.Term{b.Or(steps...)}
	}
	for _, s := range steps {
		b.rule(state(next, u, v), s, state(pc, x, y))
	}
	b.query(b.And(at(pc, 3), b.Eq(y, b.Int(bad))), state(pc, x, y))
	return b
}

func TestSpecialiseTurnsProgramCountersIntoControlFlow(t *testing.T) {
	for _, bools := range []bool{false, true} {
		for _, joined := range []bool{false, true} {
			b := counterProgram(bools, joined, 21)
			next, back := specialising(t, specialise.DefaultOptions(), env)(b.sys)
			requireWellFormed(t, next)
			require.Len(t, next.Predicates, 4, "one for each location")
			require.Len(t, next.Clauses, 6)
			for _, p := range next.Predicates {
				require.Equal(t, 2, p.Arity())
			}
			// Inlining leaves the loop head.
			last, back2 := inlining(t, inline.DefaultOptions(), env)(next)
			require.Len(t, last.Predicates, 1)
			require.Len(t, last.Clauses, 3)
			v := witness.CanonicalParams(b.Pool, last.Predicates[0])
			m := witness.NewModel()
			m.Interpretations[last.Predicates[0]] = witness.Interpretation{Params: v, Body: b.Eq(v[1], b.Scale(term.NewInt(2), v[0]))}
			require.NoError(t, witness.CheckModel(t.Context(), z3.Open, last, m, smt.Limit{}))
			m, err := back2.Model(t.Context(), m)
			require.NoError(t, err)
			require.NoError(t, witness.CheckModel(t.Context(), z3.Open, next, m, smt.Limit{}))
			m, err = back.Model(t.Context(), m)
			require.NoError(t, err)
			require.NoError(t, witness.CheckModel(t.Context(), z3.Open, b.sys, m, smt.Limit{}))
		}
	}
}

func TestSpecialiseRefutation(t *testing.T) {
	for _, bools := range []bool{false, true} {
		b := counterProgram(bools, true, 20)
		next, back := specialising(t, specialise.DefaultOptions(), env)(b.sys)
		r := hornoracle.Solve(next, hornoracle.Options{Ints: []int64{0}, Facts: 100, Tries: 10000}).Refutation()
		require.NotNil(t, r)
		old, err := back.Refutation(t.Context(), r)
		require.NoError(t, err)
		require.NoError(t, witness.CheckRefutation(context.Background(), b.sys, old))
		require.Len(t, old.Steps, len(r.Steps))
	}
}

// What a loop counts by is split where it has few values, and stays where it has many, or the loop changes it.
func TestSpecialiseSplitsWhatALoopCountsBy(t *testing.T) {
	system := func(most int64, joined, changed bool) *builder {
		b := newBuilder()
		vs := b.ints("ikj")
		i, k, j := vs[0], vs[1], vs[2]
		p := b.predicate("p", term.Int, term.Int)
		b.rule(atom(p, i, k), b.And(b.Eq(i, b.Int(0)), b.Le(b.Int(1), k), b.Le(k, b.Int(most))))
		next := b.Add(i, k)
		step := b.Lt(i, b.Int(100))
		if joined {
			next, step = j, b.And(step, b.Or(b.Eq(j, b.Add(i, k)), b.Eq(j, b.Sub(i, k))))
		}
		other := k
		if changed {
			other = b.Neg(k)
		}
		b.rule(atom(p, next, other), step, atom(p, i, k))
		b.query(b.And(b.Ge(i, b.Int(3)), b.Le(k, b.Int(2))), atom(p, i, k))
		return b
	}
	for _, joined := range []bool{false, true} {
		b := system(5, joined, false)
		next, back := specialising(t, specialise.DefaultOptions(), env)(b.sys)
		requireWellFormed(t, next)
		require.Len(t, next.Predicates, 5)
		for _, p := range next.Predicates {
			require.Equal(t, 1, p.Arity())
		}
		r := hornoracle.Solve(next, hornoracle.Options{Ints: []int64{0, 1, 2, 3, 4, 5, 6}, Facts: 1000, Tries: 100000}).Refutation()
		require.NotNil(t, r)
		old, err := back.Refutation(t.Context(), r)
		require.NoError(t, err)
		require.NoError(t, witness.CheckRefutation(t.Context(), b.sys, old))
	}
	for _, b := range []*builder{system(50, false, false), system(5, false, true)} {
		next, _ := specialising(t, specialise.DefaultOptions(), env)(b.sys)
		require.Same(t, b.sys, next)
	}
}

// A Boolean that is data doubles everything that looks at it; such a system stays as it is.
func TestSpecialiseLeavesDataAlone(t *testing.T) {
	b := newBuilder()
	vs := b.ints("xyuv")
	x, y, u, v := vs[0], vs[1], vs[2], vs[3]
	f, g := b.Var("f", term.Bool), b.Var("g", term.Bool)
	p := b.predicate("p", term.Bool, term.Int, term.Int)
	b.rule(atom(p, f, x, y), b.And(b.Eq(x, b.Int(0)), b.Eq(y, b.Int(0))))
	b.rule(atom(p, g, u, v), b.And(
		b.Eq(u, b.Add(x, b.Int(1))), b.Or(b.Eq(v, b.Add(y, b.Int(2))), b.Eq(v, b.Add(y, b.Int(3)))),
		b.Or(b.Iff(g, f), b.Gt(v, b.Add(x, b.Scale(term.NewInt(2), y)))), b.Le(v, b.Int(100)),
	), atom(p, f, x, y))
	b.query(b.Lt(y, x), atom(p, f, x, y))
	next, back := specialising(t, specialise.DefaultOptions(), env)(b.sys)
	require.Same(t, b.sys, next)
	require.Nil(t, back)
}

// A fact that holds of an irrational number has no value that could be written: the pass gives up on it, without an error.
func TestSpecialiseLeavesIrrationalNumbersAlone(t *testing.T) {
	b := newBuilder()
	x, i := b.Var("x", term.Real), b.Var("i", term.Int)
	p := &chc.Predicate{Name: "p", Sorts: []*term.Sort{term.Int, term.Real}}
	root := b.Eq(b.Mul(x, x), b.Real(term.NewInt(2)))
	head := chc.App{Pred: p, Args: []*term.Term{i, x}}
	sys := &chc.System{Pool: b.Pool, Predicates: []*chc.Predicate{p}, Clauses: []*chc.Clause{
		{Constraint: b.And(root, b.Or(b.Eq(i, b.Int(0)), b.Eq(i, b.Int(1)))), Head: &head},
		{ID: 1, Body: []chc.App{head}, Constraint: b.Eq(i, b.Int(1))},
	}}
	_, _, err := specialise.Pass().Run(t.Context(), env, sys)
	require.NoError(t, err)
}

// The states of a program counter with more values than other passes split by become predicates. The flags are data and stay arguments,
// whether they are inputs or change.
func TestStatesOfACounterWithFlags(t *testing.T) {
	for name, changing := range map[string]bool{"inputs": false, "flags that change": true} {
		t.Run(name, func(t *testing.T) {
			sys := readSystem(t, counterWithFlags(changing))
			next, _, err := specialise.States(func() []transform.Pass { return nil }).Run(t.Context(), env, sys)
			require.NoError(t, err)
			require.Len(t, next.Predicates, counterStates)
		})
	}
}

// A state that is saved in one state and restored in another is split by in between, and nowhere else, though it has any value at first.
func TestStatesThatAreSaved(t *testing.T) {
	const arity = "(pc Int) (saved Int) (next Int) (kept Int)"
	step := "(or (and (= pc 1) (= next 2) (= kept saved))" +
		"(and (= pc 2) (= next 9) (or (= kept 3) (= kept 4)))" +
		"(and (= pc 9) (= next saved) (= kept saved))" +
		"(and (= pc 3) (= next 9) (= kept 5)) (and (= pc 4) (= next 9) (= kept 6))" +
		"(and (= pc 5) (= next 5) (= kept saved)) (and (= pc 6) (= next 6) (= kept saved)))"
	sys := readSystem(t, "(declare-fun p (Int Int) Bool)"+
		"(assert (forall ("+arity+") (=> (= pc 1) (p pc saved))))"+
		"(assert (forall ("+arity+") (=> (and (p pc saved) "+step+") (p next kept))))"+
		"(assert (forall ("+arity+") (=> (and (p pc saved) (= pc 7)) false)))")
	next, _, err := specialise.States(func() []transform.Pass { return nil }).Run(t.Context(), env, sys)
	require.NoError(t, err)
	var names []string
	for _, p := range next.Predicates {
		names = append(names, p.Name)
	}
	// 1, 2, 3, 4, 5 and 6, and 9 with each of the four states to go on with.
	require.Len(t, next.Predicates, 6+4, names)
}

// Models and refutations come back over the stages.
func TestStagesCarryWitnessesBack(t *testing.T) {
	shape := hornoracle.DefaultShape()
	shape.Body = 2
	var n tally
	n.untilBoth(t, func(t *rapid.T) {
		n.carriesBack(t, func(sys *chc.System) (*chc.System, transform.Translator) {
			next, back, err := specialise.States(func() []transform.Pass { return nil }).Run(t.Context(), env, sys)
			require.NoError(t, err)
			return next, back
		}, shape)
	})
	t.Logf("%+v", n)
	require.Positive(t, n.sat)
	require.Positive(t, n.unsat)
}

// counterStates are the values of the program counter of counterWithFlags.
const counterStates = 40

// counterWithFlags is a loop over a program counter and flags, which it leaves alone or changes to anything.
func counterWithFlags(changing bool) string {
	const flags = 8
	before, after, binders := "", "", "(pc Int) (next Int) (x Int)"
	for i := range flags {
		before += fmt.Sprintf(" b%d", i)
		after += fmt.Sprintf(" c%d", i)
		binders += fmt.Sprintf(" (b%d Bool) (c%[1]d Bool)", i)
	}
	if !changing {
		after = before
	}
	step := "(or"
	for k := range counterStates {
		step += fmt.Sprintf(" (and (= pc %d) (or (and b%[2]d (= next %[3]d)) (and (not b%[2]d) (= next %d))))",
			100+k, k%flags, 100+(k+1)%counterStates, 100+(k*k)%counterStates)
	}
	out := "(declare-fun p (Int Int" + strings.Repeat(" Bool", flags) + ") Bool)"
	for _, clause := range []string{
		"(p 100 x" + before + ")",
		"(=> (and (p pc x" + before + ") " + step + ")) (p next (+ x 1)" + after + "))",
		"(=> (and (p pc x" + before + ") (= pc 99)) false)",
	} {
		out += "(assert (forall (" + binders + ") " + clause + "))"
	}
	return out
}
