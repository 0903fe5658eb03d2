package process

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
)

// A sort and a constructor may have one name, as structs have in contracts; two sorts may not, nor two functions.
func TestSortsHaveTheirOwnNames(t *testing.T) {
	n := newNames(term.NewPool())
	require.NoError(t, n.mustSort("pair", "sort"))
	require.NoError(t, n.must("pair", "constructor"))
	require.NoError(t, n.mustSort("pair", "sort"))
	require.Error(t, n.mustSort("pair", "another sort"))
	require.Error(t, n.must("pair", "another function"))
	for _, name := range []string{"Int", "Array", "@pair", ".pair", "?pair", "", "pa|ir"} {
		require.Error(t, n.mustSort(name, "sort"), name)
		require.Error(t, n.must(name, "function"), name)
	}
}
