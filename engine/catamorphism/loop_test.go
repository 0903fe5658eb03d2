package catamorphism

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/catamorphism/induction"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

const lists = `
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun append (List List List) Bool)
(declare-fun length (List Int) Bool)
(declare-fun sum (List Int) Bool)
(declare-fun prefix (List List) Bool)
(declare-fun diseq (List List) Bool)
(assert (forall ((y List)) (append nil y y)))
(assert (forall ((a Int) (x List) (y List) (z List)) (=> (append x y z) (append (cons a x) y (cons a z)))))
(assert (length nil 0))
(assert (forall ((a Int) (x List) (n Int)) (=> (length x n) (length (cons a x) (+ n 1)))))
(assert (sum nil 0))
(assert (forall ((a Int) (x List) (n Int)) (=> (sum x n) (sum (cons a x) (+ n a)))))
(assert (forall ((y List)) (prefix nil y)))
(assert (forall ((a Int) (x List) (y List)) (=> (prefix x y) (prefix (cons a x) (cons a y)))))
(assert (forall ((a Int) (x List)) (diseq nil (cons a x))))
(assert (forall ((a Int) (x List)) (diseq (cons a x) nil)))
(assert (forall ((a Int) (b Int) (x List) (y List)) (=> (not (= a b)) (diseq (cons a x) (cons b y)))))
(assert (forall ((a Int) (b Int) (x List) (y List)) (=> (diseq x y) (diseq (cons a x) (cons b y)))))
`

func query(src, body string) string {
	return src + "(assert (forall ((x List) (y List) (z List) (a Int) (b Int) (n Int) (m Int) (k Int)) (=> (and " + body + ") false)))\n"
}

// TestSafe decides properties of lists that need folds, and checks that only these are taken.
func TestSafe(t *testing.T) {
	for _, test := range []struct{ name, body, folds string }{
		{"lengths add up", "(append x y z) (length x n) (length y m) (length z k) (not (= k (+ n m)))", "List.size"},
		{"sums add up", "(append x y z) (sum x n) (sum y m) (sum z k) (not (= k (+ n m)))", "List.sum-head"},
		{"only the empty list is a prefix of it", "(prefix (cons a x) nil)", "List.size"},
		{"a list is not different from itself", "(append y x z) (diseq x x)", ""},
		{"a list is no longer than what it is a prefix of", "(prefix x y) (length x n) (length y m) (< m n)", "List.size"},
	} {
		t.Run(test.name, func(t *testing.T) {
			answer, seen := decide(t, read(t, query(lists, test.body)), prover, foldsOnly)
			require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
			all := seen.folds()
			require.Equal(t, test.folds, strings.Join(all[len(all)-1], " "))
		})
	}
}

// TestUnsafe decides properties that do not hold.
func TestUnsafe(t *testing.T) {
	for _, body := range []string{
		"(append x y z) (length x n) (length y m) (length z k) (= n 2) (= m 1) (not (= k (+ n m 1)))",
		"(sum x n) (length x m) (= m 3) (= n 7) (append x nil y)",
		"(diseq x y) (length x n) (length y n) (= n 2)",
	} {
		answer, _ := decide(t, read(t, query(lists, body)), prover, foldsOnly)
		require.Equal(t, engine.Unsat, answer.Verdict, answer.Reason)
	}
}

