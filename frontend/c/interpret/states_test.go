package interpret_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/interpret"
)

// Runs that come to a state that was seen end there, and others go on.
func TestStatesThatWereSeen(t *testing.T) {
	const prelude = "int ni(void); _Bool nb(void); void *malloc(unsigned long); void free(void *); void assume(int); void reach_error(void);\n"
	for _, test := range []struct {
		name, text string
		// runs is how many there are, and repeated how many of them come to a state that was seen; where it is 0, an error is found, and where
		// it is negative, undefined behaviour.
		runs, repeated int
	}{
		{"a count", `int main(void) { int s = 0; for (int i = 0; i < 9; i++) if (nb()) s++; if (s > 9) reach_error(); }`, 46, 36},
		{"a loop without an end", `int main(void) { int s = 0; while (1) { s = (s + 1) % 5; if (nb()) s = 0; if (s > 4) reach_error(); } }`, 7, 7},
		{"a value that is not read any more", `int main(void) { while (1) { int x = ni(); if (x > 5) x = 6; } }`, 3, 3},
		{"a value that is read in the next turn", `int main(void) { int x = 0; while (1) { if (x == 7) reach_error(); x = ni() & 7; } }`, 0, 0},
		{"a value that is read in the next turn but one", `int main(void) { int x = 0, y = 0; while (1) { if (y == 7) reach_error(); y = x; x = ni() & 7; } }`, 0, 0},
		{"a value that is read behind the loop", `int main(void) { int x = 0; while (nb()) x = ni() & 7; if (x == 7) reach_error(); }`, 0, 0},
		{"copies", `int main(void) { int x = 0; while (1) { if (x > 100) x = 0; else x = ni(); } }`, 2, 2},
		{"copies that differ in what they may be", `int main(void) { int x = 5; while (nb()) { x = ni(); if (x < 0 && nb()) x = 5; } if (x == 100) reach_error(); }`, 0, 0},
		{"copies of one and of two", `int main(void) { int x = 0, y = 0; for (int i = 0; i < 2; i++) { if (nb()) { x = ni(); y = x; } else { x = ni(); y = ni(); } } if (x != y) reach_error(); }`, 0, 0},
		{"in memory", `int main(void) { int a[3] = {0}; for (int i = 0; i < 3; i++) a[i] = nb(); for (int i = 0; i < 9; i++) if (nb()) a[i % 3] = 0; if (a[0] + a[1] + a[2] == 3) reach_error(); }`, 0, 0},
		{"through a pointer", `int main(void) { int x = 0, *p = &x; while (1) { if (*p == 3) reach_error(); int y = nb(); x = y ? (x + 1) & 3 : 0; } }`, 0, 0},
		{"allocated", `int main(void) { int *p = malloc(4); *p = 0; while (1) { if (*p == 3) reach_error(); *p = nb() ? (*p + 1) & 3 : 0; } }`, 0, 0},
		{"allocated elsewhere", `int *new(void) { int *p = malloc(4); *p = 1; return p; } int main(void) { int *p = new(); if (nb()) { int *q = new(); free(p); } for (int k = 0; k < 1; k++) {} int x = *p; }`, -1, 0},
		{"without a value", `int main(void) { int x[1]; x[0] = 0; for (int i = 0; i < 2; i++) { int y[1]; if (nb()) x[0] = y[0]; } if (x[0] == 5) reach_error(); }`, 0, 0},
		{"in a function", `int s; void step(void) { while (nb()) s = (s + 1) % 3; } int main(void) { while (1) { step(); if (s > 2) reach_error(); } }`, 8, 8},
		{"in functions that are called at two places", `int s; int step(void) { while (nb()) s = (s + 1) % 3; return s; } int main(void) { int x = step(); s = 0; int y = step(); if (x == 1 && y == 2) reach_error(); }`, 0, 0},
		{"in a function that is called in a sum", `int step(void) { int s = 0; for (int i = 0; i < 2; i++) if (nb()) s = 1; return s; } int main(void) { int x = nb() + 2 * step(); if (x == 3) reach_error(); }`, 0, 0},
		{"with arguments", `int step(int x) { int s = 0; while (nb()) s = (s + x) % 3; return s; } int main(void) { int x = step(nb() ? 1 : 2); if (x == 2) reach_error(); }`, 0, 0},
		{"the operand of a condition behind a call", `int s; int step(void) { while (nb()) s = (s + 1) % 3; return s; } int main(void) { int x = nb(); if (step() && x) reach_error(); }`, 0, 0},
		{"structs", `struct st { int x, y; }; int main(void) { struct st s = {0, 0}; while (nb()) { struct st r = s; r.x = nb(); r.y = s.x; s = r; } if (s.x && s.y) reach_error(); }`, 0, 0},
		{"relations", `int main(void) { int x = ni(), y = ni(); if (x < y) { while (nb()) {} if (x == 5 && y == 7) reach_error(); } }`, 0, 0},
		{"remainders", `int main(void) { int x = ni(); assume(x >= 0); if (x % 4 == 2) { while (nb()) {} } if (x == 6) reach_error(); }`, 0, 0},
		{"statement expressions", `int main(void) { int x = nb() + ({ int s = 0; for (int i = 0; i < 2; i++) if (nb()) s = 2; s; }); if (x == 3) reach_error(); }`, 0, 0},
		{"a variable that is written by its name and read through a pointer", `int main(void) { int x = 0, *p = &x; while (1) { if (*p == 7) reach_error(); x = ni() & 7; } }`, 0, 0},
		{"a variable that is computed from itself", `int main(void) { int x = nb(); for (int k = 0; k < 1; k++) {} x = x + 1; if (x == 2) reach_error(); }`, 0, 0},
		{"one call and another one", `int s; void step(void) { for (int k = 0; k < 2; k++) if (nb()) s = (s + 1) % 3; } int main(void) { step(); if (s == 2) reach_error(); s = 0; step(); }`, 0, 0},
		{"a call between two", `void step(void) { for (int k = 0; k < 1; k++) {} } int middle(int k) { step(); return k; } int main(void) { int x = middle(nb() ? 1 : 0); if (x == 1) reach_error(); }`, 0, 0},
		{"a value and none", `int main(void) { int x; if (!nb()) x = 0; for (int k = 0; k < 1; k++) {} if (x == 5) reach_error(); }`, 0, 0},
		{"a value and none in memory", `int main(void) { int x[1]; if (!nb()) x[0] = 0; for (int k = 0; k < 1; k++) {} if (x[0] == 5) reach_error(); }`, 0, 0},
		{"less and more values", `int main(void) { int x = ni(); assume(x >= 0); if (!nb()) assume(x < 50); for (int k = 0; k < 1; k++) {} if (x == 100) reach_error(); }`, 0, 0},
		{"some remainders and all", `int main(void) { int x = ni(); assume(x >= 0); if (!nb()) { if (x % 4 != 0) return 0; } for (int k = 0; k < 1; k++) {} if (x == 6) reach_error(); }`, 0, 0},
		{"as many turns as are given", `int main(void) { int n = ni(), s = 0; while (n > 0) { n--; s = (s + 1) % 3; if (s > 2) reach_error(); } }`, 5, 1},
		{"counted down in a test", `int main(void) { int n = ni(), s = 0; if (n < 0) return 0; while (n-- != 0) { s = nb() ? 0 : (s + 1) % 3; if (s > 2) reach_error(); } if (s == 2) reach_error(); }`, 0, 0},
		{"more values later", `int main(void) { int n = ni(); if (n < 0 || n > 3) return 0; while (nb()) { n = ni(); if (n < 0 || n > 9) return 0; } if (n == 7) reach_error(); }`, 0, 0},
		{"less values later", `int main(void) { int n = ni(); if (n < 0 || n > 9) return 0; while (nb()) { n = ni(); if (n < 0 || n > 3) return 0; } if (n == 10) reach_error(); }`, 9, 1},
		{"multiples", `int main(void) { int x = ni(); assume(x >= 0 && x < 50); int y = nb() ? 3 * x : 2 * x; for (int k = 0; k < 1; k++) {} if (y == 147) reach_error(); }`, 0, 0},
		{"residues that are told by their ranges", `int main(void) { int x = ni(), z = ni(); assume(x >= 0 && x < 20 && z >= 0 && z < 20); unsigned char r = 16 * x + 16 * z; int y = r; if (nb()) { unsigned char q = r + 16; y = q - 16; } for (int k = 0; k < 1; k++) {} if (y == -16) reach_error(); }`, 0, 0},
		{"residues that are not told by their ranges", `int main(void) { int x = ni(), z = ni(); assume(x >= 0 && x < 20 && z >= 0 && z < 20); unsigned char a = 16 * x, b = 16 * z, c = 16 * x + 32 * z, d = 240 * z; int y = nb() ? c + d : a + b; for (int k = 0; k < 1; k++) {} if (x == 0 && z == 1 && y == 272) reach_error(); }`, 0, 0},
		{"gotos", `int main(void) { int s = 0; again: if (s == 3) reach_error(); if (nb()) { s = (s + 1) % 4; goto again; } s = 0; goto again; }`, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := everyRun(t, prelude+test.text, interpret.Options{EndAtOverflow: true}, everyLimits)
			if test.runs < 0 {
				require.Equal(t, interpret.Undefined, found.Outcome.Kind, "%+v", found)
				return
			}
			if test.runs == 0 {
				require.Equal(t, interpret.ErrorReached, found.Outcome.Kind, "%+v", found)
				return
			}
			require.True(t, found.All, "%+v", found)
			require.Equal(t, test.runs, found.Runs, "%+v", found)
			require.Equal(t, test.repeated, found.Repeated, "%+v", found)
		})
	}
}

