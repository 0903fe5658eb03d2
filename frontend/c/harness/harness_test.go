package harness_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/harness"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/tree"
)

// write finds a run of a program that reaches the error, and writes its harness.
func write(t *testing.T, name, text string, model tree.Model, o interpret.Options) []byte {
	t.Helper()
	ctx := context.Background()
	options := c.Options{Model: model}
	p, err := c.Read(ctx, name, []byte(text), options)
	require.NoError(t, err)
	runner, err := interpret.New(p, o)
	require.NoError(t, err)
	found, err := runner.Explore(ctx, interpret.Search{Seed: 1, Runs: 20000})
	require.NoError(t, err)
	require.NotNil(t, found.Script, "%s: %s", name, found.Outcome)
	out, err := harness.Write(ctx, harness.Input{Name: name, Text: []byte(text), Read: options, Tree: p, Runner: runner, Script: found.Script, Options: o})
	require.NoError(t, err)
	return out
}

func gcc(t *testing.T) bool {
	_, err := exec.LookPath("gcc")
	if err != nil {
		t.Log("gcc is not installed: harnesses are written, but not compiled")
	}
	return err == nil
}

// confirm reports whether the program that gcc makes of a harness reaches the error. The test is skipped where no such program runs.
func confirm(t *testing.T, model tree.Model, asked fault.Set, text []byte) bool {
	t.Helper()
	reached, err := harness.Confirm(t.Context(), model, asked, text)
	if errors.Is(err, harness.ErrNotRun) {
		t.Skip(err)
	}
	require.NoError(t, err)
	return reached
}

var modelLine = regexp.MustCompile(`(?m)^// model: (\w+)$`)

// The harness of each unsafe example reaches the error, for machines of 32 and of 64 bits.
func TestExamplesReachTheError(t *testing.T) {
	files, err := filepath.Glob("../../../examples/c/*-unsafe.c")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 30)
	run := gcc(t)
	for i, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		models := []tree.Model{[]tree.Model{c.ILP32, c.LP64}[i%2]}
		if m := modelLine.FindStringSubmatch(string(text)); m != nil {
			models = map[string][]tree.Model{"ILP32": {c.ILP32}, "LP64": {c.LP64}}[m[1]]
		}
		for _, model := range models {
			t.Run(strings.TrimSuffix(filepath.Base(f), ".c")+"/"+model.Name, func(t *testing.T) {
				out := write(t, filepath.Base(f), string(text), model, interpret.Options{})
				if !run {
					return
				}
				require.True(t, confirm(t, model, 0, out), "%s", out)
			})
		}
	}
}

// What a program leaves open is what it was in the run: each of these reaches the error for hardly any other values.
var open = map[string]string{
	"results":        `int x(void); unsigned char y(void); int main(void) { if (x() == 7 && y() == 200 && x() == 9) reach_error(); }`,
	"floats":         `double x(void); float y(void); int main(void) { if (x() > 1.5 && y() < -3.0f) reach_error(); }`,
	"own error":      `void reach_error() { int k = 3; k++; while (1) ; } int main() { reach_error(); }`,
	"old style":      `int __VERIFIER_error(c) char c; { return c; } int main() { __VERIFIER_error(3); }`,
	"assertion":      `void __VERIFIER_assert(int); int x(void); void __VERIFIER_assume(int); int main(void) { int v = x(); __VERIFIER_assume(v > 4); __VERIFIER_assert(v > 5); }`,
	"assert.h":       "#include <assert.h>\nint x(void); int main(void) { assert(x() != 3); }",
	"locals":         `int main(void) { int a[3], *p; register int r; struct { char c; int i; } s; if (a[1] == 7 && r == 5 && s.i == 9) reach_error(); }`,
	"local again":    `int main(void) { int n = 0; for (int i = 0; i < 2; i++) { int v; n += v == i + 5; } if (n == 2) reach_error(); }`,
	"heap":           `void *malloc(unsigned long); int main(void) { int *p = malloc(8), *q = malloc(8); if (p[1] == 7 && q[0] == 8 && p != q) reach_error(); }`,
	"extern objects": `extern int g; extern const short h; int main(void) { extern unsigned k; if (g == 7 && h == -2 && k == 5) reach_error(); }`,
	"new objects":    `int *x(void); int main(void) { int *p = x(), *q = x(); if (p && q && p != q && p[2] == 7 && *q == 8) reach_error(); }`,
	"structs":        `struct s { int i; char c; }; struct s x(void); int main(void) { struct s a = x(), b = x(); if (a.c == 7 && b.i == 8) reach_error(); }`,
	"no return":      `int f(int x) { if (x) return 1; } int main(void) { if (f(0) == 7) reach_error(); }`,
	"arguments":      `int main(int argc, char **argv) { if (argc == 3) reach_error(); }`,
	"input":          `int scanf(const char *, ...); int main(void) { int a = 0; if (scanf("%d", &a) == 1 && a == 7) reach_error(); }`,
	"names":          `int read(int *a) { return *a; } int malloc; int strlen(int x) { return x + 1; } int main(void) { int exit = 3; if (strlen(exit) == 4 && read(&exit) == 3) reach_error(); }`,
	"strings":        `#include <string.h>` + "\n" + `int x(void); int main(void) { char b[8] = "ab"; b[1] = x(); strcat(b, "c"); if (strlen(b) == 3 && !strcmp(b, "axc")) reach_error(); }`,
	"stubs":          `int sea_nd_int(void) { return 0; } void __SEA_assume(int x) {} void __VERIFIER_assert(int c) {} int main(void) { int a = sea_nd_int(), b = sea_nd_int(); __SEA_assume(a > 4); __VERIFIER_assert(b != 7 || a != 6); }`,
	"metadata":       "#include <seahorn/seahorn.h>\n" + `int x(void); int main(void) { int a = 5; sea_tracking_on(); if (x() == 3) a = 6; sea_set_shadowmem(1, (char *)&a, 9); sassert(!sea_is_modified((char *)&a) || sea_get_shadowmem(1, (char *)&a) != 9); }`,
	"no function":    `void reach_error(void); static int g(int x) { if (x == 3) reach_error(); return 0; } int (*const keep)(int) = g; int main(void) { int (*f)(int); return f(3); }`,
	"inline":         `inline int f(int x) { return x; } static inline int g(int x) { return f(x); } int main(void) { if (g(2) == 2) reach_error(); }`,
	"division":       `long long x(void); int main(void) { long long a = x(); if (a > 9000000000LL && a / 3 % 7 == 2) reach_error(); }`,
}

