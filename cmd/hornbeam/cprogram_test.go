package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const overflowing = `extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  unsigned u = n;
  u = u * 3u;
  if (n > 2147483646)
    n = n + 1;
  return 0;
}
`

// fits is overflowing with a test that keeps from it.
var fits = strings.Replace(overflowing, "n > 2147483646", "n < 2147483647", 1)

const counting = `extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), s = 0;
  if (n < 0 || n > 1000)
    return 0;
  for (int i = 0; i < n; i++)
    s += 2;
  if (s != 2 * n)
    reach_error();
  return 0;
}
`

var miscounting = strings.Replace(counting, "s != 2 * n", "s == 6 && n < 5", 1)

// A C program's overflows are an error only where that is asked for.
func TestNoOverflow(t *testing.T) {
	property := tempFile(t, "no-overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n")
	for _, asked := range []string{"no-overflow", property} {
		r := call(t, "", "verify", "--property", asked, "--svcomp", "--trace", "none", tempFile(t, "p.c", overflowing))
		require.Equal(t, exitBug, r.code, r.err)
		require.Equal(t, "false(no-overflow)\n", r.out)
		r = call(t, "", "verify", "--property", asked, "--svcomp", tempFile(t, "p.c", fits))
		require.Equal(t, exitOK, r.code, r.err)
		require.Equal(t, "true\n", r.out)
	}
	r := call(t, "", "verify", tempFile(t, "p.c", overflowing))
	require.Equal(t, "safe\n", r.out)
}

// Of a property that is not decided the answer says which one it is.
func TestOtherProperties(t *testing.T) {
	for name, text := range map[string]string{
		"valid-memsafety":  "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n",
		"valid-memcleanup": "CHECK( init(main()), LTL(G valid-memcleanup) )\n",
		"termination":      "CHECK( init(main()), LTL(F end) )\n",
		"no-data-race":     "CHECK( init(main()), LTL(G ! data-race) )\n",
	} {
		for _, property := range []string{name, tempFile(t, "asked.prp", text)} {
			r := call(t, "", "verify", "--svcomp", "--property", property, tempFile(t, "p.c", counting))
			require.Equal(t, exitInconclusive, r.code)
			require.Equal(t, "unknown\n", r.out)
			require.Contains(t, r.err, "the property "+name+" is not decided")
		}
	}
}

