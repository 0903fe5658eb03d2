package bits

import (
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
)

// maxRounds is how often one procedure is analysed at most.
const maxRounds = 60

// summarise analyses a procedure, and has its callers looked at again if it leaves more than was known.
func (r *ranges) summarise(q *ast.Procedure, graphs []*flow.Graph) error {
	old, changed := r.leaves[q], false
	for _, g := range graphs {
		leaves, err := r.procedure(g, r.enters[q], false)
		if err != nil {
			return err
		}
		if leaves == nil {
			continue
		}
		kept := state{}
		for v, i := range leaves {
			if v.Kind == ast.Global || v.Kind == ast.In || v.Kind == ast.Out {
				kept[v] = i
			}
		}
		var more bool
		old, more = r.join(old, kept, r.rounds[q] > widenAfter)
		changed = changed || more
	}
	if changed {
		r.leaves[q] = old
		for _, c := range r.callers[q] {
			r.again(c)
		}
	}
	return nil
}

// again puts a procedure on the list of those to be analysed.
func (r *ranges) again(q *ast.Procedure) {
	if !slices.Contains(r.work, q) {
		r.work = append(r.work, q)
	}
}

// call is what a call leaves of a state, and false if the callee is not known to return. What the callee is entered with
// grows by what this call gives it.
func (r *ranges) call(s state, caller *ast.Procedure, c *ast.Call) bool {
	q := c.Procedure
	forget := func() {
		for _, v := range c.Results {
			if v != nil {
				delete(s, v.Decl)
			}
		}
		for _, g := range q.Frame {
			delete(s, g)
		}
	}
	if len(q.Implementations) == 0 || r.enters == nil {
		forget()
		return true
	}
	gives := state{}
	for v, i := range s {
		if v.Kind == ast.Global {
			gives[v] = i
		}
	}
	for k, v := range q.In {
		if isMap(v.Syntax) || sortOf(v.Syntax).shape == other || c.Args[k] == nil {
			continue
		}
		if i := r.eval(s, c.Args[k]); !trivial(v, i) {
			gives[v] = i
		}
	}
	enters, changed := r.join(r.enters[q], gives, r.rounds[q] > widenAfter)
	if changed {
		r.enters[q] = enters
		r.again(q)
	}
	if !slices.Contains(r.callers[q], caller) {
		r.callers[q] = append(r.callers[q], caller)
	}
	leaves := r.leaves[q]
	if leaves == nil {
		return false
	}
	// Where the call returns, the parameters were what the callee leaves: an argument that makes it end the path is none.
	for k, v := range q.In {
		if i, ok := leaves[v]; ok && c.Args[k] != nil && !r.narrow(s, c.Args[k], i) {
			return false
		}
	}
	forget()
	for _, g := range q.Frame {
		if i, ok := leaves[g]; ok {
			s[g] = i
		}
	}
	for k, v := range c.Results {
		if v == nil {
			continue
		}
		if i, ok := leaves[q.Out[k]]; ok && !isMap(v.Decl.Syntax) && !trivial(v.Decl, i) {
			s[v.Decl] = i
		}
	}
	return true
}
