package result

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSessionsTellWhatRunsCannot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	notes, err := SessionNotes(path)
	require.NoError(t, err)
	require.Empty(t, notes)
	for _, s := range []*Session{
		{Tasks: 5, Tools: []SessionTool{{Name: "a"}}, Missing: []string{"b", "c"}, Failure: "interrupted"},
		{Tasks: 5, Tools: []SessionTool{{Name: "a"}, {Name: "c"}}, Missing: []string{"b"}, Unread: map[string]int{"c": 2}},
	} {
		require.NoError(t, AppendSession(path, s))
	}
	notes, err = SessionNotes(path)
	require.NoError(t, err)
	require.Equal(t, []string{"b was asked for and is not installed: it has no runs", "c does not read 2 of the 5 tasks chosen"}, notes)
	require.NoError(t, AppendSession(path, &Session{Tools: []SessionTool{{Name: "a"}}, Failure: "disk full"}))
	notes, err = SessionNotes(path)
	require.NoError(t, err)
	require.Contains(t, notes, "the last call ended early: disk full")
}
