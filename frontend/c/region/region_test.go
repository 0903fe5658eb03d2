package region_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/tree"
)

// analysed is a program with its regions.
type analysed struct {
	t       *testing.T
	program *tree.Program
	*region.Regions
}

func analyse(t *testing.T, text string) analysed {
	t.Helper()
	p, err := c.Read(t.Context(), "test.c", []byte(text), c.Options{Model: c.LP64})
	require.NoError(t, err)
	r, err := region.Analyse(t.Context(), p, p.Functions, p.Function("main"))
	require.NoError(t, err)
	return analysed{t, p, r}
}

// object finds a variable by its name, wherever it is declared.
func (a analysed) object(name string) *tree.Object {
	a.t.Helper()
	all := append([]*tree.Object{}, a.program.Globals...)
	for _, f := range a.program.Functions {
		all = append(append(all, f.Params...), f.Locals...)
	}
	for _, o := range all {
		if o.Name == name {
			return o
		}
	}
	a.t.Fatalf("there is no %s", name)
	return nil
}

func (a analysed) group(name string) *region.Group { return a.GroupOfObject(a.object(name)) }

// A pointer to a function that nothing is assigned to may hold the address of any; one that is assigned to holds no other.
func TestUnassignedPointersCallAnything(t *testing.T) {
	a := analyse(t, `int g(int *p) { return *p; } int h(int *p) { return *p; } int k(void) { return 0; } int x, y;
		int main(void) { int (*f)(int *), (*e)(int *) = h; int (*z)(void) = k; z(); ((int (*)(void))0)(); return (g, f)(&x) + e(&y); }`)
	var called [][]string
	for _, f := range a.program.Functions {
		tree.Inspect(f.Body, func(n tree.Node) bool {
			if c, ok := n.(*tree.Call); ok && c.Function == nil {
				var names []string
				for _, f := range a.Callees(c) {
					names = append(names, f.Name)
				}
				called = append(called, names)
			}
			return true
		})
	}
	require.Equal(t, [][]string{{"k"}, nil, {"h", "g"}, {"h"}}, called)
	require.Same(t, a.target("p"), a.group("x"), "what f is given is seen in the functions that it may call")
}

// target is the group that dereferences of a pointer variable lead to: the group of the first one that is found.
func (a analysed) target(pointer string) *region.Group {
	a.t.Helper()
	o := a.object(pointer)
	var found *region.Group
	for _, f := range a.program.Functions {
		if f.Body == nil {
			continue
		}
		tree.Inspect(f.Body, func(n tree.Node) bool {
			if d, ok := n.(*tree.Dereference); ok && found == nil {
				if l, ok := d.Pointer.(*tree.Load); ok {
					if u, ok := l.Place.(*tree.Use); ok && u.Object == o {
						found = a.Group(&region.Location{Place: d})
					}
				}
			}
			return true
		})
	}
	require.NotNil(a.t, found, "*%s is nowhere", pointer)
	return found
}

// Pointers that nothing ties together lead to different memory; an assignment ties them.
func TestPointersApartAndTogether(t *testing.T) {
	a := analyse(t, `
int x, y, z;
int main(void) { int *p = &x, *q = &y, *r = &z; r = q; *p = 1; *q = 2; *r = 3; return 0; }`)
	require.Same(t, a.group("x"), a.target("p"))
	require.Same(t, a.group("y"), a.target("q"))
	require.Same(t, a.target("q"), a.target("r"))
	require.NotSame(t, a.target("p"), a.target("q"))
	require.Len(t, a.target("p").Regions, 1)
	require.True(t, a.target("p").Regions[0].Single)
	require.False(t, a.target("q").Regions[0].Single)
}

// A call ties arguments to parameters and results to returns, for all its calls at once.
func TestCalls(t *testing.T) {
	a := analyse(t, `
int x, y;
int *same(int *p) { return p; }
int main(void) { int *q = same(&x); same(&y); *q = 1; return 0; }`)
	require.Same(t, a.group("x"), a.target("q"))
	require.Same(t, a.group("x"), a.group("y"))
}

