package encode

import (
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
)

// effects is what a procedure does with globals, itself or by calls.
type effects struct {
	// reads has the globals whose values at entry matter, in the order of their declaration; writes those that may change.
	reads, writes []*ast.Variable
	readSet       flow.Variables
	// live has what is live at each block of each body.
	live map[*flow.Graph]*flow.Liveness
	// calls has the procedures that the bodies call.
	calls []*ast.Procedure
	// mayFail says that there is something that can fail in the bodies, or in what they call.
	mayFail bool
}

// computeEffects finds the effects of all procedures that are encoded.
func (e *encoder) computeEffects() {
	callers := map[*ast.Procedure][]*ast.Procedure{}
	queued := map[*ast.Procedure]bool{}
	var work []*ast.Procedure
	for _, p := range e.procedures {
		f := &effects{writes: p.Frame, readSet: flow.Variables{}, live: map[*flow.Graph]*flow.Liveness{}}
		e.effects[p] = f
		called := map[*ast.Procedure]bool{}
		f.mayFail = len(e.graphs[p]) > 0 && len(obliging(e.specifications(p.Ensures))) > 0
		for _, g := range e.graphs[p] {
			for _, c := range g.Commands() {
				f.mayFail = f.mayFail || c.Kind == flow.Assert && !e.leavesOut(c)
				s, ok := c.Source.(*ast.Call)
				if !ok {
					continue
				}
				f.mayFail = f.mayFail || e.isError(s.Procedure) || !s.Free && len(obliging(e.specifications(s.Procedure.Requires))) > 0
				if !called[s.Procedure] {
					called[s.Procedure] = true
					f.calls = append(f.calls, s.Procedure)
					callers[s.Procedure] = append(callers[s.Procedure], p)
				}
			}
		}
		work, queued[p] = append(work, p), true
	}
	// Callees tend to be declared before their callers or right behind: going backwards through the reachable ones, which
	// were found from the callers on, settles most at the first visit.
	for len(work) > 0 {
		p := work[len(work)-1]
		work, queued[p] = work[:len(work)-1], false
		before := len(e.effects[p].readSet)
		e.computeReads(p)
		if len(e.effects[p].readSet) == before {
			continue
		}
		for _, c := range callers[p] {
			if !queued[c] {
				work, queued[c] = append(work, c), true
			}
		}
	}
	for _, f := range e.effects {
		f.reads = e.inOrder(f.readSet)
	}
	for changed := true; changed; {
		changed = false
		for _, p := range slices.Backward(e.procedures) {
			f := e.effects[p]
			if !f.mayFail && slices.ContainsFunc(f.calls, func(q *ast.Procedure) bool { return e.effects[q].mayFail }) {
				f.mayFail, changed = true, true
			}
		}
	}
}

// inOrder returns the globals of a set in the order of their declaration.
func (e *encoder) inOrder(set flow.Variables) []*ast.Variable {
	var out []*ast.Variable
	for _, v := range e.program.Globals {
		if set[v] {
			out = append(out, v)
		}
	}
	return out
}

// computeReads adds to the globals that a procedure reads what follows from those of its callees.
func (e *encoder) computeReads(p *ast.Procedure) {
	f := e.effects[p]
	for _, spec := range slices.Concat(p.Requires, p.Ensures) {
		e.readsGlobals(spec.Cond, f.readSet)
	}
	for _, v := range e.assumedBy(p) {
		e.readsGlobals(v.Where, f.readSet)
		if v.Kind == ast.Global {
			f.readSet[v] = true
		}
	}
	if len(e.graphs[p]) == 0 {
		// Its results are what the contract says, of any state.
		return
	}
	for _, g := range e.graphs[p] {
		atExit := flow.Variables{}
		for _, v := range p.Frame {
			atExit[v] = true
		}
		for _, v := range g.Implementation.Out {
			atExit[v] = true
		}
		for _, spec := range p.Ensures {
			e.readsGlobals(spec.Cond, atExit)
		}
		live := g.Live(atExit, func(q *ast.Procedure) (reads, changes flow.Variables) {
			return e.effects[q].readSet, nil
		})
		f.live[g] = live
		for v := range live.At(g.Blocks[0]) {
			if v.Kind == ast.Global {
				f.readSet[v] = true
			}
		}
		for _, c := range g.Commands() {
			flow.Reads(c.Cond, nil, f.readSet)
			flow.Reads(c.Under, nil, f.readSet)
			if s, ok := c.Source.(*ast.Call); ok {
				for _, a := range s.Args {
					flow.Reads(a, nil, f.readSet)
				}
			}
			if s, ok := c.Source.(*ast.Assign); ok {
				for i := range s.Left {
					_, value := s.Value(i)
					flow.Reads(value, nil, f.readSet)
				}
			}
		}
	}
}

// assumedBy has the variables whose where clauses are assumed at the entry of a procedure, or by a call of it.
func (e *encoder) assumedBy(p *ast.Procedure) []*ast.Variable {
	all := slices.Concat(p.In, p.Out)
	if e.byContract(p) {
		all = append(all, p.Frame...)
	}
	for _, g := range e.graphs[p] {
		all = append(all, g.Implementation.Body.Locals...)
	}
	if e.options.Modular && !e.options.Native {
		all = append(all, e.program.Globals...)
	}
	return slices.DeleteFunc(all, func(v *ast.Variable) bool { return v.Where == nil })
}

// readsGlobals adds the globals that a contract or a where clause speaks of. Those after a call that the procedure may not
// change are the same before it.
func (e *encoder) readsGlobals(x ast.Expr, set flow.Variables) {
	all := flow.Variables{}
	flow.Reads(x, all, all)
	for v := range all {
		if v.Kind == ast.Global {
			set[v] = true
		}
	}
}
