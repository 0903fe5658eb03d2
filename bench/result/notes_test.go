package result

import (
	"path/filepath"
	"testing"
	"time"

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

func TestACallThatWasKilledTellsWhatItMissed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	begun := Session{Started: time.Unix(1, 5).UTC(), Tasks: 3, Tools: []SessionTool{{Name: "a"}}, Missing: []string{"golem"}}
	require.NoError(t, AppendSession(path, &begun))
	notes, err := SessionNotes(path)
	require.NoError(t, err)
	require.Equal(t, []string{"golem was asked for and is not installed: it has no runs", "the last call did not come to an end: it was killed, or runs still"}, notes)

	ended := begun
	ended.Ended, ended.Made = time.Unix(2, 0).UTC(), 3
	require.NoError(t, AppendSession(path, &ended))
	sessions, err := ReadSessions(path)
	require.NoError(t, err)
	require.Equal(t, []*Session{&ended}, sessions, "its end takes the place of its beginning")
	notes, err = SessionNotes(path)
	require.NoError(t, err)
	require.Equal(t, []string{"golem was asked for and is not installed: it has no runs"}, notes)
	missing, err := MissingTools(path)
	require.NoError(t, err)
	require.Equal(t, []string{"golem"}, missing)
}

func TestPartsAreTakenTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	at := func(second int64) time.Time { return time.Unix(second, 0).UTC() }
	part := func(shard string, second int64, failure string) *Session {
		return &Session{Started: at(second), Ended: at(second + 1), Shard: shard, Tasks: 10, Tools: []SessionTool{{Name: "a"}}, Unread: map[string]int{"a": 2}, Failure: failure}
	}
	killed := part("2/3", 1, "")
	killed.Ended = time.Time{}
	for _, s := range []*Session{part("0/3", 1, "interrupted"), part("0/3", 3, ""), part("1/3", 1, "disk full"), killed} {
		require.NoError(t, AppendSession(path, s))
	}
	notes, err := SessionNotes(path)
	require.NoError(t, err)
	require.Equal(t, []string{
		"a does not read 6 of the 30 tasks chosen", "the last call for the part 1/3 ended early: disk full",
		"the last call for the part 2/3 did not come to an end: it was killed, or runs still",
	}, notes, "what one part has made up for is no longer said, what others lack is")
}
