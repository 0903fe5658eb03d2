package source

import (
	"regexp"
	"strconv"
	"strings"

	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/report"
)

var (
	// origin is what the parser adds to a message on where in itself the message was made.
	origin = regexp.MustCompile(` \([a-z0-9_]+\.go:\d+:[^()]*\)$`)
	// placed is a message with its place.
	placed = regexp.MustCompile(`^(.*?):(\d+):(\d+): (.*)$`)
	// characterName is how the parser names a character in its messages.
	characterName = regexp.MustCompile(`U\+[0-9A-F]+ ('.')`)
)

// parserErrors makes errors of the parser's error, which has a line for each thing that it found.
func parserErrors(name string, err error) report.Errors {
	var out report.Errors
	for line := range strings.SplitSeq(err.Error(), "\n") {
		line = characterName.ReplaceAllString(origin.ReplaceAllString(line, ""), "$1")
		if line == "" {
			continue
		}
		e := &report.Error{Pos: tree.Pos{File: name, Line: 1, Column: 1}, Msg: line}
		if m := placed.FindStringSubmatch(line); m != nil {
			e.Pos.File, e.Msg = m[1], m[4]
			e.Pos.Line, _ = strconv.Atoi(m[2])
			e.Pos.Column, _ = strconv.Atoi(m[3])
		}
		// What follows the first finding is mostly its consequence.
		if out = append(out, e); len(out) == 3 || strings.HasPrefix(e.Msg, "include file not found") {
			break
		}
	}
	return out
}
