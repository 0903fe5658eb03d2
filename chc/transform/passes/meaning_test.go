package passes_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/passes"
	"hornbeam/chc/transform/prune"
	"hornbeam/chc/transform/simplify"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

func TestNormaliseClauses(t *testing.T) {
	for name, c := range map[string]struct{ rule, want string }{
		"equation in the head":              {"(rule (=> (and (p x y) (= z (+ x 1))) (p z y)))", "(p x y) & true => (p (+ x 1) y)"},
		"equation in the body":              {"(rule (=> (and (p x y) (= x 3)) (p y x)))", "(p 3 y) & true => (p y 3)"},
		"chain of equations":                {"(rule (=> (and (p x y) (= z (+ x y)) (= u (+ z 1)) (= v (+ u z))) (p v x)))", "(p x y) & true => (p (+ (* 2 x) (* 2 y) 1) x)"},
		"body variables stay":               {"(rule (=> (and (p x y) (= x (+ y 1))) (p y x)))", "(p x y) & (= x (+ y 1)) => (p y x)"},
		"bounds that meet":                  {"(rule (=> (and (p x y) (<= x 2) (>= x 2)) (p x x)))", "(p 2 y) & true => (p 2 2)"},
		"bounds that others imply":          {"(rule (=> (and (p x y) (<= x 2) (<= x 3) (not (= x 2))) (p y x)))", "(p x y) & (<= x 1) => (p y x)"},
		"one-sided local":                   {"(rule (=> (and (p x y) (>= z x) (> z (+ y 3)) (not (= z 7))) (p y x)))", "(p x y) & true => (p y x)"},
		"local between two bounds":          {"(rule (=> (and (p x y) (<= x z) (<= z y)) (p y x)))", "(p x y) & (<= x y) => (p y x)"},
		"local with coefficients":           {"(rule (=> (and (p x y) (<= x (* 3 z)) (<= (* 3 z) y)) (p y x)))", "(p x y) & (<= x (* 3 z)) & (>= y (* 3 z)) => (p y x)"},
		"units":                             {"(rule (=> (and (p x y) (< x 3) (or (> x 5) (and (<= x 2) (>= y x)))) (p y x)))", "(p x y) & (<= x 2) & (<= x y) => (p y x)"},
		"absorption":                        {"(rule (=> (and (p x y) (or (< x 3) (and (>= x 3) (= y 0)))) (p y x)))", "(p x y) & (or (<= x 2) (= y 0)) => (p y x)"},
		"boolean local":                     {"(rule (=> (and (p x y) (or (not a) (= x 0)) (or a (= y 0))) (p y x)))", "(p x y) & (or (= x 0) (= y 0)) => (p y x)"},
		"locals of disjuncts":               {"(rule (=> (and (p x y) (or (and (= z x) (= z 1)) (and (= z y) (= z 2)))) (p y x)))", "(p x y) & (or (= x 1) (= y 2)) => (p y x)"},
		"if-then-else":                      {"(rule (=> (and (p x y) (= z (ite (< x y) x (+ y 1))) (p z x)) (p y z)))", ""},
		"if-then-elses over one condition":  {"(rule (=> (and (p x y) (ite (< x y) (= z 1) (= z 2)) (ite (< x y) (= u z) (= u 7))) (p z u)))", "(p x y) & (or (and (< x y) (= z 1) (= u z)) (and (= z 2) (= u 7) (>= x y))) => (p z u)"},
		"if-then-elses over two conditions": {"(rule (=> (and (p x y) (ite (< x 0) (= z 1) (= z 2)) (ite (< y 0) (= u 5) (= u 7))) (p z u)))", "(p x y) & (or (and (<= x (- 1)) (= z 1)) (and (= z 2) (>= x 0))) & (or (and (<= y (- 1)) (= u 5)) (and (= u 7) (>= y 0))) => (p z u)"},
		"atoms that are written twice":      {"(rule (=> (and (p x y) (p x y) (p y x)) (p x x)))", "(p x y) & (p y x) & true => (p x x)"},
		"tautology":                         {"(rule (=> (and (p x y) (< x 3)) (p x y)))", "-"},
		"contradicting bounds":              {"(rule (=> (and (p x y) (< x 3) (> x 3)) (p y x)))", "-"},
		"contradiction by equations":        {"(rule (=> (and (p x y) (= x y) (= y (+ x 1))) (p y x)))", "-"},
	} {
		t.Run(name, func(t *testing.T) {
			sys := read(t, "(declare-rel p (Int Int))"+c.rule)
			next, _, err := simplify.Normalise().Run(t.Context(), env, sys)
			require.NoError(t, err)
			switch c.want {
			case "-":
				require.Empty(t, next.Clauses)
			case "":
				term.Walk(next.Clauses[0].Constraint, func(u *term.Term) bool {
					require.False(t, u.IsIte() && !u.IsBool(), "%s", next.Clauses[0].Constraint)
					return true
				})
			default:
				require.Equal(t, c.want, readableClause(next))
			}
			again, _, err := simplify.Normalise().Run(t.Context(), env, next)
			require.NoError(t, err)
			require.Same(t, next, again, "the normal form is not in normal form")
		})
	}
}

