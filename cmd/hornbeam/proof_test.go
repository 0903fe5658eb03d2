package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVerifyShowsProofs(t *testing.T) {
	file := tempFile(t, "safe.bpl", `procedure double(n: int) returns (r: int) { assert n >= 0; r := 0; while (r < 2 * n) { r := r + 2; } }
procedure main(k: int) { var x: int; if (k > 5) { call x := double(k); assert x >= k; } }
`)
	r := call(t, "", "verify", file, "--proof")
	require.Equal(t, exitOK, r.code, r.err)
	text := strings.ReplaceAll(r.out, file, "FILE")
	require.True(t, strings.HasPrefix(text, "safe\nFILE:1:11: procedure double\n  requires n >= 0;\n"), text)
	require.Contains(t, text, "  ensures ")
	// A second loop head would have a line of its own.
	require.LessOrEqual(t, strings.Count(text, "loop in double"), 1)

	r = call(t, "", "verify", file, "--proof", "--json")
	var report programReport
	require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(r.out, "safe\n")), &report))
	require.Equal(t, "double", report.Proof[0].Procedure)
	require.Equal(t, []string{"n >= 0"}, report.Proof[0].Requires)
	require.Equal(t, 1, report.Proof[0].Line)
	require.Contains(t, report.Statistics, "time.proof")

	// What is not safe has no proof, and nothing is written.
	out := filepath.Join(t.TempDir(), "out.bpl")
	r = call(t, "", "verify", tempFile(t, "bug.bpl", buggyProgram), "--proof", "--annotate", out, "--trace", "none")
	require.Equal(t, result{exitBug, "unsafe\n", ""}, r)
	require.NoFileExists(t, out)
}

// Every safe example is verified by the contracts and invariants that are written into it.
func TestAnnotatedExamples(t *testing.T) {
	files, err := filepath.Glob("../../examples/*.bpl")
	require.NoError(t, err)
	confirmed := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		if !strings.Contains(string(src), "// verdict: safe\n") {
			continue
		}
		out := filepath.Join(t.TempDir(), filepath.Base(file))
		r := call(t, "", "verify", file, "--annotate", out)
		require.Equal(t, exitOK, r.code, file)
		require.Equal(t, "safe\n"+out+": every procedure is verified by its contract\n", r.out, file)
		r = call(t, "", "verify", out, "--modular", "--strict")
		require.Equal(t, exitOK, r.code, "%s: %s%s", file, r.out, r.err)
		require.True(t, strings.HasPrefix(r.out, "safe\n"), file)
		// It is the same program still.
		r = call(t, "", "verify", out)
		require.Equal(t, exitOK, r.code, file)
		require.Equal(t, "safe\n", r.out, file)
		confirmed++
	}
	require.GreaterOrEqual(t, confirmed, 10)
}

// An annotated program that its contracts do not verify is told from one that they do.
func TestAnUnconfirmedProof(t *testing.T) {
	// The second invariant follows from the first one, which is assumed, but Boogie checks each by itself.
	file := tempFile(t, "free.bpl", "procedure main() { var j: int; j := 0; while (*) free invariant j <= 7; invariant j <= 8; { havoc j; } }\n")
	out := filepath.Join(t.TempDir(), "out.bpl")
	r := call(t, "", "verify", file, "--annotate", out)
	require.Equal(t, exitInconclusive, r.code)
	require.Equal(t, "safe\n", r.out)
	require.Contains(t, r.err, "; "+out+" is not verified by its contracts: ")
	require.Contains(t, r.err, "in main, j <= 8 may not hold")
	require.FileExists(t, out)
	r = call(t, "", "verify", file, "--annotate", out, "--json")
	var report programReport
	require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(r.out, "safe\n")), &report))
	require.Equal(t, out, report.Annotated)
	require.Contains(t, report.Unconfirmed, "j <= 8 may not hold")
}

// A program whose own contracts prove it, where clauses have only instances of what is assumed, needs no others.
func TestProofsByContracts(t *testing.T) {
	file := tempFile(t, "own.bpl", `function f(x: int): int;
axiom (forall x: int :: f(x) > x);
procedure step(x: int) returns (y: int) ensures y > x; { y := f(x); }
procedure unused() { assert false; }
procedure {:entrypoint} main() { var a, b: int; call b := step(a); assert b > a; }
`)
	out := filepath.Join(t.TempDir(), "out.bpl")
	r := call(t, "", "verify", file, "--proof", "--annotate", out)
	require.Equal(t, result{exitOK, "safe\n" + file + ":4:11: procedure unused\n  requires false;\n" + out + ": every procedure is verified by its contract\n",
		"; assumed: procedures that no run reaches are not checked: unused; the axioms do not contradict each other\n"}, r)
	require.Equal(t, exitOK, call(t, "", "verify", out, "--modular").code)
}

func TestProofUsage(t *testing.T) {
	file := tempFile(t, "safe.bpl", safeProgram)
	for _, args := range [][]string{{"--proof", "--modular"}, {"--annotate", "x.bpl", "--modular"}, {"--annotate", "x.bpl", file}} {
		r := call(t, "", append([]string{"verify", file}, args...)...)
		require.Equal(t, exitUsage, r.code, r.err)
	}
	r := call(t, "", "verify", file, "--annotate", filepath.Join(t.TempDir(), "no", "such", "directory.bpl"))
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "no such file or directory")
}
