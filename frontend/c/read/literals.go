package read

import (
	"encoding/binary"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/source"
	"hornbeam/frontend/c/tree"
)

// integerLiteral reads an integer constant: it has the first type of its kind that holds it (C11 6.4.4.1).
func (r *reader) integerLiteral(n *cc.PrimaryExpression) tree.Value {
	text := strings.ToLower(n.Token.SrcStr())
	digits := strings.TrimRight(text, "ul")
	if strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0b") {
		digits = text[:2] + strings.TrimRight(text[2:], "ul")
	}
	suffix := text[len(digits):]
	base := 10
	number := digits
	switch {
	case strings.HasPrefix(digits, "0x"):
		base, number = 16, digits[2:]
	case strings.HasPrefix(digits, "0b"):
		base, number = 2, digits[2:]
	case strings.HasPrefix(digits, "0") && len(digits) > 1:
		base, number = 8, digits[1:]
	}
	x, ok := new(big.Int).SetString(number, base)
	t := r.types
	var candidates []*tree.Integer
	add := func(signed, unsigned *tree.Integer) {
		if !strings.Contains(suffix, "u") {
			candidates = append(candidates, signed)
		}
		if base != 10 || strings.Contains(suffix, "u") {
			candidates = append(candidates, unsigned)
		}
	}
	switch strings.Count(suffix, "l") {
	case 0:
		add(t.int, t.uint)
		add(t.long, t.ulong)
		add(t.longLong, t.ulongLong)
	case 1:
		add(t.long, t.ulong)
		add(t.longLong, t.ulongLong)
	case 2:
		add(t.longLong, t.ulongLong)
	default:
		ok = false
	}
	if !ok || strings.Count(suffix, "u") > 1 {
		r.Fail(r.pos(n), "%s is no number", n.Token.SrcStr())
	}
	for _, c := range append(candidates, t.ulongLong) {
		if x.Cmp(c.Max()) <= 0 {
			return &tree.Constant{At: r.at(n), T: c, Int: x}
		}
	}
	r.Fail(r.pos(n), "%s is too large", n.Token.SrcStr())
	return nil
}

// floatLiteral reads a floating constant.
func (r *reader) floatLiteral(n *cc.PrimaryExpression) tree.Value {
	text := n.Token.SrcStr()
	lower := strings.ToLower(text)
	hexadecimal := strings.HasPrefix(lower, "0x")
	t := r.types.double
	number := lower
	for suffix, of := range map[string]*tree.Float{
		"f32": r.types.float, "f64": r.types.double, "f32x": r.types.double, "f64x": r.types.longDouble, "f128": r.types.quad,
	} {
		if strings.HasSuffix(lower, suffix) && !hexadecimal {
			t, number = of, strings.TrimSuffix(lower, suffix)
		}
	}
	if number == lower {
		switch {
		case strings.HasSuffix(lower, "f") && (!hexadecimal || strings.Contains(lower, "p")):
			t, number = r.types.float, lower[:len(lower)-1]
		case strings.HasSuffix(lower, "l"):
			t, number = r.types.longDouble, lower[:len(lower)-1]
		}
	}
	bits := 64
	if t == r.types.float {
		bits = 32
	}
	f, err := strconv.ParseFloat(number, bits)
	if err != nil && !isRange(err) {
		r.Fail(r.pos(n), "%s is no number", text)
	}
	return &tree.FloatConstant{At: r.at(n), T: t, Float: f, Text: text}
}

// isRange tells whether a number could not be represented, and became an infinity.
func isRange(err error) bool {
	e, ok := err.(*strconv.NumError)
	return ok && e.Err == strconv.ErrRange
}

// characterLiteral reads a character constant: an int, of the value that a char has. Of several characters the later ones
// are the lower bytes, as gcc has it.
func (r *reader) characterLiteral(n *cc.PrimaryExpression) tree.Value {
	text := n.Token.SrcStr()
	pos := r.pos(n)
	text = unmarked(text)
	begin := strings.IndexByte(text, '\'')
	if begin < 0 || len(text) < begin+3 {
		r.Fail(pos, "%s is no character", text)
	}
	units := r.characters(text[begin+1:len(text)-1], pos)
	if begin > 0 {
		t := r.types.wide
		switch text[:begin] {
		case "u":
			t = r.types.ushort
		case "U":
			t = r.types.uint
		}
		return &tree.Constant{At: r.at(n), T: t, Int: t.Wrap(big.NewInt(int64(units[len(units)-1].value)))}
	}
	var octets []byte
	for _, u := range units {
		octets = u.appendTo(octets)
	}
	x := int64(int8(octets[0]))
	if len(octets) > 1 {
		x = 0
		for _, b := range octets {
			x = int64(int32(x<<8 | int64(b)))
		}
	}
	return constantOf(pos, r.types.int, x)
}

