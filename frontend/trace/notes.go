package trace

import (
	"slices"
	"strings"

	"hornbeam/chc"
)

// Note is a step of a trace in a line, beside its place.
type Note struct {
	Pos  chc.Position
	Text string
}

// Notes are the steps that the failure depends on, as Text shows them without their places and indents, the middle turns of long loops
// left out. The place of a step in the source of a generated program is there. Of more than most notes the last ones are kept.
func (t *Trace) Notes(most int) []Note {
	steps := tested(slices.DeleteFunc(slices.Clone(t.Slice().Steps), lineOnly))
	var out []Note
	var parts func(list []part)
	parts = func(list []part) {
		for _, p := range list {
			if p.loop {
				continue
			}
			s := steps[p.step]
			line, _ := s.line(false)
			at := s.Pos
			if s.Source.Line > 0 {
				at = s.Source
			}
			if text := strings.TrimSpace(strings.TrimPrefix(line, where(s.Pos))); at.Line > 0 && text != "" {
				out = append(out, Note{at, text})
			}
			parts(p.inside)
		}
	}
	parts(fold(steps))
	return out[max(0, len(out)-most):]
}