// TestShapes decides properties of datatypes of other shapes: inside each other, by each other, with records and
// enumerations.
func TestShapes(t *testing.T) {
	declarations := strings.Split(zoo, "(declare-fun uses")[0]
	for name, src := range map[string]string{
		"numbers": `(declare-fun add (Nat Nat Nat) Bool)
(assert (forall ((y Nat)) (add Z y y)))
(assert (forall ((x Nat) (y Nat) (z Nat)) (=> (add x y z) (add (S x) y (S z)))))
(assert (forall ((x Nat) (y Nat)) (=> (add x (S y) x) false)))`,
		"records in lists": `(declare-fun total (Pairs Int) Bool)
(assert (total none 0))
(assert (forall ((q Pairs) (n Int) (p Pair)) (=> (and (total q n) (>= (left p) 0) (not (flag p))) (total (more p q) (+ n (left p))))))
(assert (forall ((q Pairs) (n Int) (p Pair)) (=> (and (total q n) (flag p) (= (colour p) red)) (total (more p q) n))))
(assert (forall ((q Pairs) (n Int)) (=> (and (total q n) (< n 0)) false)))`,
		"each other": `(declare-fun nodes (Rose Int) Bool)
(declare-fun all (Forest Int) Bool)
(assert (forall ((a Int) (f Forest) (n Int)) (=> (all f n) (nodes (rose a f) (+ n 1)))))
(assert (all empty 0))
(assert (forall ((r Rose) (f Forest) (n Int) (m Int)) (=> (and (nodes r n) (all f m)) (all (grow r f) (+ n m)))))
(assert (forall ((r Rose) (a Int) (n Int)) (=> (and (nodes (rose a (grow r empty)) n) (< n 2)) false)))`,
		"trees": `(declare-fun mirror (Tree Tree) Bool)
(assert (mirror leaf leaf))
(assert (forall ((a Tree) (b Tree) (c Tree) (d Tree) (n Int)) (=> (and (mirror a c) (mirror b d)) (mirror (fork a n b) (fork d n c)))))
(assert (forall ((a Tree) (n Int)) (=> (mirror (fork leaf n a) a) false)))`,
		"binary": `(declare-fun doubled (Bin Bin) Bool)
(assert (forall ((b Bin)) (doubled b (twice b))))
(assert (forall ((b Bin) (c Bin)) (=> (doubled b c) (doubled b (odd c)))))
(assert (forall ((b Bin)) (=> (doubled b b) false)))`,
	} {
		t.Run(name, func(t *testing.T) {
			answer, _ := decide(t, read(t, declarations+src), prover, foldsOnly)
			require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
		})
	}
}

// TestRunsRepeat checks that the same input gives the same run.
func TestRunsRepeat(t *testing.T) {
	src := query(lists, "(append x y z) (sum x n) (sum y m) (sum z k) (length z k) (not (= k (+ n m)))")
	_, first := decide(t, read(t, src), prover, foldsOnly)
	_, second := decide(t, read(t, src), prover, foldsOnly)
	require.Equal(t, first.folds(), second.folds())
}

// lie is the statistics and the answer of the engine on two clauses, a fact and a query, with an inner solver that refutes
// every system with these, rightly or not, until it was asked often enough.
func lie(t *testing.T, src string) (engine.Answer, *engine.Stats) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stats := engine.NewStats()
	inner := func(s engine.Settings) engine.Inner {
		calls := 0
		return func(_ context.Context, sys *chc.System) (engine.Answer, error) {
			if calls++; calls > 6 {
				cancel()
			}
			require.Equal(t, chc.Over, sys.Approximation)
			step := func(c *chc.Clause, premises ...int) witness.Step {
				values := map[*term.Term]term.Value{}
				for _, x := range c.Vars() {
					values[x] = term.DefaultValue(sys.Pool, x.Sort())
				}
				return witness.Step{Clause: c, Values: values, Premises: premises}
			}
			r := &witness.Refutation{Steps: []witness.Step{step(sys.Clauses[0]), step(sys.Clauses[1], 0)}}
			return engine.Answer{Verdict: engine.Unsat, Refutation: r}, nil
		}
	}
	answer, err := Engine(inner).Solve(ctx, read(t, src), engine.Settings{Open: z3.Open, Stats: stats, Options: foldsOnly})
	require.NoError(t, err)
	return answer, stats
}

// TestSpuriousRefutationsDoNotPass checks that what does not hold on the datatypes does not become an answer.
func TestSpuriousRefutationsDoNotPass(t *testing.T) {
	answer, stats := lie(t, `
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun p (List) Bool)
(assert (p nil))
(assert (forall ((x List)) (=> (and (p x) (= x (cons 1 nil))) false)))`)
	require.Equal(t, engine.Unknown, answer.Verdict)
	require.Positive(t, stats.Get("catamorphism.spurious"))
	require.Positive(t, stats.Get("catamorphism.refinements"))
}

