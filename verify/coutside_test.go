package verify_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
)

// Of what functions without a body return, and nothing is said, it is not known how large it is.
func TestMemoryThatIsNotTheProgramsIsUnknown(t *testing.T) {
	for _, text := range []string{
		"int *get(void); int main(void) { int *p = get(); if (p) p[1] = 1; return 0; }",
		"int *get(int *); int main(void) { int x; int *p = get(&x); if (p) p[1] = 1; return 0; }",
		"#include <stdlib.h>\nint main(void) { char *p = getenv(\"HOME\"); if (p) p[0] = 1; return 0; }",
	} {
		r := decideC(t.Context(), t, text, asked(t, "property=memory"), spacer)
		require.NotEqual(t, engine.Sat, r.Verdict, text)
	}
}
