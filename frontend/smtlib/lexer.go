package smtlib

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"hornbeam/chc"
)

type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokOpen
	tokClose
	tokSymbol  // simple symbol, reserved words included
	tokQuoted  // |symbol|; the bounds exclude the bars
	tokKeyword // :keyword; the bounds include the colon
	tokNumeral
	tokDecimal
	tokHex    // #x…; the bounds exclude the prefix
	tokBinary // #b…; the bounds exclude the prefix
	tokString // "…"; the bounds exclude the quotes
)

var tokenNames = [...]string{
	tokEOF: "end of file", tokOpen: "'('", tokClose: "')'", tokSymbol: "symbol", tokQuoted: "symbol", tokKeyword: "keyword",
	tokNumeral: "number", tokDecimal: "number", tokHex: "bit-vector", tokBinary: "bit-vector", tokString: "string",
}

const (
	classSymbol = 1 << iota // may occur in a simple symbol
	classDigit
	classHex
	classSpace
)

var classes = func() (c [256]uint8) {
	// SMT-LIB has no backslash in symbols; later versions of Z3 take it for a letter.
	for _, b := range "~!@$%^&*_-+=<>.?/\\" {
		c[b] |= classSymbol
	}
	for b := 'a'; b <= 'z'; b++ {
		c[b] |= classSymbol
		c[b-'a'+'A'] |= classSymbol
	}
	for b := 'a'; b <= 'f'; b++ {
		c[b] |= classHex
		c[b-'a'+'A'] |= classHex
	}
	for b := '0'; b <= '9'; b++ {
		c[b] |= classSymbol | classDigit | classHex
	}
	for _, b := range " \t\r\n" {
		c[b] |= classSpace
	}
	return c
}()

// lexer splits a source into tokens, without copying: a token is its kind and bounds.
type lexer struct {
	file string
	src  []byte
	pos  int

	// The current token: its kind, the bounds of its text, and the offset of its first byte.
	kind       tokenKind
	start, end int
	off        int

	// The last place that was asked for, from which later ones are counted.
	lineOff, lineNo int
	// lineEnds are the bytes that a line may end with: LF alone unless the source has a CR without an LF after it.
	lineEnds string
}

func newLexer(file string, src []byte) lexer {
	lx := lexer{file: file, src: src, lineNo: 1, lineEnds: "\n"}
	if bytes.Count(src, []byte("\r")) != bytes.Count(src, []byte("\r\n")) {
		lx.lineEnds = "\r\n"
	}
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) { // byte-order mark
		lx.pos, lx.lineOff = 3, 3
	}
	return lx
}

// text is the current token's text.
func (lx *lexer) text() []byte { return lx.src[lx.start:lx.end] }

// lineEnd returns the offset of the first byte at or after from that ends a line, a comment included: LF, or CR, which SMT-LIB
// counts as a line break of its own. It is the length of the source when there is none.
func (lx *lexer) lineEnd(from int) int {
	i := -1
	if len(lx.lineEnds) == 1 {
		i = bytes.IndexByte(lx.src[from:], lx.lineEnds[0])
	} else {
		i = bytes.IndexAny(lx.src[from:], lx.lineEnds)
	}
	if i < 0 {
		return len(lx.src)
	}
	return from + i
}

// position turns an offset into a line and a column, both from 1; columns count characters. CR, LF, and CR LF together
// end a line.
func (lx *lexer) position(off int) chc.Position {
	if off < lx.lineOff {
		lx.lineOff, lx.lineNo = 0, 1
	}
	for {
		end := lx.lineEnd(lx.lineOff)
		if end+1 < len(lx.src) && lx.src[end] == '\r' && lx.src[end+1] == '\n' {
			end++
		}
		if end >= off {
			break
		}
		lx.lineOff = end + 1
		lx.lineNo++
	}
	return chc.Position{File: lx.file, Line: lx.lineNo, Column: utf8.RuneCount(lx.src[lx.lineOff:off]) + 1}
}

