package interpret_test

import (
	"context"
	"errors"
	"fmt"
	"hornbeam/frontend/c/fault"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/tree"
	"hornbeam/internal/work"
)

const declarations = `
void *malloc(__SIZE_TYPE__); void *calloc(__SIZE_TYPE__, __SIZE_TYPE__); void *realloc(void *, __SIZE_TYPE__); void free(void *);
void *memcpy(void *, const void *, __SIZE_TYPE__); __SIZE_TYPE__ strlen(const char *); char *strcpy(char *, const char *);
void reach_error(void); void abort(void); int nondet(void); int *source(void);
#line 1 "test.c"
`

// Undefined behaviour ends a run where it happens, and is never an error.
func TestUndefinedBehaviour(t *testing.T) {
	for body, what := range map[string]string{
		`int *p = 0; *p = 1;`:                                           "null pointer dereference",
		`int *p = 0; return p[3];`:                                      "where there is no object",
		`int a[3]; a[nondet() + 3] = 1;`:                                "access to bytes 12 to 15 of a, which has 12",
		`int a[3] = {0}; return a[nondet() - 1];`:                       "access to bytes -4 to -1 of a, which has 12",
		`int a[3], b[3]; int *p = a; return p[3];`:                      "of a, which has 12",
		`int a[3], b[300]; int *p = a + 16 + nondet(); p += 4096;`:      "pointer arithmetic leads from a",
		`struct { int x; char c; } s; return *(long *)(&s.x + 1);`:      "access to bytes 4 to 11 of s, which has 8",
		`int *p = malloc(4); free(p); return *p;`:                       "use of allocated object 1 after it is freed",
		`int *p = malloc(4); free(p); free(p);`:                         "allocated object 1 is freed twice",
		`int *p = malloc(8); free(p + 1);`:                              "free of an address inside allocated object 1",
		`int x; free(&x);`:                                              "free of x, which was not allocated",
		`int *p = malloc(4), *q = realloc(p, 8); return *p;`:            "use of allocated object 1 after it is freed",
		`return 1 / nondet();`:                                          "division by zero",
		`unsigned u = nondet(); return 5 % u;`:                          "division by zero",
		`return 1 << (nondet() + 32);`:                                  "a shift of int by 32",
		`return 1 >> (nondet() - 1);`:                                   "a shift of int by -1",
		`int x = 1, y = 2; return &x < &y;`:                             "pointers into x and y are compared",
		`int x = 1, y = 2; return &x - &y;`:                             "pointers into x and y are subtracted",
		`int (*f)(void) = 0; return f();`:                               "a null pointer is called",
		`int x; int (*f)(void) = (int (*)(void))&x; return f();`:        "where there is no function",
		`int (*f)(int) = (int (*)(int))two; return f(1);`:               "two is called with 1 arguments, and has 2 parameters",
		`char *s = "abc"; s[1] = 'x';`:                                  "is written",
		`char s[2] = {'a', 'b'}; return strlen(s);`:                     "access to bytes 2 to 2 of s, which has 2",
		`char s[3]; strcpy(s, "abc");`:                                  "access to bytes 3 to 3 of s, which has 3",
		`char s[8] = "abcdef"; memcpy(s, s + 1, 4);`:                    "overlap",
		`int n = nondet(); int a[n]; return 0;`:                         "an array of 0 elements",
		`return (int)(1e10 + nondet());`:                                "the floating value 1e+10 is converted to int",
		`int *p; { int *q = dangling(); p = q; } return *p;`:            "use of an object after its function returned",
		`int *p; return *p;`:                                            "null pointer dereference",
		`return *(int *)two;`:                                           "the code of function two is accessed",
		`int a[2][2] = {0}; return a[1][nondet() + 2];`:                 "access to bytes 16 to 19 of a, which has 16",
		`char *p = malloc(8); p[8] = 1;`:                                "access to bytes 8 to 8 of allocated object 1, which has 8",
		`struct { int n; int a[2]; } s, *p = &s; p->a[nondet()+2] = 1;`: "access to bytes 12 to 15 of s, which has 12",
	} {
		text := declarations + "int two(int x, int y) { return x; }\nint *dangling(void) { int x = 1; int *p = &x; return p; }\nint main(void) {\n" + body + "\nreach_error();\nreturn 0; }"
		out := once(t, text)
		require.Equal(t, interpret.Undefined, out.Kind, "%s: %s", body, out)
		require.Contains(t, out.What, what, body)
		if !strings.HasPrefix(body, "char s") && !strings.Contains(body, "dangling") {
			require.Equal(t, 9, out.Pos().Line, "%s: %s", body, out)
		}
	}
}

