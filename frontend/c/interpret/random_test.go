package interpret_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/harness"
	"hornbeam/frontend/c/tree"
)

// maker writes random C without undefined behaviour, whose value no order of evaluation changes.
type maker struct {
	t      *rapid.T
	b      strings.Builder
	floats bool
	// narrow leaves out the division of 64-bit integers, for which a 32-bit machine needs a library.
	narrow bool
	// locals are variables of the integer type of their name.
	locals []string
	labels int
	depth  int
}

func (m *maker) pick(options ...string) string { return rapid.SampledFrom(options).Draw(m.t, "pick") }
func (m *maker) upTo(n int) int                { return rapid.IntRange(0, n).Draw(m.t, "n") }

var integerTypes = []string{
	"char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "long long",
	"unsigned long long", "_Bool",
}

func (m *maker) literal() string {
	return m.pick("0", "1", "2", "7", "-1", "-5", "127", "128", "255", "256", "32767", "65535", "65536", "2147483647", "(-2147483647-1)",
		"2147483648u", "4294967295u", "4294967296", "9223372036854775807", "18446744073709551615u", "0x80", "'a'", "'\\377'", "100l", "3ul", "010")
}

// integer is an expression of some integer type.
func (m *maker) integer(depth int) string {
	if depth <= 0 {
		return m.leaf()
	}
	x := func() string { return m.integer(depth - 1 - m.upTo(1)) }
	switch m.upTo(17) {
	case 0, 1:
		return m.leaf()
	case 2, 3, 4:
		return fmt.Sprintf("(%s %s %s)", x(), m.pick("+", "-", "*"), x())
	case 5, 6:
		return fmt.Sprintf("(%s %s %s)", x(), m.pick("&", "|", "^"), x())
	case 7, 8:
		return fmt.Sprintf("(%s %s %s)", x(), m.pick("<", "<=", ">", ">=", "==", "!="), x())
	case 9:
		return fmt.Sprintf("(%s %s (%s & 7))", x(), m.pick("<<", ">>"), x())
	case 10:
		// gcc makes of -(x / 1) an x / -1, which traps at the least x: no divisor is 1.
		return fmt.Sprintf("(%s%s %s %s((%s & 15) + 2))", m.cast(), x(), m.pick("/", "%"), m.cast(), x())
	case 11:
		return fmt.Sprintf("(%s%s %s -(int)((%s & 15) + 2))", m.cast(), x(), m.pick("/", "%"), x())
	case 12:
		return fmt.Sprintf("(%s %s %s)", x(), m.pick("&&", "||"), x())
	case 13:
		return fmt.Sprintf("(%s ? %s : %s)", x(), x(), x())
	case 14:
		return fmt.Sprintf("(%s)%s", rapid.SampledFrom(integerTypes).Draw(m.t, "type"), x())
	case 15:
		return fmt.Sprintf("%s(%s)", m.pick("-", "~", "!"), x())
	case 16:
		if m.floats {
			f := m.float(depth - 1)
			return fmt.Sprintf("(%s > -100000.0 && %s < 100000.0 ? (%s)%s : 3)", f, f, m.pick("int", "long", "short"), "("+f+" > -100.0 && "+f+" < 100.0 ? "+f+" : 1.5)")
		}
		return fmt.Sprintf("(%s ?: %s)", x(), x())
	default:
		return fmt.Sprintf("help%d(%s, %s)", m.upTo(2), x(), x())
	}
}

// cast makes operands of a division narrow, if they have to be.
func (m *maker) cast() string {
	if m.narrow {
		return m.pick("(int)", "(unsigned)", "(short)")
	}
	return ""
}

func (m *maker) float(depth int) string {
	if depth <= 0 {
		return m.pick("1.5", "0.1f", "-2.25", "1e10", "d", "f", "3.0f", "0.3")
	}
	x := func() string { return m.float(depth - 2) }
	switch m.upTo(5) {
	case 0, 1:
		return fmt.Sprintf("(%s %s %s)", x(), m.pick("+", "-", "*", "/"), x())
	case 2:
		return fmt.Sprintf("(%s)%s", m.pick("float", "double"), x())
	case 3:
		return fmt.Sprintf("(%s)%s", m.pick("float", "double"), m.integer(depth-2))
	default:
		return x()
	}
}

func (m *maker) leaf() string {
	if m.upTo(2) == 0 {
		return m.literal()
	}
	return m.place()
}

