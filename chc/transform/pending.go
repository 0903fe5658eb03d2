package transform

import (
	"cmp"
	"slices"

	"hornbeam/chc/term"
)

// Pending returns the terms of t that are not done yet, each after its arguments: these have smaller IDs, so that a
// rewriter that takes them in this order never needs to recurse.
func Pending[T any](t *term.Term, done map[*term.Term]T) []*term.Term {
	var todo []*term.Term
	term.Walk(t, func(u *term.Term) bool {
		if _, ok := done[u]; ok {
			return false
		}
		todo = append(todo, u)
		return true
	})
	slices.SortFunc(todo, func(a, b *term.Term) int { return cmp.Compare(a.ID(), b.ID()) })
	return todo
}
