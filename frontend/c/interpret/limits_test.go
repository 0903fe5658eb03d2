package interpret_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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
