package translate_test

import (
	"context"
	"hornbeam/frontend/c/fault"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/ledger"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/interpret"
	lowering "hornbeam/frontend/c/lower"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// TestPrograms is about what one line of a program is enough to see. Each program ends without an error in C and in its
// translation, whatever undefined functions return, and with one if a check is turned round.
func TestPrograms(t *testing.T) {
	for name, text := range map[string]string{
		"one object for two parameters": `static int both(int *x, int *y) { *x = 1; *y = 2; return *x; }
			int main(void) { int u, v; check(both(&u, &v) == 1); check(both(&u, &u) == 2); }`,
		"one array for two parameters": `static int both(int *x, int *y) { x[1] = 1; y[0] = 2; return x[1]; }
			int main(void) { int a[9], i = nd() & 3; check(both(a + i, a + i + 1) == 2); check(both(a, a) == 1); }`,
		"a field and its struct": `struct s { int x, y; }; static int both(struct s *p, int *x) { p->x = 1; *x = 2; return p->x; }
			int main(void) { struct s s, t; check(both(&s, &s.x) == 2); check(both(&s, &t.x) == 1); check(both(&s, &s.y) == 1); }`,
		"a scalar as an array of one": `static int get(int *p, int i) { return p[i]; }
			int main(void) { int x = 7; check(get(&x, nd() & 0) == 7); }`,
		"through two functions": `static void set(int *p) { *p = 5; } static void pass(int *p) { set(p); } static void next(int *p) { pass(p + 1); }
			int main(void) { int x = 0, a[20]; pass(&x); check(x == 5); a[3] = 0; next(&a[2]); check(a[3] == 5); }`,
		"a recursive function's local": `static int deep(int n, int *out) { int t = n; if (n > 0) deep(n - 1, &t); *out += t; return t; }
			int main(void) { int x = 0; deep(3, &x); check(x == 6); }`,
		"a recursive function's local in memory": `int *keep; static int deep(int n) { int t = n, r = 0; int *outer = keep; keep = &t;
			if (n > 0) r = deep(n - 1); if (outer) *outer += 100; return r + t; }
			int main(void) { check(deep(2) == 3 + 200 && !0); }`,
		"later initialisers":                  `int main(void) { int a[40] = {[1] = 1, 2, [1] = 3, [5 ... 7] = 4}; int i = 1; check(a[i] == 3 && a[i + 1] == 2 && a[i + 5] == 4 && a[i + 7] == 0); }`,
		"an initialiser that uses its object": `int main(void) { int a = 3; { int b = a, a = b + 1; check(a == 4); } }`,
		"variable lengths": `static int sum(int n, int m, int a[n][m]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j]; return s; }
			int main(void) { int n = (nd() & 1) + 2, m = 3; int a[n][m]; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = 10 * i + j;
			check(a[1][0] == 10 && a[0][2] == 2); check(sum(2, 3, a) == 36); check(sizeof a == n * m * sizeof(int)); }`,
		"arrays without names": `static int sum(const short *p, int n) { int s = 0; while (n-- > 0) s += *p++; return s; }
			int main(void) { int k = nd() & 3; check(((const unsigned char[4]){1, k, 3})[k] == (k == 3 ? 0 : k == 0 ? 1 : k == 1 ? 1 : 3));
			check(((int[2][2]){{1, 2}, {3, k}})[k & 1][1] == (k & 1 ? k : 2)); check(sum((short[]){k, [2] = 5}, 3) == k + 5); check(((int[]){4, 5})[1] == 5);
			((int[3]){0})[k % 3] = 7; check(*(k ? (int[2]){1, 2} : (int[2]){3}) == (k ? 1 : 3)); }`,
		"three dimensions": `int main(void) { int a[2][3][4]; for (int i = 0; i < 24; i++) *(&a[0][0][0] + i) = i; int k = 1; check(a[k][2][3] == 23 && a[k][0][1] == 13); }`,
		"structs with arrays in arrays": `struct s { int x, t[3]; }; int main(void) { struct s a[4] = {{1, {2, 3, 4}}}, b; int i = 1;
			a[i] = a[0]; a[i].t[i] = 9; b = a[i]; a[2] = b; check(b.t[1] == 9 && b.t[2] == 4 && a[2].t[i] == 9 && a[0].t[i] == 3); }`,
		"only 0 and 1": `extern _Bool flag(void); int main(void) { _Bool b = flag(), c; check(b == 0 || b == 1); c = 2; check(c == 1); b = 0.0f != 0; }`,
		"arguments":    `int main(int argc, char **argv) { check(argc >= 0 || argv != 0); }`,
		"bits of memory": `struct s { unsigned a : 3; int b : 5; unsigned char c; } s, *p = &s; int main(void) { p->a = 15; p->b = -3; p->c = 255;
			check(p->a == 7 && p->b == -3 && p->c == 255); p->b = 17; check(p->a == 7 && p->b == -15); }`,
		"unions by value":        `union u { int i; unsigned char b[4]; }; int main(void) { union u x, y; x.i = 0x01020304; y = x; check(y.b[0] == 4 && y.b[3] == 1); }`,
		"a pointer's difference": `int main(void) { long long a[9], *p = a + 7, *q = &a[2]; check(p - q == 5 && q - p == -5 && q < p); *p = 3; p -= 5; check(p == q); }`,
		"void pointers":          `int main(void) { int x = 3; void *v = &x; char *c = v; check(*(int *)v == 3); check(*c == 3); *(short *)v = 1; check(x == 1); }`,
		"pointers as numbers":    `int main(void) { int a[4]; unsigned long n = (unsigned long)&a[1]; *(int *)n = 6; check(a[1] == 6); }`,
		"strings": `extern unsigned long strlen(const char *); extern int strcmp(const char *, const char *); extern char *strcat(char *, const char *), *strchr(const char *, int);
			int main(void) { char b[12] = "ab"; strcat(b, "cd"); check(strlen(b) == 4); check(strcmp(b, "abce") < 0 && strcmp(b, "abcd") == 0); check(strchr(b, 'c') == b + 2); check(strchr(b, 'x') == 0); }`,
		"parts of strings": `extern char *strstr(const char *, const char *), *strpbrk(const char *, const char *); extern unsigned long strspn(const char *, const char *), strcspn(const char *, const char *);
			int main(void) { char b[8] = "abab\xe4" "c", s[4] = "ba"; check(strspn(b, s) == 4 && strspn(b, "x") == 0 && strspn(b, "\xe4" "abc") == 6); check(strcspn(b, "c\xe4") == 4 && strcspn(b, "x") == 6 && strcspn(b, "") == 6 && strcspn(b, s) == 0);
			check(strpbrk(b, "c\xe4") == b + 4 && strpbrk(b, "xy") == 0 && strpbrk(b, s) == b); check(strstr(b, "abab\xe4" "cd") == 0 && strstr(b, s) == b + 1 && strstr(b, "ab\xe4") == b + 2 && strstr(b, "") == b && strstr(b + 6, "") == b + 6 && strstr(b, "cc") == 0); }`,
		"strings whatever their case": `extern int strcasecmp(const char *, const char *), strncasecmp(const char *, const char *, unsigned long);
			int main(void) { char b[5] = "aZ@["; check(strcasecmp(b, "Az@[") == 0 && strcasecmp(b, "az\x60{") < 0 && strcasecmp(b, "AY") > 0 && strcasecmp("", b) < 0); check(strncasecmp(b, "AZx", 2) == 0 && strncasecmp(b, "AZx", 3) < 0); }`,
		"bytes above 127 compare high": `extern int memcmp(const void *, const void *, unsigned long); int main(void) { char a[2] = {1, -1}, b[2] = {1, 1}; check(memcmp(a, b, 2) > 0); }`,
		"copies that overlap":          `extern void *memmove(void *, const void *, unsigned long); int main(void) { int a[4] = {1, 2, 3, 4}; memmove(a + 1, a, 3 * sizeof(int)); check(a[3] == 3 && a[1] == 1); }`,
		"zeros behind pointers": `int g[20], h, *p = g, *q = &h; char text[9] = "x"; char *t = text; int main(void) { p += nd() & 3; check(p[2] == 0); check(*q == 0);
			check(t[0] == 'x' && t[(nd() & 3) + 1] == 0); }`,
		"signs behind pointers": `int main(void) { unsigned u = 3; int *p = (int *)&u; *p = -1; check(u == 4294967295u); u = 4294967290u; check(*p == -6); }`,
		"zeros of all bytes":    `int g[2], *p = g; char *c = (char *)&g[1]; int main(void) { int local = 1; if (nd() == 99) p = &local; check(p[1] == 0); *c = 3; check(g[1] == 3); }`,
		"accesses across elements": `struct s { short a, b; } t[4] __attribute__((aligned(4))); int main(void) { int i = nd() & 1; char *c = (char *)&t[i] + 2;
			*(int *)c = 0x70005; check(t[i].b == 5 && t[i + 1].a == 7 && t[i].a == 0); }`,
		"copies of texts": `extern char *strdup(const char *); int main(void) { char b[4] = "abc"; char *d = strdup(b); d[1] = 'x'; check(b[1] == 'b' && d[0] == 'a' && d[2] == 'c' && d[3] == 0); }`,
		"zeros of many": `extern void *memset(void *, int, unsigned long), *calloc(unsigned long, unsigned long); int g[200]; int main(void) { int a[100], i = nd() & 63;
			memset(a, 0, sizeof a); memset(g, 1, sizeof g); check(a[i] == 0 && g[i] == 0x1010101); a[i] = 7; memset(&a, -1, sizeof a); check(a[i] == -1);
			int *p = calloc(i + 1, 4), *q = calloc(300, 4); check(p[i] == 0); p[i] = 1; check(q[i] == 0); }`,
		"the library's names are the program's": `
			#define i 0
			extern unsigned long strlen(const char *); static int strnlen(void) { return 3; } typedef int n; int main(void) { char b[4] = "abc"; b[nd() & 1] = 0; check(strlen(b) < 2); check(strnlen() == 3); n k = strlen("xy"); check(k == 2); }`,
		"sorting and searching": `extern void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *)), *bsearch(const void *, const void *, unsigned long, unsigned long, int (*)(const void *, const void *));
			static int up(const void *x, const void *y) { int a = *(int *)x, b = *(int *)y; return a < b ? -1 : a > b; }
			int main(void) { int a[4] = {5, 1, nd() & 3, 9}, k = 9; qsort(a, 4, sizeof(int), up); check(a[0] <= a[1] && a[1] <= 3 && a[2] == 5 && a[3] == 9);
			int *p = bsearch(&k, a, 4, sizeof(int), up); check(p == a + 3); k = 7; check(bsearch(&k, a, 4, sizeof(int), up) == 0); }`,
		"numbers in texts": `extern long strtol(const char *, char **, int); extern unsigned long strtoul(const char *, char **, int); extern int atoi(const char *);
			int main(void) { char b[5] = " -12", *e; b[3] = '0' + (nd() & 7); check(atoi(b) <= -10 && atoi(b) >= -17); check(strtol("0x1fg", &e, 0) == 31 && *e == 'g'); check(strtoul("078", &e, 0) == 7 && *e == '8'); check(atoi("x") == 0); }`,
		"reallocation": `extern void *malloc(unsigned long), *realloc(void *, unsigned long); int main(void) { int *p = malloc(8), *q = malloc(8); p[0] = 1; p[1] = 2; q[0] = 3;
			p = realloc(p, 16); p[2] = 5; check(p[0] == 1 && p[1] == 2 && q[0] == 3 && p != q); }`,
		"a switch on what changes": `int g = 1; static int touch(void) { g = 5; return 1; } int main(void) { int r = 0; switch (g) { case 1: g = 2; case 2: r += g; break; case 5: r = 100; } check(r == 2);
			switch (g + touch() - 1) { case 2: r = 7; } check(r == 7 && g == 5); }`,
		"absolute values": `extern int abs(int); int main(void) { check(abs(-7) == 7 && abs(7) == 7 && abs(nd() & 3) < 4); }`,
		"bytes that can be accessed": `
#include <seahorn/seahorn.h>
			void *malloc(unsigned long); int g[3]; int main(void) { int a[3], n = (nd() & 3) + 1; char *p = malloc(n), *q = malloc(2);
			int *r = nd() ? a + 1 : g; check(sea_is_dereferenceable(a, 12)); check(sea_is_dereferenceable(r, 9) == (r == g));
			check(sea_is_dereferenceable(p, n) && !sea_is_dereferenceable(p, n + 1) && sea_is_dereferenceable(p + n, 0));
			check(!sea_is_dereferenceable(q, -1) && sea_is_dereferenceable(q + 1, 1)); q = p; check(sea_is_dereferenceable(q, n)); q = 0; check(!sea_is_dereferenceable(q, 1)); }`,
		"bytes that are written": `
#include <seahorn/seahorn.h>
			#define M(x) sea_is_modified((char *)(x))
			extern void *memset(void *, int, unsigned long), *memcpy(void *, const void *, unsigned long); struct s { char c; int i; } s, r; int g[3]; static void set(int *p) { *p = 3; }
			int main(void) { int a = 1; check(!M(&a)); sea_tracking_on(); int b = 2, c; check(!M(&a) && M(&b) && !M(&c)); c = 4; set(&a); check(M(&a) && M(&c));
			sea_reset_modified((char *)&a); check(!M(&a) && M((char *)&a + 3)); s.i = 7; check(!M(&s.c) && M(&s.i)); r = s; check(M(&r.c) && M(&r.i));
			memset(g + 1, 0, 4); check(!M(g) && M(g + 1) && !M(g + 2)); memcpy(g, g + 2, 4); check(M(g)); sea_tracking_off(); g[2] = nd(); check(!M(g + 2) && M(g + 1)); sea_tracking_on(); check(!M(g + 1)); }`,
		"objects written again": `
#include <seahorn/seahorn.h>
			int main(void) { sea_tracking_on(); for (int i = 0; i < 2; i++) { int a; struct { unsigned char x; unsigned b : 3, c : 9; } f; check(!sea_is_modified((char *)&a)); check(!sea_is_modified((char *)&f));
			check(!sea_is_modified((char *)&f + 1)); a = 1; f.b = 1; f.c = 2; check(sea_is_modified((char *)&a)); check(!sea_is_modified((char *)&f) && sea_is_modified((char *)&f + 1)); } }`,
		"objects that are freed": `
#include <seahorn/seahorn.h>
			void *malloc(unsigned long); int main(void) { sea_tracking_on(); char *p = malloc(4), *q = malloc(4); int a; check(sea_is_alloc(p + 3) && sea_is_alloc((char *)&a));
			*p = nd(); sea_free(p); check(!sea_is_alloc(p) && sea_is_alloc(q) && sea_is_modified(p) && !sea_is_modified(q)); q = 0; check(!sea_is_alloc(q)); }`,
		"beside memory": `
#include <seahorn/seahorn.h>
			int main(void) { int a[2], i = nd() & 1; char x = nd(); sea_tracking_on(); sea_set_shadowmem(3, (char *)&a[i], x); sea_set_shadowmem(3, (char *)&a[1 - i], 9); sea_set_shadowmem(1, (char *)a, 7);
			a[0] = 5; check(sea_get_shadowmem(3, (char *)&a[i]) == x && sea_get_shadowmem(3, (char *)&a[1 - i]) == 9 && sea_get_shadowmem(1, (char *)a) == 7); }`,
		"stubs":                         `_Bool sea_nd_bool(void) { return 0; } void __VERIFIER_assume(int c) {} int main(void) { _Bool b = sea_nd_bool(); check(b == 0 || b == 1); if (nd() > 9) { __VERIFIER_assume(0); reach_error(); } }`,
		"a function that never returns": `extern void abort(void); static int must(int x) { if (!x) abort(); return x; } int main(void) { int y = must(nd()); check(y != 0); }`,
	} {
		t.Run(name, func(t *testing.T) {
			before := `extern int nd(void); extern void reach_error(void); static void check(int c) { if (c == bad) reach_error(); } `
			for _, bad := range []string{"0", "1"} {
				p := read(t, "#define bad "+bad+"\n"+before+text, c.LP64)
				tr := lower(t, p, translate.Options{})
				ranged := lowerAs(t, p, translate.Options{}, lowering.Ranged)
				wants := "ended"
				if bad == "1" && name != "a function that never returns" {
					wants = "error"
				}
				for k := range int64(4) {
					source, translated, detail := tr.run(t, interpret.Options{}, func(*tree.Call, int) int64 { return k }, nil)
					if name != "a function that never returns" {
						require.Equal(t, wants, source, detail)
					}
					require.Equal(t, source, translated, "%s\n%s", detail, tr.text())
					if len(ranged.lowered.Occurrences) == 0 {
						_, translated, detail = ranged.run(t, interpret.Options{}, func(*tree.Call, int) int64 { return k }, nil)
						require.Equal(t, source, translated, "ranged: %s\n%s", detail, ranged.text())
					}
				}
			}
		})
	}
}

// TestOverflow says which operations overflow, and that only those that are evaluated count.
func TestOverflow(t *testing.T) {
	for text, want := range map[string]string{
		"int x = nd(); return -x;":                                 "error",
		"int x = nd() + 1; return -x;":                             "ended",
		"int x = nd(); return x - 1;":                              "error",
		"int x = nd(); return x / -1;":                             "error",
		"int x = nd(); return x / 1 + x % 3;":                      "error",
		"int x = nd(); return x % 3;":                              "ended",
		"int x = nd(); x--; return x;":                             "error",
		"int x = nd(); return abs(x);":                             "error",
		"int x = nd(); return x > 0 && x - 1;":                     "ended",
		"int x = nd(); return x > 0 ? x - 1 : x + 1;":              "ended",
		"int x = nd(); return x > 0 || -x > 0;":                    "error",
		"unsigned x = nd(); return x * 2 - 1;":                     "ended",
		"char c = nd(); c++; short s = nd() >> 8; return c + s;":   "ended",
		"int x = nd() + 1; long y = x; return y * 2 - 7 > 0;":      "ended",
		"int x = 1 << 30; return x << (nd() & 1);":                 "ended",
		"int x = 1 << 30; return x << (nd() & 1) << 1;":            "error",
		"int x = nd(); return (x + 7 > 0, 0 * (unsigned)x) == -x;": "error",
	} {
		p := read(t, "extern int nd(void); extern int abs(int); int main(void) { "+text+" }", c.LP64)
		tr := lower(t, p, translate.Options{Faults: fault.Of(fault.Overflow)})
		source, translated, detail := tr.run(t, interpret.Options{Faults: fault.Of(fault.Overflow)}, func(*tree.Call, int) int64 { return -1 << 31 }, nil)
		require.Equal(t, want, source, "%s: %s", text, detail)
		require.Equal(t, source, translated, "%s: %s\n%s", text, detail, tr.text())
	}
}

// TestErrorLabel says that a label is the error if that is asked, and only then.
func TestErrorLabel(t *testing.T) {
	p := read(t, `extern int nd(void); int main(void) { if (nd() == 3) goto ERROR; return 0; ERROR: return 1; }`, c.LP64)
	three := func(*tree.Call, int) int64 { return 3 }
	for label, want := range map[string]string{"ERROR": "error", "": "ended", "other": "ended"} {
		tr := lower(t, p, translate.Options{ErrorLabel: label})
		source, translated, detail := tr.run(t, interpret.Options{ErrorLabel: label}, three, nil)
		require.Equal(t, want, source, detail)
		require.Equal(t, want, translated, detail)
	}
}

// TestUnsupported says that what can't be handled is a stop, named at its place and once, and only if it can be reached.
func TestUnsupported(t *testing.T) {
	text := `extern int pthread_create(void *, void *, void *, void *); extern int longjmp(int *, int);
int main(void) {
  int x = 0;
  return longjmp(&x, 1);
}
void unreached(void) { pthread_create(0, 0, 0, 0); }`
	p := read(t, text, c.LP64)
	r, err := translate.Translate(context.Background(), p, translate.Options{})
	require.NoError(t, err)
	require.Len(t, r.Stops, 1)
	require.Len(t, r.Origins.Stops, 1)
	require.Equal(t, 4, r.Stops[0].Pos.Line)
	require.Contains(t, r.Stops[0].String(), "test.c:4:")
	require.Contains(t, r.Stops[0].String(), "longjmp")
	require.False(t, r.Fewer)
	require.NotNil(t, r.Stop(r.Stops[0].Pos))
	require.Nil(t, r.Stop(p.Function("main").Pos))

	// Runs that end at a stop are no longer there: this is said.
	r, err = translate.Translate(context.Background(), p, translate.Options{Stops: translate.StopsEnd})
	require.NoError(t, err)
	require.True(t, r.Fewer)
	require.Len(t, r.Stops, 1)
	require.Empty(t, r.Origins.Stops)

	_, err = translate.Translate(context.Background(), p, translate.Options{Entry: "nothing"})
	require.ErrorContains(t, err, "there is no function nothing")
	done, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = translate.Translate(done, p, translate.Options{})
	require.ErrorIs(t, err, context.Canceled)
}

// TestSource says what of a translation comes from where.
func TestSource(t *testing.T) {
	p := read(t, `extern int nd(void); int g; struct s { int x, y; };
int main(void) { struct s s; int a[30], n = nd(); for (int i = 0; i < n; i++) a[i] = s.y + g++; return a[n]; }`, c.LP64)
	r, err := translate.Translate(context.Background(), p, translate.Options{})
	require.NoError(t, err)
	require.Equal(t, []ledger.Entry{
		{Kind: ledger.Accesses, What: "accesses to arrays and through pointers stay within the objects that they are meant for, while these exist", For: ledger.SafeOnly},
		{Kind: ledger.Undefined, What: "functions without a body return any value and change what their arguments reach", Names: []string{"nd"}, For: ledger.SafeOnly},
	}, r.Assumptions.Safe())
	require.Empty(t, r.Approximations)
	main := p.Function("main")
	require.Same(t, main, r.Origins.Functions["main"])
	require.Len(t, r.Origins.Loops, 1)
	for _, s := range r.Origins.Loops {
		require.IsType(t, &tree.For{}, s)
	}
	kinds := map[origin.Kind]int{}
	for _, events := range r.Origins.Events {
		for _, e := range events {
			kinds[e.Kind]++
			if e.Kind == origin.Returned {
				require.IsType(t, &tree.Call{}, e.Node)
			}
		}
	}
	require.Equal(t, map[origin.Kind]int{origin.Returned: 1, origin.Declared: 3}, kinds)
	o := r.Origins.Named("main", "s.y")
	require.NotNil(t, o)
	require.Equal(t, "s", o.Object.Name)
	require.Len(t, o.Path, 1)
	require.Equal(t, "y", o.Path[0].Field.Name)
	require.True(t, r.Origins.Named("main", "a").Map)
	require.Equal(t, "g", r.Origins.Named("main", "g").Object.Name)
	require.Nil(t, r.Origins.Named("main", "nobody"))
}
