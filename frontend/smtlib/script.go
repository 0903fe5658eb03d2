package smtlib

import (
	"slices"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// Script is what a source says.
type Script struct {
	// Name is the source's name, as it stands in positions.
	Name string
	// Source is the text that was read.
	Source []byte
	// System holds the clauses in the source's order; Clause.ID is the number that refutations use.
	System *chc.System
	// Logic is the argument of set-logic, or empty.
	Logic string
	// Status is the verdict that `(set-info :status …)` announces, or empty.
	Status string
	// CheckSat, GetModel and GetProof say that the command (for GetProof: get-proof or get-unsat-core) occurs.
	CheckSat, GetModel, GetProof bool
	// Timeout is what `(set-option :timeout MS)` gives the decision, the last one before check-sat; 0 is no limit.
	Timeout time.Duration
	// SyGuS says that it has a command of SyGuS, whose answer is a definition for each of Declared.
	SyGuS bool
	// Rules says that it is a rule file: it has declare-rel, rule or query.
	Rules bool
	// Declared are the predicates of the source in declaration order. System.Predicates starts with them; after them
	// come those that the reader made to split large disjunctions.
	Declared []*chc.Predicate
	// Unsupported says what was left out; then Read returns the first of them as its error too.
	Unsupported []Diagnostic

	// symbols is what names mean at the end of the script, for reading witnesses; nil for clauses that were built and not read,
	// whose witnesses are read where their sorts are Bool, Int, Real, bit-vectors and arrays of these.
	symbols *table
}

// Diagnostic is a remark on a place of the source.
type Diagnostic struct {
	Pos chc.Position
	Msg string
}

// reader reads one source.
type reader struct {
	lexer
	*table
	pool   *term.Pool
	script *Script
	// witness says that a witness is read, or may be, not only a script.
	witness bool

	// The stacks of termHere.
	frames   []frame
	operands []operand
	names    []symbolID
	bound    []quantified
	trail    []hidden
	// args is a scratch slice for the arguments of one application.
	args     []*term.Term
	openLets int
	// active counts the open quantifiers that bind a variable.
	active map[*term.Term]int

	// commandOff is where the current command starts.
	commandOff     int
	sortExpansions int
	// sortsExpanded counts the definitions that the sort that is being read applies, sortParts the sorts that an array
	// sort is made of.
	sortsExpanded int
	sortParts     map[*term.Sort]int
	// globals are the variables of declare-var. macroIsOpen says that the term just read has one of them, openMacros
	// that a macro's body has.
	globals                 map[*term.Term]bool
	macroIsOpen, openMacros bool

	// What is known of the formula being read: its name, where its atoms are, and the variables that its clauses bind,
	// each with the quantifier that it was freed from (nil for one at the root).
	clauseName string
	atoms      map[*term.Term]int
	taken      map[*term.Term]*term.Term

	predicates map[*term.Func]*chc.Predicate
	// pending are the definitions of a model that are not read yet.
	pending map[symbolID]bool
	// deferring says that the fields of datatypes are being read, whose sorts are not known yet.
	deferring bool
	horn      *extractor
	// assumptions are those of SyGuS, under which its constraints hold.
	assumptions []*term.Term
	// embedded is the language that the source is in; nil for SMT-LIB itself.
	embedded *Embedded
}

// DeclaredSystem is the script's system as far as its user knows it: without the predicates that the reader made. A model of
// the whole system interprets each predicate by itself, so what is left is complete.
func (s *Script) DeclaredSystem() *chc.System {
	sys := *s.System
	sys.Predicates = s.Declared
	return &sys
}

func newReader(name string, src []byte, p *term.Pool, symbols *table) *reader {
	return &reader{
		lexer: newLexer(name, src), table: symbols, pool: p,
		active: map[*term.Term]int{}, globals: map[*term.Term]bool{}, atoms: map[*term.Term]int{},
		taken: map[*term.Term]*term.Term{}, predicates: map[*term.Func]*chc.Predicate{},
	}
}

// Read reads the script src, building its terms in p. name stands in positions. A failure is an *Error; when it wraps
// ErrUnsupported the script comes with it, as far as it was understood, and the rest of the source has balanced
// parentheses.
func Read(name string, src []byte, p *term.Pool) (script *Script, err error) {
	r := newReader(name, src, p, newTable())
	r.script = &Script{Name: name, Source: src, System: &chc.System{Pool: p}, symbols: r.table}
	r.horn = newExtractor(r)
	if err := r.run(r.commands); err != nil {
		e := err.(*Error)
		notHornSyGuS(e, r.script)
		if !e.Unsupported {
			return nil, err
		}
		r.script.Unsupported = append(r.script.Unsupported, Diagnostic{e.Pos, e.Msg})
		// The rest cannot be understood without what was left out, but it must at least consist of s-expressions.
		r.pos = r.commandOff
		if err := r.run(r.balance); err != nil {
			return nil, err
		}
		r.finish()
		return r.script, err
	}
	r.finish()
	return r.script, nil
}

// run calls f and returns the error that it bails out with.
func (r *reader) run(f func()) (err error) {
	defer rescue(&err)
	f()
	return nil
}

// balance reads commands without understanding them.
func (r *reader) balance() {
	for r.next(); r.kind != tokEOF; r.next() {
		if r.kind != tokOpen {
			r.fail(r.off, "expected '(' before a command, got %s", r.what())
		}
		r.skip(r.off)
	}
}

// finish gives the predicates that the reader made names that the source does not use.
func (r *reader) finish() {
	s := r.script
	s.Declared = slices.Clip(s.System.Predicates)
	for _, p := range r.horn.auxiliary {
		for r.lookup(p.Name) != nil {
			p.Name += "!"
		}
		p.ID = len(s.System.Predicates)
		s.System.Predicates = append(s.System.Predicates, p)
	}
}
