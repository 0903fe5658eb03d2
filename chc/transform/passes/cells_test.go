package passes_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/cells"
	"hornbeam/chc/transform/passes"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// decide solves a system with the prover after the named passes and checks the witness.
func decide(t testingContext, sys *chc.System, passes string) engine.Answer {
	return portfolio.Solve(t.Context(), portfolio.Request{
		System: sys, Engine: "spacer", Passes: strings.Split(passes, ","), Open: z3.Open, Check: true,
		Timeout: 30 * time.Second,
	})
}

func readSystem(t testing.TB, src string) *chc.System {
	script, err := smtlib.Read("test", []byte(src), term.NewPool())
	require.NoError(t, err)
	return script.System
}

// Programs whose invariants speak of all elements are proved; which shape of cells does it depends on what is compared.
func TestCellsProveArrayPrograms(t *testing.T) {
	for name, passes := range map[string]string{
		"initialise":          "cells cells-apart cell-pairs",
		"copy":                "cells cells-apart cell-pairs",
		"maximum":             "cells cells-apart",
		"search":              "cells cells-apart",
		"fill-and-check":      "cells",
		"equality-after-copy": "cells cells-apart",
		"swap":                "cells",
		"bytes":               "cells",
		"bases":               "cells",
		"matrix":              "cells",
		"memory":              "cells",
		"distinct":            "cells cell-pairs",
		"reverse":             "cells-apart",
		"ascending":           "cell-pairs",
		"shift":               "cell-companions",
		"mirror":              "cell-companions",
	} {
		src, err := os.ReadFile(filepath.Join("testdata", "cells", name+".smt2"))
		require.NoError(t, err)
		for _, pass := range strings.Fields(passes) {
			t.Run(name+"/"+pass, func(t *testing.T) {
				t.Parallel()
				a := decide(t, readSystem(t, string(src)), "default,"+pass)
				require.Equal(t, engine.Sat, a.Verdict, a.Reason)
			})
		}
	}
}

// Of a matrix, a clause keeps the element at the head's indices and those that it reads, and no mixture of their rows and columns.
func TestCellsOfAMatrix(t *testing.T) {
	sys := readSystem(t, `
		(declare-fun p (Int Int (Array Int (Array Int Int)) (Array Int (Array Int Int))) Bool)
		(assert (forall ((a (Array Int (Array Int Int))) (b (Array Int (Array Int Int)))) (p 0 0 a b)))
		(assert (forall ((i Int) (j Int) (a (Array Int (Array Int Int))) (b (Array Int (Array Int Int))))
		  (=> (p i j a b) (p i (+ j 1) (store a i (store (select a i) j (select (select b i) j))) b))))
		(assert (forall ((i Int) (j Int) (a (Array Int (Array Int Int))) (b (Array Int (Array Int Int))))
		  (=> (and (p i j a b) (not (= (select (select a i) j) (select (select b i) j)))) false)))`)
	cells, _, err := cells.Pass(func() []transform.Pass { return nil }).Run(context.Background(), transform.Environment{Open: z3.Open}, sys)
	require.NoError(t, err)
	for _, c := range cells.Clauses {
		switch {
		case c.Head == nil:
			require.Len(t, c.Body, 1, c)
		case len(c.Body) > 0:
			require.Len(t, c.Body, 2, c)
		}
	}
}

// Where a clause only writes, it keeps the elements at the head's indices: other arguments are no indices of what it writes, nor of an
// array that it defines by an equation.
func TestCellsOfWhatIsWritten(t *testing.T) {
	for name, test := range map[string]struct {
		array, goal, clause string
		atoms               int
	}{
		"a store":      {"(Array Int Int)", "(select a i)", "(=> (p i n a) (p (+ i 1) n (store a i v)))", 1},
		"an equation":  {"(Array Int Int)", "(select a i)", "(=> (and (p i n a) (= b (ite (> n 5) (store a i v) a))) (p (+ i 1) n b))", 1},
		"alternatives": {"(Array Int Int)", "(select a i)", "(=> (and (p i n a) (or (= b (store a i v)) (and (> n 5) (= b a)))) (p (+ i 1) n b))", 1},
		// The second atom has the row that is written.
		"an element of a row":                     {"(Array Int (Array Int Int))", "(select (select a i) n)", "(=> (p i n a) (p (+ i 1) n (store a i (store (select a i) n v))))", 2},
		"an equation that compares what is known": {"(Array Int Int)", "(select a i)", "(=> (and (p i n a) (p n i b) (= b (store a i v))) (p (+ i 1) n b))", 6},
	} {
		sys := readSystem(t, "(declare-fun p (Int Int "+test.array+") Bool)(assert (forall ((i Int) (n Int) (v Int) (a "+test.array+") (b "+test.array+"))"+
			test.clause+"))(assert (forall ((i Int) (n Int) (a "+test.array+")) (=> (> n i) (p i n a))))"+
			"(assert (forall ((i Int) (n Int) (a "+test.array+")) (=> (and (p i n a) (> "+test.goal+" n)) false)))")
		cells, _, err := cells.Pass(func() []transform.Pass { return nil }).Run(context.Background(), transform.Environment{Open: z3.Open}, sys)
		require.NoError(t, err)
		for _, c := range cells.Clauses {
			if c.Head != nil && len(c.Body) > 0 {
				require.Len(t, c.Body, test.atoms, "%s: %s", name, c)
			}
		}
	}
}

