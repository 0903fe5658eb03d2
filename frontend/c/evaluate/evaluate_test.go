package evaluate_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/evaluate"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/tree"
)

// known returns the values of the calls in main of a program, in the source's order; "" where a call has none.
func known(t *testing.T, source string) []string {
	p, err := c.Read(t.Context(), "test.c", []byte(source), c.Options{Model: c.LP64})
	require.NoError(t, err)
	require.NoError(t, evaluate.Calls(t.Context(), p, interpret.Options{}))
	var out []string
	tree.Inspect(p.Function("main").Body, func(n tree.Node) bool {
		if call, ok := n.(*tree.Call); ok {
			value := ""
			if call.Known != nil {
				value = call.Known.Int.String()
			}
			out = append(out, value)
		}
		return true
	})
	return out
}

func TestCallsOfConstantsAreKnown(t *testing.T) {
	for name, test := range map[string]struct {
		source string
		want   []string
	}{
		"recursion":            {`int f(int n) { return n <= 1 ? 1 : n * f(n - 1); } int main() { return f(5); }`, []string{"120"}},
		"loops over an array":  {`int f(int n) { int a[8], s = 0; for (int i = 0; i < 8; i++) a[i] = i * n; for (int i = 0; i < 8; i++) s += a[i]; return s; } int main() { return f(3); }`, []string{"84"}},
		"unsigned arithmetic":  {`unsigned f(unsigned x) { return x - 1; } int main() { return f(0) > 0; }`, []string{"4294967295"}},
		"the result's type":    {`signed char f(int x) { return x; } int main() { return f(200); }`, []string{"-56"}},
		"a call as argument":   {`int f(int x) { return x + 1; } int main() { return f(f(2)); }`, []string{"4", "3"}},
		"an open argument":     {`int f(int x) { return x + 1; } int main(int n, char **v) { return f(n); }`, []string{""}},
		"a static object":      {`int n; int f(int x) { return n + x; } int main() { n = 2; return f(1); }`, []string{""}},
		"a counter":            {`int f(void) { static int n; return ++n; } int main() { return f(); }`, []string{""}},
		"an unknown function":  {`int g(void); int f(int x) { return g() + x; } int main() { return f(1); }`, []string{""}},
		"uninitialised":        {`int f(int x) { int y; return x + y; } int main() { return f(1); }`, []string{""}},
		"an overflow":          {`int f(int x) { return x + 1; } int main() { return f(2147483647); }`, []string{""}},
		"a division by zero":   {`int f(int x) { return 1 / x; } int main() { return f(0); }`, []string{""}},
		"a failing assertion":  {`void abort(void); void reach_error(void) {} int f(int x) { if (x) reach_error(); return x; } int main() { return f(1) + f(0); }`, []string{"", "0"}},
		"the end of a program": {`void abort(void) __attribute__((noreturn)); int f(int x) { if (x) abort(); return 7; } int main() { return f(1) + f(0); }`, []string{"", "7"}},
		"no end":               {`int f(int x) { while (x) { } return 1; } int main() { return f(1); }`, []string{""}},
		"a volatile object":    {`int f(int x) { volatile int y = x; return y; } int main() { return f(1); }`, []string{""}},
		"through a pointer":    {`int g(int x) { return x; } int f(int x) { int (*h)(int) = g; return h(x); } int main() { return f(1); }`, []string{""}},
		"a pointer as result":  {`int *f(int x) { return 0; } int main() { return f(1) == 0; }`, []string{""}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, test.want, known(t, test.source)) })
	}
}

func TestCallsEndWithTheirContext(t *testing.T) {
	p, err := c.Read(t.Context(), "test.c", []byte(`int f(int x) { return x; } int main() { return f(1); }`), c.Options{Model: c.LP64})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, evaluate.Calls(ctx, p, interpret.Options{}), context.Canceled)
}
