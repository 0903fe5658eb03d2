package translate_test

import (
	"context"
	"fmt"
	"hornbeam/frontend/c/fault"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	boogie "hornbeam/frontend/boogie/interpret"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
	"hornbeam/internal/layouts"
)

// generator writes random programs whose loops end, and which do nothing undefined but where they read what is not set.
type generator struct {
	t      *rapid.T
	out    strings.Builder
	depth  int
	loops  int
	inLoop int
	// memory says that addresses are taken.
	memory bool
	locals []string
}

func (g *generator) int(n int) int { return rapid.IntRange(0, n-1).Draw(g.t, "") }

func (g *generator) pick(of ...string) string { return of[g.int(len(of))] }

func (g *generator) line(format string, args ...any) {
	g.out.WriteString(strings.Repeat("  ", g.depth))
	fmt.Fprintf(&g.out, format, args...)
	g.out.WriteByte('\n')
}

var scalarNames = []string{"c", "uc", "s", "us", "i", "u", "l", "ul", "b"}

// place is something that can be assigned.
func (g *generator) place(d int) string {
	n := 6
	if g.memory {
		n = 12
	}
	switch g.int(n) {
	case 0:
		return fmt.Sprintf("a[%s & 3]", g.index(d))
	case 1:
		return fmt.Sprintf("m[%s & 1][%s & 1]", g.index(d), g.index(d))
	case 2:
		return g.pick("p.x", "p.y", "q.x", "p.in.z", "p.t[1]", "q.t[i & 1]", "ps[u & 1].y", "ps[1].t[l & 1]")
	case 3:
		return g.pick("p.f", "p.g", "q.f", "q.g", "e[0]", "e[1]")
	case 6:
		return g.pick("(*pi)", "(*pc)", "pa[1]", "(*pa)", "pa[u & 1]")
	case 7:
		return g.pick("pp->x", "pp->in.z", "pp->f", "pp->g", "pp->t[1]", "(*pp).y")
	case 8:
		return g.pick("v.whole", "v.bytes[1]", "v.bytes[u & 3]", "v.half[1]", "h[0].x", "h[1].y", "h->g")
	case 9:
		return g.pick("(*(a + 2))", "(*(m[1] + 1))", "(*&i)", "(&p)->x", "(*(int *)&u)", "((unsigned char *)&k)[1]", "k")
	}
	if len(g.locals) > 0 && g.int(3) == 0 {
		return g.locals[g.int(len(g.locals))]
	}
	return scalarNames[g.int(len(scalarNames))]
}

func (g *generator) index(d int) string {
	if d <= 0 {
		return g.pick("0", "1", "i", "uc", "ul", "3")
	}
	return "(unsigned)(" + g.expression(d-1) + ")"
}

