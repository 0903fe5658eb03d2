package result

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Session says of one call of the benchmark what no run says: what was asked for and was not there. Sessions are kept in a
// file of their own beside the results, see [SessionsFile].
type Session struct {
	Started time.Time `json:"started"`
	// Ended is zero as long as the call runs, and stays so where it was killed.
	Ended time.Time `json:"ended,omitzero"`
	Host  Host      `json:"host"`
	// Lists are the lists of tasks, as they were named; Tasks counts the tasks that were chosen, of the shard where there
	// is one.
	Lists []string `json:"lists"`
	Tasks int      `json:"tasks"`
	// Shard is the part of the tasks as I/N, empty for all.
	Shard string `json:"shard,omitempty"`
	// Tools are the tools that ran, Missing those that were asked for and are not installed.
	Tools   []SessionTool `json:"tools"`
	Missing []string      `json:"missing,omitempty"`
	// Unread counts, by the tools' names, the chosen tasks that are of no kind that the tool reads.
	Unread map[string]int `json:"unread,omitempty"`
	// Made counts the runs of this call, Skipped those that the results file had.
	Made    int `json:"made"`
	Skipped int `json:"skipped"`
	// Failure says why the call ended early, empty if it did not.
	Failure string `json:"failure,omitempty"`
}

// SessionTool is a tool of a session.
type SessionTool struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Binary  string `json:"binary,omitempty"`
}

// SessionsFile is the file with the sessions of a results file, a JSON line each: results.jsonl has results.sessions.
func SessionsFile(results string) string {
	return strings.TrimSuffix(results, filepath.Ext(results)) + ".sessions"
}

// AppendSession writes a session behind the others of the results file. A call writes its session as it begins, without an
// end, and once more as it ends.
func AppendSession(results string, s *Session) error {
	line, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("write the session: %w", err)
	}
	f, err := os.OpenFile(SessionsFile(results), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return fmt.Errorf("write the session: %w", err)
	}
	defer f.Close()
	if err := cutTorn(f); err != nil {
		return fmt.Errorf("write the session: %w", err)
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write the session: %w", err)
	}
	return f.Close()
}

// ReadSessions reads the sessions of a results file, each as its last line has it; there are none where there is no such
// file.
func ReadSessions(results string) ([]*Session, error) {
	f, err := os.Open(SessionsFile(results))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the sessions: %w", err)
	}
	defer f.Close()
	var all []*Session
	lines := bufio.NewReader(f)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return all, nil
		}
		s := new(Session)
		if err := json.Unmarshal(line, s); err != nil {
			return nil, fmt.Errorf("read the sessions in %s: %w", SessionsFile(results), err)
		}
		begun := slices.IndexFunc(all, func(b *Session) bool {
			return !s.Ended.IsZero() && b.Ended.IsZero() && b.Started.Equal(s.Started) && b.Shard == s.Shard && b.Host == s.Host
		})
		if begun >= 0 {
			all[begun] = s
			continue
		}
		all = append(all, s)
	}
}
