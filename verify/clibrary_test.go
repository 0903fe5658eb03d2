package verify_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
	"hornbeam/frontend/c/lower"
)

// What is known of memory after functions of the library is known in proofs, with no loop to be summarised for what an intrinsic does.
func TestLibraryIsProved(t *testing.T) {
	const before = `extern int nd(void); extern void reach_error(void); typedef __SIZE_TYPE__ size_t;
		void *memset(void *, int, size_t), *calloc(size_t, size_t), *malloc(size_t); size_t strlen(const char *); int isdigit(int), isalnum(int);
		`
	for name, p := range map[string]struct {
		text string
		want engine.Verdict
	}{
		"memset": {`int main(void) { int a[100], i = nd(); memset(a, 0, sizeof a); if (0 <= i && i < 100 && a[i] != 0) reach_error(); return 0; }`, engine.Sat},
		"calloc": {`int main(void) { int n = nd(), i = nd(); if (n < 1 || n > 100000 || i < 0 || i >= n) return 0;
			int *a = calloc(n, sizeof(int)); if (a[i] != 0) reach_error(); a[i] = 1; a = calloc(n, sizeof(int)); if (a[i] != 0) reach_error(); return 0; }`, engine.Sat},
		"calloc beside malloc": {`int main(void) { int i = nd() & 127; int *a = calloc(128, sizeof(int)), *b = malloc(512); if (nd()) a = b; if (a[i] != 0) reach_error(); return 0; }`, engine.Unsat},
		"strlen":               {`int main(void) { char b[10] = "hello"; int i = nd(); if (i < 0 || i > 4) return 0; b[i] = 0; if (strlen(b) > 4) reach_error(); return 0; }`, engine.Sat},
		"isdigit":              {`int main(void) { int c = nd() & 127; if (isdigit(c) && !isalnum(c)) reach_error(); return 0; }`, engine.Sat},
		"isdigit's value":      {`int main(void) { int c = nd() & 127; if (isdigit(c) && isdigit(c) != 1) reach_error(); return 0; }`, engine.Unsat},
	} {
		t.Run(name, func(t *testing.T) {
			r := verdict(t, before+p.text, lower.Ranged, time.Minute)
			require.Equal(t, p.want, r.Verdict, r.Reason)
		})
	}
}
