package c

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"

	"hornbeam/frontend/c/lexical"
	"hornbeam/frontend/c/tree"
)

// source is a program's text as the parser gets it.
type source struct {
	name string
	text []byte
	// inserted are the places, in the parser's positions, where a character was put in that the source does not have.
	inserted []tree.Pos
}

// mend gives the text that the parser takes for the given one. The parser wants a statement after each label, gcc doesn't at
// the end of a block: a semicolon goes there, in place of white space if there is some. Literals that end in a hexadecimal
// escape sequence end in an octal one of the same length. Places are those in the file that is
// read, whatever #line says of where its text is from, unless the program can read that.
func mend(name string, text []byte) *source {
	s := &source{name: name}
	text = bytes.Clone(text)
	lexical.Rewrite(text)
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
			i = lexical.Quoted(text, i)
			if c == '"' {
				endInOctal(text[:i])
			}
		case c == '/' && i+1 < len(text) && (text[i+1] == '/' || text[i+1] == '*'):
			end := lexical.Comment(text, i)
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
	s.text = append(out, text[copied:]...)
	return s
}

// The marks of strings and characters of char16_t and char32_t.
const (
	mark16 = '\x01'
	mark32 = '\x02'
)

// utfMark is the mark of the string that begins at i, 0 if its characters are others.
func utfMark(text []byte, i int) byte {
	if i == 0 || i > 1 && (text[i-2] == '_' || text[i-2] >= 0x80 || 'a' <= text[i-2]|0x20 && text[i-2]|0x20 <= 'z' || '0' <= text[i-2] && text[i-2] <= '9') {
		return 0
	}
	switch text[i-1] {
	case 'u':
		return mark16
	case 'U':
		return mark32
	}
	return 0
}

// unmark writes the strings in a text as they were before mend marked them.
func unmark(text []byte) []byte {
	for mark, prefix := range map[byte]byte{mark16: 'u', mark32: 'U'} {
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

// insertedIn is how many characters were put into the line.
func (s *source) insertedIn(line int) int {
	n := 0
	for _, p := range s.inserted {
		if p.Line == line {
			n++
		}
	}
	return n
}

// original is the place in the given text of a place in the parser's.
func (s *source) original(p tree.Pos) tree.Pos {
	if len(s.inserted) == 0 || p.File != s.name {
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

// between is the text from one place of the program to another, nil if it is not in the program's own file.
func (s *source) between(from, to tree.Pos) []byte {
	if from.File != s.name || to.File != s.name {
		return nil
	}
	i, j := s.offset(from), s.offset(to)
	if i < 0 || j < i || j > len(s.text) {
		return nil
	}
	return s.text[i:j]
}

// offset is where a place of the parser's text is, -1 if there is no such line.
func (s *source) offset(p tree.Pos) int {
	i := 0
	for range p.Line - 1 {
		n := bytes.IndexByte(s.text[i:], '\n')
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
			i = lexical.Comment(text, i)
		default:
			return false
		}
	}
	return false
}
