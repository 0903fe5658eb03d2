package verify_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
)

// faultLine is a line of a program's head that says something about it: its property, the sanitizer of gcc that catches its fault, and
// the number that nondet returns where that shows (7 if there is no such line).
var faultLine = regexp.MustCompile(`(?m)^// (property: |gcc: |nondet )(.*)$`)

// The programs come in pairs, with a fault and, without the macro FAULT, without it. By clauses alone, without runs at random, the one
// is unsafe by a run that the interpreter repeats, and the other one is safe; and so say gcc's sanitizers of those that they know.
func TestFaults(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/faults/*.c")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 30)
	_, noGCC := exec.LookPath("gcc")
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		about := map[string]string{"nondet ": "7"}
		for _, m := range faultLine.FindAllStringSubmatch(string(text), -1) {
			about[m[1]] = m[2]
		}
		options := asked(t, "explore=0s", "property="+about["property: "])
		options.MayFail = strings.Contains(string(text), "// malloc may fail")
		for define, want := range map[string]engine.Verdict{"": engine.Sat, "#define FAULT\n": engine.Unsat} {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".c")+"/"+map[engine.Verdict]string{engine.Sat: "safe", engine.Unsat: "unsafe"}[want], func(t *testing.T) {
				t.Parallel()
				r := decideC(t.Context(), t, define+string(text), options, nil)
				require.Equal(t, want, r.Verdict, r.Reason)
				if about["gcc: "] != "" && noGCC == nil {
					require.Equal(t, want == engine.Sat, runsClean(t, define+string(text), about["gcc: "], about["nondet "]))
				}
			})
		}
	}
}

// runsClean reports whether a program ends without a complaint when it is compiled by gcc with a sanitizer.
func runsClean(t *testing.T, text, sanitizer, nondet string) bool {
	t.Helper()
	source, program := filepath.Join(t.TempDir(), "fault.c"), filepath.Join(t.TempDir(), "fault")
	require.NoError(t, os.WriteFile(source, []byte(text+"\nint nondet(void) { return "+nondet+"; }\n"), 0o666))
	out, err := exec.Command("gcc", "-w", "-O0", "-fno-sanitize-recover=all", "-fsanitize="+sanitizer, "-o", program, source).CombinedOutput()
	require.NoError(t, err, "%s", out)
	err = exec.Command(program).Run()
	return err == nil
}