// fail ends the reading with an error at offset off.
func (lx *lexer) fail(off int, format string, args ...any) {
	panic(bailout{&Error{Pos: lx.position(off), Msg: fmt.Sprintf(format, args...)}})
}

// unsupported ends the reading with an error that wraps ErrUnsupported.
func (lx *lexer) unsupported(off int, format string, args ...any) {
	panic(bailout{&Error{Pos: lx.position(off), Msg: fmt.Sprintf(format, args...), Unsupported: true}})
}

// next reads the next token.
func (lx *lexer) next() {
	src, i := lx.src, lx.pos
	for i < len(src) {
		if classes[src[i]]&classSpace != 0 {
			i++
			continue
		}
		if src[i] != ';' {
			break
		}
		i = lx.lineEnd(i)
	}
	lx.off, lx.start = i, i
	if i == len(src) {
		lx.kind, lx.end, lx.pos = tokEOF, i, i
		return
	}
	switch c := src[i]; {
	case c == '(':
		lx.set(tokOpen, i+1)
	case c == ')':
		lx.set(tokClose, i+1)
	case classes[c]&classDigit != 0:
		lx.number(i)
	case classes[c]&classSymbol != 0:
		for i++; i < len(src) && classes[src[i]]&classSymbol != 0; i++ {
		}
		lx.set(tokSymbol, i)
	case c == '|':
		lx.quoted(i)
	case c == '"':
		lx.str(i)
	case c == ':':
		for i++; i < len(src) && classes[src[i]]&classSymbol != 0; i++ {
		}
		if i == lx.off+1 {
			lx.fail(lx.off, "a keyword needs a name after ':'")
		}
		lx.set(tokKeyword, i)
	case c == '#':
		lx.bits(i)
	case c >= utf8.RuneSelf:
		r, size := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && size <= 1 {
			lx.fail(i, "invalid UTF-8 byte 0x%02x", c)
		}
		lx.fail(i, "unexpected character %q; only |quoted| symbols may contain it", r)
	default:
		lx.fail(i, "unexpected character %q", rune(c))
	}
}

func (lx *lexer) set(kind tokenKind, end int) { lx.kind, lx.end, lx.pos = kind, end, end }

func (lx *lexer) number(i int) {
	src, kind := lx.src, tokNumeral
	for i < len(src) && classes[src[i]]&classDigit != 0 {
		i++
	}
	if i+1 < len(src) && src[i] == '.' && classes[src[i+1]]&classDigit != 0 {
		kind = tokDecimal
		for i++; i < len(src) && classes[src[i]]&classDigit != 0; i++ {
		}
	}
	if i < len(src) && classes[src[i]]&classSymbol != 0 {
		for i < len(src) && classes[src[i]]&classSymbol != 0 {
			i++
		}
		lx.fail(lx.off, "malformed number %s", clip(src[lx.off:i]))
	}
	lx.set(kind, i)
}

func (lx *lexer) quoted(i int) {
	n := bytes.IndexByte(lx.src[i+1:], '|')
	if n < 0 {
		lx.fail(i, "this quoted symbol is not closed")
	}
	lx.start, lx.end, lx.kind, lx.pos = i+1, i+1+n, tokQuoted, i+n+2
	lx.checkText("quoted symbol")
	// SMT-LIB has no backslash here. Z3 has, but takes the bar after one for a part of the name, where others end the symbol.
	if lx.end > lx.start && lx.src[lx.end-1] == '\\' {
		lx.fail(lx.end-1, "a backslash before the bar of a quoted symbol: solvers disagree on where the symbol ends")
	}
}

func (lx *lexer) str(i int) {
	for j := i + 1; j < len(lx.src); j++ {
		if lx.src[j] != '"' {
			continue
		}
		if j+1 < len(lx.src) && lx.src[j+1] == '"' { // "" stands for a quote
			j++
			continue
		}
		lx.start, lx.end, lx.kind, lx.pos = i+1, j, tokString, j+1
		lx.checkText("string")
		return
	}
	lx.fail(i, "this string is not closed")
}