// A refutation of the cells that is one of the arrays comes back as such; others are not reported.
func TestCellsRefuteArrayPrograms(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "cells", "*-unsafe.smt2"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			a := decide(t, readSystem(t, string(src)), "default,cells")
			require.Equal(t, engine.Unsat, a.Verdict, a.Reason)
		})
	}
}

// Safe systems that the abstraction loses: the refutation of the cells has no counterpart.
func TestSpuriousRefutationsOfCells(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("testdata", "cells", "ascending.smt2"))
	require.NoError(t, err)
	a := decide(t, readSystem(t, string(src)), "default,cells")
	require.Equal(t, engine.Unknown, a.Verdict)
	require.False(t, a.Internal, a.Reason)
	require.Contains(t, a.Reason, transform.ErrSpurious.Error())
}

// Each of these is safe for one reason that a rule of the abstraction keeps, and would have a refutation of its cells
// without the rule.
func TestCellsKeep(t *testing.T) {
	const arrays = "(set-logic HORN)(declare-fun p ((Array Int Int) Int) Bool)(declare-fun q ((Array Int Int) (Array Int Int) Int) Bool)"
	for name, rules := range map[string]string{
		"values at the head's index": `
			(assert (forall ((x Int)) (p ((as const (Array Int Int)) 0) x)))
			(assert (forall ((a (Array Int Int)) (x Int)) (=> (p a x) (p a (+ x 1)))))
			(assert (forall ((a (Array Int Int)) (x Int)) (=> (and (p a x) (> (select a x) 0)) false)))`,
		"equal values at equal indices": `
			(assert (forall ((a (Array Int Int)) (x Int)) (p a x)))
			(assert (forall ((a (Array Int Int)) (x Int) (y Int)) (=> (and (p a (* 2 x)) (p a (* 2 y)) (< (* 2 x) (+ (* 2 y) 1)) (< (* 2 y) (+ 1 (* 2 x)))
			  (not (= (select a (* 2 x)) (select a (* 2 y))))) false)))`,
		"what is stored": `
			(assert (forall ((a (Array Int Int)) (x Int)) (p (store a x 5) x)))
			(assert (forall ((a (Array Int Int)) (x Int)) (=> (and (p a x) (not (= (select a x) 5))) false)))`,
		"what is stored elsewhere": `
			(assert (forall ((x Int)) (p ((as const (Array Int Int)) 0) x)))
			(assert (forall ((a (Array Int Int)) (x Int)) (=> (p a x) (p (store a 3 1) x))))
			(assert (forall ((a (Array Int Int)) (x Int)) (=> (and (p a x) (not (= x 3)) (not (= (select a x) 0))) false)))`,
		"the last of two stores": `
			(assert (forall ((a (Array Int Int)) (x Int) (y Int)) (p (store (store a x 5) y 6) y)))
			(assert (forall ((a (Array Int Int)) (x Int)) (=> (and (p a x) (not (= (select a x) 6))) false)))`,
		"the index at which arrays differ": `
			(assert (forall ((a (Array Int Int)) (x Int)) (q a a x)))
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int) (v Int)) (=> (q a b x) (q (store a x v) (store b x v) (+ x 1)))))
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int)) (=> (and (q a b x) (not (= a b))) false)))`,
		"the index at which arrays differ, in a disjunct": `
			(assert (forall ((a (Array Int Int)) (x Int)) (=> (> x 0) (q a a x))))
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int) (v Int)) (=> (q a b x) (q (store a x v) (store b x v) (+ x 1)))))
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int)) (=> (and (q a b x) (or (< x 0) (not (= a b)))) false)))`,
		"values of equal arrays": `
			(assert (forall ((a (Array Int Int)) (x Int)) (=> (= (select a x) 1) (p a x))))
			(assert (forall ((a (Array Int Int)) (x Int)) (=> (= (select a x) 2) (q a a x))))
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (x Int))
			  (=> (and (p a x) (q b c x) (= a b)) false)))`,
		"values of equal arrays, in a disjunct": `
			(assert (forall ((a (Array Int Int)) (x Int)) (=> (= (select a x) 1) (p a x))))
			(assert (forall ((a (Array Int Int)) (x Int)) (=> (= (select a x) 2) (q a a x))))
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (x Int) (y Int))
			  (=> (and (p a x) (q b c x) (or (= a b) (and (= a c) (> y 0)))) false)))`,
		"values of equal arrays, in a branch": `
			(assert (forall ((a (Array Int Int)) (x Int)) (=> (= (select a x) 1) (p a x))))
			(assert (forall ((a (Array Int Int)) (x Int)) (=> (= (select a x) 2) (q a a x))))
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (x Int) (y Int))
			  (=> (and (p a x) (q b c x) (ite (> y 0) (= a b) (= a c))) false)))`,
		"the index at which arrays differ, in a condition": `
			(assert (forall ((a (Array Int Int)) (x Int)) (q a a x)))
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int) (v Int)) (=> (q a b x) (q (store a x v) (store b x v) (+ x 1)))))
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int) (y Int)) (=> (and (q a b x) (= (* 2 y) (+ x x (ite (= a b) 2 0))) (= x y)) false)))`,
		"values of equal arrays where one is written": `
			(assert (forall ((a (Array Int Int)) (x Int)) (=> (= (select a x) 1) (p a x))))
			(assert (forall ((a (Array Int Int)) (x Int)) (=> (= (select a x) 2) (q a a x))))
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (x Int))
			  (=> (and (p a x) (q b c x) (= a (store b x 3))) false)))`,
		"the value that is stored into an equal array": `
			(assert (forall ((x Int)) (p ((as const (Array Int Int)) 1) x)))
			(assert (forall ((a (Array Int Int)) (x Int)) (q a a x)))
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (x Int) (y Int))
			  (=> (and (p a x) (q b c x) (= a (store b y 3))) false)))`,
		"the value that is stored into the array of a premise": `
			(assert (forall ((x Int)) (p ((as const (Array Int Int)) 1) x)))
			(assert (forall ((a (Array Int Int)) (x Int)) (q a a x)))
			(assert (forall ((b (Array Int Int)) (c (Array Int Int)) (x Int) (y Int)) (=> (and (p (store b y 3) x) (q b c x)) false)))`,
		"values of arrays that are equal but for one index": `
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int)) (=> (= (store a 3 0) (store b 3 0)) (q a b x))))
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int)) (=> (q a b x) (q b a (+ x 1)))))
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int)) (=> (and (q a b x) (not (= x 3)) (not (= (select a x) (select b x)))) false)))`,
		"values of arrays in other values": `
			(declare-datatypes ((Box 0)) (((box (content (Array Int Int))))))
			(declare-fun r (Box (Array Int Int) Int) Bool)
			(assert (forall ((a (Array Int Int)) (x Int)) (=> (= (select a x) 1) (r (box a) a x))))
			(assert (forall ((a (Array Int Int)) (b Box) (x Int)) (=> (and (r b a x) (not (= (select (content b) x) 1))) false)))`,
		"values of one of two arrays": `
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int)) (=> (and (= (select a x) 1) (= (select b x) 1)) (q a b x))))
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int) (y Int)) (=> (q a b x) (p (ite (> y 0) a b) x))))
			(assert (forall ((a (Array Int Int)) (x Int)) (=> (and (p a x) (not (= (select a x) 1))) false)))`,
		"an index that is an element": `
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int)) (=> (= (select b (select a x)) 1) (q a b x))))
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int)) (=> (and (q a b x) (= (select b (select a x)) 2)) false)))`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, pass := range []string{"cells", "cell-pairs", "cells-apart"} {
				if pass == "cells" && name == "an index that is an element" {
					continue // the values at two indices matter
				}
				a := decide(t, readSystem(t, arrays+rules), pass)
				require.Equal(t, engine.Sat, a.Verdict, "%s: %s", pass, a.Reason)
			}
		})
	}
}

