package smtlib

import (
	"hornbeam/chc/term"
)

// matching is what a match frame knows besides its operands, which are the matched term and the cases' results.
type matching struct {
	head *function
	// cases has the constructor of each case that was opened; nil is any.
	cases []*term.Constructor
}

// matchedTerm returns the term that the match on top of the stack is about, or nil while it is not read.
func (r *reader) matchedTerm() *term.Term {
	f := r.top()
	if len(r.operands) == f.base {
		return nil
	}
	return r.operands[f.base].t
}

// openCases starts the cases of the match on top of the stack, whose '(' is the current token.
func (r *reader) openCases() {
	f := r.top()
	o := r.operands[f.base]
	if o.pred {
		r.predicateInTerm(o, "match")
	}
	if s := o.t.Sort(); !s.IsDatatype() {
		r.fail(o.off, "match needs a term of a datatype, but this one has sort %s", s)
	}
	f.kind, f.match = casesFrame, &matching{head: &function{kind: operatorFunc, name: "match"}}
}

// openCase starts the case `(pattern term)` whose '(' is the current token, and binds the variables of its pattern.
func (r *reader) openCase() {
	t, m := r.matchedTerm(), r.top().match
	f := frame{kind: caseFrame, off: r.off, base: len(r.operands), names: len(r.names), bound: len(r.bound), trail: len(r.trail)}
	r.next()
	paren := r.kind == tokOpen
	if paren {
		r.next()
	}
	r.wantSymbol("a pattern")
	off, id := r.off, r.intern(r.text())
	ctor := r.patternConstructor(id, t.Sort())
	if ctor == nil && paren {
		r.fail(off, "%s is no constructor of the sort %s", term.QuoteSymbol(r.at(id).name), t.Sort())
	}
	var ids []symbolID
	if paren {
		for r.next(); r.kind != tokClose; r.next() {
			r.wantSymbol("a variable of a pattern")
			v := r.intern(r.text())
			for _, other := range ids {
				if other == v && r.at(v).name != "_" {
					r.fail(r.off, "variable %s occurs twice in a pattern", term.QuoteSymbol(r.at(v).name))
				}
			}
			ids = append(ids, v)
		}
	}
	if ctor != nil && len(ids) != len(ctor.Selectors) {
		r.fail(off, "the pattern of %s needs %d variables, got %d", term.QuoteSymbol(ctor.Name), len(ctor.Selectors), len(ids))
	}
	for i, v := range ids {
		if r.at(v).name != "_" {
			r.bind(v, operand{t: r.pool.Field(ctor.Selectors[i], t)})
		}
	}
	if ctor == nil && r.at(id).name != "_" {
		r.bind(id, operand{t: t})
	}
	r.openLets++
	m.cases = append(m.cases, ctor)
	r.frames = append(r.frames, f)
}

// patternConstructor returns the constructor of the sort that the symbol at the beginning of a pattern is, or nil when it is
// a variable.
func (r *reader) patternConstructor(id symbolID, s *term.Sort) *term.Constructor {
	f := r.at(id).fn
	if f == nil || f.kind != constructorFunc {
		return nil
	}
	switch {
	case f.data != nil && f.data.generic == s.Data.Generic:
		return s.Data.Constructors[f.index[0]]
	case f.data == nil && f.rng == s:
		return f.ctor
	}
	r.fail(r.off, "%s is no constructor of the sort %s", term.QuoteSymbol(f.name), s)
	return nil
}

// closeMatch builds the match f from its operands: the first case that fits counts.
func (r *reader) closeMatch(f *frame) operand {
	t, results := r.operands[f.base].t, r.operands[f.base+1:]
	if len(results) == 0 {
		r.fail(r.off, "match needs cases")
	}
	r.args = r.args[:0]
	ts := r.alike(&frame{head: f.match.head}, results)
	pred := false
	for _, o := range results {
		pred = pred || o.pred
	}
	// Those that can be met, and the first at which every constructor is covered.
	covered := map[*term.Constructor]bool{}
	var met []int
	last := -1
	for i, c := range f.match.cases {
		if c != nil && covered[c] {
			continue
		}
		if c != nil {
			covered[c] = true
		}
		if c == nil || len(covered) == len(t.Sort().Data.Constructors) {
			last = i
			break
		}
		met = append(met, i)
	}
	if last < 0 {
		for _, c := range t.Sort().Data.Constructors {
			if !covered[c] {
				r.fail(f.off, "match has no case for the constructor %s", term.QuoteSymbol(c.Name))
			}
		}
	}
	out := ts[last]
	for k := len(met) - 1; k >= 0; k-- {
		out = r.pool.Ite(r.pool.Is(f.match.cases[met[k]], t), ts[met[k]], out)
	}
	return operand{t: out, off: f.off, pred: pred}
}
