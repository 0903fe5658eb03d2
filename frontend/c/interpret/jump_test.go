package interpret_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/interpret"
)

// loopMaker writes functions of nested loops that count.
type loopMaker struct {
	t *rapid.T
	b strings.Builder
	// depth is how many loops are around, whose counters are not changed otherwise, so that most end.
	depth int
	// jumps says that the innermost one is made of a jump, which no break leaves.
	jumps bool
}

func (m *loopMaker) pick(options ...string) string {
	return rapid.SampledFrom(options).Draw(m.t, "pick")
}
func (m *loopMaker) upTo(n int) int { return rapid.IntRange(0, n).Draw(m.t, "n") }

func (m *loopMaker) variable() string { return m.pick("x", "y", "z", "g", "h") }

func (m *loopMaker) constant() string {
	return m.pick("0", "1", "2", "3", "5", "10", "17", "100", "120", "127", "200", "255", "(-1)", "(-7)", "300")
}

// leaf is a variable, the counter of a loop, or a constant.
func (m *loopMaker) leaf() string {
	switch k := m.upTo(9); {
	case k < 4:
		return m.variable()
	case k < 7 && m.depth > 0:
		return fmt.Sprintf("i%d", m.upTo(m.depth-1))
	case k < 8:
		// What is read from most places is the same.
		i := m.variable()
		if m.depth > 0 {
			i = fmt.Sprintf("i%d", m.upTo(m.depth-1))
		}
		return m.pick(fmt.Sprintf("t[(unsigned char)%s]", i), fmt.Sprintf("u[(unsigned char)%s & 7][(unsigned char)%s]", i, m.variable()))
	}
	return m.constant()
}

func (m *loopMaker) sum() string {
	switch m.upTo(11) {
	case 0, 1, 2, 3:
		return m.leaf()
	case 4, 5:
		return fmt.Sprintf("(%s %s %s)", m.leaf(), m.pick("+", "-"), m.leaf())
	case 6:
		return fmt.Sprintf("(%s * %s)", m.leaf(), m.pick("2", "3", "-1", m.leaf()))
	case 7:
		return fmt.Sprintf("(%s %s %s)", m.leaf(), m.pick("/", "%", ">>", "<<"), m.pick("1", "2", "3", "7"))
	case 8:
		return fmt.Sprintf("(%s %s %s)", m.leaf(), m.pick("&", "|", "^"), m.pick("1", "3", "255", "4", m.leaf()))
	case 9:
		return fmt.Sprintf("(%s)%s", m.pick("char", "unsigned char", "short", "unsigned", "long", "_Bool"), m.leaf())
	case 10:
		return fmt.Sprintf("(%s ? %s : %s)", m.condition(), m.leaf(), m.leaf())
	}
	return fmt.Sprintf("%s%s", m.pick("-", "~", "!"), m.leaf())
}

func (m *loopMaker) condition() string {
	c := fmt.Sprintf("%s %s %s", m.sum(), m.pick("<", "<=", ">", ">=", "==", "!="), m.leaf())
	switch m.upTo(7) {
	case 0:
		return fmt.Sprintf("(%s && %s %s %s)", c, m.leaf(), m.pick("<", "!=", "=="), m.leaf())
	case 1:
		return fmt.Sprintf("(%s || %s %s %s)", c, m.leaf(), m.pick(">", "!=", "=="), m.leaf())
	case 2:
		return fmt.Sprintf("%s - %s", m.leaf(), m.leaf())
	}
	return c
}

func (m *loopMaker) block(loops int) {
	for range 1 + m.upTo(2) {
		m.statement(loops)
	}
}

