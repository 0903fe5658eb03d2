package proof

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
)

// Insertion is a condition that can be inserted into the text of a program.
type Insertion struct {
	Kind Kind
	// Procedure is the name of the procedure that it is about, Condition what holds.
	Procedure, Condition string
	// Pos is where the procedure's name stands, or the loop; without a line for a declaration.
	Pos chc.Position

	place
	// declaration says that the condition is a declaration that others need.
	declaration bool
}

// place is where the conditions about something go: before and end are around each, and after follows the last.
type place struct {
	offset             int
	before, end, after string
	// assertion says that they are assertions, which are invariants behind a label.
	assertion bool
}

// Insertions are what claims about an encoded program add to its text, in the order of the text, and says what is left out. Nothing
// of the text has to change for them.
func Insertions(e *encode.Encoding, claims []*Claim, src []byte) (out []Insertion, dropped []Dropped) {
	x := NewExpressions(e)
	t := newText(src)
	for _, c := range claims {
		conditions, left := x.Conditions(c)
		dropped = append(dropped, left...)
		at, ok := t.place(c)
		if !ok && len(conditions) > 0 {
			dropped = append(dropped, Dropped{c, c.Formula, "there is no place for it that leaves the text as it is"})
			continue
		}
		for _, e := range c.news(conditions) {
			if name := hidden(c, e); name != "" {
				dropped = append(dropped, Dropped{c, c.Formula, "another variable is called " + name + " there"})
				continue
			}
			out = append(out, Insertion{Kind: c.Kind, Procedure: c.Procedure.Name, Condition: ast.String(e), Pos: c.Pos, place: at})
		}
	}
	if len(out) > 0 {
		for _, f := range x.Functions() {
			out = append(out, Insertion{Condition: ast.DeclarationString(f), place: place{offset: len(src), before: "\n"}, declaration: true})
		}
	}
	slices.SortStableFunc(out, Insertion.Compare)
	return out, dropped
}

// news are the conditions that the program does not say already.
func (c *Claim) news(conditions []ast.Expr) []ast.Expr {
	var specs []*ast.Specification
	switch {
	case c.Kind == Requires:
		specs = under(c.Procedure.Requires, conditions)
	case c.Kind == Ensures:
		specs = under(c.Procedure.Ensures, conditions)
	case c.Head.While != nil:
		own := c.Head.While.Invariants
		specs = invariants(own, conditions)
		specs = specs[:len(specs)-len(own)]
	default:
		return conditions
	}
	out := make([]ast.Expr, len(specs))
	for i, s := range specs {
		out[i] = s.Cond
	}
	return out
}

// hidden is the name of a variable of a condition that means another one where the claim holds; empty for none.
func hidden(c *Claim, e ast.Expr) (name string) {
	scope := c.scope()
	ast.Inspect(e, func(e ast.Expr) bool {
		id, ok := e.(*ast.Identifier)
		if ok && id.Decl != nil && id.Decl.Kind != ast.Bound {
			if i := slices.IndexFunc(scope, func(v *ast.Variable) bool { return v.Name == id.Name }); i >= 0 && scope[i] != id.Decl {
				name = id.Name
			}
		}
		return name == ""
	})
	return name
}

// Declares reports whether the insertion is a declaration that the conditions of others need.
func (i Insertion) Declares() bool { return i.declaration }

// Compare orders insertions by their places in the text.
func (i Insertion) Compare(j Insertion) int { return cmp.Compare(i.offset, j.offset) }

// Insert returns the text with insertions, which are in its order, and the line on which each is, one on none but its own. With mark,
// they are marked {:candidate}. Lines end as all lines of the text do.
func Insert(src []byte, insertions []Insertion, mark bool) (text []byte, lines []int) {
	var b bytes.Buffer
	ended := func(text string) string { return text }
	if n := bytes.Count(src, []byte("\r\n")); n > 0 && n == bytes.Count(src, []byte("\n")) {
		ended = func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	}
	done := 0
	for i, in := range insertions {
		b.Write(src[done:in.offset])
		done = in.offset
		b.WriteString(ended(in.before))
		lines = append(lines, 1+bytes.Count(b.Bytes(), []byte("\n")))
		b.WriteString(ended(in.line(mark)))
		if i+1 == len(insertions) || insertions[i+1].offset != in.offset {
			b.WriteString(ended(in.after))
		}
	}
	b.Write(src[done:])
	return b.Bytes(), lines
}

// line is the insertion without what stands before it.
func (i Insertion) line(mark bool) string {
	if i.declaration {
		return i.Condition + i.end
	}
	attribute := ""
	if mark {
		attribute = "{:candidate} "
	}
	return i.Word() + " " + attribute + i.Condition + ";" + i.end
}

// Word is the word that the condition of an insertion begins with; empty for a declaration.
func (i Insertion) Word() string {
	switch {
	case i.declaration:
		return ""
	case i.assertion:
		return "assert"
	}
	return map[Kind]string{Requires: "requires", Ensures: "ensures", Invariant: "invariant"}[i.Kind]
}

// Edit is the insertion as text that goes to an offset of the program. Of several at one offset, which go there in their order, the
// last one is told so.
func (i Insertion) Edit(last bool) (offset int, text string) {
	text = i.before + i.line(false)
	if last {
		text += i.after
	}
	return i.offset, text
}

