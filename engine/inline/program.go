package inline

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/rule"
	"hornbeam/chc/term"
)

// predicate is a template: its rules are instantiated when a call site of the predicate is inlined. A slot of the
// predicate is a place for a call: rules share slots, since a derivation uses one rule of a node only; this is what keeps
// several recursive rules from multiplying.
type predicate struct {
	*rule.Predicate
	// slots has the predicate of each slot, and users the number of rules that make its call.
	slots []*predicate
	users []int
	// component is the index of the strongly connected one in the graph of calls; the goal's is -1.
	component int
	recursive bool
	// inner and outer count the slots for calls of the predicate, in its component and elsewhere; those of recursive
	// predicates count twice elsewhere, since their calls come at any depth of the recursion.
	inner, outer int
	// summary holds, over the parameters, for whatever the clauses derive: an inductive lemma, or true.
	summary *term.Term
	// lemmas is what has been read from other engines, which is part of the summary.
	lemmas *term.Term
	// flat says that no rule has a call, so that inlining costs less than leaving a site open.
	flat bool
	// groups has the group of each parameter while arguments are abstracted.
	groups []int
}

// program is the system as templates.
type program struct {
	system *rule.System
	pool   *term.Pool
	// preds are by rule.Predicate.ID, the goal's among them.
	preds []*predicate
	goal  *predicate
	// tracking is the variable abstraction, nil when every argument is passed.
	tracking *tracking
	// kept has what is left of each rule's formula for the tracked arguments, nothing unless arguments are abstracted.
	kept map[*rule.Rule][]*term.Term
	// constants says that instances are made for the values that are known of them.
	constants bool
	// plains remembers which formulas have no arrays.
	plains map[*term.Term]bool
	// joins has the arrays with stores at unknown indices that were made for several ways.
	joins map[*term.Term]join
	// ranges has those of the instances' integers that are computed from others of known ranges.
	ranges map[*term.Term]term.Interval
}

func newProgram(sys *chc.System) *program {
	system := rule.New(sys)
	pr := &program{system: system, pool: sys.Pool, kept: map[*rule.Rule][]*term.Term{},
		plains: map[*term.Term]bool{}, joins: map[*term.Term]join{}, ranges: map[*term.Term]term.Interval{}}
	graph := chc.NewGraph(sys)
	for _, p := range system.Predicates {
		t := &predicate{Predicate: p, summary: pr.pool.True(), lemmas: pr.pool.True(), component: -1, flat: len(p.Slots) == 0}
		if p.Source != nil {
			t.component, t.recursive = graph.Component(p.Source), graph.Recursive(p.Source)
		}
		pr.preds = append(pr.preds, t)
	}
	pr.goal = pr.of(system.Goal)
	for _, p := range pr.preds {
		p.users = make([]int, len(p.Slots))
		for _, r := range p.Rules {
			for _, k := range r.Slots {
				p.users[k]++
			}
		}
		for _, a := range p.Slots {
			q := pr.of(a.Pred)
			p.slots = append(p.slots, q)
			switch {
			case p.component == q.component:
				q.inner++
			case p.recursive:
				q.outer += 2
			default:
				q.outer++
			}
		}
	}
	return pr
}

// of returns the template of a predicate.
func (pr *program) of(p *rule.Predicate) *predicate { return pr.preds[p.ID] }

// formula is the rule's constraint with its equations, in an instance; while arguments are abstracted, what is left of it.
func (pr *program) formula(r *rule.Rule, values *term.Substitution) *term.Term {
	kept, abstracted := pr.kept[r]
	if !abstracted {
		return pr.whole(r, values)
	}
	parts := make([]*term.Term, len(kept))
	for i, f := range kept {
		parts[i] = values.Apply(f)
	}
	return pr.pool.And(parts...)
}

// whole is the rule's constraint with its equations, in an instance.
func (pr *program) whole(r *rule.Rule, values *term.Substitution) *term.Term {
	return pr.with(values.Apply(r.Constraint), r, values)
}

// with is a constraint in an instance with the rule's equations there.
func (pr *program) with(constraint *term.Term, r *rule.Rule, values *term.Substitution) *term.Term {
	parts := []*term.Term{constraint}
	for e := range r.Equations() {
		parts = append(parts, pr.pool.Eq(values.Apply(e.Var), values.Apply(e.Arg)))
	}
	return pr.pool.And(parts...)
}

// parts is the rule's constraint with its equations, as conjuncts over the template's variables.
func (pr *program) parts(r *rule.Rule) []*term.Term {
	parts := slices.Clone(term.Conjuncts(r.Constraint))
	for e := range r.Equations() {
		parts = append(parts, pr.pool.Eq(e.Var, e.Arg))
	}
	return parts
}