// What looks dangerous but is defined, or defined by gcc -fwrapv, does not end a run.
func TestDefinedBehaviour(t *testing.T) {
	for _, body := range []string{
		`int a[3]; int *p = a + 3, *q = p - 3; return p > q;`,
		`int a[3]; int *p = a; for (p = a + 2; p >= a; p--) *p = 1;`,
		`int x = 2147483647; x++; if (x != -2147483647 - 1) reach_error();`,
		`int x = -2147483647 - 1; if (x / -1 != x) reach_error();`,
		`int x = -1; if (x << 1 != -2) reach_error();`,
		`struct s { int a; int b; } *p = 0; if ((unsigned long)&p->b != 4) reach_error();`,
		`int x; int *p = &x; if (&*p != p) reach_error();`,
		`free((void *)0);`,
		`int x; *(char *)&x = 5; int y = x; if ((char)y != 5) reach_error();`,
		`for (int i = 0; i < 2; i++) { int v; int *p = &v; if (i == 1 && *p == 7) reach_error(); *p = 7; }`,
		`for (int i = 0; i < 2; i++) { int v[nondet() + 2]; if (i == 1 && v[1] == 7) reach_error(); v[1] = 7; }`,
		`int r[] = {[0 ... 2] = 4, 5}; static short q[9] = {[3 ... 5] = 6}; if (r[0] != 4 || r[2] != 4 || r[3] != 5 || q[5] != 6 || q[6]) reach_error();`,
		`static int a[4] = {1, 2, 3}, *p = a + 2, *q[3] = {&a[3] - 1, a + 1}; static int *r = 1 + a; if (p != q[0] || *p != 3 || *q[1] != 2 || r != q[1]) reach_error();`,
		`struct { unsigned a : 3, b : 3; } s; s.a = 7; s.b = 2; if (s.a != 7) reach_error();`,
		`short s = -1; if (low((unsigned)s) != 255 || wide(300) != 44) reach_error();`,
		`int (*f)() = (int (*)())low; if (f(300) != 44) reach_error();`,
		`int k = nondet(); int r = k ?: 5; if (r != 5 || (r ?: 7) != 5) reach_error();`,
		`switch (nondet()) { case 5: reach_error(); case -2 ... 2: break; default: reach_error(); }`,
		`unsigned long u = 1ul << 63; switch (u) { case (1ul << 63) - 1 ... (1ul << 63) + 1: break; case 0: default: reach_error(); }`,
		`int i = 0; int r = ({ again: i += 0; int k = ({ if (i < 3) { i++; goto again; } 10; }); k + i; }) + 100; if (r != 113) reach_error();`,
		`unsigned u = 4294967295u; switch (u) { case 4294967295u: break; case 1: case 2 ... 9: default: reach_error(); }`,
		`file[0] = 'x'; if (file[1] != 'b') reach_error();`,
		`int *p = malloc(0); free(p);`,
		`char *p = malloc(3); if ((unsigned long)p % 16) reach_error();`,
		`int a[4] = {1, 2, 3, 4}; int *p = (int *)((char *)a + 4); if (*p != 2) reach_error();`,
		`int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; int i = nondet(); if (m[0][i + 4] != 5) reach_error();`,
		`int x = 7; unsigned long n = (unsigned long)&x; if (*(int *)n != 7) reach_error();`,
		`if (0.0 / nondet() == 1) reach_error();`,
		`int n = 3; int a[n][n + 1]; if (sizeof a != 48 || sizeof a[0] != 16) reach_error(); a[2][3] = 5; n = 1; if (((int *)a)[11] != 5) reach_error();`,
		`int n = 3; int a[n]; int (*p)[n] = 0; n = 1; if (sizeof a != 12 || sizeof *p != 12) reach_error();`,
		`int n = 2; int b[2][n]; n = 9; b[1][0] = 3; if (&b[1][0] - &b[0][0] != 2 || sizeof b != 16) reach_error();`,
		`union { struct { char c; int x; } s; char b[8]; } u; u.s.x = 1; u.s.c = 2; if (u.b[0] != 2 || u.b[4] != 1) reach_error();`,
		`long double d = 0.1; if (sizeof d != 16 || d * 2 != 0.2) reach_error();`,
		`unsigned char c = 200; c >>= 1; if (c != 100) reach_error();`,
		`int i = 0; int r = ({ again: i++; if (i < 5) goto again; i; }) + 1; if (r != 6) reach_error();`,
		`int n = 0; for (int i = 0; i < 5; i++) n += ({ if (i == 1) continue; if (i == 4) break; i; }); if (n != 5) reach_error();`,
	} {
		text := declarations + "int low(unsigned char c) { return c; } int wide(c) unsigned char c; { return c; }\nchar *file = (char[]){\"ab\"};\nint main(void) {\n" + body + "\nreturn 0; }"
		returned := false
		out, err := prepare(t, text, c.LP64, interpret.Options{}).Run(context.Background(), interpret.NewScript(), func(e interpret.Event) {
			returned = returned || e.Kind == interpret.Returned && e.Depth == 0 && e.Value.Type != nil
		})
		require.NoError(t, err)
		require.Equal(t, interpret.Ended, out.Kind, "%s: %s", body, out)
		require.True(t, returned, "%s: the end of main is not reached", body)
	}
}