func (m *loopMaker) statement(loops int) {
	switch k := m.upTo(13); {
	case k < 3:
		fmt.Fprintf(&m.b, "%s %s %s;\n", m.variable(), m.pick("+=", "-=", "="), m.pick("1", "2", "5", "100", m.leaf()))
	case k < 4:
		fmt.Fprintf(&m.b, "%s%s;\n", m.variable(), m.pick("++", "--"))
	case k < 5:
		fmt.Fprintf(&m.b, "%s = %s;\n", m.variable(), m.sum())
	case k < 6:
		fmt.Fprintf(&m.b, "%s = step(%s);\n", m.variable(), m.leaf())
	case k < 8:
		fmt.Fprintf(&m.b, "if (%s) {\n", m.condition())
		m.block(0)
		if m.upTo(1) == 0 {
			m.b.WriteString("} else {\n")
			m.block(0)
		}
		m.b.WriteString("}\n")
	case k < 9 && m.depth > 0:
		ways := []string{"stop()", "return x", "break", "continue"}
		if m.jumps {
			ways = ways[:2]
		}
		fmt.Fprintf(&m.b, "if (%s) %s;\n", m.condition(), m.pick(ways...))
	case loops > 0:
		i := fmt.Sprintf("i%d", m.depth)
		t := m.pick("unsigned char", "signed char", "int", "unsigned", "short", "long", "unsigned long")
		m.depth++
		outer := m.jumps
		m.jumps = false
		switch m.upTo(4) {
		case 0, 1:
			fmt.Fprintf(&m.b, "for (%s %s = %s; %s < %s; %s++) {\n", t, i, m.pick("0", "1", "5"), i, m.pick("40", "100", "126", m.leaf()), i)
			m.block(loops - 1)
			m.b.WriteString("}\n")
		case 2:
			fmt.Fprintf(&m.b, "{ %s %s = %s; while (%s %s %s) { %s -= %s;\n", t, i, m.pick("100", "90", m.variable()), i, m.pick(">", ">=", "!="), m.pick("0", "1"), i, m.pick("1", "3"))
			m.block(loops - 1)
			m.b.WriteString("} }\n")
		case 3:
			fmt.Fprintf(&m.b, "{ %s %s = 0; do {\n", t, i)
			m.block(loops - 1)
			fmt.Fprintf(&m.b, "%s++; } while (%s); }\n", i, m.condition())
		case 4:
			again := fmt.Sprintf("again%d", m.b.Len())
			fmt.Fprintf(&m.b, "{ %s %s = 0; %s: if (%s %s) { %s += %s;\n", t, i, again, i, m.pick("< 60", "!= 90", "<= 124"), i, m.pick("1", "2"))
			m.jumps = true
			m.block(loops - 1)
			fmt.Fprintf(&m.b, "goto %s; } }\n", again)
		}
		m.depth--
		m.jumps = outer
	default:
		fmt.Fprintf(&m.b, "%s;\n", m.pick("g++", "x += y", "h = x", "t[(unsigned char)x] = 3"))
	}
}

// loopProgram is a program of nested loops.
func loopProgram(t *rapid.T) string {
	m := &loopMaker{t: t}
	types := []string{"unsigned char", "signed char", "short", "int", "unsigned", "long", "unsigned long", "_Bool"}
	of := func() string { return rapid.SampledFrom(types).Draw(t, "type") }
	fmt.Fprintf(&m.b, "void reach_error(void); void abort(void);\n%s g = 3; %s h;\n", of(), of())
	fmt.Fprintf(&m.b, "%s t[256]; short u[8][256] = {{1}, {1, [77] = 3}};\n", of())
	m.b.WriteString("void stop(void) { if (g > 50) reach_error(); h++; }\n")
	fmt.Fprintf(&m.b, "%s step(%s p) { if (p > %s) return p - 1; g += 1; return p; }\n", of(), of(), m.constant())
	fmt.Fprintf(&m.b, "unsigned long test(void) { %s x = %s; %s y = %s; %s z = 0;\n", of(), m.constant(), of(), m.constant(), of())
	fmt.Fprintf(&m.b, "for (int i = 0; i < 256; i++) t[i] = %s; t[%s] = 1;\n", m.constant(), m.pick("0", "50", "99", "255"))
	for range 1 + m.upTo(1) {
		m.statement(0)
		m.block(3)
	}
	m.b.WriteString("return ((((unsigned long)x * 31 + y) * 31 + z) * 31 + g) * 31 + h; }\n")
	m.b.WriteString("int main(void) { unsigned long r = test(); return r % 251; }\n")
	return m.b.String()
}

// end is how a run of a program ends, and what test has returned.
func end(t require.TestingT, p *interpret.Program) (out interpret.Outcome, result string) {
	out, err := p.Run(context.Background(), interpret.NewScript(), func(e interpret.Event) {
		if e.Kind == interpret.Returned && e.Function.Name == "test" {
			result = e.Value.String()
		}
	})
	require.NoError(t, err)
	return out, result
}

