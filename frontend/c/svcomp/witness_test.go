package svcomp_test

import (
	"bytes"
	"context"
	"hornbeam/frontend/c/fault"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/lower"
	"hornbeam/frontend/c/proof"
	"hornbeam/frontend/c/svcomp"
	"hornbeam/frontend/c/tree"
	"hornbeam/internal/smt/z3"
	"hornbeam/verify"
)

const reach = "CHECK( init(main()), LTL(G ! call(reach_error())) )"

func metadata(text string) svcomp.Metadata {
	return svcomp.Metadata{
		Files: []svcomp.File{{Name: "dir/1e5.c", Text: []byte(text)}}, Property: reach, Model: "ILP32", Version: "1.0", Created: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	}
}

// violation is the witness of a run of the program that random answers find, or that the given ones are.
func violation(t *testing.T, text string, answers interpret.Choices) []byte {
	t.Helper()
	ctx := context.Background()
	p, err := c.Read(ctx, "dir/1e5.c", []byte(text), c.Options{Model: c.ILP32})
	require.NoError(t, err)
	runner, err := interpret.New(p, interpret.Options{})
	require.NoError(t, err)
	if answers == nil {
		found, err := runner.Explore(ctx, interpret.Search{Seed: 1, Runs: 20000})
		require.NoError(t, err)
		require.NotNil(t, found.Script)
		answers = found.Script
	}
	v := &svcomp.Violation{}
	outcome, err := runner.Run(ctx, answers, v.Observe)
	require.NoError(t, err)
	require.Equal(t, interpret.ErrorReached, outcome.Kind, outcome.String())
	out, err := v.Document(metadata(text))
	require.NoError(t, err)
	return out
}

// answers are given one after the other.
type answers []int64

func (a *answers) Choose(interpret.Question) (interpret.Value, error) {
	if len(*a) == 0 {
		return interpret.Int(0), nil
	}
	x := (*a)[0]
	*a = (*a)[1:]
	return interpret.Int(x), nil
}

// What was chosen is assumed where the next statement begins, tests are at their keywords, and the target is the call.
func TestViolation(t *testing.T) {
	text := `extern int nondet(void);
extern void reach_error(void);
int g;
int check(int c) {
  if (!c)
    reach_error();
  return c;
}
int main(void) {
  int x = nondet(), n = 0;
  unsigned u;
  u = nondet();
  g = nondet();
  do { n++; } while (n < 2);
  for (int i = 0; i < 1; i++)
    while (n > 1) n--;
  switch (x) { case 7: n = 5; break; default: n = 6; }
  if (nondet())
    check(n != 5);
  return 0;
}
`
	content := rules{t}.witness(violation(t, text, &answers{7, -1, -2147483648, 1}), "violation_sequence")
	require.Equal(t, `assumption 11:- main x == 7
assumption 13:3 main u == 4294967295U
assumption 14:8 main g == (-2147483647 - 1)
branching 15:3 main true
branching 16:5 main true
branching 16:5 main false
branching 15:3 main false
branching 17:3 main 7
function_return 18:14 main \result == 1
branching 18:3 main true
branching 5:3 check true
target 6:5 check
`, brief(content))
}

// What no variable gets is told where its call ends, in the order of the run.
func TestUnnamedValues(t *testing.T) {
	text := `extern int nondet(void);
extern unsigned long long wide(void);
extern void reach_error(void);
static void check(int a, unsigned long long b) { if (a == 3 && b > 9) reach_error(); }
int main(void) {
  int a[2], x;
  a[1] = nondet();
  x = 1; check(nondet(), wide ( ));
  return nondet() + x;
}
`
	content := rules{t}.witness(violation(t, text, &answers{6, 3, 10}), "violation_sequence")
	require.Equal(t, `function_return 7:17 main \result == 6
function_return 8:23 main \result == 3
function_return 8:33 main \result == 10ULL
branching 4:50 check true
target 4:71 check
`, brief(content))
}