// The odd corners of C are as gcc has them, in both data models.
func TestCorners(t *testing.T) {
	text, err := os.ReadFile("testdata/corners.c")
	require.NoError(t, err)
	for _, model := range []tree.Model{c.ILP32, c.LP64} {
		at := ""
		out, err := prepare(t, string(text), model, interpret.Options{}).Run(context.Background(), interpret.NewScript(), func(e interpret.Event) {
			if e.Kind == interpret.Assigned && e.Target == "line" {
				at = e.Value.String()
			}
		})
		require.NoError(t, err)
		require.Equal(t, interpret.Ended, out.Kind, "%s: %s, line %s", model.Name, out, at)
	}
	code := exitCode(t, string(text)+"\nvoid _Exit(int);\nvoid reach_error(void) { _Exit(107); }\n")
	require.Zero(t, code)
}

// What can't be executed exactly is never guessed.
func TestUndetermined(t *testing.T) {
	for body, what := range map[string]string{
		`long double x = 3; return 1 / x > 0;`:                        "a long double that no double is equal to",
		`long double x = 9007199254740993; return x > 0;`:             "a long double that no double is equal to",
		`return sqrtl(2) > 0;`:                                        "a long double that no double is equal to",
		`return sin(1) > 0;`:                                          "sin is not supported",
		`fesetround(FE_UPWARD); double d = 1; return d / 3 > 0;`:      "another rounding mode",
		`fesetround(FE_UPWARD); double d = 0.1; return (float)d > 0;`: "another rounding mode",
		`__int128 x = 1; return x > 0;`:                               "__int128",
		`jmp_buf b; return setjmp(b);`:                                "setjmp",
		`char b[9]; return sprintf(b, "%5d", 1);`:                     "sprintf is not supported",
		`void *p = &&L; L: goto *p;`:                                  "not supported",
	} {
		out := once(t, "#include <math.h>\n#include <fenv.h>\n#include <stdio.h>\n#include <setjmp.h>\nint main(void) { "+body+" }")
		require.Equal(t, interpret.Undetermined, out.Kind, "%s: %s", body, out)
		require.Contains(t, out.What, what, body)
	}
}

