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
	"hornbeam/frontend/c/library"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

var calledName = regexp.MustCompile(`\*?\b(\w+)\(`)

// writers are the functions of a header that may write through their arguments.
func writers(t *testing.T, header string, text []byte) []*tree.Function {
	var names []string
	for _, m := range calledName.FindAllSubmatch(text, -1) {
		switch name := string(m[1]); library.Lookup(name, false).Kind {
		case library.Input, library.Unmodelled, library.Math, library.Memory:
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
	if strings.HasSuffix(f.Name, "scanf") {
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
		files, err := filepath.Glob(filepath.Join("..", "include", pattern, "*.h"))
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
				if strings.HasPrefix(f.Name, "v") || f.Name == "fread" || f.Name == "memcpy" {
					// What they write goes through a list of arguments.
				}
				program := writing(header, f)
				tr := lower(t, read(t, program, c.LP64), translate.Options{})
				run := tr.boogie(t, func(*tree.Call, int) int64 { return 1 }, nil)
				if run.Kind != boogie.Failed && len(tr.result.Stops) == 0 {
					t.Log(program, run)
					t.Error(f.Name)
				}
				tested++
			}
		}
	}
	t.Log(tested)
}
