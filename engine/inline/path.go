package inline

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc/rule"
	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// path is a derivation to be looked at under several abstractions: Abstract of Alg. 1, and the parameterised abstraction
// of Fig. 5. Open sites on it may return anything.
type path struct {
	*hunter
	// nodes and rules are the steps, callers before callees.
	nodes []*node
	rules []*rule.Rule
	// passed are the equations of the arguments that are passed, callers' before callees'.
	passed []equation
	// candidates are the groups that are not tracked and are passed on it, in order.
	candidates []int
	// narrowed says that the candidates are not all of these groups.
	narrowed bool
	// constants has the Boolean constant of each of them.
	constants map[int]*term.Term
	// solver has the parameterised path from when that is first checked.
	solver smt.Solver
	// checks counts the checks of the refinement.
	checks int
}

func (h *hunter) newPath(d *derivation) *path {
	p := &path{hunter: h, constants: map[int]*term.Term{}}
	d.visit(h.root, func(n *node, i int) { p.nodes, p.rules = append(p.nodes, n), append(p.rules, n.pred.Rules[i]) })
	slices.Reverse(p.nodes)
	slices.Reverse(p.rules)
	for i, n := range p.nodes {
		for _, slot := range p.rules[i].Slots {
			if s := n.sites[slot]; s.child != nil {
				p.passed = append(p.passed, h.equationsOf(s)...)
			}
		}
	}
	for _, e := range p.passed {
		if !h.tracking.on[e.group] && p.constants[e.group] == nil {
			p.constants[e.group] = h.pool.Fresh("track."+h.tracking.names[e.group][0], term.Bool)
			p.candidates = append(p.candidates, e.group)
		}
	}
	slices.Sort(p.candidates)
	return p
}

func (p *path) close() {
	if p.solver != nil {
		p.solver.Close()
		p.solver = nil
	}
}

// narrow leaves fewer candidates: the others are not tracked, whatever happens.
func (p *path) narrow(candidates []int) {
	p.close()
	p.candidates, p.narrowed = candidates, true
}

// unsliced is the formula of the path's rules.
func (p *path) unsliced() []*term.Term {
	out := make([]*term.Term, len(p.nodes))
	for i, n := range p.nodes {
		out[i] = p.whole(p.rules[i], n.inst.values)
	}
	return out
}

// sliced is what is left of the formula of the path's rules when only some groups are tracked (Fig. 3).
func (p *path) sliced(tracked func(group int) bool) []*term.Term {
	sliced := map[*rule.Rule][]*term.Term{}
	var out []*term.Term
	for i, n := range p.nodes {
		r := p.rules[i]
		if _, ok := sliced[r]; !ok {
			sliced[r] = p.slice(n.pred, r, tracked)
		}
		for _, f := range sliced[r] {
			out = append(out, n.inst.values.Apply(f))
		}
	}
	return out
}

// joined adds to the formula of the path's rules what passing the arguments of tracked groups means. Where it can, it
// substitutes a callee's parameters, and returns what for.
func (p *path) joined(formulas []*term.Term, tracked func(group int) bool) ([]*term.Term, map[*term.Term]*term.Term) {
	solved := map[*term.Term]*term.Term{}
	at := func(t *term.Term) *term.Term {
		known := map[*term.Term]*term.Term{}
		for _, v := range term.Vars(t) {
			if u := solved[v]; u != nil {
				known[v] = u
			}
		}
		return p.pool.Substitute(t, known)
	}
	var open []equation
	for _, e := range p.passed {
		if !tracked(e.group) {
			continue
		}
		// A caller's terms have no parameters but its own and its callers', which are solved already.
		if a := at(e.arg); e.param.IsVar() && solved[e.param] == nil && !term.Contains(a, e.param) {
			solved[e.param] = a
		} else {
			open = append(open, e)
		}
	}
	all := p.pool.NewSubstitution(solved)
	out := make([]*term.Term, 0, len(formulas)+len(open))
	for _, f := range formulas {
		out = append(out, all.Apply(f))
	}
	for _, e := range open {
		out = append(out, p.pool.Eq(all.Apply(e.arg), all.Apply(e.param)))
	}
	return out, solved
}

