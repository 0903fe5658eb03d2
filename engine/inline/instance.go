package inline

import (
	"maps"
	"slices"

	"hornbeam/chc/term"
)

// instance is a template with terms for its parameters and fresh variables, or terms, for its slots' and its locals.
type instance struct {
	args []*term.Term
	// formulas has one formula a rule: its constraint and equations.
	formulas []*term.Term
	// slots has the arguments of each slot's call.
	slots [][]*term.Term
	// values maps the template's variables to those of the instance.
	values *term.Substitution
}

// instantiate makes an instance with the given arguments. With push, a call that only one rule makes gets values and
// variables for arguments as they are, so that constants travel down into what is inlined there; without it, the
// arguments of every call are variables of its own.
func (pr *program) instantiate(p *predicate, args []*term.Term, push bool) *instance {
	var bound map[*term.Term]bool
	if push {
		bound = pr.boundVariables(p)
	}
	own := p.Instantiate(args, bound)
	// ranged has, for each rule, the variables whose ranges were found.
	ranged := make([][]*term.Term, len(p.Rules))
	for round := 0; ; round++ {
		m := own
		var constraints []*term.Term
		if push {
			m = maps.Clone(own)
			constraints = pr.push(p, m, bound)
		}
		in := pr.instanceOf(p, args, m, constraints)
		if !push || !pr.constants || round == mostConstantRounds || pr.tracking != nil {
			pr.bound(in, ranged)
			return in
		}
		settled := p.settle(in, own)
		joined := pr.joinStores(p, in, own)
		if spanned := pr.findRanges(p, in, own, ranged); !settled && !joined && !spanned {
			pr.bound(in, ranged)
			return in
		}
	}
}

// instanceOf makes the instance in which m says what stands for the template's variables. The rules' constraints are given
// where they are made already.
func (pr *program) instanceOf(p *predicate, args []*term.Term, m map[*term.Term]*term.Term, constraints []*term.Term) *instance {
	in := &instance{args: args, values: pr.pool.NewSubstitution(m)}
	for i, r := range p.Rules {
		switch {
		case constraints == nil || pr.tracking != nil:
			f := pr.formula(r, in.values)
			if pr.constants {
				f = pr.splitStores(f)
			}
			in.formulas = append(in.formulas, f)
		case constraints[i].IsFalse():
			in.formulas = append(in.formulas, constraints[i])
		default:
			in.formulas = append(in.formulas, pr.splitStores(pr.narrow(pr.with(constraints[i], r, in.values))))
		}
	}
	for _, a := range p.Slots {
		as := make([]*term.Term, len(a.Args))
		for i, v := range a.Args {
			as[i] = m[v]
		}
		in.slots = append(in.slots, as)
	}
	return in
}

// boundVariables are the slots' variables that all rules which make the call equate with an argument: one rule, unless
// instances are made for the values that are known.
func (pr *program) boundVariables(p *predicate) map[*term.Term]bool {
	bound, bindings := map[*term.Term]bool{}, map[*term.Term]int{}
	for _, r := range p.Rules {
		for i, bs := range r.BodyEquations {
			for _, b := range bs {
				bindings[b.Var]++
				users := p.users[r.Slots[i]]
				bound[b.Var] = bindings[b.Var] == users && (users == 1 || pr.constants)
			}
		}
	}
	return bound
}

// push adds to m what stands for the bound variables: the argument, if it may stand for itself and is the same in all rules
// that can be used, and else a fresh variable. Where instances are made for the values that are known, it returns the rules'
// constraints under m, which is what says which rules can be used.
func (pr *program) push(p *predicate, m map[*term.Term]*term.Term, bound map[*term.Term]bool) []*term.Term {
	// No term of a rule mentions a bound variable: what stands for the clause's variables are the others.
	first := pr.pool.NewSubstitution(m)
	var constraints []*term.Term
	if pr.constants {
		for _, r := range p.Rules {
			constraints = append(constraints, pr.narrow(pr.applied(r.Constraint, first, map[*term.Term]*term.Term{})))
		}
	}
	if len(bound) == 0 {
		return constraints
	}
	pushed := map[*term.Term]*term.Term{}
	for i, r := range p.Rules {
		if constraints != nil && constraints[i].IsFalse() {
			continue
		}
		for _, bs := range r.BodyEquations {
			for _, b := range bs {
				if !bound[b.Var] {
					continue
				}
				switch t, before := first.Apply(b.Arg), pushed[b.Var]; {
				case before == nil && pr.itself(t):
					pushed[b.Var] = t
				case before != t:
					pushed[b.Var] = pr.pool.Fresh(b.Var.Name(), t.Sort())
				}
			}
		}
	}
	for v, is := range bound {
		if is && pushed[v] == nil {
			pushed[v] = v // no rule that can be used makes the call
		}
	}
	maps.Copy(m, pushed)
	return constraints
}

