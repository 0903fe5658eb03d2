package verify_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/engine"
	"hornbeam/frontend/c/lower"
	"hornbeam/internal/layouts"
	"hornbeam/verify"
)

// computed is what gcc's program computes.
func computed(t *testing.T, p layouts.Program) string {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("there is no gcc to compare with: ", err)
	}
	dir := t.TempDir()
	source, binary := filepath.Join(dir, "program.c"), filepath.Join(dir, "program")
	require.NoError(t, os.WriteFile(source, []byte(p.Printing()), 0o600))
	out, err := exec.CommandContext(t.Context(), gcc, "-std=gnu11", "-O0", "-fwrapv", "-fno-strict-aliasing", "-w", "-o", binary, source).CombinedOutput()
	require.NoError(t, err, "%s\n%s", out, p.Printing())
	out, err = exec.CommandContext(t.Context(), binary).Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}

// verdict decides a program without running it at random.
func verdict(t *testing.T, text string, mode lower.Mode, limit time.Duration) *verify.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	r := decideC(ctx, t, text, asked(t, "bits="+mode.String()), spacer)
	require.False(t, r.Internal, "%s\n%s", r.Reason, text)
	return r
}

// Where objects overlap, what is proved and what is refuted without runs at random is what gcc's program does, in every mode.
func TestLayoutsAreProvedAsGCCRunsThem(t *testing.T) {
	programs := rapid.Custom(layouts.Draw)
	decided := 0
	for i := range 6 {
		p := programs.Example(i)
		k := computed(t, p)
		mode := []lower.Mode{lower.Ranged, lower.NoVectors, lower.AllVectors, lower.Guided}[i%4]
		same, other := p.Checking("==", k), p.Checking("!=", k)
		r := verdict(t, same, mode, 10*time.Second)
		require.NotEqual(t, engine.Sat, r.Verdict, "%s\n%s", mode, same)
		if r.Verdict == engine.Unsat {
			decided++
		}
		r = verdict(t, other, mode, 10*time.Second)
		require.NotEqual(t, engine.Unsat, r.Verdict, "%s\n%s", mode, other)
		if r.Verdict == engine.Sat {
			decided++
		}
	}
	require.Greater(t, decided, 6)
}

