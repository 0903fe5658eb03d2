package proof

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"hornbeam/frontend/c/tree"
)

// Insertion is text that goes into a file: what holds at a place, as a comment.
type Insertion struct {
	Offset int
	Text   string
	Place  Place
}

// Annotate writes what holds at functions and loops into the file as ACSL's comments: contracts, loop invariants, and
// assertions behind labels. It returns how many places are not in the file, where a macro has them, or a line marker moved
// them.
func Annotate(source []byte, file string, places []Place) (text []byte, left int) {
	insertions, left := Insertions(source, file, places)
	var out bytes.Buffer
	at := 0
	for _, i := range insertions {
		out.Write(source[at:i.Offset])
		out.WriteString(i.Text)
		at = i.Offset
	}
	out.Write(source[at:])
	return out.Bytes(), left
}

// Insertions are what Annotate puts into the file, in its order.
func Insertions(source []byte, file string, places []Place) (insertions []Insertion, left int) {
	lines := bytes.SplitAfter(source, []byte("\n"))
	begin := make([]int, len(lines)+1)
	for i, l := range lines {
		begin[i+1] = begin[i] + len(l)
	}
	for _, p := range places {
		if p.Pos.File != file || p.Pos.Line < 1 || p.Pos.Line > len(lines) || p.Pos.Column < 1 || p.Pos.Column > len(lines[p.Pos.Line-1]) {
			left++
			continue
		}
		i, ok := p.insertion(source, begin[p.Pos.Line-1], begin[p.Pos.Line-1]+p.Pos.Column-1)
		if !ok {
			left++
			continue
		}
		insertions = append(insertions, i)
	}
	slices.SortStableFunc(insertions, func(a, b Insertion) int { return cmp.Compare(a.Offset, b.Offset) })
	return insertions, left
}

// insertion is the comment of a place that is at an offset, in the line that begins at line.
func (p Place) insertion(source []byte, line, at int) (Insertion, bool) {
	rest := string(source[at:])
	begins := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool {
			return strings.HasPrefix(rest, w) && (len(rest) == len(w) || !isLetter(rest[len(w)]))
		})
	}
	switch s := p.Statement.(type) {
	case nil:
		// Behind a dot is what tells static functions of several files apart.
		if name, _, _ := strings.Cut(p.Function.Name, "."); !begins(name) {
			return Insertion{}, false
		}
		at = declaration(source, line, at)
	case *tree.Label:
		colon := strings.IndexByte(rest, ':')
		if !begins(s.Name) || colon < 0 {
			return Insertion{}, false
		}
		return Insertion{at + colon + 1, " " + p.comment(" "), p}, true
	default:
		if !begins("for", "while", "do") {
			return Insertion{}, false
		}
	}
	for line = at; line > 0 && source[line-1] != '\n'; {
		line--
	}
	indent := string(source[line:at])
	if strings.TrimSpace(indent) != "" {
		return Insertion{at, p.comment(" ") + " ", p}, true
	}
	return Insertion{at, p.comment("\n"+indent+"    ") + "\n" + indent, p}, true
}

func isLetter(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// declaration is where the declaration begins whose name is at an offset, in the line that begins at line.
func declaration(source []byte, line, at int) int {
	for {
		if i := bytes.LastIndexAny(source[line:at], ";}/"); i >= 0 {
			begin := line + i + 1
			return begin + len(source[begin:at]) - len(bytes.TrimLeft(source[begin:at], " \t"))
		}
		if line == 0 {
			break
		}
		// A type may stand on lines before the name.
		above := bytes.LastIndexByte(source[:line-1], '\n') + 1
		text := strings.TrimSpace(string(source[above:line]))
		if text == "" || strings.ContainsAny(text[:1], "#/") || strings.ContainsAny(text[len(text)-1:], ";}/{\\") {
			break
		}
		line = above
	}
	return line + len(source[line:at]) - len(bytes.TrimLeft(source[line:at], " \t"))
}

// comment is the annotation of a place.
func (p Place) comment(between string) string {
	var parts []string
	for _, c := range p.clauses() {
		word := c.word
		switch p.Statement.(type) {
		case nil:
		case *tree.Label:
			word = "assert"
		default:
			word = "loop " + word
		}
		parts = append(parts, word+" "+c.text+";")
	}
	return "/*@ " + strings.Join(parts, between) + " */"
}
