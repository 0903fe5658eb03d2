package read

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/source"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/report"
)

// What is wrong is said with its place, and the first finding comes first.
func TestErrorsNameTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"int main() { return y; }":                                         "test.c:1:21: undefined: y",
		"int main() {\n  return 1 +;\n}":                                   "test.c:2:13: unexpected ';', expected unary expression",
		"#include <nothing.h>\nint x;":                                     "test.c:1:10: include file not found: <nothing.h>",
		"struct S s;":                                                      "test.c:1:10: s has the incomplete type struct S",
		"void f() { struct S s; }":                                         "test.c:1:21: s has the incomplete type struct S",
		"struct S { int x; };\nint f(struct S s) { return s.y; }":          "test.c:2:30: struct S has no member y",
		"int f(int x) { switch (x) { case 1: case 2 ... 4: case 3:; } }":   "test.c:1:51: the case 3 is there twice",
		"int f(char x) { switch (x) { case 1: case 4294967297:; } }":       "test.c:1:38: the case 1 is there twice",
		"int f(int x) { case 1: return 0; }":                               "test.c:1:16: a case outside a switch",
		"void f() { goto L; }":                                             "test.c:1:17: label undefined: L",
		"void f() { L:; L:; }":                                             "test.c:1:16: the label L is there twice",
		"void f() { break; }":                                              "test.c:1:12: break outside a loop or switch",
		"void f() { continue; }":                                           "test.c:1:12: continue outside a loop",
		"int a[-1];":                                                       "test.c:1:5: -1 is not the length of an array",
		"int n; int a[n];":                                                 "test.c:1:12: the length of an array at file scope is not a constant",
		"int f() { return 1; } int f() { return 2; }":                      "test.c:1:27: f is defined twice",
		"int x; char *x;":                                                  "test.c:1:14: x is declared as char *, but was int",
		"void f() { int x; int x; }":                                       "test.c:1:23: x is declared twice",
		"int f(int a); int g() { return f(1, 2); }":                        "test.c:1:32: a call has 2 arguments for 1 parameters",
		"int f(int a, int b); int g() { return f(1); }":                    "test.c:1:39: a call has 1 arguments for 2 parameters",
		"void f() { int x; x(); }":                                         "test.c:1:19: a value of type int is called",
		"void f() { int x; *x = 1; }":                                      "test.c:1:19: a value of type int is no pointer",
		"struct S { int x; } s; int f() { return s + 1; }":                 "test.c:1:41: + is not defined for struct S and int",
		"struct S { int x; } s; void f(int x) { x = s; }":                  "test.c:1:44: a value of type struct S is assigned as int",
		"_Static_assert(sizeof(int) == 3, \"odd\");":                       "test.c:1:1: static assertion failed: \"odd\"",
		"struct S { int a : 40; };":                                        "test.c:1:16: 40 is not the width of a bit-field of type int",
		"struct S { int a; int a; };":                                      "test.c:1:23: the member a is declared twice",
		"void f() { 1 = 2; }":                                              "test.c:1:12: an assignment needs an object",
		"int f(int a, b) { return a; }":                                    "test.c:1:14: a parameter has no type",
		"int g;\nvoid f(int, );":                                           "test.c:2:8: a parameter has no type",
		"struct S { int x : 3; } s; int *f() { return &s.x; }":             "test.c:1:46: a bit-field has no address",
		"struct S { int a; } __attribute__((aligned(3)));":                 "test.c:1:36: the alignment is not a power of two that is known here",
		"enum E { A, A };":                                                 "test.c:1:13: A is declared twice",
		"int x = { 1, 2 }; int y[2] = { [2] = 1 };":                        "test.c:1:32: a designator is outside the array",
		"void f(int n) { __builtin_va_list l; __builtin_va_start(l, n); }": "test.c:1:38: va_start in a function without variable arguments",
		"void f(int n, ...) { __builtin_va_list l; __builtin_va_end(n); }": "test.c:1:43: a list of arguments has type int",
		"void f(void); int g() { return f() + 1; }":                        "test.c:1:32: + is not defined for void and int",
		"int f(struct { int x; } *p) { return p->x; }\nint main() { *1; }": "test.c:2:14: a value of type int is no pointer",
	} {
		_, err := Program(context.Background(), "test.c", []byte(text), source.Options{Model: tree.ILP32})
		require.Error(t, err, text)
		require.Equal(t, want, strings.SplitN(err.Error(), "\n", 2)[0], text)
		var all report.Errors
		require.ErrorAs(t, err, &all)
		require.NotErrorIs(t, err, report.ErrUnsupported, text)
	}
}

