package source

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
		"scalar_storage_order", "ms_struct", "transparent_union", "weak"}
)

// rewrite writes digraphs as what they stand for, and puts white space in place of the prefix u8 of strings and of attributes
// that mean nothing here where the parser has no place for them: in double brackets, before the body of a function, and in
// place of a statement. The text is changed in place.
func rewrite(text []byte) {
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
			if '0' <= c && c <= '9' {
				i = number(text, i)
				continue
			}
			end := i
			for end < len(text) && isWord(text[end]) {
				end++
			}
			switch name := string(text[i:end]); {
			case name == "u8" && end < len(text) && text[end] == '"':
				blank(text[i:end])
			case name == "__attribute__" || name == "__attribute":
				end = attributes(text, i)
			case strings.HasPrefix(strings.Trim(name, "_"), "typeof"), name == "__builtin_types_compatible_p":
				// The parser reads no type name there that begins with a qualifier.
				if at := space(text, end); at < len(text) && text[at] == '(' {
					qualifiers(text, space(text, at+1))
					if comma := argument(text, at+1); name == "__builtin_types_compatible_p" && comma >= 0 {
						qualifiers(text, space(text, comma+1))
					}
				}
			case name == "enum":
				end = enumeration(text, i, end)
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

// number is where the number that begins at i ends. Its digits are moved together where C23's separators are between them.
func number(text []byte, i int) int {
	begin, to := i, i
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'' && i+1 < len(text) && isWord(text[i+1]):
			continue
		case isWord(c) || c == '.', (c == '+' || c == '-') && strings.IndexByte("eEpP", text[i-1]) >= 0 && i > begin:
			text[to] = c
			to++
			continue
		}
		break
	}
	blank(text[to:i])
	return i
}

// argument is where the comma is that ends the argument at i of a call, -1 if there is none.
func argument(text []byte, i int) int {
	for depth := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == ',' && depth == 0:
			return i
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			if depth--; depth < 0 {
				return -1
			}
		case c == ';' || c == '{' || c == '}' || c == '"' || c == '\'':
			return -1
		}
	}
	return -1
}

// nextWord is where the word at i ends; i if there is none.
func nextWord(text []byte, i int) int {
	for i < len(text) && isWord(text[i]) {
		i++
	}
	return i
}

// qualifiers moves the qualifiers that a type name at i begins with behind its first word: const struct s becomes struct s const.
// Where that is not possible they become white space.
func qualifiers(text []byte, i int) {
	end := i
	for at := i; ; at = space(text, end) {
		w := string(text[at:nextWord(text, at)])
		if w = strings.Trim(w, "_"); w != "const" && w != "volatile" {
			break
		}
		end = nextWord(text, at)
	}
	if end == i {
		return
	}
	begin := space(text, end)
	to := nextWord(text, begin)
	switch w := string(text[begin:to]); {
	case w == "struct" || w == "union" || w == "enum":
		tag := space(text, to)
		if to = nextWord(text, tag); to == tag {
			to = begin
		}
	case strings.HasPrefix(strings.Trim(w, "_"), "typeof"):
		to = begin
	}
	if to == begin || bytes.IndexByte(text[i:to], '\n') >= 0 {
		blank(text[i:end])
		return
	}
	copy(text[i:], slices.Concat(text[begin:to], text[end:begin], text[i:end]))
}

// enumeration looks at what stands behind the keyword enum, which is from i to end, and returns where that ends. The parser has no
// place for attributes there: what matters of them goes before the keyword, as Packed, since packed means another thing there.
func enumeration(text []byte, i, end int) int {
	at, to, packed := space(text, end), end, false
	for {
		if bytes.HasPrefix(text[at:], []byte("[[")) {
			brackets(text, at)
			at = space(text, at)
		}
		name := string(text[at:nextWord(text, at)])
		open := space(text, at+len(name))
		if name != "__attribute__" && name != "__attribute" && name != "__g" || open >= len(text) || text[open] != '(' {
			break
		}
		close := closing(text, open)
		if close < 0 {
			return end
		}
		names := named(text[open:close])
		switch {
		case slices.Contains(names, "packed"):
			if p := bytes.Index(text[open:close], []byte("packed")); p >= 0 {
				text[open+p] = 'P'
			}
			packed = true
		case slices.ContainsFunc(names, func(n string) bool { return slices.Contains(kept, n) }):
			return end
		default:
			blank(text[at:close])
		}
		to = close
		at = space(text, close)
	}
	if packed && bytes.IndexByte(text[i:to], '\n') < 0 {
		copy(text[i:], slices.Concat(bytes.TrimLeft(text[end:to], " \t"), text[end:to][:to-end-len(bytes.TrimLeft(text[end:to], " \t"))], []byte("enum")))
	}
	return to
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

// quoted returns where the string or character literal that begins at i ends; an unclosed one ends with its line.
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

// comment returns where the comment that begins at i ends.
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
		gnu(text[i:end])
	case slices.Contains(names, "noreturn") || slices.Contains(names, "Noreturn"):
		blank(text[i:end])
		copy(text[i:], "_Noreturn")
	default:
		blank(text[i:end])
	}
	return end
}

// gnuAttribute is an attribute of gcc's in double brackets, with what is before it in the list.
var gnuAttribute = regexp.MustCompile(`(?:\[\[|,)\s*(?:__)?gnu(?:__)?\s*::\s*(\w+)\s*(?:\(([^()"]*)\))?\s*`)

// gnu writes attributes in double brackets that mean something, as [[gnu::packed, nodiscard]], in a way that the parser reads: as
// __g(packed), where __g is a macro. Others become white space.
func gnu(text []byte) {
	out := []byte{}
	for _, m := range gnuAttribute.FindAllSubmatch(text, -1) {
		if name := strings.Trim(string(m[1]), "_"); !slices.Contains(kept, name) && name != "noreturn" && name != "weak" {
			continue
		}
		out = append(append(out, "__g("...), m[1]...)
		if m[2] != nil {
			out = append(append(append(out, '('), m[2]...), ')')
		}
		out = append(out, ')')
	}
	if len(out) > len(text) || bytes.IndexByte(text, '\n') >= 0 || bytes.IndexByte(text, '"') >= 0 {
		return // the parser says what it does not read
	}
	blank(text)
	copy(text, out)
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