func TestNormaliseSplitsConstructors(t *testing.T) {
	sys := read(t, `(declare-datatypes ((Pair 0)) (((pair (fst Int) (snd Int)) (none))))
		(declare-rel p (Pair Int)) (declare-var e Pair)
		(rule (=> (and (= e (pair x 1)) (= e (pair 2 y)) (= z (+ x y))) (p e z)))
		(rule (=> (and (= e (pair x 1)) (= e none)) (p e z)))`)
	next, _ := run(t, simplify.Normalise(), sys)
	require.Equal(t, []string{"true => (p (pair 2 1) 3)"}, lines(next))
}

// Removed predicates are false where nothing derives them and true where nothing needs them.
func TestConeOfInfluence(t *testing.T) {
	sys := read(t, `(declare-rel p (Int)) (declare-rel dead (Int)) (declare-rel idle (Int)) (declare-rel q (Int))
		(rule (p 0)) (rule (=> (p x) (q x))) (rule (=> (dead x) (q x))) (rule (=> (and (p x) (dead y)) (dead x)))
		(rule (=> (p x) (idle x))) (rule (=> (idle x) (idle (+ x 1))))
		(rule (=> (and (q x) (> x 0)) false)) (rule (=> (dead x) false))`)
	next, back := run(t, prune.ConeOfInfluence(), sys)
	require.Len(t, next.Predicates, 2)
	require.Len(t, next.Clauses, 3)
	m := requireSat(t, sys, next, back)
	require.True(t, m.Interpretations[sys.Predicates[1]].Body.IsFalse())
	require.True(t, m.Interpretations[sys.Predicates[2]].Body.IsTrue())
}

func TestConeOfInfluenceWithoutQuery(t *testing.T) {
	sys := read(t, "(declare-rel p (Int)) (rule (p 0))")
	next, back := run(t, prune.ConeOfInfluence(), sys)
	require.Empty(t, next.Predicates)
	require.Empty(t, next.Clauses)
	requireSat(t, sys, next, back)
}

// Arguments go that only ever feed themselves; a join, a constraint or a needed argument keeps one.
func TestSlice(t *testing.T) {
	sys := read(t, `(declare-rel p (Int Int Int Int)) (declare-rel q (Int Int))
		(rule (=> (and (= x 0)) (p x y z u)))
		(rule (=> (p x y z u) (p (+ x 1) (+ y x) (+ z y) (+ u 1))))
		(rule (=> (p x y z u) (q y u)))
		(rule (=> (and (q u y) (p x z v u) (> x 2)) false))`)
	next, back := run(t, prune.Slice(), sys)
	// q's second argument is not looked at; its first is joined with p's last. p's third argument feeds itself only, and
	// its second feeds q's first.
	require.Equal(t, 3, next.Predicates[0].Arity())
	require.Equal(t, 1, next.Predicates[1].Arity())
	ref := requireUnsat(t, sys, next, back)
	for _, s := range ref.Steps {
		require.Len(t, s.Values, len(s.Clause.Vars()))
	}
}

