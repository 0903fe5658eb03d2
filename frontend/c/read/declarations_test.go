package read

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c/source"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/report"
)

// Declarations of one name make one object or function, and what is left open is settled at the end of the file.
func TestDeclarationsAreMerged(t *testing.T) {
	for text, want := range map[string]string{
		"int a[];": "int a[1];",
		"extern int a[]; int a[3]; extern int a[];":                                                             "int a[3];",
		"extern int g; int f() { extern int g; return g; } int g = 2;":                                          "int g = {2};",
		"extern int g; int f() { return g; }":                                                                   "int g; /* external */",
		"int f(); int g() { return f(1, 2); } int f(char a, long b) { return a; }":                              "return f((char)1, (long)2);",
		"int f(); int f(double); int g() { return f(1); }":                                                      "return f((double)1);",
		"int g() { return f(300); } int f(c) unsigned char c; { return c; }":                                    "return f((unsigned char)44);",
		"void g() { f(1); } void f(int x) {}":                                                                   "f(1);",
		"extern inline int f() { return 1; } int f() { return 2; }":                                             "return 2;",
		"int foo(int x) { return x; } int bar(int) __attribute__((alias(\"foo\"))); int g() { return bar(1); }": "return foo(1);",
		"char *malloc(); int *f() { return (int *)malloc(8); }":                                                 "malloc((unsigned long)8)",
		"int *f() { return malloc(8); }":                                                                        "(int *)malloc((unsigned long)8)",
		"double log; int abs; int f(int printf) { return log + abs + printf; }":                                 "double log;",
		"int memset(int x) { return x; } int f() { return memset(3); }":                                         "return memset(3);",
		"void *p, *q; void f() { __builtin_memcpy(p, q, 3); }":                                                  "memcpy(p, q, (unsigned long)3);",
		"const int c = 1; void f() { *(char *)&c = 2; }":                                                        "int c = {1}; /* const, escapes */",
		"const int c = 1; void f() { c++; }":                                                                    "int c = {1}; /* written */",
		"int f(void) { static int x = 1; { static int x = 2; x++; } return x; }":                                "int x.1 = {2}; /* written */",
		"int f() { int x = 1; { int x = x; } return x; }":                                                       "int x.1 = {x.1};",
		"enum E { A, B = 3000000000, C = -1 } e = C;":                                                           "long e = {(long)-1};",
		"enum E { A, B = 3000000000 }; int x = sizeof(A) + (-1 < A) + (-1 < B);":                                "int x = {5};",
		"int f(int x) { return sizeof((struct { int a; }){ x }) + sizeof(({ int y = x; y; })); }":               "return 8;",
		"int x = 'ab', y = '\\377', z = L'\\xff', w = 'abcde';":                                                 "int x = {24930};",
		"struct S; struct S *p; struct S { int a; }; int f() { return p->a; }":                                  "return p->a;",
		"struct S { int a; }; void f() { struct S { char b; } s; s.b = 1; { struct S *p = &s; p->b = 2; } }":    "(p->b = (char)2);",
		"typedef int T; void f() { T T = 3; T++; }":                                                             "int T = {3};",
		"int f(int a[const 3], int g(int)) { return g(a[0]); }":                                                 "return (*g)(*a);",
		"int f(int x) { typeof(x + 1L) y = x; __auto_type z = y; return z; }":                                   "long z = {y};",
		"typedef int T; int f(int x) { if (x) x = sizeof(enum { T }); else { T t = x; return t; } for (;;) x = sizeof(enum { T }); T t = x; return t; }": "int t = {x};",
		"_Bool f(double d, int *p) { return d ? p : 0; }": "(_Bool)(d ? p : (int *)0)",
		"unsigned f(_Bool b, char c) { return b + c; }":   "return (unsigned int)((int)b + (int)c);",
	} {
		require.Contains(t, printed(read(t, tree.LP64, text)), want, text)
	}
}

// A program has the library functions that it mentions, declared or not, and no others.
func TestMentionedLibraryFunctionsAreListed(t *testing.T) {
	p := read(t, tree.LP64, "void *f() { return malloc(8); }")
	require.NotNil(t, p.Function("malloc"))
	require.Nil(t, p.Function("free"))
	require.Len(t, p.Functions, 2)
}

// Types of one width keep their names: long stays long where it is no wider than int.
func TestTypesOfOneWidthKeepTheirNames(t *testing.T) {
	text := "long l; unsigned u; long long q; unsigned long m;" +
		"int a = _Generic(l + 1, int: 1, long: 2), b = _Generic(l + u, unsigned: 1, unsigned long: 2, long: 3)," +
		"c = _Generic(q + m, long long: 1, unsigned long long: 2), d = _Generic((short)1 + u, int: 1, unsigned: 2)," +
		"e = _Generic(u ? l : 0, int: 1, long: 2), f = _Generic('a' << 1l, int: 1, long: 2), g = _Generic(-u, unsigned: 1, long: 2);"
	for model, want := range map[tree.Model][]int64{tree.ILP32: {2, 2, 1, 2, 2, 1, 1}, tree.LP64: {2, 3, 2, 2, 2, 1, 1}} {
		p := read(t, model, text)
		for i, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
			x, ok := (&reader{}).evaluate(object(t, p, name).Init[0].Value)
			require.True(t, ok)
			require.Equal(t, want[i], x.Int64(), "%s of %s", name, model.Name)
		}
	}
}

// The locals of a function are the ones that its body declares.
func TestUnevaluatedOperandsDeclareNothing(t *testing.T) {
	p := read(t, tree.LP64, "int f(int x) { int a = 1; return sizeof((struct { int a; }){ x }) + sizeof(({ int y = x; y; })) + a; }")
	require.Len(t, p.Function("f").Locals, 1)
}

// A call of an undeclared function whose later result is of another kind cannot be read.
func TestImplicitFunctionsReturnInt(t *testing.T) {
	_, err := Program(context.Background(), "test.c", []byte("int g() { return f(1); } char *f(int x) { return 0; }"), source.Options{})
	require.ErrorIs(t, err, report.ErrUnsupported)
	require.ErrorContains(t, err, "test.c:1:18: unsupported: a call of f, which returns char *, before its declaration")
}
