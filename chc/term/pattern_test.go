package term_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
)

// Quantifiers over indices are printed with the selects that a reader should instantiate them at; others as they are.
func TestFormatWithPatterns(t *testing.T) {
	p := term.NewPool()
	ints := p.Array(term.Int, term.Int)
	a, b, m := p.Var("a", ints), p.Var("b", ints), p.Var("m", p.Array(term.Int, ints))
	k, l, x := p.Var("k", term.Int), p.Var("l", term.Int), p.Var("x", term.Int)
	at := p.Select
	for name, c := range map[string]struct {
		t    *term.Term
		want string
	}{
		"one array": {p.Forall([]*term.Term{k}, p.Eq(at(a, k), p.Int(7))),
			"(forall ((k Int)) (! (= (select a k) 7) :pattern ((select a k))))"},
		"one of two arrays": {p.Forall([]*term.Term{k}, p.Eq(at(a, k), at(b, k))),
			"(forall ((k Int)) (! (= (select a k) (select b k)) :pattern ((select a k)) :pattern ((select b k))))"},
		"two indices": {p.Forall([]*term.Term{k, l}, p.Le(at(a, k), at(a, l))),
			"(forall ((k Int) (l Int)) (! (<= (select a k) (select a l)) :pattern ((select a k) (select a l))))"},
		"an array of arrays": {p.Forall([]*term.Term{k, l}, p.Eq(at(at(m, k), l), p.Int(7))),
			"(forall ((k Int) (l Int)) (! (= (select (select m k) l) 7) :pattern ((select (select m k) l))))"},
		"no index is the variable": {p.Forall([]*term.Term{k}, p.Eq(at(a, p.Add(k, p.Int(1))), p.Int(7))),
			"(forall ((k Int)) (= (select a (+ k 1)) 7))"},
		"a variable is no index": {p.Forall([]*term.Term{k, l}, p.Or(p.Eq(at(a, k), p.Int(7)), p.Eq(l, p.Int(7)))),
			"(forall ((k Int) (l Int)) (or (= (select a k) 7) (= l 7)))"},
		"existential": {p.Exists([]*term.Term{k}, p.Eq(at(a, k), p.Int(7))),
			"(exists ((k Int)) (= (select a k) 7))"},
		"lets stay within": {p.Forall([]*term.Term{k}, p.Or(p.Eq(at(b, p.Add(x, at(a, k))), p.Int(7)), p.Eq(at(b, p.Add(x, at(a, k))), p.Int(9)))),
			""},
	} {
		got := term.FormatWithPatterns(c.t)
		if c.want == "" {
			require.Contains(t, got, "(! (let ", name)
			require.Contains(t, got, ") :pattern ((select a k))))", name)
			continue
		}
		require.Equal(t, c.want, got, name)
	}
}
