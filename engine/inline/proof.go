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
	// whole is the formula of the call before any label: what it is to calls that are labelled earlier.
	whole *term.Term
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
	for _, honest := range []error{itp.ErrBudget, itp.ErrUnverified, witness.ErrUndecided, errNotProved} {
		if errors.Is(err, honest) && ctx.Err() == nil {
			return &incomplete{"there is no bug at any recursion bound, but no model was found: " + err.Error()}
		}
	}
	return err
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
	guards := make([]*term.Term, len(calls))
	formulas := make([]*term.Term, len(calls))
	of := map[*term.Term]*call{}
	edges := map[*call]*term.Term{}
	for i, c := range calls {
		guards[i] = h.pool.Fresh("needed", term.Bool)
		of[guards[i]] = c
		edges[c] = h.pool.Fresh("call", term.Bool)
		// Callees come first, so that their edges are known.
		body := h.ways(c, -1, func(d *call) *term.Term { return edges[d] })
		if c.caller != nil {
			body = h.pool.Implies(edges[c], body)
		}
		formulas[i] = h.pool.Implies(guards[i], body)
	}
	core, err := h.refute(ctx, formulas, guards)
	if err != nil {
		return nil, err
	}
	used := map[*node]bool{h.root: true}
	for _, g := range core {
		used[of[g].node] = true
	}
	return used, nil
}

// refute returns the guards that a proof of unsatisfiability uses. It asks solvers with all settings in turn.
func (h *hunter) refute(ctx context.Context, formulas, guards []*term.Term) ([]*term.Term, error) {
	for _, params := range h.tunings()[h.tuning:] {
		solver, err := h.smt.NewSolver(params)
		if err != nil {
			return nil, fmt.Errorf("open a solver for a proof: %w", err)
		}
		defer solver.Close()
		if err := solver.Assert(formulas...); err != nil {
			return nil, fmt.Errorf("assert a proof: %w", err)
		}
		solver.SetLimit(h.options.checkLimit)
		h.count("checks", 1)
		switch status, err := solver.Check(ctx, guards...); {
		case err != nil:
			return nil, fmt.Errorf("check a proof: %w", err)
		case status == smt.Unsat:
			return solver.Core(), nil
		case status == smt.Sat:
			return nil, errors.New("an inlined tree that was proved has a counterexample")
		}
	}
	return nil, errNotProved
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

// known is a call's label, or, before it has one, the formula of it and of all that it calls.
func (h *hunter) known(c *call) *term.Term {
	if c.label != nil {
		return c.label
	}
	if c.whole == nil {
		c.whole = h.inside(c, -1)
	}
	return c.whole
}

// inside is the formula of a call's rules with what is known of the calls that they make.
func (h *hunter) inside(c *call, without int) *term.Term { return h.ways(c, without, h.known) }

// ways is the disjunction of a call's rules, each with what is said of the calls that it makes. Unless without is -1,
// only the rules that make the call of that slot are taken, and nothing is said of that call.
func (h *hunter) ways(c *call, without int, said func(*call) *term.Term) *term.Term {
	var ways []*term.Term
	for r, rule := range c.pred.rules {
		parts := []*term.Term{c.inst.formulas[r]}
		through := without < 0
		for _, slot := range rule.body {
			switch d := c.callees[slot]; {
			case slot == without:
				through = true
			case d != nil:
				parts = append(parts, said(d))
			default:
				parts = append(parts, h.unexpanded(c, slot))
			}
		}
		if through {
			ways = append(ways, h.pool.And(parts...))
		}
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
