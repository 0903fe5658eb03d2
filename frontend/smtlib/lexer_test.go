package smtlib

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

// A comment ends at CR, at LF and at both, and at nothing else.
func TestEndsOfComments(t *testing.T) {
	for _, c := range []struct {
		end  string
		ends bool
	}{{"\n", true}, {"\r", true}, {"\r\n", true}, {"\r\r", true}, {"\n\r", true}, {"\t", false}, {"\f", false}, {"\v", false}, {"\x00", false}, {"\u0085", false}, {"\u2028", false}} {
		s := read(t, "(declare-fun P () Bool); c"+c.end+"(assert P)")
		require.Equal(t, c.ends, len(s.System.Clauses) == 1, "%q", c.end)
	}
	require.Empty(t, read(t, "; only a comment").System.Clauses)
	require.Len(t, read(t, ";\r;\n;\r\n(assert true);").System.Clauses, 1)
}

// CR, LF, and CR LF together end a line, in comments, between tokens and inside quoted symbols and strings.
func TestLinesOfPositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var src strings.Builder
		line, column := 1, 1
		last := ""
		for range rapid.IntRange(0, 12).Draw(t, "parts") {
			end := rapid.SampledFrom([]string{"\n", "\r", "\r\n"}).Draw(t, "end")
			part := rapid.SampledFrom([]string{"", " ", "; é (", "(set-info :a |x\ry|)", "(set-info :a |é\r\nü|)", "(echo \"a\"\"\n;\")", "(assert true)"}).Draw(t, "part")
			if last == "\r" && part == "" && end == "\n" {
				continue // would be CR LF
			}
			src.WriteString(part + end)
			line += 1 + strings.Count(strings.ReplaceAll(strings.ReplaceAll(part, "\r\n", "\n"), "\r", "\n"), "\n")
			last = end
		}
		indent := rapid.SampledFrom([]string{"", "  ", "(assert |true|)", "(set-info :é |éé|)"}).Draw(t, "indent")
		if strings.Contains(indent, ":é") {
			indent = "(set-info :e |éé|)"
		}
		src.WriteString(indent + "wrong")
		column += len([]rune(indent))
		_, err := Read("f", []byte(src.String()), term.NewPool())
		var e *Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, [2]int{line, column}, [2]int{e.Pos.Line, e.Pos.Column}, "%q: %v", src.String(), err)
	})
}

// Backslashes stand in symbols as Z3 has them, and are printed so that they are read again.
func TestBackslashes(t *testing.T) {
	for _, name := range []string{`a\b`, `\`, `\a`, `a\`, `a\\b`} {
		s := read(t, "(declare-fun "+name+" (Int) Bool)(assert ("+name+" 1))")
		require.Equal(t, name, s.Declared[0].Name)
		require.Equal(t, name, read(t, "(declare-fun "+term.QuoteSymbol(name)+" () Bool)").Declared[0].Name)
	}
	s := read(t, `(declare-fun |a\b| () Bool)(declare-fun |a \c| () Bool)(assert (and a\b |a \c|))`)
	require.Equal(t, `a\b`, s.Declared[0].Name)
	require.Equal(t, `|a \c|`, term.QuoteSymbol(s.Declared[1].Name))
	_, err := Read("f", []byte(`(declare-fun |a\|b| () Bool)`), term.NewPool())
	require.ErrorContains(t, err, "f:1:16: a backslash before the bar")
}