// A store to one of the fields that share bits is seen in the others, wherever the object is and however it got there.
func TestFieldsThatShareBits(t *testing.T) {
	const anonymous = "struct S { int a; union { int f; char g; }; }; "
	const halves = "struct S { int a; union { int f; struct { short g, h; }; }; }; "
	const padded = "struct P { char c; int i; }; union U { struct P p; unsigned char raw[8]; } u; "
	const reaches = " int x = nd(); s.f = x; if (x == 65541 && s.g == 5) reach_error(); return 0; }"
	for name, test := range map[string]struct {
		text string
		want engine.Verdict
	}{
		"global":     {anonymous + "struct S s; int main(void) {" + reaches, engine.Unsat},
		"local":      {anonymous + "int main(void) { struct S s = {0};" + reaches, engine.Unsat},
		"array":      {anonymous + "struct S t[3];\n#define s t[1]\nint main(void) {" + reaches, engine.Unsat},
		"volatile":   {anonymous + "int main(void) { volatile struct S s; s.a = 1;" + reaches, engine.Unsat},
		"parameter":  {halves + "int g(struct S s) { return s.g; } int main(void) { struct S s = {0}; s.f = nd(); if (s.f == 65541 && g(s) == 5) reach_error(); return 0; }", engine.Unsat},
		"result":     {halves + "struct S g(int x) { struct S s = {.f = x}; return s; } int main(void) { int x = nd(); if (g(x).h != x >> 16) reach_error(); return 0; }", engine.Sat},
		"copy":       {halves + "int main(void) { struct S s = {.g = 1}, t, u; s.f = nd(); t = s; u = nd() ? t : s; if (u.g != (short)s.f) reach_error(); return 0; }", engine.Sat},
		"pointer":    {halves + "short g(struct S *s) { s->f = 65537; return s->h; } int main(void) { struct S s = {0}; if (g(&s) != 1 || s.g != 1) reach_error(); return 0; }", engine.Sat},
		"bit-field":  {"struct S { union { unsigned f; struct { unsigned g : 3, h : 29; }; }; }; int main(void) { struct S s = {0}; s.f = nd(); unsigned f = s.f; s.g = 0; if (s.f != (f & ~7u)) reach_error(); return 0; }", engine.Sat},
		"empty":      {"struct S { int n; char z[0]; int f; }; int main(void) { struct S s = {0}; s.f = 77; if (s.z[0] == 77) reach_error(); return 0; }", engine.Unsat},
		"unit":       {"void *memcpy(void *, const void *, __SIZE_TYPE__); struct S { char m[3]; int f : 1; union { int u; char c; }; }; int main(void) { struct S s = {.f = -1}, t = {0}; memcpy(&t, &s, sizeof s); if (t.f != -1) reach_error(); return 0; }", engine.Sat},
		"straddling": {"struct __attribute__((packed)) P { unsigned char a : 3, m : 8; int s : 13; } g, h; int main(void) { struct P *p = nd() ? &g : &h; p->m = 255; p->s = -3000; p->a = 2; if (p->m == 255 && p->s == -3000 && p->a == 2) reach_error(); return 0; }", engine.Unsat},
		// What the source leaves open is found again in a run.
		"returned":       {halves + "extern struct S any(void); int main(void) { struct S s = any(); if (s.a == 7 && s.f == 65541 && s.h == 1) reach_error(); return 0; }", engine.Unsat},
		"external":       {halves + "extern struct S e; int main(void) { struct S s = e; if (s.f == 65541 && e.h == 1) reach_error(); return 0; }", engine.Unsat},
		"replaced":       {"int b; int main(void) { int a[4] = {[0 ... 3] = 5, [2] = 0}, *p = a; if (nd()) p = &b; if (p == a && p[2] == 0) reach_error(); return 0; }", engine.Unsat},
		"flexible":       {"struct S { short n; short d[]; } s = { 2, { 5, [4] = 6 } }, t = { 1, { 7 } }; int main(void) { struct S *p = nd() ? &s : &t; int i = p->n; if (s.d[4] != 6 || s.d[3] || t.d[0] != 7) reach_error(); s.d[i] = 9; if (s.n != 2 || s.d[0] != 5 || s.d[i] != 9 || p->d[0] < 5) reach_error(); return 0; }", engine.Sat},
		"flexible bytes": {"struct S { int n; char d[]; } s = { 2, \"abc\" }, t = { 1, { 7 } }; int main(void) { int i = nd() & 3; char *p = s.d + i; *p = 1; if (t.d[0] == 7 && s.n == 2 && s.d[2] == 1 && s.d[1] == 'b') reach_error(); return 0; }", engine.Unsat},
		"open":           {"extern int a[], b[]; int main(void) { int *p = nd() ? a : b; *p = 3; b[0] = 0; a[8] = 1; if (b[0] == 0) reach_error(); return 0; }", engine.Unsat},
		"open structs":   {"extern struct s { int n; int d[]; } a, b; int main(void) { struct s *p = nd() ? &a : &b; p->n = 3; b.n = 0; a.d[7] = 1; if (b.n == 0) reach_error(); return 0; }", engine.Unsat},
		// What is between fields is copied with them, though nothing says so of an object that is not in memory.
		"padding":      {padded + "struct P q; int main(void) { u.raw[1] = 7; q.i = nd(); u.p = q; if (u.raw[1] != 7) reach_error(); return 0; }", engine.Unsat},
		"same padding": {padded + "int main(void) { union U v = {0}; u.raw[1] = 7; v.p = u.p; if (v.raw[1] != 7) reach_error(); return 0; }", engine.Sat},
		"padding bits": {"struct P { unsigned a : 3; }; union U { struct P p; unsigned w; } u; struct P q; int main(void) { u.w = 255; q.a = nd(); u.p = q; if (u.w < 248) reach_error(); return 0; }", engine.Unsat},
	} {
		for _, mode := range []lower.Mode{lower.Ranged, lower.AllVectors, lower.Guided} {
			r := verdict(t, "extern int nd(void); extern void reach_error(void); "+test.text, mode, time.Minute)
			require.Equal(t, test.want, r.Verdict, "%s %s: %s", name, mode, r.Reason)
		}
	}
}
