package read_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/tree"
)

// linked reads texts as the units a.c, b.c, ... of one program, and headers beside them as they are named.
func linked(t *testing.T, texts ...string) (*tree.Program, error) {
	t.Helper()
	var units []c.Unit
	for i, text := range texts {
		units = append(units, c.Unit{Name: fmt.Sprintf("%c.c", 'a'+i), Text: []byte(text)})
	}
	return c.Link(context.Background(), units...)
}

func TestUnitsAreLinked(t *testing.T) {
	for name, texts := range map[string][]string{
		"a declaration and its definition": {"int f(int); int main(void) { return f(1); }", "int f(int x) { return x; }"},
		"the definition first":             {"int f(int x) { return x; }", "int f(int); int main(void) { return f(1); }"},
		"no declaration":                   {"int main(void) { return f(1); }", "int f(int x) { return x; }"},
		"no prototype":                     {"long f(); int main(void) { return f(1L) > 0; }", "long f(long x) { return x; }"},
		"inline twice":                     {"inline int f(void) { return 1; } int main(void) { return f(); }", "inline int f(void) { return 1; }"},
		"weak and strong":                  {"__attribute__((weak)) int f(void) { return 1; } int main(void) { return f(); }", "int f(void) { return 2; }"},
		"strong and weak":                  {"int f(void) { return 2; } int main(void) { return f(); }", "__attribute__((weak)) int f(void) { return 1; }"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := linked(t, texts...)
			require.NoError(t, err)
			f := p.Function("f")
			require.NotNil(t, f)
			require.NotNil(t, f.Body)
			calls := 0
			tree.Inspect(p.Function("main").Body, func(n tree.Node) bool {
				if call, ok := n.(*tree.Call); ok {
					require.Same(t, f, call.Function)
					calls++
				}
				return true
			})
			require.Equal(t, 1, calls)
			if strings.Contains(name, "strong") {
				require.Equal(t, "2", f.Body.Statements[0].(*tree.Return).Value.(*tree.Constant).Int.String())
			}
		})
	}
}

func TestObjectsOfUnitsAreLinked(t *testing.T) {
	p, err := linked(t, "int x; extern int y[], z; int main(void) { return x + y[0] + z; }", "int x = 3; int y[4] = {7}; int z;", "int x; extern int y[4];")
	require.NoError(t, err)
	values := map[string]int{}
	for _, o := range p.Globals {
		require.False(t, o.External, o.Name)
		values[o.Unique] = len(o.Init)
	}
	require.Equal(t, map[string]int{"x": 1, "y": 1, "z": 0}, values)
}

func TestStaticNamesAreKeptApart(t *testing.T) {
	texts := []string{
		"static int n = 1; static int f(void) { return n; } int g(void); int main(void) { return f() + g(); }",
		"static int n = 2; static int f(void) { return n; } int g(void) { return f(); }",
		"int n = 3; int f(void) { return n; }",
	}
	for _, order := range [][]int{{0, 1, 2}, {2, 0, 1}, {1, 2, 0}} {
		var units []c.Unit
		for _, i := range order {
			units = append(units, c.Unit{Name: fmt.Sprintf("%c.c", 'a'+i), Text: []byte(texts[i])})
		}
		p, err := c.Link(t.Context(), units...)
		require.NoError(t, err)
		requireApart(t, p)
	}
}

// requireApart requires that main, g and f of three files use what is theirs.
func requireApart(t *testing.T, p *tree.Program) {
	t.Helper()
	// What nothing else in the program means keeps its name.
	from := func(caller string) *tree.Function {
		var out *tree.Function
		tree.Inspect(p.Function(caller).Body, func(n tree.Node) bool {
			if call, ok := n.(*tree.Call); ok && out == nil {
				out = call.Function
			}
			return true
		})
		return out
	}
	used := func(f *tree.Function) string {
		name := ""
		tree.Inspect(f.Body, func(n tree.Node) bool {
			if u, ok := n.(*tree.Use); ok {
				name = u.Object.Init[0].Value.(*tree.Constant).Int.String()
			}
			return true
		})
		return name
	}
	require.Equal(t, "f.a", from("main").Name)
	require.Equal(t, "f.b", from("g").Name)
	require.Equal(t, []string{"1", "2", "3"}, []string{used(from("main")), used(from("g")), used(p.Function("f"))})
}