// The definition of a task says which file, which property and which machine.
func TestTaskDefinitions(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	write("overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n")
	write("reach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
	write("end.prp", "CHECK( init(main()), LTL(F end) )\n")
	write("p.c", "extern void reach_error(void); int main(void) { if (sizeof(long) == 4) reach_error(); return 0; }\n")
	definition := func(model, properties string) string {
		return write("p-"+model+".yml", "format_version: '2.0'\ninput_files: 'p.c'\nproperties:\n"+properties+"options:\n  language: C\n  data_model: "+model+"\n")
	}
	both := "  - property_file: end.prp\n    expected_verdict: true\n  - property_file: reach.prp\n    expected_verdict: false\n"
	r := call(t, "", "verify", "--svcomp", "--trace", "none", definition("ILP32", both))
	require.Equal(t, "false(unreach-call)\n", r.out, r.err)
	r = call(t, "", "verify", "--svcomp", definition("LP64", both))
	require.Equal(t, "true\n", r.out, r.err)
	r = call(t, "", "verify", "--svcomp", "--property", "no-overflow", definition("ILP32", both))
	require.Equal(t, "true\n", r.out, r.err)
	r = call(t, "", "verify", "--svcomp", definition("LP64", "  - property_file: end.prp\n    expected_verdict: true\n"))
	require.Equal(t, "unknown\n", r.out)
	require.Contains(t, r.err, "termination")
}

// Behind the verdict is what a proof takes for granted, in a line without the names that everybody knows, or with all.
func TestAssumptions(t *testing.T) {
	program := tempFile(t, "p.c", `extern int __VERIFIER_nondet_int(void); extern int f(void); extern void reach_error(void);
int a[3];
int main(void) { int x = __VERIFIER_nondet_int() + f(); if (x == 1 && x == 2) reach_error(); return a[1]; }`)
	r := call(t, "", "verify", program)
	require.Equal(t, "safe\n", r.out)
	require.Equal(t, "; assumed: accesses to arrays and through pointers stay within the objects that they are meant for, while these exist; functions without a body return any value and change what their arguments reach: f\n", r.err)
	r = call(t, "", "verify", "--full", program)
	require.Contains(t, r.err, "; assumed: functions without a body return any value and change what their arguments reach: __VERIFIER_nondet_int, f\n")
	r = call(t, "", "verify", "--json", program)
	require.Contains(t, r.out, `"assumptions":[{"kind":"accesses","what":"accesses to`)
	require.Contains(t, r.out, `reach","names":["__VERIFIER_nondet_int","f"]}]`)
	r = call(t, "", "verify", tempFile(t, "p.c", fits))
	require.Equal(t, result{0, "safe\n", "; nothing to check: no call of reach_error or another error function, no assertion, no error label is reached from main\n"}, r)

	// A bug assumes what the run was given.
	r = call(t, "", "verify", "--trace", "none", "--json", tempFile(t, "p.c", `extern int f(void), e; extern void reach_error(void);
int main(void) { int x; if (f() == 3 && e == 2 && x == 5) reach_error(); return 0; }`))
	require.Equal(t, "unsafe", r.verdict())
	require.Contains(t, r.err, "; assumed: undefined functions return the values that the run shows: f; what is read before it is written has the value that the run shows: x; "+
		"objects that the program does not define begin with the values that the run shows: e\n")
	require.Contains(t, r.out, `{"kind":"undefined-functions","what":"undefined functions return the values that the run shows","names":["f"]}`)
}

// A proof says what C leaves undefined that nobody has asked about, where operands may have such values.
func TestAssumptionsAboutUndefinedBehaviour(t *testing.T) {
	for body, want := range map[string]string{
		"x = x / y;":          "; assumed: nothing is divided by zero: %s:2:47\n",
		"x %= y;":             "; assumed: nothing is divided by zero: %s:2:43\n",
		"x = x / 2 + y % 3u;": "",
		"x = x << y;":         "; assumed: shifts are by less than the width of their type: %s:2:47\n",
		"x = x >> 3;":         "",
		"static int a[2]; if (&a[x & 1] < &a[y & 1]) x = 0;": "; assumed: accesses to arrays and through pointers stay within the objects that they are meant for, while these exist; " +
			"addresses that are compared or become numbers are those that Hornbeam gives to objects\n",
	} {
		program := tempFile(t, "p.c", "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n"+
			"int f(int x, int y) { unsigned n = x + 0; "+body+" if (n != (unsigned)n) reach_error(); return x; }\n"+
			"int main(void) { return f(__VERIFIER_nondet_int(), __VERIFIER_nondet_int()); }\n")
		r := call(t, "", "verify", program)
		require.Equal(t, "safe", r.verdict(), body)
		if want != "" && strings.Contains(want, "%s") {
			want = fmt.Sprintf(want, program)
		}
		require.Equal(t, want, r.err, body)
	}
	r := call(t, "", "verify", "--main", "g", tempFile(t, "p.c", "extern void reach_error(void);\nint g(int x) { if (x != x) reach_error(); return x; }\n"))
	require.Equal(t, "; assumed: runs begin with g, called with any arguments when all objects have their initial values\n", r.err)
}

// Where C leaves open what happens first, that is said behind any verdict.
func TestUnsequenced(t *testing.T) {
	program := tempFile(t, "p.c", "extern void reach_error(void);\nint main(void) {\n  int i = 1;\n  i = i++;\n  if (i != 1)\n    reach_error();\n  return 0;\n}\n")
	r := call(t, "", "verify", "--trace", "none", program)
	require.Contains(t, []string{"safe", "unsafe"}, r.verdict())
	require.Contains(t, r.err, "; assumed: operands are evaluated from left to right where C leaves the order open: "+program+":4:3 (i)\n")
}

// The entry may be the property's. A property about another function than an error function is decided where the program calls no
// error function.
func TestEntriesOfProperties(t *testing.T) {
	program := tempFile(t, "p.c", "extern void reach_error(void); int start(void) { reach_error(); return 0; } int main(void) { return 0; }\n")
	for text, want := range map[string]string{
		"init(main()), LTL(G ! call(reach_error()))":  "safe",
		"init(start()), LTL(G ! call(reach_error()))": "unsafe",
		"init(start()), LTL(G ! call(panic()))":       "unknown",
	} {
		r := call(t, "", "verify", "--property", tempFile(t, "p.prp", "CHECK( "+text+" )\n"), program)
		require.Equal(t, want, r.verdict(), text)
	}
}

// A statement that calls a function is told once, and the error in a few words.
func TestCTrace(t *testing.T) {
	program := tempFile(t, "p.c", "extern void reach_error(void); int same(int x) { return x; }\nvoid f(int c) { if (!c) reach_error(); }\nint main(void) {\n  f(1);\n  f(same(0));\n}\n")
	r := call(t, "", "verify", program)
	require.Equal(t, strings.ReplaceAll(`unsafe
FILE:3:16: main begins
FILE:4:3:   f(1);  enters f(c = 1)
FILE:2:17:     void f(int c) { if (!c) reach_error(); }: no
FILE:4:3:   f returns
FILE:5:5:   f(same(0));  enters same(x = 0)
FILE:1:50:     extern void reach_error(void); int same(int x) { return x; }
FILE:5:5:   same returns with same() = 0
FILE:5:3:   f(same(0));  enters f(c = 0)
FILE:2:17:     void f(int c) { if (!c) reach_error(); }: yes
FILE:2:25:     void f(int c) { if (!c) reach_error(); }
FILE:2:25:     error: reach_error is called
`, "FILE", program), r.out)
}

// What is wrong with a call or its files ends it before anything is decided, with a message.
func TestWrongCFiles(t *testing.T) {
	good := tempFile(t, "p.c", counting)
	broken := tempFile(t, "broken.c", "int main(void) {\n  return x;\n}\n")
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{exitBadInput, "broken.c:2:10", []string{broken}},
		{exitBadInput, "nothing.c", []string{"nothing.c"}},
		{exitBadInput, "nothing.yml", []string{"nothing.yml"}},
		{exitBadInput, "nothing.prp: no such file", []string{"--property", "nothing.prp", good}},
		{exitBadInput, "p.c:1:1: no property", []string{"--property", good, good}},
		{exitUsage, "unreach-call and no-overflow", []string{"--property", "nothing", good}},
		{exitBadInput, "t.yml:1:4: no task definition", []string{tempFile(t, "t.yml", "a: [\n")}},
		{exitBadInput, "t.yml:1:1: no task definition", []string{tempFile(t, "t.yml", "")}},
		{exitBadInput, "nothing.c: no such file", []string{tempFile(t, "t.yml", "format_version: '2.0'\ninput_files: nothing.c\n")}},
		{exitBadInput, "p.c:1:1: ", []string{tempFile(t, "p.c", "\x7fELF\x02\x00\x00")}},
		{exitBadInput, ": is a directory", []string{"--lang", "c", filepath.Dir(good) + "/../" + filepath.Base(filepath.Dir(good)) + "/"}},
		{exitUsage, "no label of that name", []string{"--error-label", "OOPS", good}},
		{exitUsage, "no function of that name", []string{"--main", "OOPS", good}},
		{exitUsage, "exclude each other", []string{"--32", "--64", good}},
		{exitUsage, "--harness", []string{"--harness", "h.c", good, good}},
		{exitUsage, "--witness is for C programs", []string{"--witness", "w.yml", "../../examples/lock.bpl"}},
		{exitUsage, "--harness-run", []string{"--harness-run", good}},
		{exitUsage, "--blocks procedures", []string{"--blocks", "procedures", "--proof", good}},
		{exitUsage, "--witness", []string{"--witness", "no/such/folder/w.yml", good}},
	} {
		r := call(t, "", append([]string{"verify"}, c.args...)...)
		require.Equal(t, c.code, r.code, "%q: %s", c.args, r.err)
		require.Contains(t, r.err, c.says, "%q", c.args)
		require.Empty(t, r.out)
	}
	two := tempFile(t, "two.c", "int main(void) { return x; }\nint f(void) { return y; }\n")
	r := call(t, "", "verify", two)
	require.Equal(t, exitBadInput, r.code)
	require.Equal(t, two+":1:25: undefined: x\n"+two+":2:22: undefined: y\n", r.err, "a line for each error")
}

