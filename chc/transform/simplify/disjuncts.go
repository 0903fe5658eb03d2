package simplify

import (
	"maps"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// part is a formula with the number of variables that may be eliminated in it.
type part struct {
	formula *term.Term
	own     int
}

// parts is what the drafts of a clause and of its disjuncts have in common.
type parts struct {
	// settled are the parts that simplification left as they are, so that it is not tried again.
	settled map[part]bool
	// work is how much may still be looked into.
	work int
}

func newParts(constraint *term.Term) *parts {
	return &parts{settled: map[part]bool{}, work: disjunctWork*constraint.Size() + disjunctBase}
}

// simplifyDisjuncts simplifies the disjuncts of the constraint that have variables of their own, each as a constraint in
// which these are local. A variable that occurs in several disjuncts of one disjunction, and nowhere else, is renamed
// apart first, for exists x (f or g) is (exists x f) or (exists x g). It reports whether it changed anything.
func (d *Draft) simplifyDisjuncts() bool {
	conj := Conjuncts(d.pool, d.Constraint)
	var roles map[*term.Term]role
	var holders map[*term.Term]int
	before := d.Constraint
	for i, c := range conj {
		if !c.IsOr() || c.HasQuantifier() {
			continue
		}
		if roles == nil {
			roles, holders = d.roles(), map[*term.Term]int{}
			for _, f := range conj {
				for _, v := range term.Vars(f) {
					holders[v]++
				}
			}
		}
		scope := map[*term.Term]bool{}
		for _, v := range term.Vars(c) {
			if roles[v] == local && holders[v] == 1 {
				scope[v] = true
			}
		}
		size := c.Size()
		key := part{c, len(scope)}
		if len(scope) == 0 || size > maxDisjunction {
			continue
		}
		if d.parts == nil {
			d.parts = newParts(d.Constraint)
		}
		if d.parts.settled[key] || d.parts.work < size {
			continue
		}
		d.parts.work -= size
		defined := len(d.Define)
		if g := d.simplifyDisjunction(c, maps.Clone(scope)); g.Size() <= size {
			conj[i] = g
		} else {
			// What was shared by disjuncts is not any more.
			d.Define = d.Define[:defined]
			d.parts.settled[key] = true
		}
	}
	d.Constraint = d.pool.And(conj...)
	return d.Constraint != before
}

// simplifyDisjunction eliminates variables from the arguments of the disjunction f; the variables of scope occur nowhere
// else.
func (d *Draft) simplifyDisjunction(f *term.Term, scope map[*term.Term]bool) *term.Term {
	args := d.renameApart(f, scope)
	for i, g := range args {
		if !g.IsAnd() {
			continue
		}
		own := map[*term.Term]bool{}
		for _, v := range term.Vars(g) {
			if scope[v] {
				own[v] = true
			}
		}
		if len(own) == 0 || d.parts.settled[part{g, len(own)}] {
			continue
		}
		sub := &Draft{pool: d.pool, Constraint: g, scope: own, parts: d.parts, ctx: d.ctx}
		sub.simplify()
		args[i] = sub.Constraint
		d.Define = append(d.Define, sub.Define...)
		left := 0
		for _, v := range term.Vars(sub.Constraint) {
			if own[v] {
				left++
			}
		}
		d.parts.settled[part{sub.Constraint, left}] = true
	}
	return d.pool.Or(args...)
}

// renameApart returns the disjuncts of f with the variables of scope that several of them share made different. The
// new variables join the scope; the old one's value is that of the first disjunct that holds.
func (d *Draft) renameApart(f *term.Term, scope map[*term.Term]bool) []*term.Term {
	args := slices.Clone(f.Args())
	in := map[*term.Term][]int{}
	var order []*term.Term
	for i, g := range args {
		for _, v := range term.Vars(g) {
			if scope[v] {
				if in[v] == nil {
					order = append(order, v)
				}
				in[v] = append(in[v], i)
			}
		}
	}
	sub := make([]map[*term.Term]*term.Term, len(args))
	for _, v := range order {
		if len(in[v]) < 2 {
			continue
		}
		for _, i := range in[v] {
			if sub[i] == nil {
				sub[i] = map[*term.Term]*term.Term{}
			}
			w := d.pool.Fresh(v.Name(), v.Sort())
			sub[i][v] = w
			scope[w] = true
		}
	}
	for i, m := range sub {
		if m != nil {
			args[i] = d.pool.Substitute(args[i], m)
		}
	}
	for _, v := range order {
		if is := in[v]; len(is) > 1 {
			value := sub[is[len(is)-1]][v]
			for j := len(is) - 2; j >= 0; j-- {
				value = d.pool.Ite(args[is[j]], sub[is[j]][v], value)
			}
			d.Define = append(d.Define, transform.Definition{Variable: v, Value: value})
		}
	}
	return args
}
