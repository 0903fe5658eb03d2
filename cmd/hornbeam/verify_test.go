package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"hornbeam/verify"
)

const (
	safeProgram = `var g: int;
procedure step() modifies g; { g := g + 2; }
procedure main() modifies g; { g := 0; while (*) { call step(); } assert g mod 2 == 0; }
`
	buggyProgram = `procedure double(n: int) returns (r: int) { r := n + n; }
procedure main() {
  var x: int;
  call x := double(21);
  assert x != 42;
}
`
)

func TestVerify(t *testing.T) {
	require.Equal(t, result{exitOK, "safe\n", ""}, call(t, "", "verify", tempFile(t, "safe.bpl", safeProgram)))
	require.Equal(t, result{exitOK, "safe\n", ""}, call(t, safeProgram, "verify", "-"))
	file := tempFile(t, "bug.bpl", buggyProgram)
	r := call(t, "", "verify", file)
	require.Equal(t, result{exitBug, `unsafe
FILE:2:11: main begins
FILE:4:3:   call x := double(21);  enters double(n = 21)
FILE:1:45:     r := n + n;  r = 42
FILE:4:3:   double returns with x = 42
FILE:5:3:   error: assertion x != 42 with x = 42
`, ""}, result{r.code, strings.ReplaceAll(r.out, file, "FILE"), r.err})
	require.Equal(t, result{exitBug, "unsafe\n", ""}, call(t, "", "verify", file, "--trace", "none"))

	r = call(t, "", "verify", file, "--trace", "json")
	require.Equal(t, exitBug, r.code)
	var d struct {
		Kind  string
		Steps []struct {
			Kind string
			Line int
		}
	}
	require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(r.out, "unsafe\n")), &d))
	require.Equal(t, "run", d.Kind)
	require.Len(t, d.Steps, 5)
	require.Equal(t, "error", d.Steps[4].Kind)
	require.Equal(t, 5, d.Steps[4].Line)

	r = call(t, "", "verify", file, "--json")
	var report programReport
	require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(r.out, "unsafe\n")), &report))
	require.Equal(t, "unsafe", report.Verdict)
	require.Len(t, report.Trace.Steps, 5)
	require.Contains(t, report.Statistics, "time.replay")
}

func TestVerifySaysWhatItCannotDecide(t *testing.T) {
	r := call(t, "", "verify", tempFile(t, "floats.bpl", "var x: float24e8;\nprocedure main() {\n  assert x == x;\n}\n"))
	require.Equal(t, exitInconclusive, r.code)
	require.Equal(t, "unknown\n", r.out)
	require.Regexp(t, `^; .*floats.bpl:1:8: unsupported: floating-point types`, r.err)
	// The clauses have more runs than the program; a refutation of them that does not replay is no bug.
	r = call(t, "", "verify", tempFile(t, "axiom.bpl",
		"function f(x: int): int;\naxiom (forall x: int :: f(x) > f(x + 1));\nprocedure main() { assert f(0) > f(40); }\n"), "--timeout", "20", "--engine", "spacer")
	require.Equal(t, exitInconclusive, r.code, r.out)
	require.Contains(t, r.err, "the bug that was found may be none")
	require.NotContains(t, r.err, "internal error")
	// One that does is.
	r = call(t, "", "verify", tempFile(t, "assume.bpl",
		"procedure main() { var m: [int]int; assume (forall i: int :: 2 <= i && i < 3 ==> m[i] == i); assert m[2] != 2; }\n"))
	require.Equal(t, exitBug, r.code, r.err)
	r = call(t, "", "verify", tempFile(t, "slow.bpl", "procedure main() { var i: int; i := 0; while (i < 100000000) { i := i + 1; } assert i != 100000000; }"), "--timeout", "1")
	require.Equal(t, exitInconclusive, r.code)
	require.Contains(t, r.err, "timeout")
}

