package trace

import (
	"fmt"
	"slices"
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

// Text is the trace with a line for each step, and whether it is complete: without full, long values, the middle turns of long loops
// and the middle of a long trace are cut, and steps that follow each other in one line of the source are one line.
func (t *Trace) Text(full bool) (text string, complete bool) {
	complete = true
	var lines []string
	if t.Note != "" {
		lines = append(lines, t.Note)
	}
	shown := *t
	shown.Steps = slices.DeleteFunc(slices.Clone(t.Steps), lineOnly) // a line of a source that is not known
	write := func(s Step) {
		line, whole := s.line(full)
		complete = complete && whole && s.Kind != Omitted
		lines = append(lines, line)
	}
	if full {
		for _, s := range shown.Steps {
			write(s)
		}
	} else {
		shown.Steps = tested(shown.Steps)
		var parts func(list []part)
		parts = func(list []part) {
			for _, p := range list {
				if p.loop {
					complete = false
					lines = append(lines, fmt.Sprintf("%s… turns %d to %d of this loop", strings.Repeat("  ", shown.Steps[p.step].Depth+1), p.first, p.last))
					continue
				}
				write(shown.Steps[p.step])
				parts(p.inside)
			}
		}
		parts(fold(shown.Steps))
	}
	if left := len(lines) - maxLines; !full && left > 0 {
		complete = false
		rest := lines[shownFirst+left:]
		lines = append(append(lines[:shownFirst:shownFirst], "… "+Plural(left, "line")), rest...)
	}
	return strings.Join(lines, "\n") + "\n", complete
}

// tested puts steps of one line of the source together: a statement that has done nothing yet with what it then does, and what a line
// does with the test of its condition behind it.
func tested(steps []Step) []Step {
	var out []Step
	// column is where the last statement of the line that out ends with begins.
	column := 0
	for i, s := range steps {
		if i > 0 && returns(steps[i-1], s) {
			continue // what is returned stands in the line that returns it
		}
		if i+1 < len(steps) && returns(s, steps[i+1]) {
			s.Values = steps[i+1].Values
		}
		if last := len(out) - 1; last >= 0 && sameLine(out[last], s) {
			before, further := out[last], s.Pos.Column > column
			column = s.Pos.Column
			switch {
			case s.Kind == Statement && before.Kind == Statement && len(before.Values) > 0 && len(s.Values) > 0 && s.Text == before.Text && further:
				// A statement further on in the line belongs to the same visit of it.
				out[last].Values = slices.Concat(before.Values, s.Values)
				continue
			case s.Kind == Statement && (before.Kind == Return || before.Kind == Nondet) && len(s.Values) > 0:
				out[last].Values = slices.Concat(before.Values, s.Values)
				continue
			case s.Kind == Nondet && before.Kind == Nondet && s.Text == before.Text:
				out[last].Values = slices.Concat(before.Values, s.Values)
				continue
			case (s.Kind == Statement || s.Kind == Nondet) && before.Kind == Statement && len(before.Values) == 0 && s.Text == before.Text:
				out[last] = s
				continue
			case s.Kind == Branch && before.Kind != Return && strings.HasPrefix(s.Text, before.Text+": "):
				s.Values = append(slices.Clone(before.Values), s.Values...)
				out[last] = s
				continue
			}
		}
		out, column = append(out, s), s.Pos.Column
	}
	return out
}

// returns reports whether a statement is the one whose value a call returns with, which names nothing else.
func returns(s, left Step) bool {
	return s.Kind == Statement && len(s.Values) == 0 && left.Kind == Return && left.Depth == s.Depth-1 && len(left.Values) == 1 && left.Values[0].Name == left.Procedure+"()"
}

// sameLine reports whether a step goes on with a statement that began in the one before it.
func sameLine(before, s Step) bool {
	return (before.Kind == Statement || before.Kind == Nondet || before.Kind == Return) && before.Text != "" && before.Pos.Line == s.Pos.Line && before.Pos.File == s.Pos.File && before.Depth == s.Depth
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
		return "… " + s.Text + " left out", true
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
		if s.Sought {
			text = "reached: " + s.Text
		}
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
