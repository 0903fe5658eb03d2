package rule

import "hornbeam/chc/term"

// Instantiate returns what stands for the variables of p's rules at one node of a derivation tree, or in one time frame,
// as the map of a term.Substitution: args for the parameters, and variables that nothing else has for the locals of all
// rules and the arguments of all slots. Those in except are left out; the caller adds what stands for them. The arguments
// of the node's child at slot i are what stands for Slots[i].Args.
func (p *Predicate) Instantiate(args []*term.Term, except map[*term.Term]bool) map[*term.Term]*term.Term {
	m := map[*term.Term]*term.Term{}
	fresh := func(vars []*term.Term) {
		for _, v := range vars {
			if !except[v] {
				m[v] = v.Pool().Fresh(v.Name(), v.Sort())
			}
		}
	}
	for i, v := range p.Params {
		m[v] = args[i]
	}
	for _, r := range p.Rules {
		fresh(r.Locals)
	}
	for _, a := range p.Slots {
		fresh(a.Args)
	}
	return m
}

// Fresh returns variables that nothing else has for p's arguments.
func (p *Predicate) Fresh() []*term.Term {
	vars := make([]*term.Term, len(p.Params))
	for i, v := range p.Params {
		vars[i] = v.Pool().Fresh(v.Name(), v.Sort())
	}
	return vars
}

// At returns a formula over p's parameters at other arguments.
func (p *Predicate) At(formula *term.Term, args []*term.Term) *term.Term {
	if formula.IsTrue() || formula.IsFalse() {
		return formula
	}
	return formula.Pool().Substitute(formula, mapping(p.Params, args))
}

func mapping(from, to []*term.Term) map[*term.Term]*term.Term {
	m := make(map[*term.Term]*term.Term, len(from))
	for i, v := range from {
		m[v] = to[i]
	}
	return m
}

// Renamer renames formulas between parameters and copies. It remembers what it renamed and is not for concurrent use.
type Renamer struct {
	pool    *term.Pool
	to, off map[*Atom]*term.Substitution
}

// NewRenamer returns a renamer for the system's predicates.
func NewRenamer(s *System) *Renamer {
	return &Renamer{pool: s.Pool, to: map[*Atom]*term.Substitution{}, off: map[*Atom]*term.Substitution{}}
}

// ToCopy returns a formula over the parameters of a's predicate over a's copy.
func (n *Renamer) ToCopy(a *Atom, formula *term.Term) *term.Term {
	if n.to[a] == nil {
		n.to[a] = n.pool.NewSubstitution(mapping(a.Pred.Params, a.Args))
	}
	return n.to[a].Apply(formula)
}

// ToParams returns a formula over a's copy over the parameters of its predicate.
func (n *Renamer) ToParams(a *Atom, formula *term.Term) *term.Term {
	if n.off[a] == nil {
		n.off[a] = n.pool.NewSubstitution(mapping(a.Args, a.Pred.Params))
	}
	return n.off[a].Apply(formula)
}