// parameterised is the formula of the path under every abstraction that tracks some of the candidates: an argument is
// passed when its group's constant is true (Fig. 5). What only groups that are no candidates have a say in is sliced away
// when the candidates are not all there are.
func (p *path) parameterised() []*term.Term {
	formulas := p.unsliced()
	if p.narrowed {
		formulas = p.sliced(func(k int) bool { return p.tracking.on[k] || slices.Contains(p.candidates, k) })
	}
	for _, e := range p.passed {
		if slices.Contains(p.candidates, e.group) {
			formulas = append(formulas, p.pool.Implies(p.constants[e.group], e.formula(p.pool)))
		}
	}
	formulas, _ = p.joined(formulas, func(k int) bool { return p.tracking.on[k] })
	return formulas
}

// abstracted is the formula of the path with some of the candidates tracked.
func (p *path) abstracted(groups []int) []*term.Term {
	tracked := func(k int) bool { return p.tracking.on[k] || slices.Contains(groups, k) }
	formulas, _ := p.joined(p.sliced(tracked), tracked)
	return formulas
}

// concrete checks the path with every argument passed; its model is one of the tree's terms.
func (p *path) concrete(ctx context.Context) (smt.Status, *smt.Model, error) {
	formulas, solved := p.joined(p.unsliced(), func(int) bool { return true })
	solver, err := p.newSolver(formulas)
	if err != nil {
		return smt.Unknown, nil, err
	}
	defer solver.Close()
	status, err := p.check(ctx, solver, nil)
	if err != nil || status != smt.Sat {
		return status, nil, err
	}
	m, err := solver.Model()
	if err != nil {
		return smt.Unknown, nil, fmt.Errorf("read the model of a path: %w", err)
	}
	whole := m.Clone()
	eval := term.NewEvaluator(p.pool, term.Complete(p.pool, m))
	for v, t := range solved {
		if value, ok := eval.Eval(t); ok {
			whole.Set(v, value)
		}
	}
	return status, whole, nil
}

// stacked checks the parameterised path, which stays on a solver's stack, with some of the candidates tracked. Their
// constants are assumptions; nothing says that the others are false, since true ones only add to what holds.
func (p *path) stacked(ctx context.Context, groups []int) (smt.Status, error) {
	if p.solver == nil {
		var err error
		if p.solver, err = p.newSolver(p.parameterised()); err != nil {
			return smt.Unknown, err
		}
	}
	assumptions := make([]*term.Term, len(groups))
	for i, k := range groups {
		assumptions[i] = p.constants[k]
	}
	return p.check(ctx, p.solver, assumptions)
}

// correct is the check of Alg. 2.
func (p *path) correct(ctx context.Context, groups []int) (bool, error) {
	p.checks++
	status, err := p.stacked(ctx, groups)
	return status == smt.Unsat, err
}

// correctAnew is the check of Alg. 1 and of STORM: the path is abstracted, and asserted in a new solver, each time.
func (p *path) correctAnew(ctx context.Context, groups []int) (bool, error) {
	p.checks++
	solver, err := p.newSolver(p.abstracted(groups))
	if err != nil {
		return false, err
	}
	defer solver.Close()
	status, err := p.check(ctx, solver, nil)
	return status == smt.Unsat, err
}

// newSolver returns a solver that knows the formulas.
func (p *path) newSolver(formulas []*term.Term) (smt.Solver, error) {
	solver, err := p.smt.NewSolver(p.tunings()[p.tuning])
	if err != nil {
		return nil, fmt.Errorf("open a solver for a path: %w", err)
	}
	if err := solver.Assert(formulas...); err != nil {
		solver.Close()
		return nil, fmt.Errorf("assert a path: %w", err)
	}
	return solver, nil
}

func (p *path) check(ctx context.Context, solver smt.Solver, assumptions []*term.Term) (smt.Status, error) {
	solver.SetLimit(p.options.checkLimit())
	p.count("checks", 1)
	status, err := solver.Check(ctx, assumptions...)
	switch {
	case err != nil:
		return smt.Unknown, fmt.Errorf("check a path: %w", err)
	case ctx.Err() != nil:
		return smt.Unknown, ctx.Err()
	}
	return status, nil
}
