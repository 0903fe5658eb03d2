package doctor

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program's version is what it prints on standard output, whatever it complains about; some print it on standard error.
func TestVersion(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"echo complaint >&2; echo 'Browser 3'": "Browser 3",
		"echo 'dot 4' >&2":                     "dot 4",
		"echo 'Broken 5'; exit 1":              "",
	} {
		path := filepath.Join(t.TempDir(), "tool")
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755))
		require.Equal(t, want, version(t.Context(), path, nil), script)
	}
}