// What cannot be read at all says so, and where.
func TestWhatCannotBeReadIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"void f(void) __attribute__((destructor)); void f(void) {}":                                  "test.c:1:6: unsupported: the attribute destructor",
		"void __attribute__((unused, destructor, noinline)) f(void) {}":                              "test.c:1:52: unsupported: the attribute destructor",
		"void f(void) __attribute__((constructor)); void f(void) {}":                                 "test.c:1:49: unsupported: the attribute constructor without main",
		"__attribute__((constructor)) void f(int n) {} int main(void) {}":                            "test.c:1:35: unsupported: a constructor with parameters",
		"__attribute__((constructor)) void f() { main(); } int main(void) {}":                        "test.c:1:35: unsupported: the attribute constructor where main is called",
		"void g(int *p); void f(void) { int x __attribute__((cleanup(g))); }":                        "test.c:1:36: unsupported: the attribute cleanup",
		"struct S { int n; int a[]; }; void f(void) { struct S s = { 1, { 2 } }; }":                  "test.c:1:46: unsupported: the initialiser of a flexible array member",
		"struct S { int n; char a[]; }; void f(void) { struct S s = { 1, \"ab\" }; }":                "test.c:1:47: unsupported: the initialiser of a flexible array member",
		"struct S { int n; int a[]; }; struct T { int k; struct S s; } t = { 1, { 1, { 2 } } };":     "test.c:1:31: unsupported: the initialiser of a flexible array member",
		"int f(void)\n  __attribute__((constructor)) { return 1; }":                                  "test.c:2:3: unsupported: the attributes constructor before the body of a function",
		"#define F(a, ...) g(a __VA_OPT__(,) __VA_ARGS__)\nint x = F(1);":                            "test.c:1:23: unsupported: __VA_OPT__",
		"enum __attribute__((aligned(8))) E { A };":                                                  "test.c:1:6: unsupported: attributes between enum and its tag",
		"const char *s =\n#define S(x) #x\n S(u\"a\");":                                              "test.c:3:2: unsupported: a string that is made of one of char16_t or char32_t",
		"int f(int *q, const int *p) { return _Generic(q, const int *: 1, default: 2); }":            "test.c:1:38: unsupported: _Generic that tells qualified types apart",
		"int x = __builtin_types_compatible_p(const int *, int *);":                                  "test.c:1:9: unsupported: __builtin_types_compatible_p that tells qualified types apart",
		"int x __attribute__((scalar_storage_order(\"big-endian\"))); int main(void) { return x; }":  "test.c:1:5: unsupported: the attribute scalar_storage_order",
		"int f(void); typedef int V __attribute__((mode(QQ))); V v; int g(void) { return f() + v; }": "test.c:1:26: unsupported: the mode QQ",
		"void f(int **p) { __sync_fetch_and_add(p, 1); }":                                            "test.c:1:19: unsupported: an atomic operation on a pointer",
	} {
		_, err := Program(context.Background(), "test.c", []byte(text), source.Options{})
		require.ErrorIs(t, err, report.ErrUnsupported, text)
		require.Equal(t, want, strings.SplitN(err.Error(), "\n", 2)[0], text)
	}
}

// What cannot be handled but can be read over is a node that names it.
func TestUnsupportedConstructsAreNodes(t *testing.T) {
	for text, want := range map[string]string{
		"#include <pthread.h>\nvoid *g(void *); void f() { pthread_t t; pthread_create(&t, 0, g, 0); }": "threads (pthread_create)",
		"#include <setjmp.h>\njmp_buf b; int f() { return setjmp(b); }":                                 "setjmp",
		"#include <setjmp.h>\njmp_buf b; void f() { longjmp(b, 1); }":                                   "longjmp",
		"void f(void *p) { goto *p; }":                                                                  "a computed goto",
		"void *f() { L: return &&L; }":                                                                  "the address of a label",
		"#include <stdarg.h>\nint f(int n, ...) { va_list l; va_start(l, n); return va_arg(l, int); } int (*p)(int, ...) = f; int g() { return p(1, 2); }": "a call through a pointer that may be one of a function with variable arguments",
		"int f() { int g(int x) { return x; } return g(1); }":                                     "the function g within a function",
		"int f() { auto int g(int); int y = g(1); int g(int x) { return x; } return y; }":         "the function g within a function",
		"#include <smack.h>\nvoid f() { __SMACK_code(\"assume false;\"); }":                       "inline Boogie (__SMACK_code)",
		"void f(int x) { asm goto(\"\" : : : : L); L:; }":                                         "asm goto",
		"struct S { int n; char a[]; } s = { 1, \"ab\" }; struct S f(struct S *p) { return *p; }": "a copy of struct S, whose flexible array member has elements",
		"double _Complex z; void f() { z = z + 1; }":                                              "complex numbers",
		"int g(a) int a; { return a; } void f() { g(); }":                                         "a missing argument",
	} {
		p := read(t, tree.LP64, text)
		var found []string
		for _, f := range p.Functions {
			if f.Body == nil {
				continue
			}
			tree.Inspect(f.Body, func(n tree.Node) bool {
				switch n := n.(type) {
				case *tree.Unsupported:
					require.Equal(t, "test.c", n.Position.File)
					found = append(found, n.What)
				case *tree.UnsupportedValue:
					require.Equal(t, "test.c", n.Position.File)
					found = append(found, n.What)
				}
				return true
			})
		}
		require.Contains(t, found, want, text)
	}
	// A function of that name that the program defines is like any other.
	p := read(t, tree.LP64, "void f() { fork(); } int fork() { return 1; }")
	require.Contains(t, printed(p), "fork();")
}