func TestWhatIsOpenIsForced(t *testing.T) {
	run := gcc(t)
	models := []tree.Model{c.ILP32, c.LP64}
	for i, name := range slices.Sorted(maps.Keys(open)) {
		model := models[i%2]
		t.Run(name+"/"+model.Name, func(t *testing.T) {
			text := open[name]
			if !strings.Contains(text, "void reach_error") {
				text = "void reach_error(void);\n" + text
			}
			out := write(t, "p.c", text, model, interpret.Options{})
			if !run {
				return
			}
			require.True(t, confirm(t, model, 0, out), "%s", out)
		})
	}
}

// A label that is the error, overflows, and a function that C's library has, too.
func TestOtherErrors(t *testing.T) {
	label := write(t, "p.c", "int x(void); int main(void) { if (x() == 3) { ERROR: ; } return 0; }", c.LP64, interpret.Options{ErrorLabel: "ERROR"})
	overflow := "void reach_error(void); int x(void); int main(void) { int a = x(); if (a < 0) reach_error(); if (a > 2000000000) a *= 2; return a; }"
	first := write(t, "p.c", overflow, c.LP64, interpret.Options{Faults: fault.Of(fault.Overflow)})
	second := write(t, "p.c", overflow, c.ILP32, interpret.Options{Faults: fault.Of(fault.Overflow)})
	own := write(t, "p.c", "void reach_error(void); void *memset(void *p, int c, unsigned n) { reach_error(); return p; } int main(void) { int i; memset(&i, 0, 4); }", c.ILP32, interpret.Options{})
	if !gcc(t) {
		return
	}
	for _, h := range []struct {
		text  []byte
		model tree.Model
		asked fault.Set
	}{{label, c.LP64, 0}, {own, c.ILP32, 0}, {first, c.LP64, fault.Of(fault.Overflow)}, {second, c.ILP32, fault.Of(fault.Overflow)}} {
		require.True(t, confirm(t, h.model, h.asked, h.text), "%s", h.text)
	}
}

// A program that does not reach the error, never ends, or is none is not confirmed.
// What a contract says that a function without a body changes is named: no answer of the harness changes it.
func TestObjectsThatAContractChangesAreNamed(t *testing.T) {
	const named = "which values a function without a body gives to objects of the program"
	for begin, want := range map[string]bool{"int g; /*@ assigns g; */ void f(void); ": true, "int a[2]; /*@ assigns a; */ int f(void); ": true, "int f(void); ": false} {
		text := begin + "extern void reach_error(void); int main(void) { f(); reach_error(); return 0; }"
		p, err := c.Read(t.Context(), "a.c", []byte(text), c.Options{ACSL: true})
		require.NoError(t, err)
		runner, err := interpret.New(p, interpret.Options{})
		require.NoError(t, err)
		found, err := runner.Explore(t.Context(), interpret.Search{Seed: 1, Runs: 100})
		require.NoError(t, err)
		require.NotNil(t, found.Script)
		out, err := harness.Write(t.Context(), harness.Input{Name: "a.c", Text: []byte(text), Tree: p, Runner: runner, Script: found.Script})
		require.NoError(t, err)
		require.Equal(t, want, strings.Contains(string(out), named), text)
	}
}

func TestNotConfirmed(t *testing.T) {
	if !gcc(t) {
		return
	}
	reached, err := harness.Confirm(context.Background(), c.LP64, 0, []byte("int main(void) { return 3; }"))
	require.NoError(t, err)
	require.False(t, reached)
	_, err = harness.Confirm(context.Background(), c.LP64, 0, []byte("int main(void) { return x; }"))
	require.ErrorIs(t, err, harness.ErrCompile)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	reached, _ = harness.Confirm(ctx, c.LP64, 0, []byte("int main(void) { for (;;) ; }"))
	require.False(t, reached)
}

// A program that the kernel does not take is run by qemu-i386, within the limit; where that is missing the error says so.
func TestProgramsThatTheKernelDoesNotTake(t *testing.T) {
	dir, path := t.TempDir(), t.TempDir()
	program := filepath.Join(dir, "program")
	require.NoError(t, os.WriteFile(program, []byte("\x7fELF of another machine\x00"), 0o777))
	t.Setenv("PATH", path)
	require.ErrorIs(t, harness.Run(t.Context(), program, 0, nil), harness.ErrNotRun)
	require.NoError(t, os.WriteFile(filepath.Join(path, "qemu-i386"), []byte("#!/bin/sh\necho \"$@\"\nexit 107\n"), 0o777))
	for limit, want := range map[int]string{0: program + "\n", 1 << 20: "-R 1073741824 " + program + "\n"} {
		var out strings.Builder
		var exit *exec.ExitError
		require.ErrorAs(t, harness.Run(t.Context(), program, limit, &out), &exit)
		require.Equal(t, harness.Exit, exit.ExitCode())
		require.Equal(t, want, out.String())
	}
}