// A safe program's witness has what holds at its loop, an unsafe one's leads to the error.
func TestCWitness(t *testing.T) {
	file := filepath.Join(t.TempDir(), "w.yml")
	program := tempFile(t, "p.c", counting)
	require.Equal(t, exitOK, call(t, "", "verify", "--32", "--engine", "houdini", "--witness", file, program).code)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "invariant_set")
	require.Contains(t, string(text), "loop_invariant")
	require.Contains(t, string(text), "line: 7\n        column: 3\n        function: main")
	require.Contains(t, string(text), "ILP32")
	require.Contains(t, string(text), program)
	require.Equal(t, exitBug, call(t, "", "verify", "--witness", file, tempFile(t, "p.c", miscounting)).code)
	text, err = os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "violation_sequence")
	require.Contains(t, string(text), "LP64")
	require.Contains(t, string(text), "type: target")
	require.Contains(t, string(text), "line: 10\n          column: 5\n          function: main")
}

// With loops as procedures a program has the same verdict, and what was chosen in a loop is replayed.
func TestCBlocks(t *testing.T) {
	program := `extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = 0;
  while (n < 2) {
    int x = __VERIFIER_nondet_int();
    if (x != n + 1234567)
      return 0;
    n++;
  }
  reach_error();
}
`
	for _, blocks := range []string{"loops", "basic", "single", "procedures"} {
		r := call(t, "", "verify", "--explore", "0", "--blocks", blocks, tempFile(t, "p.c", program))
		require.Equal(t, exitBug, r.code, "%s: %s", blocks, r.err)
		require.Contains(t, r.out, "x = 1234567")
		require.Contains(t, r.out, "x = 1234568")
		r = call(t, "", "verify", "--explore", "0", "--blocks", blocks, tempFile(t, "p.c", strings.Replace(program, "  reach_error", "  if (n != 2) reach_error", 1)))
		require.Equal(t, "safe", r.verdict(), "%s: %s", blocks, r.err)
	}
	file := filepath.Join(t.TempDir(), "w.yml")
	r := call(t, "", "verify", "--explore", "0", "--blocks", "procedures", "--witness", file, tempFile(t, "p.c", fits))
	require.Equal(t, "safe\n", r.out)
	require.Contains(t, r.err, "loops are procedures")
}

