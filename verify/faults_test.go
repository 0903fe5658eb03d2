package verify_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hornbeam/engine"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/harness"
	"hornbeam/frontend/c/interpret"
)

// faultLine is a line of a program's head that says something about it: its property, the sanitizer of gcc that catches its fault, and
// the number that nondet returns where that shows (7 if there is no such line).
var faultLine = regexp.MustCompile(`(?m)^// (property: |gcc: |nondet )(.*)$`)

// seen are the kinds of faults that the programs have, and how many of them were decided.
type seen struct {
	sync.Mutex
	kinds  fault.Set
	unsafe int
}

// The programs come in pairs, with a fault and, without the macro FAULT, without it. By clauses alone, without runs at random, the one
// is unsafe by a run that the interpreter repeats, and the other one is safe; and so say gcc's sanitizers of those that they know. What gcc makes of the harness of an unsafe one shows the fault, too. There
// is a pair for each kind of fault: without its check, or with a weaker one, the program with the fault would be safe.
func TestFaults(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/faults/*.c")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 30)
	_, noGCC := exec.LookPath("gcc")
	if noGCC != nil {
		t.Log("gcc is not installed: its sanitizers are not asked, and harnesses are not run")
	}
	all := &seen{}
	t.Cleanup(func() {
		for k := fault.Assertion; k <= fault.Uninitialised; k++ {
			assert.True(t, t.Failed() || all.unsafe < len(files) || all.kinds.Has(k), "there is no pair for %s", k)
		}
	})
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
				if want == engine.Unsat {
					require.Equal(t, interpret.ErrorReached, r.C.Evidence.Outcome.Kind)
					require.Equal(t, r.Fault, r.C.Evidence.Outcome.Fault)
					all.Lock()
					all.kinds |= fault.Of(r.Fault)
					all.unsafe++
					all.Unlock()
				}
				if want == engine.Unsat && noGCC == nil && !harness.Silent.Has(r.Fault) && !strings.Contains(string(text), "// no harness") {
					text, err := r.C.Harness(t.Context())
					require.NoError(t, err)
					require.NoError(t, r.C.Confirm(t.Context(), text), "%s", text)
				}
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
	for range 5 { // a leak is missed where a stale register or address happens to look like a pointer to it
		if exec.Command(program).Run() != nil {
			return false
		}
	}
	return true
}
