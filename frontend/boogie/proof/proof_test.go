package proof_test

import (
	"context"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/proof"
	"hornbeam/frontend/boogie/trace"
	"hornbeam/internal/smt/z3"
)

// result is what became of a program.
type result struct {
	verdict   engine.Verdict
	text      string
	annotated string
	dropped   []proof.Dropped
	// why says what keeps the annotated program from being verified by its contracts.
	why string
}

// solve makes the model smaller in the time.
func solve(e *encode.Encoding, simplify time.Duration) engine.Answer {
	return portfolio.Solve(context.Background(), portfolio.Request{System: e.System, Open: z3.Open, Check: true, Spelled: true, Deterministic: true, Simplify: simplify, Timeout: 5 * time.Second})
}

// roundTrip proves a program, if it can, and verifies what it says of it.
func roundTrip(t require.TestingT, src string, simplify time.Duration) result {
	tree, err := boogie.Read("test.bpl", []byte(src), boogie.Options{})
	require.NoError(t, err, src)
	e, err := encode.Encode(context.Background(), tree, term.NewPool(), encode.Options{})
	require.NoError(t, err, src)
	a := solve(e, simplify)
	r := result{verdict: a.Verdict}
	if a.Verdict != engine.Sat {
		return r
	}
	claims := proof.Claims(e, a.Model, proof.Options{})
	places, _ := proof.Places(e, claims)
	r.text = string(proof.Text(places))
	r.dropped = proof.Annotate(e, claims)
	var b strings.Builder
	require.NoError(t, ast.Print(&b, tree))
	r.annotated = b.String()
	again, err := boogie.Read("annotated.bpl", []byte(r.annotated), boogie.Options{Strict: true, Dialect: boogie.DialectBoogie})
	require.NoError(t, err, "%s", r.annotated)
	m, err := encode.Encode(context.Background(), again, term.NewPool(), encode.Options{Modular: true})
	require.NoError(t, err, "%s", r.annotated)
	switch a := portfolio.Solve(context.Background(), portfolio.Request{System: m.System, Open: z3.Open, Check: true, Timeout: 5 * time.Minute}); {
	case a.Verdict == engine.Sat:
	case a.Refutation != nil:
		r.why = trace.Obligation(m, a.Refutation)
	default:
		r.why = a.Reason
	}
	return r
}
