package smtlib

import (
	"slices"
	"strings"

	"hornbeam/chc/term"
)

// The commands of SyGuS 2.1 [Padhi et al.: The SyGuS Language Standard Version 2.1, arXiv 2312.06001] for invariants, those of 1.0
// included. What is to be synthesised are predicates, and constraints are clauses over these; an answer to check-synth is a model.

// sygus reads the rest of a command of SyGuS.
func (r *reader) sygus(name string) {
	r.script.SyGuS = true
	switch name {
	case "synth-inv", "synth-fun":
		r.synthesise(name == "synth-fun")
	case "declare-primed-var":
		r.declarePrimed()
	case "constraint":
		r.constraint()
	case "assume":
		if len(r.script.System.Clauses) > 0 {
			r.unsupported(r.off, "assume after a constraint")
		}
		r.assumptions = append(r.assumptions, r.coerce(r.term(inner), term.Bool, "an assumption"))
		r.expectEnd("assume")
	case "inv-constraint":
		r.invConstraint()
	case "chc-constraint":
		r.chcConstraint()
	case "check-synth":
		r.script.CheckSat = true
		r.expectEnd("check-synth")
	case "set-feature":
		r.skip(r.commandOff)
	}
}

// synthesise reads the rest of `(synth-inv name (parameters))` or `(synth-fun name (parameters) Bool)`.
func (r *reader) synthesise(hasRange bool) {
	id, off := r.newSymbol("a function name")
	trail := len(r.trail)
	params := r.parameters()
	r.restore(trail)
	var sorts []*term.Sort
	var names []string
	for _, p := range params {
		r.active[p]--
		sorts, names = append(sorts, p.Sort()), append(names, p.Name())
	}
	if hasRange {
		if s := r.sort(); s != term.Bool {
			r.unsupported(off, "%s is to be synthesised, a function into %s; only predicates are", term.QuoteSymbol(r.at(id).name), s)
		}
	}
	if r.next(); r.kind == tokOpen {
		r.unsupported(r.off, "a grammar for %s", term.QuoteSymbol(r.at(id).name))
	}
	r.close("the command")
	r.declarePredicate(id, off, sorts)
	r.at(id).fn.pred.ArgNames = names
}

// declarePrimed reads the rest of `(declare-primed-var x sort)`, which declares x and x!.
func (r *reader) declarePrimed() {
	r.expectSymbol("a variable name")
	off, name := r.off, string(r.text())
	s := r.sort()
	r.expectEnd("declare-primed-var")
	for _, n := range []string{name, name + "!"} {
		v := r.pool.Var(n, s)
		r.declare(r.intern([]byte(n)), off, &function{kind: variableFunc, body: v, rng: s})
		r.globals[v] = true
	}
}

// constraint reads the rest of `(constraint formula)`.
func (r *reader) constraint() {
	r.clauseName = ""
	clear(r.atoms)
	clear(r.taken)
	o := r.term(inner)
	r.wantBool(o, 0, "constraint")
	r.expectEnd("constraint")
	r.clausesOf(o.t)
}

// clausesOf adds the clauses of a formula under the assumptions.
func (r *reader) clausesOf(formula *term.Term) {
	r.horn.assert(operand{t: r.pool.Implies(r.pool.And(r.assumptions...), formula), pred: true})
}

// invConstraint reads the rest of `(inv-constraint inv pre trans post)`: what pre holds for is in inv, inv is closed under trans, and
// post holds in inv.
func (r *reader) invConstraint() {
	var fs [4]*function
	for i := range fs {
		r.expectSymbol("a function name")
		fs[i] = r.function(r.intern(r.text()))
		if i == 0 && fs[0].kind != predicateFunc {
			r.fail(r.off, "%s is not to be synthesised", term.QuoteSymbol(fs[0].name))
		}
	}
	r.expectEnd("inv-constraint")
	clear(r.taken)
	fresh := func() (out []operand) {
		for i, s := range fs[0].domain {
			v := r.unusedVar(fs[0].pred.ArgNames[i], s)
			r.taken[v] = nil
			out = append(out, operand{t: v, off: r.commandOff})
		}
		return out
	}
	now := fresh()
	next := fresh()
	applied := func(f *function, args []operand) *term.Term {
		r.args = r.args[:0]
		return r.apply(&frame{kind: applyFrame, off: r.commandOff, headOff: r.commandOff, head: f}, args).t
	}
	inv, after := applied(fs[0], now), applied(fs[0], next)
	pre, trans, post := applied(fs[1], now), applied(fs[2], slices.Concat(now, next)), applied(fs[3], now)
	for _, t := range []*term.Term{pre, trans, post} {
		if t.Sort() != term.Bool {
			r.fail(r.commandOff, "pre, trans and post should have sort Bool, but one has sort %s", t.Sort())
		}
	}
	r.clauseName = ""
	for _, formula := range []*term.Term{r.pool.Implies(pre, inv), r.pool.Implies(r.pool.And(inv, trans), after), r.pool.Implies(inv, post)} {
		r.clausesOf(formula)
	}
}

// chcConstraint reads the rest of `(chc-constraint ((x sort)…) body head)`.
func (r *reader) chcConstraint() {
	r.clauseName = ""
	clear(r.atoms)
	clear(r.taken)
	trail := len(r.trail)
	params := r.parameters()
	body, head := r.term(inner), r.term(inner)
	r.expectEnd("chc-constraint")
	r.restore(trail)
	for _, p := range params {
		r.active[p]--
		r.taken[p] = nil
	}
	r.clausesOf(r.pool.Implies(r.coerce(body, term.Bool, "the body"), r.coerce(head, term.Bool, "the head")))
}

// notHornSyGuS makes what is no Horn clause in SyGuS, where it is legal, unsupported.
func notHornSyGuS(e *Error, script *Script) {
	e.Unsupported = e.Unsupported || script.SyGuS && isNotHorn(e)
}

// isNotHorn reports whether an error is about a formula that is no Horn clause.
func isNotHorn(e *Error) bool { return strings.HasPrefix(e.Msg, "not a Horn clause") }
