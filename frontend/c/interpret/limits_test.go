package interpret_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/interpret"
)

// Recursion without an end ends a run, whatever lies between two calls, long before Go's own stack is used up.
func TestDepth(t *testing.T) {
	deep := strings.Repeat("1 + (", 300) + "f(x + 1)" + strings.Repeat(")", 300)
	for i, text := range []string{
		"int f(int x) { return f(x + 1); } int main(void) { return f(0); }",
		"int f(int x) { return " + deep + "; } int main(void) { return f(0); }",
		"int f(int x) { int a[4] = {x}; return ({ int y = f(a[0] + 1); if (y) return 1; y; }); } int main(void) { return f(0); }",
		"int f(int x); int (*p)(int) = f; int f(int x) { return x ? p(x + 1) && p(x) || p(3) : 2; } int main(void) { return f(1); }",
	} {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			out := once(t, text)
			require.Equal(t, interpret.LimitReached, out.Kind, "%s", out)
			require.Contains(t, out.What, "calls inside each other")
		})
	}
}

// A search ends where nothing new is found, and goes on while runs are cut off that may be longer.
func TestStaleSearch(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	search := interpret.Search{Seed: 1, Stale: 600_000}
	short := "int nondet(void); void reach_error(void); int main(void) { while (nondet()) if (nondet() > 3) return 1; return 0; }"
	found, err := prepare(t, short, c.LP64, interpret.Options{}).Explore(ctx, search)
	require.NoError(t, err)
	require.Nil(t, found.Script)

	long := "int nondet(void); void reach_error(void); int main(void) { int x = nondet(); for (int i = 0; i < 30000; i++) x ^= i; if (nondet() >= x) reach_error(); return 0; }"
	found, err = prepare(t, long, c.LP64, interpret.Options{}).Explore(ctx, search)
	require.NoError(t, err)
	require.NotNil(t, found.Script, "the runs before were cut off: %d", found.Runs)
}

// Memory is counted as long as it is alive, wherever it is.
func TestMemory(t *testing.T) {
	for body, enough := range map[string]bool{
		"while (1) malloc(1000);":                                                         false,
		"for (int i = 0; i < 10000; i++) free(malloc(1000));":                             true,
		"for (int i = 0; i < 10000; i++) { char *p = malloc(40000); p[i] = 1; free(p); }": true,
		"for (int i = 0; i < 10000; i++) { char *p = malloc(40000); p[i] = 1; }":          false,
		"for (int i = 0; i < 1000; i++) local();":                                         true,
		"for (int i = 0; i < 1000; i++) { char a[2000]; a[i] = 1; }":                      true,
		"for (int i = 0; i < 1000; i++) __builtin_alloca(2000);":                          false,
		"for (int i = 1; i < 1000; i++) { char a[i]; a[i - 1] = 1; }":                     true,
	} {
		text := "void *malloc(__SIZE_TYPE__); void free(void *); int local(void) { char a[2000]; a[5] = 1; return a[5]; }\nint main(void) { " + body + " return 0; }"
		out, err := prepare(t, text, c.ILP32, interpret.Options{Memory: 100_000}).Run(context.Background(), interpret.NewScript(), nil)
		require.NoError(t, err)
		if enough {
			require.Equal(t, interpret.Ended, out.Kind, "%s: %s", body, out)
			continue
		}
		require.Equal(t, interpret.LimitReached, out.Kind, "%s: %s", body, out)
		require.Contains(t, out.What, "memory", body)
	}
}

// Addresses of 32 bits wrap around like unsigned numbers.
func TestNarrowAddresses(t *testing.T) {
	text := `struct s { int n; int a[2]; }; int nondet(void); void reach_error(void);
int main(void) {
  struct s *p = 0;
  int i = nondet() - 2;
  if ((unsigned long long)(unsigned)&p->a[i] != 0xfffffffcull || (unsigned long long)&p->a[i] != 0xfffffffcull) reach_error();
  char *q = (char *)4;
  q -= 8;
  if ((unsigned long long)q != 0xfffffffcull || q + 4 != 0) reach_error();
  return 0;
}`
	out, err := prepare(t, text, c.ILP32, interpret.Options{}).Run(context.Background(), interpret.NewScript(), nil)
	require.NoError(t, err)
	require.Equal(t, interpret.Ended, out.Kind, "%s", out)
}

// Where overflows are asked for, other errors end a run.
func TestOnlyOverflowsCount(t *testing.T) {
	for _, text := range []string{"void reach_error(void); int main(void) { reach_error(); return 0; }", "void __VERIFIER_assert(int); int main(void) { __VERIFIER_assert(0); return 0; }"} {
		for only, asked := range map[bool]fault.Set{false: fault.Of(fault.Assertion), true: fault.Of(fault.Overflow)} {
			out, err := prepare(t, text, c.LP64, interpret.Options{Faults: asked}).Run(context.Background(), interpret.NewScript(), nil)
			require.NoError(t, err)
			require.Equal(t, map[bool]interpret.Kind{false: interpret.ErrorReached, true: interpret.Ended}[only], out.Kind)
		}
	}
}
