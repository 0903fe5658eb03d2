package settings

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
)

// tables are the options of two commands.
func tables() map[string][]engine.Option {
	timeout := engine.Option{Name: "timeout", Kind: "duration", Default: "0s"}
	return map[string][]engine.Option{
		"solve":  {timeout, {Name: "model", Kind: "bool", Default: "false"}, {Name: "preset", Kind: "string"}, {Name: "config", Kind: "string"}},
		"verify": {timeout, {Name: "error", Kind: "string"}, {Name: "explore", Kind: "duration"}},
	}
}

func read(t *testing.T, text string) (*File, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), Name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return Read(path, tables(), []engine.Option{{Name: "inline.bound", Kind: "int"}})
}

// What is nearer to a call comes before what is farther from it: the command line's preset, the command's section, the file, its preset.
func TestOrderOfSettings(t *testing.T) {
	t.Parallel()
	f, err := read(t, "preset = \"thorough\"\ntimeout = 30\n[verify]\ntimeout = 40\nerror = [\"a\", \"b\"]\n[option]\n\"inline.bound\" = 7\n")
	require.NoError(t, err)
	require.Equal(t, "30", f.For("solve", "")["timeout"])
	require.Equal(t, "40", f.For("verify", "")["timeout"])
	require.Equal(t, "30s", f.For("verify", "")["explore"], "of the file's preset")
	require.Equal(t, "a,b", f.For("verify", "")["error"])
	require.Equal(t, "10s", f.For("verify", "quick")["timeout"])
	require.Equal(t, "a,b", f.For("verify", "quick")["error"])
	require.NotContains(t, f.For("verify", "chccomp"), "explore", "one preset alone")
	require.Equal(t, map[string]string{"inline.bound": "7"}, f.Engines())

	var none *File
	require.Empty(t, none.For("solve", ""))
	require.Empty(t, none.Engines())
	require.Equal(t, "15m", none.For("solve", "thorough")["timeout"])
}

// A file that says what cannot be is refused.
func TestRefusedFiles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"timeout = [1]":                "a list has words only",
		"timeout = 1979-05-27":         "give a word, a number",
		"timeout = -3":                 "bad value",
		"config = \"x\"":               "there is no option config",
		"[solve]\nerror = \"x\"":       "there is no option [solve] error",
		"[option]\n\"inline.x\" = 1":   "there is no option [option] inline.x",
		"[corral]\nmain = \"x\"":       "there is no section [corral]",
		"timeout = 3\n\nmodel = maybe": Name + ":3:",
	} {
		_, err := read(t, text)
		require.ErrorContains(t, err, want, text)
	}
}

// The nearest file counts.
func TestFind(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	require.NoError(t, os.MkdirAll(deep, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(root, Name), nil, 0o600))
	require.Equal(t, filepath.Join(root, Name), Find(deep))
	require.NoError(t, os.WriteFile(filepath.Join(root, "a", Name), nil, 0o600))
	require.Equal(t, filepath.Join(root, "a", Name), Find(deep))
}