func TestFreeArguments(t *testing.T) {
	sys := read(t, `(declare-rel p (Int Int)) (declare-rel q (Int Int))
		(rule (=> (= x 0) (p x y)))
		(rule (=> (and (p x y) (< x 2)) (p (+ x 1) z)))
		(rule (=> (and (p x y)) (q x y)))
		(rule (=> (and (q x 5) (q x 7) (q x y) (= y (+ x 1)) (> x 1)) false))`)
	next, back := run(t, prune.FreeArguments(), sys)
	require.Equal(t, 1, next.Predicates[0].Arity())
	require.Equal(t, 1, next.Predicates[1].Arity())
	ref := requireUnsat(t, sys, next, back)
	// The query asks for three different values of the free argument: q and the last p are derived three times.
	require.Len(t, ref.Steps, 2+3+3+1)
}

// An argument that a premise restricts is not free, whatever the term.
func TestFreeArgumentsThroughTerms(t *testing.T) {
	sys := read(t, `(declare-rel p (Int)) (declare-rel q (Int)) (declare-rel r (Int))
		(rule (q 1)) (rule (r x))
		(rule (=> (and (q (+ x 1)) (r (+ x 2))) (p x)))
		(rule (=> (and (p x) (r x) (> x 0)) false))`)
	next, back := run(t, prune.FreeArguments(), sys)
	require.Equal(t, 1, next.Predicates[0].Arity())
	require.Equal(t, 1, next.Predicates[1].Arity())
	require.Equal(t, 0, next.Predicates[2].Arity())
	requireSat(t, sys, next, back)
}

// A loop keeps two arguments equal and one constant; the property follows from that alone, which no unrolling finds.
func TestConstants(t *testing.T) {
	sys := read(t, `(declare-rel p (Int Int Int Bool))
		(rule (=> (and (= x 0) (= y 0) (= z 7)) (p x y z true)))
		(rule (=> (and (p x y z a) a) (p (+ x 1) (+ y 1) z a)))
		(rule (=> (and (p x y z a) (or (not a) (not (= x y)) (= z 8))) false))
		(rule (=> (and (p x y z a) (not a)) (p y x 0 a)))`)
	next, back := run(t, prune.Constants(), sys)
	require.Equal(t, 1, next.Predicates[0].Arity())
	require.Len(t, next.Clauses, 2, "the query and the last rule cannot fire")
	pipe, err := passes.Select("normalise,coi,constants")
	require.NoError(t, err)
	last, all, _, err := transform.Pipeline(t.Context(), env, sys, pipe)
	require.NoError(t, err)
	require.Empty(t, last.Clauses)
	requireSat(t, sys, last, all)
	_ = back
}

// Arguments that move in step differ by a constant for ever; those that do not, do not.
func TestConstantOffsets(t *testing.T) {
	sys := read(t, `(declare-rel p (Int Int Int)) (declare-rel q (Int Int))
		(rule (=> (and (= x 0) (= y 3) (= z 1)) (p x y z)))
		(rule (=> (and (p x y z)) (p (+ x 1) (+ y 1) (+ z 2))))
		(rule (=> (and (p x y z)) (q y x)))
		(rule (=> (and (q x y) (not (= x (+ y 3)))) false))
		(rule (=> (and (p x y z) (< x 5) (not (= z (+ x 1))) (= z 7)) false))`)
	next, back := run(t, prune.Constants(), sys)
	require.Equal(t, 2, next.Predicates[0].Arity())
	require.Equal(t, 1, next.Predicates[1].Arity())
	require.Len(t, next.Clauses, 4, "one query follows from the offset")
	requireUnsat(t, sys, next, back)
}

