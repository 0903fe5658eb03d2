package passes_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// read reads rules: "declare-rel", "declare-var" for the usual variables, and what src adds.
func read(t testing.TB, src string) *chc.System {
	var b strings.Builder
	for _, v := range "abcd" {
		fmt.Fprintf(&b, "(declare-var %c Bool)\n", v)
	}
	for _, v := range "uvwxyz" {
		fmt.Fprintf(&b, "(declare-var %c Int)\n", v)
	}
	script, err := smtlib.Read("test", []byte(b.String()+src), term.NewPool())
	require.NoError(t, err)
	return script.System
}

// run runs one pass and returns the result, which must differ.
func run(t testing.TB, pass transform.Pass, sys *chc.System) (*chc.System, transform.Translator) {
	next, back, err := pass.Run(t.Context(), env, sys)
	require.NoError(t, err)
	requireWellFormed(t, next)
	require.NotSame(t, sys, next, "the pass did nothing")
	return next, back
}

// lines are the clauses as text writes them, without their numbers.
func lines(sys *chc.System) []string {
	var out []string
	for _, l := range strings.Split(strings.TrimSuffix(text(sys), "\n"), "\n") {
		_, l, _ := strings.Cut(l, ":")
		out = append(out, strings.TrimSpace(l))
	}
	return out
}

// requireSat checks that the least model of next over a few values, translated, is a model of sys.
func requireSat(t testing.TB, sys, next *chc.System, back transform.Translator) *witness.Model {
	r := hornoracle.Solve(next, hornoracle.DefaultOptions())
	require.Nil(t, r.Query)
	old, err := back.Model(t.Context(), r.Model())
	require.NoError(t, err)
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, sys, old, smt.Limit{}))
	return old
}

// requireUnsat checks that a refutation of next, translated, refutes sys.
func requireUnsat(t testing.TB, sys, next *chc.System, back transform.Translator) *witness.Refutation {
	ref := hornoracle.Solve(next, hornoracle.DefaultOptions()).Refutation()
	require.NotNil(t, ref)
	old, err := back.Refutation(t.Context(), ref)
	require.NoError(t, err)
	require.NoError(t, witness.CheckRefutation(context.Background(), sys, old))
	return old
}
