package houdini

import (
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// candidate is a formula that may hold of everything derivable of its predicate.
type candidate struct {
	pred    *predicate
	formula *term.Term
	// holds is the literal that stands for the formula at body atoms, passes the one whose negation denies it at the head.
	holds, passes *term.Term
	dropped       bool
}

// predicate is an unknown relation with its clauses and its pool.
type predicate struct {
	source *chc.Predicate
	// params are the canonical parameters; heads of clauses are over them.
	params []*term.Term
	rules  []*rule
	// users are the predicates with this one in the body of a clause, each once.
	users []*predicate
	pool  []*candidate
	known map[*term.Term]bool
	// rank is the place in the order of dependencies, premises first.
	rank    int
	queued  bool
	checker *checker
}

// live returns the candidates that are left.
func (p *predicate) live() []*candidate {
	var out []*candidate
	for _, c := range p.pool {
		if !c.dropped {
			out = append(out, c)
		}
	}
	return out
}

// rule is a clause whose constraint is over the parameters of its head, copies of those of its body, and locals.
type rule struct {
	clause *chc.Clause
	body   []atom
	trans  *term.Term
}

// atom is a body atom: a predicate over variables of its own.
type atom struct {
	pred *predicate
	vars []*term.Term
}

// at returns a candidate's formula over the atom's variables.
func (a atom) at(p *term.Pool, formula *term.Term) *term.Term {
	return witness.Interpretation{Params: a.pred.params, Body: formula}.Apply(p, a.vars)
}

// program is a system in the form that is asserted.
type program struct {
	pool *term.Pool
	// preds are in the order of System.Predicates, order in that of their dependencies.
	preds, order []*predicate
	queries      []*rule
}

func newProgram(sys *chc.System) *program {
	pr := &program{pool: sys.Pool}
	for _, p := range sys.Predicates {
		pr.preds = append(pr.preds, &predicate{source: p, params: witness.CanonicalParams(sys.Pool, p), known: map[*term.Term]bool{}})
	}
	for _, c := range sys.Clauses {
		r := pr.rule(c)
		switch {
		case r.trans.IsFalse():
		case c.Head == nil:
			pr.queries = append(pr.queries, r)
		default:
			head := pr.preds[c.Head.Pred.ID]
			head.rules = append(head.rules, r)
		}
	}
	graph := chc.NewGraph(sys)
	for _, component := range graph.Components() {
		for _, source := range component {
			p := pr.preds[source.ID]
			p.rank = len(pr.order)
			pr.order = append(pr.order, p)
		}
	}
	for _, p := range pr.preds {
		for _, user := range graph.Successors(p.source) {
			p.users = append(p.users, pr.preds[user.ID])
		}
	}
	return pr
}

// rule renames a clause apart: an argument that is a variable seen for the first time becomes the parameter or the
// copy's variable itself, every other argument an equality.
func (pr *program) rule(c *chc.Clause) *rule {
	r := &rule{clause: c}
	names := map[*term.Term]*term.Term{}
	type binding struct{ variable, arg *term.Term }
	var open []binding
	bind := func(vars, args []*term.Term) {
		for i, arg := range args {
			if arg.IsVar() && names[arg] == nil {
				names[arg] = vars[i]
				continue
			}
			open = append(open, binding{vars[i], arg})
		}
	}
	if c.Head != nil {
		bind(pr.preds[c.Head.Pred.ID].params, c.Head.Args)
	}
	for _, a := range c.Body {
		q := pr.preds[a.Pred.ID]
		vars := make([]*term.Term, len(q.params))
		for i, s := range a.Pred.Sorts {
			vars[i] = pr.pool.Fresh(fmt.Sprintf("%s.%d", a.Pred.Name, i), s)
		}
		bind(vars, a.Args)
		r.body = append(r.body, atom{q, vars})
	}
	for _, v := range c.Vars() {
		if names[v] == nil {
			names[v] = pr.pool.Fresh(v.Name(), v.Sort())
		}
	}
	renaming := pr.pool.NewSubstitution(names)
	parts := []*term.Term{renaming.Apply(c.Constraint)}
	for _, b := range open {
		parts = append(parts, pr.pool.Eq(b.variable, renaming.Apply(b.arg)))
	}
	r.trans = pr.pool.And(parts...)
	return r
}

// addCandidate adds a formula over the parameters to the predicate's pool, unless it is there or says nothing.
func (pr *program) addCandidate(p *predicate, formula *term.Term) {
	if formula.IsTrue() || p.known[formula] {
		return
	}
	p.known[formula] = true
	p.pool = append(p.pool, &candidate{
		pred: p, formula: formula, holds: pr.pool.Fresh("holds", term.Bool), passes: pr.pool.Fresh("passes", term.Bool),
	})
}
