package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// counters are the lines of --stats that are no times.
func counters(text string) (out []string) {
	for line := range strings.Lines(text) {
		if !strings.HasSuffix(line, " s\n") {
			out = append(out, line)
		}
	}
	return out
}

// beside calls f while two loops want the processor.
func beside(f func()) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	for range 2 {
		go func() {
			for ctx.Err() == nil {
			}
		}()
	}
	f()
}

// TestRunsRepeat decides every eighth example twice, the second time on a machine that is busy: the answer, who gave it, the witness and
// all counters are the same.
func TestRunsRepeat(t *testing.T) {
	t.Parallel()
	for pattern, args := range map[string][]string{
		"*.smt2": {"solve", "--model", "--proof"},
		"*.bpl":  {"verify"},
		"c/*.c":  {"verify"},
	} {
		files, err := filepath.Glob("../../examples/" + pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for i, file := range files {
			if i%8 != 0 {
				continue
			}
			decide := func() result { return call(t, "", append(args, "--stats", file)...) }
			quiet := decide()
			require.Contains(t, quiet.err, "; winner ")
			var busy result
			beside(func() { busy = decide() })
			require.Equal(t, quiet.code, busy.code, file)
			require.Equal(t, quiet.out, busy.out, file)
			require.Equal(t, counters(quiet.err), counters(busy.err), file)
		}
	}
}

// What counts work is Z3 in this process.
func TestRunsOfOtherSolversDoNotRepeat(t *testing.T) {
	t.Parallel()
	r := call(t, safe, "solve", "--deterministic", "--solver", "cat", "-")
	require.Equal(t, exitUsage, r.code)
	r.oneErrorLine(t)
	require.Contains(t, r.err, "--deterministic counts the work of libz3, which --solver cat replaces")
	r = call(t, safe, "solve", "--solver", "cat", "-")
	require.NotEqual(t, exitUsage, r.code, r.err)
}