// place is an integer that can be assigned.
func (m *maker) place() string {
	switch m.upTo(9) {
	case 0:
		return fmt.Sprintf("a[%d]", m.upTo(7))
	case 1:
		return fmt.Sprintf("a[%s & 7]", m.variable())
	case 2:
		return m.pick("s.c", "s.f3", "s.g1", "s.u20", "s.l", "s.in.x", "s.in.y[1]", "s.in.y[0]", "s.b")
	case 3:
		return m.pick("p->c", "p->f3", "p->g1", "p->u20", "p->l", "p->in.x", "p->in.y[1]", "p->b")
	case 4:
		return m.pick("u.whole", "u.bytes[1]", "u.halves[1]", "u.bytes[5]", "u.low")
	case 5:
		return fmt.Sprintf("(*(q + %d))", m.upTo(3))
	case 6:
		return m.pick("g1", "g2", "g3")
	case 7:
		return fmt.Sprintf("m[%s & 1][%d]", m.variable(), m.upTo(2))
	}
	return m.variable()
}

// divided is a place that can be divided.
func (m *maker) divided() string {
	if m.narrow {
		return m.pick("x1", "x2", "x3", "c1", "w1", "a[2]", "s.f3", "s.g1", "p->u20", "u.halves[1]", "g2", "b1")
	}
	return m.place()
}

func (m *maker) variable() string { return rapid.SampledFrom(m.locals).Draw(m.t, "variable") }

func (m *maker) line(format string, args ...any) {
	m.b.WriteString(strings.Repeat("  ", m.depth+1))
	fmt.Fprintf(&m.b, format, args...)
	m.b.WriteByte('\n')
}

func (m *maker) block(n, depth int) {
	m.depth++
	for range 1 + m.upTo(n) {
		m.statement(depth)
	}
	m.depth--
}

func (m *maker) statement(depth int) {
	kind := m.upTo(17)
	if depth <= 0 {
		kind = min(kind, 8)
	}
	switch kind {
	case 0, 1, 2, 3:
		m.line("%s = %s;", m.place(), m.integer(3))
	case 4:
		m.line("%s %s %s;", m.place(), m.pick("+=", "-=", "*=", "&=", "|=", "^="), m.integer(2))
	case 5:
		m.line("%s %s (%s & 7);", m.place(), m.pick("<<=", ">>="), m.integer(1))
	case 6:
		m.line("%s %s %s((%s & 7) + 2);", m.divided(), m.pick("/=", "%="), m.cast(), m.integer(1))
	case 7:
		m.line(m.pick("%s++;", "%s--;", "++%s;", "--%s;"), m.place())
	case 8:
		m.line("%s", m.pick("s = *p;", "t = s;", "*p = t;", "s = pass(t, 3);", "q = a + 2;", "q = &a[1];", "p = &t;", "p = &s;", "memcpy(&u, a, 8);",
			"memset(a, 5, 12);", "u.low = s.c;", "t = *(p == &s ? &s : &t);", "f = d;", "d = f * 3;", "h = h == help0 ? help1 : help0;",
			"x3 = h(x1, x2);", "memcpy(&t, &s, sizeof s);", "x1 = (s.f3 = 13);", "x2 = q - a;", "x3 = (u.bytes[2] = 300);", "x1 = sizeof(a) + sizeof m[0];"))
	case 9, 10:
		m.line("if (%s) {", m.integer(2))
		m.block(2, depth-1)
		if m.upTo(1) == 0 {
			m.line("} else {")
			m.block(2, depth-1)
		}
		m.line("}")
	case 11:
		m.labels++
		i := fmt.Sprintf("i%d", m.labels)
		m.line("for (int %s = 0; %s < %d; %s++) {", i, i, m.upTo(4), i)
		m.block(2, depth-1)
		if m.upTo(2) == 0 {
			m.line("  if (%s) %s;", m.integer(1), m.pick("continue", "break"))
			m.block(1, 0)
		}
		m.line("}")
	case 12:
		m.labels++
		i := fmt.Sprintf("i%d", m.labels)
		m.line("{ int %s = %d; %s {", i, m.upTo(3), m.pick("while ("+i+"-- > 0)", "do"))
		loop := strings.HasSuffix(strings.TrimSpace(m.b.String()), "do {")
		m.block(2, depth-1)
		if loop {
			m.line("} while (%s-- > 0); }", i)
		} else {
			m.line("} }")
		}
	case 13:
		m.line("switch (%s) {", m.pick(m.variable(), "x1 & 3", "(char)x2", m.integer(1)))
		// Values that are the same in any type of the tag, so that none is there twice.
		for _, k := range []string{"case 0:", "case 1 ... 3:", "default:", "case 100:"} {
			if m.upTo(3) > 0 {
				m.line("%s;", k)
				m.block(1, depth-1)
				if m.upTo(1) == 0 {
					m.line("  break;")
				}
			}
		}
		m.line("}")
	case 14:
		m.labels++
		l := m.labels
		m.line("if (%s) goto L%d;", m.integer(1), l)
		m.block(2, depth-1)
		m.line("L%d:;", l)
	case 15:
		m.line("%s = ({ int z = %s; %s; z + 1; });", m.place(), m.integer(1), m.pick("z ^= 3", "if (z) z--", "z = -z"))
	case 16:
		m.line("{ int v[(%s & 3) + 1]; v[0] = %s; %s = v[0] + sizeof v; }", m.integer(1), m.integer(1), m.place())
	default:
		m.line("{ struct S *r = &(struct S){.l = %s, .in = {%s}}; %s = r->l + r->in.x + r->f3; }", m.integer(1), m.integer(1), m.place())
	}
}

