package interpret_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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

// What reaches the error here reaches it in the program that gcc makes, given the same answers.
func TestUnsafeExamplesRunInGCC(t *testing.T) {
	for _, e := range examples(t) {
		if !e.unsafe || !slices.Contains(e.models, c.LP64) {
			continue
		}
		p := prepare(t, e.text, c.LP64, interpret.Options{})
		found, err := p.Explore(context.Background(), interpret.Search{Seed: 1, Runs: 20000})
		require.NoError(t, err)
		require.NotNil(t, found.Script, e.name)
		answers := map[*tree.Function][]string{}
		var order []*tree.Function
		open := ""
		_, err = p.Run(context.Background(), found.Script, func(ev interpret.Event) {
			switch q := ev.Question; {
			case ev.Kind != interpret.Chosen:
			case q.Asked == interpret.Result:
				if answers[q.Function] == nil {
					order = append(order, q.Function)
				}
				answers[q.Function] = append(answers[q.Function], strconv.FormatInt(int64(ev.Value.Bits()), 10))
			case q.Asked == interpret.Unspecified || q.Asked == interpret.Uninitialised || q.Asked == interpret.Written:
				open = q.Asked.String() + " value"
			}
		})
		require.NoError(t, err)
		if open != "" {
			t.Logf("%s: gcc's program has its own idea of an %s", e.name, open)
			continue
		}
		text := e.text + "\nvoid _Exit(int);\nvoid reach_error(void) { _Exit(107); }\n"
		for _, f := range order {
			text += fmt.Sprintf("%s(void) { static const long long v[] = {%s, 0}; static int i; return ", tree.Declaration(f.Type.Result, f.Name), strings.Join(answers[f], ", "))
			if _, ok := f.Type.Result.(*tree.Pointer); ok {
				text += "v[i++] ? __builtin_malloc(65536) : 0; }\n"
			} else {
				text += "v[i++]; }\n"
			}
		}
		// What the run did not call is not there either.
		require.Equal(t, 107, exitCode(t, text, "-Wl,--unresolved-symbols=ignore-all"), "%s\n%s", e.name, text)
	}
}
