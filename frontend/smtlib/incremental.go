package smtlib

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// Incremental is a script that is read command by command, with scopes that are opened and closed. A command that fails leaves
// no trace but its error.
//
// It keeps the text of what is in force. What is not, such as the commands of a closed scope, is blank there: positions stay those
// of the source, and a script is what Read makes of the text.
type Incremental struct {
	name string
	text []byte
	// scopes are where the open scopes begin.
	scopes []int
	// unsupported are the commands that are in force although they could not be understood.
	unsupported []*Error
	places      []int
	timeout     time.Duration
	// reader has read the text; nil when some of it has gone since.
	reader *reader
}

// NewIncremental returns an empty script; name stands in positions.
func NewIncremental(name string) *Incremental { return &Incremental{name: name} }

// Command reads a command that declares, defines, asserts or sets something, with the space before it. After an error, which is an
// *Error, the script is as before; but for one that wraps ErrUnsupported it is left open what the command means, and Script says so
// until its scope is closed.
func (s *Incremental) Command(text []byte) error {
	if s.reader == nil {
		s.reader = newReader(s.name, s.text, term.NewPool(), newTable())
		s.reader.script = &Script{Name: s.name, System: &chc.System{Pool: s.reader.pool}}
		s.reader.horn = newExtractor(s.reader)
		if err := s.reader.run(s.reader.commands); err != nil {
			return fmt.Errorf("reading again what was read: %w", err)
		}
	}
	off := len(s.text)
	s.text = append(s.text, text...)
	r := s.reader
	r.src, r.pos, r.script.Timeout = s.text, off, s.timeout
	if isLoneCR(s.text[off:]) {
		r.lineEnds = "\r\n"
	}
	err := r.run(r.commands)
	s.timeout = r.script.Timeout
	if err != nil || CommandWord(text) == "set-option" {
		blank(s.text[off:])
	}
	if err == nil {
		return nil
	}
	s.reader = nil
	e := err.(*Error)
	// A formula that is no Horn clause is legal SMT-LIB: clauses without it are other clauses.
	e.Unsupported = e.Unsupported || isNotHorn(e)
	if e.Unsupported {
		s.unsupported, s.places = append(s.unsupported, e), append(s.places, off)
	}
	return err
}

// Skip passes over a command that says nothing about the clauses.
func (s *Incremental) Skip(command []byte) {
	off := len(s.text)
	s.text = append(s.text, command...)
	blank(s.text[off:])
	if s.reader != nil {
		s.reader.src = s.text
	}
}

// Error is an error at the beginning of a command that was passed to Skip last.
func (s *Incremental) Error(command []byte, format string, args ...any) *Error {
	lx := newLexer(s.name, s.text)
	off := len(s.text) - len(command) + max(bytes.IndexByte(command, '('), 0)
	return &Error{Pos: lx.position(off), Msg: fmt.Sprintf(format, args...)}
}

// Push opens scopes.
func (s *Incremental) Push(n int) {
	for range n {
		s.scopes = append(s.scopes, len(s.text))
	}
}

// Pop closes scopes: what was read since they were opened is not in force any more. It reports whether there were as many.
func (s *Incremental) Pop(n int) bool {
	if n > len(s.scopes) {
		return false
	}
	if n > 0 {
		s.drop(s.scopes[len(s.scopes)-n])
		s.scopes = s.scopes[:len(s.scopes)-n]
	}
	return true
}

// Reset closes all scopes and drops everything.
func (s *Incremental) Reset() {
	s.drop(0)
	s.scopes = nil
	s.timeout = 0
}

// drop makes blank what was read since the text had n bytes.
func (s *Incremental) drop(n int) {
	blank(s.text[n:])
	s.reader = nil
	for len(s.places) > 0 && s.places[len(s.places)-1] >= n {
		s.places, s.unsupported = s.places[:len(s.places)-1], s.unsupported[:len(s.unsupported)-1]
	}
}