const randomPrelude = `
void *memcpy(void *, const void *, __SIZE_TYPE__);
void *memset(void *, int, __SIZE_TYPE__);
struct S { char c; unsigned f3 : 3; int g1 : 1; unsigned u20 : 20; long l; struct { int x; short y[3]; } in; _Bool b; };
union U { long long whole; unsigned char bytes[8]; short halves[4]; int low; };
static unsigned g1; static signed char g2; static long long g3;
static long help0(long x, int y) { return x * 3 - y; }
static long help1(long x, int y) { return y ? x ^ y : (signed char)x; }
static long help2(long x, int y) { if (y < 0) return x; return y & 8 ? help2(x + 1, -y) : help1(y, x); }
static struct S pass(struct S s, int n) { s.c += n; s.in.y[1] = s.in.x; return s; }
static unsigned long long mix(unsigned long long h, long long x) { return (h ^ x) * 1099511628211ull; }
static unsigned long long bits(double d) { unsigned long long r; memcpy(&r, &d, 8); return d != d ? 1 : r; }
`

// function is a function that returns a digest of all that its statements did.
func randomFunction(floats, narrow bool) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		m := &maker{t: t, floats: floats, narrow: narrow, locals: []string{"x1", "x2", "x3", "c1", "c2", "w1", "b1"}}
		for i, n := range []string{"int", "long", "unsigned", "char", "unsigned char", "unsigned short", "_Bool"} {
			m.line("%s %s = %s;", n, m.locals[i], m.literal())
		}
		m.line("int a[8] = {%s, %s, [5] = %s};", m.literal(), m.literal(), m.literal())
		m.line("int m[2][3] = {{1}, 2, 3};")
		m.line("struct S s = {.l = %s, .in.y = {1, 2}}, t = s, *p = &s;", m.literal())
		m.line("union U u = {%s}; int *q = a; long (*h)(long, int) = help2; double d = 0.7; float f = 1.1f;", m.literal())
		m.line("g1 = %s; g2 = 3; g3 = -4;", m.literal())
		for range 3 + m.upTo(8) {
			m.statement(2)
		}
		m.line("unsigned long long r = 14695981039346656037ull;")
		for _, e := range []string{
			"x1", "x2", "x3", "c1", "c2", "w1", "b1", "g1", "g2", "g3", "s.c", "s.f3", "s.g1", "s.u20", "s.l", "s.in.x", "s.in.y[1]", "s.b",
			"t.c", "t.f3", "t.l", "t.in.y[0]", "p == &s", "q - a", "u.whole", "h(1, 2)", "bits(d)", "bits(f)", m.integer(4), m.integer(4),
		} {
			m.line("r = mix(r, %s);", e)
		}
		m.line("for (int i = 0; i < 8; i++) r = mix(r, a[i]);")
		m.line("for (int i = 0; i < 6; i++) r = mix(r, (&m[0][0])[i]);")
		m.line("return r;")
		return m.b.String()
	})
}

// compileWithGCC compiles a program, and yields where the executable is.
func compileWithGCC(t *testing.T, text string, flags ...string) string {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("there is no gcc to compare with: ", err)
	}
	dir := t.TempDir()
	source, binary := filepath.Join(dir, "program.c"), filepath.Join(dir, "program")
	require.NoError(t, os.WriteFile(source, []byte(text), 0o600))
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	args := append([]string{"-std=gnu11", "-O0", "-fwrapv", "-fno-strict-aliasing", "-w", "-o", binary, source}, flags...)
	out, err := exec.CommandContext(ctx, gcc, args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return binary
}

