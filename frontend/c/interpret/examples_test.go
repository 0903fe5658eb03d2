package interpret_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/tree"
)

// read reads a program.
func read(t testing.TB, name, text string, model tree.Model) *tree.Program {
	t.Helper()
	p, err := c.Read(context.Background(), name, []byte(text), c.Options{Model: model})
	require.NoError(t, err)
	return p
}

// prepare reads a program and makes it ready.
func prepare(t testing.TB, text string, model tree.Model, o interpret.Options) *interpret.Program {
	t.Helper()
	p, err := interpret.New(read(t, "test.c", text, model), o)
	require.NoError(t, err)
	return p
}

// once runs a program with the answers that are zero.
func once(t testing.TB, text string) interpret.Outcome {
	t.Helper()
	out, err := prepare(t, text, c.LP64, interpret.Options{}).Run(context.Background(), interpret.NewScript(), nil)
	require.NoError(t, err)
	return out
}

var (
	verdictLine = regexp.MustCompile(`(?m)^// verdict: (\w+)$`)
	modelLine   = regexp.MustCompile(`(?m)^// model: (\w+)$`)
)

// examples are the example programs with what their comments say.
func examples(t testing.TB) []example {
	files, err := filepath.Glob("../../../examples/c/*.c")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 60)
	var all []example
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		verdict := verdictLine.FindStringSubmatch(string(text))
		require.NotNil(t, verdict, "%s has no verdict", f)
		e := example{name: filepath.Base(f), text: string(text), unsafe: verdict[1] == "unsafe", models: []tree.Model{c.ILP32, c.LP64}}
		require.Equal(t, e.unsafe, strings.HasSuffix(e.name, "-unsafe.c"), e.name)
		if m := modelLine.FindStringSubmatch(string(text)); m != nil {
			e.models = map[string][]tree.Model{"ILP32": {c.ILP32}, "LP64": {c.LP64}}[m[1]]
		}
		all = append(all, e)
	}
	return all
}

type example struct {
	name, text string
	unsafe     bool
	models     []tree.Model
}

// Random runs find the error of each unsafe example, and none of a safe one, in both data models; no run of a safe example
// meets undefined behaviour or what can't be executed.
func TestExamples(t *testing.T) {
	for _, e := range examples(t) {
		for _, model := range e.models {
			t.Run(e.name+"/"+model.Name, func(t *testing.T) {
				p := prepare(t, e.text, model, interpret.Options{})
				runs := 300
				if e.unsafe {
					runs = 20000
				}
				found, err := p.Explore(context.Background(), interpret.Search{Seed: 1, Runs: runs})
				require.NoError(t, err)
				require.Equal(t, e.unsafe, found.Script != nil, "%s", found.Outcome)
				if !e.unsafe {
					require.NotContains(t, []interpret.Kind{interpret.Undefined, interpret.Undetermined}, found.Outcome.Kind, "%s", found.Outcome)
					return
				}
				again, err := p.Run(context.Background(), found.Script, nil)
				require.NoError(t, err)
				require.Equal(t, found.Outcome, again, "a script repeats its run")
			})
		}
	}
}
