package interpret

import (
	"bytes"
	"math"
	"math/big"
	"strings"

	"hornbeam/frontend/c/tree"
)

// region is the object, and the offset in it, of n bytes at an address; nil if n is 0.
func (m *machine) region(address, n uint64, at tree.Node) (*object, int64) {
	if n == 0 {
		return nil, 0
	}
	o := m.find(address)
	if o == nil {
		m.nowhere(address, at)
	}
	off := int64(address - o.base)
	if n > uint64(o.size) {
		m.outside(o, off, int64(min(n, 1<<62)), at)
	}
	m.check(o, off, int64(n), at)
	return o, off
}

// character is the byte at an address; an unknown one is chosen.
func (m *machine) character(address uint64, at tree.Node) byte {
	o, off := m.region(address, 1, at)
	m.tick(at)
	b, known := m.byteAt(o, off, at)
	if !known {
		s := shapeOf(charType)
		m.settle(o, off, &s, charType, at)
		b, _ = m.byteAt(o, off, at)
	}
	return b
}

// tick counts a step of a library function.
func (m *machine) tick(at tree.Node) {
	m.steps++
	if m.steps >= m.limits.Steps {
		m.stop(LimitReached, at, "%d steps", m.limits.Steps)
	}
}

func (m *machine) setCharacter(address uint64, b byte, at tree.Node) {
	o, off := m.region(address, 1, at)
	m.tick(at)
	if o.readonly {
		m.undefined(at, "%s is written", m.name(o))
	}
	m.wrote(o, off, 1)
	m.setByte(o, off, b, true, at)
}

// length is that of a string.
func (m *machine) length(s uint64, at tree.Node) uint64 {
	var n uint64
	for m.character(s+n, at) != 0 {
		n++
	}
	return n
}

// text is a string.
func (m *machine) text(s uint64, at tree.Node) string {
	var b strings.Builder
	for {
		c := m.character(s, at)
		if c == 0 {
			return b.String()
		}
		b.WriteByte(c)
		s++
	}
}

// copy copies bytes, whether known or not, as memmove does.
func (m *machine) copy(to, from, n uint64, at tree.Node) {
	if n == 0 {
		return
	}
	o, off := m.region(from, n, at)
	c := m.readChunk(o, off, int64(n), nil, at)
	if c.unknown != nil {
		c = m.settleChunk(o, off, int64(n), at)
	}
	d, to2 := m.region(to, n, at)
	m.writeChunk(d, to2, c, at)
}

// settleChunk chooses what is unknown in a part of an object that is copied whole, so that the copy has the same. In an
// object of a known type it is chosen scalar by scalar.
func (m *machine) settleChunk(o *object, off, n int64, at tree.Node) chunk {
	if o.declared != nil && off == 0 && n == o.size && o.declared.Size() == n {
		m.settleAll(o, off, o.declared, at)
	}
	if n <= pageBytes {
		for i := range n {
			m.knownByte(o, off+i, at)
		}
	}
	return m.readChunk(o, off, n, nil, at)
}

// compare compares up to n characters, after fold, until they differ, or, if both are strings, end.
func (m *machine) compare(v *invocation, n uint64, strings bool, fold func(byte) byte) uint64 {
	x, y := m.argumentOf(v, 0), m.argumentOf(v, 1)
	for i := range n {
		a, b := fold(m.character(x+i, v.call)), fold(m.character(y+i, v.call))
		if a != b {
			// C says only which sign the result has.
			if a < b {
				return math.MaxUint64
			}
			return 1
		}
		if strings && a == 0 {
			break
		}
	}
	return 0
}

func same(b byte) byte { return b }

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

