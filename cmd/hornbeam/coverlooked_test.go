package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// overlooked are programs that can reach their error in ways that a proof might overlook. What they say is C's standard, or
// what every compiler makes of it.
var overlooked = map[string]string{
	"an external pointer's object":    `extern int *p; int main(void) { if (p && *p == 5) reach_error(); }`,
	"an external pointer or another":  `extern int *p; int x = 3; int main(void) { int *q = nd() ? p : &x; *q = 5; if (x == 3) reach_error(); }`,
	"an external list's next":         `struct s { struct s *next; int v; }; extern struct s *get(void); int main(void) { struct s *p = get(); if (p && p->next && p->next->v == 5) reach_error(); }`,
	"arguments":                       `int main(int argc, char **argv) { if (argc > 1 && argv[1][0] == 'x') reach_error(); }`,
	"before an element":               `int main(void) { int a[4] = {0}, *p = &a[2]; p[-1] = 9; if (a[1] == 9) reach_error(); }`,
	"before an array's end":           `int main(void) { int a[4] = {0}, *e = a + 4; e[-2] = 4; if (a[2] == 4) reach_error(); }`,
	"before a field of an element":    `struct s { int x, y; }; int main(void) { struct s a[3] = {0}; int *e = &a[2].y; e[-1] = 4; if (a[2].x == 4) reach_error(); }`,
	"the struct around an array":      `struct s { int v; char b[4]; }; int main(void) { struct s s = {0, "ab"}; char *p = s.b; ((struct s *)(p - 4))->v = 3; if (s.v == 3) reach_error(); }`,
	"bytes behind a first array":      `struct s { char n[4]; int v; }; int main(void) { struct s s = {"abc", 7}; char *c = (char *)&s; for (unsigned i = 0; i < sizeof s; i++) c[i] = 0; if (s.v == 0) reach_error(); }`,
	"bytes behind one, through void":  `struct s { char n[2]; short v; }; void clear(void *p, int n) { char *c = p; while (n--) *c++ = 0; } int main(void) { struct s s = {"a", 7}; clear(&s, 4); if (s.v == 0) reach_error(); }`,
	"a pointer in a union":            `union u { int *p; unsigned long l; }; int main(void) { int x = 0; union u u; u.p = &x; *(int *)u.l = 5; if (x == 5) reach_error(); }`,
	"a pointer as a number in memory": `int main(void) { int x = 0, *p = &x; unsigned long l = *(unsigned long *)&p; *(int *)l = 5; if (x == 5) reach_error(); }`,
	"a pointer copied byte by byte": `int main(void) { int x = 0, *p = &x, *q; char *a = (char *)&p, *b = (char *)&q;
		b[0] = a[0]; b[1] = a[1]; b[2] = a[2]; b[3] = a[3]; b[4] = a[4]; b[5] = a[5]; b[6] = a[6]; b[7] = a[7]; *q = 5; if (x == 5) reach_error(); }`,
	"what frexp writes":                  `extern double frexp(double, int *); int main(void) { int e = 0; frexp(8.0, &e); if (e == 4) reach_error(); }`,
	"what %n writes":                     `extern int printf(const char *, ...); int main(void) { int n = 0; printf("ab%n", &n); if (n == 2) reach_error(); }`,
	"what %n writes, late":               `extern int printf(const char *, ...); const char *format = "ab%n"; int main(void) { int n = 0; printf(format, &n); if (n == 2) reach_error(); }`,
	"what time writes":                   `extern long time(long *); int main(void) { long t = 0; time(&t); if (t != 0) reach_error(); }`,
	"what read writes":                   `extern long read(int, void *, unsigned long); int main(void) { char c = 0; read(0, &c, 1); if (c) reach_error(); }`,
	"what strtok writes":                 `extern char *strtok(char *, const char *); int main(void) { char b[] = "a,b"; strtok(b, ","); if (b[1] == 0) reach_error(); }`,
	"what asm writes":                    `int main(void) { int x = 1, *p = &x; __asm__("movl $5, %0" : "=m"(*p)); if (x == 5) reach_error(); }`,
	"half of an int set":                 `extern void *memset(void *, int, unsigned long); int main(void) { int x = 0; memset(&x, 1, 2); if (x == 0x101) reach_error(); }`,
	"a byte within an int set":           `extern void *memset(void *, int, unsigned long); int main(void) { int x = 0; memset((char *)&x + 1, 1, 1); if (x == 0x100) reach_error(); }`,
	"a byte within an int copied":        `extern void *memcpy(void *, const void *, unsigned long); int main(void) { int x = 0; memcpy((char *)&x + 2, "\1", 1); if (x == 65536) reach_error(); }`,
	"a float's bytes":                    `extern void *memcpy(void *, const void *, unsigned long); int main(void) { float f = 1.0f; unsigned u; memcpy(&u, &f, 4); if (u == 0x3f800000) reach_error(); }`,
	"bytes of an array's elements":       `extern void *memcpy(void *, const void *, unsigned long); int main(void) { int a[4] = {1, 2, 3, 4}; memcpy((char *)a + 6, "\7\1", 2); if (a[1] == 0x1070002) reach_error(); }`,
	"bits of a wide bit-field":           `struct { unsigned long long c : 33; } s; int main(void) { s.c = -1; if ((s.c << 1) != 0x3fffffffe) reach_error(); }`,
	"a wide bit-field plus 1":            `struct { unsigned long long c : 33; } s; int main(void) { s.c = -1; if (s.c + 1 == 0) reach_error(); }`,
	"a function called as another one":   `static int g(int a) { if (a == 3) reach_error(); return 0; } int main(void) { void (*p)(long) = (void (*)(long))g; p(3); }`,
	"a function whose result is dropped": `static int g() { reach_error(); return 0; } int main(void) { void (*p)() = (void (*)())g; p(); }`,
	"effects of an assertion's argument": `extern void __VERIFIER_assert(int); int main(void) { void (*f)(int) = __VERIFIER_assert; int x = 0; f(++x); if (x == 1) reach_error(); }`,
	"what asm writes in a field":         `struct s { int x, y; } s, *p = &s; int main(void) { __asm__("movl $5, %0" : "+m"(p->y)); if (s.y == 5) reach_error(); }`,
}

// What a function that does not return is followed by is not reached.
func TestFunctionsThatDoNotReturn(t *testing.T) {
	for _, declared := range []string{"_Noreturn void die(void)", "void die(void) __attribute__((noreturn))", "void __attribute__((__noreturn__)) die(void)"} {
		text := "extern void reach_error(void); extern " + declared + "; int main(void) { die(); reach_error(); }"
		r := call(t, "", "verify", "--trace", "none", tempFile(t, "p.c", text))
		require.Equal(t, "safe\n", r.out, r.err)
	}
}

// A proof alone, without runs that are tried, does not overlook what a program can do.
func TestProofsOverlookNothing(t *testing.T) {
	for name, text := range overlooked {
		t.Run(name, func(t *testing.T) {
			text = "extern void reach_error(void); extern int nd(void);\n" + text
			r := call(t, "", "verify", "--explore", "0s", "--trace", "none", "--timeout", "2s", tempFile(t, "p.c", text))
			require.Contains(t, []int{exitBug, exitInconclusive}, r.code, "%s%s", r.out, r.err)
		})
	}
}
