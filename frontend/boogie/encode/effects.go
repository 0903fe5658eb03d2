package encode

import (
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
)

// effects is what a procedure does with globals, itself or by calls.
type effects struct {
	// reads has the globals whose values at entry matter, in the order of their declaration; writes those that may change.
	reads, writes []*ast.Variable
	readSet       flow.Variables
	// live has what is live at each block of each body.
	live map[*flow.Graph][]flow.Variables
	// calls has the procedures that the bodies call.
	calls []*ast.Procedure
}

// computeEffects finds the effects of all procedures that are encoded.
func (e *encoder) computeEffects() {
	callers := map[*ast.Procedure][]*ast.Procedure{}
	queued := map[*ast.Procedure]bool{}
	var work []*ast.Procedure
	for _, p := range e.procedures {
		f := &effects{writes: p.Frame, readSet: flow.Variables{}, live: map[*flow.Graph][]flow.Variables{}}
		e.effects[p] = f
		called := map[*ast.Procedure]bool{}
		for _, g := range e.graphs[p] {
			for _, c := range commands(g) {
				if s, ok := c.Source.(*ast.Call); ok && !called[s.Procedure] {
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
}

func commands(g *flow.Graph) []*flow.Command {
	var out []*flow.Command
	for _, b := range g.Blocks {
		out = append(out, b.Commands...)
	}
	return out
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
	for _, spec := range append(append([]*ast.Specification{}, p.Requires...), p.Ensures...) {
		e.readsOfContract(spec, f.readSet)
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
			flow.Reads(spec.Cond, atExit, nil)
		}
		live := g.Live(atExit, func(q *ast.Procedure) (reads, changes flow.Variables) {
			if e.isError(q) {
				return nil, nil
			}
			return e.effects[q].readSet, nil
		})
		f.live[g] = live
		for v := range live[0] {
			if v.Kind == ast.Global {
				f.readSet[v] = true
			}
		}
		for _, c := range commands(g) {
			flow.Reads(c.Cond, nil, f.readSet)
			if s, ok := c.Source.(*ast.Call); ok {
				for _, a := range s.Args {
					flow.Reads(a, nil, f.readSet)
				}
			}
			if s, ok := c.Source.(*ast.Assign); ok {
				for _, r := range s.Right {
					flow.Reads(r, nil, f.readSet)
				}
			}
		}
	}
}

// readsOfContract adds the globals that a contract speaks of. Those after the call that the procedure may not change are
// the same before it.
func (e *encoder) readsOfContract(spec *ast.Specification, set flow.Variables) {
	all := flow.Variables{}
	flow.Reads(spec.Cond, all, all)
	for v := range all {
		if v.Kind == ast.Global {
			set[v] = true
		}
	}
}
