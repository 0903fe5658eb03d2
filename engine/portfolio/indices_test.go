package portfolio

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/frontend/smtlib"
)

// search is the program of Fig. 6 of "Building SMT-based Software Model Checkers": the element 1 of the array is 9, the loop writes 2 i to
// element i until it finds 9, and i is at most LIMIT then.
const search = `(set-logic HORN)
(declare-fun loop ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int))) (loop (store a 1 9) 0)))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (loop a i) (not (= (select a i) 9))) (loop (store a i (* 2 i)) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (loop a i) (= (select a i) 9) (> i LIMIT)) false)))`

func solveIndices(t *testing.T, text string) (engine.Answer, *engine.Stats) {
	t.Helper()
	script, err := smtlib.Read("arrays.smt2", []byte(text), term.NewPool())
	require.NoError(t, err)
	req := request(script.System)
	req.Engine = "indices"
	return Solve(context.Background(), req), req.Stats
}

// As in the paper, the element 1 is all that the proof needs, and a derivation without any index shows that; the bug needs none.
func TestIndicesOfThePaper(t *testing.T) {
	a, stats := solveIndices(t, strings.ReplaceAll(search, "LIMIT", "1"))
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	require.Equal(t, int64(2), stats.Get("indices.rounds"))
	require.Equal(t, int64(1), stats.Get("indices.tracked"))
	require.Positive(t, stats.Get("indices.elements"))

	a, stats = solveIndices(t, strings.ReplaceAll(search, "LIMIT", "0"))
	require.Equal(t, engine.Unsat, a.Verdict, a.Reason)
	require.Zero(t, stats.Get("indices.tracked"))
}

// Elements that only the values of a derivation contradict are tracked one after the other: here the array is filled, and each element
// is what it was filled with.
func TestIndicesOfAllElements(t *testing.T) {
	a, stats := solveIndices(t, `(set-logic HORN)
(declare-fun fill ((Array Int Int) Int) Bool)(declare-fun read ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int))) (fill a 0)))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (fill a i) (< i 3)) (fill (store a i (* 7 i)) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (fill a i) (= i 3)) (read a 0))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (read a i) (< i 2)) (read a (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (read a i) (not (= (select a i) (* 7 i)))) false)))`)
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	require.Equal(t, int64(3), stats.Get("indices.tracked"))
}

// Arrays that are compared as a whole stay, and where no others are there the engine says so.
func TestIndicesOfComparedArrays(t *testing.T) {
	a, _ := solveIndices(t, `(set-logic HORN)(declare-fun p ((Array Int Int) (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (p a (store a 0 1))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (p a b) (not (= (store a 0 1) b))) false)))`)
	require.Equal(t, engine.Unknown, a.Verdict)
	require.Contains(t, a.Reason, "compared")
	require.False(t, a.Internal)
}
