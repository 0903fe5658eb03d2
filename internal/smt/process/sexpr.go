package process

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// sexpr is an S-expression: an atom, or a list when list is not nil. The text of an atom is as it was read, but without
// the bars of a quoted symbol and the quotes of a string.
type sexpr struct {
	atom   string
	quoted bool // a quoted symbol or a string
	list   []*sexpr
}

// isList reports whether e is a list of at least n elements whose first is the atom head.
func (e *sexpr) isList(head string, n int) bool {
	return e.list != nil && len(e.list) >= n && e.list[0].list == nil && e.list[0].atom == head
}

// String returns e on one line.
func (e *sexpr) String() string {
	var b strings.Builder
	e.write(&b)
	return b.String()
}

func (e *sexpr) write(b *strings.Builder) {
	if e.list == nil {
		b.WriteString(e.atom)
		return
	}
	b.WriteByte('(')
	for i, x := range e.list {
		if i > 0 {
			b.WriteByte(' ')
		}
		x.write(b)
	}
	b.WriteByte(')')
}

var errUnbalanced = errors.New("unbalanced parenthesis")

// readSexpr reads the next S-expression; io.EOF when there is none.
func readSexpr(r *bufio.Reader) (*sexpr, error) {
	var open []*sexpr
	for {
		e, closing, err := readToken(r)
		if err != nil {
			if err == io.EOF && len(open) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		switch {
		case closing && len(open) == 0:
			return nil, errUnbalanced
		case closing:
			e = open[len(open)-1]
			open = open[:len(open)-1]
		case e.list != nil:
			open = append(open, e)
			continue
		}
		if len(open) == 0 {
			return e, nil
		}
		top := open[len(open)-1]
		top.list = append(top.list, e)
	}
}

// readToken reads an atom, an opening parenthesis (an empty list) or a closing one.
func readToken(r *bufio.Reader) (e *sexpr, closing bool, err error) {
	c, err := skipBlanks(r)
	if err != nil {
		return nil, false, err
	}
	switch c {
	case '(':
		return &sexpr{list: []*sexpr{}}, false, nil
	case ')':
		return nil, true, nil
	case '|':
		s, err := r.ReadString('|')
		return &sexpr{atom: strings.TrimSuffix(s, "|"), quoted: true}, false, unexpected(err)
	case '"':
		s, err := readString(r)
		return &sexpr{atom: s, quoted: true}, false, unexpected(err)
	}
	var b strings.Builder
	for {
		b.WriteByte(c)
		c, err = r.ReadByte()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, false, err
		}
		if strings.IndexByte(" \t\r\n()|\";", c) >= 0 {
			if err := r.UnreadByte(); err != nil {
				return nil, false, fmt.Errorf("read: %w", err)
			}
			break
		}
	}
	return &sexpr{atom: b.String()}, false, nil
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// readString reads the rest of a string, in which a doubled quote stands for one.
func readString(r *bufio.Reader) (string, error) {
	var b strings.Builder
	for {
		s, err := r.ReadString('"')
		b.WriteString(s)
		if err != nil {
			return b.String(), err
		}
		next, err := r.Peek(1)
		if err != nil || next[0] != '"' {
			return strings.TrimSuffix(b.String(), `"`), nil
		}
		if _, err := r.ReadByte(); err != nil {
			return "", err
		}
	}
}

// skipBlanks returns the next byte that is neither blank nor part of a comment.
func skipBlanks(r *bufio.Reader) (byte, error) {
	for {
		c, err := r.ReadByte()
		switch {
		case err != nil:
			return 0, err
		case c == ';':
			if _, err := r.ReadString('\n'); err != nil {
				return 0, err
			}
		case strings.IndexByte(" \t\r\n", c) < 0:
			return c, nil
		}
	}
}
