package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What a refutation says of memory that nobody wrote to, of external objects, of what undefined functions return, is what the
// interpreter is told of it, in integers and in vectors, for each time that there is something new.
func TestContentsOfMemory(t *testing.T) {
	const begin = `#include <stdlib.h>
void reach_error(void);
struct s { int a; long b; unsigned char c[4]; struct s *n; };
struct t { int k; struct { char d[3]; short e; } f[2]; };
struct s *get(void);
struct t make(void);
int *same(void), *other(int *);
extern struct s ext, *extp;
extern struct t et[2][3];
int main(void) {
`
	for name, body := range map[string]string{
		"two allocations": `int *p = malloc(8), *q = malloc(8);
			if (p[1] == 77 && q[0] == 99 && q[1] == -5) reach_error();`,
		"an allocation of a loop": `for (int i = 0; i < 3; i++) { int *p = malloc(4); if (i == 2 && *p == 77123) reach_error(); *p = 5; }`,
		"a struct": `struct s *p = malloc(sizeof *p);
			if (p->a == 5 && p->b == 123456789012 && p->c[2] == 200) reach_error();`,
		"a returned object": `struct s *p = get(), *q = get();
			if (p && q && p->b == 71 && p->c[1] == 3 && q->b == 81) reach_error();`,
		"a given object":     `int *p = malloc(4); other(p); if (same() == p) reach_error();`,
		"an external object": `struct s *p = &ext; if (p->b == 71 && p->c[1] == 3 && p->a == 2) reach_error();`,
		"a copy of one":      `struct s x = ext; if (x.a == 12121212 && x.c[3] == 3) reach_error();`,
		"arrays of structs": `int a[2][3]; short s[4];
			if (a[1][2] == 5 && s[3] == 9 && a[0][1] == 12345 && et[1][2].f[1].d[2] == 'q' && et[0][2].f[0].e == -77) reach_error();`,
		"a local object": `int a[3]; int *p = a; int *q = a + 2; if (*q == 71 && p[1] == 3) reach_error();`,
		"a local object of a loop": `for (int i = 0; i < 3; i++) {
			struct s x; struct s *p = &x; if (i == 2 && p->a == 7 && p->b == 1234567) reach_error(); p->a = 4; }`,
		"a returned struct": `struct t x = make(), y = make(); if (x.k == 3333 && y.k == 4444 && y.f[1].e == 55) reach_error();`,
	} {
		for _, mode := range []string{"ranged", "allbv"} {
			r := call(t, "", "verify", "--explore", "0s", "--trace", "none", "--bits", mode, tempFile(t, "p.c", begin+body+"\nreturn 0; }"))
			require.Equal(t, "unsafe\n", r.out, "%s, %s: %s", name, mode, r.err)
		}
	}
}
