package verify_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/verify"
)

// svlibTasks are the scripts of package svlib, which say their verdicts by (set-info :status …).
func svlibTasks(t *testing.T) (files []string) {
	t.Helper()
	files, err := filepath.Glob("../frontend/svlib/testdata/*.svlib")
	require.NoError(t, err)
	require.Greater(t, len(files), 30)
	return files
}

var svlibStatus = regexp.MustCompile(`\(set-info :status (\w+)\)`)

func decideSVLIB(t *testing.T, file string, src []byte) *verify.Result {
	t.Helper()
	o, err := verify.NewOptions(map[string]string{"runs": "100ms"})
	require.NoError(t, err)
	o.Witness = true
	ctx, stop := portfolio.WithLimits(t.Context(), time.Minute, 0)
	defer stop()
	r, err := verify.Program(ctx, verify.Request{
		File: file, Source: src, Language: engine.SVLIB, Options: o,
		Solver: portfolio.Request{Check: true, Stats: engine.NewStats()},
	})
	require.NoError(t, err)
	return r
}

// Scripts have the verdicts that they say, in pairs of which one is correct and the other is not.
func TestSVLIBVerdicts(t *testing.T) {
	for _, file := range svlibTasks(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			r := decideSVLIB(t, file, src)
			want := map[string]engine.Verdict{"correct": engine.Sat, "incorrect": engine.Unsat, "unknown": engine.Unknown}
			require.Equal(t, want[svlibStatus.FindStringSubmatch(string(src))[1]], r.Verdict, r.Reason)
		})
	}
}
