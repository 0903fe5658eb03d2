package smtlib

import (
	"math/big"
	"strconv"
	"strings"

	"hornbeam/chc/term"
)

// function returns what the symbol means as a function; the current token is the symbol.
func (r *reader) function(id symbolID) *function {
	s := r.at(id)
	if s.local.t != nil {
		r.fail(r.off, "%s is a variable here and cannot be applied", term.QuoteSymbol(s.name))
	}
	if s.fn != nil && s.fn.kind == pendingFunc {
		r.unsupported(r.off, "%s is defined by recursion; write it as a predicate over its arguments and its value", term.QuoteSymbol(s.name))
	}
	if s.fn != nil {
		return s.fn
	}
	if name, ok := strings.CutPrefix(s.name, "is-"); ok {
		if f := r.lookup(name); f != nil && f.kind == constructorFunc {
			return tester(f, s.name)
		}
	}
	if r.pending[id] {
		r.fail(r.off, "the definition of %s refers to itself, directly or through others", term.QuoteSymbol(s.name))
	}
	if unsupportedSymbol(s.name) {
		r.unsupported(r.off, "%s", s.name)
	}
	r.fail(r.off, "unknown symbol %s", term.QuoteSymbol(s.name))
	return nil
}

// lookup returns what the name means as a function, or nil.
func (r *reader) lookup(name string) *function {
	if id, ok := r.ids[name]; ok {
		return r.at(id).fn
	}
	return nil
}

// unsupportedSymbol reports whether a name belongs to a theory that the reader does not know.
func unsupportedSymbol(name string) bool {
	for _, p := range []string{"str.", "re.", "fp.", "seq.", "set.", "bag.", "ff.", "rel.", "sets."} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	switch name {
	case "lambda", "choice", "^", "sin", "cos", "tan", "exp", "pi", "sqrt", "map", "as-array", "int2real",
		"real2int", "fp", "to_fp", "to_fp_unsigned",
		"RNE", "RNA", "RTP", "RTN", "RTZ", "char", "+oo", "-oo", "+zero", "-zero", "NaN":
		return true
	}
	return false
}

// compoundHead reads a head in parentheses, `(_ f i…)` or `(as f sort)`; the current token is its '('.
func (r *reader) compoundHead(f *frame) {
	r.expectSymbol("_ or as")
	if !r.word("_") && !r.word("as") {
		r.fail(r.off, "expected _ or as, got %s", r.what())
	}
	r.indexedOrQualified(f)
	if f.value != nil {
		r.fail(f.headOff, "a constant cannot be applied")
	}
}

// indexedOrQualified reads the rest of `(_ f i…)` or `(as f sort)`, the `)` included.
func (r *reader) indexedOrQualified(f *frame) {
	qualified := r.word("as")
	r.expectSymbol("a function symbol")
	if !qualified {
		r.indexed(f)
		return
	}
	isConst := r.word("const")
	off, name := r.off, string(r.text())
	if !isConst && name[:min(1, len(name))] != "@" {
		f.head = r.function(r.intern(r.text()))
	}
	f.sort = r.sort()
	r.expect(tokClose, "after the sort of as")
	if f.head == nil && !isConst {
		f.value = r.element(off, name, f.sort)
		return
	}
	switch {
	case isConst:
		if !f.sort.IsArray() {
			r.fail(off, "(as const …) needs an array sort, got %s", f.sort)
		}
		f.head = constArray
	case f.head.kind == operatorFunc:
		r.fail(off, "%s cannot be qualified by a sort", f.head.name)
	case f.head.kind == constructorFunc && f.head.data != nil && f.sort.IsDatatype() && f.sort.Data.Generic == f.head.data.generic:
		f.head = r.concrete(f.head, f.sort)
	case f.head.data != nil:
		r.fail(off, "%s is no constructor of the sort %s", term.QuoteSymbol(f.head.name), f.sort)
	case f.head.rng != f.sort:
		r.fail(off, "%s has sort %s, not %s", term.QuoteSymbol(f.head.name), f.head.rng, f.sort)
	}
}

// element is the element `@sort!number` of an uninterpreted sort, as term.Write prints it. Only witnesses have
// elements: a script cannot name the elements of a universe.
func (r *reader) element(off int, name string, s *term.Sort) *term.Term {
	if !r.witness {
		r.unsupported(off, "%s, an element of the sort %s, stands only in models and refutations", term.QuoteSymbol(name), s)
	}
	if s.Kind == term.UninterpretedKind {
		if digits, ok := strings.CutPrefix(name, "@"+s.Name+"!"); ok {
			if n, err := strconv.Atoi(digits); err == nil && n >= 0 {
				return r.pool.Element(s, n)
			}
		}
	}
	r.fail(off, "%s is no element of the sort %s", term.QuoteSymbol(name), s)
	return nil
}

