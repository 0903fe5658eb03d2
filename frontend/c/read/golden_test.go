package read

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c/tree"
)

var update = flag.Bool("update", false, "write what programs are read as to testdata")

// Programs are read as testdata says: file.c as file.ILP32 and file.LP64.
func TestProgramsAreReadAsWritten(t *testing.T) {
	files, err := filepath.Glob("testdata/*.c")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, model := range []tree.Model{tree.ILP32, tree.LP64} {
			got := printed(read(t, model, string(text)))
			golden := strings.TrimSuffix(file, ".c") + "." + model.Name
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), got, file)
		}
	}
}
