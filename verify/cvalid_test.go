package verify_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
)

// What contracts say of valid pointers is assumed where they are assumed, and asked where they are asserted: exactly what holds is proved.
func TestContractsAboutValidPointers(t *testing.T) {
	for _, test := range []struct {
		name          string
		modular, safe bool
		text          string
	}{
		{"all elements of an array", true, true, "/*@ requires n >= 0; requires \\valid(p + (0 .. n-1)); assigns p[0 .. n-1]; */ void f(int *p, int n) { //@ loop invariant 0 <= i <= n;\n for (int i = 0; i < n; i++) p[i] = 0; }"},
		{"one element more", true, false, "/*@ requires n >= 0; requires \\valid(p + (0 .. n-1)); assigns p[0 .. n-1]; */ void f(int *p, int n) { //@ loop invariant 0 <= i <= n + 1;\n for (int i = 0; i <= n; i++) p[i] = 0; }"},
		{"an element before the first", true, false, "/*@ requires n > 0; requires \\valid(p + (0 .. n-1)); */ void f(int *p, int n) { p[-1] = 1; }"},
		{"no element", true, false, "/*@ requires n >= 0; requires \\valid(p + (0 .. n-1)); */ void f(int *p, int n) { p[0] = 1; }"},
		{"an invariant about a pointer that moves", true, true, "/*@ requires n >= 0; requires \\valid(p + (0 .. n-1)); */ void f(int *p, int n) { int *q = p; //@ loop invariant 0 <= n; loop invariant \\valid(q + (0 .. n-1));\n while (n > 0) { *q = 0; q++; n--; } }"},
		{"one that the body breaks", true, false, "/*@ requires n >= 0; requires \\valid(p + (0 .. n-1)); */ void f(int *p, int n) { int *q = p; //@ loop invariant 0 <= n; loop invariant \\valid(q + (0 .. n-1));\n while (n > 0) { *q = 0; q++; q++; n--; } }"},
		{"an allocated object", false, true, "#include <stdlib.h>\n/*@ requires \\valid(p); */ void f(int *p) { } int main(void) { int *p = malloc(4); f(p); free(p); return 0; }"},
		{"an object that is too small", false, false, "#include <stdlib.h>\n/*@ requires \\valid(p); */ void f(int *p) { } int main(void) { int *p = malloc(3); f(p); free(p); return 0; }"},
		{"a freed object", false, false, "#include <stdlib.h>\n/*@ requires \\valid(p); */ void f(int *p) { } int main(void) { int *p = malloc(4); free(p); f(p); return 0; }"},
		{"null", true, false, "/*@ requires \\valid(p); */ void f(int *p) { *p = 1; } int main(void) { f(0); return 0; }"},
		{"one of two objects that are both freed", false, false, "#include <stdlib.h>\nint nondet(void);/*@ requires \\valid(p) || \\valid(q); */ void f(int *p, int *q); int main(void) { int k = nondet(); while (k-- > 0) { int *p = malloc(4), *q = malloc(4); if (k == 7) {free(p); free(q);} f(p, q); } return 0; }"},
		{"a local object whose function has returned", false, false, "int *g; void h(void) { int x; g = &x; } /*@ requires \\valid(p); */ void f(int *p) { } int main(void) { h(); f(g); return 0; }"},
		{"a string literal that may be written", false, false, "/*@ requires \\valid(p); */ void f(char *p) { } int main(void) { f(\"abc\"); return 0; }"},
		{"a string literal that is read", false, true, "/*@ requires \\valid_read(p + (0 .. 3)); */ void f(char *p) { } int main(void) { f(\"abc\"); return 0; }"},
		{"more than the string literal", false, false, "/*@ requires \\valid_read(p + (0 .. 4)); */ void f(char *p) { } int main(void) { f(\"abc\"); return 0; }"},
		{"an object that is const", false, false, "const int c = 1; /*@ requires \\valid(p); */ void f(int *p) { } int main(void) { f((int *)&c); return 0; }"},
		{"a pointer that is not aligned", false, false, "/*@ requires \\valid(p); */ void f(int *p) { } int main(void) { char a[8]; f((int *)(a + 1)); return 0; }"},
		{"a result that is valid", true, true, "#include <stdlib.h>\n/*@ ensures \\valid(\\result); */ int *mk(void) { int *p = malloc(4); return p; } int main(void) { int *p = mk(); *p = 1; return 0; }"},
		{"a result that is freed", true, false, "#include <stdlib.h>\n/*@ ensures \\valid(\\result); */ int *mk(void) { int *p = malloc(4); free(p); return p; } int main(void) { int *p = mk(); *p = 1; return 0; }"},
		{"a result that leads to a local object", true, false, "/*@ ensures \\valid(\\result); */ int *mk(void) { int x; int *p = &x; return p; } int main(void) { int *p = mk(); *p = 1; return 0; }"},
		{"a result of which nothing is known", true, false, "/*@ ensures \\valid(\\result); */ int *mk(int *q) { return q; } int main(void) { return 0; }"},
		{"a result that was given", true, true, "/*@ requires \\valid(q); ensures \\valid(\\result); ensures \\result == q; */ int *mk(int *q) { return q; } int main(void) { int x; int *p = mk(&x); *p = 1; return 0; }"},
		{"a parameter's address", false, false, "int *g; /*@ ensures \\valid(g); */ void mk(int q) { g = &q; } int main(void) { int x; mk(3); return 0; }"},
		{"what is not valid at the end", false, true, "int *g; /*@ ensures !\\valid(g); */ void mk(int q) { g = &q; } int main(void) { mk(3); return 0; }"},
		{"a local object of a recursive function", false, false, "int *g; /*@ ensures \\valid(\\result); */ int *mk(int n) { int x; int *p = &x; if (n > 0) p = mk(n - 1); return p; } int main(void) { mk(2); return 0; }"},
		{"null or valid", true, true, "/*@ requires p == \\null || \\valid(p); */ void f(int *p) { if (p) *p = 1; }"},
		{"null or valid, and not asked", true, false, "/*@ requires p == \\null || \\valid(p); */ void f(int *p) { *p = 1; }"},
		{"valid under a condition", true, true, "/*@ requires n > 0 ==> \\valid(p); */ void f(int *p, int n) { if (n > 0) *p = 1; }"},
		{"valid under another condition", true, false, "/*@ requires n > 0 ==> \\valid(p); */ void f(int *p, int n) { if (n >= 0) *p = 1; }"},
		{"not valid", true, false, "/*@ requires !\\valid(p); */ void f(int *p) { *p = 1; }"},
		{"one of two that are used", true, false, "/*@ requires \\valid(p) || \\valid(q); */ void f(int *p, int *q) { *p = 1; *q = 1; }"},
		{"a pointer in a struct", true, true, "struct s { int a, b; struct s *n; }; /*@ requires \\valid(p); requires \\valid(p->n); */ void f(struct s *p) { p->n->b = p->a; }"},
		{"a pointer in a struct that is not asked for", true, false, "struct s { int a, b; struct s *n; }; /*@ requires \\valid(p); */ void f(struct s *p) { p->n->b = p->a; }"},
		{"another field", true, false, "struct s { int a, b; }; /*@ requires \\valid(&p->a); */ void f(struct s *p) { p->b = 1; }"},
		{"freed behind a call", true, false, "#include <stdlib.h>\nvoid g(int *p) { free(p); } /*@ requires \\valid(p); */ void f(int *p) { g(p); *p = 1; }"},
		{"all pointers of an array", true, true, "/*@ requires \\valid(a + (0 .. 3)); requires \\forall int i; 0 <= i < 4 ==> \\valid(a[i]); */ void f(int **a) { *a[2] = 1; }"},
		{"one pointer too many", true, false, "/*@ requires \\valid(a + (0 .. 3)); requires \\forall int i; 0 <= i < 3 ==> \\valid(a[i]); */ void f(int **a) { *a[3] = 1; }"},
		{"a null pointer among those of an array", false, false, "/*@ requires \\forall int i; 0 <= i < 3 ==> \\valid(a[i]); */ void f(int **a) { } int main(void) { int x, y; int *a[3] = { &x, 0, &y }; f(a); return 0; }"},
		{"one of several that are all freed", false, false, "#include <stdlib.h>\n/*@ requires \\exists int i; 0 <= i < 2 && \\valid(a[i]); */ void f(int **a) { } int main(void) { int *a[2]; a[0] = malloc(4); a[1] = malloc(4); free(a[0]); free(a[1]); f(a); return 0; }"},
		{"a range by an address", true, true, "/*@ requires \\valid(&p[1 .. 2]); */ void f(int *p) { p[1] = p[2] = 1; }"},
		{"outside of a range by an address", true, false, "/*@ requires \\valid(&p[1 .. 2]); */ void f(int *p) { p[0] = 1; }"},
		{"an assertion", false, true, "int main(void) { int a[3]; int *p = a; //@ assert \\valid(p + (0 .. 2));\n return 0; }"},
		{"an assertion that fails", false, false, "int main(void) { int a[3]; int *p = a; //@ assert \\valid(p + (0 .. 3));\n return 0; }"},
		{"the end of an array", false, false, "int main(void) { int a[3]; int *p = a + 3; //@ assert \\valid(p);\n return 0; }"},
		{"the end of an array is not valid", false, true, "int main(void) { int a[3]; int *p = a; //@ assert !\\valid(p + 3);\n return 0; }"},
		{"what a function without a body requires", false, false, "/*@ requires \\valid(p + (0 .. n-1)); assigns p[0 .. n-1]; */ void fill(char *p, unsigned n); int main(void) { char a[4]; fill(a, 5); return 0; }"},
		{"and gets", false, true, "/*@ requires \\valid(p + (0 .. n-1)); assigns p[0 .. n-1]; */ void fill(char *p, unsigned n); int main(void) { char a[4]; fill(a, 4); return 0; }"},
		{"the result of a function without a body", false, true, "/*@ ensures \\result == \\null || \\valid(\\result + (0 .. n-1)); assigns \\nothing; */ char *get(unsigned n); int main(void) { char *p = get(3); if (p) p[2] = 1; return 0; }"},
		{"beyond that result", false, false, "/*@ ensures \\result == \\null || \\valid(\\result + (0 .. n-1)); assigns \\nothing; */ char *get(unsigned n); int main(void) { char *p = get(3); if (p) p[3] = 1; return 0; }"},
		{"that result may be null", false, false, "/*@ ensures \\result == \\null || \\valid(\\result + (0 .. n-1)); assigns \\nothing; */ char *get(unsigned n); int main(void) { char *p = get(3); p[2] = 1; return 0; }"},
		{"a result that may be what was given", false, false, "/*@ assigns \\nothing; */ int *get(int *p); int main(void) { int x[2]; int *p = get(x); if (p) p[1] = 1; return 0; }"},
		{"a result that is valid and may be what was given", false, true, "/*@ ensures \\valid(\\result + (0 .. 1)); assigns \\nothing; */ int *get(int *p); int main(void) { int x[2]; int *p = get(x); p[1] = 1; return 0; }"},
		{"a large result", false, true, "/*@ ensures \\valid(\\result + (0 .. 999999)); assigns \\nothing; */ int *get(void); int main(void) { int *p = get(); p[999999] = 1; return 0; }"},
		{"behind a large result", false, false, "/*@ ensures \\valid(\\result + (0 .. 999999)); assigns \\nothing; */ int *get(void); int main(void) { int *p = get(); p[999999] = 1; int a[2]; int i = p[0]; a[i] = 1; return 0; }"},
		{"part of an object for the caller", true, false, "int g[2]; /*@ requires \\valid(p); */ void f(int *p) { p[1] = 1; } int main(void) { f(&g[1]); return 0; }"},
		{"an address by its number", true, false, "/*@ requires \\valid(p); */ void f(int *p) { int *q = (int *)0x20000000; *q = 1; }"},
		{"a small address by its number", true, false, "int z; /*@ requires \\valid(p); */ void f(int *p) { p = (int *)65536; *p = z; }"},
		{"one of two, freed", true, false, "#include <stdlib.h>\n/*@ requires \\valid(p); */ void f(int *p, int c) { int *q = malloc(4); if (c) p = q; free(q); *p = 1; }"},
		{"one of two", true, true, "#include <stdlib.h>\n/*@ requires \\valid(p); */ void f(int *p, int c) { int *q = malloc(4); if (c) p = q; *p = 1; free(q); }"},
		{"without main", false, true, "/*@ requires \\valid(p); */ void f(int *p) { *p = 1; }"},
		{"without main, and one element more", false, false, "/*@ requires \\valid(p); */ void f(int *p) { p[1] = 1; }"},
		{"without main, called with any pointer", false, false, "/*@ requires \\valid(p); */ void f(int *p) { } /*@ requires \\true; */ void g(int *p) { f(p); }"},
		{"a pointer that moves to another object", true, false, "/*@ requires \\valid(p); requires \\valid(q); */ void f(int *p, int *q, long i) { p += i; *p = 1; }"},
		{"before the object", true, false, "/*@ requires \\valid(p); */ void f(int *p) { p--; *p = 1; }"},
		{"to and fro", true, true, "/*@ requires \\valid(p + (0 .. 1)); */ void f(int *p) { p++; p--; p++; *p = 1; }"},
		{"a pointer without a value", true, false, "/*@ requires \\valid(q); */ void f(int *q) { int *p; *p = 1; }"},
		{"a sum with null", true, false, "/*@ requires \\valid(q); */ void f(int *q, long i) { int *p = 0; p += i; *p = 1; }"},
		{"an object of its own", true, false, "#include <stdlib.h>\nint z[1]; /*@ requires \\valid(p); */ void f(int *p) { int *q = malloc(4); free(q); int *r = malloc(8); r[2] = 1; }"},
		{"one of two freed objects", false, false, "#include <stdlib.h>\nint n(void); /*@ requires \\valid(p) || \\valid(q); */ void f(int *p, int *q) { } int main(void) { int *p = malloc(4), *q = malloc(4); if (n()) { free(p); free(q); } f(p, q); return 0; }"},
		{"one of two objects of which one is not freed", false, true, "#include <stdlib.h>\n/*@ requires \\valid(p) || \\valid(q); */ void f(int *p, int *q) { } int main(void) { int x; int *p = malloc(4), *q = &x; free(p); f(p, q); return 0; }"},
		{"a small number for a pointer", true, false, "/*@ requires \\valid(p); */ void f(int *p) { p = (int *)64; *p = 1; }"},
		{"a pointer that a function without a body writes", false, true, "/*@ assigns *pp; ensures \\valid(*pp); */ void get(int **pp); int z[1]; int main(void) { int *p; get(&p); *p = 1; return 0; }"},
		{"beyond that pointer's object", false, false, "/*@ assigns *pp; ensures \\valid(*pp); */ void get(int **pp); int z[1]; int main(void) { int *p; get(&p); p[1] = 1; return 0; }"},
		{"what is read by it is any value", false, false, "/*@ assigns *pp; ensures \\valid(*pp); */ void get(int **pp); int z[1]; int main(void) { int *p; get(&p); int i = *p; z[i] = 1; return 0; }"},
		{"a pointer in a struct that is returned", false, true, "struct s { int *p; int n; }; /*@ assigns \\nothing; ensures \\valid(\\result.p); */ struct s get(void); int z[1]; int main(void) { struct s s = get(); *s.p = 1; return 0; }"},
		{"beyond the object of a pointer in a struct that is returned", false, false, "struct s { int *p; int n; }; /*@ assigns \\nothing; ensures \\valid(\\result.p); */ struct s get(void); int z[1]; int main(void) { struct s s = get(); s.p[1] = 1; return 0; }"},
		{"a pointer of the program that is assigned", false, true, "int *g; /*@ assigns g; ensures \\valid(g); */ void set(void); int main(void) { set(); *g = 1; return 0; }"},
		{"beyond the object of such a pointer", false, false, "int *g; /*@ assigns g; ensures \\valid(g); */ void set(void); int main(void) { set(); g[1] = 1; return 0; }"},
		{"what is read by such a pointer is any value", false, false, "int z[1]; int *g; /*@ assigns g; ensures \\valid(g); */ void set(void); int main(void) { set(); z[*g] = 1; return 0; }"},
		{"beyond a result by its contract", true, false, "#include <stdlib.h>\n/*@ ensures \\valid(\\result); */ int *mk(void) { int *p = malloc(4); return p; } int main(void) { int *p = mk(); p[1] = 1; return 0; }"},
		{"what a result by its contract leads to is any value", true, false, "#include <stdlib.h>\nint z[1]; /*@ ensures \\valid(\\result); */ int *mk(void) { int *p = malloc(4); return p; } int main(void) { int *p = mk(); z[*p] = 1; return 0; }"},
		{"beyond an object beside such a result", true, false, "#include <stdlib.h>\n/*@ ensures \\valid(\\result); */ int *mk(void) { int *p = malloc(4); return p; } int main(void) { int *p = mk(); int *q = malloc(4); q[1] = *p; return 0; }"},
		{"an invariant about an object that the body frees", true, false, "#include <stdlib.h>\nint main(void) { int *p = malloc(4); int i = 0; //@ loop invariant \\valid(p); loop invariant 0 <= i;\n while (i < 5) { free(p); i++; } p[0] = 1; return 0; }"},
		{"what an invariant about an allocated object leaves open", true, false, "#include <stdlib.h>\nint z[1]; int main(void) { int *p = malloc(4); int i = 0; //@ loop invariant \\valid(p); loop invariant 0 <= i;\n while (i < 5) { free(p); p = malloc(4); i++; } z[i] = 1; return 0; }"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			options := []string{"property=memory"}
			if test.modular {
				options = append(options, "modular=true")
			}
			r := decideC(ctx, t, test.text, asked(t, options...), spacer)
			if test.safe {
				require.Equal(t, engine.Sat, r.Verdict, r.Reason)
			} else {
				require.NotEqual(t, engine.Sat, r.Verdict)
			}
			for _, a := range r.Assumptions {
				require.NotContains(t, a.String(), `\valid`)
			}
		})
	}
}

// Where nothing is asked about memory they are passed over, which the assumptions say.
func TestContractsAboutValidPointersAreNotAskedWithoutMemory(t *testing.T) {
	r := decideC(t.Context(), t, "/*@ requires \\valid(p); */ void f(int *p) { } int main(void) { f(0); return 0; }", asked(t), spacer)
	require.Equal(t, engine.Sat, r.Verdict)
	require.Contains(t, r.Assumptions[0].String(), `test.c:1:14: requires \valid`)
}
