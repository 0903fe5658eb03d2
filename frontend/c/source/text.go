package source

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"

	"hornbeam/frontend/c/acsl"
	"hornbeam/frontend/c/tree"
)

// Text is a program's text as the parser takes it.
type Text struct {
	Name string
	Text []byte
	// inserted are the positions in Text of characters that the source does not have.
	inserted []tree.Pos
	// Clauses are cbmc's contracts, which the parser does not read.
	Clauses []acsl.Comment
	// markers are the line markers that Place goes by, in their order.
	markers []marker
}

// New rewrites the text of the program of that name so that the parser takes it. The parser wants a statement after each label, gcc
// doesn't at the end of a block: a semicolon goes there, in place of white space if there is some. Literals that end in a
// hexadecimal escape sequence end in an octal one of the same length. A #line directive is erased unless the program can read its
// effect, so that positions are those in the file that is read.
func New(name string, text []byte) *Text {
	s := &Text{Name: name}
	text = bytes.Clone(text)
	rewrite(text)
	readsLines := bytes.Contains(text, []byte("__LINE__")) || bytes.Contains(text, []byte("__FILE__"))
	var out []byte
	copied := 0
	line, lineStart := 1, 0
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\n':
			i++
			line, lineStart = line+1, i
		case c == '"' || c == '\'':
			if mark := utfMark(text, i); mark != 0 {
				// The parser reads a string or a character of wchar_t, whose first character says what it is.
				text[i-1] = 'L'
				out = append(append(out, text[copied:i+1]...), mark)
				copied = i + 1
				s.inserted = append(s.inserted, tree.Pos{File: name, Line: line, Column: i + 2 - lineStart + s.insertedIn(line)})
			}
			i = quoted(text, i)
			if c == '"' {
				endInOctal(text[:i])
			}
		case c == '/' && i+1 < len(text) && (text[i+1] == '/' || text[i+1] == '*'):
			end := comment(text, i)
			if n := bytes.Count(text[i:end], []byte{'\n'}); n > 0 {
				line, lineStart = line+n, i+bytes.LastIndexByte(text[i:end], '\n')+1
			}
			i = end
		case c == '#' && !readsLines:
			eraseLine(text, lineStart, i)
			i++
		case c == ':' && closesBlock(text, i+1):
			out = append(append(out, text[copied:i+1]...), ';')
			copied = i + 1
			if i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\t') {
				copied++
			} else {
				s.inserted = append(s.inserted, tree.Pos{File: name, Line: line, Column: i + 2 - lineStart + s.insertedIn(line)})
			}
			i++
		default:
			i++
		}
	}
	s.Text = append(out, text[copied:]...)
	s.Clauses = acsl.Cut(name, s.Text)
	return s
}

// The marks of strings and characters of char16_t and char32_t, which the parser does not read.
const (
	Mark16 = '\x01'
	Mark32 = '\x02'
)

// utfMark is the mark of the string that begins at i, 0 if its characters are others.
func utfMark(text []byte, i int) byte {
	if i == 0 || i > 1 && (text[i-2] == '_' || text[i-2] >= 0x80 || 'a' <= text[i-2]|0x20 && text[i-2]|0x20 <= 'z' || '0' <= text[i-2] && text[i-2] <= '9') {
		return 0
	}
	switch text[i-1] {
	case 'u':
		return Mark16
	case 'U':
		return Mark32
	}
	return 0
}

// unmarkUTF restores the prefixes of the strings that New has marked with utfMark.
func unmarkUTF(text []byte) []byte {
	for mark, prefix := range map[byte]byte{Mark16: 'u', Mark32: 'U'} {
		for _, quote := range []byte{'"', '\''} {
			text = bytes.ReplaceAll(text, []byte{'L', quote, mark}, []byte{prefix, quote})
		}
	}
	return text
}

// endInOctal writes a hexadecimal escape sequence before the quotation mark at the end of a text as an octal one: the parser
// joins literals that follow each other, and only octal ones have an end of their own.
func endInOctal(text []byte) {
	for digits := 1; digits <= 2; digits++ {
		at := len(text) - digits - 3
		if at < 0 || text[at] != '\\' || text[at+1] != 'x' || (at-len(bytes.TrimRight(text[:at], "\\")))%2 != 0 {
			continue
		}
		if x, err := strconv.ParseUint(string(text[at+2:len(text)-1]), 16, 8); err == nil {
			copy(text[at+1:], fmt.Sprintf("%0*o", digits+1, x))
		}
	}
}

var lineDirective = regexp.MustCompile(`^#[ \t]*line[ \t]`)

// eraseLine puts white space in place of the #line that begins at i, if one does that ends with its line.
func eraseLine(text []byte, lineStart, i int) {
	directive := text[i:]
	if n := bytes.IndexByte(directive, '\n'); n >= 0 {
		directive = directive[:n]
	}
	if !lineDirective.Match(directive) || len(bytes.TrimLeft(text[lineStart:i], " \t")) > 0 || bytes.Contains(directive, []byte("/*")) ||
		bytes.HasSuffix(bytes.TrimRight(directive, "\r"), []byte{'\\'}) {
		return
	}
	for k := range directive {
		directive[k] = ' '
	}
}

// insertedIn counts the characters that were inserted into a line so far.
func (s *Text) insertedIn(line int) int {
	n := 0
	for _, p := range s.inserted {
		if p.Line == line {
			n++
		}
	}
	return n
}

// Original turns a position in Text into the position in the source.
func (s *Text) Original(p tree.Pos) tree.Pos {
	if len(s.inserted) == 0 || p.File != s.Name {
		return p
	}
	before := 0
	for _, i := range s.inserted {
		if i.Line == p.Line && i.Column < p.Column {
			before++
		}
	}
	p.Column -= before
	return p
}

// Between returns the text from one position of Text up to another, nil if they are not in the program's own file.
func (s *Text) Between(from, to tree.Pos) []byte {
	if from.File != s.Name || to.File != s.Name {
		return nil
	}
	i, j := s.offset(from), s.offset(to)
	if i < 0 || j < i || j > len(s.Text) {
		return nil
	}
	return s.Text[i:j]
}

// offset is the index in Text of a position, -1 if there is no such line.
func (s *Text) offset(p tree.Pos) int {
	i := 0
	for range p.Line - 1 {
		n := bytes.IndexByte(s.Text[i:], '\n')
		if n < 0 {
			return -1
		}
		i += n + 1
	}
	return i + p.Column - 1
}

// closesBlock tells whether nothing but white space and comments stands between i and a closing brace.
func closesBlock(text []byte, i int) bool {
	for i < len(text) {
		switch c := text[i]; {
		case c == '}':
			return true
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v':
			i++
		case c == '/' && i+1 < len(text) && (text[i+1] == '/' || text[i+1] == '*'):
			i = comment(text, i)
		default:
			return false
		}
	}
	return false
}