// applied is a formula under a substitution, which does not go into what a plain conjunct has made false already: a way that
// cannot be taken may store into a long chain. What is done is remembered in done.
func (pr *program) applied(f *term.Term, values *term.Substitution, done map[*term.Term]*term.Term) *term.Term {
	if !f.IsAnd() && !f.IsOr() {
		return values.Apply(f)
	}
	if out := done[f]; out != nil {
		return out
	}
	done[f] = pr.junction(f, values, done)
	return done[f]
}

func (pr *program) junction(f *term.Term, values *term.Substitution, done map[*term.Term]*term.Term) *term.Term {
	parts := make([]*term.Term, len(f.Args()))
	for _, plain := range []bool{true, false} {
		for i, c := range f.Args() {
			if pr.plain(c) != plain {
				continue
			}
			parts[i] = pr.applied(c, values, done)
			if f.IsAnd() && parts[i].IsFalse() || f.IsOr() && parts[i].IsTrue() {
				return parts[i]
			}
		}
	}
	if f.IsAnd() {
		return pr.pool.And(parts...)
	}
	return pr.pool.Or(parts...)
}

// plain reports whether a formula has no arrays, so that to substitute in it costs little.
func (pr *program) plain(f *term.Term) bool {
	out, known := pr.plains[f]
	if !known {
		out = !slices.ContainsFunc(term.Vars(f), func(v *term.Term) bool { return v.Sort().IsArray() })
		pr.plains[f] = out
	}
	return out
}

// itself reports whether a term may stand for an argument without a variable for it. What is read from an array after stores
// at known indices is known then.
func (pr *program) itself(t *term.Term) bool {
	return t.IsVar() || t.IsValue() || pr.constants && t.Op() == term.Store
}

// settle puts values into own in place of those of the instance's own variables that its formulas equate with values: a
// rule's locals, and variables of calls where all rules that can be used and make the call say the same. It reports whether
// there are any.
func (p *predicate) settle(in *instance, own map[*term.Term]*term.Term) bool {
	// said has what each rule says of variables.
	said := make([]map[*term.Term]*term.Term, len(p.Rules))
	some := false
	for i, f := range in.formulas {
		said[i] = values(f)
		some = some || len(said[i]) > 0
	}
	if !some {
		return false
	}
	found := false
	for i, r := range p.Rules {
		for _, v := range r.Locals {
			if value := said[i][own[v]]; value != nil {
				own[v], found = value, true
			}
		}
	}
	for k, a := range p.Slots {
		for _, v := range a.Args {
			x := own[v]
			if x == nil || !x.IsVar() {
				continue
			}
			var value *term.Term
			agreed := true
			for i, r := range p.Rules {
				if in.formulas[i].IsFalse() || !slices.Contains(r.Slots, k) {
					continue
				}
				if u := said[i][x]; u == nil || value != nil && u != value {
					agreed = false
				} else {
					value = u
				}
			}
			if agreed && value != nil {
				own[v], found = value, true
			}
		}
	}
	return found
}

// values has the variables that a formula equates with values, in all its ways where it has several.
func values(f *term.Term) map[*term.Term]*term.Term {
	var out map[*term.Term]*term.Term
	add := func(x, v *term.Term) {
		if out == nil {
			out = map[*term.Term]*term.Term{}
		}
		out[x] = v
	}
	for _, c := range term.Conjuncts(f) {
		switch {
		case c.Op() == term.Eq:
			for side := range 2 {
				if x, v := c.Arg(side), c.Arg(1-side); x.IsVar() && v.IsValue() {
					add(x, v)
				}
			}
		case c.IsOr():
			common := values(c.Arg(0))
			for _, d := range c.Args()[1:] {
				if len(common) == 0 {
					break
				}
				others := values(d)
				maps.DeleteFunc(common, func(x, v *term.Term) bool { return others[x] != v })
			}
			for x, v := range common {
				add(x, v)
			}
		}
	}
	return out
}