// Asserts reports whether a command in force says something about the predicates, as far as is known of those that are unsupported.
func (s *Incremental) Asserts() bool {
	if len(s.unsupported) > 0 {
		return true
	}
	script, err := s.Script()
	return err != nil || len(script.System.Clauses) > 0
}

// Levels is how many scopes are open.
func (s *Incremental) Levels() int { return len(s.scopes) }

// Script returns the script as it is now, with terms of its own. It is complete where the error is nil; the error is otherwise that of
// the first command in force that was unsupported, and wraps ErrUnsupported.
func (s *Incremental) Script() (*Script, error) {
	script, err := Read(s.name, bytes.Clone(s.text), term.NewPool())
	if err != nil {
		return nil, fmt.Errorf("reading again what was read: %w", err)
	}
	script.Timeout = s.timeout
	for _, e := range s.unsupported {
		script.Unsupported = append(script.Unsupported, Diagnostic{e.Pos, e.Msg})
	}
	if len(s.unsupported) > 0 {
		return script, s.unsupported[0]
	}
	return script, nil
}

// Scopes reads the number of scopes of `(push n)` or `(pop n)`, which is 1 where it is left out.
func Scopes(command []byte) (n int, err error) {
	defer rescue(&err)
	lx := newLexer("", command)
	lx.next()
	lx.next()
	if lx.next(); lx.kind == tokClose {
		return 1, nil
	}
	if n, err = strconv.Atoi(string(lx.text())); err != nil || lx.kind != tokNumeral || n > maxScopes {
		return 0, fmt.Errorf("expected a number of scopes, got %s", lx.what())
	}
	return n, nil
}

// Asked is a term of get-value, with its text; or a predicate that has arguments and stands there without any.
type Asked struct {
	Text      string
	Term      *term.Term
	Predicate *chc.Predicate
}

// ReadAsked reads the terms of `(get-value (terms))` in the context of the script. Its predicates are functions in them.
func ReadAsked(name string, command []byte, script *Script) (asked []Asked, err error) {
	defer rescue(&err)
	r := newReader(name, command, script.System.Pool, script.symbols.clone())
	r.script = &Script{Name: name, System: &chc.System{Pool: r.pool}}
	r.next()
	r.expectSymbol("a command")
	r.expect(tokOpen, "before the terms")
	open := r.off
	for r.next(); r.kind != tokClose; r.next() {
		if r.kind == tokEOF {
			r.unclosed(open)
		}
		r.commandOff = r.off
		off := r.off
		var a Asked
		if f := r.lookup(string(r.text())); f != nil && f.kind == predicateFunc && len(f.domain) > 0 && r.kind != tokOpen {
			a.Predicate = script.Declared[slices.IndexFunc(script.Declared, func(p *chc.Predicate) bool { return p.Name == f.pred.Name })]
		} else {
			a.Term = r.termHere(inner).t
		}
		a.Text = string(r.src[off:r.pos])
		asked = append(asked, a)
	}
	r.expectEnd("the command")
	return asked, nil
}

// TermReader reads terms and sorts in the context of a script.
type TermReader struct{ r *reader }

// NewTermReader returns a reader of terms over the script's sorts and symbols, whose predicates are functions in them.
func NewTermReader(script *Script) *TermReader {
	r := newReader(script.Name, nil, script.System.Pool, script.symbols.clone())
	r.script = &Script{Name: script.Name, System: &chc.System{Pool: r.pool}}
	return &TermReader{r}
}

// Term reads a term.
func (x *TermReader) Term(text string) (t *term.Term, err error) {
	defer rescue(&err)
	x.r.lexer = newLexer(x.r.file, []byte(text))
	return x.r.term(inner).t, nil
}

// Sort reads a sort.
func (x *TermReader) Sort(text string) (s *term.Sort, err error) {
	defer rescue(&err)
	x.r.lexer = newLexer(x.r.file, []byte(text))
	return x.r.sort(), nil
}
