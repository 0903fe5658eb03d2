package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/term"

	"hornbeam/engine"
)

// console is standard error: whole lines, and on a terminal status lines below them that they replace. It is safe for
// several goroutines.
type console struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	// shown is how many status lines stand on the terminal.
	shown int
}

func newConsole(w io.Writer) *console {
	return &console{w: w, terminal: isTerminal(w)}
}

// isTerminal reports whether what is written to w is shown on a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// sizeOf are the numbers of columns and lines of the terminal that w writes to, 80 and 24 where it does not tell.
func sizeOf(w io.Writer) (width, height int) {
	if f, ok := w.(*os.File); ok {
		if width, height, err := term.GetSize(int(f.Fd())); err == nil && width > 1 && height > 1 {
			return width, height
		}
	}
	return 80, 24
}

// padding is the space between the columns of status lines.
var padding = regexp.MustCompile(`(\S)  +`)

// maxStatus is how many status lines there are at most.
const maxStatus = 6

// Write writes whole lines.
func (c *console) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.erase()
	return c.w.Write(b)
}

// comment writes a line that begins with a semicolon.
func (c *console) comment(format string, args ...any) {
	fmt.Fprintf(c, "; %s\n", engine.OneLine(fmt.Sprintf(format, args...)))
}

// status shows lines in place of the last ones, as many as are well seen; where there is no terminal they are one ordinary comment.
func (c *console) status(lines ...string) {
	if !c.terminal {
		c.comment("%s", strings.Join(lines, "  |"))
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	width, height := sizeOf(c.w)
	if most := max(1, min(maxStatus, height-1)); len(lines) > most {
		left := len(lines) - most
		lines = append(slices.Clone(lines[:most]), "")
		lines = lines[:most]
		if most > 1 {
			lines[most-1] = fmt.Sprintf("  … and %d more", left+1)
		}
	}
	// What was shown is written over and not removed before, which would flicker.
	var b strings.Builder
	if c.shown > 1 {
		fmt.Fprintf(&b, "\x1b[%dA", c.shown-1)
	}
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		// A line that wraps could not be erased. One that is too long does without its columns.
		shown := []rune("; " + line)
		if len(shown) >= width {
			shown = []rune("; " + padding.ReplaceAllString(line, "$1 "))
		}
		fmt.Fprintf(&b, "\r%s\x1b[K", string(shown[:min(len(shown), width-1)]))
	}
	for range c.shown - len(lines) {
		b.WriteString("\n\x1b[K")
	}
	if c.shown > len(lines) {
		fmt.Fprintf(&b, "\x1b[%dA", c.shown-len(lines))
	}
	fmt.Fprint(c.w, b.String())
	c.shown = len(lines)
}

// apart runs f, which writes to a terminal that the status line may stand on, without one.
func (c *console) apart(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.erase()
	f()
}

// clear removes the status line.
func (c *console) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.erase()
}

func (c *console) erase() {
	if c.shown == 0 {
		return
	}
	fmt.Fprint(c.w, strings.Repeat("\r\x1b[K\x1b[1A", c.shown-1)+"\r\x1b[K")
	c.shown = 0
}

// output is standard output. It remembers the first write that failed, so that no command can end as if it had printed
// what it did not. It is safe for several goroutines.
type output struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// outputError is an error of writing to standard output, or to a file that was asked for as output.
type outputError struct{ err error }

func (e *outputError) Error() string { return e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

// Write writes to standard output; its errors are *outputError.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, err := o.w.Write(b)
	if err == nil {
		return n, nil
	}
	if o.err == nil {
		o.err = err
	}
	return n, &outputError{err}
}

// failure is the first error of writing, nil when there was none.
func (o *output) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// style says how text on standard output is marked.
func (s streams) style() style { return styleOf(s.out.w) }

// style marks text by colours and weights, where they are shown.
type style struct {
	shown bool
	// width is the number of columns.
	width int
}

// styleOf is the style of what is written to w: that of a terminal, unless NO_COLOR is set or the terminal is a dumb one.
func styleOf(w io.Writer) style {
	width, _ := sizeOf(w)
	return style{isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", width}
}

func (s style) marked(code, text string) string {
	if !s.shown {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Strong marks a heading.
func (s style) Strong(text string) string { return s.marked("1", text) }

// Width is the number of columns of the terminal, or of one as usual.
func (s style) Width() int { return s.width }

// verdict marks the word for a verdict.
func (s style) verdict(v engine.Verdict, word string) string {
	code := map[engine.Verdict]string{engine.Sat: "1;32", engine.Unsat: "1;31"}[v]
	if code == "" {
		code = "1;33"
	}
	return s.marked(code, word)
}

// newLog returns a logger that writes comment lines.
func newLog(c *console, level string) *slog.Logger {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		l = slog.LevelWarn
	}
	return slog.New(slog.NewTextHandler(commentWriter{c}, &slog.HandlerOptions{Level: l}))
}

// commentWriter makes comments of the lines that the log handler writes, one a call.
type commentWriter struct{ c *console }

func (w commentWriter) Write(b []byte) (int, error) {
	w.c.comment("%s", strings.TrimSuffix(string(b), "\n"))
	return len(b), nil
}