// memory is memcpy, strlen and their likes.
func (m *machine) memory(v *invocation) uint64 {
	n := v.call
	arg := func(i int) uint64 { return m.argumentOf(v, i) }
	size := func(i int) uint64 { return m.sizeArgument(v, i) }
	switch v.fn.special.Name {
	case "memcpy", "mempcpy":
		to, from, length := arg(0), arg(1), size(2)
		if length > 0 && to != from && to < from+length && from < to+length {
			m.undefined(n, "memcpy between pieces of memory that overlap")
		}
		m.copy(to, from, length, n)
		if v.fn.special.Name == "mempcpy" {
			return to + length
		}
		return to
	case "memmove":
		m.copy(arg(0), arg(1), size(2), n)
		return arg(0)
	case "bcopy":
		m.copy(arg(1), arg(0), size(2), n)
		return 0
	case "memset":
		m.set(arg(0), byte(arg(1)), size(2), n)
		return arg(0)
	case "bzero":
		m.set(arg(0), 0, size(1), n)
		return 0
	case "memcmp", "bcmp":
		return m.compare(v, size(2), false, same)
	case "strcmp", "strcoll":
		return m.compare(v, math.MaxUint64, true, same)
	case "strncmp":
		return m.compare(v, size(2), true, same)
	case "strcasecmp":
		return m.compare(v, math.MaxUint64, true, lower)
	case "strncasecmp":
		return m.compare(v, size(2), true, lower)
	case "strlen":
		return m.length(arg(0), n)
	case "strnlen":
		var length uint64
		for length < size(1) && m.character(arg(0)+length, n) != 0 {
			length++
		}
		return length
	case "strcpy", "stpcpy", "strcat", "strncat", "strncpy", "stpncpy":
		return m.copyString(v)
	}
	return m.search(v)
}

func (m *machine) set(to uint64, b byte, n uint64, at tree.Node) {
	o, off := m.region(to, n, at)
	if o == nil {
		return
	}
	if o.readonly {
		m.undefined(at, "%s is written", m.name(o))
	}
	if off == 0 && int64(n) == o.size && b == 0 {
		m.wrote(o, 0, o.size)
		m.steps += o.size / 256
		m.fill(o, true, at)
		return
	}
	m.writeChunk(o, off, chunk{data: bytes.Repeat([]byte{b}, int(n))}, at)
}

func (m *machine) copyString(v *invocation) uint64 {
	n, to, from := v.call, m.argumentOf(v, 0), m.argumentOf(v, 1)
	name := v.fn.special.Name
	start, limit := to, uint64(math.MaxUint64)
	if strings.Contains(name, "ncat") || strings.Contains(name, "ncpy") {
		limit = m.sizeArgument(v, 2)
	}
	if name == "strcat" || name == "strncat" {
		start += m.length(to, n)
	}
	var i uint64
	for ; i < limit; i++ {
		b := m.character(from+i, n)
		if b == 0 {
			break
		}
		m.setCharacter(start+i, b, n)
	}
	switch name {
	case "strncpy", "stpncpy":
		for j := i; j < limit; j++ {
			m.setCharacter(start+j, 0, n)
		}
		if name == "stpncpy" {
			return start + i
		}
		return to
	}
	m.setCharacter(start+i, 0, n)
	if name == "stpcpy" {
		return start + i
	}
	return to
}