// Arrays may agree wherever the clause looks and differ all the same.
func TestCellsLoseNoBehaviour(t *testing.T) {
	for name, condition := range map[string]string{
		"disequality":           "(not (= a b))",
		"disequality, disjunct": "(or (< x 0) (not (= a b)))",
		"branch, denied":        "(not (ite (> y 0) (= a b) (= a (store b x 7))))",
		"condition":             "(= y (ite (= a b) 1 0)) (= y 0)",
		"equivalence":           "(= (= a b) (> y 0)) (< y 0)",
		"equality":              "(or (= a b) (= a (store b x 7)))",
	} {
		a := decide(t, readSystem(t, `(set-logic HORN)(declare-fun q ((Array Int Int) (Array Int Int) Int) Bool)
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int)) (=> (> x 0) (q a b x))))
			(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int) (y Int))
			  (=> (and (q a b x) (= (select a x) (select b x)) `+condition+`) false)))`), "cells")
		require.Equal(t, engine.Unsat, a.Verdict, "%s: %s", name, a.Reason)
	}
}

// A predicate between two loops, which is resolved away, has a universal interpretation, too.
func TestPredicatesBetweenCells(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("testdata", "cells", "phases.smt2"))
	require.NoError(t, err)
	sys := readSystem(t, string(src))
	a := decide(t, sys, "default,cells")
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	for _, p := range sys.Predicates {
		term.Walk(a.Model.Interpretations[p].Body, func(u *term.Term) bool {
			require.NotEqual(t, term.Exists, u.Op(), "%s", p.Name)
			return true
		})
	}
}

