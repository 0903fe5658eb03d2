package translate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	boogie "hornbeam/frontend/boogie/interpret"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

var (
	calledName = regexp.MustCompile(`\*?\b(\w+)\(`)
	macros     = regexp.MustCompile(`(?m)^#.*$`)
)

// writers are the functions of a header that may write through their arguments.
func writers(t *testing.T, header string, text []byte) []*tree.Function {
	var names []string
	for _, m := range calledName.FindAllSubmatch(macros.ReplaceAll(text, nil), -1) {
		switch name := string(m[1]); lib.Lookup(name, false).Kind {
		case lib.Input, lib.Unmodelled, lib.Math, lib.Memory:
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	var uses strings.Builder
	fmt.Fprintf(&uses, "#include <%s>\n", header)
	for i, n := range names {
		fmt.Fprintf(&uses, "void *use%d = (void *)%s;\n", i, n)
	}
	p := read(t, uses.String()+"int main(void) { return 0; }", c.LP64)
	var out []*tree.Function
	for _, n := range names {
		f := p.Function(n)
		require.NotNil(t, f, n)
		for i, param := range f.Type.Params {
			if pointer, ok := param.(*tree.Pointer); ok && !f.Type.Reads(i) && complete(pointer.Elem) {
				out = append(out, f)
				break
			}
		}
	}
	return out
}

// complete tells whether an object of the type can be declared, or characters stand for one.
func complete(t tree.Type) bool {
	_, void := t.(*tree.Void)
	return void || t.Size() > 0
}

// writing is a program that calls a function and is in error if the call changed what all its pointers point to.
func writing(header string, f *tree.Function) string {
	var objects, arguments, checks []string
	for i, param := range f.Type.Params {
		pointer, ok := param.(*tree.Pointer)
		switch {
		case !ok:
			arguments = append(arguments, "1")
			continue
		case f.Type.Reads(i):
			arguments = append(arguments, "(const void *)L\"1xb\"")
			continue
		case !complete(pointer.Elem) || strings.Contains(param.String(), "va_"):
			arguments = append(arguments, "0")
			continue
		}
		name := fmt.Sprintf("o%d", i)
		arguments = append(arguments, "(void *)&"+name)
		switch e := pointer.Elem.(type) {
		case *tree.Integer, *tree.Float, *tree.Pointer:
			if e.Size() > 1 {
				objects = append(objects, fmt.Sprintf("%s %s = 0;", declaredAs(e), name))
				checks = append(checks, name+" != 0")
				continue
			}
		}
		objects = append(objects, fmt.Sprintf("char %s[400] = {0};", name))
		checks = append(checks, name+"[0] != 0")
	}
	if strings.HasSuffix(f.Name, "scanf") && f.Type.Variadic {
		objects = append(objects, "int last = 0;")
		arguments = append(arguments, "&last")
		checks = []string{"last != 0"}
	}
	return fmt.Sprintf("#include <%s>\nvoid reach_error(void);\nint main(void) { %s %s(%s); if (%s) reach_error(); return 0; }\n",
		header, strings.Join(objects, " "), f.Name, strings.Join(arguments, ", "), strings.Join(checks, " && "))
}

// declaredAs is a type that has the same size and class.
func declaredAs(t tree.Type) string {
	if _, ok := t.(*tree.Pointer); ok {
		return "void *"
	}
	return t.String()
}

// A function of the library that may write through an argument does so in its translation: one in which it changes nothing
// would prove programs that are wrong.
func TestLibraryFunctionsWrite(t *testing.T) {
	tested := 0
	for _, pattern := range []string{"", "sys", "arpa"} {
		files, err := filepath.Glob(filepath.Join("..", "source", "include", pattern, "*.h"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			header := filepath.Join(pattern, filepath.Base(file))
			if header == "tgmath.h" {
				continue
			}
			for _, f := range writers(t, header, text) {
				if f.Name == "bzero" || f.Name == "qsort" {
					continue // it writes what was there, or sorts one element
				}
				program := writing(header, f)
				tr := lower(t, read(t, program, c.LP64), translate.Options{})
				run := tr.boogie(t, func(*tree.Call, int) int64 { return 1 }, nil)
				require.True(t, run.Kind == boogie.Failed || len(tr.result.Stops) > 0, "%s%s", program, run)
				tested++
			}
		}
	}
	require.Greater(t, tested, 150)
}

// A function without a body may write what its arguments reach, and nothing else.
func TestFunctionsWithoutBodiesWrite(t *testing.T) {
	for text, writes := range map[string]bool{
		"void f(int *); int main(void) { int x = 0; f(&x); C(x); }":                                               true,
		"void f(const int *); int main(void) { int x = 0; f(&x); C(x); }":                                         false,
		"typedef const int T; void f(T *); int main(void) { int x = 0; f(&x); C(x); }":                            false,
		"void f(const int []); int main(void) { int x[2] = {0}; f(x); C(x[1]); }":                                 false,
		"void f(int []); int main(void) { int x[2] = {0}; f(x); C(x[1]); }":                                       true,
		"void f(); int main(void) { int x = 0; f(&x); C(x); }":                                                    true,
		"void f(int, ...); int main(void) { int x = 0; f(1, &x); C(x); }":                                         true,
		"void f(const char *, ...); int main(void) { int x = 0; f(\"a\", &x); C(x); }":                            true,
		"int main(void) { int x = 0; f(&x); C(x); }":                                                              true,
		"void f(struct S *); int main(void) { struct S s = {0}; f(&s); C(s.v); }":                                 true,
		"void f(int *); int main(void) { struct S s = {0}; f(&s.v); C(s.v); }":                                    true,
		"void f(struct S *); int main(void) { int x = 0; struct S s = {0, &x}; f(&s); C(x); }":                    true,
		"void f(const struct S *); int main(void) { int x = 0; struct S s = {0, &x}; f(&s); C(x); }":              true,
		"void f(const struct S *); int main(void) { int x = 0; struct S s = {0, &x}; f(&s); C(s.v); }":            false,
		"void f(struct S); int main(void) { int x = 0; struct S s = {0, &x}; f(s); C(x); }":                       true,
		"void f(struct S); int main(void) { int x = 0; struct S s = {0, &x}; f(s); C(s.v); }":                     false,
		"void f(struct S *); int main(void) { struct S a = {0}, b = {0, 0, &a}; f(&b); C(a.v); }":                 true,
		"void f(void); int g; int main(void) { f(); C(g); }":                                                      false,
		"void f(int *); int main(void) { int x = 0, y = 0; f(&x); C(y); }":                                        false,
		"void f(int *); void g(void); int main(void) { int x = 0; f(&x); x = 0; g(); C(x); }":                     false,
		"void f(int *); int main(void) { int x = 0; void (*p)(int *) = f; p(&x); C(x); }":                         true,
		"void f(const int *); int main(void) { int x = 0; void (*p)(const int *) = f; p(&x); C(x); }":             false,
		"void f(int *); void g(int *p) { f(p); } int main(void) { int x = 0; g(&x); C(x); }":                      true,
		"void *malloc(unsigned long); void f(int *); int main(void) { int *p = malloc(4); *p = 0; f(p); C(*p); }": true,
		"int f(int *); int main(void) { int x = 0; C(x + f(&x) * 0 + x); }":                                       true,
		"extern void (*f)(int *); int main(void) { int x = 0; f(&x); C(x); }":                                     true,
	} {
		text = "struct S { int v, *p; struct S *next; }; void reach_error(void);\n#define C(x) if ((x) != 0) reach_error()\n" + text
		tr := lower(t, read(t, text, c.LP64), translate.Options{})
		reached := false
		// What a function writes is one number everywhere; of pointers the addresses of objects are tried.
		for _, x := range []int64{1, 1 << 16, 1<<16 + 16, 1<<16 + 32, 1<<16 + 48, 1<<16 + 64} {
			run := tr.boogieWith(t, x, func(*tree.Call, int) int64 { return x }, nil)
			reached = reached || run.Kind == boogie.Failed
		}
		require.Equal(t, writes, reached, text)
	}
}