// checkText refuses control characters and invalid UTF-8 in the current token.
func (lx *lexer) checkText(what string) {
	b := lx.text()
	for j := 0; j < len(b); {
		c := b[j]
		if c < utf8.RuneSelf {
			if c < ' ' && classes[c]&classSpace == 0 || c == 0x7f {
				lx.fail(lx.start+j, "unexpected byte 0x%02x in a %s", c, what)
			}
			j++
			continue
		}
		r, size := utf8.DecodeRune(b[j:])
		if r == utf8.RuneError && size == 1 {
			lx.fail(lx.start+j, "invalid UTF-8 byte 0x%02x in a %s", c, what)
		}
		j += size
	}
}

func (lx *lexer) bits(i int) {
	src := lx.src
	if i+1 >= len(src) || src[i+1] != 'x' && src[i+1] != 'b' {
		lx.fail(i, "expected #x or #b")
	}
	kind := tokBinary
	if src[i+1] == 'x' {
		kind = tokHex
	}
	j := i + 2
	for ; j < len(src) && classes[src[j]]&(classSymbol|classDigit) != 0; j++ {
		if kind == tokHex && classes[src[j]]&classHex == 0 || kind == tokBinary && src[j] != '0' && src[j] != '1' {
			lx.fail(j, "unexpected digit %q in a bit-vector", rune(src[j]))
		}
	}
	if j == i+2 {
		lx.fail(i, "a bit-vector needs at least one digit")
	}
	lx.start = i + 2
	lx.set(kind, j)
}

// clip shortens a piece of source for a message.
func clip(b []byte) string {
	if len(b) > 40 {
		return string(b[:40]) + "…"
	}
	return string(b)
}

// what describes the current token for a message.
func (lx *lexer) what() string {
	switch lx.kind {
	case tokEOF, tokOpen, tokClose:
		return tokenNames[lx.kind]
	}
	return clip(lx.src[lx.off:lx.pos])
}

// expect reads the next token, which must be of the kind.
func (lx *lexer) expect(kind tokenKind, where string) {
	lx.next()
	if lx.kind != kind {
		lx.fail(lx.off, "expected %s %s, got %s", tokenNames[kind], where, lx.what())
	}
}

// expectSymbol reads the next token, which must be a symbol.
func (lx *lexer) expectSymbol(what string) {
	lx.next()
	lx.wantSymbol(what)
}

// wantSymbol checks that the current token is a symbol.
func (lx *lexer) wantSymbol(what string) {
	if lx.kind != tokSymbol && lx.kind != tokQuoted {
		lx.fail(lx.off, "expected %s, got %s", what, lx.what())
	}
}

// expectWord reads the next token, which must be the symbol w.
func (lx *lexer) expectWord(w string) {
	lx.expectSymbol(w)
	if !lx.word(w) {
		lx.fail(lx.off, "expected %s, got %s", w, lx.what())
	}
}

// word reports whether the current token is the unquoted symbol w.
func (lx *lexer) word(w string) bool { return lx.kind == tokSymbol && string(lx.text()) == w }

// unclosed fails because the file ends inside the parenthesis at offset open.
func (lx *lexer) unclosed(open int) {
	at := lx.position(open)
	lx.fail(lx.off, "unexpected end of file: the parenthesis at %d:%d is not closed", at.Line, at.Column)
}

// list reads the list whose '(' is the current token, to its ')': element is called at the '(' of each of its elements, to
// read to the matching ')'. what says what an element is.
func (lx *lexer) list(what string, element func()) {
	open := lx.off
	for lx.next(); lx.kind != tokClose; lx.next() {
		switch lx.kind {
		case tokOpen:
			element()
		case tokEOF:
			lx.unclosed(open)
		default:
			lx.fail(lx.off, "expected %s, got %s", what, lx.what())
		}
	}
}

// skip reads on to the ')' that closes the parenthesis at offset open, which is the innermost open one.
func (lx *lexer) skip(open int) {
	depth := 1
	for depth > 0 {
		lx.next()
		switch lx.kind {
		case tokOpen:
			depth++
		case tokClose:
			depth--
		case tokEOF:
			lx.unclosed(open)
		}
	}
}