// A label may end a block, and positions are those of the source all the same.
func TestLabelsMayEndBlocks(t *testing.T) {
	for _, text := range []string{
		"void f(int x) { if (x) goto L; L: } int g() { return y; }",
		"void f(int x) { if (x) goto L; L:} int g() { return y; }",
		"void f(int x) { if (x) goto L; L: /* } */\n// :}\n\n } int g() { char *s = \"a:}\"; char c = ':'; return y; }",
		"void f(int x) { switch (x) { case 1: case 2:} } int g() { switch (1) { default:} return y; }",
	} {
		_, err := Program(context.Background(), "test.c", []byte(text), source.Options{})
		require.Error(t, err, text)
		line := strings.Count(text[:strings.LastIndex(text, "y")], "\n") + 1
		column := strings.LastIndex(text, "y") - strings.LastIndex(text[:strings.LastIndex(text, "y")], "\n")
		require.Equal(t, (&report.Error{Pos: tree.Pos{File: "test.c", Line: line, Column: column}, Msg: "undefined: y"}).Error(), err.Error(), text)
	}
}

// What looks like such a label in a literal or a comment is left alone.
func TestOnlyLabelsAreMended(t *testing.T) {
	p := read(t, tree.LP64, "char s[] = \"a: }\\\":}\"; int c = ':' /* : } */ + '}'; int f(int x) { return x ? 1 :\n2; }")
	require.Contains(t, printed(p), `"a: }\":}\x00"`)
	require.Contains(t, printed(p), "int c = {183};")
}

// Where positions are those in the file, gcc's line markers do not move them: witnesses count the lines of the file.
func TestPositionsArePhysical(t *testing.T) {
	p, err := Program(t.Context(), "test.c", []byte("# 1 \"old.c\"\n# 10 \"old.h\" 3\nint main() {\n  return\n    1;\n}\n"), source.Options{Model: tree.ILP32, Physical: true})
	require.NoError(t, err)
	f := p.Function("main")
	require.Equal(t, tree.Pos{File: "test.c", Line: 3, Column: 5}, f.Pos)
	require.Equal(t, tree.Pos{File: "test.c", Line: 4, Column: 3}, f.Body.Statements[0].Pos())
	require.Equal(t, tree.Pos{File: "test.c", Line: 6, Column: 1}, f.End)
}

// So it is with #line, which is left alone only where the program can read what it says.
func TestLinesAreThoseOfTheFile(t *testing.T) {
	text := "#line 100 \"old.c\"\nint a; /*\n#line 7 */\n  # line 5\r\nchar *s = \"\\\n#line 8\"; int b;\n#define line 3\n#line 9 /* \n */\n#line \\\n 12\nint main() {\n#line 70 \"c:\\old.c\"\n  return line;\n}"
	p := read(t, tree.ILP32, text)
	f := p.Function("main")
	require.Equal(t, tree.Pos{File: "test.c", Line: 14, Column: 3}, f.Body.Statements[0].Pos(), "the two in the middle, in which something else begins or goes on, count")
	require.Contains(t, printed(p), `"#line 8`)
	p = read(t, tree.ILP32, "#line 50\nint f() { return __LINE__; }")
	require.Contains(t, printed(p), "return 50")
}