// Each idiom of an error is told apart, and only the one that the options name counts.
func TestErrorKinds(t *testing.T) {
	label := "int nondet(void); int main(void) { int x = nondet(); if (x == 0) goto ERROR; return 0; ERROR: return 1; }"
	overflow := "int nondet(void); int main(void) { int x = nondet() + 2147483647; x = x + nondet() + 1; return x; }"
	for _, test := range []struct {
		text string
		o    interpret.Options
		kind interpret.Kind
		err  interpret.ErrorKind
	}{
		{"void reach_error(void) {} int main(void) { reach_error(); }", interpret.Options{}, interpret.ErrorReached, interpret.CallError},
		{"void __assert_fail(const char *, const char *, unsigned, const char *); int main(void) { __assert_fail(\"\", \"\", 1, \"\"); }", interpret.Options{}, interpret.ErrorReached, interpret.CallError},
		{"#include <assert.h>\nint main(void) { assert(1 == 2); }", interpret.Options{}, interpret.ErrorReached, interpret.AssertError},
		{"void __VERIFIER_assert(int); int main(void) { __VERIFIER_assert(1); __VERIFIER_assert(0); }", interpret.Options{}, interpret.ErrorReached, interpret.AssertError},
		{"void __VERIFIER_assert(int c) { c++; } int main(void) { __VERIFIER_assert(0); return 0; }", interpret.Options{}, interpret.Ended, interpret.NoError},
		{"void __VERIFIER_assert(int c) {} int main(void) { __VERIFIER_assert(0); return 0; }", interpret.Options{}, interpret.ErrorReached, interpret.AssertError},
		{"void __SEA_assume(_Bool c) {} void reach_error(void); int main(void) { __SEA_assume(0); reach_error(); }", interpret.Options{}, interpret.AssumptionFailed, interpret.NoError},
		{"void assert(int c) {} int main(void) { assert(0); return 0; }", interpret.Options{}, interpret.Ended, interpret.NoError},
		{"void __VERIFIER_assume(int); void reach_error(void); int main(void) { __VERIFIER_assume(0); reach_error(); }", interpret.Options{}, interpret.AssumptionFailed, interpret.NoError},
		{"void exit(int); void reach_error(void); int main(void) { exit(1); reach_error(); }", interpret.Options{}, interpret.Ended, interpret.NoError},
		{label, interpret.Options{}, interpret.Ended, interpret.NoError},
		{label, interpret.Options{ErrorLabel: "ERROR"}, interpret.ErrorReached, interpret.LabelError},
		{overflow, interpret.Options{}, interpret.Ended, interpret.NoError},
		{overflow, interpret.Options{Faults: fault.Of(fault.Overflow)}, interpret.ErrorReached, interpret.OverflowError},
		{"void pthread_create(void); int main(void) { pthread_create(); }", interpret.Options{}, interpret.Undetermined, interpret.NoError},
		{"int main(void) { while (1); }", interpret.Options{Steps: 1000}, interpret.LimitReached, interpret.NoError},
		{"void *malloc(__SIZE_TYPE__); int main(void) { while (1) malloc(1000); }", interpret.Options{Memory: 100000}, interpret.LimitReached, interpret.NoError},
		{"void *malloc(__SIZE_TYPE__); int main(void) { malloc(-1); }", interpret.Options{}, interpret.LimitReached, interpret.NoError},
		{"void *malloc(__SIZE_TYPE__); void reach_error(void); int main(void) { if (!malloc(1)) reach_error(); return 0; }", interpret.Options{}, interpret.Ended, interpret.NoError},
	} {
		out, err := prepare(t, test.text, c.LP64, test.o).Run(context.Background(), interpret.NewScript(), nil)
		require.NoError(t, err)
		require.Equal(t, test.kind, out.Kind, "%s: %s", test.text, out)
		require.Equal(t, test.err, out.Error, test.text)
	}
}

// With the property no-overflow, exactly the operations whose result their type lacks are errors.
func TestOverflowIsExact(t *testing.T) {
	values := []string{"-2147483647 - 1", "-2147483647", "-65536", "-3", "-1", "0", "1", "2", "46341", "1073741824", "2147483647"}
	type row struct{ x, y, op string }
	var rows []row
	var b strings.Builder
	for _, op := range []string{"+", "-", "*", "/", "%", "<<"} {
		for _, x := range values {
			for _, y := range values {
				if (op == "/" || op == "%") && y == "0" || op == "<<" && (strings.HasPrefix(y, "-") || len(y) > 1) {
					continue
				}
				// The same in 64 bits, where nothing overflows, says what the result is.
				i := len(rows)
				rows = append(rows, row{x, y, op})
				fmt.Fprintf(&b, "int f%d(void) { int x = %s, y = %s; x = x %s y; return 0; }\n", i, x, y, op)
				fmt.Fprintf(&b, "int g%d(void) { long long x = %s, y = %s, z = x %s y; return z < -2147483648ll || z > 2147483647ll%s; }\n", i, x, y, op,
					map[bool]string{true: " || x < 0", false: ""}[op == "<<"])
			}
		}
	}
	source := read(t, "overflow.c", b.String(), c.LP64)
	for i, r := range rows {
		want := returned(t, source, fmt.Sprintf("g%d", i)) == "1" || r.op == "%" && strings.HasSuffix(r.x, "- 1") && r.y == "-1"
		p, err := interpret.New(source, interpret.Options{Faults: fault.Of(fault.Overflow), Entry: fmt.Sprintf("f%d", i)})
		require.NoError(t, err)
		out, err := p.Run(context.Background(), interpret.NewScript(), nil)
		require.NoError(t, err)
		require.Equal(t, want, out.Kind == interpret.ErrorReached, "%s %s %s: %s", r.x, r.op, r.y, out)
	}
	for text, want := range map[string]bool{
		"int x = -2147483647 - 1; x = -x;":                true,
		"int x = -2147483647; x = -x;":                    false,
		"int x = 2147483647; x++;":                        true,
		"int x = -2147483647 - 1; x--;":                   true,
		"short x = 32767; x++;":                           false,
		"unsigned x = 4294967295u; x++;":                  false,
		"long x = 9223372036854775807; x += 1;":           true,
		"long long x = 4294967296; x *= 2147483648ll;":    true,
		"int x = 5; x <<= 29;":                            true,
		"char c = (char)300;":                             false,
		"long long x = -9223372036854775807 - 1; x -= 1;": true,
	} {
		out, err := prepare(t, "int main(void) { "+text+" return 0; }", c.LP64, interpret.Options{Faults: fault.Of(fault.Overflow)}).Run(context.Background(), interpret.NewScript(), nil)
		require.NoError(t, err)
		require.Equal(t, want, out.Kind == interpret.ErrorReached, "%s: %s", text, out)
	}
}

