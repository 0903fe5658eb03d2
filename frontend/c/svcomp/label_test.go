package svcomp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/svcomp"
)

// The label ERROR is an error where a program follows the convention of older benchmarks and says in no other way what its
// errors are; else programs have their cleanup there.
func TestErrorLabels(t *testing.T) {
	const taken, unused, other = "taken", "unused", "other"
	for _, p := range []struct{ name, text, want string }{
		{"a.c", `int x(void); int main(void) { if (x()) goto ERROR; return 0; ERROR: goto ERROR; return 1; }`, taken},
		{"a.c", `int x(void); int main(void) { if (x()) { ERROR: while (1); } return 0; }`, taken},
		{"a.c", `int x(void); int main(void) { if (x()) { ERROR: ; { for (;;) { ; } } } return 0; }`, taken},
		{"a.c", `#include <stdio.h>
int x(void); int main(void) { if (x()) goto ERROR; return 0; ERROR: puts("UNSAFE"); HANG: goto HANG; return 1; }`, taken},
		{"a.c", `int nondet_int(void); int f(void) { if (nondet_int()) goto ERROR; return 0; ERROR: return -1; } int main(void) { f(); return 0; }`, taken},
		{"dir/a_false-unreach-label.c", `int x(void); int main(void) { if (x()) goto ERROR; return 0; ERROR: return -1; }`, taken},
		{"a.c", `int x(void); int main(void) { if (x()) goto ERROR; return 0; ERROR: return -1; }`, unused},
		{"a.c", `int __VERIFIER_nondet_int(void); int main(void) { if (__VERIFIER_nondet_int()) goto ERROR; return 0; ERROR: return 0; }`, unused},
		{"-unreach-label/a.c", `int x(void); int main(void) { if (x()) goto ERROR; return 0; ERROR: return -1; }`, unused},
		{"a.c", `#include <stdlib.h>
int x(void); int main(void) { if (x()) goto ERROR; return 0; ERROR: abort(); }`, unused},
		{"a.c", `int x(void), n; int main(void) { if (x()) goto ERROR; return 0; ERROR: n++; while (1) ; }`, unused},
		{"a.c", `int x(void), n; int main(void) { again: if (x()) goto ERROR; return 0; ERROR: goto again; }`, unused},
		{"a.c", `int x(void), n; int main(void) { if (x()) goto ERROR; return 0; ERROR: while (x()) ; return 0; }`, unused},
		{"a.c", `int nondet(int n) { return n; } int main(void) { if (nondet(1)) goto ERROR; return 0; ERROR: return 1; }`, unused},
		{"a.c", `#include <assert.h>
int nondet(void); int main(void) { assert(nondet()); return 0; ERROR: goto ERROR; }`, other},
		{"a.c", `int nondet(void); int main(void) { return nondet(); }`, other},
	} {
		program, err := c.Read(t.Context(), p.name, []byte(p.text), c.Options{})
		require.NoError(t, err)
		got := other
		if label := svcomp.ErrorLabel(program); label != "" {
			require.Equal(t, "ERROR", label)
			got = taken
		}
		if label := svcomp.UnusedLabel(program); label != "" {
			require.Equal(t, other, got)
			got = unused
		}
		require.Equal(t, p.want, got, p.text)
	}
}
