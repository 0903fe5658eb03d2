package inline

import (
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// predicate is a template: what is instantiated when a call site of the predicate is inlined.
type predicate struct {
	name string
	// index is the place among the program's predicates, component the index of the strongly connected one in the graph
	// of calls; the goal's is -1.
	index, component int
	recursive        bool
	// inner and outer count the slots for calls of the predicate, in its component and elsewhere; those of recursive
	// predicates count twice elsewhere, since their calls come at any depth of the recursion.
	inner, outer int
	// source is nil for the goal, the predicate without arguments that every query derives.
	source *chc.Predicate
	// params stand for the arguments of the head.
	params []*term.Term
	rules  []*rule
	slots  []*slot
	// summary holds, over params, for whatever the clauses derive: an inductive lemma, or true.
	summary *term.Term
	// flat says that no rule has a call, so that inlining costs less than leaving a site open.
	flat bool
	// groups has the group of each parameter while arguments are abstracted.
	groups []int
}

// slot is a place for a call in a template: the k-th occurrence of pred in the body of any one rule. Rules share slots,
// since a derivation uses one rule of a node only; this is what keeps several recursive rules from multiplying.
type slot struct {
	pred       *predicate
	occurrence int
	vars       []*term.Term
	users      int
}

// binding is an equation of a parameter or of a slot's variable with a term over the rule's variables.
type binding struct{ variable, arg *term.Term }

// rule is a clause of a template. Every variable of the clause is a parameter, a slot's variable or a local.
type rule struct {
	clause     *chc.Clause
	constraint *term.Term
	// head and calls equate parameters, and slots' variables, with the arguments that are not themselves such a variable.
	head   []binding
	calls  [][]binding
	body   []int // the slots of the body's atoms
	locals []*term.Term
	// values maps the clause's variables to terms over the template's.
	values map[*term.Term]*term.Term
	// kept is what is left of the rule's formula for the tracked arguments; nil unless arguments are abstracted.
	kept []*term.Term
}

// program is the system as templates.
type program struct {
	pool  *term.Pool
	preds []*predicate
	goal  *predicate
	// tracking is the variable abstraction, nil when every argument is passed.
	tracking *tracking
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
	pr := &program{pool: sys.Pool, plains: map[*term.Term]bool{}, joins: map[*term.Term]join{}, ranges: map[*term.Term]term.Interval{}}
	byPred := map[*chc.Predicate]*predicate{}
	graph := chc.NewGraph(sys)
	for _, p := range sys.Predicates {
		byPred[p] = pr.addPredicate(p.Name, p)
		byPred[p].component, byPred[p].recursive = graph.Component(p), graph.Recursive(p)
	}
	pr.goal = pr.addPredicate("goal", nil)
	for _, c := range sys.Clauses {
		if !c.Constraint.IsFalse() {
			pr.addRule(c, byPred)
		}
	}
	for _, p := range pr.preds {
		p.flat = len(p.slots) == 0
	}
	return pr
}

func (pr *program) addPredicate(name string, source *chc.Predicate) *predicate {
	p := &predicate{name: name, source: source, summary: pr.pool.True(), index: len(pr.preds), component: -1}
	if source != nil {
		p.params = pr.fresh(name, source.Sorts)
	}
	pr.preds = append(pr.preds, p)
	return p
}

func (pr *program) fresh(name string, sorts []*term.Sort) []*term.Term {
	vars := make([]*term.Term, len(sorts))
	for i, s := range sorts {
		vars[i] = pr.pool.Fresh(fmt.Sprintf("%s.%d", name, i), s)
	}
	return vars
}

// slotFor returns the index of the slot for an occurrence of q in p's rules.
func (pr *program) slotFor(p, q *predicate, occurrence int) int {
	for i, s := range p.slots {
		if s.pred == q && s.occurrence == occurrence {
			return i
		}
	}
	if p.component == q.component {
		q.inner++
	} else {
		q.outer++
		if p.recursive {
			q.outer++
		}
	}
	p.slots = append(p.slots, &slot{pred: q, occurrence: occurrence, vars: pr.fresh(q.name, q.source.Sorts)})
	return len(p.slots) - 1
}

// addRule turns a clause into a rule: an argument that is a variable seen for the first time becomes the parameter or
// the slot's variable itself, every other argument an equation.
func (pr *program) addRule(c *chc.Clause, byPred map[*chc.Predicate]*predicate) {
	r := &rule{clause: c, values: map[*term.Term]*term.Term{}}
	p := pr.goal
	bind := func(variables, args []*term.Term) []binding {
		var open []binding
		for i, arg := range args {
			if arg.IsVar() && r.values[arg] == nil {
				r.values[arg] = variables[i]
				continue
			}
			open = append(open, binding{variables[i], arg})
		}
		return open
	}
	if c.Head != nil {
		p = byPred[c.Head.Pred]
		r.head = bind(p.params, c.Head.Args)
	}
	occurrences := map[*predicate]int{}
	for _, a := range c.Body {
		q := byPred[a.Pred]
		i := pr.slotFor(p, q, occurrences[q])
		occurrences[q]++
		p.slots[i].users++
		r.body = append(r.body, i)
		r.calls = append(r.calls, bind(p.slots[i].vars, a.Args))
	}
	for _, v := range c.Vars() {
		if r.values[v] == nil {
			r.values[v] = pr.pool.Fresh(v.Name(), v.Sort())
			r.locals = append(r.locals, r.values[v])
		}
	}
	renaming := pr.pool.NewSubstitution(r.values)
	r.constraint = renaming.Apply(c.Constraint)
	for _, bs := range append([][]binding{r.head}, r.calls...) {
		for i := range bs {
			bs[i].arg = renaming.Apply(bs[i].arg)
		}
	}
	p.rules = append(p.rules, r)
}

// formula is the rule's constraint with its equations, in an instance; while arguments are abstracted, what is left of it.
func (pr *program) formula(r *rule, values *term.Substitution) *term.Term {
	if r.kept == nil {
		return pr.whole(r, values)
	}
	parts := make([]*term.Term, len(r.kept))
	for i, f := range r.kept {
		parts[i] = values.Apply(f)
	}
	return pr.pool.And(parts...)
}

// whole is the rule's constraint with its equations, in an instance.
func (pr *program) whole(r *rule, values *term.Substitution) *term.Term {
	return pr.with(values.Apply(r.constraint), r, values)
}

// with is the rule's equations, in an instance, with its constraint there.
func (pr *program) with(constraint *term.Term, r *rule, values *term.Substitution) *term.Term {
	parts := []*term.Term{constraint}
	for _, bs := range append([][]binding{r.head}, r.calls...) {
		for _, b := range bs {
			parts = append(parts, pr.pool.Eq(values.Apply(b.variable), values.Apply(b.arg)))
		}
	}
	return pr.pool.And(parts...)
}

// parts is the rule's constraint with its equations, as conjuncts over the template's variables.
func (pr *program) parts(r *rule) []*term.Term {
	parts := slices.Clone(term.Conjuncts(r.constraint))
	for _, bs := range append([][]binding{r.head}, r.calls...) {
		for _, b := range bs {
			parts = append(parts, pr.pool.Eq(b.variable, b.arg))
		}
	}
	return parts
}

// at returns a formula over p's parameters at other arguments.
func (pr *program) at(p *predicate, formula *term.Term, args []*term.Term) *term.Term {
	if formula.IsTrue() || formula.IsFalse() {
		return formula
	}
	m := make(map[*term.Term]*term.Term, len(args))
	for i, v := range p.params {
		m[v] = args[i]
	}
	return pr.pool.Substitute(formula, m)
}