// search is strchr, atoi and their likes.
func (m *machine) search(v *invocation) uint64 {
	n := v.call
	s := m.argumentOf(v, 0)
	name := v.fn.special.Name
	switch name {
	case "atoi", "atol", "atoll", "strtol", "strtoul", "strtoll", "strtoull":
		return m.number(v)
	case "memchr", "memrchr":
		length, found := m.sizeArgument(v, 2), uint64(0)
		for i := range length {
			if m.character(s+i, n) == byte(m.argumentOf(v, 1)) {
				found = s + i
				if name == "memchr" {
					break
				}
			}
		}
		return found
	case "strchr", "index", "strrchr", "rindex", "strchrnul":
		want, found := byte(m.argumentOf(v, 1)), uint64(0)
		for i := s; ; i++ {
			b := m.character(i, n)
			if b == want {
				found = i
				if name != "strrchr" && name != "rindex" {
					return found
				}
			}
			if b == 0 {
				if name == "strchrnul" {
					return i
				}
				return found
			}
		}
	}
	if name != "strstr" && name != "strspn" && name != "strcspn" && name != "strpbrk" {
		m.undetermined(n, "%s is not supported", v.fn.decl.Name)
	}
	text, other := m.text(s, n), m.text(m.argumentOf(v, 1), n)
	at := -1
	switch name {
	case "strstr":
		at = strings.Index(text, other)
	case "strpbrk":
		at = anyOf(text, other, true)
	default:
		if at = anyOf(text, other, name == "strcspn"); at < 0 {
			at = len(text)
		}
		return uint64(at)
	}
	if at < 0 {
		return 0
	}
	return s + uint64(at)
}

// anyOf is where the first byte of text is that is one of a set, or, if not in, that is none of it; -1 if there is none.
func anyOf(text, set string, in bool) int {
	for i := range len(text) {
		if (strings.IndexByte(set, text[i]) >= 0) == in {
			return i
		}
	}
	return -1
}

// number is atoi and strtol and their likes.
func (m *machine) number(v *invocation) uint64 {
	n, s := v.call, m.argumentOf(v, 0)
	name := v.fn.special.Name
	base := 10
	if strings.HasPrefix(name, "strto") {
		base = int(int32(m.argumentOf(v, 2)))
	}
	p := s
	for b := m.character(p, n); b == ' ' || '\t' <= b && b <= '\r'; b = m.character(p, n) {
		p++
	}
	negative := false
	if b := m.character(p, n); b == '-' || b == '+' {
		negative = b == '-'
		p++
	}
	if (base == 0 || base == 16) && m.character(p, n) == '0' && lower(m.character(p+1, n)) == 'x' && digit(m.character(p+2, n)) < 16 {
		p, base = p+2, 16
	}
	if base == 0 {
		base = 10
		if m.character(p, n) == '0' {
			base = 8
		}
	}
	x, begin := new(big.Int), p
	for d := digit(m.character(p, n)); d < base; d = digit(m.character(p, n)) {
		x.Add(x.Mul(x, big.NewInt(int64(base))), big.NewInt(int64(d)))
		p++
	}
	if strings.HasPrefix(name, "strto") {
		if end := m.argumentOf(v, 1); end != 0 {
			if p == begin {
				p = s
			}
			where := shapeOf(&tree.Pointer{Elem: m.p.source.Char, Bytes: m.p.source.Model.PointerBytes})
			o, off := m.region(end, uint64(where.size), n)
			m.write(o, off, &where, p, n)
		}
	}
	if negative {
		x.Neg(x)
	}
	return m.inRange(name, x, v)
}

// inRange is the value that strtol and its likes make of a number, and atoi of one that is in range.
func (m *machine) inRange(name string, x *big.Int, v *invocation) uint64 {
	t, ok := v.call.T.(*tree.Integer)
	if !ok {
		m.undetermined(v.call, "%s that returns a %s", name, v.call.T)
	}
	switch {
	case strings.HasPrefix(name, "strtou"):
		if new(big.Int).Abs(x).Cmp(t.Max()) > 0 {
			x = t.Max()
		}
	case x.Cmp(t.Min()) < 0 || x.Cmp(t.Max()) > 0:
		if name == "atoi" {
			m.undefined(v.call, "atoi of a number that is no int")
		}
		if x.Sign() < 0 {
			x = t.Min()
		} else {
			x = t.Max()
		}
	}
	return BigInt(x).bits
}

func digit(b byte) int {
	switch b = lower(b); {
	case '0' <= b && b <= '9':
		return int(b - '0')
	case 'a' <= b && b <= 'z':
		return int(b-'a') + 10
	}
	return 99
}
