package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What a level of tracking leaves out has any value: proofs that need it are gone, those that do not need it stay, and what is
// found without it is an answer only if the program does it.
func TestTrack(t *testing.T) {
	const begin = `void reach_error(void); void *malloc(unsigned long); int nd(void);
struct s { int a, b[4]; } g;
void set(int *p) { *p = 3; }
int main(void) {
`
	for _, c := range []struct{ body, mem, ptr, reg string }{
		{"int x = 0, n = nd(); for (int i = 0; i < n; i++) x += 2; if (x % 2 && x >= 0) reach_error();", "safe", "safe", "safe"},
		{"int x; set(&x); if (x != 3) reach_error();", "safe", "safe", "safe"},
		{"g.a = 7; if (g.a != 7) reach_error();", "safe", "safe", "safe"},
		{"int x = 0, *p = &x; *p = 3; if (*p != 3) reach_error();", "safe", "unknown", "unknown"},
		{"int x = 0, *p = &x, *q = p; if (p != q) reach_error();", "safe", "safe", "unknown"},
		{"g.b[nd() & 3] = 1; if (g.b[2] > 1) reach_error();", "safe", "unknown", "unknown"},
		{"int a[9]; a[nd() & 7] = 4; int i = nd() & 7; if (a[8] == 5 && i == 8) reach_error();", "safe", "safe", "safe"},
		{"int *p = malloc(4); *p = 3; struct s h = g; if (h.b[nd() & 1] != 0) reach_error();", "safe", "unknown", "unknown"},
		{"static int x; int *p = &x; *p = 3; if (*p == 3) reach_error();", "unsafe", "unsafe", "unsafe"},
		{"int *p = 0; if (nd() == 123456) reach_error(); if (p) *p = 1;", "unsafe", "unsafe", "unsafe"},
	} {
		file := tempFile(t, "p.c", begin+c.body+"\nreturn 0; }")
		for track, want := range map[string]string{"mem": c.mem, "ptr": c.ptr, "reg": c.reg} {
			r := call(t, "", "verify", "--explore", "0s", "--trace", "none", "--track", track, file)
			require.Equal(t, want+"\n", r.out, "%s, %s: %s", track, c.body, r.err)
			if want == "unknown" {
				require.Contains(t, r.err, "memory behind pointers hold")
			}
		}
	}
}