// Nothing is assumed about what cannot be named where it would be, or was changed before: that is told by what calls return.
func TestNamesOutOfScope(t *testing.T) {
	text := `extern int nondet(void);
extern void reach_error(void);
int main(void) {
  int y = 1;
  { int x = nondet(); }
  y = 2;
  { int y = nondet(); }
  y = 3;
  for (int z = nondet(); z > 4; z++)
    reach_error();
}
int late;
`
	content := rules{t}.witness(violation(t, text, &answers{7, 8, 9}), "violation_sequence")
	require.Equal(t, `function_return 5:20 main \result == 7
function_return 7:20 main \result == 8
function_return 9:23 main \result == 9
branching 9:3 main true
target 10:5 main
`, brief(content))
}

// A test that is evaluated again, or that chose itself, is no place before which something can be assumed.
func TestTestsThatChoose(t *testing.T) {
	text := `extern int nondet(void);
extern void reach_error(void);
int x, y;
int main(void) {
  while (x < 3) {
    x = nondet();
  }
  if ((x = nondet()) > 4)
    y = nondet();
  if (y++ > 3)
    y = 1;
  for (x = nondet(), y = nondet(); y > 0; y = nondet())
    y = 7;
  reach_error();
}
`
	content := rules{t}.witness(violation(t, text, &answers{2, 3, 5, 6, -1, 4, 0}), "violation_sequence")
	require.Equal(t, `branching 5:3 main true
function_return 6:16 main \result == 2
branching 5:3 main true
function_return 6:16 main \result == 3
branching 5:3 main false
function_return 8:19 main \result == 5
branching 8:3 main true
function_return 9:16 main \result == 6
branching 10:3 main true
function_return 12:19 main \result == -1
function_return 12:33 main \result == 4
branching 12:3 main true
function_return 12:54 main \result == 0
branching 12:3 main false
target 14:3 main
`, brief(content))
}

// What a macro stands for has no place of its own: of waypoints only the target is there.
func TestMacros(t *testing.T) {
	text := `extern int nondet(void);
extern void reach_error(void);
#define ASK nondet()
#define GET(x) x = ASK; x += 1
#define CHECK(c) if (!(c)) reach_error()
int main(void) {
  int x, y = 0, z;
  GET(x);
  z = ASK;
  if (x) y = 1;
  CHECK(y != 1);
}
`
	content := rules{t}.witness(violation(t, text, &answers{3, 4}), "violation_sequence")
	require.Equal(t, "assumption 10:3 main z == 4\nbranching 10:3 main true\ntarget 11:3 main\n", brief(content))
}

// The same run gives the same witness; the time counts for its number.
func TestNumbers(t *testing.T) {
	text := "extern void reach_error(void); int main(void) { reach_error(); }"
	first := violation(t, text, nil)
	require.Equal(t, string(first), string(violation(t, text, nil)))
	require.Contains(t, string(first), "\"2.0\"")
	require.Equal(t, "target 1:49 main\n", brief(rules{t}.witness(first, "violation_sequence")))
}

// A run that reaches no error has no witness.
func TestNoViolation(t *testing.T) {
	_, err := (&svcomp.Violation{}).Document(metadata(""))
	require.Error(t, err)
}

// Every unsafe example has a witness that is as the format wants it.
func TestExamplesAreAsTheFormatWants(t *testing.T) {
	files, err := filepath.Glob("../../../examples/c/*-unsafe.c")
	require.NoError(t, err)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		if !bytes.Contains(text, []byte("// model: LP64")) {
			rules{t}.witness(violation(t, string(text), nil), "violation_sequence")
		}
	}
}

// A program without loops has nothing to say.
func TestNoInvariants(t *testing.T) {
	out, err := svcomp.Correctness(metadata(""), nil)
	require.NoError(t, err)
	require.Empty(t, rules{t}.witness(out, "invariant_set"))
	require.Contains(t, string(out), "content: []")
}