func TestUnitsShareTypes(t *testing.T) {
	const header = "struct list; typedef struct { int kind; struct list *of; } item; struct list { item first; struct { int a, b; }; struct list *next; };\n"
	p, err := linked(t, header+"int sum(struct list *l, item i); struct list head; int main(void) { return sum(&head, head.first); }",
		header+"extern struct list head; int sum(struct list *l, item i) { return l->next == &head && i.kind + l->a; }",
		"struct list; extern struct list head; struct list *get(void) { return &head; }",
		// Another struct of the same name is another type.
		"struct list { char c; }; static struct list own; int size(void) { return sizeof own; }")
	require.NoError(t, err)
	types := map[string]tree.Type{}
	for _, o := range p.Globals {
		types[o.Name] = o.Type
	}
	require.EqualValues(t, 32, types["head"].Size())
	require.EqualValues(t, 1, types["own"].Size())
	require.Same(t, types["head"], p.Function("get").Type.Result.(*tree.Pointer).Elem)
	require.Same(t, types["head"], p.Function("sum").Params[0].Type.(*tree.Pointer).Elem)
}

func TestUnitsThatContradictEachOther(t *testing.T) {
	for _, test := range []struct {
		texts []string
		want  string
	}{
		{[]string{"int f(int x) { return x; } int main(void) { return 0; }", "int f(int x) { return x; }"}, "b.c:1:5: f is defined twice: first at a.c:1:5"},
		{[]string{"int x = 1; int main(void) { return 0; }", "\nint x = 1;"}, "b.c:2:5: x is initialised twice: first at a.c:1:5"},
		{[]string{"int x; int main(void) { return x; }", "extern long x;"}, "b.c:1:13: x is declared as long, but was int at a.c:1:5"},
		{[]string{"int f(int); int main(void) { return f(1); }", "int f(double d) { return d > 0; }"}, "b.c:1:5: f is declared as int (double), but was int (int) at a.c:1:5"},
		{[]string{"int f(int); int main(void) { return f(1); }", "int f;"}, "b.c:1:5: f is a function at a.c:1:5"},
		{[]string{"struct s { int a; } x; int main(void) { return 0; }", "struct s { long a; }; extern struct s x;"}, "b.c:1:39: x is declared as struct s, but was struct s at a.c:1:21"},
		{[]string{"typedef int t; struct s { t a; } x; int main(void) { return 0; }", "typedef long t; struct s { t a; }; extern struct s x;"}, "b.c:1:17: struct s has members of other types than at a.c:1:16"},
	} {
		_, err := linked(t, test.texts...)
		require.EqualError(t, err, test.want)
	}
}

func TestOptionsOfUnits(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "size.h"), []byte("#define SIZE 7\n"), 0o600))
	read := func(text string, o c.Options) error {
		_, err := c.Read(t.Context(), "a.c", []byte(text), o)
		return err
	}
	require.NoError(t, read("#include <size.h>\n_Static_assert(SIZE == 7, \"\");", c.Options{IncludeDirs: []string{dir}}))
	require.NoError(t, read("_Static_assert(SIZE == 7, \"\");", c.Options{Includes: []string{filepath.Join(dir, "size.h")}}))
	require.NoError(t, read("_Static_assert(A + B == 3 && __LINE__ == 1, \"\");", c.Options{Defines: []string{"A", "B=2"}}))
	require.NoError(t, read("#if defined A || defined __linux__\n#error\n#endif\n", c.Options{Defines: []string{"A"}, Undefines: []string{"A", "__linux__"}}))
	require.NoError(t, read("#if __STDC_VERSION__ != 199901L || !defined __STRICT_ANSI__\n#error\n#endif\n", c.Options{Standard: "c99"}))
	require.NoError(t, read("#if __STDC_VERSION__ != 201710L || defined __STRICT_ANSI__\n#error\n#endif\n", c.Options{Standard: "gnu17"}))
	require.NoError(t, read("#ifdef __STDC_VERSION__\n#error\n#endif\n", c.Options{Standard: "c90"}))
	require.Error(t, c.CheckStandard("c98"))
	require.NoError(t, c.CheckStandard("iso9899:1999"))
}

