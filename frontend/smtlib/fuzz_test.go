package smtlib

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// seeds have, between them, all that the reader knows.
var seeds = []string{
	counter + "(check-sat)(get-model)",
	someData + `(declare-fun P (L (Array Int Bool) (_ BitVec 8) U Real) Bool)
(assert (forall ((l L) (a (Array Int Bool)) (v (_ BitVec 8)) (u U) (x Real)) (=> (and (P l a v u x) ((_ is cons) l) (select a (hd l))
  (bvult ((_ extract 3 0) v) #xf) (let ((y (+ x 1)) (z (* 2 x))) (< y z 3.5))) (P (tl l) (store a 1 false) (bvadd v #x01) u (/ x 3)))))`,
	`(set-logic HORN)(declare-rel p (Int Int))(declare-rel q ())(declare-var A Int)(declare-var |B c| Int)
(define-fun m ((x Int)) Bool (exists ((k Int)) (= x (* 2 k))))(define-sort Pair (T) (Array T T))(define-const c Int (mod 7 3))
(rule (p 0 c) first)(rule (=> (and (p A |B c|) (or (m A) (not (= A 3)) (> (div A 2) (abs A)))) (p (ite (> A 0) (- A 1) A) |B c|)) second)
(rule (! (=> (exists ((x Int)) (and (p x x) (xor (> x 1) ((_ divisible 3) x)))) q) :named third))(query q)(query (p A 7))`,
	"(declare-fun P (Int) Bool)(declare-fun Q (Int) Bool)(assert (not (exists ((x Int)) (and (P x) (not (Q x))))))(assert (forall ((x Int)) (= (P x) (ite (> x 0) (Q x) false))))",
	someData + moreData + `(declare-fun P ((Opt (Opt Int)) (Both L U)) Bool)(assert (! (forall ((x (Opt (Opt Int))) (y (Both L U))) (=> (and (P x y) ((_ is put) (first x))
  (match (l y) ((nil false) ((cons h t) (= h (match x ((none (twice h)) (_ 1)))))))) (P (second x) ((_ update-field l) y nil)))) :named n))
(assert (=> n (P ((as put (Opt (Opt Int))) (as none (Opt Int)) (as none (Opt (Opt Int)))) (as neither (Both L U)))))`,
	"(declare-fun a\\b (Bool) Bool); c\r(declare-datatypes ((E 1) (T 0)) ((par (X) ((e (x X) (f T)))) ((t (a (Array Int (E Int)))) (n))))(set-option :timeout 7)(assert (a\\b (= n (f (e 1 n)))))",
	"(declare-datatypes () ((T leaf (node (l T) (r T)))))(declare-const b Bool)(assert (=> b (forall ((x T)) (or (= x leaf) (is-node x)))))(echo \"a\"\"b\")(exit)",
}

// readAnything reads src as all that can be read: it may fail, but with a place, and what it understands it can print
// and read again.
func readAnything(t require.TestingT, src []byte) {
	p := term.NewPool()
	s, err := Read("f", src, p)
	if err != nil {
		var e *Error
		require.True(t, errors.As(err, &e), "%v", err)
		require.Positive(t, e.Pos.Line)
		require.Positive(t, e.Pos.Column)
		require.Equal(t, errors.Is(err, ErrUnsupported), s != nil)
	}
	if s == nil {
		return
	}
	var b bytes.Buffer
	require.NoError(t, chc.Write(&b, s.System))
	again, err := Read("printed", b.Bytes(), p)
	require.NoError(t, err, b.String())
	require.Len(t, again.System.Clauses, len(s.System.Clauses), b.String())
	_, _, _ = ReadWitness("w", src, s)
}

// Damaged scripts never make the reader panic.
func TestDamagedScripts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(rapid.SampledFrom(seeds).Draw(t, "seed"))
		other := []byte(rapid.SampledFrom(seeds).Draw(t, "other"))
		for range rapid.IntRange(1, 6).Draw(t, "changes") {
			i := rapid.IntRange(0, len(src)).Draw(t, "at")
			j := min(len(src), i+rapid.IntRange(0, 12).Draw(t, "length"))
			switch rapid.IntRange(0, 3).Draw(t, "change") {
			case 0: // delete
				src = append(src[:i:i], src[j:]...)
			case 1: // repeat
				src = append(src[:j:j], src[i:]...)
			case 2: // put in something from elsewhere
				k := rapid.IntRange(0, len(other)).Draw(t, "from")
				src = append(append(src[:i:i], other[k:min(len(other), k+20)]...), src[i:]...)
			case 3:
				b := rapid.SampledFrom([]string{"(", ")", " ", "|", "\"", ";", "1", "x", "#", ":", "\x00", "\xff", "let", "Bool", "(not ", "(_ bv1 1)"}).Draw(t, "bytes")
				src = append(append(src[:i:i], b...), src[j:]...)
			}
		}
		readAnything(t, src)
	})
}

func FuzzRead(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) { readAnything(t, src) })
}
