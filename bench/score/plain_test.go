package score_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/bench/result"
)

// A script that knows nothing of statuses compares the first verdict that was printed with the expected one. Its counts and
// its penalised mean of wall time are the board's.
func TestCountsAreThoseOfAPlainScript(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var runs []*result.Run
		var solved, isSat, isUnsat, wrong, errors int
		sum, limit := 0.0, 20.0
		for i := range rapid.IntRange(1, 30).Draw(t, "tasks") {
			expected := rapid.SampledFrom([]result.Verdict{sat, unsat, reject}).Draw(t, "expected")
			seconds := rapid.Float64Range(0, 20).Draw(t, "seconds")
			// What a script sees: a word, else that the time was up, else the exit code, 2 being a refusal.
			got := rapid.SampledFrom([]string{"sat", "unsat", "unknown", "reject", "timeout", "error"}).Draw(t, "got")
			r := run("a", fmt.Sprint(i), expected, result.Verdict(got), seconds)
			switch got {
			case "timeout":
				r.Verdict, r.Status = none, result.Timeout
			case "error":
				r.Verdict, r.Status = none, rapid.SampledFrom([]result.Status{result.Error, result.Crash}).Draw(t, "status")
				errors++
			case "sat", "unsat":
				// After a verdict the tool may do what it likes.
				r.Status = rapid.SampledFrom([]result.Status{result.OK, result.Timeout, result.Crash, result.MemoryOut}).Draw(t, "status")
			}
			runs = append(runs, r)
			switch {
			case got == string(expected):
				solved++
				sum += seconds
				if got == "sat" {
					isSat++
				} else if got == "unsat" {
					isUnsat++
				}
				continue
			case got == "sat" || got == "unsat" || got == "reject":
				wrong++
			}
			sum += 2 * limit
		}
		s := of(runs...).Overall[0]
		require.Equal(t, []int{solved, isSat, isUnsat, wrong, errors}, []int{s.Solved, s.Sat, s.Unsat, s.Wrong, s.Errors})
		require.InDelta(t, sum/float64(len(runs)), s.PAR2Wall, 1e-9)
	})
}
