package smtlib

import (
	"math/big"

	"hornbeam/chc/term"
)

// operand is a finished subterm.
type operand struct {
	t *term.Term
	// spine replaces t at the top of a clause, whose connectives are kept apart instead of being built.
	spine *spine
	off   int
	// pred says that predicates occur in it.
	pred bool
}

// spine is a conjunction of conclusions under a conjunction of hypotheses, in the source's order.
type spine struct{ hyps, heads []operand }

// position is where in an asserted formula a frame stands.
type position uint8

const (
	inner    position = iota
	rootPos           // the formula itself: nothing but let, ! and forall around it
	conjunct          // an antecedent or the consequent of the => at the root, or a conjunct of one
)

type frameKind uint8

const (
	applyFrame    frameKind = iota // ( head . operands )
	letFrame                       // ( let ( . bindings )
	bindingFrame                   // ( name . operand )
	letBodyFrame                   // ( let ( … ) . operand )
	quantifyFrame                  // ( forall ( … ) . operand )
	annotateFrame                  // ( ! . operand attributes )
	matchFrame                     // ( match . operand
	casesFrame                     // ( match operand ( . operands
	caseFrame                      // ( pattern . operand )
)

// frame is an open parenthesis.
type frame struct {
	kind frameKind
	pos  position
	// exists tells the quantifiers apart.
	exists bool
	off    int
	// operands[base:] are the frame's; names[names:] its let names, bound[bound:] its quantified variables;
	// trail[trail:] is what its bindings hid.
	base, names, bound, trail int
	head                      *function
	headOff                   int
	index                     [2]int
	// sort is the ascribed sort of `as`.
	sort *term.Sort
	// value is what an indexed identifier such as (_ bv5 32) stands for.
	value *term.Term
	// divisor is the index of divisible.
	divisor *term.Term
	// match is that of a casesFrame.
	match *matching
}

// term reads a term, starting at the next token. pos is rootPos for an asserted formula, else inner.
func (r *reader) term(pos position) operand {
	r.next()
	return r.termHere(pos)
}

// termHere reads the term that starts at the current token. It keeps its own stack: terms may be nested as deep as
// memory allows.
func (r *reader) termHere(pos position) operand {
	base := len(r.frames)
	for ; ; r.next() {
		switch r.kind {
		case tokOpen:
			switch {
			case base == len(r.frames):
				r.open(pos)
			case r.top().kind == letFrame:
				r.openBinding()
			case r.top().kind == matchFrame && r.matchedTerm() != nil:
				r.openCases()
			case r.top().kind == casesFrame:
				r.openCase()
			default:
				r.open(r.childPosition(base, pos))
			}
		case tokClose:
			if len(r.frames) == base {
				r.fail(r.off, "unexpected ')'")
			}
			r.closeFrame()
		case tokKeyword:
			if len(r.frames) == base || r.top().kind != annotateFrame || len(r.operands) == r.top().base {
				r.fail(r.off, "unexpected keyword %s", r.what())
			}
			r.attributes()
		case tokEOF:
			if len(r.frames) > base {
				r.unclosed(r.top().off)
			}
			r.unclosed(r.commandOff)
		default:
			if base < len(r.frames) && r.top().kind == letFrame {
				r.fail(r.off, "expected a binding (name term), got %s", r.what())
			}
			if base < len(r.frames) && (r.top().kind == casesFrame || r.top().kind == matchFrame && r.matchedTerm() != nil) {
				r.fail(r.off, "expected a case (pattern term), got %s", r.what())
			}
			r.push(r.atom())
		}
		if len(r.frames) == base {
			o := r.operands[len(r.operands)-1]
			r.operands = r.operands[:len(r.operands)-1]
			return o
		}
	}
}

func (r *reader) top() *frame { return &r.frames[len(r.frames)-1] }

func (r *reader) push(o operand) { r.operands = append(r.operands, o) }

// childPosition is the position of a term that opens now; at the bottom of the stack it is pos.
func (r *reader) childPosition(base int, pos position) position {
	if len(r.frames) == base {
		return pos
	}
	switch f := r.top(); f.kind {
	case letBodyFrame, annotateFrame:
		return f.pos
	case quantifyFrame:
		if f.pos == rootPos && !f.exists {
			return rootPos
		}
	case applyFrame:
		switch {
		case f.pos == inner || f.head.kind != operatorFunc:
		case f.pos == rootPos && f.head.op.id == opImplies, f.pos == conjunct && f.head.op.id == opAnd:
			return conjunct
		}
	}
	return inner
}