// TestOnlyEncodingsAreRefined checks that a refutation that does not even hold over components leads to no refinement:
// folds are not at fault.
func TestOnlyEncodingsAreRefined(t *testing.T) {
	answer, stats := lie(t, `
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun p (List Int) Bool)
(assert (p nil 0))
(assert (forall ((x List)) (=> (p x 1) false)))`)
	require.Equal(t, engine.Unknown, answer.Verdict)
	require.Positive(t, stats.Get("catamorphism.open"))
	require.Zero(t, stats.Get("catamorphism.refinements"))
}

// TestTreesAreComparedAsClauses checks that a tree is contradicted by folds only where the clauses over folds are: these
// do not know that equal lists have equal heads.
func TestTreesAreComparedAsClauses(t *testing.T) {
	sys := read(t, `
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun p (List) Bool)
(assert (p (cons 1 nil)))
(assert (forall ((x List)) (=> (p (cons 2 x)) false)))`)
	l, err := newLoop(sys, engine.Settings{Open: z3.Open}, options{}, nil)
	require.NoError(t, err)
	defer l.close()
	r := &witness.Refutation{Steps: []witness.Step{{Clause: sys.Clauses[0]}, {Clause: sys.Clauses[1], Premises: []int{0}}}}
	tree, err := newTree(sys, r, make([][]*term.Term, 2), 400)
	require.NoError(t, err)
	enough, err := l.refiner.refutes(context.Background(), nil, tree)
	require.NoError(t, err)
	require.False(t, enough)
	chosen, err := l.refiner.refine(context.Background(), nil, append(l.trees, tree))
	require.NoError(t, err)
	require.Len(t, chosen, 1)
	require.Equal(t, "first-head", chosen[0].name)
}

// TestRefinementContradicts checks that each refinement ends with folds that contradict every tree so far, and that none of
// them can be left out.
func TestRefinementContradicts(t *testing.T) {
	sys := read(t, query(query(lists, "(append x y z) (length x n) (length y m) (length z k) (not (= k (+ n m)))"),
		"(append x y z) (sum x n) (sum y m) (sum z k) (not (= k (+ n m)))"))
	l, err := newLoop(sys, engine.Settings{Open: z3.Open}, options{}, nil)
	require.NoError(t, err)
	defer l.close()
	facts := make([][]*term.Term, len(sys.Clauses))
	step := func(clause int, premises ...int) witness.Step {
		return witness.Step{Clause: sys.Clauses[clause], Premises: premises}
	}
	ctx := context.Background()
	lengths, sums := len(sys.Clauses)-2, len(sys.Clauses)-1
	var chosen []*component
	// append nil y z with lengths 0, 0 and 1; one append step with lengths 1, 0 and 0; append nil y z with different sums of
	// the one element of y and z, which lengths do not tell.
	for _, r := range []*witness.Refutation{
		{Steps: []witness.Step{step(0), step(2), step(3, 1), step(lengths, 0, 1, 1, 2)}},
		{Steps: []witness.Step{step(0), step(1, 0), step(2), step(3, 2), step(lengths, 1, 3, 2, 2)}},
		{Steps: []witness.Step{step(0), step(4), step(5, 1), step(5, 1), step(sums, 0, 1, 2, 3)}},
	} {
		tree, err := newTree(sys, r, facts, 400)
		require.NoError(t, err)
		found, spurious, err := tree.refutation(ctx, l.query, sys)
		require.NoError(t, err)
		require.Nil(t, found)
		require.True(t, spurious)
		l.trees = append(l.trees, tree)
		chosen, err = l.refiner.refine(ctx, chosen, l.trees)
		require.NoError(t, err)
		require.NotEmpty(t, chosen)
		for _, tree := range l.trees {
			enough, err := l.refiner.refutes(ctx, chosen, tree)
			require.NoError(t, err)
			require.True(t, enough)
		}
		for _, c := range chosen {
			enough := true
			for _, tree := range l.trees {
				one, err := l.refiner.refutes(ctx, without(chosen, c), tree)
				require.NoError(t, err)
				enough = enough && one
			}
			require.False(t, enough, c.name)
		}
	}
}

