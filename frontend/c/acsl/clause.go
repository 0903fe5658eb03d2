// Package acsl reads the annotations of C programs that stand in comments, /*@ ... */ and //@ ...: those of ACSL, the ANSI/ISO C
// Specification Language, as far as they are conditions. Each becomes an expression of C in which functions of the header
// smack-contracts.h stand for what C does not have.
package acsl

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"hornbeam/frontend/c/tree"
)

// Kind is what a clause says.
type Kind int

// The kinds of clauses. A clause that is Other is one of ACSL that says nothing here.
const (
	Requires Kind = iota
	Ensures
	Assigns
	Assert
	Invariant
	Other
)

// Clause is a clause of an annotation.
type Clause struct {
	Kind Kind
	// Pos is where its condition begins, in the text that was given.
	Pos tree.Pos
	// Condition is the condition as an expression of C. Of Assigns it is the list of places as it was written.
	Condition string
	// Valid says that the condition is about the validity of pointers.
	Valid bool
	// Missing says what of the clause is not read, as its words; empty if all is.
	Missing string
}

// Comment is an annotation, with where it begins and ends in the text.
type Comment struct {
	Begin, End tree.Pos
	text       string
	at         tree.Pos // where text begins
	// Machine says that it is one of cbmc's clauses, which computes as C does.
	Machine bool
}

// cprover are cbmc's clauses behind declarators and heads of loops, with what they are in ACSL.
var cprover = map[string]string{
	"__CPROVER_requires": "requires ", "__CPROVER_ensures": "ensures ", "__CPROVER_assigns": "assigns ", "__CPROVER_loop_invariant": "loop invariant ",
	"__CPROVER_decreases": "decreases ", "__CPROVER_frees": "frees ",
}

// Cut takes cbmc's clauses out of a text, which is that of a file: white space is put in place of them.
func Cut(file string, text []byte) []Comment {
	if !bytes.Contains(text, []byte("__CPROVER_")) {
		return nil
	}
	var out []Comment
	words := scan(string(text), tree.Pos{File: file, Line: 1, Column: 1})
	var lines []int // where they begin
	for i := range text {
		if i == 0 || text[i-1] == '\n' {
			lines = append(lines, i)
		}
	}
	offset := func(p tree.Pos) int { return lines[p.Line-1] + p.Column - 1 }
	for i := 0; i+1 < len(words); i++ {
		clause, ok := cprover[words[i].text]
		if !ok || words[i+1].text != "(" {
			continue
		}
		depth, k := 0, i+1
		for ; k < len(words); k++ {
			if words[k].text == "(" {
				depth++
			} else if words[k].text == ")" {
				if depth--; depth == 0 {
					break
				}
			}
		}
		if k == len(words) || i > 0 && (words[i-1].text == "define" || words[i-1].text == "void") {
			continue // its own definition or declaration
		}
		from, to := offset(words[i].pos), offset(words[k].pos)+1
		inner := string(text[offset(words[i+1].pos)+1 : to-1])
		end := words[k].pos
		end.Column++
		at := words[i+1].pos
		at.Column += 1 - len(clause)
		out = append(out, Comment{Begin: words[i].pos, End: end, text: clause + inner + ";", at: at, Machine: true})
		for b := from; b < to; b++ {
			if text[b] != '\n' && text[b] != '\r' {
				text[b] = ' '
			}
		}
		i = k
	}
	return out
}

// Comments are the annotations in a text, which is that of a file.
func Comments(file string, text []byte) []Comment {
	var out []Comment
	line, start := 1, 0
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\n':
			i++
			line, start = line+1, i
		case c == '"' || c == '\'':
			for i++; i < len(text) && text[i] != c && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if i < len(text) && text[i] == c {
				i++
			}
		case c == '/' && i+1 < len(text) && (text[i+1] == '/' || text[i+1] == '*'):
			end, inner := len(text), len(text)
			if text[i+1] == '/' {
				if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
					end, inner = i+n, i+n
				}
			} else if n := bytes.Index(text[i+2:], []byte("*/")); n >= 0 {
				end, inner = i+2+n+2, i+2+n
			}
			begin := tree.Pos{File: file, Line: line, Column: i - start + 1}
			annotation := i+2 < inner && text[i+2] == '@'
			body := i + 3
			for k := i; k < end; k++ {
				if text[k] == '\n' {
					line, start = line+1, k+1
				}
			}
			if annotation {
				at := begin
				at.Column += 3
				out = append(out, Comment{
					Begin: begin, End: tree.Pos{File: file, Line: line, Column: end - start + 1}, at: at,
					text: strings.TrimSuffix(string(text[body:inner]), "@"),
				})
			}
			i = end
		default:
			i++
		}
	}
	return out
}

