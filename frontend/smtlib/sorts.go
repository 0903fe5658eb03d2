package smtlib

import (
	"strconv"
	"strings"

	"hornbeam/chc/term"
)

// unsupportedSorts are sorts of SMT-LIB theories (and of common extensions) that the reader does not know.
var unsupportedSorts = map[string]bool{
	"String": true, "RegLan": true, "RegEx": true, "Seq": true, "Set": true, "Bag": true, "RoundingMode": true,
	"FloatingPoint": true, "Float16": true, "Float32": true, "Float64": true, "Float128": true, "Unicode": true,
	"FiniteField": true, "Relation": true, "Tuple": true,
}

// sort reads a sort, starting at the next token.
func (r *reader) sort() *term.Sort {
	r.next()
	return r.sortHere(0)
}

// sortHere reads the sort that starts at the current token.
func (r *reader) sortHere(depth int) *term.Sort {
	if depth > maxSortDepth {
		r.unsupported(r.off, "sorts nested deeper than %d", maxSortDepth)
	}
	off := r.off
	switch r.kind {
	case tokSymbol, tokQuoted:
		return r.namedSort(off, r.intern(r.text()), nil)
	case tokOpen:
	default:
		r.fail(off, "expected a sort, got %s", r.what())
	}
	r.expectSymbol("a sort")
	if r.word("_") {
		return r.indexedSort(off)
	}
	if r.script.SyGuS && r.word("BitVec") { // as SyGuS 1.0 writes it
		return r.bitVector(off)
	}
	id := r.intern(r.text())
	var args []*term.Sort
	for r.next(); r.kind != tokClose; r.next() {
		if r.kind == tokEOF {
			r.unclosed(off)
		}
		args = append(args, r.sortHere(depth+1))
	}
	if len(args) == 0 {
		r.fail(off, "the sort %s stands in parentheses without arguments", r.at(id).name)
	}
	return r.namedSort(off, id, args)
}

// namedSort applies the sort symbol to args.
func (r *reader) namedSort(off int, id symbolID, args []*term.Sort) *term.Sort {
	sym := r.at(id)
	s := sym.sort
	if s == nil {
		if unsupportedSorts[sym.name] {
			r.unsupported(off, "sort %s", sym.name)
		}
		r.fail(off, "unknown sort %s", term.QuoteSymbol(sym.name))
	}
	if s.parametric {
		r.unsupported(off, "sort %s with parameters", term.QuoteSymbol(sym.name))
	}
	if len(args) != s.arity {
		if s.array && len(args) > 2 {
			r.unsupported(off, "arrays with more than one index")
		}
		r.fail(off, "sort %s takes %d arguments, got %d", term.QuoteSymbol(sym.name), s.arity, len(args))
	}
	switch {
	case s.array:
		return r.arrayOf(off, args[0], args[1])
	case s.sort != nil:
		return s.sort
	case s.data != nil:
		return r.instance(off, s.data, args)
	}
	return r.expandSort(off, s, args)
}

// arrayOf is the sort of arrays, which must not be too large to be written out.
func (r *reader) arrayOf(off int, index, elem *term.Sort) *term.Sort {
	parts := func(s *term.Sort) int { return max(1, r.sortParts[s]) }
	n := 1 + parts(index) + parts(elem)
	if n > maxSortParts {
		r.unsupported(off, "sorts of more than %d parts", maxSortParts)
	}
	s := r.pool.Array(index, elem)
	if r.sortParts == nil {
		r.sortParts = map[*term.Sort]int{}
	}
	r.sortParts[s] = n
	return s
}

// expandSort reads the body of a define-sort again, with its parameters bound to args.
func (r *reader) expandSort(off int, s *sortSymbol, args []*term.Sort) *term.Sort {
	if r.sortExpansions++; r.sortExpansions > maxSortDepth {
		r.unsupported(off, "sort definitions nested deeper than %d", maxSortDepth)
	}
	defer func() { r.sortExpansions-- }()
	if r.sortExpansions == 1 {
		r.sortsExpanded = 0
	}
	if r.sortsExpanded++; r.sortsExpanded > maxSortParts {
		r.unsupported(off, "sorts that apply more than %d sort definitions", maxSortParts)
	}
	saved := make([]*sortSymbol, len(args))
	for i, p := range s.params {
		saved[i] = r.at(p).sort
		r.at(p).sort = &sortSymbol{sort: args[i]}
	}
	back := r.lexer
	r.pos = s.body
	out := r.sort()
	r.lexer = back
	for i, p := range s.params {
		r.at(p).sort = saved[i]
	}
	return out
}