// The abstraction says that it is one, and leaves systems without arrays alone.
func TestCellsApproximate(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("testdata", "cells", "copy.smt2"))
	require.NoError(t, err)
	companions, err := os.ReadFile(filepath.Join("testdata", "cells", "shift.smt2"))
	require.NoError(t, err)
	for _, pass := range []transform.Pass{cells.Pass(passes.Default), cells.Pairs(passes.Default), cells.Apart(passes.Default), cells.Companions(passes.Default)} {
		sys := readSystem(t, string(src))
		if pass.Name == "cell-companions" {
			// Where no indices are related, there is nothing to do.
			same, back, err := pass.Run(t.Context(), env, sys)
			require.NoError(t, err)
			require.Same(t, sys, same)
			require.Nil(t, back)
			sys = readSystem(t, string(companions))
		}
		before := text(sys)
		next, _ := run(t, pass, sys)
		require.Equal(t, before, text(sys))
		require.Equal(t, chc.Exact, sys.Approximation)
		require.Equal(t, chc.Over, next.Approximation)
		require.Len(t, next.Notes, 1)
		for _, p := range next.Predicates {
			for _, s := range p.Sorts {
				require.NotEqual(t, term.ArrayKind, s.Kind)
			}
		}
		plain := read(t, "(declare-rel p (Int)) (rule (p 0)) (rule (=> (and (p x) (= x 1)) false))")
		same, back, err := pass.Run(t.Context(), env, plain)
		require.NoError(t, err)
		require.Same(t, plain, same)
		require.Nil(t, back)
		sys.Approximation = chc.Under
		same, _, err = pass.Run(t.Context(), env, sys)
		require.NoError(t, err)
		require.Same(t, sys, same, "an over-approximation of an under-approximation")
	}
}

// The interpretation over arrays has no quantifier for what holds at one index only.
func TestCellModelsWithoutQuantifiers(t *testing.T) {
	sys := readSystem(t, `(set-logic HORN)(declare-fun p ((Array Int Int) Int Int) Bool)
		(assert (forall ((a (Array Int Int)) (x Int)) (p a x (select a x))))
		(assert (forall ((a (Array Int Int)) (x Int) (y Int)) (=> (p a x y) (p (store a (+ x 1) y) (+ x 1) y))))
		(assert (forall ((a (Array Int Int)) (x Int) (y Int)) (=> (and (p a x y) (not (= y (select a x)))) false)))`)
	a := decide(t, sys, "cells")
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	require.False(t, a.Model.Interpretations[sys.Predicates[0]].Body.HasQuantifier(), "%s", a.Model.Interpretations[sys.Predicates[0]].Body)
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, sys, a.Model, smt.Limit{}))
}

// Many arrays with several indices each have more instances than any number says; a few are taken all the same. The pass
// ends with its context.
func TestCellsOfManyArrays(t *testing.T) {
	const arrays = 64
	p := term.NewPool()
	pred := &chc.Predicate{Name: "p"}
	var args, next []*term.Term
	for i := range arrays {
		a := p.Var(fmt.Sprintf("a%d", i), p.Array(term.Int, term.Int))
		pred.Sorts = append(pred.Sorts, a.Sort())
		args = append(args, a)
		for j := range 3 {
			a = p.Store(a, p.Var(fmt.Sprintf("i%d_%d", i, j), term.Int), p.Int(0))
		}
		next = append(next, a)
	}
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{pred}, Clauses: []*chc.Clause{
		{ID: 0, Constraint: p.True(), Body: []chc.App{{Pred: pred, Args: args}}, Head: &chc.App{Pred: pred, Args: next}},
	}}
	after, _, err := cells.Apart(passes.Default).Run(t.Context(), env, sys)
	require.NoError(t, err)
	for _, c := range after.Clauses {
		require.LessOrEqual(t, len(c.Body), 40)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = cells.Apart(passes.Default).Run(ended, env, sys)
	require.ErrorIs(t, err, context.Canceled)
}
