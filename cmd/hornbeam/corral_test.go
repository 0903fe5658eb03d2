package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// corralConsole is Corral's console without what differs from run to run: the times and the file's name.
func corralConsole(r result, file string) string {
	out := regexp.MustCompile(`(?m)^(Boogie verification time|Total Time): [0-9.]+ s$`).ReplaceAllString(r.out, "$1: T s")
	return strings.ReplaceAll(out, file, "FILE")
}

const corralTimes = "\nBoogie verification time: T s\nNumber of procedures inlined: 1\nNumber of variables tracked: 1\nTotal Time: T s\n"

// What scripts look for on Corral's console is there, in Corral's form.
func TestCorralConsole(t *testing.T) {
	t.Chdir(t.TempDir())
	bug := tempFile(t, "bug.bpl", buggyProgram)
	r := call(t, "", "corral", bug, "/main:main", "/recursionBound:2", "/k:1", "/trackAllVars", "/tryCTrace", "/noTraceOnDisk", "/printDataValues:1")
	require.Zero(t, r.code, r.err)
	require.Equal(t, `Corral program verifier version `+version+` (Hornbeam in place of Corral)
Single threaded program detected
Verifying program while tracking: {assertsPassed}
Program has a potential bug: True bug
FILE(5,3): error PF5001: This assertion can fail

Execution trace:
FILE(2,11): Trace: Thread=1  
FILE(4,3): Trace: Thread=1  (CALL double)
FILE(4,3): Trace: Thread=1  (n = 21)
FILE(1,45): Trace: Thread=1  (r = 42)
FILE(4,3): Trace: Thread=1  (RETURN from double )
FILE(4,3): Trace: Thread=1  (x = 42)
FILE(5,3): Trace: Thread=1  (ASSERTION FAILS assert x != 42;
 )
FILE(5,3): Trace: Thread=1  (Done)

Return status: NOK
`+corralTimes, corralConsole(r, bug))
	left, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Empty(t, left, "/noTraceOnDisk leaves no file")

	r = call(t, "", "corral", bug, "/noTrace")
	require.NotContains(t, r.out, "Execution trace:")
	require.Contains(t, r.out, "(5,3): error PF5001: This assertion can fail\n")

	safe := tempFile(t, "safe.bpl", safeProgram)
	r = call(t, "", "corral", safe)
	require.Zero(t, r.code)
	require.True(t, strings.HasPrefix(r.out, `Corral program verifier version `+version+` (Hornbeam in place of Corral)
Warning: Using default recursion bound of 1
Single threaded program detected
Verifying program while tracking: {assertsPassed, g}
Program has no bugs

Return status: OK

Boogie verification time: `), r.out)

	deep := tempFile(t, "deep.bpl", "procedure main() { var i: int; i := 0; while (i < 12) { i := i + 1; } assert i != 12; }\n")
	r = call(t, "", "corral", deep, "/recursionBound:3")
	require.Contains(t, r.out, "Program has no bugs\nReached recursion bound of 3\n\nReturn status: ReachedBound\n")
	flags := tempFile(t, "config", "# a comment\n/recursionBound:12\nTrackVars = a, b\n\n/cex:1 /main:main\n")
	r = call(t, "", "corral", "/flags:"+flags, deep)
	require.Contains(t, r.out, "Program has a potential bug: True bug\n", "a loop may turn as often as the bound says")
	r = call(t, "", "corral", deep, "/maxStaticLoopBound:12")
	require.Contains(t, r.out, "Program has a potential bug: True bug\n", "or as often as that bound says")
	r = call(t, "", "corral", deep, "/maxStaticLoopBound:11")
	require.Contains(t, r.out, "Program has no bugs\nReached recursion bound of 1\n")
	r = call(t, "", "corral", deep, "/recursionBound:5", "/v:1")
	require.Contains(t, r.out, "SI: Exhausted recursion bound of 4\nSI: Exhausted recursion bound of 5\nProgram has no bugs\n")
	require.Contains(t, call(t, "", "corral", deep, "/si").out, "Return status: ReachedBound\nNo bugs found\n")
	require.Contains(t, call(t, "", "corral", bug, "/si", "/noTrace").out, "Return status: NOK\nProgram has bugs\n")
}

// Without /tryCTrace a trace is told by threads and blocks, and a trace for the Concurrency Explorer is written.
func TestCorralTraceByBlocks(t *testing.T) {
	t.Chdir(t.TempDir())
	file := tempFile(t, "blocks.bpl", `procedure check(x: int) {
entry:
  assert {:valid_deref} x > 0;
}
procedure {:entrypoint} start() {
first:
  goto second;
second:
  call check(0);
}
`)
	r := call(t, "", "corral", file)
	require.Contains(t, strings.ReplaceAll(r.out, file, "FILE"), `
Execution trace:
(1,0)    FILE(5,25): anon0  
(1,0)    FILE(9,3): second  (CALL check)
(1,0)     FILE(3,3): entry  (ASSERTION FAILS assert {:valid_deref} x > 0;
 )
(1,0)    FILE(9,3): second  (RETURN from check )
(1,0)    FILE(9,3): second  (Done)
`)
	written, err := os.ReadFile("corral_out_trace.txt")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(written), "s\n#\n1 1 3 1 c\n1 1 6 "))
	require.Contains(t, strings.ReplaceAll(string(written), file, "FILE"), " check|FILE|3|start|FILE|9|\n")
}