// returned is what a function without parameters returns.
func returned(t testing.TB, source *tree.Program, entry string) string {
	p, err := interpret.New(source, interpret.Options{Entry: entry})
	require.NoError(t, err)
	got := ""
	_, err = p.Run(context.Background(), interpret.NewScript(), func(e interpret.Event) {
		if e.Kind == interpret.Returned && e.Depth == 0 {
			got = e.Value.String()
		}
	})
	require.NoError(t, err)
	return got
}

// asks are the questions of a run whose answers are 1, 2, 3...
func asks(t *testing.T, text string, o interpret.Options) []interpret.Question {
	var all []interpret.Question
	_, err := prepare(t, text, c.LP64, o).Run(context.Background(), choose(func(q interpret.Question) (interpret.Value, error) {
		all = append(all, q)
		return interpret.Int(int64(len(all))), nil
	}), nil)
	require.NoError(t, err)
	return all
}

type choose func(q interpret.Question) (interpret.Value, error)

func (c choose) Choose(q interpret.Question) (interpret.Value, error) { return c(q) }

// What a program leaves open is asked for once, where it is needed, with the site, the type and how often it was asked.
func TestQuestions(t *testing.T) {
	all := asks(t, `
int nondet_int(void); unsigned char nondet_uchar(void);
extern short outside;
struct s { char c; int x; } make(void);
int maybe(int x) { if (x > 100) return 1; }
void *malloc(__SIZE_TYPE__);
int printf(const char *, ...);
int main(void) {
  int a = nondet_int() + nondet_uchar();
  for (int i = 0; i < 2; i++) {
    int local;
    if (local == local + i) a++;
  }
  int array[3];
  array[1] = 5;
  a += array[2] + array[1] + array[2];
  a += outside + outside;
  struct s s = make();
  a += maybe(1);
  maybe(2);
  long *heap = malloc(16);
  a += heap[1];
  struct s copy, other;
  copy = other;
  a = printf("%d", a);
  return a;
}`, interpret.Options{})
	var got []string
	for _, q := range all {
		line := 0
		if q.Node != nil {
			line = q.Node.Pos().Line
		}
		name := ""
		if q.Object != nil {
			name = q.Object.Name
		}
		got = append(got, fmt.Sprintf("%s %s %d %s+%d #%d", q.Asked, q.Type, line, name, q.Offset, q.Occurrence))
	}
	require.Equal(t, []string{
		"result int 9 +0 #0", "result unsigned char 9 +0 #0",
		"uninitialised int 11 local+0 #0", "uninitialised int 11 local+0 #1",
		"uninitialised int 14 array+8 #0",
		"external short 0 outside+0 #0",
		"result char 18 +0 #0", "result int 18 +4 #1",
		"unspecified int 19 +0 #0",
		"uninitialised long 21 +8 #0",
		"uninitialised char 23 other+0 #0", "uninitialised int 23 other+4 #1",
		"unspecified int 25 +0 #0",
	}, got)
}

// In its own initialiser an object has no value yet.
func TestOwnInitialiser(t *testing.T) {
	for _, text := range []string{"int z = z + 1; return z;", "int z = z + 1; int *p = &z; return *p;"} {
		all := asks(t, "int main(void) { "+text+" }", interpret.Options{})
		require.Len(t, all, 1)
		require.Equal(t, interpret.Uninitialised, all[0].Asked)
	}
}

// A struct that was never initialised is copied with one value for each field.
func TestCopiesAreEqual(t *testing.T) {
	text := `struct s { int x; char c; int y : 5; } a, g; void *memcpy(void *, const void *, __SIZE_TYPE__); void reach_error(void);
int main(void) {
  struct s l, m, n;
  m = l;
  memcpy(&n, &l, sizeof n);
  if (m.x != l.x || m.c != l.c || m.y != l.y || n.x != l.x || n.c != l.c || n.y != l.y) reach_error();
  return 0;
}`
	found, err := prepare(t, text, c.LP64, interpret.Options{}).Explore(context.Background(), interpret.Search{Seed: 1, Runs: 200})
	require.NoError(t, err)
	require.Nil(t, found.Script)
	require.Equal(t, 200, found.Runs)
}