// keywords are the words that begin a clause, with what it says; loops of a loop.
var keywords = map[string]Kind{
	"requires": Requires, "ensures": Ensures, "assigns": Assigns, "assert": Assert, "invariant": Invariant, "check": Assert,
	"variant": Other, "decreases": Other, "terminates": Other, "behavior": Other, "assumes": Other, "complete": Other, "disjoint": Other,
	"ghost": Other, "predicate": Other, "logic": Other, "axiomatic": Other, "lemma": Other, "axiom": Other, "frees": Other,
	"allocates": Other, "exits": Other, "breaks": Other, "continues": Other, "returns": Other, "for": Other, "admit": Other,
	"type": Other, "global": Other, "inductive": Other, "slice": Other, "impact": Other,
}

// Clauses are those of an annotation. isType tells whether a name is that of a type. A comment that does not begin as one of ACSL has
// none.
func (c Comment) Clauses(isType func(string) bool) []Clause {
	p := &parser{words: scan(c.text, c.at), isType: isType, machine: c.Machine}
	if first := p.peek().text; first != "loop" {
		if _, known := keywords[first]; !known {
			return nil
		}
	}
	var out []Clause
	for !p.ended() {
		out = append(out, p.clause())
	}
	return out
}

// clause reads a clause with the semicolon behind it.
func (p *parser) clause() (c Clause) {
	first := p.at
	p.bound, p.keeping, p.valid = nil, 0, false // of a clause that was not read
	loop := p.accept("loop")
	begin := p.peek()
	kind, known := keywords[begin.text]
	c.Pos = begin.pos
	defer func() {
		failure := recover()
		missing, mine := failure.(unread)
		if failure != nil && !mine {
			panic(failure)
		}
		if c.Missing = string(missing); c.Missing != "" {
			p.skip(first)
		}
	}()
	if !known {
		panic(unread(begin.text))
	}
	p.at++
	switch {
	case begin.text == "check" && p.accept("requires"):
		kind = Requires
	case begin.text == "check" && p.accept("ensures"):
		kind = Ensures
	}
	c.Kind = kind
	if kind == Other || loop && kind != Invariant {
		c.Kind = Other
		panic(unread(strings.TrimSpace(map[bool]string{true: "loop "}[loop] + begin.text)))
	}
	if kind == Invariant && !loop {
		// One at a place inside of a loop, or of a type: neither is checked here.
		c.Kind = Other
		panic(unread("invariant outside of a loop's annotation"))
	}
	if p.at+1 < len(p.words) && p.words[p.at].kind == name && p.words[p.at+1].text == ":" {
		p.at += 2
	}
	c.Pos = p.peek().pos
	if kind == Assigns {
		var places []string
		for !p.ended() && p.peek().text != ";" {
			places = append(places, p.next().text)
		}
		c.Condition = strings.Join(places, " ")
	} else {
		c.Condition = p.predicate().text
		c.Valid = p.valid
	}
	p.expect(";")
	return c
}

// skip goes behind the clause that begins at a word.
func (p *parser) skip(first int) {
	p.at = first + 1
	for !p.ended() {
		w := p.next()
		_, begins := keywords[p.peek().text]
		if w.text == ";" && (p.ended() || begins || p.peek().text == "loop") {
			return
		}
	}
}

// unread is the panic for what is not read.
type unread string

func missing(format string, arguments ...any) unread {
	return unread(fmt.Sprintf(format, arguments...))
}

// Places are those that the condition of a clause of the kind Assigns lists: none for nothing, and no result.
func Places(condition string) []string {
	var out []string
	for _, place := range strings.Split(condition, ",") {
		if place = strings.TrimSpace(place); place != `\nothing` && place != `\result` && place != "" {
			out = append(out, place)
		}
	}
	return out
}

// Names are the identifiers of C in a condition.
func Names(condition string) []string {
	var out []string
	for _, w := range scan(condition, tree.Pos{}) {
		if w.kind == name && !slices.Contains(out, w.text) {
			out = append(out, w.text)
		}
	}
	return out
}