func TestPlacesAreThoseOfTheSource(t *testing.T) {
	const text = "# 1 \"/usr/include/x.h\" 1\nint x;\n# 7 \"dir/f.c\" 2\n\nint f(void) { return x; }\n"
	for _, test := range []struct {
		physical bool
		want     tree.Pos
	}{{false, tree.Pos{File: "dir/f.c", Line: 8, Column: 5}}, {true, tree.Pos{File: "f.i", Line: 5, Column: 5}}} {
		p, err := c.Read(t.Context(), "f.i", []byte(text), c.Options{Physical: test.physical})
		require.NoError(t, err)
		require.Equal(t, test.want, p.Function("f").Pos)
	}
	_, err := c.Read(t.Context(), "f.i", []byte(text+"int g(void) { return nothing; }\n"), c.Options{})
	require.ErrorContains(t, err, "dir/f.c:9:22: undefined: nothing")
	_, err = c.Read(t.Context(), "f.i", []byte(text+"int g(void) { return ; ) }\n"), c.Options{})
	require.ErrorContains(t, err, "dir/f.c:9:24: ")
}

// A function that any unit declares weak has no contract, which is noted whichever unit comes first.
func TestContractsOfWeakFunctionsAreNoted(t *testing.T) {
	contracted := "/*@ ensures \\result > 0; */ int f(void);\nint main(void) { return f(); }"
	weak := "int f(void) __attribute__((weak));\nint g(void) { return f(); }"
	for _, texts := range [][]string{{contracted, weak}, {weak, contracted}} {
		var units []c.Unit
		for i, text := range texts {
			units = append(units, c.Unit{Name: fmt.Sprintf("%c.c", 'a'+i), Text: []byte(text), Options: c.Options{ACSL: true}})
		}
		p, err := c.Link(t.Context(), units...)
		require.NoError(t, err)
		require.Empty(t, p.Trusted)
		require.Len(t, p.PassedOver, 1)
		require.Contains(t, p.PassedOver[0], "ensures  of a weak function")
	}
}

// A contract in a header that units share is read once, but as often as its names mean something else.
func TestContractsInSharedHeadersAreReadOnce(t *testing.T) {
	folder := t.TempDir()
	header := "extern int g;\n/*@ requires x < LIMIT; requires g > 0; assigns g; */ int f(int x);\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, "f.h"), []byte(header), 0o666))
	for limits, want := range map[[2]string]int{{"7", "7"}: 2, {"7", "8"}: 3} {
		var units []c.Unit
		for i, limit := range limits {
			text := fmt.Sprintf("#define LIMIT %s\n#include \"f.h\"\nint %c(void) { return f(1); }\nint main%d(void) { return f(2); }", limit, 'a'+i, i)
			units = append(units, c.Unit{Name: filepath.Join(folder, fmt.Sprintf("%c.c", 'a'+i)), Text: []byte(text), Options: c.Options{ACSL: true}})
		}
		p, err := c.Link(t.Context(), units...)
		require.NoError(t, err)
		require.Empty(t, p.PassedOver)
		asserted := 0
		tree.Inspect(p.Function("f.contract").Body, func(n tree.Node) bool {
			if call, ok := n.(*tree.Call); ok && call.Function != nil && call.Function.Name == "__hornbeam_rely" {
				asserted++
			}
			return true
		})
		require.Equal(t, want, asserted, limits)
	}
}
