package hornbeam_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const user = `package main

import (
	"context"
	"fmt"
	"os"

	"hornbeam"
	"hornbeam/chc"
	"hornbeam/chc/term"
)

func main() {
	p := term.NewPool()
	pred := &chc.Predicate{Name: "p", Sorts: []*term.Sort{term.Int}, ArgNames: []string{"x"}}
	x := p.Var("x", term.Int)
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{pred}, Clauses: []*chc.Clause{
		{ID: 0, Constraint: p.Eq(x, p.Int(0)), Head: &chc.App{Pred: pred, Args: []*term.Term{x}}},
		{ID: 1, Constraint: p.Le(x, p.Int(-1)), Body: []chc.App{{Pred: pred, Args: []*term.Term{x}}}},
	}}
	clauses := hornbeam.FromSystem(sys)
	answer := hornbeam.Solve(context.Background(), clauses, hornbeam.Options{})
	fmt.Println(answer.Verdict, answer.Reason)
	model, err := answer.Witness()
	if err == nil {
		err = hornbeam.Check(context.Background(), clauses, "model", []byte(model))
	}
	if answer.Verdict != hornbeam.Sat || err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
`

// Another module can require this one, build clauses, have them decided, and check the printed witness.
func TestAnotherModule(t *testing.T) {
	here, err := os.Getwd()
	require.NoError(t, err)
	dir := t.TempDir()
	mod, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	sum, err := os.ReadFile("go.sum")
	require.NoError(t, err)
	// What this module requires, the other one requires by it: its go.mod is this one's under another name.
	_, rest, _ := strings.Cut(string(mod), "\n")
	rest, _, _ = strings.Cut(rest, "\ntool ")
	own := "module user\n" + rest + "\nrequire hornbeam v0.0.0\nreplace hornbeam => " + here + "\n"
	for name, text := range map[string]string{"go.mod": own, "go.sum": string(sum), "main.go": user} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	run := exec.CommandContext(t.Context(), "go", "run", "-mod=mod", ".")
	run.Dir = dir
	run.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off")
	out, err := run.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "sat \n", string(out))
}
