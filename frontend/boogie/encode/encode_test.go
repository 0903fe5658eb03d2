package encode_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/trace"
	"hornbeam/internal/smt/z3"
)

const (
	safe, unsafe = "safe", "unsafe"
	// open is what stands for no verdict: the clauses have no model, but allow more than the program.
	open = "open"
)

// encoded are the clauses of a program, which must be well-formed.
func encoded(t require.TestingT, src string, o encode.Options) *encode.Encoding {
	program, err := boogie.Read("test.bpl", []byte(src), boogie.Options{})
	require.NoError(t, err, src)
	e, err := encode.Encode(context.Background(), program, term.NewPool(), o)
	require.NoError(t, err, src)
	return e
}

// verdict solves a program.
func verdict(t require.TestingT, src string, o encode.Options) string {
	e := encoded(t, src, o)
	over := e.System.Approximation == chc.Over
	e.System.Approximation = chc.Exact
	a := portfolio.Solve(context.Background(), portfolio.Request{System: e.System, Open: z3.Open, Check: true, Timeout: 20 * time.Second})
	switch {
	case a.Verdict == engine.Sat:
		return safe
	case a.Verdict == engine.Unsat && over:
		return open
	case a.Verdict == engine.Unsat:
		if !o.Modular {
			// A bug is a run.
			_, err := trace.Replay(context.Background(), e, a.Refutation, trace.Options{ErrorProcedures: o.ErrorProcedures})
			if !errors.Is(err, trace.ErrUndetermined) || !forgets(src) && !strings.Contains(src, "<T>") && !strings.Contains(src, "|{") {
				require.NoError(t, err, src)
			}
		}
		return unsafe
	}
	return a.Reason
}

var blocks = []encode.Blocks{encode.Loops, encode.Basic, encode.Single, encode.Procedures}

type example struct{ name, want, src string }

// forgets reports whether a program makes assumptions about all values: they do not get past a cut point, so that more of
// these decide less.
func forgets(src string) bool {
	return strings.Contains(src, "forall") || strings.Contains(src, "exists") || strings.Contains(src, "lambda")
}

// check holds the verdicts of examples to what is expected, whatever the cut points.
func check(t *testing.T, o encode.Options, examples []example) {
	for _, x := range examples {
		t.Run(x.name, func(t *testing.T) {
			for _, b := range blocks {
				o.Blocks = b
				got := verdict(t, x.src, o)
				if got == open && b != encode.Loops && forgets(x.src) {
					continue
				}
				require.Equal(t, x.want, got, "blocks %d of\n%s", b, x.src)
			}
		})
	}
}
