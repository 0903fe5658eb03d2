package source

import (
	"bytes"
	"slices"
	"strings"
)

// unread finds what the parser does not read in a text that rewrite has rewritten: the last such construct that begins in a line up
// to the given one, as an error there is mostly its consequence. It returns the place, lines and columns counting from 1, and the
// construct's name; the name is empty if there is none.
func unread(text []byte, last int) (line, column int, what string) {
	found := -1
	for i, n, begin := 0, 1, 0; i < len(text) && n <= last; {
		from := i
		name := ""
		switch c := text[i]; {
		case c == '"' || c == '\'':
			i = quoted(text, i)
		case c == '/' && i+1 < len(text) && (text[i+1] == '/' || text[i+1] == '*'):
			i = comment(text, i)
		case c == '[' && i+1 < len(text) && text[i+1] == '[':
			if name = meaningful(text, i); name != "" {
				name = "the attribute " + name + " in double brackets"
			}
			i++
		case isWord(c):
			i = nextWord(text, i)
			switch word := string(text[from:i]); {
			case word == "__VA_OPT__":
				name = word
			case word == "__attribute__" || word == "__attribute":
				name = misplaced(text, from, i)
			}
		default:
			i++
		}
		if name != "" {
			found, line, column, what = from, n, from-begin+1, name
		}
		if k := bytes.Count(text[from:i], []byte{'\n'}); k > 0 {
			n, begin = n+k, from+bytes.LastIndexByte(text[from:i], '\n')+1
		}
	}
	if found < 0 {
		return 0, 0, ""
	}
	return line, column, what
}

// meaningful is the first attribute in a list that means something here.
func meaningful(text []byte, i int) string {
	end := closing(text, i)
	if end < 0 {
		return ""
	}
	for _, n := range named(text[i:end]) {
		if slices.Contains(kept, n) {
			return n
		}
	}
	return ""
}

// misplaced names the attributes that begin at i if the parser has no place for them there: before the body of a function, or behind
// the keyword enum. The keyword __attribute__ ends at end.
func misplaced(text []byte, i, end int) string {
	open := space(text, end)
	if open >= len(text) || text[open] != '(' {
		return ""
	}
	close := closing(text, open)
	if close < 0 {
		return ""
	}
	before := bytes.TrimRight(text[:i], " \t\r\n\f\v")
	next := space(text, close)
	switch {
	case bytes.HasSuffix(before, []byte("enum")):
		return "attributes between enum and its tag"
	case bytes.HasSuffix(before, []byte(")")) && next < len(text) && text[next] == '{':
		return "the attributes " + strings.Join(named(text[open:close]), ", ") + " before the body of a function"
	}
	return ""
}
