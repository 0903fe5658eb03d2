package smtlib

import (
	"math"
	"slices"
	"strconv"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// commands reads commands up to the end of the source or an exit.
func (r *reader) commands() {
	for {
		r.next()
		if r.kind == tokEOF {
			return
		}
		r.commandOff = r.off
		if r.kind != tokOpen {
			r.fail(r.off, "expected '(' before a command, got %s", r.what())
		}
		r.expectSymbol("a command")
		if r.word("exit") {
			r.expectEnd("exit")
			return
		}
		r.command(string(r.text()))
	}
}

// command reads the rest of a command; its name is the current token.
func (r *reader) command(name string) {
	off := r.off
	switch name {
	case "assert":
		r.incremental("assert")
		r.formula(rootPos, false, r.horn.assert)
	case "rule":
		r.script.Rules = true
		r.formula(rootPos, true, r.horn.assert)
	case "query":
		r.script.Rules = true
		r.query()
	case "declare-fun":
		r.declareFun(true)
	case "declare-const":
		r.declareFun(false)
	case "declare-rel":
		r.script.Rules = true
		r.declareRel()
	case "declare-var":
		r.script.Rules = true
		r.declareVar()
	case "define-fun":
		r.defineFun()
	case "define-const":
		r.defineConst()
	case "define-fun-rec":
		r.unfold([]recursive{r.defineFunRec(r.commandOff)}, true)
	case "define-funs-rec":
		r.unfold(r.defineFunsRec(r.commandOff), false)
	case "declare-sort":
		r.declareSort()
	case "define-sort":
		r.defineSort()
	case "declare-datatype":
		r.declareDatatype()
	case "declare-datatypes":
		r.declareDatatypes()
	case "set-logic":
		r.expectSymbol("a logic")
		r.script.Logic = string(r.text())
		r.expectEnd("set-logic")
	case "set-info":
		r.setInfo()
	case "check-sat":
		r.script.CheckSat = true
		r.expectEnd("check-sat")
	case "get-model":
		r.script.GetModel = true
		r.skip(r.commandOff)
	case "get-proof", "get-unsat-core":
		r.script.GetProof = true
		r.skip(r.commandOff)
	case "set-option":
		r.setOption()
	case "synth-inv", "synth-fun", "declare-primed-var", "constraint", "assume", "inv-constraint", "chc-constraint", "check-synth", "set-feature":
		r.sygus(name)
	case "echo", "get-info", "get-option", "get-value", "get-assertions", "get-assignment", "get-unsat-assumptions",
		"get-interpolants", "get-interpolant", "eval", "display", "labels", "help":
		// These change what is printed, not what the clauses say.
		r.skip(r.commandOff)
	case "push", "pop", "reset", "reset-assertions", "check-sat-assuming", "assert-soft",
		"minimize", "maximize", "declare-heap", "declare-codatatypes", "declare-codatatype", "declare-tactic", "check-sat-using",
		"apply", "simplify", "define-funs", "block-model", "declare-datalog", "include", "eufi", "declare-map":
		r.unsupported(off, "command %s", name)
	default:
		if r.end == len(r.src) {
			r.next()
			r.unclosed(r.commandOff) // which may have cut off the name
		}
		r.fail(off, "unknown command %s", term.QuoteSymbol(name))
	}
}

// incremental refuses commands that change the problem after check-sat.
func (r *reader) incremental(command string) {
	if r.script.CheckSat {
		r.unsupported(r.off, "%s after check-sat (incremental scripts)", command)
	}
}

// formula reads the rest of a command that has a formula, a name if it may have one, and attributes, and hands it on.
func (r *reader) formula(pos position, named bool, then func(operand)) {
	r.clauseName = ""
	clear(r.atoms)
	clear(r.taken)
	o := r.term(pos)
	if o.spine == nil {
		if s := o.t.Sort(); s != term.Bool {
			r.fail(o.off, "the formula has sort %s, not Bool", s)
		}
	}
	r.next()
	if named && (r.kind == tokSymbol || r.kind == tokQuoted) {
		r.clauseName = string(r.text())
		r.next()
	}
	r.keywords()
	r.close("the command")
	then(o)
}

// keywords passes over `:key value` pairs.
func (r *reader) keywords() {
	for r.kind == tokKeyword {
		for r.next(); r.kind != tokKeyword && r.kind != tokClose; r.next() {
			switch r.kind {
			case tokOpen:
				r.skip(r.off)
			case tokEOF:
				r.unclosed(r.commandOff)
			}
		}
	}
}

// query reads the rest of `(query P)`, `(query (P x))` or `(query formula)`.
func (r *reader) query() {
	back := r.lexer
	r.next()
	if r.kind == tokSymbol || r.kind == tokQuoted {
		if f := r.at(r.intern(r.text())).fn; f != nil && f.kind == predicateFunc && len(f.domain) > 0 {
			// A predicate without arguments is a query for any of its tuples.
			off := r.off
			r.next()
			r.keywords()
			r.close("query")
			r.clauseName = ""
			r.horn.queryAll(f, off)
			return
		}
	}
	r.lexer = back
	r.formula(inner, false, r.horn.query)
}

// declare gives the symbol a meaning as a function; off is where it stands.
func (r *reader) declare(id symbolID, off int, f *function) {
	s := r.at(id)
	f.name, f.off = s.name, off
	if old := s.fn; old != nil && !old.label {
		// The named operators of a theory may be redefined, as in Z3: a script that declares a predicate "repeat"
		// does not mean the bit-vectors'.
		if old.kind != operatorFunc {
			at := r.position(old.off)
			r.fail(off, "%s is already declared at %d:%d", term.QuoteSymbol(s.name), at.Line, at.Column)
		}
		if old.op.connective || classes[s.name[0]]&(classDigit|classHex) == 0 && !isLetter(s.name[0]) || s.name == "true" || s.name == "false" {
			r.fail(off, "%s is already declared by a theory", s.name)
		}
	}
	s.fn = f
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// newSymbol reads a symbol to be declared.
func (r *reader) newSymbol(what string) (symbolID, int) {
	r.expectSymbol(what)
	if r.kind == tokSymbol && reserved[string(r.text())] {
		r.fail(r.off, "%s is a reserved word", r.text())
	}
	return r.intern(r.text()), r.off
}

var reserved = map[string]bool{"let": true, "forall": true, "exists": true, "!": true, "_": true, "as": true, "match": true, "par": true}

// sortList reads `(sort…)`, starting at the next token.
func (r *reader) sortList(where string) []*term.Sort {
	r.expect(tokOpen, where)
	open := r.off
	var sorts []*term.Sort
	for r.next(); r.kind != tokClose; r.next() {
		if r.kind == tokEOF {
			r.unclosed(open)
		}
		sorts = append(sorts, r.sortHere(0))
	}
	return sorts
}

// declareFun reads the rest of `(declare-fun name (sorts) sort)` or `(declare-const name sort)`.
func (r *reader) declareFun(hasDomain bool) {
	id, off := r.newSymbol("a function name")
	var domain []*term.Sort
	if hasDomain {
		domain = r.sortList("before the argument sorts")
	}
	rng := r.sort()
	r.expectEnd("the declaration")
	if r.embedded != nil {
		r.embedded.declareSymbol(id, off, domain, rng)
		return
	}
	if rng == term.Bool {
		r.declarePredicate(id, off, domain)
		return
	}
	r.declare(id, off, &function{kind: uninterpretFunc, domain: domain, rng: rng})
}

func (r *reader) declarePredicate(id symbolID, off int, domain []*term.Sort) {
	r.incremental("a predicate")
	sys := r.script.System
	p := &chc.Predicate{ID: len(sys.Predicates), Name: r.at(id).name, Sorts: domain}
	f := &function{kind: predicateFunc, pred: p, fn: r.pool.DeclareFunc(p.Name, domain, term.Bool), domain: domain, rng: term.Bool}
	r.declare(id, off, f)
	r.predicates[f.fn] = p
	sys.Predicates = append(sys.Predicates, p)
}

// declareRel reads the rest of `(declare-rel name (sorts) representations…)`.
func (r *reader) declareRel() {
	id, off := r.newSymbol("a relation name")
	domain := r.sortList("before the argument sorts")
	for r.next(); r.kind == tokSymbol; r.next() {
	}
	r.close("declare-rel")
	r.declarePredicate(id, off, domain)
}

// declareVar reads the rest of `(declare-var name sort)`.
func (r *reader) declareVar() {
	id, off := r.newSymbol("a variable name")
	s := r.sort()
	r.expectEnd("declare-var")
	v := r.pool.Var(r.at(id).name, s)
	if f := r.at(id).fn; f != nil && f.kind == variableFunc && f.body == v {
		return // the same once more, as generated files have it
	}
	r.declare(id, off, &function{kind: variableFunc, body: v, rng: s})
	r.globals[v] = true
}

// parameters reads `((name sort)…)` and binds the names until the caller restores the trail.
func (r *reader) parameters() []*term.Term {
	r.expect(tokOpen, "before the parameters")
	var params []*term.Term
	var ids []symbolID
	r.list("a parameter (name sort)", func() {
		id, off := r.newSymbol("a parameter name")
		if slices.Contains(ids, id) {
			r.fail(off, "parameter %s occurs twice", term.QuoteSymbol(r.at(id).name))
		}
		ids = append(ids, id)
		params = append(params, r.pool.Var(r.at(id).name, r.sort()))
		r.expect(tokClose, "after the parameter's sort")
	})
	for i, id := range ids {
		r.bind(id, operand{t: params[i]})
		r.active[params[i]]++
	}
	return params
}

// macro reads `(parameters) sort body` and returns what it defines. A body that stands elsewhere is read from the state of
// the lexer before it.
func (r *reader) macro(elsewhere *lexer) *function {
	clear(r.atoms)
	clear(r.taken)
	trail := len(r.trail)
	params := r.parameters()
	rng := r.sort()
	if elsewhere != nil {
		r.lexer = *elsewhere
	}
	r.macroIsOpen = false
	o := r.term(inner)
	f := &function{kind: macroFunc, params: params, rng: rng, body: r.coerce(o, rng, "the body"), hasPred: o.pred}
	for _, p := range params {
		f.domain = append(f.domain, p.Sort())
		r.active[p]--
	}
	r.restore(trail)
	r.openMacros = r.openMacros || r.macroIsOpen
	return f
}

// defineFun reads the rest of `(define-fun name (parameters) sort body)`.
func (r *reader) defineFun() {
	id, off := r.newSymbol("a function name")
	f := r.macro(nil)
	r.expectEnd("define-fun")
	r.declare(id, off, f)
}

// unfold defines the functions of define-fun-rec and define-funs-rec, which have been passed over. They are read in the order
// in which they need each other; one that needs itself cannot be applied. The command ends after the body of a single one.
func (r *reader) unfold(ds []recursive, single bool) {
	end := r.lexer
	byID := map[symbolID]int{}
	order := make([]definition, len(ds))
	for i, d := range ds {
		r.declare(d.id, d.off, &function{kind: pendingFunc})
		byID[d.id] = i
	}
	for i, d := range ds {
		for _, id := range r.mentioned(d.body) {
			if j, ok := byID[id]; ok {
				order[i].needs = append(order[i].needs, j)
			}
		}
	}
	for _, i := range inOrder(order) {
		d := ds[i]
		r.lexer = d.head
		f := r.macro(&d.body)
		f.name, f.off = r.at(d.id).name, d.off
		r.at(d.id).fn = f
		if single {
			r.expectEnd("define-fun-rec")
		}
	}
	r.lexer = end
}

// mentioned returns the symbols of the s-expression that begins at the lexer's state.
func (r *reader) mentioned(at lexer) (ids []symbolID) {
	r.lexer = at
	for depth := 0; ; {
		switch r.next(); r.kind {
		case tokOpen:
			depth++
		case tokClose:
			depth--
		case tokSymbol, tokQuoted:
			ids = append(ids, r.intern(r.text()))
		}
		if depth == 0 {
			return ids
		}
	}
}

// defineConst reads the rest of `(define-const name sort body)`.
func (r *reader) defineConst() {
	id, off := r.newSymbol("a constant name")
	rng := r.sort()
	clear(r.atoms)
	clear(r.taken)
	r.macroIsOpen = false
	o := r.term(inner)
	r.openMacros = r.openMacros || r.macroIsOpen
	r.expectEnd("define-const")
	r.declare(id, off, &function{kind: macroFunc, body: r.coerce(o, rng, "the body"), rng: rng, hasPred: o.pred})
}

// setOption reads the rest of `(set-option :keyword value)`. Options but :timeout change what is printed, or how solvers work.
func (r *reader) setOption() {
	r.expect(tokKeyword, "after set-option")
	if string(r.text()) != ":timeout" {
		r.skip(r.commandOff)
		return
	}
	r.next()
	n, err := strconv.ParseUint(string(r.text()), 10, 64)
	if err != nil || r.kind != tokNumeral && r.kind != tokString && r.kind != tokQuoted {
		r.fail(r.off, ":timeout needs a number of milliseconds, got %s", r.what())
	}
	if !r.script.CheckSat {
		r.script.Timeout = 0
		if n < math.MaxUint32 { // that number is Z3's default, no limit
			r.script.Timeout = time.Duration(n) * time.Millisecond
		}
	}
	r.expectEnd("set-option")
}

// setInfo reads the rest of `(set-info :keyword value)`.
func (r *reader) setInfo() {
	r.expect(tokKeyword, "after set-info")
	status := string(r.text()) == ":status"
	for r.next(); r.kind != tokClose; r.next() {
		switch r.kind {
		case tokOpen:
			r.skip(r.off)
		case tokEOF:
			r.unclosed(r.commandOff)
		case tokSymbol:
			if status {
				r.script.Status = string(r.text())
			}
		}
	}
}