// expression is an expression; its operators are parenthesised.
func (g *generator) expression(d int) string {
	if d <= 0 {
		switch g.int(4) {
		case 0:
			return g.pick("0", "1", "2", "-1", "7", "100", "255", "256", "65535", "2147483647", "4294967295u", "-2147483647", "12345678901ll", "'x'")
		case 1:
			return "nd()"
		}
		return g.place(0)
	}
	x := func() string { return g.expression(d - 1) }
	switch g.int(22) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", x(), g.pick("+", "-", "*"), x())
	case 3:
		return fmt.Sprintf("(%s %s (%s | 1))", x(), g.pick("/", "%"), x())
	case 4:
		return fmt.Sprintf("(%s %s %s)", x(), g.pick("&", "|", "^"), x())
	case 5:
		return fmt.Sprintf("(%s %s (%s & 7))", x(), g.pick("<<", ">>"), x())
	case 6, 7:
		return fmt.Sprintf("(%s %s %s)", x(), g.pick("<", "<=", ">", ">=", "==", "!="), x())
	case 8:
		return fmt.Sprintf("(%s %s %s)", x(), g.pick("&&", "||"), x())
	case 9:
		return fmt.Sprintf("(%s ? %s : %s)", x(), x(), x())
	case 10:
		return fmt.Sprintf("%s%s", g.pick("-", "~", "!", "!!"), "("+x()+")")
	case 11:
		return fmt.Sprintf("(%s)(%s)", g.pick("char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "_Bool", "long long"), x())
	case 12:
		return fmt.Sprintf("(%s = %s)", g.place(1), x())
	case 13:
		return fmt.Sprintf("(%s %s %s)", g.place(1), g.pick("+=", "-=", "*=", "&=", "|=", "^="), x())
	case 14:
		return g.pick("%s++", "%s--", "++%s", "--%s")[0:0] + g.step()
	case 15:
		return fmt.Sprintf("(%s, %s)", x(), x())
	case 16, 17:
		return g.call(d)
	case 18:
		return fmt.Sprintf("(%s ?: %s)", x(), x())
	case 19:
		return fmt.Sprintf("({ int w = %s; w += %s; w; })", x(), x())
	default:
		return g.place(d - 1)
	}
}

func (g *generator) step() string {
	return fmt.Sprintf(g.pick("(%s++)", "(%s--)", "(++%s)", "(--%s)"), g.place(1))
}

func (g *generator) call(d int) string {
	x := func() string { return g.expression(d - 1) }
	calls := []func() string{
		func() string { return fmt.Sprintf("add(%s, %s)", x(), x()) },
		func() string { return fmt.Sprintf("bump(&i, %s)", x()) },
		func() string { return "swap(&i, &k2)" },
		func() string { return fmt.Sprintf("sum(a, %s & 3)", x()) },
		func() string { return fmt.Sprintf("scale(&p, %s)", x()) },
		func() string { return fmt.Sprintf("make(%s, %s).y", x(), x()) },
		func() string { return "total(p)" },
		func() string { return "total(ps[u & 1])" },
		func() string { return fmt.Sprintf("next(%s)", x()) },
		func() string { return "row(m[u & 1])" },
		func() string { return "row(&a[1])" },
		func() string { return "trace2(m)" },
		func() string { return fmt.Sprintf("deep(%s & 3, &i)", x()) },
		func() string { return fmt.Sprintf("((short[4]){1, %s})[%s & 3]", x(), g.index(d-1)) },
	}
	if g.memory {
		calls = append(calls,
			func() string { return fmt.Sprintf("bump(pi, %s)", x()) },
			func() string { return "swap(pi, &a[1])" },
			func() string { return fmt.Sprintf("(%s ? add : sub)(%s, %s)", x(), x(), x()) },
			func() string { return fmt.Sprintf("op(%s, 3)", x()) },
			func() string { return "walk(list)" },
			func() string { return "(int)strlen(text)" },
			func() string { return fmt.Sprintf("(text[%s & 3] = 'y')", g.index(1)) },
			func() string { return "sum(pa, 2)" },
			func() string { return "row(list->t)" },
			func() string { return fmt.Sprintf("held(%s & 3)", x()) },
			func() string { return "deep(2, pi)" },
			func() string { return "(memcpy(&k, &i, 4), k)" },
		)
	}
	return calls[g.int(len(calls))]()
}

func (g *generator) block(n int) {
	g.depth++
	declared := len(g.locals)
	for range n {
		g.statement()
	}
	g.locals = g.locals[:declared]
	g.depth--
}

func (g *generator) statement() {
	kinds := 15
	if g.depth > 3 {
		kinds = 4
	}
	if g.memory {
		kinds += 2
	}
	switch k := g.int(kinds); {
	case k < 3:
		g.line("%s;", g.expression(2))
	case k == 3:
		g.line("%s = %s;", g.place(1), g.expression(2))
	case g.memory && k >= kinds-2:
		g.line("%s;", g.pick("pi = &i", "pi = &a[2]", "pi = &p.x", "pi = &k2", "pc = &c", "pc = (char *)&k", "pa = a", "pa = &a[2]", "pa = m[1]", "pp = &p",
			"pp = &q", "pp = &ps[1]", "*pp = q", "p = *pp", "q = ps[1]", "op = add", "op = sub", "v.bytes[2] = c", "pi++, pi--", "h[1] = p", "pp = h",
			"list = list->next", "list->next->x = i", "memset(&q, 0, sizeof q)", "strcpy(text, \"ab\")", "memcpy(&q, &p, sizeof q)"))
	case k == 4:
		g.line("if (%s) {", g.expression(2))
		g.block(2)
		if g.int(2) == 0 {
			g.line("} else {")
			g.block(2)
		}
		g.line("}")
	case k == 5:
		g.loops++
		n := g.loops
		g.line("for (int n%d = 0; n%d < %d && (%s || 1); n%d++, %s) {", n, n, 1+g.int(3), g.expression(1), n, g.expression(1))
		g.inLoop++
		g.block(2)
		g.inLoop--
		g.line("}")
	case k == 6:
		g.loops++
		n := g.loops
		g.line("{ int n%d = %d;", n, g.int(3))
		g.line("while (n%d-- > 0 && %s) {", n, g.expression(1))
		g.inLoop++
		g.block(2)
		g.inLoop--
		g.line("} }")
	case k == 7:
		g.loops++
		n := g.loops
		g.line("{ int n%d = %d;", n, g.int(3))
		g.line("do {")
		g.inLoop++
		g.block(2)
		g.inLoop--
		g.line("} while (n%d-- > 0); }", n)
	case k == 8:
		g.line("switch (%s & 3) {", g.expression(1))
		for _, l := range []string{"case 0:", "case 2:", g.pick("default:", "case 1:"), "case 3:"} {
			g.line("%s", l)
			g.block(1)
			if g.int(2) == 0 {
				g.line("  break;")
			}
		}
		g.line("}")
	case k == 9:
		g.loops++
		name := fmt.Sprintf("w%d", g.loops)
		switch g.int(3) {
		case 0:
			g.line("%s %s = %s;", g.pick("int", "unsigned char", "long long", "short"), name, g.expression(1))
		case 1:
			g.line("static int %s = 3;", name)
		case 2:
			g.line("%s %s;", g.pick("int", "unsigned"), name)
			g.line("%s = %s;", name, g.expression(1))
		}
		g.locals = append(g.locals, name)
	case k == 10 && g.inLoop > 0:
		g.line("if (%s) %s;", g.expression(1), g.pick("break", "continue"))
	case k == 11:
		g.loops++
		g.line("if (%s) goto L%d;", g.expression(1), g.loops)
		n := g.loops
		g.block(2)
		g.line("L%d:;", n)
	case k == 12:
		g.line("%s = %s;", g.pick("p", "q", "ps[0]", "ps[u & 1]"), g.pick("make(i, c)", "q", "ps[1]", "p", "(i ? p : q)", "(struct point){.x = 1, .t = {2, 3}}"))
	default:
		g.line("%s;", g.expression(3))
	}
}

const prelude = `
extern int nd(void);
extern void observe(unsigned long long);
extern unsigned long long expected(void);
extern void reach_error(void);
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void *memcpy(void *, const void *, size_t);
extern void *memset(void *, int, size_t);
extern size_t strlen(const char *);
extern char *strcpy(char *, const char *);
struct point { int x; char y; struct { short z; } in; unsigned f : 3; int g : 5; int t[2]; };
struct node { int x; struct node *next; int t[2]; };
union view { int whole; unsigned char bytes[4]; short half[2]; };
char c = 1; unsigned char uc = 200; short s = -3; unsigned short us = 65000; int i = 5; unsigned u = 7;
long l = -2; unsigned long ul = 9; _Bool b; int k, k2 = 4;
int a[4] = {1, 2, 3}, m[2][2] = {{1}, {2, 3}}; unsigned char e[2];
struct point p = {1, 2, {3}, 4, 5}, q, ps[2] = {{.y = 3}};
static int add(int x, int y) { return x + y; }
static int sub(int x, int y) { x -= y; return x; }
static int bump(int *x, int y) { *x += y; return *x; }
static int swap(int *x, int *y) { int t = *x; *x = *y; *y = t; return t; }
static int sum(int *x, unsigned n) { int r = 0; for (unsigned j = 0; j < n; j++) r += x[j]; return r; }
static int scale(struct point *x, int n) { x->x *= n; x->f = n; return x->t[1]++ + x->g; }
static struct point make(int x, int y) { struct point r = {x, y}; r.t[1] = x; r.g = y; return r; }
static int total(struct point x) { x.x += x.y; return x.x + x.in.z + x.f + x.t[0] + x.t[1]; }
static int next(int n) { static int state = 3; state = state * 5 + n; return state & 255; }
static int row(int r[2]) { r[0]++; return r[0] + r[1]; }
static int deep(int n, int *out) { int t = n, z[2] = {n}; if (n > 0) deep(n - 1, &t); z[n & 1] += 2; *out += t + z[0]; return t; }
static int trace2(int r[][2]) { r[1][0] = r[0][1]; return r[0][0] + r[1][1]; }
`

const memoryPrelude = `
int *pi = &i, *pa = a; char *pc = &c; struct point *pp = &q, *h; union view v; int (*op)(int, int) = sub;
char text[8] = "abc"; struct node *list;
static int *keep;
static int held(int n) { int t[3] = {n, 1}, z; int *outer = keep; keep = &t[n & 1]; z = n > 0 ? held(n - 1) : 0; if (outer) *outer += 7; keep = outer; return t[0] + t[1] + z; }
static int walk(struct node *n) { int r = 0; for (int j = 0; j < 3; j++) { r = r * 3 + n->x; n = n->next; } return r; }
`

const epilogue = `
  unsigned long long hash = 0;
#define mix(x) hash = hash * 31 + (x);
  mix(c) mix(uc) mix(s) mix(us) mix(i) mix(u) mix(l) mix(ul) mix(b) mix(k) mix(k2) mix(e[0]) mix(e[1])
  for (int n = 0; n < 4; n++) mix(a[n])
  for (int n = 0; n < 2; n++) { mix(m[n][0]) mix(m[n][1]) mix(ps[n].x) mix(ps[n].y) mix(ps[n].t[1]) mix(ps[n].g) }
  mix(p.x) mix(p.y) mix(p.in.z) mix(p.f) mix(p.g) mix(p.t[0]) mix(p.t[1]) mix(q.x) mix(q.y) mix(q.f) mix(q.g) mix(q.t[1])
`

const memoryEpilogue = `
  mix(*pi) mix(*pc) mix(pa[1]) mix(pp->x) mix(pp->f) mix(v.whole) mix(v.half[1]) mix(v.bytes[0]) mix(h[0].x) mix(h[1].y) mix(h[1].g) mix(walk(list))
  mix(text[0]) mix(text[1]) mix(text[2]) mix(pi == pa) mix(pa - a)
`

// program is a random program.
func (g *generator) program() string {
	g.line("%s", prelude)
	if g.memory {
		g.line("%s", memoryPrelude)
	}
	g.line("int main(void) {")
	if g.memory {
		g.line("  h = malloc(2 * sizeof(struct point)); h[0] = p; h[1] = q;")
		g.line("  list = malloc(sizeof *list); list->x = 1; list->t[0] = 1; list->t[1] = 2;")
		g.line("  list->next = malloc(sizeof *list); list->next->x = 2; list->next->t[0] = 1; list->next->t[1] = 2; list->next->next = list;")
	}
	g.block(4 + g.int(5))
	g.line("%s", epilogue)
	if g.memory {
		g.line("%s", memoryEpilogue)
	}
	g.line("  observe(hash);\n  if (hash == expected()) reach_error();\n  return 0;\n}")
	return g.out.String()
}

// sameRuns says that a program and its translation compute the same: what the program observes of its variables in the end
// is what makes the translation fail, and the next number is not.
func sameRuns(t *rapid.T, text string, model tree.Model) {
	p := read(t, text, model)
	tr := lower(t, p, translate.Options{})
	var hash int64
	answer := int64(0)
	returns := func(call *tree.Call, n int) int64 {
		if call.Function.Name == "expected" {
			return answer
		}
		return int64(n*n) - 3
	}
	observe := func(e interpret.Event) {
		if e.Kind == interpret.Called && e.Function.Name == "observe" {
			hash = int64(e.Arguments[0].Bits())
		}
	}
	source, _, detail := tr.run(t, interpret.Options{}, returns, observe)
	if source == "undefined" || source == "other" {
		t.Skip(detail)
	}
	answer = hash
	source, translated, detail := tr.run(t, interpret.Options{}, returns, nil)
	require.Equal(t, "error", source, text)
	if source != translated {
		require.Fail(t, "the translation computes something else", "%s\n%s\n%s\n%s", detail, tr.difference(t, returns), text, tr.text())
	}
	answer++
	source, translated, detail = tr.run(t, interpret.Options{}, returns, nil)
	require.Equal(t, "ended", source)
	require.Equal(t, source, translated, "%s\n%s\n%s", detail, text, tr.text())
}

// difference says from which value on the sums of the two runs differ.
func (t *translation) difference(tt require.TestingT, returns func(*tree.Call, int) int64) string {
	var source, translated []string
	var lines []int
	_, err := execute(context.Background(), t.program, newChosen(t.result.Origins, returns), interpret.Options{}, func(e interpret.Event) {
		if e.Kind == interpret.Assigned && e.Object != nil && e.Object.Name == "hash" {
			source, lines = append(source, fmt.Sprint(e.Value.Bits())), append(lines, e.Node.Pos().Column)
		}
	})
	require.NoError(tt, err)
	t.boogie(tt, returns, func(e boogie.Event) {
		for _, c := range e.Changes {
			if v, ok := c.Value.(boogie.BitVector); ok && e.Kind == boogie.Stepped && c.Variable.Name == "hash" {
				translated = append(translated, v.N.String())
			}
		}
	})
	for i := range min(len(source), len(translated)) {
		if source[i] != translated[i] {
			return fmt.Sprintf("they differ from the sum number %d on, in column %d", i, lines[i])
		}
	}
	return "the sums are equal"
}

// TestRandomPrograms is about programs whose objects have names.
func TestRandomPrograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &generator{t: t}
		sameRuns(t, g.program(), rapid.SampledFrom([]tree.Model{c.LP64, c.ILP32}).Draw(t, "model"))
	})
}