// open starts the term whose '(' is the current token.
func (r *reader) open(pos position) {
	f := frame{kind: applyFrame, pos: pos, off: r.off, base: len(r.operands), names: len(r.names), bound: len(r.bound), trail: len(r.trail)}
	r.next()
	f.headOff = r.off
	switch r.kind {
	case tokOpen:
		r.compoundHead(&f)
	case tokQuoted:
		f.head = r.function(r.intern(r.text()))
	case tokSymbol:
		switch string(r.text()) {
		case "let":
			f.kind = letFrame
			r.expect(tokOpen, "before the bindings of let")
		case "forall", "exists":
			f.kind, f.exists = quantifyFrame, r.text()[0] == 'e'
			r.frames = append(r.frames, f)
			r.quantifiedVars()
			return
		case "!":
			f.kind = annotateFrame
		case "_", "as":
			// An indexed or qualified constant; an applied one stands in parentheses of its own.
			r.indexedOrQualified(&f)
			r.push(r.constant(&f))
			return
		case "match":
			f.kind = matchFrame
		case "par":
			r.fail(r.off, "par stands only in declarations")
		default:
			f.head = r.function(r.intern(r.text()))
		}
	case tokEOF:
		r.unclosed(f.off)
	default:
		r.fail(r.off, "expected a function symbol, got %s", r.what())
	}
	r.frames = append(r.frames, f)
}

// openBinding starts a let binding whose '(' is the current token.
func (r *reader) openBinding() {
	f := frame{kind: bindingFrame, off: r.off, base: len(r.operands), names: len(r.names), bound: len(r.bound), trail: len(r.trail)}
	r.expectSymbol("the name of a let binding")
	id := r.intern(r.text())
	for _, other := range r.names[r.top().names:] {
		if other == id {
			r.fail(r.off, "let binds %s twice", term.QuoteSymbol(r.at(id).name))
		}
	}
	// The name is on the stack below the frame, where openLetBody finds it when all bindings are read.
	r.names = append(r.names, id)
	f.names = len(r.names)
	r.frames = append(r.frames, f)
}

// closeFrame ends the innermost open term at the current ')'.
func (r *reader) closeFrame() {
	f := *r.top()
	args := r.operands[f.base:]
	switch f.kind {
	case letFrame:
		r.openLetBody()
		return
	case bindingFrame:
		r.one(args, "a let binding")
		if args[0].t == nil {
			panic("smtlib: spine in a binding")
		}
		r.frames = r.frames[:len(r.frames)-1]
		return // the value stays for the let
	case applyFrame:
		r.args = r.args[:0]
		o := r.apply(&f, args)
		o.off = f.off
		r.operands = append(r.operands[:f.base], o)
	case letBodyFrame:
		r.one(args, "let")
		r.openLets--
	case matchFrame:
		r.fail(r.off, "match needs a term and cases")
	case casesFrame:
		o := r.closeMatch(&f)
		r.operands = append(r.operands[:f.base], o)
		r.expect(tokClose, "after the cases of match")
	case caseFrame:
		r.one(args, "a case of match")
		r.openLets--
	case quantifyFrame:
		r.one(args, "a quantifier")
		r.operands[f.base] = r.quantify(&f, args[0])
	case annotateFrame:
		r.one(args, "!")
	}
	r.restore(f.trail)
	for _, q := range r.bound[f.bound:] {
		r.active[q.v]--
	}
	r.names, r.bound = r.names[:f.names], r.bound[:f.bound]
	r.frames = r.frames[:len(r.frames)-1]
}

// one checks that there is exactly one operand.
func (r *reader) one(args []operand, what string) {
	switch {
	case len(args) == 0:
		r.fail(r.off, "%s needs a term", what)
	case len(args) > 1:
		r.fail(args[1].off, "%s has one term, but there are more", what)
	}
}

// openLetBody binds, all at once, the names of the innermost let to their values.
func (r *reader) openLetBody() {
	f := r.top()
	values, names := r.operands[f.base:], r.names[f.names:]
	if len(values) == 0 {
		r.fail(r.off, "let without bindings")
	}
	for i, id := range names {
		r.bind(id, values[i])
	}
	r.operands, r.names = r.operands[:f.base], r.names[:f.names]
	f.kind = letBodyFrame
	r.openLets++
}

