package encode_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/encode"
)

// sums is a program that adds an arbitrary value, 0 or 1, many times.
func sums(n int, claim string) string {
	return "procedure main() { var x, y: int; x := 0;" + strings.Repeat(" havoc y; assume y == 0 || y == 1; x := x + y;", n) + " assert " + claim + "; }"
}

// Values that are the sums of hundreds of terms have names, and a run that needs all of them is still one.
func TestLongSums(t *testing.T) {
	e := encoded(t, sums(450, "x < 450"), encode.Options{})
	longest := 0
	for _, c := range e.System.Clauses {
		term.Walk(c.Constraint, func(s *term.Term) bool {
			if s.Op() == term.Add {
				longest = max(longest, len(s.Args()))
			}
			return true
		})
	}
	require.Less(t, longest, 300)
	require.Greater(t, longest, 100)
	require.Equal(t, unsafe, verdict(t, sums(210, "x != 210"), encode.Options{}))
}

// endsAt is a context that ends when it was asked for the nth time.
type endsAt struct {
	context.Context
	left int
}

func (c *endsAt) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Encoding ends with its context, also in the middle of a procedure.
func TestEncodingIsInterrupted(t *testing.T) {
	p, err := boogie.Read("test.bpl", []byte(sums(100, "x > 0")), boogie.Options{})
	require.NoError(t, err)
	for n := range 20 {
		_, err := encode.Encode(&endsAt{context.Background(), n}, p, term.NewPool(), encode.Options{})
		require.ErrorIs(t, err, context.Canceled)
	}
}

// manyBranches is a program with a procedure of many branches that change globals, and that meet at one place.
func manyBranches(n int) string {
	var b strings.Builder
	for i := range 50 {
		fmt.Fprintf(&b, "var g%d: int;\n", i)
	}
	b.WriteString("procedure main() { var k: int;\nhead:\n havoc k;\n")
	for i := range n {
		fmt.Fprintf(&b, " if (k == %d) { g%d := g%d + %d; goto done; }\n", i, i%50, (7*i)%50, i)
	}
	b.WriteString("done:\n assert g0 >= 0; goto head; }\n")
	return b.String()
}

func BenchmarkBranches(b *testing.B) {
	p, err := boogie.Read("test.bpl", []byte(manyBranches(1000)), boogie.Options{})
	require.NoError(b, err)
	for b.Loop() {
		_, err := encode.Encode(context.Background(), p, term.NewPool(), encode.Options{})
		require.NoError(b, err)
	}
}
