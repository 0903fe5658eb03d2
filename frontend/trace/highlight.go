package trace

import (
	"html/template"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The keywords of the languages whose programs have pages. Files of other languages have comments, strings and numbers marked.
var (
	wordsOfC = keywords(`auto break case char const continue default do double else enum extern float for goto if inline int long register
		restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool _Noreturn _Static_assert bool`)
	wordsOfBoogie = keywords(`assert assume async axiom bool break call const datatype else ensures exists false finite forall free function goto
		havoc if implementation int invariant lambda modifies old procedure pure real rmode requires return returns then true type unique var
		where while yield div mod`)
)

func keywords(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// highlighter marks the words of a text line by line.
type highlighter struct {
	words map[string]bool
	// directives says that a line may be one of C's preprocessor, comment that a comment is open.
	directives, comment bool
}

func newHighlighter(file string) *highlighter {
	switch filepath.Ext(file) {
	case ".bpl":
		return &highlighter{words: wordsOfBoogie}
	case ".c", ".h", ".i":
		return &highlighter{words: wordsOfC, directives: true}
	}
	return &highlighter{}
}

// line is a line with its keywords (k), comments (m), strings (q), numbers (u) and directives (d) in spans.
func (h *highlighter) line(text string) template.HTML {
	var b strings.Builder
	emit := func(class, part string) {
		if part == "" {
			return
		}
		if class != "" {
			b.WriteString(`<span class="` + class + `">`)
		}
		b.WriteString(template.HTMLEscapeString(part))
		if class != "" {
			b.WriteString("</span>")
		}
	}
	for first := true; text != ""; first = false {
		n, class := h.token(text, first)
		emit(class, text[:n])
		text = text[n:]
	}
	return template.HTML(b.String())
}

// token is the length of the first token of a text, which is not empty, and its class.
func (h *highlighter) token(text string, first bool) (length int, class string) {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case h.comment || strings.HasPrefix(text, "/*"):
		from := 0
		if !h.comment {
			from = 2
		}
		h.comment = true
		if end := strings.Index(text[from:], "*/"); end >= 0 {
			h.comment = false
			return from + end + 2, "m"
		}
		return len(text), "m"
	case strings.HasPrefix(text, "//"):
		return len(text), "m"
	case first && h.directives && strings.HasPrefix(strings.TrimSpace(text), "#"):
		n := len(text)
		for _, comment := range []string{"/*", "//"} {
			if i := strings.Index(text, comment); i > 0 {
				n = min(n, i)
			}
		}
		return n, "d"
	case r == '"' || r == '\'' && h.directives:
		for i := 1; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case byte(r):
				return i + 1, "q"
			}
		}
		return len(text), "q"
	case unicode.IsDigit(r):
		return lengthOf(text, isWord), "u"
	case isWord(r):
		n := lengthOf(text, func(r rune) bool { return isWord(r) || !h.directives && strings.ContainsRune("'#^", r) })
		if h.words[text[:n]] {
			return n, "k"
		}
		return n, ""
	}
	return size, ""
}

// isWord reports whether a letter is one of names and numbers. Boogie's have others, too.
func isWord(r rune) bool {
	return r == '_' || r == '$' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func lengthOf(text string, is func(rune) bool) int {
	for i, r := range text {
		if !is(r) {
			return i
		}
	}
	return len(text)
}