// TestInvariants recognises predicates that say that two values are equal, or that they differ, and no others.
func TestInvariants(t *testing.T) {
	sys := read(t, query(lists+`
(declare-fun same (List List) Bool)
(declare-fun late (List List) Bool)
(declare-fun early (List List) Bool)
(assert (forall ((x List) (y List)) (=> (late x y) (early x y))))
(assert (forall ((x List) (y List)) (=> (append x nil y) (late x y))))
(assert (same nil nil))
(assert (forall ((a Int) (x List) (y List)) (=> (same x y) (same (cons a x) (cons a y)))))`, "(same x y) (diseq x y)"))
	q, done := newQuerier(t, sys.Pool)
	defer done()
	inv, err := induction.FindInvariants(context.Background(), q.check, sys)
	require.NoError(t, err)
	found := map[string]string{}
	for i, fs := range inv {
		for _, f := range fs {
			found[sys.Predicates[i].Name] += f.String()
		}
	}
	require.Equal(t, map[string]string{"same": "(= same$0 same$1)", "diseq": "(not (= diseq$0 diseq$1))"}, found)
}

// defaults are the options that templates have as a rule.
var defaults = options{templateAtoms: 200, templatePairs: 45}

// TestTemplatesAreInvariants checks on random systems that what is found is a model of all clauses but the queries.
func TestTemplatesAreInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := hornoracle.DefaultShape()
		shape.Predicates, shape.Clauses = 3, 5
		sys := hornoracle.Draw(t, shape)
		q, done := newQuerier(t, sys.Pool)
		defer done()
		inv, err := findTemplates(context.Background(), q, sys, &defaults)
		require.NoError(t, err)
		m := witness.NewModel()
		for i, p := range sys.Predicates {
			m.Interpretations[p] = witness.Interpretation{Params: witness.CanonicalParams(sys.Pool, p), Body: sys.Pool.And(inv[i]...)}
		}
		definite := &chc.System{Pool: sys.Pool, Predicates: sys.Predicates}
		for _, c := range sys.Clauses {
			if c.Head != nil {
				d := *c
				d.ID = len(definite.Clauses)
				definite.Clauses = append(definite.Clauses, &d)
			}
		}
		require.NoError(t, witness.CheckModel(context.Background(), z3.Open, definite, m, smt.Limit{}))
	})
}

// TestTemplatesAreStrong names what library predicates must be recognised as.
func TestTemplatesAreStrong(t *testing.T) {
	sys := read(t, `
(declare-fun least (Int Int Int) Bool)
(declare-fun even (Bool Int) Bool)
(assert (forall ((x Int)) (=> (>= x 0) (least 0 0 x))))
(assert (forall ((x Int)) (=> (>= x 0) (least 0 x 0))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (least x y z) (least (+ x 1) (+ y 1) (+ z 1)))))
(assert (even true 0))
(assert (forall ((b Bool) (n Int)) (=> (even b n) (even (not b) (+ n 1)))))`)
	p := sys.Pool
	q, done := newQuerier(t, p)
	defer done()
	inv, err := findTemplates(context.Background(), q, sys, &defaults)
	require.NoError(t, err)
	x := witness.CanonicalParams(p, sys.Predicates[0])
	b := witness.CanonicalParams(p, sys.Predicates[1])
	for _, test := range []struct {
		pred int
		fact *term.Term
	}{
		{0, p.Eq(x[0], p.Ite(p.Le(x[1], x[2]), x[1], x[2]))},
		{1, p.Iff(b[0], p.Divides(term.NewInt(2), b[1]))},
	} {
		status, err := q.check(context.Background(), append([]*term.Term{p.Not(test.fact)}, inv[test.pred]...)...)
		require.NoError(t, err)
		require.Equal(t, smt.Unsat, status, "%s from %v", test.fact, inv[test.pred])
	}
}

// TestFragment says what the engine takes.
func TestFragment(t *testing.T) {
	for src, want := range map[string]string{
		lists: "",
		"(declare-fun p (Int) Bool)(assert (p 0))":                                                                                     "no recursive datatypes",
		"(declare-datatypes ((C 0)) (((red) (green))))(declare-fun p (C) Bool)(assert (p red))":                                        "no recursive datatypes",
		"(declare-datatypes ((N 0)) (((z) (s (p N)))))(declare-fun q ((Array Int N)) Bool)(assert (forall ((a (Array Int N))) (q a)))": "arrays over datatypes",
	} {
		err := Engine(prover).Fragment(read(t, src))
		if want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, want)
		}
	}
}
