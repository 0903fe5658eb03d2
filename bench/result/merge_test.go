package result

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// writeRuns writes the runs to a new results file.
func writeRuns(t *testing.T, path string, runs ...*Run) {
	t.Helper()
	f, err := Append(path)
	require.NoError(t, err)
	for _, r := range runs {
		require.NoError(t, f.Write(r))
	}
	require.NoError(t, f.Close())
}

func TestMergingKeepsEachRunOnceAndItsOutputs(t *testing.T) {
	root := t.TempDir()
	run := func(task, detail string) *Run {
		return &Run{Task: task, Tool: "x", Status: OK, Detail: detail, Stdout: "out/" + task + ".out"}
	}
	a, b := filepath.Join(root, "a", "part.jsonl"), filepath.Join(root, "b", "part.jsonl")
	writeRuns(t, a, run("1", "first"), run("2", ""))
	writeRuns(t, b, run("3", ""), run("1", "again"))
	require.NoError(t, AppendSession(a, &Session{Made: 2, Missing: []string{"golem"}}))
	require.NoError(t, AppendSession(b, &Session{Made: 1}))
	require.NoError(t, AppendSession(b, &Session{Made: 1}))

	all := filepath.Join(root, "all.jsonl")
	kept, repeated, err := Merge(all, a, b)
	require.NoError(t, err)
	require.Equal(t, []int{3, 1}, []int{kept, repeated})
	got, err := ReadAll(all)
	require.NoError(t, err)
	var lines [][3]string
	for _, r := range got {
		lines = append(lines, [3]string{r.Task, r.Detail, r.Stdout})
	}
	require.Equal(t, [][3]string{{"1", "again", "b/out/1.out"}, {"2", "", "a/out/2.out"}, {"3", "", "b/out/3.out"}}, lines)
	sessions, err := ReadSessions(all)
	require.NoError(t, err)
	require.Len(t, sessions, 3)
	require.Equal(t, []string{"golem"}, sessions[0].Missing)

	_, _, err = Merge(all, a)
	require.ErrorContains(t, err, "exists already")
	_, _, err = Merge(filepath.Join(root, "new.jsonl"), a, filepath.Join(root, "nowhere.jsonl"))
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoFileExists(t, filepath.Join(root, "new.jsonl"), "a merge that fails leaves nothing")
	none, err := ReadSessions(filepath.Join(root, "nowhere.jsonl"))
	require.NoError(t, err)
	require.Empty(t, none)
}