// Steps come back without a solver where the values of eliminated variables were recorded, those included that rest on
// others and those of a variable that means something else in each disjunct.
func TestRefutationsNeedNoSolver(t *testing.T) {
	for _, query := range []string{
		"(or (and (= z (+ x y)) (= u (* 2 z)) (> u 13)) (and (= z x) (> z 9)))",
		"(or (and (= z (+ x y)) (= u (* 2 z)) (> u 99)) (and (= z x) (> z 2)))",
	} {
		sys := read(t, `(declare-rel p (Int Int))
			(rule (=> (and (= x 0) (= y 5)) (p x y)))
			(rule (=> (and (p x y) (= z (+ x 1)) (= u (+ z y)) (>= v (+ u z)) (> w v) (< w (+ v 2)) (or a (> x 5)) (or (not a) (< x 9))) (p z y)))
			(rule (=> (and (p x y) `+query+`) false))`)
		next, back, _, err := transform.Pipeline(t.Context(), transform.Environment{}, sys, passes.Default())
		require.NoError(t, err)
		for _, c := range next.Clauses {
			require.LessOrEqual(t, len(c.Vars()), 2, "%s", text(next))
		}
		requireUnsat(t, sys, next, back)
	}
}

func TestMerge(t *testing.T) {
	sys := read(t, `(declare-rel p (Int)) (declare-rel q (Int Int))
		(rule (p 0)) (rule (p 1))
		(rule (=> (and (p x) (> x 0)) (q x x)))
		(rule (=> (and (p y) (= y z)) (q (+ z 1) y)))
		(rule (=> (and (q x y) (p y) (> x y)) false))
		(rule (=> (and (p x) (q y x) (> y 5)) false))`)
	next, back := run(t, simplify.Merge(), sys)
	require.Len(t, next.Clauses, 3)
	requireUnsat(t, sys, next, back)
}

func TestSubsume(t *testing.T) {
	sys := read(t, `(declare-rel p (Int Int))
		(rule (=> (< x 3) (p x y)))
		(rule (=> (and (< x 2) (> y 0)) (p x y)))
		(rule (=> (= x 2) (p x x)))
		(rule (=> (= x 3) (p x x)))
		(rule (=> (p x y) (p y (+ x 1))))
		(rule (=> (and (p u v) (p v w) (> v 5)) (p v (+ u 1))))
		(rule (=> (and (p x y) (p y x)) false))
		(rule (=> (and (p x y) (p y x) (p z z) (> x z)) false))`)
	next, back := run(t, simplify.Subsume(), sys)
	require.Len(t, next.Clauses, 4)
	requireUnsat(t, sys, next, back)
}

func TestUnsatBodies(t *testing.T) {
	sys := read(t, `(declare-rel p (Int))
		(rule (p 0)) (rule (=> (and (p x) (= (* 2 y) (+ (* 4 z) 1 (* 2 x))) ) (p y)))
		(rule (=> (and (p x) (> (* 2 x) y) (< (* 2 x) (+ y 1)) ) (p y)))
		(rule (=> (and (p x) (> x 0)) false))`)
	next, back := run(t, simplify.UnsatBodies(), sys)
	require.Len(t, next.Clauses, 2)
	requireSat(t, sys, next, back)
}

// undecided is a solver that never answers.
type undecided struct {
	smt.Context
	smt.Solver
}

func (u undecided) NewSolver(smt.Params) (smt.Solver, error) { return u, nil }
func (u undecided) Close()                                   {}
func (u undecided) SetLimit(smt.Limit)                       {}
func (u undecided) Push() error                              { return nil }
func (u undecided) Pop() error                               { return nil }
func (u undecided) Assert(...*term.Term) error               { return nil }
func (u undecided) Check(context.Context, ...*term.Term) (smt.Status, error) {
	return smt.Unknown, nil
}

func TestUnsatBodiesKeepsWhatIsNotDecided(t *testing.T) {
	sys := read(t, "(declare-rel p (Int)) (rule (=> (> (* x x) (* y y y)) (p x))) (rule (=> (and (p x) (= (* x x y) 7)) false))")
	opened := false
	e := transform.Environment{Open: func(*term.Pool, smt.Config) (smt.Context, error) { opened = true; return undecided{}, nil }}
	next, _, err := simplify.UnsatBodies().Run(t.Context(), e, sys)
	require.NoError(t, err)
	require.True(t, opened)
	require.Same(t, sys, next)
}

