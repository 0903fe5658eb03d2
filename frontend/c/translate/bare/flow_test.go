package bare_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/translate/bare"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/c/usage"
)

// flow is what Find says of a program, with the program's objects and functions by their names.
func flow(t *testing.T, text string) (f *bare.Flow, objects map[string]*tree.Object, functions map[string]*tree.Function) {
	t.Helper()
	p, err := c.Read(t.Context(), "test.c", []byte(text), c.Options{Model: c.LP64})
	require.NoError(t, err)
	faults := fault.Of(fault.Uninitialised)
	reached := usage.Reach(p, p.Function("main"), faults)
	unset := map[*tree.Object]bool{}
	objects, functions = map[string]*tree.Object{}, map[string]*tree.Function{}
	for _, o := range p.Globals {
		objects[o.Name] = o
	}
	for _, g := range reached.Functions {
		functions[g.Name] = g
		for _, o := range append(append([]*tree.Object{}, g.Params...), g.Locals...) {
			objects[o.Name] = o
		}
		for o := range usage.Unset(g, faults) {
			unset[o] = true
		}
	}
	use := usage.Examine(reached, usage.NewEffects(p, faults))
	bound := usage.Bind(reached, use, unset)
	var regions *region.Regions
	f = bare.Find(bare.Program{
		Reached: reached, Faults: faults, InMemory: func(o *tree.Object) bool { return bound.Escapes[o] },
		Regions: func() *region.Regions {
			if regions == nil {
				var err error
				regions, err = region.Analyse(t.Context(), p, reached.Functions, p.Function("main"))
				require.NoError(t, err)
			}
			return regions
		},
	}, unset)
	return f, objects, functions
}

// Values come to what is assigned, given, returned, stored and copied, and to nothing else.
func TestFind(t *testing.T) {
	for _, test := range []struct {
		name, text     string
		may, never     []string
		results, clean []string
	}{
		{
			"assignments", `int a, b, c; int main(void) { int x, y = 1; a = x + 1; b += a; c = y; return 0; }`,
			[]string{"a", "b", "x"}, []string{"c", "y"}, nil, []string{"main"},
		},
		{
			"calls", `int f(int p) { return p; } int g(int q) { return 1; } int a, b;
			int main(void) { int x; a = f(x); g(x); b = g(1); return 0; }`,
			[]string{"a", "p", "q"}, []string{"b"}, []string{"f"}, []string{"g", "main"},
		},
		{
			"memory", `#include <stdlib.h>
			int a, b, c; int main(void) { int *p = malloc(4), *q = calloc(1, 4); int x; int *r = &c; if (!p || !q) return 1; *r = 2; b = *q; *q = 2; a = *p; return *r; }`,
			[]string{"a"}, []string{"b", "c"}, nil, nil,
		},
		{
			"copies", `#include <string.h>
			int a, b; int main(void) { char x[2], y[2] = "", z[2] = ""; strcpy(y, x); strcpy(z, "c"); a = y[0]; b = z[0]; return 0; }`,
			[]string{"a", "x", "y"}, []string{"b", "z"}, nil, nil,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, objects, functions := flow(t, test.text)
			require.NotNil(t, f)
			for _, name := range test.may {
				require.True(t, f.Object(objects[name]), name)
			}
			for _, name := range test.never {
				require.False(t, f.Object(objects[name]), name)
			}
			for _, name := range test.results {
				require.True(t, f.Result(functions[name]), name)
			}
			for _, name := range test.clean {
				require.False(t, f.Result(functions[name]), name)
			}
		})
	}
}

// A program without such values has no flow, of which all can be asked.
func TestFindNothing(t *testing.T) {
	f, objects, functions := flow(t, `int a; int main(void) { int x = 1; x = x + a; return x; }`)
	require.Nil(t, f)
	require.False(t, f.Object(objects["x"]))
	require.False(t, f.Group(nil))
	require.False(t, f.Result(functions["main"]))
	require.False(t, f.May(functions["main"].Body))
	require.Nil(t, bare.NewVariables(f, nil, nil).Globals())
}