// An answer is wrapped to the type that it is for.
func TestAnswersAreWrapped(t *testing.T) {
	for typ, want := range map[string]string{"_Bool": "1", "signed char": "44", "unsigned char": "44", "int": "300", "double": "300"} {
		text := typ + " nondet(void); int main(void) { return nondet(); }"
		got := ""
		script := interpret.NewScript()
		script.Otherwise = choose(func(interpret.Question) (interpret.Value, error) { return interpret.Int(300), nil })
		_, err := prepare(t, text, c.LP64, interpret.Options{}).Run(context.Background(), script, func(e interpret.Event) {
			if e.Kind == interpret.Chosen {
				got = e.Value.String()
			}
		})
		require.NoError(t, err)
		require.Equal(t, want, got, typ)
	}
}

// An error of the choices, and a value that its type can't have, end a run as Undetermined.
func TestBadAnswers(t *testing.T) {
	p := prepare(t, "int nondet(void); int main(void) { return nondet(); }", c.LP64, interpret.Options{})
	out, err := p.Run(context.Background(), choose(func(interpret.Question) (interpret.Value, error) { return interpret.Value{}, errors.New("no model") }), nil)
	require.NoError(t, err)
	require.Equal(t, interpret.Undetermined, out.Kind)
	require.Contains(t, out.What, "no model")
	out, err = p.Run(context.Background(), choose(func(interpret.Question) (interpret.Value, error) { return interpret.Real(1.5), nil }), nil)
	require.NoError(t, err)
	require.Equal(t, interpret.Undetermined, out.Kind)
	// Not even choices that fall over take the caller down.
	out, err = p.Run(context.Background(), choose(func(interpret.Question) (interpret.Value, error) { panic("fault") }), nil)
	require.NoError(t, err)
	require.Equal(t, interpret.Undetermined, out.Kind)
}

// An answered address that is fresh is that of an object of its own, whose contents are asked for.
func TestFreshObjects(t *testing.T) {
	text := `struct list { int value; struct list *next; } *nondet_list(void);
void reach_error(void);
int main(void) {
  struct list *a = nondet_list(), *b = nondet_list();
  if (!a || !b || !a->next) return 0;
  a->value = 1; b->value = 2;
  if (a->value == 1 && b->next == 0 && a->next->value == 7) reach_error();
  return 0;
}`
	p := prepare(t, text, c.LP64, interpret.Options{})
	out, err := p.Run(context.Background(), choose(func(q interpret.Question) (interpret.Value, error) {
		switch {
		case q.Asked == interpret.Result:
			return interpret.Fresh(), nil
		case q.Type.Size() == 8 && q.Index == 2:
			return interpret.Fresh(), nil
		case q.Type.Size() == 8:
			return interpret.Int(0), nil
		}
		return interpret.Int(7), nil
	}), nil)
	require.NoError(t, err)
	require.Equal(t, interpret.ErrorReached, out.Kind, "%s", out)
	found, err := p.Explore(context.Background(), interpret.Search{Seed: 3, Runs: 5000})
	require.NoError(t, err)
	require.NotNil(t, found.Script)
}

// The events of a run are what a trace is printed from.
func TestEvents(t *testing.T) {
	text := `int nondet(void);
struct p { int x, y[2]; } g;
int twice(int n) { return 2 * n; }
int main(void) {
  int a = nondet();
  g.y[1] = twice(a);
  switch (a) {
  case 3: a++;
  }
  int *q = &g.y[1];
  *q = 9;
  while (a > 3)
    a--;
  return a;
}`
	p := prepare(t, text, c.LP64, interpret.Options{})
	script := interpret.NewScript()
	script.Otherwise = choose(func(interpret.Question) (interpret.Value, error) { return interpret.Int(3), nil })
	var got []string
	out, err := p.Run(context.Background(), script, func(e interpret.Event) {
		line := 0
		if e.Node != nil {
			line = e.Node.Pos().Line
		}
		s := fmt.Sprintf("%d@%d", line, e.Depth)
		switch e.Kind {
		case interpret.Began:
			s += " begin " + e.Function.Name
		case interpret.Branched:
			s += fmt.Sprintf(" test %v", e.Taken)
			if e.Case != nil {
				s += " " + e.Case.Low.String()
			}
		case interpret.Called:
			s += " call " + e.Function.Name
			for _, a := range e.Arguments {
				s += " " + a.String()
			}
		case interpret.Returned:
			s += " return " + e.Function.Name + " " + e.Value.String()
		case interpret.Assigned:
			s += " " + e.Target + " = " + e.Value.String()
		case interpret.Chosen:
			s += " chosen " + e.Value.String()
		case interpret.Finished:
			s += " " + e.Outcome.Kind.String()
		default:
			return
		}
		got = append(got, s)
	})
	require.NoError(t, err)
	require.Equal(t, interpret.Ended, out.Kind)
	require.Equal(t, []string{
		"4@0 begin main",
		"5@1 call nondet", "5@1 chosen 3", "5@1 return nondet 3", "5@1 a = 3",
		"6@1 call twice 3", "6@1 return twice 6", "6@1 g.y[1] = 6",
		"7@1 test true 3", "8@1 a = 4",
		"10@1 q = &g.y[1]", "11@1 g.y[1] = 9",
		"12@1 test true", "13@1 a = 3", "12@1 test false",
		"4@0 return main 3", "0@0 ended",
	}, got)
}