func TestVerifyOfBadInput(t *testing.T) {
	file := tempFile(t, "bad.bpl", "procedure main() {\n  x := 1;\n  assert 5;\n}\n")
	r := call(t, "", "verify", file)
	require.Equal(t, exitBadInput, r.code)
	require.Empty(t, r.out)
	lines := strings.Split(strings.TrimSpace(r.err), "\n")
	require.Len(t, lines, 2, "each error is a line")
	require.True(t, strings.HasPrefix(lines[0], file+":2:3: "), lines[0])
	require.True(t, strings.HasPrefix(lines[1], file+":3:10: "), lines[1])
	r = call(t, "", "verify", filepath.Join(t.TempDir(), "missing.bpl"))
	require.Equal(t, exitBadInput, r.code)
	r.oneErrorLine(t)
	good := tempFile(t, "good.bpl", safeProgram)
	for _, args := range [][]string{{"verify"}, {"verify", good, "--blocks", "some"}, {"verify", good, "--main", "nobody"}, {"verify", good, "--dialect", "c"},
		{"verify", good, "--trace", "pdf"}, {"verify", good, "--engine", "steam"}, {"verify", good, "--blocks", "procedures", "--proof"}, {"hunt", good, "--all"}} {
		r = call(t, "", args...)
		require.Equal(t, exitUsage, r.code, "%v: %s", args, r.err)
		require.Empty(t, r.out)
		r.oneErrorLine(t)
	}
	r = call(t, "", "verify", good, file, tempFile(t, "bug.bpl", buggyProgram), "--trace", "none")
	require.Equal(t, exitBadInput, r.code, "the worst of several")
	require.Equal(t, "safe\nunsafe\n", r.out)
}

func TestVerifyOptions(t *testing.T) {
	file := tempFile(t, "two.bpl", "procedure bad() { }\nprocedure a() { assert false; }\nprocedure b() { call bad(); }\nprocedure {:entrypoint} c() { }\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "safe"}, {[]string{"--main", "a"}, "unsafe"}, {[]string{"--main", "b"}, "safe"},
		{[]string{"--main", "b", "--error", "a,bad"}, "unsafe"}, {[]string{"--blocks", "basic"}, "safe"}, {[]string{"--blocks", "procedures"}, "safe"}, {[]string{"--blocks", "single", "--main", "a"}, "unsafe"},
	} {
		r := call(t, "", append([]string{"verify", "--trace", "none", file}, c.args...)...)
		require.Equal(t, c.want, r.verdict(), "%v: %s", c.args, r.err)
	}
	file = tempFile(t, "modifies.bpl", "var g: int;\nprocedure main() { g := 1; }\n")
	require.Equal(t, exitOK, call(t, "", "verify", file).code)
	require.Equal(t, exitBadInput, call(t, "", "verify", file, "--strict").code)
	file = tempFile(t, "ultimate.bpl", "procedure main() { assert 7 / 2 == 3; }\n")
	require.Equal(t, "safe", call(t, "", "verify", file, "--dialect", "ultimate").verdict())
	require.Equal(t, exitBadInput, call(t, "", "verify", file, "--dialect", "boogie").code, "/ makes a real")
	// By contracts alone less can be proved; what is shown then is what lacks, not a run.
	file = tempFile(t, "modular.bpl", "procedure one() returns (r: int) { r := 1; }\nprocedure main() { var x: int; call x := one(); assert x == 1; }\n")
	require.Equal(t, "safe", call(t, "", "verify", file).verdict())
	r := call(t, "", "verify", file, "--modular")
	require.Equal(t, exitInconclusive, r.code, "it need not be a bug")
	require.Equal(t, "unknown\none: verified\n"+file+":2:49: in main, x == 1 may not hold\n", r.out)
	require.Equal(t, "; not proved by contracts and invariants alone: "+file+":2:49: in main, x == 1 may not hold\n", r.err)
	// Existential constants guard candidates: those that can be proved hold.
	file = tempFile(t, "candidates.bpl", "const {:existential true} a: bool;\nconst {:existential true} b: bool;\nvar g: int;\n"+
		"procedure inc() modifies g; ensures a ==> g > old(g); ensures b ==> g == old(g); { g := g + 1; }\n"+
		"procedure main() modifies g; { g := 0; call inc(); assert g > 0; }\n")
	r = call(t, "", "verify", file, "--modular")
	require.Equal(t, result{exitOK, "safe\ninc: verified\nmain: verified\na = true\nb = false\n", ""}, r)
	r = call(t, "", "verify", file, "--modular", "--json")
	var report programReport
	require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(r.out, "safe\n")), &report))
	require.Equal(t, []verify.ModularCandidate{{Constant: "a", Holds: true}, {Constant: "b"}}, report.Modular.Candidates)
	require.Equal(t, []verify.ModularProcedure{{Procedure: "inc", Verified: true}, {Procedure: "main", Verified: true}}, report.Modular.Procedures)
}

