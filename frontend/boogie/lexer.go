package boogie

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"hornbeam/chc"
)

const (
	classStart = 1 << iota // may begin a name
	classDigit
	classSpace
)

var classes = func() (c [256]uint8) {
	for _, b := range "'~#$^_.?`" {
		c[b] |= classStart
	}
	for b := 'a'; b <= 'z'; b++ {
		c[b] |= classStart
		c[b-'a'+'A'] |= classStart
	}
	for b := '0'; b <= '9'; b++ {
		c[b] |= classDigit
	}
	for _, b := range " \t\r\n" {
		c[b] |= classSpace
	}
	return c
}()

// symbols are the operators and brackets that one byte decides, the longer ones first.
var symbols = func() (m [256][]tokenKind) {
	for k := tokIff; k < tokVar; k++ {
		text := tokenNames[k]
		at := 0
		for at < len(m[text[0]]) && len(tokenNames[m[text[0]][at]]) >= len(text) {
			at++
		}
		m[text[0]] = append(m[text[0]][:at:at], append([]tokenKind{k}, m[text[0]][at:]...)...)
	}
	return m
}()

// unicodeSymbols are the other spellings of operators.
var unicodeSymbols = map[rune]tokenKind{
	'⇔': tokIff, '⇒': tokImplies, '⇐': tokExplies, '∧': tokAnd, '∨': tokOr, '≠': tokNeq, '≤': tokLessEq, '≥': tokGreaterEq,
	'¬': tokNot, '∀': tokForall, '∃': tokExists, 'λ': tokLambda, '•': tokBind,
}

// lexer splits a source into tokens.
type lexer struct {
	*reporter
	src      string
	ultimate bool
	tokens   []token

	pos       int
	line      int
	lineStart int // offset of the current line
	// The last offset whose column was computed: columns are counted from there.
	columnAt, column int

	files []string
	file  uint16
	// percent says that there was a %, which only Ultimate's dialect has.
	percent bool
}

// lex splits src into tokens, the last of which is tokEOF. It reports what is no token and goes on behind it.
func lex(r *reporter, file, src string, ultimate bool) *lexer {
	lx := &lexer{reporter: r, src: src, ultimate: ultimate, line: 1, column: 1, files: []string{file}}
	lx.tokens = make([]token, 0, len(src)/4+1)
	if strings.HasPrefix(src, "\ufeff") {
		lx.pos, lx.lineStart, lx.columnAt = 3, 3, 3
	}
	for lx.next() {
	}
	return lx
}

// position is the place at offset off of the current line; from one call to the next, offsets on a line only grow.
func (lx *lexer) position(off int) chc.Position {
	return chc.Position{File: lx.files[lx.file], Line: lx.line, Column: lx.columnOf(off)}
}

// columnOf counts characters, from 1.
func (lx *lexer) columnOf(off int) int {
	if lx.columnAt < lx.lineStart {
		lx.columnAt, lx.column = lx.lineStart, 1
	}
	for i := lx.columnAt; i < off; i++ {
		if lx.src[i]&0xC0 != 0x80 { // not the continuation of a character
			lx.column++
		}
	}
	lx.columnAt = off
	return lx.column
}

// newline starts a line at offset off.
func (lx *lexer) newline(off int) {
	lx.line++
	lx.lineStart = off
}

// emit adds a token that reaches from start to pos.
func (lx *lexer) emit(kind tokenKind, start int) {
	lx.tokens = append(lx.tokens, token{kind: kind, file: lx.file, start: int32(start), end: int32(lx.pos),
		line: int32(lx.line), column: int32(lx.columnOf(start))})
}

// next reads one token, and says whether there may be another one.
func (lx *lexer) next() bool {
	lx.skip()
	src, start := lx.src, lx.pos
	if start >= len(src) {
		lx.emit(tokEOF, len(src))
		return false
	}
	b := src[start]
	switch {
	case b == '#' && start == lx.lineStart && lx.pragma():
	case classes[b]&classStart != 0 || b == '\\':
		lx.name()
	case classes[b]&classDigit != 0:
		lx.number()
	case b == '"':
		lx.text()
	case b < utf8.RuneSelf:
		for _, k := range symbols[b] {
			if strings.HasPrefix(src[start:], tokenNames[k]) {
				lx.pos += len(tokenNames[k])
				lx.percent = lx.percent || k == tokPercent
				lx.emit(k, start)
				return true
			}
		}
		lx.unexpected(1)
	default:
		r, n := utf8.DecodeRuneInString(src[start:])
		if k, ok := unicodeSymbols[r]; ok {
			lx.pos += n
			lx.emit(k, start)
			return true
		}
		lx.unexpected(n)
	}
	return true
}

