package trace

import (
	"fmt"
	"strings"

	"hornbeam/chc"
)

const (
	// maxLines bounds the lines of a trace that is not shown in full: shownFirst of them are from its beginning.
	maxLines   = 400
	shownFirst = 100
	// maxValue is how many letters of a value are shown.
	maxValue = 80
)

// Text is the trace with a line for each step, and whether it is complete: without full, long values and the middle
// of a long trace are cut.
func (t *Trace) Text(full bool) (text string, complete bool) {
	complete = true
	var lines []string
	if t.Note != "" {
		lines = append(lines, t.Note)
	}
	for _, s := range t.Steps {
		if lineOnly(s) {
			continue // a line of a source that is not known
		}
		line, whole := s.line(full)
		complete = complete && whole && s.Kind != Omitted
		lines = append(lines, line)
	}
	if left := len(lines) - maxLines; !full && left > 0 {
		complete = false
		rest := lines[shownFirst+left:]
		lines = append(append(lines[:shownFirst:shownFirst], "… "+Plural(left, "line")), rest...)
	}
	return strings.Join(lines, "\n") + "\n", complete
}

// Summary is what failed and where, in a line.
func (t *Trace) Summary() string {
	s := t.Failure()
	s.Depth = -1
	line, _ := s.line(false)
	return line
}

// line is a step as a line of text, and whether it has everything.
func (s Step) line(full bool) (string, bool) {
	if s.Kind == Omitted {
		return "… " + s.Text, true
	}
	values, whole := s.values(full)
	text, with := s.Text, ""
	if values != "" {
		with = " with " + values
	}
	indent := s.Depth + 1
	switch s.Kind {
	case Start:
		text, indent = s.Procedure+" begins"+with, 0
	case Record, Locals:
		text = values
	case State:
		text = "state " + text
	case Call:
		text += "  enters " + s.Procedure + "(" + values + ")"
	case Return:
		text = s.Procedure + " returns" + with
	case Error:
		text = "error: " + failureText(s) + with
	default:
		if values != "" {
			text += "  " + values
		}
	}
	return where(s.Pos) + strings.Repeat("  ", indent) + strings.ReplaceAll(text, "\n", " "), whole
}

func where(pos chc.Position) string {
	if pos.Line == 0 {
		return ""
	}
	if pos.Column == 0 {
		return fmt.Sprintf("%s:%d: ", pos.File, pos.Line)
	}
	return pos.String() + ": "
}

func (s Step) values(full bool) (string, bool) {
	whole := true
	parts := make([]string, len(s.Values))
	for i, v := range s.Values {
		value := v.Value
		if !full {
			value = cutTo(value, maxValue)
		}
		whole = whole && value == v.Value
		parts[i] = v.Name + " = " + value
	}
	return strings.Join(parts, ", "), whole
}

// Plural is a number of things in words, such as `1 step` and `2 steps`.
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
