package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"hornbeam/engine"
)

// screen is what a terminal shows after some output: the lines, as far as cursor movements within these rows and erasing to the end of a line make them.
func screen(t *testing.T, out string) []string {
	t.Helper()
	rows, row, column := []string{""}, 0, 0
	for i := 0; i < len(out); {
		rest := out[i:]
		switch {
		case strings.HasPrefix(rest, "\x1b[K"):
			rows[row] = string([]rune(rows[row])[:column])
			i += 3
		case strings.HasPrefix(rest, "\x1b["):
			end := strings.IndexByte(rest, 'A')
			require.Positive(t, end, "an unknown sequence %q", rest[:min(8, len(rest))])
			n, err := strconv.Atoi(rest[2:end])
			require.NoError(t, err)
			row -= n
			require.GreaterOrEqual(t, row, 0, "above the first line")
			column = min(column, utf8.RuneCountInString(rows[row]))
			i += end + 1
		case rest[0] == '\r':
			column = 0
			i++
		case rest[0] == '\n':
			if row++; row == len(rows) {
				rows = append(rows, "")
			}
			i++
		default:
			r, size := utf8.DecodeRuneInString(rest)
			line := []rune(rows[row])
			rows[row] = string(append(append(line[:column:column], r), line[min(column+1, len(line)):]...))
			column++
			i += size
		}
	}
	return rows
}

// onTerminal is a console on a terminal of a size, and a function that returns what the terminal shows by now.
func onTerminal(t *testing.T, columns, lines uint16) (*console, func() []string) {
	t.Helper()
	controller, tty, err := pty.Open()
	require.NoError(t, err)
	require.NoError(t, pty.Setsize(tty, &pty.Winsize{Rows: lines, Cols: columns}))
	t.Cleanup(func() { tty.Close(); controller.Close() })
	var shown bytes.Buffer
	marks := 0
	return newConsole(tty), func() []string {
		// A mark at the end tells that everything before it has come.
		marks++
		mark := fmt.Sprintf("<%d>", marks)
		_, err := tty.WriteString(mark)
		require.NoError(t, err)
		buffer := make([]byte, 4096)
		for !bytes.HasSuffix(shown.Bytes(), []byte(mark)) {
			n, err := controller.Read(buffer)
			require.NoError(t, err)
			shown.Write(buffer[:n])
		}
		shown.Truncate(shown.Len() - len(mark))
		return screen(t, shown.String())
	}
}

// Status lines are drawn in place, fewer in place of more, and leave nothing behind.
func TestStatusLinesAreDrawnInPlace(t *testing.T) {
	c, shown := onTerminal(t, 40, 24)
	require.True(t, c.terminal)
	c.comment("first")
	c.status("one", "two", "three")
	require.Equal(t, []string{"; first", "; one", "; two", "; three"}, shown())
	c.status("a longer one", "two")
	require.Equal(t, []string{"; first", "; a longer one", "; two", ""}, shown())
	c.status("1", "2", "3", "4")
	require.Equal(t, []string{"; first", "; 1", "; 2", "; 3", "; 4"}, shown())
	c.comment("second")
	require.Equal(t, []string{"; first", "; second", "", "", ""}, shown())
	c.status("one", "two")
	c.clear()
	require.Equal(t, []string{"; first", "; second", "", "", ""}, shown())
}

// A narrow or low terminal shows less, and no line that it would wrap.
func TestStatusLinesFitTheTerminal(t *testing.T) {
	c, shown := onTerminal(t, 12, 4)
	c.status("a line that is too long", "2", "3", "4")
	require.Equal(t, []string{"; a line th", "; 2", ";   … and 2"}, shown())
	c.clear()
	require.Equal(t, []string{"", "", ""}, shown())
	c, shown = onTerminal(t, 20, 4)
	c.status("  main        level 3", "  main        l 3")
	require.Equal(t, []string{";   main level 3", ";   main        l 3"}, shown())
}

// Without a terminal status lines are one comment.
func TestStatusWithoutATerminal(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	defer file.Close()
	newConsole(file).status("one", "two")
	text, err := os.ReadFile(file.Name())
	require.NoError(t, err)
	require.Equal(t, "; one  |two\n", string(text))
}

// Each strategy that runs has a line with how deep it is and what it has learnt, those first that have learnt something.
func TestStrategyLines(t *testing.T) {
	all := engine.NewStats()
	first, second := all.Part("main"), all.Part("arrays")
	spacer, silent := first.Part("spacer"), first.Part("inline")
	spacer.Set("level", 3)
	spacer.Set("lemmas", 7)
	second.Set("inline.explored", 2)
	silent.Set("checks", 5)
	require.Equal(t, []string{"  arrays       bound 2", "  main spacer  level 3  lemmas 7", "  main inline  checks 5"}, strategyLines(all.Running()))
	require.Equal(t, int64(7), all.Get("lemmas"), "parts count for the whole")
	spacer.End()
	silent.End()
	first.End()
	require.Equal(t, []string{"  arrays  bound 2"}, strategyLines(all.Running()))
}