// character is a character of a literal: a byte by its number, or a code point.
type character struct {
	value rune
	byte  bool
}

func (c character) appendTo(out []byte) []byte {
	if c.byte {
		return append(out, byte(c.value))
	}
	return utf8.AppendRune(out, c.value)
}

// characters reads what is between the quotes of a literal.
func (r *reader) characters(s string, pos tree.Pos) []character {
	var out []character
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			c, size := utf8.DecodeRuneInString(s[i:])
			out = append(out, character{value: c})
			if c == utf8.RuneError && size == 1 {
				out[len(out)-1] = character{value: rune(s[i]), byte: true}
			}
			i += size
			continue
		}
		i++
		if i == len(s) {
			r.Fail(pos, "a backslash ends the literal")
		}
		number := func(digits string, base, most int) {
			j := i
			for j < len(s) && j-i < most && strings.IndexByte(digits, s[j]) >= 0 {
				j++
			}
			x, err := strconv.ParseUint(s[i:j], base, 32)
			if err != nil {
				r.Fail(pos, "\\%s is no escape sequence", s[i-1:j])
			}
			out = append(out, character{value: rune(x), byte: most != 4 && most != 8})
			i = j
		}
		const hexadecimal = "0123456789abcdefABCDEF"
		switch c := s[i]; c {
		case '0', '1', '2', '3', '4', '5', '6', '7':
			number("01234567", 8, 3)
		case 'x':
			i++
			number(hexadecimal, 16, 16)
		case 'u':
			i++
			number(hexadecimal, 16, 4)
		case 'U':
			i++
			number(hexadecimal, 16, 8)
		default:
			value := rune(c)
			if k := strings.IndexByte("abtnvfr", c); k >= 0 {
				value = rune("\a\b\t\n\v\f\r"[k])
			} else if c == 'e' || c == 'E' {
				value = 27
			}
			out = append(out, character{value: value, byte: true})
			i++
		}
	}
	return out
}

// stringLiteral is the contents of a string literal, with its final zero, and the type of its elements.
func (r *reader) stringLiteral(n *cc.PrimaryExpression) ([]byte, *tree.Integer) {
	text := n.Token.SrcStr()
	if text = unmarked(text); strings.ContainsAny(text, string([]byte{source.Mark16, source.Mark32})) {
		r.Unsupported(r.pos(n), "a string that is made of one of char16_t or char32_t")
	}
	begin := strings.IndexByte(text, '"')
	if begin < 0 || len(text) < begin+2 {
		r.Fail(r.pos(n), "%s is no string", text)
	}
	elem := r.types.char
	switch text[:begin] {
	case "L":
		elem = r.types.wide
	case "u":
		elem = r.types.ushort
	case "U":
		elem = r.types.uint
	}
	var out []byte
	for _, c := range append(r.characters(text[begin+1:len(text)-1], r.pos(n)), character{byte: true}) {
		switch {
		case elem == r.types.char:
			out = c.appendTo(out)
		case elem.Bits == 16:
			if c.value > 0xffff {
				high, low := utf16.EncodeRune(rune(c.value))
				out = binary.LittleEndian.AppendUint16(out, uint16(high))
				c.value = low
			}
			out = binary.LittleEndian.AppendUint16(out, uint16(c.value))
		default:
			out = binary.LittleEndian.AppendUint32(out, uint32(c.value))
		}
	}
	return out, elem
}

// stringInitial is the initialiser of an array that is a string's object: the bytes of chars, or the other characters one by
// one.
func stringInitial(contents []byte, elem *tree.Integer) []tree.Initial {
	if elem.Bits == 8 {
		return []tree.Initial{{Path: []tree.Step{{}}, Type: elem, Bytes: contents, Repeat: 1}}
	}
	size := int(elem.Size())
	var out []tree.Initial
	for i := 0; i < len(contents); i += size {
		var x big.Int
		for k := size - 1; k >= 0; k-- {
			x.Lsh(&x, 8).Or(&x, big.NewInt(int64(contents[i+k])))
		}
		out = append(out, tree.Initial{
			Offset: int64(i), Path: []tree.Step{{Index: int64(i / size)}}, Type: elem,
			Value: &tree.Constant{T: elem, Int: elem.Wrap(&x)}, Repeat: 1,
		})
	}
	return out
}

// unmarked is a string or a character without the marks that source.New has put into it. Where marks differ, or are in a string of char,
// some are left.
func unmarked(text string) string {
	for mark, prefix := range map[byte]string{source.Mark16: "u", source.Mark32: "U"} {
		if len(text) > 2 && text[0] == 'L' && text[2] == mark {
			return prefix + strings.ReplaceAll(text[1:], string(mark), "")
		}
	}
	return text
}
