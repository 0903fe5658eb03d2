package interpret_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/interpret"
)

// Every version of a map keeps its entries, whichever versions are read and changed in between.
func TestOldVersionsOfAMapStayAsTheyAre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		maps := []*interpret.Map{interpret.NewMap(ast.Int, interpret.NewInt(0))}
		naive := []map[int64]int64{{}}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			at := rapid.IntRange(0, len(maps)-1).Draw(t, "version")
			k, v := rapid.Int64Range(-3, 3).Draw(t, "index"), rapid.Int64Range(0, 2).Draw(t, "value")
			m, err := maps[at].Store(interpret.NewInt(k), interpret.NewInt(v))
			require.NoError(t, err)
			n := map[int64]int64{k: v}
			for i, x := range naive[at] {
				if i != k {
					n[i] = x
				}
			}
			maps, naive = append(maps, m), append(naive, n)
			look := rapid.IntRange(0, len(maps)-1).Draw(t, "read")
			for i := int64(-3); i <= 3; i++ {
				got, err := maps[look].Select(interpret.NewInt(i))
				require.NoError(t, err)
				require.Equal(t, interpret.NewInt(naive[look][i]).String(), got.String())
			}
		}
		for i := range maps {
			for j := range maps {
				same := true
				for k := int64(-3); k <= 3; k++ {
					same = same && naive[i][k] == naive[j][k]
				}
				got, err := interpret.Equal(maps[i], maps[j])
				require.NoError(t, err)
				require.Equal(t, same, got)
				// As indices they are told apart in the same way.
				outer, err := interpret.NewMap(&ast.Map{Domain: []ast.Type{ast.Int}, Range: ast.Int}, interpret.Bool(false)).Store(maps[i], interpret.Bool(true))
				require.NoError(t, err)
				found, err := outer.Select(maps[j])
				require.NoError(t, err)
				require.Equal(t, interpret.Bool(same), found)
			}
		}
	})
}

// Bit-vector functions are SMT-LIB's, as another implementation has them, at all values of small widths.
func TestBitVectorFunctions(t *testing.T) {
	pool := term.NewPool()
	const width = 3
	for op := term.BVAnd; op < term.BVConcat; op++ {
		name := op.String()
		for a := range int64(1 << width) {
			for b := range int64(1 << width) {
				want := term.TermValue(pool.BV(op, pool.BVNum(term.NewInt(a), width), pool.BVNum(term.NewInt(b), width)))
				got := interpret.BitVectorFunction(name, interpret.BitVector{Width: width, N: big.NewInt(a)}, interpret.BitVector{Width: width, N: big.NewInt(b)})
				require.NotNil(t, got, name)
				if w, ok := got.(interpret.Bool); ok {
					require.Equal(t, want.Bool(), bool(w), "%s %d %d", name, a, b)
					continue
				}
				require.Equal(t, want.Num().String(), got.(interpret.BitVector).N.String(), "%s %d %d", name, a, b)
			}
		}
	}
}

// When every index of a type has an entry, defaults are nowhere to be seen, however large the type is.
func TestMapsWithoutARoomForTheirDefault(t *testing.T) {
	const width = 13
	a := interpret.NewMap(&ast.BitVector{Width: width}, interpret.NewInt(1))
	b := interpret.NewMap(&ast.BitVector{Width: width}, interpret.NewInt(2))
	same := func() bool {
		got, err := interpret.Equal(a, b)
		require.NoError(t, err)
		return got
	}
	for i := range int64(1 << width) {
		if i%1000 == 0 {
			require.False(t, same())
		}
		index := interpret.BitVector{Width: width, N: big.NewInt(i)}
		var err error
		a, err = a.Store(index, interpret.NewInt(i))
		require.NoError(t, err)
		b, err = b.Store(index, interpret.NewInt(i))
		require.NoError(t, err)
	}
	require.True(t, same())
}