// proved decides a program, which has to be safe, and returns what is known of its loops.
func proved(t *testing.T, mode lower.Mode, engines, text string) []svcomp.Invariant {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	o, err := verify.NewOptions(map[string]string{"bits": mode.String(), "int": "wrap", "explore": "0", "32": "true"})
	require.NoError(t, err)
	r, err := verify.Program(ctx, verify.Request{
		File: "dir/1e5.c", Source: []byte(text), Language: engine.C, Options: o,
		Solver: portfolio.Request{Engine: engines, Check: true, Open: z3.Open, Stats: engine.NewStats(), Simplify: time.Second},
	})
	require.NoError(t, err)
	require.Equal(t, engine.Sat, r.Verdict, r.Reason)
	e := r.C.Evidence
	invariants, _ := svcomp.Invariants(context.Background(), proof.Proof{Program: r.C.Tree, Translation: e.Translation, Encoding: e.Encoding, Model: e.Model}, []svcomp.File{{Name: "dir/1e5.c", Text: []byte(text)}})
	return invariants
}

var loops = map[string]string{
	"for":        `int main(void) { int n = nondet(), s = 0; if (n < 0 || n > 1000) return 0; for (int i = 0; i < n; i++) s++; if (s != n) reach_error(); return 0; }`,
	"while":      `unsigned g; int main(void) { int n = nondet(); while (n > 0) { n--; if (g < 100) g++; } if (g > 100) reach_error(); return 0; }`,
	"goto":       `int main(void) { int x = 0; L: x++; if (x < 100) goto L; if (x != 100) reach_error(); return 0; }`,
	"do":         `int main(void) { int x = 0, y = 0; do { x++; y += 2; } while (x < 50); if (y != 100) reach_error(); return 0; }`,
	"nested":     `int f(int n) { int i = 0; while (i < n) i++; return i; } int main(void) { int k = nondet(); if (k < 1 || k > 20) return 0; int t = 0; for (int j = 0; j < 3; j++) { int k = f(j + 1); if (k != j + 1) t = 1; } if (t) reach_error(); return 0; }`,
	"array":      `int a[10]; int main(void) { for (int i = 0; i < 10; i++) a[i] = 7; int n = nondet(); if (n >= 0 && n < 10 && a[n] != 7) reach_error(); return 0; }`,
	"struct":     `struct p { int x; unsigned char c; } v; int main(void) { v.x = 0; while (nondet()) if (v.x < 10) { v.x++; v.c = 3; } if (v.x > 10 || v.c > 3) reach_error(); return 0; }`,
	"rem":        `int main(void) { unsigned n = 0; while (nondet()) n = (n + 2) & 255; if (n % 2 != 0) reach_error(); return 0; }`,
	"long":       `int main(void) { unsigned long long u = 5; long long s = 1; while (nondet()) { if (u < 18446744073709551000ULL) u += 3; if (s < 4) s++; } if (u < 5 || s > 4) reach_error(); return 0; }`,
	"pointer":    `int x; int main(void) { int *p = 0; int i = 0; while (nondet()) { if (i < 3) i++; p = &x; } if (p != 0 && i == 0) reach_error(); return 0; }`,
	"by pointer": `void fill(int *a, int n) { for (int i = 0; i < n; i++) { a[i] = 5; a[0] = 5; } } int main(void) { int b[3]; b[0] = 5; fill(b, 3); if (b[0] != 5) reach_error(); return 0; }`,
	"through":    `struct s { int n, d; }; void up(struct s *s, int *p) { while (nondet()) { if (s->n < 9) s->n++; *p = 4; } } int main(void) { struct s s = {0, 2}; int x = 4; up(&s, &x); if (s.n > 9 || x != 4) reach_error(); return 0; }`,
	"memory":     `struct s { int n, d; } s, t; int k; int *p; int main(void) { int i = 0; p = &k; if (nondet()) p = &s.d; while (nondet()) { if (s.n < 7) s.n++; if (*p < 3) (*p)++; if (i < 5) i++; } if (s.n > 7 || k > 3 || s.d > 3) reach_error(); return 0; }`,
	"cells":      `int a[4], b[4]; int main(void) { int *p = nondet() ? a : b; for (int i = 0; i < 4; i++) p[i] = i; while (nondet()) if (p[2] < 8) p[2]++; if (a[2] > 8 || b[2] > 8) reach_error(); return 0; }`,
	"grid":       `int m[3][4]; int main(void) { for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) m[i][j] = i; if (m[2][1] != 2) reach_error(); return 0; }`,
	"negative":   `int main(void) { int n = 0; while (nondet()) { if (n > -1000) n -= 3; } if (n % 3 != 0) reach_error(); return 0; }`,
	"allbv":      `int main(void) { unsigned x = 5; unsigned char c = 1; while (nondet()) { x = (x ^ 2) | 5; c = c << 1 | 1; } if ((x & 5) != 5 || !(c & 1)) reach_error(); return 0; }`,
	"allbv sign": `int main(void) { int x = -1; signed char c = -3; while (nondet()) { x = x >> 1; if (c < 100) c++; } if (x >= 0 || c > 100 || c < -3) reach_error(); return 0; }`,
	"cexg":       `int main(void) { int x = nondet() & 7, n = 0; while (nondet()) { x = x ^ 1; if (n < 5) n++; } if (x & 8 || n > 5) reach_error(); return 0; }`,
	"unreached":  `int main(void) { int x = 1; if (x == 0) { while (x < 5) x++; if (x == 7) reach_error(); } return 0; }`,
}

