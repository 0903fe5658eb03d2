package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/bench/families"
)

// The search ends within an eighth of the largest size that succeeds, and never tries beyond the limit.
func TestLargest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 5000).Draw(t, "limit")
		truth := rapid.IntRange(0, 6000).Draw(t, "truth")
		tried := map[int]bool{}
		solved, failed, err := largest(limit, func(size int) (bool, error) {
			require.False(t, tried[size], "a size is tried once")
			tried[size] = true
			require.LessOrEqual(t, size, limit)
			return size <= truth, nil
		})
		require.NoError(t, err)
		require.LessOrEqual(t, solved, truth)
		if failed > 0 {
			require.Greater(t, failed, truth)
			require.LessOrEqual(t, failed-solved, max(1, solved/8))
		} else {
			require.Greater(t, 2*solved, limit)
		}
		require.LessOrEqual(t, len(tried), 18)
	})
	_, _, err := largest(8, func(int) (bool, error) { return false, context.Canceled })
	require.ErrorIs(t, err, context.Canceled)
}

// fake is a program that solves, at once, what has at most so many lines and is not at all what it was asked.
func fake(t *testing.T, script string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "hornbeam")
	require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\n"+script), 0o755))
	return file
}

func runnerFor(t *testing.T, program, runs string, l limits) *runner {
	t.Helper()
	r, err := newRunner(program, t.TempDir(), runs, l, 2)
	require.NoError(t, err)
	t.Cleanup(r.close)
	return r
}

// A run that was made is not made again, not even by another process, unless the program, the text or an option differs;
// half a line at the end of the file, from an interruption, does no harm.
func TestRunsAreKept(t *testing.T) {
	dir := t.TempDir()
	count := filepath.Join(dir, "count")
	program := fake(t, fmt.Sprintf("echo x >>%s\necho sat\necho '{\"statistics\":{\"checks\":7}}'\n", count))
	runs := filepath.Join(dir, "runs")
	l := limits{time: 20 * time.Second, memory: 2048}
	calls := func() int {
		text, err := os.ReadFile(count)
		require.NoError(t, err)
		return strings.Count(string(text), "x")
	}
	f := families.All()[0]
	r := runnerFor(t, program, runs, l)
	for range 2 {
		o, err := r.run(context.Background(), f, f.Sized(3, false), "--engine", "bmc")
		require.NoError(t, err)
		require.True(t, o.solved())
		require.Equal(t, 7.0, o.Statistics["checks"])
	}
	require.Equal(t, 1, calls())
	o, err := r.run(context.Background(), f, f.Sized(3, true), "--engine", "bmc")
	require.NoError(t, err)
	require.True(t, o.wrong())
	require.Equal(t, "WRONG", o.seconds())
	require.Equal(t, 2, calls())

	file, err := os.OpenFile(runs, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteString(`{"Key":"12`)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	again := runnerFor(t, program, runs, l)
	for range 2 {
		_, err = again.run(context.Background(), f, f.Sized(3, false), "--engine", "bmc")
		require.NoError(t, err)
		_, err = again.run(context.Background(), f, f.Sized(3, false), "--engine", "inline")
		require.NoError(t, err)
	}
	require.Equal(t, 3, calls())
	third := runnerFor(t, program, runs, l)
	_, err = third.run(context.Background(), f, f.Sized(3, false), "--engine", "inline")
	require.NoError(t, err)
	require.Equal(t, 3, calls(), "what was appended after half a line is read")
}

// A program that goes on after its time is ended, with all that it started; one that crashes has a reason.
func TestOverdueAndCrashed(t *testing.T) {
	f := families.All()[0]
	r := runnerFor(t, fake(t, "sleep 60 & sleep 60\n"), filepath.Join(t.TempDir(), "runs"), limits{time: 50 * time.Millisecond, memory: 100})
	o, err := r.run(context.Background(), f, f.Sized(1, false))
	require.NoError(t, err)
	require.Equal(t, "overdue", o.Reason)
	require.False(t, o.solved() || o.wrong())
	r = runnerFor(t, fake(t, "echo 'out of memory' >&2\nexit 2\n"), filepath.Join(t.TempDir(), "runs"), limits{time: time.Minute, memory: 100})
	o, err = r.run(context.Background(), f, f.Sized(1, false))
	require.NoError(t, err)
	require.Equal(t, "out of memory", o.Reason)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = r.run(ctx, f, f.Sized(2, false))
	require.ErrorIs(t, err, context.Canceled)
}

// The table says how much deeper one engine gets, and why it got no deeper.
func TestDepthTable(t *testing.T) {
	rows := []depthRow{
		{family: families.All()[0], reached: [2]reach{{depth: 4, seconds: 1, failed: 5, reason: "timeout while solving"}, {depth: 14, seconds: 2.25, failed: 16, reason: "memory limit"}}},
		{family: families.All()[0], bug: true, reached: [2]reach{{failed: 1, reason: "overdue"}, {depth: 8, seconds: 1, wrong: true}}},
	}
	var b strings.Builder
	printDepths(&b, rows)
	lines := strings.Split(b.String(), "\n")
	require.Equal(t, "| call-tree | width^depth | safe | 4 (1.0 s) | 5: time | 14 (2.2 s) | 16: memory | 3.5 |", lines[2])
	require.Equal(t, "| call-tree | width^depth | bug | none | 1: time | ≥ 8 (1.0 s) WRONG |  | – |", lines[3])
}

// A measurement of everything, with a program that answers at once, fills every cell; what fails ends it.
func TestEverythingIsMeasured(t *testing.T) {
	report, err := json.Marshal(map[string]any{"statistics": map[string]float64{"inline.refine.checks": 12, "inline.tracked": 3}})
	require.NoError(t, err)
	program := fake(t, fmt.Sprintf("for file; do :; done\ngrep -q 'verdict: sat' $file && echo sat || echo unsat\necho '%s'\n", report))
	dir := t.TempDir()
	var progress, out bytes.Buffer
	results := filepath.Join(dir, "results.md")
	args := []string{"-hornbeam", program, "-results", results, "-runs", filepath.Join(dir, "runs"), "-deepest", "2"}
	require.NoError(t, command(context.Background(), args, &out, &progress))
	text, err := os.ReadFile(results)
	require.NoError(t, err)
	require.NotContains(t, string(text), "%!")
	require.NotContains(t, string(text), "–")
	require.Contains(t, string(text), "| locks | width^depth | bug | ≥ 2 (")
	require.Contains(t, string(text), "| 128 | 4 | 3 | 12 | 12 | 12 | 12 |")
	require.NoError(t, command(context.Background(), append(args, "-only", "loop"), &out, &progress))
	require.Contains(t, out.String(), "| loop | depth | bug | ≥ 2 (")
	require.Error(t, command(context.Background(), append(args, "-only", "towers"), &out, &progress))
	require.Error(t, command(context.Background(), append(args, "-hornbeam", filepath.Join(dir, "none")), &out, &progress))
}

func TestPrintsAnInstance(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, command(context.Background(), strings.Fields("-print locks -depth 3 -width 1 -relevant 1 -irrelevant 0 -seed 5 -bug"), &out, &out))
	require.Contains(t, out.String(), "; depth 3, width 1, 1 relevant and 0 irrelevant variables, seed 5\n; verdict: unsat\n")
	require.Error(t, command(context.Background(), strings.Fields("-print towers"), &out, &out))
}