// turner writes programs with loops whose turns choose what they do.
type turner struct {
	*chooser
	loops int
}

func (m *turner) variable() string { return rapid.SampledFrom(m.vars).Draw(m.t, "variable") }

// given is what is asked for.
func (m *turner) given() string {
	return m.pick("in()", "in() & 3", "bo()", "bo()", "2 * bo()", "bo() ? 3 : 1", "1")
}

// small is a condition on variables.
func (m *turner) small() string {
	return fmt.Sprintf("%s %s %s", m.variable(), m.pick("<", ">", "==", "!="), m.pick("0", "1", "2", "5", m.variable()))
}

func (m *turner) braces(head string, body func()) {
	outer, vars := m.indent, len(m.vars)
	m.line("%s {", head)
	m.indent += "\t"
	body()
	m.vars, m.indent = m.vars[:vars], outer
	m.line("}")
}

func (m *turner) turn() {
	switch k := rapid.IntRange(0, 15).Draw(m.t, "turn"); {
	case k <= 1:
		m.line("%s = %s;", m.variable(), m.given())
	case k == 2:
		m.line("%s = (%s + %s) & 3;", m.variable(), m.variable(), m.pick("1", "2", m.variable()))
	case k == 3:
		m.line("%s = %s;", m.variable(), m.variable())
	case k == 4:
		m.line("a[%s] = %s;", m.pick("0", "1", "2"), m.variable())
	case k == 5:
		m.line("%s = a[%s];", m.variable(), m.pick("0", "1", "2"))
	case k == 6:
		m.line("%s", strings.ReplaceAll(m.pick("s.x = $;", "s.y = $ & 7;", "r = s;", "s = r;", "$ = r.x;", "$ = s.y;"), "$", m.variable()))
	case k == 7:
		m.line("%s = %s(%s);", m.variable(), m.pick("some", "least"), m.variable())
	case k == 8:
		m.line("%s(&%s);", m.pick("turn", "set"), m.variable())
	case k == 9:
		name := fmt.Sprintf("v%d", m.marks)
		m.marks++
		m.line("int %s%s;", name, m.pick("", " = "+m.given(), " = "+m.variable(), " = some("+m.variable()+")"))
		m.vars = append(m.vars, name)
	case k == 10:
		m.line("if (%s) %s;", m.small(), m.pick("continue", "break"))
	case k == 11:
		m.line("%s", m.pick("if (!p) p = malloc(4), *p = 0;", "if (p) *p = "+m.variable()+";", "if (p) "+m.variable()+" = *p;"))
	case m.nesting < 2 && k <= 13:
		m.nesting++
		m.braces("if ("+m.pick("bo()", m.small(), "least("+m.variable()+") && "+m.small())+")", m.turn)
		m.braces("else", m.turn)
		m.nesting--
	case m.loops < 2 && k == 14:
		m.loops++
		m.braces("while (bo())", m.turn)
	}
}

