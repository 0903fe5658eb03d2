package interpret

import (
	"math/bits"

	"hornbeam/frontend/c/lib"
)

// compute is __builtin_popcount and its likes.
func (m *machine) compute(v *invocation) uint64 {
	name := v.fn.special.Name
	if name == "__builtin_constant_p" {
		return 0
	}
	long := 64
	if m.p.layout.narrow {
		long = 32
	}
	base, width := lib.BitFunction(name, long)
	unused := 64 - width
	x := m.argumentOf(v, 0) << unused >> unused
	switch base {
	case "popcount":
		return uint64(bits.OnesCount64(x))
	case "parity":
		return uint64(bits.OnesCount64(x) & 1)
	case "ffs":
		if x == 0 {
			return 0
		}
		return uint64(bits.TrailingZeros64(x) + 1)
	case "ctz", "clz":
		if x == 0 {
			m.undefined(v.call, "%s of 0", name)
		}
		if base == "ctz" {
			return uint64(bits.TrailingZeros64(x))
		}
		return uint64(bits.LeadingZeros64(x) - unused)
	case "clrsb":
		y := int64(x<<unused) >> unused
		return uint64(bits.LeadingZeros64(uint64(y^y>>63)) - unused - 1)
	case "bswap":
		return bits.ReverseBytes64(x) >> unused
	case "bitreverse":
		return bits.Reverse64(x) >> unused
	}
	m.undetermined(v.call, "%s is not supported", v.fn.decl.Name)
	return 0
}
