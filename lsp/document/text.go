package document

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hornbeam/chc"
)

// Position is a place as the protocol has it: line and column count from 0, columns in UTF-16's units.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Range is a stretch as the protocol has it, up to End and without it.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Span is a stretch of bytes of a text.
type Span struct{ From, To int }

// Text is a text that does not change.
type Text struct {
	text string
	// lines are the offsets of the lines as the protocol counts them, feeds those that end with line feeds only.
	lines, feeds []int
}

// New returns a text.
func New(text string) *Text {
	t := &Text{text: text, feeds: make([]int, 1, strings.Count(text, "\n")+1)}
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		t.feeds = append(t.feeds, at)
	}
	t.lines = t.feeds
	if strings.Count(text, "\r") > strings.Count(text, "\r\n") {
		t.lines = []int{0}
		for i := 0; i < len(text); i++ {
			if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
				t.lines = append(t.lines, i+1)
			}
		}
	}
	return t
}

// String is the text.
func (t *Text) String() string { return t.text }

// Position is that of an offset; one outside of the text is at its nearer end, and one within a letter at the letter.
func (t *Text) Position(offset int) Position {
	offset = min(max(offset, 0), len(t.text))
	for offset > 0 && offset < len(t.text) && !utf8.RuneStart(t.text[offset]) {
		offset--
	}
	line, found := slices.BinarySearch(t.lines, offset)
	if !found {
		line--
	}
	units := 0
	for _, r := range t.text[t.lines[line]:offset] {
		units += unitsOf(r)
	}
	return Position{line, units}
}

// Range is that of a stretch.
func (t *Text) Range(s Span) Range { return Range{t.Position(s.From), t.Position(s.To)} }

func unitsOf(r rune) int {
	if r >= 0x10000 {
		return 2
	}
	return 1
}

// Offset is that of a position. A column behind its line is the end of that, as the protocol wants it, and a line behind the text its end.
func (t *Text) Offset(p Position) int {
	switch {
	case p.Line < 0:
		return 0
	case p.Line >= len(t.lines):
		return len(t.text)
	}
	at, end := t.lines[p.Line], len(t.text)
	if p.Line+1 < len(t.lines) {
		end = t.lines[p.Line+1]
	}
	line := strings.TrimRight(t.text[at:end], "\r\n")
	units := 0
	for i, r := range line {
		if units >= p.Character {
			return at + i
		}
		units += unitsOf(r)
	}
	return at + len(line)
}

// Find is the offset of a place of a front end, whose lines and columns count from 1, and columns in bytes or in letters. A place
// without a column is at the first letter of its line that is no space. It is at the text's end where that has no such line.
func (t *Text) Find(at chc.Position, letters bool) int {
	switch {
	case at.Line < 1:
		return 0
	case at.Line > len(t.feeds):
		return len(t.text)
	}
	from, end := t.feeds[at.Line-1], len(t.text)
	if at.Line < len(t.feeds) {
		end = t.feeds[at.Line] - 1
	}
	if at.Column < 1 {
		line := t.text[from:end]
		return from + len(line) - len(strings.TrimLeft(line, " \t"))
	}
	if !letters {
		return min(from+at.Column-1, end)
	}
	for range at.Column - 1 {
		if from >= end {
			break
		}
		_, size := utf8.DecodeRuneInString(t.text[from:end])
		from += size
	}
	return from
}

// Word is the word at an offset, or that ends there: letters, digits and what names have beside them. Without one it is empty.
func (t *Text) Word(offset int) Span {
	offset = min(max(offset, 0), len(t.text))
	s := Span{offset, offset}
	for s.From > 0 && inWord(t.text[s.From-1]) {
		s.From--
	}
	for s.To < len(t.text) && inWord(t.text[s.To]) {
		s.To++
	}
	return s
}

// Token is what begins at an offset: a word, or else one letter, or a parenthesis with what is in it as far as that is on the line.
func (t *Text) Token(offset int) Span {
	offset = min(max(offset, 0), len(t.text))
	s := Span{offset, offset}
	for s.To < len(t.text) && inWord(t.text[s.To]) {
		s.To++
	}
	if s.To > s.From || s.To == len(t.text) || t.text[s.To] == '\n' || t.text[s.To] == '\r' {
		return s
	}
	if t.text[offset] != '(' {
		_, size := utf8.DecodeRuneInString(t.text[offset:])
		s.To += size
		return s
	}
	for depth := 0; s.To < len(t.text) && t.text[s.To] != '\n' && t.text[s.To] != '\r'; {
		c := t.text[s.To]
		s.To++
		if c == '(' {
			depth++
		} else if c == ')' {
			if depth--; depth == 0 {
				break
			}
		}
	}
	return s
}

// inWord reports whether a byte is part of names, in one language at least. Letters beyond ASCII are.
func inWord(c byte) bool {
	return c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || strings.IndexByte("_$#'.!~@^`?", c) >= 0
}