// TestRandomMemory is about programs with pointers, unions, the heap and functions on memory.
func TestRandomMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &generator{t: t, memory: true}
		sameRuns(t, g.program(), rapid.SampledFrom([]tree.Model{c.LP64, c.ILP32}).Draw(t, "model"))
	})
}

// TestRandomLayouts is about programs whose objects overlap.
func TestRandomLayouts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sameRuns(t, layouts.Draw(t).Observing(), rapid.SampledFrom([]tree.Model{c.LP64, c.ILP32}).Draw(t, "model"))
	})
}

// TestRandomFaults says that the translation fails where a run has the first fault that is asked for, and nowhere else.
func TestRandomFaults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &generator{t: t, memory: rapid.Bool().Draw(t, "memory")}
		text := g.program()
		p := read(t, text, c.LP64)
		kinds := []fault.Kind{fault.Overflow, fault.UnsignedOverflow, fault.Conversion, fault.Division, fault.Shift}
		asked := fault.Of(rapid.SliceOfN(rapid.SampledFrom(kinds), 1, len(kinds)).Draw(t, "asked")...)
		tr := lower(t, p, translate.Options{Faults: asked})
		returns := func(*tree.Call, int) int64 { return 3 }
		ctx := context.Background()
		outcome, err := execute(ctx, p, newChosen(tr.result.Origins, returns), interpret.Options{Faults: asked}, nil)
		require.NoError(t, err)
		if outcome.Kind != interpret.ErrorReached && outcome.Kind != interpret.Ended {
			t.Skip(outcome.What)
		}
		run := tr.boogie(t, returns, nil)
		failed := outcome.Kind == interpret.ErrorReached
		require.Equal(t, failed, run.Kind == boogie.Failed, "%s %s\n%s\n%s\n%s", outcome.Kind, outcome.What, run, text, tr.text())
		if failed {
			require.Equal(t, outcome.Pos().Line, run.Pos.Line, "%s\n%s\n%s", outcome.What, run, text)
		}
	})
}
