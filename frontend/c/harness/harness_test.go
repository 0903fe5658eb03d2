package harness_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/harness"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/tree"
)

// write finds a run of a program that reaches the error, and writes its harness.
func write(t *testing.T, name, text string, model tree.Model, o interpret.Options) []byte {
	t.Helper()
	ctx := context.Background()
	options := c.Options{Model: model}
	p, err := c.Read(ctx, name, []byte(text), options)
	require.NoError(t, err)
	runner, err := interpret.New(p, o)
	require.NoError(t, err)
	found, err := runner.Explore(ctx, interpret.Search{Seed: 1, Runs: 20000})
	require.NoError(t, err)
	require.NotNil(t, found.Script, "%s: %s", name, found.Outcome)
	out, err := harness.Write(ctx, harness.Input{Name: name, Text: []byte(text), Read: options, Tree: p, Runner: runner, Script: found.Script, Options: o})
	require.NoError(t, err)
	return out
}

func gcc(t *testing.T) bool {
	_, err := exec.LookPath("gcc")
	if err != nil {
		t.Log("gcc is not installed: harnesses are written, but not compiled")
	}
	return err == nil
}

var modelLine = regexp.MustCompile(`(?m)^// model: (\w+)$`)

// The harness of each unsafe example reaches the error, for machines of 32 and of 64 bits.
func TestExamplesReachTheError(t *testing.T) {
	files, err := filepath.Glob("../../../examples/c/*-unsafe.c")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 30)
	run := gcc(t)
	for i, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		models := []tree.Model{[]tree.Model{c.ILP32, c.LP64}[i%2]}
		if m := modelLine.FindStringSubmatch(string(text)); m != nil {
			models = map[string][]tree.Model{"ILP32": {c.ILP32}, "LP64": {c.LP64}}[m[1]]
		}
		for _, model := range models {
			t.Run(strings.TrimSuffix(filepath.Base(f), ".c")+"/"+model.Name, func(t *testing.T) {
				out := write(t, filepath.Base(f), string(text), model, interpret.Options{})
				if !run {
					return
				}
				reached, err := harness.Confirm(context.Background(), model, false, out)
				require.NoError(t, err)
				require.True(t, reached, "%s", out)
			})
		}
	}
}