// Fields lie apart, until an index over the struct makes offsets uncertain.
func TestFields(t *testing.T) {
	a := analyse(t, `
struct pair { int a; long b; } s;
int main(void) { struct pair *p = &s; p->a = 1; p->b = 2; return 0; }`)
	g := a.group("s")
	require.Len(t, g.Regions, 2)
	require.EqualValues(t, 0, g.Regions[0].Offset)
	require.EqualValues(t, 8, g.Regions[1].Offset)
	for _, r := range g.Regions {
		require.False(t, r.Mixed)
		require.True(t, r.Single)
	}
	require.NotSame(t, a.Region(&region.Location{Object: a.object("s")}), a.Region(&region.Location{Object: a.object("s"), Offset: 8}))

	a = analyse(t, `
struct pair { int a; long b; } s[10];
extern int nd(void);
int main(void) { struct pair *p = s + nd(); p->a = 1; p->b = 2; return 0; }`)
	g = a.group("s")
	require.Len(t, g.Regions, 2, "elements are folded, their fields lie apart")
	require.False(t, g.Regions[0].Single)
	require.Same(t, a.Region(&region.Location{Object: a.object("s"), Offset: 0}), a.Region(&region.Location{Object: a.object("s"), Offset: 16}))
}

// Memory that is read with two sizes is mixed.
func TestMixedSizes(t *testing.T) {
	a := analyse(t, `
int x;
int main(void) { int *p = &x; *p = 1; char *q = (char *)p; return *q; }`)
	require.Len(t, a.group("x").Regions, 1)
	require.True(t, a.group("x").Regions[0].Mixed)
	require.False(t, a.group("x").Regions[0].Single, "bytes need a map")
	a = analyse(t, `
union u { int i; unsigned j; } x;
int main(void) { union u *p = &x; p->i = 1; return p->j; }`)
	require.False(t, a.group("x").Regions[0].Mixed, "integers of one width are alike")
}

// Each allocation is memory of its own; a list's cells are one.
func TestHeap(t *testing.T) {
	a := analyse(t, `
#include <stdlib.h>
struct node { int v; struct node *next; };
int main(void) {
  int *p = malloc(4), *q = malloc(4); *p = 1; *q = 2;
  struct node *h = 0; for (int i = 0; i < 3; i++) { struct node *n = malloc(sizeof *n); n->next = h; n->v = i; h = n; }
  h = h->next; return h->v; }`)
	require.NotSame(t, a.target("p"), a.target("q"))
	require.True(t, a.target("p").Heap)
	require.Same(t, a.target("h"), a.target("n"))
	require.NotSame(t, a.target("h"), a.target("p"))
	require.Len(t, a.target("h").Regions, 2)
}

// An address that was an integer may lead to whatever was made an integer.
func TestIntegers(t *testing.T) {
	a := analyse(t, `
int x, y;
int main(void) { unsigned long n = (unsigned long)&x; int *p = (int *)n; int *q = &y; *p = 1; *q = 2; return 0; }`)
	require.Same(t, a.group("x"), a.target("p"))
	require.True(t, a.target("p").Unknown)
	require.NotSame(t, a.target("p"), a.target("q"))
}

// A call through a pointer may call what the pointer may hold and no more, if the types fit.
func TestCallees(t *testing.T) {
	a := analyse(t, `
int one(int x) { return 1; }
int two(int x) { return 2; }
int three(int x) { return 3; }
int (*other)(int) = three;
int main(void) { int (*p)(int) = one; if (p(1)) p = two; return other(1); }`)
	var calls []*tree.Call
	tree.Inspect(a.program.Function("main").Body, func(n tree.Node) bool {
		if c, ok := n.(*tree.Call); ok && c.Function == nil {
			calls = append(calls, c)
		}
		return true
	})
	require.Len(t, calls, 2)
	names := func(fs []*tree.Function) (out []string) {
		for _, f := range fs {
			out = append(out, f.Name)
		}
		return out
	}
	require.ElementsMatch(t, []string{"one", "two"}, names(a.Callees(calls[0])))
	require.ElementsMatch(t, []string{"three"}, names(a.Callees(calls[1])))
}

