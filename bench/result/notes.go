package result

import (
	"fmt"
	"slices"
)

// SessionNotes says what the sessions of a results file tell beyond its runs: tools that were asked for and never ran
// because they are not installed, tasks that a tool does not read, and a last call that ended early.
func SessionNotes(results string) ([]string, error) {
	sessions, err := ReadSessions(results)
	if err != nil {
		return nil, err
	}
	ran := map[string]bool{}
	for _, s := range sessions {
		for _, t := range s.Tools {
			ran[t.Name] = true
		}
	}
	var notes []string
	note := func(format string, args ...any) {
		if n := fmt.Sprintf(format, args...); !slices.Contains(notes, n) {
			notes = append(notes, n)
		}
	}
	for _, s := range sessions {
		for _, name := range s.Missing {
			if !ran[name] {
				note("%s was asked for and is not installed: it has no runs", name)
			}
		}
		for _, t := range s.Tools {
			if n := s.Unread[t.Name]; n > 0 {
				note("%s does not read %d of the %d tasks chosen", t.Name, n, s.Tasks)
			}
		}
	}
	if n := len(sessions); n > 0 && sessions[n-1].Failure != "" {
		note("the last call ended early: %s", sessions[n-1].Failure)
	}
	return notes, nil
}
