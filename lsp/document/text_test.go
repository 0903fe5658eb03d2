package document_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/lsp/document"
)

// drawText draws a text of letters of all sizes, with line ends of all kinds.
func drawText(t *rapid.T, what string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b ", "é", "€", "😀", "\n", "\r\n", "\r", "(", ")", "𝕏"}), 0, 20).Draw(t, what), "")
}

// A position is the number of line ends before it, and of UTF-16's units behind the last of them; it leads back to its offset.
func TestPositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t, "text")
		lines := document.New(text)
		for offset := 0; offset <= len(text); offset++ {
			if offset < len(text) && !utf8.RuneStart(text[offset]) || offset > 0 && offset < len(text) && text[offset-1] == '\r' && text[offset] == '\n' {
				continue
			}
			before := strings.ReplaceAll(strings.ReplaceAll(text[:offset], "\r\n", "\n"), "\r", "\n")
			line := before[strings.LastIndexByte(before, '\n')+1:]
			want := document.Position{Line: strings.Count(before, "\n"), Character: len(utf16.Encode([]rune(line)))}
			require.Equal(t, want, lines.Position(offset), "%q at %d", text, offset)
			require.Equal(t, offset, lines.Offset(want), "%q at %d", text, offset)
		}
	})
}

// An edit of a stretch and one of everything make the same text, and what is outside of the change keeps its letters.
func TestEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, insert := drawText(t, "text"), drawText(t, "insert")
		starts := []int{0}
		for i := range text {
			if i > 0 && !(text[i-1] == '\r' && text[i] == '\n') {
				starts = append(starts, i)
			}
		}
		if len(text) > 0 {
			starts = append(starts, len(text))
		}
		ends := []int{rapid.SampledFrom(starts).Draw(t, "from"), rapid.SampledFrom(starts).Draw(t, "to")}
		slices.Sort(ends)
		lines := document.New(text)
		want := text[:ends[0]] + insert + text[ends[1]:]
		at := lines.Range(document.Span{From: ends[0], To: ends[1]})
		now, _, err := lines.Apply(document.Edit{Range: &at, Text: insert})
		require.NoError(t, err)
		require.Equal(t, want, now.String())
		whole, change, err := lines.Apply(document.Edit{Text: want})
		require.NoError(t, err)
		require.Equal(t, want, whole.String())
		s := document.Span{From: rapid.IntRange(0, len(text)).Draw(t, "begin")}
		s.To = rapid.IntRange(s.From, len(text)).Draw(t, "end")
		if moved, ok := s.Move(change); ok {
			require.Equal(t, text[s.From:s.To], want[moved.From:moved.To])
		}
	})
}

// A range that ends before it starts is refused.
func TestBackwardRange(t *testing.T) {
	at := document.Range{Start: document.Position{Character: 2}, End: document.Position{Character: 1}}
	_, _, err := document.New("abc").Apply(document.Edit{Range: &at})
	require.ErrorIs(t, err, document.ErrRange)
}

// Places of front ends count bytes, or letters.
func TestFind(t *testing.T) {
	text := document.New("é x\r\n  (f é)\n")
	require.Equal(t, 3, text.Find(chc.Position{Line: 1, Column: 4}, false))
	require.Equal(t, 3, text.Find(chc.Position{Line: 1, Column: 3}, true))
	require.Equal(t, document.Position{Line: 0, Character: 2}, text.Position(3))
	require.Equal(t, 8, text.Find(chc.Position{Line: 2}, false))
	require.Equal(t, document.Span{From: 8, To: 14}, text.Token(8))
	require.Equal(t, document.Span{From: 3, To: 4}, text.Word(4))
	require.Equal(t, len(text.String()), text.Find(chc.Position{Line: 99}, false))
}
