package inline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc/rule"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/itp"
	"hornbeam/internal/smt"
)

// call is a node of the tree as a proof sees it: an instance over variables of its own throughout, so that what is shown
// of its arguments holds whatever constants its callers pass.
type call struct {
	node *node
	pred *predicate
	inst *instance
	// caller and slot say where it is called; the root has none.
	caller *call
	slot   int
	// callees has the inlined call of each slot, nil for the others.
	callees []*call
	// label holds of the arguments, inst.args, whenever the call can be made: the interpolant. It is nil at first.
	label *term.Term
	// whole is the formula of the call while it has no label, with the labels that calls below it have; nil when it is to
	// be made anew.
	whole *term.Term
}

// proof is a tree without counterexample whose calls are being labelled.
type proof struct {
	*hunter
	// blocked are the open sites that the tree has no counterexample without; what the labels say then holds only of what
	// is derived without these calls.
	blocked map[*site]bool
	// top is the call of the root.
	top *call
	// graph has the calls when shared ones are labelled once; nil when every call has one caller.
	graph *graph
}

// calls returns all calls, callees before callers.
func (p *proof) calls() []*call {
	if p.graph != nil {
		return p.graph.calls
	}
	return p.top.all(nil)
}

// safe is the answer for a tree that has no counterexample although no site is blocked: a model of the clauses. It is
// read off the tree: tree interpolants label every inlined call, such that a call's rules and the labels of its callees
// imply its own, that of the root is false, and an open site is labelled with its predicate's summary. A predicate then
// means its summary and the labels of all its calls: in a rule, the premises imply the labels of the callees of any of
// the calls of the head's predicate, and so that call's label. Where labels are not to be had, those that are and the
// clauses' atoms may have a part that is inductive.
func (h *hunter) safe(ctx context.Context) (engine.Answer, error) {
	if !h.options.prove {
		return h.noBugAtAll(), nil
	}
	p := &proof{hunter: h}
	m, err := p.interpolate(ctx)
	if m == nil && unproved(ctx, err) {
		var failure error
		if m, failure = h.induce(ctx, p.candidates()); failure != nil {
			return engine.Answer{}, failure
		}
		if m == nil {
			err = &engine.Incomplete{Reason: "there is no bug at any recursion bound, but no model was found: " + err.Error() + "; try --engine spacer"}
		}
	}
	if m == nil {
		return engine.Answer{}, err
	}
	return engine.Answer{Verdict: engine.Sat, Model: m}, nil
}

// interpolate returns the model that the labels make, checked.
func (p *proof) interpolate(ctx context.Context) (*witness.Model, error) {
	labelled, err := p.postconditions(ctx)
	if err == nil && !labelled {
		if err = p.shrink(ctx); err == nil {
			err = p.label(ctx, itp.Options{Time: p.options.proofTime})
		}
	}
	if err != nil {
		return nil, err
	}
	m := p.model()
	if err := witness.CheckModel(ctx, p.settings.Open, p.asked, m, smt.Limit{}); err != nil {
		return nil, err
	}
	return m, nil
}

// unproved reports whether an error only says that a proof was not found.
func unproved(ctx context.Context, err error) bool {
	return ctx.Err() == nil && slices.ContainsFunc([]error{itp.ErrBudget, itp.ErrUnverified, itp.ErrModel, witness.ErrUndecided, errNotProved},
		func(reason error) bool { return errors.Is(err, reason) })
}

// errNotProved says that the tree's formula, asserted in another solver, was not shown to be unsatisfiable.
var errNotProved = errors.New("the inlined tree was not proved in another solver")

// shrink finds the calls of the tree that its proof needs; the others are open sites again.
func (p *proof) shrink(ctx context.Context) error {
	return p.shrinkCalls(ctx, p.sharing != nil && p.sharing.merges > 0 && unfolded(p.root, map[*node]int{}) > mostUnfolded)
}

// shrinkCalls does that for the tree of calls, or for the graph of them where they are shared.
func (p *proof) shrinkCalls(ctx context.Context, shared bool) error {
	var kept map[*node]bool
	for round := 0; ; round++ {
		if shared {
			p.newGraph(kept)
		} else {
			p.top = p.newCall(p.root, nil, 0, kept)
		}
		calls := p.calls()
		if round == 0 {
			p.set("inline.proof.nodes", int64(len(calls)))
		}
		if round == shrinkRounds || round > 0 && len(calls) == len(kept) {
			p.set("inline.proof.kept", int64(len(calls)))
			return nil
		}
		var err error
		if kept, err = p.needed(ctx, calls); err != nil {
			return err
		}
	}
}

