package result

import (
	"fmt"
	"slices"
)

// MissingTools are the tools that calls for the results file asked for, and that never ran as they are not installed, in
// the order in which they were asked for.
func MissingTools(results string) ([]string, error) {
	sessions, err := ReadSessions(results)
	if err != nil {
		return nil, err
	}
	return missing(sessions), nil
}

func missing(sessions []*Session) []string {
	var names []string
	for _, s := range sessions {
		for _, name := range s.Missing {
			ran := slices.ContainsFunc(sessions, func(s *Session) bool {
				return slices.ContainsFunc(s.Tools, func(t SessionTool) bool { return t.Name == name })
			})
			if !ran && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// SessionNotes says what the sessions of a results file tell beyond its runs: tools that were asked for and never ran
// because they are not installed, tasks that a tool does not read, and calls that ended early and were not made again.
func SessionNotes(results string) ([]string, error) {
	sessions, err := ReadSessions(results)
	if err != nil {
		return nil, err
	}
	var notes []string
	note := func(format string, args ...any) {
		if n := fmt.Sprintf(format, args...); !slices.Contains(notes, n) {
			notes = append(notes, n)
		}
	}
	for _, name := range missing(sessions) {
		note("%s was asked for and is not installed: it has no runs", name)
	}
	// Of calls for the same tasks the last one has done what was left to do.
	var last []*Session
	for i, s := range sessions {
		again := func(t *Session) bool { return t.Shard == s.Shard && slices.Equal(t.Lists, s.Lists) }
		if !slices.ContainsFunc(sessions[i+1:], again) {
			last = append(last, s)
		}
	}
	var unread []string
	count, of := map[string]int{}, map[string]int{}
	for _, s := range last {
		for _, t := range s.Tools {
			if s.Unread[t.Name] > 0 && !slices.Contains(unread, t.Name) {
				unread = append(unread, t.Name)
			}
			count[t.Name] += s.Unread[t.Name]
			of[t.Name] += s.Tasks
		}
	}
	for _, name := range unread {
		note("%s does not read %d of the %d tasks chosen", name, count[name], of[name])
	}
	for _, s := range last {
		part := ""
		if s.Shard != "" {
			part = " for the part " + s.Shard
		}
		switch {
		case s.Ended.IsZero() && !s.Started.IsZero():
			note("the last call%s did not come to an end: it was killed, or runs still", part)
		case s.Failure != "":
			note("the last call%s ended early: %s", part, s.Failure)
		}
	}
	return notes, nil
}
