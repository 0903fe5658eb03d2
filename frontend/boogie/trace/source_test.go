package trace_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	replay "hornbeam/frontend/boogie/trace"
	"hornbeam/frontend/trace"
)

// generated is what SMACK would make of cSource: each statement tells its place, values are recorded under C's names,
// the library is marked, and the tool's own variables have names that C has not.
const generated = `var $M.0: int;
procedure boogie_si_record_i32(x: int);
procedure __VERIFIER_nondet_int() returns ($r: int);
procedure $alloc() returns (p: int) modifies $M.0; { $M.0 := $M.0 + 1; p := $M.0; }
procedure reach_error() { }
procedure library(n: int) {
  assume {:sourceloc "lib.c", 3, 1} true;
  assume {:verifier.code 1} true;
  call {:cexpr "hidden"} boogie_si_record_i32(n);
  call check(n);
}
procedure check(c: int) {
  assume {:sourceloc "main.c", 2, 7} true;
  assume {:verifier.code 0} true;
  call {:cexpr "check:arg:cond"} boogie_si_record_i32(c);
  assume {:sourceloc "main.c", 2, 7} true;
  goto Fine, Wrong;
Fine:
  assume c != 0;
  return;
Wrong:
  assume c == 0;
  assume {:sourceloc "main.c", 3, 5} true;
  call reach_error();
}
procedure {:entrypoint} main() returns ($r: int) modifies $M.0; {
  var $i0, $i1, $p: int;
  assume {:sourceloc "main.c", 7, 11} true;
  assume {:verifier.code 0} true;
  call {:cexpr "smack:entry:main"} boogie_si_record_i32(0);
  call $p := $alloc();
  call $i1 := __VERIFIER_nondet_int();
  call {:cexpr "smack:ext:__VERIFIER_nondet_int"} boogie_si_record_i32($i1);
  call {:cexpr "n"} boogie_si_record_i32($i1);
  assume {:sourceloc "main.c", 8, 8} true;
  $i0 := 0;
Head:
  assume {:sourceloc "main.c", 8, 17} true;
  goto Body, Done;
Body:
  assume $i0 < 2;
  assume {:sourceloc "main.c", 9, 7} true;
  $i1 := $i1 - 1;
  call {:cexpr "n"} boogie_si_record_i32($i1);
  assume {:sourceloc "main.c", 8, 24} true;
  $i0 := $i0 + 1;
  call {:cexpr "i"} boogie_si_record_i32($i0);
  goto Head;
Done:
  assume $i0 >= 2;
  assume {:sourceloc "main.c", 10, 3} true;
  assume {:captureState "after the loop"} true;
  assume {:verifier.code 1} true;
  call library($i1 - 5);
  return;
}
`

const cSource = `void check(int cond) {
  if (!cond)
    reach_error();
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < 2; i++)
    n--;
  check(n - 5);
}
`

func withSource(pos chc.Position) string {
	lines := strings.Split(cSource, "\n")
	if pos.File != "main.c" || pos.Line < 1 || pos.Line > len(lines) {
		return ""
	}
	return lines[pos.Line-1]
}

func without(chc.Position) string { return "" }

// A generated program's trace is one through what it was made from: its lines, its names, without what is the tool's.
func TestInSource(t *testing.T) {
	run := replayed(t, generated)
	require.True(t, run.Generated)
	text, complete := replay.InSource(run, withSource).Text(false)
	require.True(t, complete)
	require.Equal(t, `main.c:7:3: main begins
main.c:7:3:   int n = __VERIFIER_nondet_int();  __VERIFIER_nondet_int() = 7, n = 7
main.c:8:3:   for (int i = 0; i < 2; i++)
main.c:9:5:   n--;  n = 6
main.c:8:3:   for (int i = 0; i < 2; i++)  i = 1
main.c:9:5:   n--;  n = 5
main.c:8:3:   for (int i = 0; i < 2; i++)  i = 2
main.c:10:3:   state after the loop
main.c:10:3:   check(n - 5);  enters library(n = 0)
lib.c:3:1:     call check  enters check(cond = 0)
main.c:2:3:       if (!cond)
main.c:3:5:       error: reach_error is entered
`, text)
}