// constArray is the head `(as const sort)`.
var constArray = &function{kind: operatorFunc, name: "(as const …)", op: &operator{name: "(as const …)", min: 1, max: 1,
	build: func(r *reader, f *frame, a []operand) *term.Term {
		return r.pool.ConstArray(f.sort, r.coerce(a[0], f.sort.Elem, "the element"))
	}}}

// indexed reads the rest of `(_ f i…)`; the current token is f.
func (r *reader) indexed(f *frame) {
	off, name := r.off, string(r.text())
	if value, ok := strings.CutPrefix(name, "bv"); ok && value != "" && strings.Trim(value, "0123456789") == "" {
		w := r.index("a width")
		if w < 1 || w > maxWidth {
			r.fail(r.off, "a bit-vector has 1 to %d bits", maxWidth)
		}
		n, _ := new(big.Int).SetString(value, 10)
		if n.BitLen() > w {
			n.And(n, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(w)), big.NewInt(1)))
		}
		f.value = r.pool.BVNum(term.NumFromBig(n), w)
		r.expect(tokClose, "after the width")
		return
	}
	if name == "is" {
		f.head = r.tester()
		r.expect(tokClose, "after the constructor")
		return
	}
	if name == "update-field" || name == "update" { // Z3's name and cvc5's
		f.head = r.updater(name)
		r.expect(tokClose, "after the selector")
		return
	}
	op := indexedOperators[name]
	if op == nil {
		if unsupportedSymbol(name) {
			r.unsupported(off, "(_ %s …)", name)
		}
		r.fail(off, "unknown indexed symbol %s", term.QuoteSymbol(name))
	}
	for i := range op.indices {
		if name == "divisible" {
			r.divisor(f)
			break
		}
		f.index[i] = r.index("an index")
	}
	r.expect(tokClose, "after the indices")
	f.head = &function{kind: operatorFunc, name: name, op: op}
}

// divisor reads the index of divisible, which may be any positive number; it becomes the frame's value while the
// operand is read.
func (r *reader) divisor(f *frame) {
	r.expect(tokNumeral, "as the divisor")
	f.divisor = r.numeral(false, string(r.text()))
	if f.divisor.Num().Sign() <= 0 {
		r.fail(r.off, "divisible needs a positive number")
	}
}

// tester reads the constructor of `(_ is C)`, or Z3's `(_ is (C (sorts) sort))`.
func (r *reader) tester() *function {
	r.next()
	open, paren := r.off, r.kind == tokOpen
	if paren {
		r.next()
	}
	r.wantSymbol("a constructor")
	c := r.function(r.intern(r.text()))
	if c.kind != constructorFunc {
		r.fail(r.off, "%s is no constructor", term.QuoteSymbol(c.name))
	}
	if paren {
		r.skip(open)
	}
	return tester(c, "is-"+c.name)
}

// apply builds the application of f's head to args.
func (r *reader) apply(f *frame, args []operand) operand {
	if f.value != nil {
		return operand{t: f.value}
	}
	head := f.head
	if head.kind == operatorFunc {
		return r.applyOperator(f, args)
	}
	if head.data != nil {
		head = r.instanceFor(head, args, f.headOff)
	}
	if len(args) != len(head.domain) {
		r.fail(f.headOff, "%s takes %d arguments, got %d", term.QuoteSymbol(head.name), len(head.domain), len(args))
	}
	pred := false
	for i, a := range args {
		if a.pred {
			// A macro may put an argument under connectives; anywhere else a predicate is out of place.
			if head.kind != macroFunc {
				r.predicateInTerm(a, head.name)
			}
			pred = true
		}
		r.args = append(r.args, r.coerceArg(a, head.domain[i], i, head.name))
	}
	o := operand{pred: pred}
	switch head.kind {
	case predicateFunc:
		o.t, o.pred = r.pool.Apply(head.fn, r.args...), true
		if _, seen := r.atoms[o.t]; !seen {
			r.atoms[o.t] = f.headOff
		}
	case constructorFunc:
		o.t = r.pool.Construct(head.ctor, r.args...)
	case selectorFunc:
		o.t = r.pool.Field(head.sel, r.args[0])
	case testerFunc:
		o.t = r.pool.Is(head.ctor, r.args[0])
	case updaterFunc:
		o.t = r.update(head.sel, r.args[0], r.args[1])
	case macroFunc:
		o.t, o.pred = head.body, head.hasPred || pred
		if len(head.params) > 0 {
			m := make(map[*term.Term]*term.Term, len(head.params))
			for i, p := range head.params {
				m[p] = r.args[i]
			}
			o.t = r.pool.Substitute(head.body, m)
		}
		if o.pred {
			r.checkPlacement(o.t, f.headOff)
		}
	case variableFunc:
		o.t = head.body
		r.macroIsOpen = true
	case definedFunc:
		o.t = r.pool.Apply(head.fn, r.args...)
	case uninterpretFunc:
		if len(head.domain) > 0 {
			r.unsupported(f.headOff, "%s is an uninterpreted function, which a model chooses; that Horn clauses cannot say",
				term.QuoteSymbol(head.name))
		}
		r.unsupported(f.headOff, "%s is a constant that a model chooses, which Horn clauses cannot say; bind it in each clause, or use declare-var",
			term.QuoteSymbol(head.name))
	}
	return o
}

