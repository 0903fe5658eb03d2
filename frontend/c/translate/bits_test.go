package translate_test

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/interpret"
	lowering "hornbeam/frontend/c/lower"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// bitFunctions are what gcc's and clang's functions of bits compute, and whether they are undefined for 0.
var bitFunctions = map[string]struct {
	of   func(x uint64) int64
	not0 bool
}{
	"__builtin_bswap16":      {func(x uint64) int64 { return int64(bits.ReverseBytes16(uint16(x))) }, false},
	"__builtin_bswap32":      {func(x uint64) int64 { return int64(bits.ReverseBytes32(uint32(x))) }, false},
	"__builtin_bswap64":      {func(x uint64) int64 { return int64(bits.ReverseBytes64(x)) }, false},
	"__builtin_bitreverse8":  {func(x uint64) int64 { return int64(bits.Reverse8(uint8(x))) }, false},
	"__builtin_bitreverse16": {func(x uint64) int64 { return int64(bits.Reverse16(uint16(x))) }, false},
	"__builtin_bitreverse32": {func(x uint64) int64 { return int64(bits.Reverse32(uint32(x))) }, false},
	"__builtin_bitreverse64": {func(x uint64) int64 { return int64(bits.Reverse64(x)) }, false},
	"__builtin_popcount":     {func(x uint64) int64 { return int64(bits.OnesCount32(uint32(x))) }, false},
	"__builtin_popcountll":   {func(x uint64) int64 { return int64(bits.OnesCount64(x)) }, false},
	"__builtin_parity":       {func(x uint64) int64 { return int64(bits.OnesCount32(uint32(x)) % 2) }, false},
	"__builtin_ffs":          {func(x uint64) int64 { return int64(bits.TrailingZeros32(uint32(x))+1) % 33 }, false},
	"__builtin_ctz":          {func(x uint64) int64 { return int64(bits.TrailingZeros32(uint32(x))) }, true},
	"__builtin_clz":          {func(x uint64) int64 { return int64(bits.LeadingZeros32(uint32(x))) }, true},
	"__builtin_clzll":        {func(x uint64) int64 { return int64(bits.LeadingZeros64(x)) }, true},
}

// Functions of bits are translated exactly: what they compute is what the interpreter and the machine have.
func TestBitFunctions(t *testing.T) {
	names := slices.Sorted(maps.Keys(bitFunctions))
	for _, mode := range []lowering.Mode{lowering.AllVectors, lowering.Ranged} {
		translations := map[string]*translation{}
		for _, name := range names {
			p := read(t, fmt.Sprintf(`unsigned long long argument(void); unsigned long long result(void); void reach_error(void);
unsigned char __builtin_bitreverse8(unsigned char); unsigned short __builtin_bitreverse16(unsigned short);
unsigned int __builtin_bitreverse32(unsigned int); unsigned long long __builtin_bitreverse64(unsigned long long);
int main(void) { unsigned long long x = argument(); if (%s(x) == result()) reach_error(); return 0; }`, name), c.LP64)
			tr := lowerAs(t, p, translate.Options{}, mode)
			require.Empty(t, tr.result.Approximations, name)
			require.Empty(t, tr.lowered.Occurrences, name)
			translations[name] = tr
		}
		rapid.Check(t, func(rt *rapid.T) {
			x := rapid.OneOf(rapid.Uint64(), rapid.Map(rapid.IntRange(0, 63), func(i int) uint64 { return 1 << i })).Draw(rt, "x")
			off := rapid.Int64Range(0, 1).Draw(rt, "off")
			for range 4 {
				name := rapid.SampledFrom(names).Draw(rt, "name")
				f := bitFunctions[name]
				if f.not0 && uint32(x) == 0 {
					continue
				}
				source, translated, detail := translations[name].run(rt, interpret.Options{Steps: 1000}, func(call *tree.Call, _ int) int64 {
					if call.Function.Name == "argument" {
						return int64(x)
					}
					return f.of(x) + off
				}, nil)
				expected := map[int64]string{0: "error", 1: "ended"}[off]
				require.Equal(rt, expected, source, name)
				require.Equal(rt, expected, translated, "%s: %s", name, detail)
			}
		})
	}
}
