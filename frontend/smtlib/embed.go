package smtlib

import (
	"bytes"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// Node is an S-expression of a source: an atom, or a list.
type Node struct {
	// Text is that of an atom, of a quoted symbol without its bars.
	Text string
	// List has the elements of a list; an empty list is not nil.
	List []*Node

	kind       tokenKind
	start, end int
}

// IsList reports whether the node is a list.
func (n *Node) IsList() bool { return n.kind == tokOpen }

// IsSymbol reports whether the node is a symbol, quoted or not.
func (n *Node) IsSymbol() bool { return n.kind == tokSymbol || n.kind == tokQuoted }

// IsKeyword reports whether the node is a keyword; its Text begins with the colon.
func (n *Node) IsKeyword() bool { return n.kind == tokKeyword }

// IsNumeral reports whether the node is a numeral.
func (n *Node) IsNumeral() bool { return n.kind == tokNumeral }

// Word is the symbol that a list begins with, or empty.
func (n *Node) Word() string {
	if len(n.List) > 0 && n.List[0].kind == tokSymbol {
		return n.List[0].Text
	}
	return ""
}

// Symbol is a constant or function that a source declares without saying what it is.
type Symbol struct {
	Name string
	Pos  chc.Position
	// Variable stands for it in terms: an array of arrays where it is a function, which terms read.
	Variable *term.Term
	Domain   []*term.Sort
	Range    *term.Sort
}

// Embedded reads a source in a language whose sorts, terms and declarations are SMT-LIB's, but whose commands are partly its
// own. The language looks at the commands as S-expressions and hands back what is SMT-LIB. Errors are *Error.
//
// Names that begin with # are Embedded's own, for the variables that stand for declared symbols, so that no quantifier of the
// source binds them.
type Embedded struct {
	// Symbols are the constants and functions that were declared so far.
	Symbols []Symbol

	r *reader
	// text is the source, of which Quote changes the reader's copy.
	text []byte
}

// NewEmbedded returns a reader of a source, whose terms are built in the pool. file stands in positions.
func NewEmbedded(file string, src []byte, p *term.Pool) *Embedded {
	r := newReader(file, bytes.Clone(src), p, newTable())
	r.script = &Script{Name: file, System: &chc.System{Pool: p}}
	r.embedded, r.witness = &Embedded{r: r, text: src}, true
	return r.embedded
}

// Nodes returns the S-expressions of the source.
func (e *Embedded) Nodes() (nodes []*Node, err error) {
	defer rescue(&err)
	r := e.r
	r.pos = 0
	r.lexer = newLexer(r.file, r.src)
	var open []*Node
	for {
		r.next()
		n := &Node{kind: r.kind, start: r.off, end: r.pos}
		switch r.kind {
		case tokEOF:
			if len(open) > 0 {
				r.unclosed(open[len(open)-1].start)
			}
			return nodes, nil
		case tokOpen:
			n.List = []*Node{}
			open = append(open, n)
			continue
		case tokClose:
			if len(open) == 0 {
				r.fail(r.off, "unexpected ')'")
			}
			n = open[len(open)-1]
			n.end = r.pos
			open = open[:len(open)-1]
		default:
			n.Text = string(r.text())
			if n.IsSymbol() && strings.HasPrefix(n.Text, "#") {
				r.fail(r.off, "a symbol that begins with # is reserved for tools")
			}
		}
		if len(open) == 0 {
			nodes = append(nodes, n)
			continue
		}
		top := open[len(open)-1]
		top.List = append(top.List, n)
	}
}

// Pos is where a node begins.
func (e *Embedded) Pos(n *Node) chc.Position { return e.r.position(n.start) }

// Command executes a command of SMT-LIB that declares or defines something.
func (e *Embedded) Command(n *Node) (err error) {
	defer rescue(&err)
	e.at(n)
	e.r.next()
	e.r.commandOff = e.r.off
	e.r.expectSymbol("a command")
	e.r.command(string(e.r.text()))
	return nil
}

// Sort reads a sort.
func (e *Embedded) Sort(n *Node) (s *term.Sort, err error) {
	defer rescue(&err)
	e.at(n)
	return e.r.sort(), nil
}

// Term reads a term; with a sort it is to have that one.
func (e *Embedded) Term(n *Node, want *term.Sort) (t *term.Term, err error) {
	defer rescue(&err)
	e.at(n)
	clear(e.r.atoms)
	clear(e.r.taken)
	o := e.r.term(inner)
	if want == nil {
		return o.t, nil
	}
	return e.r.coerce(o, want, "this"), nil
}

// at goes to the beginning of a node.
func (e *Embedded) at(n *Node) { e.r.pos, e.r.commandOff = n.start, n.start }

// Fresh returns a new variable that stands for something of that name.
func (e *Embedded) Fresh(name string, s *term.Sort) *term.Term { return e.r.pool.Fresh("#"+name, s) }

// Declare makes a symbol stand for a term from here on; it must be new.
func (e *Embedded) Declare(name *Node, t *term.Term) (err error) {
	defer rescue(&err)
	e.at(name)
	id, off := e.r.newSymbol("a name")
	e.r.declare(id, off, &function{kind: macroFunc, body: t, rng: t.Sort()})
	return nil
}

// Bind makes a name stand for a term until Unbind, whatever it means outside.
func (e *Embedded) Bind(name string, t *term.Term) {
	e.r.bind(e.r.intern([]byte(name)), operand{t: t})
}

// Bound is how many names are bound.
func (e *Embedded) Bound() int { return len(e.r.trail) }

// Unbind undoes the bindings that were made since Bound was n.
func (e *Embedded) Unbind(n int) { e.r.restore(n) }

// Quote makes a symbol of a node, the text between its parentheses, and returns it: terms can then have it bound. The language
// uses it for what SMT-LIB does not know.
func (e *Embedded) Quote(n *Node) string {
	text := e.r.src[n.start:n.end]
	for i, c := range text {
		if c == '|' {
			text[i] = ' '
		}
	}
	text[0], text[len(text)-1] = '|', '|'
	return string(text[1 : len(text)-1])
}

// declareSymbol declares a constant or function without a meaning. A function is an array, and its application reads that.
func (e *Embedded) declareSymbol(id symbolID, off int, domain []*term.Sort, rng *term.Sort) {
	r := e.r
	sort := rng
	for i := len(domain) - 1; i >= 0; i-- {
		sort = r.arrayOf(off, domain[i], sort)
	}
	name := r.at(id).name
	v := e.Fresh(name, sort)
	f := &function{kind: macroFunc, domain: domain, rng: rng, body: v}
	for _, s := range domain {
		p := e.Fresh("argument", s)
		f.params = append(f.params, p)
		f.body = r.pool.Select(f.body, p)
	}
	r.declare(id, off, f)
	e.Symbols = append(e.Symbols, Symbol{Name: name, Pos: r.position(off), Variable: v, Domain: domain, Range: rng})
}

// Text is a node as the source writes it, on one line and without comments.
func (e *Embedded) Text(n *Node) string {
	if !n.IsList() {
		return string(e.text[n.start:n.end])
	}
	parts := make([]string, len(n.List))
	for i, m := range n.List {
		parts[i] = e.Text(m)
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// Bounds are the offsets of a node in the source.
func (n *Node) Bounds() (start, end int) { return n.start, n.end }