// compileAndRun compiles a program with gcc and yields what it prints.
func compileAndRun(t *testing.T, text string, flags ...string) string {
	t.Helper()
	binary := compileWithGCC(t, text, flags...)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	var out strings.Builder
	err := harness.Run(ctx, binary, 0, &out)
	if errors.Is(err, harness.ErrNotRun) {
		t.Skip(err)
	}
	require.NoError(t, err)
	return out.String()
}

// exitCode compiles a program with gcc and yields how it exits.
func exitCode(t *testing.T, text string, flags ...string) int {
	t.Helper()
	binary := compileWithGCC(t, text, flags...)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	err := exec.CommandContext(ctx, binary).Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	require.NoError(t, err)
	return 0
}

// A run has the results of the program that gcc -fwrapv makes: random statements on integers of all types, floats, structs
// with bit-fields, unions, arrays and pointers, with all kinds of control flow.
func TestRandomProgramsAgreeWithGCC(t *testing.T) {
	const count = 70
	var b strings.Builder
	b.WriteString("#include <stdio.h>\n" + randomPrelude)
	bodies := functions(&b, count, 3, false)
	b.WriteString("int main(void) {\n")
	for i := range count {
		fmt.Fprintf(&b, "  printf(\"%%llu\\n\", f%d());\n", i)
	}
	b.WriteString("}\n")
	agree(t, b.String(), bodies, strings.Fields(compileAndRun(t, b.String())), c.LP64)
}

// functions writes random functions, of which one in so many has floats, and yields their bodies.
func functions(b *strings.Builder, count, floats int, narrow bool) []string {
	var bodies []string
	for i := range count {
		bodies = append(bodies, randomFunction(floats > 0 && i%floats == 0, narrow).Example(i))
		fmt.Fprintf(b, "unsigned long long f%d(void) {\n%s}\n", i, bodies[i])
	}
	return bodies
}

// agree compares what the functions of a program return with what is wanted.
func agree(t *testing.T, text string, bodies, want []string, model tree.Model) {
	require.Len(t, want, len(bodies))
	program := read(t, "random.c", text, model)
	for i := range bodies {
		got := returned(t, program, fmt.Sprintf("f%d", i))
		require.Equal(t, want[i], got, "f%d:\n%s", i, bodies[i])
	}
}

// withoutLibrary is what a program for i386 needs that no library is there for: it prints numbers in octal.
const withoutLibrary = `
void *memcpy(void *to, const void *from, __SIZE_TYPE__ n) {
  for (__SIZE_TYPE__ i = 0; i < n; i++) ((char *)to)[i] = ((const char *)from)[i];
  return to;
}
void *memset(void *to, int c, __SIZE_TYPE__ n) {
  for (__SIZE_TYPE__ i = 0; i < n; i++) ((char *)to)[i] = c;
  return to;
}
static void show(unsigned long long x) {
  char digits[24];
  int r;
  for (int i = 22; i >= 0; i--, x >>= 3) digits[i] = '0' + (x & 7);
  digits[23] = '\n';
  __asm__ volatile("int $0x80" : "=a"(r) : "a"(4), "b"(1), "c"(digits), "d"(24) : "memory");
}
`

// So it is where long and pointers have 32 bits, as far as gcc gets without a library.
func TestRandomProgramsAgreeWithGCC32(t *testing.T) {
	const count = 50
	var b strings.Builder
	b.WriteString(randomPrelude)
	bodies := functions(&b, count, 0, true)
	text := b.String()
	b.WriteString(withoutLibrary + "void _start(void) {\n")
	for i := range count {
		fmt.Fprintf(&b, "  show(f%d());\n", i)
	}
	b.WriteString("  __asm__ volatile(\"int $0x80\" : : \"a\"(1), \"b\"(0));\n}\n")
	printed := compileAndRun(t, b.String(), "-m32", "-msse2", "-mfpmath=sse", "-fno-builtin", "-nostdlib", "-static", "-fno-stack-protector", "-fno-pie")
	var want []string
	for _, digits := range strings.Fields(printed) {
		x, err := strconv.ParseUint(digits, 8, 64)
		require.NoError(t, err)
		want = append(want, strconv.FormatUint(x, 10))
	}
	agree(t, text, bodies, want, c.ILP32)
}
