package smtlib

import (
	"strconv"

	"hornbeam/chc/term"
)

// hidden is what a local binding replaced.
type hidden struct {
	id    symbolID
	local operand
}

// quantified is a variable that an open quantifier binds.
type quantified struct {
	v  *term.Term
	id symbolID
}

// bind makes id mean o until restore.
func (r *reader) bind(id symbolID, o operand) {
	s := r.at(id)
	r.trail = append(r.trail, hidden{id, s.local})
	s.local = o
}

// restore undoes the bindings made since the trail had length n.
func (r *reader) restore(n int) {
	for i := len(r.trail) - 1; i >= n; i-- {
		h := r.trail[i]
		r.at(h.id).local = h.local
	}
	r.trail = r.trail[:n]
}

// quantifiedVars reads and binds the variables of the quantifier on top of the stack.
func (r *reader) quantifiedVars() {
	f := len(r.frames) - 1
	r.expect(tokOpen, "before the variables of a quantifier")
	r.list("a variable (name sort)", func() {
		r.expectSymbol("a variable name")
		off, id := r.off, r.intern(r.text())
		s := r.sort()
		r.expect(tokClose, "after the variable's sort")
		for _, q := range r.bound[r.frames[f].bound:] {
			if q.id == id {
				r.fail(off, "variable %s is bound twice by one quantifier", term.QuoteSymbol(r.at(id).name))
			}
		}
		r.bound = append(r.bound, quantified{r.binder(id, s), id})
	})
	bound := r.bound[r.frames[f].bound:]
	if len(bound) == 0 {
		r.fail(r.off, "a quantifier without variables")
	}
	for _, q := range bound {
		r.active[q.v]++
		r.bind(q.id, operand{t: q.v})
		if r.frames[f].pos == rootPos && !r.frames[f].exists {
			r.taken[q.v] = nil
		}
	}
}

// binder returns the variable that a quantifier binds under a name: the one of that name, or a fresh one when the
// body can refer to another variable of that name, through a let or a macro.
func (r *reader) binder(id symbolID, s *term.Sort) *term.Term {
	name := r.at(id).name
	v := r.pool.Var(name, s)
	if r.active[v] == 0 && !r.globals[v] || r.openLets == 0 && !r.openMacros {
		return v
	}
	captured := r.globals[v] && r.openMacros
	for _, h := range r.trail {
		captured = captured || h.id != id && term.Contains(r.at(h.id).local.t, v)
	}
	if captured {
		return r.unusedVar(name, s)
	}
	return v
}

// unusedVar returns a variable that no quantifier around here binds and no clause variable is.
func (r *reader) unusedVar(name string, s *term.Sort) *term.Term {
	for k := 1; ; k++ {
		v := r.pool.Var(name+"!"+strconv.Itoa(k), s)
		if _, taken := r.taken[v]; !taken && r.active[v] == 0 && !r.globals[v] {
			return v
		}
	}
}

// quantify builds the quantifier of frame f. A forall at the root of an assertion is left out: a clause binds its
// variables itself.
func (r *reader) quantify(f *frame, body operand) operand {
	if f.pos == rootPos && !f.exists {
		return body
	}
	if body.t.Sort() != term.Bool {
		r.fail(body.off, "the body of a quantifier has sort %s, not Bool", body.t.Sort())
	}
	vars := make([]*term.Term, 0, len(r.bound)-f.bound)
	for _, q := range r.bound[f.bound:] {
		vars = append(vars, q.v)
	}
	o := operand{off: f.off, pred: body.pred}
	if f.exists {
		o.t = r.pool.Exists(vars, body.t)
	} else {
		o.t = r.pool.Forall(vars, body.t)
	}
	return o
}
