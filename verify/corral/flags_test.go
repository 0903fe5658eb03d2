package corral

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Flags that ask for nothing that Hornbeam does otherwise are taken.
func TestFlagsThatAreIgnored(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.bpl")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	args := []string{file, "/recursionBound:3"}
	for _, f := range ignoredFlags {
		args = append(args, "/"+f)
	}
	for _, f := range ignoredWithValue {
		args = append(args, "/"+f+":1")
	}
	read, err := readFlags(args)
	require.NoError(t, err)
	require.Equal(t, 3, read.bound)
	_, err = readFlags(append(args, "/noSuchFlag"))
	require.EqualError(t, err, "Invalid flag: /noSuchFlag")
}