// An automatic object of a function that may call itself exists more than once.
func TestRecursion(t *testing.T) {
	a := analyse(t, `
int f(int n) { int x = n; int *p = &x; if (n > 0) f(n - 1); return *p; }
int main(void) { int y; int *q = &y; *q = 1; return f(3); }`)
	require.True(t, a.Repeated(a.object("x")))
	require.False(t, a.Repeated(a.object("y")))
	require.False(t, a.group("x").Regions[0].Single)
	require.True(t, a.group("y").Regions[0].Single)
}

// Functions of the library that return pointers to an object of its own write that object anew; what functions without a body
// hand out is what they reach, and what others were given.
func TestAbsentFunctions(t *testing.T) {
	a := analyse(t, `struct tm { int year; } *localtime(const long *); struct s { int v; struct s *next; };
		void f(int **), g(int *), h(const struct s *), k(struct s *); int x, y, z;
		int main(void) { long n = 1; struct tm *p = localtime(&n), *q = localtime(&n); int *r = &y, *w = &z; struct s s = {1}, l = {1, &s}, m = {2};
		g(&x); f(&r); h(&l); k(&m); return p->year + q->year + *r + x + y + s.v + l.v + m.v + *w; }`)
	written := map[string][]*region.Group{}
	tree.Inspect(a.program.Function("main").Body, func(n tree.Node) bool {
		if c, ok := n.(*tree.Call); ok {
			written[c.Function.Name] = append(written[c.Function.Name], a.Written(c)...)
		}
		return true
	})
	require.Contains(t, written["localtime"], a.target("p"))
	require.Same(t, a.target("p"), a.target("q"))
	require.Same(t, a.group("x"), a.target("r"), "f may hand out what g was given")
	require.Contains(t, written["h"], a.group("s"))
	require.NotSame(t, a.group("z"), a.target("r"))
	require.NotContains(t, written["g"], a.group("z"))
}

// Addresses matter to nobody where pointers are followed, copied and compared for equality only, and all lead to where objects begin.
func TestOpaque(t *testing.T) {
	for use, opaque := range map[string]bool{
		`while (p && p != q) p = p->next;`:         true,
		`*p = *q; p->next = q;`:                    true,
		`return p < q;`:                            false,
		`return p - q;`:                            false,
		`return (long)p;`:                          false,
		`int *w = &p->v; return *w;`:               true,
		`struct n **w = &p->next; return *w == q;`: false,
		`return p[v].v;`:                           false,
		`p++; return p->v;`:                        false,
		`struct n s; p = &s;`:                      false,
		`union { struct n *p; long l; } u; u.p = p; return u.l;`: false,
		`p = given(p);`: false,
		`p = other;`:    false,
	} {
		a := analyse(t, `void *malloc(unsigned long); extern struct n { int v; struct n *next; } *other, *given(struct n *);
			int main(int v, char **a) { struct n *p = malloc(sizeof *p), *q = malloc(sizeof *q); p->v = v; p->next = q; q = p->next; `+use+` return p->v; }`)
		require.Equal(t, opaque, a.target("p").Opaque, use)
	}
}

// The call of a function of the library through a pointer is opened once: each time anew, what it hands out would be another object,
// and the analysis would not come to an end.
func TestCallsThroughPointersAreOpenedOnce(t *testing.T) {
	a := analyse(t, `double strtod(const char *, char **); char s[4], *end, *other;
		int main(void) { double (*f)(const char *, char **) = strtod; other = s; f(s, &end); return *end; }`)
	require.Same(t, a.target("end"), a.group("s"), "what a function is given it may hand out")
}