// unexpected reports a character of n bytes that begins no token, and skips it.
func (lx *lexer) unexpected(n int) {
	if r, _ := utf8.DecodeRuneInString(lx.src[lx.pos:]); r == utf8.RuneError && n == 1 {
		lx.Errorf(lx.position(lx.pos), "invalid UTF-8 byte 0x%02x", lx.src[lx.pos])
	} else {
		lx.Errorf(lx.position(lx.pos), "unexpected character %q", r)
	}
	lx.pos += n
}

// skip goes to the next character that is neither white space nor in a comment.
func (lx *lexer) skip() {
	src := lx.src
	for lx.pos < len(src) {
		switch b := src[lx.pos]; {
		case b == '\n':
			lx.pos++
			lx.newline(lx.pos)
		case classes[b]&classSpace != 0:
			lx.pos++
		case b == '/' && strings.HasPrefix(src[lx.pos:], "//"):
			if i := strings.IndexByte(src[lx.pos:], '\n'); i >= 0 {
				lx.pos += i
			} else {
				lx.pos = len(src)
			}
		case b == '/' && strings.HasPrefix(src[lx.pos:], "/*"):
			lx.comment()
		default:
			return
		}
	}
}

// comment skips a comment in /* and */. Boogie's nest, Ultimate's don't.
func (lx *lexer) comment() {
	src, opened := lx.src, lx.position(lx.pos)
	depth := 1
	lx.pos += 2
	for depth > 0 {
		i := strings.IndexAny(src[lx.pos:], "*/\n")
		if i < 0 {
			lx.pos = len(src)
			lx.Errorf(opened, "this comment is not closed")
			return
		}
		lx.pos += i
		switch {
		case src[lx.pos] == '\n':
			lx.pos++
			lx.newline(lx.pos)
		case strings.HasPrefix(src[lx.pos:], "*/"):
			lx.pos += 2
			depth--
		case strings.HasPrefix(src[lx.pos:], "/*"):
			lx.pos += 2
			if !lx.ultimate {
				depth++
			}
		default:
			lx.pos++
		}
	}
}

// name reads a name or keyword. A backslash in front makes a name of a keyword and does not belong to it.
func (lx *lexer) name() {
	src, start := lx.src, lx.pos
	i := start
	if src[i] == '\\' {
		i++
		if i >= len(src) || classes[src[i]]&classStart == 0 && src[i] != '\\' {
			lx.Errorf(lx.position(start), `a name must follow '\'`)
			lx.pos = i
			return
		}
	}
	first := i
	for i < len(src) && (classes[src[i]]&(classStart|classDigit) != 0 || src[i] == '\\') {
		i++
	}
	lx.pos = i
	kind := tokName
	if first == start && i-start <= len("implementation") && src[start] >= 'a' && src[start] <= 'z' {
		if k, ok := keywords[src[start:i]]; ok {
			kind = k
		}
	}
	lx.emit(kind, start)
	lx.tokens[len(lx.tokens)-1].start = int32(first)
}

// digits returns the offset behind the digits that begin at offset i.
func (lx *lexer) digits(i int) int {
	for i < len(lx.src) && classes[lx.src[i]]&classDigit != 0 {
		i++
	}
	return i
}

// number reads a number: 12, 12bv8, 1.5, 1e10, 1.5e-10, or one of the floating-point ones.
func (lx *lexer) number() {
	src, start := lx.src, lx.pos
	if n := floatLiteral(src[start:]); n > 0 {
		lx.pos += n
		lx.emit(tokFloat, start)
		return
	}
	end, kind := lx.digits(start), tokInt
	if strings.HasPrefix(src[end:], "bv") {
		if i := lx.digits(end + 2); i > end+2 {
			lx.pos = i
			lx.emit(tokBitVector, start)
			return
		}
	}
	if end < len(src) && src[end] == '.' {
		if i := lx.digits(end + 1); i > end+1 {
			end, kind = i, tokReal
		}
	}
	if end < len(src) && src[end] == 'e' {
		from := end + 1
		if from < len(src) && src[from] == '-' {
			from++
		}
		if i := lx.digits(from); i > from {
			end, kind = i, tokReal
		}
	}
	lx.pos = end
	lx.emit(kind, start)
}

