package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tutorial's commands work as printed, one after the other in an empty folder. `cat FILE` stands for writing the file first.
// -update writes what the commands print into the tutorial, but for outputs with a line of three dots, which stand for any lines.
func TestTutorial(t *testing.T) {
	t.Parallel()
	const document = "../../docs/tutorial.md"
	text, err := os.ReadFile(document)
	require.NoError(t, err)
	dir := t.TempDir()
	lines := strings.Split(string(text), "\n")
	var out []string
	code, commands := 0, 0
	for i := 0; i < len(lines); {
		out = append(out, lines[i])
		command, ok := strings.CutPrefix(lines[i], "    $ ")
		i++
		if !ok {
			continue
		}
		var shown []string
		for ; i < len(lines) && strings.HasPrefix(lines[i], "    ") && !strings.HasPrefix(lines[i], "    $ "); i++ {
			shown = append(shown, strings.TrimPrefix(lines[i], "    "))
		}
		want := strings.Join(shown, "\n")
		commands++
		words := strings.Fields(command)
		var got string
		switch words[0] {
		case "cat":
			require.NoError(t, os.WriteFile(filepath.Join(dir, words[1]), []byte(want+"\n"), 0o600))
			got = want
		case "echo":
			require.Equal(t, "echo $?", command)
			got = fmt.Sprint(code)
		case "ls":
			_, err := os.Stat(filepath.Join(dir, words[1]))
			require.NoError(t, err)
			got = words[1]
		case "hornbeam":
			got, code = inTutorial(t, dir, words[1:])
		default:
			require.Fail(t, "a command that is none of the tutorial's", command)
		}
		if *update && !strings.Contains(want, "...") {
			want = got
		}
		requireShown(t, command, want, got)
		if want != "" {
			for line := range strings.SplitSeq(want, "\n") {
				out = append(out, "    "+line)
			}
		}
	}
	require.Greater(t, commands, 15)
	if *update {
		require.NoError(t, os.WriteFile(document, []byte(strings.Join(out, "\n")), 0o666))
	}
}

// requireShown compares an output with what is shown of it.
func requireShown(t *testing.T, command, want, got string) {
	t.Helper()
	before, after, cut := strings.Cut(want, "...")
	if !cut {
		require.Equal(t, want, got, command)
		return
	}
	require.True(t, strings.HasPrefix(got, before), "%s\n%s", command, got)
	require.True(t, strings.HasSuffix(got, strings.TrimPrefix(after, "\n")), "%s\n%s", command, got)
}

// inTutorial runs a command in the folder and returns both of its outputs together, and the exit code.
func inTutorial(t *testing.T, dir string, args []string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return strings.TrimSuffix(b.String(), "\n"), cmd.ProcessState.ExitCode()
}
