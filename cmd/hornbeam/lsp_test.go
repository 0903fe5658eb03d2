package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// frames are messages as an editor sends them.
func frames(messages ...string) string {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(m), m)
	}
	return b.String()
}

// A session that is shut down ends with 0, and one that is left with 1; a file on the command line is wrong usage.
func TestLSP(t *testing.T) {
	t.Parallel()
	serve := func(input string, args ...string) (code int, stdout, stderr string) {
		var out, err bytes.Buffer
		code = run(t.Context(), append([]string{"hornbeam", "lsp"}, args...), strings.NewReader(input), &out, &err)
		return code, out.String(), err.String()
	}
	initialize := `{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}`
	code, out, _ := serve(frames(initialize), "--stdio")
	require.Equal(t, exitUsage, code)
	require.Contains(t, out, `"version":"`+version+`"`)
	_, _, stderr := serve(frames(initialize))
	require.Contains(t, stderr, "left without shutting")
	code, _, stderr = serve(frames(initialize, `{"jsonrpc": "2.0", "id": 2, "method": "shutdown"}`, `{"jsonrpc": "2.0", "method": "exit"}`))
	require.Equal(t, exitOK, code, stderr)
	code, _, stderr = serve("", "file.bpl")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "no arguments")
	code, _, stderr = serve("", "--timeout", "soon")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "timeout")
}

// The nearest file of settings counts: its section lsp over what is for every command, and over verify's options of programs. Other
// options of verify are not the server's.
func TestLSPSettings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inner := filepath.Join(dir, "src")
	require.NoError(t, os.Mkdir(inner, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "hornbeam.toml"), []byte("timeout = \"9s\"\n[lsp]\ndebounce = \"1s\"\nruns = \"2s\"\n[verify]\n"+
		"property = \"overflow\"\nruns = \"1s\"\nmemory = \"1G\"\n[option]\n\"inline.bound\" = 3\n"), 0o600))
	set, engines, err := configured(inner, "auto")
	require.NoError(t, err)
	require.Equal(t, map[string]string{"timeout": "9s", "debounce": "1s", "runs": "2s", "property": "overflow"}, set)
	require.Equal(t, map[string]string{"inline.bound": "3"}, engines)
	set, _, err = configured(inner, "none")
	require.NoError(t, err)
	require.Empty(t, set)
	require.NoError(t, os.WriteFile(filepath.Join(inner, "hornbeam.toml"), []byte("[lsp]\nspeed = 1\n"), 0o600))
	_, _, err = configured(inner, "auto")
	require.ErrorContains(t, err, "speed")
}