// What is marked {:candidate} and does not hold is no bug, for the engines and in the replay; what else fails is one. By
// contracts, what holds is told.
func TestVerifyCandidates(t *testing.T) {
	marked := `procedure {:entrypoint} main() {
  var i, x: int;
  i := 0;
  while (i < 3)
    invariant {:candidate} i >= 0;
    invariant {:candidate} i <= 1;
  {
    i := i + 1;
  }
  assert {:candidate} i == 2;
  call x := next(i);
}
procedure next(n: int) returns (r: int)
  requires {:candidate} n == 5;
  ensures {:candidate} r == 7;
{
  r := n + 1;
  assert r == %s;
}
`
	safe, bug := tempFile(t, "safe.bpl", strings.Replace(marked, "%s", "4", 1)), tempFile(t, "bug.bpl", strings.Replace(marked, "%s", "3", 1))
	for _, args := range [][]string{nil, {"--engine", "spacer"}, {"--engine", "spacer", "--blocks", "single"}} {
		r := call(t, "", append([]string{"verify", safe}, args...)...)
		require.Equal(t, "safe", r.verdict(), "%v: %s", args, r.err)
		r = call(t, "", append([]string{"verify", bug}, args...)...)
		require.Equal(t, "unsafe", r.verdict(), "%v: %s", args, r.err)
		require.Contains(t, r.out, "error: assertion r == 3 with r = 4")
	}
	r := call(t, "", "verify", "--modular", safe)
	require.Contains(t, r.out, safe+":5:5: i >= 0 holds\n"+safe+":6:5: i <= 1 is dropped\n")
	r = call(t, "", "verify", "--modular", safe, "--json")
	require.Contains(t, r.out, `{"specification":"`+safe+`:5:5: i >= 0","holds":true}`)
}

// A bug is one although a candidate does not hold on the way to it, or would exclude it.
func TestVerifyBugsBesideCandidates(t *testing.T) {
	for name, src := range map[string]string{
		"entry.bpl":   "procedure main(x: int) requires {:candidate} x > 5; { assert x > 5; }",
		"outside.bpl": "procedure any() returns (r: int); ensures {:candidate} r > 5; procedure main() { var x: int; call x := any(); assert x > 5; }",
		"ensures.bpl": "procedure one() returns (r: int) ensures {:candidate} r == 7; { r := 1; } procedure main() { var x: int; call x := one(); assert x == 2; }",
	} {
		r := call(t, "", "verify", tempFile(t, name, src), "--engine", "spacer")
		require.Equal(t, exitBug, r.code, "%s: %s", name, r.err)
		require.Contains(t, r.out, "error: assertion x ", name)
	}
}

// Candidates of the program are what a proof lacks otherwise, for a named engine and for the portfolio, which no contracts
// help here.
func TestVerifySuggestedCandidates(t *testing.T) {
	text, err := os.ReadFile("../../examples/candidates.bpl")
	require.NoError(t, err)
	without := tempFile(t, "without.bpl", strings.Replace(string(text), "{:candidate} sum == i * i", "{:candidate} true", 1))
	guarded := tempFile(t, "guarded.bpl", "const {:existential true} b: bool;\n"+strings.Replace(string(text), "{:candidate} sum == i * i", "b ==> sum == i * i", 1))
	r := call(t, "", "verify", "../../examples/candidates.bpl", "--stats")
	require.Equal(t, "safe", r.verdict(), r.err)
	require.Regexp(t, `winner +(houdini|spacer) in strategy candidates`, r.err)
	for _, file := range []string{"../../examples/candidates.bpl", guarded} {
		r = call(t, "", "verify", file, "--engine", "houdini")
		require.Equal(t, "safe", r.verdict(), "%s: %s", file, r.err)
	}
	require.Equal(t, "unknown", call(t, "", "verify", without, "--engine", "houdini").verdict())
}

// Quantifiers are left to a solver when contracts and invariants say enough.
func TestVerifyByContracts(t *testing.T) {
	above := "function f(x: int): int;\naxiom (forall x: int :: f(x) > x);\nprocedure main(n: int) { assert f(f(n)) > n + 1; }\n"
	r := call(t, "", "verify", tempFile(t, "above.bpl", above), "--log", "info")
	require.Equal(t, "safe", r.verdict())
	require.Contains(t, r.err, "proved=true")
	// What cannot be proved so is no bug.
	r = call(t, "", "verify", tempFile(t, "loop.bpl", strings.Replace(above, "assert", "var i: int; i := n; while (*) { i := f(i); } assert i >= n; assert", 1)), "--timeout", "10")
	require.NotEqual(t, "unsafe", r.verdict())
}