// attributes reads the attributes of `!`, up to its ')', and closes it.
func (r *reader) attributes() {
	f := r.top()
	for r.kind != tokClose {
		if r.kind == tokEOF {
			r.unclosed(f.off)
		}
		if r.kind != tokKeyword {
			r.fail(r.off, "expected a keyword, got %s", r.what())
		}
		named := string(r.text()) == ":named"
		r.next()
		if named {
			r.wantSymbol("a name")
			r.named(f, r.operands[len(r.operands)-1])
			r.next()
			continue
		}
		for r.kind != tokKeyword && r.kind != tokClose {
			switch r.kind {
			case tokOpen:
				r.skip(r.off)
			case tokEOF:
				r.unclosed(f.off)
			}
			r.next()
		}
	}
	r.closeFrame()
}

// named handles `:named`: at the root of a formula it names the clause; a closed term below it becomes a constant.
func (r *reader) named(f *frame, o operand) {
	id := r.intern(r.text())
	if f.pos == rootPos {
		if r.clauseName == "" {
			r.clauseName = r.at(id).name
		}
		// An assertion is true wherever its name stands.
		if s := r.at(id); s.fn == nil && len(r.bound) == 0 && len(r.globals) == 0 {
			s.fn = &function{kind: macroFunc, name: s.name, off: r.off, body: r.pool.True(), rng: term.Bool, label: true}
		}
		return
	}
	if o.t != nil && o.t.IsGround() {
		r.declare(id, r.off, &function{kind: macroFunc, body: o.t, rng: o.t.Sort(), hasPred: o.pred})
	}
}

// atom returns the constant or variable that the current token is.
func (r *reader) atom() operand {
	switch r.kind {
	case tokSymbol, tokQuoted:
		id := r.intern(r.text())
		s := r.at(id)
		if s.local.t != nil {
			return operand{t: s.local.t, off: r.off, pred: s.local.pred}
		}
		if s.fn == nil {
			if r.kind == tokSymbol {
				if n := r.signedNumeral(); n != nil {
					return operand{t: n, off: r.off}
				}
			}
		}
		f := frame{kind: applyFrame, off: r.off, headOff: r.off, base: len(r.operands), head: r.function(id)}
		return r.constant(&f)
	case tokNumeral, tokDecimal:
		return operand{t: r.numeral(r.kind == tokDecimal, string(r.text())), off: r.off}
	case tokHex, tokBinary:
		base, perDigit := 16, 4
		if r.kind == tokBinary {
			base, perDigit = 2, 1
		}
		n, _ := new(big.Int).SetString(string(r.text()), base)
		width := perDigit * (r.end - r.start)
		if width > maxWidth {
			r.unsupported(r.off, "bit-vectors of more than %d bits", maxWidth)
		}
		return operand{t: r.pool.BVNum(term.NumFromBig(n), width), off: r.off}
	case tokString:
		r.unsupported(r.off, "string literals")
	}
	r.fail(r.off, "expected a term, got %s", r.what())
	panic("unreachable")
}

// constant applies the head of f to no arguments.
func (r *reader) constant(f *frame) operand {
	r.args = r.args[:0]
	o := r.apply(f, nil)
	o.off = f.off
	return o
}

func (r *reader) numeral(decimal bool, text string) *term.Term {
	n, err := term.ParseNum(text)
	if err != nil {
		r.fail(r.off, "malformed number %s", clip([]byte(text)))
	}
	if decimal {
		return r.pool.Real(n)
	}
	return r.pool.IntNum(n)
}

// signedNumeral returns the number that the current symbol spells with a minus sign, as Z3 allows, or nil.
func (r *reader) signedNumeral() *term.Term {
	b := r.text()
	if len(b) < 2 || b[0] != '-' {
		return nil
	}
	dots := 0
	for i, c := range b[1:] {
		if c == '.' && i > 0 && i < len(b)-2 {
			dots++
		} else if classes[c]&classDigit == 0 {
			return nil
		}
	}
	if dots > 1 {
		return nil
	}
	return r.numeral(dots == 1, string(b))
}
