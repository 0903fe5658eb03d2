package houdini

import (
	"hornbeam/chc"
	"hornbeam/chc/rule"
	"hornbeam/chc/term"
)

// candidate is a formula that may hold of everything derivable of its predicate.
type candidate struct {
	pred    *predicate
	formula *term.Term
	// holds is the literal that stands for the formula at body atoms, passes the one whose negation denies it at the head.
	holds, passes *term.Term
	dropped       bool
}

// predicate is an unknown relation with its candidates.
type predicate struct {
	*rule.Predicate
	// users are the predicates with this one in the body of a clause, each once.
	users   []*predicate
	pool    []*candidate
	known   map[*term.Term]bool
	queued  bool
	checker *checker
}

// live returns the candidates that are left.
func (p *predicate) live() []*candidate { return alive(p.pool) }

// program is a system in the form that is asserted.
type program struct {
	system *rule.System
	pool   *term.Pool
	// copies renames candidates to the copies of body atoms.
	copies *rule.Renamer
	// preds are in the order of System.Predicates, without the goal, order in that of their dependencies.
	preds, order []*predicate
}

func newProgram(sys *chc.System) *program {
	system := rule.New(sys)
	pr := &program{system: system, pool: sys.Pool, copies: rule.NewRenamer(system)}
	for i := range sys.Predicates {
		pr.preds = append(pr.preds, &predicate{Predicate: system.Predicates[i], known: map[*term.Term]bool{}})
	}
	graph := chc.NewGraph(sys)
	for _, component := range graph.Components() {
		for _, source := range component {
			pr.order = append(pr.order, pr.preds[source.ID])
		}
	}
	for _, p := range pr.preds {
		for _, user := range graph.Successors(p.Source) {
			p.users = append(p.users, pr.preds[user.ID])
		}
	}
	return pr
}

// of returns the candidates of a body atom's predicate.
func (pr *program) of(a *rule.Atom) *predicate { return pr.preds[a.Pred.ID] }

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
