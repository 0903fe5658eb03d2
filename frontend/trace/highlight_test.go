package trace

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Words are marked by what they are, in the file's language.
func TestHighlight(t *testing.T) {
	h := newHighlighter("f.c")
	require.EqualValues(t, `<span class="d">#include &lt;a.h&gt; </span><span class="m">// b</span>`, h.line("#include <a.h> // b"))
	require.EqualValues(t, `<span class="k">int</span> x1 = <span class="u">0x1F</span> + f(<span class="q">&#34;a\&#34;/*&#34;</span>, <span class="q">&#39;&lt;&#39;</span>); <span class="m">/* a</span>`, h.line(`int x1 = 0x1F + f("a\"/*", '<'); /* a`))
	require.EqualValues(t, `<span class="m">int */</span><span class="k">return</span> procedure;`, h.line("int */return procedure;"), "a comment of several lines")
	require.EqualValues(t, `<span class="k">procedure</span> int&#39; <span class="k">div</span>`, newHighlighter("f.bpl").line("procedure int' div"))
	require.EqualValues(t, `int x`, newHighlighter("f.rs").line("int x"))
}

// Nothing of a text is lost, whatever it is.
func TestHighlightKeepsTheText(t *testing.T) {
	spans := regexp.MustCompile(`</?span[^>]*>`)
	rapid.Check(t, func(t *rapid.T) {
		h := newHighlighter(rapid.SampledFrom([]string{"f.c", "f.bpl", "f"}).Draw(t, "file"))
		for _, line := range rapid.SliceOf(rapid.StringOf(rapid.RuneFrom([]rune(`aé0"'\/*#<&; x`)))).Draw(t, "lines") {
			line = strings.ReplaceAll(line, "\n", "")
			require.Equal(t, line, html.UnescapeString(spans.ReplaceAllString(string(h.line(line)), "")))
		}
	})
}