// Without arrays a proof by numbers carries over, a refutation whose arrays the steps determine does too, and one that arrays
// exclude is spurious.
func TestHavocArrays(t *testing.T) {
	const declarations = "(declare-rel p (Int (Array Int Int))) (declare-var m (Array Int Int)) (declare-var n (Array Int Int))"
	sys := read(t, declarations+`(rule (=> (= x 0) (p x m))) (rule (=> (and (p x m) (= n (store m x x))) (p (+ x 1) n)))
		(rule (=> (and (p x m) (< x 0)) false))`)
	next, back := run(t, prune.HavocArrays(), sys)
	require.Equal(t, chc.Over, next.Approximation)
	require.Equal(t, 1, next.Predicates[0].Arity())
	model, err := back.Model(t.Context(), solved(t, next).Model)
	require.NoError(t, err)
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, sys, model, smt.Limit{}))

	for last, want := range map[string]error{"(= (select m 0) 0)": nil, "(= (select m 0) 1)": transform.ErrSpurious} {
		sys = read(t, declarations+"(rule (p 0 ((as const (Array Int Int)) 0))) (rule (=> (and (p x m) "+last+") false))")
		next, back = run(t, prune.HavocArrays(), sys)
		old, err := back.Refutation(t.Context(), solved(t, next).Refutation)
		require.ErrorIs(t, err, want)
		if want == nil {
			require.NoError(t, witness.CheckRefutation(t.Context(), sys, old))
		}
	}
	under := *sys
	under.Approximation = chc.Under
	same, _, err := prune.HavocArrays().Run(t.Context(), env, &under)
	require.NoError(t, err)
	require.Same(t, &under, same)
}

// solved is the prover's answer to a system as if it were exact.
func solved(t *testing.T, sys *chc.System) engine.Answer {
	exact := *sys
	exact.Approximation = chc.Exact
	a := decide(t, &exact, "none")
	require.NotEqual(t, engine.Unknown, a.Verdict, a.Reason)
	return a
}

// The first of two loops is forgotten, which keeps what the second one does; a loop that a query is about is not.
func TestForgetFirst(t *testing.T) {
	rules := func(query string) string {
		return `(declare-rel first (Int)) (declare-rel second (Int Int))
			(rule (first 0)) (rule (=> (first x) (first (+ x 1))))
			(rule (=> (and (first x) (> x 5)) (second x x))) (rule (=> (second x y) (second (+ x 1) (+ y 1))))
			(rule (=> ` + query + ` false))`
	}
	for query, want := range map[string]struct {
		forgets bool
		verdict engine.Verdict
	}{
		"(and (second x y) (not (= x y)))":                  {true, engine.Sat},
		"(and (second x y) (< x 5))":                        {true, engine.Sat},
		"(and (second x y) (= x 70))":                       {true, engine.Unknown}, // the refutation is not that of a derivation
		"(and (second x y) (first z) (not (= x y)))":        {false, engine.Sat},
		"(and (first x) (< x 0))":                           {false, engine.Sat},
		"(and (second x y) (second y z) (not (= x y z 7)))": {true, engine.Unknown},
	} {
		sys := read(t, rules(query))
		next, back, err := prune.ForgetFirst().Run(t.Context(), env, sys)
		require.NoError(t, err)
		require.Equal(t, want.forgets, back != nil, query)
		if !want.forgets {
			require.Same(t, sys, next)
			continue
		}
		require.Equal(t, chc.Over, next.Approximation)
		require.Equal(t, chc.Exact, sys.Approximation)
		require.Len(t, next.Predicates, 1)
		require.Len(t, next.Clauses, 3)
		a := decide(t, sys, "forget-first")
		require.Equal(t, want.verdict, a.Verdict, "%s: %s", query, a.Reason)
		require.False(t, a.Internal)
	}
	under := *read(t, rules("(and (second x y) (not (= x y)))"))
	under.Approximation = chc.Under
	same, _, err := prune.ForgetFirst().Run(t.Context(), env, &under)
	require.NoError(t, err)
	require.Same(t, &under, same)
}