func TestHuntInPrograms(t *testing.T) {
	file := tempFile(t, "deep.bpl", "procedure main() { var i: int; i := 0; while (i < 12) { i := i + 1; } assert i != 12; }\n")
	r := call(t, "", "hunt", file, "--bound", "3")
	require.Equal(t, result{exitInconclusive, "unknown\n", "; no bug up to recursion bound 3\n"}, r)
	r = call(t, "", "hunt", file, "--bound", "30")
	require.Equal(t, exitBug, r.code)
	require.True(t, strings.HasPrefix(r.out, "unsafe\n"+file+":1:11: main begins\n"), r.out)
	require.Contains(t, r.out, "error: assertion i != 12 with i = 12\n")
	require.Equal(t, "safe", call(t, "", "hunt", tempFile(t, "safe.bpl", safeProgram)).verdict())
	r = call(t, "", "hunt", file, "--bound", "3", "--json")
	var report programReport
	require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(r.out, "unknown\n")), &report))
	require.Equal(t, 3, *report.Bound)
}

var programVerdict = regexp.MustCompile(`(?m)^// verdict: (safe|unsafe)$`)

// TestExamplePrograms verifies every example program and compares the verdict with the one in its comment. A bug has been
// replayed when it is printed.
func TestExamplePrograms(t *testing.T) {
	files, err := filepath.Glob("../../examples/*.bpl")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 20)
	statistics := documented(t, "../../docs/statistics.md")
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			want := programVerdict.FindSubmatch(text)
			require.NotNil(t, want, "an example says its verdict")
			r := call(t, "", "verify", "--stats", file)
			require.Equal(t, string(want[1]), r.verdict(), r.err)
			if r.verdict() == "unsafe" {
				require.Contains(t, r.out, "error: ")
			}
			for _, line := range strings.Split(strings.TrimSpace(r.err), "\n") {
				if !strings.HasPrefix(line, "; assumed: ") {
					require.True(t, statistics[strings.Fields(line)[1]], "docs/statistics.md lacks %s", line)
				}
			}
		})
	}
}

// show shows the clauses of a program.
func TestShowProgram(t *testing.T) {
	r := call(t, "", "show", "--format", "smt2", "--before", tempFile(t, "bug.bpl", buggyProgram))
	require.Zero(t, r.code, r.err)
	require.Contains(t, r.out, "(declare-fun |main fails| () Bool)")
	require.Equal(t, exitBadInput, call(t, "", "show", tempFile(t, "bad.bpl", "procedure main() { assert 5; }")).code)
}

// A bug after thousands of turns is found by a run on concrete values, unless that is switched off or an engine is named.
func TestVerifyByRuns(t *testing.T) {
	file := tempFile(t, "deep.bpl", "procedure main() { var i: int; i := 0; while (i < 9000) { i := i + 1; assert i < 8999; } }\n")
	r := call(t, "", "verify", file, "--stats", "--trace", "none")
	require.Equal(t, exitBug, r.code, r.err)
	require.Regexp(t, `winner +runs in strategy runs`, r.err)
	require.Regexp(t, `runs.steps +9000`, r.err)
	for _, flags := range [][]string{{"--runs", "0"}, {"--engine", "spacer"}} {
		r = call(t, "", append([]string{"verify", file, "--stats", "--timeout", "1s"}, flags...)...)
		require.NotContains(t, r.err, "runs.steps")
	}
}

// In what Corral instrumented the error is that the exit is reached: that no contract is broken proves nothing, although
// contracts are looked at where something is assumed of all values.
func TestVerifyInstrumentedWithQuantifiers(t *testing.T) {
	r := call(t, "", "verify", tempFile(t, "exit.bpl", `var ok: bool;
procedure clear(m: [int]int) returns (r: [int]int) { assume (forall i: int :: 0 <= i && i < 3 ==> r[i] == 0); }
procedure {:entrypoint} main() modifies ok; { var m: [int]int; ok := true; call m := clear(m); ok := m[1] != 0; assume {:OldAssert} !ok; }
`))
	require.NotEqual(t, "safe\n", r.out)
	require.Equal(t, exitBug, r.code, "%s%s", r.out, r.err)
}
