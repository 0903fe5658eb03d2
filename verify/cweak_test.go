package verify_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/lower"
)

// The address of what is weak and not defined may be null or not, that of what is defined is not null, and what the program does not
// have is assumed.
func TestWeakSymbols(t *testing.T) {
	const begin = "extern int nd(void); extern void reach_error(void); "
	const linked = "weak definitions are the ones that are linked: "
	const anyValue = "objects that the program does not define begin with any value: "
	for text, want := range map[string]struct {
		verdict engine.Verdict
		assumed []string
	}{
		"int f(void) __attribute__((weak)); int main(void) { if (f) f(); else reach_error(); }":                                                     {verdict: engine.Unsat},
		"extern __attribute__((weak)) int f(void); int main(void) { if (f) reach_error(); }":                                                        {verdict: engine.Unsat},
		"int f(void);\n#pragma weak f\nint main(void) { if (!f) reach_error(); }":                                                                   {verdict: engine.Unsat},
		"[[gnu::weak]] int f(void); int main(void) { int (*p)(void) = nd() ? f : 0; if (p && !f) reach_error(); }":                                  {verdict: engine.Sat},
		"int f(void); int main(void) { if (!f) reach_error(); }":                                                                                    {verdict: engine.Sat},
		"extern int x __attribute__((weak)); int main(void) { if (!&x) reach_error(); }":                                                            {verdict: engine.Unsat},
		"extern struct { int a, b; } s __attribute__((weak)); int main(void) { if (&s.a == 0 && &s) reach_error(); if (&s.b == 0) reach_error(); }": {verdict: engine.Sat},
		"extern int a[] __attribute__((weak)); int main(void) { if (&a[nd()] == 0) reach_error(); }":                                                {verdict: engine.Unknown},
		"int f(void) __attribute__((weak)); int (*p)(void) = f; int main(void) { if (!p) reach_error(); }":                                          {verdict: engine.Unknown},
		"__attribute__((weak)) int f(void) { return 3; } int w __attribute__((weak)) = 4; int main(void) { if (!f || f() != 3 || w != 4 || !&w) reach_error(); }": {
			engine.Sat, []string{linked + "f, w"},
		},
		"int g(void) { return 3; } int f(void) __attribute__((weak, alias(\"g\"))); int (*p)(void) = f; int main(void) { if (!f || p() != 3) reach_error(); }": {
			engine.Sat, []string{linked + "g"},
		},
		"__attribute__((weak)) int unused(void) { return 3; } extern int x, y; extern struct { int a; } s, *q; int main(void) { y = 1; if (x > 5 && x < y || s.a != *&s.a) reach_error(); }": {
			engine.Sat, []string{anyValue + "y, x, s"},
		},
	} {
		r := verdict(t, begin+text, lower.Ranged, time.Minute)
		require.Equal(t, want.verdict, r.Verdict, "%s: %s", text, r.Reason)
		if want.verdict != engine.Sat {
			continue
		}
		var all []string
		for _, e := range r.Assumptions {
			all = append(all, e.String())
		}
		require.Subset(t, all, want.assumed, text)
	}
}

// That a function is declared weak only behind a use of its address is refused, if nothing defines it.
func TestWeakBehindAUse(t *testing.T) {
	const text = "extern int f(void); int g(void) { return f != 0; } extern int f(void) __attribute__((weak)); int main(void) { return g(); }"
	_, err := c.Read(t.Context(), "test.c", []byte(text), c.Options{})
	require.EqualError(t, err, "test.c:1:12: unsupported: the attribute weak of f behind a use of its address")
	require.ErrorIs(t, err, c.ErrUnsupported)
	_, err = c.Read(t.Context(), "test.c", []byte(text+" int f(void) { return 2; }"), c.Options{})
	require.NoError(t, err)
}