// expected is what has to be said, where the proof needs it.
var expected = map[string]string{"struct": "v.x <= 10", "while": "(long long)g <= 100LL", "goto": "x < 100", "unreached": "0", "cells": "b[2] <= 8",
	"negative": "((n % 3 + 3) % 3) == 0", "allbv sign": "(-1) == x"}

// instrument makes the program call check with each invariant where that has to hold.
func instrument(t *testing.T, text string, invariants []svcomp.Invariant) string {
	t.Helper()
	type insertion struct {
		at   int
		text string
	}
	var insertions []insertion
	for _, i := range invariants {
		require.Equal(t, 1, i.Pos.Line)
		at := i.Pos.Column - 1
		rest := text[at:]
		call := "check((" + i.Text + ") != 0)"
		switch {
		case !i.Loop:
			insertions = append(insertions, insertion{at, call + "; "})
			require.False(t, strings.HasPrefix(rest, "while") || strings.HasPrefix(rest, "for"), rest)
		case strings.HasPrefix(rest, "while"):
			insertions = append(insertions, insertion{at + strings.Index(rest, "(") + 1, call + ", "})
		default:
			require.True(t, strings.HasPrefix(rest, "for"), rest)
			insertions = append(insertions, insertion{at + strings.Index(rest, ";") + 1, call + ", "})
		}
	}
	for k := len(insertions) - 1; k >= 0; k-- {
		// Those at one place come one after the other.
		in := insertions[k]
		text = text[:in.at] + in.text + text[in.at:]
		for m := range k {
			require.LessOrEqual(t, insertions[m].at, in.at)
		}
	}
	return text
}

// What a witness says of a loop holds whenever a run comes there: evaluated as C, in random runs.
func TestInvariantsHold(t *testing.T) {
	prelude := "extern int nondet(void); extern void reach_error(void); void check(int c) { if (!c) reach_error(); } "
	sayings := 0
	for name, text := range loops {
		t.Run(name, func(t *testing.T) {
			text = prelude + text
			// One engine gives one model, but not every engine one of this.
			engines := "spacer"
			if name == "for" {
				engines = "houdini"
			}
			mode := lower.Ranged
			switch {
			case strings.HasPrefix(name, "allbv"):
				mode = lower.AllVectors
			case name == "cexg":
				mode = lower.Guided
			}
			invariants := proved(t, mode, engines, text)
			sayings += len(invariants)
			if want := expected[name]; want != "" {
				require.True(t, slices.ContainsFunc(invariants, func(i svcomp.Invariant) bool { return i.Text == want }), "%v", invariants)
			}
			var said []string
			for _, i := range invariants {
				said = append(said, i.Text)
			}
			t.Logf("%q", said)
			out, err := svcomp.Correctness(metadata(text), invariants)
			require.NoError(t, err)
			rules{t}.witness(out, "invariant_set")
			checked := instrument(t, text, invariants)
			p, err := c.Read(context.Background(), "checked.c", []byte(checked), c.Options{Model: c.ILP32})
			require.NoError(t, err, checked)
			asked := fault.Of(fault.Overflow)
			if strings.Contains(text, "unsigned") {
				asked = fault.Of(fault.Assertion)
			}
			runner, err := interpret.New(p, interpret.Options{Faults: asked})
			require.NoError(t, err)
			found, err := runner.Explore(context.Background(), interpret.Search{Seed: 1, Runs: 300})
			require.NoError(t, err)
			require.Nil(t, found.Script, "%s\n%s", found.Outcome, checked)
			require.NotContains(t, []interpret.Kind{interpret.Undefined, interpret.Undetermined}, found.Outcome.Kind, "%s\n%s", found.Outcome, checked)
		})
	}
	require.GreaterOrEqual(t, sayings, 10)
}

