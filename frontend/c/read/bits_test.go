package read_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
)

// gcc's functions of bits are constant where their arguments are; of 0, some have no value.
func TestConstantBits(t *testing.T) {
	for _, e := range []string{"__builtin_ffs(-8) == 4", "__builtin_clz(1) == 31", "__builtin_ctzll(1ULL << 40) == 40", "__builtin_bswap16(0x1234) == 0x3412", "__builtin_popcountl(-1L) == 64", "__builtin_parity(7) == 1"} {
		_, err := c.Read(context.Background(), "b.c", []byte("int main(void) { _Static_assert("+e+", \"\"); }"), c.Options{})
		require.NoError(t, err, e)
	}
	for _, e := range []string{"__builtin_ffs(-8) == 5", "__builtin_clz(0) == 32"} {
		_, err := c.Read(context.Background(), "b.c", []byte("int main(void) { _Static_assert("+e+", \"\"); }"), c.Options{})
		require.Error(t, err, e)
	}
}
