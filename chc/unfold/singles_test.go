package unfold

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// A predicate that two premises of a derivation lead to is not single, at whatever distance; one that two clauses have, of which a
// derivation takes one, is.
func TestSingles(t *testing.T) {
	p := term.NewPool()
	sys := &chc.System{Pool: p}
	add := func(name string) chc.App {
		q := &chc.Predicate{ID: len(sys.Predicates), Name: name}
		sys.Predicates = append(sys.Predicates, q)
		return chc.App{Pred: q}
	}
	clause := func(head *chc.App, body ...chc.App) {
		sys.Clauses = append(sys.Clauses, &chc.Clause{ID: len(sys.Clauses), Constraint: p.True(), Head: head, Body: body})
	}
	deep, callee, start, left, right, end := add("deep"), add("callee"), add("start"), add("left"), add("right"), add("end")
	clause(&deep)
	clause(&callee, deep)
	clause(&start)
	clause(&left, start, callee)
	clause(&right, start)
	clause(&end, left, callee)
	clause(&end, right)
	clause(nil, end)
	got := singles(chc.NewGraph(sys), len(sys.Predicates))
	require.Equal(t, []bool{false, false, true, true, true, true}, got)
}
