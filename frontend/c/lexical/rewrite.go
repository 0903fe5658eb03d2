// Package lexical rewrites what gcc and clang read in a C program and the parser does not, without moving anything: each change
// leaves the text as long as it was.
package lexical

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

var (
	word      = regexp.MustCompile(`[A-Za-z_]\w*`)
	statement = []string{"fallthrough", "unused", "hot", "cold", "musttail", "likely", "unlikely"}
	// kept are the attributes that change what a program means.
	kept = []string{"packed", "aligned", "mode", "vector_size", "constructor", "destructor", "cleanup", "alias", "ifunc", "weakref",
		"scalar_storage_order", "ms_struct", "transparent_union"}
)

// Rewrite writes digraphs as what they stand for, and puts white space in place of the prefix u8 of strings and of attributes
// that mean nothing here where the parser has no place for them: in double brackets, before the body of a function, and in
// place of a statement. The text is changed in place.
func Rewrite(text []byte) {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"' || c == '\'':
			i = quoted(text, i)
		case c == '/' && i+1 < len(text) && (text[i+1] == '/' || text[i+1] == '*'):
			i = comment(text, i)
		case c == '<' || c == '%' || c == ':':
			i += digraph(text[i:])
		case c == '[' && i+1 < len(text) && text[i+1] == '[':
			i = brackets(text, i)
		case isWord(c):
			end := i
			for end < len(text) && isWord(text[end]) {
				end++
			}
			switch name := string(text[i:end]); {
			case name == "u8" && end < len(text) && text[end] == '"':
				blank(text[i:end])
			case name == "__attribute__" || name == "__attribute":
				end = attributes(text, i)
			case strings.HasPrefix(strings.Trim(name, "_"), "typeof"):
				// The parser reads no type name there that begins with a qualifier.
				if at := space(text, end); at < len(text) && text[at] == '(' {
					at = space(text, at+1)
					if w := word.Find(text[at:]); bytes.HasPrefix(text[at:], w) && (string(w) == "const" || string(w) == "volatile") {
						blank(text[at : at+len(w)])
					}
				}
			}
			i = end
		default:
			i++
		}
	}
}

func isWord(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80
}

// blank puts white space in place of a text, lines staying lines.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' && c != '\\' {
			text[i] = ' '
		}
	}
}

// digraph writes the digraph that a text begins with as what it stands for, and returns how long what comes first is.
func digraph(text []byte) int {
	for _, d := range [...][2]string{{"%:%:", "##  "}, {"<%", "{ "}, {"%>", "} "}, {"<:", "[ "}, {":>", "] "}, {"%:", "# "}} {
		if bytes.HasPrefix(text, []byte(d[0])) {
			copy(text, d[1])
			return len(d[0])
		}
	}
	return 1
}

// quoted is where the string or character literal that begins at i ends; an unclosed one ends with its line.
func quoted(text []byte, i int) int {
	quote := text[i]
	for i++; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return min(i, len(text))
}

// comment is where the comment that begins at i ends.
func comment(text []byte, i int) int {
	end, past := []byte("\n"), 0
	if text[i+1] == '*' {
		end, past = []byte("*/"), 2
		i += 2
	}
	n := bytes.Index(text[i:], end)
	if n < 0 {
		return len(text)
	}
	return i + n + past
}

// space is where white space and comments that begin at i end.
func space(text []byte, i int) int {
	for i < len(text) {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v':
			i++
		case c == '/' && i+1 < len(text) && (text[i+1] == '/' || text[i+1] == '*'):
			i = comment(text, i)
		default:
			return i
		}
	}
	return i
}

// closing is behind the bracket that closes the one at i; -1 if nothing does.
func closing(text []byte, i int) int {
	depth := 0
	for i < len(text) {
		switch c := text[i]; c {
		case '(', '[':
			depth++
		case ')', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'':
			i = quoted(text, i)
			continue
		case ';', '{', '}':
			return -1
		}
		i++
	}
	return -1
}

// brackets puts white space in place of the attributes in double brackets at i, if they mean nothing here.
func brackets(text []byte, i int) int {
	end := closing(text, i)
	if end < 0 || text[end-2] != ']' {
		return i + 1
	}
	names := named(text[i:end])
	switch {
	case slices.ContainsFunc(names, func(n string) bool { return slices.Contains(kept, n) }):
	case slices.Contains(names, "noreturn") || slices.Contains(names, "_Noreturn"):
		blank(text[i:end])
		copy(text[i:], "_Noreturn")
	default:
		blank(text[i:end])
	}
	return end
}

// named are the words in a text, without underscores around them and without those in strings.
func named(text []byte) []string {
	var out []string
	for i := 0; i < len(text); {
		if text[i] == '"' || text[i] == '\'' {
			i = quoted(text, i)
			continue
		}
		m := word.FindIndex(text[i:])
		if m == nil {
			return out
		}
		if next := bytes.IndexAny(text[i:], `"'`); next >= 0 && next < m[0] {
			i += next
			continue
		}
		out = append(out, strings.Trim(string(text[i+m[0]:i+m[1]]), "_"))
		i += m[1]
	}
	return out
}

// attributes looks at the attributes that begin at i, and returns where they end.
func attributes(text []byte, i int) int {
	var names []string
	end := i
	for {
		open := space(text, end+len(word.Find(text[end:])))
		if open >= len(text) || text[open] != '(' {
			return max(end, i+1)
		}
		close := closing(text, open)
		if close < 0 {
			return open + 1
		}
		names = append(names, named(text[open:close])...)
		end = close
		next := space(text, end)
		if !bytes.HasPrefix(text[next:], []byte("__attribute")) {
			break
		}
		end = next
	}
	has := func(set []string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(set, n) })
	}
	before, after := byte(0), byte(0)
	if at := len(bytes.TrimRight(text[:i], " \t\r\n\f\v")); at > 0 {
		before = text[at-1]
	}
	if at := space(text, end); at < len(text) {
		after = text[at]
	}
	other := slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(statement, n) })
	switch {
	case before == ')' && after == '{' && !has(kept), // a function's body comes next
		!other && bytes.IndexByte([]byte(";{}:"), before) >= 0, // in place of a statement, or behind a label
		slices.Contains(names, "fallthrough"):
		blank(text[i:end])
	}
	return end
}