// The context ends a run, and its error is the run's.
func TestContext(t *testing.T) {
	p := prepare(t, "int main(void) { while (1); }", c.LP64, interpret.Options{Steps: 1 << 60})
	ctx, cancel := context.WithCancel(context.Background())
	_, err := p.Run(ctx, interpret.NewScript(), func(e interpret.Event) { cancel() })
	require.ErrorIs(t, err, context.Canceled)
}

// A call is worth several steps where work is counted: runs of programs that recur take that much longer.
func TestCallsAreWork(t *testing.T) {
	worked := func(text string) (time.Duration, int64) {
		ctx := work.Alone(context.Background())
		out, err := prepare(t, text, c.LP64, interpret.Options{}).Run(ctx, interpret.NewScript(), nil)
		require.NoError(t, err)
		require.Equal(t, interpret.Ended, out.Kind)
		return work.Now(ctx), out.Steps
	}
	loop, turns := worked("int main(void) { int s = 0; for (int i = 0; i < 3000; i++) s += i; return 0; }")
	calls, steps := worked("int f(int n) { return n ? f(n - 1) : 0; } int main(void) { f(3000); return 0; }")
	require.Greater(t, float64(calls)/float64(steps), 2*float64(loop)/float64(turns))
}

// A program without main, or with another entry.
func TestEntry(t *testing.T) {
	source := read(t, "test.c", "int f(int x) { return x; }", c.LP64)
	_, err := interpret.New(source, interpret.Options{})
	require.ErrorContains(t, err, "no function main")
	p, err := interpret.New(source, interpret.Options{Entry: "f"})
	require.NoError(t, err)
	out, err := p.Run(context.Background(), interpret.NewScript(), nil)
	require.NoError(t, err)
	require.Equal(t, interpret.Ended, out.Kind)
}

// main's arguments are strings that end, and behind them there is a null pointer.
func TestArguments(t *testing.T) {
	text := `void reach_error(void);
int main(int argc, char **argv) {
  if (argc < 1 || argv[argc] != 0) reach_error();
  for (int i = 0; i < argc; i++) {
    int n = 0;
    while (argv[i][n]) n++;
    if (n > 4095) reach_error();
  }
  return 0;
}`
	for argc := range int64(4) {
		script := interpret.NewScript()
		script.Otherwise = choose(func(q interpret.Question) (interpret.Value, error) {
			if q.Object.Name == "argc" {
				return interpret.Int(argc), nil
			}
			return interpret.Int('x'), nil
		})
		out, err := prepare(t, text, c.LP64, interpret.Options{}).Run(context.Background(), script, nil)
		require.NoError(t, err)
		require.Equal(t, interpret.Ended, out.Kind, "%s", out)
	}
}

// Runs are independent of each other, of their order and of those at the same time: each sees the globals as they begin.
func TestRunsAreIndependent(t *testing.T) {
	p := prepare(t, `int nondet(void); int count = 5; int table[3] = {1, 2, 3}; static char big[100000] = {1};
void reach_error(void);
int main(void) {
  if (count != 5 || table[1] != 2 || big[0] != 1 || big[99999] != 0) reach_error();
  count += nondet(); table[1] = 7; big[0] = 3; big[99999] = 1;
  return 0;
}`, c.ILP32, interpret.Options{})
	done := make(chan interpret.Outcome)
	for i := range 4 {
		go func() {
			var last interpret.Outcome
			for k := range 20 {
				last, _ = p.Run(context.Background(), interpret.NewRandom(uint64(i*100+k), p.Constants()), nil)
				if last.Kind != interpret.Ended {
					break
				}
			}
			done <- last
		}()
	}
	for range 4 {
		out := <-done
		require.Equal(t, interpret.Ended, out.Kind, "%s", out)
	}
}