// indexedSort reads `BitVec n)` after `(_`.
func (r *reader) indexedSort(off int) *term.Sort {
	r.expectSymbol("a sort")
	if string(r.text()) != "BitVec" {
		if unsupportedSorts[string(r.text())] {
			r.unsupported(off, "sort %s", r.text())
		}
		r.fail(r.off, "unknown indexed sort %s", r.what())
	}
	return r.bitVector(off)
}

// bitVector reads `n)` after `BitVec`.
func (r *reader) bitVector(off int) *term.Sort {
	w := r.index("a width")
	if w < 1 {
		r.fail(r.off, "a bit-vector has at least one bit")
	}
	if w > maxWidth {
		r.unsupported(r.off, "bit-vectors of more than %d bits", maxWidth)
	}
	r.expect(tokClose, "after the width")
	return r.pool.BitVec(w)
}

// index reads a numeral index.
func (r *reader) index(what string) int {
	r.next()
	if r.kind != tokNumeral {
		r.fail(r.off, "expected %s, got %s", what, r.what())
	}
	n, err := strconv.ParseInt(string(r.text()), 10, 32)
	if err != nil {
		r.fail(r.off, "index %s is too large", r.what())
	}
	return int(n)
}

// declareSort reads the rest of `(declare-sort name arity)`.
func (r *reader) declareSort() {
	r.expectSymbol("a sort name")
	off, id := r.off, r.newSort()
	r.next()
	if r.kind == tokNumeral {
		if n := string(r.text()); strings.Trim(n, "0") != "" {
			if r.embedded == nil {
				r.unsupported(off, "sort %s with parameters", r.at(id).name)
			}
			r.expectEnd("declare-sort")
			r.at(id).sort = &sortSymbol{parametric: true}
			return
		}
		r.next()
	}
	r.close("declare-sort")
	s := r.pool.Uninterpreted(r.at(id).name)
	delete(r.sortParams, s) // a parameter of a datatype that was declared before may have been called like it
	r.at(id).sort = &sortSymbol{sort: s}
}

// newSort interns the current token, which must not name a sort yet.
func (r *reader) newSort() symbolID {
	id := r.intern(r.text())
	if r.at(id).sort != nil {
		r.fail(r.off, "sort %s is already declared", term.QuoteSymbol(r.at(id).name))
	}
	return id
}

// defineSort reads the rest of `(define-sort name (parameters) sort)`.
func (r *reader) defineSort() {
	r.expectSymbol("a sort name")
	id := r.newSort()
	r.expect(tokOpen, "before the parameters")
	def := &sortSymbol{}
	for r.next(); r.kind != tokClose; r.next() {
		r.wantSymbol("a sort parameter")
		def.params = append(def.params, r.intern(r.text()))
	}
	def.arity = len(def.params)
	def.body = r.pos
	if def.arity == 0 {
		def.sort = r.sort()
	} else {
		// Reading the body once with some sort for the parameters finds what is wrong with it at its own place.
		args := make([]*term.Sort, def.arity)
		for i := range args {
			args[i] = term.Int
		}
		r.expandSort(r.off, def, args)
		r.next()
		r.sortSkip()
	}
	r.expectEnd("define-sort")
	r.at(id).sort = def
}

// sortSkip passes over the s-expression that starts at the current token.
func (r *reader) sortSkip() {
	if r.kind == tokOpen {
		r.skip(r.off)
	}
}

// expectEnd reads the next token, which must close a command.
func (r *reader) expectEnd(command string) {
	r.next()
	r.close(command)
}

// close checks that the current token closes a command.
func (r *reader) close(command string) {
	switch r.kind {
	case tokClose:
	case tokEOF:
		r.unclosed(r.commandOff)
	default:
		r.fail(r.off, "expected ')' at the end of %s, got %s", command, r.what())
	}
}