// A run that leaves turns out ends as one that executes all of them, with the same values.
func TestTurnsThatAreLeftOut(t *testing.T) {
	var left, runs int
	rapid.Check(t, func(t *rapid.T) {
		text := loopProgram(t)
		o := rapid.SampledFrom([]interpret.Options{
			{}, {}, {EndAtOverflow: true}, {Faults: fault.Of(fault.Overflow)}, {Faults: fault.Of(fault.Conversion, fault.Overflow)},
			{Faults: fault.Of(fault.UnsignedOverflow)}, {Faults: fault.Of(fault.Dereference, fault.Assertion)},
		}).Draw(t, "options")
		o.Steps, o.EveryTurn = 300_000, true
		source, err := c.Read(context.Background(), "test.c", []byte(text), c.Options{Model: c.LP64})
		require.NoError(t, err, text)
		all, err := interpret.New(source, o)
		require.NoError(t, err)
		want, result := end(t, all)
		if want.Kind == interpret.LimitReached {
			return
		}
		o.EveryTurn, o.Steps = false, 1<<40
		for _, compared := range []bool{false, true} {
			some, err := interpret.New(source, o)
			require.NoError(t, err)
			some.Soon(compared)
			got, same := end(t, some)
			require.Equal(t, want.String(), got.String(), text)
			require.Equal(t, result, same, text)
			if runs++; got.Skipped > 0 {
				left++
			}
		}
	})
	require.Greater(t, left, runs/10, "turns are left out")
}

// Loops that no run could execute turn by turn are executed.
func TestLongLoops(t *testing.T) {
	const declared = "void reach_error(void);\n"
	for _, body := range []string{
		`unsigned x = 10; while (x >= 10) x += 2; if (x % 2 == 0) reach_error();`,
		`unsigned long n = 0; for (int i = 0; i < 2000000000; i++) for (int j = i; j < 2000000000; j++) n = 1; if (n) reach_error();`,
		`unsigned a, b, c; for (a = 0; a < 0xfffffffe; ++a) for (b = 0; b < 0xfffffffe; ++b) for (c = 0; c < 0xfffffffe; ++c)
		 if (a == b && b == c && c == 0xfffffffd) reach_error();`,
		`int x = 0, y = 0; while (x < 1000000000) { if (x < 500000000) y++; else y--; x++; } if (y == 0) reach_error();`,
		`signed char c = 1; unsigned n = 0; do { n++; c = -c; c = -c; } while (n); reach_error();`,
		`long x = 0, y = 5; for (long i = -50000000000; i < 50000000000; i++) { x++; y -= 2; } if (x == 100000000000 && y == -199999999995) reach_error();`,
		`int k = 0; for (int i = 0; i < 1000000000; i++) { k = i; if (k > 999999998) reach_error(); }`,
	} {
		text := declared + strings.ReplaceAll("int main(void) { BODY return 0; }\n", "BODY", body)
		for _, compared := range []bool{false, true} {
			p := prepare(t, text, c.LP64, interpret.Options{})
			if !compared {
				p.Soon(false)
			}
			out, err := p.Run(context.Background(), interpret.NewScript(), nil)
			require.NoError(t, err)
			require.Equal(t, interpret.ErrorReached, out.Kind, "%s: %s", body, out)
			require.Greater(t, out.Skipped, int64(1_000_000))
		}
	}
}

// A run in which too many turns are left out, or turns that do something else, does not count.
func TestTurnsAreCompared(t *testing.T) {
	for _, value := range []bool{false, true} {
		p := prepare(t, "void reach_error(void); int main(void) { int i = 0, j = 0; while (i < 100000) { i++; if (i > 1000) j = 5; } if (j == 5) reach_error(); }", c.LP64, interpret.Options{})
		out, err := p.Run(context.Background(), interpret.NewScript(), nil)
		require.NoError(t, err)
		require.Equal(t, interpret.ErrorReached, out.Kind, out.String())
		p.Wrong(value)
		out, err = p.Run(context.Background(), interpret.NewScript(), nil)
		require.NoError(t, err)
		require.Equal(t, interpret.Undetermined, out.Kind, out.String())
	}
}

// What is left out is told.
func TestSkippedIsTold(t *testing.T) {
	p := prepare(t, "int main(void) { unsigned i;\nfor (i = 0; i < 1000000; i++) ;\nreturn 0; }", c.LP64, interpret.Options{})
	var told int64
	out, err := p.Run(context.Background(), interpret.NewScript(), func(e interpret.Event) {
		if e.Kind == interpret.Skipped {
			require.Equal(t, 2, e.Node.Pos().Line)
			told += e.Turns
		}
	})
	require.NoError(t, err)
	require.Equal(t, out.Skipped, told)
	require.Greater(t, told, int64(990_000))
	require.Less(t, told, int64(1_000_000))
}
