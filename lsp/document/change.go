package document

import (
	"errors"
	"fmt"
)

// Change is a stretch of a text that becomes another text.
type Change struct {
	Span
	Text string
}

// Edit is a change as the protocol has it; without a range the text is all of the new one.
type Edit struct {
	Range *Range `json:"range"`
	Text  string `json:"text"`
}

// ErrRange is wrapped by the error for a range whose end is before its start.
var ErrRange = errors.New("the range ends before it starts")

// Apply makes an edit, and returns the change that it is as well. Of an edit of everything, what stays the same is not changed.
func (t *Text) Apply(e Edit) (*Text, Change, error) {
	var c Change
	if e.Range != nil {
		c = Change{Span{t.Offset(e.Range.Start), t.Offset(e.Range.End)}, e.Text}
		if c.To < c.From {
			return nil, c, fmt.Errorf("%d:%d to %d:%d: %w", e.Range.Start.Line, e.Range.Start.Character, e.Range.End.Line, e.Range.End.Character, ErrRange)
		}
	} else {
		same := 0
		for same < len(t.text) && same < len(e.Text) && t.text[same] == e.Text[same] {
			same++
		}
		rest := 0
		for rest < min(len(t.text), len(e.Text))-same && t.text[len(t.text)-1-rest] == e.Text[len(e.Text)-1-rest] {
			rest++
		}
		c = Change{Span{same, len(t.text) - rest}, e.Text[same : len(e.Text)-rest]}
	}
	return New(t.text[:c.From] + c.Text + t.text[c.To:]), c, nil
}

// Move is where a stretch is after a change; false where the change is in it.
func (s Span) Move(c Change) (Span, bool) {
	switch {
	case c.To <= s.From:
		by := len(c.Text) - (c.To - c.From)
		return Span{s.From + by, s.To + by}, true
	case c.From >= s.To:
		return s, true
	}
	return s, false
}