// A target is where the statement or the full expression begins in which the error is reached.
func TestTargets(t *testing.T) {
	prelude := "extern void reach_error(void); int a = 2147483647, b = 1; int f(int x) { return x; }\n"
	for text, want := range map[string]string{
		"int main(void) {\n  int d = 3,\n    e = b + (b +\n      (a + b));\n}":                 "target 4:9 main",
		"int main(void) {\n  b = 3 + f(2\n    - a * 2);\n}":                                    "target 3:3 main",
		"int main(void) {\n  if (b > 3) b = 2; else\n    a++;\n}":                              "target 4:5 main",
		"int main(void) {\n  return b > 2 || -a - 3 > 0;\n}":                                   "target 3:10 main",
		"int main(void) {\n  b = 4; do {} while (b > 2 &&\n    b - -a > 0);\n}":                "target 3:23 main",
		"int main(void) {\n  b = ({ int c = 1;\n    c += b + a; c; });\n}":                     "target 4:5 main",
		"int main(void) {\n  int c[2] = {b,\n    a + b};\n}":                                   "target 4:5 main",
		"int main(void) {\n  for (int i = 1; i < 2; b += 3,\n    i += a) ;\n}":                 "target 3:26 main",
		"int main(void) {\n  switch (b\n    - (-1 - a) + 3) { default:; }\n}":                  "target 3:11 main",
		"int g(void) { return b ? (f(1),\n  a + 1) : 0; }\nint main(void) {\n  return g();\n}": "target 2:22 g",
	} {
		text = prelude + text
		ctx := context.Background()
		p, err := c.Read(ctx, "dir/1e5.c", []byte(text), c.Options{Model: c.ILP32})
		require.NoError(t, err)
		runner, err := interpret.New(p, interpret.Options{Faults: fault.Of(fault.Overflow)})
		require.NoError(t, err)
		v := &svcomp.Violation{}
		outcome, err := runner.Run(ctx, &answers{}, v.Observe)
		require.NoError(t, err)
		require.Equal(t, interpret.ErrorReached, outcome.Kind, "%s\n%s", outcome, text)
		out, err := v.Document(metadata(text))
		require.NoError(t, err)
		require.Contains(t, brief(rules{t}.witness(out, "violation_sequence")), want+"\n", text)
	}
	text := prelude + "int main(void) {\n  return b > 3 ? 1 :\n    (reach_error(), 2);\n}"
	require.Contains(t, brief(rules{t}.witness(violation(t, text, &answers{}), "violation_sequence")), "target 3:10 main\n")
}

// Nothing is said of loops that macros make: they have no place.
func TestLoopsOfMacros(t *testing.T) {
	prelude := "extern int nondet(void); extern void reach_error(void);\n#define TIMES(n) for (int i = 0; i < n; i++)\n#define FOREVER again:\n"
	text := prelude + "int main(void) { int x = 0, y = 0; TIMES(100) x++; FOREVER\n while (nondet()) { if (y < 9) y++; } if (nondet()) goto again; if (x != 100 || y > 9) reach_error(); return 0; }"
	invariants := proved(t, lower.Ranged, "spacer", text)
	require.NotEmpty(t, invariants)
	for _, i := range invariants {
		require.Equal(t, tree.Pos{File: "dir/1e5.c", Line: 5, Column: 2}, i.Pos)
	}
}
