// Package resulttest makes results up for the tests of the packages that read results. The figures look like those of a
// competition, and mean nothing.
package resulttest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/bench/result"
)

// Limits are those of all runs that are made up.
var Limits = result.Limits{Wall: 20, CPU: 20, Memory: 4 << 30, Cores: 1}

// Run is a run of the tool on the task of the list "list" that took as many seconds of wall and CPU time. A verdict ends
// with status ok, and none with a timeout.
func Run(tool, task string, expected, verdict result.Verdict, seconds float64) *result.Run {
	r := &result.Run{
		List: "list", Task: task, Expected: expected, Tool: tool, Version: "1.0", Options: []string{"{file}"}, Limits: Limits,
		Verdict: verdict, Status: result.OK, Wall: seconds, CPU: seconds, Memory: 50 << 20, Measured: result.Proc,
		Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Host:    result.Host{OS: "linux", Arch: "amd64", CPU: "Processor", Cores: 2, Memory: 8 << 30},
	}
	if verdict == result.None {
		r.Status = result.Timeout
	}
	return r
}

// Competition is the runs of three tools on the given number of tasks of two tracks, by the seed alone: most are solved,
// some run into limits, crash or give up; one verdict in two hundred is wrong, and of one task in fifty none is known.
func Competition(seed uint64, tasks int) []*result.Run {
	random := rand.New(rand.NewPCG(seed, 1))
	var runs []*result.Run
	for i := range tasks {
		list, family := "LIA-Lin", fmt.Sprintf("family-%d", i%7)
		if i%3 == 0 {
			list = "LIA"
		}
		expected := result.Sat
		if random.IntN(3) == 0 {
			expected = result.Unsat
		}
		label := expected
		if random.IntN(50) == 0 {
			label = result.None
		}
		hardness := math.Exp(random.NormFloat64()*2.5 - 1)
		for t, tool := range []string{"hornbeam", "z3", "golem"} {
			seconds := hardness * math.Exp(random.NormFloat64()) * []float64{0.8, 1, 1.3}[t]
			r := Run(tool, fmt.Sprintf("%s/task-%04d.smt2", family, i), label, expected, min(seconds+0.01, 20.05))
			r.List, r.Track, r.Family = list, list, family
			r.CPU = min(r.Wall*(0.9+0.1*random.Float64()), 20.02)
			r.Memory = int64(20+200*r.Wall) << 20
			switch dice := random.IntN(200); {
			case dice == 0:
				r.Verdict = map[result.Verdict]result.Verdict{result.Sat: result.Unsat, result.Unsat: result.Sat}[expected]
			case seconds > 20:
				r.Verdict, r.Status = result.None, result.Timeout
			case dice < 8:
				r.Verdict, r.Status, r.Detail, r.Memory = result.None, result.MemoryOut, "over 4 GiB", Limits.Memory
			case dice < 12:
				r.Verdict, r.Status, r.Detail, r.Exit = result.None, result.Crash, "segmentation fault", -1
			case dice < 20:
				r.Verdict = result.Unknown
			}
			runs = append(runs, r)
		}
	}
	return runs
}

// File writes the runs to a new results file and returns its path.
func File(t testing.TB, runs []*result.Run) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "results.jsonl")
	f, err := result.Append(path)
	require.NoError(t, err)
	for _, r := range runs {
		require.NoError(t, f.Write(r))
	}
	require.NoError(t, f.Close())
	return path
}

// Output writes a file beside the results file and returns its name as a run keeps it.
func Output(t testing.TB, results, name, text string) string {
	t.Helper()
	path := filepath.Join(filepath.Dir(results), filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return name
}
