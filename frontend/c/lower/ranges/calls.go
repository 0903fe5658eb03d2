package ranges

import (
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
)

// unit is a procedure with its summary.
type unit struct {
	procedure *ast.Procedure
	bodies    []*body
	// parameters is the number below which variables are visible to calls: globals, parameters and results.
	parameters int
	// frame tells by number which globals a call may change.
	frame []bool
	// given is the join of the states of its calls, of parameters and globals; nil if no call is reached. enters is the state that it was
	// analysed with last.
	given, enters *state
	// leaves is the state at its returns, of the same variables and its results; nil if it never returns.
	leaves *state
	// grown counts how often given exceeded enters, left how often leaves grew.
	grown, left int
	// callers are those whose analysis depends on this one's leaves.
	callers map[*unit]bool
	// more says that given exceeds enters, stale that the exit state of a callee has grown. active says that the procedure is being
	// analysed, begun that it was at least once.
	more, stale, active, begun bool
	// again says that the procedure is called recursively.
	again bool
}

// procedures analyses procedures until nothing changes. A procedure is analysed first when it is called. Growth is passed on in sweeps:
// entry states from callers to callees, exit states from callees to callers, so that without recursion each procedure sees all changes
// at once.
func (r *Analysis) procedures(p *ast.Program) error {
	var entries, order []*unit
	for _, q := range p.Procedures {
		if len(q.Implementations) == 0 {
			continue
		}
		u := r.unit(q)
		r.units[q] = u
		if q.Attributes.Has("entrypoint") {
			u.given, u.more = &state{}, true
			entries = append(entries, u)
		}
	}
	seen := map[*unit]bool{}
	for _, u := range entries {
		r.postorder(u, seen, map[*unit]bool{}, &order)
	}
	slices.Reverse(order)
	for changed := true; changed; {
		changed = false
		for _, u := range order {
			if u.more {
				changed = true
				if err := r.summarise(u); err != nil {
					return err
				}
			}
		}
		for _, u := range slices.Backward(order) {
			if u.stale {
				changed = true
				if err := r.summarise(u); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// unit numbers the variables of a procedure and builds the graphs of its bodies.
func (r *Analysis) unit(q *ast.Procedure) *unit {
	u := &unit{procedure: q, callers: map[*unit]bool{}, parameters: len(r.Globals), frame: make([]bool, len(r.Globals))}
	for _, v := range slices.Concat(q.In, q.Out) {
		if r.number(v, u.parameters) {
			u.parameters++
		}
	}
	for _, g := range q.Frame {
		if s := r.slots[g]; s != nil {
			u.frame[s.number] = true
		}
	}
	next := u.parameters
	for _, impl := range q.Implementations {
		for _, v := range slices.Concat(impl.In, impl.Out, impl.Body.Locals) {
			if r.number(v, next) {
				next++
			}
		}
		u.bodies = append(u.bodies, newBody(q, flow.Build(impl)))
	}
	return u
}

// postorder appends a procedure behind all that it calls, and marks recursive ones.
func (r *Analysis) postorder(u *unit, seen, open map[*unit]bool, order *[]*unit) {
	seen[u], open[u] = true, true
	for _, body := range u.bodies {
		for _, b := range body.graph.Blocks {
			for _, c := range b.Commands {
				if c.Kind != flow.Call {
					continue
				}
				switch callee := r.units[c.Source.(*ast.Call).Procedure]; {
				case callee == nil:
				case open[callee]:
					callee.again = true
				case !seen[callee]:
					r.postorder(callee, seen, open, order)
				}
			}
		}
	}
	delete(open, u)
	*order = append(*order, u)
}

// summarise analyses a procedure, and marks its callers stale if its exit state has grown.
func (r *Analysis) summarise(u *unit) error {
	if u.more {
		if u.grown > widenAfter {
			u.given = r.widen(u.enters, u.given, u.grown)
		}
		u.grown++
		u.enters = u.given
	}
	u.more, u.stale, u.active, u.begun = false, false, true, true
	defer func() { u.active = false }()
	old, changed := u.leaves, false
	for _, b := range u.bodies {
		leaves, err := r.run(b, u.enters)
		if err != nil {
			return err
		}
		if leaves == nil {
			continue
		}
		kept := &state{leaves.facts.below(u.parameters)}
		joined, more := r.join(old, kept)
		if more && old != nil && u.again && u.left > widenAfter {
			joined = r.widen(old, joined, u.left)
		}
		old, changed = joined, changed || more
	}
	if changed {
		u.leaves = old
		u.left++
		for c := range u.callers {
			c.stale = true
		}
	}
	return nil
}

// call applies a call to a state, and reports false if the callee is not known to return. The entry state of the callee is joined with
// the state of this call.
func (r *Analysis) call(s *state, caller *ast.Procedure, c *ast.Call) (returns bool, err error) {
	q := c.Procedure
	u := r.units[q]
	if u == nil {
		r.results(s, c)
		for _, g := range q.Frame {
			r.forget(s, g)
		}
		return true, nil
	}
	gives := &state{s.facts.below(len(r.Globals))}
	for k, v := range q.In {
		if c.Args[k] != nil && r.slots[v] != nil {
			r.put(gives, v, r.eval(s, c.Args[k]))
		}
	}
	if given, changed := r.join(u.given, gives); changed {
		u.given, u.more = given, true
	}
	if !u.begun {
		if err := r.summarise(u); err != nil {
			return false, err
		}
	}
	u.callers[r.units[caller]] = true
	if u.leaves == nil {
		return false, nil
	}
	// Where the call returns, the arguments were within the ranges of the parameters at the exit.
	for k, v := range q.In {
		if i, ok := r.get(u.leaves, v); ok && c.Args[k] != nil && !r.narrow(s, c.Args[k], i) {
			return false, nil
		}
	}
	r.results(s, c)
	s.facts = s.facts.replace(u.leaves.facts.below(len(r.Globals)), func(n int) bool { return n < len(u.frame) && u.frame[n] })
	for k, v := range c.Results {
		if v == nil {
			continue
		}
		if i, ok := r.get(u.leaves, q.Out[k]); ok {
			r.put(s, v.Decl, i)
		}
	}
	return true, nil
}

// results forgets the variables that a call assigns.
func (r *Analysis) results(s *state, c *ast.Call) {
	for _, v := range c.Results {
		if v != nil {
			r.forget(s, v.Decl)
		}
	}
}

// body returns the analysed body of a procedure, nil if it has none or several.
func (r *Analysis) body(procedure string) *body {
	for q, u := range r.units {
		if q.Name == procedure && len(u.bodies) == 1 {
			return u.bodies[0]
		}
	}
	return nil
}
