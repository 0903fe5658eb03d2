package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// result is what a call of the command left.
type result struct {
	code     int
	out, err string
}

// call runs the command in this process, with the text as its standard input, and checks what holds of every call: no
// line but the first one of standard output is ever a bare verdict.
func call(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var out, err bytes.Buffer
	code := run(context.Background(), append([]string{"hornbeam"}, args...), strings.NewReader(stdin), &out, &err)
	r := result{code, out.String(), err.String()}
	r.noStrayVerdict(t)
	return r
}

func (r result) noStrayVerdict(t *testing.T) {
	t.Helper()
	_, rest, _ := strings.Cut(r.out, "\n")
	require.Zero(t, bareVerdicts(rest)+bareVerdicts(r.err), "a stray verdict:\n%s\n%s", r.out, r.err)
}

// verdict is the first line of standard output.
func (r result) verdict() string {
	line, _, _ := strings.Cut(r.out, "\n")
	return line
}

// oneErrorLine expects a single line on standard error.
func (r result) oneErrorLine(t *testing.T) {
	t.Helper()
	require.True(t, strings.HasSuffix(r.err, "\n"), r.err)
	require.Equal(t, 1, strings.Count(r.err, "\n"), r.err)
}

// tempFile writes a file and returns its path.
func tempFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

const (
	safe = `(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun |far away| (Int Bool) Bool)
(assert (forall ((x Int)) (=> (= x 0) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (> x 5)) false)))
`
	buggy = `(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (p x))))
(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
(assert (forall ((x Int)) (=> (and (p x) (= x 6)) false)))
`
	// endless needs a refutation of a hundred million steps.
	endless = `(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (= x 100000000)) false)))
`
)

// pigeons says that 13 pigeons do not fit into 12 holes: one clause, and one query to the solver that takes it ages.
func pigeons() string {
	const holes = 12
	in := func(pigeon, hole int) string { return fmt.Sprintf("p%d-%d", pigeon, hole) }
	var vars, body strings.Builder
	for i := range holes + 1 {
		body.WriteString(" (or")
		for j := range holes {
			fmt.Fprintf(&vars, "(%s Bool)", in(i, j))
			body.WriteString(" " + in(i, j))
		}
		body.WriteString(")")
		for j := range holes {
			for k := range i {
				fmt.Fprintf(&body, " (not (and %s %s))", in(i, j), in(k, j))
			}
		}
	}
	return "(set-logic HORN)\n(assert (forall (" + vars.String() + ") (=> (and" + body.String() + ") false)))\n"
}