// Any bytes are answers, and equal seeds are equal runs.
func TestBytesAndSeeds(t *testing.T) {
	p := prepare(t, "int nondet(void); double nondet_double(void); char *name(void); int main(void) { int x = nondet(); double d = nondet_double(); char *s = name(); return s ? *s : x; }",
		c.LP64, interpret.Options{})
	for n := range 30 {
		out, err := p.Run(context.Background(), &interpret.Bytes{Data: []byte(strings.Repeat("\x01\xffq", n)[:n])}, nil)
		require.NoError(t, err)
		require.Equal(t, interpret.Ended, out.Kind, "%s", out)
	}
	answers := func(seed uint64) (got []string) {
		_, err := p.Run(context.Background(), interpret.NewRandom(seed, p.Constants()), func(e interpret.Event) {
			if e.Kind == interpret.Chosen {
				got = append(got, e.Value.String())
			}
		})
		require.NoError(t, err)
		return got
	}
	require.Equal(t, answers(7), answers(7))
	require.NotEqual(t, fmt.Sprint(answers(1), answers(2), answers(3)), fmt.Sprint(answers(4), answers(5), answers(6)))
}

// A search finds values that only a few of all have, one after the other.
func TestExploreGoesOn(t *testing.T) {
	p := prepare(t, `int nondet(void); void reach_error(void);
int main(void) {
  int state = 0;
  for (int i = 0; i < 100; i++) {
    int x = nondet();
    if (state == 0 && x == 4711) state = 1;
    else if (state == 1 && x == -9000) state = 2;
    else if (state == 2 && x == 123456) state = 3;
    else if (state == 3 && x == 77) reach_error();
  }
  return 0;
}`, c.ILP32, interpret.Options{})
	found, err := p.Explore(context.Background(), interpret.Search{Seed: 1, Runs: 20000})
	require.NoError(t, err)
	require.NotNil(t, found.Script)
	again, err := p.Explore(context.Background(), interpret.Search{Seed: 1, Runs: 20000})
	require.NoError(t, err)
	require.Equal(t, found.Runs, again.Runs, "the same seed is the same search")
	require.Equal(t, found.Script, again.Script)
}

// Runs that are always cut off get longer soon, where something is open and where nothing is.
func TestExploreGoesFar(t *testing.T) {
	const before = "int nondet(void); void reach_error(void); int main(void) { int s = 0; "
	for _, text := range []string{
		"for (int i = 0; i < 300000; i++) s += nondet() != 0; if (s) reach_error(); }",
		"for (int i = 0; i < 300000; i++) s += i; if (nondet() != 3) reach_error(); }",
		"for (int i = 0; i < 700000; i++) s += i; reach_error(); }",
	} {
		p := prepare(t, before+text, c.ILP32, interpret.Options{Steps: 5_000_000})
		found, err := p.Explore(context.Background(), interpret.Search{Seed: 1, Steps: 5_000_000})
		require.NoError(t, err)
		require.NotNil(t, found.Script, text)
	}
}

// A tree that is not as it has to be is an error, not a panic.
func TestBrokenTree(t *testing.T) {
	body := &tree.Block{Statements: []tree.Statement{&tree.Break{Target: nil}, &tree.Goto{Target: &tree.Label{Name: "nowhere"}}}}
	main := &tree.Function{Name: "main", Type: &tree.FunctionType{Result: &tree.Void{}}, Body: body}
	_, err := interpret.New(&tree.Program{Name: "broken.c", Functions: []*tree.Function{main}}, interpret.Options{})
	require.Error(t, err)
}

// Of a run that is watched only at its beginning the first events are told, and the last one; nothing else is different.
func TestWatchFirst(t *testing.T) {
	p := prepare(t, declarations+`int a[3]; int main(void) { for (int i = 0; i < 3; i++) a[i] = nondet(); if (a[1] == a[2]) reach_error(); return 0; }`, c.LP64, interpret.Options{})
	type told struct {
		kind interpret.EventKind
		node tree.Node
	}
	watch := func(most int) (events []told, accesses int, out interpret.Outcome) {
		out, err := p.WatchFirst(t.Context(), interpret.NewScript(), most, func(e interpret.Event) { events = append(events, told{e.Kind, e.Node}) }, func(interpret.Access) { accesses++ })
		require.NoError(t, err)
		return events, accesses, out
	}
	all, accesses, out := watch(0)
	require.Equal(t, interpret.ErrorReached, out.Kind)
	for most := 1; most < len(all)-1; most++ {
		some, fewer, end := watch(most)
		require.Equal(t, slices.Concat(all[:most], all[len(all)-1:]), some)
		require.LessOrEqual(t, fewer, accesses)
		require.Equal(t, out.Steps, end.Steps)
		require.Equal(t, out.Pos(), end.Pos())
	}
	_, none, _ := watch(1)
	require.Zero(t, none)
}