func (p *proof) newCall(n *node, caller *call, slot int, kept map[*node]bool) *call {
	c := &call{node: n, pred: n.pred, caller: caller, slot: slot, callees: make([]*call, len(n.sites))}
	var args []*term.Term
	if caller != nil {
		args = p.received(n.pred, caller.inst.slots[slot])
	}
	c.inst = p.instantiate(n.pred, args, false)
	for i, s := range n.sites {
		if s != nil && s.child != nil && (kept == nil || kept[s.child]) {
			c.callees[i] = p.newCall(s.child, c, i, kept)
		}
	}
	return c
}

// all returns the calls of the subtree, callees before callers, after those of out.
func (c *call) all(out []*call) []*call {
	for _, d := range c.callees {
		if d != nil {
			out = d.all(out)
		}
	}
	return append(out, c)
}

// needed proves the calls' formulas, each guarded by a literal, and returns the nodes of those that the proof used, and
// the root.
func (p *proof) needed(ctx context.Context, calls []*call) (map[*node]bool, error) {
	guards := make([]*term.Term, len(calls))
	formulas := make([]*term.Term, len(calls))
	of := map[*term.Term]*call{}
	edges := map[*call]*term.Term{}
	for i, c := range calls {
		guards[i] = p.pool.Fresh("needed", term.Bool)
		of[guards[i]] = c
		edges[c] = p.pool.Fresh("call", term.Bool)
		// Callees come first, so that their edges are known.
		body := p.ways(c, -1, func(d *call) *term.Term { return edges[d] })
		if c.caller != nil {
			body = p.pool.Implies(edges[c], body)
		}
		formulas[i] = p.pool.Implies(guards[i], body)
	}
	core, err := p.refute(ctx, formulas, guards)
	if err != nil {
		return nil, err
	}
	used := map[*node]bool{p.root: true}
	for _, g := range core {
		used[of[g].node] = true
	}
	return used, nil
}

// refute returns the guards that a proof of unsatisfiability uses. It asks solvers with all settings in turn.
func (p *proof) refute(ctx context.Context, formulas, guards []*term.Term) ([]*term.Term, error) {
	for _, params := range p.tunings()[p.tuning:] {
		solver, err := p.smt.NewSolver(params)
		if err != nil {
			return nil, fmt.Errorf("open a solver for a proof: %w", err)
		}
		defer solver.Close()
		if err := solver.Assert(formulas...); err != nil {
			return nil, fmt.Errorf("assert a proof: %w", err)
		}
		solver.SetLimit(p.options.checkLimit())
		p.count("checks", 1)
		switch status, err := solver.Check(ctx, guards...); {
		case err != nil:
			return nil, fmt.Errorf("check a proof: %w", err)
		case status == smt.Unsat:
			return solver.Core(), nil
		case status == smt.Sat:
			m, err := solver.Model()
			if err != nil {
				return nil, fmt.Errorf("read a model of a proof: %w", err)
			}
			if p.satisfied(m, append(slices.Clone(formulas), guards...)) {
				return nil, errors.New("an inlined tree that was proved has a counterexample")
			}
		}
	}
	return nil, errNotProved
}

// unexpanded is what is known of the arguments of a call that is not inlined.
func (p *proof) unexpanded(c *call, slot int) *term.Term {
	if len(c.pred.slots[slot].Rules) == 0 || p.blocked[c.node.sites[slot]] {
		return p.pool.False()
	}
	return p.promised(c, slot)
}

// promised is the summary of a call that c makes, inlined or not.
func (p *proof) promised(c *call, slot int) *term.Term {
	q := c.pred.slots[slot]
	return q.At(q.summary, c.inst.slots[slot])
}