// applyOperator builds the application of a theory's operator.
func (r *reader) applyOperator(f *frame, args []operand) operand {
	op := f.head.op
	if len(args) < op.min || op.max >= 0 && len(args) > op.max {
		switch {
		case op.min == op.max:
			r.fail(f.headOff, "%s takes %d arguments, got %d", op.name, op.min, len(args))
		case len(args) < op.min:
			r.fail(f.headOff, "%s takes at least %d arguments, got %d", op.name, op.min, len(args))
		default:
			r.fail(f.headOff, "%s takes at most %d arguments, got %d", op.name, op.max, len(args))
		}
	}
	if f.pos == rootPos && op.id == opImplies || f.pos == conjunct && op.id == opAnd {
		return operand{spine: r.spineOf(op, args)}
	}
	pred := false
	for _, a := range args {
		if a.pred {
			if !op.connective {
				r.predicateInTerm(a, op.name)
			}
			pred = true
		}
	}
	t := op.build(r, f, args)
	if pred && t.Sort() != term.Bool {
		r.predicateInTerm(args[0], op.name)
	}
	return operand{t: t, pred: pred}
}

// spineOf collects the operands of the implication at a formula's root, or of a conjunction directly below it.
func (r *reader) spineOf(op *operator, args []operand) *spine {
	s := &spine{}
	for i, a := range args {
		list := &s.heads
		if op.id == opImplies && i < len(args)-1 {
			list = &s.hyps
		}
		if a.spine != nil {
			*list = append(*list, a.spine.heads...)
			continue
		}
		r.wantBool(a, i, op.name)
		*list = append(*list, a)
	}
	return s
}

// coerce returns o's term as one of sort s; an Int becomes Real where Real is wanted.
func (r *reader) coerce(o operand, s *term.Sort, what string) *term.Term {
	if t := r.converted(o.t, s); t != nil {
		return t
	}
	r.fail(o.off, "%s should have sort %s, but has sort %s", what, s, o.t.Sort())
	return nil
}

// converted returns t as a term of sort s; nil when it has another sort.
func (r *reader) converted(t *term.Term, s *term.Sort) *term.Term {
	switch {
	case t.Sort() == s:
		return t
	case t.Sort() == term.Int && s == term.Real:
		return r.pool.ToReal(t)
	}
	return nil
}

// coerceArg is coerce for the i-th argument of the function of that name.
func (r *reader) coerceArg(o operand, s *term.Sort, i int, name string) *term.Term {
	if t := r.converted(o.t, s); t != nil {
		return t
	}
	r.fail(o.off, "argument %d of %s should have sort %s, but has sort %s", i+1, term.QuoteSymbol(name), s, o.t.Sort())
	return nil
}

// predicateInTerm fails because o, an argument of the named function, contains a predicate.
func (r *reader) predicateInTerm(o operand, name string) {
	off, atom := o.off, "a predicate"
	if a := r.firstAtom(o.t); a != nil {
		off, atom = r.atomOffset(a, off), term.QuoteSymbol(a.Name())
	}
	r.fail(off, "not a Horn clause: predicate %s occurs inside a term, as an argument of %s", atom, name)
}

// isAtom reports whether t applies a predicate.
func isAtom(t *term.Term) bool { return t.Op() == term.Apply }

// firstAtom returns a predicate's application in t, or nil.
func (r *reader) firstAtom(t *term.Term) (atom *term.Term) {
	term.Walk(t, func(u *term.Term) bool {
		if atom == nil && isAtom(u) {
			atom = u
		}
		return atom == nil
	})
	return atom
}

// atomOffset is where the atom was read; off when a macro's expansion made it.
func (r *reader) atomOffset(atom *term.Term, off int) int {
	if at, ok := r.atoms[atom]; ok {
		return at
	}
	return off
}

// checkPlacement fails when a macro's expansion has a predicate below anything but connectives.
func (r *reader) checkPlacement(t *term.Term, off int) {
	term.Walk(t, func(u *term.Term) bool {
		if isConnective(u) {
			return true
		}
		for _, a := range u.Args() {
			if r.firstAtom(a) != nil {
				r.predicateInTerm(operand{t: a, off: off}, u.Op().String())
			}
		}
		if isAtom(u) {
			if _, seen := r.atoms[u]; !seen {
				r.atoms[u] = off
			}
		}
		return false
	})
}

// isConnective reports whether t combines Booleans.
func isConnective(t *term.Term) bool {
	switch t.Op() {
	case term.Not, term.And, term.Or, term.Forall, term.Exists:
		return true
	case term.Ite:
		return t.Sort() == term.Bool
	case term.Eq:
		return t.Arg(0).Sort() == term.Bool
	}
	return false
}