// A safe program's proof is shown in C's words, and written into it as comments.
func TestCProof(t *testing.T) {
	program := tempFile(t, "p.c", `extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int eight(void) { return 8; }
int main(void) {
  int n = 0;
  while (__VERIFIER_nondet_int())
    if (n < eight())
      n++;
  if (n > 8)
    reach_error();
}
`)
	file := filepath.Join(t.TempDir(), "annotated.c")
	r := call(t, "", "verify", "--engine", "spacer", "--proof", "--annotate", file, program)
	require.Equal(t, exitOK, r.code, r.err)
	require.Equal(t, "safe\n"+program+":3:12: function eight\n  ensures \\result == 8;\n"+program+":6:3: loop in main\n  invariant n <= 8;\n"+
		file+": the program with what holds at its functions and loops, in ACSL\n", r.out)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "/*@ ensures \\result == 8; */\nstatic int eight")
	require.Contains(t, string(text), "  /*@ loop invariant n <= 8; */\n  while (")
	require.Equal(t, exitOK, call(t, "", "verify", file).code)
	r = call(t, "", "verify", "--engine", "spacer", "--proof", "--json", program)
	require.Contains(t, r.out, `"invariants":["n <= 8"]`)
	require.Equal(t, exitUsage, call(t, "", "verify", "--annotate", file, program, program).code)
}

// An unsafe program has a harness, which gcc confirms if it is there; a safe one has none.
func TestCHarness(t *testing.T) {
	file := filepath.Join(t.TempDir(), "h.c")
	for _, args := range [][]string{{"--32", tempFile(t, "p.c", miscounting)}, {"--64", tempFile(t, "p.c", miscounting)}, {"--property", "no-overflow", tempFile(t, "p.c", overflowing)}} {
		r := call(t, "", append([]string{"verify", "--harness", file, "--harness-run"}, args...)...)
		require.Equal(t, exitBug, r.code, r.err)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(text), "int main(void)")
		require.NoError(t, os.Remove(file))
		if _, err := exec.LookPath("gcc"); err != nil {
			require.Contains(t, r.err, "there is no gcc")
			continue
		}
		require.Contains(t, r.err, "is confirmed: gcc's program reaches the error")
	}
	require.Equal(t, exitOK, call(t, "", "verify", "--engine", "houdini", "--harness", file, tempFile(t, "p.c", counting)).code)
	require.NoFileExists(t, file)
}

