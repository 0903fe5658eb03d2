package inline

import (
	"context"
	"errors"
	"fmt"

	"hornbeam/chc"
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
}

// safe is the answer for a tree that has no counterexample although no site is blocked: a model of the clauses. It is
// read off the tree: tree interpolants label every inlined call, such that a call's rules and the labels of its callees
// imply its own, that of the root is false, and an open site is labelled with its predicate's summary. A predicate then
// means its summary and the labels of all its calls: in a rule, the premises imply the labels of the callees of any of
// the calls of the head's predicate, and so that call's label.
func (h *hunter) safe(ctx context.Context) (engine.Answer, error) {
	root, err := h.shrink(ctx)
	if err != nil {
		return engine.Answer{}, h.withoutModel(ctx, err)
	}
	labeller, err := itp.New(h.pool, h.settings.Open, itp.Options{Time: h.options.proofLimit.Time})
	if err != nil {
		return engine.Answer{}, err
	}
	defer labeller.Close()
	if err := h.label(ctx, labeller, root); err != nil {
		return engine.Answer{}, h.withoutModel(ctx, err)
	}
	m := h.model(root)
	if err := witness.CheckModel(ctx, h.settings.Open, h.sys, m, smt.Limit{}); err != nil {
		return engine.Answer{}, h.withoutModel(ctx, err)
	}
	return engine.Answer{Verdict: engine.Sat, Model: m}, nil
}

// withoutModel is the honest end of a run that has shown that there is no refutation but cannot say why in a model.
func (h *hunter) withoutModel(ctx context.Context, err error) error {
	if ctx.Err() != nil || !errors.Is(err, itp.ErrBudget) && !errors.Is(err, witness.ErrUndecided) && !errors.Is(err, errNotProved) {
		return err
	}
	return &incomplete{"there is no bug at any recursion bound, but no model was found: " + err.Error()}
}

// errNotProved says that the tree's formula, told to another solver, was not shown to be unsatisfiable.
var errNotProved = errors.New("the inlined tree was not proved in another solver")

// shrinkRounds bounds the attempts to do with fewer nodes.
const shrinkRounds = 3

// shrink returns the calls of the tree without those that its proof does not need, which are open sites again.
func (h *hunter) shrink(ctx context.Context) (*call, error) {
	var kept map[*node]bool
	for round := 0; ; round++ {
		root := h.newCall(h.root, nil, 0, kept)
		calls := root.all(nil)
		if round == 0 {
			h.set("inline.proof.nodes", int64(len(calls)))
		}
		if round == shrinkRounds || round > 0 && len(calls) == len(kept) {
			h.set("inline.proof.kept", int64(len(calls)))
			return root, nil
		}
		core, err := h.needed(ctx, calls)
		if err != nil {
			return nil, err
		}
		kept = core
	}
}

