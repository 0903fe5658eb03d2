package main

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// fullDevice is a writer on which there is room for a number of bytes.
type fullDevice struct{ room int }

func (d *fullDevice) Write(b []byte) (int, error) {
	if n := d.room; len(b) > n {
		d.room = 0
		return n, syscall.ENOSPC
	}
	d.room -= len(b)
	return len(b), nil
}

func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	t.Parallel()
	horn, bad := tempFile(t, "safe.smt2", safe), tempFile(t, "buggy.smt2", buggy)
	boogie := tempFile(t, "bug.bpl", "procedure main() { assert false; }")
	model := tempFile(t, "model", call(t, "", "solve", "--model", horn).out)
	lists := tempFile(t, "list.txt", "")
	for _, args := range [][]string{
		{"--version"}, {"--help"}, {}, {"solve", "--help"}, {"options"}, {"solve", "--passes", "help", horn}, {"show", "--passes", "help"},
		{"solve", horn}, {"solve", "--model", horn}, {"solve", "--json", horn}, {"solve", horn, bad}, {"solve", "--proof", bad},
		{"hunt", bad}, {"hunt", "--all", bad}, {"hunt", "--all", "--json", bad}, {"hunt", "--json", bad}, {"hunt", boogie},
		{"verify", boogie}, {"verify", "--trace", "json", boogie}, {"verify", "--json", boogie}, {"corral", boogie, "/noTraceOnDisk"},
		{"check", horn, model}, {"show", horn}, {"show", "--format", "svg", horn}, {"bench", "--help"}, {"bench", "families"}, {"bench", "run", "--help", lists},
	} {
		var whole, messages bytes.Buffer
		run(context.Background(), append([]string{"hornbeam"}, args...), strings.NewReader(""), &whole, &messages)
		require.NotEmpty(t, whole.String(), args)
		for _, room := range []int{0, 1, whole.Len() / 2} {
			messages.Reset()
			code := run(context.Background(), append([]string{"hornbeam"}, args...), strings.NewReader(""), &fullDevice{room}, &messages)
			require.Equal(t, exitUsage, code, "%v with room for %d bytes", args, room)
			require.Equal(t, 1, strings.Count(messages.String(), "no space left on device"), "%v: %s", args, &messages)
			require.NotContains(t, messages.String(), "print the answer")
		}
	}
}

// What the tables of options and passes have, the help has.
func TestHelpIsComplete(t *testing.T) {
	t.Parallel()
	help := call(t, "", "help", "options").out
	for _, o := range slices.Concat(solveOptions(), huntOptions(), verifyOptions()) {
		require.Contains(t, help, "  --"+o.Name+" ")
	}
	passes := call(t, "", "solve", "--passes", "help").out
	for _, p := range describePasses() {
		require.Contains(t, passes, p.Name)
		require.Contains(t, strings.Join(strings.Fields(passes), " "), strings.Join(strings.Fields(p.Doc), " "))
	}
}