// A loop in one line is as many visits of it; what a line does with a call's result is told with the return; what is SMACK's
// own is a library's, whatever it says.
func TestInSourceOfOneLineLoopsAndResults(t *testing.T) {
	source := strings.Split("int twice(int n) {\n  return n + n;\n}\n\nint main(void) {\n  int n = twice(3);\n  while (n > 4) n--;\n  assert(n == 5);\n}\n", "\n")
	run := replayed(t, `const main: int;
axiom main == 7;
procedure boogie_si_record_i32(x: int);
procedure twice(n: int) returns ($r: int) {
  assume {:sourceloc "main.c", 2, 10} true;
  $r := n + n;
}
procedure main() {
  var $t: int;
  assume {:sourceloc "main.c", 6, 11} true;
  assert main == 7;
  $t := 3;
  call $t := twice($t);
  call {:cexpr "n"} boogie_si_record_i32($t);
Loop:
  assume {:sourceloc "main.c", 7, 10} true;
  goto Body, Done;
Body:
  assume $t > 4;
  assume {:sourceloc "main.c", 7, 17} true;
  $t := $t - 1;
  call {:cexpr "n"} boogie_si_record_i32($t);
  goto Loop;
Done:
  assume $t <= 4;
  assume {:sourceloc "/usr/local/share/smack/lib/smack.c", 9, 1} true;
  assume {:verifier.code 0} true;
  call {:cexpr "inner"} boogie_si_record_i32($t);
  assume {:sourceloc "main.c", 8, 3} true;
  assume {:verifier.code 0} true;
  assert $t == 5;
}
`)
	shown := replay.InSource(run, func(pos chc.Position) string {
		if pos.File != "main.c" || pos.Line < 1 {
			return ""
		}
		return source[pos.Line-1]
	})
	text, _ := shown.Text(false)
	require.Equal(t, `main.c:6:3: main begins
main.c:6:3:   int n = twice(3);  enters twice(n = 3)
main.c:2:3:     return n + n;
main.c:6:3:   twice returns with n = 6
main.c:7:3:   while (n > 4) n--;  n = 5
main.c:7:3:   while (n > 4) n--;  n = 4
main.c:7:3:   while (n > 4) n--;
main.c:8:3:   error: assertion $t == 5
`, text)
	var inside []trace.Step
	for _, s := range shown.Steps {
		inside = append(inside, s.Inside...)
	}
	require.Equal(t, run.Steps, inside, "each of the program's own steps is in one of the source's")
}

// Where the source cannot be read, what it is called there and where is told all the same.
func TestInSourceWithoutText(t *testing.T) {
	run := replayed(t, generated)
	text, _ := replay.InSource(run, without).Text(false)
	require.Equal(t, `main.c:7:11: main begins
main.c:7:11:   __VERIFIER_nondet_int() = 7, n = 7
main.c:9:7:   n = 6
main.c:8:24:   i = 1
main.c:9:7:   n = 5
main.c:8:24:   i = 2
main.c:10:3:   state after the loop
main.c:10:3:   call library  enters library(n = 0)
lib.c:3:1:     call check  enters check(cond = 0)
main.c:3:5:       error: reach_error is entered
`, text)
	full, complete := run.Text(true)
	require.True(t, complete)
	for _, part := range []string{"hidden = 0", "smack:entry:main = 0", "$i0 := $i0 + 1;  $i0 = 2", "goto Body, Done; to Done", "check:arg:cond = 0"} {
		require.Contains(t, full, part, "the whole trace has the program's own statements")
	}
}

// Other tools write the place into assertions, in two attributes, and record no values.
func TestSourceFileAndLine(t *testing.T) {
	run := replayed(t, `procedure main() { var x, $y: int; x := 1; $y := 3; assert {:sourcefile "main.c"} {:sourceline 8} true; x := 2; $y := 2; assert {:sourcefile "main.c"} {:sourceline 9} x == 3; }`)
	text, _ := replay.InSource(run, withSource).Text(false)
	require.Equal(t, "main.c:8:3: main begins\nmain.c:8:3:   for (int i = 0; i < 2; i++)  x = 2\nmain.c:9:   error: assertion x == 3 with x = 2\n", text)
}

// The JSON document has both places, and what kind of step it is.
func TestDocumentOfGeneratedPrograms(t *testing.T) {
	b, err := json.Marshal(replayed(t, generated).Document())
	require.NoError(t, err)
	for _, part := range []string{
		`{"kind":"nondet","depth":0,"procedure":"main","file":"f.bpl","line":32,"column":3,"source":{"file":"main.c","line":7,"column":11},"text":"call $i1 := __VERIFIER_nondet_int();","values":[{"name":"$i1","value":"7"}]}`,
		`{"kind":"record","depth":1,"procedure":"library","file":"f.bpl","line":9,"column":3,"source":{"file":"lib.c","line":3,"column":1},"library":true,"values":[{"name":"hidden","value":"0"}]}`,
		`"text":"$M.0 := $M.0 + 1;","values":[{"name":"$M.0","value":"1","global":true}]`,
		`{"kind":"state","depth":0,"procedure":"main","file":"f.bpl","line":52,"column":3,"source":{"file":"main.c","line":10,"column":3},"text":"after the loop"}`,
		`{"kind":"error","depth":2,"procedure":"check","file":"f.bpl","line":24,"column":3,"source":{"file":"main.c","line":3,"column":5},"text":"reach_error is entered"}`,
	} {
		require.Contains(t, string(b), part)
	}
}

// A record of Corral's without a name has that of its argument.
func TestRecordsWithoutNames(t *testing.T) {
	run := replayed(t, "procedure boogie_si_record_int(x: int);\nprocedure main() { var x: int; x := 3; call boogie_si_record_int(x + 1); assert false; }")
	record := run.Steps[2]
	record.Effect = nil
	require.Equal(t, trace.Step{
		Kind: trace.Record, Procedure: "main", Pos: chc.Position{File: "f.bpl", Line: 2, Column: 40}, Values: []trace.Value{{Name: "x + 1", Value: "4"}},
	}, record)
}
