package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The page of a bug goes beside the program, or where it is wanted; the verdict and what failed stay on standard output.
func TestTraceFiles(t *testing.T) {
	file := tempFile(t, "bug.bpl", buggyProgram)
	page := file + ".trace.html"
	out := "unsafe\n" + file + ":5:3: error: assertion x != 42 with x = 42; the trace is in "
	require.Equal(t, result{exitBug, out + page + "\n", ""}, call(t, "", "verify", file, "--trace", "html"))
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text), "<!doctype html>\n"))
	require.Contains(t, string(text), "<code>  call x := double(21);</code>", "the source is in the page")

	other := filepath.Join(t.TempDir(), "other.html")
	require.Equal(t, result{exitBug, out + other + "\n", ""}, call(t, "", "hunt", file, "--trace", "html", "--trace-file", other))
	again, err := os.ReadFile(other)
	require.NoError(t, err)
	require.Equal(t, string(text), string(again), "the same bug makes the same page")
	r := call(t, "", "verify", file, "--trace", "html", "--trace-file", "-")
	require.Equal(t, result{exitBug, "unsafe\n" + string(text), ""}, r)
	r = call(t, buggyProgram, "verify", "-", "--trace", "html", "--trace-file", other)
	require.Equal(t, "unsafe\n<stdin>:5:3: error: assertion x != 42 with x = 42; the trace is in "+other+"\n", r.out)

	// Text and JSON go there too, and beside the report of --json.
	require.Equal(t, exitBug, call(t, "", "verify", file, "--trace-file", other).code)
	text, err = os.ReadFile(other)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text), file+":2:11: main begins\n"), string(text))
	r = call(t, "", "verify", file, "--json", "--trace", "json", "--trace-file", other)
	require.Equal(t, 2, strings.Count(r.out, "\n"), "the verdict and one object")
	text, err = os.ReadFile(other)
	require.NoError(t, err)
	var d struct{ Kind string }
	require.NoError(t, json.Unmarshal(text, &d))
	require.Equal(t, "run", d.Kind)

	// Without a bug there is nothing to be written.
	safe := tempFile(t, "safe.bpl", safeProgram)
	require.Equal(t, result{exitOK, "safe\n", ""}, call(t, "", "verify", safe, "--trace", "html"))
	require.NoFileExists(t, safe+".trace.html")
	// Several programs have a page each.
	second := tempFile(t, "second.bpl", buggyProgram)
	require.Equal(t, exitBug, call(t, "", "verify", file, second, "--trace", "html").code)
	require.FileExists(t, second+".trace.html")
}

func TestTraceFilesThatCannotBe(t *testing.T) {
	file, clauses := tempFile(t, "bug.bpl", buggyProgram), tempFile(t, "bug.smt2", "(set-logic HORN)\n(assert false)\n(check-sat)\n")
	for _, args := range [][]string{
		{"verify", "-", "--trace", "html"}, {"verify", file, "--trace", "none", "--trace-file", "f"}, {"verify", file, file, "--trace-file", "f"},
		{"verify", file, "--json", "--trace-file", "-"}, {"hunt", clauses, "--trace", "html"}, {"hunt", clauses, "--trace-file", "f"},
	} {
		r := call(t, buggyProgram, args...)
		require.Equal(t, exitUsage, r.code, "%v: %s", args, r.err)
		require.Empty(t, r.out, "nothing is begun")
		r.oneErrorLine(t)
	}
	r := call(t, "", "verify", file, "--trace", "html", "--trace-file", filepath.Join(t.TempDir(), "no", "folder.html"))
	require.Equal(t, exitUsage, r.code)
	require.Equal(t, "unsafe\n", r.out)
	r.oneErrorLine(t)
}

// The source of a generated program is looked for beside it: its lines are the trace's then.
func TestTraceOfAGeneratedProgram(t *testing.T) {
	file := tempFile(t, "main.bpl", `procedure boogie_si_record_i32(x: int);
procedure input() returns (r: int);
procedure main() {
  var $0: int;
  assume {:sourceloc "./src/main.c", 2, 11} true;
  call $0 := input();
  call {:cexpr "x"} boogie_si_record_i32($0);
  assume {:sourceloc "./src/main.c", 3, 3} true;
  assert $0 != 7;
}
`)
	r := call(t, "", "verify", file)
	require.Equal(t, `unsafe
./src/main.c:2:11: main begins
./src/main.c:2:11:   x = 7
./src/main.c:3:3:   error: assertion $0 != 7
(the statements of the generated program are left out; --full shows them)
`, r.out)
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(file), "main.c"), []byte("int main(void) {\n  int x = input();\n  assert(x != 7);\n}\n"), 0o644))
	r = call(t, "", "verify", file)
	require.Equal(t, `unsafe
./src/main.c:2:3: main begins
./src/main.c:2:3:   int x = input();  x = 7
./src/main.c:3:3:   error: assertion $0 != 7
(the statements of the generated program are left out; --full shows them)
`, r.out)
	r = call(t, "", "verify", file, "--full")
	require.Contains(t, r.out, "main.bpl:6:3:   call $0 := input();  $0 = 7\n")
	r = call(t, "", "verify", file, "--trace", "html", "--trace-file", "-")
	require.Contains(t, r.out, "<code>  assert(x != 7);</code>")
	require.Contains(t, r.out, "<code>  assert $0 != 7;</code>")
}
