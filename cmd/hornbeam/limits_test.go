package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheTimeLimitCoversReading(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"solve", "-", "--stats"}, exitOK}, {[]string{"show", "-"}, exitUndecided}, {[]string{"check", "-", tempFile(t, "m", "()")}, exitUndecided},
	} {
		never, writer := io.Pipe()
		var out, messages bytes.Buffer
		code := run(context.Background(), append([]string{"hornbeam"}, append(c.args, "--timeout", "0.1")...), never, &out, &messages)
		require.NoError(t, writer.Close())
		require.Equal(t, c.code, code, c.args)
		require.True(t, strings.HasPrefix(messages.String(), "; timeout"), messages.String())
		if c.args[0] == "solve" {
			require.Equal(t, "unknown\n", out.String())
			require.Contains(t, messages.String(), "; time.total")
		}
	}
}

// Inside a long check of the solver limits end in unknown, too.
func TestLimitsEndALongCheck(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		flags  []string
		reason string
	}{{[]string{"--timeout=0.5"}, "; timeout"}, {[]string{"--memory", "1M", "--passes=none"}, "; memory limit"}} {
		r := call(t, pigeons(), append([]string{"solve", "-"}, c.flags...)...)
		require.Equal(t, exitOK, r.code)
		require.Equal(t, "unknown\n", r.out)
		r.oneErrorLine(t)
		require.True(t, strings.HasPrefix(r.err, c.reason), r.err)
	}
}

// A query that the solver is lost in takes its share of the time, and no more.
func TestAQueryThatTakesForEverLeavesTimeForTheOthers(t *testing.T) {
	t.Parallel()
	_, hard, _ := strings.Cut(pigeons(), "\n")
	const easy = "(assert (forall ((x Int)) (=> (and (p x) (= x 2)) false)))\n"
	r := call(t, endless+easy+hard, "hunt", "--all", "-", "--timeout", "12", "--bound", "3", "--trace", "none")
	require.Equal(t, exitBug, r.code)
	require.Contains(t, r.out, "\n  <stdin>:6:1  fails\n")
	require.Contains(t, r.out, "\n  <stdin>:7:1  open: timeout")
}

// The name of a file cannot pass for a verdict.
func TestAFileCannotPassForAVerdict(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a\nsat\n")
	require.NoError(t, os.Mkdir(dir, 0o700))
	file := filepath.Join(dir, "b")
	require.NoError(t, os.WriteFile(file, []byte(safe), 0o600))
	var out, messages bytes.Buffer
	require.Zero(t, run(context.Background(), []string{"hornbeam", "solve", "--log", "debug", file, file}, nil, &out, &messages))
	require.Zero(t, bareVerdicts(messages.String()), messages.String())
	require.Zero(t, bareVerdicts(out.String()), out.String())
	require.Equal(t, 2, strings.Count(out.String(), "/b: sat\n"))
}

func TestTheStatusLineGivesWayToEveryOtherLine(t *testing.T) {
	t.Parallel()
	var screen bytes.Buffer
	c := &console{w: &screen, terminal: true}
	c.status("level 1")
	c.status("level 2")
	c.comment("a message\nin two")
	c.clear()
	c.status("level 3")
	c.clear()
	const erase = "\r\x1b[K"
	require.Equal(t, "\r; level 1\x1b[K\r; level 2\x1b[K"+erase+"; a message in two\n\r; level 3\x1b[K"+erase, screen.String())
	require.False(t, newConsole(&screen).terminal)
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer null.Close()
	require.False(t, newConsole(null).terminal, "a character device that is no terminal")
}