// #include "..." looks beside the program and in the folders given; <...> finds only the embedded headers and the latter.
func TestIncludesAreFound(t *testing.T) {
	dir, more := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "near.h"), []byte("#define NEAR 1\n#include \"deep/deeper.h\"\n"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "deep"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "deep", "deeper.h"), []byte("#include \"beside.h\"\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "deep", "beside.h"), []byte("#define DEEP 2\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(more, "far.h"), []byte("#define FAR 3\n"), 0o600))
	text := "#include \"near.h\"\n#include <far.h>\n#include <stdlib.h>\n#include \"stddef.h\"\nint x = NEAR + DEEP + FAR + (NULL == 0);"
	p, err := Program(context.Background(), filepath.Join(dir, "main.c"), []byte(text), source.Options{IncludeDirs: []string{more}})
	require.NoError(t, err)
	require.Contains(t, printed(p), "int x = {7};")
	_, err = Program(context.Background(), filepath.Join(dir, "main.c"), []byte("#include <near.h>\n"), source.Options{})
	require.ErrorContains(t, err, "include file not found: <near.h>")
}

// Every header can be included, alone and with all others, in both models.
func TestHeadersAreRight(t *testing.T) {
	var all strings.Builder
	for _, dir := range []string{"include", "include/sys", "include/seahorn"} {
		entries, err := os.ReadDir("../source/" + dir)
		require.NoError(t, err)
		for _, e := range entries {
			if !e.IsDir() {
				line := "#include <" + strings.TrimPrefix(strings.TrimPrefix(dir, "include")+"/"+e.Name(), "/") + ">\n"
				all.WriteString(line)
				read(t, tree.LP64, line+line+"int main() { return 0; }")
			}
		}
	}
	for _, model := range []tree.Model{tree.ILP32, tree.LP64} {
		p := read(t, model, all.String()+"int main() { assert(sizeof(size_t) == sizeof(void *)); return 0; }")
		require.Contains(t, printed(p), "__hornbeam_assert(1)")
	}
}

// A done context ends reading with the context's error.
func TestReadingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Program(ctx, "test.c", []byte("int x;"), source.Options{})
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, errors.Is(err, report.ErrUnsupported))
}

// A function that only compilers know is none that returns any value: what it does is not known.
func TestUnknownBuiltins(t *testing.T) {
	p, err := Program(t.Context(), "test.c", []byte(`struct S { int a; } *q;
int main(void) { char *p = __builtin_something(3); struct S s = __builtin_other(); double d = -__builtin_third(p); return *p + s.a + (d > 0); }`), source.Options{})
	require.NoError(t, err)
	var places []string
	tree.Inspect(p.Function("main").Body, func(n tree.Node) bool {
		if u, ok := n.(*tree.UnsupportedValue); ok {
			places = append(places, fmt.Sprint(u.Pos(), " ", u.What))
		}
		return true
	})
	require.Equal(t, []string{
		"test.c:2:28 the function __builtin_something", "test.c:2:65 the function __builtin_other", "test.c:2:96 the function __builtin_third",
	}, places)
}

// A call by another name of an error function is the error; a name that the program gives the symbol of a function which it
// does not define means what that function means, and what GNU's headers rename keeps its meaning.
func TestSymbolsOfFunctions(t *testing.T) {
	p, err := Program(t.Context(), "test.c", []byte(`void oops(void) __asm__("reach_error"); extern int sscanf(const char *, const char *, ...) __asm__("" "__isoc99_sscanf");
double root(double) __asm__("sqrt"); int size(int) __asm__("mine"); int abs(int) __asm__("other_abs");
int main(void) { int x; oops(); sscanf("3", "%d", &x); return root(4.0) + size(3) + abs(-1); }`), source.Options{})
	require.NoError(t, err)
	var names []string
	for _, f := range p.Functions {
		names = append(names, f.Name)
	}
	require.ElementsMatch(t, []string{"main", "reach_error", "__isoc99_sscanf", "sqrt", "mine", "other_abs"}, names)
	require.Equal(t, lib.Lookup("sscanf", false).Kind, lib.Lookup("__isoc99_sscanf", false).Kind)
}

// A symbol has one definition, and objects of one symbol have one type.
func TestSymbolsThatDisagree(t *testing.T) {
	for text, want := range map[string]string{
		"int g(void) { return 1; } int f(void) __asm__(\"g\"); int f(void) { return 2; } int main(void) { return f(); }": "test.c:1:57: the symbol of f is defined twice",
		"int v; extern char w __asm__(\"v\"); int main(void) { return w; }":                                              "test.c:1:20: unsupported: another type for the object of the symbol v",
	} {
		_, err := Program(t.Context(), "test.c", []byte(text), source.Options{})
		require.EqualError(t, err, want)
	}
}
