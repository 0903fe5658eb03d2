package result

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func anyRun() *rapid.Generator[*Run] {
	return rapid.Custom(func(t *rapid.T) *Run {
		word := func(name string) string { return rapid.StringMatching(`[a-zA-Z|\n"\\ äß/.-]{0,12}`).Draw(t, name) }
		verdicts := []Verdict{None, Sat, Unsat, Safe, Unsafe, Unknown, Reject}
		return &Run{
			List: word("list"), Task: "t" + word("task"), Family: word("family"), Tool: "u" + word("tool"), Detail: word("detail"),
			Options:  rapid.SliceOfN(rapid.String(), 1, 4).Draw(t, "options"),
			Expected: rapid.SampledFrom(verdicts).Draw(t, "expected"), Verdict: rapid.SampledFrom(verdicts).Draw(t, "verdict"),
			Status: rapid.SampledFrom([]Status{OK, Timeout, CPUTimeout, MemoryOut, Crash, Error}).Draw(t, "status"),
			Wall:   rapid.Float64Range(0, 1e6).Draw(t, "wall"), Memory: rapid.Int64Min(0).Draw(t, "memory"),
			Exit: rapid.IntRange(-1, 255).Draw(t, "exit"), Repeat: rapid.IntRange(0, 5).Draw(t, "repeat"),
			Started: time.Unix(rapid.Int64Range(0, 1<<35).Draw(t, "started"), 0).UTC(),
		}
	})
}

func TestWhatIsWrittenIsReadAgainAndATornLineLosesNothingElse(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		folder, err := os.MkdirTemp(dir, "")
		require.NoError(t, err)
		path := filepath.Join(folder, "new", "results.jsonl")
		runs := rapid.SliceOfN(anyRun(), 1, 5).Draw(t, "runs")
		for _, r := range runs {
			f, err := Append(path)
			require.NoError(t, err)
			require.NoError(t, f.Write(r))
			require.NoError(t, f.Close())
		}
		got, err := ReadAll(path)
		require.NoError(t, err)
		require.Equal(t, runs, got)

		// A kill within the last write leaves a part of its line.
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		last := strings.LastIndexByte(strings.TrimSuffix(string(text), "\n"), '\n') + 1
		cut := rapid.IntRange(last, len(text)-1).Draw(t, "cut")
		require.NoError(t, os.Truncate(path, int64(cut)))
		got, err = ReadAll(path)
		require.NoError(t, err)
		require.Equal(t, runs[:len(runs)-1], append([]*Run{}, got...))
		f, err := Append(path)
		require.NoError(t, err)
		require.NoError(t, f.Write(runs[0]))
		require.NoError(t, f.Close())
		got, err = ReadAll(path)
		require.NoError(t, err)
		require.Equal(t, append(append([]*Run{}, runs[:len(runs)-1]...), runs[0]), got)
	})
}

func TestALongTornLineIsCutOff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	whole := `{"task":"a","tool":"b","status":"ok"}` + "\n"
	require.NoError(t, os.WriteFile(path, []byte(whole+`{"task":"`+strings.Repeat("x", 3*4096+5)), 0o644))
	f, err := Append(path)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, whole, string(text))
}

func TestOneWriterAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	f, err := Append(path)
	require.NoError(t, err)
	require.NoError(t, f.Write(&Run{Task: "a", Tool: "b", Status: OK}))
	// A line under way: a second writer must not take it for a torn one.
	_, err = f.f.WriteString("{")
	require.NoError(t, err)
	_, err = Append(path)
	require.ErrorIs(t, err, ErrInUse)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(string(text), "\n{"))
	runs, err := ReadAll(path)
	require.NoError(t, err, "it can be read meanwhile")
	require.Len(t, runs, 1)
	require.NoError(t, f.Close())
	f, err = Append(path)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

func TestALineThatIsNoRunIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"{\n":                      ":1: no result",
		"\n{\"task\":\"a\"}\n":     ":2: no result: a run needs",
		"{\"task\":[]}\n{}\n":      ":1: no result",
		"[1,2]\n":                  ":1: no result",
		"{\"started\":\"noon\"}\n": ":1: no result",
	} {
		path := filepath.Join(t.TempDir(), "r.jsonl")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		_, err := ReadAll(path)
		require.ErrorContains(t, err, path+want)
	}
}

func TestVerdictsAreCountedAsKnown(t *testing.T) {
	tests := []struct {
		expected, said        Verdict
		status                Status
		solved, wrong, failed bool
	}{
		{Sat, Sat, OK, true, false, false},
		{Safe, Sat, OK, true, false, false},
		{Sat, Unsat, OK, false, true, false},
		{Unsafe, Safe, Crash, false, true, false},
		{Sat, Sat, Timeout, true, false, false},
		{Sat, Unknown, OK, false, false, false},
		{None, Sat, OK, false, false, false},
		{Unknown, Sat, OK, false, false, false},
		{Reject, Reject, OK, true, false, false},
		{Reject, Safe, OK, false, true, false},
		{Safe, Reject, OK, false, true, false},
		{Reject, Unknown, OK, false, false, false},
		{Sat, None, Error, false, false, true},
		{Sat, None, Crash, false, false, true},
		{Sat, None, MemoryOut, false, false, true},
		{Sat, None, Timeout, false, false, false},
		{Sat, None, CPUTimeout, false, false, false},
	}
	for _, test := range tests {
		r := Run{Expected: test.expected, Verdict: test.said, Status: test.status}
		require.Equal(t, test.solved, r.Solved(), "solved: %+v", test)
		require.Equal(t, test.wrong, r.Wrong(), "wrong: %+v", test)
		require.Equal(t, test.failed, r.Failed(), "failed: %+v", test)
	}
	late := Run{Verdict: Sat, Status: Timeout}
	require.Equal(t, Sat, late.Answer(false))
	require.Equal(t, None, late.Answer(true))
}

func TestAnyDifferenceInWhatIsMeasuredIsAnotherKey(t *testing.T) {
	base := Run{List: "l", Task: "t", Tool: "z", Options: []string{"a", "b"}, Limits: Limits{Wall: 3}}
	seen := map[string]bool{base.Key(): true}
	for _, change := range []func(*Run){
		func(r *Run) { r.List = "m" }, func(r *Run) { r.Task = "u" }, func(r *Run) { r.Digest = "1" },
		func(r *Run) { r.Property = "p" }, func(r *Run) { r.Tool = "y" }, func(r *Run) { r.Version = "2" },
		func(r *Run) { r.Binary = "f" }, func(r *Run) { r.Options = []string{"a b"} }, func(r *Run) { r.Limits.Wall = 4 },
		func(r *Run) { r.Limits.CPU = 3 }, func(r *Run) { r.Limits.Memory = 3 }, func(r *Run) { r.Limits.Cores = 1 },
		func(r *Run) { r.Repeat = 1 },
	} {
		other := base
		change(&other)
		require.False(t, seen[other.Key()], "%+v", other)
		seen[other.Key()] = true
	}
	same := base
	same.Verdict, same.Wall, same.Started, same.Host.Cores = Sat, 1, time.Now(), 7
	require.Equal(t, base.Key(), same.Key())
}
