package resolve

import (
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/simplify"
)

// Derivation says how a clause came about: a clause of the system that the pass was given, when use is nil; an instance
// of use's clause, when def is nil; otherwise the resolvent of use's clause, at its body atom number position, with
// def's clause. It is a DAG of clauses down to those of the given system.
type Derivation struct {
	Clause   *chc.Clause
	Use, def *Derivation
	position int
	// UseValues and defValues define the variables of use's and def's clause over clause's variables (and variables
	// that vanished, whose values do not matter); a variable that is absent is a variable of clause, or vanished itself.
	UseValues, defValues map[*term.Term]*term.Term
	// Atoms maps the body atoms of the use with the def's body in the place of position to those of clause.
	Atoms []int
	// vars caches clause.Vars().
	vars []*term.Term
}

func (d *Derivation) variables() []*term.Term {
	if d.vars == nil {
		d.vars = d.Clause.Vars()
	}
	return d.vars
}

// Resolve resolves use's clause, at body atom pos, with def's clause, and applies the equations of the result. It
// returns nil when the resolvent holds whatever its predicates mean.
func Resolve(pool *term.Pool, use *Derivation, pos int, def *Derivation) *Derivation {
	fresh := RenameApart(pool, def.variables(), use.variables())
	ren := pool.NewSubstitution(fresh)
	old, c := use.Clause, def.Clause
	d := simplify.NewDraft(pool, old)
	d.Body = slices.Concat(old.Body[:pos:pos], make([]chc.App, len(c.Body)), old.Body[pos+1:])
	for i, a := range c.Body {
		d.Body[pos+i] = simplify.SubstituteApp(ren, a)
	}
	d.Atoms = make([]int, len(d.Body))
	for i := range d.Atoms {
		d.Atoms[i] = i
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
	var direct []transform.Definition
	bound := map[*term.Term]bool{}
	for i, a := range old.Body[pos].Args {
		t := ren.Apply(c.Head.Args[i])
		if a.IsVar() && !bound[a] && !elsewhere[a] && plain(t) {
			bound[a] = true
			direct = append(direct, transform.Definition{Variable: a, Value: t})
		} else {
			conj = append(conj, pool.Eq(a, t))
		}
	}
	d.Constraint = pool.And(conj...)
	if len(direct) > 0 {
		d.Substitute(direct)
	}
	d.Settle()
	d.MergeAtoms()
	if d.Constraint.IsFalse() || d.Tautology() {
		return nil
	}
	out := &Derivation{Clause: d.Clause(), Use: use, def: def, position: pos, Atoms: d.Atoms}
	values := CloseDefinitions(pool, d.Define)
	out.UseValues = DefinedAs(use.variables(), nil, values)
	out.defValues = DefinedAs(def.variables(), fresh, values)
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

// CloseDefinitions maps each defined variable to a term without any of them.
func CloseDefinitions(pool *term.Pool, defs []transform.Definition) map[*term.Term]*term.Term {
	m := make(map[*term.Term]*term.Term, len(defs))
	for i := len(defs) - 1; i >= 0; i-- {
		m[defs[i].Variable] = pool.Substitute(defs[i].Value, m)
	}
	return m
}

// DefinedAs maps variables, after renaming, to what they are defined as; variables that stay themselves are left out.
func DefinedAs(vars []*term.Term, rename, values map[*term.Term]*term.Term) map[*term.Term]*term.Term {
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

// RenameApart returns fresh variables for those of vars that are in avoid.
func RenameApart(pool *term.Pool, vars, avoid []*term.Term) map[*term.Term]*term.Term {
	in := make(map[*term.Term]bool, len(avoid))
	for _, v := range avoid {
		in[v] = true
	}
	m := map[*term.Term]*term.Term{}
	for _, v := range vars {
		if in[v] {
			m[v] = pool.Fresh(Stem(v.Name()), v.Sort())
		}
	}
	return m
}

// Stem is a variable's name without the counter of a fresh one, so that names do not grow by renaming.
func Stem(name string) string {
	s, _, _ := strings.Cut(name, "!")
	return s
}

// Occurrences counts p's atoms in a body.
func Occurrences(body []chc.App, p *chc.Predicate) int {
	n := 0
	for _, a := range body {
		if a.Pred == p {
			n++
		}
	}
	return n
}

// Position is the index of p's first atom in a body, or -1.
func Position(body []chc.App, p *chc.Predicate) int {
	for i, a := range body {
		if a.Pred == p {
			return i
		}
	}
	return -1
}