// What any values lead to is found, however many states are the same on the way there.
func TestStatesThatWereSeenAreTheSame(tt *testing.T) {
	rapid.Check(tt, func(t *rapid.T) {
		m := &turner{chooser: &chooser{t: t, indent: "\t\t", vars: []string{"x", "y", "z", "g"}}}
		for range rapid.IntRange(2, 6).Draw(t, "statements") {
			m.turn()
		}
		turns := m.pick("3", "4", "6")
		program := func(trace uint32) string {
			return "_Bool bo(void); int in(void); void *malloc(unsigned long); void reach_error(void);\n" +
				"struct st { int x; short y; } s, r;\nint a[3], g, *p;\n" +
				"int some(int x) { int n = 0; for (int i = 0; i < 2; i++) { if (x > i && bo()) n++; } return n; }\n" +
				"int least(int x) { while (x > 0 && bo()) x = x & 1; return x; }\n" +
				"void turn(int *to) { int was = *to; while (bo()) *to = (*to + was) & 3; }\nvoid set(int *to) { int n[2]; n[0] = in() & 3; n[1] = *to; *to = n[bo()]; }\n" +
				"int main(void) {\n\tint x = 0, y = 1, z = 2;\n\tfor (int i = 0; i < " + turns + "; i++) {\n" + m.b.String() + "\t}\n" +
				"\tunsigned trace = ((((x * 31u + y) * 31u + z) * 31u + g) * 31u + a[0]) * 31u + a[1];\n\ttrace = ((trace * 31u + a[2]) * 31u + s.x) * 31u + s.y + r.x * 3u + (p ? *p + 1u : 0u) * 5u;\n" +
				fmt.Sprintf("\tif (trace == %du) reach_error();\n\treturn 0;\n}\n", trace)
		}
		values := rapid.SliceOfN(rapid.SampledFrom([]int64{1, 3, 0, 2, 1, 1}), 8, 40).Draw(t, "values")
		var trace uint32
		at := 0
		choices := chooseFunc(func(q interpret.Question) (interpret.Value, error) {
			at++
			if at > len(values) {
				return interpret.Int(0), nil
			}
			return interpret.Int(values[at-1]), nil
		})
		text := program(0)
		_, err := prepare(tt, text, c.LP64, interpret.Options{Steps: 5000}).Run(context.Background(), choices, func(e interpret.Event) {
			if e.Target == "trace" {
				trace = uint32(e.Value.Bits())
			}
		})
		require.NoError(t, err)
		if trace == 0 {
			t.Skip("the run did not come to an end")
		}
		l := everyLimits
		l.Steps = 3_000_000
		found, err := interpret.EveryRun(context.Background(), read(tt, "test.c", program(trace), c.LP64), interpret.Options{}, l)
		require.NoError(t, err, program(trace))
		require.False(t, found.All, "%s\nfor %v: %+v", program(trace), values, found)
	})
}