// The values and places of the source are what SMACK's wrapper reads; its patterns must match.
func TestCorralTraceOfSource(t *testing.T) {
	file := tempFile(t, "smack.bpl", `procedure boogie_si_record_int(x: int);
procedure check(x: int) {
  assume {:sourceloc "lib.c", 3, 7} true;
  assert {:overflow} x < 10;
}
procedure {:entrypoint} main() {
  var x: int;
  assume {:sourceloc "a.c", 11, 5} true;
  havoc x;
  call {:cexpr "len"} boogie_si_record_int(x);
  assume {:sourceloc "a.c", 12, 2} true;
  call check(x);
}
`)
	r := call(t, "", "corral", file, "/tryCTrace", "/noTraceOnDisk", "/printDataValues:1", "/useProverEvaluate", "/cex:1", "/bopt:proverOpt:OPTIMIZE_FOR_BV=true")
	require.NotRegexp(t, `no bugs|timed out|Z3 ran out of resources`, r.out)
	require.Regexp(t, `can fail`, r.out)
	require.Equal(t, "overflow", regexp.MustCompile(`ASSERTION FAILS assert {:(.+)}`).FindStringSubmatch(r.out)[1])
	var steps []string
	for _, m := range regexp.MustCompile(`([\w#$~%.\/-]+)\((\d+),(\d+)\): Trace: Thread=(\d+)\s+\((.*(;\n)?.*)\)`).FindAllStringSubmatch(r.out, -1) {
		steps = append(steps, strings.Join(m[1:4], ":")+" "+regexp.MustCompile(`ASSERTION FAILS.*;\n`).ReplaceAllString(m[5], "fails"))
	}
	require.Len(t, steps, 5)
	require.Regexp(t, `^a\.c:11:5 len = \d+$`, steps[0])
	require.Equal(t, []string{"a.c:12:2 CALL check", "lib.c:3:7 fails ", "a.c:12:2 RETURN from check ", "a.c:12:2 Done"}, steps[1:])
	require.Contains(t, r.out, "lib.c(3,7): error PF5001: This assertion can fail\n")
}

// With /cex:N as many bugs are shown, at different assertions, and none of them is followed by the word that there is none.
func TestCorralOfSeveralBugs(t *testing.T) {
	t.Chdir(t.TempDir())
	file := tempFile(t, "two.bpl", "procedure main() { var x: int; if (*) { assert x > 0; } else { assert x < 5; } }\n")
	r := call(t, "", "corral", file, "/cex:3", "/noTrace")
	require.Equal(t, 2, strings.Count(r.out, "True bug\n"), r.out)
	require.Equal(t, 3, strings.Count(r.out, "Verifying program while tracking"))
	require.Regexp(t, `(?s)\(1,41\): error.*\(1,64\): error|\(1,64\): error.*\(1,41\): error`, r.out)
	require.NotContains(t, r.out, "no bugs")
	require.Equal(t, 1, strings.Count(call(t, "", "corral", file, "/noTrace").out, "True bug\n"))
	call(t, "", "corral", file, "/cex:2")
	require.FileExists(t, "corral_out0_trace.txt")
	require.FileExists(t, "corral_out1_trace.txt")

	r = call(t, "", "corral", tempFile(t, "lib.bpl", "procedure lib() { assert false; } procedure main() { call lib(); }\n"), "/ignoreAssertMethod:lib")
	require.Contains(t, r.out, "Program has no bugs\n")
}

// When the time is over, the console says so in the words that scripts look for.
func TestCorralTimesOut(t *testing.T) {
	// Whether 114 is the sum of three cubes is not known.
	file := tempFile(t, "hard.bpl", "procedure main() { var x, y, z: int; assert x * x * x + y * y * y + z * z * z != 114; }\n")
	r := call(t, "", "corral", file, "/timeLimit:1")
	require.Contains(t, r.out, "\nCorral timed out")
	require.NotContains(t, r.out, "Program has")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, call(t, "", "corral", file, "/killAfter:1").out, "\nCorral timed out")
}

func TestCorralOfWrongFlagsAndInput(t *testing.T) {
	bug := tempFile(t, "bug.bpl", buggyProgram)
	for _, args := range [][]string{
		{}, {bug, bug}, {bug, "/recursionBound:some"}, {bug, "/main:nobody"}, {bug, "/flags:" + filepath.Join(t.TempDir(), "missing")},
		{bug, "/flags:" + tempFile(t, "flags", "recursionBound:3")}, {bug, "/flags:" + tempFile(t, "nested", "/flags:more")},
		{bug, "/assertVar:x"}, {bug, "/noSuchFlag:3"}, {bug, "/trackAllVars:3"}, {bug, "/v"}, {bug, "/k:0"}, {bug, "-k:1"}, {"missing.bpl"}, {"program.txt"},
	} {
		r := call(t, "", append([]string{"corral"}, args...)...)
		require.Equal(t, exitUsage, r.code, "%v %s", args, r.err)
		require.NotContains(t, r.out, "Program has")
	}
	require.Contains(t, call(t, "", "corral", bug, "/noSuchFlag:3").out, "\nUsage error: Invalid flag: /noSuchFlag:3\n")
	r := call(t, "", "corral", tempFile(t, "bad.bpl", "procedure main() { assert 5; }"))
	require.Equal(t, exitBadInput, r.code)
	require.NotContains(t, r.out, "Program has")
	require.Contains(t, r.out, "Error, Invalid input: ")
}
