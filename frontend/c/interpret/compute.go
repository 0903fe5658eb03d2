package interpret

import (
	"math/big"
	"math/bits"
	"strings"

	"hornbeam/frontend/c/tree"
)

// compute is __builtin_popcount and its likes.
func (m *machine) compute(v *invocation) uint64 {
	name := v.fn.special.Name
	switch {
	case strings.HasSuffix(name, "_overflow"):
		return m.overflowing(v)
	case name == "__builtin_constant_p":
		return 0
	}
	x := m.argumentOf(v, 0)
	long := uint(64)
	if m.p.layout.narrow {
		long = 32
	}
	width := func(base string) (uint, bool) {
		switch name {
		case base:
			return 32, true
		case base + "l":
			return long, true
		case base + "ll":
			return 64, true
		}
		return 0, false
	}
	low := func(w uint) uint64 { return x << (64 - w) >> (64 - w) }
	if w, ok := width("popcount"); ok {
		return uint64(bits.OnesCount64(low(w)))
	}
	if w, ok := width("parity"); ok {
		return uint64(bits.OnesCount64(low(w)) & 1)
	}
	if w, ok := width("ffs"); ok {
		if low(w) == 0 {
			return 0
		}
		return uint64(bits.TrailingZeros64(low(w)) + 1)
	}
	if w, ok := width("ctz"); ok {
		if low(w) == 0 {
			m.undefined(v.call, "%s of 0", name)
		}
		return uint64(bits.TrailingZeros64(low(w)))
	}
	if w, ok := width("clz"); ok {
		if low(w) == 0 {
			m.undefined(v.call, "%s of 0", name)
		}
		return uint64(bits.LeadingZeros64(low(w)) - 64 + int(w))
	}
	if w, ok := width("clrsb"); ok {
		y := int64(x<<(64-w)) >> (64 - w)
		return uint64(bits.LeadingZeros64(uint64(y^y>>63)) - 64 + int(w) - 1)
	}
	switch name {
	case "bswap16", "htons", "ntohs":
		return uint64(bits.ReverseBytes16(uint16(x)))
	case "bswap32", "htonl", "ntohl":
		return uint64(bits.ReverseBytes32(uint32(x)))
	case "bswap64":
		return bits.ReverseBytes64(x)
	case "bitreverse8":
		return uint64(bits.Reverse8(uint8(x)))
	case "bitreverse16":
		return uint64(bits.Reverse16(uint16(x)))
	case "bitreverse32":
		return uint64(bits.Reverse32(uint32(x)))
	case "bitreverse64":
		return bits.Reverse64(x)
	}
	m.undetermined(v.call, "%s is not supported", v.fn.decl.Name)
	return 0
}

// overflowing is __builtin_add_overflow and its likes: the exact result is stored as the result's type has it, and the
// value is whether that is another one.
func (m *machine) overflowing(v *invocation) uint64 {
	n := v.call
	m.argumentOf(v, 2)
	to, ok := v.types[2].(*tree.Pointer)
	if !ok {
		m.undefined(n, "%s is called with other arguments than it has", v.fn.decl.Name)
	}
	t, ok := to.Elem.(*tree.Integer)
	if !ok || t.Bits > 64 {
		m.undetermined(n, "%s with a result of type %s", v.fn.decl.Name, to.Elem)
	}
	big2 := func(i int) *big.Int {
		m.argumentOf(v, i)
		return m.show(v.types[i], v.args[i]).Big()
	}
	x, y := big2(0), big2(1)
	switch name := v.fn.special.Name; {
	case strings.Contains(name, "add"):
		x.Add(x, y)
	case strings.Contains(name, "sub"):
		x.Sub(x, y)
	default:
		x.Mul(x, y)
	}
	wrapped := t.Wrap(x)
	s := shapeOf(t)
	o, off := m.region(v.args[2], uint64(s.size), n)
	m.write(o, off, &s, BigInt(wrapped).bits, n)
	return bit(wrapped.Cmp(x) != 0)
}