// label labels the calls: the interpolant of what is below a call and what is outside it.
func (p *proof) label(ctx context.Context, options itp.Options) error {
	labeller, err := itp.New(p.pool, p.settings.Open, options)
	if err != nil {
		return err
	}
	defer labeller.Close()
	if p.graph != nil {
		return p.graph.label(ctx, labeller)
	}
	for _, c := range p.top.all(nil) {
		if c != p.top && c.pred.flat && len(c.locals()) == 0 {
			// What the facts say is the label that says most, and costs nothing.
			c.label = p.inside(c, -1)
		}
	}
	if size := len(p.top.unlabelled(nil)); size > smallTree {
		options.Rounds = quickRounds
		quick, err := itp.New(p.pool, p.settings.Open, options)
		if err != nil {
			return err
		}
		defer quick.Close()
		h := halving{proof: p, quick: quick, thorough: labeller, most: size}
		return h.label(ctx, p.top)
	}
	for _, c := range p.top.unlabelled(nil) {
		if c != p.top {
			if err := p.labelCall(ctx, labeller, p.top, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// labelCall labels a call of the part of the tree below top.
func (p *proof) labelCall(ctx context.Context, labeller *itp.Interpolator, top, c *call) error {
	label, err := labeller.Binary(ctx, p.inside(c, -1), p.outside(c, top), c.inst.args)
	if err != nil {
		return fmt.Errorf("label a call of %s: %w", c.pred.Name, err)
	}
	c.label = label
	for above := c.caller; above != nil; above = above.caller {
		above.whole = nil
	}
	p.count("inline.proof.labels", 1)
	return nil
}

// locals are the variables of a call's rules that are not its arguments.
func (c *call) locals() []*term.Term {
	return slices.DeleteFunc(term.Vars(c.inst.formulas...), func(v *term.Term) bool { return slices.Contains(c.inst.args, v) })
}

// known is a call's label, or, before it has one, the formula of it and of all that it calls.
func (p *proof) known(c *call) *term.Term {
	if c.label != nil {
		return c.label
	}
	if c.whole == nil {
		c.whole = p.inside(c, -1)
	}
	return c.whole
}

// inside is the formula of a call's rules with what is known of the calls that they make.
func (p *proof) inside(c *call, without int) *term.Term { return p.ways(c, without, p.known) }

// ways is the disjunction of a call's rules, each with what is said of the calls that it makes and, where calls are shared,
// the equations of their arguments. Unless without is -1, only the rules that make the call of that slot are taken, and no
// more than its summary is said of that call.
func (p *proof) ways(c *call, without int, said func(*call) *term.Term) *term.Term {
	var ways []*term.Term
	for r, rule := range c.pred.Rules {
		parts := []*term.Term{c.inst.formulas[r]}
		through := without < 0
		for _, slot := range rule.Slots {
			d := c.callees[slot]
			switch {
			case slot == without:
				through = true
				parts = append(parts, p.promised(c, slot))
			case d != nil:
				parts = append(parts, said(d), p.promised(c, slot))
			default:
				parts = append(parts, p.unexpanded(c, slot))
			}
			if p.graph != nil && d != nil {
				for i, a := range c.inst.slots[slot] {
					parts = append(parts, p.pool.Eq(a, d.inst.args[i]))
				}
			}
		}
		if through {
			ways = append(ways, p.pool.And(parts...))
		}
	}
	return p.pool.Or(ways...)
}

// outside is the formula of the rules above a call, up to top, through which it is made, and of their other calls, and of
// what top's label excludes. What has no part in making the call contradicts itself, since the tree does.
func (p *proof) outside(c, top *call) *term.Term {
	var parts []*term.Term
	if top.label != nil {
		parts = append(parts, p.pool.Not(top.label))
	}
	for ; c != top; c = c.caller {
		parts = append(parts, p.inside(c.caller, c.slot))
	}
	return p.pool.And(parts...)
}

// model is the conjunction, for each predicate, of its summary and the labels of its calls.
func (p *proof) model() *witness.Model {
	bodies := p.said(nil)
	for _, c := range p.calls() {
		if c != p.top {
			bodies[c.pred] = append(bodies[c.pred], p.labelOf(c))
		}
	}
	return p.interpretation(bodies)
}

// labelOf is a call's label over its predicate's parameters.
func (p *proof) labelOf(c *call) *term.Term {
	m := make(map[*term.Term]*term.Term, len(c.inst.args))
	for i, v := range c.inst.args {
		m[v] = c.pred.Params[i]
	}
	return p.pool.Substitute(c.label, m)
}

// interpretation is a model of the system that is asked about, in which each predicate means the conjunction of what is said of its
// parameters. What is said when it is inlined from its other end holds, with the lemmas, of all that leads to a query: then a
// predicate means the lemmas and that not all of it holds.
func (h *hunter) interpretation(said map[*predicate][]*term.Term) *witness.Model {
	return h.system.Model(func(p *rule.Predicate) []*term.Term {
		t := h.of(p)
		if h.reversed {
			return []*term.Term{t.lemmas, h.pool.Not(h.pool.And(said[t]...))}
		}
		return said[t]
	})
}