var (
	cVerdict = regexp.MustCompile(`(?m)^// verdict: (safe|unsafe)$`)
	cModel   = regexp.MustCompile(`(?m)^// model: ILP32$`)
)

// slow are examples whose proofs take many seconds, or are not found.
var slow = map[string]bool{"lists-safe": true, "strings-safe": true, "bit-identities-safe": true}

// The examples in C get the verdicts that their comments say.
func TestCExamples(t *testing.T) {
	files, err := filepath.Glob("../../examples/c/*.c")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 60)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".c")
		t.Run(name, func(t *testing.T) {
			if slow[name] {
				t.Skip("its proof takes too long to be waited for here")
			}
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			want := cVerdict.FindSubmatch(text)
			require.NotNil(t, want, "an example says its verdict")
			model := "--64"
			if cModel.Match(text) {
				model = "--32"
			}
			r := call(t, "", "verify", model, "--trace", "none", "--timeout", "60s", file)
			require.Equal(t, string(want[1]), r.verdict(), r.err)
		})
	}
}

// What can't be handled matters to those runs only that come there: where none does the program is safe, where one may it is
// never safe, and an error that is reached without it is found.
func TestStops(t *testing.T) {
	const begin = `#include <setjmp.h>
extern int nd(void);
extern void reach_error(void);
jmp_buf back;
int main(void) {
  int x = nd();
`
	for body, want := range map[string]string{
		"if (x > 5 && x < 3) longjmp(back, 1);\nif (x > 3 && x < 4) reach_error();\nreturn 0; }": "safe",
		"if (x > 5 && x < 7) longjmp(back, 1);\nif (x > 3 && x < 4) reach_error();\nreturn 0; }": "unknown",
		"if (x > 5 && x < 7) longjmp(back, 1);\nif (x == 7654321) reach_error();\nreturn 0; }":   "unsafe",
		"if (x > 5 && x < 7) { longjmp(back, 1); reach_error(); }\nreturn 0; }":                  "unknown",
	} {
		for _, mode := range []string{"ranged", "nobv", "allbv", "cexg"} {
			r := call(t, "", "verify", "--explore", "0s", "--trace", "none", "--bits", mode, tempFile(t, "p.c", begin+body))
			require.Equal(t, want+"\n", r.out, "%s, %s: %s", mode, body, r.err)
			if want == "unknown" {
				require.Contains(t, r.err, "longjmp is not supported, and a run may come there")
			}
		}
	}
}

// A run that the clauses found is one of the program although what nothing was stored in is told by elements and not by addresses,
// and what is read where nothing was stored is within its type, if only in the second round.
func TestWhatMemoryHeld(t *testing.T) {
	for body, want := range map[string]string{
		"int *a = malloc(40); int i = nd() & 7; if (a[i] == 7654321 && a[i + 1] == 1234567) reach_error();": "unsafe",
		"unsigned char *p = malloc(40); if (p[nd() & 31] == 300) reach_error();":                            "safe",
		"int *p = malloc(40); long y = p[nd() & 7]; if (y > 2147483647L) reach_error();":                    "safe",
		"struct { unsigned char c; int d; } *s = malloc(16); if (s->c > 255) reach_error();":                "safe",
		"short a[9]; int i = nd() & 7; if (a[i] == -32768) reach_error();":                                  "unsafe",
		"short a[9]; int i = nd() & 7; if (a[i] < -32768) reach_error();":                                   "safe",
	} {
		text := "void reach_error(void); int nd(void); void *malloc(unsigned long); int main(void) { " + body + " return 0; }"
		r := call(t, "", "verify", "--explore", "0s", "--trace", "none", tempFile(t, "p.c", text))
		require.Equal(t, want, r.verdict(), "%s: %s", body, r.err)
	}
}
