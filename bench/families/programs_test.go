package families

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// smallest is the least size of an instance.
const smallest = 4

func programText(t *testing.T, p Family, n int, bug bool) string {
	var b strings.Builder
	require.NoError(t, p.Write(&b, p.Sized(n, bug)))
	return b.String()
}

// The twins of an instance differ in their verdicts and in one place, which the safe one has some lines for.
func TestProgramTwins(t *testing.T) {
	require.Len(t, programs(), 16)
	for _, p := range programs() {
		safe, bug := strings.Split(programText(t, p, 7, false), "\n"), strings.Split(programText(t, p, 7, true), "\n")
		require.True(t, strings.HasSuffix(p.Doc, "."), p.Doc)
		require.Equal(t, "// "+p.Doc, safe[0])
		require.Equal(t, "// verdict: safe", safe[1])
		require.Equal(t, "// verdict: unsafe", bug[1])
		require.Contains(t, safe, "#define N 7")
		require.Len(t, bug, len(safe))
		differences := 0
		for i := range safe {
			require.NotContains(t, safe[i], "BUG")
			if safe[i] != bug[i] {
				differences++
			}
		}
		require.Equal(t, 2, differences, p.Name)
		got, err := Named(p.Name)
		require.NoError(t, err)
		require.Equal(t, p, got)
		require.ErrorContains(t, p.Write(&strings.Builder{}, p.Sized(smallest-1, false)), p.Name)
		require.ErrorContains(t, p.Write(broken{}, p.Sized(smallest, false)), p.Name)
	}
	_, err := Named("towers")
	require.ErrorContains(t, err, "towers")
}

// The twins of a heap program differ in one step of the count, and it has as many fields, objects and levels as it is asked for.
func TestHeapPrograms(t *testing.T) {
	h, err := Named("heap")
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		p := Parameters{Size: rapid.IntRange(1, 5).Draw(t, "size"), Width: rapid.IntRange(1, 4).Draw(t, "width"),
			Relevant: rapid.IntRange(1, 3).Draw(t, "relevant"), Irrelevant: rapid.IntRange(0, 3).Draw(t, "irrelevant")}
		safe := text(t, h, p)
		p.Bug = true
		a, b := strings.Split(safe, "\n"), strings.Split(text(t, h, p), "\n")
		require.Len(t, b, len(a))
		var different []string
		for i := range a {
			if a[i] != b[i] {
				different = append(different, b[i])
			}
		}
		require.Len(t, different, 2)
		require.Equal(t, "// verdict: unsafe", different[0])
		require.True(t, strings.HasSuffix(different[1], "->f0 + 2;"), different[1])
		require.Equal(t, p.Relevant+p.Irrelevant, strings.Count(safe, "malloc("))
		require.Equal(t, p.Width, strings.Count(safe, "\n  int f"))
		require.Equal(t, p.Size, strings.Count(safe, "\nstatic void work"))
	})
	require.ErrorContains(t, h.Write(&strings.Builder{}, Parameters{Size: 1, Relevant: 1}), "heap")
}

// inputs answers a program's questions by small numbers, chosen by a seed: runs that a program's assumptions let through are
// not rare then.
const inputs = `
#include <stdlib.h>
int __VERIFIER_nondet_int(void) { return rand() % 4; }
char __VERIFIER_nondet_char(void) { return rand() % 3; }
__attribute__((constructor)) static void begin(void) { srand(atoi(getenv("SEED"))); }
`

// gcc's programs of the safe instances fail in no run that is tried, and those of the others do in some.
func TestProgramsRun(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("there is no gcc to compile the programs with: their verdicts are not tried by running them")
	}
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "inputs.c"), []byte(inputs), 0o644))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	for _, p := range append(programs(), heap) {
		p.Language = C
		for _, bug := range []bool{false, true} {
			name := filepath.Join(folder, fmt.Sprintf("%s-%v", p.Name, bug))
			require.NoError(t, os.WriteFile(name+".c", []byte(programText(t, p, smallest, bug)), 0o644))
			out, err := exec.CommandContext(ctx, gcc, "-std=gnu11", "-w", "-O0", "-fsanitize=bounds", "-fno-sanitize-recover=bounds",
				"-o", name, name+".c", filepath.Join(folder, "inputs.c")).CombinedOutput()
			require.NoError(t, err, "%s", out)
			failures := 0
			for seed := 0; seed < 100 && failures == 0; seed++ {
				c := exec.CommandContext(ctx, name)
				c.Env = []string{fmt.Sprintf("SEED=%d", seed)}
				if out, err := c.CombinedOutput(); err != nil {
					require.Contains(t, string(out), "reach_error", "%s, seed %d", p.Name, seed)
					failures++
				}
			}
			require.Equal(t, bug, failures > 0, "%s, bug %v: %d runs fail", p.Name, bug, failures)
		}
	}
}
