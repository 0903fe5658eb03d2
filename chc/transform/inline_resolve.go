package transform

import (
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// derivation says how a clause came about: a clause of the system that the pass was given, when use is nil; an instance
// of use's clause, when def is nil; otherwise the resolvent of use's clause, at its body atom number position, with
// def's clause. It is a DAG of clauses down to those of the given system.
type derivation struct {
	clause   *chc.Clause
	use, def *derivation
	position int
	// useValues and defValues define the variables of use's and def's clause over clause's variables (and variables
	// that vanished, whose values do not matter); a variable that is absent is a variable of clause, or vanished itself.
	useValues, defValues map[*term.Term]*term.Term
	// atoms maps the body atoms of the use with the def's body in the place of position to those of clause.
	atoms []int
	// vars caches clause.Vars().
	vars []*term.Term
}

func (d *derivation) variables() []*term.Term {
	if d.vars == nil {
		d.vars = d.clause.Vars()
	}
	return d.vars
}

// resolve resolves use's clause, at body atom pos, with def's clause, and applies the equations of the result. It
// returns nil when the resolvent holds whatever its predicates mean.
func resolve(pool *term.Pool, use *derivation, pos int, def *derivation) *derivation {
	fresh := renameApart(pool, def.variables(), use.variables())
	ren := pool.NewSubstitution(fresh)
	old, c := use.clause, def.clause
	d := newDraft(pool, old)
	d.body = slices.Concat(old.Body[:pos:pos], make([]chc.App, len(c.Body)), old.Body[pos+1:])
	for i, a := range c.Body {
		d.body[pos+i] = substituteApp(ren, a)
	}
	d.atoms = make([]int, len(d.body))
	for i := range d.atoms {
		d.atoms[i] = i
	}
	// Most arguments are variables of the use that stand in no other atom of its body: they are replaced at once, which
	// saves making and solving an equation. What replaces them speaks of the definition's variables only.
	elsewhere := map[*term.Term]bool{}
	for i, a := range old.Body {
		for _, t := range a.Args {
			if i != pos || !t.IsVar() {
				for _, v := range term.Vars(t) {
					elsewhere[v] = true
				}
			}
		}
	}
	conj := []*term.Term{old.Constraint, ren.Apply(c.Constraint)}
	var direct []definition
	bound := map[*term.Term]bool{}
	for i, a := range old.Body[pos].Args {
		t := ren.Apply(c.Head.Args[i])
		if a.IsVar() && !bound[a] && !elsewhere[a] && plain(t) {
			bound[a] = true
			direct = append(direct, definition{variable: a, value: t})
		} else {
			conj = append(conj, pool.Eq(a, t))
		}
	}
	d.constraint = pool.And(conj...)
	if len(direct) > 0 {
		d.substitute(direct)
	}
	d.settle()
	d.mergeAtoms()
	if d.constraint.IsFalse() || d.tautology() {
		return nil
	}
	out := &derivation{clause: d.clause(), use: use, def: def, position: pos, atoms: d.atoms}
	values := closeDefinitions(pool, d.define)
	out.useValues = definedAs(use.variables(), nil, values)
	out.defValues = definedAs(def.variables(), fresh, values)
	return out
}

// plain reports whether a term may stand in a variable's place everywhere: it is small and has no if-then-else that
// would have to be lifted at each place.
func plain(t *term.Term) bool {
	const small = 16
	size, ok := 0, true
	term.Walk(t, func(u *term.Term) bool {
		size++
		ok = ok && size <= small && !u.IsIte() && !u.IsQuantifier()
		return ok
	})
	return ok
}

// settle rewrites the clause by its equations and bounds until nothing changes. Unlike simplify it eliminates no
// variable whose value does not follow from the others.
func (d *draft) settle() {
	for range maxSimplifyRounds {
		before := d.constraint
		conj, ok := tightenBounds(d.pool, flatten(d.pool, d.constraint))
		if !ok {
			d.constraint = d.pool.False()
			return
		}
		d.constraint = d.pool.And(propagateUnits(d.pool, conj)...)
		solved := d.solveEquations()
		if d.constraint.IsFalse() || !solved && d.constraint == before {
			return
		}
	}
}

// closeDefinitions maps each defined variable to a term without any of them.
func closeDefinitions(pool *term.Pool, defs []definition) map[*term.Term]*term.Term {
	m := make(map[*term.Term]*term.Term, len(defs))
	for i := len(defs) - 1; i >= 0; i-- {
		m[defs[i].variable] = pool.Substitute(defs[i].value, m)
	}
	return m
}

// definedAs maps variables, after renaming, to what they are defined as; variables that stay themselves are left out.
func definedAs(vars []*term.Term, rename, values map[*term.Term]*term.Term) map[*term.Term]*term.Term {
	m := map[*term.Term]*term.Term{}
	for _, v := range vars {
		t := v
		if r := rename[v]; r != nil {
			t = r
		}
		if u := values[t]; u != nil {
			t = u
		}
		if t != v {
			m[v] = t
		}
	}
	return m
}

// renameApart returns fresh variables for those of vars that are in avoid.
func renameApart(pool *term.Pool, vars, avoid []*term.Term) map[*term.Term]*term.Term {
	in := make(map[*term.Term]bool, len(avoid))
	for _, v := range avoid {
		in[v] = true
	}
	m := map[*term.Term]*term.Term{}
	for _, v := range vars {
		if in[v] {
			m[v] = pool.Fresh(stem(v.Name()), v.Sort())
		}
	}
	return m
}

// stem is a variable's name without the counter of a fresh one, so that names do not grow by renaming.
func stem(name string) string {
	s, _, _ := strings.Cut(name, "!")
	return s
}
