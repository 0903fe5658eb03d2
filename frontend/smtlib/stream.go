package smtlib

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
)

// CommandStream splits a stream into commands, each of which it hands on as soon as its last parenthesis is there.
type CommandStream struct {
	in     *bufio.Reader
	closed bool
}

// NewCommandStream returns the commands of a stream.
func NewCommandStream(in io.Reader) *CommandStream { return &CommandStream{in: bufio.NewReader(in)} }

// Closed reports whether what Next returned last ends with the parenthesis that closes a command.
func (s *CommandStream) Closed() bool { return s.closed }

// Next returns the text up to the end of the next command, with the space and the comments before it. What is no command, such as
// a symbol outside of parentheses or a command that is not closed, is handed on for a reader to name what is wrong with it. At the
// end of the stream the error is io.EOF, and the text is the space and the comments at the end.
func (s *CommandStream) Next() ([]byte, error) {
	var text []byte
	s.closed = false
	depth, begun := 0, false
	var until byte // what ends the comment, string or quoted symbol that is being read; 0 outside of these
	for {
		c, err := s.in.ReadByte()
		if errors.Is(err, io.EOF) && begun {
			return text, nil
		}
		if err != nil {
			return text, err
		}
		text = append(text, c)
		switch {
		case until != 0:
			if c == until || until == '\n' && c == '\r' {
				until = 0
			}
		case c == ';':
			until = '\n'
		case c == '"', c == '|':
			until, begun = c, true
		case c == '(':
			depth, begun = depth+1, true
		case c == ')':
			if depth--; depth <= 0 {
				s.closed = depth == 0
				return text, nil
			}
		case classes[c]&classSpace == 0:
			begun = true
		case begun && depth == 0:
			return text, nil
		}
	}
}

// CommandWord is the symbol that a command begins with, or empty.
func CommandWord(command []byte) (word string) {
	var err error
	defer rescue(&err)
	lx := newLexer("", command)
	lx.next()
	if lx.kind != tokOpen {
		return ""
	}
	if lx.next(); lx.kind != tokSymbol {
		return ""
	}
	return string(lx.text())
}

// IsIncremental reports whether a script has several checks, scopes, or changes after its check, so that a session is to run it.
func IsIncremental(src []byte) bool {
	checked := false
	for commands := NewCommandStream(bytes.NewReader(src)); ; {
		command, err := commands.Next()
		if err != nil {
			return false
		}
		switch word := CommandWord(command); {
		case word == "exit":
			return false
		case slices.Contains([]string{"push", "pop", "reset", "reset-assertions", "check-sat-assuming"}, word):
			return true
		case checked && (word == "check-sat" || word == "assert" || strings.HasPrefix(word, "declare-") || strings.HasPrefix(word, "define-")):
			return true
		case word == "check-sat":
			checked = true
		}
	}
}

// blank replaces a text by spaces, line breaks excepted, so that what follows keeps its place.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}

// isLoneCR reports whether a text has a carriage return that is a line break of its own.
func isLoneCR(text []byte) bool {
	return bytes.Count(text, []byte("\r")) != bytes.Count(text, []byte("\r\n"))
}