func (h *hunter) newCall(n *node, caller *call, slot int, kept map[*node]bool) *call {
	c := &call{node: n, pred: n.pred, caller: caller, slot: slot, callees: make([]*call, len(n.sites))}
	var args []*term.Term
	if caller != nil {
		args = caller.inst.slots[slot]
	}
	c.inst = h.instantiate(n.pred, args, false)
	for i, s := range n.sites {
		if s != nil && s.child != nil && (kept == nil || kept[s.child]) {
			c.callees[i] = h.newCall(s.child, c, i, kept)
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
func (h *hunter) needed(ctx context.Context, calls []*call) (map[*node]bool, error) {
	solver, err := h.smt.NewSolver(h.tunings()[h.tuning])
	if err != nil {
		return nil, fmt.Errorf("open a solver for a proof: %w", err)
	}
	defer solver.Close()
	p := h.pool
	guards := make([]*term.Term, len(calls))
	of := map[*term.Term]*call{}
	edges := map[*call]*term.Term{}
	for i, c := range calls {
		guards[i] = p.Fresh("needed", term.Bool)
		of[guards[i]] = c
		edges[c] = p.Fresh("call", term.Bool)
		// Callees come first, so that their edges are known.
		parts := []*term.Term{}
		for r := range c.pred.rules {
			step := []*term.Term{c.inst.formulas[r]}
			for _, slot := range c.pred.rules[r].body {
				if d := c.callees[slot]; d != nil {
					step = append(step, edges[d])
				} else {
					step = append(step, h.unexpanded(c, slot))
				}
			}
			parts = append(parts, p.And(step...))
		}
		body := p.Or(parts...)
		if c.caller != nil {
			body = p.Implies(edges[c], body)
		}
		if err := solver.Assert(p.Implies(guards[i], body)); err != nil {
			return nil, fmt.Errorf("assert a proof: %w", err)
		}
	}
	solver.SetLimit(h.options.checkLimit)
	h.count("checks", 1)
	status, err := solver.Check(ctx, guards...)
	if err != nil {
		return nil, fmt.Errorf("check a proof: %w", err)
	}
	if status != smt.Unsat {
		return nil, errNotProved
	}
	used := map[*node]bool{h.root: true}
	for _, g := range solver.Core() {
		used[of[g].node] = true
	}
	return used, nil
}

// unexpanded is what is known of the arguments of a call that is not inlined.
func (h *hunter) unexpanded(c *call, slot int) *term.Term {
	s := c.pred.slots[slot]
	if len(s.pred.rules) == 0 {
		return h.pool.False()
	}
	return h.at(s.pred, s.pred.summary, c.inst.slots[slot])
}

// label labels the calls, callees before callers: the interpolant of what is below a call and what is beside and above.
func (h *hunter) label(ctx context.Context, labeller *itp.Interpolator, root *call) error {
	for _, c := range root.all(nil) {
		if c == root {
			break
		}
		label, err := labeller.Binary(ctx, h.inside(c, -1), h.outside(c), c.inst.args)
		if err != nil {
			return fmt.Errorf("label a call of %s: %w", c.pred.name, err)
		}
		c.label = label
		h.count("inline.proof.labels", 1)
	}
	return nil
}

// inside is the formula of a call's rules and of all that they call, where a call that has its label is that. With a
// slot, only the rules that make the call of that slot are taken, and the call itself is left out.
func (h *hunter) inside(c *call, without int) *term.Term {
	if c.label != nil {
		return c.label
	}
	var ways []*term.Term
	for r, rule := range c.pred.rules {
		parts := []*term.Term{c.inst.formulas[r]}
		through := without < 0
		for _, slot := range rule.body {
			switch d := c.callees[slot]; {
			case slot == without:
				through = true
			case d != nil:
				parts = append(parts, h.inside(d, -1))
			default:
				parts = append(parts, h.unexpanded(c, slot))
			}
		}
		if !through {
			continue
		}
		ways = append(ways, h.pool.And(parts...))
	}
	return h.pool.Or(ways...)
}

// outside is the formula of the rules above a call through which it is made, and of their other calls. What has no part
// in making the call contradicts itself, since the tree does.
func (h *hunter) outside(c *call) *term.Term {
	var parts []*term.Term
	for ; c.caller != nil; c = c.caller {
		parts = append(parts, h.inside(c.caller, c.slot))
	}
	return h.pool.And(parts...)
}

// model is the conjunction, for each predicate, of its summary and the labels of its calls.
func (h *hunter) model(root *call) *witness.Model {
	bodies := map[*predicate]*term.Term{}
	for _, p := range h.preds {
		bodies[p] = p.summary
		if len(p.rules) == 0 {
			bodies[p] = h.pool.False()
		}
	}
	for _, c := range root.all(nil) {
		if c == root {
			continue
		}
		m := make(map[*term.Term]*term.Term, len(c.inst.args))
		for i, v := range c.inst.args {
			m[v] = c.pred.params[i]
		}
		bodies[c.pred] = h.pool.And(bodies[c.pred], h.pool.Substitute(c.label, m))
	}
	m := &witness.Model{Interpretations: map[*chc.Predicate]witness.Interpretation{}}
	for _, p := range h.preds {
		if p.source != nil {
			m.Interpretations[p.source] = witness.Interpretation{Params: p.params, Body: bodies[p]}
		}
	}
	return m
}