// text is a program as it is written.
type text struct {
	src []byte
	// lines are the offsets of the lines.
	lines []int
}

func newText(src []byte) *text {
	t := &text{src: src, lines: []int{0}}
	for i, c := range src {
		if c == '\n' {
			t.lines = append(t.lines, i+1)
		}
	}
	return t
}

// offset is that of a position, whose columns count letters.
func (t *text) offset(p chc.Position) (int, bool) {
	if p.Line < 1 || p.Line > len(t.lines) {
		return 0, false
	}
	i := t.lines[p.Line-1]
	for range p.Column - 1 {
		if i >= len(t.src) {
			return 0, false
		}
		_, size := utf8.DecodeRune(t.src[i:])
		i += size
	}
	return i, i < len(t.src)
}

// indent is the white space that the line of an offset begins with.
func (t *text) indent(offset int) string {
	i, _ := slices.BinarySearch(t.lines, offset+1)
	line := t.src[t.lines[i-1]:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// find returns the offset of the next byte that is wanted and in no comment, string or parentheses, or -1.
func (t *text) find(from int, wanted byte) int {
	depth := 0
	for i := from; i < len(t.src); i++ {
		c := t.src[i]
		switch {
		case c == wanted && depth == 0:
			return i
		case bytes.HasPrefix(t.src[i:], []byte("//")):
			n := bytes.IndexByte(t.src[i:], '\n')
			if n < 0 {
				return -1
			}
			i += n
		case bytes.HasPrefix(t.src[i:], []byte("/*")):
			n := bytes.Index(t.src[i+2:], []byte("*/"))
			if n < 0 {
				return -1
			}
			i += n + 3
		case c == '"':
			for i++; i < len(t.src) && t.src[i] != '"'; i++ {
				if t.src[i] == '\\' {
					i++
				}
			}
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		}
	}
	return -1
}

// place is where the conditions of a claim go: of a contract before the body, or behind the head of a procedure without one; of a loop
// behind its guard, or behind its label.
func (t *text) place(c *Claim) (place, bool) {
	switch {
	case c.Kind != Invariant:
		return t.contract(c.Procedure)
	case c.Head.While != nil:
		i, ok := t.offset(c.Head.While.Pos)
		if !ok || !bytes.HasPrefix(t.src[i:], []byte("while")) {
			return place{}, false
		}
		open := t.find(i, '(')
		if open < 0 {
			return place{}, false
		}
		end := t.find(open+1, ')')
		return place{offset: end + 1, before: "\n" + t.indent(i) + "  ", after: t.rest(end+1, i)}, end >= 0
	}
	return t.label(c.Head)
}

// rest is what stands between insertions and the rest of their line: nothing where that is empty.
func (t *text) rest(offset, at int) string {
	line, _, _ := bytes.Cut(t.src[offset:], []byte("\n"))
	if len(bytes.TrimSpace(line)) == 0 {
		return ""
	}
	return "\n" + strings.TrimSuffix(t.indent(at), " ")
}

func (t *text) contract(p *ast.Procedure) (place, bool) {
	i, ok := t.offset(p.Pos)
	if !ok {
		return place{}, false
	}
	indent := t.indent(i)
	if p.Body == nil {
		end := t.find(i, ';')
		return place{offset: end + 1, before: "\n" + indent + "  "}, end >= 0
	}
	brace, ok := t.offset(p.Body.Pos)
	if !ok || t.src[brace] != '{' {
		return place{}, false
	}
	start := t.lines[p.Body.Pos.Line-1]
	if len(bytes.TrimSpace(t.src[start:brace])) > 0 {
		return place{offset: brace, before: "\n" + indent + "  ", after: "\n" + indent}, true
	}
	// The brace begins a line: the contract ends the line before, which may be a comment.
	return place{offset: start, before: indent + "  ", end: "\n"}, true
}

// label is the place behind the label of a loop. What a break leaves has to follow its label directly, and assertions and
// assumptions of the program's own are not to be among the invariants, which another label ends.
func (t *text) label(h *Head) (place, bool) {
	taken := map[string]bool{}
	for s := range ast.Statements(h.Implementation.Body.Stmts) {
		switch s := s.(type) {
		case *ast.Label:
			taken[s.Name] = true
		case *ast.Break:
			if s.Label == h.Label {
				return place{}, false
			}
		}
	}
	var label *ast.Label
	var next ast.Stmt
	var look func(stmts []ast.Stmt)
	look = func(stmts []ast.Stmt) {
		for i, s := range stmts {
			switch s := s.(type) {
			case *ast.Label:
				if s.Name == h.Label {
					if label = s; i+1 < len(stmts) {
						next = stmts[i+1]
					}
				}
			case *ast.If:
				look(s.Then)
				look(s.Else)
			case *ast.While:
				look(s.Body)
			}
		}
	}
	look(h.Implementation.Body.Stmts)
	if label == nil {
		return place{}, false
	}
	i, ok := t.offset(label.Pos)
	if !ok {
		return place{}, false
	}
	end := t.find(i, ':')
	after := ""
	switch next.(type) {
	case *ast.Assert, *ast.Assume:
		name := h.Label + "'"
		for taken[name] {
			name += "'"
		}
		after = "\n" + t.indent(i) + name + ":"
	}
	return place{offset: end + 1, before: "\n" + t.indent(i) + "  ", after: after, assertion: true}, end >= 0
}