// floatLiteral returns the length of the floating-point literal at the beginning of s: 0x1.8e3f24e8, 0NaN24e8, 0+oo24e8.
func floatLiteral(s string) int {
	if s[0] != '0' {
		return 0
	}
	skip := func(i int, digit func(byte) bool) int {
		for i < len(s) && digit(s[i]) {
			i++
		}
		return i
	}
	decimal := func(b byte) bool { return classes[b]&classDigit != 0 }
	sizes := func(i int) int { // the two sizes at the end
		j := skip(i, decimal)
		if j == i || j >= len(s) || s[j] != 'e' {
			return 0
		}
		if k := skip(j+1, decimal); k > j+1 {
			return k
		}
		return 0
	}
	for _, special := range []string{"0NaN", "0nan", "0+oo", "0-oo"} {
		if strings.HasPrefix(s, special) {
			return sizes(len(special))
		}
	}
	if !strings.HasPrefix(s, "0x") {
		return 0
	}
	// The hexadecimal digits have an e among them, so that the literal is found by its letters rather than by its parts.
	i := skip(2, func(b byte) bool {
		return decimal(b) || b == '.' || b == '-' || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F'
	})
	return i
}

// text reads a string. It ends at the last quotation mark that has no backslash before it, or failing that, has one.
func (lx *lexer) text() {
	src, start := lx.src, lx.pos
	end := -1
scan:
	for i := start + 1; i < len(src); i++ {
		switch src[i] {
		case '\n', '\r':
			break scan
		case '"':
			end = i
			if src[i-1] != '\\' || i-1 == start {
				break scan
			}
		}
	}
	if end < 0 {
		lx.Errorf(lx.position(start), "this string is not closed on its line")
		for lx.pos < len(src) && src[lx.pos] != '\n' {
			lx.pos++
		}
		return
	}
	lx.pos = end + 1
	lx.emit(tokString, start)
	last := &lx.tokens[len(lx.tokens)-1]
	last.start++
	last.end--
}

// pragma reads a line that begins with #, of which only `#line N [file]` is known: the next line is number N of the file.
// In Ultimate's dialect it may be a name as well, and then pragma returns false.
func (lx *lexer) pragma() bool {
	src, start := lx.src, lx.pos
	end := start
	for end < len(src) && src[end] != '\n' {
		end++
	}
	line := strings.TrimRight(src[start:end], " \t\r")
	word, rest, _ := strings.Cut(line, " ")
	if word != "#line" {
		if lx.ultimate {
			return false
		}
		lx.Errorf(lx.position(start), "unknown pragma %s (only `#line number [file]` may begin with # in the first column)", shorten(word))
		lx.pos = end
		return true
	}
	number, file, _ := strings.Cut(strings.TrimLeft(rest, " \t"), " ")
	n, err := strconv.ParseInt(number, 10, 32)
	if err != nil {
		lx.Errorf(lx.position(start), "#line wants a number, got %s", shorten(fmt.Sprintf("%q", number)))
		lx.pos = end
		return true
	}
	if file = strings.TrimSpace(file); file != "" && !lx.setFile(file) {
		lx.Errorf(lx.position(start), "too many different files in #line")
	}
	lx.pos = min(end+1, len(src))
	lx.line, lx.lineStart = int(n), lx.pos
	return true
}

// setFile makes name the current file; it fails when there are too many.
func (lx *lexer) setFile(name string) bool {
	for i, f := range lx.files {
		if f == name {
			lx.file = uint16(i)
			return true
		}
	}
	if len(lx.files) > 1000 {
		return false
	}
	lx.files = append(lx.files, name)
	lx.file = uint16(len(lx.files) - 1)
	return true
}

// shorten cuts what a message quotes to a length that fits a line.
func shorten(s string) string {
	if len(s) <= 60 {
		return s
	}
	n := 57
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
