package ranges

import (
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
)

// unit is a procedure with what is known of its calls.
type unit struct {
	procedure *ast.Procedure
	bodies    []*body
	// parameters are the numbers of variables that calls know: globals, parameters and results have less than these.
	parameters int
	// frame tells which globals a call may change, by their numbers.
	frame []bool
	// given is what calls give a procedure: parameters and globals; nil if none is reached. enters is what it was analysed with.
	given, enters *state
	// leaves is what is known where it returns, of the same variables and its results; nil if it never does.
	leaves *state
	// grown counts how often given was more than enters, left how often leaves became more.
	grown, left int
	// callers are those whose analysis depends on this one's leaves.
	callers map[*unit]bool
	// more says that given is more than enters, stale that a callee leaves more than it did. active says that the procedure is
	// being analysed, and begun that it ever was.
	more, stale, active, begun bool
	// again says that a call comes from a procedure that this one may call.
	again bool
}

// procedures analyses procedures until nothing changes. A procedure that was never analysed is when it is called. What grows then
// is passed on in sweeps: what calls give from callers to callees, and what they leave the other way, so that each sees all
// changes at once, where procedures do not call each other in circles.
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
		r.arrange(u, seen, map[*unit]bool{}, &order)
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

// unit numbers the variables of a procedure, and makes graphs of its bodies.
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

// arrange puts a procedure behind all that it calls, and finds those that are called in circles.
func (r *Analysis) arrange(u *unit, seen, open map[*unit]bool, order *[]*unit) {
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
					r.arrange(callee, seen, open, order)
				}
			}
		}
	}
	delete(open, u)
	*order = append(*order, u)
}

// summarise analyses a procedure, and has its callers looked at again if it leaves more than was known.
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

// call is what a call leaves of a state, and false if the callee is not known to return. What the callee is entered with
// grows by what this call gives it.
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
		if c.Args[k] != nil && r.slot(v) != nil {
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
	// Where the call returns, the parameters were what the callee leaves: an argument that makes it end the path is none.
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

// results forgets what was known of what a call gives new values.
func (r *Analysis) results(s *state, c *ast.Call) {
	for _, v := range c.Results {
		if v != nil {
			r.forget(s, v.Decl)
		}
	}
}

// body is the body of a procedure that has one, and that was analysed; else nil.
func (r *Analysis) body(procedure string) *body {
	for q, u := range r.units {
		if q.Name == procedure && len(u.bodies) == 1 {
			return u.bodies[0]
		}
	}
	return nil
}
